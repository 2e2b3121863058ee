//! Whether some play keeps constraints, if both players want it, and one that does.
//!
//! The states from which there is an infinite play that keeps safety and visits each justice
//! constraint again and again, by the fixpoint of [EL86]:
//! `nu Z. and_j pre(mu Y. Z & (justice_j | pre Y))`.
//!
//! A play walks within these states from one justice constraint to the next, along the sets Y,
//! until it can come back to where a round began. Variables keep their values where they can:
//! what stays the same in a play is simpler to say of it.

use super::{Gr1Game, Selection};
use crate::bdd::{Bdd, Result, Variable};
use crate::game::relation::Relation;
use crate::spec::gr1::{ConstraintId, Kind, Player, Value};
use std::cell::OnceCell;
use std::collections::HashMap;

/// A play without an end: the values of all variables in each step, and the step that follows
/// the last one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommonPlay {
    pub steps: Vec<Vec<Value>>,
    pub loop_start: usize,
}

impl Gr1Game {
    /// Whether one play keeps all selected constraints of both sides.
    pub fn is_satisfiable(&self, selection: &Selection) -> Result<bool> {
        Ok(Cooperation::new(self, selection)?.fair_states()?.is_some())
    }

    /// A play that keeps all selected constraints of both sides, if there is one.
    pub fn common_play(&self, selection: &Selection) -> Result<Option<CommonPlay>> {
        let cooperation = Cooperation::new(self, selection)?;
        match cooperation.fair_states()? {
            Some(fair) => cooperation.play(&fair).map(Some),
            None => Ok(None),
        }
    }

    /// Whether each play that keeps the selected constraints of both sides keeps these, too.
    pub fn plays_keep(&self, selection: &Selection, others: &[ConstraintId]) -> Result<bool> {
        let cooperation = Cooperation::new(self, selection)?;
        let Some(fair) = cooperation.fair_states()? else {
            return Ok(true);
        };
        let reached = cooperation.reached(&fair)?;
        for id in others {
            let function = self.function(*id);
            let is_kept = match self.spec.constraint(*id).kind {
                Kind::Initial => {
                    let first = cooperation.first.and(&fair)?;
                    first.is_subset_of(function)?
                }
                Kind::Safety => {
                    let mut broken = reached.minus(function)?;
                    broken = broken.and(&self.encoding.to_next(&fair)?)?;
                    for part in &cooperation.steps {
                        broken = broken.and(part)?;
                    }
                    broken.is_zero()
                }
                Kind::Justice => {
                    let never = Cooperation {
                        first: reached.minus(function)?,
                        steps: [cooperation.steps.as_slice(), &[function.not()]].concat(),
                        justice: cooperation.justice.clone(),
                        now: cooperation.now.clone(),
                        next: cooperation.next.clone(),
                        relation: OnceCell::new(),
                        game: self,
                    };
                    never.fair_states()?.is_none()
                }
            };
            if !is_kept {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The selected constraints, whoever has to keep them.
pub(super) struct Cooperation<'a> {
    pub game: &'a Gr1Game,
    pub first: Bdd,
    pub steps: Vec<Bdd>,
    /// Never empty.
    pub justice: Vec<Bdd>,
    /// Current and next bits of all variables.
    pub now: Vec<Variable>,
    pub next: Vec<Variable>,
    /// Made when it is needed first.
    relation: OnceCell<Relation>,
}

impl<'a> Cooperation<'a> {
    pub fn new(game: &'a Gr1Game, selection: &Selection) -> Result<Cooperation<'a>> {
        let manager = game.encoding.manager();
        let mut first = manager.one();
        let mut steps = Vec::new();
        let mut justice = Vec::new();
        for id in game.spec.constraint_ids().filter(|id| selection.has(*id)) {
            let function = game.function(id);
            match game.spec.constraint(id).kind {
                Kind::Initial => first = first.and(function)?,
                Kind::Safety => steps.push(function.clone()),
                Kind::Justice => justice.push(function.clone()),
            }
        }
        for id in game.spec.variable_ids() {
            first = first.and(&game.encoding.domain(&game.spec, id, false)?)?;
            steps.push(game.encoding.domain(&game.spec, id, true)?);
        }
        if justice.is_empty() {
            justice.push(manager.one());
        }
        let players = [Player::Environment, Player::System].into_iter();
        let bits: Vec<_> = players
            .flat_map(|player| game.encoding.bits_of(player))
            .collect();
        let next: Vec<Variable> = bits.iter().map(|bit| bit.next).collect();
        Ok(Cooperation {
            game,
            first,
            relation: OnceCell::new(),
            steps,
            justice,
            now: bits.iter().map(|bit| bit.now).collect(),
            next,
        })
    }

    fn before(&self, states: &Bdd) -> Result<Bdd> {
        let states = self.game.encoding.to_next(states)?;
        let relation = match self.relation.get() {
            Some(relation) => relation,
            None => {
                let manager = self.game.encoding.manager();
                let made = Relation::new(manager, &self.steps, &self.next)?;
                self.relation.get_or_init(|| made)
            }
        };
        relation.exists(&states)
    }

    /// The states from which a play keeps everything; `None` if no first state is among them.
    fn fair_states(&self) -> Result<Option<Bdd>> {
        let mut fair = self.game.encoding.manager().one();
        loop {
            let mut kept = fair.clone();
            for wanted in &self.justice {
                let reached = self.rings(&kept, &kept.and(wanted)?)?;
                let reached = &reached[reached.len() - 1];
                kept = kept.and(&self.before(reached)?)?;
            }
            if self.first.is_disjoint_from(&kept)? {
                return Ok(None);
            }
            if kept == fair {
                return Ok(Some(fair));
            }
            fair = kept;
        }
    }

    /// The states that plays within `fair` get to from a first one.
    fn reached(&self, fair: &Bdd) -> Result<Bdd> {
        let encoding = &self.game.encoding;
        let image = Relation::new(encoding.manager(), &self.steps, &self.now)?;
        let mut reached = self.first.and(fair)?;
        let mut new = reached.clone();
        while !new.is_zero() {
            let next = encoding.to_now(&image.exists(&new)?)?;
            new = next.and(fair)?.minus(&reached)?;
            reached = reached.or(&new)?;
        }
        Ok(reached)
    }

    /// Growing sets of states from which a play within `fair` gets to a target, by the number
    /// of steps. Never empty.
    fn rings(&self, fair: &Bdd, target: &Bdd) -> Result<Vec<Bdd>> {
        let mut rings = vec![target.clone()];
        loop {
            let reached = &rings[rings.len() - 1];
            let more = reached.or(&fair.and(&self.before(reached)?)?)?;
            if more == *reached {
                return Ok(rings);
            }
            rings.push(more);
        }
    }

    fn play(&self, fair: &Bdd) -> Result<CommonPlay> {
        let mut approaches = Vec::new();
        for wanted in &self.justice {
            approaches.push(self.rings(fair, &fair.and(wanted)?)?);
        }
        let start = vec![false; self.now.len()];
        let mut walk = vec![self.nearest(&self.first.and(fair)?, &self.now, &start)?];
        // Each round leaves a component of states for good, or comes back to its first state.
        loop {
            let loop_start = walk.len() - 1;
            let anchor = self.state(&walk[loop_start])?;
            self.step_into(&mut walk, fair)?;
            for rings in &approaches {
                self.follow(&mut walk, rings)?;
            }
            let back = self.rings(fair, &anchor)?;
            if self.is_in(&walk, &back[back.len() - 1]) {
                self.follow(&mut walk, &back)?;
                // The last state is that of the anchor again.
                walk.pop();
                let steps = walk.iter().map(|state| self.values(state)).collect();
                return Ok(CommonPlay { steps, loop_start });
            }
        }
    }

    /// Steps inwards until the innermost ring is reached.
    fn follow(&self, walk: &mut Vec<Vec<bool>>, rings: &[Bdd]) -> Result<()> {
        while let Some(ring) = rings.iter().position(|ring| self.is_in(walk, ring)) {
            if ring == 0 {
                break;
            }
            self.step_into(walk, &rings[ring - 1])?;
        }
        Ok(())
    }

    fn is_in(&self, walk: &[Vec<bool>], states: &Bdd) -> bool {
        let state = &walk[walk.len() - 1];
        let values: HashMap<Variable, bool> = self.assignment(state).into_iter().collect();
        states.evaluate(|variable| values.get(&variable).copied().unwrap_or(false))
    }

    fn step_into(&self, walk: &mut Vec<Vec<bool>>, states: &Bdd) -> Result<()> {
        let here = walk[walk.len() - 1].clone();
        let assignment = self.assignment(&here);
        let mut possible = self.game.encoding.to_next(states)?;
        for part in &self.steps {
            possible = possible.and(&part.cofactor(&assignment)?)?;
        }
        walk.push(self.nearest(&possible, &self.next, &here)?);
        Ok(())
    }

    pub fn assignment(&self, state: &[bool]) -> Vec<(Variable, bool)> {
        let now = self.now.iter().copied();
        now.zip(state.iter().copied()).collect()
    }

    pub fn state(&self, state: &[bool]) -> Result<Bdd> {
        let manager = self.game.encoding.manager();
        manager.cube(&self.assignment(state))
    }

    /// A member of a set that is not empty, in which variables keep the wanted values in turn.
    pub fn nearest(&self, set: &Bdd, variables: &[Variable], wanted: &[bool]) -> Result<Vec<bool>> {
        let mut rest = set.clone();
        let mut found = Vec::new();
        for (variable, value) in variables.iter().zip(wanted) {
            let kept = rest.cofactor(&[(*variable, *value)])?;
            let value = if kept.is_zero() { !value } else { *value };
            rest = rest.cofactor(&[(*variable, value)])?;
            found.push(value);
        }
        Ok(found)
    }

    pub fn values(&self, state: &[bool]) -> Vec<Value> {
        let (encoding, spec) = (&self.game.encoding, &self.game.spec);
        let state: HashMap<Variable, bool> = self.assignment(state).into_iter().collect();
        let ids = spec.variable_ids();
        ids.map(|id| encoding.value(spec, id, false, &state))
            .collect()
    }
}
