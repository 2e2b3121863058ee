//! A GR(1) specification solved, and its answer certified.

use crate::bdd::{Bdd, Limits, Result};
use crate::certify::gr1::{Claim, Flaw, Layer, Layout, Part, Round, RoundGoal};
use crate::certify::{self, Realizability};
use crate::game::gr1::{Gr1Game, Recurrence, Rules, Selection, Solution};
use crate::spec::gr1::{ConstraintId, Gr1, Kind, Side};
use std::collections::HashMap;

/// A certified verdict; or what is wrong with the reason that the solver gave: then there is
/// no verdict, and the program has an error.
pub type Certification = std::result::Result<Realizability, Flaw>;

/// Who wins with all constraints, certified.
pub fn solve(spec: &Gr1, limits: Limits) -> Result<Certification> {
    let game = Gr1Game::new(spec, limits)?;
    let rules = game.rules_of_plays(&Selection::everything(spec))?;
    let solution = rules.solve()?;
    certified(&game, &rules, &solution)
}

/// Checks a solution of the game with all constraints.
pub fn certified(game: &Gr1Game, rules: &Rules<'_>, solution: &Solution) -> Result<Certification> {
    let (layout, claim) = claim(game, rules, solution)?;
    certify::gr1::certify(game.spec(), &layout, &claim)
}

/// The reason that a solution gives, in the words of the checker.
pub fn claim(game: &Gr1Game, rules: &Rules<'_>, solution: &Solution) -> Result<(Layout, Claim)> {
    claim_of(game, rules, solution, &|id| Some(game.function(id).clone()))
}

/// Who wins a part of the specification, with the reason.
pub fn prove(game: &Gr1Game, part: &Part) -> Result<(Layout, Claim)> {
    let mut selection = Selection::everything(game.spec());
    for id in &part.left_out {
        selection.set(*id, false);
    }
    selection.released = part.released.clone();
    let released = game.released(&selection)?;
    let mut functions = HashMap::new();
    for id in game.spec().constraint_ids().filter(|id| selection.has(*id)) {
        let function = game.function(id);
        let function = if game.may_release(id) {
            released.free_in(function)?
        } else {
            function.clone()
        };
        functions.insert(id, function);
    }
    let rules = game.rules_of_plays(&selection)?;
    let solution = rules.solve()?;
    claim_of(game, &rules, &solution, &|id| functions.get(&id).cloned())
}

/// The states in which a constraint that takes part holds.
type States<'a> = dyn Fn(ConstraintId) -> Option<Bdd> + 'a;

fn claim_of(
    game: &Gr1Game,
    rules: &Rules<'_>,
    solution: &Solution,
    states: &States<'_>,
) -> Result<(Layout, Claim)> {
    let spec = game.spec();
    let encoding = game.encoding();
    let layout = Layout {
        manager: encoding.manager().clone(),
        bits: spec
            .variable_ids()
            .map(|id| {
                encoding
                    .bits(id)
                    .iter()
                    .map(|bit| (bit.now, bit.next))
                    .collect()
            })
            .collect(),
    };
    let claim = if solution.realizable {
        system_claim(game, rules, solution, states)
    } else {
        environment_claim(game, rules, solution, states)?
    };
    Ok((layout, claim))
}

/// For each justice constraint of a side, the index among the game's: equal ones are one there.
fn indices(
    game: &Gr1Game,
    side: Side,
    recurrences: &[Recurrence],
    states: &States<'_>,
) -> Vec<(Option<ConstraintId>, usize)> {
    let found: Vec<(Option<ConstraintId>, usize)> = game
        .spec()
        .of(side, Kind::Justice)
        .filter_map(|id| {
            let own = states(id)?;
            let same = |one: &Recurrence| one.constraint.and_then(states).as_ref() == Some(&own);
            let index = recurrences.iter().position(same)?;
            Some((Some(id), index))
        })
        .collect();
    if found.is_empty() {
        vec![(None, 0)]
    } else {
        found
    }
}

fn system_claim(
    game: &Gr1Game,
    rules: &Rules<'_>,
    solution: &Solution,
    states: &States<'_>,
) -> Claim {
    let assumed: Vec<Option<ConstraintId>> =
        rules.assumed.iter().map(|one| one.constraint).collect();
    let layers = |index: usize| -> Vec<Layer> {
        let layers = solution.progress[index].layers.iter();
        layers
            .map(|layer| Layer {
                states: layer.states.clone(),
                waiting: assumed.iter().copied().zip(layer.waiting.clone()).collect(),
            })
            .collect()
    };
    Claim::System {
        winning: solution.winning.clone(),
        goals: indices(game, Side::Guarantee, &rules.goals, states)
            .into_iter()
            .map(|(id, index)| (id, layers(index)))
            .collect(),
    }
}

fn environment_claim(
    game: &Gr1Game,
    rules: &Rules<'_>,
    solution: &Solution,
    states: &States<'_>,
) -> Result<Claim> {
    let assumed = indices(game, Side::Assumption, &rules.assumed, states);
    let mut rounds = Vec::new();
    for round in rules.counterplay(&solution.rounds)?.rounds {
        let goal = match round.goal {
            None => RoundGoal::OneStep,
            Some(goal) => RoundGoal::Prevented(rules.goals[goal].constraint),
        };
        let layers: Vec<(Option<ConstraintId>, Vec<Bdd>)> = match round.goal {
            None => Vec::new(),
            Some(_) => assumed
                .iter()
                .map(|(id, index)| (*id, round.layers[*index].clone()))
                .collect(),
        };
        rounds.push(Round {
            goal,
            before: round.lost_before,
            after: round.lost_after,
            layers,
        });
    }
    Ok(Claim::Environment { rounds })
}
