//! The states that plays visit if the system keeps to chosen functions, goal by goal.
//!
//! What functions do elsewhere does not matter, so they can be smaller. The search is given
//! a small budget: where it would cost more, nothing is known and nothing is lost.

use crate::bdd::{Bdd, Limits, Result, Variable};
use crate::game::gr1::{Bit, Rules};
use crate::game::{Budget, Relation};
use crate::spec::gr1::Player;

const BUDGET: Budget = Budget::of_nodes(500_000);
/// How many look-ups of the computed table the search may take.
const EFFORT: u64 = 30_000_000;

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
    BUDGET.search(rules.manager(), limits, || search(rules, chosen))
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
        let next = chosen.bits.iter().map(|bit| bit.next).zip(functions);
        images.push(Relation::of_functions(chosen.legal, next, &now)?);
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
            let next = encoding.to_now(&images[goal].exists(&from)?)?;
            let next = next.minus(&reached[to])?;
            new[to] = new[to].or(&next)?;
        }
        if manager.statistics().cache_lookups - effort > EFFORT {
            return Ok(None);
        }
    }
    Ok(Some(reached))
}
