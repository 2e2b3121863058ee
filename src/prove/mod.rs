//! Whether a circuit comes to a bad step, or has a fair run, by satisfiability.
//!
//! Enters: a [`Question`], a design with a constraint on every step and literals that should
//! never hold. Leaves, for each of these, a run that makes it hold or an [`Invariant`] by
//! which it never does. Both are only claims: `certify` replays the runs and checks the
//! invariants, with code of its own; only the solver for satisfiability is the same.
//!
//! [`bmc`] looks for runs step by step, the shortest first, [`ic3`] for invariants, and
//! [`induction`] for a number of steps by which induction succeeds; a [`Prover`] lets them
//! take turns. Before that, latches that are equal or constant become
//! one ([`correspond`]). [`live`] asks about infinite runs.

mod account;
pub mod bmc;
pub mod circuit;
pub mod correspond;
mod encode;
mod fold;
pub mod ic3;
pub mod induction;
pub mod live;
mod prover;
#[cfg(test)]
mod tests;
mod unroll;

pub use account::Account;
pub use circuit::{Circuit, Question};
pub use live::{Lasso, LiveFinding, LiveProver, LiveQuestion, Ranking, RoundBound, StateLiteral};
pub use prover::{Finding, InductionTurns, Prover};

use crate::design::{Literal, NodeId};

/// Work was stopped by a meter, and may go on later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// What the environment does in a run. All that is not named is 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputRun {
    /// Latches of the design whose initial value is free, and which are 1 at first.
    pub initial: Vec<NodeId>,
    /// For each step the inputs of the design that are 1.
    pub steps: Vec<Vec<NodeId>>,
}

/// A claim about the states that runs come to, and why a bad literal is in none of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Invariant {
    /// Over literals of latches of the design. All of them hold in each state of a run, because
    /// they hold in the initial ones and each step keeps them.
    pub clauses: Vec<Vec<Literal>>,
    /// So many steps in a row that are not bad, from states in which the clauses hold, are not
    /// followed by a bad one, and the first so many steps of a run are not bad. With 0, no step
    /// from such a state is bad.
    pub depth: usize,
}
