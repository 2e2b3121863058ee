//! The environment's part of a run: what latches start with, and what inputs are.
//!
//! A [`Run`] knows signals by name, so it fits every version of a design: as it was read, with
//! components open, and after an edit. Latches and inputs that have no name are known by
//! their index.

use super::literal::NodeId;
use super::netlist::Design;
use crate::run::{Run, Signal, SignalKind};
use std::collections::{HashMap, HashSet};

/// What is 1 in a run of one design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ones {
    /// Latches in the first step.
    pub initial: HashSet<NodeId>,
    /// Inputs in each step.
    pub inputs: Vec<HashSet<NodeId>>,
}

impl Design {
    /// The latches, then the inputs, by the names that runs know them by.
    fn leaf_names(&self) -> Vec<(NodeId, SignalKind, String)> {
        let name = |id: NodeId, word: &str, index: usize| match self.name(id) {
            Some(name) if !name.is_empty() => name.to_string(),
            _ => format!("{word}${index}"),
        };
        let latches = self.latches().iter().enumerate();
        let latches =
            latches.map(|(index, id)| (*id, SignalKind::Latch, name(*id, "latch", index)));
        let inputs = self.inputs().iter().enumerate();
        let inputs = inputs.map(|(index, id)| (*id, SignalKind::Input, name(*id, "input", index)));
        latches.chain(inputs).collect()
    }

    /// A run from the values that the environment gives. `input` is asked for each step.
    pub fn stimulus(
        &self,
        steps: usize,
        loop_start: Option<usize>,
        initial: impl Fn(NodeId) -> bool,
        input: impl Fn(NodeId, usize) -> bool,
    ) -> Run {
        let signals = self.leaf_names().into_iter().map(|(id, kind, name)| {
            let value = |step: usize| match kind {
                SignalKind::Input => Some(vec![input(id, step)]),
                _ if step == 0 => Some(vec![initial(id)]),
                _ => None,
            };
            Signal {
                name,
                kind,
                width: 1,
                relevant: true,
                values: (0..steps).map(value).collect(),
            }
        });
        Run {
            steps,
            loop_start,
            signals: signals.collect(),
        }
    }

    /// What is 1 in a run, as nodes of this design. Signals that the run does not have are 0.
    pub fn ones_of(&self, run: &Run) -> Ones {
        let known: HashMap<(SignalKind, &str), &Signal> = run
            .signals
            .iter()
            .map(|signal| ((signal.kind, signal.name.as_str()), signal))
            .collect();
        let mut ones = Ones {
            initial: HashSet::new(),
            inputs: vec![HashSet::new(); run.steps],
        };
        for (id, kind, name) in self.leaf_names() {
            let Some(signal) = known.get(&(kind, name.as_str())) else {
                continue;
            };
            if kind == SignalKind::Latch {
                if signal.is_one(0) {
                    ones.initial.insert(id);
                }
                continue;
            }
            for (step, inputs) in ones.inputs.iter_mut().enumerate() {
                if signal.is_one(step) {
                    inputs.insert(id);
                }
            }
        }
        ones
    }
}

#[cfg(test)]
mod tests {
    use crate::design::{Design, InputKind, Reset};

    #[test]
    fn a_run_fits_a_design_with_other_nodes() {
        let mut first = Design::new();
        let named = first.add_input(InputKind::Environment);
        first.set_name(named, "a");
        first.add_input(InputKind::Environment);
        let state = first.add_latch(Reset::Free);
        let run = first.stimulus(2, None, |_| true, |id, step| (id == named) == (step == 0));

        let mut second = Design::new();
        second.add_gate(crate::design::Literal::TRUE, crate::design::Literal::TRUE);
        let named = second.add_input(InputKind::Environment);
        second.set_name(named, "a");
        let other = second.add_input(InputKind::Environment);
        let latch = second.add_latch(Reset::Free);
        let ones = second.ones_of(&run);
        assert_ne!(state, latch);
        assert_eq!(ones.initial, [latch].into());
        assert_eq!(ones.inputs, [[named].into(), [other].into()]);
    }
}
