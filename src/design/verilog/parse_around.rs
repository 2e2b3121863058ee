//! Reading around what is not part of the supported language.
//!
//! An item or statement that cannot be read is left out up to its end, which tokens alone
//! show: a semicolon outside of all brackets and blocks, or the word that closes the first
//! block. What stands after it is read as if it had not been there.

use super::parse::{Parsed, Parser, Unread};
use crate::expr::keywords::is_keyword;
use crate::expr::token::TokenKind;
use crate::source::Diagnostic;

/// Words that open what a word with `end` closes.
const OPENING: [&str; 14] = [
    "begin",
    "case",
    "casex",
    "casez",
    "generate",
    "function",
    "task",
    "module",
    "package",
    "interface",
    "class",
    "specify",
    "covergroup",
    "primitive",
];
/// The same, but only as the first word of an item.
const OPENING_FIRST: [&str; 3] = ["property", "sequence", "clocking"];

impl Parser<'_, '_> {
    /// `#1` or `#(DELAY)` of an assignment, a net or a gate: it is noted, and means nothing.
    pub(super) fn delay(&mut self) -> Parsed<()> {
        if self.at_symbol("@") {
            return Err(self.unsupported("an event in an assignment"));
        }
        let start = self.token().span;
        if !self.take_symbol("#") {
            return Ok(());
        }
        if self.take_symbol("(") {
            self.delay_value()?;
            while self.take_symbol(",") || self.take_symbol(":") {
                self.delay_value()?;
            }
            self.expect(")")?;
        } else if self.is_identifier(0)
            || matches!(self.token().kind, TokenKind::Number(_))
            || self.token().is_real()
        {
            self.tokens.advance();
        } else {
            return Err(self.unexpected("a delay"));
        }
        self.delays.push(start.to(self.last_span()));
        Ok(())
    }

    /// An expression of which nothing is needed, so that real numbers are no harm.
    fn delay_value(&mut self) -> Parsed<()> {
        let start = self.tokens.position();
        let Err(problem) = self.expression() else {
            return Ok(());
        };
        self.tokens.go_to(start);
        let (mut open, mut has_real) = (0usize, false);
        while self.token().kind != TokenKind::End {
            let ends = [")", ",", ":"].iter().any(|symbol| self.at_symbol(symbol));
            if self.at_symbol(";") || ends && open == 0 {
                break;
            }
            has_real |= self.token().is_real();
            open += usize::from(self.at_symbol("("));
            open -= usize::from(self.at_symbol(")"));
            self.tokens.advance();
        }
        match has_real && open == 0 {
            true => Ok(()),
            false => Err(problem),
        }
    }

    /// Goes on behind the item or statement that starts at a token, or passes the problem on.
    pub(super) fn leave_out(&mut self, start: usize, problem: Diagnostic) -> Parsed<()> {
        if self.unread == Unread::Refused {
            return Err(problem);
        }
        self.tokens.go_to(start);
        let mut blocks = 0;
        let mut brackets = 0i32;
        while self.token().kind != TokenKind::End {
            let is_first = self.tokens.position() == start;
            let word = match self.token().kind {
                TokenKind::Identifier => self.token().text,
                _ => "",
            };
            let opens = OPENING.contains(&word) || is_first && OPENING_FIRST.contains(&word);
            let closes = word.starts_with("end") && is_keyword(word);
            if closes && blocks == 0 && !is_first {
                // It closes what is around.
                return Ok(());
            }
            self.tokens.advance();
            blocks += opens as i32;
            match self.last_token().kind {
                TokenKind::Symbol("(" | "[" | "{") => brackets += 1,
                TokenKind::Symbol(")" | "]" | "}") => brackets -= 1,
                _ => {}
            }
            let is_over = if closes {
                blocks -= (blocks > 0) as i32;
                self.label()?;
                blocks == 0
            } else {
                blocks == 0 && brackets <= 0 && self.last_token().is_symbol(";")
            };
            if is_over && !self.at("else") {
                return Ok(());
            }
        }
        Ok(())
    }
}
