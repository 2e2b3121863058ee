//! Which variables appear together in the support of some function.
//!
//! Two neighbouring variables that never do are swapped without touching a node, and a
//! variable's search needs to look only at those that it meets [Som01].

use super::Kernel;
use super::collect::Marks;
use super::node::{Edge, VarIndex};

/// A symmetric relation between variables, one row of bits each.
pub(super) struct Interaction {
    words: usize,
    rows: Vec<u64>,
}

impl Interaction {
    #[inline(always)]
    pub fn holds(&self, x: VarIndex, y: VarIndex) -> bool {
        let (row, column) = (x as usize * self.words, y as usize);
        self.rows[row + column / 64] >> (column % 64) & 1 != 0
    }
}

impl Kernel {
    pub(super) fn interaction(&self) -> Interaction {
        let count = self.variable_count();
        let words = count.div_ceil(64);
        let mut rows = vec![0u64; words * count];

        // A root below another one has a smaller support, so the highest roots come first
        // and those that they reach are passed over.
        let mut roots: Vec<Edge> = self.needed().filter(|edge| !edge.is_terminal()).collect();
        roots.sort_by_key(|edge| self.level(*edge));
        let mut reached = Marks::default();
        reached.reset(self.nodes.len());
        let mut visited = Marks::default();
        visited.reset(self.nodes.len());
        let mut trail = Vec::new();
        let mut support = vec![0u64; words];
        for root in roots {
            if reached.is_set(root.index()) {
                continue;
            }
            support.fill(0);
            trail.clear();
            trail.push(root.index());
            visited.set(root.index());
            let mut next = 0;
            while next < trail.len() {
                let node = &self.nodes[trail[next]];
                next += 1;
                let variable = node.variable() as usize;
                support[variable / 64] |= 1 << (variable % 64);
                for child in [node.low, node.high] {
                    if !child.is_terminal() && visited.set(child.index()) {
                        trail.push(child.index());
                    }
                }
            }
            for &index in &trail {
                visited.unset(index);
                reached.set(index);
            }
            for variable in 0..count {
                if support[variable / 64] >> (variable % 64) & 1 != 0 {
                    let row = &mut rows[variable * words..(variable + 1) * words];
                    row.iter_mut()
                        .zip(&support)
                        .for_each(|(row, bits)| *row |= bits);
                }
            }
        }
        Interaction { words, rows }
    }
}
