//! A scripted editor.

use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

/// How long anything is waited for; a busy machine is slow.
const PATIENCE: Duration = Duration::from_secs(120);

pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// All that came, in order.
    pub seen: Vec<Value>,
    texts: HashMap<PathBuf, (i64, String)>,
    next: i64,
    /// What the server said it can do.
    pub capabilities: Value,
}

pub fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

impl Client {
    /// A server that was initialized, by an editor that can do all that the server uses.
    pub fn new() -> Client {
        let capabilities = json!({
            "window": { "workDoneProgress": true },
            "workspace": { "workspaceEdit": { "documentChanges": true } },
            "textDocument": { "publishDiagnostics": { "relatedInformation": true } },
        });
        Client::initialized(&[], json!({ "capabilities": capabilities }))
    }

    pub fn initialized(words: &[&str], params: Value) -> Client {
        let mut client = Client::started(words);
        let answer = client.request("initialize", params);
        client.capabilities = answer["result"]["capabilities"].clone();
        client.notify("initialized", json!({}));
        client
    }

    pub fn started(words: &[&str]) -> Client {
        let mut child = Command::new(env!("CARGO_BIN_EXE_respin"))
            .arg("lsp")
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("respin runs");
        let input = child.stdin.take();
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, messages) = mpsc::channel();
        std::thread::spawn(move || {
            while let Some(message) = receive(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Client {
            child,
            input,
            messages,
            seen: Vec::new(),
            texts: HashMap::new(),
            next: 0,
            capabilities: Value::Null,
        }
    }

    pub fn raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the server listens");
        // A server that has gone is noticed by whoever waits for it.
        let _ = input.write_all(bytes).and_then(|()| input.flush());
    }

    pub fn send(&mut self, message: &Value) {
        let text = message.to_string();
        self.raw(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Asks, and waits for the answer.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        self.wait(|one| one["id"] == json!(id) && one.get("method").is_none())
    }

    pub fn ask(&mut self, method: &str, params: Value) -> i64 {
        self.next += 1;
        let id = self.next;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// The first message from now on that is wanted.
    pub fn wait(&mut self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        let start = Instant::now();
        loop {
            let left = PATIENCE.saturating_sub(start.elapsed());
            let message = self.messages.recv_timeout(left).unwrap_or_else(|error| {
                let last: Vec<&Value> = self.seen.iter().rev().take(6).collect();
                panic!("{error}; the last messages were {last:#?}")
            });
            self.seen.push(message.clone());
            if is_wanted(&message) {
                return message;
            }
        }
    }

    /// Opens a text, which may be on the disk or not.
    pub fn open(&mut self, path: &Path, text: &str) {
        self.texts.insert(path.to_path_buf(), (1, text.to_string()));
        let document = json!({
            "uri": uri(path), "languageId": "any", "version": 1, "text": text,
        });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Opens what the disk has.
    pub fn open_file(&mut self, path: &Path) {
        let text = std::fs::read_to_string(path).expect("a file");
        self.open(path, &text);
    }

    /// Puts another text in the place of the whole one.
    pub fn replace(&mut self, path: &Path, text: &str) -> i64 {
        self.texts.get_mut(path).expect("it is open").1 = text.to_string();
        self.changed(path, json!([{ "text": text }]))
    }

    /// Replaces a part of one line; columns count ASCII.
    pub fn edit(&mut self, path: &Path, line: usize, columns: (usize, usize), text: &str) -> i64 {
        let own = &mut self.texts.get_mut(path).expect("it is open").1;
        let start: usize = own.split_inclusive('\n').take(line).map(str::len).sum();
        own.replace_range(start + columns.0..start + columns.1, text);
        let range = json!({
            "start": { "line": line, "character": columns.0 },
            "end": { "line": line, "character": columns.1 },
        });
        self.changed(path, json!([{ "range": range, "text": text }]))
    }

    fn changed(&mut self, path: &Path, changes: Value) -> i64 {
        let own = self.texts.get_mut(path).expect("it is open");
        own.0 += 1;
        let version = own.0;
        let document = json!({ "uri": uri(path), "version": version });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.notify("textDocument/didChange", params);
        version
    }

    /// Writes the text of the editor to the disk, and says so.
    pub fn save(&mut self, path: &Path) {
        std::fs::write(path, &self.texts[path].1).expect("a file");
        self.notify(
            "textDocument/didSave",
            json!({ "textDocument": { "uri": uri(path) } }),
        );
    }

    pub fn text(&self, path: &Path) -> &str {
        &self.texts[path].1
    }

    pub fn version(&self, path: &Path) -> i64 {
        self.texts[path].0
    }

    /// The next diagnostics of the present version of a text.
    pub fn diagnostics(&mut self, path: &Path) -> Vec<Value> {
        let version = self.texts.get(path).map(|own| own.0);
        self.diagnostics_where(path, |params| params["version"].as_i64() == version)
    }

    pub fn diagnostics_where(
        &mut self,
        path: &Path,
        is_wanted: impl Fn(&Value) -> bool,
    ) -> Vec<Value> {
        let uri = uri(path);
        let found = self.wait(|one| {
            let params = &one["params"];
            one["method"] == "textDocument/publishDiagnostics"
                && params["uri"] == json!(uri)
                && is_wanted(params)
        });
        found["params"]["diagnostics"]
            .as_array()
            .expect("a list")
            .clone()
    }

    /// Waits for a line of the log.
    pub fn log(&mut self, part: &str) -> String {
        let found = self.wait(|one| {
            let text = one["params"]["message"].as_str().unwrap_or_default();
            one["method"] == "window/logMessage" && text.contains(part)
        });
        found["params"]["message"]
            .as_str()
            .expect("a text")
            .to_string()
    }

    /// The actions for a diagnostic.
    pub fn actions(&mut self, path: &Path, diagnostic: &Value) -> Vec<Value> {
        let params = json!({
            "textDocument": { "uri": uri(path) },
            "range": diagnostic["range"],
            "context": { "diagnostics": [diagnostic] },
        });
        let answer = self.request("textDocument/codeAction", params);
        answer["result"].as_array().expect("a list").clone()
    }

    /// Does what an action says, as an editor does: all edits are about the text before.
    pub fn apply(&mut self, action: &Value) {
        for change in action["edit"]["documentChanges"]
            .as_array()
            .expect("changes")
        {
            let uri = change["textDocument"]["uri"].as_str().expect("an address");
            let path = PathBuf::from(uri.strip_prefix("file://").expect("a file"));
            assert_eq!(
                change["textDocument"]["version"],
                json!(self.version(&path))
            );
            let mut edits = change["edits"].as_array().expect("edits").clone();
            edits.reverse();
            let mut text = self.text(&path).to_string();
            for edit in edits {
                let offset = |end: &str| {
                    let at = &edit["range"][end];
                    let line = at["line"].as_u64().expect("a line") as usize;
                    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
                    start + at["character"].as_u64().expect("a column") as usize
                };
                let range = offset("start")..offset("end");
                text.replace_range(range, edit["newText"].as_str().expect("a text"));
            }
            self.replace(&path, &text);
        }
    }

    /// The answer about the place of a part of a text, `inside` bytes into it.
    pub fn about(&mut self, method: &str, path: &Path, part: &str, inside: usize) -> Value {
        let text = self.text(path);
        let offset = text.find(part).expect("the part is there") + inside;
        let line = text[..offset].matches('\n').count();
        let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
        let position = json!({ "line": line, "character": offset - start });
        let params = json!({ "textDocument": { "uri": uri(path) }, "position": position });
        self.request(method, params)["result"].clone()
    }

    /// Closes the stream, and waits for the end.
    pub fn end(mut self) -> ExitStatus {
        self.input = None;
        self.exit_status()
    }

    pub fn exit_status(&mut self) -> ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("a status") {
                return status;
            }
            assert!(start.elapsed() < PATIENCE, "the server does not end");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn receive(stream: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim() {
            "" => break,
            header => {
                let value = header.strip_prefix("Content-Length: ").expect("one header");
                length = value.parse().expect("a length");
            }
        }
    }
    let mut bytes = vec![0; length];
    stream.read_exact(&mut bytes).ok()?;
    Some(serde_json::from_slice(&bytes).expect("JSON"))
}
