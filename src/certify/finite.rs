//! The meaning of formulas on finite beginnings of runs.
//!
//! A formula is still possible after some steps if it holds when everything it says of later
//! steps is taken to come true, and already certain if it holds when nothing of that does
//! [EFH03]. A safe formula is violated by the steps so far exactly if it is no longer
//! possible. Written straight from the definitions; traces are judged with it, and nothing
//! here is shared with the tableau that found them.

use super::parts::{Signed, signed_subformulas};
use crate::expr::{TemporalBinary, TemporalUnary};
use crate::spec::{AtomId, Formula, FormulaId, Formulas};
use std::collections::HashMap;

/// Whether a formula may still hold in the first step, given the atoms of some steps.
pub(super) fn is_possible(
    formulas: &Formulas,
    root: FormulaId,
    length: usize,
    holds: impl Fn(AtomId, usize) -> bool,
) -> bool {
    // With a positive sign a formula is read as possible, with a negative one as certain:
    // a negation is possible if what it negates is not certain.
    let mut values: HashMap<Signed, Vec<bool>> = HashMap::new();
    for (id, later) in signed_subformulas(formulas, (root, true)) {
        let of = |operand: FormulaId| &values[&(operand, later)];
        let value: Vec<bool> = match formulas.get(id) {
            Formula::True => vec![true; length],
            Formula::False => vec![false; length],
            Formula::Atom(atom) => (0..length).map(|at| holds(*atom, at)).collect(),
            Formula::Not(operand) => values[&(*operand, !later)]
                .iter()
                .map(|value| !value)
                .collect(),
            Formula::And(operands) => (0..length)
                .map(|at| operands.iter().all(|id| of(*id)[at]))
                .collect(),
            Formula::Or(operands) => (0..length)
                .map(|at| operands.iter().any(|id| of(*id)[at]))
                .collect(),
            Formula::Unary(operator, operand) => unary(*operator, of(*operand), later),
            Formula::Binary(operator, left, right) => {
                binary(*operator, of(*left), of(*right), later)
            }
        };
        values.insert((id, later), value);
    }
    values[&(root, true)].first().copied().unwrap_or(true)
}

fn unary(operator: TemporalUnary, operand: &[bool], later: bool) -> Vec<bool> {
    let shifted_back = |start: bool| {
        let earlier = std::iter::once(start).chain(operand.iter().copied());
        earlier.take(operand.len()).collect()
    };
    let constant = |value: bool| vec![value; operand.len()];
    match operator {
        TemporalUnary::Next => {
            let after = operand.iter().copied().skip(1);
            after
                .chain(std::iter::once(later))
                .take(operand.len())
                .collect()
        }
        TemporalUnary::Yesterday => shifted_back(false),
        TemporalUnary::WeakYesterday => shifted_back(true),
        TemporalUnary::Finally => binary(TemporalBinary::Until, &constant(true), operand, later),
        TemporalUnary::Globally => {
            binary(TemporalBinary::Release, &constant(false), operand, later)
        }
        TemporalUnary::Once => binary(TemporalBinary::Since, &constant(true), operand, later),
        TemporalUnary::Historically => {
            binary(TemporalBinary::Trigger, &constant(false), operand, later)
        }
    }
}

fn binary(operator: TemporalBinary, left: &[bool], right: &[bool], later: bool) -> Vec<bool> {
    let length = left.len();
    let looks_back = operator.is_past();
    // What it says in the neighbouring step, at first in the one outside.
    let mut neighbour = match operator {
        TemporalBinary::Since => false,
        TemporalBinary::Trigger => true,
        _ => later,
    };
    let mut values = Vec::with_capacity(length);
    for index in 0..length {
        let at = if looks_back {
            index
        } else {
            length - 1 - index
        };
        neighbour = match operator {
            TemporalBinary::Until | TemporalBinary::WeakUntil | TemporalBinary::Since => {
                right[at] || left[at] && neighbour
            }
            TemporalBinary::Release | TemporalBinary::StrongRelease | TemporalBinary::Trigger => {
                right[at] && (left[at] || neighbour)
            }
        };
        values.push(neighbour);
    }
    if !looks_back {
        values.reverse();
    }
    values
}
