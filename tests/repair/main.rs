//! Repair at gate level.

mod worked_examples;
mod multiplier;
