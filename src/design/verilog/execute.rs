//! Runs statements on symbolic values.
//!
//! Branches are run from the same values and joined by multiplexers, loops are unrolled;
//! what is left at the end of a block is what the block assigns.

use super::codes;
use super::finish::source_of;
use super::frame::{Frame, Values};
use super::scope::{RoutineInfo, SignalKind};
use super::syntax::*;
use crate::design::component::ComponentKind;
use crate::design::expression::{Elaborator, Names};
use crate::design::literal::Literal;
use crate::design::netlist::Design;
use crate::design::words::{self, Bits};
use crate::expr::{Expr, ExprKind};
use crate::source::{Diagnostic, Span};
use crate::stack;

/// Iterations of one loop.
const MOST_ITERATIONS: usize = 100_000;
/// Statements of one elaboration.
const MOST_STEPS: usize = 500_000;

impl<'s> Frame<'_, 's> {
    /// Runs a statement unless a `return`, `break` or `continue` was met before.
    pub fn guarded(
        &mut self,
        design: &mut Design,
        statement: &'s Statement,
    ) -> Result<(), Diagnostic> {
        match self.stopped(design) {
            Some(Literal::TRUE) => Ok(()),
            Some(returned) => {
                let before = self.values.clone();
                self.path.push(!returned);
                let outcome = self.execute(design, statement);
                self.path.pop();
                outcome?;
                let after = std::mem::take(&mut self.values);
                self.values = self.join(design, returned, before, after);
                Ok(())
            }
            None => self.execute(design, statement),
        }
    }

    /// When the statements that follow are left out.
    fn stopped(&self, design: &mut Design) -> Option<Literal> {
        let values = &self.values;
        let all = [values.returned, values.broken, values.continued];
        let mut any = None;
        for one in all.into_iter().flatten() {
            any = Some(match any {
                Some(other) => design.or(other, one),
                None => one,
            });
        }
        any
    }

    pub fn execute(
        &mut self,
        design: &mut Design,
        statement: &'s Statement,
    ) -> Result<(), Diagnostic> {
        self.tables.limits.poll()?;
        self.tables.steps += 1;
        if self.tables.steps > MOST_STEPS {
            return Err(too_long(statement.span));
        }
        stack::recurse(|| self.execute_kind(design, statement))
    }

    fn execute_kind(
        &mut self,
        design: &mut Design,
        statement: &'s Statement,
    ) -> Result<(), Diagnostic> {
        match &statement.kind {
            StatementKind::Nothing | StatementKind::SystemTask => Ok(()),
            // What only prints may depend on what happens later.
            StatementKind::If { .. } | StatementKind::Case { .. }
                if self.reads_initial && is_silent(statement) =>
            {
                Ok(())
            }
            StatementKind::ReadMemory(read) => self.read_memory(design, read),
            StatementKind::Block { statements, .. } => self.inside(statement, |frame| {
                for one in statements {
                    frame.guarded(design, one)?;
                }
                Ok(())
            }),
            StatementKind::Assign {
                target,
                value,
                blocking,
                ..
            } => self.run_assignment(design, target, value, *blocking),
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                let truth = self.condition_of(design, condition, otherwise.is_some())?;
                self.branch(
                    design,
                    truth,
                    |frame, design| frame.execute(design, then),
                    |frame, design| match otherwise {
                        Some(otherwise) => frame.execute(design, otherwise),
                        None => Ok(()),
                    },
                )
            }
            StatementKind::Case {
                kind,
                selector,
                items,
                ..
            } => self.case(design, *kind, selector, items),
            StatementKind::For {
                declares,
                start,
                condition,
                step,
                body,
            } => self.inside(statement, |frame| {
                frame.plain_assignment(design, start)?;
                frame.in_loop(|frame| {
                    for _ in 0..MOST_ITERATIONS {
                        if frame.left_loop(design) || !frame.constant_truth(design, condition)? {
                            if declares.is_none() {
                                frame.forget_variable(design, start)?;
                            }
                            return Ok(());
                        }
                        frame.iteration(design, body)?;
                        if !frame.left_loop(design) {
                            frame.plain_assignment(design, step)?;
                        }
                    }
                    Err(too_long(statement.span))
                })
            }),
            StatementKind::While(condition, body) => self.in_loop(|frame| {
                for _ in 0..MOST_ITERATIONS {
                    if frame.left_loop(design) || !frame.constant_truth(design, condition)? {
                        return Ok(());
                    }
                    frame.iteration(design, body)?;
                }
                Err(too_long(statement.span))
            }),
            StatementKind::DoWhile(body, condition) => self.in_loop(|frame| {
                for _ in 0..MOST_ITERATIONS {
                    frame.iteration(design, body)?;
                    if frame.left_loop(design) || !frame.constant_truth(design, condition)? {
                        return Ok(());
                    }
                }
                Err(too_long(statement.span))
            }),
            StatementKind::Break => {
                self.values.broken = Some(Literal::TRUE);
                Ok(())
            }
            StatementKind::Continue => {
                self.values.continued = Some(Literal::TRUE);
                Ok(())
            }
            StatementKind::Repeat(count, body) => {
                let count =
                    Elaborator::new(design, self).constant(count, "the number of repetitions")?;
                if count > MOST_ITERATIONS as i64 {
                    return Err(too_long(statement.span));
                }
                self.in_loop(|frame| {
                    for _ in 0..count.max(0) {
                        if frame.left_loop(design) {
                            break;
                        }
                        frame.iteration(design, body)?;
                    }
                    Ok(())
                })
            }
            StatementKind::Call(name, arguments) => self.task(design, name, arguments),
            StatementKind::Assertion(assertion) => self.assertion(design, assertion),
            StatementKind::Return(value) => self.return_value(design, value.as_ref(), statement),
        }
    }

    /// Runs a loop, whose `break` and `continue` mean nothing outside of it.
    fn in_loop(
        &mut self,
        run: impl FnOnce(&mut Self) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let outside = (self.values.broken.take(), self.values.continued.take());
        let result = run(self);
        (self.values.broken, self.values.continued) = outside;
        result
    }

    /// Whether no further iteration is reached in any case.
    fn left_loop(&self, _design: &mut Design) -> bool {
        self.values.broken == Some(Literal::TRUE) || self.values.returned == Some(Literal::TRUE)
    }

    /// The body of a loop once.
    fn iteration(&mut self, design: &mut Design, body: &'s Statement) -> Result<(), Diagnostic> {
        self.guarded(design, body)?;
        self.values.continued = None;
        Ok(())
    }

    /// The variable of a loop that may have ended early has a value that nobody should read;
    /// it is any.
    fn forget_variable(
        &mut self,
        design: &mut Design,
        start: &'s Statement,
    ) -> Result<(), Diagnostic> {
        let ended_early = |stop: Option<Literal>| stop.is_some_and(|stop| stop != Literal::TRUE);
        let StatementKind::Assign { target, .. } = &start.kind else {
            return Ok(());
        };
        if !ended_early(self.values.broken) && !ended_early(self.values.returned) {
            return Ok(());
        }
        let located = self.locate(design, target)?;
        let unknown = (0..located.width).map(|_| {
            let bit = self.unknown(design);
            bit.unwrap_or(Literal::FALSE)
        });
        let unknown = unknown.collect();
        self.write(design, &located, unknown, true)
    }

    /// Runs something in the scope that a statement has of its own, if it has one.
    fn inside(
        &mut self,
        statement: &'s Statement,
        run: impl FnOnce(&mut Self) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let outer = self.scope;
        let key = (std::ptr::from_ref(statement), outer);
        if let Some(inner) = self.tables.blocks.get(&key) {
            self.scope = *inner;
        }
        let result = run(self);
        self.scope = outer;
        result
    }

    fn condition_of(
        &mut self,
        design: &mut Design,
        expr: &Expr,
        has_else: bool,
    ) -> Result<Literal, Diagnostic> {
        refuse_unknown_condition(expr)?;
        let truth = Elaborator::new(design, self).truth(expr)?;
        let asked = source_of(design, truth);
        if let (Some(_), Some(span)) = (design.input_kind(asked.node()), expr.span) {
            self.tables.conditions.push((asked, span));
        }
        // Opening `if (1)` without `else` would make latches of what it always assigns.
        let always = is_constant_text(expr) && truth == Literal::TRUE && !has_else;
        if self.constants_only || always {
            return Ok(truth);
        }
        let bits = self.record(design, ComponentKind::Condition, expr, vec![truth]);
        Ok(bits[0])
    }

    fn constant_truth(&mut self, design: &mut Design, expr: &Expr) -> Result<bool, Diagnostic> {
        let truth = Elaborator::new(design, self).truth(expr)?;
        truth.as_constant().ok_or_else(|| {
            let diagnostic =
                Diagnostic::error(codes::LOOP, "how often this loop runs depends on signals");
            let diagnostic = diagnostic.at_optional(expr.span, "this is not a constant");
            diagnostic.help("loop over a fixed range and use `if` inside")
        })
    }

    /// Runs two branches from the present values and joins what they leave.
    fn branch(
        &mut self,
        design: &mut Design,
        condition: Literal,
        then: impl FnOnce(&mut Self, &mut Design) -> Result<(), Diagnostic>,
        otherwise: impl FnOnce(&mut Self, &mut Design) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        match condition.as_constant() {
            Some(true) => return then(self, design),
            Some(false) => return otherwise(self, design),
            None => {}
        }
        let before = self.values.clone();
        self.path.push(condition);
        let outcome = then(self, design);
        self.path.pop();
        outcome?;
        let first = std::mem::replace(&mut self.values, before);
        self.path.push(!condition);
        let outcome = otherwise(self, design);
        self.path.pop();
        outcome?;
        let second = std::mem::take(&mut self.values);
        self.values = self.join(design, condition, first, second);
        Ok(())
    }

    /// The values that hold if the condition does, or the others.
    pub(super) fn join(
        &self,
        design: &mut Design,
        condition: Literal,
        then: Values,
        otherwise: Values,
    ) -> Values {
        let mut joined = Values::default();
        let mut ids: Vec<_> = then
            .now
            .keys()
            .chain(otherwise.now.keys())
            .copied()
            .collect();
        ids.sort_unstable();
        ids.dedup();
        for id in ids {
            let in_both = then.now.contains_key(&id) && otherwise.now.contains_key(&id);
            if self.tables.signal(id).is_loop_variable && !in_both {
                // What it is now depends on the branch; who reads it is told.
                continue;
            }
            let base = || {
                let signal = self.tables.signal(id);
                match signal.kind {
                    SignalKind::Local => vec![Literal::FALSE; signal.data.width()],
                    _ => self.value_before(id),
                }
            };
            let left = then.now.get(&id).cloned().unwrap_or_else(base);
            let right = otherwise.now.get(&id).cloned().unwrap_or_else(base);
            joined
                .now
                .insert(id, words::mux(design, condition, &left, &right));
        }
        let mut ids: Vec<_> = then
            .next
            .keys()
            .chain(otherwise.next.keys())
            .copied()
            .collect();
        ids.sort_unstable();
        ids.dedup();
        for id in ids {
            // Where only one branch assigns, the register keeps its value in the other.
            let base = || self.value_before(id);
            let left = then.next.get(&id).cloned().unwrap_or_else(base);
            let right = otherwise.next.get(&id).cloned().unwrap_or_else(base);
            joined
                .next
                .insert(id, words::mux(design, condition, &left, &right));
        }
        let mut either = |then: Option<Literal>, otherwise: Option<Literal>| {
            let (left, right) = match (then, otherwise) {
                (None, None) => return None,
                (left, right) => (left, right),
            };
            let left = left.unwrap_or(Literal::FALSE);
            let right = right.unwrap_or(Literal::FALSE);
            Some(design.mux(condition, left, right))
        };
        joined.returned = either(then.returned, otherwise.returned);
        joined.broken = either(then.broken, otherwise.broken);
        joined.continued = either(then.continued, otherwise.continued);
        joined
    }

    /// The start or step of a loop: never a component.
    fn plain_assignment(
        &mut self,
        design: &mut Design,
        statement: &'s Statement,
    ) -> Result<(), Diagnostic> {
        let StatementKind::Assign { target, value, .. } = &statement.kind else {
            return Ok(());
        };
        let located = self.locate(design, target)?;
        let bits = Elaborator::new(design, self).assigned(value, located.width)?;
        self.write(design, &located, bits, true)
    }

    fn run_assignment(
        &mut self,
        design: &mut Design,
        target: &Expr,
        value: &Expr,
        blocking: bool,
    ) -> Result<(), Diagnostic> {
        let located = self.locate(design, target)?;
        let bits = self.located_value(design, value, &located)?;
        // `` `SET; `` that stands for `q <= d` is an expression as well, by its tokens.
        let is_in_macro = target.span == value.span;
        let bits = if self.constants_only || is_in_macro || located.is_local(self.tables) {
            bits
        } else {
            self.record(design, ComponentKind::Value, value, bits)
        };
        self.write(design, &located, bits, blocking)
    }

    fn return_value(
        &mut self,
        design: &mut Design,
        value: Option<&'s Expr>,
        statement: &'s Statement,
    ) -> Result<(), Diagnostic> {
        // The result has the name of the function, which the scope around this has.
        let result = self.enclosing_result();
        match (result, value) {
            (Some(result), Some(value)) => {
                let data = self.tables.signal(result).data.clone();
                let bits = self.typed_value(design, value, &data)?;
                let bits = if self.constants_only {
                    bits
                } else {
                    self.record(design, ComponentKind::Value, value, bits)
                };
                self.values.now.insert(result, bits);
            }
            (None, None) => {}
            _ => {
                return Err(Diagnostic::error(
                    codes::SYNTAX,
                    "this `return` does not fit what it returns from",
                )
                .at(statement.span, "here"));
            }
        }
        self.values.returned = Some(Literal::TRUE);
        Ok(())
    }

    fn enclosing_result(&self) -> Option<super::scope::SignalId> {
        let mut current = Some(self.scope);
        while let Some(scope) = current {
            let info = self
                .tables
                .routines
                .values()
                .find(|info| info.scope == scope);
            if let Some(info) = info {
                return info.result;
            }
            current = self.tables.scope(scope).parent;
        }
        None
    }

    fn task(
        &mut self,
        design: &mut Design,
        name: &'s Identifier,
        arguments: &'s [Expr],
    ) -> Result<(), Diagnostic> {
        let expr = Expr {
            kind: ExprKind::Name(vec![name.text.clone()]),
            span: Some(name.span),
        };
        let (routine, scope) = self.routine(&name.text, &expr)?;
        let info = self.routine_info(design, routine, scope)?;
        if info.arguments.len() != arguments.len() {
            let message = format!(
                "`{}` has {} arguments, and {} are given",
                name.text,
                info.arguments.len(),
                arguments.len()
            );
            return Err(Diagnostic::error(codes::HIERARCHY, message).at(name.span, "called here"));
        }
        let mut given = Vec::new();
        for ((direction, id), argument) in info.arguments.iter().zip(arguments) {
            let data = self.tables.signal(*id).data.clone();
            given.push(match direction {
                Direction::Input | Direction::Both => {
                    Some(self.typed_value(design, argument, &data)?)
                }
                Direction::Output => None,
            });
        }
        let left = self.run_routine(design, Some(name.span), routine, &info, given)?;
        self.write_arguments(design, &info, &left.arguments, arguments)
    }

    /// What a routine has left in its outputs goes to what it was called with.
    pub(super) fn write_arguments(
        &mut self,
        design: &mut Design,
        info: &RoutineInfo,
        left: &[Bits],
        arguments: &[Expr],
    ) -> Result<(), Diagnostic> {
        let outputs = info.arguments.iter().zip(left);
        for (((direction, id), bits), argument) in outputs.zip(arguments) {
            if *direction != Direction::Input {
                let located = self.locate(design, argument)?;
                let data = self.tables.signal(*id).data.clone();
                self.note_given(argument.span, &data, located.data.as_ref());
                let signed = data.signed;
                let bits = words::resize(bits, located.width, signed);
                self.write(design, &located, bits, true)?;
            }
        }
        Ok(())
    }
}

/// Whether an expression is made of numbers only.
pub(super) fn is_constant_text(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Number(_))
}

pub(super) fn refuse_unknown_condition(expr: &Expr) -> Result<(), Diagnostic> {
    match (&expr.kind, expr.span) {
        (ExprKind::Number(number), Some(span)) if !number.is_known() => Err(Diagnostic::error(
            codes::UNKNOWN_CONDITION,
            "a condition cannot be `x` or `z`",
        )
        .at(span, "neither true nor false")
        .help("write 0 or 1")),
        _ => Ok(()),
    }
}

fn too_long(span: Span) -> Diagnostic {
    Diagnostic::error(codes::LOOP, "this loop runs too often")
        .at(span, "it may never end")
        .help("check its condition and its step")
}

/// Whether a statement does nothing to a circuit.
fn is_silent(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Nothing | StatementKind::SystemTask => true,
        StatementKind::Block { .. } | StatementKind::If { .. } | StatementKind::Case { .. } => {
            statement.inner().into_iter().all(is_silent)
        }
        _ => false,
    }
}
