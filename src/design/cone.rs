//! Cones of influence: what can matter to some literals.

use super::literal::{Literal, NodeId};
use super::netlist::{Design, Node, Reset};

/// How far a cone reaches back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Up to inputs and latches, within one cycle.
    Cycle,
    /// Through the latches, over all cycles.
    Run,
}

/// A set of nodes of one design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeSet {
    members: Vec<bool>,
}

impl NodeSet {
    pub fn contains(&self, id: NodeId) -> bool {
        self.members.get(id.index()).copied().unwrap_or(false)
    }

    pub fn iter(&self) -> impl Iterator<Item = NodeId> + '_ {
        let indices = self.members.iter().enumerate();
        let members = indices.filter(|(_, member)| **member);
        members.map(|(index, _)| NodeId::from_index(index))
    }
}

impl Design {
    /// The nodes that the roots depend on, themselves included.
    pub fn cone(&self, roots: impl IntoIterator<Item = Literal>, reach: Reach) -> NodeSet {
        let mut members = vec![false; self.len()];
        let mut pending: Vec<NodeId> = Vec::new();
        let mut visit = |literal: Literal, pending: &mut Vec<NodeId>| {
            let seen = &mut members[literal.node().index()];
            if !*seen {
                *seen = true;
                pending.push(literal.node());
            }
        };
        for root in roots {
            visit(root, &mut pending);
        }
        while let Some(id) = pending.pop() {
            match self.node(id) {
                Node::And(left, right) => {
                    visit(left, &mut pending);
                    visit(right, &mut pending);
                }
                Node::Latch(latch) if reach == Reach::Run => {
                    visit(latch.next, &mut pending);
                    if let Reset::Computed(literal) = latch.reset {
                        visit(literal, &mut pending);
                    }
                }
                Node::Constant | Node::Input(_) | Node::Latch(_) => {}
            }
        }
        NodeSet { members }
    }
}
