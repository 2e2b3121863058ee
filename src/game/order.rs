//! A first order of variables, from the shape of the netlist.
//!
//! Signals that meet in the same logic should be near each other. A depth-first walk from
//! the objective's literals, and from the next-state functions in the order in which their
//! latches are met, lists inputs and latches as they appear [MWBS88]; the deeper operand of
//! a gate goes first, since it needs more variables.

use super::arena::Arena;
use crate::design::{Literal, Node, NodeId, Reset};

/// The inputs and latches that matter for the objective, in the order proposed.
pub(super) fn leaves(arena: &Arena) -> Vec<NodeId> {
    let design = &arena.design;
    let mut walk = Walk {
        arena,
        depths: depths(arena),
        seen: vec![false; design.len()],
        leaves: Vec::new(),
    };
    for literal in arena.objective.literals() {
        walk.visit(literal);
    }
    // The list grows while it is read: next-state functions bring in more latches.
    let mut next = 0;
    while next < walk.leaves.len() {
        if let Some(latch) = design.latch(walk.leaves[next]) {
            walk.visit(latch.next);
            if let Reset::Computed(reset) = latch.reset {
                walk.visit(reset);
            }
        }
        next += 1;
    }
    walk.leaves
}

struct Walk<'a> {
    arena: &'a Arena,
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
            match self.arena.design.node(id) {
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

/// The number of gates on the longest way from a leaf to each node.
fn depths(arena: &Arena) -> Vec<u32> {
    let design = &arena.design;
    let mut depths = vec![0; design.len()];
    // A loop is for the front end to report; without an order, all are as deep.
    for id in design.topological_order().unwrap_or_default() {
        if let Some((left, right)) = design.gate(id) {
            depths[id.index()] = 1 + depths[left.node().index()].max(depths[right.node().index()]);
        }
    }
    depths
}
