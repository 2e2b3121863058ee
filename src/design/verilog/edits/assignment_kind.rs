//! Template: `<=` in place of `=` in a clocked block, and the other way round.

use super::statement::Surroundings;
use super::{EditKind, Lister, SourceEdit, cost};
use crate::design::verilog::syntax::*;
use crate::source::Span;
use crate::stack;

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
        let (other, cost) = if is_blocking {
            ("<=", cost::ASSIGNMENT)
        } else {
            ("=", cost::ASSIGNMENT + 1)
        };
        self.replace(operator, other.to_string(), EditKind::Assignment, cost);
    }

    /// Every `=` of a clocked block at once.
    pub(super) fn all_nonblocking(&mut self, always: &Always) {
        let mut operators = Vec::new();
        blocking_operators(&always.body, &mut operators);
        if operators.len() > 1 {
            let count = operators.len() as u32;
            let changes = operators.into_iter().map(|span| (span, "<=".to_string()));
            self.push(SourceEdit::new(
                EditKind::Assignment,
                changes.collect(),
                cost::ASSIGNMENT + count.min(4),
            ));
        }
    }
}

fn blocking_operators(statement: &Statement, operators: &mut Vec<Span>) {
    stack::recurse(|| match &statement.kind {
        StatementKind::Assign {
            blocking: true,
            compound: false,
            operator,
            ..
        } => operators.push(*operator),
        StatementKind::Block { statements, .. } => {
            for statement in statements {
                blocking_operators(statement, operators);
            }
        }
        StatementKind::If {
            then, otherwise, ..
        } => {
            blocking_operators(then, operators);
            if let Some(otherwise) = otherwise {
                blocking_operators(otherwise, operators);
            }
        }
        StatementKind::Case { items, .. } => {
            for item in items {
                blocking_operators(&item.body, operators);
            }
        }
        _ => {}
    });
}
