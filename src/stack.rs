//! Recursion that is as deep as what users give us: formulas, expressions, diagrams.
//!
//! The only place that names the crate which finds out how much stack is left and continues
//! on another one.

/// A single step of a recursion must fit into this. Frames are large without optimisation.
const RED_ZONE: usize = 128 << 10;

/// What is added at a time; the steps in between cost no more than a comparison.
const SEGMENT: usize = 1 << 20;

/// One step of a recursion, on a new piece of stack if little of the present one is left.
pub(crate) fn recurse<T>(step: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(RED_ZONE, SEGMENT, step)
}

/// Work that needs at most so many bytes of stack. For code that cannot ask at each step.
pub(crate) fn with_bytes<T>(bytes: usize, work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(bytes, bytes + (1 << 16), work)
}

/// Whether little is left. For tests, which want to fail before the program ends.
#[cfg(test)]
pub(crate) fn is_nearly_used_up() -> bool {
    stacker::remaining_stack().is_some_and(|left| left < RED_ZONE)
}
