//! Explanations of specifications: conflicts, diagnoses, countertraces, well-separation.

mod explicit;
mod families;
mod library;
mod papers;
mod random;
#[path = "../gr1/sketch.rs"]
mod sketch;
mod support;
mod written;
