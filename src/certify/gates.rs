//! A decision diagram as gates: one multiplexer for each node, shared as the nodes are.

use crate::bdd::{Bdd, Variable};
use crate::design::{Design, Literal};
use std::collections::HashMap;

/// Gates made so far. The diagrams are kept, so that none of them changes its meaning.
pub struct Gates<'a> {
    /// The signal that each variable stands for.
    signals: &'a HashMap<Variable, Literal>,
    known: HashMap<Bdd, Literal>,
}

impl<'a> Gates<'a> {
    pub fn new(signals: &'a HashMap<Variable, Literal>) -> Gates<'a> {
        Gates {
            signals,
            known: HashMap::new(),
        }
    }

    /// A literal with the value of the function.
    ///
    /// # Panics
    /// If the function depends on a variable that stands for no signal.
    pub fn build(&mut self, design: &mut Design, function: &Bdd) -> Literal {
        let mut pending = vec![function.clone()];
        while let Some(top) = pending.last().cloned() {
            if self.literal(&top).is_some() {
                pending.pop();
                continue;
            }
            let Some((variable, low, high)) = top.expand() else {
                unreachable!("constants are known");
            };
            match (self.literal(&low), self.literal(&high)) {
                (Some(low), Some(high)) => {
                    let literal = design.mux(self.signals[&variable], high, low);
                    self.known.insert(top, literal);
                    pending.pop();
                }
                (low_known, high_known) => {
                    if low_known.is_none() {
                        pending.push(low);
                    }
                    if high_known.is_none() {
                        pending.push(high);
                    }
                }
            }
        }
        match self.literal(function) {
            Some(literal) => literal,
            None => unreachable!("the function was built"),
        }
    }

    fn literal(&self, function: &Bdd) -> Option<Literal> {
        if function.is_constant() {
            return Some(Literal::constant(function.is_one()));
        }
        let complement = || self.known.get(&function.not()).map(|literal| !*literal);
        self.known.get(function).copied().or_else(complement)
    }
}
