//! The game between an environment that sets inputs and a system that makes choices.
//!
//! Enters: an [`Arena`], a netlist whose choice inputs and rigid latches are the system's,
//! with an objective on its literals. Leaves: a [`Solution`], the states from which either
//! player wins, and the [`Strategy`] that does it.
//!
//! In each step the environment sets the inputs, then the system makes its choices, and
//! the latches move. Rigid choices are made once, before everything else; the fixpoints
//! keep them as parameters, so that one computation answers for each of them.
//!
//! Who breaks an invariant first loses: the system must keep the guarantee in each step up
//! to which the assumption has held, that step included. On a play that keeps both for
//! ever, each goal has to recur unless some assumed recurrence does not (the strict
//! semantics of GR(1), \[BJPPS12\]).

mod arena;
mod arrange;
mod attraction;
pub mod bounded;
mod budget;
mod counterstrategy;
mod definitions;
pub mod emerson_lei;
mod encode;
mod fixpoint;
mod frontier;
pub mod gr1;
mod image;
mod invariant;
mod leaves;
mod nondeterministic;
mod objective;
mod relation;
mod solve;
mod steps;
mod stored;
mod strategy;

pub use arena::{Arena, Objective};
pub use budget::Budget;
pub use counterstrategy::Counterstrategy;
pub use definitions::{Defined, defined};
pub use encode::Game;
pub use image::Image;
pub use objective::ObjectiveError;
pub use relation::Relation;
pub use solve::{Solution, Winner};
pub use strategy::Strategy;
