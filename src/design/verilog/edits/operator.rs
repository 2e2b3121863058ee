//! Template: another operator of the same family, another gate, another sign.

use super::expression::Context;
use super::{Kind, Lister, cost};
use crate::design::verilog::syntax::{Gate, GateKind};
use crate::expr::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::source::Span;

pub(super) const COMPARISONS: &[BinaryOp] = &[
    BinaryOp::Less,
    BinaryOp::LessEqual,
    BinaryOp::Greater,
    BinaryOp::GreaterEqual,
    BinaryOp::Equal,
    BinaryOp::NotEqual,
];

/// The comparison that is true where another one is false.
fn opposite(operator: BinaryOp) -> Option<BinaryOp> {
    Some(match operator {
        BinaryOp::Less => BinaryOp::GreaterEqual,
        BinaryOp::LessEqual => BinaryOp::Greater,
        BinaryOp::Greater => BinaryOp::LessEqual,
        BinaryOp::GreaterEqual => BinaryOp::Less,
        BinaryOp::Equal => BinaryOp::NotEqual,
        BinaryOp::NotEqual => BinaryOp::Equal,
        _ => return None,
    })
}

/// Operators that are easily confused.
const FAMILIES: [&[BinaryOp]; 5] = [
    COMPARISONS,
    &[BinaryOp::BitAnd, BinaryOp::BitOr, BinaryOp::BitXor],
    &[BinaryOp::LogicalAnd, BinaryOp::LogicalOr],
    &[BinaryOp::Add, BinaryOp::Subtract],
    &[
        BinaryOp::ShiftLeft,
        BinaryOp::ShiftRight,
        BinaryOp::ArithmeticShiftRight,
    ],
];

impl Lister<'_> {
    /// Another symbol between two operands.
    pub(super) fn other_operators(
        &mut self,
        operator: BinaryOp,
        (left, left_span): (&Expr, Span),
        (right, right_span): (&Expr, Span),
        context: Context,
    ) {
        let between = Span {
            start: left_span.end,
            end: right_span.start,
            ..left_span
        };
        // The operator's symbol is taken to be the first one that reads like it: a comment
        // that mentions it before the operator itself would be edited instead.
        let Some(offset) = self.text(between).find(operator.symbol()) else {
            return;
        };
        let start = between.start + offset as u32;
        let symbol = Span {
            start,
            end: start + operator.symbol().len() as u32,
            ..between
        };
        let family = FAMILIES.iter().find(|family| family.contains(&operator));
        let mut family: Vec<BinaryOp> = family.map_or_else(Vec::new, |family| family.to_vec());
        // Of operators that cost the same, what says the opposite is the likelier mistake.
        family.sort_by_key(|other| Some(*other) != opposite(operator));
        for other in family {
            let text = other.symbol().to_string();
            let is_equality = matches!(other, BinaryOp::Equal | BinaryOp::NotEqual);
            let is_ordered =
                !is_equality && (self.is_enumerated(left) || self.is_enumerated(right));
            let is_constant = matches!(other, BinaryOp::Less | BinaryOp::GreaterEqual)
                && is_zero(right)
                && self.is_unsigned_signal(left);
            let cost = cost::OPERATOR
                + is_ordered as u32 * cost::ORDERED_ENUMERATION
                + is_constant as u32 * cost::CONSTANT_COMPARISON;
            self.edit(symbol, text, Kind::Operator, cost, context);
        }
        let is_one_bit =
            context.is_condition || self.width(left) == Some(1) && self.width(right) == Some(1);
        for other in relatives(operator, is_one_bit) {
            let text = other.symbol().to_string();
            let is_shift =
                |one: BinaryOp| matches!(one, BinaryOp::ShiftLeft | BinaryOp::ShiftRight);
            let cost = if is_shift(*other) || is_shift(operator) {
                cost::SHIFT
            } else {
                cost::OPERATOR + 1
            };
            self.edit(symbol, text, Kind::Operator, cost, context);
        }
    }

    /// Whether an expression is the name of an enumerated value or signal.
    fn is_enumerated(&self, expr: &Expr) -> bool {
        let ExprKind::Name(path) = &expr.kind else {
            return false;
        };
        let visible = path.last().and_then(|name| self.visible(name));
        visible.is_some_and(|one| one.family.is_some())
    }

    fn is_unsigned_signal(&self, expr: &Expr) -> bool {
        let ExprKind::Name(path) = &expr.kind else {
            return false;
        };
        let visible = path.last().and_then(|name| self.visible(name));
        visible.is_some_and(|one| !one.signed)
    }

    /// Another operator before its operand, or none.
    pub(super) fn unary(
        &mut self,
        span: Span,
        operator: UnaryOp,
        operand: &Expr,
        context: Context,
    ) {
        let Some(inner) = operand.span else {
            return;
        };
        let symbol = Span {
            end: inner.start.max(span.start),
            ..span
        };
        match operator {
            UnaryOp::LogicalNot => self.removed_negation(span, inner, context),
            UnaryOp::BitNot => {
                self.removed_negation(span, inner, context);
                self.other_negation(span, operand, "-", context);
            }
            UnaryOp::Minus => {
                let text = self.text(inner).to_string();
                self.edit(span, text, Kind::Operator, cost::OPERATOR, context);
                self.other_negation(span, operand, "~", context);
            }
            _ => {
                for other in ["&", "|", "^", "~&", "~|", "~^"] {
                    if other != operator.symbol() {
                        let cost = cost::OPERATOR;
                        self.edit(symbol, other.to_string(), Kind::Operator, cost, context);
                    }
                }
            }
        }
    }

    /// `-a` in place of `~a`, which forgets a carry, and the other way round.
    fn other_negation(&mut self, span: Span, operand: &Expr, other: &str, context: Context) {
        let symbol = Span {
            end: span.start + 1,
            ..span
        };
        let is_word = self.width(operand).is_some_and(|width| width > 1);
        if is_word && !context.is_condition && matches!(self.text(symbol), "-" | "~") {
            let cost = cost::OPERATOR;
            self.edit(symbol, other.to_string(), Kind::Operator, cost, context);
        }
    }

    /// `$signed` in place of `$unsigned`, and the other way round.
    pub(super) fn other_sign(&mut self, span: Span, name: &str, context: Context) {
        let sign = match name {
            "$signed" => "$unsigned",
            "$unsigned" => "$signed",
            _ => return,
        };
        let start = Span {
            end: span.start + name.len() as u32,
            ..span
        };
        let cost = cost::OPERATOR;
        self.edit(start, sign.to_string(), Kind::Operator, cost, context);
    }

    /// Another gate with as many inputs, or other inputs.
    pub(super) fn gate(&mut self, gate: &Gate) {
        if gate.outputs.iter().all(|target| self.is_checking(target)) {
            return;
        }
        for (word, kind) in GateKind::ALL {
            if kind != gate.kind && kind.is_single() == gate.kind.is_single() {
                let text = word.to_string();
                self.replace(gate.word, text, Kind::Operator, cost::OPERATOR);
            }
        }
        for input in &gate.inputs {
            self.connection(input);
        }
    }
}

fn is_zero(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Number(number) if number.value() == Some(0))
}

/// Operators of another family that mean something similar.
fn relatives(operator: BinaryOp, is_one_bit: bool) -> &'static [BinaryOp] {
    match operator {
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor if is_one_bit => {
            &[BinaryOp::LogicalAnd, BinaryOp::LogicalOr]
        }
        BinaryOp::LogicalAnd | BinaryOp::LogicalOr => &[BinaryOp::BitXor],
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
            &[BinaryOp::Add, BinaryOp::Subtract]
        }
        BinaryOp::Add | BinaryOp::Subtract => &[
            BinaryOp::BitAnd,
            BinaryOp::BitOr,
            BinaryOp::BitXor,
            BinaryOp::Multiply,
            BinaryOp::ShiftLeft,
            BinaryOp::ShiftRight,
        ],
        BinaryOp::Multiply => &[BinaryOp::Add, BinaryOp::Subtract, BinaryOp::ShiftLeft],
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => &[BinaryOp::Add, BinaryOp::Subtract],
        BinaryOp::Divide => &[BinaryOp::Modulo],
        BinaryOp::Modulo => &[BinaryOp::Divide],
        _ => &[],
    }
}
