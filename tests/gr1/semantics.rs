//! Corner cases of `docs/semantics.md`.

use respin::bdd::Limits;
use respin::source::Sources;
use respin::spec::gr1::Gr1;
use respin::spec::spectra;
use respin::synth::gr1;

fn parse(text: &str) -> Gr1 {
    let mut sources = Sources::new();
    let file = sources.add("test.spectra", format!("spec Test\n{text}"));
    spectra::parse(&sources, file).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

/// Whether it is realizable under strict semantics, and as an implication.
fn check(text: &str, strict: bool, implication: bool) {
    let spec = parse(text);
    for (spec, expected, semantics) in [
        (spec.clone(), strict, "strict"),
        (spec.as_implication(), implication, "implication"),
    ] {
        let answer = gr1::solve(&spec, Limits::default()).expect("no limits");
        let realizable = answer.map(|verdict| verdict.is_realizable());
        assert_eq!(realizable, Ok(expected), "{semantics}: {text}");
    }
}

#[test]
fn false_initial_assumptions_are_won() {
    check(
        "env boolean x; sys boolean y; asm ini false; gar ini false;",
        true,
        true,
    );
}

#[test]
fn false_initial_guarantees_are_lost() {
    check(
        "env boolean x; sys boolean y; asm alwEv x; gar ini false;",
        false,
        false,
    );
}

#[test]
fn an_environment_that_cannot_move_loses() {
    let text = "env boolean x; sys boolean y; asm trans false; gar alwEv false;";
    check(text, true, true);
}

#[test]
fn a_system_that_cannot_move_loses_unless_the_environment_cannot_either() {
    check(
        "env boolean x; sys boolean y; gar trans false;",
        false,
        false,
    );
    check(
        "env boolean x; sys boolean y; asm trans false; gar trans false;",
        true,
        true,
    );
}

#[test]
fn who_breaks_safety_first_loses_under_strict_semantics_only() {
    // The environment has to break its assumption one step after the system its guarantee.
    let text = "env boolean x; sys boolean y; sys boolean z;
        gar ini y; gar trans !next(y); gar trans next(y);
        gar ini !z; gar trans next(z);
        asm trans !z; asm ini !x;";
    check(text, false, true);
}

#[test]
fn without_constraints_the_system_wins() {
    check("env boolean x; sys boolean y;", true, true);
}

#[test]
fn a_side_may_be_empty() {
    check(
        "env boolean x; sys boolean y; gar trans y <-> x;",
        true,
        true,
    );
    check(
        "env boolean x; sys boolean y; gar trans y <-> next(x);",
        false,
        false,
    );
    check("env boolean x; sys boolean y; asm alwEv x;", true, true);
}

#[test]
fn an_environment_without_variables_is_fine() {
    check("sys boolean y; gar alwEv y; gar alwEv !y;", true, true);
}

#[test]
fn a_system_without_variables_is_fine() {
    check("env boolean x; gar alwEv x;", false, false);
    check("env boolean x; asm alwEv x; gar alwEv x;", true, true);
}

#[test]
fn assumptions_about_the_systems_next_values_bind_the_environment() {
    // The system could break the assumption by its own move; the environment has not.
    let text = "env boolean x; sys boolean y; asm trans next(x) <-> next(y); gar alwEv false;";
    check(text, false, true);
    // No answer keeps the assumption, so the environment has no legal move.
    let text = "env boolean x; sys boolean y; asm trans next(y) & !next(y); gar alwEv false;";
    check(text, true, true);
}

#[test]
fn initial_assumptions_about_the_system_bind_the_environment() {
    let text = "env boolean x; sys boolean y; asm ini x <-> y; gar alwEv false;";
    check(text, false, true);
}

#[test]
fn values_outside_of_a_domain_do_not_exist() {
    check(
        "env Int(0..2) x; sys boolean y; gar alwEv x <= 2;",
        true,
        true,
    );
    check(
        "sys Int(1..3) y; gar ini y = 1; gar trans next(y) = y + 1;",
        false,
        false,
    );
}

#[test]
fn what_was_one_step_before_the_first_is_false() {
    check(
        "env boolean x; sys boolean y; gar ini PREV(true);",
        false,
        false,
    );
    check(
        "env boolean x; sys boolean y; gar ini !PREV(true);",
        true,
        true,
    );
}
