//! Single states of a circuit, and steps between them.

use super::super::InputRun;
use super::super::circuit::Circuit;
use crate::design::{Design, Literal, NodeId, Reset, Simulator};
use std::collections::HashSet;

/// A value for each latch of a circuit.
pub type State = Vec<bool>;

/// Follows runs of a circuit.
pub struct Stepper {
    values: Vec<bool>,
}

impl Stepper {
    pub fn new() -> Stepper {
        Stepper { values: Vec::new() }
    }

    /// The initial state in which the free latches have the values of a run.
    pub fn initial(&mut self, circuit: &Circuit, run: &InputRun) -> State {
        let ones: HashSet<NodeId> = run.initial.iter().copied().collect();
        let latches = circuit.latches().iter();
        let mut state: State = latches
            .map(|latch| match latch.reset {
                Reset::One => true,
                Reset::Zero | Reset::Computed(_) => false,
                Reset::Free | Reset::Choice => ones.contains(&latch.origin),
            })
            .collect();
        self.settle(circuit, &state, &[]);
        // Computed resets read neither inputs nor each other.
        for (value, latch) in state.iter_mut().zip(circuit.latches()) {
            if let Reset::Computed(literal) = latch.reset {
                *value = self.value(literal);
            }
        }
        state
    }

    /// Computes all nodes in a state, with some inputs of the design being 1.
    fn settle(&mut self, circuit: &Circuit, state: &[bool], ones: &[NodeId]) {
        let ones: HashSet<NodeId> = ones.iter().copied().collect();
        self.values.clear();
        self.values.push(false);
        let inputs = circuit.inputs().iter();
        self.values.extend(inputs.map(|id| ones.contains(id)));
        self.values.extend(state);
        for (_, (left, right)) in circuit.gates() {
            self.values.push(self.value(left) && self.value(right));
        }
    }

    /// The state after a step.
    pub fn next(&mut self, circuit: &Circuit, state: &[bool], ones: &[NodeId]) -> State {
        self.settle(circuit, state, ones);
        let latches = circuit.latches().iter();
        latches.map(|latch| self.value(latch.next)).collect()
    }

    /// A literal in the step that was taken last.
    pub fn value(&self, literal: Literal) -> bool {
        self.values[literal.node().index()] != literal.is_complemented()
    }
}

/// The same infinite run, written so that some latches of a design have the values again that
/// they had where the loop starts; `None` if that takes more than so many rounds.
pub fn unwound(
    design: &Design,
    latches: &[NodeId],
    run: &InputRun,
    loop_start: usize,
    most_rounds: usize,
) -> Option<(InputRun, usize)> {
    let mut simulator = Simulator::new(design).ok()?;
    let word = |is_one: bool| if is_one { u64::MAX } else { 0 };
    simulator.start(|id| word(run.initial.contains(&id)));
    let state = |simulator: &Simulator| -> State {
        let value = |id: &NodeId| simulator.value(id.literal()) & 1 == 1;
        latches.iter().map(value).collect()
    };
    let (before, round) = run.steps.split_at(loop_start);
    let mut take = |steps: &[Vec<NodeId>]| {
        for ones in steps {
            simulator.settle(|id| word(ones.contains(&id)));
            simulator.advance();
        }
        state(&simulator)
    };
    // The states between rounds.
    let mut seen = vec![take(before)];
    for rounds in 1..=most_rounds {
        let state = take(round);
        if let Some(earlier) = seen.iter().position(|other| *other == state) {
            let steps = before
                .iter()
                .chain(std::iter::repeat_n(round, rounds).flatten());
            let run = InputRun {
                initial: run.initial.clone(),
                steps: steps.cloned().collect(),
            };
            return Some((run, loop_start + earlier * round.len()));
        }
        seen.push(state);
    }
    None
}
