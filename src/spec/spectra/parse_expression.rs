//! Expressions.
//!
//! The grammar is that of the language's editor: an equivalence binds tighter than an
//! implication, and `mod` less than a sum.

use super::lexer::TokenKind;
use super::parser::{Parser, Step};
use super::tree::*;
use crate::source::codes::specification as codes;
use crate::source::{Diagnostic, Span};
use crate::spec::gr1::{Arithmetic, Comparison};
use crate::stack;

/// What is nested deeper is not written by a person.
pub(super) const DEEPEST: usize = 2_000;

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Step<Expression> {
        self.deeper(|parser| parser.quantified())
    }

    pub(super) fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Step<T>) -> Step<T> {
        if self.depth >= DEEPEST {
            return Err(self.too_deep());
        }
        self.depth += 1;
        let result = stack::recurse(|| inner(self));
        self.depth -= 1;
        result
    }

    pub(super) fn too_deep(&self) -> Diagnostic {
        Diagnostic::error(
            codes::UNEXPECTED_TEXT,
            format!("expressions are nested more than {DEEPEST} deep"),
        )
        .at(self.peek().span, "too deep here")
        .help("give parts of it a name with `define` or `regexp`")
    }

    fn quantified(&mut self) -> Step<Expression> {
        let start = self.peek();
        if !start.is("forall") && !start.is("exists") {
            return self.membership();
        }
        self.advance();
        let variable = self.name("the name of the bound variable")?;
        self.expect("in")?;
        let domain = self.domain()?;
        self.expect(".")?;
        let body = self.expression()?;
        Ok(Expression {
            kind: ExpressionKind::Quantified {
                all: start.text == "forall",
                variable,
                domain,
                body: Box::new(body),
            },
            span: self.span_from(start.span),
        })
    }

    pub(super) fn node(&self, start: Span, kind: ExpressionKind) -> Expression {
        Expression {
            kind,
            span: self.span_from(start),
        }
    }

    fn membership(&mut self) -> Step<Expression> {
        let start = self.peek().span;
        let left = self.implication()?;
        let negated = self.peek().is("not") && self.peek_after(1).is("in");
        if negated {
            self.advance();
        }
        if !self.accept("in") {
            return Ok(left);
        }
        self.expect("{")?;
        let mut members = Vec::new();
        loop {
            let token = self.peek();
            if token.kind == TokenKind::Number && self.peek_after(1).is("-") {
                let first = self.integer()?;
                self.expect("-")?;
                members.push(Member::Range(first, self.integer()?));
            } else {
                members.push(Member::Value(self.primary()?));
            }
            if !self.accept(",") {
                break;
            }
        }
        self.expect("}")?;
        Ok(self.node(start, ExpressionKind::In(Box::new(left), negated, members)))
    }

    pub(super) fn integer(&mut self) -> Step<i64> {
        let token = self.peek();
        let value = token.text.parse();
        match (token.kind, value) {
            (TokenKind::Number, Ok(value)) => {
                self.advance();
                Ok(value)
            }
            _ => Err(Diagnostic::error(
                codes::UNEXPECTED_TEXT,
                format!("expected a number, found {}", token.describe()),
            )
            .at(
                token.span,
                "a number that fits into 64 bits is missing here",
            )
            .help("write a decimal number")),
        }
    }

    fn implication(&mut self) -> Step<Expression> {
        let start = self.peek().span;
        let left = self.equivalence()?;
        if self.accept_any(&["->", "implies"]).is_none() {
            return Ok(left);
        }
        self.depth += 1;
        let right = stack::recurse(|| self.implication());
        self.depth -= 1;
        let kind = ExpressionKind::Implies(Box::new(left), Box::new(right?));
        Ok(self.node(start, kind))
    }

    fn equivalence(&mut self) -> Step<Expression> {
        let start = self.peek().span;
        let mut left = self.disjunction()?;
        while self.accept_any(&["<->", "iff"]).is_some() {
            let right = self.disjunction()?;
            left = self.node(start, ExpressionKind::Iff(Box::new(left), Box::new(right)));
        }
        Ok(left)
    }

    fn disjunction(&mut self) -> Step<Expression> {
        let start = self.peek().span;
        let mut left = self.conjunction()?;
        while let Some(operator) = self.accept_any(&["|", "or", "xor", "||"]) {
            let right = self.conjunction()?;
            let kind = match left.kind {
                _ if operator.text == "xor" => ExpressionKind::Xor(Box::new(left), Box::new(right)),
                ExpressionKind::Or(mut operands) if left.span.start == start.start => {
                    operands.push(right);
                    ExpressionKind::Or(operands)
                }
                _ => ExpressionKind::Or(vec![left, right]),
            };
            left = self.node(start, kind);
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Step<Expression> {
        let start = self.peek().span;
        let first = self.relation()?;
        let mut operands = vec![first];
        while self.accept_any(&["&", "and", "&&"]).is_some() {
            operands.push(self.relation()?);
        }
        Ok(match operands.len() {
            1 => operands.remove(0),
            _ => self.node(start, ExpressionKind::And(operands)),
        })
    }

    fn relation(&mut self) -> Step<Expression> {
        let start = self.peek().span;
        let left = self.remainder()?;
        let comparison = match self.peek().text {
            "=" | "==" => Comparison::Equal,
            "!=" => Comparison::NotEqual,
            "<" => Comparison::Less,
            "<=" => Comparison::LessOrEqual,
            ">" => Comparison::Greater,
            ">=" => Comparison::GreaterOrEqual,
            _ => return Ok(left),
        };
        self.advance();
        let right = self.remainder()?;
        let kind = ExpressionKind::Compare(comparison, Box::new(left), Box::new(right));
        Ok(self.node(start, kind))
    }

    fn remainder(&mut self) -> Step<Expression> {
        let start = self.peek().span;
        let left = self.sum()?;
        if self.accept_any(&["mod", "%"]).is_none() {
            return Ok(left);
        }
        let right = Box::new(self.sum()?);
        let kind = ExpressionKind::Arithmetic(Arithmetic::Modulo, Box::new(left), right);
        Ok(self.node(start, kind))
    }

    pub(super) fn sum(&mut self) -> Step<Expression> {
        let start = self.peek().span;
        let mut left = self.product()?;
        while let Some(operator) = self.accept_any(&["+", "-"]) {
            let right = Box::new(self.product()?);
            let operator = match operator.text {
                "+" => Arithmetic::Add,
                _ => Arithmetic::Subtract,
            };
            let kind = ExpressionKind::Arithmetic(operator, Box::new(left), right);
            left = self.node(start, kind);
        }
        Ok(left)
    }

    fn product(&mut self) -> Step<Expression> {
        let start = self.peek().span;
        let mut left = self.past_binary()?;
        while let Some(operator) = self.accept_any(&["*", "/"]) {
            let right = Box::new(self.past_binary()?);
            let operator = match operator.text {
                "*" => Arithmetic::Multiply,
                _ => Arithmetic::Divide,
            };
            let kind = ExpressionKind::Arithmetic(operator, Box::new(left), right);
            left = self.node(start, kind);
        }
        Ok(left)
    }

    fn past_binary(&mut self) -> Step<Expression> {
        let start = self.peek().span;
        let mut left = self.past_unary()?;
        while let Some(operator) = self.accept_any(&["S", "SINCE", "T", "TRIGGERED"]) {
            let right = Box::new(self.past_unary()?);
            let kind = match operator.text {
                "S" | "SINCE" => ExpressionKind::Since(Box::new(left), right),
                _ => ExpressionKind::Triggered(Box::new(left), right),
            };
            left = self.node(start, kind);
        }
        Ok(left)
    }

    fn past_unary(&mut self) -> Step<Expression> {
        let start = self.peek();
        let make = match start.text {
            "Y" | "PREV" => ExpressionKind::Previous,
            "H" | "HISTORICALLY" => ExpressionKind::Historically,
            "O" | "ONCE" => ExpressionKind::Once,
            _ => return self.primary(),
        };
        if !self.is_before_operand() {
            return self.reference();
        }
        self.advance();
        let operand = stack::recurse(|| self.past_unary())?;
        Ok(self.node(start.span, make(Box::new(operand))))
    }

    /// Whether what follows can be the operand of a word that stands before one. If it cannot, the
    /// word is a name, such as the value `Y` of `{R, Y, G}` in `light = Y -> stop`.
    fn is_before_operand(&self) -> bool {
        const INFIX: [&str; 10] = [
            "S",
            "SINCE",
            "T",
            "TRIGGERED",
            "and",
            "or",
            "xor",
            "iff",
            "implies",
            "mod",
        ];
        let next = self.peek_after(1);
        match next.kind {
            TokenKind::Word => !INFIX.contains(&next.text),
            TokenKind::Number => true,
            _ => next.is("(") || next.is("!"),
        }
    }

    fn primary(&mut self) -> Step<Expression> {
        let start = self.peek();
        if start.kind == TokenKind::Number {
            let value = self.integer()?;
            return Ok(self.node(start.span, ExpressionKind::Integer(value)));
        }
        if let Some(operator) = self.accept_any(&["!", "-"]) {
            // The language's own grammar wants parentheses around a past operator here.
            let operand = stack::recurse(|| self.past_unary())?;
            let operand = Box::new(operand);
            let kind = match operator.text {
                "!" => ExpressionKind::Not(operand),
                _ => ExpressionKind::Negate(operand),
            };
            return Ok(self.node(start.span, kind));
        }
        if self.accept("(") {
            let inner = self.expression()?;
            self.expect(")")?;
            return Ok(Expression {
                kind: inner.kind,
                span: self.span_from(start.span),
            });
        }
        if start.kind != TokenKind::Word {
            return Err(Diagnostic::error(
                codes::UNEXPECTED_TEXT,
                format!("expected an expression, found {}", start.describe()),
            )
            .at(start.span, "an expression is missing before this")
            .help("an expression is a name, a number, `true`, `false`, or one in parentheses"));
        }
        match start.text {
            "true" | "TRUE" | "false" | "FALSE" => {
                self.advance();
                let value = start.text.eq_ignore_ascii_case("true");
                Ok(self.node(start.span, ExpressionKind::Boolean(value)))
            }
            "regexp" if self.peek_after(1).is("(") => {
                self.advance();
                self.expect("(")?;
                let regexp = self.regexp()?;
                self.expect(")")?;
                Ok(self.node(start.span, ExpressionKind::Matches(Box::new(regexp))))
            }
            "next" if self.is_before_operand() => {
                self.advance();
                self.expect("(")?;
                let operand = self.expression()?;
                self.expect(")")?;
                Ok(self.node(start.span, ExpressionKind::Next(Box::new(operand))))
            }
            "ite" if self.peek_after(1).is("(") => {
                self.advance();
                let mut parts = self.arguments()?.into_iter();
                let parts = (parts.next(), parts.next(), parts.next(), parts.next());
                let (Some(condition), Some(then), Some(otherwise), None) = parts else {
                    return Err(Diagnostic::error(
                        codes::WRONG_ARGUMENTS,
                        "`ite` has three arguments",
                    )
                    .at(self.span_from(start.span), "not three here")
                    .help("write `ite(condition, value if true, value if false)`"));
                };
                let kind = ExpressionKind::IfThenElse(
                    Box::new(condition),
                    Box::new(then),
                    Box::new(otherwise),
                );
                Ok(self.node(start.span, kind))
            }
            _ => self.reference(),
        }
    }

    fn arguments(&mut self) -> Step<Vec<Expression>> {
        self.expect("(")?;
        let mut arguments = Vec::new();
        if self.accept(")") {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.expression()?);
            if !self.accept(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(arguments)
    }

    fn reference(&mut self) -> Step<Expression> {
        let name = self.name("a name")?;
        if self.peek().is("(") {
            let arguments = self.arguments()?;
            return Ok(self.node(name.span, ExpressionKind::Call(name.text, arguments)));
        }
        if self.peek().is(".") && self.peek_after(1).kind == TokenKind::Word {
            let aggregate = match self.peek_after(1).text {
                "all" => Some(Aggregate::All),
                "any" => Some(Aggregate::Any),
                "sum" => Some(Aggregate::Sum),
                "prod" => Some(Aggregate::Product),
                "min" => Some(Aggregate::Least),
                "max" => Some(Aggregate::Greatest),
                _ => None,
            };
            if let Some(aggregate) = aggregate {
                self.advance();
                self.advance();
                let kind = ExpressionKind::Aggregate(name.text, aggregate);
                return Ok(self.node(name.span, kind));
            }
        }
        let mut indices = Vec::new();
        while self.accept("[") {
            indices.push(self.expression()?);
            self.expect("]")?;
        }
        let primes = self.peek().is("'");
        let reference = self.node(name.span, ExpressionKind::Reference(name.text, indices));
        if primes {
            let token = self.peek();
            return Err(Diagnostic::error(
                codes::UNEXPECTED_TEXT,
                "next values are not written with `'` here",
            )
            .at(token.span, "this prime")
            .help("write `next(...)`"));
        }
        Ok(reference)
    }
}
