//! Expressions, formulas, property files and monitors.

#[path = "../support/golden.rs"]
mod golden;
#[path = "../support/seed.rs"]
mod seed;
mod support;

mod automaton;
mod delay;
mod expressions;
mod formulas;
mod fuzz;
mod property_files;
mod specs;
