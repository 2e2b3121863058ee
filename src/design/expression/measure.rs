//! Upwards: the width and sign that each part of an expression has by itself.

use super::{Elaborator, Names, Size, WIDEST, error, is_pattern, unsupported_call};
use crate::design::codes;
use crate::design::netlist::Word;
use crate::expr::{BinaryOp, CAST, Digit, Expr, ExprKind, Number, UnaryOp};
use crate::source::Diagnostic;
use crate::stack;

impl<N: Names> Elaborator<'_, N> {
    pub fn measure(&mut self, expr: &Expr) -> Result<Size, Diagnostic> {
        let size = stack::recurse(|| self.measure_kind(expr))?;
        if size.width > WIDEST {
            let message = format!("this is {} bits wide, the most is {WIDEST}", size.width);
            return Err(error(expr, codes::WORD_TOO_WIDE, message));
        }
        self.sizes.insert(std::ptr::from_ref(expr), size);
        Ok(size)
    }

    fn measure_kind(&mut self, expr: &Expr) -> Result<Size, Diagnostic> {
        if let Some(expanded) = self.expansion(expr)? {
            return self.measure(&expanded);
        }
        Ok(match &expr.kind {
            ExprKind::Number(number) => self.measure_number(expr, number)?,
            ExprKind::Net(_) => Size::BIT,
            ExprKind::AllOnes => Size::BIT,
            ExprKind::Name(_)
            | ExprKind::Member(..)
            | ExprKind::Index(..)
            | ExprKind::Range(..)
            | ExprKind::IndexedRange { .. } => size_of_word(&self.word(expr)?),
            ExprKind::Unary(operator, operand) => {
                let size = self.measure(operand)?;
                match operator {
                    UnaryOp::BitNot | UnaryOp::Plus | UnaryOp::Minus => size,
                    _ => Size::BIT,
                }
            }
            ExprKind::Binary(operator, left, right) => {
                let (left, right) = (self.measure(left)?, self.measure(right)?);
                match operator {
                    BinaryOp::Add
                    | BinaryOp::Subtract
                    | BinaryOp::Multiply
                    | BinaryOp::Divide
                    | BinaryOp::Modulo
                    | BinaryOp::BitAnd
                    | BinaryOp::BitOr
                    | BinaryOp::BitXor
                    | BinaryOp::BitXnor => left.join(right),
                    BinaryOp::Power
                    | BinaryOp::ShiftLeft
                    | BinaryOp::ShiftRight
                    | BinaryOp::ArithmeticShiftLeft
                    | BinaryOp::ArithmeticShiftRight => left,
                    _ => Size::BIT,
                }
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                self.measure(condition)?;
                let then = self.measure(then)?;
                then.join(self.measure(otherwise)?)
            }
            ExprKind::Concat(parts) => Size {
                width: self.measure_parts(parts)?,
                signed: false,
            },
            ExprKind::Replicate(count, parts) => {
                let count = self.width_constant(count, "the count of a replication")?;
                Size {
                    width: count.saturating_mul(self.measure_parts(parts)?),
                    signed: false,
                }
            }
            ExprKind::Call(name, arguments) => self.measure_call(expr, name, arguments)?,
        })
    }

    fn measure_number(&self, expr: &Expr, number: &Number) -> Result<Size, Diagnostic> {
        let unknown = |digit: &Digit| matches!(digit, Digit::X | Digit::Z);
        if number.bits.iter().any(unknown) && !self.names.has_unknown() {
            let message = "a number in a property has no `x` or `z` digits";
            return Err(error(expr, codes::UNKNOWN_DIGIT, message));
        }
        let width = match number.width {
            Some(0) => {
                let message = "a number is at least one bit wide";
                return Err(error(expr, codes::ATOM_UNSUPPORTED, message));
            }
            Some(width) => width as usize,
            // `'x` is as wide as what is around it.
            None if number.bits.len() == 1 && unknown(&number.bits[0]) => 1,
            None => number.bits.len().max(Size::INTEGER.width),
        };
        Ok(Size {
            width,
            signed: number.signed,
        })
    }

    fn measure_parts(&mut self, parts: &[Expr]) -> Result<usize, Diagnostic> {
        let mut total: usize = 0;
        for part in parts {
            if self.is_empty_replication(part)? {
                continue;
            }
            if let ExprKind::Number(Number { width: None, .. }) = part.kind {
                let message = "a number in a concatenation needs a width";
                return Err(error(part, codes::ATOM_UNSUPPORTED, message)
                    .help("write it with a width, as in 4'd5"));
            }
            total = total.saturating_add(self.measure(part)?.width);
        }
        Ok(total)
    }

    fn measure_call(
        &mut self,
        expr: &Expr,
        name: &str,
        arguments: &[Expr],
    ) -> Result<Size, Diagnostic> {
        if let Some(size) = self.measure_extended(expr, name, arguments)? {
            return Ok(size);
        }
        if let Some(signature) = self.names.function(self.design, expr, name)? {
            return Ok(signature.result);
        }
        if let (CAST, [target, argument]) = (name, arguments) {
            if let (ExprKind::Name(path), true) = (&target.kind, is_pattern(argument))
                && let Some(size) = self.names.type_size(path)
            {
                return Ok(size);
            }
            let size = self.measure(argument)?;
            return self.cast_size(target, size);
        }
        let [argument] = arguments else {
            return Err(unsupported_call(expr, name, self.names.known_functions()));
        };
        let size = self.measure(argument)?;
        Ok(match name {
            "$floor" | "$ceil" => size,
            "$signed" => Size {
                signed: true,
                ..size
            },
            "$unsigned" => Size {
                signed: false,
                ..size
            },
            "$countones" | "$clog2" => Size::INTEGER,
            "$onehot" | "$onehot0" => Size::BIT,
            _ => return Err(unsupported_call(expr, name, self.names.known_functions())),
        })
    }
}

impl<N: Names> Elaborator<'_, N> {
    /// What `target'(...)` makes of a value.
    fn cast_size(&mut self, target: &Expr, size: Size) -> Result<Size, Diagnostic> {
        if let ExprKind::Name(path) = &target.kind {
            let keyword = match path.as_slice() {
                [one] => one.as_str(),
                _ => "",
            };
            let signed = match keyword {
                "signed" => Some(true),
                "unsigned" => Some(false),
                _ => None,
            };
            if let Some(signed) = signed {
                return Ok(Size { signed, ..size });
            }
            if let Some(size) = self.names.type_size(path) {
                return Ok(size);
            }
        }
        let width = self.width_constant(target, "the width of a cast")?;
        Ok(Size { width, ..size })
    }
}

fn size_of_word(word: &Word) -> Size {
    Size {
        width: word.bits.len(),
        signed: word.signed,
    }
}
