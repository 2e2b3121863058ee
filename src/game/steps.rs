//! One step back, for questions about some states only.
//!
//! Each next-state function is replaced by a smaller one that agrees with it in these states.
//! In a fixpoint that only shrinks, these are the states that are left, so the functions become
//! smaller as states are lost.

use crate::bdd::{Bdd, Manager, Result, Substitution, Variable};
use std::cell::RefCell;
use std::collections::HashMap;

pub(super) struct Steps {
    next: HashMap<Variable, Bdd>,
    from: Bdd,
    /// Functions that were asked for, minimised.
    small: RefCell<HashMap<Variable, Bdd>>,
}

impl Steps {
    pub fn new(manager: &Manager, next: &[(Variable, Bdd)], from: &Bdd) -> Result<Steps> {
        // Without states there is no function to choose from.
        let from = if from.is_zero() {
            manager.one()
        } else {
            from.clone()
        };
        Ok(Steps {
            next: next.iter().cloned().collect(),
            from,
            small: RefCell::new(HashMap::new()),
        })
    }

    /// The steps into a set of states; right only where they begin in the states at hand.
    pub fn leading_into(&self, states: &Bdd) -> Result<Bdd> {
        states.compose(&self.substitution(states)?)
    }

    fn substitution(&self, states: &Bdd) -> Result<Substitution> {
        let mut small = self.small.borrow_mut();
        let mut pairs = Vec::new();
        for variable in states.support() {
            let Some(next) = self.next.get(&variable) else {
                continue;
            };
            let function = match small.get(&variable) {
                Some(function) => function.clone(),
                None => {
                    let function = next.minimize(&self.from)?;
                    small.insert(variable, function.clone());
                    function
                }
            };
            pairs.push((variable, function));
        }
        Ok(states.manager().substitution(&pairs))
    }
}
