//! Projects of SymbiYosys: read as SymbiYosys reads them, and never run.

#[path = "../support/program.rs"]
mod program;

use program::respin;
use std::path::{Path, PathBuf};

const COUNTER: &str =
    "module counter #(parameter LAST = 9)(input clk, input rst, output reg [3:0] n = 0);
  always @(posedge clk) if (rst || n == LAST) n <= 0; else n <= n + 1;
`ifdef FORMAL
  always @(posedge clk) assert (n <= `MOST);
  always @(posedge clk) cover (n == 9);
`endif
endmodule
";

const PROJECT: &str = "[tasks]
prove
bmc
small
reach covers

[options]
prove: mode prove
bmc: mode bmc
small: mode prove
covers: mode cover
depth 20
small: expect fail

[engines]
smtbmc

[script]
verilog_defines -D MOST=9
~small: read -formal counter.v
small:
read_verilog -formal counter.v
chparam -set LAST 12 counter
--
prep -top counter

[files]
rtl/counter.v
";

fn folder(name: &str, project: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("sby")
        .join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("rtl")).expect("a folder");
    std::fs::write(folder.join("rtl/counter.v"), COUNTER).expect("a design");
    std::fs::write(folder.join("counter.sby"), project).expect("a project");
    folder
}

/// The verdict of a task, and the exit code.
fn task(name: &str, folder: &Path) -> (String, i32) {
    let (output, problems, code) = respin(&["verify", "-q", "counter.sby", "--task", name], folder);
    let first = output.lines().next();
    let first = first.unwrap_or_else(|| panic!("{name}: no verdict\n{problems}"));
    (first.to_string(), code)
}

#[test]
fn tasks_are_questions_about_the_design_that_their_lines_say() {
    let folder = folder("tasks", PROJECT);
    assert_eq!(task("prove", &folder), ("PASS".to_string(), 0));
    assert_eq!(task("bmc", &folder), ("PASS".to_string(), 0));
    assert_eq!(task("reach", &folder), ("PASS".to_string(), 0));
    // The task expects the failure.
    assert_eq!(task("small", &folder), ("FAIL".to_string(), 0));
}

#[test]
fn the_mode_says_what_is_checked() {
    let folder = folder("modes", PROJECT);
    let checked = |name: &str| {
        let (output, ..) = respin(&["verify", "-q", "counter.sby", "--task", name], &folder);
        (output.contains("assert"), output.contains("cover"))
    };
    assert_eq!(checked("prove"), (true, false));
    assert!(checked("reach").1);
}

#[test]
fn tasks_about_different_designs_have_to_be_chosen() {
    let folder = folder("several", PROJECT);
    let (_, problems, code) = respin(&["verify", "-q", "counter.sby"], &folder);
    assert_eq!(code, 2);
    assert!(problems.contains("R0020"), "{problems}");
    assert!(problems.contains("prove, bmc, small, reach"), "{problems}");
}

#[test]
fn tasks_about_one_design_are_one_question() {
    let project = PROJECT.replace("small\n", "").replace("~small: ", "");
    let project = project.replace(
        "small:\nread_verilog -formal counter.v\nchparam -set LAST 12 counter\n--\n",
        "",
    );
    let project = project
        .replace("small: mode prove\n", "")
        .replace("small: expect fail\n", "");
    let folder = folder("one", &project);
    let (output, problems, code) = respin(&["verify", "-q", "counter.sby"], &folder);
    assert_eq!(code, 0, "{output}{problems}");
    assert!(output.contains("cover"), "{output}");
}

#[test]
fn the_command_line_outranks_the_file() {
    let folder = folder("outranked", PROJECT);
    let words = [
        "verify",
        "-q",
        "counter.sby",
        "--task",
        "prove",
        "--chparam",
        "LAST=12",
    ];
    let (output, problems, _) = respin(&words, &folder);
    assert!(output.starts_with("FAIL"), "{output}{problems}");
    let words = [&words[..], &["-D", "MOST=12"]].concat();
    let (output, problems, _) = respin(&words, &folder);
    assert!(output.starts_with("PASS"), "{output}{problems}");
}

#[test]
fn a_design_that_a_project_names_is_repaired_in_its_own_file() {
    let folder = folder("repair", PROJECT);
    let faulty = COUNTER.replace("LAST = 9", "LAST = 10");
    std::fs::write(folder.join("rtl/counter.v"), faulty).expect("a design");
    let words = ["repair", "-q", "counter.sby", "--task", "prove", "--write"];
    let (output, problems, _) = respin(&words, &folder);
    assert!(output.starts_with("REPAIRED"), "{output}{problems}");
    assert_eq!(task("prove", &folder).0, "PASS");
}

#[test]
fn texts_of_the_file_itself_are_read() {
    let project = PROJECT.replace("verilog_defines -D MOST=9\n", "").replace(
        "[files]\n",
        "[file limits.vh]\n`define MOST 9\n[file top.v]\n`include \"limits.vh\"\n[files]\n",
    );
    let project = project.replace(
        "~small: read -formal counter.v",
        "~small: read -formal top.v counter.v",
    );
    let folder = folder("texts", &project);
    assert_eq!(task("prove", &folder), ("PASS".to_string(), 0));
}

#[test]
fn what_is_not_understood_is_refused_with_its_line() {
    for (name, from, to, line) in [
        (
            "exec",
            "prep -top counter",
            "exec -- touch made",
            "counter.sby:25",
        ),
        (
            "shell",
            "prep -top counter",
            "! touch made",
            "counter.sby:25",
        ),
        ("option", "depth 20", "skip 3", "counter.sby:12"),
        ("section", "[engines]", "[autotune]", "counter.sby:15"),
        ("program", "[files]", "--pycode-begin--", "counter.sby:27"),
        ("file", "rtl/counter.v", "rtl/other.v", "counter.sby:20"),
    ] {
        let folder = folder(name, &PROJECT.replace(from, to));
        let words = ["verify", "-q", "counter.sby", "--task", "prove"];
        let (output, problems, code) = respin(&words, &folder);
        assert_eq!(code, 2, "{name}: {output}{problems}");
        assert!(problems.contains("R0020"), "{name}: {problems}");
        assert!(problems.contains(line), "{name}: {problems}");
        assert!(!folder.join("made").exists(), "{name} was run");
    }
}

#[test]
fn names_of_files_are_no_part_of_a_command() {
    let project = PROJECT.replace(
        "~small: read -formal counter.v",
        "~small: read -formal \"a;touch made.v\"",
    );
    let project = project.replace("rtl/counter.v", "[file a;touch made.v]\n");
    let folder = folder("names", &(project + COUNTER));
    for front_end in ["own", "yosys"] {
        let words = [
            "verify",
            "-q",
            "counter.sby",
            "--task",
            "prove",
            "--frontend",
            front_end,
        ];
        let (output, problems, _) = respin(&words, &folder);
        assert!(
            output.starts_with("PASS"),
            "{front_end}: {output}{problems}"
        );
        assert!(!folder.join("made.v").exists(), "{front_end}: it was run");
    }
}
