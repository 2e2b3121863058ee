//! Names that front ends give to signals which no user wrote.

/// What the names of the conditions that properties are made of begin with. They are outputs
/// of the design, so that they survive edits of a netlist.
pub const CONDITION_PREFIX: &str = "property$";

/// What the names of all that plays a reset begin with.
pub const RESET_PREFIX: &str = "reset$";

/// What the names of the latches begin with that count the steps of a played reset: each is
/// true from some step on, and all are once the reset is over.
pub const STEP_OF_RESET: &str = "reset$step";

pub fn is_step_of_reset(name: &str) -> bool {
    name.starts_with(STEP_OF_RESET)
}

/// The signal that is true from the first step after a played reset on.
pub const RUNNING: &str = "reset$over";

/// The signal that is true from the step on in which a reset that was played comes again.
pub const RESET_AGAIN: &str = "reset$again";
/// The input that makes a reset come again.
pub const RESET_FREE: &str = "reset$free";

/// What the names of the conditions begin with under which a block keeps the value of a signal.
pub const HELD_PREFIX: &str = "held$";

/// What the names of the latches begin with that remember the level of a clock. Only designs have
/// them whose steps are those of a global clock.
pub const LEVEL_OF_CLOCK: &str = "clock$level";

/// Whether a front end made the name for itself.
pub fn is_reserved(name: &str) -> bool {
    let prefixes = [CONDITION_PREFIX, HELD_PREFIX];
    name == RUNNING || name == RESET_AGAIN || prefixes.iter().any(|prefix| name.starts_with(prefix))
}
