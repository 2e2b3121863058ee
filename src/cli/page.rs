//! The result of a command as a page for a browser, in a file that `--html` names.

use super::context::Context;
use super::input::InputFile;
use super::options::PageOptions;
use super::output::{check_output_path, write_file};
use crate::report::html::Page;
use crate::report::{Ending, Report};
use crate::source::{Diagnostic, codes::frame};
use std::path::PathBuf;

/// Options with a value that a command for the same result does without.
const LEFT_OUT: [&str; 4] = ["--html", "--pick", "--workdir", "--format"];

/// Where a page goes.
#[derive(Clone, Debug)]
pub struct Target {
    path: PathBuf,
    force: bool,
}

impl Target {
    /// What was asked for; refused before any work is done if it must not be written, or if one
    /// of the other outputs goes there.
    pub fn asked<'a>(
        options: &PageOptions,
        force: bool,
        inputs: impl IntoIterator<Item = &'a InputFile>,
        others: &[&Option<PathBuf>],
    ) -> Result<Option<Target>, Diagnostic> {
        let Some(path) = &options.html else {
            return Ok(None);
        };
        check_output_path(path, force, inputs)?;
        if others.iter().any(|other| other.as_ref() == Some(path)) {
            let message = "`--html` and another option name the same file";
            return Err(Diagnostic::error(frame::BAD_USAGE, message));
        }
        let path = path.clone();
        Ok(Some(Target { path, force }))
    }
}

/// The page of a report.
pub fn html(report: &Report, command: Option<&str>, context: &Context) -> String {
    let typed = typed(&context.words);
    let page = Page {
        command: command.unwrap_or_default(),
        typed: &typed,
        sources: &context.sources,
    };
    page.html(report)
}

/// Writes the page that was asked for, and notes it. An error has no page.
pub fn write(report: &mut Report, command: Option<&str>, context: &Context) {
    let Some(target) = &context.page else {
        return;
    };
    if report.ending() == Ending::Error {
        return;
    }
    let text = html(report, command, context);
    match write_file(&target.path, text.as_bytes(), target.force) {
        Ok(()) => report
            .notes
            .push(format!("wrote {}", target.path.display())),
        Err(problem) => *report = Report::error(vec![problem]),
    }
}

/// The words of a command line as a shell reads them, without those that say where results go.
fn typed(words: &[String]) -> Vec<String> {
    let mut typed = vec!["respin".to_string()];
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        let name = word.split('=').next().unwrap_or(word);
        if LEFT_OUT.contains(&name) {
            if name == word {
                words.next();
            }
        } else if word != "--force" {
            typed.push(quoted(word));
        }
    }
    typed
}

fn quoted(word: &str) -> String {
    let is_plain = |symbol: char| symbol.is_alphanumeric() || "-_./=:,+@%".contains(symbol);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_string();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &[&str], expected: &str) {
        let words: Vec<String> = line.iter().map(|word| word.to_string()).collect();
        assert_eq!(typed(&words).join(" "), expected);
    }

    #[test]
    fn the_command_is_what_a_shell_takes_again() {
        check(
            &[
                "target/respin",
                "repair",
                "a b.v",
                "--keep",
                "x != y",
                "--html",
                "p.html",
            ],
            "respin repair 'a b.v' --keep 'x != y'",
        );
        check(
            &[
                "respin", "repair", "it's.v", "--pick=2", "--html=p", "--force", "--reset", "r=0",
            ],
            "respin repair 'it'\\''s.v' --reset r=0",
        );
    }
}
