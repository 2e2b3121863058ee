//! Explanations as claims that other code can check.
//!
//! A counterstrategy for a core wins against the whole specification, too: the system only
//! has more to keep. So its rounds are claimed for the specification as it was read. That the
//! system can force an assumption to be broken is the claim that it wins with a goal that never
//! holds.

use super::countertrace::Countertrace;
use super::forced::Forced;
use crate::bdd::Result;
use crate::certify::gr1::{
    Claim, Flaw, Inputs, Layer, Layout, Round, RoundGoal, certify, check, countertrace,
};
use crate::certify::{self, Certified, Realizability};
use crate::game::gr1::{Counterplay, Gr1Game, Recurrence, Rules, Selection};
use crate::spec::gr1::{ConstraintId, Gr1, Kind, Player, Side, Value, VariableId};
use crate::synth::gr1::claim;

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

/// For each justice assumption, its index among those of the game: equal ones are one there.
fn indices(game: &Gr1Game, rules: &Rules) -> Vec<(Option<ConstraintId>, usize)> {
    let found: Vec<(Option<ConstraintId>, usize)> = game
        .spec()
        .of(Side::Assumption, Kind::Justice)
        .filter_map(|id| {
            let states = game.function(id);
            // The states of a game may differ from these where no play comes to.
            let same =
                |one: &Recurrence| one.constraint.map(|id| game.function(id)) == Some(states);
            let index = rules.assumed.iter().position(same)?;
            Some((Some(id), index))
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
    let indices = indices(game, rules);
    let rounds = counterplay.rounds.iter().map(|round| Round {
        goal: match round.goal {
            None => RoundGoal::OneStep,
            Some(goal) => RoundGoal::Prevented(rules.goals[goal].constraint),
        },
        before: round.lost_before.clone(),
        after: round.lost_after.clone(),
        layers: if round.layers.is_empty() {
            Vec::new()
        } else {
            let indices = indices.iter();
            indices
                .map(|(id, index)| (*id, round.layers[*index].clone()))
                .collect()
        },
    });
    let claim = Claim::Environment {
        rounds: rounds.collect(),
    };
    certify(game.spec(), &layout(game), &claim)
}

/// Checks that inputs leave no implementation a chance, under strict semantics of a
/// specification: that of the game, or one that has its variables and more. If outputs are held,
/// only implementations are meant in which they have these values.
pub fn check_countertrace(
    game: &Gr1Game,
    spec: &Gr1,
    trace: &Countertrace,
    held: &[(VariableId, Value)],
) -> Result<std::result::Result<Certified<certify::Countertrace>, Flaw>> {
    let steps = trace.inputs.iter().map(|input| input_values(game, input));
    let inputs = Inputs {
        steps: steps.collect(),
        loop_start: trace.loop_start,
    };
    countertrace(spec, &inputs, held, &mut |spec, _| {
        let other = Gr1Game::new(spec, game.limits())?;
        let rules = other.rules(&Selection::everything(spec))?;
        let solution = rules.solve()?;
        claim(&other, &rules, &solution)
    })
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
            let term = spec.assigned(&own, false);
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
