//! Words and symbols of the Spectra language.

use crate::source::codes::specification as codes;
use crate::source::{Diagnostic, FileId, Span};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    Word,
    Number,
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

/// Longer ones first.
const SYMBOLS: [&str; 35] = [
    "<->", "|=>", "->", ":=", "..", "!=", "<=", ">=", "==", "&&", "||", "(", ")", "{", "}", "[",
    "]", ";", ":", ",", ".", "=", "<", ">", "+", "-", "*", "/", "%", "&", "|", "!", "?", "~", "'",
];

impl Token<'_> {
    pub fn is(&self, text: &str) -> bool {
        self.text == text && matches!(self.kind, TokenKind::Word | TokenKind::Symbol)
    }

    pub fn describe(&self) -> String {
        match self.kind {
            TokenKind::End => "the end of the file".to_string(),
            _ => format!("`{}`", self.text),
        }
    }
}

/// The last token is the end.
pub fn tokens(file: FileId, text: &str) -> Result<Vec<Token<'_>>, Diagnostic> {
    let mut found = Vec::new();
    let mut rest = text;
    loop {
        let at = text.len() - rest.len();
        let Some(first) = rest.chars().next() else {
            break;
        };
        if first.is_whitespace() {
            rest = &rest[first.len_utf8()..];
            continue;
        }
        if rest.starts_with("//") || rest.starts_with("--") {
            let end = rest.find('\n').unwrap_or(rest.len());
            rest = &rest[end..];
            continue;
        }
        if rest.starts_with("/*") {
            let Some(end) = rest.find("*/") else {
                let span = Span::new(file, at, at + 2);
                return Err(
                    Diagnostic::error(codes::UNEXPECTED_TEXT, "this comment has no end")
                        .at(span, "opened here")
                        .help("write `*/` where it ends"),
                );
            };
            rest = &rest[end + 2..];
            continue;
        }
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let (kind, length) = if first.is_ascii_digit() {
            let length = rest.find(|c: char| !c.is_ascii_digit());
            (TokenKind::Number, length.unwrap_or(rest.len()))
        } else if is_word(first) || first == '^' {
            let start = first.len_utf8();
            let length = rest[start..].find(|c: char| !is_word(c));
            (
                TokenKind::Word,
                length.map_or(rest.len(), |end| end + start),
            )
        } else if first == '"' || first == '\u{27}' && rest[1..].contains('\u{27}') {
            match rest[1..].find(first) {
                Some(end) => (TokenKind::Text, end + 2),
                None => {
                    let span = Span::new(file, at, at + 1);
                    return Err(
                        Diagnostic::error(codes::UNEXPECTED_TEXT, "this text has no end")
                            .at(span, "opened here")
                            .help("close it with the same quote"),
                    );
                }
            }
        } else if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            (TokenKind::Symbol, symbol.len())
        } else {
            let span = Span::new(file, at, at + first.len_utf8());
            return Err(Diagnostic::error(
                codes::UNEXPECTED_TEXT,
                format!("`{first}` means nothing in a specification"),
            )
            .at(span, "unknown character")
            .help("remove it"));
        };
        found.push(Token {
            kind,
            text: &rest[..length],
            span: Span::new(file, at, at + length),
        });
        rest = &rest[length..];
    }
    found.push(Token {
        kind: TokenKind::End,
        text: "",
        span: Span::new(file, text.len(), text.len()),
    });
    Ok(found)
}
