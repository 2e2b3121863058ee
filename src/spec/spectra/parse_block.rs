//! Patterns, monitors, counters and requirements.

use super::lexer::TokenKind;
use super::parser::{Parser, Step, not_supported};
use super::tree::*;
use crate::source::Diagnostic;
use crate::source::codes::specification as codes;
use crate::spec::gr1::{Kind, Side};

impl Parser<'_> {
    fn line(&mut self) -> Step<Line> {
        let token = self.peek();
        let kind = match token.text {
            "ini" | "initially" => Some(Kind::Initial),
            "G" | "trans" | "always" | "alw" => Some(Kind::Safety),
            "GF" | "alwEv" | "alwaysEventually" => Some(Kind::Justice),
            _ => None,
        };
        if kind.is_some() {
            self.advance();
        }
        let expression = self.expression()?;
        self.expect(";")?;
        Ok(Line {
            kind: kind.unwrap_or(Kind::Initial),
            is_invariant: matches!(token.text, "always" | "alw"),
            expression,
        })
    }

    pub(super) fn pattern(&mut self) -> Step<Pattern> {
        self.advance();
        let name = self.name("the name of the pattern")?;
        let mut parameters = Vec::new();
        if self.accept("(") && !self.accept(")") {
            loop {
                let name = self.name("the name of the parameter")?;
                parameters.push(Parameter { name, domain: None });
                if !self.accept(",") {
                    break;
                }
            }
            self.expect(")")?;
        }
        self.expect("{")?;
        let mut variables = Vec::new();
        let mut lines = Vec::new();
        while !self.accept("}") {
            if self.accept("var") {
                let domain = self.domain()?;
                let name = self.name("the name of the variable")?;
                self.expect(";")?;
                variables.push((domain, name));
            } else {
                lines.push(self.line()?);
            }
        }
        Ok(Pattern {
            name,
            parameters,
            variables,
            lines,
        })
    }

    pub(super) fn monitor(&mut self) -> Step<Monitor> {
        self.advance();
        let domain = self.domain()?;
        let name = self.name("the name of the monitor")?;
        self.expect("{")?;
        let mut lines = Vec::new();
        while !self.accept("}") {
            lines.push(self.line()?);
        }
        Ok(Monitor {
            name,
            domain,
            lines,
        })
    }

    pub(super) fn counter(&mut self) -> Step<Counter> {
        let start = self.advance().span;
        let name = self.name("the name of the counter")?;
        self.expect("(")?;
        let (first, last) = self.range()?;
        self.expect(")")?;
        self.expect("{")?;
        let mut counter = Counter {
            name,
            first,
            last,
            initial: Vec::new(),
            reset: Vec::new(),
            up: Vec::new(),
            down: Vec::new(),
            overflow: Overflow::Keep,
            underflow: Overflow::Keep,
            span: start,
        };
        while !self.accept("}") {
            let word = self.peek().text;
            let is_labelled = self.peek_after(1).is(":");
            if is_labelled {
                self.advance();
                self.advance();
            }
            match word {
                "overflow" | "underflow" if is_labelled => {
                    let method = match self.advance() {
                        token if token.is("keep") => Overflow::Keep,
                        token if token.is("false") => Overflow::Forbid,
                        token if token.is("modulo") => Overflow::Wrap,
                        token => {
                            return Err(Diagnostic::error(
                                codes::UNEXPECTED_TEXT,
                                format!("{} is no way to overflow", token.describe()),
                            )
                            .at(token.span, "unknown")
                            .help("write `keep`, `false` or `modulo`"));
                        }
                    };
                    if word == "overflow" {
                        counter.overflow = method;
                    } else {
                        counter.underflow = method;
                    }
                }
                _ => {
                    self.accept_any(&["ini", "initially"]);
                    let expression = self.expression()?;
                    match (word, is_labelled) {
                        ("reset", true) => counter.reset.push(expression),
                        ("inc", true) => counter.up.push(expression),
                        ("dec", true) => counter.down.push(expression),
                        _ => counter.initial.push(expression),
                    }
                }
            }
            self.expect(";")?;
        }
        counter.span = self.span_from(start);
        Ok(counter)
    }

    pub(super) fn requirement(&mut self) -> Step<Requirement> {
        let keyword = self.advance();
        let side = if matches!(keyword.text, "asm" | "assumption") {
            Side::Assumption
        } else {
            Side::Guarantee
        };
        let mut name = None;
        let mut parameters = Vec::new();
        let is_word = self.peek().kind == TokenKind::Word;
        if is_word && (self.peek_after(1).is(":") || self.peek_after(1).is("{")) {
            name = Some(self.name("the name of the requirement")?);
            if self.accept("{") {
                parameters = self.typed_parameters()?;
                self.expect("}")?;
            }
            self.expect(":")?;
        }
        let token = self.peek();
        if matches!(token.text, "GE" | "GEF") {
            return Err(not_supported(&token));
        }
        let body = if self.accept("trig") {
            let initiator = self.regexp()?;
            self.expect("|=>")?;
            let effect = self.regexp()?;
            self.expect(";")?;
            RequirementBody::Trigger(Box::new(initiator), Box::new(effect))
        } else {
            RequirementBody::Line(self.line()?)
        };
        let written = self.written_from(token.span);
        Ok(Requirement {
            side,
            name,
            parameters,
            body,
            written: written.trim_end_matches(';').trim_end().to_string(),
            span: self.span_from(keyword.span),
        })
    }
}
