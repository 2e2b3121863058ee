//! From files to what the engines work on, whoever holds the files.
//!
//! Enters: the files that a user names, through a [`Reader`] for those that they ask for in
//! turn. Leaves: an [`AnySpec`], a specification of any format. Every text is added to the
//! [`Sources`](crate::source::Sources) of the run once, so that later stages can point into
//! it. Nothing here opens a file: `cli` has the reader for disks, [`Memory`] is one for texts
//! that a program holds.

mod design;
mod format;
mod reader;
mod spec;
#[cfg(test)]
mod tests;

pub use design::{DesignOptions, Purpose, design, design_from_texts};
pub use format::Format;
pub use reader::{Memory, Reader};
pub use spec::{AnySpec, LoadedGr1, LoadedLtl, SpecOptions, spec};

use crate::bdd;
use crate::source::Diagnostic;

/// Why nothing was loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    Diagnostics(Vec<Diagnostic>),
    Stopped(Stop),
}

/// A limit that ended the work early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    Interrupted,
    OutOfTime,
    OutOfMemory,
}

impl Stop {
    pub fn reason(self) -> &'static str {
        match self {
            Stop::Interrupted => "interrupted",
            Stop::OutOfTime => "the time limit was reached",
            Stop::OutOfMemory => "the memory limit was reached",
        }
    }
}

impl From<bdd::Error> for Failure {
    fn from(error: bdd::Error) -> Failure {
        Failure::Stopped(match error {
            bdd::Error::Interrupted => Stop::Interrupted,
            bdd::Error::Deadline => Stop::OutOfTime,
            _ => Stop::OutOfMemory,
        })
    }
}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Failure {
        Failure::Diagnostics(vec![diagnostic])
    }
}

impl From<Vec<Diagnostic>> for Failure {
    fn from(diagnostics: Vec<Diagnostic>) -> Failure {
        Failure::Diagnostics(diagnostics)
    }
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Failure {
        Failure::Stopped(stop)
    }
}
