//! Simulation of a design: 64 runs at once, one bit of a word for each, or a single run.
//!
//! Deterministic: whatever is not fixed by the design (inputs, initial values that are
//! somebody's choice) is asked of the caller, in the order of the design's lists.

use super::codes;
use super::literal::{Literal, NodeId};
use super::netlist::{Design, Reset};
use crate::source::Diagnostic;

/// Call [`start`](Simulator::start), then for each cycle [`settle`](Simulator::settle), any
/// number of [`value`](Simulator::value), and [`advance`](Simulator::advance).
#[derive(Clone, Debug)]
pub struct Simulator<'design> {
    design: &'design Design,
    /// Gates with their operands, operands first.
    gates: Vec<(NodeId, Literal, Literal)>,
    values: Vec<u64>,
    /// Where the next state is gathered before all latches take it at once.
    next: Vec<u64>,
}

impl<'design> Simulator<'design> {
    /// Fails if the design does not pass [`Design::check`].
    pub fn new(design: &'design Design) -> Result<Simulator<'design>, Diagnostic> {
        let order = design.checked_order()?;
        let gate = |id: NodeId| {
            let (left, right) = design.gate(id)?;
            Some((id, left, right))
        };
        Ok(Simulator {
            design,
            gates: order.into_iter().filter_map(gate).collect(),
            values: vec![0; design.len()],
            next: vec![0; design.latches().len()],
        })
    }

    /// Sets the latches for the first cycle; `chosen` gives the values of those whose reset
    /// is `Free` or `Choice`.
    pub fn start(&mut self, mut chosen: impl FnMut(NodeId) -> u64) {
        self.values.fill(0);
        let mut computed = Vec::new();
        for id in self.design.latches() {
            let Some(latch) = self.design.latch(*id) else {
                continue;
            };
            self.values[id.index()] = match latch.reset {
                Reset::Zero => 0,
                Reset::One => u64::MAX,
                Reset::Free | Reset::Choice => chosen(*id),
                Reset::Computed(literal) => {
                    computed.push((*id, literal));
                    0
                }
            };
        }
        if !computed.is_empty() {
            // Computed resets read no input and no other computed latch, so one pass with
            // all of those at zero gives their values.
            self.evaluate();
            let values: Vec<u64> = computed.iter().map(|(_, l)| self.value(*l)).collect();
            for ((id, _), value) in computed.into_iter().zip(values) {
                self.values[id.index()] = value;
            }
        }
    }

    /// Sets the latches for a cycle in the middle of runs.
    pub fn resume(&mut self, mut state: impl FnMut(NodeId) -> u64) {
        for id in self.design.latches() {
            self.values[id.index()] = state(*id);
        }
    }

    /// Sets the inputs of this cycle and computes all gates.
    pub fn settle(&mut self, mut input: impl FnMut(NodeId) -> u64) {
        for id in self.design.inputs() {
            self.values[id.index()] = input(*id);
        }
        self.evaluate();
    }

    fn evaluate(&mut self) {
        for (id, left, right) in &self.gates {
            self.values[id.index()] = self.value(*left) & self.value(*right);
        }
    }

    #[inline]
    pub fn value(&self, literal: Literal) -> u64 {
        let value = self.values[literal.node().index()];
        // Without a branch: which literals are complemented follows no pattern.
        value ^ (literal.is_complemented() as u64).wrapping_neg()
    }

    /// Goes to the next cycle: every latch takes its next value.
    pub fn advance(&mut self) {
        for (slot, id) in self.design.latches().iter().enumerate() {
            if let Some(latch) = self.design.latch(*id) {
                self.next[slot] = self.value(latch.next);
            }
        }
        for (slot, id) in self.design.latches().iter().enumerate() {
            self.values[id.index()] = self.next[slot];
        }
    }
}

/// A single run: the value of every node in every cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    cycles: Vec<Vec<bool>>,
}

impl Run {
    /// The number of cycles.
    pub fn len(&self) -> usize {
        self.cycles.len()
    }

    pub fn is_empty(&self) -> bool {
        self.cycles.is_empty()
    }

    pub fn value(&self, cycle: usize, literal: Literal) -> bool {
        self.cycles[cycle][literal.node().index()] != literal.is_complemented()
    }
}

impl Design {
    /// The latches whose initial value a caller has to choose, in the order of
    /// [`Design::latches`].
    pub fn chosen_latches(&self) -> impl Iterator<Item = NodeId> + '_ {
        let chosen = |id: &NodeId| {
            let reset = self.latch(*id).map(|latch| latch.reset);
            matches!(reset, Some(Reset::Free | Reset::Choice))
        };
        self.latches().iter().copied().filter(chosen)
    }

    /// One run. `initial` has a value for each of [`Design::chosen_latches`], and
    /// `stimulus` for each cycle one for each of [`Design::inputs`].
    pub fn run(&self, initial: &[bool], stimulus: &[Vec<bool>]) -> Result<Run, Diagnostic> {
        let expected = self.chosen_latches().count();
        if initial.len() != expected {
            return Err(wrong_length("initial values", expected, initial.len()));
        }
        let mut simulator = Simulator::new(self)?;
        let word = |value: bool| if value { u64::MAX } else { 0 };
        let mut initial = initial.iter();
        simulator.start(|_| initial.next().copied().map_or(0, word));
        let mut cycles = Vec::with_capacity(stimulus.len());
        for inputs in stimulus {
            if inputs.len() != self.inputs().len() {
                let expected = self.inputs().len();
                return Err(wrong_length(
                    "input values in a cycle",
                    expected,
                    inputs.len(),
                ));
            }
            let mut inputs = inputs.iter();
            simulator.settle(|_| inputs.next().copied().map_or(0, word));
            cycles.push(
                simulator
                    .values
                    .iter()
                    .map(|value| value & 1 == 1)
                    .collect(),
            );
            simulator.advance();
        }
        Ok(Run { cycles })
    }
}

fn wrong_length(what: &str, expected: usize, found: usize) -> Diagnostic {
    let message = format!("the design needs {expected} {what}, but {found} were given");
    Diagnostic::error(codes::STIMULUS_LENGTH, message)
}
