//! Level swaps, in place [Rud93].
//!
//! A node that depends on both variables changes its variable and its children but not its
//! slot, so every edge keeps its function. For the time of a reordering nodes count their
//! references, so that those that a swap leaves without any are freed at once and the size
//! is exact.
//!
//! Invariant between two swaps: the tables hold a reduced ordered diagram of every root.

use super::Kernel;
use super::fault::Fault;
use super::node::{Edge, FREE, Node, VarIndex};
use super::reorder::Sifting;
use crate::bdd::limits::Error;

impl Kernel {
    /// Exchanges the variables of a level and the one below it.
    pub(super) fn swap(&mut self, sifting: &mut Sifting, level: usize) -> Result<(), Error> {
        let (x, y) = (self.variable_at[level], self.variable_at[level + 1]);
        let interacting = sifting.interaction.holds(x, y);
        if interacting {
            // Room for all new nodes first: a swap cannot stop half-way.
            let count = self.subtables[x as usize].count;
            self.swap_work += count as u64;
            self.reserve(2 * count)?;
        }
        self.statistics.swaps += 1;
        self.variable_at.swap(level, level + 1);
        self.level_of[x as usize] = level as u16 + 1;
        self.level_of[y as usize] = level as u16;
        if !interacting {
            return Ok(());
        }
        let mut moving = std::mem::take(&mut sifting.moving);
        let depends = |nodes: &[Node], node: &Node| {
            nodes[node.high.index()].variable() == y || nodes[node.low.index()].variable() == y
        };
        self.subtables[x as usize].take(&mut self.nodes, depends, &mut moving);
        for &index in &moving {
            self.exchange(sifting, index, x, y);
        }
        moving.clear();
        sifting.moving = moving;
        self.subtables[x as usize].shrink(&mut self.nodes);
        self.subtables[y as usize].shrink(&mut self.nodes);
        Ok(())
    }

    /// Makes a node of `x` with children of `y` one of `y` with children of `x`.
    #[inline(always)]
    fn exchange(&mut self, sifting: &mut Sifting, index: u32, x: VarIndex, y: VarIndex) {
        let Node { low, high, .. } = self.nodes[index as usize];
        let split = |edge: Edge| {
            let node = &self.nodes[edge.index()];
            if node.variable() == y {
                (node.low ^ edge, node.high ^ edge)
            } else {
                (edge, edge)
            }
        };
        let (high_low, high_high) = split(high);
        let (low_low, low_high) = split(low);
        // `high` is regular and so is its then-child: the new then-child needs no complement.
        let new_high = self.node_for_swap(x, low_high, high_high);
        let new_low = self.node_for_swap(x, low_low, high_low);
        self.nodes[new_high.index()].add_reference();
        self.nodes[new_low.index()].add_reference();
        let node = &mut self.nodes[index as usize];
        node.low = new_low;
        node.high = new_high;
        node.set_variable(y);
        self.insert_in_swap(y, index);
        for child in [high, low] {
            let unused = self.nodes[child.index()].drop_reference() && !child.is_terminal();
            let early = self.has(Fault::EarlyFree) && self.nodes[child.index()].variable() == y;
            if (unused || early) && !self.has(Fault::NoFree) {
                self.free_in_swap(sifting, child, y);
            }
        }
    }

    /// Makes sure that the arena can hold so many nodes more, with some to spare if the
    /// memory limit permits that.
    fn reserve(&mut self, most: usize) -> Result<(), Error> {
        if self.nodes.capacity() - self.nodes.len() >= most {
            return Ok(());
        }
        let spare = match self.limits.memory {
            Some(limit) => limit.saturating_sub(self.bytes()) / size_of::<Node>(),
            None => usize::MAX,
        };
        let more = most.max((self.nodes.len() / 2).min(spare));
        let reserved = self.nodes.try_reserve_exact(more);
        reserved.map_err(|_| Error::Memory)
    }

    #[inline(always)]
    fn insert_in_swap(&mut self, variable: VarIndex, index: u32) {
        let table = &mut self.subtables[variable as usize];
        if table.is_crowded() {
            table.grow(&mut self.nodes);
        }
        table.insert(&mut self.nodes, index);
    }

    #[inline(always)]
    fn node_for_swap(&mut self, x: VarIndex, low: Edge, high: Edge) -> Edge {
        if low == high {
            return low;
        }
        let (low, high, negated) = (low ^ high, high.regular(), high.is_complemented());
        let table = &self.subtables[x as usize];
        let bucket = table.bucket(low, high);
        if let Some(found) = table.find(&self.nodes, bucket, low, high) {
            return Edge::new(found).negate_if(negated);
        }
        let index = match self.free {
            0 => {
                self.nodes.push(Node::new(x, low, high));
                self.nodes.len() as u32 - 1
            }
            _ => self.reuse_slot(Node::new(x, low, high)),
        };
        self.nodes[low.index()].add_reference();
        self.nodes[high.index()].add_reference();
        self.insert_in_swap(x, index);
        self.used += 1;
        Edge::new(index).negate_if(negated)
    }

    /// Frees a node of `y` that has lost its last reference. Its children have not: the new
    /// nodes of the swap hold them.
    fn free_in_swap(&mut self, sifting: &mut Sifting, edge: Edge, y: VarIndex) {
        let index = edge.index() as u32;
        let Node { low, high, .. } = self.nodes[index as usize];
        self.subtables[y as usize].remove(&mut self.nodes, index);
        self.nodes[low.index()].drop_reference();
        self.nodes[high.index()].drop_reference();
        self.nodes[index as usize] = Node::new(FREE, Edge::ONE, Edge::ONE);
        self.nodes[index as usize].next = self.free;
        self.free = index;
        self.used -= 1;
        sifting.freed.set(index as usize);
    }
}
