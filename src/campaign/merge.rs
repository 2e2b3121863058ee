//! From the results of jobs to one report, and what became of jobs since an earlier one.
//!
//! The report depends on the plan and on what the results say; not on who has run which job,
//! how often, when, or in which order.

use super::job::Job;
use super::outcome::JobResult;
use super::split::{groups, whole};
use crate::report::campaign::{
    CampaignReport, Change, Comparison, JobAnswer, JobProperty, JobRecord, LEAST_SLOWER_MS, SLOWER,
    Slower,
};
use crate::report::sarif::uri;
use crate::report::{Answer, Verdict, WORK_IS_DONE};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::path::{Component, Path, PathBuf};

/// Where the files of results stand, seen from the report.
pub const RESULTS: &str = "results";
pub const PAGES: &str = "pages";

/// Jobs that put together what the parts of repairs have found, with their results.
pub type Conclusions = Vec<(Job, Option<JobResult>)>;

/// The report of all jobs; those without a result were not run. The parts of a repair are one.
/// `home` is the folder of the plan as whoever reads the report sees it.
pub fn merged(
    plan: &str,
    home: &str,
    jobs: &[Job],
    results: &[Option<JobResult>],
    conclusions: &Conclusions,
    times: bool,
) -> CampaignReport {
    let mut report = CampaignReport {
        plan: plan.to_string(),
        ..CampaignReport::default()
    };
    let mut known: HashSet<String> = HashSet::new();
    for group in groups(jobs) {
        let (own, found) = (&jobs[group.clone()], &results[group]);
        let Some(name) = &own[0].whole else {
            let record = record(&own[0], found[0].as_ref(), times);
            report.counts.add(record.answer);
            report.jobs.push(record);
            add_sarif(&mut report, &mut known, &own[0], home, found[0].as_ref());
            continue;
        };
        let mut concluded = conclusions.iter();
        let concluded = concluded.find(|(job, _)| job.name == *name);
        let record = whole(own, found, concluded, times);
        // What the last job found is what the parts have found.
        let last = concluded.and_then(|(_, result)| result.as_ref());
        match last.filter(|_| record.parts.iter().any(|part| part.corrections > 0)) {
            Some(last) => add_sarif(&mut report, &mut known, &own[0], home, Some(last)),
            None => {
                for result in found {
                    add_sarif(&mut report, &mut known, &own[0], home, result.as_ref());
                }
            }
        }
        report.counts.add(record.answer);
        report.jobs.push(record);
    }
    report
}

/// Adds the results and rules of a job. The same property fails for many options: there is one
/// result for each place and message. Jobs see files from the folder in which they run, and
/// programs that show the results see them from where the campaign was started.
fn add_sarif(
    report: &mut CampaignReport,
    known: &mut HashSet<String>,
    job: &Job,
    home: &str,
    result: Option<&JobResult>,
) {
    let Some(result) = result else {
        return;
    };
    for rule in &result.sarif.rules {
        if known.insert(format!("rule {}", rule["id"])) {
            report.sarif_rules.push(rule.clone());
        }
    }
    for found in &result.sarif.results {
        let mut found = found.clone();
        let folder = Path::new(home).join(job.directory.as_deref().unwrap_or_default());
        move_to(&mut found, &folder);
        if known.insert(found.to_string()) {
            let name = job.whole.as_ref().unwrap_or(&job.name);
            found["properties"]["job"] = Value::String(name.clone());
            report.sarif_results.push(found);
        }
    }
}

/// Puts a folder before the places of a SARIF result.
fn move_to(value: &mut Value, folder: &Path) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(|one| move_to(one, folder)),
        Value::Object(fields) => {
            for (name, field) in fields {
                match (name.as_str(), field) {
                    ("artifactLocation", field) => {
                        let file = field["uri"].as_str().unwrap_or_default();
                        let folder = uri(&folder.to_string_lossy());
                        let moved = Path::new(&folder).join(file);
                        let parts = moved.components();
                        let parts = parts.filter(|part| *part != Component::CurDir);
                        let moved: PathBuf = parts.collect();
                        field["uri"] = Value::String(moved.to_string_lossy().into_owned());
                    }
                    (_, field) => move_to(field, folder),
                }
            }
        }
        _ => {}
    }
}

/// Why there is no answer, with the limit that ended the job if one did: engines tell of each
/// property that the time is over, also where it is the work.
fn reason(report: &Value) -> Option<String> {
    const TIME: &str = "the time limit";
    const MEMORY: &str = "the memory limit";
    let reason = text(&report["reason"]);
    if report["verdict"].as_str() != Some(Verdict::Unknown.word()) {
        return reason;
    }
    let properties = list(&report["properties"]).iter();
    let told = properties.filter_map(|property| property["reason"].as_str());
    let told: Vec<&str> = told.chain(reason.as_deref()).collect();
    let tells = |limit: &str| told.iter().any(|one| one.contains(limit));
    let is_out_of_work = list(&report["notes"])
        .iter()
        .any(|note| note.as_str() == Some(WORK_IS_DONE));
    let limit = match (tells(MEMORY), tells(TIME)) {
        (true, _) => MEMORY,
        (_, true) if is_out_of_work => "the work limit",
        (_, true) => TIME,
        _ => return reason,
    };
    let whole = reason.unwrap_or_default();
    let end = [TIME, MEMORY].iter().filter_map(|limit| whole.find(limit));
    let before = whole[..end.min().unwrap_or(whole.len())].trim_end_matches([' ', ':']);
    Some(match before {
        "" => format!("{limit} was reached"),
        before => format!("{before}: {limit} was reached"),
    })
}

/// What is known of one job.
pub fn record(job: &Job, result: Option<&JobResult>, times: bool) -> JobRecord {
    let mut record = JobRecord {
        name: job.name.clone(),
        set: job.set.clone(),
        key: job.key.clone(),
        arguments: job.arguments.clone(),
        directory: job.directory.clone(),
        answer: JobAnswer::NotRun,
        verdict: None,
        expected: job.expected,
        reason: None,
        properties: Vec::new(),
        corrections: 0,
        correction: None,
        parts: Vec::new(),
        error: None,
        result: None,
        page: None,
        processor_ms: None,
    };
    let Some(result) = result else {
        return record;
    };
    let report = &result.report;
    let verdict = text(&report["verdict"]).unwrap_or_else(|| "ERROR".to_string());
    let known = Verdict::ALL.into_iter().find(|one| one.word() == verdict);
    record.answer = match known.map(|one| one.answer_to(job.expected)) {
        Some(Answer::Yes) => JobAnswer::Yes,
        Some(Answer::No) => JobAnswer::No,
        Some(Answer::Unknown) => JobAnswer::Unknown,
        None => JobAnswer::Error,
    };
    record.verdict = Some(verdict);
    record.reason = reason(report);
    for property in list(&report["properties"]) {
        if let (Some(name), Some(verdict)) = (text(&property["name"]), text(&property["verdict"])) {
            record.properties.push(JobProperty { name, verdict });
        }
    }
    let corrections = list(&report["corrections"]);
    record.corrections = corrections.len();
    record.correction = corrections.first().map(correction);
    if record.answer == JobAnswer::Error {
        record.error = list(&report["diagnostics"]).iter().find_map(error);
    }
    record.result = Some(format!("{RESULTS}/{}.json", job.file_name()));
    record.page = result
        .page
        .then(|| format!("{PAGES}/{}.html", job.file_name()));
    record.processor_ms = times.then_some(result.processor_ms);
    record
}

pub(super) fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_string)
}

pub(super) fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A correction in one line.
fn correction(value: &Value) -> String {
    let joined = |value: &Value| {
        let words = list(value).iter().filter_map(Value::as_str);
        words.collect::<Vec<&str>>().join(" ")
    };
    let edits = list(&value["edits"]).iter().map(|edit| {
        let place = place(&edit["place"]).map_or_else(String::new, |place| format!("{place}: "));
        format!(
            "{place}`{}` should be `{}`",
            joined(&edit["before"]),
            joined(&edit["after"])
        )
    });
    edits.collect::<Vec<String>>().join(", and ")
}

/// An error in one line.
fn error(diagnostic: &Value) -> Option<String> {
    if diagnostic["severity"] != "error" {
        return None;
    }
    let code = diagnostic["code"].as_str()?;
    let message = diagnostic["message"].as_str()?;
    let place = list(&diagnostic["labels"]).first().and_then(place);
    Some(match place {
        Some(place) => format!("{place}: {code}: {message}"),
        None => format!("{code}: {message}"),
    })
}

fn place(value: &Value) -> Option<String> {
    let file = value["file"].as_str()?;
    Some(match value["line"].as_u64() {
        Some(line) => format!("{file}:{line}"),
        None => file.to_string(),
    })
}

/// What became of each job since an earlier campaign.
pub fn compared(now: &CampaignReport, before: &CampaignReport) -> Comparison {
    let mut comparison = Comparison::default();
    let earlier: HashMap<&str, &JobRecord> = before
        .jobs
        .iter()
        .map(|job| (job.name.as_str(), job))
        .collect();
    let present: HashSet<&str> = now.jobs.iter().map(|job| job.name.as_str()).collect();
    let is_bad = |job: &JobRecord| matches!(job.answer, JobAnswer::No | JobAnswer::Error);
    for job in &now.jobs {
        let name = job.name.clone();
        let Some(old) = earlier.get(job.name.as_str()) else {
            comparison.added.push(name);
            continue;
        };
        let change = Change {
            name: name.clone(),
            before: old.word().to_string(),
            now: job.word().to_string(),
        };
        if is_bad(job) && !is_bad(old) {
            comparison.new_failures.push(change);
        } else if is_bad(old) && job.answer == JobAnswer::Yes {
            comparison.fixed.push(change);
        } else if old.verdict != job.verdict {
            comparison.otherwise.push(change);
        }
        if let (Some(before_ms), Some(now_ms)) = (old.processor_ms, job.processor_ms) {
            let is_slower = now_ms as f64 > before_ms as f64 * SLOWER;
            if is_slower && now_ms >= before_ms + LEAST_SLOWER_MS {
                comparison.slower.push(Slower {
                    name,
                    before_ms,
                    now_ms,
                });
            }
        }
    }
    let gone = before
        .jobs
        .iter()
        .filter(|job| !present.contains(job.name.as_str()));
    comparison.removed = gone.map(|job| job.name.clone()).collect();
    comparison
}

/// The campaign of a report that was written as JSON.
pub fn of_report(text: &str) -> Option<CampaignReport> {
    let mut value: Value = serde_json::from_str(text).ok()?;
    serde_json::from_value(value.get_mut("campaign")?.take()).ok()
}

#[cfg(test)]
mod tests {
    use super::super::{job, outcome};
    use super::*;

    fn campaign(verdicts: &[(&str, &str, u64)]) -> CampaignReport {
        let jobs: Vec<Job> = verdicts
            .iter()
            .map(|(name, ..)| job::example(name))
            .collect();
        let results: Vec<Option<JobResult>> = verdicts
            .iter()
            .zip(&jobs)
            .map(|((_, verdict, time), job)| {
                let mut result = outcome::example(job, verdict);
                result.processor_ms = *time;
                (!verdict.is_empty()).then_some(result)
            })
            .collect();
        merged("plan.toml", "", &jobs, &results, &Vec::new(), true)
    }

    #[test]
    fn answers_are_counted() {
        let all = [
            ("a", "PASS", 1),
            ("b", "FAIL", 1),
            ("c", "UNKNOWN", 1),
            ("d", "ERROR", 1),
            ("e", "", 0),
        ];
        let report = campaign(&all);
        let counts = report.counts;
        assert_eq!(
            (
                counts.jobs,
                counts.yes,
                counts.no,
                counts.unknown,
                counts.errors,
                counts.not_run
            ),
            (5, 1, 1, 1, 1, 1)
        );
        assert_eq!(report.answer(), Answer::No);
        assert_eq!(campaign(&all[..1]).answer(), Answer::Yes);
        assert_eq!(campaign(&[all[0], all[2]]).answer(), Answer::Unknown);
        assert_eq!(campaign(&[all[0], all[4]]).answer(), Answer::Unknown);
    }

    #[test]
    fn the_wanted_verdict_counts() {
        let mut job = job::example("a");
        job.expected = Some(Verdict::Fail);
        let result = Some(outcome::example(&job, "FAIL"));
        let report = merged("p", "", &[job], &[result], &Vec::new(), true);
        assert_eq!(report.jobs[0].answer, JobAnswer::Yes);
    }

    #[test]
    fn changes_since_an_earlier_campaign() {
        let before = campaign(&[
            ("broken", "PASS", 100),
            ("mended", "FAIL", 100),
            ("slow", "PASS", 1000),
            ("noise", "PASS", 10),
            ("gone", "PASS", 1),
            ("open", "UNKNOWN", 1),
        ]);
        let now = campaign(&[
            ("broken", "FAIL", 100),
            ("mended", "PASS", 100),
            ("slow", "PASS", 1501),
            ("noise", "PASS", 90),
            ("new", "PASS", 1),
            ("open", "PASS", 1),
        ]);
        let found = compared(&now, &before);
        let names =
            |list: &[Change]| -> Vec<String> { list.iter().map(|one| one.name.clone()).collect() };
        assert_eq!(names(&found.new_failures), ["broken"]);
        assert_eq!(names(&found.fixed), ["mended"]);
        assert_eq!(names(&found.otherwise), ["open"]);
        assert_eq!(found.slower.len(), 1);
        assert_eq!(found.slower[0].name, "slow");
        assert_eq!(
            (found.added, found.removed),
            (vec!["new".to_string()], vec!["gone".to_string()])
        );
    }

    fn check_reason(verdict: &str, reason: &str, property: &str, note: &str, expected: &str) {
        let report = serde_json::json!({
            "verdict": verdict,
            "reason": reason,
            "properties": [{ "name": "p", "verdict": "UNKNOWN", "reason": property }],
            "notes": [note],
        });
        assert_eq!(super::reason(&report).as_deref(), Some(expected));
    }

    #[test]
    fn the_limit_that_ended_a_job_is_named() {
        let open = "the assertion was not decided";
        let time = "the assertion was not decided: the time limit was reached";
        check_reason("UNKNOWN", open, "the time limit has passed", "", time);
        let memory = "the assertion was not decided: the memory limit was reached";
        check_reason("UNKNOWN", open, "the memory limit is reached", "", memory);
        let work = "the assertion was not decided: the work limit was reached";
        check_reason(
            "UNKNOWN",
            open,
            "the time limit has passed",
            WORK_IS_DONE,
            work,
        );
        let stopped = "the time limit was reached";
        check_reason("UNKNOWN", stopped, "", "", stopped);
        check_reason(
            "UNKNOWN",
            stopped,
            "",
            WORK_IS_DONE,
            "the work limit was reached",
        );
        check_reason("UNKNOWN", open, "a loop", WORK_IS_DONE, open);
        check_reason("FAIL", open, "the time limit has passed", "", open);
    }

    #[test]
    fn places_are_seen_from_where_the_campaign_was_started() {
        let mut job = job::example("a");
        job.directory = Some("ip 1".to_string());
        let mut result = outcome::example(&job, "FAIL");
        let place = |uri: &str| serde_json::json!({ "artifactLocation": { "uri": uri } });
        let locations = |uri: &str| serde_json::json!([{ "physicalLocation": place(uri) }]);
        for uri in ["m.v", "/lib/m.v"] {
            let found = serde_json::json!({ "locations": locations(uri) });
            result.sarif.results.push(found);
        }
        let results = [Some(result)];
        let report = merged("p", "plans", &[job], &results, &Vec::new(), true);
        let found = &report.sarif_results;
        assert_eq!(found[0]["locations"], locations("plans/ip%201/m.v"));
        assert_eq!(found[1]["locations"], locations("/lib/m.v"));
    }

    #[test]
    fn times_can_be_left_out() {
        let job = job::example("a");
        let results = [Some(outcome::example(&job, "PASS"))];
        let report = merged("p", "", &[job], &results, &Vec::new(), false);
        assert_eq!(report.jobs[0].processor_ms, None);
    }
}
