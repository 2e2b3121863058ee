//! GR(1) specifications as games, with relations on steps in place of a netlist.
//!
//! Enters: a [`Gr1`]. Leaves: who wins with which of its constraints ([`Solution`]), and
//! what a strategy of either player needs. The constraints are encoded once
//! ([`Gr1Game::new`]); [`Gr1Game::rules`] then makes a game of any [`Selection`] of them,
//! since explanations ask for hundreds.

mod arrange;
mod counterplay;
mod encode;
mod grounds;
mod invariant;
mod reach;
mod rules;
mod satisfy;
mod short_play;
mod solve;
mod steps;
mod switches;
mod word;

pub use counterplay::{CounterRound, Counterplay};
pub use encode::{Bit, Encoding};
pub use rules::{Forfeit, Recurrence, Rules};
pub use satisfy::CommonPlay;
pub use solve::{Decision, Layer, Progress, Round, Solution};
pub use switches::{Switched, realizable_without_each};

use crate::bdd::{Bdd, Limits, Result, VariableSet};
use crate::spec::gr1::{ConstraintId, DefinitionId, Gr1, Side, VariableId};
use std::collections::BTreeSet;

/// A specification whose constraints are encoded.
pub struct Gr1Game {
    spec: Gr1,
    encoding: Encoding,
    /// For each constraint.
    functions: Vec<Bdd>,
    /// Definitions that some assumption needs: releasing a variable in them would let the
    /// system choose what is assumed.
    assumed_definitions: BTreeSet<DefinitionId>,
}

/// Which constraints take part, which variables of the system are left free, and which
/// variables do not change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    selected: Vec<bool>,
    /// Existentially quantified in each guarantee on its own [KHB11, Sec. 4.2.2].
    pub released: BTreeSet<VariableId>,
    /// Variables that their owner has to keep at their first values.
    pub frozen_variables: BTreeSet<VariableId>,
}

impl Selection {
    pub fn everything(spec: &Gr1) -> Selection {
        Selection {
            selected: vec![true; spec.constraints.len()],
            released: BTreeSet::new(),
            frozen_variables: BTreeSet::new(),
        }
    }

    /// Definitions, all constraints of the other side, and of this side only the given ones.
    pub fn only(spec: &Gr1, side: Side, chosen: &[ConstraintId]) -> Selection {
        let mut selection = Selection::everything(spec);
        for id in spec.constraint_ids() {
            let constraint = spec.constraint(id);
            if constraint.side == side && constraint.definition.is_none() {
                selection.set(id, chosen.contains(&id));
            }
        }
        selection
    }

    /// Definitions, and all constraints of one side.
    pub fn side(spec: &Gr1, side: Side) -> Selection {
        let other = match side {
            Side::Assumption => Side::Guarantee,
            Side::Guarantee => Side::Assumption,
        };
        Selection::only(spec, other, &[])
    }

    pub fn has(&self, id: ConstraintId) -> bool {
        self.selected[id.0 as usize]
    }

    pub fn set(&mut self, id: ConstraintId, selected: bool) {
        self.selected[id.0 as usize] = selected;
    }

    pub fn without(mut self, id: ConstraintId) -> Selection {
        self.set(id, false);
        self
    }
}

/// Definitions that some assumption needs.
fn assumed_definitions(spec: &Gr1) -> BTreeSet<DefinitionId> {
    let assumptions = spec.constraints.iter();
    assumptions
        .filter(|constraint| constraint.side == Side::Assumption)
        .flat_map(|constraint| spec.definitions_of(constraint.term))
        .collect()
}

impl Gr1Game {
    pub fn new(spec: &Gr1, limits: Limits) -> Result<Gr1Game> {
        let encoding = Encoding::new(spec, limits)?;
        let mut memory = encode::Memory::default();
        let mut functions = Vec::new();
        for constraint in &spec.constraints {
            functions.push(encoding.term(spec, constraint.term, &mut memory)?);
        }
        Ok(Gr1Game {
            assumed_definitions: assumed_definitions(spec),
            spec: spec.clone(),
            encoding,
            functions,
        })
    }

    pub fn spec(&self) -> &Gr1 {
        &self.spec
    }

    pub fn encoding(&self) -> &Encoding {
        &self.encoding
    }

    /// As they were given.
    pub fn limits(&self) -> Limits {
        self.encoding.limits().clone()
    }

    /// Other limits, for what is asked from now on.
    pub fn set_limits(&mut self, limits: Limits) {
        self.encoding.set_limits(limits);
    }

    /// A constraint as it was encoded.
    pub fn function(&self, id: ConstraintId) -> &Bdd {
        &self.functions[id.0 as usize]
    }

    /// The same game with other functions for some constraints. They may depend on variables
    /// of the manager that belong to neither player.
    pub fn with_functions(&self, functions: &[(ConstraintId, Bdd)]) -> Gr1Game {
        let mut game = Gr1Game {
            spec: self.spec.clone(),
            encoding: self.encoding.clone(),
            functions: self.functions.clone(),
            assumed_definitions: self.assumed_definitions.clone(),
        };
        for (id, function) in functions {
            game.functions[id.0 as usize] = function.clone();
        }
        game
    }

    /// The game of a specification that has the same variables, and more constraints after the
    /// ones that there are. It shares the order of variables.
    pub fn extended(&self, spec: &Gr1) -> Result<Gr1Game> {
        let mut memory = encode::Memory::default();
        let mut functions = self.functions.clone();
        for constraint in &spec.constraints[functions.len()..] {
            functions.push(self.encoding.term(spec, constraint.term, &mut memory)?);
        }
        Ok(Gr1Game {
            assumed_definitions: assumed_definitions(spec),
            spec: spec.clone(),
            encoding: self.encoding.clone(),
            functions,
        })
    }

    /// The game of the selected constraints.
    pub fn rules(&self, selection: &Selection) -> Result<Rules<'_>> {
        Rules::new(self, selection, false)
    }

    /// The same for questions about plays from the first states only: some states that such
    /// plays do not come to are left out, and sets of states that are computed in it are right
    /// within [`Rules::care`] only.
    pub fn rules_of_plays(&self, selection: &Selection) -> Result<Rules<'_>> {
        Rules::new(self, selection, true)
    }

    /// Whether the system wins with the selected constraints.
    pub fn is_realizable(&self, selection: &Selection) -> Result<bool> {
        Ok(self.rules_of_plays(selection)?.decide()?.realizable)
    }

    /// Guarantees with which the environment wins the game of a selection as it does with all
    /// of them, preferred ones first; `None` if it does not win.
    pub fn grounds(
        &self,
        selection: &Selection,
        preferred: &dyn Fn(ConstraintId) -> bool,
    ) -> Result<Option<BTreeSet<ConstraintId>>> {
        let rules = self.rules_of_plays(selection)?;
        let decision = rules.decide()?;
        if decision.realizable {
            return Ok(None);
        }
        let counterplay = rules.counterplay(&decision.rounds)?;
        grounds::grounds(self, selection, &rules, &counterplay, preferred).map(Some)
    }

    /// A constraint of a selection, in which some variables may be left free.
    fn selected_function(
        &self,
        id: ConstraintId,
        selection: &Selection,
        released: &Released,
    ) -> Result<Bdd> {
        let function = self.function(id);
        if !selection.released.is_empty() && self.may_release(id) {
            released.free_in(function)
        } else {
            Ok(function.clone())
        }
    }

    /// Whether released variables are free in a constraint: in guarantees, and in definitions
    /// that only guarantees need.
    pub fn may_release(&self, id: ConstraintId) -> bool {
        let constraint = self.spec.constraint(id);
        let is_assumed = |definition| self.assumed_definitions.contains(&definition);
        constraint.side == Side::Guarantee && !constraint.definition.is_some_and(is_assumed)
    }

    /// The variables of a selection that are left free.
    pub fn released(&self, selection: &Selection) -> Result<Released> {
        let manager = self.encoding.manager();
        let bits = selection.released.iter();
        let bits: Vec<_> = bits
            .flat_map(|variable| self.encoding.bits(*variable))
            .flat_map(|bit| [bit.now, bit.next])
            .collect();
        let mut valid = manager.one();
        for variable in &selection.released {
            for is_next in [false, true] {
                valid = valid.and(&self.encoding.domain(&self.spec, *variable, is_next)?)?;
            }
        }
        Ok(Released {
            bits: manager.set(&bits)?,
            valid,
        })
    }
}

/// Variables that are left free: they may have any value that they can have.
pub struct Released {
    bits: VariableSet,
    /// Where each of them has a value, in this step and in the next one.
    valid: Bdd,
}

impl Released {
    /// What a constraint says of the other variables.
    pub fn free_in(&self, function: &Bdd) -> Result<Bdd> {
        function.and_exists(&self.valid, &self.bits)
    }
}
