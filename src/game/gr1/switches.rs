//! Whether a specification is realizable without each of some sets of parts, by one game.
//!
//! Each set gets a switch, a variable that belongs to neither player and never changes
//! [CRST08, Sec. 4.2], and only states with exactly one switch off count. Each switch is next to
//! the variables of its parts, so diagrams of many clients that are alike remember no more than
//! whether the one that is off has been met: one game is far cheaper than one for each client,
//! and than that of [CRST08], which asks about all sets of parts.
//!
//! Invariant: with one switch off, the game is that of the selection without its parts.

use super::encode::{Encoding, Memory};
use super::{Gr1Game, Selection, assumed_definitions};
use crate::bdd::{Bdd, Limits, Manager, Result, Variable};
use crate::spec::gr1::{ConstraintId, Gr1, VariableId};
use std::collections::BTreeSet;

/// What a switch leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switched {
    Constraint(ConstraintId),
    /// The variable is released in each guarantee.
    Output(VariableId),
}

impl Switched {
    fn variables(self, spec: &Gr1) -> BTreeSet<VariableId> {
        match self {
            Switched::Constraint(id) => {
                let found = spec.terms.variables(spec.constraint(id).term);
                found.into_iter().map(|(variable, _)| variable).collect()
            }
            Switched::Output(variable) => BTreeSet::from([variable]),
        }
    }
}

/// For each of the sets of parts, whether the system wins the game of the selection without it.
pub fn realizable_without_each(
    spec: &Gr1,
    selection: &Selection,
    sets: &[Vec<Switched>],
    limits: Limits,
) -> Result<Vec<bool>> {
    let variables = |parts: &Vec<Switched>| {
        let parts = parts.iter();
        parts.flat_map(|part| part.variables(spec)).collect()
    };
    let spoken: Vec<BTreeSet<VariableId>> = sets.iter().map(variables).collect();
    let (encoding, switches) = Encoding::with_switches(spec, limits, &spoken)?;
    let game = switched_game(spec, selection, encoding, sets, &switches)?;
    let mut rules = game.rules_of_plays(selection)?;
    let one_off = one_off(rules.manager(), &switches)?;
    rules.restrict_to(rules.care().and(&one_off)?)?;
    let winning = rules.winning_states()?;
    let refuted = rules.refuting_starts(&winning)?;
    let wins = |off: &Variable| {
        let values = switches.iter().map(|one| (*one, one != off));
        let values: Vec<(Variable, bool)> = values.collect();
        Ok(refuted.cofactor(&values)?.is_zero())
    };
    switches.iter().map(wins).collect()
}

/// The game with parts that need not be kept where their switches are off. Constraints that are
/// not selected are not encoded.
fn switched_game(
    spec: &Gr1,
    selection: &Selection,
    encoding: Encoding,
    sets: &[Vec<Switched>],
    switches: &[Variable],
) -> Result<Gr1Game> {
    let manager = encoding.manager().clone();
    let mut game = Gr1Game {
        functions: vec![manager.one(); spec.constraints.len()],
        assumed_definitions: assumed_definitions(spec),
        spec: spec.clone(),
        encoding,
    };
    let mut memory = Memory::default();
    for id in spec.constraint_ids().filter(|id| selection.has(*id)) {
        let term = spec.constraint(id).term;
        let function = game.encoding.term(spec, term, &mut memory)?;
        let mut switched = function.clone();
        for (parts, switch) in sets.iter().zip(switches) {
            let without = game.without(id, &function, parts)?;
            switched = manager.literal(*switch)?.ite(&switched, &without)?;
        }
        game.functions[id.0 as usize] = switched;
    }
    Ok(game)
}

impl Gr1Game {
    /// What is left of a constraint without some parts.
    fn without(&self, id: ConstraintId, function: &Bdd, parts: &[Switched]) -> Result<Bdd> {
        if parts.contains(&Switched::Constraint(id)) {
            return Ok(self.encoding.manager().one());
        }
        let mut left = Selection::everything(&self.spec);
        if self.may_release(id) {
            let spoken = Switched::Constraint(id).variables(&self.spec);
            let outputs = parts.iter().filter_map(|part| match part {
                Switched::Output(variable) => spoken.get(variable),
                Switched::Constraint(_) => None,
            });
            left.released.extend(outputs);
        }
        if left.released.is_empty() {
            return Ok(function.clone());
        }
        self.released(&left)?.free_in(function)
    }
}

/// The states in which exactly one switch is off.
fn one_off(manager: &Manager, switches: &[Variable]) -> Result<Bdd> {
    let (mut none, mut one) = (manager.one(), manager.zero());
    // Switches were made from the top down, or nearly so.
    for switch in switches.iter().rev() {
        let on = manager.literal(*switch)?;
        one = on.ite(&one, &none)?;
        none = none.and(&on)?;
    }
    Ok(one)
}
