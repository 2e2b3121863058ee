//! Makes a circuit smaller by trying: latches become constants, gates become constants or one
//! of their operands, and what the model checker still accepts is kept.
//!
//! A strategy does more than it has to: it works for the goals in some order, and remembers
//! what that order needs. Which of it matters is easier to ask than to derive, as long as the
//! circuit is small. Whatever comes out was accepted by `certify`.

use super::tidy::{size, swept, tidied};
use crate::design::{Design, Literal, NodeId};
use std::time::{Duration, Instant};

/// Circuits with more gates and latches take too long to ask about.
const MOST_NODES: usize = 700;
/// So many questions are asked even if the time is over, as it soon is on a busy machine; but
/// not if it takes so many times as long.
const FEWEST_TRIALS: usize = 200;
const LONGEST: u32 = 4;

/// When to end.
struct Patience {
    start: Instant,
    time: Duration,
    trials: usize,
}

impl Patience {
    fn is_over(&self) -> bool {
        let passed = self.start.elapsed();
        passed > self.time * LONGEST || passed > self.time && self.trials >= FEWEST_TRIALS
    }
}

/// A circuit that is accepted, if the given one is. Takes about the given time, if need be.
pub fn polished(
    circuit: Design,
    time: Duration,
    accepts: &mut dyn FnMut(&Design) -> bool,
) -> Design {
    if size(&circuit) == 0 || size(&circuit) > MOST_NODES {
        return circuit;
    }
    let mut patience = Patience {
        start: Instant::now(),
        time,
        trials: 0,
    };
    let mut current = circuit;
    loop {
        let before = size(&current);
        current = round(current, &mut patience, accepts);
        if size(&current) == before || patience.is_over() {
            return tidied(&current);
        }
    }
}

/// Tries each node once. What is tried after a change is what is left of the list.
fn round(
    circuit: Design,
    patience: &mut Patience,
    accepts: &mut dyn FnMut(&Design) -> bool,
) -> Design {
    let mut current = circuit;
    // From the outputs down: what goes first takes its cone with it.
    let mut remaining = current.latches().len();
    while remaining > 0 {
        remaining -= 1;
        let Some(latch) = current.latches().get(remaining).copied() else {
            continue;
        };
        let values = [Literal::FALSE, Literal::TRUE];
        if let Some(smaller) = first_accepted(&current, latch, &values, patience, accepts) {
            current = smaller;
        }
    }
    let mut index = current.len();
    while index > 0 {
        index -= 1;
        if index >= current.len() {
            continue;
        }
        let Some(id) = current.node_ids().nth(index) else {
            continue;
        };
        let Some((left, right)) = current.gate(id) else {
            continue;
        };
        let values = [Literal::FALSE, Literal::TRUE, left, right];
        if let Some(smaller) = first_accepted(&current, id, &values, patience, accepts) {
            current = smaller;
        }
    }
    current
}

fn first_accepted(
    circuit: &Design,
    id: NodeId,
    values: &[Literal],
    patience: &mut Patience,
    accepts: &mut dyn FnMut(&Design) -> bool,
) -> Option<Design> {
    let largest = size(circuit);
    for value in values {
        if patience.is_over() {
            return None;
        }
        let mut changed = circuit.clone();
        changed.drive(id, *value, usize::MAX);
        let changed = swept(&changed);
        if size(&changed) < largest {
            patience.trials += 1;
            if accepts(&changed) {
                return Some(changed);
            }
        }
    }
    None
}
