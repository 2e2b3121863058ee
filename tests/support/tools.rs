//! Programs that `tests/run` installs: where they are, and what they print.
#![allow(dead_code, reason = "no test program needs all of this")]

use std::path::{Path, PathBuf};
use std::process::Command;

/// Where a kind of tools was installed: what the variable says, or a folder below `target`.
pub fn home(variable: &str, name: &str) -> PathBuf {
    match std::env::var_os(variable) {
        Some(path) => PathBuf::from(path),
        None => {
            let root = Path::new(env!("CARGO_MANIFEST_DIR"));
            root.join("target").join(name)
        }
    }
}

/// Runs a program to its end, and gives what it prints; that it fails fails the test.
pub fn succeeds(command: &mut Command) -> String {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}; tests/run installs it"));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let problems = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{command:?} (tests/run installs what it needs):\n{text}{problems}"
    );
    text
}
