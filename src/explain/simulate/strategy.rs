//! A controller of a GR(1) specification step by step, straight from the winning strategy.
//!
//! It works for one goal after the other: it takes the lowest layer that it can get into, or
//! waits where an assumption does not hold [BJPPS12]. Ours never breaks a guarantee, also
//! where it could force the environment to break an assumption.

use crate::bdd::{Bdd, Result, Variable};
use crate::explain::counterstrategy::{cube, nearest};
use crate::game::gr1::{Gr1Game, Rules, Solution};
use crate::spec::gr1::{ConstraintId, Player, Value, VariableId};
use std::collections::HashMap;

pub struct Simulation<'a> {
    game: &'a Gr1Game,
    rules: Rules<'a>,
    solution: Solution,
    state: Option<Bdd>,
    goal: usize,
}

impl<'a> Simulation<'a> {
    /// The solution is one that the system wins.
    pub fn new(game: &'a Gr1Game, rules: Rules<'a>, solution: Solution) -> Simulation<'a> {
        Simulation {
            game,
            rules,
            solution,
            state: None,
            goal: 0,
        }
    }

    /// The goal that the controller works for.
    pub fn goal(&self) -> Option<ConstraintId> {
        self.rules.goals[self.goal].constraint
    }

    /// Takes one step with an input that is near the wanted one and keeps the assumptions.
    /// The values of all variables; `None` if the environment has no move left.
    pub fn step(
        &mut self,
        wanted: &dyn Fn(VariableId) -> Option<Value>,
    ) -> Result<Option<Vec<Value>>> {
        let rules = &self.rules;
        let encoding = rules.encoding();
        let spec = self.game.spec();
        let mut bits = Vec::new();
        let mut wishes = Vec::new();
        let is_first = self.state.is_none();
        for id in spec.variable_ids() {
            if spec.variable(id).owner != Player::Environment {
                continue;
            }
            let values = spec.variable(id).domain.values();
            let code = wanted(id).and_then(|value| values.iter().position(|one| *one == value));
            for (index, bit) in encoding.bits(id).iter().enumerate() {
                bits.push(if is_first { bit.now } else { bit.next });
                wishes.push(code.unwrap_or(0) >> index & 1 == 1);
            }
        }
        let allowed = match &self.state {
            None => rules.initial_assumption().clone(),
            Some(state) => rules
                .environment_moves_from(state, &rules.manager().one())?
                .exists(rules.now_of(Player::Environment))?
                .exists(rules.now_of(Player::System))?,
        };
        let Some(input) = nearest(&allowed, &bits, &|index| wishes[index])? else {
            return Ok(None);
        };
        let input = cube(rules, &bits, &input)?;
        let answers = match &self.state {
            None => rules.starts(&input)?,
            Some(state) => rules.successors(&state.and(&input)?)?,
        };
        let answers = answers.and(&self.solution.winning)?;
        let chosen = self.choose(&answers)?;
        let all: Vec<Variable> = spec
            .variable_ids()
            .flat_map(|id| encoding.bits(id))
            .map(|bit| bit.now)
            .collect();
        let Some(values) = chosen.pick_minterm(&all) else {
            return Ok(None);
        };
        let state = rules.manager().cube(&values)?;
        if state.is_subset_of(&rules.goals[self.goal].states)? {
            self.goal = (self.goal + 1) % rules.goals.len();
        }
        self.state = Some(state);
        let values: HashMap<Variable, bool> = values.into_iter().collect();
        let ids = spec.variable_ids();
        Ok(Some(
            ids.map(|id| encoding.value(spec, id, false, &values))
                .collect(),
        ))
    }

    /// The answers that bring the goal nearest.
    fn choose(&self, answers: &Bdd) -> Result<Bdd> {
        let hit = answers.and(&self.rules.goals[self.goal].states)?;
        if !hit.is_zero() {
            return Ok(hit);
        }
        for layer in &self.solution.progress[self.goal].layers {
            let near = answers.and(&layer.states)?;
            if !near.is_zero() {
                return Ok(near);
            }
        }
        Ok(answers.clone())
    }
}
