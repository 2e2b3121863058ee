//! The header of an HOA file: what there is, before what leads where.

use super::lexer::{Token, TokenKind};
use super::parser::{Parser, Result, error, not_supported, too_large};
use crate::expr::{Expr, ExprKind};
use crate::source::Span;
use crate::source::codes::specification as codes;
use crate::spec::automaton::omega::{LongRun, Proposition};
use crate::spec::formula::{Formula, FormulaId, Formulas};
use std::collections::HashMap;

/// More states, or sets, than this are not read.
pub const MOST_STATES: usize = 100_000;
const MOST_SETS: usize = 1_000;

/// What the header says.
#[derive(Default)]
pub struct Header {
    pub name: String,
    pub formulas: Formulas,
    pub propositions: Vec<Proposition>,
    pub aliases: HashMap<String, FormulaId>,
    /// With the span where it is said.
    pub states: Option<(usize, Span)>,
    pub start: Vec<(usize, Span)>,
    pub controllable: Option<Vec<(usize, Span)>>,
    pub acceptance: Option<(Raw, Span)>,
    /// Sets that the file declares.
    pub sets: usize,
    /// The sets whose complement gets a set of its own, in the order of these.
    pub complements: Vec<usize>,
    has_propositions: bool,
}

/// An acceptance condition whose sets have not been numbered anew.
pub type Raw = LongRun;

impl Header {
    fn proposition(&mut self, name: String, span: Span, parser: &Parser<'_>) -> Result<()> {
        if self.propositions.iter().any(|known| known.name == name) {
            let message = format!("proposition `{name}` is listed twice");
            return Err(error(codes::REPEATED_DECLARATION, message, span)
                .help("a proposition has one number"));
        }
        let expr = Expr {
            kind: ExprKind::Name(vec![name.clone()]),
            span: None,
        };
        let formula = self.formulas.condition_atom(&expr);
        let Formula::Atom(atom) = *self.formulas.get(formula) else {
            return Err(parser.unexpected("a name"));
        };
        self.propositions.push(Proposition { name, atom });
        Ok(())
    }

    /// The sets of edges after complements were given sets of their own.
    pub fn all_sets(&self) -> usize {
        self.sets + self.complements.len()
    }
}

impl Parser<'_> {
    /// Up to and with `--BODY--`.
    pub fn header(&mut self) -> Result<Header> {
        let first = self.peek();
        if !(first.kind == TokenKind::Header && first.text == "HOA") {
            return Err(self.unexpected("`HOA: v1` at the beginning"));
        }
        self.advance();
        let version = self.advance();
        if version.kind != TokenKind::Word || !version.text.starts_with("v1") {
            let message = format!("{} is no version that is read", version.describe());
            return Err(not_supported(message, version.span).help("write `HOA: v1`"));
        }
        let mut header = Header::default();
        let mut aliases = Vec::new();
        loop {
            let token = self.advance();
            match token.kind {
                TokenKind::Header => self.item(token, &mut header, &mut aliases)?,
                TokenKind::Symbol if token.text == "--BODY--" => break,
                _ => {
                    self.step_back();
                    return Err(self.unexpected("an item of the header, or `--BODY--`"));
                }
            }
        }
        // Aliases may stand before the propositions that they speak of.
        let body = self.position();
        for (name, at) in aliases {
            self.go_to(at);
            let formula = self.label(&mut header)?;
            header.aliases.insert(name, formula);
        }
        self.go_to(body);
        Ok(header)
    }

    fn item(
        &mut self,
        token: Token<'_>,
        header: &mut Header,
        aliases: &mut Vec<(String, usize)>,
    ) -> Result<()> {
        let repeated = |is_there: bool| {
            if is_there {
                let message = format!("`{}:` is there twice", token.text);
                Err(error(codes::REPEATED_DECLARATION, message, token.span).help("keep one"))
            } else {
                Ok(())
            }
        };
        match token.text {
            "States" => {
                repeated(header.states.is_some())?;
                let (count, span) = self.number()?;
                if count > MOST_STATES {
                    return Err(too_large("states", MOST_STATES, span));
                }
                header.states = Some((count, span));
            }
            "Start" => {
                let state = self.state()?;
                header.start.push(state);
            }
            "AP" => {
                repeated(header.has_propositions)?;
                self.propositions(header)?;
            }
            "controllable-AP" => {
                repeated(header.controllable.is_some())?;
                let mut found = Vec::new();
                while self.peek().kind == TokenKind::Number {
                    found.push(self.number()?);
                }
                header.controllable = Some(found);
            }
            "Alias" => {
                let name = self.advance();
                if name.kind != TokenKind::Alias {
                    self.step_back();
                    return Err(self.unexpected("a name such as `@a`"));
                }
                repeated(aliases.iter().any(|(known, _)| known == name.text))?;
                aliases.push((name.text.to_string(), self.position()));
                self.skip_label();
            }
            "Acceptance" => {
                repeated(header.acceptance.is_some())?;
                let (count, span) = self.number()?;
                if count > MOST_SETS {
                    return Err(too_large("acceptance sets", MOST_SETS, span));
                }
                header.sets = count;
                let condition = self.condition(header, 0)?;
                header.acceptance = Some((condition, token.span.to(self.last_span())));
            }
            "name" => {
                let name = self.advance();
                if name.kind != TokenKind::Text {
                    self.step_back();
                    return Err(self.unexpected("a text in quotes"));
                }
                header.name = name.unquoted();
            }
            other if other.starts_with(|c: char| c.is_ascii_uppercase()) => {
                let message = format!("`{other}:` changes what an automaton means, and is unknown");
                return Err(not_supported(message, token.span)
                    .help("remove it if the automaton means the same without"));
            }
            // `acc-name`, `properties`, `tool` and others repeat or explain what is said.
            _ => {
                while matches!(
                    self.peek().kind,
                    TokenKind::Word | TokenKind::Number | TokenKind::Text
                ) {
                    self.advance();
                }
            }
        }
        Ok(())
    }

    /// The number of propositions, and their names.
    fn propositions(&mut self, header: &mut Header) -> Result<()> {
        header.has_propositions = true;
        let (count, span) = self.number()?;
        while self.peek().kind == TokenKind::Text {
            let name = self.advance();
            header.proposition(name.unquoted(), name.span, self)?;
        }
        if header.propositions.len() != count {
            let found = header.propositions.len();
            let message = format!("{count} propositions are said to follow, and {found} do");
            return Err(error(codes::UNEXPECTED_TEXT, message, span)
                .help("write the number of names in quotes"));
        }
        Ok(())
    }
}
