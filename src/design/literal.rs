//! Nodes of a netlist by index, and the literals that refer to them.

use std::fmt;
use std::ops::Not;

/// A node of a [`Design`](super::Design). Indices are stable: edits append nodes or change
/// one in place, and never renumber.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    /// The constant false.
    pub const CONSTANT: NodeId = NodeId(0);

    pub(crate) fn from_index(index: usize) -> NodeId {
        NodeId(index as u32)
    }

    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The literal that has the value of this node.
    #[inline]
    pub fn literal(self) -> Literal {
        Literal(self.0 << 1)
    }
}

/// A node or its complement, coded as AIGER does: twice the index, plus one if complemented.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal(u32);

impl Literal {
    pub const FALSE: Literal = Literal(0);
    pub const TRUE: Literal = Literal(1);

    #[inline]
    pub fn new(node: NodeId, complemented: bool) -> Literal {
        Literal(node.0 << 1 | u32::from(complemented))
    }

    pub fn constant(value: bool) -> Literal {
        Literal(u32::from(value))
    }

    /// The inverse of [`Literal::code`]; the node need not exist in any design.
    pub fn from_code(code: u32) -> Literal {
        Literal(code)
    }

    /// What `expr::ExprKind::Net` carries.
    #[inline]
    pub fn code(self) -> u32 {
        self.0
    }

    #[inline]
    pub fn node(self) -> NodeId {
        NodeId(self.0 >> 1)
    }

    #[inline]
    pub fn is_complemented(self) -> bool {
        self.0 & 1 == 1
    }

    pub fn as_constant(self) -> Option<bool> {
        (self.0 < 2).then_some(self.0 == 1)
    }

    /// The complement exactly if `complement` holds.
    #[inline]
    pub fn complement_if(self, complement: bool) -> Literal {
        Literal(self.0 ^ u32::from(complement))
    }
}

impl Not for Literal {
    type Output = Literal;

    fn not(self) -> Literal {
        Literal(self.0 ^ 1)
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "n{}", self.0)
    }
}

impl fmt::Debug for NodeId {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// `0`, `1`, `n4` or `!n4`.
impl fmt::Display for Literal {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self.as_constant() {
            Some(value) => write!(formatter, "{}", u8::from(value)),
            None if self.is_complemented() => write!(formatter, "!{}", self.node()),
            None => write!(formatter, "{}", self.node()),
        }
    }
}

impl fmt::Debug for Literal {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}
