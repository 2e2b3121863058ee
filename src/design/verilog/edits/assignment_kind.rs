//! Template: `<=` in place of `=` in a clocked block, and the other way round.

use super::statement::{Surroundings, assigned};
use super::{Kind, Lister, SourceEdit, cost};
use crate::design::verilog::syntax::*;
use crate::source::Span;
use crate::stack;
use std::collections::BTreeSet;

impl Lister<'_> {
    /// The other kind of one assignment. Only registers have two kinds of assignments.
    pub(super) fn other_assignment(
        &mut self,
        operator: Span,
        is_blocking: bool,
        around: Option<&Surroundings>,
    ) {
        if around.is_none_or(|around| !around.is_clocked) {
            return;
        }
        let (other, cost) = other_kind(is_blocking);
        self.replace(operator, other.to_string(), Kind::AssignmentKind, cost);
    }

    /// The other kind for all assignments to one variable of a block, which may not have both
    /// kinds. In a combinational block only `=` makes sense.
    pub(super) fn other_assignments(&mut self, always: &Always, around: &Surroundings) {
        let mut operators = Vec::new();
        operators_of(&always.body, &mut operators);
        for target in &around.targets {
            for is_blocking in [true, false] {
                let spans: Vec<Span> = operators
                    .iter()
                    .filter(|one| one.is_blocking == is_blocking && one.targets.contains(target))
                    .map(|one| one.span)
                    .collect();
                let is_known = around.is_clocked && spans.len() < 2;
                if spans.is_empty() || is_known || is_blocking && !around.is_clocked {
                    continue;
                }
                let (other, cost) = other_kind(is_blocking);
                let changes = spans.into_iter().map(|span| (span, other.to_string()));
                let edit = SourceEdit::new(Kind::AssignmentKind, changes.collect(), cost + 1);
                self.push(edit);
            }
        }
    }

    /// Every `=` of a clocked block at once.
    pub(super) fn all_nonblocking(&mut self, always: &Always) {
        let mut operators = Vec::new();
        operators_of(&always.body, &mut operators);
        let blocking = operators.into_iter().filter(|one| one.is_blocking);
        let operators: Vec<Span> = blocking.map(|one| one.span).collect();
        if operators.len() > 1 {
            let count = operators.len() as u32;
            let changes = operators.into_iter().map(|span| (span, "<=".to_string()));
            self.push(SourceEdit::new(
                Kind::AssignmentKind,
                changes.collect(),
                cost::ASSIGNMENT + count.min(4),
            ));
        }
    }
}

/// The other symbol, and what it costs.
fn other_kind(is_blocking: bool) -> (&'static str, u32) {
    if is_blocking {
        ("<=", cost::ASSIGNMENT)
    } else {
        ("=", cost::ASSIGNMENT + 1)
    }
}

/// An assignment of a block.
struct Operator {
    targets: BTreeSet<String>,
    is_blocking: bool,
    /// `=` or `<=`
    span: Span,
}

fn operators_of(statement: &Statement, operators: &mut Vec<Operator>) {
    stack::recurse(|| match &statement.kind {
        StatementKind::Assign {
            blocking,
            compound: false,
            operator,
            ..
        } => {
            let mut targets = BTreeSet::new();
            assigned(statement, &mut targets);
            operators.push(Operator {
                targets,
                is_blocking: *blocking,
                span: *operator,
            });
        }
        StatementKind::Block { statements, .. } => {
            for statement in statements {
                operators_of(statement, operators);
            }
        }
        StatementKind::If {
            then, otherwise, ..
        } => {
            operators_of(then, operators);
            if let Some(otherwise) = otherwise {
                operators_of(otherwise, operators);
            }
        }
        StatementKind::Case { items, .. } => {
            for item in items {
                operators_of(&item.body, operators);
            }
        }
        StatementKind::For { body, .. }
        | StatementKind::While(_, body)
        | StatementKind::Repeat(_, body) => operators_of(body, operators),
        _ => {}
    });
}
