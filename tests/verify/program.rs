//! `respin verify` from outside: transcripts, files that it writes, limits.

use super::support::read;
use crate::golden::{self, transcripts};
use serde_json::Value;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

fn folder() -> PathBuf {
    golden::folder("verify")
}

fn run(line: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_respin"))
        .args(line.split_whitespace())
        .current_dir(folder().join("inputs"))
        .env_remove("NO_COLOR")
        .env_remove("RUST_BACKTRACE")
        .output()
        .expect("respin starts")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("the output is UTF-8")
}

fn json(line: &str) -> Value {
    let output = run(&format!("{line} --format json"));
    serde_json::from_slice(&output.stdout).expect("one JSON document")
}

/// A file name that is free, in a folder of the test's own.
fn scratch(test: &str, name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("verify")
        .join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a scratch folder");
    folder.join(name)
}

transcripts! {
    folder() => run,
    assertions_of_a_file
    assertions_of_aiger
    broken_assumptions
    chosen_property
    dead_end_of_assumptions
    fair_assumptions
    json_of_a_counterexample
    only_assumptions
    outputs_are_bad
    semantics_of_an_implication
    unknown_property
    unknown_signal
    verilog_options
}

fn check_code(line: &str, expected: &str) {
    let document = json(line);
    let codes: Vec<&str> = document["diagnostics"]
        .as_array()
        .expect("diagnostics")
        .iter()
        .filter_map(|diagnostic| diagnostic["code"].as_str())
        .collect();
    assert_eq!(codes, [expected], "{line}");
}

/// The verdict of a run, and its exit code, are those without `--certificate`.
fn check_without_certificate(test: &str, line: &str, verdict: &str, code: i32) {
    let path = scratch(test, "proof.smt2");
    let output = run(&format!("{line} --certificate {}", path.display()));
    assert_eq!(output.status.code(), Some(code), "{line}");
    assert_eq!(text(&output.stdout).lines().next(), Some(verdict));
    let said = text(&output.stderr);
    assert!(said.contains("warning[R0808]"), "{said}");
    assert!(said.contains("was not written"), "{said}");
    assert!(!path.exists());
}

#[test]
fn a_verdict_stands_without_a_certificate() {
    check_without_certificate("failing", "verify counter.aag", "FAIL", 1);
    let live = "verify arbiter.aag --spec fair.props";
    check_without_certificate("live", live, "PASS", 0);
}

#[test]
fn a_trace_file_that_exists_is_refused() {
    let path = scratch("vcd_exists", "kept.vcd");
    fs::write(&path, "kept").unwrap();
    check_code(
        &format!("verify counter.aag --vcd {}", path.display()),
        "R0010",
    );
}

#[test]
fn a_trace_file_that_exists_may_be_forced() {
    let path = scratch("vcd_forced", "kept.vcd");
    fs::write(&path, "kept").unwrap();
    run(&format!(
        "verify counter.aag --force --vcd {}",
        path.display()
    ));
    assert_ne!(fs::read_to_string(&path).unwrap(), "kept");
}

#[test]
fn an_input_is_no_place_for_a_trace() {
    check_code("verify counter.aag --force --vcd counter.aag", "R0010");
}

#[test]
fn one_file_cannot_be_both_kinds_of_trace() {
    check_code("verify counter.aag --vcd new.x --witness new.x", "R0009");
}

#[test]
fn a_property_file_has_no_witness() {
    let path = scratch("no_witness", "new.wit");
    let line = "verify arbiter.aag --spec arbiter.props --witness";
    check_code(&format!("{line} {}", path.display()), "R0804");
}

#[test]
fn no_counterexample_means_no_file() {
    let path = scratch("no_trace", "new.vcd");
    run(&format!(
        "verify counter.aag --property impossible --vcd {}",
        path.display()
    ));
    assert!(!path.exists());
}

/// The values of each signal in each step, by name, as a dump says.
fn parse_vcd(text: &str) -> HashMap<String, Vec<String>> {
    let (header, changes) = text.split_once("$enddefinitions $end\n").expect("a header");
    let mut names = HashMap::new();
    for line in header.lines().filter(|line| line.starts_with("$var")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let name = words[4..words.len() - 1].concat();
        names.insert(words[3].to_string(), name);
    }
    let mut now: HashMap<String, String> = HashMap::new();
    let mut values: HashMap<String, Vec<String>> = HashMap::new();
    for line in changes.lines() {
        let is_low = now.get("clk").is_some_and(|value| value == "0");
        if line.starts_with('#') && is_low {
            // The clock rises now: all values up to here are those of the step that ends.
            for (name, value) in now.iter().filter(|(name, _)| *name != "clk") {
                values.entry(name.clone()).or_default().push(value.clone());
            }
        } else if line.starts_with('#') {
            continue;
        } else if !line.starts_with('$') {
            let (value, code) = match line.split_once(' ') {
                Some((value, code)) => (value.trim_start_matches('b'), code),
                None => line.split_at(1),
            };
            now.insert(names[code].clone(), value.to_string());
        }
    }
    values
}

/// A dump is what a simulator would have recorded: the design shows all of its values.
#[test]
fn a_dump_is_a_recorded_run() {
    let path = scratch("recorded_dump", "new.vcd");
    let design = path.with_file_name("gray.v");
    let text = "module gray(input clk, input go, output reg [3:0] count = 0, output high);\n\
                always @(posedge clk) if (go) count <= count + 4'd3;\n\
                assign high = count[3];\n\
                below: assert property (@(posedge clk) count != 4'd12);\nendmodule\n";
    fs::write(&design, text).unwrap();
    let (design, path) = (design.display(), path.display());
    run(&format!("verify {design} --vcd {path}"));
    let document = json(&format!("verify {design} --no-formal --trace {path}"));
    assert_eq!(document["recorded"][0]["cycles"], 5, "{document}");
    assert!(
        document["recorded"][0]["difference"].is_null(),
        "{document}"
    );
}

#[test]
fn a_dump_has_the_values_of_the_report() {
    let path = scratch("dump", "new.vcd");
    let document = json(&format!("verify counter.aag --vcd {}", path.display()));
    let dumped = parse_vcd(&fs::read_to_string(&path).unwrap());
    let signals = document["properties"][0]["trace"]["signals"]
        .as_array()
        .expect("signals");
    let reported: HashMap<String, Vec<String>> = signals
        .iter()
        .map(|signal| {
            let values = signal["values"].as_array().expect("values").iter();
            let values = values.map(|value| value.as_str().expect("digits").to_string());
            (
                signal["name"].as_str().expect("a name").to_string(),
                values.collect(),
            )
        })
        .collect();
    assert_eq!(dumped, reported);
}

fn bits(line: &str) -> Vec<bool> {
    line.chars().map(|digit| digit == '1').collect()
}

/// The witness of one property, as AIGER defines it: the initial state and the inputs.
fn witness(test: &str, property: &str) -> (Vec<bool>, Vec<Vec<bool>>) {
    let path = scratch(test, "new.wit");
    run(&format!("verify counter.aag --witness {}", path.display()));
    let text = fs::read_to_string(&path).unwrap();
    let found = text
        .split(".\n")
        .find_map(|part| part.strip_prefix(&format!("1\n{property}\n")));
    let mut lines = found.expect("the property fails").lines();
    (
        bits(lines.next().expect("a state")),
        lines.map(bits).collect(),
    )
}

fn counter() -> respin::design::aiger::AigerFile {
    read(fs::read(folder().join("inputs/counter.aag")).unwrap())
}

#[test]
fn a_witness_of_a_bad_signal_replays() {
    let (initial, inputs) = witness("witness_bad", "b0");
    assert_eq!(initial, [false, false]);
    let file = counter();
    let run = file.design.run(&[], &inputs).expect("a run");
    assert!(run.value(inputs.len() - 1, file.bad[0].literal));
}

#[test]
fn a_witness_of_justice_is_a_loop_that_meets_all() {
    let (_, mut inputs) = witness("witness_justice", "j0");
    let steps = inputs.len();
    inputs.push(vec![false]);
    let file = counter();
    let run = file.design.run(&[], &inputs).expect("a run");
    let state = |step: usize| -> Vec<bool> {
        file.design
            .latches()
            .iter()
            .map(|id| run.value(step, id.literal()))
            .collect()
    };
    let start = (0..steps)
        .find(|step| state(*step) == state(steps))
        .expect("a loop");
    let wanted = [file.justice[0].literals[0], file.fairness[0].literal];
    let met = wanted.map(|literal| (start..steps).any(|step| run.value(step, literal)));
    assert_eq!(met, [true, true]);
}

#[test]
fn a_witness_file_has_all_properties() {
    let path = scratch("witness_all", "new.wit");
    run(&format!("verify counter.aag --witness {}", path.display()));
    let text = fs::read_to_string(&path).unwrap();
    let answers: Vec<(&str, &str)> = text
        .split(".\n")
        .filter_map(|part| part.split_once('\n'))
        .map(|(answer, rest)| (answer, rest.lines().next().unwrap_or_default()))
        .collect();
    assert_eq!(answers, [("1", "b0"), ("0", "b1"), ("1", "j0")]);
}

/// Two numbers multiplied: nobody factors this with decision diagrams in a second.
fn hard_design(test: &str) -> PathBuf {
    use respin::design::{Design, Reset, words};
    let mut design = Design::new();
    let mut word = |width: usize| -> Vec<_> {
        (0..width)
            .map(|_| design.add_latch(Reset::Free).literal())
            .collect()
    };
    let (left, right) = (word(24), word(24));
    let wide = |word: &[_]| words::resize(word, 48, false);
    let product = words::multiply(&mut design, &wide(&left), &wide(&right));
    let wanted = words::constant(0xc0ff_ee15_900d, 48);
    let bad = words::equal(&mut design, &product, &wanted);
    design.add_output(None, bad, None);
    let file = respin::design::aiger::AigerFile::from_design(design, &[]).expect("a file");
    let path = scratch(test, "hard.aig");
    fs::write(&path, file.to_binary().expect("a binary file")).unwrap();
    path
}

#[test]
fn a_design_that_is_too_hard_is_unknown() {
    let path = hard_design("hard_verdict");
    let output = run(&format!("verify {} --timeout 1", path.display()));
    let first = text(&output.stdout).lines().next();
    assert_eq!((first, output.status.code()), (Some("UNKNOWN"), Some(3)));
}

#[test]
fn the_time_limit_is_kept() {
    let path = hard_design("hard_time");
    let start = Instant::now();
    run(&format!("verify {} --timeout 1", path.display()));
    let elapsed = start.elapsed();
    assert!(elapsed < Duration::from_secs(3), "{elapsed:?}");
}

#[test]
fn the_memory_limit_is_kept() {
    let path = hard_design("hard_memory");
    let document = json(&format!(
        "verify {} --memory 4M --timeout 60",
        path.display()
    ));
    let reason = &document["properties"][0]["reason"];
    assert_eq!(reason, "the memory limit is reached");
}
