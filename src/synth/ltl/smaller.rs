//! A controller made smaller: several circuits for it, and the smallest that comes of them.
//!
//! The circuit itself, and its states in several codings after states have been merged, are
//! rewritten and polished a little. Then they are polished thoroughly, the smallest first, as
//! long as there is time, and the best of them goes on by chance.

use super::aig::Aig;
use super::judge::Judge;
use super::merge::alternatives;
use super::patience::Patience;
use super::polish::{Depth, polished, wandered};
use super::rewrite::rewritten;
use super::tidy::{size, tidied};
use crate::bdd::Limits;
use crate::design::Design;
use std::time::Duration;

/// Circuits with more gates and latches take too long to ask about.
const MOST_NODES: usize = 700;
/// Those with more are not even rewritten.
const MOST_REWRITTEN: usize = 20_000;
/// How many nodes may be looked at while a circuit is rewritten.
const REWRITING: usize = 1_000_000;
/// All that is done takes at most so many times the given time, and a little more.
const LONGEST: u32 = 5;

/// A circuit that the judge accepts, if it accepts the given one.
pub fn smaller(circuit: Design, time: Duration, limits: &Limits, judge: &mut Judge<'_>) -> Design {
    let own = Aig::of_design(&circuit).filter(|own| own.size() <= MOST_REWRITTEN);
    let Some(own) = own.map(rewritten_cheaply) else {
        return circuit;
    };
    let mut best = own.clone();
    if (1..=MOST_NODES).contains(&own.size()) {
        let all = Patience::new(time * LONGEST, limits);
        let mut candidates = vec![own];
        let merging = Patience::new(time, limits);
        let others = alternatives(&circuit, limits, &merging, judge);
        let others = others.unwrap_or_default().into_iter();
        candidates.extend(others.map(rewritten_cheaply));
        let limited = |time: Duration| Patience::new(time, limits);
        best = smallest_of(candidates, best, time, &all, &limited, judge);
    }
    let best = tidied(&judge.design(&best));
    if size(&best) < size(&circuit) {
        best
    } else {
        circuit
    }
}

/// The smallest circuit that comes of some candidates, or the one that is known.
fn smallest_of(
    mut candidates: Vec<Aig>,
    known: Aig,
    time: Duration,
    all: &Patience,
    limited: &dyn Fn(Duration) -> Patience,
    judge: &mut Judge<'_>,
) -> Aig {
    candidates.retain(|candidate| candidate.size() <= MOST_NODES);
    candidates.sort_by_key(Aig::size);
    candidates.dedup();
    let mut begun: Vec<Aig> = Vec::new();
    for candidate in candidates {
        // What is much larger does not get smaller than the others in the time there is.
        let smallest = begun.iter().map(Aig::size).min();
        if smallest.is_some_and(|smallest| candidate.size() > 3 * smallest + 20) {
            continue;
        }
        if !all.is_over() && judge.accepts(&candidate) {
            let small = polished(candidate, Depth::Simple, &limited(time / 2), judge);
            begun.push(rewritten_cheaply(small));
        }
    }
    if begun.is_empty() {
        // Questions take too long.
        return known;
    }
    begun.sort_by_key(Aig::size);
    let first = begun.first().filter(|first| first.size() < known.size());
    let mut best = first.cloned().unwrap_or(known);
    for candidate in begun {
        if all.is_over() {
            break;
        }
        let small = polished(candidate, Depth::Full, &limited(time), judge);
        let small = rewritten_cheaply(small);
        if small.size() < best.size() {
            best = small;
        }
    }
    if all.is_over() {
        return best;
    }
    wandered(best, &limited(time), judge)
}

fn rewritten_cheaply(circuit: Aig) -> Aig {
    let work = REWRITING / circuit.len().max(1);
    rewritten(circuit, work)
}
