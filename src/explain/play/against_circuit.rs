//! Playing against a circuit: the environment against a controller, or the system against a
//! counterstrategy.

use super::view::{Choice, Forced, View};
use super::{End, Play, Shown, Turn};
use crate::bdd;
use crate::certify::Judged;
use crate::explain::Recording;
use crate::explain::settings::{parse_ports, ports_line};
use crate::source::Diagnostic;
use crate::synth::circuit::Circuit;
use crate::synth::run::{Runner, Settings};
use std::collections::{HashMap, HashSet};

/// Inputs of so many bits are tried one by one, to see which keep the assumptions.
const MOST_BITS: usize = 12;

pub struct CircuitPlay<'a> {
    circuit: &'a Circuit,
    judged: &'a Judged,
    runner: Runner<'a>,
    /// Whether the circuit is the system's, and the user the environment.
    is_controller: bool,
    /// The circuit moves first, and the user sees its move.
    circuit_first: bool,
    recording: Recording,
    /// The step in which a state met the same inputs.
    seen: HashMap<(Vec<bool>, Settings), usize>,
}

impl<'a> CircuitPlay<'a> {
    pub fn new(
        circuit: &'a Circuit,
        judged: &'a Judged,
        is_controller: bool,
        circuit_first: bool,
    ) -> Result<CircuitPlay<'a>, Diagnostic> {
        Ok(CircuitPlay {
            circuit,
            judged,
            runner: Runner::new(circuit, judged)?,
            is_controller,
            circuit_first,
            recording: Recording::of_circuit(circuit, is_controller),
            seen: HashMap::new(),
        })
    }

    /// The values of ports that some inputs have which keep the assumptions.
    fn legal(&mut self, bits: usize) -> HashSet<(usize, Vec<bool>)> {
        let widths: Vec<usize> = self
            .circuit
            .inputs
            .iter()
            .map(|one| one.bits.len())
            .collect();
        let first: Vec<usize> = widths
            .iter()
            .scan(0, |at, width| Some(std::mem::replace(at, *at + width)))
            .collect();
        let all = 1u64 << bits;
        let mut legal = HashSet::new();
        for start in (0..all).step_by(64) {
            let lanes = (all - start).min(64);
            let column = |bit: usize| -> u64 {
                let ones = (0..lanes).filter(|lane| (start + lane) >> bit & 1 == 1);
                ones.fold(0, |word, lane| word | 1 << lane)
            };
            let kept = self.runner.peek(&|port, bit| column(first[port] + bit));
            for lane in (0..lanes).filter(|lane| kept >> lane & 1 == 1) {
                for (port, width) in widths.iter().enumerate() {
                    let bit = |bit: usize| (start + lane) >> (first[port] + bit) & 1 == 1;
                    legal.insert((port, (0..*width).map(bit).collect()));
                }
            }
        }
        legal
    }

    fn make(&mut self, given: &[Vec<bool>]) -> Turn {
        let step = self.runner.steps;
        let state = self.runner.state();
        let taken = self.runner.step(&|port, bit| given[port][bit]);
        let inputs = ports_line(&taken.inputs);
        if !taken.is_legal {
            let line = format!(
                "  you: {inputs}: that breaks an assumption, and the play ends: you have lost."
            );
            let again = "  Give other inputs to go on, or `quit`.".to_string();
            return Turn {
                lines: vec![line],
                end: End::MayTryAgain(again),
            };
        }
        self.recording.add(&taken);
        let mut lines = Vec::new();
        if self.circuit_first {
            lines.push(format!("  you: {inputs}"));
        } else {
            let goal = taken.goal.filter(|goal| !goal.is_empty());
            let goal = goal.map_or(String::new(), |goal| format!("  (for {goal})"));
            lines.push(format!("step {step}: you: {inputs}"));
            let outputs = ports_line(&taken.outputs);
            lines.push(format!("  the system: {outputs}{goal}"));
        }
        if let Some(before) = self.seen.insert((state, taken.inputs), step) {
            lines.push(format!(
                "  This is what happened in step {before}; going on like this, nothing new comes."
            ));
        }
        Turn {
            lines,
            end: End::GoesOn,
        }
    }
}

impl Play for CircuitPlay<'_> {
    fn greeting(&self) -> String {
        let sentence = if self.is_controller {
            "You are the environment, and have to keep the assumptions."
        } else {
            "You are the system, and have to keep the guarantees."
        };
        sentence.to_string()
    }

    fn asked(&self) -> &'static str {
        if self.is_controller {
            "inputs"
        } else {
            "outputs"
        }
    }

    fn prompt(&mut self) -> bdd::Result<Vec<String>> {
        if !self.circuit_first {
            return Ok(Vec::new());
        }
        let step = self.runner.steps;
        let offer = ports_line(&self.runner.offer());
        Ok(vec![format!("step {step}: {offer}")])
    }

    fn answer(&mut self, line: &str) -> bdd::Result<Result<Turn, Diagnostic>> {
        Ok(parse_ports(self.circuit, line).map(|given| self.make(&given)))
    }

    fn recording(&self) -> Recording {
        self.recording.clone()
    }

    fn choices(&self) -> Vec<Choice> {
        let ports = self.circuit.inputs.iter();
        ports
            .map(|port| Choice::new(&port.name, &port.meaning))
            .collect()
    }

    fn view(&mut self, marks: bool) -> bdd::Result<View> {
        let shown = if self.circuit_first {
            self.runner.offer()
        } else {
            Vec::new()
        };
        let bits: usize = self.circuit.inputs.iter().map(|port| port.bits.len()).sum();
        let can_mark = self.is_controller && bits <= MOST_BITS;
        let legal = (marks && can_mark).then(|| self.legal(bits));
        let mut choices = self.choices();
        let ports = self.circuit.inputs.iter().enumerate();
        for (choice, (index, port)) in choices.iter_mut().zip(ports) {
            let is_legal = |value: &String| {
                let code = port.meaning.parse(value, port.bits.len());
                let legal = legal.as_ref().zip(code);
                legal.is_none_or(|(legal, code)| legal.contains(&(index, code)))
            };
            let (kept, losing): (Vec<String>, Vec<String>) =
                choice.values.iter().cloned().partition(is_legal);
            choice.forced = match kept.as_slice() {
                [one] if !choice.is_cut && !losing.is_empty() => Some(Forced {
                    value: one.clone(),
                    because: vec!["the assumptions".to_string()],
                }),
                _ => None,
            };
            choice.losing = losing;
        }
        let is_wide = marks && self.is_controller && !can_mark;
        Ok(View {
            step: self.runner.steps,
            shown,
            choices,
            hint: is_wide.then(|| {
                format!("What loses at once is looked for only up to {MOST_BITS} bits of inputs.")
            }),
        })
    }

    fn restart(&mut self) -> Shown {
        let fresh = CircuitPlay::new(
            self.circuit,
            self.judged,
            self.is_controller,
            self.circuit_first,
        );
        Ok(fresh.map(|fresh| *self = fresh))
    }
}
