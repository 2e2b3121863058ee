//! What the search in one design has found out that makes the search in the next one shorter.
//!
//! Corrections of a design are checked one after the other, and differ in a line. The order of
//! variables that diagrams of one of them have come to is small for the next one, too, and the
//! engine that has proved one proves most of the others. Only time depends on it: an order is a
//! proposal, and a share of the work is never nothing.

use super::claim::Leaf;
use super::engines::{Engine, Found};
use std::cell::RefCell;
use std::rc::Rc;

/// What is learned from one search after the other. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Experience(Rc<RefCell<Learned>>);

#[derive(Debug, Default)]
struct Learned {
    order: Option<KnownOrder>,
    /// Who has given the last proof.
    prover: Option<Engine>,
}

/// An order of variables that diagrams have come to by reordering.
#[derive(Clone, Debug)]
pub(super) struct KnownOrder {
    /// From the top down.
    pub leaves: Vec<Leaf>,
    /// How many nodes there were in this order.
    pub nodes: usize,
}

impl Experience {
    pub(super) fn order(&self) -> Option<KnownOrder> {
        self.0.borrow().order.clone()
    }

    pub(super) fn learn_order(&self, order: KnownOrder) {
        self.0.borrow_mut().order = Some(order);
    }

    pub(super) fn prover(&self) -> Option<Engine> {
        self.0.borrow().prover
    }

    pub(super) fn learn_prover(&self, found: &Found) {
        self.0.borrow_mut().prover = Some(match found {
            Found::Diagrams { .. } => Engine::Bdd,
            Found::Solver(_) => Engine::Sat,
        });
    }
}
