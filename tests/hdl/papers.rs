//! The examples of [JSGB11], Sec. 7, and more in their manner: which places can be corrected.

use super::corpus::{Outcome, case};

/// Right-hand sides and conditions, all of them.
const DYNAMIC: [&str; 3] = ["--every-place", "--components", "assignment,condition"];

fn check_lines(name: &str, more: &[&str], expected: &[u64]) -> Outcome {
    let outcome = case(name).repair(more);
    assert_eq!(outcome.verdict, "REPAIRED", "{name}");
    assert_eq!(outcome.lines(), expected, "{name} {more:?}");
    outcome
}

/// Whether some correction of a line is this text.
fn offers(outcome: &Outcome, line: u64, text: &str) -> bool {
    let corrections = outcome.json["corrections"].as_array();
    let is_it = |edit: &serde_json::Value| {
        edit["place"]["line"] == line
            && edit["after"][0]
                .as_str()
                .is_some_and(|after| after.contains(text))
    };
    let mut edits = corrections.into_iter().flatten();
    edits.any(|one| {
        one["edits"]
            .as_array()
            .is_some_and(|edits| edits.iter().any(is_it))
    })
}

#[test]
fn locking_is_corrected_at_lines_1_6_and_7_without_reading_the_lock() {
    let readable = ["--depends-on", "pc,got_lock,want_lock,go_on"];
    let options = [&DYNAMIC[..], &readable[..]].concat();
    let outcome = check_lines("locking", &options, &[26, 42, 57]);
    assert!(offers(&outcome, 26, "if (1'b1)"));
    assert!(offers(&outcome, 42, "if (1'b0)"));
    assert!(offers(&outcome, 57, "got_lock <= 2'd0;"));
}

#[test]
fn locking_has_a_fourth_place_if_the_lock_can_be_read() {
    let outcome = check_lines("locking", &DYNAMIC, &[26, 34, 42, 57]);
    assert!(offers(&outcome, 34, "if (L)"));
}

#[test]
fn minmax_with_the_weak_assertion_is_corrected_at_lines_7_and_8() {
    check_lines("minmax.weak", &DYNAMIC, &[17, 18]);
}

#[test]
fn minmax_with_the_strong_assertion_is_corrected_by_the_target_of_line_8() {
    let none = case("minmax").repair(&DYNAMIC);
    assert_ne!(none.verdict, "REPAIRED");
    let options = [
        "--components",
        "assignment,condition,target",
        "--every-place",
    ];
    let outcome = check_lines("minmax", &options, &[18]);
    assert!(offers(&outcome, 18, "least = input2;"));
}

#[test]
fn minmax_with_an_error_flag_is_corrected_by_the_target_of_line_8() {
    let options = [
        "--components",
        "assignment,condition,target",
        "--every-place",
    ];
    let outcome = check_lines("minmax-error", &options, &[22]);
    assert!(offers(&outcome, 22, "least = input2;"));
}

#[test]
fn critical_sections_are_corrected_at_the_places_of_the_paper() {
    check_lines("critical-sections.mutex", &DYNAMIC, &[39, 68, 91]);
    check_lines("critical-sections.starvation", &DYNAMIC, &[38, 39, 91]);
    let outcome = check_lines("critical-sections", &DYNAMIC, &[39]);
    assert!(offers(&outcome, 39, "turn1B <= 1'b1;"));
}

#[test]
fn the_adder_of_the_sequential_multiplier_is_corrected_at_bit_0() {
    let case = case("multiplier");
    let outcome = case.repair(&[]);
    assert_eq!(outcome.verdict, "REPAIRED");
    assert!(outcome.lines().contains(&case.line()));
}

#[test]
fn faults_of_the_collision_avoidance_are_found_at_their_line() {
    for number in 1..=5 {
        let case = case(&format!("tcas-{number}"));
        let outcome = case.repair(&[]);
        assert_eq!(outcome.verdict, "REPAIRED", "{}", case.name);
        assert!(outcome.lines().contains(&case.line()), "{}", case.name);
    }
}

#[test]
fn the_processor_has_one_place() {
    let case = case("processor");
    let outcome = case.repair(&[]);
    assert_eq!(outcome.verdict, "REPAIRED");
    assert_eq!(outcome.lines(), [case.line()]);
}
