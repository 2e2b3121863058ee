//! The changes of a patch as people read them: the lines before, and the lines after.
//!
//! Edits of a correction that touch the same lines are one change. A line is shown as it is
//! after the whole correction; with only a part of it made, it would be a text that nobody has
//! proved.

use super::edits::SourceEdit;
use crate::design::correction::Change;
use crate::design::kind::Kind;
use crate::source::{Sources, Span};
use std::ops::Range;

/// The changes that edits make together.
pub(super) fn changes(edits: &[SourceEdit], sources: &Sources) -> Vec<Change> {
    let mut shown: Vec<SourceEdit> = Vec::new();
    for edit in edits {
        let mut edit = edit.clone();
        // What was apart may meet through this edit.
        while let Some(index) = shown.iter().position(|one| meet(one, &edit, sources)) {
            edit = joined(shown.remove(index), edit);
        }
        shown.push(edit);
    }
    shown.iter().map(|edit| change(edit, sources)).collect()
}

/// Whether an edit is shown by the lines that it touches.
fn has_lines(edit: &SourceEdit) -> bool {
    !matches!(edit.kind, Kind::Registers | Kind::AddedFunction)
}

fn meet(first: &SourceEdit, second: &SourceEdit, sources: &Sources) -> bool {
    if !has_lines(first) || !has_lines(second) || first.place().file != second.place().file {
        return false;
    }
    let (first, second) = (lines(first, sources), lines(second, sources));
    first.start <= second.end && second.start <= first.end
}

/// Two edits as one, called after the first.
fn joined(first: SourceEdit, second: SourceEdit) -> SourceEdit {
    let is_same = first.within == second.within;
    SourceEdit {
        within: first.within.filter(|_| is_same),
        changes: first.changes.into_iter().chain(second.changes).collect(),
        ..first
    }
}

fn change(edit: &SourceEdit, sources: &Sources) -> Change {
    let (before, after) = match edit.kind {
        // The diff shows them.
        Kind::Registers => (Vec::new(), Vec::new()),
        // Nothing stands there before.
        Kind::AddedFunction => {
            let added = edit.changes.iter().map(|(_, text)| text.clone());
            (Vec::new(), added.collect())
        }
        _ => {
            let (before, after) = before_and_after(edit, sources);
            (vec![before], vec![after])
        }
    };
    Change {
        kind: edit.kind,
        is_text: true,
        component: String::new(),
        span: Some(edit.place()),
        within: edit.within,
        before,
        after,
    }
}

/// Where the lines that an edit touches begin and end in its file.
fn lines(edit: &SourceEdit, sources: &Sources) -> Range<usize> {
    let changes = || edit.changes.iter().map(|(span, _)| *span);
    let start = changes().map(|span| span.start).min().unwrap_or(0) as usize;
    let end = changes().map(|span| span.end).max().unwrap_or(0) as usize;
    let text = &sources.file(edit.place().file).text;
    let first = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let last = text[end..].find('\n').map_or(text.len(), |at| end + at);
    first..last
}

/// The lines that an edit touches, before and after it.
fn before_and_after(edit: &SourceEdit, sources: &Sources) -> (String, String) {
    let lines = lines(edit, sources);
    let lines = Span::new(edit.place().file, lines.start, lines.end);
    let after = sources.text_after(lines, &edit.changes);
    let after = after.expect("lines hold all changes");
    (shortened(sources.text(lines)), shortened(&after))
}

/// Code on one line, without its comment.
fn shortened(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let code = line.split("//").next().unwrap_or(line);
        code.trim()
    });
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    lines.join(" ")
}
