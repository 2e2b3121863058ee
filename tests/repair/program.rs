//! `respin repair` from outside: verdicts, options, files.

use super::worked_examples::{FIGURE_1, either, machine};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

const ALTERNATES: &str = "assert start: !out; assert alternate: G (!out <-> X out);";

/// A folder with `design.aag` and `properties.ltl`, in which the program runs.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str, design: impl AsRef<[u8]>, properties: &str) -> Folder {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("repair")
            .join(test);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a scratch folder");
        fs::write(folder.join("design.aag"), design).expect("the design is written");
        fs::write(folder.join("properties.ltl"), properties).expect("the properties are written");
        Folder(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn run(&self, line: &str) -> Output {
        Command::new(env!("CARGO_BIN_EXE_respin"))
            .args(line.split_whitespace())
            .current_dir(&self.0)
            .env_remove("RUST_BACKTRACE")
            .output()
            .expect("respin starts")
    }

    /// Repairs the design and returns the JSON document.
    fn repair(&self, options: &str, verdict: &str, exit_code: i32) -> Value {
        let line = format!("repair design.aag --spec properties.ltl --format json {options}");
        let output = self.run(&line);
        let document: Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
        assert_eq!(document["verdict"], verdict, "{document:#}");
        assert_eq!(output.status.code(), Some(exit_code));
        document
    }

    /// The code of the error that a repair ends with.
    fn error(&self, options: &str) -> String {
        let document = self.repair(options, "ERROR", 2);
        document["diagnostics"][0]["code"]
            .as_str()
            .expect("a code")
            .to_string()
    }
}

/// Component and new function of each correction.
fn corrections(document: &Value) -> Vec<String> {
    let empty = Vec::new();
    let all = document["corrections"].as_array().unwrap_or(&empty).iter();
    let describe = |correction: &Value| {
        let edit = &correction["edits"][0];
        let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
        let number = &correction["number"];
        format!(
            "{number} {} := {}",
            text(&edit["component"]),
            text(&edit["after"][0])
        )
    };
    all.map(describe).collect()
}

#[test]
fn figure_1_offers_the_constant_with_a_diff() {
    let folder = Folder::new("figure_1", FIGURE_1, ALTERNATES);
    let document = folder.repair("--components gate", "REPAIRED", 0);
    assert_eq!(corrections(&document), ["1 and8 := 1"]);
    let diff = document["diff"].as_str().expect("a diff");
    assert!(diff.contains("-8 2 6\n+8 1 1\n"), "{diff}");
    let notes = document["notes"].to_string();
    assert!(
        notes.contains("gate out"),
        "the exclusive or wins with memory: {notes}"
    );
}

#[test]
fn nothing_is_written_unless_it_is_asked_for() {
    let folder = Folder::new("written", FIGURE_1, ALTERNATES);
    folder.repair("", "REPAIRED", 0);
    let kept = fs::read_to_string(folder.path("design.aag")).expect("it is still there");
    assert_eq!(kept, FIGURE_1);
    folder.repair("-o fixed.aig", "REPAIRED", 0);
    assert_eq!(folder.error("-o fixed.aig"), "R0010");
    folder.repair("--write", "REPAIRED", 0);
    for design in ["fixed.aig", "design.aag"] {
        let output = folder.run(&format!("verify {design} --spec properties.ltl"));
        assert_eq!(output.status.code(), Some(0), "{design}");
    }
    let document = folder.repair("", "PASS", 0);
    assert!(corrections(&document).is_empty());
}

#[test]
fn figure_8_right_is_repaired_with_registers_only() {
    let example = machine(&[either(1, 2), either(0, 0), either(0, 0)]);
    let mut file = example.file;
    // Gates have names only as outputs.
    let choice = example
        .netlist
        .design()
        .names()
        .find(|(_, name)| *name == "choice");
    let choice = choice.expect("the gate has a name").0;
    file.design
        .add_output(Some("choice".to_string()), choice.literal(), None);
    let text = file.to_ascii().expect("it can be written");
    let folder = Folder::new(
        "figure_8",
        text,
        "assert one: G F at1; assert two: G F at2;",
    );
    let document = folder.repair("--only choice --faults 1", "UNKNOWN", 3);
    assert!(document["notes"].to_string().contains("--allow-state"));
    let document = folder.repair("--only choice --faults 1 --allow-state", "REPAIRED", 0);
    assert!(document["corrections"][0]["added_registers"].as_u64() > Some(0));
}

/// Fig. 7, with a second property that fails: `a` starts at 1, and the environment may clear
/// it once and for good; `b` is 0.
const FIGURE_7: &str = "\
aag 5 1 1 2 2
2
4 6 1
4
10
6 4 3
10 4 5
i0 clear
o0 a
o1 b
";

#[test]
fn figure_7_is_lost_with_a_nondeterministic_automaton_and_that_means_unknown() {
    let properties = "assert stable: F G a | F G !a; assert b: G b;";
    let folder = Folder::new("figure_7", FIGURE_7, properties);
    let options = "--only b --faults 1";
    folder.repair(
        &format!("{options} --automaton nondeterministic"),
        "UNKNOWN",
        3,
    );
    let document = folder.repair(options, "REPAIRED", 0);
    assert_eq!(corrections(&document), ["1 b := 1"]);
}

#[test]
fn a_nondeterministic_automaton_finds_repairs() {
    let folder = Folder::new("nondeterministic", FIGURE_7, "assert b: G b;");
    let document = folder.repair("--only b --automaton nondeterministic", "REPAIRED", 0);
    assert_eq!(corrections(&document), ["1 b := 1"]);
}

#[test]
fn the_environment_may_win() {
    let folder = Folder::new("lost", FIGURE_7, "assert forever: G a; assert b: G b;");
    let document = folder.repair("--only b", "NO REPAIR", 1);
    assert!(corrections(&document).is_empty());
    assert!(document["notes"].to_string().contains("ask too much"));
    assert_eq!(document["counterplay"]["property"], "forever");
}

/// `b` stays 0, and `d` follows `c`.
const TWO_PROMISES: &str = "\
aag 4 2 2 0 0
2
4
6 0 0
8 4 0
i0 a
i1 c
l0 b
l1 d
";

/// Each of the two is GR(1) by itself, and both together are not.
#[test]
fn properties_beyond_gr1_are_decided_exactly() {
    let properties = "assert one: G F a -> G F b; assert two: G F c -> G F d;";
    let folder = Folder::new("beyond", TWO_PROMISES, properties);
    let document = folder.repair("", "REPAIRED", 0);
    assert_eq!(corrections(&document), ["1 b := 1"]);
    folder.repair("--only d", "NO REPAIR", 1);
    let folder = Folder::new("stable", TWO_PROMISES, "assert F G b | F G !b & F G d;");
    folder.repair("--only d", "REPAIRED", 0);
}

/// `q` copies `i` one step late; `out` should be `i | q` and is `i & q`.
const LATE: &str = "\
aag 4 1 1 1 1
2
4 2
6
6 4 2
i0 i
l0 q
o0 out
";

#[test]
fn corrections_are_rejected_by_number() {
    let folder = Folder::new("reject", LATE, "assert seen: G (i -> out);");
    let all = corrections(&folder.repair("--components gate", "REPAIRED", 0));
    assert!(all.len() >= 2, "{all:?}");
    let rest = corrections(&folder.repair("--components gate --reject 1", "REPAIRED", 0));
    assert_eq!(rest[..all.len() - 1], all[1..]);
    assert_eq!(folder.error("--components gate --reject 99"), "R0602");
}

#[test]
fn corrections_read_what_they_may() {
    let folder = Folder::new("depends_on", LATE, "assert seen: G (i <-> out);");
    let document = folder.repair("--components gate --depends-on i", "REPAIRED", 0);
    assert_eq!(corrections(&document), ["1 out := i"]);
    folder.repair("--components gate --depends-on q", "UNKNOWN", 3);
    assert_eq!(folder.error("--depends-on j"), "R0601");
}

#[test]
fn what_must_be_kept_is_kept() {
    let folder = Folder::new("keep", LATE, "assert seen: G (i -> out);");
    let line = "repair design.aag --spec properties.ltl --components gate --format json";
    let output = Command::new(env!("CARGO_BIN_EXE_respin"))
        .args(line.split_whitespace())
        .args(["--keep", "out -> i | q"])
        .current_dir(&folder.0)
        .output()
        .expect("respin starts");
    let document: Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
    let found = corrections(&document);
    assert!(
        !found.is_empty() && found.iter().all(|one| !one.ends_with(":= 1")),
        "{found:?}"
    );
}

#[test]
fn forcing_an_assumption_to_fail_is_no_repair() {
    // `q` may be anything that the repair wants, and the environment is to keep it 0.
    let design = "aag 4 1 1 2 1\n2\n4 6\n4\n2\n6 2 2\ni0 i\no0 q\no1 r\n";
    let folder = Folder::new("vacuous", design, "assume G !q; assert G F (i & !i);");
    let document = folder.repair("--components gate", "UNKNOWN", 3);
    let corrections = document["corrections"].as_array().expect("there is one");
    assert!(
        corrections
            .iter()
            .all(|correction| correction["vacuous"] == true)
    );
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let folder = Folder::new("refused", LATE, "assert seen: G (i -> out);");
    let output = folder.run("repair design.aag");
    assert_eq!(
        output.status.code(),
        Some(0),
        "the output itself is bad then"
    );
    assert_eq!(
        folder.error("--only nowhere"),
        folder.error("--components target")
    );
    let output = folder.run("repair design.aag --spec properties.ltl --write -o x.aag");
    assert_eq!(output.status.code(), Some(2));
}

/// A latch that keeps its value and starts at 1, which is bad.
const WRONG_RESET: &str = "aag 2 1 1 2 0 1\n2\n4 4 1\n4\n2\n4\ni0 x\nl0 l\no0 q\no1 y\nb0 bad\n";

#[test]
fn a_reset_value_is_repaired() {
    let folder = Folder::new("reset", WRONG_RESET, "assert low: G !q;");
    for options in ["", "--components reset", "--faults 1", "--faults 9"] {
        let document = folder.repair(options, "REPAIRED", 0);
        assert_eq!(corrections(&document)[0], "1 l := 0", "{options}");
        let diff = document["diff"].as_str().expect("a diff");
        assert!(diff.contains("-4 4 1\n+4 4\n"), "{diff}");
    }
}

#[test]
fn more_faults_include_fewer() {
    let folder = Folder::new("faults", LATE, "assert seen: G (i -> out);");
    let one = folder.repair("--faults 1", "REPAIRED", 0);
    let two = folder.repair("--faults 2", "REPAIRED", 0);
    assert_eq!(corrections(&one), corrections(&two));
}

#[test]
fn contradicting_assumptions_do_not_go_unnoticed() {
    let folder = Folder::new(
        "contradiction",
        LATE,
        "assume G i; assume G !i; assert G F out;",
    );
    let document = folder.repair("", "PASS", 0);
    assert_eq!(document["diagnostics"][0]["code"], "R0805");
}

/// A product of two words that the environment chooses: too big for any diagram.
#[test]
fn time_runs_out_with_what_is_known() {
    let folder = Folder::new("timeout", too_big(24), "");
    let start = Instant::now();
    let output = folder.run("repair design.aag --timeout 5");
    assert!(
        start.elapsed() < Duration::from_secs(7),
        "{:?}",
        start.elapsed()
    );
    assert_eq!(output.status.code(), Some(3));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.starts_with("UNKNOWN\n"), "{text}");
    assert!(text.contains("ruled out so far"), "{text}");
}

/// Registers for two factors and their product, which is wrong by a gate.
fn too_big(width: usize) -> Vec<u8> {
    use respin::design::aiger::{AigerFile, Signal};
    use respin::design::{Design, InputKind, Literal, Reset, words};
    let mut design = Design::new();
    let word = |design: &mut Design, name: &str| -> Vec<Literal> {
        let mut bits = Vec::new();
        for bit in 0..width {
            let input = design.add_input(InputKind::Environment);
            let latch = design.add_latch(Reset::Zero);
            design.set_name(latch, format!("{name}[{bit}]"));
            design.set_next(latch, input.literal());
            bits.push(latch.literal());
        }
        bits
    };
    let (a, b) = (word(&mut design, "a"), word(&mut design, "b"));
    let product = words::multiply(&mut design, &a, &b);
    let mut other = words::multiply(&mut design, &b, &a);
    let last = other.len() / 2;
    other[last] = design.and(other[last], a[0]);
    for (bit, literal) in other.iter().enumerate() {
        design.add_output(Some(format!("product[{bit}]")), *literal, None);
    }
    let bad = !words::equal(&mut design, &product, &other);
    let mut file = AigerFile::from_design(design, &[]).expect("no properties yet");
    file.bad.push(Signal {
        name: None,
        literal: bad,
        span: None,
    });
    file.to_ascii().expect("it can be written")
}
