//! What a command found, and how it is told.
//!
//! Enters: a [`Report`] of plain values; no BDD, no handle into a stage. Leaves: text for
//! people, JSON for programs, and the exit code. Printing is left to `cli`.
//!
//! A stage that has more to tell adds a field to [`Report`], a line to [`Report::text`], and
//! an optional field to `Document`; [`SCHEMA`] changes only when a field changes its meaning
//! or goes away.

pub mod correction;
pub mod diff;
pub mod explanation;
pub mod junit;
pub mod property;
pub mod sarif;
pub mod specification;
mod trace;
pub mod vcd;
mod verdict;
pub mod witness;

pub use correction::{Correction, Edit};
pub use explanation::Explanation;
pub use property::PropertyResult;
pub use specification::Specification;

pub use verdict::{Answer, Verdict};

use crate::run::Run;
use crate::source::record::DiagnosticRecord;
use crate::source::{Diagnostic, Sources};
use serde::Serialize;

/// The version of the JSON schema.
pub const SCHEMA: u32 = 1;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It answered its question.
    Verdict(Verdict),
    /// It did what it does; it has no question to answer.
    Done,
    /// The usage, the input or the program is wrong; the diagnostics say how.
    Error,
    /// The user stopped it.
    Interrupted,
}

/// The result of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    pub ending: Ending,
    /// Why, in one sentence without a full stop.
    pub reason: Option<String>,
    /// A text that the command made: a script, a page, an explanation.
    pub output: Option<String>,
    /// What a specification is like, if the command is about one.
    pub specification: Option<Specification>,
    /// Why it is as it is.
    pub explanation: Option<Explanation>,
    /// What was found about each property of a design.
    pub properties: Vec<PropertyResult>,
    /// Ways to repair the design, the best first.
    pub corrections: Vec<Correction>,
    /// The edit of the best one, as a unified diff.
    pub diff: Option<String>,
    /// How the environment wins though all suspects are replaced at once.
    pub counterplay: Option<Counterplay>,
    /// What else there is to know, one line each: files that were written, and the like.
    pub notes: Vec<String>,
    pub diagnostics: Vec<Diagnostic>,
    /// Runs by the name of the property that they violate or cover, for files.
    pub traces: Vec<(String, Run)>,
}

/// One run of a strategy of the environment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Counterplay {
    /// The property that it breaks.
    pub property: String,
    pub trace: Run,
}

/// The JSON document.
#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    command: Option<&'a str>,
    /// The verdict's word, `ERROR`, or nothing for a command that answers no question.
    verdict: Option<&'static str>,
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    specification: Option<&'a Specification>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<&'a Explanation>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    properties: &'a [PropertyResult],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    corrections: &'a [Correction],
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    counterplay: Option<&'a Counterplay>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    notes: &'a [String],
    diagnostics: Vec<DiagnosticRecord>,
}

impl Report {
    pub fn verdict(verdict: Verdict) -> Report {
        Report::new(Ending::Verdict(verdict))
    }

    pub fn done(output: impl Into<String>) -> Report {
        Report {
            output: Some(output.into()),
            ..Report::new(Ending::Done)
        }
    }

    pub fn error(diagnostics: Vec<Diagnostic>) -> Report {
        Report {
            diagnostics,
            ..Report::new(Ending::Error)
        }
    }

    pub fn interrupted() -> Report {
        Report::new(Ending::Interrupted).because("interrupted")
    }

    pub fn because(mut self, reason: impl Into<String>) -> Report {
        self.reason = Some(reason.into());
        self
    }

    fn new(ending: Ending) -> Report {
        Report {
            ending,
            reason: None,
            output: None,
            specification: None,
            explanation: None,
            properties: Vec::new(),
            corrections: Vec::new(),
            diff: None,
            counterplay: None,
            notes: Vec::new(),
            diagnostics: Vec::new(),
            traces: Vec::new(),
        }
    }

    pub fn exit_code(&self, expected: Option<Verdict>) -> u8 {
        match self.ending {
            Ending::Verdict(verdict) => match verdict.answer_to(expected) {
                Answer::Yes => 0,
                Answer::No => 1,
                Answer::Unknown => 3,
            },
            Ending::Done => 0,
            Ending::Error => 2,
            Ending::Interrupted => 130,
        }
    }

    /// What people see on standard output; diagnostics are not part of it.
    pub fn text(&self) -> String {
        let mut text = String::new();
        if let Some(word) = self.word() {
            text.push_str(word);
            text.push('\n');
        }
        if let Some(reason) = &self.reason {
            text.push_str(reason);
            text.push('\n');
        }
        if let Some(output) = &self.output {
            text.push_str(output);
        }
        if let Some(specification) = &self.specification {
            text.push_str(&specification.text());
        }
        if let Some(explanation) = &self.explanation {
            text.push_str(&explanation.text());
        }
        text.push_str(&property::text(&self.properties));
        if !self.corrections.is_empty() {
            text.push('\n');
            text.push_str(&correction::text(&self.corrections));
        }
        if let Some(diff) = &self.diff {
            text.push('\n');
            text.push_str(diff);
        }
        for (index, note) in self.notes.iter().enumerate() {
            if index == 0 {
                text.push('\n');
            }
            text.push_str(note);
            text.push('\n');
        }
        if let Some(play) = &self.counterplay {
            let (property, shape) = (&play.property, play.trace.shape());
            text.push_str(&format!("\nso {property} fails {shape}, for one:\n"));
            text.push_str(&play.trace.table());
        }
        text
    }

    /// One JSON document with everything, ended by a newline.
    pub fn json(&self, command: Option<&str>, sources: &Sources) -> serde_json::Result<String> {
        let verdict = match self.ending {
            Ending::Error => Some("ERROR"),
            _ => self.word(),
        };
        let document = Document {
            schema: SCHEMA,
            command,
            verdict,
            reason: self.reason.as_deref(),
            output: self.output.as_deref(),
            specification: self.specification.as_ref(),
            explanation: self.explanation.as_ref(),
            properties: &self.properties,
            corrections: &self.corrections,
            diff: self.diff.as_deref(),
            counterplay: self.counterplay.as_ref(),
            notes: &self.notes,
            diagnostics: self
                .diagnostics
                .iter()
                .map(|diagnostic| DiagnosticRecord::new(diagnostic, sources))
                .collect(),
        };
        Ok(serde_json::to_string_pretty(&document)? + "\n")
    }

    /// An interrupted command does not know its verdict.
    fn word(&self) -> Option<&'static str> {
        match self.ending {
            Ending::Verdict(verdict) => Some(verdict.word()),
            Ending::Interrupted => Some(Verdict::Unknown.word()),
            Ending::Done | Ending::Error => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Code;
    use serde_json::json;

    fn check_exit(verdict: Verdict, expected: Option<Verdict>, code: u8) {
        assert_eq!(
            Report::verdict(verdict).exit_code(expected),
            code,
            "{verdict}, expected {expected:?}"
        );
    }

    fn check_json(report: &Report, command: Option<&str>, expected: serde_json::Value) {
        let text = report.json(command, &Sources::new()).unwrap();
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value, expected);
    }

    #[test]
    fn yes_is_zero() {
        check_exit(Verdict::Repaired, None, 0);
        check_exit(Verdict::Pass, None, 0);
        check_exit(Verdict::Realizable, None, 0);
    }

    #[test]
    fn no_is_one() {
        check_exit(Verdict::NoRepair, None, 1);
        check_exit(Verdict::Fail, None, 1);
        check_exit(Verdict::Unrealizable, None, 1);
    }

    #[test]
    fn unknown_is_three() {
        check_exit(Verdict::Unknown, None, 3);
    }

    #[test]
    fn the_expected_verdict_is_zero() {
        for verdict in Verdict::ALL {
            check_exit(verdict, Some(verdict), 0);
        }
    }

    #[test]
    fn another_definite_verdict_than_the_expected_one_is_one() {
        check_exit(Verdict::Pass, Some(Verdict::Fail), 1);
        check_exit(Verdict::Fail, Some(Verdict::Unknown), 1);
        check_exit(Verdict::Pass, Some(Verdict::Unknown), 1);
    }

    #[test]
    fn an_unexpected_unknown_stays_three() {
        check_exit(Verdict::Unknown, Some(Verdict::Pass), 3);
        check_exit(Verdict::Unknown, Some(Verdict::Fail), 3);
    }

    #[test]
    fn errors_and_interrupts_ignore_what_was_expected() {
        assert_eq!(Report::error(vec![]).exit_code(Some(Verdict::Fail)), 2);
        let expected = Some(Verdict::Unknown);
        assert_eq!(Report::interrupted().exit_code(expected), 130);
    }

    #[test]
    fn the_verdict_is_the_first_line_and_the_reason_the_second() {
        let report = Report::verdict(Verdict::NoRepair).because("the environment wins");
        assert_eq!(report.text(), "NO REPAIR\nthe environment wins\n");
    }

    #[test]
    fn a_command_without_a_question_prints_only_its_output() {
        assert_eq!(Report::done("a page\n").text(), "a page\n");
    }

    #[test]
    fn an_error_prints_nothing_on_standard_output() {
        let report = Report::error(vec![Diagnostic::error(Code(2), "wrong")]);
        assert_eq!(report.text(), "");
    }

    #[test]
    fn json_has_the_verdict_word() {
        check_json(
            &Report::verdict(Verdict::NoRepair).because("no luck"),
            Some("repair"),
            json!({
                "schema": 1, "command": "repair", "verdict": "NO REPAIR",
                "reason": "no luck", "diagnostics": [],
            }),
        );
    }

    #[test]
    fn json_of_an_error_has_its_diagnostics() {
        check_json(
            &Report::error(vec![Diagnostic::error(Code(2), "wrong")]),
            None,
            json!({
                "schema": 1, "command": null, "verdict": "ERROR", "reason": null,
                "diagnostics": [{
                    "severity": "error", "code": "R0002", "message": "wrong",
                    "labels": [], "notes": [], "help": null,
                }],
            }),
        );
    }

    #[test]
    fn json_of_a_command_without_a_question_has_no_verdict() {
        check_json(
            &Report::done("text\n"),
            Some("man"),
            json!({
                "schema": 1, "command": "man", "verdict": null, "reason": null,
                "output": "text\n", "diagnostics": [],
            }),
        );
    }
}
