//! What starts a change of the order, and what it leaves behind.
//!
//! `sift` looks for a better order and `swap` changes it. Computed results outlive a
//! reordering unless one of their nodes was freed in it.

use super::Kernel;
use super::cache::operation;
use super::collect::Marks;
use super::fault::Fault;
use super::interact::Interaction;
use super::node::{Edge, FREE, Node, VarIndex};
use crate::bdd::limits::{Error, Search};
use std::time::Instant;

/// What a reordering carries along.
pub(super) struct Sifting {
    pub search: Search,
    pub interaction: Interaction,
    /// Slots that were freed, whatever they hold now.
    pub freed: Marks,
    /// Nodes taken out of their table by the swap that is under way.
    pub moving: Vec<u32>,
    pub deadline: Option<Instant>,
}

impl Kernel {
    /// Keeps the variables, which must be on neighbouring levels, together from now on.
    pub fn group(&mut self, variables: &[VarIndex]) {
        self.group_count += 1;
        for &variable in variables {
            self.groups[variable as usize] = Some(self.group_count);
        }
    }

    /// Whether the variables include all others of their groups.
    pub fn contains_groups_of(&self, variables: &[VarIndex]) -> bool {
        let affected = |group: &Option<u32>| {
            let members = variables.iter().map(|&member| self.groups[member as usize]);
            group.is_some() && members.into_iter().any(|other| other == *group)
        };
        let mut members = (0..).zip(&self.groups).filter(|(_, group)| affected(group));
        members.all(|(variable, _)| variables.contains(&variable))
    }

    /// Whether an order of all variables leaves each group as it is.
    pub fn keeps_groups(&self, order: &[VarIndex]) -> bool {
        let together = |pair: &[VarIndex]| {
            let group = self.groups[pair[0] as usize];
            group.is_some() && group == self.groups[pair[1] as usize]
        };
        let bonds = |order: &[VarIndex]| {
            let mut bonds: Vec<[VarIndex; 2]> = order
                .windows(2)
                .filter(|pair| together(pair))
                .map(|pair| [pair[0], pair[1]])
                .collect();
            bonds.sort_unstable();
            bonds
        };
        bonds(order) == bonds(&self.variable_at)
    }

    /// Sifts everything that the search moves once, the largest first.
    pub fn reorder(&mut self, search: Search) -> Result<(), Error> {
        let start = Instant::now();
        let outcome = self.with_reference_counts(|kernel, sifting| {
            sifting.search = search;
            sifting.deadline = kernel.reordering.time_limit.map(|limit| start + limit);
            kernel.sift_all(sifting)
        });
        self.statistics.reorderings += 1;
        self.statistics.seconds_reordering += start.elapsed().as_secs_f64();
        self.distance = 0;
        self.schedule_check();
        outcome
    }

    /// Brings the variables into the given order, which must name each of them once.
    pub fn set_order(&mut self, order: &[VarIndex]) -> Result<(), Error> {
        let outcome = self.with_reference_counts(|kernel, sifting| {
            let mut previous = None;
            for (target, &variable) in order.iter().enumerate() {
                // Giving up in the middle of a group would tear it apart.
                let group = kernel.groups[variable as usize];
                if group.is_none() || group != previous {
                    kernel.poll()?;
                }
                previous = group;
                for level in (target..kernel.level_of(variable)).rev() {
                    kernel.swap(sifting, level)?;
                }
            }
            Ok(())
        });
        self.schedule_check();
        outcome
    }

    /// Sets up what swaps rely on, and brings tables and cache back to their usual state.
    fn with_reference_counts(
        &mut self,
        work: impl FnOnce(&mut Kernel, &mut Sifting) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.collect();
        for node in &mut self.nodes {
            node.clear_references();
        }
        for index in 0..self.nodes.len() {
            let Node { low, high, .. } = self.nodes[index];
            if self.nodes[index].variable() != FREE {
                self.nodes[low.index()].add_reference();
                self.nodes[high.index()].add_reference();
            }
        }
        let needed: Vec<usize> = self.needed().map(Edge::index).collect();
        for index in needed {
            self.nodes[index].add_reference();
        }
        let mut freed = Marks::default();
        freed.reset(self.nodes.len());
        let mut sifting = Sifting {
            search: Search::Plain,
            interaction: self.interaction(),
            freed,
            moving: Vec::new(),
            deadline: None,
        };
        let outcome = work(self, &mut sifting);
        if !self.has(Fault::StaleCache) {
            self.cache.retain(|index| !sifting.freed.is_set(index));
            self.composed
                .retain(|edge, _| !sifting.freed.is_set(edge.index()));
        }
        // The nearest point of a care set is another one now.
        self.cache.forget(operation::CONSTRAIN);
        outcome
    }
}
