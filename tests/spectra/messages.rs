//! What is refused, and where.

use respin::source::codes::specification as codes;
use respin::source::{Code, Sources};
use respin::spec::spectra;

/// The code of the first message, the text at which it points, and a part of the message.
fn check(text: &str, code: Code, at: &str, message: &str) {
    let mut sources = Sources::new();
    let whole = format!("spec Test env boolean x; sys boolean y; sys Int(0..3) n; {text}");
    let file = sources.add("test.spectra", whole);
    let errors = spectra::parse(&sources, file).expect_err(text);
    let error = &errors[0];
    assert_eq!(error.code, code, "{text}: {error:?}");
    assert_eq!(sources.text(error.labels[0].span), at, "{text}: {error:?}");
    assert!(error.message.contains(message), "{text}: {error:?}");
    assert!(error.help.is_some(), "{text}: {error:?}");
}

#[test]
fn what_is_not_supported() {
    check("gar GE x, y;", codes::NOT_SUPPORTED, "GE", "existential");
    check(
        "gar e: GEF [y];",
        codes::NOT_SUPPORTED,
        "GEF",
        "existential",
    );
}

#[test]
fn what_has_no_effect_is_said() {
    let check_code = |text: &str, code: Code, at: &str, message: &str| {
        let mut sources = Sources::new();
        let whole = format!("spec Test env boolean x; sys boolean y; {text}");
        let file = sources.add("test.spectra", whole);
        let spec = spectra::parse(&sources, file).expect(text);
        let [warning] = spec.warnings.as_slice() else {
            panic!("{text}: {:?}", spec.warnings);
        };
        assert_eq!(warning.code, code, "{text}");
        assert_eq!(sources.text(warning.labels[0].span), at, "{text}");
        assert!(warning.message.contains(message), "{text}: {warning:?}");
    };
    let check = |text: &str, at: &str, message: &str| {
        check_code(text, codes::WITHOUT_EFFECT, at, message);
    };
    check_code(
        "gar next(y);",
        codes::MISPLACED_NEXT,
        "next(y)",
        "first step only",
    );
    check("weight 3 y;", "weight 3 y;", "weight");
    check(
        "weight far: -2 x & next(y);",
        "weight far: -2 x & next(y);",
        "weight",
    );
    check("regtest [y];", "regtest [y];", "regular expression");
    let pattern = "P_is_false_globally(y)";
    check(&format!("gar G {pattern};"), pattern, "says itself");
    check(
        &format!("asm alw ({pattern});"),
        &format!("({pattern})"),
        "says itself",
    );
}

#[test]
fn a_type_is_declared_again_as_another() {
    check(
        "type T = {A, B}; type T = {A, C};",
        codes::REPEATED_DECLARATION,
        "T",
        "another type",
    );
}

#[test]
fn enumerations_in_different_orders() {
    check(
        "sys {A, B} p; sys {B, A} q; gar G p < q;",
        codes::WRONG_TYPE,
        "p < q",
        "one enumeration",
    );
    check(
        "sys {A, B} p; gar G A <= B;",
        codes::WRONG_TYPE,
        "A <= B",
        "one enumeration",
    );
}

#[test]
fn arrays_as_arguments() {
    let predicate = "predicate any(boolean[2] a): a.any;";
    let wrong = |text: &str, code, at: &str, message: &str| {
        check(&format!("{predicate} {text}"), code, at, message);
    };
    wrong(
        "sys boolean[3] b; gar G any(b);",
        codes::WRONG_ARGUMENTS,
        "b",
        "sizes",
    );
    wrong(
        "sys Int(0..1)[2] b; gar G any(b);",
        codes::WRONG_TYPE,
        "b",
        "Boolean and integer",
    );
    wrong("gar G any(y);", codes::WRONG_TYPE, "y", "array and Boolean");
    check(
        "predicate same(boolean a): a; sys boolean[2] b; gar G same(b);",
        codes::WRONG_ARGUMENTS,
        "b",
        "sizes",
    );
}

#[test]
fn regular_expressions() {
    let check_unexpected = |text, at, message| check(text, codes::UNEXPECTED_TEXT, at, message);
    check_unexpected("gar trig |=> [y];", "|=>", "regular expression");
    check_unexpected("gar trig [x];", ";", "`|=>`");
    check_unexpected("gar trig [x] |=> [y]**;", "*", "`;`");
    check(
        "gar trig [next(x)] |=> [y];",
        codes::MISPLACED_NEXT,
        "next(x)",
        "next values",
    );
    check(
        "gar trig seen |=> [y];",
        codes::UNKNOWN_NAME,
        "seen",
        "regular expression",
    );
    check("gar trig [n] |=> [y];", codes::WRONG_TYPE, "n", "Boolean");
    check(
        "gar trig [x]{3,2} |=> [y];",
        codes::WRONG_RANGE,
        "[x]{3,2}",
        "repetitions",
    );
    check(
        "gar trig [x]{n} |=> [y];",
        codes::NOT_CONSTANT,
        "n",
        "constant",
    );
    check(
        "gar trig true* [x] true{2000} |=> [y];",
        codes::TOO_LARGE,
        "gar trig true* [x] true{2000} |=> [y];",
        "too many states",
    );
    check(
        "regexp a := b; b := a [x]; gar trig a |=> [y];",
        codes::CYCLIC,
        "a",
        "itself",
    );
    check(
        "regexp a := [x]; gar alw a;",
        codes::WRONG_PLACE,
        "a",
        "regular expression",
    );
    check(
        "gar alw x | regexp([y]);",
        codes::WRONG_PLACE,
        "regexp([y])",
        "inside an expression",
    );
    check(
        "gar ini regexp([y]);",
        codes::WRONG_PLACE,
        "regexp([y])",
        "inside",
    );
}

#[test]
fn definitions_and_imports() {
    check(
        "import shared",
        codes::UNEXPECTED_TEXT,
        "shared",
        "name of a file",
    );
    check(
        "import \"a.spectra\"",
        codes::NOT_SUPPORTED,
        "\"a.spectra\"",
        "a.spectra",
    );
    check(
        "define a[2] := {1, 2, 3}; gar alw n = a[0];",
        codes::WRONG_RANGE,
        "2",
        "3",
    );
    check(
        "define a[1][2] := {1, 2}; gar alw n = a[0][0];",
        codes::WRONG_RANGE,
        "1",
        "2",
    );
    check(
        "define a[2] := {1, 2}; gar alw n = a[2];",
        codes::NOT_A_VALUE,
        "2",
        "no element",
    );
    check(
        "define a[2] := {1, true}; gar alw n = a[n];",
        codes::WRONG_TYPE,
        "a[n]",
        "fit",
    );
}

#[test]
fn next_values() {
    check(
        "monitor boolean m { next(y); }",
        codes::MISPLACED_NEXT,
        "next(y)",
        "starts",
    );
    check(
        "gar alw next(next(y));",
        codes::MISPLACED_NEXT,
        "next(next(y))",
        "`next` inside",
    );
    check(
        "gar alw ONCE(next(y));",
        codes::MISPLACED_NEXT,
        "(next(y))",
        "past",
    );
    check("gar alw x' & y';", codes::UNEXPECTED_TEXT, "'", "`'`");
}
