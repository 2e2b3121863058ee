//! Repair at gate level.

mod kinds;
mod multiplier;
mod program;
mod same_effect;
#[path = "../support/subject.rs"]
mod subject;
mod worked_examples;
