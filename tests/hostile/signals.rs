//! Ctrl-C and SIGTERM end a run within about a second, whatever it is doing.

use super::{folder, respin, write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Expands for hours, unless somebody stops it.
const ENDLESS: &str = "INFO { TITLE: \"t\" DESCRIPTION: \"t\" SEMANTICS: Mealy TARGET: Mealy }
GLOBAL { DEFINITIONS { s = {0, 1 .. 3000000}; } }
MAIN { INPUTS { a; } OUTPUTS { b; } GUARANTEES { &&[i IN s] (||[j IN s] X[i] b); } }
";

fn start(words: &[&str], folder: &Path) -> Child {
    respin(words, folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("respin starts")
}

fn send(signal: &str, child: &Child) {
    let kill = format!("kill -{signal} {}", child.id());
    let sent = Command::new("sh").args(["-c", &kill]).status();
    assert!(sent.expect("sh starts").success());
}

/// Signals a run that is busy, and waits for its end.
fn signalled(signal: &str, words: &[&str], folder: &Path) -> (Output, Duration) {
    let child = start(words, folder);
    thread::sleep(Duration::from_millis(300));
    send(signal, &child);
    let start = Instant::now();
    let output = child.wait_with_output().expect("an end");
    (output, start.elapsed())
}

#[test]
fn a_reader_that_is_busy_is_ended() {
    let folder = folder("signals");
    write(&folder, "endless.tlsf", ENDLESS);
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let (output, elapsed) = signalled(signal, &["check", "endless.tlsf"], &folder);
        assert_eq!(output.status.code(), Some(code), "{signal}");
        assert!(elapsed < Duration::from_secs(20), "{signal}: {elapsed:?}");
        assert_eq!(
            String::from_utf8_lossy(&output.stdout),
            "UNKNOWN\ninterrupted\n"
        );
    }
}

/// A Yosys that starts another program and waits for ever.
const SLEEPER: &str = "#!/bin/sh\nsleep 1000 &\necho \"$$ $!\" > \"$STARTED\"\nwait\n";

/// Whether a process is there, and not just waiting to be counted.
fn runs(id: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let state = stat.rsplit(')').next().unwrap_or_default().trim_start();
    !state.is_empty() && !state.starts_with(['Z', 'X'])
}

/// The numbers that the program writes once it runs.
fn started(path: &Path) -> Vec<String> {
    loop {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        if text.ends_with('\n') {
            return text.split_whitespace().map(str::to_string).collect();
        }
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_program_that_was_started_ends_too() {
    let folder = folder("signals-child");
    write(&folder, "bin/yosys", SLEEPER);
    write(
        &folder,
        "m.v",
        "module m(input a, output b); assign b = a; endmodule\n",
    );
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(folder.join("bin/yosys"), mode).expect("a program");
    let others = std::env::var("PATH").expect("a path");
    let path = format!("{}:{others}", folder.join("bin").display());
    for (words, signal, code) in [
        (&["--timeout", "1000"][..], Some("TERM"), 143),
        (&["--timeout", "0.5"], None, 3),
    ] {
        let note = folder.join("started");
        let _ = std::fs::remove_file(&note);
        let child = respin(&["verify", "--frontend", "yosys", "m.v"], &folder)
            .args(words)
            .env("PATH", &path)
            .env("STARTED", &note)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("respin starts");
        let ids = started(&note);
        if let Some(signal) = signal {
            send(signal, &child);
        }
        let output = child.wait_with_output().expect("an end");
        assert_eq!(output.status.code(), Some(code), "{words:?}");
        for id in ids {
            assert!(!runs(&id), "{id} still runs");
        }
    }
}
