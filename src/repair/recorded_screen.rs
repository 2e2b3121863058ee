//! How far an edited design is from recorded runs.
//!
//! The runs are simulated with 64 choices of all unknown values side by side, or with one if
//! they were recorded with two values. A candidate whose score is not perfect is refuted by a
//! simulated run, so nothing is lost by leaving it out; one whose score is perfect goes to
//! `certify`, which replays the runs with code of its own.

use super::RepairError;
use crate::design::{Design, NodeId, Simulator};
use crate::limits::Limits;
use crate::random::Random;
use crate::trace::Recording;
use std::collections::HashMap;

/// Of longer runs only what comes up to so many cycles after the first difference is scored.
const SCORED: usize = 2_000;
/// Choices that have to fit, of 64.
const NEEDED: u32 = 32;
const SEED: u64 = 0x5c4ee2;

/// The distance from recorded runs; smaller is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Score {
    /// Compared bits that differ in most choices.
    pub wrong: usize,
    /// Cycles after the first difference of each run, added up.
    pub late: usize,
}

impl Score {
    pub const PERFECT: Score = Score { wrong: 0, late: 0 };
}

/// The score of a design; `None` if it lacks a recorded signal. Counting ends where the score
/// can only be worse than `bound`.
pub fn score(
    design: &Design,
    recordings: &[Recording],
    bound: usize,
    limits: &Limits,
) -> Result<Option<Score>, RepairError> {
    let mut total = Score::PERFECT;
    for recording in recordings {
        let Ok(binding) = recording.bind(design) else {
            return Ok(None);
        };
        let driven: HashMap<NodeId, usize> = binding.driven.iter().copied().collect();
        let initial = recording.initial(design);
        let mut random = Random::new(SEED);
        let mut simulator = Simulator::new(design)?;
        simulator.start(|id| match initial(id) {
            Some(true) => u64::MAX,
            Some(false) => 0,
            None => random.word(),
        });
        if recording.starts_late() {
            simulator.resume(|_| random.word());
        }
        let mut fitting = u64::MAX;
        let mut first = None;
        for cycle in 0..recording.cycles() {
            if limits.poll().is_err() || first.is_some_and(|first| cycle > first + SCORED) {
                break;
            }
            let row = recording.row(cycle);
            simulator.settle(|id| match driven.get(&id).and_then(|at| row.bit(*at)) {
                Some(true) => u64::MAX,
                Some(false) => 0,
                None => random.word(),
            });
            for (literal, offset) in &binding.compared {
                let Some(expected) = row.bit(*offset) else {
                    continue;
                };
                let value = simulator.value(*literal);
                let agreeing = if expected { value } else { !value };
                fitting &= agreeing;
                let is_wrong = agreeing.count_ones() < NEEDED;
                total.wrong += usize::from(is_wrong);
                if first.is_none() && (is_wrong || fitting.count_ones() < NEEDED) {
                    first = Some(cycle);
                }
            }
            if total.wrong > bound {
                return Ok(Some(total));
            }
            simulator.advance();
        }
        if let Some(first) = first {
            total.late += recording.cycles() - first;
        }
    }
    Ok(Some(total))
}
