//! A diagnostic as a program reads it: names, numbers and texts that need no `Sources`.
//!
//! The names of these fields are part of the JSON schema; see `report`.

use super::{Diagnostic, Severity, Sources, Span};
use serde::Serialize;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DiagnosticRecord {
    pub severity: Severity,
    #[cfg_attr(test, schemars(regex(pattern = "^R[0-9]{4}$")))]
    pub code: String,
    pub message: String,
    pub labels: Vec<LabelRecord>,
    pub notes: Vec<String>,
    pub help: Option<String>,
    /// What the help line says, as texts that take the place of others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<LabelRecord>,
}

/// A place with what is said of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LabelRecord {
    #[serde(flatten)]
    pub place: PlaceRecord,
    pub text: String,
}

/// Lines and columns count from 1, bytes from 0; ends are one past the last. In a binary file
/// there are no lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PlaceRecord {
    pub file: String,
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub line: Option<u32>,
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub column: Option<u32>,
    pub end_line: Option<u32>,
    pub end_column: Option<u32>,
    pub start_byte: u32,
    pub end_byte: u32,
}

impl DiagnosticRecord {
    pub fn new(diagnostic: &Diagnostic, sources: &Sources) -> DiagnosticRecord {
        let labels = diagnostic.labels.iter().map(|label| LabelRecord {
            place: PlaceRecord::new(label.span, sources),
            text: label.text.clone(),
        });
        let edits = diagnostic.edits.iter().map(|(span, text)| LabelRecord {
            place: PlaceRecord::new(*span, sources),
            text: text.clone(),
        });
        DiagnosticRecord {
            severity: diagnostic.severity,
            code: diagnostic.code.to_string(),
            message: diagnostic.message.clone(),
            labels: labels.collect(),
            notes: diagnostic.notes.clone(),
            help: diagnostic.help.clone(),
            edits: edits.collect(),
        }
    }
}

impl PlaceRecord {
    pub fn new(span: Span, sources: &Sources) -> PlaceRecord {
        let file = sources.file(span.file);
        let start = file.position(span.start as usize);
        let end = file.position(span.end.max(span.start) as usize);
        PlaceRecord {
            file: file.name.clone(),
            line: start.map(|position| position.line),
            column: start.map(|position| position.column),
            end_line: end.map(|position| position.line),
            end_column: end.map(|position| position.column),
            start_byte: span.start,
            end_byte: span.end,
        }
    }

    /// The name of the file, without directories, and the line.
    pub fn line_text(&self) -> String {
        let name = self.file.rsplit('/').next().unwrap_or(&self.file);
        match self.line {
            Some(line) => format!("{name}:{line}"),
            None => name.to_string(),
        }
    }

    /// As compilers write it; a binary file has no lines.
    pub fn text(&self) -> String {
        match (self.line, self.column) {
            (Some(line), Some(column)) => format!("{}:{line}:{column}", self.file),
            _ => format!("{} at byte {}", self.file, self.start_byte),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Code;
    use serde_json::json;

    fn check(sources: &Sources, diagnostic: Diagnostic, expected: serde_json::Value) {
        let record = DiagnosticRecord::new(&diagnostic, sources);
        assert_eq!(serde_json::to_value(record).unwrap(), expected);
    }

    #[test]
    fn a_label_in_a_text_has_lines_columns_and_bytes() {
        let mut sources = Sources::new();
        let file = sources.add("a.props", "é\nG x\n");
        check(
            &sources,
            Diagnostic::error(Code(2), "wrong").at(Span::new(file, 3, 6), "here"),
            json!({
                "severity": "error", "code": "R0002", "message": "wrong",
                "labels": [{
                    "file": "a.props", "line": 2, "column": 1, "end_line": 2, "end_column": 4,
                    "start_byte": 3, "end_byte": 6, "text": "here",
                }],
                "notes": [], "help": null,
            }),
        );
    }

    #[test]
    fn a_label_in_a_binary_file_has_bytes_only() {
        let mut sources = Sources::new();
        let file = sources.add_binary("a.aig", [0xff]);
        check(
            &sources,
            Diagnostic::warning(Code(3), "odd")
                .at(Span::new(file, 0, 1), "this byte")
                .note("so it is")
                .help("do so"),
            json!({
                "severity": "warning", "code": "R0003", "message": "odd",
                "labels": [{
                    "file": "a.aig", "line": null, "column": null, "end_line": null,
                    "end_column": null, "start_byte": 0, "end_byte": 1, "text": "this byte",
                }],
                "notes": ["so it is"], "help": "do so",
            }),
        );
    }
}
