//! Repair at gate level.

mod multiplier;
mod worked_examples;
