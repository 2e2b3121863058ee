//! A first order of the variables of a netlist for games on it.
//!
//! Gates that depend on a few inputs and latches only are the constraints that the circuit is
//! made of: from the roots and the next-state functions down, each first gate that is small
//! enough is one group, and a latch is with what its next value is made of. `frontier` makes an
//! order of these groups. A walk in depth, as in `design::Design::leaves_from`, follows one
//! constraint after the other instead, and puts the clients of an arbiter that all constraints
//! speak of far apart.

use super::frontier::Graph;
use crate::design::{Design, Literal, Node, NodeId};
use std::collections::{BTreeSet, HashMap};

/// A gate with more leaves says little about which of them belong together.
const LARGEST_GROUP: usize = 8;

/// The leaves of a game on a design in the order proposed; `leaves` are all that matter.
pub(super) fn arrangement(
    design: &Design,
    leaves: &[NodeId],
    roots: impl IntoIterator<Item = Literal>,
) -> Vec<NodeId> {
    let numbers: HashMap<NodeId, usize> = leaves.iter().copied().zip(0..).collect();
    let groups = Groups::new(design, &numbers).below(roots, leaves);
    let graph = Graph::new(leaves.len(), &groups);
    let parts = graph.parts();
    let order = parts.iter().flat_map(|part| graph.arranged(part));
    order.map(|number| leaves[number]).collect()
}

struct Groups<'a> {
    design: &'a Design,
    numbers: &'a HashMap<NodeId, usize>,
    /// The leaves of each gate that has few.
    supports: HashMap<NodeId, BTreeSet<usize>>,
}

impl<'a> Groups<'a> {
    fn new(design: &'a Design, numbers: &'a HashMap<NodeId, usize>) -> Groups<'a> {
        let mut groups = Groups {
            design,
            numbers,
            supports: HashMap::new(),
        };
        // Games are made of designs without loops; without an order nothing is arranged.
        for id in design.topological_order().unwrap_or_default() {
            let Some((left, right)) = design.gate(id) else {
                continue;
            };
            let operands = (groups.few(left.node()), groups.few(right.node()));
            if let (Some(mut support), Some(more)) = operands {
                support.extend(more);
                if support.len() <= LARGEST_GROUP {
                    groups.supports.insert(id, support);
                }
            }
        }
        groups
    }

    /// The leaves of a node, if they are few.
    fn few(&self, id: NodeId) -> Option<BTreeSet<usize>> {
        match self.design.node(id) {
            Node::Constant => Some(BTreeSet::new()),
            Node::And(..) => self.supports.get(&id).cloned(),
            Node::Input(_) | Node::Latch(_) => self.numbers.get(&id).map(|number| [*number].into()),
        }
    }

    /// The first small gates below the roots and the next-state functions.
    fn below(
        &self,
        roots: impl IntoIterator<Item = Literal>,
        leaves: &[NodeId],
    ) -> BTreeSet<BTreeSet<usize>> {
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut pending: Vec<NodeId> = roots.into_iter().map(Literal::node).collect();
        for id in leaves {
            let Some(latch) = self.design.latch(*id) else {
                continue;
            };
            let next = latch.next.node();
            pending.push(next);
            // The smaller operand tells more of what the latch is about.
            let source = self.few(next).or_else(|| {
                let (left, right) = self.design.gate(next)?;
                let operands = [left, right].map(|operand| self.few(operand.node()));
                operands.into_iter().flatten().min_by_key(BTreeSet::len)
            });
            if let Some(mut group) = source {
                group.extend(self.numbers.get(id));
                found.insert(group);
            }
        }
        while let Some(id) = pending.pop() {
            if let Some(group) = self.few(id) {
                found.insert(group);
            } else if let (Some((left, right)), true) = (self.design.gate(id), seen.insert(id)) {
                pending.extend([left.node(), right.node()]);
            }
        }
        found.retain(|group| group.len() > 1);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::{InputKind, Reset};

    /// Each client's request, grant and memory meet in one small gate, and grants of neighbours.
    #[test]
    fn what_meets_in_small_gates_is_side_by_side() {
        const CLIENTS: usize = 12;
        let mut design = Design::new();
        let requests: Vec<_> = (0..CLIENTS)
            .map(|_| design.add_input(InputKind::Environment))
            .collect();
        let grants: Vec<_> = (0..CLIENTS)
            .map(|_| design.add_input(InputKind::Choice))
            .collect();
        let mut bad = Vec::new();
        for (request, grant) in requests.iter().zip(&grants) {
            let waiting = design.add_latch(Reset::Zero);
            let asked = design.or(request.literal(), waiting.literal());
            let still = design.and(asked, !grant.literal());
            design.set_next(waiting, still);
            bad.push(design.and(grant.literal(), !asked));
        }
        for pair in grants.windows(2) {
            bad.push(design.and(pair[0].literal(), pair[1].literal()));
        }
        let bad = design.or_all(bad);
        let leaves = design.leaves_from([bad]);
        let order = arrangement(&design, &leaves, [bad]);
        let mut sorted = (order.clone(), leaves);
        sorted.0.sort_unstable();
        sorted.1.sort_unstable();
        assert_eq!(sorted.0, sorted.1);
        let position = |id: &NodeId| order.iter().position(|other| other == id).expect("a leaf");
        for (request, grant) in requests.iter().zip(&grants) {
            let distance = position(request).abs_diff(position(grant));
            // A client has three leaves, and another client may begin in between.
            assert!(distance < 6, "{distance} between a request and its grant");
        }
    }
}
