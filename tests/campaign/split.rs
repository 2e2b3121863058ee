//! One repair as several jobs: the parts look at all places, and together they come to what one
//! repair does.

use super::{check_same, folder, read, respin, root, stderr, stdout, write};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// The report of a repair, as JSON.
fn repair(folder: &Path, line: &str) -> Value {
    let words = ["repair"].into_iter().chain(line.split_whitespace());
    let words: Vec<&str> = words.chain(["--format", "json"]).collect();
    let output = respin(folder, &words);
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{line}: {error}: {}", stderr(&output)))
}

/// What each correction changes.
fn corrections(report: &Value) -> Vec<String> {
    let list = report["corrections"].as_array();
    let list = list.map_or(&[][..], Vec::as_slice);
    list.iter().map(|one| one["edits"].to_string()).collect()
}

/// That parts have each place once, that none of the corrections of the whole is missing in all
/// of them, and that `--split` lists exactly those.
fn check_parts(folder: &Path, line: &str, parts: usize) {
    let whole = repair(folder, &format!("{line} --faults 1"));
    let mut found = BTreeSet::new();
    let (mut looked_at, mut places) = (0, 0);
    for part in 1..=parts {
        let report = repair(folder, &format!("{line} --part {part}/{parts}"));
        looked_at += report["part"]["looked_at"].as_u64().expect("a number");
        places = report["part"]["places"].as_u64().expect("a number");
        found.extend(corrections(&report));
    }
    assert_eq!(looked_at, places, "{line}");
    let expected = corrections(&whole);
    assert!(!expected.is_empty(), "{line}: {whole:#}");
    for one in &expected {
        assert!(found.contains(one), "{line}: {one}");
    }
    let split = repair(folder, &format!("{line} --split {parts}"));
    assert_eq!(split["verdict"], whole["verdict"], "{line}");
    assert_eq!(split["reason"], whole["reason"], "{line}");
    assert_eq!(corrections(&split), expected, "{line}");
    assert_eq!(split["diff"], whole["diff"], "{line}");
}

#[test]
fn parts_of_a_source_are_the_whole() {
    for name in ["fifo-level", "decade-counter", "bus-bridge", "debouncer"] {
        let design = root().join("hdl").join(name);
        let expected = read(&design.join("expected"));
        let mut lines = expected.lines();
        let options = lines.find_map(|line| line.strip_prefix("options:"));
        let line = format!(
            "faulty.v --spec properties.ltl {}",
            options.unwrap_or_default()
        );
        check_parts(&design, &line, 3);
    }
}

#[test]
fn parts_of_a_repair_by_a_reference_or_by_recorded_runs_are_the_whole() {
    let design = root().join("hdl/decade-counter");
    check_parts(&design, "faulty.v --reference fixed.v --reset rst", 2);
    let folder = folder("split-recorded");
    let text = "module m(input a, input b, output y, output z);\n\
                assign y = a & b;\nassign z = a ^ b;\nendmodule\n";
    write(&folder.join("m.v"), text);
    write(
        &folder.join("run.csv"),
        "a,b,y,z\n1,0,1,1\n0,1,1,1\n0,0,0,0\n",
    );
    check_parts(&folder, "m.v --trace run.csv", 2);
}

#[test]
fn parts_of_a_netlist_are_the_whole() {
    let folder = folder("split-netlist");
    let gates = "aag 7 3 2 2 2\n2\n4\n6\n8 12\n10 14\n8\n10\n12 6 4\n14 7 4\n\
                 i0 clk\ni1 a\ni2 b\nl0 y\nl1 z\no0 y\no1 z\n";
    write(&folder.join("m.aag"), gates);
    write(
        &folder.join("p.ltl"),
        "assert or: G ((a | b) <-> X y);\nassert only: G ((a & !b) <-> X z);\n",
    );
    check_parts(&folder, "m.aag --spec p.ltl", 2);
    let text = "module m(input clk, input a, input b, output reg y, output reg z);\n\
                initial y = 0;\ninitial z = 0;\n\
                always @(posedge clk) begin\ny <= a & b;\nz <= a & !b;\nend\nendmodule\n";
    write(&folder.join("m.v"), text);
    let script = "read_verilog m.v; prep; write_json m.json";
    let mut yosys = Command::new("yosys");
    let yosys = yosys.args(["-q", "-p", script]).current_dir(&folder);
    assert!(yosys.status().expect("yosys, see tests/run").success());
    check_parts(&folder, "m.json --spec p.ltl", 3);
}

/// A design that no change of one place mends, and one whose properties contradict each other.
fn hopeless(name: &str) -> std::path::PathBuf {
    let folder = folder(name);
    let text = "module m(input a, input b, output y, output z);\n\
                assign y = a & b;\nassign z = a | b;\nendmodule\n";
    write(&folder.join("m.v"), text);
    write(
        &folder.join("both.ltl"),
        "assert first: G (y == !a);\nassert second: G (z == !b);\n",
    );
    write(
        &folder.join("no.ltl"),
        "assert first: G (y == a);\nassert second: G (y == !a);\n",
    );
    folder
}

#[test]
fn what_no_part_mends_is_no_repair_only_if_that_follows() {
    let folder = hopeless("split-hopeless");
    let part = repair(&folder, "m.v --spec both.ltl --part 1/2");
    assert_eq!(part["verdict"], "NO REPAIR");
    let reason = part["reason"].as_str().expect("a reason");
    assert!(reason.ends_with("not looked at"), "{reason}");
    // Two places at once could do it, and were not asked about.
    let open = repair(&folder, "m.v --spec both.ltl --split 2");
    assert_eq!(open["verdict"], "UNKNOWN", "{open:#}");
    let one = repair(&folder, "m.v --spec both.ltl --split 2 --faults 1");
    assert_eq!(one["verdict"], "NO REPAIR", "{one:#}");
    let never = repair(&folder, "m.v --spec no.ltl --split 2");
    assert_eq!(never["verdict"], "NO REPAIR", "{never:#}");
    let two = respin(
        &folder,
        &["repair", "m.v", "--part", "1/2", "--faults", "2"],
    );
    assert_eq!(two.status.code(), Some(2));
}

/// More parts than places: those without any do not leave the whole undecided.
#[test]
fn parts_without_places_change_nothing() {
    let folder = hopeless("split-empty");
    let one = repair(&folder, "m.v --spec both.ltl --split 12 --faults 1");
    assert_eq!(one["verdict"], "NO REPAIR", "{one:#}");
}

#[test]
fn the_chosen_correction_is_written() {
    let folder = folder("split-written");
    let text = "module m(input a, input b, output y);\nassign y = a;\nendmodule\n";
    write(&folder.join("m.v"), text);
    write(&folder.join("p.ltl"), "assert same: G (y == b);\n");
    let line = [
        "repair", "m.v", "--spec", "p.ltl", "--split", "2", "--write",
    ];
    let output = respin(&folder, &line);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let after = respin(&folder, &["verify", "m.v", "--spec", "p.ltl"]);
    assert!(stdout(&after).starts_with("PASS\n"), "{}", stdout(&after));
    assert!(read(&folder.join("m.v")).contains("assign y = b;"));
}

/// A plan with repairs that are split: one with a correction, one without, one whose design has
/// no fault.
fn plan(name: &str) -> std::path::PathBuf {
    let folder = hopeless(name);
    let design = root().join("hdl/fifo-level");
    write(
        &folder.join("plan.toml"),
        &format!(
            "[limits]\nwork = 100000\n\
             [[set]]\nname = \"mended\"\ncommand = \"repair\"\nsplit = 3\n\
             designs = [\"{0}/faulty.v\"]\nproperties = [\"{0}/properties.ltl\"]\n\
             options = [\"--reset\", \"rst_n=0\"]\nexpect = \"repaired\"\n\
             [[set]]\nname = \"open\"\ncommand = \"repair\"\nsplit = 2\n\
             designs = [\"m.v\"]\nproperties = [\"both.ltl\"]\nexpect = \"unknown\"\n\
             [[set]]\nname = \"lost\"\ncommand = \"repair\"\nsplit = 2\ndesigns = [\"m.v\"]\n\
             properties = [\"both.ltl\"]\noptions = [\"--faults\", 1]\nexpect = \"no repair\"\n",
            design.display()
        ),
    );
    folder
}

fn campaign(folder: &Path, results: &str, more: &[&str]) -> String {
    let words = ["campaign", "plan.toml", "--no-times", "--results", results];
    let output = respin(folder, &[&words, more].concat());
    assert_eq!(stderr(&output), "");
    stdout(&output)
}

#[test]
fn a_split_repair_is_one_result_of_a_campaign() {
    let folder = plan("split-plan");
    let text = campaign(&folder, "one", &["--jobs", "1"]);
    assert!(
        text.starts_with("PASS\nall 3 jobs are as wanted\n"),
        "{text}"
    );
    let report: Value = serde_json::from_str(&read(&folder.join("one/report.json"))).unwrap();
    let mended = &report["campaign"]["jobs"][0];
    assert_eq!(mended["verdict"], "REPAIRED");
    assert_eq!(mended["corrections"], 1);
    assert_eq!(mended["parts"].as_array().map(Vec::len), Some(3));
    assert!(!mended["arguments"].to_string().contains("--part"));
    // The result is that of the last job: all corrections, as one repair lists them.
    let result = read(&folder.join("one").join(mended["result"].as_str().unwrap()));
    let result: Value = serde_json::from_str(&result).unwrap();
    let design = root().join("hdl/fifo-level");
    let line = "faulty.v --spec properties.ltl --reset rst_n=0";
    let whole = repair(&design, line);
    assert_eq!(result["report"]["reason"], whole["reason"]);
    assert_eq!(
        corrections(&result["report"]).len(),
        corrections(&whole).len()
    );
    assert!(read(&folder.join("one/report.html")).contains("part 3 of 3: "));
    assert_eq!(
        read(&folder.join("one/report.xml"))
            .matches("<testcase ")
            .count(),
        3
    );
}

#[test]
fn a_split_repair_is_equal_whoever_runs_its_parts() {
    let folder = plan("split-equal");
    campaign(&folder, "one", &["--jobs", "1"]);
    campaign(&folder, "two", &["--jobs", "2"]);
    check_same(&folder.join("one"), &folder.join("two"));
    // Lines on other machines, in two rounds: the last job is known when the parts are done.
    for _ in 0..2 {
        let lines = campaign(&folder, "lines", &["--list", "pending"]);
        for line in lines.lines().rev() {
            respin(&folder, &["campaign", "--job", line, "--results", "lines"]);
        }
    }
    assert_eq!(campaign(&folder, "lines", &["--list", "pending"]), "");
    campaign(&folder, "lines", &["--merge"]);
    check_same(&folder.join("one"), &folder.join("lines"));
    // A run that lost results, that of the last job included.
    let entries = std::fs::read_dir(folder.join("two/results")).expect("results");
    for entry in entries.flatten().step_by(2) {
        std::fs::remove_file(entry.path()).expect("a result");
    }
    campaign(&folder, "two", &[]);
    check_same(&folder.join("one"), &folder.join("two"));
}
