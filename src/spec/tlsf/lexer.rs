//! Words and symbols of TLSF.

use crate::source::codes::specification as codes;
use crate::source::{Diagnostic, FileId, Span};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    Word,
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

/// Longer ones first.
const SYMBOLS: [&str; 36] = [
    "<->", "(+)", "(-)", "(*)", "(\\)", "&&", "||", "->", "<-", "==", "/=", "!=", "<=", ">=", "..",
    "(", ")", "{", "}", "[", "]", ";", ":", ",", ".", "=", "<", ">", "+", "-", "*", "/", "%", "!",
    "|", "~",
];

impl Token<'_> {
    pub fn is(&self, text: &str) -> bool {
        self.text == text && matches!(self.kind, TokenKind::Word | TokenKind::Symbol)
    }

    pub fn describe(&self) -> String {
        match self.kind {
            TokenKind::End => "the end of the file".to_string(),
            TokenKind::Text => "a text in quotes".to_string(),
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
        if rest.starts_with("//") {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
            continue;
        }
        if rest.starts_with("/*") {
            let length = comment_length(rest).ok_or_else(|| {
                Diagnostic::error(codes::UNEXPECTED_TEXT, "this comment has no end")
                    .at(Span::new(file, at, at + 2), "opened here")
                    .note("comments nest: each `/*` needs a `*/` of its own")
                    .help("write `*/` where it ends")
            })?;
            rest = &rest[length..];
            continue;
        }
        let (kind, length) = measure(rest, first).map_err(|problem| {
            let length = first.len_utf8();
            let span = Span::new(file, at, at + length);
            match problem {
                Problem::OpenText => {
                    Diagnostic::error(codes::UNEXPECTED_TEXT, "this text has no end")
                        .at(span, "opened here")
                        .help("close it with `\"`")
                }
                Problem::Unknown => Diagnostic::error(
                    codes::UNEXPECTED_TEXT,
                    format!("`{first}` means nothing in TLSF"),
                )
                .at(span, "unknown character")
                .help(match first {
                    '&' => "conjunction is `&&`",
                    '^' => "there is no exclusive or: write `!(a <-> b)`",
                    _ => "remove it",
                }),
            }
        })?;
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

enum Problem {
    OpenText,
    Unknown,
}

fn measure(rest: &str, first: char) -> Result<(TokenKind, usize), Problem> {
    let up_to = |from: usize, end: fn(char) -> bool| {
        let length = rest[from..].find(end);
        length.map_or(rest.len(), |length| length + from)
    };
    if first.is_ascii_digit() {
        return Ok((TokenKind::Number, up_to(0, |c| !c.is_ascii_digit())));
    }
    if first.is_ascii_alphabetic() || first == '_' || first == '@' {
        let end = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '@' | '\''));
        return Ok((TokenKind::Word, up_to(1, end)));
    }
    if first == '"' {
        let mut escaped = false;
        for (index, character) in rest.char_indices().skip(1) {
            match character {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => return Ok((TokenKind::Text, index + 1)),
                _ => {}
            }
        }
        return Err(Problem::OpenText);
    }
    let symbol = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol));
    let symbol = symbol.ok_or(Problem::Unknown)?;
    Ok((TokenKind::Symbol, symbol.len()))
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
