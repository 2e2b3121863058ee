//! Explanations of specifications: conflicts, diagnoses, countertraces, well-separation.

#[path = "../support/cases.rs"]
mod cases;
mod changes;
mod explicit;
mod families;
mod library;
mod ltl;
mod papers;
mod random;
mod separation;
#[path = "../gr1/sketch.rs"]
mod sketch;
#[path = "../gr1/explicit.rs"]
mod solver;
mod support;
mod written;
