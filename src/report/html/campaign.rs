//! The page of a campaign: counts, changes since an earlier one, and all jobs in a table that
//! scripts sort and filter, and that can be read without them.

use super::markup::{Escaped, counted};
use crate::report::campaign::{CampaignReport, Change, Comparison, JobAnswer, JobRecord, seconds};
use std::fmt::Write;

/// What sorts the table and filters it.
pub const SORTING: &str = include_str!("sorting.js");

pub fn jobs(campaign: &CampaignReport) -> String {
    let mut text = sets(campaign);
    if let Some(comparison) = &campaign.comparison {
        text.push_str(&changes(comparison));
    }
    let has_time = campaign.jobs.iter().any(|job| job.processor_ms.is_some());
    let mut columns = vec!["verdict", "job", "what was found"];
    columns.extend(has_time.then_some("processor time"));
    columns.push("result");
    let head = columns
        .iter()
        .map(|one| format!("<th scope=\"col\">{one}</th>"));
    let _ = write!(
        text,
        "<section><h2>{}</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Jobs\">\
         <table class=\"list sortable\"><thead><tr>{}</tr></thead><tbody>\n",
        counted(campaign.jobs.len(), "job"),
        head.collect::<String>()
    );
    for job in &campaign.jobs {
        text.push_str(&row(job, has_time));
    }
    text.push_str("</tbody></table></div></section>\n");
    text
}

fn sets(campaign: &CampaignReport) -> String {
    let columns = [
        "set",
        "jobs",
        "as wanted",
        "not",
        "unknown",
        "error",
        "not run",
    ];
    let head = columns
        .iter()
        .map(|one| format!("<th scope=\"col\">{one}</th>"));
    let mut text = format!(
        "<section><h2>Sets</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Sets\">\
         <table class=\"list\"><thead><tr>{}</tr></thead><tbody>\n",
        head.collect::<String>()
    );
    for (name, counts, _) in campaign.sets() {
        let numbers = [
            counts.jobs,
            counts.yes,
            counts.no,
            counts.unknown,
            counts.errors,
            counts.not_run,
        ];
        let cells = numbers.iter().map(|number| format!("<td>{number}</td>"));
        let _ = writeln!(
            text,
            "<tr><th scope=\"row\">{}</th>{}</tr>",
            Escaped(name),
            cells.collect::<String>()
        );
    }
    text.push_str("</tbody></table></div></section>\n");
    text
}

fn row(job: &JobRecord, has_time: bool) -> String {
    let class = match job.answer {
        JobAnswer::Yes => "good",
        JobAnswer::No | JobAnswer::Error => "bad",
        JobAnswer::Unknown | JobAnswer::NotRun => "open",
    };
    let mut told = job.told();
    if let (Some(expected), JobAnswer::No) = (job.expected, job.answer) {
        told = format!("wanted {expected}; {told}");
    }
    let name = match &job.page {
        Some(page) => format!("<a href=\"{}\">{}</a>", Escaped(page), Escaped(&job.name)),
        None => Escaped(&job.name).to_string(),
    };
    let time = match (has_time, job.processor_ms) {
        (false, _) => String::new(),
        (true, Some(time)) => {
            format!("<td data-value=\"{time}\">{:.2} s</td>", seconds(time))
        }
        (true, None) => "<td data-value=\"-1\"></td>".to_string(),
    };
    let result = match &job.result {
        Some(result) => format!("<a href=\"{}\">JSON</a>", Escaped(result)),
        None => String::new(),
    };
    format!(
        "<tr><td><span class=\"status {class}\">{}</span></td><th scope=\"row\">{name}</th>\
         <td>{}{}</td>{time}<td>{result}</td></tr>\n",
        Escaped(job.word()),
        Escaped(told),
        parts(job)
    )
}

/// The jobs that a repair was split into, with links to what they found.
fn parts(job: &JobRecord) -> String {
    if job.parts.is_empty() {
        return String::new();
    }
    let count = job.parts.len();
    let items = job.parts.iter().map(|part| {
        let word = part.verdict.as_deref().unwrap_or("NOT RUN");
        let told = format!("part {} of {count}: {word}", part.part);
        match part.page.as_ref().or(part.result.as_ref()) {
            Some(link) => format!("<li><a href=\"{}\">{told}</a></li>", Escaped(link)),
            None => format!("<li>{told}</li>"),
        }
    });
    format!(
        "<details><summary>{}</summary><ul>{}</ul></details>",
        counted(count, "part"),
        items.collect::<String>()
    )
}

fn changes(comparison: &Comparison) -> String {
    let mut rows = String::new();
    let mut add = |what: &str, class: &str, name: &str, told: String| {
        let _ = writeln!(
            rows,
            "<tr><td><span class=\"status {class}\">{what}</span></td><th scope=\"row\">{}</th><td>{}</td></tr>",
            Escaped(name),
            Escaped(told)
        );
    };
    let told = |change: &Change| format!("{} before, {} now", change.before, change.now);
    for one in &comparison.new_failures {
        add("new failure", "bad", &one.name, told(one));
    }
    for one in &comparison.fixed {
        add("fixed", "good", &one.name, told(one));
    }
    for one in &comparison.otherwise {
        add("changed", "open", &one.name, told(one));
    }
    for one in &comparison.slower {
        let (before, now) = (seconds(one.before_ms), seconds(one.now_ms));
        add(
            "slower",
            "open",
            &one.name,
            format!("{before:.1} s before, {now:.1} s now"),
        );
    }
    for (what, list) in [
        ("new job", &comparison.added),
        ("gone", &comparison.removed),
    ] {
        for name in list {
            add(what, "open", name, String::new());
        }
    }
    let inside = match rows.is_empty() {
        true => "<p>The same answers, and none much slower.</p>\n".to_string(),
        false => format!(
            "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Changes\">\
             <table class=\"list\"><thead><tr><th scope=\"col\">change</th><th scope=\"col\">job</th>\
             <th scope=\"col\">how</th></tr></thead><tbody>\n{rows}</tbody></table></div>\n"
        ),
    };
    format!("<section><h2>Since the earlier campaign</h2>\n{inside}</section>\n")
}
