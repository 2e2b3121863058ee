//! `respin lsp` as an editor sees it: every message goes through the pipes of a real server.

mod client;
mod hostile;
mod names;
mod typing;
mod verdicts;

use client::Client;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// An empty folder, which ends the search for project files. Each call has one of its own, since
/// tests that share a helper run at the same time.
fn folder(name: &str) -> PathBuf {
    static FOLDERS: AtomicUsize = AtomicUsize::new(0);
    let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("lsp")
        .join(format!("{name}-{number}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join(".git")).expect("a folder");
    folder
}

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file");
    path
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Code, line and column of each diagnostic.
fn places(diagnostics: &[Value]) -> Vec<(String, u64, u64)> {
    let place = |one: &Value| {
        let start = &one["range"]["start"];
        let code = one["code"].as_str().unwrap_or_default().to_string();
        let number = |name: &str| start[name].as_u64().expect("a number");
        (code, number("line"), number("character"))
    };
    diagnostics.iter().map(place).collect()
}

#[test]
fn the_server_ends_as_the_protocol_says() {
    let mut client = Client::new();
    assert_eq!(
        client.request("shutdown", Value::Null)["result"],
        Value::Null
    );
    let late = client.request("textDocument/hover", json!({}));
    assert_eq!(late["error"]["code"], json!(-32600));
    client.notify("exit", Value::Null);
    assert_eq!(client.exit_status().code(), Some(0));

    let mut client = Client::new();
    client.notify("exit", Value::Null);
    assert_eq!(client.exit_status().code(), Some(1));

    assert_eq!(Client::new().end().code(), Some(1));
}

#[test]
fn nothing_is_answered_before_the_beginning() {
    let mut client = Client::started(&["--stdio"]);
    let early = client.request("textDocument/hover", json!({}));
    assert_eq!(early["error"]["code"], json!(-32002));
    let answer = client.request("initialize", json!({ "capabilities": {} }));
    let found = &answer["result"]["capabilities"];
    assert_eq!(found["positionEncoding"], json!("utf-16"));
    assert_eq!(found["textDocumentSync"]["change"], json!(2));
    let again = client.request("initialize", json!({ "capabilities": {} }));
    assert_eq!(again["error"]["code"], json!(-32600));
    let unknown = client.request("no/such/method", json!({}));
    assert_eq!(unknown["error"]["code"], json!(-32601));
}
