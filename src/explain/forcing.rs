//! A play in which the system makes the environment break an assumption [MR16, Sec. 4.2].
//!
//! The system gets from layer to layer of [`Forced`], or waits where an assumption does not
//! hold; the environment makes some move that keeps its safety. In the end it has none left,
//! or the play comes back to a state while the same assumption has not held.

use super::counterstrategy::{cube, nearest};
use super::forced::Forced;
use super::minimize::{Minimizer, minimize};
use crate::bdd::{Bdd, Result, Variable};
use crate::game::gr1::{Gr1Game, Rules};
use crate::spec::gr1::{ConstraintId, Kind, Player, Side, Value};
use std::collections::HashMap;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forcing {
    /// For each step, the values of all variables.
    pub states: Vec<Vec<Value>>,
    pub ending: Ending,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// No next input keeps these assumptions.
    Deadlock(Vec<ConstraintId>),
    /// The play goes on from an earlier step, and the assumption never holds.
    Waiting {
        assumption: Option<ConstraintId>,
        loop_start: usize,
    },
    /// The play was cut after this many steps: it is forced so far, and is forced to go on
    /// to one of the other ends.
    Cut(usize),
}

/// Plays longer than this are cut.
const LONGEST: usize = 200;

/// A play from one of the states, which must be forced.
pub fn forcing(
    game: &Gr1Game,
    rules: &Rules,
    forced: &Forced,
    from: &Bdd,
) -> Result<Option<Forcing>> {
    let spec = game.spec();
    let encoding = rules.encoding();
    let now: Vec<Variable> = spec
        .variable_ids()
        .flat_map(|id| encoding.bits(id))
        .map(|bit| bit.now)
        .collect();
    let start = from.and(forced.states())?;
    let Some(mut values) = start.pick_minterm(&now) else {
        return Ok(None);
    };
    let mut visited: Vec<Bdd> = Vec::new();
    let mut states: Vec<Vec<Value>> = Vec::new();
    loop {
        let state = rules.manager().cube(&values)?;
        let assignment: HashMap<Variable, bool> = values.iter().copied().collect();
        let Some(layer) = layer_of(forced, &state)? else {
            return Ok(None);
        };
        let waits = waiting_for(rules, forced, layer, &state)?;
        if let Some(loop_start) = visited.iter().position(|other| *other == state) {
            let assumption = waits.and_then(|index| rules.assumed[index].constraint);
            return Ok(Some(Forcing {
                states,
                ending: Ending::Waiting {
                    assumption,
                    loop_start,
                },
            }));
        }
        visited.push(state.clone());
        let ids = spec.variable_ids();
        states.push(
            ids.map(|id| encoding.value(spec, id, false, &assignment))
                .collect(),
        );
        let moves = rules.environment_moves_from(&state, &rules.manager().one())?;
        if moves.is_zero() {
            let because = deadlock(game, &state)?;
            return Ok(Some(Forcing {
                states,
                ending: Ending::Deadlock(because),
            }));
        }
        if states.len() == LONGEST {
            return Ok(Some(Forcing {
                states,
                ending: Ending::Cut(LONGEST),
            }));
        }
        let target = answer_to(rules, forced, (layer, waits), &state, &moves, &assignment)?;
        match target.and_then(|target| target.pick_minterm(&now)) {
            Some(picked) => values = picked,
            None => return Ok(None),
        }
    }
}

/// Where the system goes from a state of a layer, after the move of the environment that
/// changes the fewest inputs: down a layer if it can, else to where it goes on waiting.
fn answer_to(
    rules: &Rules,
    forced: &Forced,
    (layer, waits): (usize, Option<usize>),
    state: &Bdd,
    moves: &Bdd,
    assignment: &HashMap<Variable, bool>,
) -> Result<Option<Bdd>> {
    let inputs = rules.encoding().bits_of(Player::Environment);
    let next: Vec<Variable> = inputs.iter().map(|bit| bit.next).collect();
    let moves = moves
        .exists(rules.now_of(Player::Environment))?
        .exists(rules.now_of(Player::System))?;
    let wish = |index: usize| assignment[&inputs[index].now];
    let Some(input) = nearest(&moves, &next, &wish)? else {
        return Ok(None);
    };
    let answers = rules.successors(&state.and(&cube(rules, &next, &input)?)?)?;
    if let Some(below) = layer.checked_sub(1) {
        let below = answers.and(&forced.layers[below].states)?;
        if !below.is_zero() {
            return Ok(Some(below));
        }
    }
    match waits {
        Some(index) => Ok(Some(answers.and(&forced.layers[layer].waiting[index])?)),
        None => Ok(None),
    }
}

fn layer_of(forced: &Forced, state: &Bdd) -> Result<Option<usize>> {
    for (index, layer) in forced.layers.iter().enumerate() {
        if state.is_subset_of(&layer.states)? {
            return Ok(Some(index));
        }
    }
    Ok(None)
}

/// The assumption that the system can keep from holding while it stays in the layer.
fn waiting_for(rules: &Rules, forced: &Forced, layer: usize, state: &Bdd) -> Result<Option<usize>> {
    for (index, stay) in forced.layers[layer].waiting.iter().enumerate() {
        let idle = stay.minus(&rules.assumed[index].states)?;
        if state.is_subset_of(&idle)? {
            return Ok(Some(index));
        }
    }
    Ok(None)
}

/// Assumptions that leave the environment no move.
fn deadlock(game: &Gr1Game, state: &Bdd) -> Result<Vec<ConstraintId>> {
    let all: Vec<ConstraintId> = game.spec().of(Side::Assumption, Kind::Safety).collect();
    let items: Vec<usize> = (0..all.len()).collect();
    let mut blocks = |items: &[usize]| {
        let mut steps = state.clone();
        for item in items {
            steps = steps.and(game.function(all[*item]))?;
        }
        Ok(steps.is_zero())
    };
    if !blocks(&items)? {
        return Ok(Vec::new());
    }
    let found = minimize(Minimizer::DeltaDebugging, &items, &mut blocks)?;
    Ok(found.into_iter().map(|item| all[item]).collect())
}
