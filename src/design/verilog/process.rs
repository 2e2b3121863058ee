//! Runs all processes of a design: from declared signals to gates and latches.
//!
//! Every signal gets its nodes first, so that processes can be run in any order: inputs,
//! latches for what is assigned at a clock edge, and gates that are driven later for all
//! else. A register with an asynchronous reset is read through a multiplexer: while the reset
//! is active it has its reset value at once, in the same cycle.

use super::clocks::Move;
use super::codes;
use super::declare::simple_name;
use super::frame::{Assertions, Found, Frame, Values};
use super::latches::Kept;
use super::scope::{Element, Process, ScopeId, SignalId, SignalKind, Tables};
use super::syntax::*;
use super::target::Located;
use crate::design::codes as design_codes;
use crate::design::component::ComponentKind;
use crate::design::cone::Reach;
use crate::design::expression::Elaborator;
use crate::design::literal::{Literal, NodeId};
use crate::design::netlist::{Design, InputKind, Node, Reset};
use crate::design::words::Bits;
use crate::expr::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::quick_hash::{QuickMap, QuickSet};
use crate::source::{Diagnostic, Span};
use crate::stack;
use std::collections::{BTreeMap, BTreeSet};

/// An edge that makes registers move.
pub struct Clock {
    pub literal: Literal,
    pub rising: bool,
    pub span: Span,
}

pub struct Runner<'t, 's> {
    pub design: &'t mut Design,
    pub tables: &'t mut Tables<'s>,
    /// Whether latches that a block infers become state; otherwise they are errors.
    pub allows_latches: bool,
    /// Whether registers without an initial value start with 0.
    pub starts_at_zero: bool,
    pub clocks: Vec<Clock>,
    /// Which bits move with which of them.
    pub moves: Vec<Move>,
    /// Signals that a combinational block does not always assign, with the block.
    pub latches: Vec<Kept>,
    /// The conditions of asynchronous resets, with their spans.
    pub resets: Vec<(Literal, Span)>,
    /// Registers that an asynchronous reset sets.
    asynchronous: QuickSet<SignalId>,
    /// What it sets them to, if that is not constant.
    loads: Vec<Load>,
}

/// A value that an asynchronous control loads.
struct Load {
    register: SignalId,
    bits: Bits,
    /// What the registers that are set together are read as.
    together: Vec<NodeId>,
    /// The branch.
    span: Option<Span>,
}

/// The branches of a clocked block that asynchronous controls choose.
struct Asynchronous<'s> {
    condition: &'s Expr,
    /// Whether the branch is taken where the condition does not hold.
    is_inverted: bool,
    body: &'s Statement,
    /// Where the branch stands: blocks around it may declare variables.
    scope: ScopeId,
}

impl<'t, 's> Runner<'t, 's> {
    pub fn new(
        design: &'t mut Design,
        tables: &'t mut Tables<'s>,
        allows_latches: bool,
    ) -> Runner<'t, 's> {
        Runner {
            design,
            tables,
            allows_latches,
            starts_at_zero: false,
            clocks: Vec::new(),
            moves: Vec::new(),
            latches: Vec::new(),
            resets: Vec::new(),
            asynchronous: QuickSet::default(),
            loads: Vec::new(),
        }
    }

    pub fn run(&mut self) -> Result<(), Diagnostic> {
        let processes = std::mem::take(&mut self.tables.processes);
        for process in &processes {
            if let Process::Always { scope, always } = process
                && !always.edges.is_empty()
            {
                self.find_registers(*scope, always)?;
            }
        }
        self.allocate();
        self.tables.limits.check()?;
        for process in &processes {
            if let Process::Initial { scope, body } = process {
                self.initial(*scope, body)?;
            }
        }
        for process in &processes {
            self.tables.limits.poll()?;
            match process {
                Process::Initial { .. } => {}
                Process::Assign {
                    scope,
                    target,
                    value,
                    span,
                } => self.assign(*scope, target, value, *span)?,
                Process::Input {
                    outer,
                    value,
                    port,
                    element,
                    span,
                } => self.input_port(*outer, value, (*port, *element), *span)?,
                Process::Output {
                    outer,
                    target,
                    port,
                    element,
                    span,
                } => self.output_port(*outer, target, (*port, *element), *span)?,
                Process::Always { scope, always } if always.edges.is_empty() => {
                    self.combinational(*scope, always)?;
                }
                Process::Always { scope, always } => self.clocked(*scope, always)?,
                Process::Assertion { scope, assertion } => {
                    Frame::new(self.tables, *scope).assertion(self.design, assertion)?;
                }
            }
        }
        self.clocks.append(&mut self.tables.asserted.clocks);
        self.finish_undriven();
        self.refuse_loads_of_themselves()?;
        self.settle_latches()?;
        self.set_resets();
        Ok(())
    }

    /// The signals that a statement assigns, resolved from its own scopes.
    pub(super) fn assigned_in(
        &mut self,
        scope: ScopeId,
        statement: &'s Statement,
        found: &mut BTreeSet<SignalId>,
    ) -> Result<(), Diagnostic> {
        self.tables.limits.poll()?;
        let key = (std::ptr::from_ref(statement), scope);
        let scope = self.tables.blocks.get(&key).copied().unwrap_or(scope);
        stack::recurse(|| {
            match &statement.kind {
                StatementKind::Assign { target, .. } => self.assigned_by(scope, target, found)?,
                StatementKind::ReadMemory(read) => self.assigned_by(scope, &read.target, found)?,
                StatementKind::Call(name, arguments) => {
                    let expr = Expr {
                        kind: ExprKind::Name(vec![name.text.clone()]),
                        span: Some(name.span),
                    };
                    let mut frame = Frame::new(self.tables, scope);
                    if let Ok((routine, home)) = frame.routine(&name.text, &expr) {
                        let info = frame.routine_info(self.design, routine, home)?;
                        for ((direction, _), argument) in info.arguments.iter().zip(arguments) {
                            if *direction != Direction::Input {
                                self.assigned_by(scope, argument, found)?;
                            }
                        }
                        if self.tables.depth < 64 {
                            self.tables.depth += 1;
                            for one in &routine.body {
                                self.assigned_in(info.scope, one, found)?;
                            }
                            self.tables.depth -= 1;
                        }
                    }
                }
                _ => {
                    for one in statement.inner() {
                        self.assigned_in(scope, one, found)?;
                    }
                }
            }
            Ok(())
        })
    }

    fn assigned_by(
        &mut self,
        scope: ScopeId,
        target: &Expr,
        found: &mut BTreeSet<SignalId>,
    ) -> Result<(), Diagnostic> {
        for part in target.assigned() {
            if !matches!(part.kind, ExprKind::Name(_) | ExprKind::Member(..)) {
                continue;
            }
            let mut frame = Frame::new(self.tables, scope);
            if let Some((base, ..)) = frame.field_of_element(part)? {
                self.assigned_by(scope, base, found)?;
                continue;
            }
            if let Found::Signal(id, ..) = frame.found(self.design, part)? {
                found.insert(id);
            }
        }
        Ok(())
    }

    fn find_registers(&mut self, scope: ScopeId, always: &'s Always) -> Result<(), Diagnostic> {
        let mut found = BTreeSet::new();
        self.assigned_in(scope, &always.body, &mut found)?;
        for id in &found {
            let signal = &mut self.tables.signals[id.0];
            match signal.kind {
                SignalKind::Logic => signal.kind = SignalKind::Register,
                SignalKind::Register | SignalKind::Local => {}
                SignalKind::Input => return Err(assigned_input(&signal.name, always.head)),
            }
        }
        let (_, branches) = self.split_edges(scope, always)?;
        for branch in branches {
            let mut set = BTreeSet::new();
            self.assigned_in(branch.scope, branch.body, &mut set)?;
            self.asynchronous.extend(set);
        }
        Ok(())
    }

    /// The edges of a block that move registers, one unless tests and edges do not fit together,
    /// and the branches of the others.
    fn split_edges(
        &mut self,
        scope: ScopeId,
        always: &'s Always,
    ) -> Result<(Vec<&'s Edge>, Vec<Asynchronous<'s>>), Diagnostic> {
        let mut edges: Vec<&'s Edge> = always.edges.iter().collect();
        let mut branches = Vec::new();
        let (mut body, mut scope) = self.only_statement(&always.body, scope);
        while edges.len() > 1 {
            let StatementKind::If {
                condition,
                then,
                otherwise: Some(otherwise),
            } = &body.kind
            else {
                break;
            };
            let tested = edges.iter().position(|edge| tests(condition, &edge.signal));
            let Some(tested) = tested else {
                break;
            };
            let edge = edges[tested];
            let active_high = polarity(condition);
            let is_inverted = active_high.is_some_and(|high| high != edge.rising);
            let (reset, others) = match is_inverted {
                true => (&**otherwise, &**then),
                false => (&**then, &**otherwise),
            };
            if is_inverted && !sets_constants(reset) {
                break;
            }
            edges.remove(tested);
            branches.push(Asynchronous {
                condition,
                is_inverted,
                body: reset,
                scope,
            });
            (body, scope) = self.only_statement(others, scope);
        }
        Ok((edges, branches))
    }

    /// A statement without the blocks around it, and the scope that it stands in.
    fn only_statement(&self, statement: &'s Statement, scope: ScopeId) -> (&'s Statement, ScopeId) {
        let StatementKind::Block { statements, .. } = &statement.kind else {
            return (statement, scope);
        };
        match statements.as_slice() {
            [only] => {
                let key = (std::ptr::from_ref(statement), scope);
                let inner = self.tables.blocks.get(&key).copied();
                self.only_statement(only, inner.unwrap_or(scope))
            }
            _ => (statement, scope),
        }
    }

    /// Gives every signal its nodes.
    fn allocate(&mut self) {
        for index in 0..self.tables.signals.len() {
            // Who called this asks again.
            if self.tables.limits.check().is_err() {
                return;
            }
            let id = SignalId(index);
            let signal = &self.tables.signals[index];
            let width = signal.data.width();
            let span = Some(signal.span);
            let kind = signal.kind;
            let mut bits = Bits::new();
            let mut state = Vec::new();
            for _ in 0..width {
                match kind {
                    SignalKind::Local => continue,
                    SignalKind::Input => {
                        let node = self.design.add_input(InputKind::Environment);
                        self.design.set_span(node, span);
                        bits.push(node.literal());
                    }
                    SignalKind::Register => {
                        let node = self.design.add_latch(Reset::Free);
                        self.design.set_span(node, span);
                        state.push(node);
                    }
                    SignalKind::Logic => bits.push(self.placeholder(span)),
                }
            }
            if kind == SignalKind::Register {
                bits = if self.asynchronous.contains(&id) {
                    (0..width).map(|_| self.placeholder(span)).collect()
                } else {
                    state.iter().map(|node| node.literal()).collect()
                };
            }
            self.tables.note_sampled_default(id, &bits);
            let signal = &mut self.tables.signals[index];
            signal.bits = bits;
            signal.state = state;
        }
    }

    /// A gate that is driven later.
    fn placeholder(&mut self, span: Option<Span>) -> Literal {
        let node = self.design.add_gate(Literal::TRUE, Literal::TRUE);
        self.design.set_span(node, span);
        node.literal()
    }

    fn initial(&mut self, scope: ScopeId, body: &'s Statement) -> Result<(), Diagnostic> {
        let mut assigned = BTreeSet::new();
        self.assigned_in(scope, body, &mut assigned)?;
        self.tables.initial_targets = assigned;
        let mut frame = Frame::initial(self.tables, scope);
        frame.execute(self.design, body)?;
        let Values { now, next, .. } = frame.values;
        self.tables.initial_targets.clear();
        for (id, bits) in now.into_iter().chain(next) {
            let signal = &mut self.tables.signals[id.0];
            if signal.kind == SignalKind::Local {
                continue;
            }
            for (index, bit) in bits.iter().enumerate() {
                // Bits that the block did not touch are still the signal's own.
                if Some(bit) != signal.bits.get(index) && bit.as_constant().is_some() {
                    signal.initial[index] = bit.as_constant();
                }
            }
        }
        Ok(())
    }

    fn assign(
        &mut self,
        scope: ScopeId,
        target: &Expr,
        value: &Expr,
        span: Span,
    ) -> Result<(), Diagnostic> {
        let mut frame = Frame::new(self.tables, scope);
        let located = frame.locate(self.design, target)?;
        let bits = frame.located_value(self.design, value, &located)?;
        let bits = frame.record(self.design, ComponentKind::Value, value, bits);
        let bits = self.apart_from(&located, bits, span);
        let mut frame = Frame::new(self.tables, scope);
        frame.write(self.design, &located, bits, true)?;
        let values = frame.values;
        self.drive(values.now, span)
    }

    /// The value of a continuous assignment, with a gate of its own for each bit that is assigned
    /// to itself: a bit that is as it was counts as not driven, but `assign y = y` is a loop.
    fn apart_from(&mut self, located: &Located, mut bits: Bits, span: Span) -> Bits {
        let mut start = 0;
        for part in &located.parts {
            if let [(Literal::TRUE, offset)] = part.offsets[..] {
                let signal = self.tables.signal(part.signal);
                let own = usize::try_from(offset).ok();
                let own = own.and_then(|own| signal.bits.get(own..)).unwrap_or(&[]);
                for (bit, own) in bits[start..start + part.width].iter_mut().zip(own) {
                    if bit == own {
                        let gate = self.design.add_gate(Literal::TRUE, *bit);
                        self.design.set_span(gate, Some(span));
                        *bit = gate.literal();
                    }
                }
            }
            start += part.width;
        }
        bits
    }

    fn input_port(
        &mut self,
        outer: ScopeId,
        value: &Expr,
        (port, element): (SignalId, Option<Element>),
        span: Span,
    ) -> Result<(), Diagnostic> {
        let data = self.tables.signal(port).data.clone();
        let mut frame = Frame::new(self.tables, outer);
        let bits = match element {
            Some(element) => {
                let elaborator = &mut Elaborator::new(self.design, &mut frame);
                let (bits, _) = elaborator.self_determined(value)?;
                let part = element.part(bits.len(), data.width());
                let part = part.ok_or_else(|| unsuitable(bits.len(), data.width(), span))?;
                bits[part].to_vec()
            }
            None => frame.typed_value(self.design, value, &data)?,
        };
        // A plain name in a connection is wiring; a reset or clock must not hide behind it.
        let bits = match simple_name(value) {
            Some(_) => bits,
            None => frame.record(self.design, ComponentKind::Value, value, bits),
        };
        self.drive(QuickMap::from_iter([(port, bits)]), span)
    }

    fn output_port(
        &mut self,
        outer: ScopeId,
        target: &Expr,
        (port, element): (SignalId, Option<Element>),
        span: Span,
    ) -> Result<(), Diagnostic> {
        let signal = self.tables.signal(port);
        let (bits, signed) = (signal.bits.clone(), signal.data.signed);
        let data = signal.data.clone();
        let mut frame = Frame::new(self.tables, outer);
        let mut located = frame.locate(self.design, target)?;
        frame.note_given(target.span, &data, located.data.as_ref());
        if let Some(element) = element {
            let part = element.part(located.width, bits.len());
            let part = part.ok_or_else(|| unsuitable(located.width, bits.len(), span))?;
            located = located.within(part);
        }
        let bits = crate::design::words::resize(&bits, located.width, signed);
        frame.write(self.design, &located, bits, true)?;
        let values = frame.values;
        self.drive(values.now, span)
    }

    /// Gives signals the values that a process computed for them.
    pub(super) fn drive(
        &mut self,
        values: QuickMap<SignalId, Bits>,
        span: Span,
    ) -> Result<(), Diagnostic> {
        let mut values: Vec<(SignalId, Bits)> = values.into_iter().collect();
        values.sort_by_key(|(id, _)| *id);
        for (id, bits) in values {
            let signal = &mut self.tables.signals[id.0];
            match signal.kind {
                SignalKind::Local => continue,
                SignalKind::Input => return Err(assigned_input(&signal.name, span)),
                SignalKind::Register | SignalKind::Logic => {}
            }
            let is_register = signal.kind == SignalKind::Register;
            let is_asynchronous = self.asynchronous.contains(&id);
            for (index, bit) in bits.iter().enumerate() {
                if *bit == signal.bits[index] {
                    continue;
                }
                let node = signal.bits[index].node();
                if let (Some(resolution), Some(_)) = (signal.resolution, signal.drivers[index]) {
                    let before = self.design.gate(node);
                    let before = before.map_or(Literal::TRUE, |(left, right)| match left {
                        Literal::TRUE => right,
                        _ => left,
                    });
                    let joined = match resolution {
                        Resolution::And => self.design.and(before, *bit),
                        Resolution::Or => self.design.or(before, *bit),
                    };
                    self.design.drive(node, joined, usize::MAX);
                    continue;
                }
                if is_register && (is_asynchronous || signal.drivers[index].is_some()) {
                    let message = format!(
                        "`{}` is assigned at a clock edge and also here",
                        signal.name
                    );
                    return Err(Diagnostic::error(codes::DRIVERS, message).at(span, "here"));
                }
                if let Some(first) = signal.drivers[index] {
                    let message = format!("`{}` is driven twice", signal.name);
                    return Err(Diagnostic::error(codes::DRIVERS, message)
                        .at(span, "driven here")
                        .at(first, "and here")
                        .help("join the two, or rename one of the signals"));
                }
                signal.drivers[index] = Some(span);
                self.design.drive(node, *bit, usize::MAX);
            }
        }
        Ok(())
    }

    fn clocked(&mut self, scope: ScopeId, always: &'s Always) -> Result<(), Diagnostic> {
        let (edges, branches) = self.split_edges(scope, always)?;
        if let [first, second, ..] = edges.as_slice() {
            let message = "the registers of this block move at two edges";
            let warning = Diagnostic::warning(codes::CLOCKING, message)
                .at(
                    second.span,
                    "at this one, whose level the block does not test first",
                )
                .at(first.span, "and at this one");
            let help = "for an asynchronous reset, start with a test that holds behind its edge";
            self.tables.warnings.push(warning.help(help));
        }
        // For each register the edges that move it, and what its bits become at them.
        let mut moves: BTreeMap<SignalId, Vec<(usize, Bits)>> = BTreeMap::new();
        for edge in edges {
            for (id, bits) in self.at_edge(scope, always, edge)? {
                let clock = self.clocks.len() - 1;
                moves.entry(id).or_default().push((clock, bits));
            }
        }
        for (id, edges) in moves {
            self.set_moves(id, always, &edges)?;
        }
        self.asynchronous_values(branches)
    }

    /// What a block assigns at one of its edges.
    fn at_edge(
        &mut self,
        scope: ScopeId,
        always: &'s Always,
        edge: &'s Edge,
    ) -> Result<Vec<(SignalId, Bits)>, Diagnostic> {
        let mut frame = Frame::new(self.tables, scope);
        let literal = Elaborator::new(self.design, &mut frame).truth(&edge.signal)?;
        self.clocks.push(Clock {
            literal,
            rising: edge.rising,
            span: edge.span,
        });
        frame.edge = Some((literal, edge.rising));
        let seen = frame.level_behind(self.design, edge, literal)?;
        frame.values.now.extend(seen.clone());
        frame.execute(self.design, &always.body)?;
        let Values { mut now, next, .. } = frame.values;
        if let Some((id, bits)) = seen
            && now.get(&id) == Some(&bits)
        {
            now.remove(&id);
        }
        if let Some(id) = now.keys().find(|id| next.contains_key(id)) {
            let message = format!(
                "`{}` is assigned with `=` and with `<=` in one block",
                self.tables.signal(*id).name
            );
            return Err(Diagnostic::error(codes::DRIVERS, message)
                .at(always.head, "in this block")
                .help("use `<=` for registers"));
        }
        let mut values: Vec<(SignalId, Bits)> = now.into_iter().chain(next).collect();
        values.retain(|(id, _)| self.tables.signal(*id).kind != SignalKind::Local);
        values.sort_by_key(|(id, _)| *id);
        Ok(values)
    }

    fn set_moves(
        &mut self,
        id: SignalId,
        always: &Always,
        edges: &[(usize, Bits)],
    ) -> Result<(), Diagnostic> {
        let signal = &mut self.tables.signals[id.0];
        if signal.kind != SignalKind::Register {
            let what = format!("a function of an expression that assigns `{}`", signal.name);
            return Err(super::parse::unsupported(&what, always.head)
                .help("call a task, or let the function return the value"));
        }
        for index in 0..signal.bits.len() {
            let taken = edges.iter().map(|(clock, bits)| (*clock, bits[index]));
            let taken: Vec<(usize, Literal)> = taken.collect();
            if taken.iter().all(|(_, bit)| *bit == signal.bits[index]) {
                continue;
            }
            if let Some(first) = signal.drivers[index] {
                let message = format!("`{}` is assigned in two blocks", signal.name);
                return Err(Diagnostic::error(codes::DRIVERS, message)
                    .at(always.head, "here")
                    .at(first, "and here"));
            }
            signal.drivers[index] = Some(always.head);
            self.design.set_next(signal.state[index], taken[0].1);
            self.moves.push(Move {
                state: signal.state[index],
                visible: signal.bits[index],
                edges: taken,
            });
        }
        Ok(())
    }

    /// What registers are read as while an asynchronous control is active.
    fn asynchronous_values(&mut self, branches: Vec<Asynchronous<'s>>) -> Result<(), Diagnostic> {
        let mut visible: BTreeMap<SignalId, Bits> = BTreeMap::new();
        let mut loads: Vec<(SignalId, Bits, Option<Span>)> = Vec::new();
        for branch in branches.iter().rev() {
            let mut frame = Frame::new(self.tables, branch.scope);
            let truth = Elaborator::new(self.design, &mut frame).truth(branch.condition)?;
            let active = truth.complement_if(branch.is_inverted);
            if let Some(span) = branch.condition.span {
                self.resets.push((active, span));
            }
            frame.assertions = Assertions::Ignored;
            frame.execute(self.design, branch.body)?;
            let Values { now, next, .. } = frame.values;
            // In an order of their own, so that a design is numbered the same each time.
            let mut assigned: Vec<(SignalId, Bits)> = now.into_iter().chain(next).collect();
            assigned.sort_by_key(|(id, _)| *id);
            for (id, bits) in assigned {
                let signal = self.tables.signal(id);
                if signal.kind == SignalKind::Local {
                    continue;
                }
                let state: Bits = signal.state.iter().map(|node| node.literal()).collect();
                let below = visible.get(&id).cloned().unwrap_or(state);
                let changed = bits.iter().zip(&signal.bits);
                let changed =
                    changed.filter(|(bit, own)| *bit != *own && bit.as_constant().is_none());
                let changed: Bits = changed.map(|(bit, _)| *bit).collect();
                if !changed.is_empty() {
                    loads.push((id, changed, branch.condition.span));
                }
                let mut value = Bits::new();
                for (index, bit) in bits.iter().enumerate() {
                    // A bit that the branch does not set keeps its value.
                    let bit = if *bit == signal.bits[index] {
                        below[index]
                    } else {
                        *bit
                    };
                    value.push(self.design.mux(active, bit, below[index]));
                }
                visible.insert(id, value);
            }
        }
        let together = visible.keys().flat_map(|id| &self.tables.signal(*id).bits);
        let together: Vec<NodeId> = together.map(|bit| bit.node()).collect();
        let loads = loads.into_iter().map(|(register, bits, span)| Load {
            register,
            bits,
            together: together.clone(),
            span,
        });
        self.loads.extend(loads);
        for (id, bits) in visible {
            for (own, bit) in self.tables.signals[id.0].bits.clone().iter().zip(bits) {
                self.design.drive(own.node(), bit, usize::MAX);
            }
        }
        Ok(())
    }

    /// While an asynchronous control is active, a register is read as the value that it loads.
    /// If that value depends on a register which is loaded with it, the circuit does not settle
    /// as a simulator steps: that one loads what was there at the edge, and again at each clock.
    fn refuse_loads_of_themselves(&self) -> Result<(), Diagnostic> {
        for load in &self.loads {
            let cone = self.design.cone(load.bits.iter().copied(), Reach::Cycle);
            if !load.together.iter().any(|node| cone.contains(*node)) {
                continue;
            }
            let signal = self.tables.signal(load.register);
            let message = format!(
                "an asynchronous reset sets `{}` to a value that depends on what it resets",
                signal.name
            );
            let mut diagnostic = Diagnostic::error(design_codes::COMBINATIONAL_LOOP, message);
            if let Some(span) = load.span {
                diagnostic = diagnostic.at(span, "in the branch of this condition");
            }
            return Err(diagnostic
                .at(signal.span, "declared here")
                .help("reset it to a constant, or to a value of registers that are not reset"));
        }
        Ok(())
    }

    /// What nothing drives is its initial value for ever, or unknown.
    fn finish_undriven(&mut self) {
        for index in 0..self.tables.signals.len() {
            let signal = &self.tables.signals[index];
            let asynchronous = self.asynchronous.contains(&SignalId(index));
            if signal.kind == SignalKind::Register {
                if asynchronous {
                    // Bits that no asynchronous branch sets are read as they are stored.
                    for (own, state) in signal.bits.clone().iter().zip(signal.state.clone()) {
                        let buffer = (Literal::TRUE, Literal::TRUE);
                        if self.design.gate(own.node()) == Some(buffer) {
                            self.design.drive(own.node(), state.literal(), usize::MAX);
                        }
                    }
                }
                continue;
            }
            if signal.kind != SignalKind::Logic {
                continue;
            }
            if signal.free == Some(FreeValue::Constant)
                && signal.drivers.iter().all(Option::is_none)
            {
                self.keep_for_ever(index);
                continue;
            }
            let is_free = signal.free.is_some();
            let mut unknown = false;
            for bit in 0..signal.bits.len() {
                let signal = &self.tables.signals[index];
                if signal.drivers[bit].is_some() {
                    continue;
                }
                let node = signal.bits[bit].node();
                match signal.initial[bit].filter(|_| !signal.is_net) {
                    Some(value) => {
                        self.design
                            .drive(node, Literal::constant(value), usize::MAX);
                    }
                    None => {
                        unknown = true;
                        self.design
                            .replace(node, Node::Input(InputKind::Environment));
                        self.design.set_undriven(node);
                    }
                }
            }
            let signal = &self.tables.signals[index];
            if unknown && !is_free {
                let message = format!("nothing drives `{}`", signal.name);
                self.tables.warnings.push(
                    Diagnostic::warning(codes::UNDRIVEN, message)
                        .at(signal.span, "declared here")
                        .help("the environment sets it as it likes"),
                );
            }
        }
    }

    /// A signal that has any value, and always the same.
    fn keep_for_ever(&mut self, index: usize) {
        let bits = self.tables.signals[index].bits.clone();
        let span = Some(self.tables.signals[index].span);
        let mut state = Vec::new();
        for bit in bits {
            let node = self.design.add_latch(Reset::Free);
            self.design.set_span(node, span);
            self.design.set_next(node, node.literal());
            self.design.drive(bit.node(), node.literal(), usize::MAX);
            state.push(node);
        }
        self.tables.signals[index].state = state;
    }

    fn set_resets(&mut self) {
        for signal in &mut self.tables.signals {
            if self.starts_at_zero && signal.free.is_none() && !signal.state.is_empty() {
                let initial = signal.initial.iter_mut();
                initial.for_each(|bit| *bit = bit.or(Some(false)));
            }
            for (node, initial) in signal.state.iter().zip(&signal.initial) {
                let reset = match initial {
                    Some(true) => Reset::One,
                    Some(false) => Reset::Zero,
                    None => Reset::Free,
                };
                self.design.set_reset(*node, reset);
            }
        }
    }
}

/// Whether an expression is a number, or made of numbers in braces.
fn is_number(expr: &Expr) -> bool {
    stack::recurse(|| match &expr.kind {
        ExprKind::Number(_) | ExprKind::AllOnes => true,
        ExprKind::Replicate(_, parts) | ExprKind::Concat(parts) => parts.iter().all(is_number),
        _ => false,
    })
}

/// Whether a statement only gives signals constant values, as a reset does.
fn sets_constants(statement: &Statement) -> bool {
    stack::recurse(|| match &statement.kind {
        StatementKind::Nothing => true,
        StatementKind::Assign { value, .. } => is_number(value),
        StatementKind::Block { statements, .. } => statements.iter().all(sets_constants),
        _ => false,
    })
}

/// Whether a condition is about a signal and nothing else.
fn tests(condition: &Expr, signal: &Expr) -> bool {
    match &condition.kind {
        ExprKind::Name(path) => matches!(&signal.kind, ExprKind::Name(other) if other == path),
        ExprKind::Unary(UnaryOp::LogicalNot | UnaryOp::BitNot, inner) => tests(inner, signal),
        ExprKind::Binary(
            BinaryOp::Equal | BinaryOp::NotEqual | BinaryOp::CaseEqual,
            left,
            right,
        ) => {
            matches!(right.kind, ExprKind::Number(_)) && tests(left, signal)
                || matches!(left.kind, ExprKind::Number(_)) && tests(right, signal)
        }
        _ => false,
    }
}

/// Whether a test of one signal holds when it is 1.
fn polarity(condition: &Expr) -> Option<bool> {
    match &condition.kind {
        ExprKind::Name(_) => Some(true),
        ExprKind::Unary(_, inner) => polarity(inner).map(|value| !value),
        ExprKind::Binary(operator, left, right) => {
            let (side, number) = match (&left.kind, &right.kind) {
                (_, ExprKind::Number(number)) => (left, number),
                (ExprKind::Number(number), _) => (right, number),
                _ => return None,
            };
            let equal = *operator != BinaryOp::NotEqual;
            let one = number.value()? == 1;
            polarity(side).map(|value| value == (equal == one))
        }
        _ => None,
    }
}

fn unsuitable(connected: usize, port: usize, span: Span) -> Diagnostic {
    let message = format!(
        "a port of {port} bits of an array of instances cannot be connected to {connected} bits"
    );
    Diagnostic::error(codes::HIERARCHY, message)
        .at(span, "connected here")
        .help("give each instance its own bits, or all of them the same")
}

fn assigned_input(name: &str, span: Span) -> Diagnostic {
    let message = format!("`{name}` is an input and cannot be assigned");
    Diagnostic::error(codes::DRIVERS, message).at(span, "assigned here")
}
