//! The property file: definitions and properties of a design.
//!
//! ```text
//! define waiting := state == WAIT;         // another name for a formula or an expression
//! assume fair:  G F tick;                  // what the environment keeps
//! assert mutex: G !(gnt[0] & gnt[1]);      // what the design must keep; also `guarantee`
//! assert G (req[0] -> F gnt[0]);           -- names may be left out
//! ```
//!
//! Definitions may be used before they are given, and stand for their text in parentheses.
//! A name such as `G` or `next` is an operator where an operand follows, and a signal
//! otherwise (`next == IDLE`, `F[3]`); where both would do, that is an error, and
//! `\next & a` or `(next) & a` say that the signal is meant.
//!
//! After an error reading goes on at the next statement, so one run reports one error per
//! broken statement.

use super::codes;
use super::definitions::{Resolver, Statement, StatementKind};
use super::formula::{FormulaId, Formulas};
use super::meaning::meaning;
use crate::expr::operator::{STATEMENT_WORDS, TemporalUnary, is_formula_word};
use crate::expr::suggest::closest;
use crate::expr::token::{Token, TokenKind, tokenize, tokenize_within};
use crate::expr::tree::Tree;
use crate::expr::{Dialect, Role, mistake, parser};
use crate::limits::Limits;
use crate::source::{Cursor, Diagnostic, FileId, Span};

/// One property as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenProperty {
    pub role: Role,
    pub name: Option<String>,
    pub span: Span,
    pub formula: FormulaId,
}

/// What a property file says.
#[derive(Clone, Debug, Default)]
pub struct PropertyFile {
    pub properties: Vec<WrittenProperty>,
    pub warnings: Vec<Diagnostic>,
}

/// Reads a property file. On error, everything that is wrong with it.
pub fn parse_property_file(
    formulas: &mut Formulas,
    file: FileId,
    text: &str,
) -> Result<PropertyFile, Vec<Diagnostic>> {
    parse_property_file_within(formulas, file, text, &Limits::default())
}

/// The same, unless a limit is reached.
pub fn parse_property_file_within(
    formulas: &mut Formulas,
    file: FileId,
    text: &str,
    limits: &Limits,
) -> Result<PropertyFile, Vec<Diagnostic>> {
    let tokens = tokenize_within(file, text, Dialect::Formula, limits);
    let mut reader = StatementReader {
        tokens: Cursor::within(&tokens, limits),
        tree: Tree::new(),
        errors: Vec::new(),
    };
    let statements = reader.statements();
    let StatementReader { tree, errors, .. } = reader;
    limits.check()?;
    let mut resolver = Resolver::new(formulas, &tree, &statements, errors, limits);
    let properties = resolver.resolve();
    let Resolver {
        mut errors,
        warnings,
        ..
    } = resolver;
    limits.check()?;
    if statements.is_empty() && errors.is_empty() || only_definitions(&statements, &errors) {
        errors.push(
            Diagnostic::error(codes::NO_PROPERTY, "the file has no property")
                .at(Span::new(file, 0, 0), "nothing is assumed or asserted")
                .help("write for example `assert live: G (req -> F gnt);`"),
        );
    }
    if errors.is_empty() {
        return Ok(PropertyFile {
            properties,
            warnings,
        });
    }
    errors.sort_by_key(|error| error.labels.first().map(|label| label.span));
    errors.extend(warnings);
    Err(errors)
}

/// Reads a text that is one formula.
pub fn parse_formula(
    formulas: &mut Formulas,
    file: FileId,
    text: &str,
) -> Result<FormulaId, Diagnostic> {
    let tokens = tokenize(file, text, Dialect::Formula);
    let mut tree = Tree::new();
    let mut tokens = Cursor::new(&tokens);
    let root = parser::parse(&mut tokens, &mut tree, Dialect::Formula)?;
    let after = tokens.peek();
    if after.kind != TokenKind::End {
        return Err(mistake::unexpected(after, Dialect::Formula));
    }
    let found = meaning(formulas, &tree, 0, root, &|_| None, &mut Vec::new())?;
    Ok(found.into_formula(formulas))
}

fn only_definitions(statements: &[Statement], errors: &[Diagnostic]) -> bool {
    errors.is_empty()
        && statements
            .iter()
            .all(|statement| statement.kind == StatementKind::Define)
}

struct StatementReader<'a, 'b> {
    tokens: Cursor<'a, Token<'b>>,
    tree: Tree,
    errors: Vec<Diagnostic>,
}

impl<'a, 'b> StatementReader<'a, 'b> {
    fn statements(&mut self) -> Vec<Statement> {
        let mut statements = Vec::new();
        while self.token().kind != TokenKind::End {
            if self.token().is_symbol(";") {
                self.tokens.advance();
                continue;
            }
            let start = self.tokens.position();
            match self.statement() {
                Ok(statement) => statements.push(statement),
                Err(error) => {
                    self.errors.push(error);
                    self.recover(start);
                }
            }
        }
        statements
    }

    fn token(&self) -> &'a Token<'b> {
        self.tokens.peek()
    }

    fn token_at(&self, ahead: usize) -> &'a Token<'b> {
        self.tokens.peek_at(ahead)
    }

    /// Goes to the start of the next statement.
    fn recover(&mut self, start: usize) {
        self.tokens.go_to(self.tokens.position().max(start + 1));
        loop {
            let token = self.token();
            let previous = self.tokens.last();
            let starts = token.kind == TokenKind::Identifier
                && STATEMENT_WORDS.contains(&token.text)
                && (token.starts_line || previous.is_symbol(";"));
            if token.kind == TokenKind::End || starts {
                return;
            }
            self.tokens.advance();
            if token.is_symbol(";") {
                return;
            }
        }
    }

    fn statement(&mut self) -> Result<Statement, Diagnostic> {
        let keyword = self.token();
        let kind = match (&keyword.kind, keyword.text) {
            (TokenKind::Identifier, "define") => StatementKind::Define,
            (TokenKind::Identifier, "assume") => StatementKind::Property(Role::Assume),
            (TokenKind::Identifier, "assert" | "guarantee") => {
                StatementKind::Property(Role::Assert)
            }
            _ => return Err(unknown_statement(keyword)),
        };
        self.tokens.advance();
        let name = match kind {
            StatementKind::Define => Some(self.defined_name(keyword)?),
            StatementKind::Property(_) => self.property_name(),
        };
        let start = self.tokens.position();
        let first = self.tree.len();
        let root = parser::parse(&mut self.tokens, &mut self.tree, Dialect::Formula)?;
        let end = self.semicolon(start, name.is_none())?;
        Ok(Statement {
            kind,
            name,
            span: keyword.span.to(end),
            first,
            root,
        })
    }

    /// `name :=`
    fn defined_name(&mut self, keyword: &Token<'_>) -> Result<(String, Span), Diagnostic> {
        let token = self.token();
        let plain = token.kind == TokenKind::Identifier && !is_formula_word(token.text);
        if !plain {
            let help = if token.kind == TokenKind::Identifier {
                format!(
                    "`{}` has a meaning of its own in formulas; choose another name",
                    token.text
                )
            } else {
                "write for example `define busy := state != IDLE;`".to_string()
            };
            return Err(incomplete(token, "a definition needs a name")
                .at(keyword.span, "this definition")
                .help(help));
        }
        let assign = self.token_at(1);
        if !assign.is_symbol(":=") {
            self.tokens.advance();
            return Err(
                incomplete(assign, "`:=` has to follow the name of a definition")
                    .help(format!("write `define {} := ...;`", token.text)),
            );
        }
        self.tokens.advance();
        self.tokens.advance();
        Ok((token.text.to_string(), token.span))
    }

    /// `name :`, if it is there.
    fn property_name(&mut self) -> Option<(String, Span)> {
        let token = self.token();
        let named = matches!(token.kind, TokenKind::Identifier | TokenKind::Escaped)
            && self.token_at(1).is_symbol(":");
        if !named {
            return None;
        }
        self.tokens.advance();
        self.tokens.advance();
        Some((token.text.to_string(), token.span))
    }

    fn semicolon(&mut self, start: usize, unnamed: bool) -> Result<Span, Diagnostic> {
        let token = self.token();
        if token.is_symbol(";") {
            self.tokens.advance();
            return Ok(token.span);
        }
        let previous = self.tokens.last().span;
        let word = token.kind == TokenKind::Identifier;
        let next_statement = word
            && (STATEMENT_WORDS.contains(&token.text)
                || token.starts_line && closest(token.text, STATEMENT_WORDS).is_some());
        if token.kind == TokenKind::End || next_statement {
            let end = Span {
                start: previous.end,
                ..previous
            };
            // Nothing is skipped: the next statement is fine.
            self.errors.push(
                Diagnostic::error(codes::MISSING_SEMICOLON, "this statement does not end")
                    .at(end, "`;` is missing here")
                    .help("end each statement with `;`"),
            );
            return Ok(previous);
        }
        let error = mistake::unexpected(token, Dialect::Formula);
        // `assert mutex G p`: the first word was meant as a name.
        let first = self.tokens.at(start);
        let meant_otherwise =
            error.help.is_some() && TemporalUnary::from_text(token.text).is_none();
        let name_without_colon = unnamed
            && self.tokens.position() == start + 1
            && first.kind == TokenKind::Identifier
            && word
            && !meant_otherwise;
        if name_without_colon {
            return Err(error.help(format!(
                "if `{0}` is the name of the property, write `{0}:`",
                first.text
            )));
        }
        Err(error)
    }
}

fn incomplete(token: &Token<'_>, message: &str) -> Diagnostic {
    if let TokenKind::Invalid(diagnostic) = &token.kind {
        return (**diagnostic).clone();
    }
    Diagnostic::error(codes::INCOMPLETE_STATEMENT, message)
        .at(token.span, format!("found {}", token.describe()))
}

fn unknown_statement(token: &Token<'_>) -> Diagnostic {
    if let TokenKind::Invalid(diagnostic) = &token.kind {
        return (**diagnostic).clone();
    }
    let found = token.describe();
    let diagnostic = Diagnostic::error(
        codes::UNKNOWN_STATEMENT,
        format!("expected a statement, found {found}"),
    )
    .at(token.span, "a statement starts here");
    let suggestion = match token.text {
        "property" | "ensure" | "ensures" | "spec" | "LTLSPEC" | "prove" => Some("assert"),
        "assumption" | "require" | "requires" | "asm" => Some("assume"),
        "gar" => Some("guarantee"),
        "let" | "macro" => Some("define"),
        text => closest(text, STATEMENT_WORDS),
    };
    match suggestion {
        Some(word) if token.kind == TokenKind::Identifier => {
            diagnostic.help(format!("did you mean `{word}`?"))
        }
        _ => diagnostic.help("statements start with `define`, `assume`, `assert` or `guarantee`"),
    }
}
