//! A specification in any linear temporal logic solved, and its answer certified.
//!
//! Enters: an [`LtlSpec`]. Leaves: who wins, with the winner's strategy as a circuit over the
//! names of the specification, model-checked by `certify` against the formulas as they were
//! read; or the reason why there is no answer. "Unrealizable" only ever comes from a strategy
//! of the environment.

use crate::bdd;
use crate::design::Design;
use crate::source::Diagnostic;
use crate::spec::ltl::LtlSpec;
use std::fmt;

/// A way to an answer, cheapest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stage {
    /// The system never breaks what is safe before the environment does. Only ever says yes.
    Strict,
    /// The exact game: a Boolean combination of recurrences on deterministic monitors.
    EmersonLei,
    /// A universal co-Büchi automaton with counters, for both players in turn.
    Bounded,
}

impl Stage {
    pub const ALL: [Stage; 3] = [Stage::Strict, Stage::EmersonLei, Stage::Bounded];
}

impl fmt::Display for Stage {
    fn fmt(&self, output: &mut fmt::Formatter<'_>) -> fmt::Result {
        output.write_str(match self {
            Stage::Strict => "strict",
            Stage::EmersonLei => "emerson-lei",
            Stage::Bounded => "bounded",
        })
    }
}

#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Of the whole, certificates included.
    pub limits: bdd::Limits,
    /// The only stage to be tried, for tests; otherwise all are.
    pub stage: Option<Stage>,
}

/// A verdict with the strategy that proves it.
#[derive(Clone, Debug)]
pub struct Answer {
    pub realizable: bool,
    /// If realizable, a controller: it has the inputs of the specification and drives its
    /// outputs. Otherwise a counterstrategy: it has the outputs as its inputs and drives the
    /// inputs. Whoever moves first in a step does not read what the other does in it.
    pub circuit: Design,
    /// The costliest stage that was needed.
    pub stage: Stage,
    pub certificate: Certificate,
}

/// What the model checker says of the circuit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certificate {
    Checked,
    /// A limit was reached before it was checked.
    Unchecked(bdd::Error),
    /// The circuit does not do what it should: then there is no verdict, and the program has
    /// an error. Says which part fails.
    Flawed(String),
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// The specification is wrong.
    Diagnostics(Vec<Diagnostic>),
    /// A limit ended the search.
    Limit(bdd::Error),
    /// No stage that was tried reaches this specification; says why.
    GaveUp(String),
}

impl From<bdd::Error> for Failure {
    fn from(error: bdd::Error) -> Failure {
        Failure::Limit(error)
    }
}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Failure {
        Failure::Diagnostics(vec![diagnostic])
    }
}

/// Who wins, certified. `watch` is told what is being tried, in words.
pub fn solve(
    spec: &LtlSpec,
    options: &Options,
    watch: &mut dyn FnMut(&str),
) -> Result<Answer, Failure> {
    let _ = (spec, options, watch);
    Err(Failure::GaveUp("no stage is built in yet".to_string()))
}
