//! States that cannot occur, found by looking at a few variables at a time.
//!
//! Variables whose next values some constraint ties together are a group; a group is
//! followed from its first values, by the constraints on its own next values, with
//! everything else left open. The codes of an automaton that stand for no state, for example,
//! are never reached, and with them out of the way its next state is determined
//! (`steps`). This is the machine-by-machine approximation of [CHM96].
//!
//! Invariant: each play that keeps the safety constraints of both sides stays in the states
//! that are found. It is cheap, since a group is small and its steps are a small diagram.

use super::encode::{Bit, Encoding};
use super::steps::Laws;
use crate::bdd::{Bdd, Result, Variable};
use crate::spec::gr1::Player;
use std::collections::{BTreeMap, HashMap};

/// A constraint on more next values than this ties nothing together, and larger groups are
/// not looked at.
const MOST_TIED: usize = 4;
const LARGEST_GROUP: usize = 10;

/// States that contain all that plays from the first ones come to.
pub(super) fn invariant(encoding: &Encoding, laws: &Laws, first: &Bdd) -> Result<Bdd> {
    let players = [Player::Environment, Player::System];
    let bits: Vec<Bit> = players
        .into_iter()
        .flat_map(|player| encoding.bits_of(player))
        .collect();
    let index_of: HashMap<Variable, usize> = bits
        .iter()
        .enumerate()
        .map(|(index, bit)| (bit.next, index))
        .collect();
    // For each constraint, whose next values it speaks of.
    let parts: Vec<(Vec<usize>, &Bdd)> = laws
        .assumed
        .iter()
        .chain(&laws.guaranteed)
        .map(|part| {
            let support = part.support().into_iter();
            let spoken = support.filter_map(|one| index_of.get(&one).copied());
            (spoken.collect(), part)
        })
        .collect();
    let leaving = laws.assumed_now.and(&laws.guaranteed_now)?;
    let mut known = encoding.manager().one();
    for group in groups(bits.len(), &parts) {
        let own = |spoken: &[usize]| {
            let mut within = spoken.iter().map(|index| group.contains(index));
            !spoken.is_empty() && within.all(|is_within| is_within)
        };
        let steps = parts.iter().filter(|(spoken, _)| own(spoken));
        let steps: Vec<&Bdd> = steps.map(|(_, part)| *part).collect();
        if steps.is_empty() {
            continue;
        }
        let group: Vec<Bit> = group.iter().map(|index| bits[*index]).collect();
        known = known.and(&follow(encoding, &group, &steps, first, &leaving)?)?;
    }
    Ok(known)
}

/// The values that a group can come to from its first ones, by steps from `leaving`.
fn follow(
    encoding: &Encoding,
    group: &[Bit],
    constraints: &[&Bdd],
    first: &Bdd,
    leaving: &Bdd,
) -> Result<Bdd> {
    let manager = encoding.manager();
    let own = |variable: &Variable| {
        let mut bits = group.iter();
        bits.any(|bit| bit.now == *variable || bit.next == *variable)
    };
    let projected = |function: &Bdd| {
        let mut others = function.support();
        others.retain(|variable| !own(variable));
        function.exists(&manager.set(&others)?)
    };
    let mut steps = leaving.clone();
    for constraint in constraints {
        steps = steps.and(constraint)?;
    }
    let steps = projected(&steps)?;
    let now = encoding.now_set(group)?;
    let mut reached = projected(first)?;
    loop {
        let next = encoding.to_now(&steps.and_exists(&reached, &now)?)?;
        if next.is_subset_of(&reached)? {
            return Ok(reached);
        }
        reached = reached.or(&next)?;
    }
}

/// Classes of what constraints tie together.
fn groups(count: usize, parts: &[(Vec<usize>, &Bdd)]) -> Vec<Vec<usize>> {
    let mut class: Vec<usize> = (0..count).collect();
    for (spoken, _) in parts {
        if spoken.len() > MOST_TIED {
            continue;
        }
        for pair in spoken.windows(2) {
            let (from, to) = (class[pair[0]], class[pair[1]]);
            for one in &mut class {
                if *one == from {
                    *one = to;
                }
            }
        }
    }
    let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (index, one) in class.into_iter().enumerate() {
        members.entry(one).or_default().push(index);
    }
    // A single bit hardly ever has one value only.
    let small = |group: &Vec<usize>| (2..=LARGEST_GROUP).contains(&group.len());
    members.into_values().filter(small).collect()
}
