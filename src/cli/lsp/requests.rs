//! What an editor asks for: the beginning and the end, what a name means, and what can be done.

use super::documents::path_of_uri;
use super::position::Encoding;
use super::protocol::{self, failure, response};
use super::question::{Answer, Ask, Finding, Fix};
use super::server::{Client, Purpose, Server, Stage, parse};
use super::units::Unit;
use crate::source::codes;
use serde_json::{Map, Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Asks for the verdict of a text, without saving it.
const VERDICT: &str = "respin.verdict";
const QUICK_FIX: &str = "quickfix";

impl<W: Write> Server<W> {
    pub(super) fn request(&mut self, id: &Value, method: &str, params: Value) {
        let problem = match (method, self.stage) {
            ("initialize", Stage::Started) => {
                let result = self.initialize(&params);
                return self.send(&response(id, result));
            }
            ("initialize", _) => Some((protocol::INVALID_REQUEST, "it was initialized before")),
            (_, Stage::Started) => Some((protocol::NOT_INITIALIZED, "`initialize` comes first")),
            (_, Stage::ShutDown) => Some((protocol::INVALID_REQUEST, "it was shut down")),
            (_, Stage::Initialized) => None,
        };
        if let Some((code, problem)) = problem {
            return self.send(&failure(id, code, problem));
        }
        let done = match method {
            "shutdown" => {
                self.stage = Stage::ShutDown;
                self.cancel_all();
                self.send(&response(id, Value::Null));
                Ok(())
            }
            "textDocument/hover" => parse(params).map(|found| self.hover(id, &found)),
            "textDocument/definition" => parse(params).map(|found| self.definition(id, &found)),
            "textDocument/codeAction" => parse(params).map(|found| {
                let actions = self.code_actions(&found);
                self.send(&response(id, Value::Array(actions)));
            }),
            "workspace/executeCommand" => parse(params).map(|found| self.execute(id, &found)),
            _ => {
                let problem = format!("there is no method `{method}`");
                self.send(&failure(id, protocol::METHOD_NOT_FOUND, &problem));
                Ok(())
            }
        };
        if let Err(problem) = done {
            self.send(&failure(id, protocol::INVALID_PARAMS, &problem));
        }
    }

    fn initialize(&mut self, params: &Value) -> Value {
        let asked = |path: &str| params.pointer(path);
        let is_set = |path: &str| asked(path).and_then(Value::as_bool) == Some(true);
        self.client = Client {
            progress: is_set("/capabilities/window/workDoneProgress"),
            document_changes: is_set("/capabilities/workspace/workspaceEdit/documentChanges"),
            related: is_set("/capabilities/textDocument/publishDiagnostics/relatedInformation"),
        };
        let encodings = asked("/capabilities/general/positionEncodings");
        let encodings = encodings.and_then(Value::as_array);
        let knows_bytes = encodings.is_some_and(|all| all.contains(&json!("utf-8")));
        self.encoding = if knows_bytes {
            Encoding::Utf8
        } else {
            Encoding::Utf16
        };
        self.configured(asked("/initializationOptions"));
        self.stage = Stage::Initialized;
        json!({
            "capabilities": {
                "positionEncoding": self.encoding.word(),
                // Changes come as ranges.
                "textDocumentSync": { "openClose": true, "change": 2, "save": true },
                "hoverProvider": true,
                "definitionProvider": true,
                "codeActionProvider": { "codeActionKinds": [QUICK_FIX] },
                "executeCommandProvider": { "commands": [VERDICT] },
            },
            "serverInfo": { "name": "respin", "version": env!("CARGO_PKG_VERSION") },
        })
    }

    /// The path of a text that is open.
    fn open(&self, uri: &str) -> Option<PathBuf> {
        path_of_uri(uri).filter(|path| self.documents.get(path).is_some())
    }

    fn hover(&mut self, id: &Value, asked: &protocol::AboutPosition) {
        let Some(path) = self.open(&asked.text_document.uri) else {
            return self.send(&response(id, Value::Null));
        };
        let findings = self.units.iter().flat_map(Unit::findings);
        let here = findings.filter(|one| {
            let range = one.place.range;
            one.place.file == path && range.start <= asked.position && asked.position <= range.end
        });
        let mut codes: Vec<&str> = here.filter_map(|one| one.code.as_deref()).collect();
        codes.dedup();
        let texts: Vec<String> = codes.into_iter().filter_map(explanation).collect();
        let known = (!texts.is_empty()).then(|| texts.join("\n\n"));
        let purpose = Purpose::Hover(id.clone(), known);
        self.start(&path, Ask::Hover(asked.position), purpose);
    }

    pub(super) fn show_hover(&mut self, id: &Value, known: Option<String>, answer: Answer) {
        let range = answer.hover.as_ref().map(|(range, _)| *range);
        let meaning = answer.hover.map(|(_, text)| text);
        let parts: Vec<String> = meaning.into_iter().chain(known).collect();
        if parts.is_empty() {
            return self.send(&response(id, Value::Null));
        }
        let value = parts.join("\n\n---\n\n");
        let mut result = json!({ "contents": { "kind": "markdown", "value": value } });
        if let Some(range) = range {
            result["range"] = json!(range);
        }
        self.send(&response(id, result));
    }

    fn definition(&mut self, id: &Value, asked: &protocol::AboutPosition) {
        match self.open(&asked.text_document.uri) {
            Some(path) => {
                let purpose = Purpose::Definition(id.clone());
                self.start(&path, Ask::Definition(asked.position), purpose);
            }
            None => self.send(&response(id, Value::Null)),
        }
    }

    pub(super) fn show_definition(&mut self, id: &Value, answer: &Answer) {
        let places = answer.definitions.iter();
        let places = places
            .map(|place| json!({ "uri": self.documents.uri(&place.file), "range": place.range }));
        let places: Vec<Value> = places.collect();
        self.send(&response(id, Value::Array(places)));
    }

    fn code_actions(&self, asked: &protocol::CodeActions) -> Vec<Value> {
        let is_wanted = |only: &Vec<String>| {
            let mut kinds = only.iter();
            kinds.any(|kind| kind.is_empty() || QUICK_FIX == kind)
        };
        let path = match self.open(&asked.text_document.uri) {
            Some(path) if asked.context.only.as_ref().is_none_or(is_wanted) => path,
            _ => return Vec::new(),
        };
        let findings = self.units.iter().flat_map(Unit::findings);
        let here: Vec<&Finding> = findings
            .filter(|one| one.place.file == path && one.place.range.meets(&asked.range))
            .collect();
        let mut fixes: Vec<(&Fix, Vec<&Finding>)> = Vec::new();
        for finding in here {
            for fix in &finding.fixes {
                match fixes.iter_mut().find(|(known, _)| *known == fix) {
                    Some((_, of)) => of.push(finding),
                    None => fixes.push((fix, vec![finding])),
                }
            }
        }
        let actions = fixes.into_iter().map(|(fix, of)| {
            let of: Vec<Value> = of.iter().map(|one| self.diagnostic(one)).collect();
            json!({
                "title": fix.title,
                "kind": QUICK_FIX,
                "isPreferred": fix.is_preferred,
                "diagnostics": of,
                "edit": self.workspace_edit(fix),
            })
        });
        actions.collect()
    }

    fn workspace_edit(&self, fix: &Fix) -> Value {
        let mut files: Vec<(&Path, Vec<Value>)> = Vec::new();
        for (place, text) in &fix.edits {
            let edit = json!({ "range": place.range, "newText": text });
            match files.iter_mut().find(|(file, _)| *file == place.file) {
                Some((_, edits)) => edits.push(edit),
                None => files.push((&place.file, vec![edit])),
            }
        }
        if self.client.document_changes {
            let changes = files.into_iter().map(|(file, edits)| {
                let version = self.documents.get(file).map(|document| document.version);
                let document = json!({ "uri": self.documents.uri(file), "version": version });
                json!({ "textDocument": document, "edits": edits })
            });
            return json!({ "documentChanges": changes.collect::<Vec<Value>>() });
        }
        let changes = files.into_iter();
        let changes = changes.map(|(file, edits)| (self.documents.uri(file), Value::Array(edits)));
        json!({ "changes": changes.collect::<Map<String, Value>>() })
    }

    fn execute(&mut self, id: &Value, asked: &protocol::ExecuteCommand) {
        let uri = asked.arguments.first().and_then(Value::as_str);
        let path = uri.and_then(|uri| self.open(uri));
        match (asked.command.as_str(), path) {
            (VERDICT, Some(path)) => {
                self.judge(&path);
                self.send(&response(id, Value::Null));
            }
            (VERDICT, None) => {
                let problem = "its argument is the address of a text that is open";
                self.send(&failure(id, protocol::INVALID_PARAMS, problem));
            }
            (other, _) => {
                let problem = format!("there is no command `{other}`");
                self.send(&failure(id, protocol::INVALID_PARAMS, &problem));
            }
        }
    }

    /// The editor does not want an answer any more.
    pub(super) fn cancelled(&mut self, asked: protocol::Cancel) {
        let mut running = self.running.iter();
        let found = running.find(|(_, one)| match &one.purpose {
            Purpose::Hover(id, _) | Purpose::Definition(id) => *id == asked.id,
            _ => false,
        });
        let Some(number) = found.map(|(number, _)| *number) else {
            return;
        };
        if let Some(running) = self.running.remove(&number) {
            running.job.cancel();
            let code = protocol::REQUEST_CANCELLED;
            self.send(&failure(&asked.id, code, "it was cancelled"));
        }
    }

    /// The user does not want a verdict any more.
    pub(super) fn stopped(&mut self, asked: protocol::Token) {
        let number = asked
            .token
            .as_str()
            .and_then(|token| token.strip_prefix("respin-"));
        let number = number.and_then(|number| number.parse::<u64>().ok());
        if let Some(number) = number {
            self.cancel_job(number);
        }
    }
}

/// What a code means, as `respin help-code` says it.
fn explanation(code: &str) -> Option<String> {
    let entry = codes::find(code.parse().ok()?)?;
    let mut text = format!("**{}: {}**\n", entry.code, entry.title);
    for line in entry.explanation.lines() {
        // Examples are indented, and Markdown shows that as they are.
        text.push('\n');
        text.push_str(line);
    }
    Some(text)
}
