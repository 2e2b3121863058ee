//! A GR(1) specification solved, and its answer certified.

use crate::bdd::{Bdd, Limits, Result};
use crate::certify::gr1::{Claim, Flaw, Layer, Layout, Round, RoundGoal, check};
use crate::game::gr1::{Gr1Game, Recurrence, Rules, Selection, Solution};
use crate::spec::gr1::{ConstraintId, Gr1, Kind, Side};

/// A verdict that was checked by code that did not find it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certified {
    pub realizable: bool,
    /// What is wrong with the reason that the solver gave: then there is no verdict, and the
    /// program has an error.
    pub flaw: Option<Flaw>,
}

/// Who wins with all constraints, certified.
pub fn solve(spec: &Gr1, limits: Limits) -> Result<Certified> {
    let game = Gr1Game::new(spec, limits)?;
    let rules = game.rules_of_plays(&Selection::everything(spec))?;
    let solution = rules.solve()?;
    certify(&game, &rules, &solution)
}

/// Checks a solution of the game with all constraints.
pub fn certify(game: &Gr1Game, rules: &Rules<'_>, solution: &Solution) -> Result<Certified> {
    let (layout, claim) = claim(game, rules, solution)?;
    let flaw = check(game.spec(), &layout, &claim)?.err();
    Ok(Certified {
        realizable: solution.realizable,
        flaw,
    })
}

/// The reason that a solution gives, in the words of the checker.
pub fn claim(game: &Gr1Game, rules: &Rules<'_>, solution: &Solution) -> Result<(Layout, Claim)> {
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
        system_claim(game, rules, solution)
    } else {
        environment_claim(game, rules, solution)?
    };
    Ok((layout, claim))
}

/// For each justice constraint of a side, the place among the game's: equal ones are one there.
fn places(
    game: &Gr1Game,
    side: Side,
    recurrences: &[Recurrence],
) -> Vec<(Option<ConstraintId>, usize)> {
    let found: Vec<(Option<ConstraintId>, usize)> = game
        .spec()
        .of(side, Kind::Justice)
        .filter_map(|id| {
            let states = game.function(id);
            let same = |one: &Recurrence| {
                let kept = one.constraint.map(|kept| game.function(kept));
                kept == Some(states)
            };
            let place = recurrences.iter().position(same)?;
            Some((Some(id), place))
        })
        .collect();
    if found.is_empty() {
        vec![(None, 0)]
    } else {
        found
    }
}

fn system_claim(game: &Gr1Game, rules: &Rules<'_>, solution: &Solution) -> Claim {
    let assumed: Vec<Option<ConstraintId>> =
        rules.assumed.iter().map(|one| one.constraint).collect();
    let layers = |place: usize| -> Vec<Layer> {
        let layers = solution.progress[place].layers.iter();
        layers
            .map(|layer| Layer {
                states: layer.states.clone(),
                waiting: assumed.iter().copied().zip(layer.waiting.clone()).collect(),
            })
            .collect()
    };
    Claim::System {
        winning: solution.winning.clone(),
        goals: places(game, Side::Guarantee, &rules.goals)
            .into_iter()
            .map(|(id, place)| (id, layers(place)))
            .collect(),
    }
}

fn environment_claim(game: &Gr1Game, rules: &Rules<'_>, solution: &Solution) -> Result<Claim> {
    let assumed = places(game, Side::Assumption, &rules.assumed);
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
                .map(|(id, place)| (*id, round.layers[*place].clone()))
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
