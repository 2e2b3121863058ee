//! From one state to a cube of states that lead to the same place.
//!
//! Given the values of all nodes in one step, some leaves are enough to make the targets
//! hold: a gate that is 1 needs both operands, one that is 0 needs an operand that is 0. For
//! each node the fewest latches that make it what it is are estimated (shared ones count
//! more than once), operands first; then the cheapest operands are followed from the targets
//! down. Unlike ternary simulation this takes one pass, whatever the number of latches.

use super::super::circuit::Circuit;
use crate::design::{Literal, NodeId};

/// What the work of finding cubes keeps between calls.
#[derive(Default)]
pub struct Lifting {
    /// When each node was last visited, on the way up and on the way down.
    counted: Vec<u32>,
    needed: Vec<u32>,
    now: u32,
    cost: Vec<u32>,
    pending: Vec<(NodeId, bool)>,
}

impl Lifting {
    /// Literals of latches that, together with the values of inputs, make all targets hold.
    /// `value` has the value of each node that the targets depend on. Second, how many nodes
    /// were looked at.
    pub fn lift(
        &mut self,
        circuit: &Circuit,
        targets: &[Literal],
        value: impl Fn(NodeId) -> bool,
    ) -> (Vec<Literal>, usize) {
        self.counted.resize(circuit.size(), 0);
        self.needed.resize(circuit.size(), 0);
        self.cost.resize(circuit.size(), 0);
        self.now += 1;
        let mut visited = 0;
        for target in targets {
            visited += self.count(circuit, target.node(), &value);
        }
        let mut cube = Vec::new();
        let mut pending: Vec<NodeId> = targets.iter().map(|target| target.node()).collect();
        while let Some(id) = pending.pop() {
            if std::mem::replace(&mut self.needed[id.index()], self.now) == self.now {
                continue;
            }
            match circuit.gate(id) {
                Some((left, right)) if value(id) => pending.extend([left.node(), right.node()]),
                Some((left, right)) => {
                    let operand = self.cheapest_zero(left, right, &value);
                    pending.push(operand.node());
                }
                None if circuit.latch_index(id).is_some() => {
                    cube.push(Literal::new(id, !value(id)));
                }
                None => {}
            }
        }
        cube.sort_unstable();
        (cube, visited)
    }

    /// Of the operands that are 0, one that is needed anyway, or the cheaper one.
    fn cheapest_zero(
        &self,
        left: Literal,
        right: Literal,
        value: &impl Fn(NodeId) -> bool,
    ) -> Literal {
        let is_zero = |literal: Literal| value(literal.node()) == literal.is_complemented();
        let cost = |literal: Literal| {
            let index = literal.node().index();
            if self.needed[index] == self.now {
                0
            } else {
                self.cost[index]
            }
        };
        match (is_zero(left), is_zero(right)) {
            (true, true) if cost(right) < cost(left) => right,
            (true, _) => left,
            (false, _) => right,
        }
    }

    /// Estimates costs up to a node, and says how many nodes were looked at.
    fn count(&mut self, circuit: &Circuit, root: NodeId, value: &impl Fn(NodeId) -> bool) -> usize {
        let mut visited = 0;
        self.pending.push((root, false));
        while let Some((id, operands_done)) = self.pending.pop() {
            let index = id.index();
            if !operands_done && self.counted[index] == self.now {
                continue;
            }
            let Some((left, right)) = circuit.gate(id) else {
                self.cost[index] = u32::from(circuit.latch_index(id).is_some());
                self.counted[index] = self.now;
                visited += 1;
                continue;
            };
            if !operands_done {
                self.pending.push((id, true));
                self.pending.push((left.node(), false));
                self.pending.push((right.node(), false));
                self.counted[index] = self.now;
                continue;
            }
            visited += 1;
            let of = |literal: Literal| self.cost[literal.node().index()];
            let is_zero = |literal: Literal| value(literal.node()) == literal.is_complemented();
            self.cost[index] = if value(id) {
                of(left).saturating_add(of(right))
            } else {
                match (is_zero(left), is_zero(right)) {
                    (true, true) => of(left).min(of(right)),
                    (true, false) => of(left),
                    (false, _) => of(right),
                }
            };
        }
        visited
    }
}
