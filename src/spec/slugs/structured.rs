//! Structured slugs: declarations such as `position:0...7`, formulas in the usual notation.

use super::{Line, owner, unknown};
use crate::source::codes::specification as codes;
use crate::source::{Cursor, Diagnostic, Span};
use crate::spec::gr1::{Arithmetic, Comparison, Domain, Gr1, TermId};
use crate::stack;

pub(super) fn declare(spec: &mut Gr1, line: &Line<'_>) -> Result<(), Diagnostic> {
    let (name, domain) = match line.text.split_once(':') {
        None => (line.text.trim(), Domain::Boolean),
        Some((name, range)) => {
            let ends = range.split_once("...");
            let ends = ends.and_then(|(first, last)| {
                let first: i64 = first.trim().parse().ok()?;
                let last: i64 = last.trim().parse().ok()?;
                (first <= last && last.abs_diff(first) < 1 << 32).then_some((first, last))
            });
            let Some((first, last)) = ends else {
                return Err(Diagnostic::error(
                    codes::WRONG_RANGE,
                    format!("`{}` is no range", range.trim()),
                )
                .at(line.span, "declared here")
                .help("write a range as in `position:0...7`"));
            };
            (name.trim(), Domain::Range { first, last })
        }
    };
    spec.add_variable(name, owner(line.section), domain, Some(line.span));
    Ok(())
}

pub(super) fn formula(spec: &mut Gr1, text: &str, span: Span) -> Result<TermId, Diagnostic> {
    let words = words(text, span)?;
    let mut parser = Parser {
        words: Cursor::new(&words),
        spec,
    };
    let (value, at) = parser.iff()?;
    let (word, span) = parser.words.peek();
    if !word.is_empty() {
        return Err(Diagnostic::error(
            codes::UNEXPECTED_TEXT,
            format!("expected an operator, found `{word}`"),
        )
        .at(*span, "an operator is missing before this")
        .help("join formulas with `&`, `|`, `->` or `<->`"));
    }
    parser.boolean(value, at)
}

const SYMBOLS: [&str; 21] = [
    "<->", "->", "&&", "||", "!=", "<=", ">=", "==", "(", ")", "!", "&", "|", "^", "=", "<", ">",
    "+", "-", "*", "/",
];

/// The last one is empty, and marks the end.
fn words(text: &str, line: Span) -> Result<Vec<(&str, Span)>, Diagnostic> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let at = line.start as usize + text.len() - rest.len();
        if first.is_whitespace() {
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let is_word = |c: char| c.is_alphanumeric() || "_@.[]".contains(c);
        let length = if is_word(first) {
            let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            end + usize::from(rest[end..].starts_with('\u{27}'))
        } else {
            let symbol = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol));
            symbol.map(|symbol| symbol.len()).ok_or_else(|| {
                Diagnostic::error(
                    codes::UNEXPECTED_TEXT,
                    format!("`{first}` means nothing in a formula"),
                )
                .at(
                    Span::new(line.file, at, at + first.len_utf8()),
                    "unknown character",
                )
                .help("remove it")
            })?
        };
        found.push((&rest[..length], Span::new(line.file, at, at + length)));
        rest = &rest[length..];
    }
    let end = Span {
        start: line.end,
        ..line
    };
    found.push(("", end));
    Ok(found)
}

#[derive(Clone, Copy)]
enum Value {
    Boolean(TermId),
    Integer(TermId),
}

struct Parser<'a> {
    spec: &'a mut Gr1,
    words: Cursor<'a, (&'a str, Span)>,
}

type Operand = (Value, Span);
type Found = Result<Operand, Diagnostic>;
type Join<'a> = fn(&mut Parser<'a>, &str, Operand, Operand) -> Result<Value, Diagnostic>;

impl<'a> Parser<'a> {
    fn peek(&self) -> (&'a str, Span) {
        *self.words.peek()
    }

    fn accept(&mut self, texts: &[&str]) -> Option<&'a str> {
        let found = self.words.accept(|(word, _)| texts.contains(word));
        found.map(|(word, _)| *word)
    }

    fn boolean(&self, value: Value, span: Span) -> Result<TermId, Diagnostic> {
        match value {
            Value::Boolean(term) => Ok(term),
            Value::Integer(_) => Err(Diagnostic::error(
                codes::WRONG_TYPE,
                "expected a Boolean, found a number",
            )
            .at(span, "this is not true or false")
            .help("compare it with a value, as in `x = 0`")),
        }
    }

    fn integer(&self, value: Value, span: Span) -> Result<TermId, Diagnostic> {
        match value {
            Value::Integer(term) => Ok(term),
            Value::Boolean(_) => Err(Diagnostic::error(
                codes::WRONG_TYPE,
                "expected a number, found a Boolean",
            )
            .at(span, "this is true or false")
            .help("arithmetic and order are for numbers only")),
        }
    }

    /// Operands of one level, joined from the left.
    fn chain(
        &mut self,
        operators: &[&str],
        operand: fn(&mut Parser<'a>) -> Found,
        join: Join<'a>,
    ) -> Found {
        let mut left = operand(self)?;
        while let Some(operator) = self.accept(operators) {
            let right = operand(self)?;
            let span = left.1.to(right.1);
            left = (join(self, operator, left, right)?, span);
        }
        Ok(left)
    }

    fn logic(
        &mut self,
        operator: &str,
        left: (Value, Span),
        right: (Value, Span),
    ) -> Result<Value, Diagnostic> {
        let left = self.boolean(left.0, left.1)?;
        let right = self.boolean(right.0, right.1)?;
        let terms = &mut self.spec.terms;
        Ok(Value::Boolean(match operator {
            "<->" => terms.iff(left, right),
            "->" => terms.implies(left, right),
            "^" => terms.xor(left, right),
            "|" | "||" => terms.or([left, right]),
            _ => terms.and([left, right]),
        }))
    }

    fn iff(&mut self) -> Found {
        stack::recurse(|| self.chain(&["<->"], Parser::implies, Parser::logic))
    }

    fn implies(&mut self) -> Found {
        let left = self.or()?;
        if self.accept(&["->"]).is_none() {
            return Ok(left);
        }
        let right = stack::recurse(|| self.implies())?;
        let span = left.1.to(right.1);
        Ok((self.logic("->", left, right)?, span))
    }

    fn or(&mut self) -> Found {
        self.chain(&["|", "||", "^"], Parser::and, Parser::logic)
    }

    fn and(&mut self) -> Found {
        self.chain(&["&", "&&"], Parser::comparison, Parser::logic)
    }

    fn comparison(&mut self) -> Found {
        let left = self.sum()?;
        let Some(operator) = self.accept(&["=", "==", "!=", "<", "<=", ">", ">="]) else {
            return Ok(left);
        };
        let right = self.sum()?;
        let span = left.1.to(right.1);
        let comparison = match operator {
            "=" | "==" => Comparison::Equal,
            "!=" => Comparison::NotEqual,
            "<" => Comparison::Less,
            "<=" => Comparison::LessOrEqual,
            ">" => Comparison::Greater,
            _ => Comparison::GreaterOrEqual,
        };
        let terms = &mut self.spec.terms;
        let term = match (left.0, right.0, comparison) {
            (Value::Boolean(left), Value::Boolean(right), Comparison::Equal) => {
                terms.iff(left, right)
            }
            (Value::Boolean(left), Value::Boolean(right), Comparison::NotEqual) => {
                terms.xor(left, right)
            }
            _ => {
                let (left, right) = (
                    self.integer(left.0, left.1)?,
                    self.integer(right.0, right.1)?,
                );
                self.spec.terms.compare(comparison, left, right)
            }
        };
        Ok((Value::Boolean(term), span))
    }

    fn arithmetic(
        &mut self,
        operator: &str,
        left: (Value, Span),
        right: (Value, Span),
    ) -> Result<Value, Diagnostic> {
        let left = self.integer(left.0, left.1)?;
        let right = self.integer(right.0, right.1)?;
        let operator = match operator {
            "+" => Arithmetic::Add,
            "-" => Arithmetic::Subtract,
            "*" => Arithmetic::Multiply,
            _ => Arithmetic::Divide,
        };
        Ok(Value::Integer(
            self.spec.terms.arithmetic(operator, left, right),
        ))
    }

    fn sum(&mut self) -> Found {
        self.chain(&["+", "-"], Parser::product, Parser::arithmetic)
    }

    fn product(&mut self) -> Found {
        self.chain(&["*", "/"], Parser::primary, Parser::arithmetic)
    }

    fn primary(&mut self) -> Found {
        let (word, span) = self.peek();
        if word.is_empty() {
            return Err(
                Diagnostic::error(codes::UNEXPECTED_TEXT, "the formula ends too early")
                    .at(span, "an operand is missing here")
                    .help("complete the formula"),
            );
        }
        self.words.advance();
        match word {
            "!" => {
                let operand = stack::recurse(|| self.primary())?;
                let term = self.boolean(operand.0, operand.1)?;
                let term = self.spec.terms.not(term);
                return Ok((Value::Boolean(term), span.to(operand.1)));
            }
            "-" => {
                let operand = stack::recurse(|| self.primary())?;
                let term = self.integer(operand.0, operand.1)?;
                let zero = self.spec.terms.integer(0);
                let terms = &mut self.spec.terms;
                let term = terms.arithmetic(Arithmetic::Subtract, zero, term);
                return Ok((Value::Integer(term), span.to(operand.1)));
            }
            "(" => {
                let inner = self.iff()?;
                let closing = self.peek().1;
                if self.accept(&[")"]).is_none() {
                    return Err(Diagnostic::error(
                        codes::UNEXPECTED_TEXT,
                        "a parenthesis is not closed",
                    )
                    .at(closing, "`)` is missing here")
                    .at(span, "opened here")
                    .help("write `)`"));
                }
                return Ok((inner.0, span.to(closing)));
            }
            "TRUE" | "true" | "FALSE" | "false" => {
                let value = self.spec.terms.boolean(word.eq_ignore_ascii_case("true"));
                return Ok((Value::Boolean(value), span));
            }
            _ => {}
        }
        if let Ok(number) = word.parse::<i64>() {
            let term = self.spec.terms.integer(number);
            return Ok((Value::Integer(term), span));
        }
        let name = word.strip_suffix('\u{27}');
        let Some(variable) = self.spec.find_variable(name.unwrap_or(word)) else {
            return Err(unknown(self.spec, name.unwrap_or(word), span));
        };
        let term = match name {
            Some(_) => self.spec.terms.next(variable),
            None => self.spec.terms.now(variable),
        };
        let value = match self.spec.variable(variable).domain {
            Domain::Boolean => Value::Boolean(term),
            _ => Value::Integer(term),
        };
        Ok((value, span))
    }
}
