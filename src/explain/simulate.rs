//! Running a controller, and turning what it should have done into a guarantee.
//!
//! The controller works for one goal after the other: it takes the lowest layer that it can
//! get into, or waits where an assumption does not hold [BJPPS12]. Ours never breaks a
//! guarantee, also where it could force the environment to break an assumption.
//!
//! A template says what outputs should follow given inputs, step by step, with values left
//! open [KHB11, Sec. 4.1]. An auxiliary counter follows the inputs; as long as they match,
//! the outputs have to. If the specification with that guarantee is realizable, it was
//! incomplete before; otherwise it was unsound.

use super::counterstrategy::{cube, nearest};
use crate::bdd::{Bdd, Result, Variable};
use crate::game::gr1::{Gr1Game, Rules, Selection, Solution};
use crate::spec::gr1::{
    Comparison, ConstraintId, Domain, Gr1, Kind, Player, Side, TermId, Value, VariableId,
};
use std::collections::HashMap;

pub struct Simulation<'a> {
    game: &'a Gr1Game,
    rules: Rules<'a>,
    solution: Solution,
    state: Option<Bdd>,
    goal: usize,
}

impl<'a> Simulation<'a> {
    /// `None` if the specification is not realizable.
    pub fn new(game: &'a Gr1Game) -> Result<Option<Simulation<'a>>> {
        let rules = game.rules(&Selection::everything(game.spec()))?;
        let solution = rules.solve()?;
        Ok(solution.realizable.then_some(Simulation {
            game,
            rules,
            solution,
            state: None,
            goal: 0,
        }))
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
            for (place, bit) in encoding.bits(id).iter().enumerate() {
                bits.push(if is_first { bit.now } else { bit.next });
                wishes.push(code.unwrap_or(0) >> place & 1 == 1);
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

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Template {
    pub steps: Vec<TemplateStep>,
    /// The step after the last one; without one, nothing is asked for afterwards.
    pub loop_start: Option<usize>,
}

/// What is not given is open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TemplateStep {
    pub inputs: Vec<(VariableId, Value)>,
    pub outputs: Vec<(VariableId, Value)>,
}

impl Template {
    /// The specification with one more guarantee: outputs follow the template as long as
    /// inputs do.
    pub fn guarantee(&self, spec: &Gr1) -> (Gr1, ConstraintId) {
        let mut spec = spec.clone();
        let off = self.steps.len() as i64;
        let definition = spec.add_definition("how far inputs follow the edited trace", None);
        let domain = Domain::Range {
            first: 0,
            last: off,
        };
        let place = spec.add_auxiliary("trace_position", definition, domain, None);
        let is = |spec: &mut Gr1, primed: bool, step: i64| {
            let variable = match primed {
                true => spec.terms.next(place),
                false => spec.terms.now(place),
            };
            let step = spec.terms.integer(step);
            spec.terms.compare(Comparison::Equal, variable, step)
        };
        let first = is(&mut spec, false, 0);
        spec.define(definition, Kind::Initial, first, None);
        let mut followed = Vec::new();
        for (step, asked) in (0i64..).zip(&self.steps) {
            let here = is(&mut spec, false, step);
            let matching = values_term(&mut spec, &asked.inputs);
            let answered = values_term(&mut spec, &asked.outputs);
            let after = if step + 1 < off {
                step + 1
            } else {
                self.loop_start.map_or(off, |start| start as i64)
            };
            let follows = spec.terms.and([here, matching]);
            let there = is(&mut spec, true, after);
            let move_on = spec.terms.implies(follows, there);
            let fails = spec.terms.not(matching);
            let fails = spec.terms.and([here, fails]);
            let nowhere = is(&mut spec, true, off);
            let give_up = spec.terms.implies(fails, nowhere);
            spec.define(definition, Kind::Safety, move_on, None);
            spec.define(definition, Kind::Safety, give_up, None);
            followed.push(spec.terms.implies(follows, answered));
        }
        let done = is(&mut spec, false, off);
        let stays = is(&mut spec, true, off);
        let stays = spec.terms.implies(done, stays);
        spec.define(definition, Kind::Safety, stays, None);
        let term = spec.terms.and(followed);
        let name = Some("edited_trace".to_string());
        let id = spec.add_constraint(name, Side::Guarantee, Kind::Safety, term, None);
        (spec, id)
    }
}

/// The conjunction of variables with values.
pub(super) fn values_term(spec: &mut Gr1, values: &[(VariableId, Value)]) -> TermId {
    super::certificate::assigned(spec, values, false)
}
