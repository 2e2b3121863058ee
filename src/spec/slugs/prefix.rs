//! Formulas in prefix notation: `| ! a b'`.
//!
//! `$ n f1 ... fn` stands for `fn`, and within the later ones `? i` stands for `f(i+1)`.

use super::unknown;
use crate::source::codes::specification as codes;
use crate::source::{Diagnostic, Span};
use crate::spec::gr1::{Gr1, TermId};
use crate::stack;

pub(super) fn formula(spec: &mut Gr1, text: &str, span: Span) -> Result<TermId, Diagnostic> {
    let mut reader = Reader {
        spec,
        words: text.split_ascii_whitespace().collect(),
        position: 0,
        text,
        span,
        buffers: Vec::new(),
    };
    let term = reader.formula()?;
    if reader.position < reader.words.len() {
        let word = reader.words[reader.position];
        return Err(Diagnostic::error(
            codes::UNEXPECTED_TEXT,
            format!("`{word}` follows a complete formula"),
        )
        .at(reader.word_span(), "one operand too many")
        .help("operators come first, with two operands (`! f` has one)"));
    }
    Ok(term)
}

struct Reader<'a> {
    spec: &'a mut Gr1,
    words: Vec<&'a str>,
    position: usize,
    text: &'a str,
    span: Span,
    /// The values of each open `$`.
    buffers: Vec<Vec<TermId>>,
}

impl Reader<'_> {
    /// Of the word that is next.
    fn word_span(&self) -> Span {
        let Some(word) = self.words.get(self.position) else {
            return Span {
                start: self.span.end,
                ..self.span
            };
        };
        // Words are slices of the text.
        let offset = word.as_ptr() as usize - self.text.as_ptr() as usize;
        let start = self.span.start as usize + offset;
        Span::new(self.span.file, start, start + word.len())
    }

    fn number(&mut self) -> Result<usize, Diagnostic> {
        let span = self.word_span();
        let word = self.words.get(self.position).copied().unwrap_or_default();
        self.position += 1;
        word.parse().map_err(|_| {
            Diagnostic::error(
                codes::UNEXPECTED_TEXT,
                format!("expected a number, found `{word}`"),
            )
            .at(span, "a number is missing here")
            .help("`$` and `?` are followed by a number")
        })
    }

    fn formula(&mut self) -> Result<TermId, Diagnostic> {
        stack::recurse(|| self.formula_here())
    }

    fn formula_here(&mut self) -> Result<TermId, Diagnostic> {
        let span = self.word_span();
        let Some(&word) = self.words.get(self.position) else {
            return Err(
                Diagnostic::error(codes::UNEXPECTED_TEXT, "the formula ends too early")
                    .at(span, "an operand is missing here")
                    .help("operators come first, with two operands (`! f` has one)"),
            );
        };
        self.position += 1;
        match word {
            "0" | "FALSE" => Ok(self.spec.terms.boolean(false)),
            "1" | "TRUE" => Ok(self.spec.terms.boolean(true)),
            "!" => {
                let operand = self.formula()?;
                Ok(self.spec.terms.not(operand))
            }
            "&" | "|" | "^" => {
                let (left, right) = (self.formula()?, self.formula()?);
                Ok(match word {
                    "&" => self.spec.terms.and([left, right]),
                    "|" => self.spec.terms.or([left, right]),
                    _ => self.spec.terms.xor(left, right),
                })
            }
            "$" => {
                let count = self.number()?;
                self.buffers.push(Vec::new());
                for _ in 0..count {
                    let value = self.formula();
                    if value.is_err() {
                        self.buffers.pop();
                    }
                    let value = value?;
                    if let Some(buffer) = self.buffers.last_mut() {
                        buffer.push(value);
                    }
                }
                let last = self.buffers.pop().and_then(|buffer| buffer.last().copied());
                last.ok_or_else(|| {
                    Diagnostic::error(codes::UNEXPECTED_TEXT, "`$ 0` has no value")
                        .at(span, "this list is empty")
                        .help("give at least one formula")
                })
            }
            "?" => {
                let index = self.number()?;
                let value = self.buffers.last().and_then(|buffer| buffer.get(index));
                value.copied().ok_or_else(|| {
                    Diagnostic::error(
                        codes::UNKNOWN_NAME,
                        format!("`? {index}` stands for nothing here"),
                    )
                    .at(span, "no such formula before this")
                    .help("`?` counts the formulas of the nearest `$` from 0")
                })
            }
            _ => {
                let name = word.strip_suffix('\u{27}');
                match self.spec.find_variable(name.unwrap_or(word)) {
                    Some(variable) if name.is_some() => Ok(self.spec.terms.next(variable)),
                    Some(variable) => Ok(self.spec.terms.now(variable)),
                    None => Err(unknown(self.spec, name.unwrap_or(word), span)),
                }
            }
        }
    }
}
