//! Where an expression or statement stands while it is evaluated: its scope, and the values
//! that the statements before it gave to signals.

use super::codes;
use super::declare::{Declarer, with_suggestion};
use super::scope::{Entry, RoutineInfo, ScopeId, SignalId, SignalKind, Tables};
use super::syntax::{Direction, Routine};
use super::types::Type;
use crate::design::codes as design_codes;
use crate::design::component::ComponentKind;
use crate::design::expression::{Elaborator, Named, Names, Signature, Size, all_bits, position_of};
use crate::design::literal::Literal;
use crate::design::netlist::{Design, InputKind, Reset};
use crate::design::words::Bits;
use crate::expr::{Expr, ExprKind};
use crate::limits::Stop;
use crate::quick_hash::QuickMap;
use crate::source::{Diagnostic, Severity, add_once};
use crate::stack;
use std::borrow::Cow;

/// Functions and tasks inside each other.
const DEEPEST: usize = 64;

/// What statements have assigned so far.
#[derive(Clone, Default)]
pub struct Values {
    /// By `=`: seen by the statements that follow.
    pub now: QuickMap<SignalId, Bits>,
    /// By `<=`: seen after the clock edge.
    pub next: QuickMap<SignalId, Bits>,
    /// Whether a `return` was met.
    pub returned: Option<Literal>,
    /// Whether a `break` of the loop around was met.
    pub broken: Option<Literal>,
    /// Whether a `continue` of the loop around was met.
    pub continued: Option<Literal>,
}

pub struct Frame<'t, 's> {
    pub tables: &'t mut Tables<'s>,
    pub scope: ScopeId,
    pub values: Values,
    /// Whether signals have no values yet.
    pub constants_only: bool,
    /// Whether those that are known to start with a value have it.
    pub reads_initial: bool,
    /// What holds whenever the present statement is reached.
    pub path: Vec<Literal>,
    pub assertions: Assertions,
    /// In a combinational block that keeps signals: their old values.
    pub held: QuickMap<SignalId, Bits>,
    /// In a clocked block: its clock, and whether it counts when it rises.
    pub edge: Option<(Literal, bool)>,
}

/// What becomes of assertions that are met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assertions {
    Collected,
    /// The block is run once more, and they are known.
    Ignored,
    Refused,
}

/// What a routine leaves in its arguments, and its result.
#[derive(Clone, Debug, Default)]
pub struct Returned {
    pub arguments: Vec<Bits>,
    pub result: Option<Bits>,
}

/// What a path of names leads to.
pub enum Found<'s> {
    Signal(SignalId, Type, usize),
    Constant(Bits, Type),
    Routine(&'s Routine, ScopeId),
}

/// What a step of a path names: an entry of that name, such as the scope `lane[3]`, or else the
/// array that it is an element of, with the indices.
fn entry_at<'e, 's: 'e>(
    step: &str,
    find: impl Fn(&str) -> Option<&'e Entry<'s>>,
) -> (Option<&'e Entry<'s>>, Vec<i64>) {
    if let Some(entry) = find(step) {
        return (Some(entry), Vec::new());
    }
    let Some((name, indices)) = indexed(step) else {
        return (None, Vec::new());
    };
    let is_value = |entry: &&Entry<'_>| matches!(entry, Entry::Signal(_) | Entry::Constant(_));
    (find(name).filter(is_value), indices)
}

/// A step of a path as a name and the indices behind it: `rec[1]` is `rec` and 1.
fn indexed(step: &str) -> Option<(&str, Vec<i64>)> {
    let (name, indices) = step.strip_suffix(']')?.split_once('[')?;
    let indices: Result<_, _> = indices.split("][").map(str::parse).collect();
    Some((name, indices.ok()?))
}

/// An element of an array of this type: its type, and where it begins; `None` if it has no
/// elements.
fn element_at(
    mut data: Type,
    indices: &[i64],
    expr: &Expr,
) -> Option<Result<(Type, usize), Diagnostic>> {
    let mut offset = 0;
    for index in indices {
        let (element, range) = data.element()?;
        let Some(position) = position_of(range, *index) else {
            let message = format!(
                "[{index}] is outside of the array, which is [{}:{}]",
                range.0, range.1
            );
            let diagnostic = Diagnostic::error(design_codes::INDEX_OUT_OF_RANGE, message);
            return Some(Err(
                diagnostic.at_optional(expr.span, "there is no such element")
            ));
        };
        offset += position * element.width();
        data = element;
    }
    Some(Ok((data, offset)))
}

impl<'t, 's> Frame<'t, 's> {
    pub fn new(tables: &'t mut Tables<'s>, scope: ScopeId) -> Frame<'t, 's> {
        Frame {
            tables,
            scope,
            values: Values::default(),
            constants_only: false,
            reads_initial: false,
            path: Vec::new(),
            assertions: Assertions::Collected,
            held: QuickMap::default(),
            edge: None,
        }
    }

    pub fn constant(tables: &'t mut Tables<'s>, scope: ScopeId) -> Frame<'t, 's> {
        Frame {
            constants_only: true,
            ..Frame::new(tables, scope)
        }
    }

    /// For what is computed before the first step: variables have their initial values.
    pub fn initial(tables: &'t mut Tables<'s>, scope: ScopeId) -> Frame<'t, 's> {
        Frame {
            reads_initial: true,
            ..Frame::constant(tables, scope)
        }
    }

    /// What a hierarchical name means here, with the offset of a field in its signal. An index in
    /// it is that of a scope, `lane[3].busy`, or of an element, `rec[1].a`.
    pub fn find(&self, path: &[String], expr: &Expr) -> Result<Found<'s>, Diagnostic> {
        let (mut entry, mut indices) =
            entry_at(&path[0], |name| self.tables.lookup(self.scope, name));
        let mut rest = &path[1..];
        if entry.is_none()
            && let (Some(package), [name, behind @ ..]) =
                (self.tables.packages.get(path[0].as_str()), rest)
        {
            let entries = &self.tables.scope(*package).entries;
            let (inner, inner_indices) = entry_at(name, |name| entries.get(name));
            entry = inner.filter(|one| matches!(one, Entry::Constant(_) | Entry::Routine(..)));
            (rest, indices) = (behind, inner_indices);
        }
        let upward;
        if entry.is_none()
            && path.len() > 1
            && let Some(found) = self.tables.upward(self.scope, &path[0])
        {
            upward = Entry::Scope(found);
            entry = Some(&upward);
        }
        while let (Some(Entry::Scope(id)), [name, behind @ ..]) = (entry, rest) {
            let entries = &self.tables.scope(*id).entries;
            (entry, indices) = entry_at(name, |name| entries.get(name));
            rest = behind;
        }
        match entry {
            Some(Entry::Signal(id)) => {
                let data = &self.tables.signal(*id).data;
                let (data, offset) = self.part_of_type(data, &indices, rest, path, expr)?;
                Ok(Found::Signal(*id, data, offset))
            }
            Some(Entry::Constant(constant)) => {
                let (data, offset) =
                    self.part_of_type(&constant.data, &indices, rest, path, expr)?;
                let bits = constant.bits[offset..offset + data.width()].to_vec();
                Ok(Found::Constant(bits, data))
            }
            Some(Entry::Routine(routine, scope)) if rest.is_empty() => {
                Ok(Found::Routine(routine, *scope))
            }
            _ => Err(self.unknown_name(path, expr)),
        }
    }

    /// The part of a value that indices, and the fields behind them, select: its type, and where
    /// it begins.
    fn part_of_type(
        &self,
        data: &Type,
        indices: &[i64],
        fields: &[String],
        path: &[String],
        expr: &Expr,
    ) -> Result<(Type, usize), Diagnostic> {
        let (mut data, mut offset) = element_at(data.clone(), indices, expr)
            .unwrap_or_else(|| Err(self.unknown_name(path, expr)))?;
        for step in fields {
            let (name, indices) = match data.field(step) {
                Some(_) => (step.as_str(), Vec::new()),
                None => indexed(step).unwrap_or((step, Vec::new())),
            };
            let Some(field) = data.field(name) else {
                return Err(self.unknown_name(path, expr));
            };
            offset += field.offset;
            let (element, inner) = element_at(field.data.clone(), &indices, expr)
                .unwrap_or_else(|| Err(self.unknown_name(path, expr)))?;
            offset += inner;
            data = element;
        }
        Ok((data, offset))
    }

    fn unknown_name(&self, path: &[String], expr: &Expr) -> Diagnostic {
        let name = path.join(".");
        if let ([_, .., method @ ("triggered" | "ended" | "matched")], Some(span)) = (
            &path.iter().map(String::as_str).collect::<Vec<_>>()[..],
            expr.span,
        ) {
            let what = format!("`{method}`, the end of a sequence as a condition,");
            return super::parse::unsupported(&what, span)
                .help("use the sequence itself, as the antecedent of `|->`");
        }
        if let Some(refusal) = self.unsupported_method(path, expr) {
            return refusal;
        }
        let message = format!("`{name}` is not declared");
        let mut diagnostic = Diagnostic::error(codes::UNKNOWN_NAME, message);
        if let Some(span) = expr.span {
            diagnostic = diagnostic.at(span, "used here");
        }
        with_suggestion(diagnostic, &name, &self.tables.visible(self.scope))
    }

    /// A method of a variable, such as `state.next()` of an enumeration.
    fn unsupported_method(&self, path: &[String], expr: &Expr) -> Option<Diagnostic> {
        let (method, variable) = path.split_last()?;
        let methods = [
            "next", "prev", "first", "last", "num", "name", "sum", "product", "and", "or", "xor",
            "size", "len", "min", "max", "unique", "find", "reverse", "sort",
        ];
        let is_signal = || matches!(self.find(variable, expr), Ok(Found::Signal(..)));
        if variable.is_empty() || !methods.contains(&method.as_str()) || !is_signal() {
            return None;
        }
        let what = format!("`{method}`, a method of a variable,");
        Some(super::parse::unsupported(&what, expr.span?).help("write what it computes"))
    }

    /// The present value of a signal.
    pub fn value(&self, id: SignalId) -> Bits {
        if let Some(bits) = self.values.now.get(&id) {
            return bits.clone();
        }
        let signal = self.tables.signal(id);
        match signal.kind {
            SignalKind::Local => vec![Literal::FALSE; signal.data.width()],
            _ => signal.bits.clone(),
        }
    }

    /// What a signal is after the block unless a `<=` says otherwise.
    pub fn value_before(&self, id: SignalId) -> Bits {
        let held = self.held.get(&id);
        held.unwrap_or(&self.tables.signal(id).bits).clone()
    }

    pub fn routine_info(
        &mut self,
        design: &mut Design,
        routine: &'s Routine,
        scope: ScopeId,
    ) -> Result<RoutineInfo, Diagnostic> {
        let key = (std::ptr::from_ref(routine), scope);
        if let Some(info) = self.tables.routines.get(&key) {
            return Ok(info.clone());
        }
        let info = Declarer::new(design, self.tables).routine(routine, scope)?;
        self.tables.routines.insert(key, info.clone());
        Ok(info)
    }

    /// Runs a routine with its arguments set; what it leaves in its arguments and its result.
    /// A call inside of a call of the same routine has variables of its own.
    pub fn run_routine(
        &mut self,
        design: &mut Design,
        expr_span: Option<crate::source::Span>,
        routine: &'s Routine,
        info: &RoutineInfo,
        arguments: Vec<Option<Bits>>,
    ) -> Result<Returned, Diagnostic> {
        if self.tables.depth >= DEEPEST {
            let message = format!("`{}` calls itself too often", routine.name.text);
            let diagnostic = Diagnostic::error(codes::LOOP, message);
            return Err(match expr_span {
                Some(span) => diagnostic.at(span, "this call"),
                None => diagnostic.at(routine.name.span, "declared here"),
            });
        }
        self.tables.depth += 1;
        let mut values = std::mem::take(&mut self.values);
        let returned = values.returned.take();
        let (broken, continued) = (values.broken.take(), values.continued.take());
        let locals = (info.locals.0..info.locals.1).map(SignalId);
        let saved: Vec<(SignalId, Option<Bits>)> =
            locals.map(|id| (id, values.now.remove(&id))).collect();
        for ((_, id), value) in info.arguments.iter().zip(arguments) {
            match value {
                Some(bits) => values.now.insert(*id, bits),
                None => values.now.remove(id),
            };
        }
        if let Some(result) = info.result {
            values.now.remove(&result);
        }
        let unassigned = self.tables.begin_unassigned(design, info, &mut values.now);
        let mut inner = Frame {
            tables: &mut *self.tables,
            scope: info.scope,
            values,
            constants_only: self.constants_only,
            reads_initial: self.reads_initial,
            path: Vec::new(),
            assertions: Assertions::Refused,
            held: self.held.clone(),
            edge: self.edge,
        };
        let mut outcome = Ok(());
        for statement in &routine.body {
            outcome = inner.guarded(design, statement);
            if outcome.is_err() {
                break;
            }
        }
        self.values = inner.values;
        self.tables.depth -= 1;
        let mut left = Returned::default();
        for (_, id) in &info.arguments {
            left.arguments.push(self.value(*id));
        }
        left.result = info.result.map(|id| self.value(id));
        self.values.returned = returned;
        self.values.broken = broken;
        self.values.continued = continued;
        for (id, bits) in saved {
            match bits {
                Some(bits) => self.values.now.insert(id, bits),
                None => self.values.now.remove(&id),
            };
        }
        self.end_unassigned(design, routine, unassigned, &mut left);
        outcome.map(|()| left)
    }
}

impl<'s> Frame<'_, 's> {
    /// The routine that a call names, maybe of a package: `math::max`.
    pub fn routine(&self, name: &str, expr: &Expr) -> Result<(&'s Routine, ScopeId), Diagnostic> {
        let path: Vec<String> = name.split("::").map(str::to_string).collect();
        match self.find(&path, expr)? {
            Found::Routine(routine, scope) => Ok((routine, scope)),
            _ => {
                let found = self.tables.visible_routine(self.scope, name);
                found.ok_or_else(|| self.unknown_name(&path, expr))
            }
        }
    }
}

impl Frame<'_, '_> {
    /// The path that a name is, with the indices of scopes computed; none if it is no name.
    pub fn path<'e>(
        &mut self,
        design: &mut Design,
        expr: &'e Expr,
    ) -> Result<Option<Cow<'e, [String]>>, Diagnostic> {
        match &expr.kind {
            ExprKind::Name(path) => Ok(Some(Cow::Borrowed(path))),
            ExprKind::Member(scope, name) => {
                let mut path = self.scope_path(design, scope)?;
                path.push(name.clone());
                Ok(Some(Cow::Owned(path)))
            }
            _ => Ok(None),
        }
    }

    pub(super) fn scope_path(
        &mut self,
        design: &mut Design,
        expr: &Expr,
    ) -> Result<Vec<String>, Diagnostic> {
        if let ExprKind::Index(scope, index) = &expr.kind {
            let mut path = self.scope_path(design, scope)?;
            let what = "the index of a scope";
            let index = Elaborator::new(design, self).constant(index, what)?;
            if let Some(last) = path.last_mut() {
                last.push_str(&format!("[{index}]"));
            }
            return Ok(path);
        }
        match self.path(design, expr)? {
            Some(path) => Ok(path.into_owned()),
            None => {
                let message = "only a scope can stand before a `.`";
                let diagnostic = Diagnostic::error(codes::UNKNOWN_NAME, message);
                Err(diagnostic.at_optional(expr.span, "this is none"))
            }
        }
    }
}

impl Frame<'_, '_> {
    /// The type that a name stands for: one of the language, or one that was defined.
    pub fn type_called(&self, name: &[String]) -> Option<Type> {
        let entry = match name {
            [one] => match Type::of_word(one) {
                Some(data) => return Some(data),
                None => self.tables.lookup(self.scope, one),
            },
            [package, one] => {
                let package = self.tables.packages.get(package.as_str())?;
                self.tables.scope(*package).entries.get(one)
            }
            _ => None,
        };
        match entry {
            Some(Entry::Type(data)) => Some(data.clone()),
            _ => None,
        }
    }

    /// The type of a signal, or of an element or a field of one.
    pub(super) fn type_of(&self, expr: &Expr) -> Option<Type> {
        match &expr.kind {
            ExprKind::Name(path) => match self.find(path, expr) {
                Ok(Found::Signal(_, data, _) | Found::Constant(_, data)) => Some(data),
                _ => None,
            },
            ExprKind::Index(base, _) => Some(self.type_of(base)?.element()?.0),
            ExprKind::Member(base, name) => {
                let field = self.type_of(base)?.field(name)?.data.clone();
                Some(field)
            }
            _ => None,
        }
    }

    /// Whether an expression has numbers and parameters only.
    fn is_of_constants(&self, expr: &Expr) -> bool {
        stack::recurse(|| match &expr.kind {
            ExprKind::Number(_) | ExprKind::AllOnes => true,
            ExprKind::Name(path) => matches!(self.find(path, expr), Ok(Found::Constant(..))),
            ExprKind::Unary(_, operand) => self.is_of_constants(operand),
            ExprKind::Binary(_, left, right) => {
                self.is_of_constants(left) && self.is_of_constants(right)
            }
            ExprKind::Call(_, parts) => parts.iter().all(|part| self.is_of_constants(part)),
            _ => false,
        })
    }

    /// For `base[index].field`, if the base is a signal: the element, where the field begins in
    /// it, and its type.
    pub fn field_of_element<'e>(
        &self,
        expr: &'e Expr,
    ) -> Result<Option<(&'e Expr, usize, Type)>, Diagnostic> {
        let ExprKind::Member(base, name) = &expr.kind else {
            return Ok(None);
        };
        let Some(data) = self.type_of(base) else {
            return Ok(None);
        };
        match data.field(name) {
            Some(field) => Ok(Some((base, field.offset, field.data.clone()))),
            None => Err(self.unknown_name(&[base.to_string(), name.clone()], expr)),
        }
    }
}

impl Names for Frame<'_, '_> {
    fn poll(&self) -> Result<(), Stop> {
        self.tables.limits.poll()
    }

    fn named(&mut self, design: &mut Design, expr: &Expr) -> Result<Option<Named>, Diagnostic> {
        if let Some((base, offset, data)) = self.field_of_element(expr)? {
            let named = Elaborator::new(design, self).named(base)?;
            let bits = named.as_ref().map(all_bits).unwrap_or_default();
            let bits = &bits[offset..offset + data.width()];
            return Ok(Some(data.shape(&expr.to_string(), bits)));
        }
        let Some(path) = self.path(design, expr)? else {
            return Ok(None);
        };
        let name = path.join(".");
        match self.find(&path, expr)? {
            Found::Constant(bits, data) => Ok(Some(data.shape(&name, &bits))),
            Found::Routine(..) => Err(self.unknown_name(&path, expr)),
            Found::Signal(id, data, offset) => {
                let known = self.values.now.contains_key(&id);
                let signal = self.tables.signal(id);
                let kind = signal.kind;
                if signal.is_loop_variable && !known {
                    let message = format!("`{name}` is read where no loop has set it");
                    let diagnostic = Diagnostic::error(codes::UNSUPPORTED, message)
                        .at(signal.span, "the variable of a loop")
                        .help("use a variable of its own for what is read");
                    return Err(diagnostic.at_optional(expr.span, "here"));
                }
                if self.constants_only && !known && kind != SignalKind::Local {
                    let initial = signal.initial.get(offset..offset + data.width());
                    let initial = initial.filter(|_| self.reads_initial && !signal.is_net);
                    let values = initial.map(|bits| bits.iter().copied().collect());
                    if let Some(Some(values)) = values {
                        let values: Vec<bool> = values;
                        let bits: Bits = values.into_iter().map(Literal::constant).collect();
                        return Ok(Some(data.shape(&name, &bits)));
                    }
                    let diagnostic =
                        Diagnostic::error(codes::NOT_CONSTANT, "a constant is needed here");
                    return Err(diagnostic.at_optional(expr.span, "this is a signal"));
                }
                let bits = self.value(id);
                let bits = &bits[offset..offset + data.width()];
                Ok(Some(data.shape(&name, bits)))
            }
        }
    }

    fn shape(&mut self, design: &mut Design, expr: &Expr) -> Result<Option<Named>, Diagnostic> {
        if let Some((_, _, data)) = self.field_of_element(expr)? {
            let bits = vec![Literal::FALSE; data.width()];
            return Ok(Some(data.shape(&expr.to_string(), &bits)));
        }
        let Some(path) = self.path(design, expr)? else {
            return Ok(None);
        };
        Ok(match self.find(&path, expr)? {
            Found::Signal(_, data, _) => {
                let bits = vec![Literal::FALSE; data.width()];
                Some(data.shape(&path.join("."), &bits))
            }
            Found::Constant(..) | Found::Routine(..) => None,
        })
    }

    fn known_functions(&self) -> &'static str {
        "supported are $signed, $unsigned, $bits, $size and its kin, $clog2, $countones, \
         $countbits, $onehot, $onehot0 and $isunknown; in assertions and clocked blocks also \
         $past, $rose, $fell, $stable, $changed and $sampled"
    }

    fn has_unknown(&self) -> bool {
        true
    }

    fn note_high_impedance(&mut self, literal: Literal) {
        self.tables.high_impedance.insert(literal.node());
    }

    fn is_unknown(&self, literal: Literal) -> bool {
        self.tables.unknowns.contains(&literal.node())
    }

    fn beyond(&mut self, design: &mut Design, name: &str) -> Option<Literal> {
        // A select from a word or array of bits that are never unknown (IEEE 1800-2017, 7.4.6
        // and 11.5.1).
        let base = name.split('[').next().unwrap_or(name);
        let path: Vec<String> = base.split('.').map(str::to_string).collect();
        let expr = Expr {
            kind: ExprKind::Name(path.clone()),
            span: None,
        };
        let two_state = match self.find(&path, &expr) {
            Ok(Found::Signal(_, data, _) | Found::Constant(_, data)) => data.two_state,
            _ => false,
        };
        if two_state {
            return Some(Literal::FALSE);
        }
        self.unknown(design)
    }

    fn outside(&mut self, index: &Expr, problem: &Diagnostic) {
        // The value of a variable of a loop, or of an argument, is no mistake of the text.
        if !self.is_of_constants(index) {
            return;
        }
        let warning = Diagnostic {
            severity: Severity::Warning,
            ..problem.clone()
        };
        let warning = warning.help("what is not declared has no value: the environment picks one");
        add_once(&mut self.tables.warnings, warning);
    }

    fn unknown(&mut self, design: &mut Design) -> Option<Literal> {
        let id = design.add_input(InputKind::Environment);
        design.set_hidden(id, true);
        self.tables.unknowns.push(id);
        Some(id.literal())
    }

    fn function(
        &mut self,
        design: &mut Design,
        expr: &Expr,
        name: &str,
    ) -> Result<Option<Signature>, Diagnostic> {
        if let Some(signature) = self.hole_signature(expr, name) {
            return Ok(Some(signature));
        }
        if name.starts_with(['$', '\'']) {
            return self.sampled_function(design, expr, name);
        }
        let (routine, scope) = self.routine(name, expr)?;
        let path = [name.to_string()];
        let info = self.routine_info(design, routine, scope)?;
        let size = |id: SignalId| self.tables.signal(id).data.size();
        let arguments = info.arguments.iter().map(|(_, id)| size(*id)).collect();
        let outputs = info.arguments.iter();
        let outputs = outputs.map(|(direction, _)| *direction == Direction::Output);
        match info.result {
            Some(result) => Ok(Some(Signature {
                arguments,
                outputs: outputs.collect(),
                result: size(result),
            })),
            None => Err(self.unknown_name(&path, expr)),
        }
    }

    fn call(
        &mut self,
        design: &mut Design,
        expr: &Expr,
        name: &str,
        arguments: Vec<Bits>,
    ) -> Result<Bits, Diagnostic> {
        if self.hole_signature(expr, name).is_some() {
            return Ok(self.hole(design, expr));
        }
        if name.starts_with('$') {
            return self.call_sampled(design, expr, name, &arguments);
        }
        let (routine, scope) = self.routine(name, expr)?;
        let info = self.routine_info(design, routine, scope)?;
        let directions = info.arguments.iter().map(|(direction, _)| *direction);
        let arguments = arguments.into_iter().zip(directions);
        let arguments = arguments
            .map(|(bits, direction)| (direction != Direction::Output).then_some(bits))
            .collect();
        if let ExprKind::Call(_, given) = &expr.kind {
            self.note_arguments(design, &info, given);
        }
        let left = self.run_routine(design, expr.span, routine, &info, arguments)?;
        if let ExprKind::Call(_, given) = &expr.kind {
            self.write_arguments(design, &info, &left.arguments, given)?;
        }
        match left.result {
            Some(result) => Ok(result),
            None => Err(self.unknown_name(&[name.to_string()], expr)),
        }
    }

    fn free(&mut self, design: &mut Design, width: usize, is_constant: bool) -> Option<Bits> {
        if self.constants_only {
            return None;
        }
        let bits = (0..width).map(|_| {
            let node = match is_constant {
                true => {
                    let node = design.add_latch(Reset::Free);
                    design.set_next(node, node.literal());
                    node
                }
                false => design.add_input(InputKind::Environment),
            };
            self.tables.free_values.push(node);
            node.literal()
        });
        Some(bits.collect())
    }

    fn type_size(&mut self, name: &[String]) -> Option<Size> {
        self.type_called(name).map(|data| data.size())
    }

    fn pattern_of(
        &mut self,
        design: &mut Design,
        name: &[String],
        pattern: &Expr,
    ) -> Result<Option<Bits>, Diagnostic> {
        match self.type_called(name) {
            Some(data) => self.typed_value(design, pattern, &data).map(Some),
            None => Ok(None),
        }
    }

    fn expansion(&mut self, design: &mut Design, expr: &Expr) -> Result<Option<Expr>, Diagnostic> {
        if !self.tables.has_shorthands {
            return Ok(None);
        }
        self.expanded(design, expr)
    }

    fn condition(&mut self, design: &mut Design, expr: &Expr, literal: Literal) -> Literal {
        if self.constants_only {
            return literal;
        }
        let bits = self.record(design, ComponentKind::Condition, expr, vec![literal]);
        bits[0]
    }
}

impl Frame<'_, '_> {
    /// Notes a component, if they are wanted, and gives back the bits that stand for it. What is
    /// a part of what a macro stands for has no text of its own, and is none.
    pub fn record(
        &mut self,
        design: &mut Design,
        kind: ComponentKind,
        expr: &Expr,
        bits: Bits,
    ) -> Bits {
        let Some(span) = expr
            .span
            .filter(|span| !self.tables.fragments.contains(span))
        else {
            return bits;
        };
        let path = self.tables.scope(self.scope).path.clone();
        self.tables
            .components
            .record(design, kind, span, path, bits)
    }
}
