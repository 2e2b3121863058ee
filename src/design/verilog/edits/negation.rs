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

    /// `~a & b` in place of `a & ~b`, as for the wrong one of two edges.
    pub(super) fn moved_negation(&mut self, left: &Expr, right: &Expr, context: Context) {
        let inner = |expr: &Expr| match &expr.kind {
            ExprKind::Unary(UnaryOp::LogicalNot | UnaryOp::BitNot, operand) => operand.span,
            _ => None,
        };
        let (from, to, operand) = match (inner(left), inner(right)) {
            (Some(operand), None) => (left, right, operand),
            (None, Some(operand)) => (right, left, operand),
            _ => return,
        };
        let (Some(from_span), Some(to_span)) = (from.span, to.span) else {
            return;
        };
        if operand.file != from_span.file || operand.start < from_span.start {
            return;
        }
        let symbol = self.text(from_span).chars().next().unwrap_or('!');
        let negated = format!("{symbol}{}", self.operand_text(to, to_span));
        let plain = self.text(operand).to_string();
        let changes = vec![(from_span, plain), (to_span, negated)];
        self.edit_together(changes, Kind::Negation, cost::SWAP, context);
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
        let negated = |symbol: char, operand: String| match context.is_below_unary {
            true => format!("({symbol}{operand})"),
            false => format!("{symbol}{operand}"),
        };
        if width.is_some_and(|width| width > 1) && !context.is_condition {
            let text = negated('~', self.operand_text(expr, span));
            self.edit(span, text, Kind::Negation, cost::NEGATION + 1, context);
        }
        if context.is_condition || width == Some(1) {
            let text = negated('!', self.operand_text(expr, span));
            self.edit(span, text, Kind::Negation, cost::NEGATION, context);
        }
    }
}
