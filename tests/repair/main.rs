//! Repair at gate level.

mod multiplier;
mod program;
#[path = "../support/subject.rs"]
mod subject;
mod worked_examples;
