//! What `check` and `explain` say of what they did not find, and of what they did.

use super::specifications::check;
use super::{run, scratch, stdout};
use std::path::PathBuf;

fn file(test: &str, name: &str, text: &str) -> PathBuf {
    let path = scratch(&format!("explanations_{test}")).join(name);
    std::fs::write(&path, text).expect("a written file");
    path
}

/// A property file whose second output starts a condition that is too big for the solver, with
/// the options that name its signals.
fn too_big(test: &str, first: &str, pairs: usize) -> String {
    let conditions: Vec<String> = (0..pairs)
        .map(|k| format!("(G F i{k} <-> F G (o{k} ^ o{}))", (k + 1) % pairs))
        .collect();
    let text = format!("{first}assert r: {};\n", conditions.join(" & "));
    let signals = |stem: &str| {
        let names: Vec<String> = (0..pairs).map(|k| format!("{stem}{k}")).collect();
        names.join(",")
    };
    format!(
        "{} --ins {} --outs c,{}",
        file(test, "m.ltl", &text).display(),
        signals("i"),
        signals("o")
    )
}

#[test]
fn what_is_not_known_of_assumptions_is_not_said() {
    let line = too_big("unknown", "assume a: G F i0;\n", 40);
    let text = check(&format!("check {line}"), 3, "UNKNOWN\n");
    assert!(text.contains("unhelpful      not known\n"), "{text}");
}

/// A weaker guarantee of which nobody knows whether it is enough is not one that is not.
#[test]
fn questions_that_stay_open_are_named() {
    let line = too_big("open", "assert c: G (c <-> X i0);\n", 12);
    let output = run(&format!("explain {line} --only weakenings --timeout 6"));
    let text = stdout(&output);
    assert!(
        text.contains("A weaker guarantee was not found: "),
        "{text}"
    );
    assert!(!text.contains("to give up one alone"), "{text}");
}

/// The only assumption over an input that would help is what is asked for.
#[test]
fn a_search_that_finds_nothing_says_what_was_done() {
    let text = "spec Asked env boolean a; sys boolean x; gar r0: G (a -> (x <-> next(a))); \
                gar r2: GF a;";
    let file = file("nothing", "m.spectra", text);
    let text = check(&format!("explain {}", file.display()), 1, "UNREALIZABLE\n");
    let sentence = "\nNo assumption to add was found among those that were tried.\n";
    assert!(text.contains(sentence), "{text}");
    let text = "spec Both env boolean a; sys boolean x; gar both: x = a; gar other: x != a;";
    std::fs::write(&file, text).expect("a written file");
    let text = check(&format!("explain {}", file.display()), 1, "UNREALIZABLE\n");
    // Without being asked for, too.
    assert!(
        text.contains("\nA weaker guarantee was not found: "),
        "{text}"
    );
}

#[test]
fn what_replaces_a_property_can_be_pasted_into_its_file() {
    let rest = "assume a1: G (x -> X i);\nassume a2: G (!x -> X !i);\n";
    let text =
        format!("{rest}assert w: G F x;\nassert v: G (i -> !y);\nassert k: G (x -> X (y | j));\n");
    let file = file("pasted", "m.ltl", &text);
    let signals = "--ins i,j --outs x,y";
    let line = format!("explain {} {signals} --only weakenings", file.display());
    let report = check(&line, 1, "UNREALIZABLE\n");
    let lines: Vec<&str> = report.lines().collect();
    let place = lines
        .iter()
        .position(|line| line.starts_with("    now      G F (x)"));
    let place = place.unwrap_or_else(|| panic!("{report}"));
    let instead = lines[place + 1]
        .strip_prefix("    instead  ")
        .expect("a formula");
    let changed = text.replace("G F x;", &format!("{instead};"));
    std::fs::write(&file, changed).expect("a written file");
    let line = format!("check {} {signals} --only verdict", file.display());
    check(&line, 0, "REALIZABLE\n");
}

#[test]
fn conjuncts_are_numbered_as_they_are_written() {
    let text = "INFO { TITLE: \"\" DESCRIPTION: \"\" SEMANTICS: Mealy TARGET: Mealy } \
                MAIN { INPUTS { i; j; p; } OUTPUTS { o; } \
                GUARANTEE { (G (j -> o)) && (G (i -> !o)) && (G F p); } }";
    let tlsf = file("numbers", "m.tlsf", text);
    let line = format!("explain {} --only core,diagnoses", tlsf.display());
    let text = check(&line, 1, "UNREALIZABLE\n");
    assert!(text.contains("guarantee_1/3  G F p"), "{text}");
    assert!(text.contains("{guarantee_1/1, guarantee_1/2}"), "{text}");
    // What the core does not have is shown once.
    let members =
        "Members of these lists that are not in the core:\n  guarantee  guarantee_1/1  G (";
    assert!(text.contains(members), "{text}");
    assert_eq!(text.matches("guarantee_1/3  G F p").count(), 1, "{text}");

    let properties = tlsf.with_extension("ltl");
    let text = "assert z: G (x -> X p);\n\
                assert a: (F G (j & q)) & (G (q -> !j)) & (G F p) & F G (x | X i);\n";
    std::fs::write(&properties, text).expect("a written file");
    let line = format!(
        "explain {} --ins i,j,p --outs o,x,q --only diagnoses",
        properties.display()
    );
    let text = check(&line, 1, "UNREALIZABLE\n");
    assert!(text.contains("a/3  G F p"), "{text}");
}

#[test]
fn one_step_is_not_several() {
    let text = "spec G env boolean p; sys boolean x; gar GF x; gar GF (!x);";
    let file = file("steps", "m.spectra", text);
    let simulated = |steps: usize| {
        let line = format!("simulate {} --guided --steps {steps}", file.display());
        check(&line, 0, "REALIZABLE\n")
    };
    assert!(simulated(0).contains("\n1 state was visited in 0 steps\n"));
    assert!(simulated(1).contains("\n2 states were visited in 1 step\n"));
}
