//! What of a specification matters for its verdict [CRST08, Sec. 3].
//!
//! For an unrealizable specification: a minimal set of guarantees that cannot be kept with
//! the assumptions that keep it minimal, and a minimal fix with the assumptions that it
//! needs. For a realizable one: assumptions that suffice, with the guarantees that need
//! them. The sets are those of [CRST08, Sec. 4.1].
//!
//! Ours does not remove constraints of the other side one by one. That a set is minimal
//! says one thing for each member, so for each member the constraints that show it are
//! added to those of the members before, and only what is left is minimized one by one.
//! Guarantees that need an assumption are looked for among those kinds first that others need,
//! since the assumptions of several clients are needed for the same kinds, and then near it.
//! Sets of assumptions are given as members of [`Oracle::lacks`], although they are there.

use super::minimize::{Minimizer, minimize};
use super::oracle::{Element, NODE_BUDGET, Oracle};
use super::subset::Subset;
use super::thin::unsigned_shape;
use crate::bdd::Result;
use crate::spec::gr1::{ConstraintId, VariableId};
use std::collections::{BTreeSet, HashMap};

/// Guarantees that cannot be kept together, minimally; all assumptions are there.
pub fn unfulfillable(oracle: &mut Oracle, minimizer: Minimizer) -> Result<Subset> {
    let outputs = oracle.outputs();
    let whole = oracle.whole();
    let conflict = oracle.minimal_conflict(minimizer, &whole, &outputs)?;
    Ok(conflict.minus(&outputs))
}

/// As few assumptions as keep a minimal conflict minimal: with them, the conflict is none
/// without any one of its `members`.
pub fn conflict_assumptions(
    oracle: &mut Oracle,
    minimizer: Minimizer,
    conflict: &Subset,
    members: &Subset,
) -> Result<Subset> {
    let lacks = oracle.lacks();
    let mut needed = Subset::new(oracle.size());
    for member in members.iter() {
        let mut others = conflict.clone();
        others.remove(member);
        needed = needed.union(&sufficient_for(oracle, minimizer, &others, &needed)?);
    }
    let items: Vec<usize> = needed.iter().collect();
    let kept = minimize(Minimizer::Linear, &items, &mut |kept: &[usize]| {
        let missing = lacks.minus(&Subset::of(oracle.size(), kept.iter().copied()));
        for member in members.iter() {
            let mut others = conflict.union(&missing);
            others.remove(member);
            if oracle.conflicts(&others)? {
                return Ok(false);
            }
        }
        Ok(true)
    })?;
    Ok(Subset::of(oracle.size(), kept))
}

/// Assumptions that suffice for the guarantees together with those that are there already.
fn sufficient_for(
    oracle: &mut Oracle,
    minimizer: Minimizer,
    guarantees: &Subset,
    present: &Subset,
) -> Result<Subset> {
    let missing = oracle.lacks().minus(present);
    let set = guarantees.union(&missing);
    if !oracle.conflicts(&set)? {
        return Ok(Subset::new(oracle.size()));
    }
    oracle.minimal_removal(minimizer, &set, &missing)
}

/// Assumptions that suffice for the members of a set that is no conflict, minimally.
pub fn sufficient(oracle: &mut Oracle, minimizer: Minimizer, set: &Subset) -> Result<Subset> {
    let present = Subset::new(oracle.size());
    sufficient_for(oracle, minimizer, set, &present)
}

/// As few guarantees as need all of the minimally sufficient assumptions.
pub fn needing_guarantees(
    oracle: &mut Oracle,
    minimizer: Minimizer,
    assumptions: &Subset,
) -> Result<Subset> {
    let (outputs, lacks) = (oracle.outputs(), oracle.lacks());
    let missing = lacks.minus(assumptions);
    let mut needed = Subset::new(oracle.size());
    let rings: HashMap<usize, Vec<Subset>> = assumptions
        .iter()
        .map(|assumption| (assumption, neighbours(oracle, assumption)))
        .collect();
    // For which assumption a guarantee was added.
    let mut reasons: HashMap<usize, usize> = HashMap::new();
    for assumption in assumptions.iter() {
        // The guarantees that are there already are no part of the game: with many of them it
        // is expensive. They are only preferred.
        let mut base = outputs.union(&missing);
        base.insert(assumption);
        if oracle.conflicts_within(&base.union(&needed), NODE_BUDGET)? == Some(true) {
            continue;
        }
        let mut within = oracle.whole();
        let mut guesses = rings[&assumption].clone();
        let alike = of_the_same_shapes(oracle, &needed);
        guesses.extend(guesses.first().map(|nearest| nearest.union(&alike)));
        guesses.push(alike);
        // The fewer there are, the smaller is the game, and what is to be minimized after it.
        guesses.sort_by_key(Subset::len);
        for guess in &guesses {
            if oracle.conflicts_within(&guess.union(&base), 10 * NODE_BUDGET)? == Some(true) {
                within = guess.clone();
                break;
            }
        }
        let found = oracle.conflict_preferring(minimizer, &within, &base, &needed)?;
        let conflict = found.minus(&base).minus(&needed);
        reasons.extend(conflict.iter().map(|guarantee| (guarantee, assumption)));
        needed = needed.union(&conflict);
    }
    let changes = needed.iter().filter_map(|guarantee| {
        let reason = reasons.get(&guarantee)?;
        Some(vec![guarantee, *reason])
    });
    oracle.learn_changes(&outputs.union(&missing).union(&needed), changes.collect())?;
    let mut kept = needed.clone();
    for guarantee in needed.iter() {
        let mut rest = kept.clone();
        rest.remove(guarantee);
        // One assumption that is not needed any more is enough to keep the guarantee, and
        // that for which it was added is the first to ask.
        let reason = reasons.get(&guarantee).copied();
        let others = assumptions.iter().filter(|one| Some(*one) != reason);
        let mut is_needed = false;
        for assumption in reason.into_iter().chain(others) {
            let mut base = outputs.union(&missing);
            base.insert(assumption);
            let conflicts = match Some(assumption) == reason {
                // Mostly not, so nothing is to be found nearby.
                true => oracle.conflicts(&base.union(&rest))?,
                false => conflicts_near(oracle, &rest, &base, &rings[&assumption])?,
            };
            if !conflicts {
                is_needed = true;
                break;
            }
        }
        if !is_needed {
            kept = rest;
        }
    }
    Ok(kept)
}

/// Whether some members conflict together with a base. Conflicts among those that are near are
/// cheap to find, and since they are small they answer many other questions.
fn conflicts_near(
    oracle: &mut Oracle,
    members: &Subset,
    base: &Subset,
    rings: &[Subset],
) -> Result<bool> {
    let all = base.union(members);
    if let Some(known) = oracle.known(&all) {
        return Ok(known);
    }
    for near in rings {
        let near = near.intersection(members).union(base);
        if 2 * near.minus(base).len() < members.len()
            && oracle.conflicts_within(&near, NODE_BUDGET)? == Some(true)
        {
            return Ok(true);
        }
    }
    oracle.conflicts(&all)
}

/// The guarantees of which each differs from some of the given ones in variables and negations
/// only.
fn of_the_same_shapes(oracle: &Oracle, guarantees: &Subset) -> Subset {
    let shape = |number: usize| match oracle.element(number) {
        Element::Guarantee(id) => Some(unsigned_shape(oracle.spec(), id)),
        Element::Output(_) | Element::Lack(_) => None,
    };
    let shapes: BTreeSet<String> = guarantees.iter().filter_map(shape).collect();
    let all = oracle.guarantees();
    let same = all
        .iter()
        .filter(|number| shape(*number).is_some_and(|one| shapes.contains(&one)));
    Subset::of(oracle.size(), same)
}

/// Guarantees that share variables with a missing assumption, then those that share
/// variables with these, and so on.
fn neighbours(oracle: &Oracle, lack: usize) -> Vec<Subset> {
    let spec = oracle.spec();
    let variables = |id: ConstraintId| -> BTreeSet<VariableId> {
        let found = spec.terms.variables(spec.constraint(id).term);
        found.into_iter().map(|(variable, _)| variable).collect()
    };
    let mut reached = match oracle.element(lack) {
        Element::Lack(id) => variables(id),
        Element::Guarantee(_) | Element::Output(_) => BTreeSet::new(),
    };
    let guarantees: Vec<(usize, BTreeSet<VariableId>)> = oracle
        .guarantees()
        .iter()
        .filter_map(|number| match oracle.element(number) {
            Element::Guarantee(id) => Some((number, variables(id))),
            Element::Output(_) | Element::Lack(_) => None,
        })
        .collect();
    let mut rings: Vec<Subset> = Vec::new();
    loop {
        let near = guarantees
            .iter()
            .filter(|(_, own)| !own.is_disjoint(&reached));
        let near: Vec<&(usize, BTreeSet<VariableId>)> = near.collect();
        let ring = Subset::of(oracle.size(), near.iter().map(|(number, _)| *number));
        if rings.last() == Some(&ring) {
            return rings;
        }
        rings.push(ring);
        reached.extend(near.iter().flat_map(|(_, own)| own.iter().copied()));
    }
}

/// A minimal set of guarantees without which the specification is realizable, found by
/// leaving out one of each conflict that is met.
pub fn minimal_fix(oracle: &mut Oracle, minimizer: Minimizer) -> Result<Subset> {
    let outputs = oracle.outputs();
    let mut rest = oracle.whole();
    let mut removed = Subset::new(oracle.size());
    while oracle.conflicts(&rest)? {
        let conflict = oracle.minimal_conflict(minimizer, &rest, &outputs)?;
        // The last one is often the one that was added last.
        let Some(member) = conflict.minus(&outputs).iter().last() else {
            break;
        };
        rest.remove(member);
        removed.insert(member);
    }
    let whole = oracle.whole();
    let items: Vec<usize> = removed.iter().collect();
    let size = oracle.size();
    let kept = minimize(Minimizer::Linear, &items, &mut |removed: &[usize]| {
        let rest = whole.minus(&Subset::of(size, removed.iter().copied()));
        Ok(!oracle.conflicts(&rest)?)
    })?;
    Ok(Subset::of(size, kept))
}

/// Assumptions without any one of which a realizable specification stays so.
pub fn unhelpful_assumptions(oracle: &mut Oracle) -> Result<Subset> {
    let whole = oracle.whole();
    let verdict = oracle.conflicts(&whole)?;
    let mut unhelpful = Subset::new(oracle.size());
    for assumption in oracle.lacks().iter() {
        let mut without = whole.clone();
        without.insert(assumption);
        if oracle.conflicts(&without)? == verdict {
            unhelpful.insert(assumption);
        }
    }
    Ok(unhelpful)
}
