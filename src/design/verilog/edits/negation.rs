//! Template: a negation added or removed.

use super::expression::Context;
use super::{Kind, Lister, cost};
use crate::expr::{Expr, ExprKind, UnaryOp};
use crate::source::Span;

impl Lister<'_> {
    /// The operand in place of its negation.
    pub(super) fn removed_negation(&mut self, span: Span, operand: Span, context: Context) {
        let text = self.text(operand).to_string();
        self.edit(span, text, Kind::Negation, cost::NEGATION, context);
    }

    /// `!` before a condition or a single bit, `~` before a vector.
    pub(super) fn added_negation(&mut self, expr: &Expr, span: Span, context: Context) {
        let is_negated_or_number = matches!(
            expr.kind,
            ExprKind::Unary(UnaryOp::LogicalNot | UnaryOp::BitNot, _) | ExprKind::Number(_)
        );
        if is_negated_or_number || context.is_constant {
            return;
        }
        let width = self.width(expr);
        if width.is_some_and(|width| width > 1) && !context.is_condition {
            let text = format!("~{}", self.operand_text(expr, span));
            self.edit(span, text, Kind::Negation, cost::NEGATION + 1, context);
        }
        if context.is_condition || width == Some(1) {
            let text = format!("!{}", self.operand_text(expr, span));
            self.edit(span, text, Kind::Negation, cost::NEGATION, context);
        }
    }
}
