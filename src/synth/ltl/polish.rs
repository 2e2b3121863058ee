//! Makes a circuit smaller by trying: latches become constants, gates become constants or one
//! of their operands, and what the model checker still accepts is kept.
//!
//! A strategy does more than it has to: it works for the goals in some order, and remembers
//! what that order needs. Which of it matters is easier to ask than to derive, as long as the
//! circuit is small. Whatever comes out was accepted by `certify`.

use super::merge::alternatives;
use super::tidy::{size, swept, tidied};
use crate::bdd::Limits;
use crate::design::{Design, Literal, NodeId};
use crate::limits::processor_time;
use std::collections::HashSet;
use std::time::Duration;

/// Circuits with more gates and latches take too long to ask about.
const MOST_NODES: usize = 700;
/// So many questions are asked even if the time is over; but not if it takes so many times as
/// long.
const FEWEST_TRIALS: usize = 200;
const LONGEST: u32 = 2;
/// So many circuits for one controller are made smaller; what they gain cannot be foreseen.
const MOST_CANDIDATES: usize = 2;

/// When to end, in processor time: other programs make no difference.
pub struct Patience {
    start: Duration,
    time: Duration,
    trials: usize,
}

impl Patience {
    pub fn new(time: Duration) -> Patience {
        Patience {
            start: processor_time(),
            time,
            trials: 0,
        }
    }

    /// Something was tried.
    pub fn count(&mut self) {
        self.trials += 1;
    }

    pub fn is_over(&self) -> bool {
        let passed = processor_time().saturating_sub(self.start);
        passed > self.time * LONGEST || passed > self.time && self.trials >= FEWEST_TRIALS
    }
}

/// A circuit that is accepted, if the given one is. Takes a few times the given time, if need
/// be.
pub fn polished(
    circuit: Design,
    time: Duration,
    limits: &Limits,
    accepts: &mut dyn FnMut(&Design) -> bool,
) -> Design {
    if size(&circuit) == 0 || size(&circuit) > MOST_NODES {
        return circuit;
    }
    let mut patience = Patience::new(time / 2);
    let others = alternatives(&circuit, limits, &mut patience, accepts).unwrap_or_default();
    let mut candidates = vec![circuit.clone()];
    candidates.extend(others.into_iter().filter(|other| size(other) <= MOST_NODES));
    candidates.sort_by_key(size);
    // Of those with equally many latches the smallest.
    let mut seen = HashSet::new();
    candidates.retain(|candidate| seen.insert(candidate.latches().len()));
    let mut best: Option<Design> = None;
    let mut polished = 0;
    for candidate in candidates {
        if polished == MOST_CANDIDATES {
            break;
        }
        // The given one needs no question.
        if candidate == circuit || accepts(&candidate) {
            polished += 1;
            let small = polished_alone(candidate, time, accepts);
            if best.as_ref().is_none_or(|best| size(&small) < size(best)) {
                best = Some(small);
            }
        }
    }
    best.unwrap_or(circuit)
}

fn polished_alone(
    circuit: Design,
    time: Duration,
    accepts: &mut dyn FnMut(&Design) -> bool,
) -> Design {
    let mut patience = Patience::new(time);
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
            patience.count();
            if accepts(&changed) {
                return Some(changed);
            }
        }
    }
    None
}
