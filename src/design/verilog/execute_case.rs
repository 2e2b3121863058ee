//! Runs case statements: which labels match, and whether they list all values.

use super::execute::{is_constant_text, refuse_unknown_condition};
use super::frame::Frame;
use super::syntax::*;
use crate::design::component::ComponentKind;
use crate::design::expression::{Elaborator, Names, Size, is_unbounded};
use crate::design::literal::Literal;
use crate::design::netlist::Design;
use crate::design::words;
use crate::expr::{Digit, Expr, ExprKind, Number, VALUE_RANGE};
use crate::source::Diagnostic;

/// Selectors up to this width are checked for labels that list all values; wider ones are
/// taken not to list them.
const WIDEST_FULL_CASE: usize = 10;

impl<'s> Frame<'_, 's> {
    pub(super) fn case(
        &mut self,
        design: &mut Design,
        kind: CaseKind,
        selector: &'s Expr,
        items: &'s [CaseItem],
    ) -> Result<(), Diagnostic> {
        refuse_unknown_condition(selector)?;
        let mut elaborator = Elaborator::new(design, self);
        let own = elaborator.measure(selector)?;
        let mut size = own;
        for label in items.iter().flat_map(|item| &item.labels) {
            for value in values_of(label).iter().filter(|one| !is_unbounded(one)) {
                size = size.join(elaborator.measure(value)?);
            }
        }
        // The labels are part of the context: `case (a + b)` with wider labels has a carry.
        let mut bits = elaborator.build(selector, size)?;
        let mut width = size.width;
        if words::resize(&bits[..own.width], width, size.signed) == bits {
            width = own.width;
            bits.truncate(width);
        }
        let is_constant = bits.iter().all(|bit| bit.as_constant().is_some());
        let bits = if self.constants_only || is_constant {
            bits
        } else {
            self.record(design, ComponentKind::Condition, selector, bits)
        };
        let bits = words::resize(&bits, size.width, size.signed);
        let mut branches: Vec<(Literal, &'s Statement)> = Vec::new();
        let mut default = None;
        let mut covered = Coverage::new(width);
        for item in items {
            if item.labels.is_empty() {
                default = Some(&item.body);
                continue;
            }
            let mut hit = Literal::FALSE;
            for label in &item.labels {
                let matches = self.matches(design, kind, &bits, size, label)?;
                covered.add(design, self, kind, label, size)?;
                let matches = if self.constants_only || is_constant_text(label) && is_constant {
                    matches
                } else {
                    let bits = self.record(design, ComponentKind::Label, label, vec![matches]);
                    bits[0]
                };
                hit = design.or(hit, matches);
            }
            branches.push((hit, &item.body));
        }
        if default.is_none() && covered.is_full() && !branches.is_empty() {
            // All values are listed, so the last item is reached whenever no other is: without a
            // default, no register keeps its value.
            default = branches.pop().map(|(_, body)| body);
        }
        self.chain(design, &branches, default)
    }

    fn chain(
        &mut self,
        design: &mut Design,
        branches: &[(Literal, &'s Statement)],
        default: Option<&'s Statement>,
    ) -> Result<(), Diagnostic> {
        let before = self.values.clone();
        let mut outcomes = Vec::new();
        let mut decided = false;
        let outside = self.path.len();
        for (condition, body) in branches {
            if condition.as_constant() == Some(false) {
                continue;
            }
            self.values = before.clone();
            self.path.push(*condition);
            self.execute(design, body)?;
            self.path.pop();
            self.path.push(!*condition);
            outcomes.push((*condition, std::mem::take(&mut self.values)));
            if condition.as_constant() == Some(true) {
                decided = true;
                break;
            }
        }
        self.values = before;
        if let (false, Some(default)) = (decided, default) {
            self.execute(design, default)?;
        }
        self.path.truncate(outside);
        for (condition, values) in outcomes.into_iter().rev() {
            let rest = std::mem::take(&mut self.values);
            self.values = match condition.as_constant() {
                Some(true) => values,
                _ => self.join(design, condition, values, rest),
            };
        }
        Ok(())
    }

    /// Whether the selector has the value of a label.
    fn matches(
        &mut self,
        design: &mut Design,
        kind: CaseKind,
        selector: &[Literal],
        size: Size,
        label: &Expr,
    ) -> Result<Literal, Diagnostic> {
        if let ExprKind::Call(name, bounds) = &label.kind
            && let (VALUE_RANGE, [left, right]) = (name.as_str(), bounds.as_slice())
        {
            let less = match size.signed {
                true => words::less_signed,
                false => words::less_unsigned,
            };
            let mut inside = Literal::TRUE;
            if !is_unbounded(left) {
                let left = Elaborator::new(design, self).build(left, size)?;
                inside = !less(design, selector, &left);
            }
            if !is_unbounded(right) {
                let right = Elaborator::new(design, self).build(right, size)?;
                let below = !less(design, &right, selector);
                inside = design.and(inside, below);
            }
            return Ok(inside);
        }
        if let ExprKind::Number(number) = &label.kind {
            let digits = label_digits(number, size);
            let mut pairs = Vec::new();
            for (digit, bit) in digits.iter().zip(selector) {
                match (digit, is_wildcard(kind, *digit)) {
                    (_, true) => {}
                    (Digit::One, _) => pairs.push(*bit),
                    (Digit::Zero, _) => pairs.push(!*bit),
                    // A known bit is never equal to an unknown one.
                    _ => return Ok(Literal::FALSE),
                }
            }
            return Ok(design.and_all(pairs));
        }
        let bits = Elaborator::new(design, self).build(label, size)?;
        let mut pairs = Vec::new();
        for (bit, own) in bits.iter().zip(selector) {
            match self.unknown_digit(*bit) {
                Some(digit) if is_wildcard(kind, digit) || bit == own => {}
                // A known bit is never equal to an unknown one.
                Some(_) => return Ok(Literal::FALSE),
                None => pairs.push(!design.xor(*bit, *own)),
            }
        }
        Ok(design.and_all(pairs))
    }

    /// The digit of a parameter that a bit stands for, if it is neither 0 nor 1.
    fn unknown_digit(&self, bit: Literal) -> Option<Digit> {
        if bit.as_constant().is_some() || !self.is_unknown(bit) {
            return None;
        }
        Some(match self.tables.high_impedance.contains(&bit.node()) {
            true => Digit::Z,
            false => Digit::X,
        })
    }
}

/// The digits of a label in the width and sign of the comparison.
fn label_digits(number: &Number, size: Size) -> Vec<Digit> {
    let own = number.width.map_or(usize::MAX, |width| width as usize);
    (0..size.width)
        .map(|index| match (index < own, size.signed) {
            (true, _) => number.digit(index),
            (false, true) => number.digit(own - 1),
            (false, false) => Digit::Zero,
        })
        .collect()
}

/// The expressions of a label: one, or the two ends of a range.
fn values_of(label: &Expr) -> &[Expr] {
    match &label.kind {
        ExprKind::Call(name, bounds) if name == VALUE_RANGE => bounds,
        _ => std::slice::from_ref(label),
    }
}

fn is_wildcard(kind: CaseKind, digit: Digit) -> bool {
    match kind {
        CaseKind::Exact => false,
        CaseKind::HighImpedance => digit == Digit::Z,
        CaseKind::Unknown | CaseKind::Inside => matches!(digit, Digit::X | Digit::Z),
    }
}

/// Which values of a selector have a label.
struct Coverage {
    width: usize,
    hit: Vec<bool>,
}

impl Coverage {
    fn new(width: usize) -> Coverage {
        let count = if width <= WIDEST_FULL_CASE {
            1 << width
        } else {
            0
        };
        Coverage {
            width,
            hit: vec![false; count],
        }
    }

    fn is_full(&self) -> bool {
        !self.hit.is_empty() && self.hit.iter().all(|hit| *hit)
    }

    fn add(
        &mut self,
        design: &mut Design,
        frame: &mut Frame<'_, '_>,
        kind: CaseKind,
        label: &Expr,
        size: Size,
    ) -> Result<(), Diagnostic> {
        // A range is not counted: cases that need one to be full have a default.
        if self.hit.is_empty() || values_of(label).len() > 1 {
            return Ok(());
        }
        let digits: Vec<Digit> = match &label.kind {
            ExprKind::Number(number) => label_digits(number, size),
            _ => {
                let bits = Elaborator::new(design, frame).build(label, size)?;
                let known = bits.iter().map(|bit| {
                    let known = bit.as_constant().map(Digit::of);
                    known.or_else(|| frame.unknown_digit(*bit))
                });
                match known.collect::<Option<Vec<Digit>>>() {
                    Some(digits) => digits,
                    None => return Ok(()),
                }
            }
        };
        for value in 0..self.hit.len() {
            let width = self.width;
            self.hit[value] |= digits.iter().enumerate().all(|(index, digit)| {
                let top = size.signed && index >= width && value >> (width - 1) & 1 == 1;
                let bit = if index < width {
                    value >> index & 1 == 1
                } else {
                    top
                };
                is_wildcard(kind, *digit) || *digit == Digit::of(bit)
            });
        }
        Ok(())
    }
}
