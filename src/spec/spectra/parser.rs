//! From tokens to a tree: the file and its declarations.
//!
//! `parse_block` has what stands in braces or is required, `parse_regexp` and
//! `parse_expression` what these are made of. After a mistake, reading goes on behind the
//! next `;`, so that one run finds many.

use super::lexer::{Token, TokenKind};
use super::tree::*;
use crate::expr::suggest::closest;
use crate::limits::Limits;
use crate::source::codes::specification as codes;
use crate::source::{Cursor, Diagnostic, Span};
use crate::spec::gr1::Player;

pub(super) type Step<T> = Result<T, Diagnostic>;

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
    text: &'t str,
    tokens: Cursor<'t, Token<'t>>,
    pub(super) depth: usize,
}

impl<'t> Parser<'t> {
    /// From the tokens of a text.
    pub fn new(text: &'t str, tokens: &'t [Token<'t>], limits: &'t Limits) -> Parser<'t> {
        Parser {
            text,
            tokens: Cursor::within(tokens, limits),
            depth: 0,
        }
    }

    pub(super) fn peek(&self) -> Token<'t> {
        *self.tokens.peek()
    }

    pub(super) fn peek_after(&self, count: usize) -> Token<'t> {
        *self.tokens.peek_at(count)
    }

    pub(super) fn advance(&mut self) -> Token<'t> {
        let token = self.peek();
        if token.kind != TokenKind::End {
            self.tokens.advance();
        }
        token
    }

    pub(super) fn accept(&mut self, text: &str) -> bool {
        self.tokens.accept(|token| token.is(text)).is_some()
    }

    pub(super) fn accept_any(&mut self, texts: &[&str]) -> Option<Token<'t>> {
        let is_wanted = |token: &Token<'t>| texts.iter().any(|text| token.is(text));
        self.tokens.accept(is_wanted).copied()
    }

    pub(super) fn expect(&mut self, text: &str) -> Step<Token<'t>> {
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

    pub(super) fn name(&mut self, what: &str) -> Step<Name> {
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

    pub(super) fn span_from(&self, start: Span) -> Span {
        start.to(self.tokens.last().span)
    }

    /// The words from a token to the last one that was read, as they were written.
    pub(super) fn written_from(&self, start: Span) -> String {
        let span = self.span_from(start);
        let text = self.text.get(span.start as usize..span.end as usize);
        let words = text.unwrap_or_default().split_whitespace();
        words.collect::<Vec<&str>>().join(" ")
    }

    /// The whole file, or all that is wrong with it.
    pub fn file(mut self) -> Result<File, Vec<Diagnostic>> {
        let mut file = File::default();
        let mut errors = Vec::new();
        while self.peek().kind != TokenKind::End {
            let start = self.tokens.position();
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
        if self.tokens.position() == start {
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
            return self.variable(file, owner);
        }
        match token.text {
            "import" => self.import(file),
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
            "define" => self.definitions(file),
            "regexp" => self.regexps(file),
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
            "weight" | "regtest" => self.without_effect(file),
            _ => Err(no_declaration(&token)),
        }
    }

    /// `env boolean request;`
    fn variable(&mut self, file: &mut File, owner: Option<Player>) -> Step<()> {
        self.advance();
        let domain = self.domain()?;
        let name = self.name("the name of the variable")?;
        self.expect(";")?;
        file.declarations.push(Declaration::Variable {
            owner,
            domain,
            name,
        });
        Ok(())
    }

    /// A weight or a test of a regular expression, up to its end.
    fn without_effect(&mut self, file: &mut File) -> Step<()> {
        let keyword = self.advance();
        while !self.peek().is(";") && self.peek().kind != TokenKind::End {
            self.advance();
        }
        self.expect(";")?;
        let (what, why) = if keyword.is("weight") {
            (
                "a weight",
                "weights grade controllers, and this is no search for the best one",
            )
        } else {
            (
                "a test of a regular expression",
                "it requires nothing of any play",
            )
        };
        let message = format!("{what} has no effect on the answer");
        let warning = Diagnostic::warning(codes::WITHOUT_EFFECT, message)
            .at(self.span_from(keyword.span), "read, and left out")
            .note(why)
            .help("nothing has to be done");
        file.warnings.push(warning);
        Ok(())
    }

    fn import(&mut self, file: &mut File) -> Step<()> {
        self.advance();
        let text = self.peek();
        if text.kind != TokenKind::Text {
            return Err(Diagnostic::error(
                codes::UNEXPECTED_TEXT,
                format!("expected the name of a file, found {}", text.describe()),
            )
            .at(text.span, "a name in quotes is missing here")
            .help("write `import \"shared.spectra\"`"));
        }
        self.advance();
        file.imports.push(Name {
            text: text.text.trim_matches(['"', '\u{27}']).to_string(),
            span: text.span,
        });
        self.accept(";");
        Ok(())
    }

    /// Definitions behind one keyword.
    fn definitions(&mut self, file: &mut File) -> Step<()> {
        self.advance();
        loop {
            let declaration = self.defined()?;
            file.declarations.push(declaration);
            if !self.is_defined_next() {
                return Ok(());
            }
        }
    }

    /// Regular expressions with names, behind one keyword.
    fn regexps(&mut self, file: &mut File) -> Step<()> {
        self.advance();
        loop {
            let name = self.name("the name of the regular expression")?;
            self.expect(":=")?;
            let regexp = Box::new(self.regexp()?);
            self.expect(";")?;
            file.declarations.push(Declaration::Regexp(name, regexp));
            if !self.is_defined_next() {
                return Ok(());
            }
        }
    }

    /// Whether one keyword is followed by one more definition.
    fn is_defined_next(&self) -> bool {
        let next = (self.peek(), self.peek_after(1));
        next.0.kind == TokenKind::Word
            && (next.1.is(":=") || next.1.is("["))
            && !DECLARATIONS.contains(&next.0.text)
    }

    fn defined(&mut self) -> Step<Declaration> {
        let name = self.name("the name of the definition")?;
        let mut sizes = Vec::new();
        while self.accept("[") {
            sizes.push(self.expression()?);
            self.expect("]")?;
        }
        self.expect(":=")?;
        let body = if sizes.is_empty() {
            DefinedBody::Single(self.expression()?)
        } else {
            DefinedBody::Array(sizes, self.array_body()?)
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

    pub(super) fn typed_parameters(&mut self) -> Step<Vec<Parameter>> {
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

    pub(super) fn domain(&mut self) -> Step<Type> {
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

    pub(super) fn range(&mut self) -> Step<(Expression, Expression)> {
        let first = self.sum()?;
        self.expect("..")?;
        let last = self.sum()?;
        Ok((first, last))
    }
}

pub(super) fn not_supported(token: &Token<'_>) -> Diagnostic {
    Diagnostic::error(
        codes::NOT_SUPPORTED,
        format!(
            "existential guarantees (`{}`) are not supported",
            token.text
        ),
    )
    .at(token.span, "not supported")
    .note(
        "such a guarantee says that something stays possible, not that it happens; \
         no condition on single plays says that",
    )
    .help("remove it, or require that it happens: `gar alwEv ...`")
}

fn no_declaration(token: &Token<'_>) -> Diagnostic {
    let error = Diagnostic::error(
        codes::UNEXPECTED_TEXT,
        format!("expected a declaration, found {}", token.describe()),
    )
    .at(token.span, "no declaration starts like this");
    match closest(token.text, DECLARATIONS) {
        Some(near) => error.help(format!("did you mean `{near}`?")),
        None => {
            error.help("declarations start with `env`, `sys`, `define`, `asm`, `gar` and the like")
        }
    }
}
