//! Steps forward by chosen functions, and little room for searches that use them.
//!
//! The relation between present and next values is kept in clusters of some size, and present
//! values are quantified as soon as no later cluster has them [BCL94]. What a search finds
//! only makes functions smaller, so it is given up where it would cost more than that.

use crate::bdd::{Bdd, Error, Limits, Manager, Result, Variable, VariableSet};
use std::time::{Duration, Instant};

/// Clusters are joined up to this many nodes.
const CLUSTER_SIZE: usize = 2_000;

pub struct Clusters {
    clusters: Vec<(Bdd, VariableSet)>,
    unused: VariableSet,
}

impl Clusters {
    /// For steps that are in `allowed`, with a function of present values for each variable
    /// of a next value.
    pub fn new<'a>(
        allowed: &Bdd,
        next: impl IntoIterator<Item = (Variable, &'a Bdd)>,
        present: &[Variable],
    ) -> Result<Clusters> {
        let manager = allowed.manager();
        let mut relations = vec![allowed.clone()];
        for (variable, function) in next {
            let bit = manager.literal(variable)?.iff(function)?;
            match relations.last_mut() {
                Some(last) if last.size() + bit.size() <= CLUSTER_SIZE => *last = last.and(&bit)?,
                _ => relations.push(bit),
            }
        }
        let mut left = present.to_vec();
        let mut clusters = Vec::new();
        for relation in relations.into_iter().rev() {
            let support = relation.support();
            let (here, rest): (Vec<_>, Vec<_>) = left
                .into_iter()
                .partition(|variable| support.contains(variable));
            left = rest;
            clusters.push((relation, manager.set(&here)?));
        }
        clusters.reverse();
        Ok(Clusters {
            clusters,
            unused: manager.set(&left)?,
        })
    }

    /// What comes after the given states, or steps, as next values.
    pub fn after(&self, states: &Bdd) -> Result<Bdd> {
        let mut result = states.exists(&self.unused)?;
        for (relation, last_seen) in &self.clusters {
            result = result.and_exists(relation, last_seen)?;
        }
        Ok(result)
    }
}

/// How much a search may cost.
pub struct Room {
    /// More than there are.
    pub nodes: usize,
    pub time: Option<Duration>,
}

impl Room {
    /// What a search finds; nothing if that takes more.
    pub fn search<T>(
        &self,
        manager: &Manager,
        limits: &Limits,
        search: impl FnOnce() -> Result<Option<T>>,
    ) -> Result<Option<T>> {
        let nodes = manager.statistics().nodes + self.nodes;
        let end = self.time.map(|time| Instant::now() + time);
        let deadline = match (limits.deadline, end) {
            (Some(own), Some(end)) => Some(own.min(end)),
            (own, end) => own.or(end),
        };
        manager.set_limits(Limits {
            nodes: Some(limits.nodes.map_or(nodes, |own| own.min(nodes))),
            deadline,
            ..limits.clone()
        });
        let found = search();
        manager.set_limits(limits.clone());
        match found {
            Err(Error::Nodes | Error::Deadline) => limits.check().map(|()| None),
            found => found,
        }
    }
}
