//! Repair at gate level.

mod multiplier;
mod program;
mod worked_examples;
