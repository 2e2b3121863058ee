//! A conjunction of constraints on steps, kept in clusters, with early quantification.
//!
//! `exists v: cluster_1 & ... & cluster_n & target` is computed cluster by cluster; a variable
//! is quantified as soon as no later cluster has it [BCL94]. There are two ways to make the
//! clusters:
//!
//! - [`Relation::new`], for constraints of any form, reorders them greedily: next comes the
//!   constraint that frees most variables and brings fewest new ones along [RAP95].
//! - [`Relation::of_functions`], for one function per next value, keeps the order that is
//!   given, which is that of the variables.

use crate::bdd::{Bdd, Manager, Result, Variable, VariableSet};
use std::collections::{BTreeSet, HashMap};

/// Constraints are joined as long as the result has at most this many nodes.
const JOINED_CONSTRAINTS: usize = 400;
/// Functions are joined as long as they have at most this many nodes together.
const JOINED_FUNCTIONS: usize = 2_000;

pub struct Relation {
    clusters: Vec<Cluster>,
    /// Quantified variables that no cluster has.
    unused: VariableSet,
}

struct Cluster {
    relation: Bdd,
    /// Quantified variables that no later cluster has.
    last_seen: VariableSet,
}

impl Relation {
    /// The conjunction of constraints, in an order that is chosen here.
    pub fn new(manager: &Manager, parts: &[Bdd], quantified: &[Variable]) -> Result<Relation> {
        let set: BTreeSet<Variable> = quantified.iter().copied().collect();
        let clusters = join(manager, ordered(parts, &set))?;
        Relation::of_clusters(manager, clusters, quantified)
    }

    /// The steps of `allowed` in which each of the given next values is that of its function
    /// of present values.
    pub fn of_functions<'a>(
        allowed: &Bdd,
        next: impl IntoIterator<Item = (Variable, &'a Bdd)>,
        quantified: &[Variable],
    ) -> Result<Relation> {
        let manager = allowed.manager();
        let mut clusters = vec![allowed.clone()];
        for (variable, function) in next {
            let bit = manager.literal(variable)?.iff(function)?;
            match clusters.last_mut() {
                Some(last) if last.size() + bit.size() <= JOINED_FUNCTIONS => {
                    *last = last.and(&bit)?;
                }
                _ => clusters.push(bit),
            }
        }
        Relation::of_clusters(manager, clusters, quantified)
    }

    /// Finds out where each quantified variable occurs last.
    fn of_clusters(
        manager: &Manager,
        relations: Vec<Bdd>,
        quantified: &[Variable],
    ) -> Result<Relation> {
        let mut left = quantified.to_vec();
        let mut clusters = Vec::new();
        for relation in relations.into_iter().rev() {
            let support: BTreeSet<Variable> = relation.support().into_iter().collect();
            let (here, rest): (Vec<_>, Vec<_>) = left
                .into_iter()
                .partition(|variable| support.contains(variable));
            left = rest;
            clusters.push(Cluster {
                relation,
                last_seen: manager.set(&here)?,
            });
        }
        clusters.reverse();
        Ok(Relation {
            clusters,
            unused: manager.set(&left)?,
        })
    }

    /// Where there are values of the quantified variables that satisfy the relation and
    /// `target`.
    pub fn exists(&self, target: &Bdd) -> Result<Bdd> {
        let mut result = target.exists(&self.unused)?;
        for cluster in &self.clusters {
            if result.is_zero() {
                break;
            }
            result = result.and_exists(&cluster.relation, &cluster.last_seen)?;
        }
        Ok(result)
    }
}

/// The constraints but for trivial ones, in the order in which they are applied.
fn ordered(parts: &[Bdd], quantified: &BTreeSet<Variable>) -> Vec<Bdd> {
    let mut left: Vec<(BTreeSet<Variable>, &Bdd)> = parts
        .iter()
        .filter(|part| !part.is_one())
        .map(|part| (part.support().into_iter().collect(), part))
        .collect();
    let mut uses: HashMap<Variable, usize> = HashMap::new();
    for (support, _) in &left {
        for variable in support {
            *uses.entry(*variable).or_insert(0) += 1;
        }
    }
    let mut present: BTreeSet<Variable> = quantified.clone();
    let mut result = Vec::new();
    while !left.is_empty() {
        let cost = |support: &BTreeSet<Variable>| {
            let new = support
                .iter()
                .filter(|variable| !present.contains(variable));
            let freed = support
                .iter()
                .filter(|variable| quantified.contains(variable) && uses[variable] == 1);
            (new.count() as i64 - 2 * freed.count() as i64, support.len())
        };
        let costs = left.iter().map(|(support, _)| cost(support));
        let best = costs.enumerate().min_by_key(|(_, cost)| *cost);
        let index = best.map_or(0, |(index, _)| index);
        let (support, part) = left.remove(index);
        for variable in &support {
            if let Some(count) = uses.get_mut(variable) {
                *count -= 1;
            }
        }
        present.extend(support);
        result.push(part.clone());
    }
    result
}

/// Neighbours are joined while the result stays small.
fn join(manager: &Manager, parts: Vec<Bdd>) -> Result<Vec<Bdd>> {
    let mut result = Vec::new();
    let mut open = manager.one();
    for part in parts {
        if open.is_one() {
            open = part;
            continue;
        }
        let joined = open.and(&part)?;
        if joined.size() <= JOINED_CONSTRAINTS {
            open = joined;
        } else {
            result.push(open);
            open = part;
        }
    }
    if !open.is_one() {
        result.push(open);
    }
    Ok(result)
}
