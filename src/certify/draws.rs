//! A recorded run with unknown values drawn at random, 64 choices at once.
//!
//! What three values cannot tell is looked at with two: registers without an initial value and
//! inputs that were not driven get drawn values, the same ones each time. A run fits if at
//! least half of the choices show every recorded value.

use super::recorded::Difference;
use crate::design::{Design, Simulator};
use crate::limits::Limits;
use crate::random::Random;
use crate::source::Diagnostic;
use crate::trace::Recording;
use std::collections::HashMap;

/// Choices that have to fit, of 64.
const MOST_MISSED: u32 = 32;
const SEED: u64 = 0x5eed;

/// How many choices fit, or where too few of them are left.
pub(super) fn fitting(
    design: &Design,
    recording: &Recording,
    limits: &Limits,
) -> Result<Result<u32, Difference>, Diagnostic> {
    let binding = recording.bind(design)?;
    let driven: HashMap<_, usize> = binding.driven.iter().copied().collect();
    let mut random = Random::new(SEED);
    let mut simulator = Simulator::new(design)?;
    let initial = recording.initial(design);
    simulator.start(|id| match initial(id) {
        Some(true) => u64::MAX,
        Some(false) => 0,
        None => random.word(),
    });
    if recording.starts_late() {
        simulator.resume(|_| random.word());
    }
    let mut fitting = u64::MAX;
    for cycle in 0..recording.cycles() {
        limits.poll()?;
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
            fitting &= if expected { value } else { !value };
            if fitting.count_ones() < MOST_MISSED {
                let columns = &recording.columns;
                let column = columns.iter().position(|one| {
                    let bits = one.offset..one.offset + one.width;
                    !one.is_input && bits.contains(offset)
                });
                let column = column.unwrap_or(0);
                return Ok(Err(Difference { cycle, column }));
            }
        }
        simulator.advance();
    }
    Ok(Ok(fitting.count_ones()))
}
