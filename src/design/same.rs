//! Whether two designs are the same circuit, up to gates that are written twice, constants
//! and buffers. Two that are not may still behave alike.

use super::literal::{Literal, NodeId};
use super::netlist::{Design, InputKind};
use std::collections::HashMap;

impl Design {
    /// Compares what latches and outputs compute; inputs and latches count by their order.
    pub fn is_same_circuit(&self, other: &Design) -> bool {
        let resets = |design: &Design| -> Vec<_> {
            let latches = design.latches().iter();
            latches
                .map(|id| design.latch(*id).map(|latch| latch.reset))
                .collect()
        };
        let same_shape = self.inputs().len() == other.inputs().len()
            && resets(self) == resets(other)
            && self.outputs().len() == other.outputs().len();
        let mut shared = Shared {
            leaves: Vec::new(),
            gates: HashMap::new(),
            netlist: Design::new(),
        };
        same_shape && shared.roots_of(self) == shared.roots_of(other)
    }
}

/// One netlist for both, in which each gate stands once.
struct Shared {
    leaves: Vec<Literal>,
    gates: HashMap<(Literal, Literal), Literal>,
    netlist: Design,
}

impl Shared {
    /// What latches and outputs compute; nothing for a design with a loop.
    fn roots_of(&mut self, design: &Design) -> Option<Vec<Literal>> {
        let order = design.topological_order().ok()?;
        let mut known: HashMap<NodeId, Literal> = HashMap::new();
        known.insert(NodeId::CONSTANT, Literal::FALSE);
        let leaves = design.inputs().iter().chain(design.latches());
        for (index, id) in leaves.enumerate() {
            if index == self.leaves.len() {
                let leaf = self.netlist.add_input(InputKind::Environment);
                self.leaves.push(leaf.literal());
            }
            known.insert(*id, self.leaves[index]);
        }
        let value = |known: &HashMap<NodeId, Literal>, literal: Literal| {
            known[&literal.node()].complement_if(literal.is_complemented())
        };
        for id in order {
            let Some((left, right)) = design.gate(id) else {
                continue;
            };
            let (left, right) = (value(&known, left), value(&known, right));
            let key = (left.min(right), left.max(right));
            let netlist = &mut self.netlist;
            let gate = self
                .gates
                .entry(key)
                .or_insert_with(|| netlist.and(key.0, key.1));
            known.insert(id, *gate);
        }
        let next = design.latches().iter().filter_map(|id| design.latch(*id));
        let next = next.map(|latch| latch.next);
        let shown = design.outputs().iter().map(|output| output.literal);
        Some(
            next.chain(shown)
                .map(|literal| value(&known, literal))
                .collect(),
        )
    }
}

#[cfg(test)]
mod tests {
    use crate::design::aiger;

    fn check(first: &str, second: &str, expected: bool) {
        let read = |text: &str| aiger::read(text.as_bytes(), None).unwrap().design;
        assert_eq!(read(first).is_same_circuit(&read(second)), expected);
    }

    const SHARED: &str = "aag 4 2 1 1 1\n2\n4\n6 8\n8\n8 2 4\n";

    #[test]
    fn copies_and_buffers_do_not_count() {
        let twice = "aag 6 2 1 1 3\n2\n4\n6 8\n12\n8 2 4\n10 4 2\n12 10 1\n";
        check(SHARED, twice, true);
    }

    #[test]
    fn functions_and_resets_do() {
        check(SHARED, "aag 4 2 1 1 1\n2\n4\n6 8\n8\n8 2 5\n", false);
        check(SHARED, "aag 4 2 1 1 1\n2\n4\n6 8 1\n8\n8 2 4\n", false);
    }

    #[test]
    fn a_constant_gate_is_a_constant() {
        let gate = "aag 3 1 1 0 1\n2\n4 6\n6 1 1\n";
        check(gate, "aag 2 1 1 0 0\n2\n4 1\n", true);
    }
}
