//! What is done with each message.
//!
//! Kept true: what is published about a text was found in the version that it is published
//! with, and that version is the present one. A change cancels every question that depends on
//! the text; an answer that comes all the same is thrown away.

use super::documents::{Document, Documents, is_ours, path_of_uri};
use super::framing::{Incoming, send};
use super::jobs::{self, Job, Trouble};
use super::position::{Encoding, Range};
use super::protocol::{self, Importance, Settings, notification};
use super::question::{Answer, Ask, Finding, Question};
use super::units::Unit;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;

/// What happens to the server.
#[derive(Debug)]
pub enum Event {
    Incoming(Incoming),
    /// The answer of a job.
    Finished(u64, Result<Answer, Trouble>),
}

/// Where the talk with the editor stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Started,
    Initialized,
    ShutDown,
}

/// What becomes of an answer.
#[derive(Debug)]
pub(super) enum Purpose {
    Reading(u64),
    Verdict(u64),
    Remedies(u64),
    /// An answer to the editor, with what is known without asking.
    Hover(Value, Option<String>),
    Definition(Value),
}

pub(super) struct Running {
    pub(super) job: Job,
    pub(super) purpose: Purpose,
    /// The versions of the texts that were asked about.
    versions: HashMap<PathBuf, i64>,
    /// Whether the editor shows its progress.
    has_progress: bool,
}

/// What the editor understands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Client {
    pub(super) progress: bool,
    pub(super) document_changes: bool,
    pub(super) related: bool,
}

pub struct Server<W> {
    program: PathBuf,
    events: Sender<Event>,
    output: W,
    pub(super) stage: Stage,
    pub(super) client: Client,
    pub(super) encoding: Encoding,
    pub(super) settings: Settings,
    pub(super) documents: Documents,
    pub(super) units: Vec<Unit>,
    pub(super) running: BTreeMap<u64, Running>,
    /// Files about which something was said.
    shown: BTreeSet<PathBuf>,
    next: u64,
}

impl<W: Write> Server<W> {
    /// A server whose questions are answered by `program`.
    pub fn new(program: PathBuf, events: Sender<Event>, output: W) -> Server<W> {
        Server {
            program,
            events,
            output,
            stage: Stage::Started,
            client: Client::default(),
            encoding: Encoding::default(),
            settings: Settings::default(),
            documents: Documents::default(),
            units: Vec::new(),
            running: BTreeMap::new(),
            shown: BTreeSet::new(),
            next: 1,
        }
    }

    /// Does what an event asks for; gives back the exit code once it is the last one.
    pub fn handle(&mut self, event: Event) -> Option<u8> {
        match event {
            Event::Incoming(Incoming::Message(bytes)) => self.message(&bytes),
            Event::Incoming(Incoming::Malformed(problem)) => {
                self.send(&protocol::failure(
                    &Value::Null,
                    protocol::PARSE_ERROR,
                    &problem,
                ));
                None
            }
            Event::Incoming(Incoming::End) => Some(self.exit_code()),
            Event::Finished(number, answer) => {
                self.finished(number, answer);
                None
            }
        }
    }

    /// Ends all jobs; gives back how many there were.
    pub fn cancel_all(&mut self) -> usize {
        self.running.values().for_each(|one| one.job.cancel());
        self.running.len()
    }

    pub(super) fn exit_code(&self) -> u8 {
        u8::from(self.stage != Stage::ShutDown)
    }

    fn message(&mut self, bytes: &[u8]) -> Option<u8> {
        let message: Value = match serde_json::from_slice(bytes) {
            Ok(message) => message,
            Err(error) => {
                let problem = error.to_string();
                self.send(&protocol::failure(
                    &Value::Null,
                    protocol::PARSE_ERROR,
                    &problem,
                ));
                return None;
            }
        };
        let id = message
            .get("id")
            .filter(|id| id.is_string() || id.is_number());
        let method = message.get("method").and_then(Value::as_str);
        let params = message.get("params").cloned().unwrap_or(Value::Null);
        match (method, id) {
            (Some(method), Some(id)) => self.request(id, method, params),
            (Some("exit"), None) => return Some(self.exit_code()),
            (Some(method), None) => self.notified(method, params),
            // An answer to a request of ours; nothing depends on it.
            (None, Some(_)) => {}
            (None, None) => {
                let problem = "a message has neither a method nor an id";
                let code = protocol::INVALID_REQUEST;
                self.send(&protocol::failure(&Value::Null, code, problem));
            }
        }
        None
    }

    fn notified(&mut self, method: &str, params: Value) {
        if self.stage != Stage::Initialized {
            return;
        }
        let done = match method {
            "textDocument/didOpen" => parse(params).map(|found| self.opened(found)),
            "textDocument/didChange" => parse(params).map(|found| self.changed_text(found)),
            "textDocument/didSave" => parse(params).map(|found| self.saved(found)),
            "textDocument/didClose" => parse(params).map(|found| self.closed(found)),
            "window/workDoneProgress/cancel" => parse(params).map(|found| self.stopped(found)),
            "$/cancelRequest" => parse(params).map(|found| self.cancelled(found)),
            "workspace/didChangeConfiguration" => {
                self.configured(params.get("settings"));
                Ok(())
            }
            // What else an editor tells is of no interest here.
            _ => Ok(()),
        };
        if let Err(problem) = done {
            self.log(
                Importance::Error,
                &format!("`{method}` was not understood: {problem}"),
            );
        }
    }

    pub(super) fn configured(&mut self, settings: Option<&Value>) {
        let own = settings.and_then(|all| all.get("respin").or(Some(all)));
        if let Some(Ok(settings)) = own.map(|own| serde_json::from_value(own.clone())) {
            self.settings = settings;
        }
    }

    fn opened(&mut self, opened: protocol::DidOpen) {
        let document = opened.text_document;
        let Some(path) = path_of_uri(&document.uri).filter(|path| is_ours(path)) else {
            return;
        };
        let text = Document {
            uri: document.uri,
            version: document.version,
            text: document.text,
        };
        self.documents.open(path.clone(), text);
        self.read_again(&path);
    }

    fn changed_text(&mut self, change: protocol::DidChange) {
        let Some(path) = path_of_uri(&change.text_document.uri) else {
            return;
        };
        let version = change.text_document.version;
        let changes = change.content_changes;
        if self
            .documents
            .change(&path, version, changes, self.encoding)
        {
            self.read_again(&path);
        }
    }

    fn closed(&mut self, closed: protocol::AboutDocument) {
        let Some(path) = path_of_uri(&closed.text_document.uri) else {
            return;
        };
        if !self.documents.close(&path) {
            return;
        }
        let mut files = BTreeSet::from([path.clone()]);
        let mut left = Vec::new();
        for mut unit in std::mem::take(&mut self.units) {
            if !unit.read.contains(&path) {
                left.push(unit);
                continue;
            }
            unit.forget(&path);
            files.extend(unit.files());
            let open = unit
                .read
                .iter()
                .find(|one| self.documents.get(one).is_some());
            match open.cloned() {
                // What the disk has counts now.
                Some(open) => {
                    unit.focus = open;
                    left.push(unit);
                }
                None => self.cancel_unit(&unit),
            }
        }
        self.units = left;
        self.publish(&files);
        self.read_units_of(&path);
    }

    fn saved(&mut self, saved: protocol::AboutDocument) {
        if self.settings.verdict_on_save
            && let Some(path) = path_of_uri(&saved.text_document.uri)
        {
            self.judge(&path);
        }
    }

    /// Asks for the verdict of all that depends on a text.
    pub(super) fn judge(&mut self, path: &Path) {
        for index in 0..self.units.len() {
            let unit = &mut self.units[index];
            if unit.read.contains(path) {
                unit.awaits_verdict = true;
                self.judge_if_ready(index);
            }
        }
    }

    fn judge_if_ready(&mut self, index: usize) {
        let unit = &mut self.units[index];
        if !unit.awaits_verdict || !unit.is_sound() {
            return;
        }
        unit.awaits_verdict = false;
        let (number, focus) = (unit.number, unit.focus.clone());
        if let Some(job) = unit.judging.take() {
            self.cancel_job(job);
        }
        let job = self.start(&focus, Ask::Verdict, Purpose::Verdict(number));
        self.units[index].judging = Some(job);
        let name = focus.file_name().unwrap_or_default().display().to_string();
        self.begin_progress(job, &format!("respin judges {name}"));
    }

    /// A text is another one now.
    fn read_again(&mut self, path: &Path) {
        let known = self.units.iter().any(|unit| unit.read.contains(path));
        if !known {
            let number = self.number();
            self.units.push(Unit::new(number, path.to_path_buf()));
        }
        self.read_units_of(path);
    }

    fn read_units_of(&mut self, path: &Path) {
        for index in 0..self.units.len() {
            if self.units[index].read.contains(path) {
                self.units[index].forget(path);
                self.read_unit(index);
            }
        }
    }

    fn read_unit(&mut self, index: usize) {
        let unit = &mut self.units[index];
        let (number, focus) = (unit.number, unit.focus.clone());
        let old = [unit.reading.take(), unit.judging.take()];
        old.into_iter()
            .flatten()
            .for_each(|job| self.cancel_job(job));
        let job = self.start(&focus, Ask::Read, Purpose::Reading(number));
        self.units[index].reading = Some(job);
    }

    pub(super) fn start(&mut self, file: &Path, ask: Ask, purpose: Purpose) -> u64 {
        let number = self.number();
        let texts = self.documents.iter();
        let question = Question {
            encoding: self.encoding,
            texts: texts
                .map(|(path, one)| (path.clone(), one.text.clone()))
                .collect(),
            file: file.to_path_buf(),
            ask,
        };
        let versions = self.documents.iter();
        let running = Running {
            versions: versions
                .map(|(path, one)| (path.clone(), one.version))
                .collect(),
            job: jobs::start(&self.program, question, number, &self.events),
            purpose,
            has_progress: false,
        };
        self.running.insert(number, running);
        number
    }

    fn finished(&mut self, number: u64, answer: Result<Answer, Trouble>) {
        let Some(running) = self.running.remove(&number) else {
            return;
        };
        if let Err(Trouble::Failed(problem)) = &answer {
            let text =
                format!("a text could not be looked into, and the server goes on: {problem}");
            self.log(Importance::Error, &text);
        }
        let is_cancelled = answer == Err(Trouble::Cancelled);
        let answer = answer.unwrap_or_default();
        for line in &answer.log {
            self.log(Importance::Information, line);
        }
        match running.purpose {
            Purpose::Hover(id, known) => self.show_hover(&id, known, answer),
            Purpose::Definition(id) => self.show_definition(&id, &answer),
            Purpose::Reading(unit) if !is_cancelled => {
                self.has_read(unit, number, &running.versions, answer);
            }
            Purpose::Verdict(unit) | Purpose::Remedies(unit) if !is_cancelled => {
                let wants_more = matches!(running.purpose, Purpose::Verdict(_));
                self.has_judged(unit, number, running.has_progress, wants_more, answer);
            }
            _ => {}
        }
    }

    fn has_read(&mut self, unit: u64, job: u64, versions: &HashMap<PathBuf, i64>, answer: Answer) {
        let Some(index) = self.index(unit, |unit| unit.reading == Some(job)) else {
            return;
        };
        let is_stale = |path: &PathBuf| {
            let now = self.documents.get(path).map(|document| document.version);
            now != versions.get(path).copied()
        };
        if answer.read.iter().any(is_stale) {
            // A text that was not known to matter has changed meanwhile.
            self.units[index].read.extend(answer.read);
            self.read_unit(index);
            return;
        }
        self.units[index].reading = None;
        let mut files = self.units[index].take_reading(answer);
        files.extend(self.drop_doubles(index));
        self.publish(&files);
        if let Some(index) = self.index(unit, |_| true) {
            self.judge_if_ready(index);
        }
    }

    /// A project is one unit, whichever of its texts was opened first; and so is a file that
    /// was opened twice under one name.
    fn drop_doubles(&mut self, index: usize) -> BTreeSet<PathBuf> {
        let (kept, project) = (self.units[index].number, self.units[index].project.clone());
        let mut files = BTreeSet::new();
        if project.is_none() {
            return files;
        }
        let is_double = |unit: &Unit, read: &BTreeSet<PathBuf>| {
            let is_known = unit.project == project;
            // One that has not been read yet, of a file that this one has read.
            let is_new = unit.project.is_none() && read.contains(&unit.focus);
            unit.number != kept && (is_known || is_new)
        };
        let read = self.units[index].read.clone();
        let units = std::mem::take(&mut self.units);
        let (doubles, rest): (Vec<Unit>, Vec<Unit>) =
            units.into_iter().partition(|unit| is_double(unit, &read));
        self.units = rest;
        for unit in doubles {
            self.cancel_unit(&unit);
            files.extend(unit.files());
            if unit.awaits_verdict
                && let Some(index) = self.index(kept, |_| true)
            {
                self.units[index].awaits_verdict = true;
            }
        }
        files
    }

    fn has_judged(
        &mut self,
        unit: u64,
        job: u64,
        has_progress: bool,
        wants_more: bool,
        answer: Answer,
    ) {
        let Some(index) = self.index(unit, |unit| unit.judging == Some(job)) else {
            self.end_progress(job, has_progress, "");
            return;
        };
        let verdict = answer.verdict.clone().unwrap_or_default();
        let wants_more = wants_more && answer.is_bad && self.settings.remedies_on_save;
        self.units[index].judging = None;
        let files = self.units[index].take_verdict(answer);
        self.publish(&files);
        let focus = self.units[index].focus.clone();
        if !verdict.is_empty() {
            self.log(
                Importance::Information,
                &format!("{}: {verdict}", focus.display()),
            );
        }
        self.end_progress(job, has_progress, &verdict);
        if wants_more {
            let job = self.start(&focus, Ask::Remedies, Purpose::Remedies(unit));
            self.units[index].judging = Some(job);
            self.begin_progress(job, "respin looks for a remedy");
        }
    }

    fn index(&self, number: u64, is_wanted: impl Fn(&Unit) -> bool) -> Option<usize> {
        let mut units = self.units.iter();
        units.position(|unit| unit.number == number && is_wanted(unit))
    }

    fn cancel_unit(&mut self, unit: &Unit) {
        let jobs = [unit.reading, unit.judging];
        jobs.into_iter()
            .flatten()
            .for_each(|job| self.cancel_job(job));
    }

    /// Ends a job. It stays on the list until its process has ended.
    pub(super) fn cancel_job(&mut self, number: u64) {
        let Some(running) = self.running.get_mut(&number) else {
            return;
        };
        running.job.cancel();
        let has_progress = std::mem::take(&mut running.has_progress);
        self.end_progress(number, has_progress, "cancelled");
    }

    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    /// Tells the editor what is known about files now.
    fn publish(&mut self, files: &BTreeSet<PathBuf>) {
        for path in files {
            let mut all: Vec<&Finding> = Vec::new();
            for finding in self.units.iter().flat_map(Unit::findings) {
                let is_same = |other: &&Finding| {
                    (&other.place, &other.code, &other.message)
                        == (&finding.place, &finding.code, &finding.message)
                };
                if finding.place.file == *path && !all.iter().any(is_same) {
                    all.push(finding);
                }
            }
            let list: Vec<Value> = all.iter().map(|one| self.diagnostic(one)).collect();
            let document = self.documents.get(path);
            let was_shown = match list.is_empty() {
                true => self.shown.remove(path),
                false => !self.shown.insert(path.clone()),
            };
            if list.is_empty() && document.is_none() && !was_shown {
                continue;
            }
            let mut params = json!({ "uri": self.documents.uri(path), "diagnostics": list });
            if let Some(document) = document {
                params["version"] = json!(document.version);
            }
            self.send(&notification("textDocument/publishDiagnostics", params));
        }
    }

    /// A finding as the protocol has it.
    pub(super) fn diagnostic(&self, finding: &Finding) -> Value {
        let mut diagnostic = json!({
            "range": shown_range(finding.place.range),
            "severity": finding.weight as u8,
            "source": "respin",
            "message": finding.message,
        });
        if let Some(code) = &finding.code {
            diagnostic["code"] = json!(code);
        }
        if self.client.related && !finding.related.is_empty() {
            let related = finding.related.iter().map(|(place, text)| {
                let location = json!({
                    "uri": self.documents.uri(&place.file),
                    "range": place.range,
                });
                json!({ "location": location, "message": text })
            });
            diagnostic["relatedInformation"] = related.collect();
        }
        diagnostic
    }

    fn begin_progress(&mut self, job: u64, title: &str) {
        if !self.client.progress {
            return;
        }
        let token = format!("respin-{job}");
        let create = json!({ "token": token });
        self.send(&protocol::request(
            &token,
            "window/workDoneProgress/create",
            create,
        ));
        let value = json!({ "kind": "begin", "title": title, "cancellable": true });
        self.send(&notification(
            "$/progress",
            json!({ "token": token, "value": value }),
        ));
        if let Some(running) = self.running.get_mut(&job) {
            running.has_progress = true;
        }
    }

    fn end_progress(&mut self, job: u64, has_progress: bool, message: &str) {
        if has_progress {
            let value = json!({ "kind": "end", "message": message });
            let params = json!({ "token": format!("respin-{job}"), "value": value });
            self.send(&notification("$/progress", params));
        }
    }

    pub(super) fn log(&mut self, importance: Importance, text: &str) {
        let params = json!({ "type": importance as u8, "message": format!("respin: {text}") });
        self.send(&notification("window/logMessage", params));
    }

    /// An editor that does not listen any more leaves soon, and ends us.
    pub(super) fn send(&mut self, message: &Value) {
        let _ = send(&mut self.output, message);
    }
}

/// An empty range is hardly seen: one character is shown.
fn shown_range(mut range: Range) -> Range {
    if range.start == range.end {
        range.end.character = range.end.character.saturating_add(1);
    }
    range
}

pub(super) fn parse<T: DeserializeOwned>(params: Value) -> Result<T, String> {
    serde_json::from_value(params).map_err(|error| error.to_string())
}
