//! Repair at gate level.

mod choosing;
mod kinds;
mod multiplier;
mod places;
mod program;
mod ranking;
mod same_effect;
#[path = "../support/subject.rs"]
mod subject;
mod worked_examples;
