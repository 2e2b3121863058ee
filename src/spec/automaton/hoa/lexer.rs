//! Words and symbols of HOA.

use crate::source::codes::specification as codes;
use crate::source::{Diagnostic, FileId, Span};

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

const SYMBOLS: [&str; 12] = [
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
];

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
pub fn tokens(file: FileId, text: &str) -> Result<Vec<Token<'_>>, Diagnostic> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        if rest.starts_with("/*") {
            at += comment_length(rest).ok_or_else(|| {
                unexpected("this comment has no end", Span::new(file, at, at + 2))
                    .note("comments nest: each `/*` needs a `*/` of its own")
                    .help("write `*/` where it ends")
            })?;
            continue;
        }
        let (kind, from, to, length) = measure(rest, first).ok_or_else(|| {
            let span = Span::new(file, at, at + first.len_utf8());
            if first == '"' {
                unexpected("this text has no end", span).help("close it with `\"`")
            } else {
                let message = format!("`{first}` means nothing in HOA");
                unexpected(&message, span).help("remove it")
            }
        })?;
        found.push(Token {
            kind,
            text: &rest[from..to],
            span: Span::new(file, at, at + length),
        });
        at += length;
    }
    found.push(Token {
        kind: TokenKind::End,
        text: "",
        span: Span::new(file, text.len(), text.len()),
    });
    Ok(found)
}

fn unexpected(message: &str, span: Span) -> Diagnostic {
    Diagnostic::error(codes::UNEXPECTED_TEXT, message).at(span, "here")
}

/// The kind of the first token, where its text is, and its length.
fn measure(rest: &str, first: char) -> Option<(TokenKind, usize, usize, usize)> {
    let up_to = |from: usize, end: fn(char) -> bool| {
        let length = rest[from..].find(end);
        length.map_or(rest.len(), |length| length + from)
    };
    let is_inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let after_name: fn(char) -> bool =
        |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    if first.is_ascii_digit() {
        let end = up_to(0, |c| !c.is_ascii_digit());
        return Some((TokenKind::Number, 0, end, end));
    }
    if first.is_ascii_alphabetic() || first == '_' {
        let end = up_to(1, after_name);
        return Some(match rest[end..].starts_with(':') {
            true => (TokenKind::Header, 0, end, end + 1),
            false => (TokenKind::Word, 0, end, end),
        });
    }
    if first == '@' && rest[1..].starts_with(is_inside) {
        let end = up_to(1, after_name);
        return Some((TokenKind::Alias, 1, end, end));
    }
    if first == '"' {
        let mut escaped = false;
        for (index, character) in rest.char_indices().skip(1) {
            match character {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => return Some((TokenKind::Text, 0, index + 1, index + 1)),
                _ => {}
            }
        }
        return None;
    }
    let symbol = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol))?;
    Some((TokenKind::Symbol, 0, symbol.len(), symbol.len()))
}

/// Up to the end of the comment that starts here.
fn comment_length(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    let (mut depth, mut index) = (0, 0);
    while index + 1 < bytes.len() {
        match &bytes[index..index + 2] {
            b"/*" => {
                depth += 1;
                index += 2;
            }
            b"*/" => {
                depth -= 1;
                index += 2;
                if depth == 0 {
                    return Some(index);
                }
            }
            _ => index += 1,
        }
    }
    None
}
