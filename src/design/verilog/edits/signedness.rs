//! Template: a comparison, shift or product of signed numbers that was written for unsigned
//! ones.

use super::expression::Context;
use super::{Kind, Lister, cost};
use crate::expr::{BinaryOp, Expr, ExprKind};
use crate::source::Span;

impl Lister<'_> {
    /// `$signed(a) < $signed(b)` for `a < b`.
    pub(super) fn signed_operands(
        &mut self,
        operator: BinaryOp,
        (left, left_span): (&Expr, Span),
        (right, right_span): (&Expr, Span),
        context: Context,
    ) {
        let depends_on_sign = matches!(
            operator,
            BinaryOp::Less
                | BinaryOp::LessEqual
                | BinaryOp::Greater
                | BinaryOp::GreaterEqual
                | BinaryOp::ArithmeticShiftRight
                | BinaryOp::Multiply
                | BinaryOp::Divide
                | BinaryOp::Modulo
        );
        let is_word = |expr: &Expr| self.width(expr).is_none_or(|width| width > 1);
        if !depends_on_sign || context.is_constant || !is_word(left) {
            return;
        }
        let signed = |span: Span| format!("$signed({})", self.text(span));
        let mut changes = Vec::new();
        let is_shift = operator == BinaryOp::ArithmeticShiftRight;
        for (expr, span) in [(left, left_span), (right, right_span)] {
            let is_amount = is_shift && span == right_span;
            let is_signed = matches!(&expr.kind, ExprKind::Call(name, _) if name == "$signed");
            if !is_amount && !is_signed && !matches!(expr.kind, ExprKind::Number(_)) {
                changes.push((span, signed(span)));
            }
        }
        if !changes.is_empty() {
            self.edit_together(changes, Kind::Operator, cost::SIGN, context);
        }
    }
}
