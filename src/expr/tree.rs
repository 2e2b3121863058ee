//! The parse tree of an expression or a formula, before it is known which part is which.
//!
//! Nodes lie in an arena and children come before their parents, so every pass is a loop
//! over the nodes: text that is nested ten thousand levels deep needs no deep stack.

use super::Number;
use super::operator::{Infix, Prefix};
use crate::source::Span;

/// A node of a [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    pub kind: NodeKind,
    /// Includes the parentheses around the node.
    pub span: Span,
    /// Whether the node stands in parentheses of its own.
    pub grouped: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeKind {
    Number(Number),
    /// `true` or `false`
    Constant(bool),
    /// A hierarchical name, outermost scope first.
    Name(Vec<String>),
    /// `lane[i].busy`: a name in a scope whose index has to be computed.
    Member(NodeId, String),
    Net(u32),
    /// `'1`
    AllOnes,
    Index(NodeId, NodeId),
    Range(NodeId, NodeId, NodeId),
    IndexedRange {
        base: NodeId,
        start: NodeId,
        width: NodeId,
        down: bool,
    },
    Prefix(Prefix, NodeId),
    Infix(Infix, NodeId, NodeId),
    Conditional(NodeId, NodeId, NodeId),
    Concat(Vec<NodeId>),
    Replicate(NodeId, Vec<NodeId>),
    Call(String, Vec<NodeId>),
}

#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    pub fn new() -> Tree {
        Tree::default()
    }

    pub fn add(&mut self, kind: NodeKind, span: Span) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(Node {
            kind,
            span,
            grouped: false,
        });
        id
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// How many nodes there are: the next node to be added has this index.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The nodes from an index that [`Tree::len`] gave up to a root, children first.
    pub fn between(&self, first: usize, root: NodeId) -> impl Iterator<Item = NodeId> + use<> {
        (first as u32..=root.0).map(NodeId)
    }

    /// Puts the node in parentheses, which the span covers.
    pub fn group(&mut self, id: NodeId, span: Span) {
        let node = &mut self.nodes[id.0 as usize];
        node.grouped = true;
        node.span = span;
    }

    /// Position of a node among those that follow `first`.
    pub fn offset(&self, first: usize, id: NodeId) -> usize {
        (id.0 as usize).saturating_sub(first)
    }

    /// Takes the scope that a node names as the start of a longer name: `u0`, or `lane[3]`.
    pub fn take_scope(&mut self, id: NodeId) -> Option<Vec<String>> {
        let mut suffix = String::new();
        let mut current = id;
        loop {
            let node = &self.nodes[current.0 as usize];
            if node.grouped {
                return None;
            }
            match &node.kind {
                NodeKind::Name(_) => break,
                NodeKind::Index(base, index) => {
                    let NodeKind::Number(number) = &self.node(*index).kind else {
                        return None;
                    };
                    suffix = format!("[{}]{suffix}", number.value()?);
                    current = *base;
                }
                _ => return None,
            }
        }
        let NodeKind::Name(path) = &mut self.nodes[current.0 as usize].kind else {
            return None;
        };
        // Taken, not copied: long names would cost the square of their length.
        let mut path = std::mem::take(path);
        path.last_mut()?.push_str(&suffix);
        Some(path)
    }

    /// The name of a function of a package or scope, which is called: `math::max`.
    pub fn take_called(&mut self, id: NodeId) -> Option<String> {
        let node = &self.nodes[id.0 as usize];
        match &node.kind {
            NodeKind::Name(path) if path.len() > 1 && !node.grouped => Some(path.join("::")),
            _ => None,
        }
    }

    /// Whether the node can be indexed: a name, or a select of one.
    pub fn is_selectable(&self, id: NodeId) -> bool {
        let node = self.node(id);
        let selectable = matches!(
            node.kind,
            NodeKind::Name(_) | NodeKind::Index(..) | NodeKind::Member(..)
        );
        selectable && !node.grouped
    }
}
