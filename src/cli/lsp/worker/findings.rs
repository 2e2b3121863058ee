//! Diagnostics and places of reports as findings.

use crate::cli::lsp::position::Encoding;
use crate::cli::lsp::question::{Finding, Fix, Place, Weight};
use crate::load::normal_path;
use crate::source::record::PlaceRecord;
use crate::source::{Diagnostic, Severity, SourceFile, Sources, Span};
use std::path::Path;

/// Where findings are made.
pub struct Findings<'a> {
    pub sources: &'a Sources,
    pub encoding: Encoding,
    /// The directory from which names count.
    pub here: &'a Path,
    /// The file that was asked about: it has what has no place of its own.
    pub file: &'a Path,
}

impl Findings<'_> {
    pub fn place(&self, span: Span) -> Place {
        let file = self.sources.file(span.file);
        self.place_in(file, span.start as usize, span.end as usize)
    }

    fn place_in(&self, file: &SourceFile, start: usize, end: usize) -> Place {
        Place {
            file: normal_path(&self.here.join(&file.name)),
            range: self.encoding.range(&file.text, start, end),
        }
    }

    /// A place that a report names; that of the whole file if it is not of one that was read.
    pub fn recorded(&self, place: Option<&PlaceRecord>) -> Place {
        let found = place.and_then(|place| {
            let file = self.sources.file(self.sources.find(&place.file)?);
            let (start, end) = (place.start_byte as usize, place.end_byte as usize);
            Some(self.place_in(file, start, end))
        });
        found.unwrap_or_else(|| self.nowhere())
    }

    /// The first place of the file that was asked about.
    pub fn nowhere(&self) -> Place {
        Place {
            file: self.file.to_path_buf(),
            range: Default::default(),
        }
    }

    pub fn diagnostic(&self, diagnostic: &Diagnostic) -> Finding {
        let mut labels = diagnostic.labels.iter();
        let first = labels.next();
        let mut message = diagnostic.message.clone();
        if let Some(label) = first.filter(|label| !label.text.is_empty()) {
            message.push_str(&format!(" ({})", label.text));
        }
        for note in &diagnostic.notes {
            message.push_str(&format!("\nnote: {note}"));
        }
        if let Some(help) = &diagnostic.help {
            message.push_str(&format!("\nhelp: {help}"));
        }
        let edits = diagnostic.edits.iter();
        let edits: Vec<(Place, String)> = edits
            .map(|(span, text)| (self.place(*span), text.clone()))
            .collect();
        let title = match &diagnostic.help {
            Some(help) => format!("respin: {help}"),
            None => "respin: apply the fix".to_string(),
        };
        let fix = (!edits.is_empty()).then_some(Fix {
            title,
            edits,
            is_preferred: true,
        });
        Finding {
            place: first.map_or_else(|| self.nowhere(), |label| self.place(label.span)),
            weight: match diagnostic.severity {
                Severity::Error => Weight::Error,
                Severity::Warning => Weight::Warning,
                Severity::Note => Weight::Information,
            },
            code: Some(diagnostic.code.to_string()),
            message,
            related: labels
                .map(|label| (self.place(label.span), label.text.clone()))
                .collect(),
            fixes: fix.into_iter().collect(),
        }
    }

    pub fn at(&self, place: Place, weight: Weight, message: String) -> Finding {
        Finding {
            place,
            weight,
            code: None,
            message,
            related: Vec::new(),
            fixes: Vec::new(),
        }
    }
}
