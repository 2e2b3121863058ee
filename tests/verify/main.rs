//! Model checking: verdicts, counterexamples, and how they are told.

mod abc;
mod aiger;
mod case;
#[path = "../support/cases.rs"]
mod cases;
mod differential;
#[path = "../support/golden.rs"]
mod golden;
mod graph;
mod independence;
mod memories;
mod oracle;
mod program;
#[path = "../support/seed.rs"]
mod seed;
#[path = "../design/support.rs"]
#[allow(dead_code)]
mod support;
mod tree;
