//! `Design`: inputs, latches and two-input AND gates with complemented edges.
//!
//! A netlist is kept as it was read: no structural hashing, no renumbering, no sweeping of
//! unused gates, because each gate that a file states is something a repair may have to
//! name. Gates may refer to later nodes. The invariant of every edit: a node keeps its
//! index, so literals held elsewhere (property items, holes, a writer's numbering) stay
//! valid.

use crate::run::Bits;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::literal::{Literal, NodeId};
use super::names::NameCache;
use crate::source::Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// Node 0 only.
    Constant,
    Input(InputKind),
    Latch(Latch),
    And(Literal, Literal),
}

/// Who sets an input in each cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InputKind {
    Environment,
    /// The system, after it has seen the environment's inputs: a hole, or an input that a
    /// synthesis file calls `controllable_`.
    Choice,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latch {
    pub next: Literal,
    pub reset: Reset,
}

/// The value of a latch in the first cycle.
///
/// A rigid choice is a latch with `Reset::Choice` that keeps its value (`next` is the latch
/// itself): the system sets it before anything else happens, also before the environment
/// sets the `Free` latches. Whatever depends on rigid choices from the start, such as a
/// reset value that is being repaired, is `Computed` from them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reset {
    Zero,
    One,
    /// The environment's choice.
    Free,
    /// The system's choice; only for latches that keep their value.
    Choice,
    /// What this literal is in the first cycle. It depends on no input and on no other
    /// computed reset.
    Computed(Literal),
}

impl Reset {
    /// The value, if it is always the same.
    pub fn value(self) -> Option<bool> {
        match self {
            Reset::Zero => Some(false),
            Reset::One => Some(true),
            Reset::Free | Reset::Choice | Reset::Computed(_) => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    pub name: Option<String>,
    pub literal: Literal,
    pub span: Option<Span>,
}

/// A named vector of literals, as declared by `[left:right] name`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    pub name: String,
    pub signed: bool,
    pub left: i64,
    pub right: i64,
    /// Least significant first: `bits[0]` has the index `right`.
    pub bits: Vec<Literal>,
}

/// For a word, the names that some of its values have.
pub type ValueNames = BTreeMap<String, Vec<(Bits, String)>>;

#[derive(Clone, Debug, PartialEq)]
pub struct Design {
    nodes: Vec<Node>,
    spans: Vec<Option<Span>>,
    hidden: Vec<bool>,
    /// Copies share names and words until they differ: of a large design these are most of it.
    names: Arc<BTreeMap<NodeId, String>>,
    inputs: Vec<NodeId>,
    /// Those inputs that are no ports: what nothing drives.
    undriven: BTreeSet<NodeId>,
    latches: Vec<NodeId>,
    outputs: Vec<Output>,
    words: Arc<Vec<Word>>,
    value_names: ValueNames,
    comments: Vec<String>,
    pub(super) name_cache: NameCache,
}

impl Default for Design {
    fn default() -> Design {
        Design::new()
    }
}

impl Design {
    pub fn new() -> Design {
        Design {
            nodes: vec![Node::Constant],
            spans: vec![None],
            hidden: vec![false],
            names: Arc::default(),
            inputs: Vec::new(),
            undriven: BTreeSet::new(),
            latches: Vec::new(),
            outputs: Vec::new(),
            words: Arc::default(),
            value_names: ValueNames::new(),
            comments: Vec::new(),
            name_cache: NameCache::default(),
        }
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is nothing but the constant.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 1 && self.outputs.is_empty() && self.words.is_empty()
    }

    #[inline]
    pub fn node(&self, id: NodeId) -> Node {
        self.nodes[id.index()]
    }

    pub fn node_ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len()).map(NodeId::from_index)
    }

    pub fn contains(&self, literal: Literal) -> bool {
        literal.node().index() < self.nodes.len()
    }

    pub fn inputs(&self) -> &[NodeId] {
        &self.inputs
    }

    pub fn input_kind(&self, id: NodeId) -> Option<InputKind> {
        match self.node(id) {
            Node::Input(kind) => Some(kind),
            _ => None,
        }
    }

    pub fn latches(&self) -> &[NodeId] {
        &self.latches
    }

    #[inline]
    pub fn latch(&self, id: NodeId) -> Option<Latch> {
        match self.node(id) {
            Node::Latch(latch) => Some(latch),
            _ => None,
        }
    }

    /// Whether this is a choice that the system makes once, before any input.
    pub fn is_rigid_choice(&self, id: NodeId) -> bool {
        self.latch(id)
            .is_some_and(|latch| latch.reset == Reset::Choice)
    }

    #[inline]
    pub fn gate(&self, id: NodeId) -> Option<(Literal, Literal)> {
        match self.node(id) {
            Node::And(left, right) => Some((left, right)),
            _ => None,
        }
    }

    /// The gates, in the order of their indices.
    pub fn gates(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.node_ids()
            .filter(|id| matches!(self.node(*id), Node::And(..)))
    }

    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    pub fn words(&self) -> &[Word] {
        &self.words
    }

    pub fn comments(&self) -> &[String] {
        &self.comments
    }

    pub fn name(&self, id: NodeId) -> Option<&str> {
        self.names.get(&id).map(String::as_str)
    }

    pub fn names(&self) -> impl Iterator<Item = (NodeId, &str)> {
        self.names.iter().map(|(id, name)| (*id, name.as_str()))
    }

    /// The name if there is one, else the index: for messages.
    pub fn describe(&self, id: NodeId) -> String {
        match self.name(id) {
            Some(name) => format!("`{name}`"),
            None => id.to_string(),
        }
    }

    pub fn span(&self, id: NodeId) -> Option<Span> {
        self.spans[id.index()]
    }

    /// Whether a signal exists only for a property, so that no correction may use it.
    pub fn is_hidden(&self, id: NodeId) -> bool {
        self.hidden[id.index()]
    }

    /// Whether an input is no port: the environment sets it since nothing else does.
    pub fn is_undriven(&self, input: NodeId) -> bool {
        self.undriven.contains(&input)
    }

    fn push(&mut self, node: Node) -> NodeId {
        let id = NodeId::from_index(self.nodes.len());
        self.nodes.push(node);
        self.spans.push(None);
        self.hidden.push(false);
        id
    }

    pub fn add_input(&mut self, kind: InputKind) -> NodeId {
        let id = self.push(Node::Input(kind));
        self.inputs.push(id);
        id
    }

    /// A latch that keeps its value until [`Design::set_next`] gives it another.
    pub fn add_latch(&mut self, reset: Reset) -> NodeId {
        let id = NodeId::from_index(self.nodes.len());
        let next = id.literal();
        self.push(Node::Latch(Latch { next, reset }));
        self.latches.push(id);
        id
    }

    /// A gate exactly as given; [`Design::and`] is for new logic.
    pub fn add_gate(&mut self, left: Literal, right: Literal) -> NodeId {
        self.push(Node::And(left, right))
    }

    pub fn add_output(&mut self, name: Option<String>, literal: Literal, span: Option<Span>) {
        self.outputs.push(Output {
            name,
            literal,
            span,
        });
        self.name_cache.clear();
    }

    pub fn set_output(&mut self, position: usize, literal: Literal) {
        self.outputs[position].literal = literal;
        self.name_cache.clear();
    }

    pub fn set_output_name(&mut self, position: usize, name: Option<String>) {
        self.outputs[position].name = name;
        self.name_cache.clear();
    }

    /// What values of words are called, where the source has names for them.
    pub fn value_names(&self) -> &ValueNames {
        &self.value_names
    }

    pub fn name_values(&mut self, word: &str, names: Vec<(Bits, String)>) {
        self.value_names.insert(word.to_string(), names);
    }

    pub fn add_word(&mut self, word: Word) {
        Arc::make_mut(&mut self.words).push(word);
        self.name_cache.clear();
    }

    pub fn set_words(&mut self, words: Vec<Word>) {
        self.words = Arc::new(words);
        self.name_cache.clear();
    }

    pub fn set_comments(&mut self, comments: Vec<String>) {
        self.comments = comments;
    }

    pub fn add_comment(&mut self, comment: impl Into<String>) {
        self.comments.push(comment.into());
    }

    pub fn set_name(&mut self, id: NodeId, name: impl Into<String>) {
        Arc::make_mut(&mut self.names).insert(id, name.into());
        self.name_cache.clear();
    }

    /// Takes the name of a node away, and gives it to the node of a literal that means the
    /// same if that node has none.
    pub(super) fn move_name(&mut self, from: NodeId, to: Literal) {
        let names = Arc::make_mut(&mut self.names);
        if let Some(name) = names.remove(&from) {
            if !to.is_complemented() && to.node() != NodeId::CONSTANT {
                names.entry(to.node()).or_insert(name);
            }
            self.name_cache.clear();
        }
    }

    pub fn set_span(&mut self, id: NodeId, span: Option<Span>) {
        self.spans[id.index()] = span;
    }

    pub fn set_undriven(&mut self, input: NodeId) {
        self.undriven.insert(input);
    }

    pub fn set_hidden(&mut self, id: NodeId, hidden: bool) {
        self.hidden[id.index()] = hidden;
    }

    /// Does nothing to a node that is not a latch.
    pub fn set_next(&mut self, id: NodeId, literal: Literal) {
        if let Node::Latch(latch) = &mut self.nodes[id.index()] {
            latch.next = literal;
        }
    }

    /// Does nothing to a node that is not a latch.
    pub fn set_reset(&mut self, id: NodeId, value: Reset) {
        if let Node::Latch(latch) = &mut self.nodes[id.index()] {
            latch.reset = value;
        }
    }

    /// Changes what a node is, in place; all that reads it reads the new node.
    pub fn replace(&mut self, id: NodeId, node: Node) {
        match self.node(id) {
            Node::Input(_) if !matches!(node, Node::Input(_)) => {
                self.inputs.retain(|input| *input != id);
            }
            Node::Latch(_) if !matches!(node, Node::Latch(_)) => {
                self.latches.retain(|latch| *latch != id);
            }
            _ => {}
        }
        match node {
            Node::Input(_) if !matches!(self.node(id), Node::Input(_)) => self.inputs.push(id),
            Node::Latch(_) if !matches!(self.node(id), Node::Latch(_)) => self.latches.push(id),
            _ => {}
        }
        self.nodes[id.index()] = node;
    }

    /// Lets the environment set latches in every step, as inputs.
    pub fn free_latches(&mut self, freed: impl IntoIterator<Item = NodeId>) {
        for id in freed {
            if let Node::Latch(_) = self.node(id) {
                self.nodes[id.index()] = Node::Input(InputKind::Environment);
                self.inputs.push(id);
            }
        }
        let nodes = &self.nodes;
        self.latches
            .retain(|id| matches!(nodes[id.index()], Node::Latch(_)));
    }

    /// Makes a node carry the value of a literal. If that literal is the last gate and was
    /// added for this purpose (its index is at least `added_since`), the node takes its
    /// place; otherwise the node becomes a buffer, a gate with the constant true. Either
    /// way what reads the node need not change.
    pub fn drive(&mut self, id: NodeId, literal: Literal, added_since: usize) {
        let last = self.nodes.len() - 1;
        let is_own_gate = literal.node().index() == last && last >= added_since;
        match self.gate(literal.node()) {
            Some((left, right)) if is_own_gate && !literal.is_complemented() => {
                self.truncate(last);
                self.replace(id, Node::And(left, right));
            }
            _ => {
                let (left, right) = ordered(literal, Literal::TRUE);
                self.replace(id, Node::And(left, right));
            }
        }
    }

    /// Drops the gates that were added last; nothing may refer to them.
    pub(super) fn truncate(&mut self, length: usize) {
        self.nodes.truncate(length);
        self.spans.truncate(length);
        self.hidden.truncate(length);
    }

    /// Sets the order in which inputs are listed; false, and no change, unless it is a
    /// permutation of the present list.
    pub(super) fn order_inputs(&mut self, order: Vec<NodeId>) -> bool {
        reorder(&mut self.inputs, order)
    }

    pub(super) fn order_latches(&mut self, order: Vec<NodeId>) -> bool {
        reorder(&mut self.latches, order)
    }

    pub fn and(&mut self, left: Literal, right: Literal) -> Literal {
        if left == Literal::FALSE || right == Literal::FALSE || left == !right {
            return Literal::FALSE;
        }
        if left == Literal::TRUE || left == right {
            return right;
        }
        if right == Literal::TRUE {
            return left;
        }
        let (left, right) = ordered(left, right);
        self.add_gate(left, right).literal()
    }

    pub fn or(&mut self, left: Literal, right: Literal) -> Literal {
        !self.and(!left, !right)
    }

    pub fn xor(&mut self, left: Literal, right: Literal) -> Literal {
        if let Some(value) = left.as_constant() {
            return right.complement_if(value);
        }
        if let Some(value) = right.as_constant() {
            return left.complement_if(value);
        }
        if left.node() == right.node() {
            return Literal::constant(left != right);
        }
        let only_left = self.and(left, !right);
        let only_right = self.and(!left, right);
        self.or(only_left, only_right)
    }

    pub fn equal(&mut self, left: Literal, right: Literal) -> Literal {
        !self.xor(left, right)
    }

    pub fn mux(&mut self, condition: Literal, then: Literal, otherwise: Literal) -> Literal {
        if let Some(value) = condition.as_constant() {
            return if value { then } else { otherwise };
        }
        if then == otherwise {
            return then;
        }
        if then == !otherwise {
            return self.equal(condition, then);
        }
        let chosen = self.and(condition, then);
        let rest = self.and(!condition, otherwise);
        self.or(chosen, rest)
    }

    pub fn and_all(&mut self, literals: impl IntoIterator<Item = Literal>) -> Literal {
        let mut result = Literal::TRUE;
        for literal in literals {
            result = self.and(result, literal);
        }
        result
    }

    pub fn or_all(&mut self, literals: impl IntoIterator<Item = Literal>) -> Literal {
        let mut result = Literal::FALSE;
        for literal in literals {
            result = self.or(result, literal);
        }
        result
    }
}

/// AIGER writes the greater operand first.
fn ordered(left: Literal, right: Literal) -> (Literal, Literal) {
    (left.max(right), left.min(right))
}

fn reorder(list: &mut Vec<NodeId>, order: Vec<NodeId>) -> bool {
    let mut present = list.clone();
    let mut wanted = order.clone();
    present.sort_unstable();
    wanted.sort_unstable();
    let same = present == wanted;
    if same {
        *list = order;
    }
    same
}
