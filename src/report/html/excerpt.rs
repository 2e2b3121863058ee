//! Lines of a source with places marked in them, and corrections as two columns.

use super::markup::Escaped;
use crate::source::Sources;
use crate::source::record::PlaceRecord;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Lines that are shown before and after a place.
const AROUND: u32 = 4;
/// Lines of a place that are marked; a whole module may be one.
const MOST_MARKED: u32 = 40;
/// Letters of a line that are shown.
const LONGEST_LINE: usize = 400;

/// A place, and what is said of it at the end of its line.
pub struct Mark<'a> {
    pub place: &'a PlaceRecord,
    pub text: String,
}

/// What is marked in one line: from which letter to which, and the texts of marks that begin.
#[derive(Default)]
struct Line {
    marked: Vec<(usize, usize)>,
    texts: Vec<String>,
}

/// The lines around some places, file by file. Places in files that are not texts are named.
pub fn excerpt(marks: &[Mark], sources: &Sources) -> String {
    let mut files: BTreeMap<&str, BTreeMap<u32, Line>> = BTreeMap::new();
    for mark in marks {
        let lines = files.entry(&mark.place.file).or_default();
        let (Some(first), Some(column)) = (mark.place.line, mark.place.column) else {
            continue;
        };
        let last = mark.place.end_line.unwrap_or(first).max(first);
        let end = mark.place.end_column.unwrap_or(column);
        for line in first..=last.min(first + MOST_MARKED) {
            let from = if line == first {
                column as usize - 1
            } else {
                0
            };
            let to = if line == last {
                end as usize - 1
            } else {
                usize::MAX
            };
            let own = lines.entry(line).or_default();
            own.marked.push((from, to.max(from + 1)));
            if line == first && !mark.text.is_empty() && !own.texts.contains(&mark.text) {
                own.texts.push(mark.text.clone());
            }
        }
    }
    let mut text = String::new();
    for (name, lines) in files {
        let Some(file) = sources.find(name).map(|id| sources.file(id)) else {
            continue;
        };
        if file.is_binary() {
            let _ = writeln!(text, "<p>{} is a binary file.</p>", Escaped(name));
            continue;
        }
        text.push_str(&of_file(name, &file.text, &lines));
    }
    text
}

fn of_file(name: &str, source: &str, lines: &BTreeMap<u32, Line>) -> String {
    let near = |line: u32| {
        let from = line.saturating_sub(AROUND);
        lines.range(from..=line + AROUND).next().is_some()
    };
    let mut text = String::new();
    let _ = write!(
        text,
        "<figure class=\"source\"><figcaption><code>{name}</code></figcaption>\
         <div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"{name}\"><pre>",
        name = Escaped(name)
    );
    let mut is_gap = false;
    let mut any = false;
    for (number, line) in (1u32..).zip(source.lines()) {
        if !near(number) {
            is_gap = true;
            continue;
        }
        if is_gap && any {
            text.push_str("<span class=\"gap\">⋯\n</span>");
        }
        (is_gap, any) = (false, true);
        let _ = write!(text, "<span class=\"number\">{number:>5} </span>");
        match lines.get(&number) {
            None => {
                let _ = writeln!(text, "{}", Escaped(shortened(line)));
            }
            Some(own) => {
                text.push_str(&marked(line, &own.marked));
                for said in &own.texts {
                    let _ = write!(text, "  <span class=\"said\">◂ {}</span>", Escaped(said));
                }
                text.push('\n');
            }
        }
    }
    text.push_str("</pre></div></figure>\n");
    text
}

fn shortened(line: &str) -> String {
    line.chars().take(LONGEST_LINE).collect()
}

/// A line with some of its letters marked.
fn marked(line: &str, ranges: &[(usize, usize)]) -> String {
    let letters: Vec<char> = shortened(line).chars().collect();
    let is_marked = |at: usize| ranges.iter().any(|(from, to)| (*from..*to).contains(&at));
    let mut text = String::new();
    let mut at = 0;
    while at < letters.len() {
        let start = at;
        while at < letters.len() && is_marked(at) == is_marked(start) {
            at += 1;
        }
        let part: String = letters[start..at].iter().collect();
        let inner = part.trim();
        if !is_marked(start) || inner.is_empty() {
            let _ = write!(text, "{}", Escaped(part));
            continue;
        }
        let (blank, _) = part.split_at(part.len() - part.trim_start().len());
        let (_, end) = part.split_at(part.trim_end().len());
        let _ = write!(text, "{blank}<mark>{}</mark>{end}", Escaped(inner));
    }
    text
}

/// A unified diff as two columns: what is there, and what should be.
pub fn side_by_side(diff: &str) -> String {
    let mut text = String::new();
    let mut hunk = Hunk::default();
    let mut removed: Vec<&str> = Vec::new();
    let mut added: Vec<&str> = Vec::new();
    let mut is_open = false;
    for line in diff.lines() {
        // A hunk says how long it is: a line that is removed may look like a head.
        if hunk.has_more() {
            let (sign, rest) = line.split_at(usize::from(!line.is_empty()));
            match sign {
                "-" => removed.push(rest),
                "+" => added.push(rest),
                _ => {}
            }
            hunk.take(sign);
            if !matches!(sign, "-" | "+") || !hunk.has_more() {
                pair_up(&mut text, &mut removed, &mut added, &mut hunk);
            }
            if sign == " " {
                let _ = write!(
                    text,
                    "<tr><td class=\"number\">{}</td><td>{same}</td>\
                     <td class=\"number\">{}</td><td>{same}</td></tr>",
                    hunk.old,
                    hunk.new,
                    same = Escaped(rest)
                );
                hunk.old += 1;
                hunk.new += 1;
            }
        } else if let Some(name) = line.strip_prefix("--- ") {
            if is_open {
                text.push_str(TABLE_END);
            }
            is_open = true;
            hunk = Hunk::default();
            let _ = write!(
                text,
                "<figure class=\"source diff\"><figcaption><code>{}</code></figcaption>{TABLE_START}",
                Escaped(name.strip_prefix("a/").unwrap_or(name))
            );
        } else if let Some(next) = Hunk::of(line) {
            if hunk.old > 0 {
                text.push_str("<tr class=\"gap\"><td colspan=\"4\">⋯</td></tr>");
            }
            hunk = next;
        }
    }
    if is_open {
        text.push_str(TABLE_END);
    }
    text
}

const TABLE_START: &str = "<div class=\"scroll\" tabindex=\"0\" role=\"group\" \
    aria-label=\"The change, side by side\"><table><thead><tr>\
    <th scope=\"col\" colspan=\"2\">as it is</th><th scope=\"col\" colspan=\"2\">corrected</th>\
    </tr></thead><tbody>";
const TABLE_END: &str = "</tbody></table></div></figure>\n";

/// The numbers of the next lines of a hunk, and how many are left of each side.
#[derive(Default)]
struct Hunk {
    old: usize,
    new: usize,
    old_left: usize,
    new_left: usize,
}

impl Hunk {
    /// From `@@ -22,7 +22,7 @@`; a length of one is left out.
    fn of(line: &str) -> Option<Hunk> {
        let mut words = line.strip_prefix("@@ ")?.split(' ');
        let mut range = |sign: char| -> Option<(usize, usize)> {
            let range = words.next()?.strip_prefix(sign)?;
            let (start, length) = range.split_once(',').unwrap_or((range, "1"));
            Some((start.parse().ok()?, length.parse().ok()?))
        };
        let ((old, old_left), (new, new_left)) = (range('-')?, range('+')?);
        Some(Hunk {
            old,
            new,
            old_left,
            new_left,
        })
    }

    fn has_more(&self) -> bool {
        self.old_left + self.new_left > 0
    }

    /// Counts a line; one that says that there is no newline at the end is none.
    fn take(&mut self, sign: &str) {
        if matches!(sign, "-" | " " | "") {
            self.old_left = self.old_left.saturating_sub(1);
        }
        if matches!(sign, "+" | " " | "") {
            self.new_left = self.new_left.saturating_sub(1);
        }
    }
}

/// Lines that are replaced stand beside those that replace them.
fn pair_up(text: &mut String, removed: &mut Vec<&str>, added: &mut Vec<&str>, hunk: &mut Hunk) {
    for row in 0..removed.len().max(added.len()) {
        let (before, after) = (removed.get(row), added.get(row));
        let (was, is) = match (before, after) {
            (Some(before), Some(after)) => parting(before, after),
            (before, after) => (
                before.map_or(String::new(), |line| Escaped(line).to_string()),
                after.map_or(String::new(), |line| Escaped(line).to_string()),
            ),
        };
        let side = |present: bool, number: &mut usize, class: &str, sign: char, shown: &str| {
            if !present {
                return "<td class=\"number\"></td><td></td>".to_string();
            }
            *number += 1;
            format!(
                "<td class=\"number\">{} {sign}</td><td class=\"{class}\">{shown}</td>",
                *number - 1
            )
        };
        let left = side(before.is_some(), &mut hunk.old, "removed", '−', &was);
        let right = side(after.is_some(), &mut hunk.new, "added", '+', &is);
        let _ = write!(text, "<tr>{left}{right}</tr>");
    }
    removed.clear();
    added.clear();
}

/// Two lines with what they do not share marked.
fn parting(before: &str, after: &str) -> (String, String) {
    let (old, new): (Vec<char>, Vec<char>) = (before.chars().collect(), after.chars().collect());
    let shorter = old.len().min(new.len());
    let same = |at: &usize| old[*at] == new[*at];
    let prefix = (0..shorter).take_while(same).count();
    let rest = shorter - prefix;
    let same_end = |at: &usize| old[old.len() - 1 - at] == new[new.len() - 1 - at];
    let suffix = (0..rest).take_while(same_end).count();
    let shown = |letters: &[char], tag: &str| {
        let part = |range: &[char]| Escaped(range.iter().collect::<String>()).to_string();
        let middle = &letters[prefix..letters.len() - suffix];
        let (start, end) = (&letters[..prefix], &letters[letters.len() - suffix..]);
        let middle = match middle {
            [] => String::new(),
            middle => format!("<{tag}>{}</{tag}>", part(middle)),
        };
        format!("{}{middle}{}", part(start), part(end))
    };
    (shown(&old, "del"), shown(&new, "ins"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Span;

    #[test]
    fn a_place_is_marked_in_its_line() {
        let mut sources = Sources::new();
        let file = sources.add("a.v", "one\ntwo <three>\nfour\n");
        let span = Span {
            file,
            start: 8,
            end: 15,
        };
        let place = PlaceRecord::new(span, &sources);
        let mark = Mark {
            place: &place,
            text: "here".to_string(),
        };
        let text = excerpt(&[mark], &sources);
        let line = "two <mark>&lt;three&gt;</mark>  <span class=\"said\">◂ here</span>\n";
        assert!(text.contains(line), "{text}");
    }

    #[test]
    fn columns_show_the_letters_that_differ() {
        let diff = "--- a/x.v\n+++ b/x.v\n@@ -7,2 +7,2 @@\n same\n-2'b11: a\n+2'b10: a\n";
        let text = side_by_side(diff);
        for part in [
            "<td class=\"number\">8 −</td><td class=\"removed\">2'b1<del>1</del>: a</td>",
            "<td class=\"number\">8 +</td><td class=\"added\">2'b1<ins>0</ins>: a</td>",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
    }

    #[test]
    fn lines_that_look_like_heads_are_lines() {
        let diff = "--- a/x.v\n+++ b/x.v\n@@ -1 +1,2 @@\n--- comment\n+++ comment\n+@@ x\n";
        let text = side_by_side(diff);
        assert_eq!(text.matches("<figure").count(), 1, "{text}");
        assert!(text.contains("comment"), "{text}");
    }
}
