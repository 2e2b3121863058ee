//! What happened in a simulation or in a play of a user: a run, with what its bits stand for.

use crate::run::{Run, Signal, SignalKind};
use crate::synth::circuit::{Circuit, Meaning, Port};
use crate::synth::run::Taken;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recording {
    pub run: Run,
    /// For each signal of the run.
    pub meanings: Vec<Meaning>,
    /// For each step, the goal that the controller works for.
    pub goals: Vec<Option<String>>,
}

impl Recording {
    /// A run of a circuit that has not begun. Whoever drives the ports owns them: the inputs of a
    /// controller are the environment's, those of a counterstrategy the system's.
    pub fn of_circuit(circuit: &Circuit, is_controller: bool) -> Recording {
        let (read, driven) = if is_controller {
            (SignalKind::Input, SignalKind::Output)
        } else {
            (SignalKind::Output, SignalKind::Input)
        };
        let signal = |port: &Port, kind: SignalKind| Signal {
            name: port.name.clone(),
            kind,
            width: port.bits.len(),
            relevant: true,
            values: Vec::new(),
        };
        let inputs = circuit.inputs.iter().map(|port| signal(port, read));
        let outputs = circuit.outputs.iter().map(|port| signal(port, driven));
        let ports = circuit.inputs.iter().chain(&circuit.outputs);
        Recording {
            run: Run {
                steps: 0,
                loop_start: None,
                signals: inputs.chain(outputs).collect(),
            },
            meanings: ports.map(|port| port.meaning.clone()).collect(),
            goals: Vec::new(),
        }
    }

    /// Adds a step of the circuit.
    pub fn add(&mut self, taken: &Taken) {
        for (signal, bits) in self.run.signals.iter_mut().zip(&taken.bits) {
            signal.values.push(Some(bits.clone()));
        }
        self.run.steps += 1;
        let goal = taken.goal.clone();
        self.goals.push(goal.filter(|goal| !goal.is_empty()));
    }

    /// A step as settings, in the form in which a trace can be edited.
    pub fn line(&self, step: usize) -> String {
        let signals = self.run.signals.iter().zip(&self.meanings);
        let settings = signals.filter_map(|(signal, meaning)| {
            let bits = signal.values.get(step)?.as_ref()?;
            Some(format!("{}={}", signal.name, meaning.text(bits)))
        });
        let line = settings.collect::<Vec<String>>().join(" ");
        match self.goals.get(step) {
            Some(Some(goal)) => format!("{line}  # for {goal}"),
            _ => line,
        }
    }
}
