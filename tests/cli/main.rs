//! The built program, seen from outside.

mod check;
mod errors;
mod explanations;
#[path = "../support/golden.rs"]
mod golden;
mod help;
mod limits;
mod pages;
mod plays;
mod specifications;
mod streams;
mod suggestions;
mod terminal;
mod transcripts;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The program, in the folder of the example inputs, and deaf to the tester's environment.
fn respin(line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_respin"));
    command
        .args(line.split_whitespace())
        .current_dir(golden::folder("cli/inputs"))
        .env_remove("NO_COLOR")
        .env_remove("RUST_BACKTRACE")
        .stdin(Stdio::null());
    command
}

fn run(line: &str) -> Output {
    respin(line).output().expect("respin starts")
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("standard output is UTF-8")
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("standard error is UTF-8")
}

/// Runs with `--format json` and returns the document.
fn json(line: &str) -> Value {
    let output = run(&format!("{line} --format json"));
    serde_json::from_slice(&output.stdout).expect("standard output is one JSON document")
}

/// An empty folder for one test.
fn scratch(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a scratch folder");
    folder
}

pub const COMMANDS: [&str; 13] = [
    "repair",
    "verify",
    "check",
    "explain",
    "play",
    "simulate",
    "synth",
    "instrument",
    "convert",
    "lsp",
    "help-code",
    "completions",
    "man",
];
