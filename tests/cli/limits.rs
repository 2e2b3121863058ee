//! Time limits and interrupts of a program that waits for its input.

use super::{respin, stdout};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Starts a command whose standard input stays open and empty.
fn waiting(line: &str) -> Child {
    respin(line)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("respin starts")
}

/// Waits for the end without closing standard input, which would end the program by itself.
fn end(mut child: Child) -> Output {
    let stdin = child.stdin.take();
    let output = child.wait_with_output().expect("respin ends");
    drop(stdin);
    output
}

fn check_timeout(line: &str, code: i32, first_line: &str) {
    let output = end(waiting(line));
    let line = stdout(&output).lines().next();
    assert_eq!((output.status.code(), line), (Some(code), Some(first_line)));
}

#[test]
fn out_of_time_is_unknown() {
    check_timeout("check - --from spectra --timeout 100ms", 3, "UNKNOWN");
}

#[test]
fn out_of_time_may_be_expected() {
    let line = "check - --from spectra --timeout 100ms --expect UNKNOWN";
    check_timeout(line, 0, "UNKNOWN");
}

#[test]
fn out_of_time_is_three_whatever_else_was_expected() {
    let line = "check - --from spectra --timeout 100ms --expect realizable";
    check_timeout(line, 3, "UNKNOWN");
}

#[test]
fn the_time_limit_is_kept() {
    let start = Instant::now();
    end(waiting("check - --from spectra --timeout 100ms"));
    let elapsed = start.elapsed();
    assert!(elapsed < Duration::from_secs(10), "{elapsed:?}");
}

/// Interrupts the program once it says that it reads.
#[cfg(unix)]
fn interrupted(line: &str) -> Output {
    let mut child = waiting(line);
    let mut log = BufReader::new(child.stderr.take().expect("standard error"));
    let mut reading = String::new();
    log.read_line(&mut reading).expect("a log line");
    assert_eq!(reading, "reading <stdin>\n");
    let kill = format!("kill -INT {}", child.id());
    let killed = Command::new("sh").args(["-c", &kill]).status();
    assert!(killed.expect("sh starts").success());
    end(child)
}

#[cfg(unix)]
#[test]
fn an_interrupt_is_130() {
    let output = interrupted("check - --from spectra -v");
    assert_eq!(output.status.code(), Some(130));
}

#[cfg(unix)]
#[test]
fn an_interrupted_command_does_not_know_its_verdict() {
    let output = interrupted("check - --from spectra -v");
    assert_eq!(stdout(&output), "UNKNOWN\ninterrupted\n");
}

#[cfg(unix)]
#[test]
fn an_interrupt_is_still_one_json_document() {
    let output = interrupted("check - --from spectra -v --format json");
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["verdict"], "UNKNOWN");
}
