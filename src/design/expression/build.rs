//! Downwards: literals for an expression in a context that fixes its width and sign.

use super::{Elaborator, Names, Size, error, unsupported_call};
use crate::design::codes;
use crate::design::literal::Literal;
use crate::design::words::{self, Bits, Shift};
use crate::expr::{BinaryOp, CAST, Digit, Expr, ExprKind, PATTERN, UnaryOp};
use crate::source::Diagnostic;
use crate::stack;

/// The widest product or quotient, whose size is the square of this.
const WIDEST_PRODUCT: usize = 512;

impl<N: Names> Elaborator<'_, N> {
    pub fn build(&mut self, expr: &Expr, size: Size) -> Result<Bits, Diagnostic> {
        self.names.poll()?;
        stack::recurse(|| self.build_kind(expr, size))
    }

    /// The value of a measured expression in a context of the given width and sign.
    fn build_kind(&mut self, expr: &Expr, size: Size) -> Result<Bits, Diagnostic> {
        if let Some(expanded) = self.expansion(expr)? {
            return self.build(&expanded, size);
        }
        let bits = match &expr.kind {
            ExprKind::Number(number) => {
                // Digits that were not written are zeros, also in a signed number; unknown
                // ones go on to the left.
                let own = self.size_of(expr)?.width;
                let unsized_fill = number.width.is_none() && !number.is_known();
                let width = if unsized_fill {
                    own.max(size.width)
                } else {
                    own
                };
                (0..width)
                    .map(|index| self.digit(number.digit(index)))
                    .collect()
            }
            ExprKind::Net(code) => {
                let literal = Literal::from_code(*code);
                if !self.design.contains(literal) {
                    let message = format!("there is no node {}", literal.node());
                    return Err(error(expr, codes::LITERAL_OUT_OF_RANGE, message));
                }
                vec![literal]
            }
            ExprKind::AllOnes => return Ok(vec![Literal::TRUE; size.width]),
            ExprKind::Name(_)
            | ExprKind::Member(..)
            | ExprKind::Index(..)
            | ExprKind::Range(..)
            | ExprKind::IndexedRange { .. } => {
                let word = self.word(expr)?;
                self.tell_wrong(expr)?;
                word.bits
            }
            ExprKind::Unary(operator, operand) => {
                return self.build_unary(*operator, operand, size);
            }
            ExprKind::Binary(operator, left, right) => {
                return self.build_binary(expr, *operator, left, right, size);
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let truth = self.truth(condition)?;
                // The condition has a text of its own unless a macro stands for the whole choice.
                let condition = match condition.span == expr.span {
                    true => truth,
                    false => self.names.condition(self.design, condition, truth),
                };
                if let Some(value) = condition.as_constant() {
                    return self.build(if value { then } else { otherwise }, size);
                }
                let then = self.build(then, size)?;
                let otherwise = self.build(otherwise, size)?;
                return Ok(words::mux(self.design, condition, &then, &otherwise));
            }
            ExprKind::Concat(parts) => self.build_parts(parts)?,
            ExprKind::Replicate(count, parts) => {
                let count = self.width_constant(count, "the count of a replication")?;
                self.build_parts(parts)?.repeat(count)
            }
            ExprKind::Call(name, arguments) => {
                if let Some(bits) = self.build_extended(expr, name, arguments, size)? {
                    return Ok(bits);
                }
                self.build_call(expr, name, arguments)?
            }
        };
        Ok(words::resize(&bits, size.width, size.signed))
    }

    fn digit(&mut self, digit: Digit) -> Literal {
        match digit {
            Digit::Zero => Literal::FALSE,
            Digit::One => Literal::TRUE,
            Digit::X | Digit::Z => {
                let bit = self.names.unknown(self.design).unwrap_or(Literal::FALSE);
                if digit == Digit::Z {
                    self.names.note_high_impedance(bit);
                }
                bit
            }
        }
    }

    fn build_parts(&mut self, parts: &[Expr]) -> Result<Bits, Diagnostic> {
        let mut bits = Bits::new();
        for part in parts.iter().rev() {
            if self.is_empty_replication(part)? {
                continue;
            }
            bits.extend(self.own(part)?);
        }
        Ok(bits)
    }

    fn build_unary(
        &mut self,
        operator: UnaryOp,
        operand: &Expr,
        size: Size,
    ) -> Result<Bits, Diagnostic> {
        match operator {
            UnaryOp::Plus => return self.build(operand, size),
            UnaryOp::BitNot => return Ok(words::not(&self.build(operand, size)?)),
            UnaryOp::Minus => {
                let bits = self.build(operand, size)?;
                return Ok(words::negate(self.design, &bits));
            }
            _ => {}
        }
        let bits = self.own(operand)?;
        let literal = match operator {
            UnaryOp::ReduceAnd => words::reduce_and(self.design, &bits),
            UnaryOp::ReduceNand => !words::reduce_and(self.design, &bits),
            UnaryOp::ReduceOr => words::reduce_or(self.design, &bits),
            UnaryOp::ReduceXor => words::reduce_xor(self.design, &bits),
            UnaryOp::ReduceXnor => !words::reduce_xor(self.design, &bits),
            _ => !words::reduce_or(self.design, &bits),
        };
        Ok(words::resize(&[literal], size.width, false))
    }

    fn build_binary(
        &mut self,
        expr: &Expr,
        operator: BinaryOp,
        left: &Expr,
        right: &Expr,
        size: Size,
    ) -> Result<Bits, Diagnostic> {
        use BinaryOp::*;
        let bits = match operator {
            Add | Subtract | Multiply | BitAnd | BitOr | BitXor | BitXnor => {
                if operator == Multiply {
                    limit_product(expr, size)?;
                }
                let left = self.build(left, size)?;
                let right = self.build(right, size)?;
                match operator {
                    Add => words::add(self.design, &left, &right),
                    Subtract => words::subtract(self.design, &left, &right),
                    Multiply => words::multiply(self.design, &left, &right),
                    BitAnd => words::and(self.design, &left, &right),
                    BitOr => words::or(self.design, &left, &right),
                    BitXor => words::xor(self.design, &left, &right),
                    _ => words::not(&words::xor(self.design, &left, &right)),
                }
            }
            Divide | Modulo => {
                limit_product(expr, size)?;
                let left = self.build(left, size)?;
                self.quotient(&left, right, size, operator == Divide)?
            }
            Power => {
                limit_product(expr, size)?;
                self.power(expr, left, right, size)?
            }
            ShiftLeft | ShiftRight | ArithmeticShiftLeft | ArithmeticShiftRight => {
                let word = self.build(left, size)?;
                let amount = self.own(right)?;
                let kind = match operator {
                    ShiftLeft | ArithmeticShiftLeft => Shift::Left,
                    ArithmeticShiftRight if size.signed => Shift::Arithmetic,
                    _ => Shift::Right,
                };
                words::shift(self.design, &word, &amount, kind)
            }
            LogicalAnd | LogicalOr => {
                let left = self.truth(left)?;
                let decides = left.as_constant() == Some(operator == LogicalOr);
                let outer = self.is_unread;
                self.is_unread |= decides;
                let right = self.truth(right);
                self.is_unread = outer;
                let right = right?;
                let literal = match operator {
                    LogicalAnd => self.design.and(left, right),
                    _ => self.design.or(left, right),
                };
                words::resize(&[literal], size.width, false)
            }
            Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual | CaseEqual
            | CaseNotEqual => {
                let operands = self.size_of(left)?.join(self.size_of(right)?);
                let is_exact = matches!(operator, CaseEqual | CaseNotEqual);
                if let (true, Some(equal)) =
                    (is_exact, self.equal_to_unknown(left, right, operands)?)
                {
                    let literal = equal.complement_if(operator == CaseNotEqual);
                    return Ok(words::resize(&[literal], size.width, false));
                }
                let left = self.build(left, operands)?;
                let right = self.build(right, operands)?;
                let less = if operands.signed {
                    words::less_signed
                } else {
                    words::less_unsigned
                };
                let literal = match operator {
                    Less => less(self.design, &left, &right),
                    LessEqual => !less(self.design, &right, &left),
                    Greater => less(self.design, &right, &left),
                    GreaterEqual => !less(self.design, &left, &right),
                    NotEqual | CaseNotEqual => !words::equal(self.design, &left, &right),
                    _ => words::equal(self.design, &left, &right),
                };
                words::resize(&[literal], size.width, false)
            }
        };
        Ok(bits)
    }

    fn build_call(
        &mut self,
        expr: &Expr,
        name: &str,
        arguments: &[Expr],
    ) -> Result<Bits, Diagnostic> {
        if let Some(signature) = self.names.function(self.design, expr, name)? {
            if signature.arguments.len() != arguments.len() {
                let message = format!(
                    "`{name}` has {} arguments, and {} are given",
                    signature.arguments.len(),
                    arguments.len()
                );
                return Err(error(expr, codes::ATOM_UNSUPPORTED, message));
            }
            let mut values = Vec::new();
            let sizes = signature.arguments.iter().zip(&signature.outputs);
            for (argument, (size, is_output)) in arguments.iter().zip(sizes) {
                values.push(match is_output {
                    true => vec![Literal::FALSE; size.width],
                    false => self.assigned(argument, size.width)?,
                });
            }
            return self.names.call(self.design, expr, name, values);
        }
        if let (CAST, [target, argument]) = (name, arguments) {
            if let (ExprKind::Name(path), true) = (&target.kind, is_pattern(argument))
                && let Some(bits) = self.names.pattern_of(self.design, path, argument)?
            {
                return Ok(bits);
            }
            let size = self.size_of(expr)?;
            return self.assigned(argument, size.width);
        }
        let [argument] = arguments else {
            return Err(unsupported_call(expr, name, self.names.known_functions()));
        };
        let integer = Size::INTEGER.width;
        Ok(match name {
            "$signed" | "$unsigned" => self.own(argument)?,
            // Words are whole numbers.
            "$floor" | "$ceil" => self.own(argument)?,
            "$countones" => {
                let bits = self.own(argument)?;
                words::count_ones(self.design, &bits, integer)
            }
            "$onehot" => {
                let bits = self.own(argument)?;
                let any = words::reduce_or(self.design, &bits);
                let single = words::at_most_one(self.design, &bits);
                vec![self.design.and(any, single)]
            }
            "$onehot0" => {
                let bits = self.own(argument)?;
                vec![words::at_most_one(self.design, &bits)]
            }
            "$clog2" => {
                let value = self.constant(argument, "the argument of $clog2")?;
                let value = value.max(1) as u64;
                words::constant(
                    u64::from(value.next_power_of_two().trailing_zeros()),
                    integer,
                )
            }
            _ => return Err(unsupported_call(expr, name, self.names.known_functions())),
        })
    }
}

impl<N: Names> Elaborator<'_, N> {
    /// What `===` says of a number with unknown digits (IEEE 1800-2017, 11.4.5): signals are 0
    /// or 1 here, so only a number with the same digits is equal to it, or something that is
    /// unknown in each of them. `None` if there is no such number.
    fn equal_to_unknown(
        &mut self,
        left: &Expr,
        right: &Expr,
        size: Size,
    ) -> Result<Option<Literal>, Diagnostic> {
        let number = |expr: &Expr| match &expr.kind {
            ExprKind::Number(number) => Some(number.clone()),
            _ => None,
        };
        let (number, other) = match (number(left), number(right)) {
            (Some(left), Some(right)) if !left.is_known() || !right.is_known() => {
                let width = left.bits.len().max(right.bits.len());
                let equal = (0..width).all(|index| left.digit(index) == right.digit(index));
                return Ok(Some(Literal::constant(equal)));
            }
            (Some(number), None) if !number.is_known() => (number, right),
            (None, Some(number)) if !number.is_known() => (number, left),
            _ => return Ok(None),
        };
        let bits = self.build(other, size)?;
        let mut equal = Literal::TRUE;
        for (index, bit) in bits.iter().enumerate() {
            let is_unknown = self.names.is_unknown(*bit);
            let same = match number.digit(index) {
                Digit::X => Literal::constant(is_unknown),
                Digit::One if !is_unknown => *bit,
                Digit::Zero if !is_unknown => !*bit,
                _ => Literal::FALSE,
            };
            equal = self.design.and(equal, same);
        }
        Ok(Some(equal))
    }
}

pub(super) fn limit_product(expr: &Expr, size: Size) -> Result<(), Diagnostic> {
    if size.width <= WIDEST_PRODUCT {
        return Ok(());
    }
    let message = format!(
        "a product or quotient of {} bits is too wide, the most is {WIDEST_PRODUCT}",
        size.width
    );
    Err(error(expr, codes::WORD_TOO_WIDE, message))
}

/// Whether an expression is a pattern `'{...}`.
pub(in crate::design) fn is_pattern(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Call(name, _) if name == PATTERN)
}
