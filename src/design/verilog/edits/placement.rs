//! Template: a statement that stands before or behind an `if` and belongs into its `else`, or
//! stands there and belongs behind it; a statement without the guard that it needs, or with one
//! that it does not.

use super::statement::Surroundings;
use super::{Kind, Lister, SourceEdit, cost};
use crate::design::verilog::syntax::*;
use crate::source::Span;

impl Lister<'_> {
    /// Statements beside an `if` in a block.
    pub(super) fn misplaced(&mut self, statements: &[Statement]) {
        for pair in statements.windows(2) {
            self.moved_to_else(&pair[0], &pair[1]);
            self.moved_to_else(&pair[1], &pair[0]);
        }
    }

    /// `if (c) A B` or `B if (c) A` as `if (c) A else B`.
    fn moved_to_else(&mut self, branching: &Statement, moved: &Statement) {
        let StatementKind::If {
            then,
            otherwise: None,
            ..
        } = &branching.kind
        else {
            return;
        };
        if !self.is_movable(moved) || ends_in_open_if(then) {
            return;
        }
        let after = Span {
            start: branching.span.end,
            ..branching.span
        };
        let text = self.text(moved.span).to_string();
        let gone = self.with_blanks_before(moved.span);
        let text = format!(" else {text}");
        let changes = if gone.start == after.start {
            // The two stand side by side: what is between them goes with the statement.
            vec![(gone, text)]
        } else {
            vec![(after, text), (gone, String::new())]
        };
        self.push(SourceEdit::new(Kind::Placement, changes, cost::PLACEMENT));
    }

    /// `if (c) A else B` as `if (c) A B`, also where `B` is an `if`.
    pub(super) fn out_of_else(&mut self, then: &Statement, otherwise: &Statement) {
        let is_chained = matches!(otherwise.kind, StatementKind::If { .. });
        if !(is_chained || self.is_movable(otherwise)) || !self.is_movable(then) {
            return;
        }
        let word = Span {
            start: then.span.end,
            end: otherwise.span.start,
            ..then.span
        };
        let text = self.text(word).replacen("else", "", 1);
        self.replace(word, text, Kind::Placement, cost::PLACEMENT + 2);
    }

    /// `if (guard)` before an assignment to a register.
    pub(super) fn guards(&mut self, statement: &Statement, around: Option<&Surroundings>) {
        let is_register = around.is_some_and(|around| around.is_clocked && !around.is_reset);
        // An `else` behind the statement would belong to the guard.
        let whole = &self.sources.file(statement.span.file).text;
        let behind = whole.get(statement.span.end as usize..).unwrap_or_default();
        if !is_register || behind.trim_start().starts_with("else") {
            return;
        }
        let before = Span {
            end: statement.span.start,
            ..statement.span
        };
        for signal in self.signals_of(1) {
            let cost = self.signal_cost(&signal, cost::GUARD);
            for guard in [signal.clone(), format!("!{signal}")] {
                let text = format!("if ({guard}) ");
                self.replace(before, text, Kind::Condition, cost);
            }
        }
    }

    /// A statement without the `if` before it that has no `else`.
    pub(super) fn removed_guard(&mut self, statement: &Statement, then: &Statement) {
        let guard = Span {
            end: then.span.start,
            ..statement.span
        };
        self.replace(guard, String::new(), Kind::Condition, cost::NO_GUARD);
    }

    /// Whether a statement assigns, and does nothing else.
    fn is_movable(&self, statement: &Statement) -> bool {
        match &statement.kind {
            StatementKind::Assign { target, .. } => !self.is_checking(target),
            StatementKind::Block { statements, .. } => {
                !statements.is_empty() && statements.iter().all(|one| self.is_movable(one))
            }
            _ => false,
        }
    }

    /// A span with the blanks before it.
    fn with_blanks_before(&self, span: Span) -> Span {
        let text = &self.sources.file(span.file).text[..span.start as usize];
        Span {
            start: text.trim_end().len() as u32,
            ..span
        }
    }
}

/// Whether an `else` behind the statement would belong to an `if` in it.
fn ends_in_open_if(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::If { otherwise, .. } => {
            otherwise.as_ref().is_none_or(|one| ends_in_open_if(one))
        }
        StatementKind::For { body, .. }
        | StatementKind::While(_, body)
        | StatementKind::Repeat(_, body) => ends_in_open_if(body),
        _ => false,
    }
}
