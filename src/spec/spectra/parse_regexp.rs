//! Regular expressions.
//!
//! As in the language's own grammar, sequences, `|` and `&` bind alike and from the left,
//! `~` binds tighter than what says how often, and that is said at most once:
//! `[a] [b] | [c]` is `([a] [b]) | [c]`, and `[a] | [b] [c]` is `([a] | [b]) [c]`.

use super::lexer::TokenKind;
use super::parse_expression::DEEPEST;
use super::parser::{Parser, Step};
use super::tree::*;
use crate::source::codes::specification as codes;
use crate::source::{Diagnostic, Span};

impl Parser<'_> {
    pub(super) fn regexp(&mut self) -> Step<Regexp> {
        self.deeper(|parser| parser.alternatives())
    }

    fn alternatives(&mut self) -> Step<Regexp> {
        let start = self.peek().span;
        let mut left = self.repetition()?;
        let mut parts = 1;
        loop {
            let make = if self.accept("|") {
                RegexpKind::Either
            } else if self.accept("&") {
                RegexpKind::Both
            } else if self.starts_regexp() {
                RegexpKind::Sequence
            } else {
                return Ok(left);
            };
            // Each part is one level of the tree.
            parts += 1;
            if parts > DEEPEST {
                return Err(self.too_deep());
            }
            let right = Box::new(self.repetition()?);
            left = self.regexp_node(start, make(Box::new(left), right));
        }
    }

    fn starts_regexp(&self) -> bool {
        let token = self.peek();
        token.kind == TokenKind::Word || ["(", "[", "~"].iter().any(|text| token.is(text))
    }

    fn regexp_node(&self, start: Span, kind: RegexpKind) -> Regexp {
        Regexp {
            kind,
            span: self.span_from(start),
        }
    }

    fn repetition(&mut self) -> Step<Regexp> {
        let start = self.peek().span;
        let body = self.complement()?;
        let token = self.peek();
        let number = |value| Expression {
            kind: ExpressionKind::Integer(value),
            span: token.span,
        };
        let (least, most) = if self.accept("*") {
            (number(0), None)
        } else if self.accept("+") {
            (number(1), None)
        } else if self.accept("?") {
            (number(0), Some(number(1)))
        } else if self.accept("{") {
            let least = self.sum()?;
            let most = if !self.accept(",") {
                Some(least.clone())
            } else if self.peek().is("}") {
                None
            } else {
                Some(self.sum()?)
            };
            self.expect("}")?;
            (least, most)
        } else {
            return Ok(body);
        };
        let kind = RegexpKind::Repeat {
            body: Box::new(body),
            least,
            most,
        };
        Ok(self.regexp_node(start, kind))
    }

    fn complement(&mut self) -> Step<Regexp> {
        let start = self.peek();
        if self.accept("~") {
            let body = self.deeper(|parser| parser.complement())?;
            return Ok(self.regexp_node(start.span, RegexpKind::Complement(Box::new(body))));
        }
        if self.accept("(") {
            if self.accept(")") {
                return Ok(self.regexp_node(start.span, RegexpKind::Empty));
            }
            let inner = self.regexp()?;
            self.expect(")")?;
            return Ok(self.regexp_node(start.span, inner.kind));
        }
        if self.accept("[") {
            let condition = self.expression()?;
            self.expect("]")?;
            return Ok(self.regexp_node(start.span, RegexpKind::Condition(condition)));
        }
        if start.kind != TokenKind::Word {
            return Err(Diagnostic::error(
                codes::UNEXPECTED_TEXT,
                format!("expected a regular expression, found {}", start.describe()),
            )
            .at(start.span, "a regular expression is missing before this")
            .help("a step is a condition in brackets, as in `[request & !grant]`"));
        }
        if matches!(start.text, "true" | "TRUE" | "false" | "FALSE") {
            self.advance();
            let value = ExpressionKind::Boolean(start.text.eq_ignore_ascii_case("true"));
            let condition = self.node(start.span, value);
            return Ok(self.regexp_node(start.span, RegexpKind::Condition(condition)));
        }
        let name = self.name("the name of a regular expression")?;
        Ok(self.regexp_node(start.span, RegexpKind::Name(name.text)))
    }
}
