//! Forward steps: the states that a set of steps leads to.
//!
//! The next value of each latch gets a variable of its own, next to the latch's, and the
//! relation between them is kept in clusters. Variables of the present are quantified as
//! soon as no later cluster has them [BCL94].

use super::encode::Game;
use crate::bdd::{Bdd, Result, Substitution, Variable, VariableSet};

/// Clusters are joined up to this many nodes.
const CLUSTER_SIZE: usize = 2_000;

pub struct Image {
    clusters: Vec<Cluster>,
    /// Variables of the present that no cluster has.
    unused: VariableSet,
    back_to_present: Substitution,
}

struct Cluster {
    relation: Bdd,
    /// Variables of the present that no later cluster has.
    last_seen: VariableSet,
}

impl Image {
    pub fn new(game: &Game) -> Result<Image> {
        let manager = game.manager();
        let state = game.state();
        let next = manager.new_variables(state.len())?;
        let mut order = Vec::new();
        for variable in manager.order() {
            if next.contains(&variable) {
                continue;
            }
            order.push(variable);
            if let Some(position) = state.iter().position(|present| *present == variable) {
                order.push(next[position]);
            }
        }
        manager.set_order(&order)?;

        let mut relations: Vec<Bdd> = Vec::new();
        for (position, (_, function)) in game.next_functions().iter().enumerate() {
            let bit = manager.literal(next[position])?.iff(function)?;
            match relations.last_mut() {
                Some(last) if last.size() + bit.size() <= CLUSTER_SIZE => *last = last.and(&bit)?,
                _ => relations.push(bit),
            }
        }
        let mut present: Vec<Variable> = game.leaf_variables().collect();
        present.retain(|variable| !game.rigid().contains(variable));
        let mut clusters = Vec::new();
        for relation in relations.into_iter().rev() {
            let support = relation.support();
            let (here, rest): (Vec<_>, Vec<_>) = present
                .into_iter()
                .partition(|variable| support.contains(variable));
            present = rest;
            clusters.push(Cluster {
                relation,
                last_seen: manager.set(&here)?,
            });
        }
        clusters.reverse();
        let pairs: Vec<_> = next.iter().copied().zip(state.iter().copied()).collect();
        Ok(Image {
            clusters,
            unused: manager.set(&present)?,
            back_to_present: manager.renaming(&pairs)?,
        })
    }

    /// The states after the given steps.
    pub fn of(&self, steps: &Bdd) -> Result<Bdd> {
        let mut result = steps.exists(&self.unused)?;
        for cluster in &self.clusters {
            result = result.and_exists(&cluster.relation, &cluster.last_seen)?;
        }
        result.compose(&self.back_to_present)
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
