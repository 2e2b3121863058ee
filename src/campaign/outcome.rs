//! What one job has found, as a file.
//!
//! The first field is the digest of the rest of the file, byte by byte. A file that was cut
//! short, edited, or written for another job is no result, and neither is one that was found
//! with other files than there are now: whoever reads it runs the job again.

use super::digest::{FileDigest, sha256};
use super::job::{FORM, Job};
use serde::{Deserialize, Serialize};
use serde_json::Value;

const START: &str = "{\n  \"digest\": \"";
const END: &str = "\",\n";
const DIGITS: usize = 64;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobResult {
    pub form: u32,
    pub version: String,
    pub key: String,
    /// The exit code of the command.
    pub exit_code: u8,
    /// The processor time that it took, in milliseconds.
    pub processor_ms: u64,
    /// The time that passed meanwhile.
    pub wall_ms: u64,
    /// All files that were read, and those that were looked for and were not there.
    pub read: Vec<FileDigest>,
    /// Whether a page was made.
    pub page: bool,
    /// The report as `--format json` prints it.
    pub report: Value,
    /// The results and rules of the report as SARIF has them.
    pub sarif: Sarif,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sarif {
    pub results: Vec<Value>,
    pub rules: Vec<Value>,
}

impl Sarif {
    /// The parts of a SARIF document of one run.
    pub fn of(document: &Value) -> Sarif {
        let list = |pointer: &str| match document.pointer(pointer) {
            Some(Value::Array(list)) => list.clone(),
            _ => Vec::new(),
        };
        Sarif {
            results: list("/runs/0/results"),
            rules: list("/runs/0/tool/driver/rules"),
        }
    }
}

impl JobResult {
    /// The text of the file.
    pub fn sealed(&self) -> String {
        // Plain data with text keys: there is nothing in it that could not be written.
        let text = serde_json::to_string_pretty(self).unwrap_or_default() + "\n";
        let digest = sha256(text.as_bytes());
        let rest = text.strip_prefix("{\n").unwrap_or(&text);
        format!("{START}{digest}{END}{rest}")
    }

    /// The result of a job, if the text is one.
    pub fn unsealed(text: &str, job: &Job) -> Option<JobResult> {
        let rest = text.strip_prefix(START)?;
        let (digest, rest) = rest.split_at_checked(DIGITS)?;
        let body = format!("{{\n{}", rest.strip_prefix(END)?);
        if sha256(body.as_bytes()) != digest {
            return None;
        }
        let result: JobResult = serde_json::from_str(&body).ok()?;
        let is_own = result.form == FORM && result.key == job.key;
        is_own.then_some(result)
    }
}

#[cfg(test)]
pub(super) fn example(job: &Job, verdict: &str) -> JobResult {
    JobResult {
        form: FORM,
        version: "0".to_string(),
        key: job.key.clone(),
        exit_code: 0,
        processor_ms: 1200,
        wall_ms: 1500,
        read: job.inputs.clone(),
        page: true,
        report: serde_json::json!({ "verdict": verdict, "reason": null, "diagnostics": [] }),
        sarif: Sarif::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::job;
    use super::*;

    #[test]
    fn a_result_is_read_back() {
        let job = job::example("a");
        let result = example(&job, "PASS");
        assert_eq!(JobResult::unsealed(&result.sealed(), &job), Some(result));
    }

    #[test]
    fn what_was_cut_short_or_edited_is_no_result() {
        let job = job::example("a");
        let text = example(&job, "PASS").sealed();
        for end in 0..text.len() {
            assert_eq!(JobResult::unsealed(&text[..end], &job), None, "{end}");
        }
        for (old, new) in [("PASS", "FAIL"), ("1200", "1201"), ("}\n", "}\n\n")] {
            assert_eq!(
                JobResult::unsealed(&text.replacen(old, new, 1), &job),
                None,
                "{old}"
            );
        }
    }

    #[test]
    fn the_result_of_another_job_is_none() {
        let text = example(&job::example("a"), "PASS").sealed();
        assert_eq!(JobResult::unsealed(&text, &job::example("b")), None);
    }

    #[test]
    fn the_whole_file_is_one_document() {
        let text = example(&job::example("a"), "PASS").sealed();
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["report"]["verdict"], "PASS");
    }
}
