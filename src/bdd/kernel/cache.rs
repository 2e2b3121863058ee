//! The computed table: results of operations, by operation and operands.
//!
//! Direct mapped and lossy, 16 bytes an entry. Results are functions, not shapes, so an
//! entry stays right when the order of variables changes; it only has to go when one of
//! its nodes does. That is why collections and reorderings keep the rest. The one
//! exception is the generalised cofactor, whose meaning depends on the order.

use super::node::{Edge, RESERVED};

/// Names of operations with one or two operands, in place of the third operand: edges of
/// slots that hold no node.
pub(super) mod operation {
    pub const AND: u32 = 2;
    pub const XOR: u32 = 3;
    pub const EXISTS: u32 = 4;
    pub const LESS_EQUAL: u32 = 5;
    pub const RESTRICT: u32 = 6;
    pub const CONSTRAIN: u32 = 7;
    /// The second operand is the number of a substitution, not an edge.
    pub const COMPOSE: u32 = 8;
}

#[derive(Clone, Copy, Default)]
struct Entry {
    a: u32,
    b: u32,
    c: u32,
    result: u32,
}

pub(super) struct Cache {
    entries: Vec<Entry>,
    shift: u32,
    pub lookups: u64,
    pub hits: u64,
}

const SMALLEST: usize = 1 << 12;

impl Cache {
    pub fn new() -> Cache {
        Cache {
            entries: vec![Entry::default(); SMALLEST],
            shift: 64 - SMALLEST.trailing_zeros(),
            lookups: 0,
            hits: 0,
        }
    }

    pub fn capacity(&self) -> usize {
        self.entries.len()
    }

    pub fn bytes(&self) -> usize {
        self.entries.len() * size_of::<Entry>()
    }

    #[inline(always)]
    fn slot(&self, a: u32, b: u32, c: u32) -> usize {
        let key = (a as u64 | (b as u64) << 32).wrapping_add((c as u64) << 20);
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(27) ^ key)
            .wrapping_mul(0xd6e8_feb8_6659_fd93) as usize
            >> self.shift
    }

    #[inline(always)]
    pub fn get(&mut self, a: u32, b: u32, c: u32) -> Option<Edge> {
        self.lookups += 1;
        let entry = &self.entries[self.slot(a, b, c)];
        if entry.a == a && entry.b == b && entry.c == c {
            self.hits += 1;
            return Some(Edge(entry.result));
        }
        None
    }

    #[inline(always)]
    pub fn put(&mut self, a: u32, b: u32, c: u32, result: Edge) {
        let slot = self.slot(a, b, c);
        self.entries[slot] = Entry {
            a,
            b,
            c,
            result: result.0,
        };
    }

    /// Forgets the entries with a node for which `keep` is false.
    pub fn retain(&mut self, keep: impl Fn(usize) -> bool) {
        let keep = |edge: u32| edge < 2 * RESERVED || keep(Edge(edge).index());
        for entry in &mut self.entries {
            let second = entry.c == operation::COMPOSE || keep(entry.b);
            if !(second && keep(entry.a) && keep(entry.c) && keep(entry.result)) {
                *entry = Entry::default();
            }
        }
    }

    /// Forgets the entries of an operation.
    pub fn forget(&mut self, operation: u32) {
        for entry in &mut self.entries {
            if entry.c == operation {
                *entry = Entry::default();
            }
        }
    }

    pub fn clear(&mut self) {
        self.entries.fill(Entry::default());
    }

    /// Makes room for `capacity` entries, a power of two; without the memory for it, stays.
    pub fn resize(&mut self, capacity: usize) {
        let mut entries = Vec::new();
        if entries.try_reserve_exact(capacity).is_err() {
            return;
        }
        entries.resize(capacity, Entry::default());
        let old = std::mem::replace(&mut self.entries, entries);
        self.shift = 64 - capacity.trailing_zeros();
        for entry in old {
            // No operation has 0 for its third operand: such an entry is empty.
            if entry.c != 0 {
                self.put(entry.a, entry.b, entry.c, Edge(entry.result));
            }
        }
    }
}
