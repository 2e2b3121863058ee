//! One repair as several jobs.
//!
//! Each job looks at a part of the places of the design, one at a time (`repair --part`). If some
//! of them have corrections, a last job looks at the places of these alone, so that all
//! corrections are proved again by one process and stand in the order in which a single repair
//! has them. If none has, what they say of their own places is what is known of the whole.

use super::job::Job;
use super::merge::{list, record};
use super::outcome::JobResult;
use crate::report::campaign::{JobAnswer, JobRecord, PartRecord};
use crate::report::{Answer, Verdict};
use serde_json::Value;
use std::collections::BTreeSet;
use std::ops::Range;

/// The option that names a part; it and its value end the command line of each part.
const OPTION: &str = "--part";

/// The jobs that belong together, by their indices: the parts of one repair, or a job alone.
pub fn groups(jobs: &[Job]) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    for (index, job) in jobs.iter().enumerate() {
        match groups.last_mut() {
            Some(last) if job.whole.is_some() && jobs[last.start].whole == job.whole => {
                last.end = index + 1;
            }
            _ => groups.push(index..index + 1),
        }
    }
    groups
}

/// The job that puts together what the parts of a repair have found; nothing as long as not all
/// of them have results, or if none has a correction.
pub fn conclusion(parts: &[Job], results: &[Option<JobResult>]) -> Option<Job> {
    let first = parts.first()?;
    let whole = first.whole.as_ref()?;
    let results: Vec<&JobResult> = results.iter().map(Option::as_ref).collect::<Option<_>>()?;
    let found = |of_netlist: bool| -> Vec<&Value> {
        let with_corrections = results.iter().filter(|one| has_repair(one));
        let parts = with_corrections.map(|one| &one.report["part"]);
        let parts = parts.filter(|part| part["of_netlist"].as_bool() == Some(of_netlist));
        parts.collect()
    };
    // A correction of the source is worth more than one of the netlist behind it.
    let found = match found(false) {
        none if none.is_empty() => found(true),
        some => some,
    };
    let of = found.first()?["places"].as_u64()?;
    let places = found.iter().flat_map(|part| list(&part["found"]));
    let places: BTreeSet<u64> = places.filter_map(Value::as_u64).collect();
    let places: Vec<String> = places.iter().map(u64::to_string).collect();
    if places.is_empty() {
        return None;
    }
    let mut arguments = without_part(first);
    arguments.extend([OPTION.to_string(), format!("{}/{of}", places.join(","))]);
    let job = Job {
        name: whole.clone(),
        whole: None,
        arguments,
        ..first.clone()
    };
    Some(job.keyed())
}

fn without_part(job: &Job) -> Vec<String> {
    let end = job.arguments.len().saturating_sub(2);
    match job.arguments.get(end).is_some_and(|word| word == OPTION) {
        true => job.arguments[..end].to_vec(),
        false => job.arguments.clone(),
    }
}

fn verdict(result: &JobResult) -> Option<Verdict> {
    let word = result.report["verdict"].as_str()?;
    Verdict::ALL.into_iter().find(|one| one.word() == word)
}

fn has_repair(result: &JobResult) -> bool {
    matches!(
        verdict(result),
        Some(Verdict::Repaired | Verdict::Plausible)
    )
}

/// What is known of a repair whose parts these are.
pub fn whole(
    parts: &[Job],
    results: &[Option<JobResult>],
    concluded: Option<&(Job, Option<JobResult>)>,
    times: bool,
) -> JobRecord {
    let first = &parts[0];
    let records: Vec<JobRecord> = parts
        .iter()
        .zip(results)
        .map(|(part, result)| record(part, result.as_ref(), times))
        .collect();
    let last = concluded.and_then(|(job, result)| Some(record(job, Some(result.as_ref()?), times)));
    let is_repaired = |one: &JobRecord| {
        let repaired = [Verdict::Repaired, Verdict::Plausible];
        repaired.iter().any(|verdict| one.word() == verdict.word())
    };
    let known: Option<Vec<&JobResult>> = results.iter().map(Option::as_ref).collect();
    let mut whole = match (&last, known) {
        (Some(last), _) if is_repaired(last) => last.clone(),
        // Not everything was run yet.
        (None, Some(_)) if concluded.is_some() => record(first, None, times),
        (_, None) => record(first, None, times),
        (last, Some(known)) => {
            let mut whole = match records.iter().find(|one| is_repaired(one)) {
                Some(repaired) => {
                    let mut whole = repaired.clone();
                    let why = last.as_ref().and_then(|last| last.reason.clone());
                    whole.corrections = records.iter().map(|one| one.corrections).sum();
                    whole.reason = Some(format!(
                        "the corrections of the parts are not in one order: {}",
                        why.unwrap_or_else(|| "the last job has no answer".to_string())
                    ));
                    whole
                }
                None => of_parts(parts, &records, &known),
            };
            whole.answer = answer(&whole);
            whole
        }
    };
    whole.name = first.whole.clone().unwrap_or_default();
    whole.arguments = without_part(first);
    let numbers = 1..=records.len();
    let all = numbers.zip(&records).map(|(number, one)| PartRecord {
        part: number,
        key: one.key.clone(),
        verdict: one.verdict.clone(),
        reason: one.reason.clone(),
        corrections: one.corrections,
        result: one.result.clone(),
        page: one.page.clone(),
        processor_ms: one.processor_ms,
    });
    whole.parts = all.collect();
    let spent = records.iter().chain(&last).map(|one| one.processor_ms);
    whole.processor_ms = spent.sum();
    whole
}

fn answer(record: &JobRecord) -> JobAnswer {
    let mut verdicts = Verdict::ALL.into_iter();
    let known = verdicts.find(|one| one.word() == record.word());
    match known.map(|one| one.answer_to(record.expected)) {
        Some(Answer::Yes) => JobAnswer::Yes,
        Some(Answer::No) => JobAnswer::No,
        Some(Answer::Unknown) => JobAnswer::Unknown,
        None => JobAnswer::Error,
    }
}

/// What follows from parts of which none has a correction, and why; nothing if not all of them
/// have results.
pub fn without_correction(
    parts: &[Job],
    results: &[Option<JobResult>],
) -> Option<(Verdict, String)> {
    let known: Vec<&JobResult> = results.iter().map(Option::as_ref).collect::<Option<_>>()?;
    let records = parts.iter().zip(&known);
    let records = records.map(|(part, result)| record(part, Some(result), false));
    let record = of_parts(parts, &records.collect::<Vec<_>>(), &known);
    let mut verdicts = Verdict::ALL.into_iter();
    let verdict = verdicts.find(|one| one.word() == record.word());
    let why = record.error.or(record.reason).unwrap_or_default();
    Some((verdict.unwrap_or(Verdict::Unknown), why))
}

fn of_parts(parts: &[Job], records: &[JobRecord], results: &[&JobResult]) -> JobRecord {
    let has = |wanted: Verdict| {
        let mut records = records.iter();
        records.find(move |one| one.word() == wanted.word())
    };
    let is_error = |one: &&JobRecord| one.answer == JobAnswer::Error;
    if let Some(error) = records.iter().find(is_error) {
        return error.clone();
    }
    // That nothing is wrong with the design is not about places.
    if let Some(pass) = has(Verdict::Pass) {
        return pass.clone();
    }
    let mut whole = records[0].clone();
    (whole.result, whole.page) = (None, None);
    let hopeless = results
        .iter()
        .position(|one| one.report["part"]["hopeless"] == true);
    let count = parts.len();
    // A part without places is not undecided.
    let open = records.iter().zip(results).filter(|(record, result)| {
        let has_places = result.report["part"]["looked_at"] != 0;
        record.word() != Verdict::NoRepair.word() && has_places
    });
    let open = open.map(|(record, _)| record);
    let (open, why) = (
        open.clone().count(),
        open.filter_map(|one| one.reason.clone()).next(),
    );
    let places = &results[0].report["part"]["places"];
    let (verdict, reason) = if let Some(index) = hopeless {
        return records[index].clone();
    } else if open > 0 {
        let why = why.map_or_else(String::new, |why| format!(": {why}"));
        (
            Verdict::Unknown,
            format!("{open} of {count} parts are undecided, and none has a correction{why}"),
        )
    } else if is_about_one(&parts[0]) {
        (
            Verdict::NoRepair,
            format!("no change of one of the {places} places of all {count} parts is a correction"),
        )
    } else {
        (
            Verdict::Unknown,
            format!(
                "no change of one of the {places} places of all {count} parts is a correction; \
                 two places at once were not looked at (`--faults 1` asks for one)"
            ),
        )
    };
    whole.verdict = Some(verdict.word().to_string());
    whole.reason = Some(reason);
    whole
}

/// Whether a command asks for changes of one place alone.
fn is_about_one(job: &Job) -> bool {
    let words = || job.arguments.iter().map(String::as_str);
    let pairs = words().zip(words().skip(1));
    pairs.clone().any(|pair| pair == ("--faults", "1")) || words().any(|one| one == "--faults=1")
}

#[cfg(test)]
mod tests {
    use super::super::merge::merged;
    use super::super::{job, outcome};
    use super::*;
    use crate::report::campaign::CampaignReport;
    use serde_json::json;

    /// The parts of a repair with these words at the end.
    fn parts(count: usize, words: &[&str]) -> Vec<Job> {
        let part = |number: usize| {
            let mut part = job::example("a");
            part.name = format!("a part={number}/{count}");
            part.whole = Some("a".to_string());
            part.arguments = vec!["repair".to_string(), "a.v".to_string()];
            part.arguments
                .extend(words.iter().map(|word| word.to_string()));
            part.arguments
                .extend([OPTION.to_string(), format!("{number}/{count}")]);
            part.keyed()
        };
        (1..=count).map(part).collect()
    }

    /// The result of a part: its verdict, and the places where it found something.
    fn result(job: &Job, verdict: &str, found: &[u64]) -> Option<JobResult> {
        let mut result = outcome::example(job, verdict);
        result.report["reason"] = json!(format!("{} of {}", verdict, job.name));
        result.report["part"] = json!({
            "places": 30, "looked_at": 10, "found": found, "hopeless": false, "of_netlist": false,
        });
        let edit = json!([{ "place": { "file": "a.v", "line": 3 }, "before": [], "after": [] }]);
        let list: Vec<Value> = found.iter().map(|_| json!({ "edits": edit })).collect();
        result.report["corrections"] = json!(list);
        (!verdict.is_empty()).then_some(result)
    }

    fn check(words: &[&str], verdicts: &[&str], expected: &str) -> CampaignReport {
        let jobs = parts(verdicts.len(), words);
        let results: Vec<Option<JobResult>> = jobs
            .iter()
            .zip(verdicts)
            .map(|(job, verdict)| result(job, verdict, &[]))
            .collect();
        assert_eq!(conclusion(&jobs, &results), None);
        let report = merged("p", "", &jobs, &results, &Vec::new(), false);
        assert_eq!(report.jobs.len(), 1);
        assert_eq!(report.jobs[0].word(), expected, "{verdicts:?}");
        assert_eq!(report.jobs[0].name, "a");
        assert_eq!(report.jobs[0].parts.len(), verdicts.len());
        report
    }

    #[test]
    fn no_repair_follows_from_all_parts_with_one_fault_only() {
        check(&["--faults", "1"], &["NO REPAIR", "NO REPAIR"], "NO REPAIR");
        check(&[], &["NO REPAIR", "NO REPAIR"], "UNKNOWN");
        check(&["--faults", "1"], &["NO REPAIR", "UNKNOWN"], "UNKNOWN");
    }

    #[test]
    fn what_is_not_about_places_is_about_the_whole() {
        check(&[], &["PASS", "UNKNOWN"], "PASS");
        check(&[], &["NO REPAIR", "ERROR"], "ERROR");
        let jobs = parts(2, &[]);
        let mut results = [
            result(&jobs[0], "NO REPAIR", &[]),
            result(&jobs[1], "UNKNOWN", &[]),
        ];
        if let Some(first) = &mut results[0] {
            first.report["part"]["hopeless"] = json!(true);
        }
        let report = merged("p", "", &jobs, &results, &Vec::new(), false);
        assert_eq!(report.jobs[0].word(), "NO REPAIR");
    }

    #[test]
    fn parts_that_were_not_run_leave_the_whole_not_run() {
        let report = check(&[], &["NO REPAIR", ""], "NOT RUN");
        assert_eq!(report.counts.not_run, 1);
    }

    #[test]
    fn the_last_job_is_about_the_places_with_corrections() {
        let jobs = parts(3, &["--reset", "rst"]);
        let results = [
            result(&jobs[0], "REPAIRED", &[4, 19]),
            result(&jobs[1], "NO REPAIR", &[]),
            result(&jobs[2], "REPAIRED", &[3]),
        ];
        let last = conclusion(&jobs, &results).expect("a last job");
        assert_eq!(
            last.arguments.join(" "),
            "repair a.v --reset rst --part 3,4,19/30"
        );
        assert_eq!((last.name.as_str(), &last.whole), ("a", &None));
        assert_eq!(last.key, last.own_key());
        let open = merged("p", "", &jobs, &results, &vec![(last.clone(), None)], false);
        assert_eq!(open.jobs[0].word(), "NOT RUN");
        let found = result(&last, "REPAIRED", &[3, 4]);
        let done = merged(
            "p",
            "",
            &jobs,
            &results,
            &vec![(last.clone(), found)],
            false,
        );
        assert_eq!(done.jobs[0].word(), "REPAIRED");
        assert_eq!(done.jobs[0].corrections, 2);
        assert_eq!(done.jobs[0].arguments.join(" "), "repair a.v --reset rst");
        assert_eq!(done.counts.yes, 1);
        // Parts have proved their corrections; that the last job was cut short changes nothing.
        let cut = result(&last, "UNKNOWN", &[]);
        let done = merged("p", "", &jobs, &results, &vec![(last, cut)], false);
        assert_eq!(done.jobs[0].word(), "REPAIRED");
        assert_eq!(done.jobs[0].corrections, 3);
    }

    #[test]
    fn corrections_of_the_source_come_before_those_of_the_netlist() {
        let jobs = parts(2, &[]);
        let mut results = [
            result(&jobs[0], "REPAIRED", &[7]),
            result(&jobs[1], "REPAIRED", &[2]),
        ];
        if let Some(first) = &mut results[0] {
            first.report["part"]["of_netlist"] = json!(true);
        }
        let last = conclusion(&jobs, &results).expect("a last job");
        assert_eq!(last.arguments.last().map(String::as_str), Some("2/30"));
    }

    #[test]
    fn jobs_alone_and_parts_are_told_apart() {
        let mut jobs = parts(2, &[]);
        jobs.insert(0, job::example("x"));
        jobs.push(job::example("y"));
        assert_eq!(groups(&jobs), [0..1, 1..3, 3..4]);
    }
}
