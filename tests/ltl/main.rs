//! Specifications in any LTL: automata against the meaning of formulas, verdicts against
//! each other and against the model checker.

mod automata;
#[path = "../support/cases.rs"]
mod cases;
mod examples;
mod explanations;
mod hoa;
mod hoa_files;
mod realizability;
#[path = "../support/seed.rs"]
mod seed;
mod sketch;
mod suggestions;
#[path = "../spec/support.rs"]
#[allow(dead_code)]
mod support;
