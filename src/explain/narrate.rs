//! A play against a counterstrategy, with the requirement that forces each answer.
//!
//! Enters: a countertrace, or the graph of all plays, from which one is taken. Leaves: plain
//! values and constraints, from which sentences are made. An answer is forced in a step if
//! the guarantees leave an output one value, whatever the system did before; named is a
//! minimal set of guarantees that do so.

use super::counterstrategy::{Counterstrategy, cube};
use super::countertrace::Countertrace;
use super::graph::Graph;
use super::minimize::{Minimizer, minimize};
use crate::bdd::{Bdd, Result, Variable};
use crate::game::gr1::{Gr1Game, Selection};
use crate::spec::gr1::{ConstraintId, Kind, Player, Side, Value, VariableId};
use std::collections::{HashMap, HashSet};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    pub steps: Vec<Step>,
    /// The step that follows the last one; `None` if the system cannot answer in the last.
    pub loop_start: Option<usize>,
    /// Goals that do not hold in any repeated step.
    pub prevented: Vec<ConstraintId>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    pub inputs: Vec<(VariableId, Value)>,
    /// Without a value where the system may choose.
    pub outputs: Vec<(VariableId, Option<Value>)>,
    pub reasons: Vec<Reason>,
    /// The iterate of the fixpoint, and the assumption that the environment works for.
    pub stage: Option<(usize, usize)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// These guarantees leave the output no other value.
    Forced {
        output: VariableId,
        value: Value,
        because: Vec<ConstraintId>,
    },
    /// These guarantees leave no answer.
    Stuck { because: Vec<ConstraintId> },
}

pub struct Narrator<'s, 'a> {
    pub(super) game: &'a Gr1Game,
    pub(super) strategy: &'s Counterstrategy<'a>,
    /// The guarantees of the game, with outputs released.
    guarantees: Vec<(ConstraintId, Bdd)>,
    /// What the game depends on.
    pub variables: Vec<VariableId>,
}

impl<'s, 'a> Narrator<'s, 'a> {
    /// The selection is that of the counterstrategy's game.
    pub fn new(
        game: &'a Gr1Game,
        selection: &Selection,
        strategy: &'s Counterstrategy<'a>,
    ) -> Result<Narrator<'s, 'a>> {
        let spec = game.spec();
        let released = game.released(selection)?;
        let mut guarantees = Vec::new();
        for id in spec.constraint_ids() {
            let constraint = spec.constraint(id);
            if constraint.side == Side::Guarantee && selection.has(id) {
                let function = game.function(id);
                let function = if game.may_release(id) {
                    released.free_in(function)?
                } else {
                    function.clone()
                };
                guarantees.push((id, function));
            }
        }
        let support: HashSet<Variable> = strategy.rules().support().into_iter().collect();
        let variables = spec
            .variable_ids()
            .filter(|id| {
                let bits = game.encoding().bits(*id).iter();
                bits.into_iter()
                    .any(|bit| support.contains(&bit.now) || support.contains(&bit.next))
            })
            .collect();
        Ok(Narrator {
            game,
            strategy,
            guarantees,
            variables,
        })
    }

    /// The countertrace; outputs have a value where the system has no choice.
    pub fn trace(&self, trace: &Countertrace) -> Result<Story> {
        let mut steps = Vec::new();
        for (index, input) in trace.inputs.iter().enumerate() {
            let before = index.checked_sub(1).map(|index| &trace.states[index]);
            steps.push(self.step(before, input, &trace.states[index])?);
        }
        let prevented = match trace.loop_start {
            Some(start) => self.prevented(&trace.states[start..])?,
            None => Vec::new(),
        };
        Ok(Story {
            steps,
            loop_start: trace.loop_start,
            prevented,
        })
    }

    /// One play of a graph: the system answers with the first state that it can, and so
    /// comes back to a state or gets stuck.
    pub fn play(&self, graph: &Graph) -> Result<Option<Story>> {
        let Some(first) = graph.starts.first() else {
            return Ok(None);
        };
        let mut visited: Vec<usize> = Vec::new();
        let mut node = *first;
        let loop_start = loop {
            if let Some(start) = visited.iter().position(|other| *other == node) {
                break Some(start);
            }
            visited.push(node);
            match graph.nodes[node].successors.first() {
                Some(next) => node = *next,
                None if graph.truncated && graph.nodes[node].input.is_empty() => return Ok(None),
                None => break None,
            }
        };
        let mut states = Vec::new();
        for node in &visited {
            states.push(self.state(graph, *node)?);
        }
        let mut steps = Vec::new();
        for (index, node) in visited.iter().enumerate() {
            let before = index.checked_sub(1).map(|index| &states[index]);
            let input = self.input_bits(&states[index])?;
            let mut step = self.step(before, &input, &states[index])?;
            let node = &graph.nodes[*node];
            step.stage = Some((node.stage.iterate, node.memory));
            steps.push(step);
        }
        let last = visited.last().copied().unwrap_or(*first);
        if loop_start.is_none() {
            let input = self.next_input(graph, last)?;
            let zero = self.strategy.rules().manager().zero();
            steps.push(self.step(states.last(), &input, &zero)?);
        }
        let prevented = match loop_start {
            Some(start) => self.prevented(&states[start..])?,
            None => Vec::new(),
        };
        Ok(Some(Story {
            steps,
            loop_start,
            prevented,
        }))
    }

    fn state(&self, graph: &Graph, node: usize) -> Result<Bdd> {
        let values = graph
            .variables
            .iter()
            .copied()
            .zip(graph.nodes[node].values.iter().copied());
        self.values_cube(values, false)
    }

    pub(super) fn values_cube(
        &self,
        values: impl Iterator<Item = (VariableId, Value)>,
        primed: bool,
    ) -> Result<Bdd> {
        let mut cube = self.strategy.rules().manager().one();
        for (id, value) in values {
            let domain = self.game.spec().variable(id).domain.values();
            if let Some(code) = domain.iter().position(|other| *other == value) {
                let own = self.game.encoding().has_code(id, primed, code as u64)?;
                cube = cube.and(&own)?;
            }
        }
        Ok(cube)
    }

    /// The input of a state, false where the state leaves it open.
    fn input_bits(&self, state: &Bdd) -> Result<Vec<bool>> {
        let inputs = self.strategy.inputs(false);
        inputs
            .iter()
            .map(|variable| Ok(state.cofactor(&[(*variable, false)])?.is_zero()))
            .collect()
    }

    fn next_input(&self, graph: &Graph, node: usize) -> Result<Vec<bool>> {
        let spec = self.game.spec();
        let inputs = graph
            .variables
            .iter()
            .copied()
            .filter(|id| spec.variable(*id).owner == Player::Environment)
            .zip(graph.nodes[node].input.iter().copied());
        let cube = self.values_cube(inputs, false)?;
        self.input_bits(&cube)
    }

    fn prevented(&self, states: &[Bdd]) -> Result<Vec<ConstraintId>> {
        let mut prevented = Vec::new();
        for goal in &self.strategy.rules().goals {
            let mut never = true;
            for states in states {
                never &= goal.states.is_disjoint_from(states)?;
            }
            if let (true, Some(id)) = (never, goal.constraint) {
                prevented.push(id);
            }
        }
        Ok(prevented)
    }

    fn step(&self, before: Option<&Bdd>, input: &[bool], after: &Bdd) -> Result<Step> {
        let spec = self.game.spec();
        let encoding = self.game.encoding();
        let inputs = self.strategy.inputs(false);
        let values: HashMap<Variable, bool> =
            inputs.into_iter().zip(input.iter().copied()).collect();
        let is_first = before.is_none();
        let variables = self.strategy.inputs(!is_first);
        let mut base = cube(self.strategy.rules(), &variables, input)?;
        if let Some(before) = before {
            base = base.and(before)?;
        }
        let mut step = Step::default();
        for id in &self.variables {
            let variable = spec.variable(*id);
            match variable.owner {
                Player::Environment => {
                    let value = encoding.value(spec, *id, false, &values);
                    step.inputs.push((*id, value));
                }
                Player::System if !variable.is_auxiliary() && !after.is_zero() => {
                    let value = self.only_value(*id, after)?;
                    step.outputs.push((*id, value));
                    if let Some(value) = value {
                        let wanted = self.values_cube([(*id, value)].into_iter(), !is_first)?;
                        if let Some(because) = self.because(&base, is_first, &wanted)? {
                            step.reasons.push(Reason::Forced {
                                output: *id,
                                value,
                                because,
                            });
                        }
                    }
                }
                Player::System => {}
            }
        }
        if after.is_zero() {
            let never = self.strategy.rules().manager().zero();
            let because = self.because(&base, is_first, &never)?;
            step.reasons.push(Reason::Stuck {
                because: because.unwrap_or_default(),
            });
        }
        Ok(step)
    }

    pub(super) fn only_value(&self, id: VariableId, states: &Bdd) -> Result<Option<Value>> {
        let mut found = None;
        for (code, value) in (0..).zip(self.game.spec().variable(id).domain.values()) {
            let own = self.game.encoding().has_code(id, false, code)?;
            if !states.is_disjoint_from(&own)? {
                if found.is_some() {
                    return Ok(None);
                }
                found = Some(value);
            }
        }
        Ok(found)
    }

    /// The values that a variable has in some of these states.
    pub(super) fn possible_values(&self, id: VariableId, states: &Bdd) -> Result<Vec<Value>> {
        let mut found = Vec::new();
        for (code, value) in (0..).zip(self.game.spec().variable(id).domain.values()) {
            let own = self.game.encoding().has_code(id, false, code)?;
            if !states.is_disjoint_from(&own)? {
                found.push(value);
            }
        }
        Ok(found)
    }

    /// A minimal set of guarantees with which `base` allows `wanted` only; `None` if even all
    /// of them do not.
    pub(super) fn because(
        &self,
        base: &Bdd,
        is_first: bool,
        wanted: &Bdd,
    ) -> Result<Option<Vec<ConstraintId>>> {
        let spec = self.game.spec();
        let players = [Player::Environment, Player::System].into_iter();
        let bits = players.flat_map(|player| self.game.encoding().bits_of(player));
        let next: HashSet<Variable> = bits.map(|bit| bit.next).collect();
        let mut clauses = Vec::new();
        for (id, function) in &self.guarantees {
            // With outputs released, less may be left than the term says: of `a & next(x)` only `a`.
            let support = function.support();
            let is_about_state = !support.iter().any(|bit| next.contains(bit));
            let clause = match (spec.constraint(*id).kind, is_first) {
                (Kind::Initial, true) => function.clone(),
                (Kind::Safety, true) if is_about_state => function.clone(),
                (Kind::Safety, false) if is_about_state => {
                    self.game.encoding().to_next(function)?
                }
                (Kind::Safety, false) => function.clone(),
                _ => continue,
            };
            clauses.push((*id, clause));
        }
        let items: Vec<usize> = (0..clauses.len()).collect();
        let mut implied = |items: &[usize]| {
            let mut allowed = base.minus(wanted)?;
            for item in items {
                allowed = allowed.and(&clauses[*item].1)?;
            }
            Ok(allowed.is_zero())
        };
        if !implied(&items)? {
            return Ok(None);
        }
        let found = minimize(Minimizer::QuickXplain, &items, &mut implied)?;
        Ok(Some(
            found.into_iter().map(|item| clauses[item].0).collect(),
        ))
    }
}
