//! Lines and numbers of an AIGER file, with the places they stand at.

use std::fmt;

use crate::design::codes;
use crate::limits::Limits;
use crate::source::{Code, Diagnostic, FileId, Span};

/// A range of bytes of the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub start: u32,
    pub end: u32,
}

pub(super) struct Scanner<'bytes> {
    /// Polled for each line and each number.
    pub limits: &'bytes Limits,
    bytes: &'bytes [u8],
    position: usize,
    file: Option<FileId>,
    pub binary: bool,
    /// Whether the line read last had no line end, so that it was the file's last.
    pub open_end: bool,
}

/// One line without its end.
#[derive(Clone, Copy)]
pub(super) struct Line<'bytes> {
    pub text: &'bytes [u8],
    pub start: usize,
    pub carriage_return: bool,
}

#[derive(Clone, Copy)]
pub(super) struct Field {
    pub value: u64,
    pub place: Place,
}

/// The numbers on one line; no line of the format has more than nine.
pub(super) struct Fields {
    values: [Field; MOST_FIELDS],
    count: usize,
}

const MOST_FIELDS: usize = 9;

impl Fields {
    pub fn as_slice(&self) -> &[Field] {
        &self.values[..self.count]
    }
}

impl<'bytes> Line<'bytes> {
    pub fn place(&self) -> Place {
        Place {
            start: self.start as u32,
            end: (self.start + self.text.len()) as u32,
        }
    }

    /// The line without its first bytes.
    pub fn skip(&self, count: usize) -> Line<'bytes> {
        Line {
            text: &self.text[count..],
            start: self.start + count,
            ..*self
        }
    }
}

impl<'bytes> Scanner<'bytes> {
    /// Fails for a file so large that a [`Span`] cannot point into it.
    pub fn new(
        bytes: &'bytes [u8],
        file: Option<FileId>,
        limits: &'bytes Limits,
    ) -> Result<Scanner<'bytes>, Diagnostic> {
        if u32::try_from(bytes.len()).is_err() {
            let message = format!("the file has {} bytes, the most is 4 GB", bytes.len());
            return Err(Diagnostic::error(codes::AIGER_TOO_LARGE, message));
        }
        Ok(Scanner {
            limits,
            bytes,
            position: 0,
            file,
            binary: false,
            open_end: false,
        })
    }

    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    pub fn at_end(&self) -> bool {
        self.position == self.bytes.len()
    }

    pub fn here(&self) -> Place {
        Place {
            start: self.position as u32,
            end: self.position as u32,
        }
    }

    /// Everything that was not read yet.
    pub fn rest(&mut self) -> &'bytes [u8] {
        let rest = &self.bytes[self.position..];
        self.position = self.bytes.len();
        rest
    }

    /// Steps back to a place inside the line that was read last.
    pub fn back_to(&mut self, position: usize) {
        self.position = position;
    }

    pub fn span(&self, place: Place) -> Option<Span> {
        let file = self.file.filter(|_| !self.binary)?;
        Some(Span::new(file, place.start as usize, place.end as usize))
    }

    /// A message with the line, or in a binary file the byte, where the trouble is.
    pub fn fail(&self, place: Place, code: Code, message: impl fmt::Display) -> Diagnostic {
        let start = place.start as usize;
        let position = if self.binary {
            format!("byte {start}")
        } else {
            let newlines = self.bytes[..start].iter().filter(|byte| **byte == b'\n');
            format!("line {}", newlines.count() + 1)
        };
        let diagnostic = Diagnostic::error(code, format!("{position}: {message}"));
        match self.span(place) {
            Some(span) => diagnostic.at(span, ""),
            None => diagnostic,
        }
    }

    pub fn next_byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.position)?;
        self.position += 1;
        Some(byte)
    }

    pub fn line(&mut self, expected: fmt::Arguments) -> Result<Line<'bytes>, Diagnostic> {
        self.limits.poll()?;
        if self.at_end() {
            let message = format!("the file ends where {expected} was expected");
            return Err(self.fail(self.here(), codes::AIGER_ENDS_EARLY, message));
        }
        let start = self.position;
        let rest = &self.bytes[start..];
        let length = rest.iter().position(|byte| *byte == b'\n');
        let (mut text, newline) = match length {
            Some(length) => (&rest[..length], true),
            None => (rest, false),
        };
        self.position = start + text.len() + usize::from(newline);
        self.open_end = !newline;
        let carriage_return = newline && text.last() == Some(&b'\r');
        if carriage_return {
            text = &text[..text.len() - 1];
        }
        Ok(Line {
            text,
            start,
            carriage_return,
        })
    }

    /// Between `least` and `most` numbers, one space apart, and nothing else.
    pub fn fields(
        &self,
        line: Line,
        least: usize,
        most: usize,
        expected: fmt::Arguments,
    ) -> Result<Fields, Diagnostic> {
        let none = Field {
            value: 0,
            place: line.place(),
        };
        let mut fields = Fields {
            values: [none; MOST_FIELDS],
            count: 0,
        };
        let mut position = 0;
        loop {
            let rest = &line.text[position..];
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let field = line.skip(position);
            let place = |length: usize| Place {
                start: field.start as u32,
                end: (field.start + length) as u32,
            };
            if digits == 0 {
                let found = excerpt(rest);
                let message = format!("expected {expected}, found {found}");
                return Err(self.fail(place(rest.len()), codes::AIGER_SYNTAX, message));
            }
            if fields.count == most {
                let message = format!("expected {expected} and nothing more on the line");
                return Err(self.fail(place(rest.len()), codes::AIGER_SYNTAX, message));
            }
            let mut value: u64 = 0;
            for digit in &rest[..digits] {
                let longer = value.checked_mul(10);
                let sum = longer.and_then(|v| v.checked_add(u64::from(digit - b'0')));
                value = sum.ok_or_else(|| {
                    let message = "this number is too large";
                    self.fail(place(digits), codes::AIGER_TOO_LARGE, message)
                })?;
            }
            fields.values[fields.count] = Field {
                value,
                place: place(digits),
            };
            fields.count += 1;
            position += digits;
            match line.text.get(position) {
                None => break,
                Some(b' ') => position += 1,
                Some(_) => {
                    let found = excerpt(&line.text[position..]);
                    let message = format!(
                        "expected {expected}: a space or the end of the line, found {found}"
                    );
                    let place = line.skip(position).place();
                    return Err(self.fail(place, codes::AIGER_SYNTAX, message));
                }
            }
        }
        if fields.count < least {
            let message = format!("expected {expected}, found only {} numbers", fields.count);
            return Err(self.fail(line.place(), codes::AIGER_SYNTAX, message));
        }
        Ok(fields)
    }
}

/// The beginning of what was found, fit for a message.
pub(super) fn excerpt(bytes: &[u8]) -> String {
    const SHOWN: usize = 24;
    if bytes.is_empty() {
        return "the end of the line".to_string();
    }
    let shown = bytes.len().min(SHOWN);
    let text: String = bytes[..shown].escape_ascii().map(char::from).collect();
    if bytes.len() > SHOWN {
        format!("`{text}...`")
    } else {
        format!("`{text}`")
    }
}
