//! The states that plays visit if the system keeps to chosen functions, goal by goal.
//!
//! What functions do elsewhere does not matter, so they can be smaller. The search is given
//! little room: where it would cost more, nothing is known and nothing is lost.

use crate::bdd::{Bdd, Error, Limits, Result, Variable, VariableSet};
use crate::game::gr1::{Bit, Rules};
use crate::spec::gr1::Player;

/// How many more nodes there may be while states are searched.
const ROOM: usize = 500_000;
/// How many look-ups of the computed table the search may take.
const EFFORT: u64 = 30_000_000;
/// Clusters are joined up to this many nodes.
const CLUSTER_SIZE: usize = 2_000;

/// Functions of the system's bits, over what they read.
pub struct Chosen<'a> {
    pub bits: &'a [Bit],
    /// In the first step, over first values of the environment.
    pub first: &'a [Bdd],
    /// For each goal, over the last step and next values of the environment.
    pub later: &'a [Vec<Bdd>],
    /// Moves of the environment that count.
    pub legal: &'a Bdd,
}

/// For each goal the states in which it is worked for; `None` if finding out takes long.
pub fn visited(
    rules: &Rules<'_>,
    chosen: &Chosen<'_>,
    limits: &Limits,
) -> Result<Option<Vec<Bdd>>> {
    let manager = rules.manager().clone();
    let nodes = manager.statistics().nodes + ROOM;
    let nodes = limits.nodes.map_or(nodes, |limit| limit.min(nodes));
    manager.set_limits(Limits {
        nodes: Some(nodes),
        ..limits.clone()
    });
    let found = search(rules, chosen);
    manager.set_limits(limits.clone());
    match found {
        Err(Error::Nodes) => Ok(None),
        found => found,
    }
}

fn search(rules: &Rules<'_>, chosen: &Chosen<'_>) -> Result<Option<Vec<Bdd>>> {
    let manager = rules.manager();
    let encoding = rules.encoding();
    let effort = manager.statistics().cache_lookups;
    let mut start = rules.initial_assumption().clone();
    for (bit, function) in chosen.bits.iter().zip(chosen.first) {
        start = start.and(&manager.literal(bit.now)?.iff(function)?)?;
    }
    let now: Vec<Variable> = [Player::Environment, Player::System]
        .into_iter()
        .flat_map(|player| encoding.bits_of(player))
        .map(|bit| bit.now)
        .collect();
    let mut images = Vec::new();
    for functions in chosen.later {
        images.push(Image::new(rules, chosen, functions, &now)?);
    }
    let count = images.len();
    let mut reached = vec![manager.zero(); count];
    let mut new = vec![manager.zero(); count];
    new[0] = start;
    while let Some(goal) = (0..count).find(|goal| !new[*goal].is_zero()) {
        let states = std::mem::replace(&mut new[goal], manager.zero());
        reached[goal] = reached[goal].or(&states)?;
        let met = states.and(&rules.goals[goal].states)?;
        let rest = states.minus(&met)?;
        for (from, to) in [(met, (goal + 1) % count), (rest, goal)] {
            let next = encoding.to_now(&images[goal].of(&from)?)?;
            let next = next.minus(&reached[to])?;
            new[to] = new[to].or(&next)?;
        }
        if manager.statistics().cache_lookups - effort > EFFORT {
            return Ok(None);
        }
    }
    Ok(Some(reached))
}

/// The steps for one goal, in clusters; values of the last step are quantified as soon as no
/// later cluster has them [BCL94].
struct Image {
    clusters: Vec<(Bdd, VariableSet)>,
    unused: VariableSet,
}

impl Image {
    fn new(
        rules: &Rules<'_>,
        chosen: &Chosen<'_>,
        functions: &[Bdd],
        now: &[Variable],
    ) -> Result<Image> {
        let manager = rules.manager();
        let mut relations = vec![chosen.legal.clone()];
        for (bit, function) in chosen.bits.iter().zip(functions) {
            let bit = manager.literal(bit.next)?.iff(function)?;
            match relations.last_mut() {
                Some(last) if last.size() + bit.size() <= CLUSTER_SIZE => *last = last.and(&bit)?,
                _ => relations.push(bit),
            }
        }
        let mut left = now.to_vec();
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
        Ok(Image {
            clusters,
            unused: manager.set(&left)?,
        })
    }

    /// The states after the given ones, as next values.
    fn of(&self, states: &Bdd) -> Result<Bdd> {
        let mut result = states.exists(&self.unused)?;
        for (relation, last_seen) in &self.clusters {
            result = result.and_exists(relation, last_seen)?;
        }
        Ok(result)
    }
}
