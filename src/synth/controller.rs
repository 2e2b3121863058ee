//! A controller for a GR(1) specification that the system wins, as a circuit.
//!
//! The strategy is that of [BJPPS12, Sec. 4.2]: work for one goal after the other; from the
//! lowest layer and assumption that a state belongs to, get into the layer below, or stay
//! while the assumption does not hold. Ours keeps the number of the goal in latches and takes
//! one function for each output bit and goal out of the relation of moves, made smaller where
//! plays do not come; what the last step was is kept in latches too, as far as any function
//! reads it.
//!
//! Invariant: a step from a winning state, with an input that keeps the assumptions, ends in
//! a winning state; and the pair of layer and assumption never grows until the goal is met.

use super::arrays::Arrays;
use super::circuit::{Circuit, Meaning, Port};
use super::functions::functions;
use super::ltl::tidied;
use super::visited::{Chosen, visited};
use crate::bdd::{Bdd, Limits, Result, Variable};
use crate::certify::Gates;
use crate::design::{Design, InputKind, Literal, NodeId, Reset};
use crate::game::gr1::{Bit, Rules, Solution};
use crate::spec::gr1::{Gr1, Player, VariableId};
use std::collections::HashMap;

/// The names of registers that are not those of the specification.
pub const STARTED: &str = "started";
pub const GOAL: &str = "goal";
pub const BEFORE: &str = "last_";

/// The controller of a game that the system wins; if wanted with a signal that tells which
/// goal it works for.
pub fn controller(
    rules: &Rules<'_>,
    solution: &Solution,
    limits: &Limits,
    tells_goal: bool,
) -> Result<Circuit> {
    let spec = rules.spec();
    let mut builder = Builder {
        rules,
        spec,
        design: Design::new(),
        codes: HashMap::new(),
        before: HashMap::new(),
    };
    let inputs = builder.inputs();
    builder.remember();
    let started = builder.design.add_latch(Reset::Zero);
    builder.design.set_name(started, fresh(spec, STARTED));
    builder.design.set_next(started, Literal::TRUE);
    let (turns, goal) = builder.goals(started.literal())?;
    let goal: Vec<Literal> = goal.iter().map(|id| id.literal()).collect();
    builder.outputs(solution, limits, started.literal(), &turns)?;
    builder.close();
    let mut outputs = Vec::new();
    let mut internal = Vec::new();
    for id in spec.variable_ids() {
        let variable = spec.variable(id);
        if variable.owner == Player::System {
            let port = builder.port(id);
            if variable.is_auxiliary() {
                internal.push(port)
            } else {
                outputs.push(port)
            }
        }
    }
    if tells_goal && !goal.is_empty() {
        let goals = rules.goals.iter().map(|goal| goal.constraint);
        let names = goals.map(|id| id.map_or(String::new(), |id| spec.constraint(id).name.clone()));
        internal.push(Port {
            name: fresh(spec, GOAL),
            bits: goal,
            meaning: Meaning::Names(names.collect()),
        });
    }
    let mut design = builder.design;
    for port in outputs.iter().chain(&internal) {
        for (index, bit) in port.bits.iter().enumerate() {
            let name = bit_name(&port.name, index, port.bits.len());
            design.add_output(Some(name), *bit, None);
        }
    }
    let design = tidied(&design);
    let mut input_bits = design.inputs().iter().map(|id| id.literal());
    let mut output_bits = design.outputs().iter().map(|output| output.literal);
    let mut renewed = |ports: Vec<Port>, of_inputs: bool| -> Vec<Port> {
        ports
            .into_iter()
            .map(|port| {
                let count = port.bits.len();
                let bits = if of_inputs {
                    input_bits.by_ref().take(count).collect()
                } else {
                    output_bits.by_ref().take(count).collect()
                };
                Port { bits, ..port }
            })
            .collect()
    };
    let (inputs, outputs) = (renewed(inputs, true), renewed(outputs, false));
    let internal = renewed(internal, false);
    Ok(Circuit {
        name: spec.name.clone(),
        arrays: Arrays::of(&[&inputs, &outputs, &internal]),
        inputs,
        outputs,
        internal,
        reset_port: None,
        design,
    })
}

/// The name, or one like it that no variable has.
pub fn fresh(spec: &Gr1, name: &str) -> String {
    let mut name = name.to_string();
    while spec.find_variable(&name).is_some() {
        name.push('_');
    }
    name
}

/// The name of one bit of a port.
pub fn bit_name(port: &str, index: usize, width: usize) -> String {
    match width {
        1 => port.to_string(),
        _ => format!("{port}[{index}]"),
    }
}

struct Builder<'a> {
    rules: &'a Rules<'a>,
    spec: &'a Gr1,
    design: Design,
    /// The code of each variable in this step.
    codes: HashMap<VariableId, Vec<Literal>>,
    /// The latches that have it in the next one.
    before: HashMap<VariableId, Vec<NodeId>>,
}

impl Builder<'_> {
    fn bits(&self, id: VariableId) -> &[Bit] {
        self.rules.encoding().bits(id)
    }

    fn inputs(&mut self) -> Vec<Port> {
        let mut ports = Vec::new();
        for id in self.spec.variable_ids() {
            let variable = self.spec.variable(id);
            if variable.owner != Player::Environment {
                continue;
            }
            let meaning = Meaning::of(self.spec, &variable.domain);
            let width = meaning.width();
            let bits: Vec<Literal> = (0..width)
                .map(|index| {
                    let input = self.design.add_input(InputKind::Environment);
                    let name = bit_name(&variable.name, index, width);
                    self.design.set_name(input, name);
                    input.literal()
                })
                .collect();
            let count = self.bits(id).len();
            let code = meaning.decode(&mut self.design, &bits, count);
            self.codes.insert(id, code);
            ports.push(Port {
                name: variable.name.clone(),
                bits,
                meaning,
            });
        }
        ports
    }

    /// Latches for the last step.
    fn remember(&mut self) {
        for id in self.spec.variable_ids() {
            let count = self.bits(id).len();
            let name = fresh(
                self.spec,
                &format!("{BEFORE}{}", self.spec.variable(id).name),
            );
            let latches = (0..count)
                .map(|index| {
                    let latch = self.design.add_latch(Reset::Zero);
                    self.design.set_name(latch, bit_name(&name, index, count));
                    latch
                })
                .collect();
            self.before.insert(id, latches);
        }
    }

    fn close(&mut self) {
        for id in self.spec.variable_ids() {
            let code = self.codes[&id].clone();
            for (latch, literal) in self.before[&id].clone().into_iter().zip(code) {
                self.design.set_next(latch, literal);
            }
        }
    }

    /// The signals that variables of the diagrams stand for in a step after the first.
    fn later(&self) -> HashMap<Variable, Literal> {
        let mut signals = HashMap::new();
        for id in self.spec.variable_ids() {
            for (bit, latch) in self.bits(id).iter().zip(&self.before[&id]) {
                signals.insert(bit.now, latch.literal());
            }
            if let Some(code) = self.codes.get(&id) {
                for (bit, literal) in self.bits(id).iter().zip(code) {
                    signals.insert(bit.next, *literal);
                }
            }
        }
        signals
    }

    /// The same in the first step.
    fn first(&self) -> HashMap<Variable, Literal> {
        let mut signals = HashMap::new();
        for (id, code) in &self.codes {
            for (bit, literal) in self.bits(*id).iter().zip(code) {
                signals.insert(bit.now, *literal);
            }
        }
        signals
    }

    /// For each goal, whether it is worked for: a number that moves on when the last step met
    /// the goal.
    fn goals(&mut self, started: Literal) -> Result<(Vec<Literal>, Vec<NodeId>)> {
        let count = self.rules.goals.len();
        let width = count.next_power_of_two().trailing_zeros() as usize;
        let latches: Vec<NodeId> = (0..width)
            .map(|_| self.design.add_latch(Reset::Zero))
            .collect();
        let turns: Vec<Literal> = (0..count)
            .map(|number| {
                let bits = latches.iter().enumerate();
                let bits = bits.map(|(bit, id)| id.literal().complement_if(number >> bit & 1 == 0));
                self.design.and_all(bits)
            })
            .collect();
        if width > 0 {
            let signals = self.later();
            let mut gates = Gates::new(&signals);
            let mut next: Vec<Literal> = latches.iter().map(|id| id.literal()).collect();
            for (number, goal) in self.rules.goals.iter().enumerate() {
                let met = gates.build(&mut self.design, &goal.states);
                let met = self.design.and(met, started);
                let moves_on = self.design.and(turns[number], met);
                let after = (number + 1) % count;
                for (bit, literal) in next.iter_mut().enumerate() {
                    let value = Literal::constant(after >> bit & 1 == 1);
                    *literal = self.design.mux(moves_on, value, *literal);
                }
            }
            for (latch, literal) in latches.iter().zip(next) {
                self.design.set_next(*latch, literal);
            }
        }
        Ok((turns, latches))
    }

    fn outputs(
        &mut self,
        solution: &Solution,
        limits: &Limits,
        started: Literal,
        turns: &[Literal],
    ) -> Result<()> {
        let rules = self.rules;
        let own: Vec<VariableId> = self
            .spec
            .variable_ids()
            .filter(|id| self.spec.variable(*id).owner == Player::System)
            .collect();
        let bits: Vec<Bit> = own.iter().flat_map(|id| self.bits(*id).to_vec()).collect();
        let now: Vec<Variable> = bits.iter().map(|bit| bit.now).collect();
        let next: Vec<Variable> = bits.iter().map(|bit| bit.next).collect();

        let starts = rules.initial_guarantee().and(&solution.winning)?;
        let first = functions(&starts, rules.initial_assumption(), &now)?;
        // Any move that keeps the assumptions: nobody has to be hindered.
        let legal = rules.environment_moves_from(&solution.winning, &rules.manager().one())?;
        let mut later = Vec::new();
        for goal in 0..turns.len() {
            let moves = moves(rules, solution, goal)?;
            later.push(functions(&moves, &legal, &next)?);
        }
        let chosen = Chosen {
            bits: &bits,
            first: &first,
            later: &later,
            legal: &legal,
        };
        if let Some(visited) = visited(rules, &chosen, limits)? {
            for (functions, states) in later.iter_mut().zip(visited) {
                let care = legal.and(&states)?;
                for function in functions {
                    *function = if care.is_zero() {
                        rules.manager().zero()
                    } else {
                        function.minimize(&care)?
                    };
                }
            }
        }

        let signals = self.first();
        let mut gates = Gates::new(&signals);
        let mut values: Vec<Literal> = first
            .iter()
            .map(|function| gates.build(&mut self.design, function))
            .collect();
        let signals = self.later();
        let mut gates = Gates::new(&signals);
        let mut chosen = vec![Literal::FALSE; next.len()];
        for (goal, turn) in turns.iter().enumerate() {
            for (value, function) in chosen.iter_mut().zip(&later[goal]) {
                let literal = gates.build(&mut self.design, function);
                *value = match goal {
                    0 => literal,
                    _ => self.design.mux(*turn, literal, *value),
                };
            }
        }
        for (value, later) in values.iter_mut().zip(chosen) {
            *value = self.design.mux(started, later, *value);
        }
        let mut values = values.into_iter();
        for id in own {
            let count = self.bits(id).len();
            let code = values.by_ref().take(count).collect();
            self.codes.insert(id, code);
        }
        Ok(())
    }

    fn port(&mut self, id: VariableId) -> Port {
        let variable = self.spec.variable(id);
        let meaning = Meaning::of(self.spec, &variable.domain);
        let code = self.codes[&id].clone();
        Port {
            name: variable.name.clone(),
            bits: meaning.encode(&mut self.design, &code),
            meaning,
        }
    }
}

/// The moves of the system that get on with a goal, over the last step and this one.
fn moves(rules: &Rules<'_>, solution: &Solution, goal: usize) -> Result<Bdd> {
    let encoding = rules.encoding();
    let goal_states = &rules.goals[goal].states;
    let winning = encoding.to_next(&solution.winning)?;
    let mut moves = goal_states.and(&winning)?;
    // States that a smaller pair of layer and assumption has dealt with.
    let mut lower = goal_states.clone();
    let mut closer = rules.manager().zero();
    for layer in &solution.progress[goal].layers {
        for (assumed, stay) in rules.assumed.iter().zip(&layer.waiting) {
            let here = stay.minus(&lower)?;
            if !here.is_zero() {
                let waits = encoding.to_next(stay)?.minus(&assumed.states)?;
                let step = waits.or(&encoding.to_next(&closer)?)?;
                moves = moves.or(&here.and(&step)?)?;
                lower = lower.or(stay)?;
            }
        }
        closer = layer.states.clone();
    }
    for part in rules.step_parts() {
        moves = moves.and(&part)?;
    }
    Ok(moves)
}
