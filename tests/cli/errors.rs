//! Exit codes and codes of diagnostics, where a golden file would show no more.

use super::{COMMANDS, json, run, scratch, stderr, stdout};
use std::fs;

fn check_exit(line: &str, expected: i32) {
    let output = run(line);
    assert_eq!(output.status.code(), Some(expected), "{line}");
}

/// The code of the only diagnostic.
fn check_code(line: &str, expected: &str) {
    let document = json(line);
    let diagnostics = document["diagnostics"].as_array().expect("diagnostics");
    let codes: Vec<&str> = diagnostics
        .iter()
        .filter_map(|diagnostic| diagnostic["code"].as_str())
        .collect();
    assert_eq!(codes, [expected], "{line}");
}

#[test]
fn no_arguments_is_wrong_usage() {
    check_exit("", 2);
}

#[test]
fn an_unknown_option_is_wrong_usage() {
    check_exit("check lift.spectra --nonsense", 2);
}

#[test]
fn an_unknown_command_is_wrong_usage() {
    check_exit("mend arbiter.v", 2);
}

#[test]
fn the_version_is_printed() {
    let output = run("--version");
    let expected = concat!("respin ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(stdout(&output), expected);
}

#[test]
fn a_file_that_is_not_of_its_format_is_refused() {
    for command in ["repair", "verify", "instrument"] {
        let line = format!("{command} arbiter.v --from yosys-json --spec arbiter.props");
        check_code(&line, "R0323");
    }
}

#[test]
fn no_command_says_that_it_is_not_there() {
    for command in COMMANDS {
        let help = run(&format!("{command} --help"));
        assert!(!stdout(&help).contains("not available yet"), "{command}");
    }
}

#[test]
fn a_command_that_is_not_there_yet_ends_as_an_error() {
    check_exit(
        "repair arbiter.v --from yosys-json --spec arbiter.props --expect unknown",
        2,
    );
}

#[test]
fn an_output_that_exists_is_refused() {
    let folder = scratch("output_exists");
    let output = folder.join("lift.v");
    fs::write(&output, "kept").unwrap();
    check_code(
        &format!("synth lift.spectra -o {}", output.display()),
        "R0010",
    );
}

#[test]
fn an_output_that_exists_may_be_forced() {
    let folder = scratch("output_forced");
    let output = folder.join("lift.v");
    fs::write(&output, "kept").unwrap();
    let line = format!("synth lift.spectra --force -o {}", output.display());
    check_exit(&line, 0);
    assert!(fs::read_to_string(&output).unwrap().starts_with("module"));
}

#[test]
fn a_file_too_long_for_spans_is_refused() {
    let path = scratch("too_long").join("long.v");
    // Sparse: no disk is used.
    let file = fs::File::create(&path).unwrap();
    file.set_len(u64::from(u32::MAX) + 1).unwrap();
    check_code(&format!("verify {}", path.display()), "R0005");
}

#[test]
fn a_bad_value_in_json_has_its_code() {
    check_code("check lift.spectra --memory much", "R0008");
}

#[test]
fn wrong_usage_in_json_has_its_code() {
    check_code("mend arbiter.v", "R0009");
}

#[test]
fn errors_in_json_leave_standard_error_empty() {
    for line in ["check missing.spectra", "mend arbiter.v"] {
        let output = run(&format!("{line} --format json"));
        assert_eq!(stderr(&output), "", "{line}");
    }
}

#[test]
fn errors_in_text_leave_standard_output_empty() {
    for line in ["check missing.spectra", "mend arbiter.v"] {
        assert_eq!(stdout(&run(line)), "", "{line}");
    }
}

#[test]
fn help_code_lists_all_codes() {
    let expected: String = respin::source::codes::all()
        .map(|entry| format!("{}  {}\n", entry.code, entry.title))
        .collect();
    assert_eq!(stdout(&run("help-code")), expected);
}

#[test]
fn every_option_of_a_design_is_taken() {
    let line = "repair arbiter.v --from verilog --spec arbiter.props --top arbiter -D W=2 -I inc \
                --components operator,literal --only arbiter.v --except arbiter.v:1 \
                --faults 2 --allow-state --depends-on req --reject 1 --keep 1 --write \
                --automaton exact --semantics strict --every-place";
    check_code(line, "R0014");
}

#[test]
fn writing_in_place_and_to_a_file_contradict_each_other() {
    check_code("repair arbiter.v --write -o new.v", "R0009");
}
