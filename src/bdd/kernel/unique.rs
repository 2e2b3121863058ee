//! The unique table of one variable: its nodes by their children.
//!
//! Buckets are lists linked through the nodes themselves. Keeping a table for each
//! variable, and not for each level, means that a level swap touches only the nodes that
//! depend on both variables.

use super::node::{Edge, Node};

pub(super) struct Subtable {
    buckets: Vec<u32>,
    shift: u32,
    pub count: usize,
}

const SMALLEST: usize = 4;

impl Subtable {
    pub fn new() -> Subtable {
        Subtable {
            buckets: vec![0; SMALLEST],
            shift: 64 - SMALLEST.trailing_zeros(),
            count: 0,
        }
    }

    pub fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<u32>()
    }

    #[inline(always)]
    pub fn bucket(&self, low: Edge, high: Edge) -> usize {
        let key = low.0 as u64 | (high.0 as u64) << 32;
        let mixed = (key ^ (key >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ (mixed << 27)).wrapping_mul(0xbf58_476d_1ce4_e5b9) as usize >> self.shift
    }

    #[inline(always)]
    pub fn find(&self, nodes: &[Node], bucket: usize, low: Edge, high: Edge) -> Option<u32> {
        let mut index = self.buckets[bucket];
        while index != 0 {
            let node = &nodes[index as usize];
            if node.low == low && node.high == high {
                return Some(index);
            }
            index = node.next;
        }
        None
    }

    /// Whether the table should grow before the next node. If it does not, it asks again
    /// when the lists have become longer by one on average.
    #[inline(always)]
    pub fn is_crowded(&self) -> bool {
        self.count >= self.buckets.len() && self.count.is_multiple_of(self.buckets.len())
    }

    pub fn grow(&mut self, nodes: &mut [Node]) {
        self.resize(nodes, 2 * self.buckets.len());
    }

    /// Adds a node that is not in the table.
    #[inline(always)]
    pub fn insert(&mut self, nodes: &mut [Node], index: u32) {
        self.link(nodes, index);
        self.count += 1;
    }

    #[inline(always)]
    fn link(&mut self, nodes: &mut [Node], index: u32) {
        let node = &mut nodes[index as usize];
        let bucket = self.bucket(node.low, node.high);
        node.next = self.buckets[bucket];
        self.buckets[bucket] = index;
    }

    /// Adds a node to a table that was [reset](Subtable::reset) with room for it.
    #[inline(always)]
    pub fn relink(&mut self, nodes: &mut [Node], index: u32) {
        self.link(nodes, index);
        self.count += 1;
    }

    /// Takes a node out that is in the table.
    pub fn remove(&mut self, nodes: &mut [Node], index: u32) {
        let Node {
            low, high, next, ..
        } = nodes[index as usize];
        let bucket = self.bucket(low, high);
        self.count -= 1;
        if self.buckets[bucket] == index {
            self.buckets[bucket] = next;
            return;
        }
        let mut before = self.buckets[bucket];
        while nodes[before as usize].next != index {
            before = nodes[before as usize].next;
        }
        nodes[before as usize].next = next;
    }

    /// The nodes, in no particular order.
    pub fn iter<'a>(&'a self, nodes: &'a [Node]) -> impl Iterator<Item = u32> + 'a {
        let following = |index: u32| (index != 0).then_some(index);
        self.buckets.iter().flat_map(move |&head| {
            let next = move |&index: &u32| following(nodes[index as usize].next);
            std::iter::successors(following(head), next)
        })
    }

    /// Takes out all nodes for which `chosen` holds, in no particular order.
    pub fn take(
        &mut self,
        nodes: &mut [Node],
        chosen: impl Fn(&[Node], &Node) -> bool,
        taken: &mut Vec<u32>,
    ) {
        let before = taken.len();
        for head in &mut self.buckets {
            let mut last_kept = 0;
            let mut index = *head;
            while index != 0 {
                let node = nodes[index as usize];
                if chosen(nodes, &node) {
                    taken.push(index);
                    if last_kept == 0 {
                        *head = node.next;
                    } else {
                        nodes[last_kept as usize].next = node.next;
                    }
                } else {
                    last_kept = index;
                }
                index = node.next;
            }
        }
        self.count -= taken.len() - before;
    }

    /// Gives back buckets that a shrunken table does not need.
    pub fn shrink(&mut self, nodes: &mut [Node]) {
        if self.buckets.len() > SMALLEST && self.count * 8 < self.buckets.len() {
            let wanted = (2 * self.count).next_power_of_two().max(SMALLEST);
            self.resize(nodes, wanted);
        }
    }

    /// Without the memory for other buckets, the old ones serve, if slower.
    #[cold]
    fn resize(&mut self, nodes: &mut [Node], length: usize) {
        let mut buckets = Vec::new();
        if buckets.try_reserve_exact(length).is_err() {
            return;
        }
        buckets.resize(length, 0);
        let old = std::mem::replace(&mut self.buckets, buckets);
        self.shift = 64 - length.trailing_zeros();
        for head in old {
            let mut index = head;
            while index != 0 {
                let next = nodes[index as usize].next;
                self.link(nodes, index);
                index = next;
            }
        }
    }

    /// Empties the table and fits it to `expected` nodes, which [`Subtable::relink`] adds back.
    pub fn reset(&mut self, expected: usize) {
        let wanted = expected.next_power_of_two().max(SMALLEST);
        if wanted * 4 <= self.buckets.len() {
            self.buckets.truncate(wanted);
            self.buckets.shrink_to_fit();
            self.shift = 64 - wanted.trailing_zeros();
        }
        self.buckets.fill(0);
        self.count = 0;
    }
}
