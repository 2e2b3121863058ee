//! Forward steps by functions: the states that a set of steps leads to.
//!
//! The next value of each variable of the state gets a variable of its own, next to the
//! present one; the relation between them is a [`Relation`].

use super::relation::Relation;
use crate::bdd::{Bdd, Manager, Result, Substitution, Variable};

pub struct Image {
    relation: Relation,
    back_to_present: Substitution,
}

impl Image {
    /// For next values as functions of present values, of which `inputs` are no state. Adds a
    /// variable for each next value to the manager.
    pub fn new(manager: &Manager, next: &[(Variable, Bdd)], inputs: &[Variable]) -> Result<Image> {
        let state: Vec<Variable> = next.iter().map(|(variable, _)| *variable).collect();
        let later = manager.new_variables(state.len())?;
        let mut order = Vec::new();
        for variable in manager.order() {
            if later.contains(&variable) {
                continue;
            }
            order.push(variable);
            if let Some(index) = state.iter().position(|present| *present == variable) {
                order.push(later[index]);
            }
        }
        manager.set_order(&order)?;
        let functions = next.iter().map(|(_, function)| function);
        let functions = later.iter().copied().zip(functions);
        let present: Vec<Variable> = state.iter().chain(inputs).copied().collect();
        let pairs: Vec<_> = later.iter().copied().zip(state).collect();
        Ok(Image {
            relation: Relation::of_functions(&manager.one(), functions, &present)?,
            back_to_present: manager.renaming(&pairs)?,
        })
    }

    /// The states after the given steps.
    pub fn of(&self, steps: &Bdd) -> Result<Bdd> {
        self.relation.exists(steps)?.compose(&self.back_to_present)
    }

    /// All states on plays from `start` whose steps are all in `steps`.
    pub fn reachable(&self, start: &Bdd, steps: &Bdd) -> Result<Bdd> {
        let reached = self.reachable_within(start, steps, u64::MAX)?;
        Ok(reached.unwrap_or_else(|| start.manager().one()))
    }

    /// The same, or `None` when that takes more look-ups of the computed table than `effort`.
    pub fn reachable_within(&self, start: &Bdd, steps: &Bdd, effort: u64) -> Result<Option<Bdd>> {
        let lookups = || start.manager().statistics().cache_lookups;
        let last = lookups().saturating_add(effort);
        let mut reached = start.clone();
        let mut frontier = start.clone();
        while !frontier.is_zero() {
            if lookups() > last {
                return Ok(None);
            }
            let after = self.of(&frontier.and(steps)?)?;
            frontier = after.minus(&reached)?;
            reached = reached.or(&after)?;
        }
        Ok(Some(reached))
    }
}
