//! Repair at gate level.

mod worked_examples;
