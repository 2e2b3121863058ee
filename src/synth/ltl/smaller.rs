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
        let all = Patience::new(time * LONGEST);
        let mut candidates = vec![own];
        let others = alternatives(&circuit, limits, &Patience::new(time), judge);
        let others = others.unwrap_or_default().into_iter();
        candidates.extend(others.map(rewritten_cheaply));
        best = smallest_of(candidates, best, time, &all, judge);
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
    judge: &mut Judge<'_>,
) -> Aig {
    candidates.retain(|candidate| candidate.size() <= MOST_NODES);
    candidates.sort_by_key(Aig::size);
    candidates.dedup();
    let mut begun = Vec::new();
    for candidate in candidates {
        if !all.is_over() && judge.accepts(&candidate) {
            let patience = Patience::new(time / 2);
            let small = polished(candidate, Depth::Simple, &patience, judge);
            begun.push(rewritten_cheaply(small));
        }
    }
    begun.sort_by_key(Aig::size);
    let mut best = begun.first().cloned().unwrap_or(known);
    for candidate in begun {
        if all.is_over() {
            break;
        }
        let small = polished(candidate, Depth::Full, &Patience::new(time), judge);
        let small = rewritten_cheaply(small);
        if small.size() < best.size() {
            best = small;
        }
    }
    wandered(best, all, judge)
}

fn rewritten_cheaply(circuit: Aig) -> Aig {
    let work = REWRITING / circuit.len().max(1);
    rewritten(circuit, work)
}
