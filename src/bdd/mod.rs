//! The decision-diagram kernel.
