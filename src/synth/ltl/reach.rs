//! The states that a strategy leads to.
//!
//! As in `game::image`, with the strategy's own memory among the state: clusters of the
//! relation between present and next values, and present values quantified as soon as no
//! later cluster has them [BCL94].

use crate::bdd::{Bdd, Error, Limits, Manager, Result, Substitution, Variable, VariableSet};
use std::time::{Duration, Instant};

/// How many more nodes there may be while states are searched, and how long that may take: a
/// single step can be dearer than all look-ups that it is worth.
const ROOM: usize = 300_000;
const TIME: Duration = Duration::from_secs(3);

/// Clusters are joined up to this many nodes.
const CLUSTER_SIZE: usize = 2_000;

pub struct Reach {
    clusters: Vec<(Bdd, VariableSet)>,
    unused: VariableSet,
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
        let mut relations: Vec<Bdd> = Vec::new();
        for ((_, function), later) in next.iter().zip(&later) {
            let bit = manager.literal(*later)?.iff(function)?;
            match relations.last_mut() {
                Some(last) if last.size() + bit.size() <= CLUSTER_SIZE => *last = last.and(&bit)?,
                _ => relations.push(bit),
            }
        }
        let mut present = state.clone();
        present.extend(inputs);
        let mut clusters = Vec::new();
        for relation in relations.into_iter().rev() {
            let support = relation.support();
            let (here, rest): (Vec<_>, Vec<_>) = present
                .into_iter()
                .partition(|variable| support.contains(variable));
            present = rest;
            clusters.push((relation, manager.set(&here)?));
        }
        clusters.reverse();
        let pairs: Vec<_> = later.iter().copied().zip(state).collect();
        Ok(Reach {
            clusters,
            unused: manager.set(&present)?,
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
        let manager = start.manager().clone();
        let nodes = manager.statistics().nodes + ROOM;
        let end = Instant::now() + TIME;
        manager.set_limits(Limits {
            nodes: Some(limits.nodes.map_or(nodes, |own| own.min(nodes))),
            deadline: Some(limits.deadline.map_or(end, |own| own.min(end))),
            ..limits.clone()
        });
        let found = self.search(start, steps, effort);
        manager.set_limits(limits.clone());
        match found {
            Err(Error::Nodes | Error::Deadline) => limits.check().map(|()| None),
            found => found,
        }
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
            let mut after = frontier.and(steps)?.exists(&self.unused)?;
            for (cluster, last_seen) in &self.clusters {
                after = after.and_exists(cluster, last_seen)?;
            }
            let after = after.compose(&self.back_to_present)?;
            frontier = after.minus(&reached)?;
            reached = reached.or(&after)?;
        }
        Ok(Some(reached))
    }
}
