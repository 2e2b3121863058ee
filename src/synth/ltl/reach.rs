//! The states that a strategy leads to, its own memory included.

use crate::bdd::{Bdd, Limits, Manager, Result, Substitution, Variable};
use crate::synth::clusters::{Clusters, Room};
use std::time::Duration;

/// A single step can be dearer than all look-ups that it is worth.
const ROOM: Room = Room {
    nodes: 300_000,
    time: Some(Duration::from_secs(3)),
};

pub struct Reach {
    clusters: Clusters,
    back_to_present: Substitution,
}

impl Reach {
    /// For next values as functions of present values, of which `inputs` are no state.
    pub fn new(manager: &Manager, next: &[(Variable, Bdd)], inputs: &[Variable]) -> Result<Reach> {
        let state: Vec<Variable> = next.iter().map(|(variable, _)| *variable).collect();
        let later = manager.new_variables(state.len())?;
        let mut order = Vec::new();
        for variable in manager.order() {
            if later.contains(&variable) {
                continue;
            }
            order.push(variable);
            if let Some(place) = state.iter().position(|own| *own == variable) {
                order.push(later[place]);
            }
        }
        manager.set_order(&order)?;
        let functions = next.iter().map(|(_, function)| function);
        let mut present = state.clone();
        present.extend(inputs);
        let pairs: Vec<_> = later.iter().copied().zip(state).collect();
        Ok(Reach {
            clusters: Clusters::new(&manager.one(), later.into_iter().zip(functions), &present)?,
            back_to_present: manager.renaming(&pairs)?,
        })
    }

    /// All states on plays from `start` by these steps; `None` when finding them takes more
    /// look-ups of the computed table than `effort`, or much room or time.
    pub fn from(
        &self,
        start: &Bdd,
        steps: &Bdd,
        effort: u64,
        limits: &Limits,
    ) -> Result<Option<Bdd>> {
        let search = || self.search(start, steps, effort);
        ROOM.search(start.manager(), limits, search)
    }

    fn search(&self, start: &Bdd, steps: &Bdd, effort: u64) -> Result<Option<Bdd>> {
        let lookups = || start.manager().statistics().cache_lookups;
        let last = lookups().saturating_add(effort);
        let mut reached = start.clone();
        let mut frontier = start.clone();
        while !frontier.is_zero() {
            if lookups() > last {
                return Ok(None);
            }
            let after = self.clusters.after(&frontier.and(steps)?)?;
            let after = after.compose(&self.back_to_present)?;
            frontier = after.minus(&reached)?;
            reached = reached.or(&after)?;
        }
        Ok(Some(reached))
    }
}
