//! A minimal conflict, found from small parts of the specification upwards.
//!
//! Conflicts are usually about one goal and few requirements near it, and the whole
//! specification is the most expensive part to ask about. So ours starts with the
//! guarantees that share outputs with one goal, then with those that share outputs with
//! these, and so on, and minimizes the first part that conflicts [KHB11, Sec. 4.2.5]. The
//! whole specification is asked for last, and what takes a large node budget is put off.

use super::minimize::Minimizer;
use super::oracle::{Element, NODE_BUDGET, Oracle};
use super::subset::Subset;
use super::thin::constraint_shape;
use crate::bdd::Result;
use crate::spec::gr1::{ConstraintId, Kind, VariableId};
use std::collections::{BTreeSet, HashMap};

/// Rings of neighbours around a goal.
const RINGS: usize = 6;

/// Goals of one shape around which rings are looked at; if none conflicts, all parts together
/// have to do.
const ALIKE: usize = 2;

/// A minimal conflict of guarantees, and of outputs if they are components; `None` if the
/// specification is realizable.
pub fn core(
    oracle: &mut Oracle,
    minimizer: Minimizer,
    with_outputs: bool,
) -> Result<Option<Subset>> {
    let base = if with_outputs {
        Subset::new(oracle.size())
    } else {
        oracle.outputs()
    };
    let whole = oracle.whole();
    if let Some(found) = conflict_within(
        oracle,
        minimizer,
        &whole,
        &base,
        &[NODE_BUDGET, 10 * NODE_BUDGET],
    )? {
        return Ok(Some(found));
    }
    if !oracle.conflicts(&whole)? {
        return Ok(None);
    }
    smallest(oracle, minimizer, &whole, &base).map(Some)
}

/// A minimal conflict within some parts that is found with one of the given node budgets, or
/// that an approximation sees if there are none.
pub(super) fn conflict_within(
    oracle: &mut Oracle,
    minimizer: Minimizer,
    within: &Subset,
    base: &Subset,
    node_budgets: &[usize],
) -> Result<Option<Subset>> {
    let mut sets: Vec<Subset> = Vec::new();
    for part in parts(oracle).into_iter().chain([within.clone()]) {
        let part = part.intersection(within).union(base);
        if !sets.contains(&part) {
            sets.push(part);
        }
    }
    // Without a budget for more, the approximation has to do; otherwise it comes first anyway.
    if node_budgets.is_empty() {
        for set in &sets {
            if oracle.refuted(set)? {
                return smallest(oracle, minimizer, set, base).map(Some);
            }
        }
    }
    for node_budget in node_budgets {
        for set in &sets {
            if oracle.conflicts_within(set, *node_budget)? == Some(true) {
                return smallest(oracle, minimizer, set, base).map(Some);
            }
        }
    }
    Ok(None)
}

/// Work that is not worth saving.
const LITTLE_WORK: u64 = 3_000_000;

/// Two searches that prefer other members find other conflicts; the smaller one is easier to
/// understand. What the first has learned mostly makes the second one cheap; where it takes more,
/// the conflict of the first has to do.
fn smallest(
    oracle: &mut Oracle,
    minimizer: Minimizer,
    part: &Subset,
    base: &Subset,
) -> Result<Subset> {
    let before = oracle.work();
    let found = oracle.minimal_conflict(minimizer, part, base)?;
    let work = (oracle.work() - before).max(LITTLE_WORK);
    let other = match minimizer {
        Minimizer::DeltaDebugging => Minimizer::QuickXplain,
        Minimizer::Linear | Minimizer::QuickXplain => return Ok(found),
    };
    let other = oracle.with_work(work, |oracle| oracle.minimal_conflict(other, part, base))?;
    Ok(match other {
        Some(other) if other.len() < found.len() => other,
        _ => found,
    })
}

/// Growing parts, the smallest first: rings around each goal, and safety alone.
fn parts(oracle: &Oracle) -> Vec<Subset> {
    let spec = oracle.spec();
    let outputs = oracle.outputs();
    let is_output = |id: VariableId| oracle.number(Element::Output(id)).is_some();
    let outputs_of = |id: ConstraintId| -> BTreeSet<VariableId> {
        let variables = spec.terms.variables(spec.constraint(id).term);
        let variables = variables.into_iter().map(|(variable, _)| variable);
        variables.filter(|variable| is_output(*variable)).collect()
    };
    let mut goals = Vec::new();
    let mut others = Vec::new();
    for element in oracle.elements_of(&oracle.guarantees()) {
        if let Element::Guarantee(id) = element {
            let list = match spec.constraint(id).kind {
                Kind::Justice => &mut goals,
                Kind::Initial | Kind::Safety => &mut others,
            };
            list.push((id, outputs_of(id)));
        }
    }
    // What conflicts around one of many alike goals mostly does so around each.
    let mut seen: HashMap<String, usize> = HashMap::new();
    goals.retain(|(id, _)| {
        let count = seen.entry(constraint_shape(spec, *id)).or_default();
        *count += 1;
        *count <= ALIKE
    });
    let safety = others.iter().map(|(id, _)| Element::Guarantee(*id));
    let mut parts = vec![oracle.set(safety).union(&outputs)];
    let mut rings: Vec<(ConstraintId, BTreeSet<VariableId>)> = goals;
    for _ in 0..RINGS {
        for (goal, reached) in &mut rings {
            let near: Vec<_> = others
                .iter()
                .filter(|(_, own)| !own.is_disjoint(reached))
                .collect();
            let mut elements = vec![Element::Guarantee(*goal)];
            for (id, own) in near {
                elements.push(Element::Guarantee(*id));
                reached.extend(own);
            }
            elements.extend(reached.iter().map(|id| Element::Output(*id)));
            let part = oracle.set(elements);
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
    }
    parts.sort_by_key(Subset::len);
    parts
}
