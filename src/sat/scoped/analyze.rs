//! What is learnt from a conflict, and which assumptions contradict each other.

use super::clauses::ClauseId;
use super::{Scoped, Value};
use crate::sat::Literal;

#[derive(Default)]
pub struct Scratch {
    is_seen: Vec<bool>,
    seen: Vec<u32>,
    levels: Vec<u32>,
}

impl Scratch {
    pub fn add_variable(&mut self) {
        self.is_seen.push(false);
    }

    /// Says whether it was not seen before.
    fn see(&mut self, variable: u32) -> bool {
        let is_new = !std::mem::replace(&mut self.is_seen[variable as usize], true);
        if is_new {
            self.seen.push(variable);
        }
        is_new
    }

    fn clear(&mut self) {
        for variable in self.seen.drain(..) {
            self.is_seen[variable as usize] = false;
        }
    }
}

impl Scoped {
    fn level(&self, literal: Literal) -> u32 {
        self.variables[literal.variable() as usize].level
    }

    /// Learns a clause by which the conflict cannot come again, and goes back to where it says
    /// something new.
    pub(super) fn learn(&mut self, conflict: ClauseId) {
        let mut learnt = self.first_cut(conflict);
        self.minimize(&mut learnt);
        self.analysis.clear();
        // The literal with the highest level but one is watched, too.
        let mut back = 0;
        if learnt.len() > 1 {
            let levels = learnt.iter().enumerate().skip(1);
            let highest = levels.max_by_key(|(_, literal)| self.level(**literal));
            let highest = highest.map_or(1, |(index, _)| index);
            learnt.swap(1, highest);
            back = self.level(learnt[1]) as usize;
        }
        let levels = self.levels_of(&learnt);
        self.go_back(back);
        if learnt.len() == 1 {
            if learnt[0].variable() == self.active.variable() {
                self.is_refuted = true;
                return;
            }
            self.set(learnt[0], ClauseId::NONE);
            return;
        }
        let is_temporary = learnt.contains(&!self.active);
        let id = self.clauses.add(&learnt, levels, is_temporary);
        self.learnt.push(id);
        self.watch(id);
        self.set(learnt[0], id);
    }

    /// The clause that separates the conflict from its reasons at the first literal of the
    /// last level through which all of it goes. That literal comes first.
    fn first_cut(&mut self, conflict: ClauseId) -> Vec<Literal> {
        let current = self.levels.len() as u32;
        let mut learnt = vec![self.active];
        let mut open = 0;
        let mut clause = conflict;
        let mut position = self.trail.len();
        loop {
            for index in 0..self.clauses.length(clause) {
                let literal = self.clauses.literal(clause, index);
                // Of a reason, the literal that follows from it is true.
                if self.value_of(literal) == Value::True {
                    continue;
                }
                let level = self.level(literal);
                if level == 0 || !self.analysis.see(literal.variable()) {
                    continue;
                }
                self.order.bump(literal.variable());
                if level == current {
                    open += 1;
                } else {
                    learnt.push(literal);
                }
            }
            let literal = loop {
                position -= 1;
                let literal = self.trail[position];
                if self.analysis.is_seen[literal.variable() as usize] {
                    break literal;
                }
            };
            open -= 1;
            if open == 0 {
                learnt[0] = !literal;
                return learnt;
            }
            clause = self.variables[literal.variable() as usize].reason;
        }
    }

    /// Leaves out literals that follow from the others by one reason.
    fn minimize(&mut self, learnt: &mut Vec<Literal>) {
        let mut kept = 1;
        for index in 1..learnt.len() {
            let literal = learnt[index];
            let reason = self.variables[literal.variable() as usize].reason;
            let is_needed = reason == ClauseId::NONE
                || self.clauses.literals(reason).any(|other| {
                    other.variable() != literal.variable()
                        && self.level(other) != 0
                        && !self.analysis.is_seen[other.variable() as usize]
                });
            if is_needed {
                learnt[kept] = literal;
                kept += 1;
            }
        }
        learnt.truncate(kept);
    }

    /// How many levels meet in a clause.
    fn levels_of(&mut self, clause: &[Literal]) -> u32 {
        let mut levels = std::mem::take(&mut self.analysis.levels);
        levels.clear();
        levels.extend(clause.iter().map(|literal| self.level(*literal)));
        levels.sort_unstable();
        levels.dedup();
        let count = levels.len() as u32;
        self.analysis.levels = levels;
        count
    }

    /// Finds the assumptions by which one of them is false.
    pub(super) fn explain(&mut self, failed: Literal) {
        self.core.push(failed);
        if self.level(failed) == 0 {
            return;
        }
        self.analysis.see(failed.variable());
        let begin = self.levels.first().copied().unwrap_or(0);
        for position in (begin..self.trail.len()).rev() {
            let literal = self.trail[position];
            if !self.analysis.is_seen[literal.variable() as usize] {
                continue;
            }
            let reason = self.variables[literal.variable() as usize].reason;
            if reason == ClauseId::NONE {
                // All decisions up to here are assumptions.
                self.core.push(literal);
                continue;
            }
            for index in 0..self.clauses.length(reason) {
                let other = self.clauses.literal(reason, index);
                if self.level(other) > 0 {
                    self.analysis.see(other.variable());
                }
            }
        }
        self.analysis.clear();
    }
}
