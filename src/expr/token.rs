//! Cuts a text into tokens.
//!
//! What is wrong with a token becomes a token itself, [`TokenKind::Invalid`], so that the
//! parser reports it at its location and a file with several statements gets one message per
//! broken statement.

use super::codes;
use super::number::NumberProblem;
use super::{Dialect, Number};
use crate::limits::Limits;
use crate::source::{Code, Diagnostic, FileId, Span};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A plain identifier, keyword or not.
    Identifier,
    /// `\a+b `; the token's text is without the backslash. Never an operator.
    Escaped,
    /// `$past`
    System,
    Number(Number),
    /// An operator or a bracket.
    Symbol(&'static str),
    /// `` `define ``, `` `WIDTH ``; the token's text is without the back quote. Only in a
    /// source file.
    Directive,
    /// `"text"`, with its quotes. Only in a source file.
    Text,
    Invalid(Box<Diagnostic>),
    /// The end of the text.
    End,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    pub kind: TokenKind,
    pub text: &'a str,
    pub span: Span,
    /// Whether a line break stands between this token and the one before it.
    pub starts_line: bool,
}

impl Token<'_> {
    pub fn is_symbol(&self, symbol: &str) -> bool {
        matches!(self.kind, TokenKind::Symbol(text) if text == symbol)
    }

    /// Whether this is a plain identifier of that spelling.
    pub fn is_word(&self, word: &str) -> bool {
        self.kind == TokenKind::Identifier && self.text == word
    }

    /// Whether this is a real number or a time, which is invalid wherever a value is meant.
    pub fn is_real(&self) -> bool {
        let starts_with_digit = self.text.starts_with(|first: char| first.is_ascii_digit());
        matches!(&self.kind, TokenKind::Invalid(problem) if problem.code == codes::UNSUPPORTED_LITERAL)
            && starts_with_digit
            && (self.text.contains('.') || self.text.ends_with('s'))
    }

    /// Whether this is a string in quotes.
    pub fn is_text(&self) -> bool {
        self.kind == TokenKind::Text
    }

    /// How messages name this token.
    pub fn describe(&self) -> String {
        match self.kind {
            TokenKind::End => "the end of the file".to_string(),
            TokenKind::Escaped => format!("`\\{} `", abbreviate(self.text)),
            TokenKind::Directive => format!("the macro `{}`", abbreviate(self.text)),
            _ => format!("`{}`", abbreviate(self.text)),
        }
    }
}

/// Longest first, so that the first match is the right one. Some exist only to be named in
/// a message: `=>`, `<=>`, `|->`, `|=>`, `<>`, `/\`.
const SYMBOLS: [&str; 52] = [
    "<<<", ">>>", "===", "!==", "<->", "<=>", "|->", "|=>", ":=", "->", "=>", "&&", "||", "==",
    "!=", "<=", ">=", "<<", ">>", "<>", "**", "~&", "~|", "~^", "^~", "+:", "-:", "/\\", "(", ")",
    "[", "]", "{", "}", ",", ";", ":", "?", ".", "!", "~", "+", "-", "*", "/", "%", "<", ">", "=",
    "&", "|", "^",
];

/// What a Verilog file has besides expressions, longest first.
const SOURCE_SYMBOLS: [&str; 34] = [
    "<<<=", ">>>=", "<<=", ">>=", "&&&", "->>", "|->", "|=>", "#-#", "#=#", "'{", "'(", "'1", "++",
    "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "::", "##", "#", "@", "=>", "->", "==?",
    "!=?", "``", "`\"", "$",
];

/// Whether a text begins with a symbol. Most do not, and show it by their first byte.
fn begins_with(text: &str, symbol: &str) -> bool {
    text.as_bytes().first() == symbol.as_bytes().first() && text.starts_with(symbol)
}

/// Cuts the whole text; the last token is always [`TokenKind::End`].
pub fn tokenize(file: FileId, text: &str, dialect: Dialect) -> Vec<Token<'_>> {
    tokenize_within(file, text, dialect, &Limits::default())
}

/// The same, except that the end comes at once when a limit is reached; who calls this asks the
/// limits before it believes the tokens.
pub fn tokenize_within<'a>(
    file: FileId,
    text: &'a str,
    dialect: Dialect,
    limits: &Limits,
) -> Vec<Token<'a>> {
    let mut lexer = Lexer {
        file,
        text,
        dialect,
        limits,
        position: 0,
        starts_line: true,
        tokens: Vec::new(),
    };
    // A byte-order mark is how some editors start a file, not part of it.
    if text.starts_with('\u{feff}') {
        lexer.position = '\u{feff}'.len_utf8();
    }
    lexer.run();
    lexer.tokens
}

struct Lexer<'a, 'l> {
    file: FileId,
    text: &'a str,
    dialect: Dialect,
    limits: &'l Limits,
    position: usize,
    starts_line: bool,
    tokens: Vec<Token<'a>>,
}

impl<'a> Lexer<'a, '_> {
    fn run(&mut self) {
        loop {
            self.skip_blanks();
            let first = self.rest().chars().next();
            let Some(first) = first.filter(|_| self.limits.poll().is_ok()) else {
                self.push(TokenKind::End, self.position, self.position);
                return;
            };
            self.starts_token(first);
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.position..]
    }

    fn push(&mut self, kind: TokenKind, start: usize, end: usize) {
        self.tokens.push(Token {
            kind,
            text: &self.text[start..end],
            span: Span::new(self.file, start, end),
            starts_line: self.starts_line,
        });
        self.starts_line = false;
        self.position = end;
    }

    fn invalid(&mut self, code: Code, end: usize, message: String, help: &str) {
        let start = self.position;
        let diagnostic = Diagnostic::error(code, message)
            .at(Span::new(self.file, start, end), "here")
            .help(help);
        self.push(TokenKind::Invalid(Box::new(diagnostic)), start, end);
    }

    /// Skips white space and comments.
    fn skip_blanks(&mut self) {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start().len();
            if blank > 0 {
                self.starts_line |= rest[..blank].contains('\n');
                self.position += blank;
                continue;
            }
            let continued = self.dialect == Dialect::Source
                && (rest.starts_with("\\\n") || rest.starts_with("\\\r\n"));
            if continued {
                self.starts_line = true;
                self.position += 2;
                continue;
            }
            let line_comment = rest.starts_with("//")
                || self.dialect == Dialect::Formula && rest.starts_with("--");
            if line_comment {
                self.position += rest.find('\n').unwrap_or(rest.len());
                continue;
            }
            if !rest.starts_with("/*") {
                return;
            }
            match rest[2..].find("*/") {
                Some(end) => {
                    self.starts_line |= rest[..end + 2].contains('\n');
                    self.position += end + 4;
                }
                None => {
                    let diagnostic = Diagnostic::error(
                        codes::UNTERMINATED_COMMENT,
                        "this comment is never closed",
                    )
                    .at(
                        Span::new(self.file, self.position, self.position + 2),
                        "the comment starts here",
                    )
                    .help("end it with `*/`");
                    let kind = TokenKind::Invalid(Box::new(diagnostic));
                    self.push(kind, self.position, self.text.len());
                    return;
                }
            }
        }
    }

    fn starts_token(&mut self, first: char) {
        let start = self.position;
        let rest = self.rest();
        if is_identifier_start(first) {
            self.push(
                TokenKind::Identifier,
                start,
                start + identifier_length(rest),
            );
            return;
        }
        match first {
            '0'..='9' => self.number(),
            '\'' if self.dialect == Dialect::Source && self.source_symbol() => {}
            '\'' => self.number(),
            '`' | '"' if self.dialect == Dialect::Source => self.source_token(first),
            '\\' => self.escaped(),
            '$' if rest[1..].starts_with(is_identifier_start) => {
                let end = start + 1 + identifier_length(&rest[1..]);
                self.push(TokenKind::System, start, end);
            }
            '"' => {
                let length = rest[1..]
                    .find(['"', '\n'])
                    .map_or(rest.len(), |end| end + 2)
                    .min(rest.len());
                let length = rest[..length].trim_end().len();
                self.invalid(
                    codes::UNSUPPORTED_LITERAL,
                    start + length,
                    "a string cannot be part of an expression".to_string(),
                    "compare with a number",
                );
            }
            '`' => {
                let length = 1 + identifier_length(&rest[1..]);
                self.invalid(
                    codes::UNSUPPORTED_LITERAL,
                    start + length,
                    "text macros of the design are not known here".to_string(),
                    "write the value, or the name of a parameter of the design",
                );
            }
            _ => self.symbol(first),
        }
    }

    /// A back quote with its word, or a string.
    fn source_token(&mut self, first: char) {
        let start = self.position;
        let rest = self.rest();
        if first == '`' {
            // Only in the text of macros: what joins two words, and the quotes of a string in
            // which parameters are replaced.
            if (rest.starts_with("``") || rest.starts_with("`\"")) && self.source_symbol() {
                return;
            }
            let length = identifier_length(&rest[1..]);
            if length == 0 {
                self.invalid(
                    codes::UNEXPECTED_CHARACTER,
                    start + 1,
                    "a back quote without a word".to_string(),
                    "write the name of a macro or directive behind it",
                );
                return;
            }
            self.push(TokenKind::Directive, start, start + 1 + length);
            if let Some(token) = self.tokens.last_mut() {
                token.text = &token.text[1..];
            }
            return;
        }
        let mut escaped = false;
        for (offset, symbol) in rest.char_indices().skip(1) {
            match symbol {
                '\n' if !escaped => break,
                '"' if !escaped => {
                    self.push(TokenKind::Text, start, start + offset + 1);
                    return;
                }
                _ => escaped = symbol == '\\' && !escaped,
            }
        }
        let length = rest.find('\n').unwrap_or(rest.len());
        self.invalid(
            codes::UNSUPPORTED_LITERAL,
            start + length,
            "this string is never closed".to_string(),
            "end it with `\"` on the same line",
        );
    }

    /// Takes a symbol that only source files have; false if there is none here.
    fn source_symbol(&mut self) -> bool {
        let start = self.position;
        let rest = self.rest();
        let found = SOURCE_SYMBOLS
            .into_iter()
            .find(|symbol| begins_with(rest, symbol));
        match found {
            // `'1` is all ones, `'1x` and `'1_0` are mistakes that numbers report.
            Some("'1") if rest[2..].starts_with(|next: char| is_number_byte(next as u8)) => false,
            Some(symbol) => {
                self.push(TokenKind::Symbol(symbol), start, start + symbol.len());
                true
            }
            None => false,
        }
    }

    fn symbol(&mut self, first: char) {
        if self.dialect == Dialect::Source && self.source_symbol() {
            return;
        }
        let start = self.position;
        let rest = self.rest();
        let found = SYMBOLS.into_iter().find(|symbol| {
            // `a /\b ` divides by an escaped name; only a lone `/\` is a conjunction.
            begins_with(rest, symbol)
                && (*symbol != "/\\"
                    || rest[2..]
                        .chars()
                        .next()
                        .is_none_or(|next| next.is_whitespace() || next == '('))
        });
        if let Some(symbol) = found {
            self.push(TokenKind::Symbol(symbol), start, start + symbol.len());
            return;
        }
        let known = plain_spelling(first);
        let length = match known {
            Some(_) => first.len_utf8(),
            // One message for a run of characters that mean nothing, such as text in another script.
            None => rest
                .find(|next: char| next.is_ascii() && next != first)
                .unwrap_or(rest.len())
                .max(first.len_utf8()),
        };
        let help = match known {
            Some(spelling) => format!("write `{spelling}`"),
            None => "remove it".to_string(),
        };
        self.invalid(
            codes::UNEXPECTED_CHARACTER,
            start + length,
            format!("unexpected character `{}`", first.escape_debug()),
            &help,
        );
    }

    fn escaped(&mut self) {
        let start = self.position;
        let rest = &self.rest()[1..];
        let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
        if length == 0 {
            self.invalid(
                codes::UNEXPECTED_CHARACTER,
                start + 1,
                "an escaped name needs characters after the `\\`".to_string(),
                "write `\\name ` with a blank at its end",
            );
            return;
        }
        if &rest[..length] == "/" {
            self.invalid(
                codes::FOREIGN_OPERATOR,
                start + 2,
                "`\\/` is not an operator here".to_string(),
                "write `|`",
            );
            return;
        }
        self.push(TokenKind::Escaped, start, start + 1 + length);
        if let Some(token) = self.tokens.last_mut() {
            token.text = &token.text[1..];
        }
    }

    /// A number, with blanks allowed around the base as in `4 'd 3`.
    fn number(&mut self) {
        let start = self.position;
        let bytes = self.text.as_bytes();
        let mut end = start;
        while end < bytes.len() && (bytes[end].is_ascii_digit() || bytes[end] == b'_') {
            end += 1;
        }
        if end > start && bytes.get(end) == Some(&b'.') && starts_digit(bytes, end + 1) {
            end = end + 1 + run_length(bytes, end + 1, |byte| byte.is_ascii_alphanumeric());
            self.invalid(
                codes::UNSUPPORTED_LITERAL,
                end,
                "a real number cannot be part of an expression".to_string(),
                "write an integer",
            );
            return;
        }
        let unit = run_length(bytes, end, |byte| byte.is_ascii_alphanumeric());
        let is_time = matches!(
            &self.text[end..end + unit],
            "s" | "ms" | "us" | "ns" | "ps" | "fs"
        );
        if end > start && self.dialect == Dialect::Source && is_time {
            self.invalid(
                codes::UNSUPPORTED_LITERAL,
                end + unit,
                "a time cannot be part of an expression".to_string(),
                "write an integer",
            );
            return;
        }
        let quote = end + run_length(bytes, end, |byte| byte.is_ascii_whitespace());
        let based = bytes.get(quote) == Some(&b'\'') && {
            let mut base = quote + 1;
            if matches!(bytes.get(base), Some(b's' | b'S')) {
                base += 1;
            }
            matches!(
                bytes.get(base),
                Some(
                    b'b' | b'o'
                        | b'd'
                        | b'h'
                        | b'B'
                        | b'O'
                        | b'D'
                        | b'H'
                        | b'0'
                        | b'1'
                        | b'x'
                        | b'X'
                        | b'z'
                        | b'Z'
                )
            )
        };
        if based {
            end = quote + 1;
            if matches!(bytes.get(end), Some(b's' | b'S')) {
                end += 1;
            }
            let base = bytes[end].to_ascii_lowercase();
            end += 1;
            if !matches!(base, b'0' | b'1' | b'x' | b'z') {
                end += run_length(bytes, end, |byte| byte.is_ascii_whitespace());
            }
            // Only in bases of single bits is `?` a digit among others: `4'd1?a:b` chooses.
            let wildcard =
                matches!(base, b'b' | b'o' | b'h') || base == b'd' && bytes.get(end) == Some(&b'?');
            end += run_length(bytes, end, |byte| {
                is_number_byte(byte) || wildcard && byte == b'?'
            });
        } else if end == start {
            self.invalid(
                codes::UNEXPECTED_CHARACTER,
                start + 1,
                "unexpected character `'`".to_string(),
                "a number with a base is written `4'b1010`, `8'hFF` or `3'd5`",
            );
            return;
        } else {
            end += run_length(bytes, end, is_number_byte);
        }
        self.finish_number(start, end);
    }

    fn finish_number(&mut self, start: usize, end: usize) {
        let text = self.text[start..end].trim_end();
        let end = start + text.len();
        match Number::from_literal(text) {
            Ok((number, false)) => self.push(TokenKind::Number(number), start, end),
            // In a source the digits on the left are cut off (IEEE 1800-2017, 5.7.1).
            Ok((number, true)) if self.dialect == Dialect::Source => {
                self.push(TokenKind::Number(number), start, end);
            }
            Ok((number, true)) => self.invalid(
                codes::NUMBER_TOO_BIG,
                end,
                format!(
                    "`{}` does not fit in {} bits",
                    abbreviate(text),
                    number.width.unwrap_or_default()
                ),
                "widen the number or correct its value",
            ),
            Err(problem) => {
                let (code, help) = match problem {
                    NumberProblem::FillWithOnes => (
                        codes::UNSUPPORTED_LITERAL,
                        "write the width, as in `4'b1111`",
                    ),
                    _ => (
                        codes::MALFORMED_NUMBER,
                        "numbers look like `12`, `4'b10x0`, `8'hFF` or `8'sd5`",
                    ),
                };
                self.invalid(code, end, problem.to_string(), help);
            }
        }
    }
}

/// How a symbol that papers and word processors use is written here.
fn plain_spelling(symbol: char) -> Option<&'static str> {
    Some(match symbol {
        '∧' | '⋀' => "&",
        '∨' | '⋁' => "|",
        '¬' => "!",
        '→' | '⇒' => "->",
        '↔' | '⇔' => "<->",
        '□' | '◻' | '☐' => "G",
        '◇' | '◊' | '⋄' => "F",
        '○' | '◯' => "X",
        '≠' => "!=",
        '≤' => "<=",
        '≥' => ">=",
        '–' | '—' | '−' => "-",
        '⊤' => "true",
        '⊥' => "false",
        _ => return None,
    })
}

fn is_identifier_start(symbol: char) -> bool {
    symbol.is_ascii_alphabetic() || symbol == '_'
}

fn identifier_length(text: &str) -> usize {
    text.find(|symbol: char| !(symbol.is_ascii_alphanumeric() || symbol == '_' || symbol == '$'))
        .unwrap_or(text.len())
}

fn is_number_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn starts_digit(bytes: &[u8], position: usize) -> bool {
    bytes.get(position).is_some_and(u8::is_ascii_digit)
}

fn run_length(bytes: &[u8], start: usize, accept: impl Fn(u8) -> bool) -> usize {
    bytes[start.min(bytes.len())..]
        .iter()
        .take_while(|byte| accept(**byte))
        .count()
}

/// Long tokens are cut in messages.
fn abbreviate(text: &str) -> String {
    if text.chars().count() <= 40 {
        return text.to_string();
    }
    let start: String = text.chars().take(37).collect();
    format!("{start}...")
}
