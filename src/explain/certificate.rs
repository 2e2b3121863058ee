//! Explanations as claims that other code can check.
//!
//! A counterstrategy for a core wins against the whole specification, too: the system only
//! has more to keep. So its rounds are claimed for the specification as it was read. A
//! countertrace becomes a specification in which the environment has no choice but to play
//! it; that this one is unrealizable is then a claim as any other. That the system can force
//! an assumption to be broken is the claim that it wins with a goal that never holds.

use super::countertrace::Countertrace;
use super::forced::Forced;
use crate::bdd::Result;
use crate::certify::Realizability;
use crate::certify::gr1::{Claim, Flaw, Layer, Layout, Round, RoundGoal, certify, check};
use crate::game::gr1::{Counterplay, Gr1Game, Recurrence, Rules, Selection};
use crate::spec::gr1::{
    Comparison, ConstraintId, Domain, Gr1, Kind, Player, Side, TermId, Value, VariableId,
};
use crate::synth::gr1::certified;

/// What is wrong with an explanation, if anything.
pub type Checked = std::result::Result<(), Flaw>;

pub fn layout(game: &Gr1Game) -> Layout {
    let encoding = game.encoding();
    let bits = game.spec().variable_ids().map(|id| {
        let bits = encoding.bits(id).iter();
        bits.map(|bit| (bit.now, bit.next)).collect()
    });
    Layout {
        bits: bits.collect(),
        manager: encoding.manager().clone(),
    }
}

/// For each justice assumption, its place among those of the game: equal ones are one there.
fn places(game: &Gr1Game, rules: &Rules) -> Vec<(Option<ConstraintId>, usize)> {
    let found: Vec<(Option<ConstraintId>, usize)> = game
        .spec()
        .of(Side::Assumption, Kind::Justice)
        .filter_map(|id| {
            let states = game.function(id);
            // The states of a game may differ from these where no play comes to.
            let same =
                |one: &Recurrence| one.constraint.map(|id| game.function(id)) == Some(states);
            let place = rules.assumed.iter().position(same)?;
            Some((Some(id), place))
        })
        .collect();
    if found.is_empty() {
        vec![(None, 0)]
    } else {
        found
    }
}

/// Checks a counterstrategy of some of the guarantees against all of them.
pub fn check_counterplay(
    game: &Gr1Game,
    rules: &Rules,
    counterplay: &Counterplay,
) -> Result<std::result::Result<Realizability, Flaw>> {
    let places = places(game, rules);
    let rounds = counterplay.rounds.iter().map(|round| Round {
        goal: match round.goal {
            None => RoundGoal::OneStep,
            Some(goal) => RoundGoal::Prevented(rules.goals[goal].constraint),
        },
        before: round.lost_before.clone(),
        after: round.lost_after.clone(),
        layers: match round.layers.is_empty() {
            true => Vec::new(),
            false => places
                .iter()
                .map(|(id, place)| (*id, round.layers[*place].clone()))
                .collect(),
        },
    });
    let claim = Claim::Environment {
        rounds: rounds.collect(),
    };
    certify(game.spec(), &layout(game), &claim)
}

/// Checks that inputs leave no implementation a chance, by a game in which the environment
/// plays them.
pub fn check_countertrace(game: &Gr1Game, trace: &Countertrace) -> Result<Checked> {
    let spec = follow(game, trace);
    let limits = game.limits();
    let other = Gr1Game::new(&spec, limits)?;
    let rules = other.rules(&Selection::everything(&spec))?;
    let solution = rules.solve()?;
    Ok(match certified(&other, &rules, &solution)? {
        Err(flaw) => Err(flaw),
        Ok(Realizability::Realizable(_)) => {
            Err(Flaw("the countertrace can be answered".to_string()))
        }
        Ok(Realizability::Unrealizable(_)) => Ok(()),
    })
}

/// The specification with an environment that follows the trace. After the end of a finite
/// one it may do what it likes.
fn follow(game: &Gr1Game, trace: &Countertrace) -> Gr1 {
    let mut spec = game.spec().clone();
    let inputs: Vec<Vec<(VariableId, Value)>> = trace
        .inputs
        .iter()
        .map(|input| input_values(game, input))
        .collect();
    let count = inputs.len() as i64;
    let mut name = "position".to_string();
    while spec.find_variable(&name).is_some() {
        name.push('_');
    }
    let domain = Domain::Range {
        first: 0,
        last: count,
    };
    let position = spec.add_variable(name, Player::Environment, domain, None);
    let is = |spec: &mut Gr1, primed: bool, step: i64| {
        let variable = match primed {
            true => spec.terms.next(position),
            false => spec.terms.now(position),
        };
        let step = spec.terms.integer(step);
        spec.terms.compare(Comparison::Equal, variable, step)
    };
    let first = is(&mut spec, false, 0);
    let values = assigned(&mut spec, &inputs[0], false);
    for term in [first, values] {
        spec.add_constraint(None, Side::Assumption, Kind::Initial, term, None);
    }
    for step in 0..count {
        let next = if step + 1 < count {
            step + 1
        } else {
            trace.loop_start.map_or(count, |start| start as i64)
        };
        let here = is(&mut spec, false, step);
        let there = is(&mut spec, true, next);
        let mut then = vec![there];
        if next < count {
            then.push(assigned(&mut spec, &inputs[next as usize], true));
        }
        let then = spec.terms.and(then);
        let term = spec.terms.implies(here, then);
        spec.add_constraint(None, Side::Assumption, Kind::Safety, term, None);
    }
    let end = is(&mut spec, false, count);
    let stays = is(&mut spec, true, count);
    let term = spec.terms.implies(end, stays);
    spec.add_constraint(None, Side::Assumption, Kind::Safety, term, None);
    spec
}

fn input_values(game: &Gr1Game, input: &[bool]) -> Vec<(VariableId, Value)> {
    let encoding = game.encoding();
    let bits = encoding.bits_of(Player::Environment).into_iter();
    let state = bits.map(|bit| bit.now).zip(input.iter().copied()).collect();
    let spec = game.spec();
    spec.variable_ids()
        .filter(|id| spec.variable(*id).owner == Player::Environment)
        .map(|id| (id, encoding.value(spec, id, false, &state)))
        .collect()
}

/// The conjunction of variables with values.
pub(super) fn assigned(spec: &mut Gr1, values: &[(VariableId, Value)], primed: bool) -> TermId {
    let mut all = Vec::new();
    for (id, value) in values {
        let variable = match primed {
            true => spec.terms.next(*id),
            false => spec.terms.now(*id),
        };
        let domain = spec.variable(*id).domain.clone();
        all.push(match domain {
            Domain::Boolean if *value != 0 => variable,
            Domain::Boolean => spec.terms.not(variable),
            Domain::Range { .. } => {
                let value = spec.terms.integer(*value);
                spec.terms.compare(Comparison::Equal, variable, value)
            }
            Domain::Enumeration(names) => match names.iter().find(|name| name.value() == *value) {
                Some(name) => {
                    let value = spec.terms.enumerator(*name);
                    spec.terms.compare(Comparison::Equal, variable, value)
                }
                None => spec.terms.boolean(false),
            },
        });
    }
    spec.terms.and(all)
}

/// Checks that the system can force a violation from a state (given by the values of all
/// variables), or without one from every first choice of the environment. The game is that of
/// [`relevant_part`](super::separation::relevant_part).
pub fn check_forced(
    game: &Gr1Game,
    rules: &Rules,
    forced: &Forced,
    from: Option<&[Value]>,
) -> Result<Checked> {
    let mut spec = game.spec().clone();
    if let Some(values) = from {
        let nothing = spec.terms.boolean(true);
        for constraint in &mut spec.constraints {
            if constraint.kind == Kind::Initial {
                constraint.term = nothing;
            }
        }
        for (player, side) in [
            (Player::Environment, Side::Assumption),
            (Player::System, Side::Guarantee),
        ] {
            let own: Vec<(VariableId, Value)> = spec
                .variable_ids()
                .zip(values.iter().copied())
                .filter(|(id, _)| spec.variable(*id).owner == player)
                .collect();
            let term = assigned(&mut spec, &own, false);
            spec.add_constraint(None, side, Kind::Initial, term, None);
        }
    }
    let never = spec.terms.boolean(false);
    spec.constraints.retain(|constraint| {
        constraint.side == Side::Assumption || constraint.kind != Kind::Justice
    });
    // Constraints after those that were left out have other numbers now.
    let numbered: Vec<ConstraintId> = spec.of(Side::Assumption, Kind::Justice).collect();
    let goal = spec.add_constraint(None, Side::Guarantee, Kind::Justice, never, None);
    let assumed: Vec<Option<ConstraintId>> = rules
        .assumed
        .iter()
        .map(|one| {
            let name = &game.spec().constraint(one.constraint?).name;
            let mut numbered = numbered.iter();
            numbered
                .find(|id| spec.constraint(**id).name == *name)
                .copied()
        })
        .collect();
    let layers = forced.layers.iter().map(|layer| Layer {
        states: layer.states.clone(),
        waiting: assumed.iter().copied().zip(layer.waiting.clone()).collect(),
    });
    let claim = Claim::System {
        winning: forced.states().clone(),
        goals: vec![(Some(goal), layers.collect())],
    };
    check(&spec, &layout(game), &claim)
}
