//! One command of a campaign, as a line of JSON that any machine can be given.
//!
//! The key stands for everything that the answer depends on as far as it is known before the
//! command runs: the words of the command line, the directory, the contents of the files that
//! they name, and the version of the program. Files that these name in turn are known only
//! afterwards, so that the result lists them (`outcome`).

use super::digest::{FileDigest, sha256};
use crate::report::Verdict;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The version of the form of job lines and results.
pub const FORM: u32 = 2;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    pub form: u32,
    pub key: String,
    /// What people call it; no other job of the campaign has this name.
    pub name: String,
    /// The set of the plan that it is from.
    pub set: String,
    /// The name of the repair that it is a part of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole: Option<String>,
    /// The folder of the plan, from which all names are seen; nothing for where the process is.
    /// It is no part of the key: the same files elsewhere have the same answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub home: Option<String>,
    /// Where the command runs, seen from there; nothing for the same place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// The command and its arguments.
    pub arguments: Vec<String>,
    /// The files that they name.
    pub inputs: Vec<FileDigest>,
    /// The verdict that is wanted; nothing for any that means yes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<Verdict>,
    /// Whether a page is made of the result.
    pub page: bool,
}

/// What the key is made of, in this order.
#[derive(Serialize)]
struct Keyed<'a> {
    form: u32,
    version: &'a str,
    directory: Option<&'a str>,
    arguments: &'a [String],
    inputs: &'a [FileDigest],
    page: bool,
}

impl Job {
    /// The same job with its key.
    pub fn keyed(mut self) -> Job {
        self.inputs.sort_unstable();
        self.inputs.dedup();
        self.key = self.own_key();
        self
    }

    /// The key that these contents have.
    pub fn own_key(&self) -> String {
        let keyed = Keyed {
            form: FORM,
            version: env!("CARGO_PKG_VERSION"),
            directory: self.directory.as_deref(),
            arguments: &self.arguments,
            inputs: &self.inputs,
            page: self.page,
        };
        // Plain data with text keys: there is nothing in it that could not be written.
        let text = serde_json::to_string(&keyed).unwrap_or_default();
        sha256(text.as_bytes())
    }

    /// Where the command runs; nothing for where the process is.
    pub fn folder(&self) -> Option<PathBuf> {
        match (&self.home, &self.directory) {
            (Some(home), Some(directory)) => Some(Path::new(home).join(directory)),
            (one, other) => one.as_ref().or(other.as_ref()).map(PathBuf::from),
        }
    }

    pub fn line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads a line; the error says what is wrong with it.
    pub fn parse(line: &str) -> Result<Job, String> {
        let job: Job = serde_json::from_str(line).map_err(|error| error.to_string())?;
        if job.form != FORM {
            return Err(format!(
                "its form is {}, and this version reads {FORM}",
                job.form
            ));
        }
        if job.key != job.own_key() {
            return Err("its key is not that of its contents, or of another version".to_string());
        }
        Ok(job)
    }

    /// What the files of its result are called, without their extensions.
    pub fn file_name(&self) -> &str {
        self.key.get(..32).unwrap_or(&self.key)
    }

    pub fn command(&self) -> &str {
        self.arguments.first().map_or("", String::as_str)
    }
}

#[cfg(test)]
pub(super) fn example(name: &str) -> Job {
    let job = Job {
        form: FORM,
        key: String::new(),
        name: name.to_string(),
        set: "all".to_string(),
        whole: None,
        home: None,
        directory: None,
        arguments: vec!["verify".to_string(), format!("{name}.v")],
        inputs: vec![FileDigest {
            path: format!("{name}.v"),
            sha256: sha256(name.as_bytes()),
        }],
        expected: None,
        page: true,
    };
    job.keyed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_back() {
        let job = example("a");
        assert_eq!(Job::parse(&job.line()), Ok(job.clone()));
        assert!(!job.line().contains('\n'));
    }

    #[test]
    fn the_key_depends_on_contents_and_words_and_not_on_names() {
        let job = example("a");
        let mut changed = job.clone();
        changed.inputs[0].sha256 = sha256(b"other");
        assert_ne!(changed.own_key(), job.key);
        let mut longer = job.clone();
        longer.arguments.push("--strict".to_string());
        assert_ne!(longer.own_key(), job.key);
        let mut renamed = job.clone();
        renamed.name = "another".to_string();
        renamed.expected = Some(Verdict::Fail);
        renamed.home = Some("/elsewhere".to_string());
        assert_eq!(renamed.own_key(), job.key);
    }

    #[test]
    fn a_line_with_another_key_is_refused() {
        let job = example("a");
        let line = job.line().replace("a.v", "b.v");
        assert!(Job::parse(&line).is_err());
        assert!(Job::parse("{}").is_err());
        assert!(Job::parse(&job.line()[..40]).is_err());
    }
}
