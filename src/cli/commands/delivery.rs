//! What becomes of a correction: a diff, files that are written or edited, and runs.

use super::repair::repaired_path;
use crate::certify::recorded::Offered;
use crate::certify::{Certified, Problem, Verdict};
use crate::cli::context::{Context, Failure};
use crate::cli::editable::DiffBase;
use crate::cli::input::Format;
use crate::cli::output::{circuit_bytes, replace_file, write_file};
use crate::cli::request::RepairRequest;
use crate::cli::values::InputPath;
use crate::design::aiger;
use crate::repair::{RankedCorrection, RepairAnswer};
use crate::report::{Body, Report, diff, vcd};
use crate::run::Run;
use crate::source::{Diagnostic, FileId};
use crate::subject::Subject;
use std::path::Path;

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

    /// The correction as a diff, or why there is none.
    fn show(&self, best: Offered, report: &mut Report) {
        let (request, sources) = (self.request, &self.subject.sources);
        let is_netlist =
            request.design.designs[0].format == Format::YosysJson || self.is_behind_source;
        let edits_netlist = request.write && !self.is_behind_source;
        let is_written = request.output.output.is_some() || edits_netlist;
        let is_binary = |file: &FileId| sources.file(*file).is_binary();
        let without_diff = if is_netlist {
            // Every cell of a netlist is written anew, so a diff says nothing.
            Some("`-o FILE.json` writes the corrected netlist")
        } else if best.files.keys().any(is_binary) {
            Some("the design is a binary file, which has no diff; `-o FILE` writes it")
        } else {
            None
        };
        if let Some(note) = without_diff {
            let note = (!is_written).then(|| note.to_string());
            report.notes.extend(note);
            return;
        }
        let files = best.files.keys();
        let base = DiffBase::of(files.map(|file| sources.file(*file).name.as_str()));
        if let Body::Repair(body) = &mut report.body {
            body.diff = Some(diff::of_patch_named(best, sources, &|name| base.name(name)));
        }
        report.notes.extend(base.elsewhere().map(|directory| {
            let directory = directory.display();
            format!(
                "the diff is of a file outside of this directory: apply it in `{directory}`, \
                 with `git apply` or `patch -p1`"
            )
        }));
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
        let (Some(path), Some((property, run))) = (&self.request.vcd, failing.first()) else {
            return Ok(());
        };
        let force = self.request.output.force;
        let name = &self.subject.spec.properties[*property].name;
        let title = format!("{name} fails {}", run.shape());
        write_file(path, vcd::vcd(run, &title).as_bytes(), force)?;
        let Some(best) = best else {
            return Ok(());
        };
        let inputs = answer.before.iter().find_map(|(_, verdict)| match verdict {
            Verdict::Fails(trace) => Some(trace.stimulus(&self.subject.design)),
            _ => None,
        });
        let patched = self.subject.reread(&best.patch)?;
        let problem = Problem::new(&patched.design, &patched.spec)?;
        let shown = problem.replayed(&patched.spec, &inputs.unwrap_or_default())?;
        let text = vcd::vcd(&shown, "the same inputs after the repair");
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
