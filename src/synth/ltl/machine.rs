//! A controller as a list of states, made as small as its behaviour allows.
//!
//! States that plays get to are enumerated, those that no sequence of inputs tells apart are
//! merged by partition refinement, and the rest are numbered anew. Only for controllers with
//! few states; the circuit is used if it is smaller than the one without enumeration.

use super::circuit::Controller;
use super::form::{Form, Gates};
use crate::bdd::{Bdd, Result, Variable};
use crate::design::{Design, InputKind, Literal, Reset};
use std::collections::HashMap;

/// More states than this stay as they are.
const MOST_STATES: usize = 1_500;
/// More pairs of states and successors than this, too.
const MOST_STEPS: usize = 40_000;

/// What a state does: by class of inputs, the successor; and the signals that it sets.
struct State {
    signals: Vec<Bdd>,
    successors: Vec<(usize, Bdd)>,
}

/// By which states are told apart: their signals, and their successors by class.
type Signature = (Vec<Bdd>, Vec<(usize, Bdd)>);

/// Codes of states with as many latches as there are states, about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coding {
    /// One latch is set.
    OneHot,
    /// As many latches are set as the number of the state says.
    Thermometer,
}

/// An explicit machine; state 0 is where it starts.
pub struct Machine {
    states: Vec<State>,
}

impl Machine {
    /// `None` if there are many states or steps.
    pub fn new(controller: &Controller) -> Result<Option<Machine>> {
        let Some(first) = controller.signals.first().map(|(_, function)| function) else {
            return Ok(None);
        };
        let manager = first.manager().clone();
        let start: Vec<bool> = controller.state.iter().map(|one| one.1).collect();
        let mut numbers: HashMap<Vec<bool>, usize> = HashMap::from([(start.clone(), 0)]);
        let mut known = vec![start];
        let mut states = Vec::new();
        let mut steps = 0;
        while states.len() < known.len() {
            let values: Vec<(Variable, bool)> = controller
                .state
                .iter()
                .zip(&known[states.len()])
                .map(|((variable, ..), value)| (*variable, *value))
                .collect();
            let here = |function: &Bdd| function.cofactor(&values);
            let mut signals = Vec::new();
            for (_, function) in &controller.signals {
                signals.push(here(function)?);
            }
            let mut found: Vec<(Vec<bool>, Bdd)> = vec![(Vec::new(), manager.one())];
            for (_, _, next) in &controller.state {
                let next = here(next)?;
                let mut split = Vec::new();
                for (bits, guard) in found {
                    for value in [false, true] {
                        let own = if value {
                            guard.and(&next)?
                        } else {
                            guard.minus(&next)?
                        };
                        if !own.is_zero() {
                            let mut bits = bits.clone();
                            bits.push(value);
                            split.push((bits, own));
                        }
                    }
                }
                found = split;
                if found.len() > MOST_STEPS {
                    return Ok(None);
                }
            }
            steps += found.len();
            let mut successors = Vec::new();
            for (bits, guard) in found {
                let next = known.len();
                let number = *numbers.entry(bits.clone()).or_insert(next);
                if number == next {
                    known.push(bits);
                }
                successors.push((number, guard));
            }
            if known.len() > MOST_STATES || steps > MOST_STEPS {
                return Ok(None);
            }
            states.push(State {
                signals,
                successors,
            });
        }
        Ok(Some(Machine { states }))
    }

    /// Merges states that behave alike.
    // Handles are equal if their functions are; the manager behind them has no part in it.
    #[allow(clippy::mutable_key_type)]
    pub fn minimized(&self) -> Result<Machine> {
        let mut classes = vec![0; self.states.len()];
        let mut count = 0;
        loop {
            let mut numbers: HashMap<Signature, usize> = HashMap::new();
            let mut refined = Vec::new();
            for state in &self.states {
                let key = (state.signals.clone(), merged(state, &classes)?);
                let next = numbers.len();
                refined.push(*numbers.entry(key).or_insert(next));
            }
            let stable = numbers.len() == count;
            count = numbers.len();
            classes = refined;
            if stable {
                break;
            }
        }
        let mut states: Vec<Option<State>> = (0..count).map(|_| None).collect();
        for (state, class) in self.states.iter().zip(&classes) {
            if states[*class].is_none() {
                states[*class] = Some(State {
                    signals: state.signals.clone(),
                    successors: merged(state, &classes)?,
                });
            }
        }
        Ok(Machine {
            states: states.into_iter().flatten().collect(),
        })
    }

    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// The machine that goes to one state in place of another, without what it does not get to
    /// any more. The start stays.
    pub fn merging(&self, given_up: usize, kept: usize) -> Result<Machine> {
        let mut classes: Vec<usize> = (0..self.states.len()).collect();
        classes[given_up] = kept;
        let mut numbers: HashMap<usize, usize> = HashMap::from([(0, 0)]);
        let mut order = vec![0];
        let mut states: Vec<State> = Vec::new();
        while states.len() < order.len() {
            let state = &self.states[order[states.len()]];
            let mut successors = Vec::new();
            for (successor, guard) in merged(state, &classes)? {
                let next = order.len();
                let number = *numbers.entry(successor).or_insert(next);
                if number == next {
                    order.push(successor);
                }
                successors.push((number, guard));
            }
            states.push(State {
                signals: state.signals.clone(),
                successors,
            });
        }
        Ok(Machine { states })
    }

    /// The machine as a circuit with a latch for each state but the first, built as the states
    /// are and not by way of decision diagrams: codes that few states have leave a diagram more
    /// freedom than it knows how to use. `ports` are the inputs and the outputs of a circuit.
    pub fn written(&self, controller: &Controller, coding: Coding, ports: &Design) -> Design {
        let mut design = Design::new();
        let mut known: HashMap<Variable, Literal> = HashMap::new();
        let mut inputs = Vec::new();
        for id in ports.inputs() {
            let input = design.add_input(InputKind::Environment);
            design.set_name(input, ports.name(*id).unwrap_or_default());
            inputs.push(input.literal());
        }
        for (index, variable) in &controller.read {
            known.insert(*variable, inputs[*index]);
        }
        let first = match coding {
            Coding::OneHot => 0,
            Coding::Thermometer => 1,
        };
        let mut latches = Vec::new();
        for number in first..self.len() {
            let reset = if number == 0 { Reset::One } else { Reset::Zero };
            latches.push(design.add_latch(reset));
        }
        let bits: Vec<Literal> = latches.iter().map(|id| id.literal()).collect();
        let mut gates = Gates::new(&known, Form::default());
        let mut of = |design: &mut Design, values: &[Bdd]| -> Literal {
            match coding {
                Coding::OneHot => {
                    let mut result = Literal::FALSE;
                    for (bit, value) in bits.iter().zip(values) {
                        let value = gates.build(design, value);
                        let here = design.and(*bit, value);
                        result = design.or(result, here);
                    }
                    result
                }
                Coding::Thermometer => {
                    // From the last state down; where states agree there is nothing to choose.
                    let Some(last) = values.last() else {
                        return Literal::FALSE;
                    };
                    let mut result = gates.build(design, last);
                    for number in (1..values.len()).rev() {
                        if values[number] != values[number - 1] {
                            let otherwise = gates.build(design, &values[number - 1]);
                            result = design.mux(bits[number - 1], result, otherwise);
                        }
                    }
                    result
                }
            }
        };
        for (number, latch) in (first..).zip(&latches) {
            let goes = |state: &State| {
                let manager = state.signals.first().map(|one| one.manager().clone());
                let goes = state.successors.iter().filter(|(next, _)| match coding {
                    Coding::OneHot => *next == number,
                    Coding::Thermometer => *next >= number,
                });
                let mut all = manager.map(|manager| manager.zero());
                for (_, guard) in goes {
                    all = all.and_then(|all| all.or(guard).ok());
                }
                all
            };
            let values: Option<Vec<Bdd>> = self.states.iter().map(goes).collect();
            let next = values.map_or(Literal::FALSE, |values| of(&mut design, &values));
            design.set_next(*latch, next);
        }
        let mut outputs = vec![Literal::FALSE; ports.outputs().len()];
        for (position, (index, _)) in controller.signals.iter().enumerate() {
            let states = self.states.iter();
            let values: Vec<Bdd> = states
                .map(|state| state.signals[position].clone())
                .collect();
            outputs[*index] = of(&mut design, &values);
        }
        for (output, literal) in ports.outputs().iter().zip(outputs) {
            design.add_output(output.name.clone(), literal, None);
        }
        design
    }

    /// The machine as functions, with state `i` as the code `codes[i]` of variables that have
    /// no other meaning; as many as are needed are added to them.
    pub fn encoded(
        &self,
        controller: &Controller,
        codes: &[usize],
        spare: &mut Vec<Variable>,
    ) -> Result<Controller> {
        let Some((_, first)) = controller.signals.first() else {
            return Ok(controller.clone());
        };
        let manager = first.manager();
        let largest = codes.iter().copied().max().unwrap_or(0);
        let width = (usize::BITS - largest.leading_zeros()) as usize;
        while spare.len() < width {
            spare.push(manager.new_variable()?);
        }
        let variables = &spare[..width];
        let code = |state: usize| -> Vec<(Variable, bool)> {
            let bits = variables.iter().enumerate();
            bits.map(|(bit, id)| (*id, codes[state] >> bit & 1 == 1))
                .collect()
        };
        let mut visited = manager.zero();
        let mut signals = vec![manager.zero(); controller.signals.len()];
        let mut next = vec![manager.zero(); width];
        for (number, state) in self.states.iter().enumerate() {
            let here = manager.cube(&code(number))?;
            visited = visited.or(&here)?;
            for (signal, own) in signals.iter_mut().zip(&state.signals) {
                *signal = signal.or(&here.and(own)?)?;
            }
            for (successor, guard) in &state.successors {
                let taken = here.and(guard)?;
                for (bit, next) in next.iter_mut().enumerate() {
                    if codes[*successor] >> bit & 1 == 1 {
                        *next = next.or(&taken)?;
                    }
                }
            }
        }
        let start = code(0);
        let mut state = Vec::new();
        for ((variable, starts_high), next) in start.into_iter().zip(next) {
            state.push((variable, starts_high, next.minimize(&visited)?));
        }
        let mut minimized = Vec::new();
        for ((index, _), signal) in controller.signals.iter().zip(signals) {
            minimized.push((*index, signal.minimize(&visited)?));
        }
        Ok(Controller {
            signals: minimized,
            state,
            read: controller.read.clone(),
            form: Form::default(),
        })
    }
}

/// The successors of a state by class.
fn merged(state: &State, classes: &[usize]) -> Result<Vec<(usize, Bdd)>> {
    let mut found: Vec<(usize, Bdd)> = Vec::new();
    for (successor, guard) in &state.successors {
        let class = classes[*successor];
        match found.iter_mut().find(|(known, _)| *known == class) {
            Some((_, known)) => *known = known.or(guard)?,
            None => found.push((class, guard.clone())),
        }
    }
    found.sort_by_key(|(class, _)| *class);
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::super::aig::Aig;
    use super::super::aig::tests::{played, random_aig, random_run};
    use super::*;
    use crate::bdd::Limits;
    use crate::random::Random;

    #[test]
    fn every_coding_does_the_same() {
        let mut several = 0;
        for seed in 0..500 {
            let mut random = Random::new(seed);
            let circuit = random_aig(&mut random);
            let mut names = Design::new();
            for number in 0..circuit.inputs {
                let id = names.add_input(InputKind::Environment);
                names.set_name(id, format!("input_{number}"));
            }
            for number in 0..circuit.outputs.len() {
                let name = format!("output_{number}");
                names.add_output(Some(name), Literal::FALSE, None);
            }
            let design = circuit.design(&names);
            let controller = Controller::of_circuit(&design, &Limits::default()).unwrap();
            let Some(machine) = Machine::new(&controller).unwrap() else {
                panic!("seed {seed}: few states");
            };
            let machine = machine.minimized().unwrap();
            several += usize::from(machine.len() > 2);
            for coding in [Coding::OneHot, Coding::Thermometer] {
                let written = machine.written(&controller, coding, &design);
                let written = Aig::of_design(&written).expect("no cycle");
                let run = random_run(&mut random, circuit.inputs);
                let expected = played(&circuit, &run, None);
                assert_eq!(played(&written, &run, None), expected, "seed {seed}");
            }
        }
        assert!(several > 30, "{several} machines with several states");
    }
}
