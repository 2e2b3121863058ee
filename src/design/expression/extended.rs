//! Operators and functions that only Verilog files have, and those whose result can be unknown:
//! quotients, powers, sets of values, streams, queries about sizes.

use super::{Elaborator, Named, Names, Size, error, unsupported_call};
use crate::design::codes;
use crate::design::literal::Literal;
use crate::design::words::{self, Bits};
use crate::expr::{
    Digit, Expr, ExprKind, INSIDE, PATTERN, PATTERN_KEY, STREAM_LEFT, STREAM_RIGHT, UNBOUNDED,
    VALUE_RANGE, WILDCARD_EQUAL, WILDCARD_NOT_EQUAL,
};
use crate::source::Diagnostic;

/// Bits of an exponent that is not constant: each one costs two products.
const WIDEST_EXPONENT: usize = 8;

/// Functions that ask for the size of something.
const QUERIES: [&str; 8] = [
    "$size",
    "$high",
    "$low",
    "$left",
    "$right",
    "$increment",
    "$dimensions",
    "$unpacked_dimensions",
];

impl<N: Names> Elaborator<'_, N> {
    /// The size of what is made here; `None` for any other call.
    pub(super) fn measure_extended(
        &mut self,
        expr: &Expr,
        name: &str,
        arguments: &[Expr],
    ) -> Result<Option<Size>, Diagnostic> {
        Ok(Some(match (name, arguments) {
            (WILDCARD_EQUAL | WILDCARD_NOT_EQUAL, [_, _]) => Size::BIT,
            (INSIDE, [_, _, ..]) => Size::BIT,
            ("$anyconst" | "$anyseq", []) => Size::BIT,
            ("$bits", [_]) => Size::INTEGER,
            ("$countbits", [_, _, ..]) => Size::INTEGER,
            (query, [_] | [_, _]) if QUERIES.contains(&query) => Size::INTEGER,
            (PATTERN | PATTERN_KEY | VALUE_RANGE, _) => {
                let message = "a pattern needs a type, which nothing around it has";
                return Err(error(expr, codes::ATOM_UNSUPPORTED, message)
                    .help("assign it to a signal of its type first"));
            }
            // Inside of an expression a stream is as wide as what it is made of.
            (STREAM_LEFT | STREAM_RIGHT, [items, ..]) => Size {
                width: self.measure(items)?.width,
                signed: false,
            },
            _ => return Ok(None),
        }))
    }

    /// The bits of what is made here, in a context of this size; `None` for any other call.
    pub(super) fn build_extended(
        &mut self,
        expr: &Expr,
        name: &str,
        arguments: &[Expr],
        size: Size,
    ) -> Result<Option<Bits>, Diagnostic> {
        let integer = Size::INTEGER.width;
        let (bits, signed) = match (name, arguments) {
            (WILDCARD_EQUAL, [left, right]) => (vec![self.wildcard(left, right)?], false),
            (WILDCARD_NOT_EQUAL, [left, right]) => (vec![!self.wildcard(left, right)?], false),
            (INSIDE, [value, items @ ..]) if !items.is_empty() => {
                let mut found = Literal::FALSE;
                for item in items {
                    let hit = self.contains(value, item)?;
                    found = self.design.or(found, hit);
                }
                (vec![found], false)
            }
            ("$anyconst" | "$anyseq", []) => {
                let free = self
                    .names
                    .free(self.design, size.width, name == "$anyconst");
                return match free {
                    Some(bits) => Ok(Some(bits)),
                    None => Err(unsupported_call(expr, name, self.names.known_functions())),
                };
            }
            (STREAM_LEFT | STREAM_RIGHT, [items, ..]) => {
                let width = self.size_of(items)?.width;
                (self.stream(expr, width)?.unwrap_or_default(), false)
            }
            ("$bits", [argument]) => {
                let width = self.bits_of(argument)?;
                (words::constant(width as u64, integer), true)
            }
            ("$countbits", [argument, controls @ ..]) if !controls.is_empty() => {
                (self.count_bits(argument, controls)?, true)
            }
            (query, [argument, dimension @ ..])
                if QUERIES.contains(&query) && dimension.len() < 2 =>
            {
                let value = self.query(expr, query, argument, dimension.first())?;
                let bits = words::constant(value as u64, 64);
                (words::resize(&bits, integer, true), true)
            }
            _ => return Ok(None),
        };
        Ok(Some(words::resize(
            &bits,
            size.width,
            signed && size.signed,
        )))
    }

    /// `{0{a}}`, which stands for nothing between other parts (IEEE 1800-2017, 11.4.12.1).
    pub(super) fn is_empty_replication(&mut self, part: &Expr) -> Result<bool, Diagnostic> {
        match &part.kind {
            ExprKind::Replicate(count, _) => {
                Ok(self.constant(count, "the count of a replication")? == 0)
            }
            _ => Ok(false),
        }
    }

    /// `left / right` or `left % right`; unknown if the divisor is zero, where anything is.
    pub(super) fn quotient(
        &mut self,
        left: &[Literal],
        right: &Expr,
        size: Size,
        is_quotient: bool,
    ) -> Result<Bits, Diagnostic> {
        let divisor = self.build(right, size)?;
        let nonzero = words::reduce_or(self.design, &divisor);
        if nonzero != Literal::TRUE && !self.names.has_unknown() {
            let message = "the divisor must be a constant other than zero";
            return Err(error(right, codes::ATOM_UNSUPPORTED, message));
        }
        let (quotient, remainder) = if size.signed {
            words::divide_signed(self.design, left, &divisor)
        } else {
            words::divide(self.design, left, &divisor)
        };
        let result = if is_quotient { quotient } else { remainder };
        self.unless_unknown(nonzero, result)
    }

    /// A word where a condition holds, and unknown bits where it does not.
    fn unless_unknown(&mut self, known: Literal, word: Bits) -> Result<Bits, Diagnostic> {
        if known == Literal::TRUE {
            return Ok(word);
        }
        let unknown: Bits = word
            .iter()
            .map(|_| {
                let bit = self.names.unknown(self.design);
                bit.unwrap_or(Literal::FALSE)
            })
            .collect();
        Ok(words::mux(self.design, known, &word, &unknown))
    }

    /// `left ** right`, by squares (IEEE 1800-2017, 11.4.3.1).
    pub(super) fn power(
        &mut self,
        expr: &Expr,
        left: &Expr,
        right: &Expr,
        size: Size,
    ) -> Result<Bits, Diagnostic> {
        let base = self.build(left, size)?;
        let exponent_size = self.measure(right)?;
        let exponent = self.build(right, exponent_size)?;
        let negative = match (exponent_size.signed, exponent.last()) {
            (true, Some(sign)) => *sign,
            _ => Literal::FALSE,
        };
        let free = exponent.iter().filter(|bit| bit.as_constant().is_none());
        let is_power_of_two = |bits: &[Literal]| words::constant_value(bits, false) == Some(2);
        if free.count() > WIDEST_EXPONENT && !is_power_of_two(&base) {
            let message = format!(
                "a power whose exponent has more than {WIDEST_EXPONENT} bits is not supported"
            );
            return Err(error(expr, codes::ATOM_UNSUPPORTED, message)
                .help("use a narrower exponent, or a table"));
        }
        let mut result = words::constant(1, size.width);
        let mut square = base.clone();
        for bit in &exponent {
            let product = words::multiply(self.design, &result, &square);
            result = words::mux(self.design, *bit, &product, &result);
            square = words::multiply(self.design, &square, &square);
        }
        if negative == Literal::FALSE {
            return Ok(result);
        }
        // A negative exponent leaves nothing of all but 1 and -1, and 0 has no such power.
        let one = words::constant(1, size.width);
        let ones = vec![Literal::TRUE; size.width];
        let is_one = words::equal(self.design, &base, &one);
        let is_minus_one = match size.signed {
            true => words::equal(self.design, &base, &ones),
            false => Literal::FALSE,
        };
        let odd = exponent[0];
        let sign = words::mux(self.design, odd, &ones, &one);
        let zero = words::constant(0, size.width);
        let small = words::mux(self.design, is_minus_one, &sign, &zero);
        let small = words::mux(self.design, is_one, &one, &small);
        let result = words::mux(self.design, negative, &small, &result);
        let nonzero = words::reduce_or(self.design, &base);
        let known = self.design.or(nonzero, !negative);
        self.unless_unknown(known, result)
    }

    /// Whether a value is a value of a set, or in one of its ranges.
    pub fn contains(&mut self, value: &Expr, item: &Expr) -> Result<Literal, Diagnostic> {
        if is_reference(item)
            && self.expansion(item)?.is_none()
            && let array @ Named::Array { .. } = self.reference(item)?
        {
            return self.is_element(value, &array);
        }
        let ExprKind::Call(name, bounds) = &item.kind else {
            return self.wildcard(value, item);
        };
        let (VALUE_RANGE, [left, right]) = (name.as_str(), bounds.as_slice()) else {
            return self.wildcard(value, item);
        };
        let above = match is_unbounded(left) {
            true => Literal::TRUE,
            false => self.compared(left, value)?,
        };
        let below = match is_unbounded(right) {
            true => Literal::TRUE,
            false => self.compared(value, right)?,
        };
        Ok(self.design.and(above, below))
    }

    /// Whether a value is an element of an array, or of an array in it.
    fn is_element(&mut self, value: &Expr, array: &Named) -> Result<Literal, Diagnostic> {
        match array {
            Named::Array { elements, .. } => {
                let mut found = Literal::FALSE;
                for element in elements {
                    let hit = self.is_element(value, element)?;
                    found = self.design.or(found, hit);
                }
                Ok(found)
            }
            Named::Word(word, _) => {
                let own = Size {
                    width: word.bits.len(),
                    signed: word.signed,
                };
                let size = self.measure(value)?.join(own);
                let left = self.build(value, size)?;
                let right = words::resize(&word.bits, size.width, size.signed);
                Ok(words::equal(self.design, &left, &right))
            }
        }
    }

    /// `left <= right`
    fn compared(&mut self, left: &Expr, right: &Expr) -> Result<Literal, Diagnostic> {
        let size = self.measure(left)?.join(self.measure(right)?);
        let left = self.build(left, size)?;
        let right = self.build(right, size)?;
        Ok(!match size.signed {
            true => words::less_signed(self.design, &right, &left),
            false => words::less_unsigned(self.design, &right, &left),
        })
    }

    /// `left ==? right`: unknown digits on the right match any bit.
    fn wildcard(&mut self, left: &Expr, right: &Expr) -> Result<Literal, Diagnostic> {
        let size = self.measure(left)?.join(self.measure(right)?);
        let left = self.build(left, size)?;
        let right_bits = self.build(right, size)?;
        let mut equal = Vec::new();
        for (index, (left, right_bit)) in left.iter().zip(right_bits).enumerate() {
            let is_wild = match &right.kind {
                ExprKind::Number(number) => {
                    let width = number.width.map_or(usize::MAX, |width| width as usize);
                    index < width && matches!(number.digit(index), Digit::X | Digit::Z)
                }
                // That of a parameter.
                _ => self.names.is_unknown(right_bit),
            };
            if !is_wild {
                equal.push(!self.design.xor(*left, right_bit));
            }
        }
        Ok(self.design.and_all(equal))
    }

    /// The value of a stream for a target of this width, which it fills from the left end on
    /// (IEEE 1800-2017, 11.4.14.3); `None` for anything else.
    pub fn stream(&mut self, expr: &Expr, width: usize) -> Result<Option<Bits>, Diagnostic> {
        let ExprKind::Call(name, arguments) = &expr.kind else {
            return Ok(None);
        };
        let bits = match (name.as_str(), arguments.as_slice()) {
            (STREAM_RIGHT, [items, ..]) => self.own(items)?,
            (STREAM_LEFT, [items, size @ ..]) => self.reversed(items, size.first())?,
            _ => return Ok(None),
        };
        if bits.len() > width {
            let message = format!("this stream of {} bits does not fit in {width}", bits.len());
            return Err(error(expr, codes::WORD_TOO_WIDE, message));
        }
        let mut filled = words::constant(0, width - bits.len());
        filled.extend(bits);
        Ok(Some(filled))
    }

    /// `{<< size {items}}`: slices from the right end on, the first one highest.
    fn reversed(&mut self, items: &Expr, size: Option<&Expr>) -> Result<Bits, Diagnostic> {
        let bits = self.own(items)?;
        let step = match size {
            Some(size) => {
                let known = match &size.kind {
                    ExprKind::Name(path) => self.names.type_size(path),
                    _ => None,
                };
                match known {
                    Some(known) => known.width,
                    None => self.width_constant(size, "the size of a slice")?,
                }
            }
            None => 1,
        };
        let slices = bits.chunks(step).rev();
        Ok(slices.flatten().copied().collect())
    }

    /// How many bits something has: a type, an array, or any expression.
    fn bits_of(&mut self, argument: &Expr) -> Result<usize, Diagnostic> {
        if let ExprKind::Name(path) = &argument.kind
            && let Some(size) = self.names.type_size(path)
        {
            return Ok(size.width);
        }
        if is_reference(argument) {
            return Ok(all_bits(&self.shape_of(argument)?).len());
        }
        Ok(self.measure(argument)?.width)
    }

    /// A name or a part of one, for questions about its size.
    fn shape_of(&mut self, argument: &Expr) -> Result<Named, Diagnostic> {
        match self.names.shape(self.design, argument)? {
            Some(named) => Ok(named),
            None => self.reference(argument),
        }
    }

    /// Signals are 0 or 1 here, so only a number has digits that are neither.
    fn count_bits(&mut self, argument: &Expr, controls: &[Expr]) -> Result<Bits, Diagnostic> {
        let mut counted = Vec::new();
        for control in controls {
            counted.push(match &control.kind {
                ExprKind::AllOnes => Digit::One,
                ExprKind::Number(number) => number.digit(0),
                _ => {
                    let (bits, _) = self.self_determined(control)?;
                    match bits.first().and_then(|bit| bit.as_constant()) {
                        Some(true) => Digit::One,
                        Some(false) => Digit::Zero,
                        None => {
                            let message = "what `$countbits` counts has to be a constant";
                            return Err(error(control, codes::ATOM_UNSUPPORTED, message));
                        }
                    }
                }
            });
        }
        let integer = Size::INTEGER.width;
        let size = self.measure(argument)?;
        if let ExprKind::Number(number) = &argument.kind {
            let digits = (0..size.width).map(|index| number.digit(index));
            let count = digits.filter(|digit| counted.contains(digit)).count();
            return Ok(words::constant(count as u64, integer));
        }
        let bits = self.build(argument, size)?;
        let is_counted = |digit: Digit| counted.contains(&digit);
        let matching: Bits = bits
            .iter()
            .map(
                |bit| match (is_counted(Digit::Zero), is_counted(Digit::One)) {
                    (true, true) => Literal::TRUE,
                    (true, false) => !*bit,
                    (false, true) => *bit,
                    (false, false) => Literal::FALSE,
                },
            )
            .collect();
        Ok(words::count_ones(self.design, &matching, integer))
    }

    /// What a query about the dimensions of something gives (IEEE 1800-2017, 20.7).
    fn query(
        &mut self,
        expr: &Expr,
        name: &str,
        argument: &Expr,
        dimension: Option<&Expr>,
    ) -> Result<i64, Diagnostic> {
        let mut ranges = Vec::new();
        let mut unpacked = 0;
        if is_reference(argument) {
            let named = self.shape_of(argument)?;
            unpacked = collect_ranges(&named, &mut ranges);
        } else {
            let width = self.measure(argument)?.width;
            ranges.push((width as i64 - 1, 0));
        }
        let wanted = match dimension {
            Some(dimension) => self.constant(dimension, "the number of a dimension")?,
            None => 1,
        };
        match name {
            "$dimensions" => return Ok(ranges.len() as i64),
            "$unpacked_dimensions" => return Ok(unpacked),
            _ => {}
        }
        let index = usize::try_from(wanted - 1).ok();
        let Some(&(left, right)) = index.and_then(|index| ranges.get(index)) else {
            let message = format!("there is no dimension {wanted}");
            return Err(error(expr, codes::INDEX_OUT_OF_RANGE, message));
        };
        Ok(match name {
            "$left" => left,
            "$right" => right,
            "$high" => left.max(right),
            "$low" => left.min(right),
            "$increment" if left >= right => 1,
            "$increment" => -1,
            _ => left.abs_diff(right) as i64 + 1,
        })
    }
}

/// Whether an expression is a name or a part of one.
fn is_reference(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Name(_)
            | ExprKind::Member(..)
            | ExprKind::Index(..)
            | ExprKind::Range(..)
            | ExprKind::IndexedRange { .. }
    )
}

/// The dimensions of something, outermost first; how many of them are those of arrays.
fn collect_ranges(named: &Named, ranges: &mut Vec<(i64, i64)>) -> i64 {
    match named {
        Named::Word(word, inner) => {
            ranges.push((word.left, word.right));
            ranges.extend(inner);
            0
        }
        Named::Array {
            left,
            right,
            elements,
        } => {
            ranges.push((*left, *right));
            1 + elements
                .first()
                .map_or(0, |element| collect_ranges(element, ranges))
        }
    }
}

/// All bits of a word or array, the lowest first.
pub(in crate::design) fn all_bits(named: &Named) -> Bits {
    match named {
        Named::Word(word, _) => word.bits.clone(),
        Named::Array { elements, .. } => elements.iter().flat_map(all_bits).collect(),
    }
}

/// `$` as a bound of a range.
pub(in crate::design) fn is_unbounded(bound: &Expr) -> bool {
    matches!(&bound.kind, ExprKind::Name(path) if path.len() == 1 && path[0] == UNBOUNDED)
}
