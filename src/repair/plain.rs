//! How plain the text of a correction is. Of texts that do the same, a reader wants one that is
//! written like the rest of the source ([`super::habits`]), and then one that only leaves something
//! out, although another one may be the smaller edit: `a` is plainer than `a && (a || b)`, and a
//! statement plainer than one behind `if (1'b1)`.

use super::habits::{Habits, Manner};
use crate::design::Patch;
use crate::design::verilog::edits::SourceEdit;
use crate::source::{FileId, Sources};
use std::cmp::Reverse;
use std::collections::HashSet;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plainness {
    /// Signals that it reads and the text around it did not.
    new_signals: usize,
    /// Words and symbols that are gone; none if something else stands in their place.
    gone: usize,
    /// Where it changes something first.
    line: Option<(FileId, u32)>,
    /// Lines that it changes after the first.
    more_lines: usize,
    manner: Manner,
}

impl Plainness {
    pub fn of(
        edits: &[SourceEdit],
        patch: &Patch,
        habits: &Habits,
        sources: &Sources,
    ) -> Plainness {
        let changes = edits.iter().flat_map(|edit| &edit.changes);
        let gone: Option<usize> = changes
            .map(|(span, text)| left_out(sources.text(*span), text))
            .sum();
        Plainness {
            new_signals: edits.iter().map(|edit| edit.new_signals).sum(),
            gone: gone.unwrap_or(0),
            line: edits.first().and_then(|edit| line_of(edit, sources)),
            more_lines: changed_lines(edits, sources).saturating_sub(1),
            manner: manner(patch, habits),
        }
    }

    /// The same text in other words, which stands where the first one does.
    pub fn in_place_of(self, other: &Plainness) -> Plainness {
        Plainness {
            line: other.line,
            more_lines: other.more_lines,
            ..self
        }
    }

    /// How texts are ordered beside a correction, the plainest first: what leaves something out at
    /// another line may well be no more than another way round the fault.
    pub fn beside(&self, correction: &Plainness) -> impl Ord + use<> {
        let is_elsewhere = self.line != correction.line;
        let strange = (self.new_signals + self.more_lines) as i32 + self.manner.unusual;
        (
            strange + is_elsewhere as i32,
            is_elsewhere,
            Reverse(self.gone),
            self.manner.reads,
            // What is left of a text stands in the author's order.
            self.manner.disorder * (self.gone == 0) as usize,
        )
    }
}

/// How many words and symbols of the first text the second one leaves out; `None` if it has
/// others, or in another order.
fn left_out(before: &str, after: &str) -> Option<usize> {
    let before = words(before);
    let after = words(after);
    let mut rest = before.iter();
    let is_left = after.iter().all(|word| rest.any(|one| one == word));
    is_left.then(|| before.len() - after.len())
}

/// How the changed lines are written, all together.
fn manner(patch: &Patch, habits: &Habits) -> Manner {
    let mut all = Manner::default();
    for change in &patch.changes {
        let Some(span) = change.span else {
            continue;
        };
        let (before, after) = (change.before.join("\n"), change.after.join("\n"));
        let one = habits.manner(span.file, &before, &after);
        all.unusual += one.unusual;
        all.reads += one.reads;
        all.disorder += one.disorder;
    }
    all
}

fn changed_lines(edits: &[SourceEdit], sources: &Sources) -> usize {
    let spans = edits.iter().flat_map(|edit| &edit.changes);
    let lines = spans.filter_map(|(span, _)| {
        let position = sources.position(*span)?;
        Some((span.file, position.line))
    });
    lines.collect::<HashSet<_>>().len()
}

fn line_of(edit: &SourceEdit, sources: &Sources) -> Option<(FileId, u32)> {
    let place = edit.place();
    let position = sources.position(place)?;
    Some((place.file, position.line))
}

/// Words and runs of symbols of a text. Blanks and parentheses say nothing of their own.
fn words(text: &str) -> Vec<&str> {
    let is_silent = |symbol: char| symbol.is_whitespace() || "()".contains(symbol);
    let is_part = |symbol: char| symbol.is_alphanumeric() || "_$'".contains(symbol);
    let mut found = Vec::new();
    for run in text.split(is_silent) {
        let mut rest = run;
        while let Some(first) = rest.chars().next() {
            let is_word = is_part(first);
            let end = rest.find(|symbol| is_part(symbol) != is_word);
            let (word, behind) = rest.split_at(end.unwrap_or(rest.len()));
            found.push(word);
            rest = behind;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{left_out, words};

    #[test]
    fn words_and_symbols_count_and_parentheses_do_not() {
        assert_eq!(words("a && (b_1|4'd2)"), ["a", "&&", "b_1", "|", "4'd2"]);
        assert_eq!(words(" \n"), [""; 0]);
    }

    #[test]
    fn only_what_leaves_something_out_is_plainer() {
        assert_eq!(left_out("a || (a && b)", "a"), Some(4));
        assert_eq!(left_out("if (c) ", ""), Some(2));
        assert_eq!(left_out("A - 3'd1 - t", "3'd5"), None);
        assert_eq!(left_out("a, b", "b, a"), None);
        assert_eq!(left_out("", "&& b"), None);
        assert_eq!(left_out("a <= b", "a = b"), None);
    }
}
