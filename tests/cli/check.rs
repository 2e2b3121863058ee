//! `respin check`, apart from the time that it takes.

use super::{json, run, stdout};

/// What is printed, without the line that tells the time.
fn check(line: &str, code: i32, expected: &str) {
    let output = run(line);
    let text: String = stdout(&output)
        .lines()
        .filter(|line| !line.starts_with("time "))
        .map(|line| format!("{line}\n"))
        .collect();
    assert_eq!(text, expected, "{line}");
    assert_eq!(output.status.code(), Some(code), "{line}");
}

#[test]
fn a_realizable_specification_fits_one_screen() {
    check(
        "check robot.spectra",
        0,
        "REALIZABLE
a system can satisfy the specification; its strategy was certified

specification  Robot (Spectra)
semantics      strict
variables      1 of the environment (1 bit), 2 of the system (3 bits), 1 auxiliary (1 bit)
assumptions    1 (0 initial, 0 safety, 1 justice)
guarantees     4 (1 initial, 2 safety, 1 justice)
satisfiable    assumptions yes, guarantees yes, both together yes
separation     well-separated
unhelpful      no assumption
",
    );
}

#[test]
fn an_unrealizable_property_file_exits_1() {
    check(
        "check live.ltl --ins a --outs b",
        1,
        "UNREALIZABLE
no system can satisfy the specification; the counterstrategy was certified

specification  a property file
semantics      implication
variables      1 of the environment (1 bit), 1 of the system (1 bit), 0 auxiliary (0 bits)
assumptions    0 (0 initial, 0 safety, 0 justice)
guarantees     2 (0 initial, 1 safety, 1 justice)
satisfiable    assumptions yes, guarantees yes, both together yes
separation     well-separated
unhelpful      no assumption
",
    );
}

#[test]
fn an_expected_verdict_exits_0() {
    let output = run("check live.ltl --ins a --outs b --expect unrealizable");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn json_has_the_numbers() {
    let document = json("check robot.spectra");
    assert_eq!(document["verdict"], "REALIZABLE");
    let specification = &document["specification"];
    assert_eq!(specification["guarantees"]["safety"], 2);
    assert_eq!(specification["satisfiable"]["both"], true);
    assert_eq!(specification["auxiliary"]["bits"], 1);
}

#[test]
fn contradictions_are_told() {
    let output = run("check contradiction.spectra");
    let text = stdout(&output);
    assert!(text.starts_with("REALIZABLE\n"), "{text}");
    assert!(
        text.contains("the assumptions contradict themselves"),
        "{text}"
    );
}

#[test]
fn a_verdict_alone_says_nothing_else() {
    check(
        "check robot.spectra --only verdict",
        0,
        "REALIZABLE
a system can satisfy the specification; its strategy was certified

specification  Robot (Spectra)
semantics      strict
variables      1 of the environment (1 bit), 2 of the system (3 bits), 1 auxiliary (1 bit)
assumptions    1 (0 initial, 0 safety, 1 justice)
guarantees     4 (1 initial, 2 safety, 1 justice)
",
    );
}

#[test]
fn json_says_what_was_asked() {
    let document = json("check robot.spectra --only verdict,separation");
    let specification = &document["specification"];
    assert_eq!(
        specification["parts"],
        serde_json::json!(["verdict", "separation"])
    );
    assert_eq!(
        specification["satisfiable"]["both"],
        serde_json::Value::Null
    );
    assert_eq!(specification["separation"], "well-separated");
}

#[test]
fn the_time_is_that_of_the_clock_and_of_the_processor() {
    let output = run("check robot.spectra");
    let text = stdout(&output);
    let line = text.lines().find(|line| line.starts_with("time "));
    let words: Vec<&str> = line.expect("the time").split_whitespace().collect();
    let [_, wall, "s,", processor, "s", "of", "the", "processor"] = words.as_slice() else {
        panic!("{words:?}");
    };
    for seconds in [wall, processor] {
        assert!(seconds.parse::<f64>().is_ok_and(|seconds| seconds >= 0.0));
    }
}
