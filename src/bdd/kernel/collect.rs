//! Garbage collection: mark what handles and running operations need, free the rest.
//!
//! Nodes stay where they are, so a collection may run in the middle of an operation. The
//! computed table keeps the entries whose nodes all live.

use super::Kernel;
use super::fault::Fault;
use super::node::{Edge, FREE, Node, RESERVED};

/// A bit for each slot, and the work list of the traversal.
#[derive(Default)]
pub(super) struct Marks {
    bits: Vec<u64>,
    pending: Vec<u32>,
}

impl Marks {
    pub fn reset(&mut self, slots: usize) {
        self.bits.clear();
        self.bits.resize(slots.div_ceil(64), 0);
    }

    pub fn bytes(&self) -> usize {
        self.bits.capacity() * size_of::<u64>() + self.pending.capacity() * size_of::<u32>()
    }

    #[inline(always)]
    pub fn is_set(&self, index: usize) -> bool {
        // Slots made after the last reset have no bit yet.
        self.bits
            .get(index / 64)
            .is_some_and(|word| word >> (index % 64) & 1 != 0)
    }

    /// Sets a bit, and tells whether it was clear.
    #[inline(always)]
    pub fn set(&mut self, index: usize) -> bool {
        if index / 64 >= self.bits.len() {
            self.bits.resize(index / 64 + 1, 0);
        }
        let word = &mut self.bits[index / 64];
        let clear = *word >> (index % 64) & 1 == 0;
        *word |= 1 << (index % 64);
        clear
    }

    pub fn unset(&mut self, index: usize) {
        self.bits[index / 64] &= !(1 << (index % 64));
    }

    pub fn mark_from(&mut self, nodes: &[Node], edge: Edge) {
        if edge.is_terminal() || !self.set(edge.index()) {
            return;
        }
        self.pending.push(edge.index() as u32);
        while let Some(index) = self.pending.pop() {
            let node = &nodes[index as usize];
            for child in [node.low, node.high] {
                if !child.is_terminal() && self.set(child.index()) {
                    self.pending.push(child.index() as u32);
                }
            }
        }
    }
}

impl Kernel {
    /// The inner nodes below some edges, each once, in no particular order.
    pub fn nodes_below(&self, edges: &[Edge]) -> Vec<Edge> {
        let mut seen = self.seen.borrow_mut();
        let mut found = Vec::new();
        let mut take = |found: &mut Vec<Edge>, edge: Edge| {
            if !edge.is_terminal() && seen.set(edge.index()) {
                found.push(edge.regular());
            }
        };
        edges.iter().for_each(|edge| take(&mut found, *edge));
        let mut next = 0;
        while let Some(edge) = found.get(next) {
            let (_, low, high) = self.expand(*edge);
            take(&mut found, low);
            take(&mut found, high);
            next += 1;
        }
        // The next walk begins without marks, and a walk costs no more than what it finds.
        found.iter().for_each(|edge| seen.unset(edge.index()));
        found
    }

    pub fn collect(&mut self) {
        self.statistics.collections += 1;
        self.statistics.peak_nodes = self.statistics.peak_nodes.max(self.used);
        self.marks.reset(self.nodes.len());
        let mut marks = std::mem::take(&mut self.marks);
        for edge in self.needed() {
            marks.mark_from(&self.nodes, edge);
        }
        self.marks = marks;
        self.sweep();
        if !self.has(Fault::StaleCache) {
            let marks = &self.marks;
            self.cache.retain(|index| marks.is_set(index));
            self.composed.retain(|edge, _| marks.is_set(edge.index()));
        }
    }

    /// Rebuilds the unique tables and the free list in the order of slots, which keeps
    /// both passes sequential in the arena.
    fn sweep(&mut self) {
        let mut live = vec![0usize; self.subtables.len()];
        let mut last = RESERVED as usize - 1;
        for index in RESERVED as usize..self.nodes.len() {
            if self.marks.is_set(index) {
                live[self.nodes[index].variable() as usize] += 1;
                last = index;
            }
        }
        self.nodes.truncate(last + 1);
        if self.nodes.len() < self.nodes.capacity() / 4 {
            self.nodes.shrink_to(self.nodes.len() * 2);
        }
        for (table, &count) in self.subtables.iter_mut().zip(&live) {
            table.reset(count);
        }
        self.free = 0;
        for index in (RESERVED as usize..self.nodes.len()).rev() {
            if self.marks.is_set(index) {
                let variable = self.nodes[index].variable() as usize;
                self.subtables[variable].relink(&mut self.nodes, index as u32);
            } else {
                self.nodes[index] = Node::new(FREE, Edge::ONE, Edge::ONE);
                self.nodes[index].next = self.free;
                self.free = index as u32;
            }
        }
        self.used = live.iter().sum();
    }
}
