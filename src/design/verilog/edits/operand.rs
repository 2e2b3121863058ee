//! Template: operands exchanged, left out, or one more or less than they are.

use super::expression::Context;
use super::operator::COMPARISONS;
use super::{Kind, Lister, cost};
use crate::expr::{BinaryOp, Expr, ExprKind};
use crate::source::Span;

impl Lister<'_> {
    /// Edits of a binary expression: its operator first, then its operands.
    pub(super) fn binary(
        &mut self,
        span: Span,
        operator: BinaryOp,
        left: &Expr,
        right: &Expr,
        context: Context,
    ) {
        let (Some(left_span), Some(right_span)) = (left.span, right.span) else {
            return;
        };
        if left_span.file != right_span.file || left_span.end > right_span.start {
            return;
        }
        self.other_operators(operator, (left, left_span), (right, right_span), context);
        self.signed_operands(operator, (left, left_span), (right, right_span), context);
        if keeps_bits(operator) {
            self.moved_negation(left, right, context);
        }
        if !is_commutative(operator) {
            self.swap(left, right, context);
        }
        if COMPARISONS.contains(&operator) {
            let inner = Context {
                is_whole: false,
                ..context
            };
            self.offsets(left, inner);
            self.offsets(right, inner);
        }
        let keeps_width = !operator.gives_one_bit()
            || matches!(operator, BinaryOp::LogicalAnd | BinaryOp::LogicalOr);
        if keeps_width {
            for (operand, operand_span) in [(left, left_span), (right, right_span)] {
                let text = if context.is_whole {
                    self.text(operand_span).to_string()
                } else {
                    self.operand_text(operand, operand_span)
                };
                self.edit(span, text, Kind::Operand, cost::DROP, context);
            }
        }
    }

    pub(super) fn swap(&mut self, first: &Expr, second: &Expr, context: Context) {
        let (Some(first_span), Some(second_span)) = (first.span, second.span) else {
            return;
        };
        let first_text = self.text(first_span).to_string();
        let second_text = self.text(second_span).to_string();
        if first_text == second_text || first_span.file != second_span.file {
            return;
        }
        let changes = vec![(first_span, second_text), (second_span, first_text)];
        self.edit_together(changes, Kind::Operator, cost::SWAP, context);
    }

    /// One more, or one less.
    pub(super) fn offsets(&mut self, expr: &Expr, context: Context) {
        let Some(span) = expr.span else {
            return;
        };
        if matches!(expr.kind, ExprKind::Number(_)) || context.is_constant {
            return;
        }
        let Some(width) = self.width(expr).filter(|width| *width > 1) else {
            return;
        };
        let operand = self.operand_text(expr, span);
        for operator in ["+", "-"] {
            let text = format!("{operand} {operator} {width}'d1");
            let text = if context.is_whole {
                text
            } else {
                format!("({text})")
            };
            self.edit(span, text, Kind::Rhs, cost::OFFSET, context);
        }
    }
}

/// Whether an operator connects bits with bits.
fn keeps_bits(operator: BinaryOp) -> bool {
    matches!(
        operator,
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::LogicalAnd | BinaryOp::LogicalOr
    )
}

/// Whether exchanging the operands changes nothing.
fn is_commutative(operator: BinaryOp) -> bool {
    matches!(
        operator,
        BinaryOp::Add
            | BinaryOp::Multiply
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor
            | BinaryOp::LogicalAnd
            | BinaryOp::LogicalOr
            | BinaryOp::Equal
            | BinaryOp::NotEqual
    )
}
