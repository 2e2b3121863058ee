//! Template: what a reset or an initial value sets, and registers that a reset forgets.

use super::missing_statement::statements_of;
use super::scope::looks_like_reset;
use super::statement::{Surroundings, assigned};
use super::{Kind, Lister, SourceEdit, cost};
use crate::design::verilog::VisibleKind;
use crate::design::verilog::syntax::*;
use crate::expr::{Expr, ExprKind};
use crate::source::Span;
use std::collections::BTreeSet;

impl Lister<'_> {
    /// Other initial values.
    pub(super) fn initial(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Block { statements, .. } => {
                for statement in statements {
                    self.initial(statement);
                }
            }
            StatementKind::Assign { target, .. } if self.is_checking(target) => {}
            StatementKind::Assign { target, value, .. } => {
                let first = self.edits.len();
                self.constant(value, Kind::Reset);
                if let (Some(span), Some(width)) = (value.span, self.width(target)) {
                    for text in self.constants_for(self.family_of(target).as_deref(), width) {
                        self.replace(span, text, Kind::Reset, cost::CONSTANT_VALUE);
                    }
                }
                self.keep_enumerated(first, value, target);
            }
            StatementKind::For { body, .. } => self.initial(body),
            _ => {}
        }
    }

    /// Registers that the block assigns and its reset branch forgets.
    pub(super) fn missing_resets(&mut self, always: &Always, around: &Surroundings) {
        let Some(branch) = reset_branch(&always.body) else {
            self.missing_reset_branch(always, around);
            return;
        };
        let mut reset = BTreeSet::new();
        assigned(branch, &mut reset);
        for target in around.targets.iter().filter(|name| !reset.contains(*name)) {
            let Some(own) = self.visible(target) else {
                continue;
            };
            if own.kind != VisibleKind::Register {
                continue;
            }
            for value in self.constants_for(own.family.as_deref(), own.width) {
                let changes = self.added_statement(branch, &format!("{target} <= {value};"));
                self.push(SourceEdit::new(Kind::MissingReset, changes, cost::BRANCH));
            }
        }
    }

    /// `if (rst) q <= 0; else` before a body without a reset.
    fn missing_reset_branch(&mut self, always: &Always, around: &Surroundings) {
        let [target] = around.targets.as_slice() else {
            return;
        };
        let Some(own) = self.visible(target).cloned() else {
            return;
        };
        let body = without_blocks(&always.body);
        let before = Span {
            end: body.span.start,
            ..body.span
        };
        let indent = self.indent_of(body.span);
        let resets: Vec<String> = self
            .signals_like_resets()
            .map(|name| {
                if is_active_low(name) {
                    format!("!{name}")
                } else {
                    name.to_string()
                }
            })
            .collect();
        for test in resets {
            for value in self.constants_for(own.family.as_deref(), own.width) {
                let text = format!(
                    "if ({test})\n{indent}    {target} <= {value};\n{indent}else\n{indent}    "
                );
                self.replace(before, text, Kind::MissingReset, cost::BRANCH + 1);
            }
        }
    }

    fn signals_like_resets(&self) -> impl Iterator<Item = &str> {
        let bits = self.names.iter().filter(|name| name.width == 1);
        let names = bits.map(|name| name.name.as_str());
        names.filter(|name| looks_like_reset(name))
    }

    /// The text that adds a statement behind the others of a branch.
    pub(super) fn added_statement(&self, branch: &Statement, text: &str) -> Vec<(Span, String)> {
        match &branch.kind {
            StatementKind::Block { statements, .. } if !statements.is_empty() => {
                let last = statements[statements.len() - 1].span;
                let after = Span {
                    start: last.end,
                    ..last
                };
                let indent = self.indent_of(last);
                vec![(after, format!("\n{indent}{text}"))]
            }
            _ => {
                let indent = self.indent_of(branch.span);
                let outer = indent.strip_suffix("    ").unwrap_or(&indent).to_string();
                let before = Span {
                    end: branch.span.start,
                    ..branch.span
                };
                let after = Span {
                    start: branch.span.end,
                    ..branch.span
                };
                vec![
                    (before, format!("begin\n{indent}")),
                    (after, format!("\n{indent}{text}\n{outer}end")),
                ]
            }
        }
    }
}

/// The branch of a block that resets: that of `if (reset) ... else ...` as the only statement,
/// or of a test of what is called like a reset, whatever stands beside it.
fn reset_branch(body: &Statement) -> Option<&Statement> {
    match &without_blocks(body).kind {
        StatementKind::If {
            condition,
            then,
            otherwise: Some(_),
        } if is_test_of_one_signal(condition) => Some(then),
        _ => statements_of(body).iter().find_map(|one| match &one.kind {
            StatementKind::If {
                condition, then, ..
            } if is_reset_test(condition) => Some(&**then),
            _ => None,
        }),
    }
}

/// The statement inside of blocks that have only one.
fn without_blocks(statement: &Statement) -> &Statement {
    match &statement.kind {
        StatementKind::Block { statements, .. } if statements.len() == 1 => {
            without_blocks(&statements[0])
        }
        _ => statement,
    }
}

/// Whether an expression tests a single signal that is called like a reset.
pub(super) fn is_reset_test(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Name(path) => path.last().is_some_and(|name| looks_like_reset(name)),
        ExprKind::Unary(_, operand) => is_reset_test(operand),
        ExprKind::Binary(_, left, right) => {
            is_reset_test(left) && matches!(right.kind, ExprKind::Number(_))
        }
        _ => false,
    }
}

fn is_test_of_one_signal(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Name(_) => true,
        ExprKind::Unary(_, operand) => is_test_of_one_signal(operand),
        ExprKind::Binary(_, left, right) => {
            is_test_of_one_signal(left) && matches!(right.kind, ExprKind::Number(_))
        }
        _ => false,
    }
}

fn is_active_low(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.ends_with("_n") || name.ends_with('n') && !name.ends_with("en")
}
