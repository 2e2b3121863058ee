//! What is there for assertions only: it is no suspect, and corrections neither read nor edit it.
//!
//! In a module with outputs this is what assertions depend on and outputs do not. A top module
//! without outputs, such as a test bench, says less: there, the text tells. What stands behind
//! a macro such as `FORMAL` inside of a module is for assertions, and so is an instance of a
//! module that has no output and asserts something, or that is declared behind such a macro. A
//! reference model that looks like any other part of such a bench cannot be told apart.

use super::SourceTree;
use super::scope::{Signal, SignalKind, Tables};
use super::syntax::*;
use crate::design::cone::{NodeSet, Reach};
use crate::design::literal::{Literal, NodeId};
use crate::design::netlist::Design;
use crate::source::Span;
use std::collections::HashSet;

/// Text and instances that are there for properties.
#[derive(Clone, Debug, Default)]
pub struct Observers {
    /// Behind a macro, and inside of a module or around others than the top one.
    formal: Vec<Span>,
    /// The paths of instances, with a dot behind them.
    instances: Vec<String>,
}

impl Observers {
    pub fn new(tree: &SourceTree, top: &Module) -> Observers {
        let is_around_top = |span: &&Span| contains(span, top.name.span);
        let formal = tree.formal.iter().filter(|span| !is_around_top(span));
        Observers {
            formal: formal.copied().collect(),
            instances: Vec::new(),
        }
    }

    /// Notes an instance that observes.
    pub fn note_instance(&mut self, module: &Module, name: Span, path: String) {
        let is_formal = self.is_formal(name) || self.is_formal(module.name.span);
        if is_formal || (only_reads(module) && asserts(&module.items)) {
            self.instances.push(path + ".");
        }
    }

    /// Notes an instance that is bound from outside.
    pub fn note_bound(&mut self, path: String) {
        self.instances.push(path + ".");
    }

    fn is_formal(&self, span: Span) -> bool {
        self.formal.iter().any(|formal| contains(formal, span))
    }

    fn has(&self, signal: &Signal) -> bool {
        let mut instances = self.instances.iter();
        self.is_formal(signal.span) || instances.any(|path| signal.name.starts_with(path.as_str()))
    }
}

fn contains(outer: &Span, inner: Span) -> bool {
    outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
}

/// Whether all ports of a module are inputs.
pub(super) fn only_reads(module: &Module) -> bool {
    outputs(module).next().is_none()
}

/// The names of the ports of a module that are not inputs.
pub(super) fn outputs(module: &Module) -> impl Iterator<Item = &str> {
    let declarations = module.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Declaration(declaration) => Some(declaration),
        _ => None,
    });
    let inputs: HashSet<&str> = declarations
        .filter(|declaration| declaration.direction == Some(Direction::Input))
        .flat_map(|declaration| &declaration.names)
        .map(|declarator| declarator.name.text.as_str())
        .collect();
    let ports = module.ports.iter().map(|port| port.text.as_str());
    ports.filter(move |port| !inputs.contains(port))
}

/// Whether some item is an assertion, or has one.
pub(super) fn asserts(items: &[Item]) -> bool {
    items.iter().any(|item| match &item.kind {
        ItemKind::Assertion(_) => true,
        ItemKind::Always(always) => statement_asserts(&always.body),
        ItemKind::Initial(body) => statement_asserts(body),
        ItemKind::GenerateFor(generate) => asserts(&generate.block.items),
        ItemKind::GenerateIf {
            then, otherwise, ..
        } => {
            let otherwise = otherwise.as_ref();
            asserts(&then.items) || otherwise.is_some_and(|block| asserts(&block.items))
        }
        ItemKind::GenerateCase { items, .. } => {
            items.iter().any(|(_, block)| asserts(&block.items))
        }
        ItemKind::GenerateBlock(block) => asserts(&block.items),
        _ => false,
    })
}

fn statement_asserts(statement: &Statement) -> bool {
    let mut pending = vec![statement];
    while let Some(one) = pending.pop() {
        if let StatementKind::Assertion(_) = one.kind {
            return true;
        }
        pending.extend(one.inner());
    }
    false
}

/// The nodes that only assertions depend on; none if nothing tells them from the circuit.
pub(super) struct Checking(Option<(NodeSet, NodeSet)>);

impl Checking {
    pub fn new(design: &Design, tables: &Tables<'_>) -> Checking {
        if tables.asserted.conditions.is_empty() {
            return Checking(None);
        }
        let outputs = design.outputs();
        let used = if !outputs.is_empty() {
            design.cone(outputs.iter().map(|output| output.literal), Reach::Run)
        } else if let Some(used) = as_the_text_says(design, tables) {
            used
        } else {
            return Checking(None);
        };
        let conditions = tables.asserted.conditions.iter();
        let checked = design.cone(conditions.map(|(_, literal)| *literal), Reach::Run);
        Checking(Some((checked, used)))
    }

    /// All nodes that only assertions depend on.
    pub fn nodes(&self) -> HashSet<NodeId> {
        let Some((checked, used)) = &self.0 else {
            return HashSet::new();
        };
        checked.iter().filter(|id| !used.contains(*id)).collect()
    }

    /// Whether none of some nodes is used by the circuit, and some are by assertions.
    pub fn is_all(&self, nodes: impl IntoIterator<Item = NodeId>) -> bool {
        let Some((checked, used)) = &self.0 else {
            return false;
        };
        let mut any = false;
        // A constant is used by everybody, and says nothing.
        for id in nodes.into_iter().filter(|id| *id != NodeId::CONSTANT) {
            if used.contains(id) {
                return false;
            }
            any |= checked.contains(id);
        }
        any
    }
}

/// What the signals depend on that are not there for assertions; `None` if all of them are, or
/// none. A signal that reads an observer is one, too.
fn as_the_text_says(design: &Design, tables: &Tables<'_>) -> Option<NodeSet> {
    let nodes = |signal: &Signal| {
        let state = signal.state.iter().map(|id| id.literal());
        signal
            .bits
            .iter()
            .copied()
            .chain(state)
            .collect::<Vec<Literal>>()
    };
    let signals = tables.signals.iter();
    let signals = signals.filter(|signal| !matches!(signal.kind, SignalKind::Local));
    let (observing, own): (Vec<&Signal>, Vec<&Signal>) =
        signals.partition(|signal| tables.observers.has(signal));
    if observing.is_empty() {
        return None;
    }
    let latches = observing.into_iter().flat_map(nodes).map(Literal::node);
    let latches = latches.filter(|id| design.latch(*id).is_some());
    let readers = readers(design, latches.collect(), tables)?;
    let reads = |signal: &&Signal| {
        let mut nodes = nodes(signal).into_iter();
        nodes.any(|literal| readers.contains(&literal.node()))
    };
    let own = own.into_iter().filter(|signal| !reads(signal));
    let used = design.cone(own.flat_map(nodes).collect::<Vec<_>>(), Reach::Run);
    let is_logic = |id: NodeId| design.gate(id).is_some() || design.latch(id).is_some();
    let any = used.iter().any(is_logic);
    any.then_some(used)
}

/// Some latches and all that depends on them, now or later; `None` when a limit is reached.
fn readers(
    design: &Design,
    mut readers: HashSet<NodeId>,
    tables: &Tables<'_>,
) -> Option<HashSet<NodeId>> {
    let order = design.topological_order().ok()?;
    loop {
        tables.limits.poll().ok()?;
        let before = readers.len();
        let gates = order.iter().filter_map(|id| Some((*id, design.gate(*id)?)));
        for (id, (left, right)) in gates {
            if readers.contains(&left.node()) || readers.contains(&right.node()) {
                readers.insert(id);
            }
        }
        for id in design.latches() {
            let next = design.latch(*id).map(|latch| latch.next.node());
            if next.is_some_and(|next| readers.contains(&next)) {
                readers.insert(*id);
            }
        }
        if readers.len() == before {
            return Some(readers);
        }
    }
}
