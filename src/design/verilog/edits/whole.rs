//! Other values for a whole right-hand side or condition, of the kind that stands there.

use super::expression::{ALL_VALUES, Context, cost};
use super::{EditKind, Lister};
use crate::design::verilog::VisibleKind;
use crate::expr::{Expr, ExprKind};
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
        let plain = context.kind.unwrap_or(EditKind::Value);
        let family = target.and_then(|target| match &target.kind {
            ExprKind::Name(path) => self.visible(path.last()?)?.family.clone(),
            _ => None,
        });
        if family.is_some() {
            self.family_values(span, family, plain, context);
            return;
        }
        if width <= ALL_VALUES {
            for value in 0..1u64 << width {
                let text = format!("{width}'d{value}");
                let text = match width {
                    1 => format!("1'b{value}"),
                    _ => text,
                };
                self.edit(span, text, plain, cost::CONSTANT_VALUE, context);
            }
        } else {
            for text in [format!("{width}'d0"), format!("{{{width}{{1'b1}}}}")] {
                self.edit(span, text, plain, cost::CONSTANT_VALUE, context);
            }
        }
        for name in self.constants_of(width) {
            self.edit(span, name, plain, cost::CONSTANT_VALUE, context);
        }
        let signals = self.signals_of(width);
        let own = self.text(span).to_string();
        self.shifted_in(span, target, width, plain, context);
        for signal in &signals {
            let cost = self.signal_cost(signal, cost::OTHER_VALUE);
            self.edit(span, signal.clone(), plain, cost, context);
            if width > 1 {
                for shift in ["+ 1'b1", "- 1'b1"] {
                    let text = format!("{signal} {shift}");
                    self.edit(span, text, plain, cost::ARITHMETIC_VALUE, context);
                }
            } else {
                let text = format!("!{signal}");
                self.edit(span, text, plain, cost::OTHER_VALUE, context);
            }
        }
        if width == 1 {
            self.extra_operands(expr, span, &signals, context);
        } else {
            let operand = self.operand_text(expr, span);
            for text in [
                format!("{operand} + 1'b1"),
                format!("{operand} - 1'b1"),
                format!("~{operand}"),
            ] {
                self.edit(span, text, plain, cost::ARITHMETIC_VALUE, context);
            }
            let into = target.and_then(|target| target.span);
            let into = into.map(|span| self.text(span).to_string());
            let mut signals = signals;
            signals.extend(into.filter(|name| !self.names.iter().any(|one| one.name == *name)));
            for signal in signals.iter().filter(|signal| **signal != own) {
                for operator in ["+", "-", "^", "&", "|"] {
                    let text = format!("{operand} {operator} {signal}");
                    self.edit(span, text, plain, cost::EXTRA_OPERAND, context);
                }
            }
        }
    }

    /// What fits a signal of an enumeration: its values, and other signals of it.
    fn family_values(
        &mut self,
        span: Span,
        family: Option<String>,
        kind: EditKind,
        context: Context,
    ) {
        let names: Vec<(String, u32)> = self
            .names
            .iter()
            .filter(|one| one.family == family)
            .map(|one| match one.kind {
                VisibleKind::Constant(_) => (one.name.clone(), cost::CONSTANT_VALUE),
                _ => (one.name.clone(), cost::OTHER_VALUE),
            })
            .collect();
        for (name, cost) in names {
            self.edit(span, name, kind, cost, context);
        }
    }

    /// A shift register: one bit in, the others move by one.
    fn shifted_in(
        &mut self,
        span: Span,
        target: Option<&Expr>,
        width: usize,
        kind: EditKind,
        context: Context,
    ) {
        let Some(target) = target.and_then(|target| target.span) else {
            return;
        };
        let name = self.text(target).to_string();
        let plain = name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if width < 2 || !plain {
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

    /// Conditions in place of a whole one.
    pub(super) fn other_conditions(&mut self, expr: &Expr, span: Span, context: Context) {
        for value in ["1'b0", "1'b1"] {
            let cost = cost::CONSTANT_VALUE;
            self.edit(span, value.to_string(), EditKind::Condition, cost, context);
        }
        let signals = self.signals_of(1);
        for signal in &signals {
            let cost = self.signal_cost(signal, cost::OTHER_VALUE);
            for text in [signal.clone(), format!("!{signal}")] {
                self.edit(span, text, EditKind::Condition, cost, context);
            }
        }
        self.extra_operands(expr, span, &signals, context);
    }

    /// One more operand: a signal, or the comparison of a word with a constant of its family.
    fn extra_operands(&mut self, expr: &Expr, span: Span, signals: &[String], context: Context) {
        let kind = match context.is_condition {
            true => EditKind::Condition,
            false => EditKind::Value,
        };
        let own = self.text(span).to_string();
        let connected = |operator: &str| {
            let same = match &expr.kind {
                ExprKind::Binary(binary, ..) => binary.symbol() == operator,
                ExprKind::Conditional(..) => false,
                _ => true,
            };
            match same {
                true => own.clone(),
                false => self.operand_text(expr, span),
            }
        };
        let (and, or) = (connected("&&"), connected("||"));
        let mut operands: Vec<(String, u32)> = Vec::new();
        for signal in signals.iter().filter(|signal| **signal != own) {
            let cost = self.signal_cost(signal, cost::EXTRA_OPERAND);
            operands.push((signal.clone(), cost));
            operands.push((format!("!{signal}"), cost));
        }
        for word in self.names.iter().filter(|one| (2..=4).contains(&one.width)) {
            let is_vector = matches!(
                word.kind,
                VisibleKind::Register | VisibleKind::Logic | VisibleKind::Input
            );
            for bit in (0..word.width).filter(|_| is_vector && word.family.is_none()) {
                let text = format!("{}[{bit}]", word.name);
                operands.push((format!("!{text}"), cost::EXTRA_COMPARISON));
                operands.push((text, cost::EXTRA_COMPARISON));
            }
        }
        for word in self.names {
            let is_word = matches!(
                word.kind,
                VisibleKind::Register | VisibleKind::Logic | VisibleKind::Input
            );
            if !is_word || word.width < 2 {
                continue;
            }
            let constants = self.names.iter().filter(|one| {
                matches!(one.kind, VisibleKind::Constant(_))
                    && one.width == word.width
                    && one.family == word.family
            });
            for constant in constants {
                for operator in ["==", "!="] {
                    let text = format!("{} {operator} {}", word.name, constant.name);
                    operands.push((text, cost::EXTRA_COMPARISON));
                }
            }
            let zero = format!("{} == 0", word.name);
            let not_zero = format!("{} != 0", word.name);
            operands.push((zero, cost::EXTRA_COMPARISON));
            operands.push((not_zero, cost::EXTRA_COMPARISON));
        }
        for (operand, cost) in operands {
            self.edit(span, format!("{and} && {operand}"), kind, cost, context);
            self.edit(span, format!("{or} || {operand}"), kind, cost, context);
        }
    }
}
