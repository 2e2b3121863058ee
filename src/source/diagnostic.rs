//! What is wrong with an input, where, and what to do about it.

use super::Span;
use super::codes::frame;
use crate::limits::Stop;
use serde::Serialize;
use std::fmt;

/// A stable name of one kind of problem, such as `R0012`; `respin help-code` explains it.
/// All of them stand in [`super::codes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code(pub u16);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Error,
    Warning,
    Note,
}

/// A place, and what is to be said of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    pub span: Span,
    pub text: String,
}

/// One message: the first label is where the problem is, the others give context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub severity: Severity,
    pub code: Code,
    pub message: String,
    pub labels: Vec<Label>,
    pub notes: Vec<String>,
    pub help: Option<String>,
    /// What the help line says as edits: texts in place of spans.
    pub edits: Box<[(Span, String)]>,
}

impl Diagnostic {
    pub fn error(code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, code, message)
    }

    pub fn warning(code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, code, message)
    }

    pub fn new(severity: Severity, code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity,
            code,
            message: message.into(),
            labels: Vec::new(),
            notes: Vec::new(),
            help: None,
            edits: Box::default(),
        }
    }

    /// Adds a place; the first one added is the primary one.
    pub fn at(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push(Label {
            span,
            text: text.into(),
        });
        self
    }

    /// Adds a place where one is known.
    pub fn at_optional(self, span: Option<Span>, text: impl Into<String>) -> Diagnostic {
        match span {
            Some(span) => self.at(span, text),
            None => self,
        }
    }

    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    /// Adds an edit that does what the help line says.
    pub fn edit(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        let mut edits = self.edits.into_vec();
        edits.push((span, text.into()));
        self.edits = edits.into_boxed_slice();
        self
    }

    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help = Some(text.into());
        self
    }
}

/// Adds a mistake to those that were found, unless it is one of them: a definition is read where
/// it is used, and what is wrong with it is found again wherever that is.
pub fn add_once(found: &mut Vec<Diagnostic>, error: Diagnostic) {
    if !found.contains(&error) {
        found.push(error);
    }
}

/// A reader has no other way to say why it stopped; see [`Diagnostic::stop`].
impl From<Stop> for Diagnostic {
    fn from(stop: Stop) -> Diagnostic {
        let (code, help) = match stop {
            Stop::Interrupted => (frame::INTERRUPTED, "run the command again"),
            Stop::OutOfTime => (frame::TIME_LIMIT, "give more time, or a smaller input"),
            Stop::OutOfMemory => (frame::MEMORY_LIMIT, "give more memory, or a smaller input"),
        };
        Diagnostic::error(code, stop.reason()).help(help)
    }
}

impl From<Stop> for Vec<Diagnostic> {
    fn from(stop: Stop) -> Vec<Diagnostic> {
        vec![stop.into()]
    }
}

impl Diagnostic {
    /// The limit that was reached, if that is all that was wrong.
    pub fn stop(&self) -> Option<Stop> {
        match self.code {
            frame::INTERRUPTED => Some(Stop::Interrupted),
            frame::TIME_LIMIT => Some(Stop::OutOfTime),
            frame::MEMORY_LIMIT => Some(Stop::OutOfMemory),
            _ => None,
        }
    }
}

/// One line, for those who have no text to show places in; [`super::render`] shows all of it.
impl fmt::Display for Diagnostic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        write!(formatter, "{severity}[{}]: {}", self.code, self.message)
    }
}

impl std::error::Error for Diagnostic {}

impl Diagnostic {
    /// One line for each, for the texts of errors that hold several.
    pub fn list(all: &[Diagnostic], formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, diagnostic) in all.iter().enumerate() {
            if index > 0 {
                formatter.write_str("\n")?;
            }
            write!(formatter, "{diagnostic}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "R{:04}", self.0)
    }
}

impl std::str::FromStr for Code {
    type Err = NotACode;

    /// Reads `R0012`, and also `r12` and `12`, as people type them.
    fn from_str(text: &str) -> Result<Code, NotACode> {
        let digits = text.strip_prefix(['R', 'r']).unwrap_or(text);
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(NotACode);
        }
        digits.parse().map(Code).map_err(|_| NotACode)
    }
}

/// The text is not of the form `R0012`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotACode;

impl fmt::Display for NotACode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a code is the letter R and four digits, such as R0012")
    }
}

impl std::error::Error for NotACode {}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_code(text: &str, expected: Result<Code, NotACode>) {
        assert_eq!(text.parse::<Code>(), expected, "{text:?}");
    }

    #[test]
    fn a_stop_is_found_again_in_its_diagnostic() {
        for stop in [Stop::Interrupted, Stop::OutOfTime, Stop::OutOfMemory] {
            assert_eq!(Diagnostic::from(stop).stop(), Some(stop));
        }
        assert_eq!(Diagnostic::error(frame::BAD_USAGE, "").stop(), None);
    }

    #[test]
    fn codes_print_with_four_digits() {
        assert_eq!(Code(12).to_string(), "R0012");
    }

    #[test]
    fn codes_are_read_as_people_type_them() {
        check_code("R0012", Ok(Code(12)));
        check_code("r12", Ok(Code(12)));
        check_code("12", Ok(Code(12)));
    }

    #[test]
    fn what_is_not_a_code_is_refused() {
        check_code("", Err(NotACode));
        check_code("R", Err(NotACode));
        check_code("E0012", Err(NotACode));
        check_code("R+12", Err(NotACode));
        check_code("R99999", Err(NotACode));
    }
}
