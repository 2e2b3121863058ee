//! A printed patch applies, keeps all other bytes, and gives a text that other tools read.

use super::corpus::{Case, Outcome, cases};
use std::path::{Path, PathBuf};
use std::process::Command;

pub struct Patched {
    pub text: String,
    /// Of the patched text, from 1.
    pub first_changed_line: u64,
    pub path: PathBuf,
}

/// Applies the patch of an outcome with `patch -p1`.
pub fn patched(case: &Case, outcome: &Outcome) -> Patched {
    let name = format!("hdl_{}_{}", case.name, std::process::id());
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    let before = case.source("faulty.v");
    let path = folder.join("faulty.v");
    std::fs::write(&path, &before).expect("a written file");
    std::fs::write(folder.join("fix.diff"), outcome.diff()).expect("a written file");
    let output = Command::new("patch")
        .args(["-s", "-p1", "-i", "fix.diff"])
        .current_dir(&folder)
        .output()
        .expect("patch runs");
    let log = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}: {log}", case.name);
    let text = std::fs::read_to_string(&path).expect("the patched file");
    let pairs = before.lines().zip(text.lines());
    let same = pairs.take_while(|(old, new)| old == new).count();
    Patched {
        first_changed_line: same as u64 + 1,
        text,
        path,
    }
}

/// Fails unless a tool reads a file without an error.
fn check_tool(case: &Case, tool: &str, arguments: &[&str], path: &Path) {
    let output = Command::new(tool).args(arguments).arg(path).output();
    let output = output.unwrap_or_else(|error| panic!("{tool} does not run: {error}"));
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {tool}: {log}", case.name);
}

#[test]
fn patches_apply_and_other_tools_read_what_they_give() {
    for case in cases() {
        let outcome = case.repair(&[]);
        assert_eq!(outcome.verdict, "REPAIRED", "{}", case.name);
        let patch = patched(&case, &outcome);
        let before: Vec<String> = case
            .source("faulty.v")
            .lines()
            .map(str::to_string)
            .collect();
        let changed = outcome.diff().lines().filter(|line| {
            (line.starts_with('-') && !line.starts_with("---"))
                || (line.starts_with('+') && !line.starts_with("+++"))
        });
        assert!(changed.count() <= 12, "{}: {}", case.name, outcome.diff());
        let kept = patch
            .text
            .lines()
            .filter(|line| before.iter().any(|old| old == line));
        assert!(kept.count() + 6 >= before.len(), "{}", case.name);
        check_tool(
            &case,
            "iverilog",
            &["-g2012", "-o", "/dev/null"],
            &patch.path,
        );
        check_tool(
            &case,
            "verilator",
            &["--lint-only", "-Wno-fatal", "-Wno-lint", "-Wno-style"],
            &patch.path,
        );
        #[cfg(feature = "judge")]
        super::legal::check(&case.name, &patch.text);
        let script = format!("read_verilog -sv {}; prep -flatten", patch.path.display());
        let output = Command::new("yosys").args(["-q", "-p", &script]).output();
        let output = output.expect("yosys runs");
        let log = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: yosys: {log}", case.name);
    }
}

#[test]
fn an_edit_in_place_is_the_patch() {
    let case = super::corpus::case("pwm");
    let outcome = case.repair(&[]);
    let patch = patched(&case, &outcome);
    let copy = patch.path.with_file_name("copy.v");
    std::fs::write(&copy, case.source("faulty.v")).expect("a written file");
    let status = Command::new(env!("CARGO_BIN_EXE_respin"))
        .args(["repair", "--write", "--spec"])
        .arg(&case.properties)
        .args(case.options())
        .arg(&copy)
        .output()
        .expect("respin runs");
    assert!(status.status.success());
    let written = std::fs::read_to_string(&copy).expect("the edited file");
    assert_eq!(written, patch.text);
}
