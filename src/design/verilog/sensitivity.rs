//! What a combinational block reads, and lists of signals that leave some of it out.
//!
//! A block with an incomplete list is combinational logic for synthesis, and so it is here; a
//! simulator runs it only when a listed signal changes. The difference is warned about, with the
//! completed list as an edit.

use super::codes;
use super::frame::{Found, Frame};
use super::scope::{ScopeId, SignalId, SignalKind, Tables};
use super::syntax::*;
use crate::design::netlist::Design;
use crate::expr::{Expr, ExprKind};
use crate::source::Diagnostic;
use crate::stack;
use std::collections::BTreeSet;

/// The signals that a block reads, by the text that names them first.
pub struct Reads<'t, 'd, 's> {
    tables: &'t mut Tables<'s>,
    design: &'d mut Design,
    found: Vec<(SignalId, String)>,
}

impl<'t, 'd, 's> Reads<'t, 'd, 's> {
    /// All signals that a statement reads, in the order of the text, those that it has assigned
    /// before included. What functions read besides their arguments is not looked at.
    pub fn of(
        tables: &'t mut Tables<'s>,
        design: &'d mut Design,
        scope: ScopeId,
        body: &'s Statement,
    ) -> Vec<(SignalId, String)> {
        let found = Vec::new();
        let mut reads = Reads {
            tables,
            design,
            found,
        };
        reads.statement(scope, body);
        reads.found
    }

    fn statement(&mut self, scope: ScopeId, statement: &'s Statement) {
        let key = (std::ptr::from_ref(statement), scope);
        let scope = self.tables.blocks.get(&key).copied().unwrap_or(scope);
        stack::recurse(|| match &statement.kind {
            StatementKind::Nothing
            | StatementKind::ReadMemory(_)
            | StatementKind::SystemTask
            | StatementKind::Break
            | StatementKind::Continue
            | StatementKind::Assertion(_) => {}
            StatementKind::Block { statements, .. } => {
                statements.iter().for_each(|one| self.statement(scope, one));
            }
            StatementKind::Assign { target, value, .. } => {
                self.target(scope, target);
                self.expression(scope, value);
            }
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                self.expression(scope, condition);
                self.statement(scope, then);
                if let Some(otherwise) = otherwise {
                    self.statement(scope, otherwise);
                }
            }
            StatementKind::Case {
                selector, items, ..
            } => {
                self.expression(scope, selector);
                for item in items {
                    item.labels
                        .iter()
                        .for_each(|label| self.expression(scope, label));
                    self.statement(scope, &item.body);
                }
            }
            StatementKind::For {
                start,
                condition,
                step,
                body,
                ..
            } => {
                self.statement(scope, start);
                self.expression(scope, condition);
                self.statement(scope, step);
                self.statement(scope, body);
            }
            StatementKind::While(condition, body)
            | StatementKind::DoWhile(body, condition)
            | StatementKind::Repeat(condition, body) => {
                self.expression(scope, condition);
                self.statement(scope, body);
            }
            StatementKind::Call(_, arguments) => {
                arguments.iter().for_each(|one| self.expression(scope, one));
            }
            StatementKind::Return(value) => {
                if let Some(value) = value {
                    self.expression(scope, value);
                }
            }
        });
    }

    /// Of a target only indices are read.
    fn target(&mut self, scope: ScopeId, target: &Expr) {
        match &target.kind {
            ExprKind::Concat(items) => items.iter().for_each(|item| self.target(scope, item)),
            ExprKind::Index(base, index) => {
                self.target(scope, base);
                self.expression(scope, index);
            }
            ExprKind::Range(base, ..) | ExprKind::Member(base, _) => self.target(scope, base),
            ExprKind::IndexedRange { base, start, .. } => {
                self.target(scope, base);
                self.expression(scope, start);
            }
            _ => {}
        }
    }

    fn expression(&mut self, scope: ScopeId, expr: &Expr) {
        stack::recurse(|| match &expr.kind {
            ExprKind::Number(_) | ExprKind::Net(_) | ExprKind::AllOnes => {}
            ExprKind::Member(base, _) if self.is_field(scope, expr) => self.expression(scope, base),
            ExprKind::Name(_) | ExprKind::Member(..) => self.name(scope, expr),
            ExprKind::Index(base, index) => {
                self.expression(scope, base);
                self.expression(scope, index);
            }
            ExprKind::Range(base, ..) => self.expression(scope, base),
            ExprKind::IndexedRange { base, start, .. } => {
                self.expression(scope, base);
                self.expression(scope, start);
            }
            ExprKind::Unary(_, operand) => self.expression(scope, operand),
            ExprKind::Binary(_, left, right) => {
                self.expression(scope, left);
                self.expression(scope, right);
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                for one in [condition, then, otherwise] {
                    self.expression(scope, one);
                }
            }
            ExprKind::Concat(parts) | ExprKind::Replicate(_, parts) | ExprKind::Call(_, parts) => {
                parts.iter().for_each(|part| self.expression(scope, part));
            }
        });
    }

    /// Whether it is a field of an element of an array.
    fn is_field(&mut self, scope: ScopeId, expr: &Expr) -> bool {
        let frame = Frame::new(self.tables, scope);
        matches!(frame.field_of_element(expr), Ok(Some(_)))
    }

    fn name(&mut self, scope: ScopeId, expr: &Expr) {
        let mut frame = Frame::new(self.tables, scope);
        // What is no signal is reported where the block is run.
        let Ok(Found::Signal(id, ..)) = frame.found(self.design, expr) else {
            return;
        };
        let signal = self.tables.signal(id);
        let is_known = self.found.iter().any(|(known, _)| *known == id);
        if signal.kind != SignalKind::Local && !signal.is_loop_variable && !is_known {
            self.found.push((id, expr.to_string()));
        }
    }
}

/// A warning if the list of a block leaves out what the block reads.
pub fn incomplete_list<'s>(
    tables: &mut Tables<'s>,
    design: &mut Design,
    scope: ScopeId,
    always: &'s Always,
    assigned: &BTreeSet<SignalId>,
    reads: &[(SignalId, String)],
) -> Option<Diagnostic> {
    let last = always.levels.last()?.span?;
    let first = always.levels.first()?.span?;
    let mut listed = Reads {
        tables,
        design,
        found: Vec::new(),
    };
    for level in &always.levels {
        listed.expression(scope, level);
    }
    let listed = listed.found;
    let is_missing = |(id, _): &&(SignalId, String)| {
        !assigned.contains(id) && listed.iter().all(|(known, _)| known != id)
    };
    let missing: Vec<&str> = reads
        .iter()
        .filter(is_missing)
        .map(|(_, text)| text.as_str())
        .collect();
    if missing.is_empty() {
        return None;
    }
    let texts: Vec<String> = always.levels.iter().map(Expr::to_string).collect();
    let complete = texts.iter().map(String::as_str).chain(missing.clone());
    let complete: Vec<&str> = complete.collect();
    let complete = complete.join(" or ");
    let message = format!(
        "the block reads `{}`, and its list does not have it: simulation differs from synthesis",
        missing.join("`, `")
    );
    Some(
        Diagnostic::warning(codes::SENSITIVITY, message)
            .at(first.to(last), "a simulator waits for these only")
            .help(format!("write `@*`, or `@({complete})`"))
            .edit(first.to(last), complete),
    )
}
