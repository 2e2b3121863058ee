//! Latches that combinational blocks infer.
//!
//! A block that does not assign a signal in every case keeps its value. The signal becomes
//! state, and a word of the design says in which steps the old value is kept; whether such a
//! step is reachable is for the model checker to say. A temporary, which the block itself reads
//! and nobody sees before it is assigned, is none: its old value is any.

use super::process::Runner;
use super::scope::{ScopeId, SignalId, SignalKind};
use super::sensitivity::{Reads, incomplete_list};
use super::syntax::*;
use super::{codes, frame};
use crate::design::cone::Reach;
use crate::design::literal::{Literal, NodeId};
use crate::design::netlist::{Design, InputKind, Node, Reset};
use crate::design::words::Bits;
use crate::quick_hash::{QuickMap, QuickSet};
use crate::source::{Diagnostic, Span};
use frame::{Assertions, Frame};
use std::collections::BTreeSet;

/// A signal that a combinational block does not always assign.
pub struct Kept {
    pub signal: SignalId,
    /// The head of the block.
    pub block: Span,
    state: Vec<NodeId>,
    /// Whether the old value is kept in a step.
    pub held: Literal,
    /// Whether the block reads it.
    is_read: bool,
}

impl<'s> Runner<'_, 's> {
    pub(super) fn combinational(
        &mut self,
        scope: ScopeId,
        always: &'s Always,
    ) -> Result<(), Diagnostic> {
        let mut assigned = BTreeSet::new();
        self.assigned_in(scope, &always.body, &mut assigned)?;
        let reads = Reads::of(self.tables, self.design, scope, &always.body);
        let warning = incomplete_list(self.tables, self.design, scope, always, &assigned, &reads);
        self.tables.warnings.extend(warning);
        let first = self.design.len();
        let values = self.run_combinational(scope, always, QuickMap::default())?;
        let mut kept = Vec::new();
        for (id, bits) in &values {
            let signal = &self.tables.signals[id.0];
            if signal.kind == SignalKind::Logic && self.keeps_itself(&signal.bits, bits, first)? {
                kept.push(*id);
            }
        }
        if kept.is_empty() {
            return self.drive(values, always.head);
        }
        kept.sort_unstable();
        // Once more, with state for what the block keeps.
        let mut start = QuickMap::default();
        let mut states: Vec<(SignalId, Vec<NodeId>)> = Vec::new();
        for id in kept {
            let width = self.tables.signals[id.0].data.width();
            let span = Some(self.tables.signals[id.0].span);
            let nodes: Vec<NodeId> = (0..width)
                .map(|_| {
                    let node = self.design.add_latch(Reset::Free);
                    self.design.set_span(node, span);
                    node
                })
                .collect();
            start.insert(id, nodes.iter().map(|node| node.literal()).collect());
            states.push((id, nodes));
        }
        let first = self.design.len();
        let values = self.run_combinational(scope, always, start)?;
        let old: QuickSet<NodeId> = states
            .iter()
            .flat_map(|(_, nodes)| nodes)
            .copied()
            .collect();
        for (id, nodes) in states {
            for (node, bit) in nodes.iter().zip(&values[&id]) {
                self.design.set_next(*node, *bit);
            }
            let held = depends_on(self.design, &values[&id], &old, first);
            self.tables.signals[id.0].state.clone_from(&nodes);
            if always.kind != AlwaysKind::Latch {
                self.latches.push(Kept {
                    signal: id,
                    block: always.head,
                    state: nodes,
                    held,
                    is_read: reads.iter().any(|(read, _)| *read == id),
                });
            }
        }
        self.drive(values, always.head)
    }

    fn run_combinational(
        &mut self,
        scope: ScopeId,
        always: &'s Always,
        start: QuickMap<SignalId, Bits>,
    ) -> Result<QuickMap<SignalId, Bits>, Diagnostic> {
        let is_again = !start.is_empty();
        let mut frame = Frame::new(self.tables, scope);
        frame.values.now = start.clone();
        frame.held = start;
        if is_again {
            frame.assertions = Assertions::Ignored;
        }
        frame.execute(self.design, &always.body)?;
        let mut values = frame.values.now;
        for (id, bits) in frame.values.next {
            values.insert(id, bits);
        }
        Ok(values)
    }

    /// Whether a bit of a new value, as far as this block made it, depends on the same bit of
    /// the old one. Signals may have thousands of bits, and a block as many gates: so 64 bits
    /// go through the gates together.
    fn keeps_itself(
        &self,
        old: &[Literal],
        new: &[Literal],
        first: usize,
    ) -> Result<bool, Diagnostic> {
        let bits: Vec<(Literal, Literal)> = old.iter().copied().zip(new.iter().copied()).collect();
        // For each node, which of the old bits it depends on.
        let mut reads = vec![0u64; self.design.len()];
        for bits in bits.chunks(64) {
            self.tables.limits.check()?;
            let changed = bits.iter().enumerate().filter(|(_, (old, new))| old != new);
            let changed: Vec<_> = changed
                .map(|(index, bits)| (1u64 << index, *bits))
                .collect();
            if changed.is_empty() {
                continue;
            }
            reads.fill(0);
            for (bit, (old, _)) in &changed {
                reads[old.node().index()] |= bit;
            }
            self.spread(&mut reads, first);
            let keeps = |(bit, (_, new)): &(u64, (Literal, Literal))| {
                let read = reads[new.node().index()];
                read & bit != 0
            };
            if changed.iter().any(keeps) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Gates from `first` on depend on what their operands depend on.
    fn spread(&self, reads: &mut [u64], first: usize) {
        // Operands come before their gates, but for what was driven later.
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for index in first..self.design.len() {
                if let Some((left, right)) = self.design.gate(NodeId::from_index(index)) {
                    let of = |literal: Literal| reads[literal.node().index()];
                    let all = reads[index] | of(left) | of(right);
                    has_changed |= all != reads[index];
                    reads[index] = all;
                }
            }
        }
    }

    /// Tells temporaries from latches, once all processes were run.
    pub(super) fn settle_latches(&mut self) -> Result<(), Diagnostic> {
        let kept = std::mem::take(&mut self.latches);
        let own: QuickSet<NodeId> = kept.iter().flat_map(|one| &one.state).copied().collect();
        let registers = self.design.latches().iter().filter(|id| !own.contains(id));
        let mut seen: Vec<Literal> = registers.map(|id| id.literal()).collect();
        for signal in &self.tables.signals {
            if signal.is_port && signal.kind != SignalKind::Input && !signal.name.contains('.') {
                seen.extend(&signal.bits);
            }
        }
        let conditions = self.tables.asserted.conditions.iter();
        seen.extend(conditions.map(|(_, literal)| *literal));
        let seen = self.design.cone(seen, Reach::Run);
        for one in kept {
            if one.is_read && !one.state.iter().any(|node| seen.contains(*node)) {
                for node in &one.state {
                    self.design
                        .replace(*node, Node::Input(InputKind::Environment));
                    self.design.set_hidden(*node, true);
                }
                self.tables.unknowns.extend(&one.state);
                self.tables.signals[one.signal.0].state.clear();
            } else if self.allows_latches {
                self.latches.push(one);
            } else {
                let signal = self.tables.signal(one.signal);
                return Err(latch(&signal.name, one.block, signal.span));
            }
        }
        Ok(())
    }
}

/// What is said of a latch that can be open.
pub fn latch(name: &str, block: Span, declared: Span) -> Diagnostic {
    let message = format!("`{name}` is not assigned in every case: this is a latch");
    Diagnostic::error(codes::LATCH, message)
        .at(block, "in this block")
        .at(declared, "declared here")
        .help(format!(
            "assign `{name}` at the top of the block, or add the missing `else` or `default`"
        ))
}

/// Whether some bit can depend on marked nodes, by gates from `first` on. Each node has two
/// rails, whether it can be 1 and whether it can be 0, and a marked one can be both; so the
/// answer may be true where it needs not, and is never false where it matters.
fn depends_on(
    design: &mut Design,
    bits: &[Literal],
    marked: &QuickSet<NodeId>,
    first: usize,
) -> Literal {
    let mut rails: QuickMap<NodeId, (Literal, Literal)> = QuickMap::default();
    let mut open = Literal::FALSE;
    for bit in bits {
        let mut pending = vec![bit.node()];
        while let Some(id) = pending.pop() {
            if rails.contains_key(&id) {
                continue;
            }
            let gate = design.gate(id).filter(|_| id.index() >= first);
            let rail = match gate {
                _ if marked.contains(&id) => (Literal::TRUE, Literal::TRUE),
                None => (id.literal(), !id.literal()),
                Some((left, right)) => {
                    let known = [left, right].map(|side| rails.get(&side.node()).copied());
                    let [Some(left_rails), Some(right_rails)] = known else {
                        pending.extend([id, left.node(), right.node()]);
                        continue;
                    };
                    let oriented = |literal: Literal, (one, zero): (Literal, Literal)| {
                        if literal.is_complemented() {
                            (zero, one)
                        } else {
                            (one, zero)
                        }
                    };
                    let (left, right) = (oriented(left, left_rails), oriented(right, right_rails));
                    (design.and(left.0, right.0), design.or(left.1, right.1))
                }
            };
            rails.insert(id, rail);
        }
        let (one, zero) = rails[&bit.node()];
        let both = design.and(one, zero);
        open = design.or(open, both);
    }
    open
}
