//! From text to words, numbers, texts in quotes and symbols, for languages whose texts look
//! alike and differ in details only: Spectra, TLSF and HOA.

use crate::limits::Limits;
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

/// What sets a language apart.
pub struct Language {
    pub name: &'static str,
    /// Longer ones first.
    pub symbols: &'static [&'static str],
    /// How comments up to the end of the line start.
    pub line_comments: &'static [&'static str],
    /// Whether `/*` inside a comment needs a `*/` of its own.
    pub comments_nest: bool,
    pub starts_word: fn(char) -> bool,
    pub continues_word: fn(char) -> bool,
    pub quotes: &'static [char],
    /// What to do about a character that means nothing.
    pub hint: fn(char) -> &'static str,
}

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

/// How long the byte-order mark is: how some editors start a file, and not part of it.
pub fn mark_length(text: &str) -> usize {
    let mark = '\u{feff}';
    match text.starts_with(mark) {
        true => mark.len_utf8(),
        false => 0,
    }
}

impl Language {
    /// The last token is the end.
    pub fn tokens<'t>(
        &self,
        file: FileId,
        text: &'t str,
        limits: &Limits,
    ) -> Result<Vec<Token<'t>>, Diagnostic> {
        let mut found = Vec::new();
        let mut at = mark_length(text);
        while let Some(first) = text[at..].chars().next() {
            limits.poll()?;
            let rest = &text[at..];
            if first.is_whitespace() {
                at += first.len_utf8();
            } else if self.line_comments.iter().any(|mark| rest.starts_with(mark)) {
                at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                let length = self.comment_length(rest);
                at += length.ok_or_else(|| self.open_comment(Span::new(file, at, at + 2)))?;
            } else {
                let before = text[..at].chars().next_back();
                let measured = self.measure(rest, first, before);
                let (kind, length) = measured.map_err(|problem| {
                    let span = Span::new(file, at, at + first.len_utf8());
                    self.refuse(problem, first, span)
                })?;
                found.push(Token {
                    kind,
                    text: &rest[..length],
                    span: Span::new(file, at, at + length),
                });
                at += length;
            }
        }
        found.push(Token {
            kind: TokenKind::End,
            text: "",
            span: Span::new(file, text.len(), text.len()),
        });
        Ok(found)
    }

    fn measure(
        &self,
        rest: &str,
        first: char,
        before: Option<char>,
    ) -> Result<(TokenKind, usize), Problem> {
        if first.is_ascii_digit() {
            let length = rest.find(|c: char| !c.is_ascii_digit());
            return Ok((TokenKind::Number, length.unwrap_or(rest.len())));
        }
        if (self.starts_word)(first) {
            let start = first.len_utf8();
            let length = rest[start..].find(|c| !(self.continues_word)(c));
            let length = length.map_or(rest.len(), |length| length + start);
            return Ok((TokenKind::Word, length));
        }
        // Behind a name, a single quote is a prime.
        let is_prime = first == '\'' && before.is_some_and(self.continues_word);
        if self.quotes.contains(&first) && !is_prime {
            let length = text_length(rest, first).ok_or(Problem::OpenText)?;
            return Ok((TokenKind::Text, length));
        }
        let symbol = self
            .symbols
            .iter()
            .find(|symbol| rest.starts_with(**symbol));
        let symbol = symbol.ok_or(Problem::Unknown)?;
        Ok((TokenKind::Symbol, symbol.len()))
    }

    /// Up to the end of the comment that starts here.
    fn comment_length(&self, rest: &str) -> Option<usize> {
        let bytes = rest.as_bytes();
        let (mut depth, mut index) = (1, 2);
        while index + 1 < bytes.len() {
            match &bytes[index..index + 2] {
                b"/*" if self.comments_nest => {
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

    fn open_comment(&self, span: Span) -> Diagnostic {
        let error = Diagnostic::error(codes::UNEXPECTED_TEXT, "this comment has no end")
            .at(span, "opened here")
            .help("write `*/` where it ends");
        if self.comments_nest {
            return error.note("comments nest: each `/*` needs a `*/` of its own");
        }
        error
    }

    fn refuse(&self, problem: Problem, first: char, span: Span) -> Diagnostic {
        match problem {
            Problem::OpenText => Diagnostic::error(codes::UNEXPECTED_TEXT, "this text has no end")
                .at(span, "opened here")
                .help(format!("close it with `{first}`")),
            Problem::Unknown => Diagnostic::error(
                codes::UNEXPECTED_TEXT,
                format!("`{first}` means nothing in {}", self.name),
            )
            .at(span, "unknown character")
            .help((self.hint)(first)),
        }
    }
}

enum Problem {
    OpenText,
    Unknown,
}

/// With both quotes; behind a `\`, a quote is part of the text.
fn text_length(rest: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (index, character) in rest.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if character == quote => return Some(index + quote.len_utf8()),
            _ => {}
        }
    }
    None
}
