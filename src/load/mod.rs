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

pub use design::{DesignOptions, Purpose, design, design_from_texts, project};
pub use format::Format;
pub use reader::{Memory, Reader, normal_path};
pub use spec::{AnySpec, LoadedGr1, LoadedLtl, SpecOptions, spec, spec_from_text};

use crate::bdd;
use crate::limits::Stop;
use crate::source::Diagnostic;
use std::fmt;

/// Why nothing was loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    Diagnostics(Vec<Diagnostic>),
    Stopped(Stop),
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Diagnostics(diagnostics) => {
                let messages = diagnostics.iter().map(|one| one.message.as_str());
                formatter.write_str(&messages.collect::<Vec<_>>().join("; "))
            }
            Failure::Stopped(stop) => formatter.write_str(stop.reason()),
        }
    }
}

impl std::error::Error for Failure {}

impl From<bdd::Error> for Failure {
    fn from(error: bdd::Error) -> Failure {
        Failure::Stopped(error.into())
    }
}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Failure {
        Failure::from(vec![diagnostic])
    }
}

impl From<Vec<Diagnostic>> for Failure {
    /// Once a limit was reached, other complaints may be about texts that were cut short.
    fn from(diagnostics: Vec<Diagnostic>) -> Failure {
        match diagnostics.iter().find_map(Diagnostic::stop) {
            Some(stop) => Failure::Stopped(stop),
            None => Failure::Diagnostics(diagnostics),
        }
    }
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Failure {
        Failure::Stopped(stop)
    }
}
