//! The fewest signals from which a function can be computed.
//!
//! A function that must be true on one set of points and false on another can be computed
//! from some signals exactly if no point of the one looks like a point of the other. Two
//! points that look alike to a proposal show which signals could tell them apart; a next
//! proposal must have one of these. So the proposals are cheapest hitting sets of the
//! pairs found so far, and the first one that no pair refutes is the best of all.

use super::extract::{Requirement, Signal};
use crate::bdd::{Bdd, Result, Variable};
use std::collections::HashMap;

/// Proposals are not refined beyond this many signals.
pub const MOST_SIGNALS: usize = 10;
/// Steps of one search for a hitting set before it settles for a good one.
const SEARCH_STEPS: usize = 20_000;

/// Positions of the signals of the cheapest support that is not among `excluded`; `None` if
/// the signals do not suffice, or only too many of them do.
pub fn cheapest_support(
    requirement: &Requirement,
    signals: &[Signal],
    excluded: &[Vec<usize>],
) -> Result<Option<Vec<usize>>> {
    let mut pairs: Vec<Vec<usize>> = Vec::new();
    loop {
        let Some(proposal) = hitting_set(&pairs, signals, excluded) else {
            return Ok(None);
        };
        if proposal.len() > MOST_SIGNALS {
            return Ok(None);
        }
        let Some((left, right)) = find_conflict(requirement, signals, &proposal)? else {
            return Ok(Some(proposal));
        };
        let differs = |signal: &Signal| {
            let at = |point: &Point| {
                signal
                    .function
                    .evaluate(|variable| point.get(&variable).copied().unwrap_or(false))
            };
            at(&left) != at(&right)
        };
        let telling: Vec<usize> = (0..signals.len())
            .filter(|&k| differs(&signals[k]))
            .collect();
        if telling.is_empty() {
            return Ok(None);
        }
        pairs.push(telling);
    }
}

type Point = HashMap<Variable, bool>;

/// Two points that the signals do not tell apart though the function must.
fn find_conflict(
    requirement: &Requirement,
    signals: &[Signal],
    chosen: &[usize],
) -> Result<Option<(Point, Point)>> {
    let mut pending = vec![(requirement.on.clone(), requirement.off.clone(), 0)];
    while let Some((on, off, next)) = pending.pop() {
        if on.is_zero() || off.is_zero() {
            continue;
        }
        let Some(&signal) = chosen.get(next) else {
            let point = |set: &Bdd| set.pick_cube().unwrap_or_default().into_iter().collect();
            return Ok(Some((point(&on), point(&off))));
        };
        let function = &signals[signal].function;
        pending.push((on.and(function)?, off.and(function)?, next + 1));
        pending.push((on.minus(function)?, off.minus(function)?, next + 1));
    }
    Ok(None)
}

/// A cheapest set with a signal of each pair.
fn hitting_set(
    pairs: &[Vec<usize>],
    signals: &[Signal],
    excluded: &[Vec<usize>],
) -> Option<Vec<usize>> {
    let mut search = HittingSet {
        pairs,
        signals,
        excluded,
        best: None,
        steps: 0,
    };
    search.extend(&mut Vec::new(), 0);
    search.best.map(|(_, set)| set)
}

struct HittingSet<'a> {
    pairs: &'a [Vec<usize>],
    signals: &'a [Signal],
    excluded: &'a [Vec<usize>],
    best: Option<(usize, Vec<usize>)>,
    steps: usize,
}

impl HittingSet<'_> {
    fn extend(&mut self, chosen: &mut Vec<usize>, cost: usize) {
        self.steps += 1;
        let patience = if self.best.is_some() { 1 } else { 10 };
        let too_long = self.steps > patience * SEARCH_STEPS;
        if too_long || self.best.as_ref().is_some_and(|(best, _)| cost >= *best) {
            return;
        }
        let open = self
            .pairs
            .iter()
            .filter(|pair| !pair.iter().any(|k| chosen.contains(k)));
        let candidates: Vec<usize> = match open.min_by_key(|pair| pair.len()) {
            Some(pair) => pair.clone(),
            None => {
                let mut set = chosen.clone();
                set.sort_unstable();
                if !self.excluded.contains(&set) {
                    self.best = Some((cost, set));
                    return;
                }
                // A set that was offered before: any signal more makes another one.
                (0..self.signals.len())
                    .filter(|k| !chosen.contains(k))
                    .collect()
            }
        };
        if chosen.len() == MOST_SIGNALS {
            return;
        }
        for signal in candidates {
            chosen.push(signal);
            self.extend(chosen, cost + self.signals[signal].cost);
            chosen.pop();
        }
    }
}
