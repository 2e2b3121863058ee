//! Template: another value of the same shape for a whole right-hand side: a constant, a
//! signal, a sum, a shift.

use super::enumeration::is_one_of;
use super::expression::Context;
use super::literal::ALL_VALUES;
use super::{Kind, Lister, cost};
use crate::design::verilog::VisibleKind;
use crate::expr::{BinaryOp, Expr, ExprKind};
use crate::source::Span;

impl Lister<'_> {
    /// Expressions in place of a whole right-hand side.
    pub(super) fn other_values(
        &mut self,
        expr: &Expr,
        span: Span,
        target: Option<&Expr>,
        context: Context,
    ) {
        let width = target
            .and_then(|target| self.width(target))
            .or_else(|| self.width(expr));
        let Some(width) = width else {
            return;
        };
        let kind = context.kind.unwrap_or(Kind::Rhs);
        if let Some(family) = target.and_then(|target| self.family_of(target)) {
            self.family_values(span, &family, kind, context);
            return;
        }
        self.constant_values(span, width, kind, context);
        self.shifted_in(span, target, width, kind, context);
        let signals = self.signals_of(width);
        self.signal_values(span, &signals, width, kind, context);
        if width == 1 {
            self.extra_operands(expr, span, &signals, context);
        } else {
            self.arithmetic_values(expr, span, target, signals, context);
        }
    }

    /// All constants of a small width, otherwise zeros and ones; and those with names.
    fn constant_values(&mut self, span: Span, width: usize, kind: Kind, context: Context) {
        let mut texts: Vec<String> = match width {
            1 => vec!["1'b0".to_string(), "1'b1".to_string()],
            _ if width <= ALL_VALUES => (0..1u64 << width)
                .map(|value| self.sized(width, value))
                .collect(),
            _ => vec![self.sized(width, 0), format!("{{{width}{{1'b1}}}}")],
        };
        texts.extend(self.constants_of(width));
        for text in texts {
            self.edit(span, text, kind, cost::CONSTANT_VALUE, context);
        }
    }

    /// Signals as they are, one more or less, or negated.
    fn signal_values(
        &mut self,
        span: Span,
        signals: &[String],
        width: usize,
        kind: Kind,
        context: Context,
    ) {
        for signal in signals {
            let cost = self.signal_cost(signal, cost::OTHER_VALUE);
            self.edit(span, signal.clone(), kind, cost, context);
            if width > 1 {
                for shift in ["+ 1'b1", "- 1'b1"] {
                    let text = format!("{signal} {shift}");
                    self.edit(span, text, kind, cost::ARITHMETIC_VALUE, context);
                }
            } else {
                let text = format!("!{signal}");
                self.edit(span, text, kind, cost::OTHER_VALUE, context);
            }
        }
    }

    /// The value as it was, with a constant or one more signal added to it.
    fn arithmetic_values(
        &mut self,
        expr: &Expr,
        span: Span,
        target: Option<&Expr>,
        mut signals: Vec<String>,
        context: Context,
    ) {
        let kind = context.kind.unwrap_or(Kind::Rhs);
        let operand = self.operand_text(expr, span);
        for text in [
            format!("{operand} + 1'b1"),
            format!("{operand} - 1'b1"),
            format!("~{operand}"),
            format!("{operand} << 1"),
            format!("{operand} >> 1"),
        ] {
            self.edit(span, text, kind, cost::ARITHMETIC_VALUE, context);
        }
        let own = self.text(span).to_string();
        let target = target.and_then(|target| target.span);
        let target = target.map(|span| self.text(span).to_string());
        signals.extend(target.filter(|name| self.visible(name).is_none()));
        self.other_sums(expr, span, context);
        for signal in signals.iter().filter(|signal| **signal != own) {
            for operator in ["+", "-", "^", "&", "|"] {
                let text = format!("{operand} {operator} {signal}");
                self.edit(span, text, kind, cost::EXTRA_OPERAND, context);
            }
        }
    }

    /// A sum with one more operand of its own width or of one bit, such as a carry; and what
    /// two operands are side by side.
    fn other_sums(&mut self, expr: &Expr, span: Span, context: Context) {
        let ExprKind::Binary(operator, left, right) = &expr.kind else {
            return;
        };
        let (Some(left_span), Some(right_span)) = (left.span, right.span) else {
            return;
        };
        let widths = (self.width(left), self.width(right));
        if let (Some(left_width), Some(right_width)) = widths
            && context.target_width == Some(left_width + right_width)
        {
            let (left, right) = (self.text(left_span), self.text(right_span));
            let text = format!("{{{left}, {right}}}");
            self.edit(span, text, Kind::Operator, cost::OPERATOR + 2, context);
        }
        if !matches!(operator, BinaryOp::Add | BinaryOp::Subtract) {
            return;
        }
        let own = self.text(span).to_string();
        let mut signals = self.signals_of(1);
        signals.extend(
            self.width(expr)
                .map(|width| self.signals_of(width))
                .unwrap_or_default(),
        );
        for signal in signals {
            let cost = self.signal_cost(&signal, cost::EXTRA_OPERAND + 1);
            for operator in ["+", "-"] {
                let text = format!("{own} {operator} {signal}");
                self.edit(span, text, Kind::Operand, cost, context);
            }
        }
    }

    /// What fits a signal of an enumeration: its values, and other signals of it.
    fn family_values(&mut self, span: Span, family: &str, kind: Kind, context: Context) {
        let names: Vec<(String, u32)> = self
            .names
            .iter()
            .filter(|name| is_one_of(name, family))
            .map(|name| match name.kind {
                VisibleKind::Constant(_) => (name.name.clone(), cost::CONSTANT_VALUE),
                _ => (name.name.clone(), cost::OTHER_VALUE),
            })
            .collect();
        for (name, cost) in names {
            self.edit(span, name, kind, cost, context);
        }
    }

    /// A shift register: one bit in, the others move by one. What is no register would read what
    /// it is about to become, which simulators show one change late.
    fn shifted_in(
        &mut self,
        span: Span,
        target: Option<&Expr>,
        width: usize,
        kind: Kind,
        context: Context,
    ) {
        let Some(target) = target.and_then(|target| target.span) else {
            return;
        };
        let name = self.text(target).to_string();
        let plain = name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let known = self.visible(&name);
        let is_register = known.is_none_or(|known| known.kind == VisibleKind::Register);
        if width < 2 || !plain || !is_register {
            return;
        }
        for bit in self.signals_of(1) {
            let cost = self.signal_cost(&bit, cost::ARITHMETIC_VALUE);
            for text in [
                format!("{{{name}[{}:0], {bit}}}", width - 2),
                format!("{{{bit}, {name}[{}:1]}}", width - 1),
            ] {
                self.edit(span, text, kind, cost, context);
            }
        }
    }
}
