//! From tokens to a tree.
//!
//! The grammar is that of the language's editor: an equivalence binds tighter than an
//! implication, and `mod` less than a sum. After a mistake, reading goes on behind the next
//! `;`, so that one run finds many.

use super::lexer::{Token, TokenKind};
use super::tree::*;
use crate::expr::suggest::closest;
use crate::source::codes::specification as codes;
use crate::source::{Diagnostic, Span};
use crate::spec::gr1::{Arithmetic, Comparison, Kind, Player, Side};

pub(super) type Step<T> = Result<T, Diagnostic>;

/// What is nested deeper is not written by a person.
const DEEPEST: usize = 2_000;

const DECLARATIONS: [&str; 25] = [
    "env",
    "envvar",
    "in",
    "input",
    "sys",
    "sysvar",
    "out",
    "output",
    "aux",
    "auxvar",
    "type",
    "define",
    "predicate",
    "pattern",
    "monitor",
    "counter",
    "guarantee",
    "gar",
    "assumption",
    "asm",
    "weight",
    "regexp",
    "regtest",
    "import",
    "module",
];

pub struct Parser<'t> {
    tokens: Vec<Token<'t>>,
    place: usize,
    depth: usize,
}

impl<'t> Parser<'t> {
    pub fn new(tokens: Vec<Token<'t>>) -> Parser<'t> {
        Parser {
            tokens,
            place: 0,
            depth: 0,
        }
    }

    fn peek(&self) -> Token<'t> {
        self.tokens[self.place]
    }

    fn peek_after(&self, count: usize) -> Token<'t> {
        let last = self.tokens.len() - 1;
        self.tokens[(self.place + count).min(last)]
    }

    fn advance(&mut self) -> Token<'t> {
        let token = self.peek();
        if token.kind != TokenKind::End {
            self.place += 1;
        }
        token
    }

    fn accept(&mut self, text: &str) -> bool {
        let found = self.peek().is(text);
        if found {
            self.advance();
        }
        found
    }

    fn accept_any(&mut self, texts: &[&str]) -> Option<Token<'t>> {
        let found = texts.iter().any(|text| self.peek().is(text));
        found.then(|| self.advance())
    }

    fn expect(&mut self, text: &str) -> Step<Token<'t>> {
        let token = self.peek();
        if token.is(text) {
            return Ok(self.advance());
        }
        let mut error = Diagnostic::error(
            codes::UNEXPECTED_TEXT,
            format!("expected `{text}`, found {}", token.describe()),
        )
        .at(token.span, format!("`{text}` is missing before this"));
        if text == ";" {
            error = error.help("each declaration and each requirement ends with `;`");
        } else {
            error = error.help(format!("write `{text}` here"));
        }
        Err(error)
    }

    fn name(&mut self, what: &str) -> Step<Name> {
        let token = self.peek();
        if token.kind != TokenKind::Word {
            return Err(Diagnostic::error(
                codes::UNEXPECTED_TEXT,
                format!("expected {what}, found {}", token.describe()),
            )
            .at(token.span, format!("{what} is missing here"))
            .help("a name is a letter or `_`, then letters, digits and `_`"));
        }
        self.advance();
        Ok(Name {
            text: token.text.trim_start_matches('^').to_string(),
            span: token.span,
        })
    }

    fn span_from(&self, start: Span) -> Span {
        let last = self.place.saturating_sub(1);
        start.to(self.tokens[last].span)
    }

    /// The whole file, or all that is wrong with it.
    pub fn file(mut self) -> Result<File, Vec<Diagnostic>> {
        let mut file = File::default();
        let mut errors = Vec::new();
        while self.peek().kind != TokenKind::End {
            let start = self.place;
            if let Err(error) = self.item(&mut file) {
                errors.push(error);
                self.recover(start);
            }
        }
        if errors.is_empty() && file.declarations.is_empty() {
            errors.push(
                Diagnostic::error(codes::UNEXPECTED_TEXT, "the specification is empty")
                    .at(self.peek().span, "nothing is declared before this")
                    .help(
                        "declare variables with `env` and `sys`, requirements with `asm` and `gar`",
                    ),
            );
        }
        if errors.is_empty() {
            Ok(file)
        } else {
            Err(errors)
        }
    }

    /// Goes on behind the declaration that starts at `start`.
    fn recover(&mut self, start: usize) {
        if self.place == start {
            self.advance();
        }
        self.depth = 0;
        while self.peek().kind != TokenKind::End {
            let token = self.advance();
            if token.is(";") {
                // The last `;` of a block is followed by its end.
                while self.accept("}") {}
                return;
            }
        }
    }

    fn item(&mut self, file: &mut File) -> Step<()> {
        let token = self.peek();
        let owner = match token.text {
            "env" | "envvar" | "in" | "input" => Some(Some(Player::Environment)),
            "sys" | "sysvar" | "out" | "output" => Some(Some(Player::System)),
            "aux" | "auxvar" => Some(None),
            _ => None,
        };
        if let Some(owner) = owner {
            self.advance();
            let domain = self.domain()?;
            let name = self.name("the name of the variable")?;
            self.expect(";")?;
            file.declarations.push(Declaration::Variable {
                owner,
                domain,
                name,
            });
            return Ok(());
        }
        match token.text {
            "import" => {
                self.advance();
                let text = self.advance();
                file.imports.push(Name {
                    text: text.text.trim_matches(['"', '\u{27}']).to_string(),
                    span: text.span,
                });
                self.accept(";");
                Ok(())
            }
            "module" | "spec" => {
                self.advance();
                file.name = self.name("the name of the module")?.text;
                self.accept(";");
                Ok(())
            }
            "type" => {
                self.advance();
                let name = self.name("the name of the type")?;
                self.expect("=")?;
                let domain = self.domain()?;
                self.expect(";")?;
                file.declarations.push(Declaration::Type(name, domain));
                Ok(())
            }
            "define" => {
                self.advance();
                loop {
                    let declaration = self.defined()?;
                    file.declarations.push(declaration);
                    let next = (self.peek(), self.peek_after(1));
                    let more = next.0.kind == TokenKind::Word
                        && (next.1.is(":=") || next.1.is("["))
                        && !DECLARATIONS.contains(&next.0.text);
                    if !more {
                        return Ok(());
                    }
                }
            }
            "predicate" => self.predicate(file),
            "pattern" => {
                let pattern = self.pattern()?;
                file.declarations.push(Declaration::Pattern(pattern));
                Ok(())
            }
            "monitor" => {
                let monitor = self.monitor()?;
                file.declarations.push(Declaration::Monitor(monitor));
                Ok(())
            }
            "counter" => {
                let counter = self.counter()?;
                file.declarations
                    .push(Declaration::Counter(Box::new(counter)));
                Ok(())
            }
            "guarantee" | "gar" | "assumption" | "asm" => {
                let requirement = self.requirement()?;
                file.declarations
                    .push(Declaration::Requirement(requirement));
                Ok(())
            }
            "weight" | "regexp" | "regtest" => Err(not_supported(&token)),
            _ => {
                let error = Diagnostic::error(
                    codes::UNEXPECTED_TEXT,
                    format!("expected a declaration, found {}", token.describe()),
                )
                .at(token.span, "no declaration starts like this");
                Err(match closest(token.text, DECLARATIONS) {
                    Some(near) => error.help(format!("did you mean `{near}`?")),
                    None => error.help(
                        "declarations start with `env`, `sys`, `define`, `asm`, `gar` and the like",
                    ),
                })
            }
        }
    }

    fn defined(&mut self) -> Step<Declaration> {
        let name = self.name("the name of the definition")?;
        let mut is_array = false;
        while self.accept("[") {
            is_array = true;
            self.expression()?;
            self.expect("]")?;
        }
        self.expect(":=")?;
        let body = if is_array {
            DefinedBody::Array(self.array_body()?)
        } else {
            DefinedBody::Single(self.expression()?)
        };
        self.expect(";")?;
        Ok(Declaration::Define(name, body))
    }

    fn array_body(&mut self) -> Step<ArrayBody> {
        self.expect("{")?;
        let mut cells = Vec::new();
        loop {
            cells.push(if self.peek().is("{") {
                self.array_body()?
            } else {
                ArrayBody::Cell(self.expression()?)
            });
            if !self.accept(",") {
                break;
            }
        }
        self.expect("}")?;
        Ok(ArrayBody::Row(cells))
    }

    fn predicate(&mut self, file: &mut File) -> Step<()> {
        self.advance();
        let name = self.name("the name of the predicate")?;
        self.expect("(")?;
        let parameters = if self.peek().is(")") {
            Vec::new()
        } else {
            self.typed_parameters()?
        };
        self.expect(")")?;
        let body = if self.accept("{") {
            let body = self.expression()?;
            self.accept(";");
            self.expect("}")?;
            body
        } else {
            self.expect(":")?;
            let body = self.expression()?;
            self.expect(";")?;
            body
        };
        file.declarations.push(Declaration::Predicate {
            name,
            parameters,
            body,
        });
        Ok(())
    }

    fn typed_parameters(&mut self) -> Step<Vec<Parameter>> {
        let mut parameters = Vec::new();
        loop {
            let domain = self.domain()?;
            let name = self.name("the name of the parameter")?;
            parameters.push(Parameter {
                name,
                domain: Some(domain),
            });
            if !self.accept(",") {
                return Ok(parameters);
            }
        }
    }

    fn line(&mut self) -> Step<Line> {
        let kind = self.kind();
        let expression = self.expression()?;
        self.expect(";")?;
        Ok(Line {
            kind: kind.unwrap_or(Kind::Initial),
            expression,
        })
    }

    fn kind(&mut self) -> Option<Kind> {
        let kind = match self.peek().text {
            "ini" | "initially" => Kind::Initial,
            "G" | "trans" | "always" | "alw" => Kind::Safety,
            "GF" | "alwEv" | "alwaysEventually" => Kind::Justice,
            _ => return None,
        };
        self.advance();
        Some(kind)
    }

    fn pattern(&mut self) -> Step<Pattern> {
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

    fn monitor(&mut self) -> Step<Monitor> {
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

    fn counter(&mut self) -> Step<Counter> {
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

    fn requirement(&mut self) -> Step<Requirement> {
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
        if matches!(token.text, "trig" | "GE" | "GEF") {
            return Err(not_supported(&token));
        }
        let kind = self.kind().unwrap_or(Kind::Initial);
        let expression = self.expression()?;
        self.expect(";")?;
        Ok(Requirement {
            side,
            name,
            parameters,
            kind,
            expression,
            span: self.span_from(keyword.span),
        })
    }

    fn domain(&mut self) -> Step<Type> {
        let start = self.peek();
        let kind = if self.accept("boolean") {
            TypeKind::Boolean
        } else if self.accept("Int") {
            self.expect("(")?;
            let (first, last) = self.range()?;
            self.expect(")")?;
            TypeKind::Range(Box::new(first), Box::new(last))
        } else if self.accept("{") {
            let mut names = Vec::new();
            loop {
                let token = self.peek();
                if token.kind == TokenKind::Number {
                    self.advance();
                    names.push(Name {
                        text: token.text.to_string(),
                        span: token.span,
                    });
                } else {
                    names.push(self.name("a value")?);
                }
                if !self.accept(",") {
                    break;
                }
            }
            self.expect("}")?;
            TypeKind::Enumeration(names)
        } else {
            TypeKind::Named(self.name("a type")?.text)
        };
        let mut dimensions = Vec::new();
        while self.accept("[") {
            dimensions.push(self.expression()?);
            self.expect("]")?;
        }
        Ok(Type {
            kind,
            dimensions,
            span: self.span_from(start.span),
        })
    }

    fn range(&mut self) -> Step<(Expression, Expression)> {
        let first = self.sum()?;
        self.expect("..")?;
        let last = self.sum()?;
        Ok((first, last))
    }

    pub fn expression(&mut self) -> Step<Expression> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let token = self.peek();
            return Err(Diagnostic::error(
                codes::UNEXPECTED_TEXT,
                format!("expressions are nested more than {DEEPEST} deep"),
            )
            .at(token.span, "too deep here")
            .help("give parts of it a name with `define`"));
        }
        let result = stacker::maybe_grow(128 << 10, 1 << 20, || self.quantified());
        self.depth -= 1;
        result
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

    fn node(&self, start: Span, kind: ExpressionKind) -> Expression {
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

    fn integer(&mut self) -> Step<i64> {
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
        let right = stacker::maybe_grow(128 << 10, 1 << 20, || self.implication());
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

    fn sum(&mut self) -> Step<Expression> {
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
        self.advance();
        let operand = stacker::maybe_grow(128 << 10, 1 << 20, || self.past_unary())?;
        Ok(self.node(start.span, make(Box::new(operand))))
    }

    fn primary(&mut self) -> Step<Expression> {
        let start = self.peek();
        if start.kind == TokenKind::Number {
            let value = self.integer()?;
            return Ok(self.node(start.span, ExpressionKind::Integer(value)));
        }
        if let Some(operator) = self.accept_any(&["!", "-"]) {
            // The language's own grammar wants parentheses around a past operator here.
            let operand = stacker::maybe_grow(128 << 10, 1 << 20, || self.past_unary())?;
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
            "regexp" => Err(not_supported(&start)),
            "next" => {
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
        let mut places = Vec::new();
        while self.accept("[") {
            places.push(self.expression()?);
            self.expect("]")?;
        }
        let primes = self.peek().is("'");
        let reference = self.node(name.span, ExpressionKind::Reference(name.text, places));
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

fn not_supported(token: &Token<'_>) -> Diagnostic {
    let (what, help) = match token.text {
        "weight" => ("weights", "remove it: a verdict does not depend on weights"),
        "GE" | "GEF" => (
            "existential guarantees",
            "remove it, or ask for the behaviour with `alwEv`",
        ),
        "trig" => (
            "triggers",
            "write an automaton for the regular expressions with `monitor` or `pattern`",
        ),
        _ => (
            "regular expressions",
            "write an automaton for it with `monitor` or `pattern`",
        ),
    };
    Diagnostic::error(
        codes::NOT_SUPPORTED,
        format!("{what} (`{}`) are not supported", token.text),
    )
    .at(token.span, "not supported")
    .help(help)
}
