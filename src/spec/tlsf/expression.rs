//! The expressions of TLSF.
//!
//! Operators bind as in the table of [JKS16], tightest first: `SIZEOF SIZE MIN MAX +[] *[]`,
//! `*`, `/ %` (to the right), `+ -`, big set operators, `(\)` (to the right), `(*)`, `(+)`,
//! comparisons, `IN`, `! X F G &&[] ||[]`, `&&`, `||`, `-> <->` (to the right), `W` and `U`
//! (to the right), `R`, `~`. So `a -> b U c` is `(a -> b) U c`.

use super::lexer::{Token, TokenKind};
use super::parser::Parser;
use super::tree::{Big, Binary, Binder, Bounded, Connective, Expr, ExprId, Kind, Unary, Values};
use crate::source::codes::specification as codes;
use crate::source::{Diagnostic, Span};
use crate::stack;

/// Levels of parentheses and operators in one expression.
const DEEPEST: usize = 5_000;

const LEVEL_SET_PREFIX: u8 = 16;
const LEVEL_NUMBER_PREFIX: u8 = 20;
const LEVEL_FORMULA_PREFIX: u8 = 10;
const LEVEL_ADDITION: u8 = 17;
const LEVEL_LOWEST: u8 = 3;

/// Words that cannot be names.
const RESERVED: [&str; 38] = [
    "NOT",
    "AND",
    "OR",
    "IMPLIES",
    "EQUIV",
    "true",
    "false",
    "F",
    "G",
    "X",
    "U",
    "W",
    "R",
    "PLUS",
    "MINUS",
    "MUL",
    "DIV",
    "MOD",
    "SIZE",
    "SIZEOF",
    "MIN",
    "MAX",
    "SUM",
    "PROD",
    "SETMINUS",
    "CAP",
    "CUP",
    "IN",
    "ELEM",
    "EQ",
    "NEQ",
    "LE",
    "LEQ",
    "GE",
    "GEQ",
    "otherwise",
    "FORALL",
    "EXISTS",
];

pub fn is_reserved(word: &str) -> bool {
    word == "_" || RESERVED.contains(&word)
}

#[derive(Clone, Copy)]
enum Infix {
    Chain(Connective),
    Binary(Binary),
}

/// The operator between two operands, how tightly it binds, and whether it groups to the right.
fn infix(token: &Token<'_>) -> Option<(Infix, u8, bool)> {
    if !matches!(token.kind, TokenKind::Word | TokenKind::Symbol) {
        return None;
    }
    let (operator, level, right) = match token.text {
        "*" | "MUL" => (Binary::Multiply, 19, false),
        "/" | "DIV" => (Binary::Divide, 18, true),
        "%" | "MOD" => (Binary::Modulo, 18, true),
        "+" | "PLUS" => (Binary::Add, LEVEL_ADDITION, false),
        "-" | "MINUS" => (Binary::Subtract, LEVEL_ADDITION, false),
        "(\\)" | "(-)" | "SETMINUS" => (Binary::Without, 15, true),
        "(*)" | "CAP" => (Binary::Intersection, 14, false),
        "(+)" | "CUP" => (Binary::Union, 13, false),
        "==" | "EQ" => (Binary::Equal, 12, false),
        "/=" | "!=" | "NEQ" => (Binary::NotEqual, 12, false),
        "<" | "LE" => (Binary::Less, 12, false),
        "<=" | "LEQ" => (Binary::LessEqual, 12, false),
        ">" | "GE" => (Binary::Greater, 12, false),
        ">=" | "GEQ" => (Binary::GreaterEqual, 12, false),
        "IN" | "ELEM" | "<-" => (Binary::Element, 11, false),
        "&&" | "AND" => return Some((Infix::Chain(Connective::And), 9, false)),
        "||" | "OR" => return Some((Infix::Chain(Connective::Or), 8, false)),
        "->" | "IMPLIES" => (Binary::Implies, 7, true),
        "<->" | "EQUIV" => (Binary::Equivalent, 7, true),
        "W" => (Binary::WeakUntil, 6, true),
        "U" => (Binary::Until, 5, true),
        "R" => (Binary::Release, 4, false),
        "~" => (Binary::Matches, LEVEL_LOWEST, false),
        _ => return None,
    };
    Some((Infix::Binary(operator), level, right))
}

enum Prefix {
    Unary(Unary, u8),
    Big(Big, u8),
    NextTimes,
    Within(Bounded),
}

impl<'t> Parser<'t> {
    pub fn expression(&mut self) -> Result<ExprId, Diagnostic> {
        self.operators(LEVEL_LOWEST)
    }

    /// An expression whose operators bind at least this tightly.
    fn operators(&mut self, least: u8) -> Result<ExprId, Diagnostic> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let token = self.peek();
            return Err(Diagnostic::error(
                codes::TOO_LARGE,
                format!("more than {DEEPEST} levels of parentheses and operators"),
            )
            .at(token.span, "at this place")
            .help("give parts of the formula names in DEFINITIONS"));
        }
        let found = stack::recurse(|| self.operators_here(least));
        self.depth -= 1;
        found
    }

    fn operators_here(&mut self, least: u8) -> Result<ExprId, Diagnostic> {
        let mut left = self.operand()?;
        while let Some((operator, level, right)) = self.next_infix() {
            if level < least {
                break;
            }
            match operator {
                Infix::Binary(operator) => {
                    self.advance();
                    let operand = self.operators(if right { level } else { level + 1 })?;
                    let span = self.span_of(left).to(self.span_of(operand));
                    left = self.add(Kind::Binary(operator, left, operand), span);
                }
                Infix::Chain(connective) => {
                    let mut operands = vec![left];
                    while matches!(
                        self.next_infix(),
                        Some((Infix::Chain(next), ..)) if next == connective
                    ) {
                        self.advance();
                        operands.push(self.operators(level + 1)?);
                    }
                    let last = *operands.last().unwrap_or(&left);
                    let span = self.span_of(left).to(self.span_of(last));
                    left = self.add(Kind::Chain(connective, operands), span);
                }
            }
        }
        Ok(left)
    }

    /// The operator at this place, if one stands between operands here: `&&[` starts one.
    fn next_infix(&self) -> Option<(Infix, u8, bool)> {
        let found = infix(self.peek())?;
        let opens = self.peek_at(1).is("[");
        let is_big = matches!(
            self.peek().text,
            "&&" | "||" | "AND" | "OR" | "+" | "*" | "(+)" | "(*)" | "CUP" | "CAP"
        );
        (!(opens && is_big)).then_some(found)
    }

    fn prefix(&self) -> Option<Prefix> {
        let token = self.peek();
        if !matches!(token.kind, TokenKind::Word | TokenKind::Symbol) {
            return None;
        }
        let opens = self.peek_at(1).is("[");
        let unary = |operator, level| Some(Prefix::Unary(operator, level));
        let big = |operator, level| opens.then_some(Prefix::Big(operator, level));
        match token.text {
            "SIZEOF" => unary(Unary::SizeOf, LEVEL_NUMBER_PREFIX),
            "SIZE" => unary(Unary::Size, LEVEL_NUMBER_PREFIX),
            "MIN" => unary(Unary::Min, LEVEL_NUMBER_PREFIX),
            "MAX" => unary(Unary::Max, LEVEL_NUMBER_PREFIX),
            "+" | "SUM" => big(Big::Sum, LEVEL_NUMBER_PREFIX),
            "*" | "PROD" => big(Big::Product, LEVEL_NUMBER_PREFIX),
            "(+)" | "CUP" => big(Big::Union, LEVEL_SET_PREFIX),
            "(*)" | "CAP" => big(Big::Intersection, LEVEL_SET_PREFIX),
            "&&" | "AND" | "FORALL" => big(Big::And, LEVEL_FORMULA_PREFIX),
            "||" | "OR" | "EXISTS" => big(Big::Or, LEVEL_FORMULA_PREFIX),
            "!" | "NOT" => unary(Unary::Not, LEVEL_FORMULA_PREFIX),
            "X" if opens => Some(Prefix::NextTimes),
            "F" if opens => Some(Prefix::Within(Bounded::Finally)),
            "G" if opens => Some(Prefix::Within(Bounded::Globally)),
            "X" => unary(Unary::Next, LEVEL_FORMULA_PREFIX),
            "F" => unary(Unary::Finally, LEVEL_FORMULA_PREFIX),
            "G" => unary(Unary::Globally, LEVEL_FORMULA_PREFIX),
            _ => None,
        }
    }

    fn operand(&mut self) -> Result<ExprId, Diagnostic> {
        let start = self.peek().span;
        let Some(prefix) = self.prefix() else {
            return self.primary();
        };
        self.advance();
        let (kind, body) = match prefix {
            Prefix::Unary(operator, level) => {
                let body = self.operators(level)?;
                (Kind::Unary(operator, body), body)
            }
            Prefix::Big(operator, level) => {
                let binders = self.binders()?;
                let body = self.operators(level)?;
                (Kind::Big(operator, binders, body), body)
            }
            Prefix::NextTimes => {
                self.expect("[")?;
                let times = self.operators(LEVEL_ADDITION)?;
                self.expect("]")?;
                let body = self.operators(LEVEL_FORMULA_PREFIX)?;
                (Kind::NextTimes(times, body), body)
            }
            Prefix::Within(operator) => {
                self.expect("[")?;
                let first = self.operators(LEVEL_ADDITION)?;
                self.expect(":")?;
                let last = self.operators(LEVEL_ADDITION)?;
                self.expect("]")?;
                let body = self.operators(LEVEL_FORMULA_PREFIX)?;
                (Kind::Within(operator, first, last, body), body)
            }
        };
        let span = start.to(self.span_of(body));
        Ok(self.add(kind, span))
    }

    /// `[0 <= i < n, j IN S]`
    fn binders(&mut self) -> Result<Vec<Binder>, Diagnostic> {
        self.expect("[")?;
        let mut binders = Vec::new();
        loop {
            let is_element = ["IN", "ELEM", "<-"]
                .iter()
                .any(|word| self.peek_at(1).is(word));
            if is_element {
                let (name, _) = self.name("a variable")?;
                self.advance();
                let set = self.operators(LEVEL_SET_PREFIX - 3)?;
                binders.push(Binder {
                    name,
                    values: Values::Of(set),
                });
            } else {
                let first = self.operators(LEVEL_ADDITION)?;
                let after = self.strictly_less()?;
                let (name, _) = self.name("a variable")?;
                let before = self.strictly_less()?;
                let last = self.operators(LEVEL_ADDITION)?;
                binders.push(Binder {
                    name,
                    values: Values::Between {
                        first,
                        after,
                        last,
                        before,
                    },
                });
            }
            if self.accept("]") {
                return Ok(binders);
            }
            self.expect(",")?;
        }
    }

    /// `<` or `<=`
    fn strictly_less(&mut self) -> Result<bool, Diagnostic> {
        if self.accept("<") || self.accept("LE") {
            Ok(true)
        } else if self.accept("<=") || self.accept("LEQ") {
            Ok(false)
        } else {
            Err(self.unexpected("`<` or `<=`, as in `0 <= i < n`"))
        }
    }

    fn primary(&mut self) -> Result<ExprId, Diagnostic> {
        let token = *self.peek();
        match token.kind {
            TokenKind::Number => {
                self.advance();
                let number = token.text.parse::<i64>().map_err(|_| {
                    Diagnostic::error(codes::TOO_LARGE, "this number is too large")
                        .at(token.span, "at most 9223372036854775807")
                        .help("use a smaller one")
                })?;
                Ok(self.add(Kind::Number(number), token.span))
            }
            TokenKind::Word => self.word(token),
            TokenKind::Symbol => match token.text {
                "(" => {
                    self.advance();
                    let inner = self.expression()?;
                    let end = self.expect(")")?;
                    // The parentheses belong to the span of what is in them.
                    self.file.expressions[inner.0 as usize].span = token.span.to(end);
                    Ok(inner)
                }
                "{" => self.set(token.span),
                "|" => {
                    self.advance();
                    let set = self.operators(LEVEL_SET_PREFIX - 3)?;
                    let end = self.expect("|")?;
                    Ok(self.add(Kind::Unary(Unary::Size, set), token.span.to(end)))
                }
                _ => Err(self.unexpected("an expression")),
            },
            TokenKind::Text | TokenKind::End => Err(self.unexpected("an expression")),
        }
    }

    fn word(&mut self, token: Token<'t>) -> Result<ExprId, Diagnostic> {
        let constant = match token.text {
            "true" => Some(Kind::Boolean(true)),
            "false" => Some(Kind::Boolean(false)),
            "otherwise" => Some(Kind::Otherwise),
            "_" => Some(Kind::Any),
            _ => None,
        };
        if let Some(kind) = constant {
            self.advance();
            return Ok(self.add(kind, token.span));
        }
        let (name, span) = self.name("an expression")?;
        if self.accept("(") {
            let mut arguments = Vec::new();
            if !self.peek().is(")") {
                arguments.push(self.expression()?);
                while self.accept(",") {
                    arguments.push(self.expression()?);
                }
            }
            let end = self.expect(")")?;
            return Ok(self.add(Kind::Call(name, arguments), span.to(end)));
        }
        if self.accept("[") {
            let index = self.operators(LEVEL_ADDITION)?;
            let end = self.expect("]")?;
            return Ok(self.add(Kind::Index(name, index), span.to(end)));
        }
        Ok(self.add(Kind::Name(name), span))
    }

    /// `{a, b, c}` or `{first, second .. last}`
    fn set(&mut self, start: Span) -> Result<ExprId, Diagnostic> {
        self.expect("{")?;
        let mut elements = Vec::new();
        if !self.peek().is("}") {
            elements.push(self.expression()?);
            while self.accept(",") {
                elements.push(self.expression()?);
            }
        }
        if self.peek().is("..") {
            let [first, second] = elements[..] else {
                return Err(self
                    .unexpected("`,` or `}`")
                    .help("a range names its first two elements: `{0, 1 .. n}`"));
            };
            self.advance();
            let last = self.expression()?;
            let end = self.expect("}")?;
            return Ok(self.add(Kind::Range(first, second, last), start.to(end)));
        }
        let end = self.expect("}")?;
        Ok(self.add(Kind::Set(elements), start.to(end)))
    }

    fn span_of(&self, id: ExprId) -> Span {
        self.file.expr(id).span
    }

    fn add(&mut self, kind: Kind, span: Span) -> ExprId {
        let id = ExprId(self.file.expressions.len() as u32);
        self.file.expressions.push(Expr { kind, span });
        id
    }
}
