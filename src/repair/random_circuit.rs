//! Small random circuits of which some gates are given values, for tests.

use crate::design::{Design, InputKind, Literal, NodeId, Reset};
use crate::random::Random;
use std::collections::HashMap;

/// Steps of a run.
pub const STEPS: usize = 4;
const LATCHES: usize = 3;
const GATES: usize = 7;

/// A circuit with two inputs, and the inputs of a run.
pub struct RandomCircuit {
    pub design: Design,
    /// One of its last gates, which is the output `y`.
    pub shown: Literal,
    pub inputs: Vec<[bool; 2]>,
}

/// What happens in a step.
pub struct Step {
    pub shown: bool,
    /// Whether a gate has another value than the one that it computes.
    pub is_changed: bool,
}

impl RandomCircuit {
    pub fn new(random: &mut Random) -> RandomCircuit {
        let mut design = Design::new();
        let mut leaves = Vec::new();
        for name in ["a", "b"] {
            let id = design.add_input(InputKind::Environment);
            design.set_name(id, name);
            leaves.push(id);
        }
        let resets = [Reset::Zero, Reset::One];
        let latches = (0..LATCHES).map(|_| design.add_latch(*random.pick(&resets)));
        let latches: Vec<NodeId> = latches.collect();
        leaves.extend(&latches);
        let draw = |random: &mut Random, nodes: &[NodeId]| {
            Literal::new(*random.pick(nodes), random.flip())
        };
        for _ in 0..GATES {
            let (left, right) = (draw(random, &leaves), draw(random, &leaves));
            leaves.push(design.add_gate(left, right));
        }
        for latch in latches {
            let next = draw(random, &leaves);
            design.set_next(latch, next);
        }
        let shown = draw(random, &leaves[leaves.len() - 4..]);
        design.add_output(Some("y".to_string()), shown, None);
        RandomCircuit {
            shown,
            inputs: (0..STEPS).map(|_| [random.flip(), random.flip()]).collect(),
            design,
        }
    }

    /// The run with some gates having given values: a bit for each of them in each step.
    pub fn run(&self, open: &[NodeId], values: usize) -> Vec<Step> {
        let design = &self.design;
        let latches = design.latches().iter();
        let latches = latches.filter_map(|id| Some((*id, design.latch(*id)?)));
        let latches: Vec<(NodeId, _)> = latches.collect();
        let initial = latches.iter();
        let initial = initial.map(|(id, latch)| (*id, latch.reset == Reset::One));
        let mut state: HashMap<NodeId, bool> = initial.collect();
        let mut steps = Vec::new();
        for (step, inputs) in self.inputs.iter().enumerate() {
            let mut now = state.clone();
            now.insert(NodeId::CONSTANT, false);
            now.extend(design.inputs().iter().copied().zip(*inputs));
            let read = |now: &HashMap<NodeId, bool>, literal: Literal| {
                now[&literal.node()] != literal.is_complemented()
            };
            let mut is_changed = false;
            for id in design.gates() {
                let (left, right) = design.gate(id).expect("a gate");
                let computed = read(&now, left) && read(&now, right);
                let place = open.iter().position(|gate| *gate == id);
                let value = place.map_or(computed, |place| {
                    values >> (step * open.len() + place) & 1 == 1
                });
                is_changed |= value != computed;
                now.insert(id, value);
            }
            steps.push(Step {
                shown: read(&now, self.shown),
                is_changed,
            });
            for (id, latch) in &latches {
                state.insert(*id, read(&now, latch.next));
            }
        }
        steps
    }
}
