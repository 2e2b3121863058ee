//! Template: another whole condition, or one more operand for a condition or a single bit.

use super::expression::Context;
use super::{Kind, Lister, cost};
use crate::design::verilog::VisibleKind;
use crate::expr::{BinaryOp, Expr, ExprKind};
use crate::source::Span;

impl Lister<'_> {
    /// Conditions in place of a whole one.
    pub(super) fn other_conditions(&mut self, expr: &Expr, span: Span, context: Context) {
        for value in ["1'b0", "1'b1"] {
            let cost = cost::CONSTANT_VALUE;
            self.edit(span, value.to_string(), Kind::Condition, cost, context);
        }
        let signals = self.signals_of(1);
        for signal in &signals {
            let cost = self.signal_cost(signal, cost::OTHER_VALUE);
            for text in [signal.clone(), format!("!{signal}")] {
                self.edit(span, text, Kind::Condition, cost, context);
            }
        }
        self.extra_operands(expr, span, &signals, context);
    }

    /// The expression connected with one more operand by `&&` or `||`.
    pub(super) fn extra_operands(
        &mut self,
        expr: &Expr,
        span: Span,
        signals: &[String],
        context: Context,
    ) {
        let kind = if context.is_condition {
            Kind::Condition
        } else {
            Kind::Rhs
        };
        let own = self.text(span).to_string();
        let connected = |operator: &str| {
            let needs_no_parentheses = match &expr.kind {
                ExprKind::Binary(binary, ..) => binary.symbol() == operator,
                ExprKind::Conditional(..) => false,
                _ => true,
            };
            if needs_no_parentheses {
                own.clone()
            } else {
                self.operand_text(expr, span)
            }
        };
        let (and, or) = (connected("&&"), connected("||"));
        let mut operands: Vec<(String, u32)> = Vec::new();
        for signal in signals.iter().filter(|signal| **signal != own) {
            let cost = self.signal_cost(signal, cost::EXTRA_OPERAND);
            operands.push((signal.clone(), cost));
            operands.push((format!("!{signal}"), cost));
        }
        let words = self.bits_of_words().into_iter().chain(self.comparisons());
        operands.extend(words.map(|text| (text, cost::EXTRA_COMPARISON)));
        for (operand, cost) in operands {
            self.edit(span, format!("{and} && {operand}"), kind, cost, context);
            // A condition that was forgotten is more common than a case that was.
            let cost = cost + cost::DISJUNCTION;
            self.edit(span, format!("{or} || {operand}"), kind, cost, context);
        }
    }

    /// One more signal for an operand inside of a condition.
    pub(super) fn inner_operands(&mut self, expr: &Expr, span: Span, context: Context) {
        if matches!(
            expr.kind,
            ExprKind::Binary(BinaryOp::LogicalAnd | BinaryOp::LogicalOr, ..)
        ) {
            return;
        }
        let own = self.operand_text(expr, span);
        for signal in self.signals_of(1) {
            if signal == own {
                continue;
            }
            let cost = self.signal_cost(&signal, cost::INNER_OPERAND);
            for operand in [signal.clone(), format!("!{signal}")] {
                let or = cost + cost::DISJUNCTION;
                for (operator, cost) in [("&&", cost), ("||", or)] {
                    let text = format!("({own} {operator} {operand})");
                    self.edit(span, text, Kind::Operand, cost, context);
                }
            }
        }
    }

    /// Single bits of small vectors, negated and as they are.
    fn bits_of_words(&self) -> Vec<String> {
        let mut texts = Vec::new();
        let vectors = self.names.iter().filter(|word| {
            (2..=4).contains(&word.width) && is_word(word.kind) && word.family.is_none()
        });
        for word in vectors {
            for bit in 0..word.width {
                let text = format!("{}[{bit}]", word.name);
                texts.push(format!("!{text}"));
                texts.push(text);
            }
        }
        texts
    }

    /// Words compared with constants of their width and enumeration, and with zero.
    fn comparisons(&self) -> Vec<String> {
        let mut texts = Vec::new();
        let words = self.names.iter();
        for word in words.filter(|word| is_word(word.kind) && word.width >= 2) {
            let constants = self.names.iter().filter(|constant| {
                matches!(constant.kind, VisibleKind::Constant(_))
                    && constant.width == word.width
                    && constant.family == word.family
            });
            for constant in constants {
                for operator in ["==", "!="] {
                    texts.push(format!("{} {operator} {}", word.name, constant.name));
                }
            }
            texts.push(format!("{} == 0", word.name));
            texts.push(format!("{} != 0", word.name));
        }
        texts
    }
}

fn is_word(kind: VisibleKind) -> bool {
    matches!(
        kind,
        VisibleKind::Register | VisibleKind::Logic | VisibleKind::Input
    )
}
