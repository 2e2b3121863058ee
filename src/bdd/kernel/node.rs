//! Nodes, and the edges between them.

use std::ops::{BitXor, Not};

/// A reference to a node, or to the negation of its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::bdd) struct Edge(pub u32);

impl Edge {
    pub const ONE: Edge = Edge(0);
    pub const ZERO: Edge = Edge(1);

    #[inline(always)]
    pub fn new(index: u32) -> Edge {
        Edge(index << 1)
    }

    #[inline(always)]
    pub fn index(self) -> usize {
        (self.0 >> 1) as usize
    }

    #[inline(always)]
    pub fn is_complemented(self) -> bool {
        self.0 & 1 != 0
    }

    #[inline(always)]
    pub fn is_terminal(self) -> bool {
        self.0 <= 1
    }

    #[inline(always)]
    pub fn regular(self) -> Edge {
        Edge(self.0 & !1)
    }

    #[inline(always)]
    pub fn negate_if(self, condition: bool) -> Edge {
        Edge(self.0 ^ condition as u32)
    }
}

impl Not for Edge {
    type Output = Edge;

    #[inline(always)]
    fn not(self) -> Edge {
        Edge(self.0 ^ 1)
    }
}

/// `edge ^ other`: `edge`, negated if `other` is complemented.
impl BitXor for Edge {
    type Output = Edge;

    #[inline(always)]
    fn bitxor(self, other: Edge) -> Edge {
        Edge(self.0 ^ (other.0 & 1))
    }
}

/// A variable's number. It never changes; its level does.
pub(in crate::bdd) type VarIndex = u16;

/// The variable of the terminal; its level is below all others.
pub(super) const TERMINAL: VarIndex = u16::MAX;
/// The variable of a slot that holds no node.
pub(super) const FREE: VarIndex = u16::MAX - 1;
/// How many variables a manager can hold.
pub(in crate::bdd) const MAX_VARIABLES: usize = FREE as usize;

/// Slots that never hold a node: slot 0 is the terminal, and the edges of the others are
/// free to name operations in the computed table.
pub(super) const RESERVED: u32 = 16;
/// Slots are numbered by 31 bits.
pub(super) const MAX_SLOTS: usize = 1 << 31;

/// References beyond this many are not counted any more, so such a node stays until the
/// next collection.
const SATURATED: u32 = u16::MAX as u32;

/// `if variable then high else low`; `high` is never complemented, which makes it canonical.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub low: Edge,
    pub high: Edge,
    /// The next node of the same bucket, or of the free list; 0 ends the list.
    pub next: u32,
    /// The variable in the low half; references, valid only while reordering, in the high half.
    meta: u32,
}

impl Node {
    pub fn new(variable: VarIndex, low: Edge, high: Edge) -> Node {
        Node {
            low,
            high,
            next: 0,
            meta: variable as u32,
        }
    }

    #[inline(always)]
    pub fn variable(&self) -> VarIndex {
        self.meta as VarIndex
    }

    #[inline(always)]
    pub fn set_variable(&mut self, variable: VarIndex) {
        self.meta = (self.meta & 0xffff_0000) | variable as u32;
    }

    #[inline(always)]
    pub fn clear_references(&mut self) {
        self.meta &= 0xffff;
    }

    pub fn references(&self) -> usize {
        (self.meta >> 16) as usize
    }

    #[inline(always)]
    pub fn add_reference(&mut self) {
        if self.meta >> 16 != SATURATED {
            self.meta += 1 << 16;
        }
    }

    /// Takes a reference away, and tells whether it was the last.
    #[inline(always)]
    pub fn drop_reference(&mut self) -> bool {
        if self.meta >> 16 != SATURATED {
            self.meta -= 1 << 16;
        }
        self.meta >> 16 == 0
    }
}
