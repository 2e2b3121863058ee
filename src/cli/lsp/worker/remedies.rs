//! What can be done about a verdict: corrections of a design; guarantees to drop or weaken and
//! assumptions to add.
//!
//! A correction was certified on the text that its edits make. What `explain` suggests for a
//! specification was certified as a constraint; here it becomes text, so the text is read and
//! solved again, and what is then not realizable is not offered.

use super::findings::Findings;
use super::{Desk, Task, is_of_design};
use crate::cli::context::Failure;
use crate::cli::lsp::question::{Answer, Finding, Fix, Place, Weight};
use crate::load::Format;
use crate::report::diff;
use crate::report::explanation::{Explanation, Item, ItemKind};
use crate::report::{Body, Correction, Ending, Report, Verdict};
use crate::source::Sources;
use crate::source::codes::explanation::CONFLICT;
use std::path::Path;

/// The parts of an explanation that an editor shows.
const PARTS: &str = "core,fix,additions,weakenings";
/// The same for formats in whose words nothing is suggested.
const PARTS_OF_OTHERS: &str = "core,fix";
/// Sets of assumptions that are offered at most.
const MOST_ADDITIONS: usize = 3;

impl Desk<'_> {
    pub(super) fn remedies(&self, format: Format) -> Result<Answer, Failure> {
        let task = if is_of_design(format) {
            self.design_task("repair", format)?
        } else {
            let parts = match format {
                Format::Spectra | Format::Tlsf => PARTS,
                _ => PARTS_OF_OTHERS,
            };
            Some(self.task(&["explain", "--only", parts])?)
        };
        let Some(mut task) = task else {
            return Ok(Answer::default());
        };
        let report = self.perform(&mut task);
        let mut answer = self.judged(&task, &report);
        match &report.body {
            Body::Repair(repair) => self.add_corrections(&repair.corrections, &task, &mut answer),
            Body::Explain(explanation) => {
                self.add_explanation(explanation, format, &task, &mut answer);
            }
            _ => {}
        }
        Ok(answer)
    }

    /// Each correction where it changes something, and with each property that fails.
    fn add_corrections(&self, all: &[Correction], task: &Task, answer: &mut Answer) {
        let sources = &task.context.sources;
        let findings = self.findings(sources);
        let offered = all.iter().filter(|one| !one.vacuous);
        let fixes: Vec<(&Correction, Fix)> = offered
            .filter_map(|one| Some((one, correction_fix(one, &findings)?)))
            .collect();
        let failing = answer.findings.iter_mut();
        for finding in failing.filter(|one| one.code.is_none() && one.weight == Weight::Error) {
            finding
                .fixes
                .extend(fixes.iter().map(|(_, fix)| fix.clone()));
        }
        for (correction, fix) in fixes {
            for edit in correction.edits.iter().filter(|edit| edit.place.is_some()) {
                let place = findings.recorded(edit.place.as_ref());
                let after = edit.after.join(", ");
                let message = format!("correction {}: should be `{after}`", correction.number);
                let mut finding = findings.at(place, Weight::Information, message);
                finding.fixes.push(fix.clone());
                answer.findings.push(finding);
            }
        }
    }

    /// The core in its place, and changes after which the specification is realizable.
    fn add_explanation(
        &self,
        explanation: &Explanation,
        format: Format,
        task: &Task,
        answer: &mut Answer,
    ) {
        let sources = &task.context.sources;
        let findings = self.findings(sources);
        let Some(core) = &explanation.core else {
            return;
        };
        // The core as a note is replaced by errors at each of its members.
        let code = CONFLICT.to_string();
        let is_note = |one: &Finding| one.code.as_ref() == Some(&code);
        answer.findings.retain(|one| !is_note(one));
        let fixes = self.tried(changes(explanation, format, &findings), sources);
        let members = core.items.iter();
        let guarantees = members.filter(|one| one.kind == ItemKind::Guarantee);
        let guarantees: Vec<&Item> = guarantees.collect();
        let names: Vec<&str> = guarantees.iter().map(|one| one.name.as_str()).collect();
        for item in &guarantees {
            let place = findings.recorded(item.place.as_ref());
            let message = match names.len() {
                1 => format!("no system can keep `{}`", item.name),
                count => format!(
                    "`{}` is one of {count} guarantees that no system can keep together: {}",
                    item.name,
                    names.join(", ")
                ),
            };
            let mut finding = findings.at(place, Weight::Error, message);
            finding.code = Some(code.clone());
            let others = guarantees.iter().filter(|other| other.name != item.name);
            finding.related = others
                .map(|one| {
                    let text = format!("`{}` is part of the core", one.name);
                    (findings.recorded(one.place.as_ref()), text)
                })
                .collect();
            finding.fixes = fixes.clone();
            answer.findings.push(finding);
        }
    }

    /// Those changes after which the text is read and realizable.
    fn tried(&self, changes: Vec<Change>, sources: &Sources) -> Vec<Fix> {
        let findings = self.findings(sources);
        let mut fixes = Vec::new();
        for change in changes {
            if !self.is_realizable(&change.text) {
                continue;
            }
            let file = &self.question.file;
            let Some(before) = self.texts.get(file).or_else(|| source_of(file, &findings)) else {
                continue;
            };
            let edits = text_edits(file, before, &change.text, &findings);
            fixes.push(Fix {
                title: change.title,
                edits,
                is_preferred: false,
            });
        }
        fixes
    }

    fn is_realizable(&self, text: &str) -> bool {
        let mut texts = self.texts.clone();
        texts.insert(&self.question.file, text.to_string());
        let Ok(mut task) = self.task(&["check", "--only", "verdict"]) else {
            return false;
        };
        task.context.texts = texts;
        let report: Report = self.perform(&mut task);
        report.ending() == Ending::Verdict(Verdict::Realizable)
    }
}

/// A text that could stand in place of the specification.
struct Change {
    title: String,
    text: String,
}

fn source_of<'s>(file: &Path, findings: &Findings<'s>) -> Option<&'s String> {
    let sources: &'s Sources = findings.sources;
    let mut ids = sources.ids();
    let id = ids.find(|id| {
        let name = &sources.file(*id).name;
        crate::load::normal_path(&findings.here.join(name)) == file
    })?;
    Some(&sources.file(id).text)
}

fn correction_fix(correction: &Correction, findings: &Findings<'_>) -> Option<Fix> {
    if correction.texts.is_empty() {
        return None;
    }
    let mut edits = Vec::new();
    for (name, after) in &correction.texts {
        let file = findings.sources.find(name)?;
        let before = &findings.sources.file(file).text;
        let path = crate::load::normal_path(&findings.here.join(name));
        edits.extend(text_edits(&path, before, after, findings));
    }
    let what = correction.edits.first().map(|edit| edit.after.join(", "));
    let what = what.filter(|text| text.chars().count() <= 60);
    let number = correction.number;
    Some(Fix {
        title: match what {
            Some(text) => format!("respin: apply correction {number}: `{}`", text.trim()),
            None => format!("respin: apply correction {number}"),
        },
        edits,
        is_preferred: number == 1,
    })
}

fn text_edits(
    path: &Path,
    before: &str,
    after: &str,
    findings: &Findings<'_>,
) -> Vec<(Place, String)> {
    let edits = diff::edits(before, after).into_iter();
    edits
        .map(|(range, text)| {
            let range = findings.encoding.range(before, range.start, range.end);
            let file = path.to_path_buf();
            (Place { file, range }, text)
        })
        .collect()
}

/// Texts with what was suggested: they are tried before they are offered.
fn changes(explanation: &Explanation, format: Format, findings: &Findings<'_>) -> Vec<Change> {
    let Some(text) = source_of(findings.file, findings) else {
        return Vec::new();
    };
    let mut changes = Vec::new();
    let is_here = |item: &Item| {
        let place = findings.recorded(item.place.as_ref());
        item.place.is_some() && place.file == findings.file
    };
    if let Some(fix) = &explanation.fix
        && !fix.removed.is_empty()
        && fix.removed.iter().all(is_here)
    {
        let names: Vec<&str> = fix.removed.iter().map(|one| one.name.as_str()).collect();
        changes.push(Change {
            title: format!("respin: drop {}", names.join(", ")),
            text: without(text, &fix.removed),
        });
    }
    let weakenings = explanation.weakenings.iter();
    for one in weakenings.filter(|one| is_here(&one.guarantee)) {
        let guarantee = &one.guarantee;
        let changed = match (format, &one.written) {
            (Format::Spectra, _) => weakened(text, guarantee, &one.replacement),
            (_, Some(written)) => {
                let rest = without(text, std::slice::from_ref(guarantee));
                with_sections(&rest, &[written.line()])
            }
            // Nothing is suggested in the words of other formats.
            (_, None) => None,
        };
        changes.extend(changed.map(|text| Change {
            title: format!("respin: weaken {} to `{}`", guarantee.name, one.line()),
            text,
        }));
    }
    let sets = explanation.additions.iter().flat_map(|found| &found.sets);
    for set in sets.take(MOST_ADDITIONS) {
        let lines: Vec<String> = set.iter().map(Item::line).collect();
        let changed = if format == Format::Spectra {
            let added = lines.iter().map(|line| format!("\nasm\n  {line};\n"));
            let added: String = added.collect();
            Some(format!("{}\n{added}", text.trim_end()))
        } else if set.iter().all(|one| one.written.is_some()) {
            with_sections(text, &lines)
        } else {
            None
        };
        changes.extend(changed.map(|text| Change {
            title: format!("respin: assume `{}`", lines.join("` and `")),
            text,
        }));
    }
    changes
}

/// A text of TLSF with sections at the end of `MAIN`, which is its last part.
fn with_sections(text: &str, sections: &[String]) -> Option<String> {
    let (before, behind) = text.split_at(text.rfind('}')?);
    let sections: String = sections.iter().map(|one| format!("  {one}\n")).collect();
    Some(format!("{}\n{sections}{behind}", before.trim_end()))
}

/// A text without these constraints: each with the `;` behind it, and the rest of a line that
/// is empty then.
fn without(text: &str, items: &[Item]) -> String {
    let places = items.iter().filter_map(|item| item.place.as_ref());
    let mut spans: Vec<(usize, usize)> = places
        .map(|place| (place.start_byte as usize, place.end_byte as usize))
        .collect();
    spans.sort_unstable();
    spans.dedup();
    let mut text = text.to_string();
    for (start, end) in spans.into_iter().rev() {
        let (Some(before), Some(behind)) = (text.get(..start), text.get(end..)) else {
            continue;
        };
        let blank = |one: char| one == ' ' || one == '\t';
        let behind = behind.trim_start_matches(blank);
        let behind = behind.strip_prefix(';').unwrap_or(behind);
        let rest = behind.trim_start_matches(blank);
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        let is_alone = before[line..].trim().is_empty();
        let end_of_line = rest.strip_prefix("\r\n").or(rest.strip_prefix('\n'));
        text = match end_of_line {
            Some(rest) if is_alone => format!("{}{rest}", &before[..line]),
            _ => format!("{before}{behind}"),
        };
    }
    text
}

/// A requirement of Spectra with another body; `None` if it stands for several.
fn weakened(text: &str, item: &Item, replacement: &str) -> Option<String> {
    let place = item.place.as_ref()?;
    let (start, end) = (place.start_byte as usize, place.end_byte as usize);
    let written = text.get(start..end)?;
    let keyword = written.find(|one: char| !one.is_ascii_alphabetic())?;
    let rest = &written[keyword..];
    let head = match rest.find(':') {
        Some(colon) if !rest[colon..].starts_with(":=") => {
            let name = rest[..colon].trim();
            let is_name = name.chars().all(|one| one.is_alphanumeric() || one == '_');
            match is_name && !name.is_empty() {
                true => keyword + colon + 1,
                false if name.contains('{') => return None,
                false => keyword,
            }
        }
        _ => keyword,
    };
    let body = &written[head..];
    let blank = &body[..body.len() - body.trim_start().len()];
    let blank = if blank.is_empty() { " " } else { blank };
    let (before, behind) = (&text[..start + head], &text[end..]);
    let end = if written.ends_with(';') { ";" } else { "" };
    Some(format!("{before}{blank}{replacement}{end}{behind}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Span;
    use crate::source::record::PlaceRecord;

    fn item(text: &str, part: &str) -> Item {
        let mut sources = Sources::new();
        let file = sources.add("a.spectra", text);
        let start = text.find(part).expect("the part is in the text");
        let span = Span::new(file, start, start + part.len());
        Item {
            kind: ItemKind::Guarantee,
            name: "g".to_string(),
            text: String::new(),
            written: None,
            place: Some(PlaceRecord::new(span, &sources)),
        }
    }

    fn check_dropped(text: &str, part: &str, expected: &str) {
        assert_eq!(without(text, &[item(text, part)]), expected);
    }

    #[test]
    fn what_is_dropped_takes_its_semicolon_and_its_line_with_it() {
        check_dropped("a;\n  gar b ;\nc;\n", "gar b", "a;\nc;\n");
        check_dropped("a;\r\ngar b;\r\nc;", "gar b", "a;\r\nc;");
        check_dropped("a; gar b; c;", "gar b", "a;  c;");
        check_dropped("a; gar b", "gar b", "a; ");
    }

    fn check_weakened(part: &str, expected: Option<&str>) {
        let text = format!("x;\n{part};\ny;");
        let expected = expected.map(|part| format!("x;\n{part};\ny;"));
        assert_eq!(weakened(&text, &item(&text, part), "GF new"), expected);
    }

    #[test]
    fn sections_stand_at_the_end_of_the_last_part() {
        let sections = ["ASSUME { a; }".to_string(), "REQUIRE { b; }".to_string()];
        assert_eq!(
            with_sections("INFO { }\nMAIN {\n  X { c; }\n}\n", &sections).as_deref(),
            Some("INFO { }\nMAIN {\n  X { c; }\n  ASSUME { a; }\n  REQUIRE { b; }\n}\n")
        );
        assert_eq!(with_sections("MAIN", &sections), None);
    }

    #[test]
    fn a_weaker_body_keeps_the_name_of_the_requirement() {
        check_weakened("gar live:\n  GF a", Some("gar live:\n  GF new"));
        check_weakened("guarantee live:GF a", Some("guarantee live: GF new"));
        check_weakened("gar GF a", Some("gar GF new"));
        check_weakened("gar GF a;", Some("gar GF new;"));
        check_weakened("gar live{T x}: GF a[x]", None);
    }
}
