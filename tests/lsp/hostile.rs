//! Whatever happens to an analysis or comes from an editor, the server goes on.

use crate::client::{Client, uri};
use crate::{folder, places};
use respin::random::Random;
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

/// A program for `--analysis`.
pub fn program(folder: &Path, script: &str) -> String {
    let path = folder.join("analysis");
    std::fs::write(&path, script).expect("a script");
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&path, mode).expect("a program");
    path.display().to_string()
}

pub fn until(what: &str, mut is_done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_done() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Each word in a text makes the analysis end in another way.
#[test]
fn an_analysis_that_crashes_is_not_seen() {
    let folder = folder("crash");
    let script = format!(
        "#!/bin/sh\nquestion=$(mktemp -p {folder})\ncat > $question\n\
         if grep -q SEGFAULT $question; then kill -SEGV $$; fi\n\
         if grep -q ABORT $question; then kill -ABRT $$; fi\n\
         if grep -q PANIC $question; then echo 'internal error: 7 is impossible' >&2; exit 2; fi\n\
         if grep -q NONSENSE $question; then echo '{{\"read\":'; exit 0; fi\n\
         if grep -q SILENCE $question; then exit 0; fi\n\
         exec {program} \"$@\" < $question\n",
        folder = folder.display(),
        program = env!("CARGO_BIN_EXE_respin"),
    );
    let program = program(&folder, &script);
    let params = json!({ "capabilities": {} });
    let mut client = Client::initialized(&["--analysis", &program], params);
    let path = folder.join("a.spectra");
    let wrong = "module M\nsys boolean b;\ngar G (b = c);\n";
    client.open(&path, wrong);
    let expected = [("R0401".to_string(), 2, 11)];
    assert_eq!(places(&client.diagnostics(&path)), expected);
    for word in ["SEGFAULT", "ABORT", "PANIC", "NONSENSE", "SILENCE"] {
        client.replace(&path, &format!("// {word}\n{wrong}"));
        let said = client.log("the server goes on");
        if word == "PANIC" {
            assert!(said.contains("7 is impossible"), "{said}");
        }
        // What was known of the text before is not shown for another text.
        assert_eq!(client.diagnostics(&path), Vec::<Value>::new());
        let hover = client.about("textDocument/hover", &path, "boolean b", 8);
        assert_eq!(hover, Value::Null, "{word}");
        client.replace(&path, wrong);
        assert_eq!(places(&client.diagnostics(&path)), expected, "{word}");
    }
    // A program that is not there at all.
    let gone = folder.join("gone").display().to_string();
    let mut client = Client::initialized(&["--analysis", &gone], json!({ "capabilities": {} }));
    client.open(&path, wrong);
    client.log("it could not be run");
    client.request("shutdown", Value::Null);
    client.notify("exit", Value::Null);
    assert_eq!(client.exit_status().code(), Some(0));
}

#[test]
fn what_is_no_message_is_passed_over() {
    let mut client = Client::new();
    client.raw(b"hello\r\n\r\n");
    client.wait(|one| one["error"]["code"] == json!(-32700));
    for text in [
        "{",
        "[]",
        "3",
        "null",
        "\"x\"",
        "{}",
        "{\"id\":null}",
        "[{\"method\":\"exit\"}]",
    ] {
        client.raw(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
        client.wait(|one| one["error"]["code"].is_number());
    }
    let answer = client.request("textDocument/hover", json!({ "position": -1 }));
    assert_eq!(answer["error"]["code"], json!(-32602));
}

/// A part of a message becomes something else.
fn mutate(value: &mut Value, random: &mut Random) {
    let others = [
        Value::Null,
        json!(-1),
        json!(u64::MAX),
        json!(1.5),
        json!(""),
        json!([]),
        json!({}),
        json!("file:///\u{0}"),
        json!({ "line": 4_000_000_000u64, "character": 4_294_967_295u64 }),
    ];
    match value {
        Value::Array(items) if !items.is_empty() && random.chance(80) => {
            let index = random.below(items.len());
            mutate(&mut items[index], random);
        }
        Value::Object(fields) if !fields.is_empty() && random.chance(90) => {
            let keys: Vec<String> = fields.keys().cloned().collect();
            let key = random.pick(&keys);
            if random.chance(20) {
                fields.remove(key);
            } else if let Some(field) = fields.get_mut(key) {
                mutate(field, random);
            }
        }
        other => *other = random.pick(&others).clone(),
    }
}

/// A usual run has 300 messages; `RESPIN_MESSAGES` says another number.
#[test]
fn random_messages_are_survived() {
    let count: usize = match std::env::var("RESPIN_MESSAGES") {
        Ok(text) => text.parse().expect("a number"),
        Err(_) => 300,
    };
    let seed = match std::env::var("RESPIN_SEED") {
        Ok(text) => text.parse().expect("a number"),
        Err(_) => 1,
    };
    let mut random = Random::new(seed);
    let path = folder("random").join("a.spectra");
    let mut client = Client::new();
    client.open(
        &path,
        "module M\nenv boolean a;\nsys boolean b;\ngar G (b = a);\n",
    );
    let document = json!({ "uri": uri(&path), "version": 2 });
    let opened = json!({
        "uri": uri(&path), "version": 2, "languageId": "spectra",
        "text": "module M\nenv boolean a;\nsys boolean b;\ngar G (b = a);\ngar GF b;\n",
    });
    let at =
        |random: &mut Random| json!({ "line": random.below(9), "character": random.below(20) });
    for number in 0..count {
        let texts = ["", "\r\n", "é𝄞", "gar G (", ";", "next(", "}"];
        let range = json!({ "start": at(&mut random), "end": at(&mut random) });
        let change = json!({ "range": range, "text": random.pick(&texts) });
        let position = json!({ "textDocument": document, "position": at(&mut random) });
        let messages = [
            (
                "textDocument/didChange",
                json!({ "textDocument": document, "contentChanges": [change] }),
            ),
            ("textDocument/hover", position.clone()),
            ("textDocument/definition", position.clone()),
            (
                "textDocument/codeAction",
                json!({ "textDocument": document, "range": range, "context": {} }),
            ),
            ("textDocument/didClose", json!({ "textDocument": document })),
            ("textDocument/didOpen", json!({ "textDocument": opened })),
            ("textDocument/didSave", json!({ "textDocument": document })),
            ("$/cancelRequest", json!({ "id": random.below(50) })),
            (
                "workspace/didChangeConfiguration",
                json!({ "settings": { "respin": {} } }),
            ),
            (
                "workspace/executeCommand",
                json!({ "command": "respin.verdict", "arguments": [uri(&path)] }),
            ),
        ];
        let (method, params) = random.pick(&messages).clone();
        let mut message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        if random.flip() {
            message["id"] = json!(1_000_000 + number);
        }
        if random.chance(70) {
            mutate(&mut message, &mut random);
        }
        if message["method"] != "exit" {
            client.send(&message);
        }
        if number % 50 == 49 {
            let answer = client.request("no/such/method", Value::Null);
            assert_eq!(
                answer["error"]["code"],
                json!(-32601),
                "seed {seed}, message {number}"
            );
        }
    }
    client.open(&path, "module M\nsys boolean b;\ngar G (b = c);\n");
    let found = client.diagnostics_where(&path, |one| one["diagnostics"] != json!([]));
    assert!(!found.is_empty(), "seed {seed}");
    client.request("shutdown", Value::Null);
    client.notify("exit", Value::Null);
    assert_eq!(client.exit_status().code(), Some(0), "seed {seed}");
}

#[test]
fn the_process_behind_the_server_refuses_what_is_no_question() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    for text in ["", "{}", "nonsense", "{\"encoding\":\"Utf16\"}"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_respin"))
            .args(["lsp", "--answer"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("respin runs");
        let mut input = child.stdin.take().expect("a pipe");
        input.write_all(text.as_bytes()).expect("it listens");
        drop(input);
        let output = child.wait_with_output().expect("an end");
        assert_eq!(
            (output.status.code(), output.stdout.len()),
            (Some(2), 0),
            "{text}"
        );
    }
}
