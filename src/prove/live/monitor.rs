//! Several fairness conditions as one.
//!
//! A latch for each condition remembers that it held since the last round was complete; the
//! step in which the last missing one holds completes a round and clears them all. A run has
//! infinitely many rounds exactly if each condition holds again and again. One condition is
//! its own round, and without any each step is one.

use super::{LiveQuestion, StateLiteral};
use crate::design::{Design, Literal, NodeId, Reset};

pub struct Monitor {
    /// The design with the latches added.
    pub design: Design,
    seen: Vec<NodeId>,
    /// Holds in the steps that complete a round.
    pub round: Literal,
}

impl Monitor {
    pub fn new(question: &LiveQuestion) -> Monitor {
        let mut design = question.design.clone();
        let conditions = question.fairness;
        let (seen, round) = match conditions {
            [] => (Vec::new(), Literal::TRUE),
            [single] => (Vec::new(), *single),
            _ => {
                let latches = conditions.iter().map(|_| design.add_latch(Reset::Zero));
                let seen: Vec<NodeId> = latches.collect();
                let both = seen.iter().zip(conditions);
                let met: Vec<Literal> = both
                    .map(|(latch, condition)| design.or(latch.literal(), *condition))
                    .collect();
                let round = design.and_all(met.iter().copied());
                for (latch, met) in seen.iter().zip(met) {
                    let next = design.and(met, !round);
                    design.set_next(*latch, next);
                }
                (seen, round)
            }
        };
        Monitor {
            design,
            seen,
            round,
        }
    }

    /// A literal of a latch of the design with the monitor, in the terms of the question.
    pub fn state_literal(&self, literal: Literal) -> StateLiteral {
        let condition = self.seen.iter().position(|id| *id == literal.node());
        match condition {
            Some(condition) => StateLiteral::Seen {
                condition,
                holds: !literal.is_complemented(),
            },
            None => StateLiteral::Latch(literal),
        }
    }
}
