//! A report as JUnit's XML, with one test case for each property.
//!
//! Of a campaign, a suite for each set and a case for each job.
//!
//! The form is that of Ant's report task, the one that most tools read. A property that fails
//! is a failure, one that was not decided an error. For `repair` the properties of the design
//! as it is are the cases; whether it was repaired is one more.

use super::campaign::{CampaignReport, JobAnswer, JobRecord, seconds};
use super::{Body, Ending, PropertyResult, Report, Verdict};
use std::fmt::Write;

/// When the run was, which a report does not know.
#[derive(Clone, Debug)]
pub struct Moment {
    /// As in `2026-01-31T12:00:00`.
    pub timestamp: String,
    pub seconds: f64,
}

struct Case {
    name: String,
    place: String,
    /// `failure` or `error`, with its message and details.
    problem: Option<(&'static str, String, String)>,
}

pub fn junit(report: &Report, command: Option<&str>, moment: &Moment) -> String {
    if let Body::Campaign(campaign) = &report.body {
        return of_campaign(campaign, moment);
    }
    let command = command.unwrap_or("respin");
    let mut cases: Vec<Case> = report.body.properties().iter().map(case).collect();
    if command == "repair" || cases.is_empty() {
        cases.push(whole(report, command));
    }
    let count = |wanted: &str| {
        let problems = cases.iter().filter_map(|case| case.problem.as_ref());
        problems.filter(|(kind, ..)| *kind == wanted).count()
    };
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    let _ = writeln!(
        text,
        "  <testsuite name=\"{command}\" package=\"respin\" id=\"0\" timestamp=\"{}\" hostname=\"localhost\" tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{:.3}\">",
        moment.timestamp,
        cases.len(),
        count("failure"),
        count("error"),
        moment.seconds
    );
    text.push_str("    <properties/>\n");
    for case in &cases {
        let _ = write!(
            text,
            "    <testcase name=\"{}\" classname=\"{}\" time=\"0\"",
            escape(&case.name),
            escape(&case.place)
        );
        match &case.problem {
            None => text.push_str("/>\n"),
            Some((kind, message, details)) => {
                let _ = writeln!(
                    text,
                    ">\n      <{kind} type=\"{kind}\" message=\"{}\">{}</{kind}>\n    </testcase>",
                    escape(message),
                    escape(details)
                );
            }
        }
    }
    let output = report.word().unwrap_or_default();
    let reason = report.reason.as_deref().unwrap_or_default();
    let _ = writeln!(
        text,
        "    <system-out>{}</system-out>",
        escape(format!("{output}\n{reason}").trim())
    );
    let errors: Vec<String> = report
        .diagnostics
        .iter()
        .map(|one| format!("{}: {}", one.code, one.message))
        .collect();
    let _ = writeln!(
        text,
        "    <system-err>{}</system-err>",
        escape(&errors.join("\n"))
    );
    text.push_str("  </testsuite>\n</testsuites>\n");
    text
}

fn case(property: &PropertyResult) -> Case {
    let reason = property.reason.clone().unwrap_or_default();
    let problem = match property.verdict {
        Verdict::Pass => None,
        Verdict::Fail => {
            let message = match (&property.trace, property.is_cover) {
                (_, true) => reason,
                (Some(trace), _) => format!("fails {}", trace.shape()),
                (None, _) => format!("fails {reason}"),
            };
            let table = property.trace.as_ref().map(|trace| trace.table());
            Some(("failure", message, table.unwrap_or_default()))
        }
        _ => Some(("error", reason, String::new())),
    };
    Case {
        name: property.name.clone(),
        place: match &property.place {
            Some(place) => place.text(),
            None => "design".to_string(),
        },
        problem,
    }
}

/// The verdict of the whole run as a case.
fn whole(report: &Report, command: &str) -> Case {
    let reason = report.reason.clone().unwrap_or_default();
    let problem = match report.ending {
        Ending::Done | Ending::Verdict(Verdict::Repaired | Verdict::Pass | Verdict::Realizable) => {
            None
        }
        Ending::Verdict(Verdict::Unknown) | Ending::Interrupted => {
            Some(("error", reason, String::new()))
        }
        Ending::Verdict(verdict) => {
            Some(("failure", format!("{verdict}: {reason}"), String::new()))
        }
        Ending::Error => {
            let messages = report.diagnostics.iter().map(|one| one.message.clone());
            let messages: Vec<String> = messages.collect();
            Some(("error", messages.join("; "), String::new()))
        }
    };
    Case {
        name: command.to_string(),
        place: "respin".to_string(),
        problem,
    }
}

/// A suite for each set of a campaign, a case for each of its jobs.
fn of_campaign(campaign: &CampaignReport, moment: &Moment) -> String {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for (id, (set, counts, time)) in campaign.sets().into_iter().enumerate() {
        let _ = writeln!(
            text,
            "  <testsuite name=\"{}\" package=\"respin\" id=\"{id}\" timestamp=\"{}\" hostname=\"localhost\" tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{:.3}\">\n    <properties/>",
            escape(set),
            moment.timestamp,
            counts.jobs,
            counts.no,
            counts.jobs - counts.yes - counts.no,
            seconds(time.unwrap_or(0))
        );
        for job in campaign.jobs.iter().filter(|job| job.set == set) {
            text.push_str(&job_case(job));
        }
        text.push_str(
            "    <system-out></system-out>\n    <system-err></system-err>\n  </testsuite>\n",
        );
    }
    text.push_str("</testsuites>\n");
    text
}

fn job_case(job: &JobRecord) -> String {
    let kind = match job.answer {
        JobAnswer::Yes => None,
        JobAnswer::No => Some("failure"),
        JobAnswer::Unknown | JobAnswer::Error | JobAnswer::NotRun => Some("error"),
    };
    let start = format!(
        "    <testcase name=\"{}\" classname=\"{}\" time=\"{:.3}\"",
        escape(&job.name),
        escape(&job.set),
        seconds(job.processor_ms.unwrap_or(0))
    );
    let Some(kind) = kind else {
        return format!("{start}/>\n");
    };
    let message = format!("{}: {}", job.word(), job.told());
    let line = format!("respin {}", job.arguments.join(" "));
    format!(
        "{start}>\n      <{kind} type=\"{kind}\" message=\"{}\">{}</{kind}>\n    </testcase>\n",
        escape(&message),
        escape(&line)
    )
}

/// Text inside of XML; what XML has no way to say becomes a question mark.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for symbol in text.chars() {
        match symbol {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(symbol),
            _ if symbol.is_control() => escaped.push('?'),
            _ => escaped.push(symbol),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_names_is_escaped() {
        assert_eq!(escape("a<b & \"c\"\u{1}"), "a&lt;b &amp; &quot;c&quot;?");
    }
}
