//! Each fault is corrected when its kind alone is asked for.

use super::corpus::cases;

/// Of all designs, every so many are repaired in a usual run; `RESPIN_KINDS=all` repairs all.
const EVERY: usize = 6;

#[test]
fn the_kind_of_a_fault_alone_repairs_it() {
    let all = std::env::var("RESPIN_KINDS").is_ok_and(|value| value == "all");
    let step = if all { 1 } else { EVERY };
    let mut failures = Vec::new();
    let cases = cases();
    for case in cases.iter().step_by(step) {
        let kind = case.all("kind")[0];
        let outcome = case.repair(&["--components", kind]);
        println!("{} {kind}: {}", case.name, outcome.verdict);
        if outcome.verdict != "REPAIRED" {
            failures.push(format!("{} {kind}: {}", case.name, outcome.verdict));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}
