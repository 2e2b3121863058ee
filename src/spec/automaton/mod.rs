//! Formulas as automata.
//!
//! Enters: one conjunct, simplified, in negation normal form, without past operators.
//! Leaves: a deterministic, complete [`Monitor`] whose transitions are labelled by Boolean
//! formulas over atoms. Conjunctions are not multiplied out: one monitor per conjunct.

pub mod buchi;
pub mod decision;
pub mod determinize;
pub mod explore;
pub mod followed;
pub mod hoa;
pub mod merge;
pub mod monitor;
pub mod obligations;
pub mod omega;
pub mod progression;
pub mod recurrence;
pub mod safety;
pub mod stable;

pub use monitor::{
    Acceptance, Monitor, MonitorError, Transition, buchi_monitor, cosafety_monitor, monitor_for,
    safety_monitor,
};

/// How big a monitor may become before it is given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    pub states: usize,
    /// Nodes of the diagrams that choose the successor of a state.
    pub nodes: usize,
    /// Clauses of the obligations that a state stands for.
    pub clauses: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            states: 2_000,
            nodes: 500_000,
            clauses: 500,
        }
    }
}

/// A limit was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooBig;
