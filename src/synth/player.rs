//! A player's strategy as logic of the design: the inputs that are the player's become gates.
//!
//! A strategy has a relation of moves for each thing that it works for in turn. Which one it
//! is at is a number in new latches; without turns there are none.

use super::functions::functions;
use crate::bdd::{Bdd, Result, Variable};
use crate::certify::{Gates, StateSets};
use crate::design::{Design, InputKind, Literal, NodeId, Reset};
use crate::game::Game;
use std::collections::HashMap;

/// One thing to work for.
pub struct Turn<'a> {
    pub moves: &'a Bdd,
    /// Where the moves have to be right.
    pub care: Bdd,
    /// In a step with this, the next turn comes.
    pub done: Literal,
}

/// Drives the inputs as the strategy says. Inputs that nothing depends on get 0.
pub fn drive(design: &mut Design, game: &Game, inputs: &[NodeId], turns: &[Turn]) -> Result<()> {
    let mut signals: HashMap<Variable, Literal> = HashMap::new();
    for id in design.inputs().iter().chain(design.latches()) {
        if let Some(variable) = game.variable(*id) {
            signals.insert(variable, id.literal());
        }
    }
    let relevant: Vec<NodeId> = inputs
        .iter()
        .copied()
        .filter(|id| game.variable(*id).is_some())
        .collect();
    let variables: Vec<Variable> = relevant
        .iter()
        .filter_map(|id| game.variable(*id))
        .collect();
    let mut all = Vec::new();
    for turn in turns {
        all.push(functions(turn.moves, &turn.care, &variables)?);
    }
    let active = count_turns(design, turns);
    let mut values: HashMap<NodeId, Literal> = HashMap::new();
    let mut gates = Gates::new(&signals);
    for (index, id) in relevant.iter().enumerate() {
        let mut value = Literal::FALSE;
        for (own, active) in all.iter().zip(&active) {
            let literal = gates.build(design, &own[index]);
            value = design.mux(*active, literal, value);
        }
        values.insert(*id, value);
    }
    for id in inputs {
        let value = values.get(id).copied().unwrap_or(Literal::FALSE);
        design.drive(*id, value, usize::MAX);
    }
    Ok(())
}

/// Sets of states of a game, as claims about the latches of its design once the inputs of a
/// player are driven; those of the given kind are left.
pub fn state_sets(design: &Design, game: &Game, sets: &[Bdd], left: InputKind) -> StateSets {
    let order = game.order().into_iter();
    let order = order.filter_map(|id| Some((id, game.variable(id)?)));
    let order: Vec<(NodeId, Variable)> = order.collect();
    StateSets::of_diagrams(design, &inputs_of(design, left), &order, sets)
}

/// For each turn, a literal that says that it is the present one.
fn count_turns(design: &mut Design, turns: &[Turn]) -> Vec<Literal> {
    let bits = turns.len().next_power_of_two().trailing_zeros();
    let latches: Vec<NodeId> = (0..bits)
        .map(|bit| {
            let latch = design.add_latch(Reset::Zero);
            design.set_name(latch, format!("turn[{bit}]"));
            latch
        })
        .collect();
    let is_at = |design: &mut Design, number: usize| {
        let bits = latches.iter().enumerate();
        let bits = bits.map(|(bit, id)| id.literal().complement_if(number >> bit & 1 == 0));
        design.and_all(bits)
    };
    let active: Vec<Literal> = (0..turns.len())
        .map(|number| is_at(design, number))
        .collect();
    for (bit, latch) in latches.iter().enumerate() {
        let mut next = latch.literal();
        for (number, turn) in turns.iter().enumerate() {
            let after = (number + 1) % turns.len();
            let moves_on = design.and(active[number], turn.done);
            next = design.mux(moves_on, Literal::constant(after >> bit & 1 == 1), next);
        }
        design.set_next(*latch, next);
    }
    active
}

/// The inputs that a player sets.
pub fn inputs_of(design: &Design, kind: InputKind) -> Vec<NodeId> {
    let inputs = design.inputs().iter().copied();
    inputs
        .filter(|id| design.input_kind(*id) == Some(kind))
        .collect()
}
