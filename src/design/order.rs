//! A first order of variables, from the shape of the netlist.
//!
//! Signals that meet in the same logic should be near each other. A depth-first walk from
//! some roots, and from the next-state functions in the order in which their latches are
//! met, lists inputs and latches as they appear [MWBS88]; the deeper operand of a gate goes
//! first, since it needs more variables.

use super::literal::{Literal, NodeId};
use super::netlist::{Design, Node, Reset};

impl Design {
    /// The inputs and latches that the roots depend on over time, in the order proposed.
    pub fn leaves_from(&self, roots: impl IntoIterator<Item = Literal>) -> Vec<NodeId> {
        let mut walk = Walk {
            design: self,
            depths: self.depths(),
            seen: vec![false; self.len()],
            leaves: Vec::new(),
        };
        for root in roots {
            walk.visit(root);
        }
        // The list grows while it is read: next-state functions bring in more latches.
        let mut position = 0;
        while let Some(id) = walk.leaves.get(position).copied() {
            if let Some(latch) = self.latch(id) {
                walk.visit(latch.next);
                if let Reset::Computed(reset) = latch.reset {
                    walk.visit(reset);
                }
            }
            position += 1;
        }
        walk.leaves
    }

    /// The number of gates on the longest way from a leaf to each node.
    fn depths(&self) -> Vec<u32> {
        let mut depths = vec![0; self.len()];
        // A loop is for `check` to report; without an order, all are as deep.
        for id in self.topological_order().unwrap_or_default() {
            if let Some((left, right)) = self.gate(id) {
                let deeper = depths[left.node().index()].max(depths[right.node().index()]);
                depths[id.index()] = 1 + deeper;
            }
        }
        depths
    }
}

struct Walk<'design> {
    design: &'design Design,
    depths: Vec<u32>,
    seen: Vec<bool>,
    leaves: Vec<NodeId>,
}

impl Walk<'_> {
    fn visit(&mut self, root: Literal) {
        let mut pending = vec![root.node()];
        while let Some(id) = pending.pop() {
            if std::mem::replace(&mut self.seen[id.index()], true) {
                continue;
            }
            match self.design.node(id) {
                Node::Constant => {}
                Node::Input(_) | Node::Latch(_) => self.leaves.push(id),
                Node::And(left, right) => {
                    let depth = |literal: Literal| self.depths[literal.node().index()];
                    let (first, second) = if depth(left) >= depth(right) {
                        (left, right)
                    } else {
                        (right, left)
                    };
                    pending.push(second.node());
                    pending.push(first.node());
                }
            }
        }
    }
}
