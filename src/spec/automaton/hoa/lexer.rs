//! Words and symbols of HOA.

use crate::limits::Limits;
use crate::source::codes::specification as codes;
use crate::source::{Diagnostic, FileId, Span};
use crate::spec::scanner::{self, Language};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// `States:`, without the colon in its text.
    Header,
    Word,
    /// `@name`, without the first character in its text.
    Alias,
    Number,
    /// With its quotes.
    Text,
    Symbol,
    End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'t> {
    pub kind: TokenKind,
    pub text: &'t str,
    pub span: Span,
}

const HOA: Language = Language {
    name: "HOA",
    symbols: &[
        "--BODY--",
        "--END--",
        "--ABORT--",
        "!",
        "&",
        "|",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ":",
    ],
    line_comments: &[],
    comments_nest: true,
    starts_word: |c| c.is_ascii_alphabetic() || matches!(c, '_' | '@'),
    continues_word: |c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'),
    quotes: &['"'],
    hint: |_| "remove it",
};

impl Token<'_> {
    pub fn is(&self, symbol: &str) -> bool {
        self.kind == TokenKind::Symbol && self.text == symbol
    }

    pub fn describe(&self) -> String {
        match self.kind {
            TokenKind::End => "the end of the file".to_string(),
            TokenKind::Header => format!("`{}:`", self.text),
            TokenKind::Alias => format!("`@{}`", self.text),
            _ => format!("`{}`", self.text),
        }
    }

    /// The characters between quotes.
    pub fn unquoted(&self) -> String {
        let inner = self.text.trim_matches('"');
        let inner = match self.text.len() {
            0 | 1 => inner,
            length => &self.text[1..length - 1],
        };
        let mut result = String::new();
        let mut characters = inner.chars();
        while let Some(character) = characters.next() {
            match character {
                '\\' => result.extend(characters.next()),
                other => result.push(other),
            }
        }
        result
    }
}

/// The last token is the end.
pub fn tokens<'t>(
    file: FileId,
    text: &'t str,
    limits: &Limits,
) -> Result<Vec<Token<'t>>, Diagnostic> {
    let mut found: Vec<Token<'t>> = Vec::new();
    for token in HOA.tokens(file, text, limits)? {
        let scanner::Token { text, span, .. } = token;
        if token.is(":") {
            // The colon of a header touches its word.
            match found.last_mut() {
                Some(word) if word.kind == TokenKind::Word && word.span.end == span.start => {
                    word.kind = TokenKind::Header;
                    word.span = word.span.to(span);
                    continue;
                }
                _ => return Err(meaningless(":", span)),
            }
        }
        let kind = match token.kind {
            scanner::TokenKind::Word if text.starts_with('@') => TokenKind::Alias,
            scanner::TokenKind::Word => TokenKind::Word,
            scanner::TokenKind::Number => TokenKind::Number,
            scanner::TokenKind::Text => TokenKind::Text,
            scanner::TokenKind::Symbol => TokenKind::Symbol,
            scanner::TokenKind::End => TokenKind::End,
        };
        let text = text.strip_prefix('@').unwrap_or(text);
        if kind == TokenKind::Alias && text.is_empty() {
            return Err(meaningless("@", span));
        }
        found.push(Token { kind, text, span });
    }
    Ok(found)
}

fn meaningless(symbol: &str, span: Span) -> Diagnostic {
    let message = format!("`{symbol}` means nothing here");
    Diagnostic::error(codes::UNEXPECTED_TEXT, message)
        .at(span, "unknown character")
        .help("remove it")
}
