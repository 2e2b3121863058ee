//! Variables of routines that are read before anything is assigned to them: any value.
//!
//! A call begins with inputs in the place of its result, its outputs and its variables (IEEE
//! 1800-2017, 6.8: they are `x`). Nearly all are overwritten before anything reads them, so
//! those that nothing depends on when the call ends serve the next one. What is left stays an
//! input of the environment, one for each call, with a warning.
//!
//! A value that is assigned in one branch and replaced in the other one still has the input
//! below two choices that exclude each other: `if (a) return x; return y;`. So each value is
//! looked at once more under what has to hold for an operand to matter, which leaves such
//! inputs out (`Simplifier`). Invariant: nothing that a call leaves depends on an input that
//! another call gets.

use super::codes;
use super::frame::{Frame, Returned};
use super::scope::{RoutineInfo, SignalId, Tables};
use super::syntax::Routine;
use crate::design::literal::{Literal, NodeId};
use crate::design::netlist::{Design, InputKind, Node};
use crate::design::words::Bits;
use crate::quick_hash::{QuickMap, QuickSet};
use crate::source::{Diagnostic, add_once};

/// Operands that are looked at for one bit.
const PATIENCE: usize = 2_000;
/// Gates below a condition that are looked at.
const DEPTH: usize = 8;

/// The inputs with which a call begins.
pub struct Unassigned {
    variables: Vec<(SignalId, Vec<NodeId>)>,
    /// Nodes from this one on were made by the call.
    first: usize,
}

impl Tables<'_> {
    /// Gives all variables of a call that have no value any value. Those of a type without `x`
    /// start at 0, which is what a variable without a value is.
    pub(super) fn begin_unassigned(
        &mut self,
        design: &mut Design,
        info: &RoutineInfo,
        now: &mut QuickMap<SignalId, Bits>,
    ) -> Unassigned {
        let mut variables = Vec::new();
        for id in (info.locals.0..info.locals.1).map(SignalId) {
            let data = &self.signal(id).data;
            if data.two_state || now.contains_key(&id) {
                continue;
            }
            let width = data.width();
            let nodes: Vec<NodeId> = (0..width).map(|_| self.spare(design)).collect();
            now.insert(id, nodes.iter().map(|node| node.literal()).collect());
            variables.push((id, nodes));
        }
        Unassigned {
            variables,
            first: design.len(),
        }
    }

    /// An input that nothing reads.
    fn spare(&mut self, design: &mut Design) -> NodeId {
        let spare = self.spare_unknowns.pop();
        spare.unwrap_or_else(|| design.add_input(InputKind::Environment))
    }

    /// Leaves nothing of the inputs that nothing reads.
    pub(super) fn drop_spare_unknowns(&mut self, design: &mut Design) {
        for id in std::mem::take(&mut self.spare_unknowns) {
            design.replace(id, Node::And(Literal::TRUE, Literal::FALSE));
        }
    }
}

impl Frame<'_, '_> {
    /// Tells the inputs that something depends on from those that the next call can have.
    pub(super) fn end_unassigned(
        &mut self,
        design: &mut Design,
        routine: &Routine,
        unassigned: Unassigned,
        left: &mut Returned,
    ) {
        let all = unassigned.variables.iter().flat_map(|(_, nodes)| nodes);
        let all: QuickSet<NodeId> = all.copied().collect();
        if all.is_empty() {
            return;
        }
        let latches = design.latches().iter().rev();
        let latches = latches.take_while(|id| id.index() >= unassigned.first);
        let latches: Vec<NodeId> = latches.copied().collect();
        let mut reading = Reading::new(&all, unassigned.first);
        let assigned = self.values.now.values_mut();
        let assigned = assigned.chain(self.values.next.values_mut());
        let given = left.arguments.iter_mut().chain(&mut left.result);
        for bit in assigned.chain(given).flatten() {
            *bit = reading.simplified(design, *bit);
        }
        for id in latches {
            if let Some(latch) = design.latch(id) {
                let next = reading.simplified(design, latch.next);
                design.set_next(id, next);
            }
        }
        let read = reading.read;
        for (id, nodes) in unassigned.variables {
            let (kept, spare): (Vec<NodeId>, Vec<NodeId>) =
                nodes.into_iter().partition(|node| read.contains(node));
            self.tables.spare_unknowns.extend(spare);
            if kept.is_empty() {
                continue;
            }
            for node in kept {
                design.set_hidden(node, true);
                self.tables.unknowns.push(node);
            }
            self.warn_of_unassigned(id, routine);
        }
    }

    fn warn_of_unassigned(&mut self, id: SignalId, routine: &Routine) {
        let signal = self.tables.signal(id);
        let name = signal.name.rsplit('.').next().unwrap_or(&signal.name);
        let message = format!("`{name}` may be read before it is assigned: its value is any then");
        let mut warning =
            Diagnostic::warning(codes::UNASSIGNED, message).at(signal.span, "declared here");
        if signal.span != routine.name.span {
            warning = warning.at(routine.name.span, "in this routine");
        }
        let warning = warning.help("assign it first, or in an `else` or a `default` as well");
        add_once(&mut self.tables.warnings, warning);
    }
}

/// What depends on the inputs of a call.
struct Reading<'a> {
    inputs: &'a QuickSet<NodeId>,
    first: usize,
    depends: QuickMap<NodeId, bool>,
    /// Those that something depends on.
    read: QuickSet<NodeId>,
}

impl<'a> Reading<'a> {
    fn new(inputs: &'a QuickSet<NodeId>, first: usize) -> Reading<'a> {
        Reading {
            inputs,
            first,
            depends: QuickMap::default(),
            read: QuickSet::default(),
        }
    }

    /// The same value, maybe without an input that it does not depend on.
    fn simplified(&mut self, design: &mut Design, bit: Literal) -> Literal {
        if !self.depends(design, bit.node()) {
            return bit;
        }
        let mut simplifier = Simplifier {
            reading: self,
            design,
            patience: PATIENCE,
        };
        let bit = simplifier.under(bit, &Facts::default()).unwrap_or(bit);
        self.note(design, bit.node());
        bit
    }

    /// Whether a node has an input of the call below it; only what the call made can have one.
    fn depends(&mut self, design: &Design, node: NodeId) -> bool {
        let mut pending = vec![node];
        while let Some(&top) = pending.last() {
            if self.depends.contains_key(&top) {
                pending.pop();
                continue;
            }
            let gate = design.gate(top).filter(|_| top.index() >= self.first);
            let Some((left, right)) = gate else {
                self.depends.insert(top, self.inputs.contains(&top));
                continue;
            };
            let known = [left, right].map(|one| self.depends.get(&one.node()).copied());
            match known {
                [Some(left), Some(right)] => {
                    self.depends.insert(top, left || right);
                }
                [None, _] => pending.push(left.node()),
                [_, None] => pending.push(right.node()),
            }
        }
        self.depends.get(&node).copied().unwrap_or(false)
    }

    /// Takes down the inputs below a node.
    fn note(&mut self, design: &Design, node: NodeId) {
        let mut pending = vec![node];
        let mut seen = QuickSet::default();
        while let Some(node) = pending.pop() {
            if !seen.insert(node) || !self.depends(design, node) {
                continue;
            }
            match design.gate(node).filter(|_| node.index() >= self.first) {
                Some((left, right)) => pending.extend([left.node(), right.node()]),
                None => {
                    self.read.insert(node);
                }
            }
        }
    }
}

/// Rewrites a literal under what has to hold for it to matter.
struct Simplifier<'s, 'a> {
    reading: &'s mut Reading<'a>,
    design: &'s mut Design,
    patience: usize,
}

impl Simplifier<'_, '_> {
    /// `None` if it takes too long.
    fn under(&mut self, literal: Literal, facts: &Facts) -> Option<Literal> {
        if let Some(value) = facts.value(self.design, literal, DEPTH) {
            return Some(Literal::constant(value));
        }
        if !self.reading.depends(self.design, literal.node()) {
            return Some(literal);
        }
        let Some((left, right)) = self.design.gate(literal.node()) else {
            return Some(literal);
        };
        // A buffer is a place that may be opened.
        if left == Literal::TRUE || right == Literal::TRUE {
            return Some(literal);
        }
        self.patience = self.patience.checked_sub(1)?;
        // What is a condition comes first: the other operand matters only where it holds.
        let (first, second) = match self.reading.depends(self.design, left.node()) {
            true => (right, left),
            false => (left, right),
        };
        let first = self.under(first, facts)?;
        let second = match first {
            Literal::FALSE => Literal::FALSE,
            first => {
                let mut facts = facts.clone();
                facts.add(self.design, first);
                self.under(second, &facts)?
            }
        };
        let both = self.design.and(first, second);
        Some(both.complement_if(literal.is_complemented()))
    }
}

/// Literals that hold, with what follows from them by single gates.
#[derive(Clone, Default)]
struct Facts {
    values: QuickMap<NodeId, bool>,
    /// Gates that are false.
    refuted: Vec<NodeId>,
}

impl Facts {
    fn add(&mut self, design: &Design, literal: Literal) {
        let mut pending = vec![literal];
        while let Some(literal) = pending.pop() {
            let (node, value) = (literal.node(), !literal.is_complemented());
            if self.values.insert(node, value).is_some() {
                continue;
            }
            match design.gate(node) {
                Some((left, right)) if value => pending.extend([left, right]),
                Some(_) => self.refuted.push(node),
                None => {}
            }
            for gate in &self.refuted {
                let Some((left, right)) = design.gate(*gate) else {
                    continue;
                };
                match (self.known(left), self.known(right)) {
                    (Some(true), None) => pending.push(!right),
                    (None, Some(true)) => pending.push(!left),
                    _ => {}
                }
            }
        }
    }

    fn known(&self, literal: Literal) -> Option<bool> {
        let constant = literal.as_constant();
        let value = self.values.get(&literal.node());
        constant.or_else(|| value.map(|value| *value != literal.is_complemented()))
    }

    fn value(&self, design: &Design, literal: Literal, depth: usize) -> Option<bool> {
        if let Some(value) = self.known(literal) {
            return Some(value);
        }
        let (left, right) = design.gate(literal.node()).filter(|_| depth > 0)?;
        let left = self.value(design, left, depth - 1);
        let value = match left {
            Some(false) => Some(false),
            _ => match (left, self.value(design, right, depth - 1)) {
                (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
        };
        value.map(|value| value != literal.is_complemented())
    }
}
