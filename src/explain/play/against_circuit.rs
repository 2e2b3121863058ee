//! Playing against a circuit: the environment against a controller, or the system against a
//! counterstrategy.

use super::{End, Play, Turn};
use crate::bdd;
use crate::certify::Judged;
use crate::explain::Recording;
use crate::explain::settings::{parse_ports, ports_line};
use crate::source::Diagnostic;
use crate::synth::circuit::Circuit;
use crate::synth::run::{Runner, Settings};
use std::collections::HashMap;

pub struct CircuitPlay<'a> {
    circuit: &'a Circuit,
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
            runner: Runner::new(circuit, judged)?,
            is_controller,
            circuit_first,
            recording: Recording::of_circuit(circuit, is_controller),
            seen: HashMap::new(),
        })
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
}
