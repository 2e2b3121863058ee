//! Template: a statement that one branch has and its sibling forgets.
//!
//! The copy is put behind the other statements of the branch, so that it has the last word.

use super::statement::assigned;
use super::{Kind, Lister, SourceEdit, cost};
use crate::design::verilog::syntax::*;
use std::collections::BTreeSet;

/// More branches than this are those of a decoder: each has statements of its own.
const MOST_BRANCHES: usize = 12;

impl Lister<'_> {
    /// Assignments of each branch, copied to the branches that do not assign their target.
    pub(super) fn missing_statements(&mut self, branches: &[&Statement]) {
        if branches.len() > MOST_BRANCHES {
            return;
        }
        for (index, branch) in branches.iter().enumerate() {
            if self.only_checks(branch) || matches!(branch.kind, StatementKind::If { .. }) {
                continue;
            }
            let mut own = BTreeSet::new();
            assigned(branch, &mut own);
            let mut texts: Vec<String> = Vec::new();
            for (other, sibling) in branches.iter().enumerate() {
                if other == index {
                    continue;
                }
                for statement in statements_of(sibling) {
                    if self.is_missing(statement, &own) {
                        let text = self.text(statement.span).to_string();
                        if !texts.contains(&text) {
                            texts.push(text);
                        }
                    }
                }
            }
            for text in texts {
                let changes = self.added_statement(branch, &text);
                let cost = cost::MISSING_STATEMENT;
                self.push(SourceEdit::new(Kind::MissingStatement, changes, cost));
            }
        }
    }

    /// Whether a statement assigns something that a branch does not.
    fn is_missing(&self, statement: &Statement, own: &BTreeSet<String>) -> bool {
        let StatementKind::Assign { target, .. } = &statement.kind else {
            return false;
        };
        let mut targets = BTreeSet::new();
        assigned(statement, &mut targets);
        !self.is_checking(target) && targets.is_disjoint(own)
    }
}

/// The statements of a block, or the one statement.
pub(super) fn statements_of(statement: &Statement) -> &[Statement] {
    match &statement.kind {
        StatementKind::Block { statements, .. } => statements,
        _ => std::slice::from_ref(statement),
    }
}
