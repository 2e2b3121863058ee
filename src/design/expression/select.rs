//! Names and what is selected from them: bits, ranges, elements of arrays.

use super::{Elaborator, Named, Names, Wrong, error};
use crate::design::codes;
use crate::design::literal::Literal;
use crate::design::netlist::{Design, Word};
use crate::design::words::{self, Bits, Shift};
use crate::expr::{Expr, ExprKind};
use crate::source::Diagnostic;
use std::ops::RangeInclusive;

impl<N: Names> Elaborator<'_, N> {
    /// What a name or a select of one stands for.
    pub(super) fn reference(&mut self, expr: &Expr) -> Result<Named, Diagnostic> {
        if let Some(known) = self.references.get(&std::ptr::from_ref(expr)) {
            return Ok(known.clone());
        }
        let named = match self.names.named(self.design, expr)? {
            Some(named) => named,
            None => self.select(expr)?,
        };
        self.references
            .insert(std::ptr::from_ref(expr), named.clone());
        Ok(named)
    }

    /// What an expression stands for if it is a name or a select of one.
    pub fn named(&mut self, expr: &Expr) -> Result<Option<Named>, Diagnostic> {
        match expr.kind {
            ExprKind::Name(_) | ExprKind::Member(..) | ExprKind::Index(..) => {
                self.reference(expr).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// The same where only a word makes sense.
    pub(super) fn word(&mut self, expr: &Expr) -> Result<Word, Diagnostic> {
        match self.reference(expr)? {
            Named::Word(word, _) => Ok(word),
            Named::Array { .. } => {
                let message = "an array as a whole has no value";
                Err(error(expr, codes::ATOM_UNSUPPORTED, message)
                    .help("select one element, as in `memory[address]`"))
            }
        }
    }

    fn select(&mut self, expr: &Expr) -> Result<Named, Diagnostic> {
        match &expr.kind {
            ExprKind::Index(base, index) => match self.reference(base)? {
                Named::Array {
                    left,
                    right,
                    elements,
                } => self.element(expr, (left, right), &elements, index),
                Named::Word(word, inner) if inner.is_empty() => {
                    Ok(plain(self.part(expr, &word, index, 1, false)?))
                }
                Named::Word(word, inner) => self.packed_element(expr, &word, &inner, index),
            },
            ExprKind::Range(base, left, right) => {
                let (word, step) = self.sliceable(base)?;
                let left = self.constant(left, "the left bound")?;
                let right = self.constant(right, "the right bound")?;
                let bits = self.constant_range(expr, &word, left, right, step)?;
                Ok(plain(bits))
            }
            ExprKind::IndexedRange {
                base,
                start,
                width,
                down,
            } => {
                let (word, step) = self.sliceable(base)?;
                if step > 1 {
                    let message = "`+:` and `-:` are not supported on words of several dimensions";
                    return Err(error(expr, codes::ATOM_UNSUPPORTED, message));
                }
                let width = self.width_constant(width, "the width of a range")?;
                Ok(plain(self.part(expr, &word, start, width, *down)?))
            }
            _ => {
                let message = "only a name can be indexed";
                Err(error(expr, codes::ATOM_UNSUPPORTED, message))
            }
        }
    }

    /// A word and how many bits each of its indices stands for.
    fn sliceable(&mut self, base: &Expr) -> Result<(Word, usize), Diagnostic> {
        match self.reference(base)? {
            Named::Word(word, inner) => Ok((word, packed_width(&inner))),
            Named::Array { .. } => {
                let message = "a range of an array is not supported";
                Err(error(base, codes::ATOM_UNSUPPORTED, message)
                    .help("select its elements one by one"))
            }
        }
    }

    fn constant_range(
        &mut self,
        expr: &Expr,
        word: &Word,
        left: i64,
        right: i64,
        step: usize,
    ) -> Result<Bits, Diagnostic> {
        match range_of(word, left, right, step, expr) {
            Ok((offset, width)) => Ok(word.bits[offset..offset + width].to_vec()),
            Err(problem) => {
                let wrong = match problem.code == codes::RANGE_DIRECTION {
                    true => Wrong::Refused(problem.clone()),
                    false => Wrong::Outside(problem.clone()),
                };
                self.wrong.insert(std::ptr::from_ref(expr), wrong);
                let width = left.abs_diff(right) as usize + 1;
                let position = |index: i64| {
                    if word.left < word.right {
                        word.right - index
                    } else {
                        index - word.right
                    }
                };
                let lowest = position(left).min(position(right));
                if step > 1 || !self.names.has_unknown() || width > super::WIDEST {
                    return Err(problem);
                }
                // Bits beyond the end are unknown, each by itself.
                let mut bits = Bits::new();
                for position in lowest..lowest + width as i64 {
                    let known = usize::try_from(position).ok();
                    match known.and_then(|position| word.bits.get(position)) {
                        Some(bit) => bits.push(*bit),
                        None => {
                            let beyond = self.names.beyond(self.design, &word.name);
                            bits.push(beyond.ok_or(problem.clone())?);
                        }
                    }
                }
                Ok(bits)
            }
        }
    }

    /// An element of an array at a constant or computed index.
    fn element(
        &mut self,
        expr: &Expr,
        range: (i64, i64),
        elements: &[Named],
        index: &Expr,
    ) -> Result<Named, Diagnostic> {
        let size = self.measure(index)?;
        let bits = self.build(index, size)?;
        if let Some(value) = words::constant_value(&bits, size.signed) {
            return match position_of(range, value) {
                Some(position) => Ok(elements[position].clone()),
                None => self.beyond(expr, range, value, elements),
            };
        }
        let index = words::resize(&bits, bits.len().max(64) + 1, size.signed);
        let found = self.element_among(range, elements, &index);
        if covers(range, &bits, size.signed) {
            return Ok(found);
        }
        let unknown = self.unknown_like(&elements[0]);
        let is_inside = is_within(self.design, &index, range);
        Ok(self.choose(is_inside, &found, &unknown))
    }

    /// The element at a signed index that is inside of the range, and any one at others: a tree
    /// of choices by the bits of the index, which is not as deep as one choice after the other.
    fn element_among(&mut self, range: (i64, i64), elements: &[Named], index: &[Literal]) -> Named {
        let (low, high) = (range.0.min(range.1), range.0.max(range.1));
        // Without negative values, the lowest bits of the index tell its values apart.
        let (first, index) = if low < 0 {
            let lowest = words::resize(&words::constant(low as u64, 64), index.len(), true);
            (low, words::subtract(self.design, index, &lowest))
        } else {
            (0, index.to_vec())
        };
        let depth = (64 - high.abs_diff(first).leading_zeros()) as usize;
        let element = |value: u64| {
            let position = position_of(range, first.saturating_add_unsigned(value))?;
            elements.get(position)
        };
        let inside = low.abs_diff(first)..=high.abs_diff(first);
        let found = self.choices(&element, &inside, &index[..depth], 0);
        found.unwrap_or_else(|| elements[0].clone())
    }

    /// Chooses by the bits of an index, whose higher bits have the value `base`. `None` if no
    /// value with them is inside.
    fn choices<'e>(
        &mut self,
        element: &impl Fn(u64) -> Option<&'e Named>,
        inside: &RangeInclusive<u64>,
        bits: &[Literal],
        base: u64,
    ) -> Option<Named> {
        let last = base + ((1 << bits.len()) - 1);
        if last < *inside.start() || base > *inside.end() {
            return None;
        }
        let Some((highest, bits)) = bits.split_last() else {
            return element(base).cloned();
        };
        let otherwise = self.choices(element, inside, bits, base);
        let then = self.choices(element, inside, bits, base + (1 << bits.len()));
        match (then, otherwise) {
            (Some(then), Some(otherwise)) => Some(self.choose(*highest, &then, &otherwise)),
            (then, otherwise) => then.or(otherwise),
        }
    }

    fn beyond(
        &mut self,
        expr: &Expr,
        (left, right): (i64, i64),
        value: i64,
        elements: &[Named],
    ) -> Result<Named, Diagnostic> {
        let message = format!("[{value}] is outside of the array, which is [{left}:{right}]");
        let problem = error(expr, codes::INDEX_OUT_OF_RANGE, message);
        if self.names.has_unknown() {
            self.wrong
                .insert(std::ptr::from_ref(expr), Wrong::Outside(problem));
            return Ok(self.unknown_like(&elements[0]));
        }
        Err(problem)
    }

    /// Says what is wrong with a select that is read, and with what it selects from.
    pub(super) fn tell_wrong(&mut self, expr: &Expr) -> Result<(), Diagnostic> {
        if self.wrong.is_empty() || self.is_unread {
            return Ok(());
        }
        let mut current = expr;
        loop {
            let (base, index) = match &current.kind {
                ExprKind::Index(base, index) => (base, index),
                ExprKind::Range(base, left, _) => (base, left),
                ExprKind::IndexedRange { base, start, .. } => (base, start),
                _ => return Ok(()),
            };
            match self.wrong.get(&std::ptr::from_ref(current)) {
                Some(Wrong::Refused(problem)) => return Err(problem.clone()),
                Some(Wrong::Outside(problem)) => self.names.outside(index, problem),
                None => {}
            }
            current = base;
        }
    }

    fn choose(&mut self, condition: Literal, then: &Named, otherwise: &Named) -> Named {
        match (then, otherwise) {
            (Named::Word(then, inner), Named::Word(otherwise, _)) => {
                let bits = words::mux(self.design, condition, &then.bits, &otherwise.bits);
                Named::Word(
                    Word {
                        bits,
                        ..then.clone()
                    },
                    inner.clone(),
                )
            }
            (
                Named::Array {
                    left,
                    right,
                    elements,
                },
                Named::Array {
                    elements: others, ..
                },
            ) => Named::Array {
                left: *left,
                right: *right,
                elements: elements
                    .iter()
                    .zip(others)
                    .map(|(then, otherwise)| self.choose(condition, then, otherwise))
                    .collect(),
            },
            _ => otherwise.clone(),
        }
    }

    fn unknown_like(&mut self, model: &Named) -> Named {
        match model {
            Named::Word(word, inner) => {
                let bits = word.bits.iter();
                let bits = bits.map(|_| self.beyond_bit(&word.name)).collect();
                Named::Word(
                    Word {
                        bits,
                        ..word.clone()
                    },
                    inner.clone(),
                )
            }
            Named::Array {
                left,
                right,
                elements,
            } => Named::Array {
                left: *left,
                right: *right,
                elements: elements.iter().map(|one| self.unknown_like(one)).collect(),
            },
        }
    }

    fn beyond_bit(&mut self, name: &str) -> Literal {
        let beyond = self.names.beyond(self.design, name);
        beyond.unwrap_or(Literal::FALSE)
    }

    /// `a[i]` where `a` is `[3:0][7:0]`.
    fn packed_element(
        &mut self,
        expr: &Expr,
        word: &Word,
        inner: &[(i64, i64)],
        index: &Expr,
    ) -> Result<Named, Diagnostic> {
        let step = packed_width(inner);
        let elements: Vec<Named> = word
            .bits
            .chunks(step)
            .map(|bits| {
                let (left, right) = inner[0];
                let word = Word {
                    name: word.name.clone(),
                    signed: false,
                    left,
                    right,
                    bits: bits.to_vec(),
                };
                Named::Word(word, inner[1..].to_vec())
            })
            .collect();
        self.element(expr, (word.left, word.right), &elements, index)
    }

    /// `width` bits of a word from an index upwards, or downwards.
    fn part(
        &mut self,
        expr: &Expr,
        word: &Word,
        start: &Expr,
        width: usize,
        down: bool,
    ) -> Result<Bits, Diagnostic> {
        let size = self.measure(start)?;
        let start_bits = self.build(start, size)?;
        let ascending = word.left < word.right;
        let reach = width as i64 - 1;
        if let Some(start) = words::constant_value(&start_bits, size.signed) {
            let (low, high) = if down {
                (start.saturating_sub(reach), start)
            } else {
                (start, start.saturating_add(reach))
            };
            let (left, right) = if ascending { (low, high) } else { (high, low) };
            return self.constant_range(expr, word, left, right, 1);
        }
        if width == 1 && !covers((word.left, word.right), &start_bits, size.signed) {
            // Beyond the end the bit is unknown, if there is such a thing.
            let fill = self.beyond_bit(&word.name);
            let mut result = fill;
            for (position, bit) in word.bits.iter().enumerate() {
                let value = index_at((word.left, word.right), position);
                let hit = index_equals(self.design, &start_bits, size.signed, value);
                result = self.design.mux(hit, *bit, result);
            }
            return Ok(vec![result]);
        }
        // The offset of the lowest bit is linear in the start. Bits below the word keep it
        // from being negative as long as the range overlaps the word.
        let below = reach;
        let constant = if ascending {
            word.right - if down { 0 } else { reach }
        } else {
            -word.right - if down { reach } else { 0 }
        } + below;
        let bits_needed = |value: i64| 64 - value.unsigned_abs().leading_zeros() as usize;
        let beyond = word.bits.len() as i64 + below;
        let magnitude = bits_needed(constant).max(bits_needed(beyond));
        let offset_width = start_bits.len().max(magnitude) + 2;
        let mut offset = words::resize(&start_bits, offset_width, size.signed);
        if ascending {
            offset = words::negate(self.design, &offset);
        }
        let constant = words::resize(&words::constant(constant as u64, 64), offset_width, true);
        let offset = words::add(self.design, &offset, &constant);
        let (low, high) = (word.left.min(word.right), word.left.max(word.right));
        let starts = if down {
            (low + reach, high)
        } else {
            (low, high - reach)
        };
        let inside = starts.0 <= starts.1 && covers(starts, &start_bits, size.signed);
        let fill = |this: &mut Self, count: usize| -> Bits {
            if inside {
                words::constant(0, count)
            } else {
                (0..count).map(|_| this.beyond_bit(&word.name)).collect()
            }
        };
        let mut padded = fill(self, below as usize);
        padded.extend(&word.bits);
        padded.extend(fill(self, below as usize));
        let shifted = words::shift(self.design, &padded, &offset, Shift::Right);
        let shifted = words::resize(&shifted, width, false);
        if inside {
            return Ok(shifted);
        }
        let limit = words::constant(beyond as u64, offset_width);
        let overlaps = words::less_unsigned(self.design, &offset, &limit);
        let outside = fill(self, width);
        Ok(words::mux(self.design, overlaps, &shifted, &outside))
    }
}

fn plain(bits: Bits) -> Named {
    let word = Word {
        name: String::new(),
        signed: false,
        left: bits.len() as i64 - 1,
        right: 0,
        bits,
    };
    Named::Word(word, Vec::new())
}

/// How many bits an element of these ranges has.
pub(in crate::design) fn packed_width(ranges: &[(i64, i64)]) -> usize {
    let widths = ranges
        .iter()
        .map(|(left, right)| left.abs_diff(*right) as usize + 1);
    widths.product()
}

/// Where an index stands in a range, counted from its right end.
pub(in crate::design) fn position_of((left, right): (i64, i64), index: i64) -> Option<usize> {
    let position = if left < right {
        right.checked_sub(index)?
    } else {
        index.checked_sub(right)?
    };
    let count = left.abs_diff(right) + 1;
    let position = u64::try_from(position).ok()?;
    (position < count).then_some(position as usize)
}

/// The index at a position.
pub(in crate::design) fn index_at((left, right): (i64, i64), position: usize) -> i64 {
    if left < right {
        right - position as i64
    } else {
        right + position as i64
    }
}

/// Whether an index has a value.
pub(in crate::design) fn index_equals(
    design: &mut Design,
    bits: &[Literal],
    signed: bool,
    value: i64,
) -> Literal {
    let width = bits.len().max(64) + 1;
    let index = words::resize(bits, width, signed);
    let wanted = words::resize(&words::constant(value as u64, 64), width, true);
    words::equal(design, &index, &wanted)
}

/// Whether a signed index is inside of a range.
fn is_within(design: &mut Design, index: &[Literal], (left, right): (i64, i64)) -> Literal {
    let bound = |value: i64| {
        let bits = words::constant(value as u64, 64);
        words::resize(&bits, index.len(), true)
    };
    let is_below = words::less_signed(design, index, &bound(left.min(right)));
    let is_above = words::less_signed(design, &bound(left.max(right)), index);
    design.and(!is_below, !is_above)
}

/// Whether every value of an index is inside of a range.
fn covers((left, right): (i64, i64), index: &[Literal], signed: bool) -> bool {
    if index.len() > 32 {
        return false;
    }
    let (low, high) = if signed {
        (
            -(1i64 << (index.len() - 1)),
            (1i64 << (index.len() - 1)) - 1,
        )
    } else {
        (0, (1i64 << index.len()) - 1)
    };
    left.min(right) <= low && high <= left.max(right)
}

/// Where `[left:right]` begins in a word's bits, and how many it has, if an index stands for
/// `step` bits.
pub(in crate::design) fn range_of(
    word: &Word,
    left: i64,
    right: i64,
    step: usize,
    expr: &Expr,
) -> Result<(usize, usize), Diagnostic> {
    let ascending = word.left < word.right;
    let (offset, last) = if ascending {
        (word.right.checked_sub(right), word.right.checked_sub(left))
    } else {
        (right.checked_sub(word.right), left.checked_sub(word.right))
    };
    match (offset.map(usize::try_from), last.map(usize::try_from)) {
        (Some(Ok(offset)), Some(Ok(last)))
            if offset <= last && last.saturating_mul(step) < word.bits.len() =>
        {
            Ok((offset * step, (last - offset + 1) * step))
        }
        _ if left != right && (left < right) != ascending => {
            let (low, high) = (left.min(right), left.max(right));
            let (first, last) = if ascending { (low, high) } else { (high, low) };
            let message = format!(
                "[{left}:{right}] runs in the wrong direction: `{}` is [{}:{}]",
                word.name, word.left, word.right
            );
            let problem = error(expr, codes::RANGE_DIRECTION, message);
            let range = (word.left, word.right);
            let exist = [low, high].map(|index| position_of(range, index).is_some());
            Err(match exist {
                [true, true] => {
                    problem.help(format!("write `[{first}:{last}]` if these bits are meant"))
                }
                _ => problem.help("a parameter at the end of its range makes such bounds"),
            })
        }
        _ => {
            let wanted = if left == right {
                format!("[{left}]")
            } else {
                format!("[{left}:{right}]")
            };
            let message = format!(
                "{wanted} is outside of `{}`, which is [{}:{}]",
                word.name, word.left, word.right
            );
            Err(error(expr, codes::INDEX_OUT_OF_RANGE, message))
        }
    }
}
