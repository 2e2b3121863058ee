//! A directory with all that a run has to tell, as users of SymbiYosys know it: `status`, a
//! marker file with the verdict as its name, the log, the patch, and a trace for each
//! property that fails.

use super::context::Context;
use super::output::{create_directory, unwritable, write_file};
use super::page;
use crate::report::junit::junit;
use crate::report::sarif::sarif;
use crate::report::{Body, Ending, RepairReport, Report, Verdict, vcd};
use crate::source::render::render;
use crate::source::{Diagnostic, codes::frame};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The file that says that a run has made a directory.
const MARKER: &str = ".respin-workdir";
const MARK: &str = "A work directory of respin: `--force` removes the results in it.\n";

/// What runs leave behind, beside a trace for each property and a file for the verdict.
const RESULTS: [&str; 7] = [
    "status",
    "logfile.txt",
    "patch.diff",
    "result.html",
    "result.json",
    "result.sarif",
    "result.xml",
];

/// Where a run leaves its results.
#[derive(Clone, Debug)]
pub struct Workdir {
    pub path: PathBuf,
}

impl Workdir {
    /// Makes the directory. One that exists is used again if `force` is given and a run has
    /// made it; what earlier runs have left there is removed, and nothing else.
    pub fn create(path: &Path, force: bool) -> Result<Workdir, Diagnostic> {
        let is_used = fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_some());
        if is_used && !force {
            let message = format!("the directory `{}` is not empty", path.display());
            return Err(Diagnostic::error(frame::OUTPUT_EXISTS, message)
                .help("choose another one, or give `--force` to replace it"));
        }
        if is_used && !is_ours(path) {
            let message = format!("`{}` is not a work directory of respin", path.display());
            return Err(
                Diagnostic::error(frame::OUTPUT_EXISTS, message).help(format!(
                    "it has no file `{MARKER}`; choose another directory, or empty it"
                )),
            );
        }
        if is_used {
            let what = format!("`{}`", path.display());
            remove_results(path).map_err(|error| unwritable(&what, &error))?;
        }
        create_directory(path)?;
        let workdir = Workdir {
            path: path.to_path_buf(),
        };
        workdir.add(MARKER, MARK)?;
        Ok(workdir)
    }

    pub fn write(
        &self,
        report: &Report,
        command: Option<&str>,
        exit_code: u8,
        context: &Context,
    ) -> Result<(), Diagnostic> {
        let moment = context.moment();
        let word = match report.ending() {
            Ending::Error => "ERROR",
            Ending::Verdict(verdict) => verdict.word(),
            Ending::Interrupted => "UNKNOWN",
            Ending::Done => "DONE",
        };
        let text = report.text();
        let mut log = String::new();
        for diagnostic in &report.diagnostics {
            log.push_str(&render(diagnostic, &context.sources, false));
            log.push('\n');
        }
        log.push_str(&text);
        let status = format!("{word} {exit_code} {:.0}\n", moment.seconds);
        self.add("status", &status)?;
        self.add(&marker_name(word), &text)?;
        self.add("logfile.txt", &log)?;
        if let Body::Repair(RepairReport {
            diff: Some(diff), ..
        }) = &report.body
        {
            self.add("patch.diff", diff)?;
        }
        for (name, trace) in report.body.traces() {
            let title = format!("{name}, {}", trace.shape());
            let file = format!("trace-{}.vcd", file_name(name));
            self.add(&file, &vcd::vcd(trace, &title))?;
        }
        let problem =
            |error: serde_json::Error| Diagnostic::error(frame::INTERNAL_ERROR, error.to_string());
        let json = report.json(command, &context.sources).map_err(problem)?;
        self.add("result.json", &json)?;
        let sarif = sarif(report, command, exit_code, &context.sources).map_err(problem)?;
        self.add("result.sarif", &sarif)?;
        if report.ending() != Ending::Error {
            let page = page::html(report, command, context);
            self.add("result.html", &page)?;
        }
        self.add("result.xml", &junit(report, command, &moment))
    }

    fn add(&self, name: &str, text: &str) -> Result<(), Diagnostic> {
        write_file(&self.path.join(name), text.as_bytes(), true)
    }
}

/// Whether a run has made a directory.
fn is_ours(path: &Path) -> bool {
    fs::symlink_metadata(path.join(MARKER)).is_ok_and(|metadata| metadata.is_file())
        && fs::read_to_string(path.join(MARKER)).is_ok_and(|text| text == MARK)
}

/// Removes what runs leave behind. The marker alone does not vouch for other files: whoever
/// made a directory can have put one there.
fn remove_results(path: &Path) -> io::Result<()> {
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let name = entry.file_name();
        let is_result = name.to_str().is_some_and(is_result);
        // A link is removed, not what it leads to.
        if is_result && !entry.file_type()?.is_dir() {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

fn is_result(name: &str) -> bool {
    let is_trace = name.starts_with("trace-") && name.ends_with(".vcd");
    let verdicts = Verdict::ALL.iter().map(|verdict| verdict.word());
    let mut words = verdicts.chain(["ERROR", "DONE"]);
    is_trace || RESULTS.contains(&name) || words.any(|word| marker_name(word) == name)
}

/// The name of the file that stands for a verdict.
fn marker_name(word: &str) -> String {
    word.replace(' ', "_")
}

/// A name of a property that every file system takes.
fn file_name(name: &str) -> String {
    let plain = |symbol: char| match symbol {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '.' | '-' => symbol,
        _ => '_',
    };
    name.chars().map(plain).collect()
}

/// The seconds since 1970 as a date and a time.
pub fn timestamp(seconds: u64) -> String {
    let (days, rest) = ((seconds / 86_400) as i64, seconds % 86_400);
    // Years that start in March, so that the leap day is the last one; from the year 0 on.
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day = shifted.rem_euclid(146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    format!(
        "{:04}-{month:02}-{of_month:02}T{:02}:{:02}:{:02}",
        year + era * 400 + next,
        rest / 3600,
        rest / 60 % 60,
        rest % 60
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_told_from_other_files() {
        for name in ["status", "NO_REPAIR", "PASS", "ERROR", "trace-live.vcd"] {
            assert!(is_result(name), "{name}");
        }
        for name in ["notes.txt", "trace.vcd", "NO REPAIR", MARKER, "..", "pass"] {
            assert!(!is_result(name), "{name}");
        }
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(timestamp(0), "1970-01-01T00:00:00");
        assert_eq!(timestamp(951_827_696), "2000-02-29T12:34:56");
        assert_eq!(timestamp(1_767_225_599), "2025-12-31T23:59:59");
    }
}
