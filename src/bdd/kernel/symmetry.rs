//! Whether two neighbouring levels belong together.
//!
//! Variables are symmetric in a function if exchanging them, or exchanging one with the
//! negation of the other, does not change it. In a good order symmetric variables are
//! neighbours [PS95]. Here each node may decide for itself which of the two symmetries it
//! has, and the lower level may be reached from the upper one only, so that the pair moves
//! as easily as one variable. Literals, which handles hold for their own sake, do not count.

use super::Kernel;
use super::node::{Edge, Node};
use super::reorder::Sifting;

impl Kernel {
    /// Whether the variables of a level and of the one below it are symmetric.
    pub(super) fn are_symmetric(&self, sifting: &Sifting, level: usize) -> bool {
        let (x, y) = (self.variable_at[level], self.variable_at[level + 1]);
        let (upper, lower) = (&self.subtables[x as usize], &self.subtables[y as usize]);
        if upper.count <= 1 || lower.count <= 1 || !sifting.interaction.holds(x, y) {
            return false;
        }
        let split = |edge: Edge| {
            let node = &self.nodes[edge.index()];
            if node.variable() == y {
                (node.low ^ edge, node.high ^ edge)
            } else {
                (edge, edge)
            }
        };
        let counts = |edge: Edge| {
            let node = &self.nodes[edge.index()];
            node.variable() == y && !is_literal(node)
        };
        let mut arcs = 0;
        let symmetric = upper.iter(&self.nodes).all(|index| {
            let node = &self.nodes[index as usize];
            if is_literal(node) {
                return true;
            }
            let (low_low, low_high) = split(node.low);
            let (high_low, high_high) = split(node.high);
            arcs += counts(node.low) as usize + counts(node.high) as usize;
            let depends = low_low != low_high || high_low != high_high;
            depends && (low_high == high_low || low_low == high_high)
        });
        let references = || {
            let nodes = lower
                .iter(&self.nodes)
                .map(|index| &self.nodes[index as usize]);
            nodes
                .filter(|node| !is_literal(node))
                .map(Node::references)
                .sum::<usize>()
        };
        symmetric && arcs > 0 && arcs == references()
    }
}

fn is_literal(node: &Node) -> bool {
    node.low.is_terminal() && node.high.is_terminal()
}
