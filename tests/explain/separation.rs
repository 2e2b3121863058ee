//! Whom assumptions that remember something are blamed on.

use crate::support::{game, read};
use respin::explain::answer::{CheckOptions, CheckPart};
use respin::explain::check;
use respin::explain::separation::{Scope, Separation, relevant_part};
use respin::load::{self, Format, Memory, SpecOptions};
use respin::source::Sources;

/// The cases of assumptions about the inputs `p` and `q` and the output `x`.
fn cases(assumptions: &str) -> Vec<String> {
    let text = format!(
        "spec W\nenv boolean p;\nenv boolean q;\nsys boolean x;\n{assumptions}\ngar GF x;\n"
    );
    let spec = relevant_part(&read("w.spectra", &text), Scope::Environment);
    let game = game(&spec);
    let cases = Separation::new(&game).and_then(|mut found| found.cases());
    let cases = cases.expect("no limits");
    cases.iter().map(|case| case.text()).collect()
}

#[test]
fn an_environment_that_breaks_what_it_remembers_was_not_forced_to() {
    for assumptions in [
        "asm G (q -> ONCE(p));",
        "asm G (q -> PREV(p));",
        "asm G (q -> HISTORICALLY(p));",
        "monitor boolean m { !m; G next(m) = (m | p); } asm G (q -> m);",
        "env boolean h; asm ini !h; asm G next(h) = (h | p); asm G (q -> h);",
        // It knows `x` when it chooses `q`, as in `G (next(q) -> x)`.
        "asm G (q -> PREV(x));",
    ] {
        assert_eq!(cases(assumptions), [""; 0], "{assumptions}");
    }
}

#[test]
fn a_system_that_decides_what_is_remembered_can_force() {
    for (assumptions, expected) in [
        // It has the last word in each step.
        ("asm G (q -> ONCE(x));", vec!["(P-reach, E-safe)"]),
        // Whatever the inputs are.
        ("asm G PREV(x -> x);", vec!["(P-all, E-safe)"]),
        (
            "asm G (q | PREV(x)); asm G (!q | PREV(x));",
            vec!["(P-all, E-safe)"],
        ),
        (
            "monitor boolean m { !m; G next(m) = (m | x); } asm G !m;",
            vec!["(P-all, E-safe)"],
        ),
        // In the step after `x` without `p` nothing can be done any more.
        ("asm G (PREV(x) -> PREV(p));", vec!["(P-reach, E-safe)"]),
    ] {
        assert_eq!(cases(assumptions), expected, "{assumptions}");
    }
}

#[test]
fn a_property_file_that_remembers_is_well_separated() {
    let mut sources = Sources::new();
    let text = "assume a: G (q -> O p); assert G F x;";
    let file = sources.add("w.ltl", text);
    let options = SpecOptions {
        inputs: vec!["p".to_string(), "q".to_string()],
        outputs: vec!["x".to_string()],
        ..SpecOptions::default()
    };
    let spec = load::spec(
        &mut sources,
        file,
        Format::Properties,
        &options,
        &Memory::new(),
    );
    let options = CheckOptions {
        only: vec![CheckPart::Separation],
        ..CheckOptions::default()
    };
    let found = check(&spec.expect("a specification"), &options, &mut |_| {});
    let found = found.expect("an answer").separation.expect("no limits");
    assert!(found.cases.is_empty(), "{:?}", found.cases);
}
