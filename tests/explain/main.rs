//! Explanations of specifications: conflicts, diagnoses, countertraces, well-separation.

mod papers;
mod support;
