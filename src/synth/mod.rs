//! Controllers and refutations: the winning strategy of either player as a circuit, certified.
//!
//! Enters: an AIGER file whose `controllable_...` inputs are the system's ([`game`]), or a
//! specification. Leaves: a controller that was written, read again and model-checked, or a
//! strategy of the environment against which every system loses, checked as well; or what is
//! known if a limit was reached first.

pub mod arrays;
pub mod circuit;
pub mod controller;
pub mod explicit;
mod functions;
pub mod game;
pub mod gr1;
pub mod hoa;
pub mod instrument;
pub mod ltl;
mod player;
mod refutation;
pub mod run;
pub mod verilog;
mod visited;
pub mod written;

pub use refutation::{ranked_refutation, refutation};
pub use written::synth;

use crate::bdd;
use crate::source::Diagnostic;
use std::fmt;

/// Why a strategy was not made.
#[derive(Clone, Debug, PartialEq)]
pub enum SynthError {
    Diagnostic(Box<Diagnostic>),
    Limit(bdd::Error),
}

impl fmt::Display for SynthError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SynthError::Diagnostic(diagnostic) => write!(formatter, "{diagnostic}"),
            SynthError::Limit(error) => write!(formatter, "{error}"),
        }
    }
}

impl std::error::Error for SynthError {}

impl From<Diagnostic> for SynthError {
    fn from(diagnostic: Diagnostic) -> SynthError {
        SynthError::Diagnostic(Box::new(diagnostic))
    }
}

impl From<bdd::Error> for SynthError {
    fn from(error: bdd::Error) -> SynthError {
        SynthError::Limit(error)
    }
}

/// What is being done, for whoever waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// The next stage of the work.
    Stage(&'a str),
    /// A part of a stage.
    Detail(&'a str),
    /// How far it has come.
    Status(&'a str),
}

/// Is told what is being done.
pub type Watch<'w> = dyn FnMut(Event<'_>) + 'w;

/// Why there is no certified answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    pub reason: String,
    /// What was found out nevertheless.
    pub notes: Vec<String>,
    /// The limit that was reached, if it is one.
    pub limit: Option<bdd::Error>,
}

impl Unknown {
    /// Nothing more is known than that a limit was reached.
    pub fn limit(error: bdd::Error) -> Unknown {
        Unknown {
            reason: error.to_string(),
            notes: Vec::new(),
            limit: Some(error),
        }
    }

    /// There is no answer for another reason than a limit.
    pub fn because(reason: impl Into<String>) -> Unknown {
        Unknown {
            reason: reason.into(),
            notes: Vec::new(),
            limit: None,
        }
    }

    /// The solver has an answer, and no more.
    pub fn uncertified(realizable: bool, what: &str, error: bdd::Error) -> Unknown {
        let word = if realizable {
            "REALIZABLE"
        } else {
            "UNREALIZABLE"
        };
        Unknown {
            reason: format!("the solver says {word}, but {what}: {error}"),
            ..Unknown::limit(error)
        }
    }

    /// Whether the user has ended the work.
    pub fn is_interrupted(&self) -> bool {
        self.limit == Some(bdd::Error::Interrupted)
    }
}

impl From<bdd::Error> for Unknown {
    fn from(error: bdd::Error) -> Unknown {
        Unknown::limit(error)
    }
}
