//! What becomes of a correction: a diff, files that are written or edited, and runs.

use super::repair::repaired_path;
use crate::certify::Certified;
use crate::certify::recorded::Offered;
use crate::cli::context::{Context, Failure};
use crate::cli::editable::DiffBase;
use crate::cli::input::Format;
use crate::cli::output::{circuit_bytes, replace_file, write_file};
use crate::cli::request::RepairRequest;
use crate::cli::values::InputPath;
use crate::design::{Patch, aiger};
use crate::repair::{RankedCorrection, RecordedAnswer, RepairAnswer};
use crate::report::{Body, Report, diff, vcd};
use crate::run::Run;
use crate::source::{Diagnostic, FileId};
use crate::subject::Subject;
use std::path::Path;

/// Failing runs that a page shows for each correction.
const MOST_RUNS: usize = 8;

/// What was repaired, and what is to become of it.
pub struct Delivery<'a> {
    pub request: &'a RepairRequest,
    pub subject: &'a Subject,
    /// Whether the subject is the netlist behind a source that was given.
    pub is_behind_source: bool,
}

impl Delivery<'_> {
    /// The best correction as a diff, and written where it was asked for.
    pub fn deliver(
        &self,
        best: Offered,
        report: &mut Report,
        context: &mut Context,
    ) -> Result<(), Failure> {
        let request = self.request;
        self.show(best, report);
        if let Some(path) = &request.output.output {
            write_file(path, &self.whole(best, path)?, request.output.force)?;
            report.notes.push(format!("wrote {}", path.display()));
        }
        if request.write && self.is_behind_source {
            let name = request.design.designs[0].path.name();
            report.notes.push(format!("{name} was not edited"));
        } else if request.write {
            self.edit(best, report, context)?;
        }
        Ok(())
    }

    /// Says that the file for a correction is not there.
    pub fn note_unwritten(&self, report: &mut Report) {
        let path = self.request.output.output.as_ref();
        report.notes.extend(path.map(|path| {
            let path = path.display();
            format!("there is no correction, so {path} was not written")
        }));
    }

    /// The correction as a diff, or why there is none.
    fn show(&self, best: Offered, report: &mut Report) {
        let request = self.request;
        let edits_netlist = request.write && !self.is_behind_source;
        let is_written = request.output.output.is_some() || edits_netlist;
        if let Some(note) = self.without_diff(&best) {
            let note = (!is_written).then(|| note.to_string());
            report.notes.extend(note);
            return;
        }
        let (diff, base) = self.diff(best);
        if let Body::Repair(body) = &mut report.body {
            body.diff = Some(diff);
        }
        report.notes.extend(base.elsewhere().map(|directory| {
            let directory = directory.display();
            format!(
                "the diff is of a file outside of this directory: apply it in `{directory}`, \
                 with `git apply` or `patch -p1`"
            )
        }));
    }

    /// Adds to each correction that is listed what a page shows of it: its diff, and what it
    /// does on the inputs of failing runs.
    pub fn add_details(&self, answer: &RepairAnswer, report: &mut Report) -> Result<(), Failure> {
        let Body::Repair(body) = &mut report.body else {
            return Ok(());
        };
        body.pick = self.request.correction.pick.map(|number| number as usize);
        let subject = self.subject;
        for listed in &mut body.corrections {
            let mut corrections = answer.corrections.iter();
            let Some(own) = corrections.find(|one| one.number == listed.number) else {
                continue;
            };
            if self.without_diff(&own.patch).is_none() {
                listed.diff = Some(self.diff(Offered::Proved(&own.patch)).0);
            }
            let runs = answer.corrected_runs(subject, &own.patch, MOST_RUNS)?;
            let named = runs.into_iter().map(|(property, run)| {
                let name = subject.spec.properties[property].name.clone();
                (name, run)
            });
            listed.runs = named.collect();
        }
        Ok(())
    }

    /// Adds to each correction that is listed the texts that it makes of files.
    pub fn add_texts(&self, answer: &RepairAnswer, report: &mut Report) {
        let Body::Repair(body) = &mut report.body else {
            return;
        };
        for listed in &mut body.corrections {
            let mut corrections = answer.corrections.iter();
            let Some(own) = corrections.find(|one| one.number == listed.number) else {
                continue;
            };
            if self.without_diff(&own.patch).is_none() {
                let texts = own.patch.texts().into_iter();
                let sources = &self.subject.sources;
                let named = texts.map(|(file, text)| (sources.file(file).name.clone(), text));
                listed.texts = named.collect();
            }
        }
    }

    /// The diffs of corrections that fit recorded runs: those have no failing runs.
    pub fn add_diffs(&self, answer: &RecordedAnswer, report: &mut Report) {
        let Body::Repair(body) = &mut report.body else {
            return;
        };
        body.pick = self.request.correction.pick.map(|number| number as usize);
        for listed in &mut body.corrections {
            let mut corrections = answer.corrections.iter();
            let own = corrections.find(|one| one.number == listed.number);
            listed.diff = own.map(|own| self.diff(Offered::Fitting(&own.patch)).0);
        }
    }

    /// Why a correction cannot be shown as a diff.
    fn without_diff(&self, patch: &Patch) -> Option<&'static str> {
        let is_netlist =
            self.request.design.designs[0].format == Format::YosysJson || self.is_behind_source;
        let is_binary = |file: &FileId| self.subject.sources.file(*file).is_binary();
        if is_netlist {
            // Every cell of a netlist is written anew, so a diff says nothing.
            Some("`-o FILE.json` writes the corrected netlist")
        } else if patch.files.keys().any(is_binary) {
            Some("the design is a binary file, which has no diff; `-o FILE` writes it")
        } else {
            None
        }
    }

    /// A patch as a diff, and what its names start from.
    fn diff(&self, patch: Offered) -> (String, DiffBase) {
        let sources = &self.subject.sources;
        let files = patch.files.keys();
        let base = DiffBase::of(files.map(|file| sources.file(*file).name.as_str()));
        let diff = diff::of_patch_named(patch, sources, &|name| base.name(name));
        (diff, base)
    }

    /// The files of the design in place.
    fn edit(
        &self,
        best: Offered,
        report: &mut Report,
        context: &mut Context,
    ) -> Result<(), Failure> {
        context.limits.check()?;
        let inputs = self.request.design.designs.iter();
        let stdin = inputs.filter(|input| input.path == InputPath::Stdin);
        let stdin: Vec<String> = stdin.map(|input| input.path.name()).collect();
        let sources = &self.subject.sources;
        let files = best.files.iter();
        let edited = files.map(|(file, bytes)| (&sources.file(*file).name, bytes));
        let edited: Vec<_> = edited.filter(|(name, _)| !stdin.contains(name)).collect();
        for (name, _) in &edited {
            context.editable.check(name)?;
        }
        for (name, bytes) in edited {
            replace_file(Path::new(name), bytes)?;
            report.notes.push(format!("edited {name}"));
        }
        Ok(())
    }

    /// The whole corrected design as one file.
    fn whole(&self, best: Offered, path: &Path) -> Result<Vec<u8>, Diagnostic> {
        let sources = &self.subject.sources;
        let mut all = Vec::new();
        for file in self.subject.front_end().files() {
            match best.files.get(file) {
                Some(bytes) => all.extend_from_slice(bytes),
                None => all.extend_from_slice(sources.file(*file).bytes()),
            }
        }
        if self.request.design.designs[0].format == Format::Aiger {
            // The extension says which of the two forms is wanted.
            return circuit_bytes(&aiger::read(&all, None)?, Some(path));
        }
        Ok(all)
    }

    /// The first failing run, and its inputs on the repaired design.
    pub fn write_runs(
        &self,
        failing: &[(usize, Certified<Run>)],
        answer: &RepairAnswer,
        best: Option<&RankedCorrection>,
        report: &mut Report,
    ) -> Result<(), Failure> {
        let Some(path) = &self.request.vcd else {
            return Ok(());
        };
        let Some((property, run)) = failing.first() else {
            let note = format!(
                "there is no failing run, so {} was not written",
                path.display()
            );
            report.notes.push(note);
            return Ok(());
        };
        let force = self.request.output.force;
        let name = &self.subject.spec.properties[*property].name;
        let title = format!("{name} fails {}", run.shape());
        write_file(path, vcd::vcd(run, &title).as_bytes(), force)?;
        let corrected = match best {
            Some(best) => answer.corrected_runs(self.subject, &best.patch, 1)?,
            None => Vec::new(),
        };
        let Some((_, shown)) = corrected.first() else {
            let note = format!("wrote {} with a failing run", path.display());
            report.notes.push(note);
            return Ok(());
        };
        let text = vcd::vcd(shown, "the same inputs after the repair");
        let repaired = repaired_path(path);
        write_file(&repaired, text.as_bytes(), force)?;
        report.notes.push(format!(
            "wrote {} with a failing run, and {} with the same inputs after the repair",
            path.display(),
            repaired.display()
        ));
        Ok(())
    }
}
