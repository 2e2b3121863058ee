//! Names that front ends give to signals which no user wrote.

/// What the names of the conditions that properties are made of begin with. They are outputs
/// of the design, so that they survive edits of a netlist.
pub const CONDITION_PREFIX: &str = "property$";

/// The signal that is true from the first step after a played reset on.
pub const RUNNING: &str = "reset$over";

/// Whether a front end made the name for itself.
pub fn is_reserved(name: &str) -> bool {
    name == RUNNING || name.starts_with(CONDITION_PREFIX)
}
