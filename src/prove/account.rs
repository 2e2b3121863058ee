//! How something was found, for people who want to know.

use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Account {
    /// Latches that are equal or constant were enough for a proof.
    Correspondence { clauses: usize },
    /// A run of so many steps.
    BoundedModelChecking { steps: usize },
    /// The same, perhaps not a shortest one.
    Ic3Run { steps: usize },
    /// So many steps in a row that are not bad are never followed by a bad one.
    Induction { steps: usize },
    /// An invariant of so many clauses.
    Ic3Proof { frames: usize, clauses: usize },
}

impl fmt::Display for Account {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Account::Correspondence { clauses } => {
                write!(formatter, "latches that are equal, {clauses} clauses")
            }
            Account::BoundedModelChecking { steps } => {
                write!(formatter, "bounded model checking, {steps} steps")
            }
            Account::Induction { steps } => write!(formatter, "induction over {steps} steps"),
            Account::Ic3Run { steps } => write!(formatter, "IC3, {steps} steps"),
            Account::Ic3Proof { frames, clauses } => {
                write!(formatter, "IC3, {frames} frames, {clauses} clauses")
            }
        }
    }
}
