//! What all jobs of a campaign have found, side by side.
//!
//! A verdict in here was certified by the process that ran the job; this only counts them. Times
//! stand in fields of their own, so that two campaigns with the same answers differ in nothing
//! else, and in nothing at all once these are left out.

use super::{Answer, Verdict};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt::Write;

/// Jobs that a text lists one by one.
const MOST_LISTED: usize = 60;
/// Properties that a line names.
const MOST_NAMED: usize = 4;
/// What is called slower: so many times as long, and by so many milliseconds.
pub const SLOWER: f64 = 1.5;
pub const LEAST_SLOWER_MS: u64 = 500;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CampaignReport {
    /// The file with the plan.
    pub plan: String,
    pub counts: Counts,
    /// In the order of the plan.
    pub jobs: Vec<JobRecord>,
    /// What became of each job since an earlier campaign.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison>,
    /// The results and rules of all jobs, for SARIF.
    #[serde(skip)]
    pub sarif_results: Vec<Value>,
    #[serde(skip)]
    pub sarif_rules: Vec<Value>,
}

/// How many jobs there are of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Counts {
    pub jobs: usize,
    /// Whose verdict is the one that was wanted.
    pub yes: usize,
    /// Whose verdict is another one.
    pub no: usize,
    pub unknown: usize,
    /// Whose input or command line is wrong, or whose process broke down.
    pub errors: usize,
    /// That have no result yet.
    pub not_run: usize,
}

/// What a job says to the question whether all is as wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum JobAnswer {
    Yes,
    No,
    Unknown,
    Error,
    NotRun,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct JobRecord {
    pub name: String,
    /// The set of the plan that it is from.
    pub set: String,
    /// SHA-256 of what the answer depends on.
    pub key: String,
    /// The command line, without the program.
    pub arguments: Vec<String>,
    /// Where it was run, seen from the folder of the plan, if not there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    pub answer: JobAnswer,
    /// The verdict's word, ERROR, or nothing if the job was not run.
    pub verdict: Option<String>,
    /// The verdict that was wanted, if one was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<Verdict>,
    pub reason: Option<String>,
    /// The properties of the design, with what was found about each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<JobProperty>,
    /// How many corrections there are, and the best one in words.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub corrections: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correction: Option<String>,
    /// The jobs that this repair was split into.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<PartRecord>,
    /// The first error, in one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The whole result, and its page: files, seen from the report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
    /// The processor time that it took, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processor_ms: Option<u64>,
}

/// One of the jobs that a repair was split into: what it says is about its own places.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PartRecord {
    /// From 1.
    pub part: usize,
    pub key: String,
    /// The verdict's word, ERROR, or nothing if the job was not run.
    pub verdict: Option<String>,
    pub reason: Option<String>,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub corrections: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processor_ms: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct JobProperty {
    pub name: String,
    pub verdict: String,
}

/// What became of jobs since an earlier campaign, by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Comparison {
    /// Jobs that say no or break down, and did not before.
    pub new_failures: Vec<Change>,
    /// Jobs that said no or broke down, and say yes now.
    pub fixed: Vec<Change>,
    /// Other verdicts than before, for better or worse.
    pub otherwise: Vec<Change>,
    /// Jobs that take more than 1.5 times the processor time, and half a second more.
    pub slower: Vec<Slower>,
    /// Jobs that only one of the two has.
    pub added: Vec<String>,
    pub removed: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Change {
    pub name: String,
    pub before: String,
    pub now: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Slower {
    pub name: String,
    pub before_ms: u64,
    pub now_ms: u64,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl JobRecord {
    /// The verdict's word, or what stands for it.
    pub fn word(&self) -> &str {
        self.verdict.as_deref().unwrap_or("NOT RUN")
    }

    /// What is worth knowing about it, in one line.
    pub fn told(&self) -> String {
        if let Some(error) = &self.error {
            return error.clone();
        }
        if let Some(correction) = &self.correction {
            return correction.clone();
        }
        // What the original breaks is not why a repair has no answer.
        if let (JobAnswer::Unknown, Some(reason)) = (self.answer, &self.reason) {
            return reason.clone();
        }
        let failing = self.properties.iter().filter(|one| one.verdict == "FAIL");
        let failing: Vec<&str> = failing.map(|one| one.name.as_str()).collect();
        match (failing.as_slice(), &self.reason) {
            ([], Some(reason)) => reason.clone(),
            ([], None) => String::new(),
            ([one], _) => format!("{one} fails"),
            (several, _) if several.len() <= MOST_NAMED => format!("{} fail", several.join(", ")),
            (several, _) => {
                let more = several.len() - MOST_NAMED;
                format!("{} and {more} more fail", several[..MOST_NAMED].join(", "))
            }
        }
    }
}

impl CampaignReport {
    pub fn answer(&self) -> Answer {
        let counts = &self.counts;
        if counts.no + counts.errors > 0 {
            Answer::No
        } else if counts.unknown + counts.not_run > 0 {
            Answer::Unknown
        } else {
            Answer::Yes
        }
    }

    /// The counts as a sentence.
    pub fn sentence(&self) -> String {
        let counts = &self.counts;
        let mut text = match counts.yes == counts.jobs {
            true => format!("all {} jobs are as wanted", counts.jobs),
            false => format!("{} of {} jobs are as wanted", counts.yes, counts.jobs),
        };
        let others = [
            (counts.no, "not"),
            (counts.unknown, "undecided"),
            (counts.errors, "in error"),
            (counts.not_run, "not run"),
        ];
        for (count, what) in others {
            if count > 0 {
                let _ = write!(text, ", {count} {what}");
            }
        }
        text
    }

    /// The sets in the order of the plan, with their counts and processor time.
    pub fn sets(&self) -> Vec<(&str, Counts, Option<u64>)> {
        let mut sets: Vec<(&str, Counts, Option<u64>)> = Vec::new();
        for job in &self.jobs {
            let index = match sets.iter().position(|(name, ..)| *name == job.set) {
                Some(index) => index,
                None => {
                    sets.push((&job.set, Counts::default(), None));
                    sets.len() - 1
                }
            };
            let (_, counts, time) = &mut sets[index];
            counts.add(job.answer);
            if let Some(own) = job.processor_ms {
                *time = Some(time.unwrap_or(0) + own);
            }
        }
        sets
    }

    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        let is_listed = |job: &&JobRecord| job.answer != JobAnswer::Yes;
        let listed: Vec<&JobRecord> = self.jobs.iter().filter(is_listed).collect();
        let shown = &listed[..listed.len().min(MOST_LISTED)];
        let word_width = shown.iter().map(|job| job.word().len()).max().unwrap_or(0);
        let name_width = shown.iter().map(|job| job.name.chars().count());
        let name_width = name_width.max().unwrap_or(0).min(72);
        for (index, job) in shown.iter().enumerate() {
            if index == 0 {
                text.push('\n');
            }
            let wanted = match job.expected {
                Some(expected) if job.answer == JobAnswer::No => format!("wanted {expected}; "),
                _ => String::new(),
            };
            let line = format!(
                "{:word_width$}  {:<name_width$}  {wanted}{}",
                job.word(),
                job.name,
                job.told()
            );
            let _ = writeln!(text, "{}", line.trim_end());
        }
        if listed.len() > shown.len() {
            let more = listed.len() - shown.len();
            let _ = writeln!(text, "and {more} more; `--format json` lists all");
        }
        text.push_str(&self.table());
        if let Some(comparison) = &self.comparison {
            text.push_str(&comparison.text());
        }
        text
    }

    fn table(&self) -> String {
        let sets = self.sets();
        let width = sets.iter().map(|(name, ..)| name.chars().count());
        let width = width.max().unwrap_or(0).max("set".len());
        let mut text = format!(
            "\n{:<width$}  {:>6} {:>6} {:>6} {:>8} {:>6} {:>8} {:>11}\n",
            "set", "jobs", "yes", "no", "unknown", "error", "not run", "processor s"
        );
        for (name, counts, time) in sets {
            let time = time.map_or("-".to_string(), |time| format!("{:.1}", seconds(time)));
            let _ = writeln!(
                text,
                "{name:<width$}  {:>6} {:>6} {:>6} {:>8} {:>6} {:>8} {time:>11}",
                counts.jobs, counts.yes, counts.no, counts.unknown, counts.errors, counts.not_run
            );
        }
        text
    }
}

impl Counts {
    pub fn add(&mut self, answer: JobAnswer) {
        self.jobs += 1;
        match answer {
            JobAnswer::Yes => self.yes += 1,
            JobAnswer::No => self.no += 1,
            JobAnswer::Unknown => self.unknown += 1,
            JobAnswer::Error => self.errors += 1,
            JobAnswer::NotRun => self.not_run += 1,
        }
    }
}

impl Comparison {
    fn text(&self) -> String {
        let mut text = String::from("\nsince the earlier campaign:\n");
        let mut any = false;
        let lists = [
            ("new failure", &self.new_failures),
            ("fixed", &self.fixed),
            ("changed", &self.otherwise),
        ];
        for (what, list) in lists {
            for change in list {
                any = true;
                let Change { name, before, now } = change;
                let _ = writeln!(text, "{what:<12}{name}  {before} -> {now}");
            }
        }
        for one in &self.slower {
            any = true;
            let factor = one.now_ms as f64 / one.before_ms.max(1) as f64;
            let (before, now) = (seconds(one.before_ms), seconds(one.now_ms));
            let name = &one.name;
            let _ = writeln!(
                text,
                "{:<12}{name}  {before:.1} s -> {now:.1} s, {factor:.1} times",
                "slower"
            );
        }
        for (what, list) in [("new job", &self.added), ("gone", &self.removed)] {
            for name in list {
                any = true;
                let _ = writeln!(text, "{what:<12}{name}");
            }
        }
        if !any {
            text.push_str("the same answers, and none much slower\n");
        }
        text
    }
}

pub fn seconds(milliseconds: u64) -> f64 {
    milliseconds as f64 / 1000.0
}
