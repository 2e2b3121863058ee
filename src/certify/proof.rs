//! Invariants that were checked, and what they are about.

use super::claim::StateSets;
use super::tableau::Product;
use crate::design::{Design, Literal};
use crate::prove::Invariant;
use std::fmt;
use std::rc::Rc;

/// Why no run comes to a bad step.
#[derive(Clone)]
pub(super) enum Reason {
    /// Clauses over latches hold in all states of runs, and leave no bad step possible, or none
    /// after some good ones.
    Clauses(Rc<Invariant>),
    /// No step leaves a set of states, in which none is bad.
    States(Rc<StateSets>),
}

/// That no run comes to a bad step. Only this stage makes one, and it has checked the reason.
#[derive(Clone)]
pub struct Proof {
    product: Rc<Product>,
    bad: Literal,
    reason: Reason,
}

impl Proof {
    pub(super) fn new(product: Rc<Product>, bad: Literal, reason: Reason) -> Proof {
        Proof {
            product,
            bad,
            reason,
        }
    }

    pub(super) fn product(&self) -> &Product {
        &self.product
    }

    /// Whether two proofs are about the same product.
    pub(super) fn is_about_same(&self, other: &Proof) -> bool {
        Rc::ptr_eq(&self.product, &other.product)
    }

    /// The design, with latches and gates for what the properties say.
    pub fn design(&self) -> &Design {
        &self.product.design
    }

    /// Holds in every step of the runs that are looked at.
    pub fn constraint(&self) -> Literal {
        self.product.constraint
    }

    /// Holds in no step of these runs.
    pub fn bad(&self) -> Literal {
        self.bad
    }

    /// Over how many steps induction goes; with 0 the clauses alone exclude bad steps.
    pub fn depth(&self) -> usize {
        match &self.reason {
            Reason::Clauses(invariant) => invariant.depth,
            Reason::States(_) => 0,
        }
    }

    /// Over literals of latches.
    pub fn clauses(&self) -> &[Vec<Literal>] {
        match &self.reason {
            Reason::Clauses(invariant) => &invariant.clauses,
            Reason::States(_) => &[],
        }
    }

    /// The states that no step leaves, if the proof is one by states.
    pub(super) fn states(&self) -> Option<&Rc<StateSets>> {
        match &self.reason {
            Reason::Clauses(_) => None,
            Reason::States(states) => Some(states),
        }
    }
}

impl fmt::Debug for Proof {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.reason {
            Reason::Clauses(one) => write!(formatter, "Proof({} clauses)", one.clauses.len()),
            Reason::States(one) => write!(formatter, "Proof({} gates)", one.circuit.len()),
        }
    }
}
