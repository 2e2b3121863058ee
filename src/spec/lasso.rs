//! The meaning of formulas on infinite words that end in a cycle: the oracle of the tests,
//! and what `certify` replays traces with. Written straight from the definitions; nothing
//! here is shared with rewriting or automata.
//!
//! The past makes a formula see how often the cycle was taken. A formula whose past
//! operators are nested `d` deep repeats from the `d`-th pass on [lms02, Sec. 4], so the
//! cycle is unrolled `d` times before its last copy, which leads back to its own start.

use super::formula::{Atom, AtomId, Formula, FormulaId, Formulas};
use crate::expr::{TemporalBinary, TemporalUnary};
use std::collections::HashMap;

/// The atoms that are true in one step, by index; missing ones are false.
pub type Step = Vec<bool>;

/// An infinite word: the prefix, then the cycle again and again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    prefix: Vec<Step>,
    cycle: Vec<Step>,
}

impl Lasso {
    /// `None` for an empty cycle, which would be a finite word.
    pub fn new(prefix: Vec<Step>, cycle: Vec<Step>) -> Option<Lasso> {
        if cycle.is_empty() {
            return None;
        }
        Some(Lasso { prefix, cycle })
    }

    pub fn prefix(&self) -> &[Step] {
        &self.prefix
    }

    pub fn cycle(&self) -> &[Step] {
        &self.cycle
    }

    /// The step at a position of the infinite word.
    pub fn step(&self, position: usize) -> &Step {
        match self.prefix.get(position) {
            Some(step) => step,
            None => &self.cycle[(position - self.prefix.len()) % self.cycle.len()],
        }
    }

    /// The position that follows, among those of the prefix and one cycle.
    pub fn successor(&self, position: usize) -> usize {
        if position + 1 < self.prefix.len() + self.cycle.len() {
            position + 1
        } else {
            self.prefix.len()
        }
    }

    pub fn holds(&self, atom: AtomId, position: usize) -> bool {
        self.step(position)
            .get(atom.index())
            .copied()
            .unwrap_or(false)
    }

    /// Whether the formula holds in the first step.
    pub fn satisfies(&self, formulas: &Formulas, formula: FormulaId) -> bool {
        self.evaluate(formulas, formula).at(0)
    }

    /// The truth of the formula in every step.
    pub fn evaluate(&self, formulas: &Formulas, formula: FormulaId) -> Truth {
        let subformulas = formulas.subformulas(formula);
        let passes = past_depth(formulas, &subformulas);
        let start = self.prefix.len() + passes * self.cycle.len();
        let length = start + self.cycle.len();
        let mut values: HashMap<FormulaId, Vec<bool>> = HashMap::new();
        for id in subformulas {
            let value = match formulas.get(id) {
                Formula::True => vec![true; length],
                Formula::False => vec![false; length],
                Formula::Atom(atom) => (0..length).map(|at| self.holds(*atom, at)).collect(),
                Formula::Not(operand) => values[operand].iter().map(|value| !value).collect(),
                Formula::And(operands) => (0..length)
                    .map(|at| operands.iter().all(|operand| values[operand][at]))
                    .collect(),
                Formula::Or(operands) => (0..length)
                    .map(|at| operands.iter().any(|operand| values[operand][at]))
                    .collect(),
                Formula::Unary(operator, operand) => unary(*operator, &values[operand], start),
                Formula::Binary(operator, left, right) => {
                    binary(*operator, &values[left], &values[right], start)
                }
            };
            values.insert(id, value);
        }
        Truth {
            values: values.remove(&formula).unwrap_or_default(),
            start,
        }
    }
}

/// A truth value per step of an infinite word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Truth {
    values: Vec<bool>,
    /// Where the cycle starts among the values.
    start: usize,
}

impl Truth {
    pub fn at(&self, position: usize) -> bool {
        if position < self.values.len() {
            return self.values[position];
        }
        let cycle = self.values.len() - self.start;
        self.values[self.start + (position - self.start) % cycle]
    }
}

/// How deep past operators are nested.
fn past_depth(formulas: &Formulas, subformulas: &[FormulaId]) -> usize {
    let mut depths: HashMap<FormulaId, usize> = HashMap::new();
    let mut deepest = 0;
    for id in subformulas {
        let formula = formulas.get(*id);
        let mut depth = 0;
        formula.for_each_operand(|operand| depth = depth.max(depths[&operand]));
        depth += usize::from(formula.is_past());
        deepest = deepest.max(depth);
        depths.insert(*id, depth);
    }
    deepest
}

fn unary(operator: TemporalUnary, operand: &[bool], start: usize) -> Vec<bool> {
    let truth = vec![true; operand.len()];
    let falsity = vec![false; operand.len()];
    match operator {
        TemporalUnary::Next => (0..operand.len())
            .map(|at| {
                operand[if at + 1 < operand.len() {
                    at + 1
                } else {
                    start
                }]
            })
            .collect(),
        TemporalUnary::Finally => binary(TemporalBinary::Until, &truth, operand, start),
        TemporalUnary::Globally => binary(TemporalBinary::Release, &falsity, operand, start),
        TemporalUnary::Yesterday => (0..operand.len())
            .map(|at| at > 0 && operand[at - 1])
            .collect(),
        TemporalUnary::WeakYesterday => (0..operand.len())
            .map(|at| at == 0 || operand[at - 1])
            .collect(),
        TemporalUnary::Once => binary(TemporalBinary::Since, &truth, operand, start),
        TemporalUnary::Historically => binary(TemporalBinary::Trigger, &falsity, operand, start),
    }
}

fn binary(operator: TemporalBinary, left: &[bool], right: &[bool], start: usize) -> Vec<bool> {
    let length = left.len();
    // In a future operator's own words: what it says here, given what it says one step later.
    let backward = |outside: bool, local: &dyn Fn(usize, bool) -> bool| {
        let mut values = vec![outside; length];
        let mut later = outside;
        // The second pass starts with what the first one found for the start of the cycle.
        for _ in 0..2 {
            for at in (0..length).rev() {
                values[at] = local(at, later);
                later = values[at];
            }
            later = values[start];
        }
        values
    };
    let forward = |outside: bool, local: &dyn Fn(usize, bool) -> bool| {
        let mut earlier = outside;
        (0..length)
            .map(|at| {
                earlier = local(at, earlier);
                earlier
            })
            .collect()
    };
    match operator {
        TemporalBinary::Until => backward(false, &|at, later| right[at] || left[at] && later),
        TemporalBinary::WeakUntil => backward(true, &|at, later| right[at] || left[at] && later),
        TemporalBinary::Release => backward(true, &|at, later| right[at] && (left[at] || later)),
        TemporalBinary::StrongRelease => {
            backward(false, &|at, later| right[at] && (left[at] || later))
        }
        TemporalBinary::Since => forward(false, &|at, earlier| right[at] || left[at] && earlier),
        TemporalBinary::Trigger => forward(true, &|at, earlier| right[at] && (left[at] || earlier)),
    }
}

impl Lasso {
    /// One line per step with the atoms that are true, for people.
    pub fn text(&self, formulas: &Formulas) -> String {
        let mut text = String::new();
        for position in 0..self.prefix.len() + self.cycle.len() {
            if position == self.prefix.len() {
                text.push_str("again and again:\n");
            }
            let names: Vec<String> = formulas
                .atom_ids()
                .filter(|atom| self.holds(*atom, position))
                .map(|atom| match formulas.atom(atom) {
                    Atom::Condition(expr) => expr.to_string(),
                    Atom::Past(past) => formulas.text(*past),
                })
                .collect();
            text.push_str(&format!("  {position}: {}\n", names.join(", ")));
        }
        text
    }
}
