//! What a command found, and how it is told.
//!
//! Enters: a [`Report`] of plain values; no BDD, no handle into a stage. Leaves: text for
//! people, JSON for programs, and the exit code. Printing is left to `cli`. From the answers
//! of the library to a report: [`answers`].
//!
//! What all commands have is in [`Report`], what one of them has in its variant of [`Body`].
//! A command that has more to tell adds a field there, a line to its text, and an optional
//! field to `document`; [`SCHEMA`] changes only when a field changes its meaning or goes away.

pub mod answers;
mod body;
pub mod campaign;
pub mod correction;
pub mod diff;
mod document;
pub mod explanation;
pub mod html;
pub mod junit;
pub mod mutate;
pub mod property;
pub mod recorded;
mod repair;
pub mod sarif;
#[cfg(test)]
mod schema;
pub mod specification;
mod trace;
pub mod vcd;
mod verdict;
mod verify;
pub mod witness;
mod words;

pub use body::{Body, Transcript};
pub use campaign::CampaignReport;
pub use correction::{Correction, Edit};
pub use explanation::Explanation;
pub use mutate::MutateReport;
pub use property::{EngineWord, PropertyResult, ResetWord, VacuousWord};
pub use recorded::RecordedResult;
pub use repair::{ApartRecord, Counterplay, PartOfRepair, PlaceOfFault, RepairReport};
pub use specification::Specification;
pub use verdict::{Answer, Verdict};
pub use verify::VerifyReport;

use crate::certify::recorded::{Differs, Fits, Plausible};
use crate::certify::{Certified, Fails, Holds, NoRepair, Realizable, Unrealizable};
use crate::design::Patch;
use crate::source::{Diagnostic, Sources};
use document::Document;

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

/// What is noted of a run whose work is over, which counts as the end of its time.
pub const WORK_IS_DONE: &str =
    "the work that `--work` allows was done, which counts as the end of the time";

/// The result of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Private, so that a definite verdict comes from a certified answer.
    ending: Ending,
    /// Why, in one sentence without a full stop.
    pub reason: Option<String>,
    /// What only this command has to tell.
    pub body: Body,
    /// What else there is to know, one line each: files that were written, and the like.
    pub notes: Vec<String>,
    pub diagnostics: Vec<Diagnostic>,
    /// Whether standard output has only what the command made, for a program that reads it as
    /// it comes; people are told the rest on standard error.
    pub is_for_programs: bool,
}

impl Report {
    /// Not known, and why: this needs no evidence.
    pub fn unknown(reason: impl Into<String>) -> Report {
        Report::new(Ending::Verdict(Verdict::Unknown)).because(reason)
    }

    pub fn pass(_evidence: &Certified<Holds>) -> Report {
        Report::new(Ending::Verdict(Verdict::Pass))
    }

    pub fn fail(_evidence: &Certified<Fails>) -> Report {
        Report::new(Ending::Verdict(Verdict::Fail))
    }

    /// The design shows all values of recorded runs.
    pub fn fits(_evidence: &Certified<Fits>) -> Report {
        Report::new(Ending::Verdict(Verdict::Pass))
    }

    /// It does not.
    pub fn differs(_evidence: &Certified<Differs>) -> Report {
        Report::new(Ending::Verdict(Verdict::Fail))
    }

    pub fn repaired(_evidence: &Certified<Patch>) -> Report {
        Report::new(Ending::Verdict(Verdict::Repaired))
    }

    /// A patch fits recorded runs, and is proved for nothing else.
    pub fn plausible(_evidence: &Certified<Plausible>) -> Report {
        Report::new(Ending::Verdict(Verdict::Plausible))
    }

    pub fn no_repair(_evidence: &Certified<NoRepair>) -> Report {
        Report::new(Ending::Verdict(Verdict::NoRepair))
    }

    pub fn realizable(_evidence: &Certified<Realizable>) -> Report {
        Report::new(Ending::Verdict(Verdict::Realizable))
    }

    pub fn unrealizable(_evidence: &Certified<Unrealizable>) -> Report {
        Report::new(Ending::Verdict(Verdict::Unrealizable))
    }

    /// No mutant of a design survives: a property fails on each, or it is equal to the design.
    pub fn all_killed(_killed: Vec<&Certified<Fails>>, _equal: Vec<&Certified<Holds>>) -> Report {
        Report::new(Ending::Verdict(Verdict::Pass))
    }

    /// What the jobs of a campaign come to. Each of their verdicts was certified by the process
    /// that ran the job.
    pub fn campaign(campaign: CampaignReport) -> Report {
        let verdict = match campaign.answer() {
            Answer::Yes => Verdict::Pass,
            Answer::No => Verdict::Fail,
            Answer::Unknown => Verdict::Unknown,
        };
        Report::new(Ending::Verdict(verdict))
            .because(campaign.sentence())
            .with(Body::Campaign(campaign))
    }

    /// A verdict without evidence, for tests of the renderers.
    #[cfg(test)]
    pub(crate) fn verdict(verdict: Verdict) -> Report {
        Report::new(Ending::Verdict(verdict))
    }

    pub fn done(output: impl Into<String>) -> Report {
        Report::new(Ending::Done).with(Body::Text(output.into()))
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

    /// The same, ended by the user before it was known.
    pub fn and_interrupted(mut self) -> Report {
        self.ending = Ending::Interrupted;
        self
    }

    pub fn ending(&self) -> Ending {
        self.ending
    }

    pub fn because(mut self, reason: impl Into<String>) -> Report {
        self.reason = Some(reason.into());
        self
    }

    pub fn with(mut self, body: Body) -> Report {
        self.body = body;
        self
    }

    fn new(ending: Ending) -> Report {
        Report {
            ending,
            reason: None,
            body: Body::Nothing,
            notes: Vec::new(),
            diagnostics: Vec::new(),
            is_for_programs: false,
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

    /// What people see; diagnostics are not part of it.
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
        if !self.is_for_programs {
            text.push_str(&self.body.text());
        }
        for (index, note) in self.notes.iter().enumerate() {
            if index == 0 {
                text.push('\n');
            }
            text.push_str(note);
            text.push('\n');
        }
        text.push_str(&self.body.text_after_notes());
        text
    }

    /// One JSON document with everything, ended by a newline.
    pub fn json(&self, command: Option<&str>, sources: &Sources) -> serde_json::Result<String> {
        let document = Document::new(self, command, sources);
        Ok(serde_json::to_string_pretty(&document)? + "\n")
    }

    /// The same for programs that go on with it.
    pub fn json_value(
        &self,
        command: Option<&str>,
        sources: &Sources,
    ) -> serde_json::Result<serde_json::Value> {
        serde_json::to_value(Document::new(self, command, sources))
    }

    /// An interrupted command does not know its verdict.
    fn shown_verdict(&self) -> Option<Verdict> {
        match self.ending {
            Ending::Verdict(verdict) => Some(verdict),
            Ending::Interrupted => Some(Verdict::Unknown),
            Ending::Done | Ending::Error => None,
        }
    }

    fn word(&self) -> Option<&'static str> {
        self.shown_verdict().map(Verdict::word)
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
    fn definite_verdicts_come_from_answers_that_were_checked() {
        let specification = String::new;
        let properties = Vec::new;
        let check = |report: Report, verdict: Verdict| {
            assert_eq!(report.ending, Ending::Verdict(verdict));
        };
        let holds = Holds {
            properties: properties(),
        };
        check(Report::pass(&Certified::unchecked(holds)), Verdict::Pass);
        let fails = Fails {
            property: "p".to_string(),
            run: None,
        };
        check(Report::fail(&Certified::unchecked(fails)), Verdict::Fail);
        let repaired = Certified::unchecked(Patch::default());
        check(Report::repaired(&repaired), Verdict::Repaired);
        let none = Certified::unchecked(NoRepair {
            suspects: Vec::new(),
            faults: 1,
        });
        check(Report::no_repair(&none), Verdict::NoRepair);
        let realizable = Certified::unchecked(Realizable {
            specification: specification(),
        });
        check(Report::realizable(&realizable), Verdict::Realizable);
        let unrealizable = Certified::unchecked(Unrealizable {
            specification: specification(),
        });
        check(Report::unrealizable(&unrealizable), Verdict::Unrealizable);
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
