//! Which correction is shown and written, and where it may be: `--pick`, and `--only` and
//! `--except` with the names of modules.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Either module may be wrong, since only their outputs are compared.
const DESIGN: &str = "module left (input a, input b, output y);
  assign y = a | b;
endmodule
module right (input a, input b, output y);
  assign y = a & b;
endmodule
module top (input a, input b, output x, output y);
  left l (a, b, x);
  right r (a, b, y);
endmodule
";

fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("choosing_{test}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a scratch folder");
    fs::write(folder.join("two.v"), DESIGN).expect("a written file");
    fs::write(folder.join("two.ltl"), "assert same: G (x == y);\n").expect("a written file");
    folder
}

/// Runs `repair` and gives its report.
fn repair(folder: &Path, options: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_respin"))
        .args(["repair", "two.v", "--spec", "two.ltl", "--format", "json"])
        .args(options)
        .current_dir(folder)
        .output()
        .expect("respin runs");
    serde_json::from_slice(&output.stdout).expect("a report")
}

/// The lines that corrections edit, in their order.
fn lines(report: &Value) -> Vec<u64> {
    assert_eq!(report["verdict"], "REPAIRED", "{report:#}");
    let corrections = report["corrections"].as_array().expect("corrections");
    let line = |one: &Value| one["edits"][0]["place"]["line"].as_u64().expect("a line");
    corrections.iter().map(line).collect()
}

#[test]
fn the_picked_correction_is_shown_and_written() {
    let folder = folder("pick");
    assert_eq!(lines(&repair(&folder, &[])), [2, 5]);
    let right = DESIGN.replace("a & b", "a | b");
    let left = DESIGN.replace("a | b", "a & b");
    for (number, repaired, change) in [
        ("1", left, "+  assign y = a & b;"),
        ("2", right, "+  assign y = a | b;"),
    ] {
        let options = ["--pick", number, "-o", "out.v", "--force"];
        let report = repair(&folder, &options);
        // All stay listed, under the same numbers.
        assert_eq!(lines(&report), [2, 5]);
        let diff = report["diff"].as_str().expect("a diff");
        assert!(diff.contains(change), "{number}: {diff}");
        let written = fs::read_to_string(folder.join("out.v")).expect("a written file");
        assert_eq!(written, repaired, "{number}");
    }
}

#[test]
fn a_number_that_is_not_listed_cannot_be_picked() {
    let folder = folder("pick_none");
    let report = repair(&folder, &["--pick", "99", "-o", "out.v"]);
    assert_eq!(report["verdict"], "ERROR", "{report:#}");
    assert_eq!(report["diagnostics"][0]["code"], "R0602");
    assert!(!folder.join("out.v").exists(), "nothing is written");
}

#[test]
fn only_and_except_take_modules() {
    let folder = folder("modules");
    assert_eq!(lines(&repair(&folder, &["--only", "left"])), [2]);
    assert_eq!(lines(&repair(&folder, &["--only", "right"])), [5]);
    assert_eq!(lines(&repair(&folder, &["--except", "left"])), [5]);
    assert_eq!(lines(&repair(&folder, &["--except", "right"])), [2]);
}
