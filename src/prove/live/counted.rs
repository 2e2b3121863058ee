//! That only so many rounds are completed, by a counter [CS12].
//!
//! The design gets a latch for each number of rounds up to a bound, which holds once so many
//! are complete. Whether one more is ever completed is a question about bad steps, for bounded
//! model checking and IC3. A run to such a step says that the bound is too small, and the
//! question is asked anew with twice as many rounds; an invariant says that no run is fair.
//!
//! Unlike the original, ours counts with one latch for each number, so that clauses can say
//! "at least so many", and begins anew with each bound instead of keeping the frames.

use super::super::prover::{Finding, InductionTurns, Prover};
use super::super::{InputRun, Question};
use super::monitor::Monitor;
use super::{RoundBound, StateLiteral};
use crate::design::{Design, Literal, NodeId, Reset};
use std::rc::Rc;

pub struct Counted {
    constraint: Literal,
    /// How many rounds are allowed.
    most: usize,
    /// The n-th holds if more than n rounds were complete before.
    counter: Vec<NodeId>,
    prover: Prover,
    stop: Rc<dyn Fn() -> bool>,
}

/// How many rounds are allowed at first, and how the bound grows.
const FIRST_BOUND: usize = 1;
const GROWTH: usize = 2;

impl Counted {
    pub fn new(monitor: &Monitor, constraint: Literal, stop: Rc<dyn Fn() -> bool>) -> Counted {
        Counted::up_to(FIRST_BOUND, monitor, constraint, stop)
    }

    fn up_to(
        most: usize,
        monitor: &Monitor,
        constraint: Literal,
        stop: Rc<dyn Fn() -> bool>,
    ) -> Counted {
        let (design, counter, exceeded) = with_counter(monitor, most);
        let question = Question {
            design: &design,
            constraint,
            bad: vec![exceeded],
        };
        let asked = stop.clone();
        Counted {
            constraint,
            most,
            counter,
            prover: Prover::new(&question, move || asked()).with_induction(InductionTurns::Never),
            stop,
        }
    }

    /// Does some work, and says how much it was; with a bound if one was found.
    pub fn search(&mut self, monitor: &Monitor, work: u64) -> (u64, Option<RoundBound>) {
        let mut done = 0;
        while done < work && !(self.stop)() {
            let before = self.prover.used();
            self.prover.advance(work - done);
            // To ask a question takes work as well.
            done += (self.prover.used() - before).max(1);
            let run: &InputRun = match &self.prover.findings()[0] {
                None => continue,
                Some(Finding::Unreachable(invariant)) => {
                    let literal = |literal: &Literal| self.state_literal(monitor, *literal);
                    let clauses = invariant.clauses.iter();
                    let clauses =
                        clauses.map(|clause| clause.iter().map(literal).collect::<Vec<_>>());
                    let bound = RoundBound {
                        most: self.most,
                        clauses: clauses.collect(),
                    };
                    return (done, Some(bound));
                }
                Some(Finding::Reached(run)) => run,
            };
            // A run completes at most one round in each step.
            debug_assert!(run.steps.len() > self.most);
            let most = self.most.saturating_mul(GROWTH);
            *self = Counted::up_to(most, monitor, self.constraint, self.stop.clone());
        }
        (done, None)
    }

    fn state_literal(&self, monitor: &Monitor, literal: Literal) -> StateLiteral {
        match self.counter.iter().position(|id| *id == literal.node()) {
            Some(rounds) => StateLiteral::Counted {
                rounds,
                holds: !literal.is_complemented(),
            },
            None => monitor.state_literal(literal),
        }
    }
}

/// The design of a monitor with a counter, the latches of the counter, and what holds in a step
/// that completes more rounds than are allowed.
fn with_counter(monitor: &Monitor, most: usize) -> (Design, Vec<NodeId>, Literal) {
    let mut design = monitor.design.clone();
    let counter: Vec<NodeId> = (0..most).map(|_| design.add_latch(Reset::Zero)).collect();
    let mut arrives = monitor.round;
    for latch in &counter {
        let next = design.or(latch.literal(), arrives);
        design.set_next(*latch, next);
        arrives = design.and(latch.literal(), monitor.round);
    }
    (design, counter, arrives)
}
