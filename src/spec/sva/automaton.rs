//! Sequences as automata over conditions, and what it takes to match one as a formula.
//!
//! A sequence matches finite words (IEEE 1800-2017, F.4), so it is a nondeterministic finite
//! automaton whose edges are labelled with conditions: `##1` joins two of them, `##0` fuses
//! the last step of one with the first of the other, `intersect` is a product. Most
//! automata that people write have no loops other than from a state to itself, and such a
//! one is a formula: a state with the loop `l` and the way out `d` is `l U d`, or `l W d`
//! if the sequence need not end. That is what is made here, so everybody downstream reads
//! formulas only; a sequence with a longer loop is refused.
//!
//! Invariant: an edge whose condition is false is kept. Whether a weak sequence has failed
//! is a question of what was written, not of what can be satisfied (F.5.3).

use crate::expr::TemporalBinary;
use crate::spec::formula::{FALSE, FormulaId, Formulas, TRUE};
use std::collections::HashMap;

/// States of one sequence.
const MOST_STATES: usize = 4000;
/// Conditions that one step of a `first_match` can depend on.
const MOST_LABELS: usize = 8;

#[derive(Clone, Debug)]
pub struct Automaton {
    /// For each state the conditions that lead on, and where to.
    edges: Vec<Vec<(FormulaId, usize)>>,
    accepting: Vec<bool>,
    start: usize,
}

/// Why a sequence has no formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    TooBig,
    LongLoop,
}

type Made<T> = Result<T, Refusal>;

impl Automaton {
    fn bare(states: usize) -> Automaton {
        Automaton {
            edges: vec![Vec::new(); states],
            accepting: vec![false; states],
            start: 0,
        }
    }

    /// Nothing at all, in no step.
    pub fn empty() -> Automaton {
        let mut automaton = Automaton::bare(1);
        automaton.accepting[0] = true;
        automaton
    }

    /// One step in which a condition holds.
    pub fn condition(label: FormulaId) -> Automaton {
        let mut automaton = Automaton::bare(2);
        automaton.edges[0].push((label, 1));
        automaton.accepting[1] = true;
        automaton
    }

    /// Any number of steps, also none, in which a condition holds.
    pub fn star(label: FormulaId) -> Automaton {
        let mut automaton = Automaton::bare(1);
        automaton.edges[0].push((label, 0));
        automaton.accepting[0] = true;
        automaton
    }

    /// Whether no step at all is a match.
    pub fn matches_nothing(&self) -> bool {
        self.accepting[self.start]
    }

    /// Whether no word at all is a match, whatever the conditions are.
    pub fn never_matches(&self) -> bool {
        !self.useful()[self.start]
    }

    /// Whether no word of a step or more is a match, whatever the conditions are.
    pub fn is_degenerate(&self) -> bool {
        let useful = self.useful();
        let mut ways = self.edges[self.start].iter();
        !ways.any(|(_, to)| useful[*to])
    }

    /// Adds the states of another one; its states follow our own.
    fn absorb(&mut self, other: &Automaton) -> Made<usize> {
        let offset = self.edges.len();
        if offset + other.edges.len() > MOST_STATES {
            return Err(Refusal::TooBig);
        }
        for edges in &other.edges {
            let moved = edges.iter().map(|(label, to)| (*label, to + offset));
            self.edges.push(moved.collect());
        }
        self.accepting.extend(&other.accepting);
        Ok(offset)
    }

    /// First one, then the other, in the steps after it.
    pub fn then(mut self, next: &Automaton) -> Made<Automaton> {
        let ends: Vec<usize> = (0..self.edges.len())
            .filter(|state| self.accepting[*state])
            .collect();
        let offset = self.absorb(next)?;
        let first = self.edges[offset + next.start].clone();
        for end in ends {
            self.edges[end].extend(first.iter().copied());
            self.accepting[end] = next.matches_nothing();
        }
        Ok(self)
    }

    /// The first step of the other one is the last of this one.
    pub fn fused(mut self, formulas: &mut Formulas, next: &Automaton) -> Made<Automaton> {
        let own = self.edges.len();
        let ends = self.accepting.clone();
        self.accepting = vec![false; own];
        let offset = self.absorb(next)?;
        let first = self.edges[offset + next.start].clone();
        for state in 0..own {
            for (label, to) in self.edges[state].clone() {
                if !ends[to] {
                    continue;
                }
                for (other, target) in &first {
                    let both = formulas.and([label, *other]);
                    self.edges[state].push((both, *target));
                }
            }
        }
        Ok(self)
    }

    pub fn either(&self, other: &Automaton) -> Made<Automaton> {
        let mut joined = Automaton::bare(1);
        for one in [self, other] {
            let offset = joined.absorb(one)?;
            let first = joined.edges[offset + one.start].clone();
            joined.edges[0].extend(first);
            joined.accepting[0] |= one.matches_nothing();
        }
        Ok(joined)
    }

    /// Both, in the same steps.
    pub fn intersect(&self, formulas: &mut Formulas, other: &Automaton) -> Made<Automaton> {
        let mut product = Automaton::bare(0);
        let mut known: HashMap<(usize, usize), usize> = HashMap::new();
        let mut pending = vec![(self.start, other.start)];
        known.insert(pending[0], 0);
        product.edges.push(Vec::new());
        product.accepting.push(false);
        while let Some(pair) = pending.pop() {
            let state = known[&pair];
            product.accepting[state] = self.accepting[pair.0] && other.accepting[pair.1];
            for (left, to) in &self.edges[pair.0] {
                for (right, target) in &other.edges[pair.1] {
                    let key = (*to, *target);
                    let next = product.edges.len();
                    let next = *known.entry(key).or_insert(next);
                    if next == product.edges.len() {
                        if next >= MOST_STATES {
                            return Err(Refusal::TooBig);
                        }
                        product.edges.push(Vec::new());
                        product.accepting.push(false);
                        pending.push(key);
                    }
                    let label = formulas.and([*left, *right]);
                    product.edges[state].push((label, next));
                }
            }
        }
        Ok(product)
    }

    /// Both from the same step on; the match ends with the longer one.
    pub fn both(&self, formulas: &mut Formulas, other: &Automaton) -> Made<Automaton> {
        let rest = Automaton::star(TRUE);
        let first = self.clone().then(&rest)?.intersect(formulas, other)?;
        let second = self.intersect(formulas, &other.clone().then(&rest)?)?;
        first.either(&second)
    }

    /// From `low` to `high` times in a row.
    pub fn repeated(&self, low: u32, high: Option<u32>) -> Made<Automaton> {
        let mut result = Automaton::empty();
        for _ in 0..low {
            result = result.then(self)?;
        }
        match high {
            Some(high) => {
                // Each further one is optional: built from the last one backwards.
                let mut rest = Automaton::empty();
                for _ in low..high {
                    let longer = self.clone().then(&rest)?;
                    rest = Automaton::empty().either(&longer)?;
                }
                result.then(&rest)
            }
            None => result.then(&self.any_number()?),
        }
    }

    fn any_number(&self) -> Made<Automaton> {
        let mut result = Automaton::bare(1);
        let offset = result.absorb(self)?;
        let first = result.edges[offset + self.start].clone();
        result.edges[0] = first.clone();
        result.accepting[0] = true;
        for state in 0..self.edges.len() {
            if self.accepting[state] && state != self.start {
                result.edges[offset + state].extend(first.iter().copied());
            }
        }
        // One condition alone: the state after it is the only one that is left.
        Ok(result)
    }

    /// Only the matches that end first (IEEE 1800-2017, 16.9.8): a set of states stands for all
    /// ways that a word can have gone so far, and where one of them has matched, none goes on.
    pub fn first_match(&self, formulas: &mut Formulas) -> Made<Automaton> {
        let mut result = Automaton::bare(0);
        let mut known: HashMap<Vec<usize>, usize> = HashMap::new();
        let mut pending = vec![vec![self.start]];
        known.insert(pending[0].clone(), 0);
        result.edges.push(Vec::new());
        result.accepting.push(false);
        while let Some(set) = pending.pop() {
            let state = known[&set];
            if set.iter().any(|one| self.accepting[*one]) {
                result.accepting[state] = true;
                continue;
            }
            let edges: Vec<(FormulaId, usize)> = set
                .iter()
                .flat_map(|one| self.edges[*one].iter().copied())
                .collect();
            let mut labels: Vec<FormulaId> = edges.iter().map(|(label, _)| *label).collect();
            labels.sort_unstable();
            labels.dedup();
            labels.retain(|label| *label != TRUE);
            if labels.len() > MOST_LABELS {
                return Err(Refusal::TooBig);
            }
            for choice in 0..1usize << labels.len() {
                let holds = |label: FormulaId| {
                    let position = labels.iter().position(|one| *one == label);
                    position.is_none_or(|position| choice >> position & 1 == 1)
                };
                let reached = edges.iter().filter(|(label, _)| holds(*label));
                let mut targets: Vec<usize> = reached.map(|(_, to)| *to).collect();
                targets.sort_unstable();
                targets.dedup();
                if targets.is_empty() {
                    continue;
                }
                let next = result.edges.len();
                let next = *known.entry(targets.clone()).or_insert(next);
                if next == result.edges.len() {
                    if next >= MOST_STATES {
                        return Err(Refusal::TooBig);
                    }
                    result.edges.push(Vec::new());
                    result.accepting.push(false);
                    pending.push(targets);
                }
                let mut conditions = Vec::new();
                for label in &labels {
                    conditions.push(match holds(*label) {
                        true => *label,
                        false => formulas.not(*label),
                    });
                }
                let condition = formulas.and(conditions);
                result.edges[state].push((condition, next));
            }
        }
        Ok(result)
    }

    /// Whether a weak sequence can go on for ever without any condition being asked for.
    pub fn cannot_fail(&self) -> bool {
        let mut seen = vec![false; self.edges.len()];
        let mut pending = vec![self.start];
        while let Some(state) = pending.pop() {
            if std::mem::replace(&mut seen[state], true) {
                continue;
            }
            for (_, to) in self.edges[state].iter().filter(|(label, _)| *label == TRUE) {
                if *to == state {
                    return true;
                }
                pending.push(*to);
            }
        }
        false
    }

    /// States from which a match can still end, as far as the text goes.
    fn useful(&self) -> Vec<bool> {
        let mut useful = self.accepting.clone();
        loop {
            let mut changed = false;
            for state in 0..self.edges.len() {
                let leads = self.edges[state].iter().any(|(_, to)| useful[*to]);
                if leads && !useful[state] {
                    useful[state] = true;
                    changed = true;
                }
            }
            if !changed {
                return useful;
            }
        }
    }

    /// The states from the start on, each before those that it leads to.
    fn order(&self) -> Made<Vec<usize>> {
        const NEW: u8 = 0;
        const OPEN: u8 = 1;
        const DONE: u8 = 2;
        let mut marks = vec![NEW; self.edges.len()];
        let mut order = Vec::new();
        let mut stack = vec![(self.start, 0)];
        marks[self.start] = OPEN;
        while let Some((state, index)) = stack.pop() {
            match self.edges[state].get(index) {
                None => {
                    marks[state] = DONE;
                    order.push(state);
                }
                Some((_, to)) => {
                    stack.push((state, index + 1));
                    match marks[*to] {
                        _ if *to == state => {}
                        NEW => {
                            marks[*to] = OPEN;
                            stack.push((*to, 0));
                        }
                        OPEN => return Err(Refusal::LongLoop),
                        _ => {}
                    }
                }
            }
        }
        order.reverse();
        Ok(order)
    }

    /// Some match ends where `end` holds. A weak one may also go on for ever.
    pub fn some_match(
        &self,
        formulas: &mut Formulas,
        end: FormulaId,
        strong: bool,
    ) -> Made<FormulaId> {
        let useful = self.useful();
        let mut known = vec![FALSE; self.edges.len()];
        for state in self.order()?.into_iter().rev() {
            let mut stays = Vec::new();
            let mut ways = Vec::new();
            for (label, to) in self.edges[state].iter().filter(|(_, to)| useful[*to]) {
                let mut rest = Vec::new();
                if self.accepting[*to] {
                    rest.push(end);
                }
                if *to == state {
                    stays.push(*label);
                } else if self.edges[*to].iter().any(|(_, to)| useful[*to]) {
                    rest.push(formulas.next(known[*to]));
                }
                let rest = formulas.or(rest);
                ways.push(formulas.and([*label, rest]));
            }
            let way = formulas.or(ways);
            known[state] = if stays.is_empty() {
                way
            } else {
                let stays = formulas.or(stays);
                let operator = if strong {
                    TemporalBinary::Until
                } else {
                    TemporalBinary::WeakUntil
                };
                until(formulas, operator, stays, way)
            };
        }
        Ok(known[self.start])
    }

    /// Wherever a match ends, `end` holds.
    pub fn every_match(&self, formulas: &mut Formulas, end: FormulaId) -> Made<FormulaId> {
        let not_end = formulas.not(end);
        let some = self.some_match(formulas, not_end, true)?;
        Ok(formulas.not(some))
    }
}

/// `F` and constants where the operands allow it.
fn until(
    formulas: &mut Formulas,
    operator: TemporalBinary,
    stays: FormulaId,
    way: FormulaId,
) -> FormulaId {
    match (operator, stays, way) {
        (_, _, TRUE) => TRUE,
        (_, FALSE, _) => way,
        (TemporalBinary::Until, _, FALSE) => FALSE,
        (TemporalBinary::Until, TRUE, _) => formulas.finally(way),
        (TemporalBinary::WeakUntil, TRUE, _) => TRUE,
        (TemporalBinary::WeakUntil, _, FALSE) => formulas.globally(stays),
        _ => formulas.binary(operator, stays, way),
    }
}
