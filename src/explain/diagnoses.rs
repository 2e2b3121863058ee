//! All minimal conflicts, and all minimal ways to resolve them, smallest first.
//!
//! A diagnosis is a minimal set of guarantees and outputs without which the specification is
//! realizable; diagnoses are the minimal hitting sets of the conflicts. They are found with
//! a hitting-set tree [KHB11, Sec. 4.2.4], level by level. Ours keeps the sets of a level
//! without the tree above them: a set that was seen is not looked at again.
//!
//! Who asks about sets of parts is left open: games of GR(1) specifications here, and those of any
//! LTL in `ltl/diagnoses.rs`.
//!
//! Invariant: every diagnosis that is not listed yet contains a set of the current level, or one
//! about which a question stayed open.

use super::core::conflict_within;
use super::minimize::Minimizer;
use super::oracle::{LARGE_NODE_BUDGET, NODE_BUDGET, Oracle};
use super::subset::Subset;
use crate::bdd::{Error, Result};
use std::collections::BTreeSet;

/// Where the search ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// So many diagnoses are enough.
    pub diagnoses: usize,
    /// Diagnoses of more members are not looked for.
    pub size: usize,
    /// So many minimal conflicts are enough.
    pub conflicts: usize,
}

impl Bounds {
    /// Those of explanations: a list that can be read, or everything.
    pub fn of_explanations(everything: bool) -> Bounds {
        let (few, size) = match everything {
            true => (usize::MAX, usize::MAX),
            false => (20, 2),
        };
        Bounds {
            diagnoses: few,
            size,
            conflicts: few,
        }
    }
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            diagnoses: 50,
            size: 2,
            conflicts: 50,
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnoses {
    /// Minimal conflicts in the order in which they were found.
    pub conflicts: Vec<Subset>,
    /// In order of size.
    pub diagnoses: Vec<Subset>,
    /// Sets about which it stayed open whether they are diagnoses.
    pub open: Vec<Subset>,
    /// Why there may be more.
    pub unfinished: Option<Unfinished>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfinished {
    /// All diagnoses up to this size are there.
    Size(usize),
    /// Enough were found.
    Count,
    Stopped(Error),
}

/// The conflicts and diagnoses of an unrealizable specification, over the members of
/// `components`; other parts stay as they are.
pub fn diagnose(
    oracle: &mut Oracle,
    minimizer: Minimizer,
    components: &Subset,
    bounds: Bounds,
) -> Diagnoses {
    let mut found = Diagnoses::default();
    if let Err(error) = search(oracle, minimizer, components, bounds, &mut found) {
        found.unfinished = Some(Unfinished::Stopped(error));
    }
    found
}

/// The members of a conflict without any one of which the whole specification is realizable:
/// the diagnoses of one member, each told to `found` when it is known. That takes one
/// question for each member, and no other conflicts. The hardest ones are put off.
pub fn single_faults(
    oracle: &mut Oracle,
    conflict: &Subset,
    found: &mut dyn FnMut(usize),
) -> Result<()> {
    let whole = oracle.whole();
    oracle.learn_without_each(&whole, conflict)?;
    let mut hard = Vec::new();
    // How often it is worth looking for outputs that need not change.
    let mut tries = 2;
    for member in conflict.iter() {
        let mut rest = whole.clone();
        rest.remove(member);
        if oracle.conflicts_while_frozen(&rest)? {
            continue;
        }
        if oracle.wins_while_frozen(&rest, &[])? {
            found(member);
            continue;
        }
        let mut answer = None;
        if tries > 0 {
            answer = oracle.conflicts_within(&rest, 10 * NODE_BUDGET)?;
            if answer.is_none() {
                tries -= 1;
                let wins = oracle.wins_while_frozen(&rest, &[NODE_BUDGET, 10 * NODE_BUDGET])?;
                answer = wins.then_some(false);
            }
        }
        if answer.is_none() {
            answer = oracle.conflicts_within(&rest, LARGE_NODE_BUDGET)?;
        }
        match answer {
            Some(true) => {}
            Some(false) => found(member),
            None => hard.push((member, rest)),
        }
    }
    for (member, rest) in hard {
        if !oracle.conflicts_after_all(&rest)? {
            found(member);
        }
    }
    Ok(())
}

/// What is left of a specification without some of its parts.
pub(super) enum Rest {
    Realizable,
    /// A minimal conflict in it.
    Conflict(Subset),
    /// Neither could be shown.
    Open,
}

fn search(
    oracle: &mut Oracle,
    minimizer: Minimizer,
    components: &Subset,
    bounds: Bounds,
    found: &mut Diagnoses,
) -> Result<()> {
    let whole = oracle.whole();
    let fixed = whole.minus(components);
    let start = Subset::new(oracle.size());
    hitting_sets(start, &fixed, bounds, found, &mut |set| {
        let rest = whole.minus(set);
        let near = conflict_within(oracle, minimizer, &rest, &fixed, &[])?;
        let is_seen = near.is_some() || oracle.conflicts_while_frozen(&rest)?;
        if !is_seen && !oracle.conflicts(&rest)? {
            return Ok(Rest::Realizable);
        }
        Ok(Rest::Conflict(match near {
            Some(conflict) => conflict,
            None => oracle.minimal_conflict(minimizer, &rest, &fixed)?,
        }))
    })
}

/// Minimal sets without which nothing conflicts, from the empty set on, level by level; `rest` is
/// asked what is left without a set. Members of `fixed` are in no diagnosis.
pub(super) fn hitting_sets(
    empty: Subset,
    fixed: &Subset,
    bounds: Bounds,
    found: &mut Diagnoses,
    rest: &mut dyn FnMut(&Subset) -> Result<Rest>,
) -> Result<()> {
    let mut level: BTreeSet<Subset> = BTreeSet::from([empty]);
    for size in 0.. {
        let mut next = BTreeSet::new();
        for set in level {
            if found.diagnoses.iter().any(|one| one.is_subset_of(&set)) {
                continue;
            }
            let known = found.conflicts.iter().find(|one| !one.intersects(&set));
            let conflict = match known {
                Some(conflict) => conflict.clone(),
                None => match rest(&set)? {
                    Rest::Realizable => {
                        found.diagnoses.push(set);
                        if found.diagnoses.len() == bounds.diagnoses {
                            found.unfinished = Some(Unfinished::Count);
                            return Ok(());
                        }
                        continue;
                    }
                    Rest::Open => {
                        found.open.push(set);
                        continue;
                    }
                    Rest::Conflict(conflict) => {
                        found.conflicts.push(conflict.clone());
                        if found.conflicts.len() == bounds.conflicts {
                            found.unfinished = Some(Unfinished::Count);
                            return Ok(());
                        }
                        conflict
                    }
                },
            };
            for member in conflict.minus(fixed).iter() {
                let mut larger = set.clone();
                larger.insert(member);
                next.insert(larger);
            }
        }
        if next.is_empty() {
            return Ok(());
        }
        if size == bounds.size {
            found.unfinished = Some(Unfinished::Size(bounds.size));
            return Ok(());
        }
        level = next;
    }
    Ok(())
}
