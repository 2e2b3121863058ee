//! Gates that the language has, and drive strengths.

use super::codes;
use super::parse::{Parsed, Parser};
use super::syntax::*;
use crate::expr::token::TokenKind;
use crate::expr::{Expr, ExprKind, Number, UnaryOp};
use crate::source::{Diagnostic, Span};

/// What drives its output only while its last input is 1 or 0: the level, and whether it inverts.
const TRISTATE: [(&str, bool, bool); 4] = [
    ("bufif0", false, false),
    ("bufif1", true, false),
    ("notif0", false, true),
    ("notif1", true, true),
];

impl Parser<'_, '_> {
    /// `and g1 (y, a, b), (z, a, c);`
    pub(super) fn gates(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        let word = self.token().span;
        let kind = GateKind::of(self.token().text).ok_or_else(|| self.unexpected("a gate"))?;
        self.tokens.advance();
        self.strength()?;
        self.delay()?;
        loop {
            let (mut terminals, span) = self.terminals()?;
            if terminals.len() < 2 {
                let message = "a gate has an output and at least one input";
                return Err(Diagnostic::error(codes::SYNTAX, message).at(span, "here is only one"));
            }
            let inputs = if kind.is_single() {
                terminals.split_off(terminals.len() - 1)
            } else {
                terminals.split_off(1)
            };
            let kind = ItemKind::Gate(Gate {
                kind,
                word,
                outputs: terminals,
                inputs,
                span,
            });
            items.push(Item { kind, span });
            if !self.take_symbol(",") {
                break;
            }
        }
        self.expect(";")?;
        Ok(())
    }

    /// `name (y, a, b)`, with or without the name.
    fn terminals(&mut self) -> Parsed<(Vec<Expr>, Span)> {
        let start = self.token().span;
        if self.is_identifier(0) {
            self.tokens.advance();
            if self.at_symbol("[") {
                return Err(self
                    .unsupported("an array of gates")
                    .help("use a generate loop"));
            }
        }
        self.expect("(")?;
        let mut terminals = vec![self.expression()?];
        while self.take_symbol(",") {
            terminals.push(self.expression()?);
        }
        self.expect(")")?;
        Ok((terminals, start.to(self.last_span())))
    }

    pub(super) fn at_tristate(&self) -> bool {
        TRISTATE.iter().any(|(word, ..)| self.at(word))
    }

    /// `bufif1 g (y, a, enable);` is `assign y = enable ? a : 1'bz;`.
    pub(super) fn tristate_gates(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        let word = self.token().text;
        let (_, level, inverts) = TRISTATE
            .into_iter()
            .find(|(known, ..)| *known == word)
            .ok_or_else(|| self.unexpected("a tri-state buffer"))?;
        self.tokens.advance();
        self.strength()?;
        self.delay()?;
        loop {
            let (terminals, span) = self.terminals()?;
            let Ok([target, input, enable]) = <[Expr; 3]>::try_from(terminals) else {
                let message = format!("`{word}` has an output, an input and a control");
                return Err(
                    Diagnostic::error(codes::SYNTAX, message).at(span, "these are not three")
                );
            };
            // Without spans: there is no expression to edit.
            let plain = |kind: ExprKind| Expr { kind, span: None };
            let driven = match inverts {
                true => plain(ExprKind::Unary(UnaryOp::BitNot, Box::new(input))),
                false => input,
            };
            let high_impedance = plain(ExprKind::Number(Number::high_impedance()));
            let (then, otherwise) = match level {
                true => (driven, high_impedance),
                false => (high_impedance, driven),
            };
            let value = plain(ExprKind::Conditional(
                Box::new(enable),
                Box::new(then),
                Box::new(otherwise),
            ));
            let assignment = Assignment {
                target,
                value,
                span,
            };
            let kind = ItemKind::Assign(vec![assignment]);
            items.push(Item { kind, span });
            if !self.take_symbol(",") {
                break;
            }
        }
        self.expect(";")?;
        Ok(())
    }

    /// `(strong0, weak1)`: with one driver, strengths make no difference; a second one is
    /// refused where nets are driven.
    pub(super) fn strength(&mut self) -> Parsed<()> {
        if !self.at_symbol("(") || !self.is_strength(1) {
            return Ok(());
        }
        self.tokens.advance();
        while !self.take_symbol(")") {
            if self.token().text.starts_with("highz") {
                return Err(self
                    .unsupported("a drive strength that drives nothing")
                    .help("write `condition ? value : 1'bz`"));
            }
            if !self.is_strength(0) && !self.at_symbol(",") {
                return Err(self.unexpected("a drive strength"));
            }
            self.tokens.advance();
        }
        Ok(())
    }

    /// `strong0`, `weak1` and the like.
    pub(super) fn is_strength(&self, ahead: usize) -> bool {
        let token = self.token_at(ahead);
        let words = ["supply", "strong", "pull", "weak", "highz"];
        token.kind == TokenKind::Identifier
            && token.text.ends_with(['0', '1'])
            && words.contains(&&token.text[..token.text.len() - 1])
    }
}
