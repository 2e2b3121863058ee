//! A directory with all that a run has to tell, as users of SymbiYosys know it: `status`, a
//! marker file with the verdict as its name, the log, the patch, and a trace for each
//! property that fails.

use super::context::Context;
use super::output::{create_directory, unwritable, write_file};
use crate::report::junit::junit;
use crate::report::sarif::sarif;
use crate::report::{Body, Ending, RepairReport, Report, vcd};
use crate::source::render::render;
use crate::source::{Diagnostic, codes::frame};
use std::fs;
use std::path::{Path, PathBuf};

/// Where a run leaves its results.
#[derive(Clone, Debug)]
pub struct Workdir {
    pub path: PathBuf,
}

impl Workdir {
    /// Makes the directory. One that exists is replaced if `force` is given and a run has
    /// made it.
    pub fn create(path: &Path, force: bool) -> Result<Workdir, Diagnostic> {
        let is_used = fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_some());
        if is_used && !force {
            let message = format!("the directory `{}` is not empty", path.display());
            return Err(Diagnostic::error(frame::OUTPUT_EXISTS, message)
                .help("choose another one, or give `--force` to replace it"));
        }
        if is_used && !path.join("status").is_file() {
            let message = format!("`{}` is not a work directory of respin", path.display());
            return Err(Diagnostic::error(frame::OUTPUT_EXISTS, message)
                .help("it has no file `status`; choose another directory"));
        }
        if is_used {
            let what = format!("`{}`", path.display());
            fs::remove_dir_all(path).map_err(|error| unwritable(&what, &error))?;
        }
        create_directory(path)?;
        Ok(Workdir {
            path: path.to_path_buf(),
        })
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
        self.add(&word.replace(' ', "_"), &text)?;
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
        self.add("result.xml", &junit(report, command, &moment))
    }

    fn add(&self, name: &str, text: &str) -> Result<(), Diagnostic> {
        write_file(&self.path.join(name), text.as_bytes(), true)
    }
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
    fn dates_are_those_of_the_calendar() {
        assert_eq!(timestamp(0), "1970-01-01T00:00:00");
        assert_eq!(timestamp(951_827_696), "2000-02-29T12:34:56");
        assert_eq!(timestamp(1_767_225_599), "2025-12-31T23:59:59");
    }
}
