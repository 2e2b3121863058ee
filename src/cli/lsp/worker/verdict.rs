//! The verdict: whether properties hold, or a system exists.

use super::findings::Findings;
use super::{Desk, Task, is_of_design};
use crate::cli::context::Failure;
use crate::cli::lsp::question::{Answer, Finding, Weight};
use crate::load::Format;
use crate::report::{Ending, PropertyResult, Report, Verdict};
use crate::source::codes::certify::NOTHING_TO_CHECK;

/// The longest table of a run that is shown with a property.
const MOST_LINES: usize = 24;

impl Desk<'_> {
    pub(super) fn verdict(&self, format: Format) -> Result<Answer, Failure> {
        let task = if is_of_design(format) {
            self.design_task("verify", format)?
        } else {
            Some(self.task(&["check", "--only", "verdict"])?)
        };
        let Some(mut task) = task else {
            return Ok(Answer::default());
        };
        let report = self.perform(&mut task);
        let mut answer = self.judged(&task, &report);
        if let (Ending::Verdict(Verdict::Unrealizable), Some(reason)) =
            (report.ending(), &report.reason)
        {
            let findings = self.findings(&task.context.sources);
            let message = format!("UNREALIZABLE: {reason}");
            let place = findings.nowhere();
            answer
                .findings
                .push(findings.at(place, Weight::Error, message));
        }
        Ok(answer)
    }

    /// What all reports tell.
    pub(super) fn judged(&self, task: &Task, report: &Report) -> Answer {
        let sources = &task.context.sources;
        let is_nothing = report
            .diagnostics
            .iter()
            .any(|one| one.code == NOTHING_TO_CHECK);
        let text = report.text();
        let line = text.lines().next().unwrap_or_default();
        let verdict = match (&report.reason, report.ending()) {
            (_, Ending::Error) if is_nothing => None,
            (_, Ending::Error) => Some("ERROR".to_string()),
            (Some(reason), _) => Some(format!("{line}: {reason}")),
            (None, _) => Some(line.to_string()),
        };
        let findings = self.findings(sources);
        let mut all = self.all(task, &report.diagnostics);
        let properties = report.body.properties().iter();
        all.extend(properties.filter_map(|one| property(one, &findings)));
        Answer {
            project: task.project.clone(),
            read: self.files(sources),
            is_bad: matches!(
                report.ending(),
                Ending::Verdict(Verdict::Fail | Verdict::Unrealizable)
            ),
            findings: all,
            verdict,
            ..Answer::default()
        }
    }
}

/// What is said of a property; nothing of one that holds.
fn property(result: &PropertyResult, findings: &Findings<'_>) -> Option<Finding> {
    let name = &result.name;
    let (weight, message) = match (result.verdict, &result.trace, result.is_cover) {
        (Verdict::Fail, _, true) => (Weight::Error, format!("no run covers `{name}`")),
        (Verdict::Fail, Some(run), false) => {
            let table = run.table();
            let table = match table.lines().count() <= MOST_LINES {
                true => format!("\n{}", table.trim_end()),
                false => String::new(),
            };
            (
                Weight::Error,
                format!("`{name}` fails {}{table}", run.shape()),
            )
        }
        (Verdict::Fail, None, false) => (Weight::Error, format!("`{name}` fails")),
        (Verdict::Unknown, ..) => {
            let reason = result.reason.as_deref().unwrap_or("a limit was reached");
            let message = format!("whether `{name}` holds is not known: {reason}");
            (Weight::Information, message)
        }
        _ => return None,
    };
    let place = findings.recorded(result.place.as_ref());
    Some(findings.at(place, weight, message))
}
