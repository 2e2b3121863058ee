//! Games with any Boolean combination of recurrences as their condition.
//!
//! Enters: formulas over the signals of a netlist ([`build`]). Leaves: the netlist with
//! deterministic monitors, an objective over its literals ([`condition`]), and for either
//! player how it wins ([`solve`], [`strategy`]); or all of it as an automaton ([`explicit`]).

pub mod build;
pub mod condition;
pub mod explicit;
pub mod of_design;
pub mod solve;
pub mod strategy;
pub mod tree;
