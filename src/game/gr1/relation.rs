//! A conjunction of constraints on steps, kept in parts.
//!
//! `exists v: part_1 & ... & part_n & states` is computed part by part; a variable is
//! quantified as soon as no later part has it. Small parts are joined first, so that there
//! are few of them, and the order of parts is chosen greedily: next comes the part that
//! frees most variables and brings fewest new ones along [RAP95].

use crate::bdd::{Bdd, Manager, Result, Variable, VariableSet};
use std::collections::{BTreeSet, HashMap};

/// Parts are joined as long as the result has at most this many nodes.
const CLUSTER: usize = 400;

pub struct Relation {
    parts: Vec<Step>,
    /// Variables of no part.
    first: VariableSet,
}

struct Step {
    part: Bdd,
    /// What no later part has.
    done: VariableSet,
}

impl Relation {
    pub fn new(manager: &Manager, parts: &[Bdd], quantified: &[Variable]) -> Result<Relation> {
        let quantified: BTreeSet<Variable> = quantified.iter().copied().collect();
        let parts = cluster(manager, ordered(parts, &quantified))?;
        let supports: Vec<BTreeSet<Variable>> = parts
            .iter()
            .map(|part| part.support().into_iter().collect())
            .collect();
        let mut steps = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            let later = &supports[index + 1..];
            let done: Vec<Variable> = supports[index]
                .iter()
                .copied()
                .filter(|variable| quantified.contains(variable))
                .filter(|variable| !later.iter().any(|support| support.contains(variable)))
                .collect();
            steps.push(Step {
                part: part.clone(),
                done: manager.set(&done)?,
            });
        }
        let first: Vec<Variable> = quantified
            .into_iter()
            .filter(|variable| !supports.iter().any(|support| support.contains(variable)))
            .collect();
        Ok(Relation {
            parts: steps,
            first: manager.set(&first)?,
        })
    }

    /// Where there are values of the quantified variables that satisfy all parts and `target`.
    pub fn exists(&self, target: &Bdd) -> Result<Bdd> {
        let mut result = target.exists(&self.first)?;
        for step in &self.parts {
            if result.is_zero() {
                break;
            }
            result = result.and_exists(&step.part, &step.done)?;
        }
        Ok(result)
    }
}

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

fn cluster(manager: &Manager, parts: Vec<Bdd>) -> Result<Vec<Bdd>> {
    let mut result = Vec::new();
    let mut open = manager.one();
    for part in parts {
        if open.is_one() {
            open = part;
            continue;
        }
        let joined = open.and(&part)?;
        if joined.size() <= CLUSTER {
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
