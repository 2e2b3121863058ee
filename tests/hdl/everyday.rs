//! Faults that engineers meet: found at their line, and fixed as the author meant it.

use super::corpus::{Case, cases};
use super::equal::behaves_alike;
use super::patches::patched;

/// Of all everyday designs, so many may be corrected at another line than the author did.
const ELSEWHERE: usize = 2;
/// So many may be corrected in a way that differs from the author's on some reachable state.
const OTHERWISE: usize = 3;

fn everyday() -> Vec<Case> {
    let cases = cases().into_iter();
    cases.filter(|case| !case.is_from_a_paper()).collect()
}

#[test]
fn a_faulty_design_fails_and_the_fixed_one_passes() {
    let cases = cases();
    assert!(cases.len() >= 51, "only {} cases", cases.len());
    for case in cases {
        let faulty = case.verify("faulty.v");
        let is_latch = case.all("kind")[0].starts_with("missing") && faulty.contains("R0317");
        assert!(faulty == "FAIL" || is_latch, "{}: {faulty}", case.name);
        assert_eq!(case.verify("fixed.v"), "PASS", "{}", case.name);
    }
}

#[test]
fn everyday_faults_are_repaired_at_their_line_and_as_the_author_meant_it() {
    let cases = everyday();
    assert!(cases.len() >= 40, "only {} everyday designs", cases.len());
    let mut elsewhere = Vec::new();
    let mut otherwise = Vec::new();
    for case in &cases {
        let outcome = case.repair(&[]);
        assert_eq!(outcome.verdict, "REPAIRED", "{}", case.name);
        let patch = patched(case, &outcome);
        // Where something is missing, the line is the one that it gets in the fixed text.
        if patch.first_changed_line != case.line() {
            elsewhere.push(format!("{}: {}", case.name, patch.first_changed_line));
        }
        let fixed = case.source("fixed.v");
        let equal = patch.text == fixed || behaves_alike(case, &patch.text, &fixed);
        if !equal {
            otherwise.push(format!("{}: {}", case.name, outcome.diff()));
        }
    }
    println!(
        "{} designs, {} at another line: {elsewhere:?}, {} otherwise: {otherwise:?}",
        cases.len(),
        elsewhere.len(),
        otherwise.len()
    );
    assert!(elsewhere.len() <= ELSEWHERE, "{elsewhere:?}");
    assert!(otherwise.len() <= OTHERWISE, "{otherwise:?}");
}
