//! The codes of objectives and games: R0500 to R0599.

codes! {
    OBJECTIVE_NOT_SUPPORTED = 500, "no game can be built for a property yet",
"Games are solved for properties that are GR(1) together: invariants, and
conditions that hold again and again if others do. This property, alone or with
the others, needs more than that. Nothing is said about whether it can be kept.

Example:
    aag 2 2 0 0 0 0 0 2         (two justice properties at once)

To fix: leave out properties until the rest can be solved; a controller for
all of them must be one for the rest, too.
";
}
