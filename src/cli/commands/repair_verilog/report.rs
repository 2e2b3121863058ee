//! What was found, for people and programs; the patch, and where it is written.

use super::games::{Exact, merge};
use super::{Task, named_run};
use crate::bdd;
use crate::certify::{self, Problem};
use crate::cli::context::{Context, Failure};
use crate::cli::options::OutputFormat;
use crate::cli::output::{replace_file, write_file};
use crate::cli::trace::describe;
use crate::cli::values::InputPath;
use crate::design::verilog::edits::{EditKind, SourceEdit};
use crate::design::{ComponentId, NodeId, Reset};
use crate::repair::source::{Found, SourceRepair};
use crate::report::{self, Correction, Edit, Ending, Report, Verdict, diff, vcd};
use crate::source::codes::repair as codes;
use crate::source::record::PlaceRecord;
use crate::source::{Diagnostic, Sources, Span};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Corrections that are listed for people.
const MOST_LISTED: usize = 8;
/// Edits with the same effect that are named one by one.
const MOST_ALIKE: usize = 3;

impl Task<'_> {
    pub fn conclude(
        &self,
        mut report: Report,
        found: Found,
        exact: Option<Exact>,
        failing: Option<&certify::Trace>,
        context: &mut Context,
    ) -> Result<Report, Failure> {
        let Found {
            repairs,
            stopped,
            unproved,
            ..
        } = found;
        let mut exact = exact.unwrap_or_default();
        let repairs = merge(repairs, std::mem::take(&mut exact.repairs));
        let rejected = &self.request.correction.reject;
        let wrong = rejected
            .iter()
            .find(|number| **number as usize > repairs.len());
        if let (Some(wrong), None) = (wrong, stopped) {
            let message = format!("there is no correction {wrong} to reject");
            let help = format!("the corrections are numbered from 1 to {}", repairs.len());
            let diagnostic = Diagnostic::error(codes::NO_SUCH_CORRECTION, message);
            return Err(diagnostic.help(help).into());
        }
        let numbered = repairs
            .iter()
            .enumerate()
            .map(|(index, one)| (index + 1, one));
        let offered: Vec<(usize, &SourceRepair)> = numbered
            .filter(|(number, _)| !rejected.contains(&(*number as u32)))
            .collect();
        let good: Vec<&(usize, &SourceRepair)> =
            offered.iter().filter(|(_, one)| !one.vacuous).collect();
        self.note_open_places(&mut report, &exact);
        for (number, repair) in &offered {
            let correction = correction(*number, repair, self);
            report.body.repair_mut().corrections.push(correction);
        }
        let corrections = &mut report.body.repair_mut().corrections;
        if corrections.len() > MOST_LISTED && context.settings.format == OutputFormat::Text {
            let more = corrections.len() - MOST_LISTED;
            corrections.truncate(MOST_LISTED);
            let more = match more {
                1 => "1 more correction".to_string(),
                more => format!("{more} more corrections"),
            };
            report
                .notes
                .push(format!("{more}; `--format json` lists all"));
        }
        let Some((_, best)) = good.first() else {
            let (verdict, reason) = self.without_repair(&offered, &exact, stopped, unproved);
            report.ending = match stopped.or(exact.stopped) {
                Some(bdd::Error::Interrupted) => Ending::Interrupted,
                _ => Ending::Verdict(verdict),
            };
            return Ok(report.because(reason));
        };
        report.ending = Ending::Verdict(Verdict::Repaired);
        let mut lines: Vec<String> = Vec::new();
        for (_, repair) in &good {
            for edit in &repair.edits {
                let line = place(edit.place(), &self.sources);
                if !lines.contains(&line) {
                    lines.push(line);
                }
            }
        }
        let corrections = match good.len() {
            1 => "1 correction".to_string(),
            count => format!("{count} corrections"),
        };
        let reason = format!("{corrections}, at {}", lines.join(", "));
        if let Some(error) = stopped.or(exact.stopped) {
            let note = format!("the search ended early: {error}");
            report.notes.push(note);
        }
        self.deliver(&mut report, best, context)?;
        if let (Some(path), Some(trace)) = (&self.request.vcd, failing) {
            self.write_repaired_run(path, best, trace)?;
            let repaired = repaired_path(path);
            report.notes.push(format!(
                "wrote {} with a failing run, and {} with the same inputs after the repair",
                path.display(),
                repaired.display()
            ));
        }
        Ok(report.because(reason))
    }

    fn without_repair(
        &self,
        offered: &[(usize, &SourceRepair)],
        exact: &Exact,
        stopped: Option<bdd::Error>,
        unproved: usize,
    ) -> (Verdict, String) {
        let reason = if let Some(error) = stopped.or(exact.stopped) {
            format!("no repair was found before the end: {error}")
        } else if !offered.is_empty() {
            "all corrections found are vacuous: the assumptions can then be forced to fail"
                .to_string()
        } else if !self.request.correction.reject.is_empty() {
            "all corrections found were rejected".to_string()
        } else if unproved > 0 || !exact.unproved.is_empty() {
            "corrections were found, but not proved in time".to_string()
        } else if let Some(property) = &exact.not_supported {
            format!("no small edit is a correction, and the game is out of reach: {property}")
        } else if exact.open_places().next().is_some() {
            "no correction without added registers was found".to_string()
        } else {
            let reason = "no small edit is a correction, and the environment wins against every \
                          right-hand side and condition";
            return (Verdict::NoRepair, reason.to_string());
        };
        (Verdict::Unknown, reason)
    }

    /// Where the game is won and no text was found.
    fn note_open_places(&self, report: &mut Report, exact: &Exact) {
        let line = |id: &ComponentId| {
            let component = &self.netlist.components()[id.0 as usize];
            component.span.map(|span| place(span, &self.sources))
        };
        for (places, note) in [
            (
                &exact.only_with_memory,
                "could be corrected with added registers only",
            ),
            (
                &exact.undecided,
                "could be corrected, maybe with added registers; no text was found",
            ),
        ] {
            let mut lines: Vec<String> = places.iter().filter_map(line).collect();
            lines.dedup();
            if !lines.is_empty() {
                report.notes.push(format!("{note}: {}", lines.join(", ")));
            }
        }
    }

    /// The best correction as a diff, and written where it was asked for.
    fn deliver(
        &self,
        report: &mut Report,
        best: &SourceRepair,
        context: &mut Context,
    ) -> Result<(), Failure> {
        let mut text = String::new();
        for (file, after) in &best.texts {
            let source = self.sources.file(*file);
            text.push_str(&diff::unified(&source.name, &source.text, after));
        }
        report.body.repair_mut().diff = Some(text);
        if let Some(path) = &self.request.output.output {
            let mut all = String::new();
            for file in &self.verilog.project.files {
                let after = best.texts.get(file);
                all.push_str(after.unwrap_or(&self.sources.file(*file).text));
            }
            write_file(path, all.as_bytes(), self.request.output.force)?;
            report.notes.push(format!("wrote {}", path.display()));
        }
        if self.request.write {
            context.limits.check()?;
            for (file, after) in &best.texts {
                let name = &self.sources.file(*file).name;
                let inputs = self.request.design.designs.iter();
                let is_stdin = inputs
                    .filter(|input| input.path == InputPath::Stdin)
                    .any(|input| input.path.name() == *name);
                if !is_stdin {
                    replace_file(std::path::Path::new(name), after.as_bytes())?;
                    report.notes.push(format!("edited {name}"));
                }
            }
        }
        Ok(())
    }
}

impl Task<'_> {
    /// The inputs of a failing run on the repaired design.
    fn write_repaired_run(
        &self,
        path: &Path,
        best: &SourceRepair,
        trace: &certify::Trace,
    ) -> Result<(), Failure> {
        let sources = self.sources.with_texts(&best.texts);
        let patched = self.reload(&sources)?;
        let problem = Problem::new(&patched.design, &patched.spec)?;
        let run = named_run(&self.loaded.design, trace);
        let design = &patched.design;
        let values = |nodes: &[NodeId], names: &HashSet<String>| -> Vec<bool> {
            let is_set = |id: &NodeId| names.contains(design.name(*id).unwrap_or_default());
            nodes.iter().map(is_set).collect()
        };
        let initial = design.latches().iter().map(|id| match design.latch(*id) {
            Some(latch) if latch.reset == Reset::One => true,
            Some(latch) if latch.reset == Reset::Zero => false,
            _ => run.initial.contains(design.name(*id).unwrap_or_default()),
        });
        let replayed = certify::Trace {
            initial: initial.collect(),
            inputs: run
                .inputs
                .iter()
                .map(|names| values(design.inputs(), names))
                .collect(),
            loop_start: None,
        };
        let Some(property) = problem.asserted().next() else {
            return Ok(());
        };
        let shown = describe(&problem, &patched.spec, property, &replayed)?;
        let text = vcd::vcd(&shown, "the same inputs after the repair");
        write_file(
            &repaired_path(path),
            text.as_bytes(),
            self.request.output.force,
        )?;
        Ok(())
    }
}

/// Where the run of the repaired design goes.
pub fn repaired_path(path: &Path) -> PathBuf {
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    let extension = path.extension().and_then(|extension| extension.to_str());
    let name = match extension {
        Some(extension) => format!("{}-repaired.{extension}", stem.unwrap_or("run")),
        None => format!("{}-repaired", stem.unwrap_or("run")),
    };
    path.with_file_name(name)
}

/// A place as `file:line`.
pub fn place(span: Span, sources: &Sources) -> String {
    let name = &sources.file(span.file).name;
    let name = name.rsplit('/').next().unwrap_or(name);
    match sources.position(span) {
        Some(position) => format!("{name}:{}", position.line),
        None => name.to_string(),
    }
}

fn reported(kind: EditKind) -> report::EditKind {
    match kind {
        EditKind::Literal => report::EditKind::Literal,
        EditKind::Operator => report::EditKind::Operator,
        EditKind::Signal => report::EditKind::Signal,
        EditKind::Negation => report::EditKind::Negation,
        EditKind::Condition => report::EditKind::Condition,
        EditKind::Value => report::EditKind::RightHandSide,
        EditKind::Target => report::EditKind::Target,
        EditKind::Assignment => report::EditKind::Assignment,
        EditKind::Branch => report::EditKind::Branch,
        EditKind::Reset => report::EditKind::Reset,
        EditKind::Registers => report::EditKind::Registers,
    }
}

fn correction(number: usize, repair: &SourceRepair, task: &Task<'_>) -> Correction {
    let sources = &task.sources;
    let edits = repair
        .edits
        .iter()
        .map(|edit| {
            let (before, after) = match edit.kind {
                // The diff shows them.
                EditKind::Registers => (Vec::new(), Vec::new()),
                _ => {
                    let (before, after) = lines_of(edit, sources);
                    (vec![before], vec![after])
                }
            };
            Edit {
                component: String::new(),
                kind: reported(edit.kind),
                place: Some(PlaceRecord::new(edit.place(), sources)),
                before,
                after,
            }
        })
        .collect();
    let mut also: Vec<String> = repair
        .also
        .iter()
        .map(|edits| {
            let texts: Vec<String> = edits
                .iter()
                .map(|edit| {
                    let place = place(edit.place(), sources);
                    format!("{place} `{}`", lines_of(edit, sources).1)
                })
                .collect();
            texts.join(" and ")
        })
        .collect();
    if also.len() > MOST_ALIKE {
        let more = also.len() - MOST_ALIKE;
        also.truncate(MOST_ALIKE);
        also.push(format!("and {more} more"));
    }
    Correction {
        number,
        edits,
        also,
        effect: effect(repair),
        added_registers: repair.added_registers,
        vacuous: repair.vacuous,
    }
}

/// How much an edit changes, measured on random runs.
fn effect(repair: &SourceRepair) -> Option<String> {
    let (changed, all) = (repair.difference, repair.compared);
    match (changed, all) {
        (_, 0) => None,
        (0, _) => Some("changes no output on random runs".to_string()),
        _ => {
            let share = 100.0 * changed as f64 / all as f64;
            Some(format!(
                "changes {share:.2} % of output values on random runs"
            ))
        }
    }
}

/// The lines that an edit touches, before and after it.
fn lines_of(edit: &SourceEdit, sources: &Sources) -> (String, String) {
    let changes = || edit.changes.iter().map(|(span, _)| *span);
    let file = sources.file(edit.place().file);
    let start = changes().map(|span| span.start).min().unwrap_or(0) as usize;
    let end = changes().map(|span| span.end).max().unwrap_or(0) as usize;
    let text = &file.text;
    let first = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let last = text[end..].find('\n').map_or(text.len(), |at| end + at);
    let before = &text[first..last];
    let mut after = before.to_string();
    let mut sorted: Vec<&(Span, String)> = edit.changes.iter().collect();
    sorted.sort_by_key(|(span, _)| *span);
    for (span, new) in sorted.into_iter().rev() {
        let range = span.start as usize - first..span.end as usize - first;
        after.replace_range(range, new);
    }
    (shortened(before), shortened(&after))
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
