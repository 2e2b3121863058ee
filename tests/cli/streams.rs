//! Colors, pipes that break, and disks that are full.

use super::{respin, run, stderr};
use std::process::Stdio;

#[test]
fn a_pipe_gets_no_colors() {
    let output = run("check missing.spectra");
    assert!(!stderr(&output).contains('\u{1b}'));
}

#[test]
fn colors_can_be_had_anyway() {
    let output = run("check missing.spectra --color always");
    assert!(stderr(&output).contains('\u{1b}'));
}

#[test]
fn an_explicit_wish_outranks_no_color() {
    let mut command = respin("check missing.spectra --color always");
    let output = command.env("NO_COLOR", "1").output().unwrap();
    assert!(stderr(&output).contains('\u{1b}'));
}

#[test]
fn usage_errors_follow_the_wish_for_colors() {
    let output = run("mend --color always");
    assert!(stderr(&output).contains('\u{1b}'));
}

/// Closes standard output while the program waits for its input, so that all it prints comes
/// too late; returns the exit code and standard error.
fn with_broken_pipe(line: &str) -> (Option<i32>, String) {
    let mut child = respin(line)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("respin starts");
    drop(child.stdout.take());
    drop(child.stdin.take());
    let output = child.wait_with_output().expect("respin ends");
    (output.status.code(), stderr(&output).to_string())
}

#[test]
fn a_reader_that_leaves_changes_nothing() {
    let line = "check - --from spectra --format json";
    assert_eq!(with_broken_pipe(line), (Some(2), String::new()));
}

#[test]
fn a_reader_that_leaves_the_help_changes_nothing() {
    assert_eq!(with_broken_pipe("--help"), (Some(0), String::new()));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let full = std::fs::File::create("/dev/full").unwrap();
    let output = respin("help-code").stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_named() {
    let full = std::fs::File::create("/dev/full").unwrap();
    let output = respin("--help").stdout(full).output().unwrap();
    assert!(
        stderr(&output).starts_with("error[R0011]"),
        "{}",
        stderr(&output)
    );
}
