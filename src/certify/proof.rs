//! Invariants that were checked, and what they are about.

use super::tableau::Product;
use crate::design::{Design, Literal};
use crate::prove::Invariant;
use std::fmt;
use std::rc::Rc;

/// Why no run comes to a bad step: clauses over latches that hold in all states of runs, and
/// leave no bad step possible, or none after some good ones. Only this stage makes one, and it has checked the clauses.
#[derive(Clone)]
pub struct Proof {
    product: Rc<Product>,
    bad: Literal,
    invariant: Rc<Invariant>,
}

impl Proof {
    pub(super) fn new(product: Rc<Product>, bad: Literal, invariant: Rc<Invariant>) -> Proof {
        Proof {
            product,
            bad,
            invariant,
        }
    }

    pub(super) fn product(&self) -> &Product {
        &self.product
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
        self.invariant.depth
    }

    /// Over literals of latches.
    pub fn clauses(&self) -> &[Vec<Literal>] {
        &self.invariant.clauses
    }
}

impl fmt::Debug for Proof {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clauses = self.invariant.clauses.len();
        write!(formatter, "Proof({clauses} clauses)")
    }
}
