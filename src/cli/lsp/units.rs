//! What is read together, and what is known of it.
//!
//! A unit is a file with all that it asks for, or a project. It is read again whenever one of
//! its texts changes; what was found before in that text is forgotten at once, so that nothing
//! is ever shown in places that have moved.

use super::question::{Answer, Finding, Weight};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

#[derive(Debug, Default)]
pub struct Unit {
    pub number: u64,
    /// The text that is asked about.
    pub focus: PathBuf,
    pub project: Option<PathBuf>,
    /// All files that the findings depend on.
    pub read: BTreeSet<PathBuf>,
    /// What reading has found, and what the verdict has.
    findings: Vec<Finding>,
    judged: Vec<Finding>,
    /// Jobs that are under way.
    pub reading: Option<u64>,
    pub judging: Option<u64>,
    /// Whether a verdict is wanted once it is read.
    pub awaits_verdict: bool,
}

impl Unit {
    pub fn new(number: u64, focus: PathBuf) -> Unit {
        Unit {
            number,
            read: BTreeSet::from([focus.clone()]),
            focus,
            ..Unit::default()
        }
    }

    /// All that is known.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().chain(&self.judged)
    }

    /// Whether a text can be judged: it was read, and has no errors.
    pub fn is_sound(&self) -> bool {
        let mut findings = self.findings.iter();
        self.reading.is_none() && findings.all(|one| one.weight != Weight::Error)
    }

    /// Forgets what was found in a text, or by means of it.
    pub fn forget(&mut self, path: &Path) {
        self.judged.clear();
        self.awaits_verdict = false;
        self.findings.retain(|one| one.place.file != path);
        for finding in &mut self.findings {
            finding.related.retain(|(place, _)| place.file != path);
            let concerns = |edits: &[(super::question::Place, String)]| {
                edits.iter().any(|(place, _)| place.file == path)
            };
            finding.fixes.retain(|fix| !concerns(&fix.edits));
        }
    }

    /// Takes what reading has found; gives back the files about which something else is to be
    /// said now.
    pub fn take_reading(&mut self, answer: Answer) -> BTreeSet<PathBuf> {
        let mut files = std::mem::take(&mut self.read);
        files.extend(self.findings.iter().map(|one| one.place.file.clone()));
        self.read = answer.read.into_iter().collect();
        self.read.insert(self.focus.clone());
        self.project = answer.project;
        self.findings = answer.findings;
        files.extend(self.read.iter().cloned());
        files.extend(self.findings.iter().map(|one| one.place.file.clone()));
        files
    }

    /// The same for a verdict, or for what is added to it.
    pub fn take_verdict(&mut self, answer: Answer) -> BTreeSet<PathBuf> {
        let is_whole = answer
            .findings
            .iter()
            .any(|one| one.weight == Weight::Error);
        let mut files: BTreeSet<PathBuf> = self.read.clone();
        files.extend(self.judged.iter().map(|one| one.place.file.clone()));
        if is_whole {
            self.judged.clear();
        }
        self.judged.extend(answer.findings);
        files.extend(self.judged.iter().map(|one| one.place.file.clone()));
        files
    }

    /// The files that it has said something about.
    pub fn files(&self) -> BTreeSet<PathBuf> {
        self.findings().map(|one| one.place.file.clone()).collect()
    }
}
