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

/// The texts at which all messages point.
fn check_all(text: &str, expected: &[&str]) {
    let mut sources = Sources::new();
    let whole = format!("spec Test env boolean x; sys boolean y; sys Int(0..3) n; {text}");
    let file = sources.add("test.spectra", whole);
    let errors = spectra::parse(&sources, file).err().unwrap_or_default();
    let places = errors
        .iter()
        .map(|error| sources.text(error.labels[0].span));
    assert_eq!(places.collect::<Vec<_>>(), expected, "{text}: {errors:?}");
    assert!(
        errors.iter().all(|error| error.help.is_some()),
        "{errors:?}"
    );
}

#[test]
fn all_mistakes_of_an_expression_are_named() {
    check_all("gar n = flor & (xx -> !yy);", &["flor", "xx", "yy"]);
    check_all("gar x & n & (y -> 3);", &["n", "3"]);
    check_all("gar a[b + c] in {d, x};", &["a[b + c]", "b", "c", "d"]);
    check_all("sys boolean[2][2] a; gar a[b][c];", &["b", "c"]);
    check_all(
        "gar (n in {d, 2, e}) | ite(f, g, h) = 1;",
        &["d", "e", "f", "g", "h"],
    );
    check_all("gar next(a) S b;", &["a", "b"]);
    check_all(
        "gar below(a, b) & respondsTo(x);",
        &["below(a, b)", "a", "b", "respondsTo(x)"],
    );
    check_all(
        "gar alwEv respondsTo(a, b);",
        &["respondsTo(a, b)", "a", "b"],
    );
    check_all("gar forall i in Int(0..a) . n = b;", &["a"]);
    check_all("gar trig [a] [b]{c} |=> [x] [d];", &["a", "b", "c", "d"]);
    check_all("counter c(0..5) { inc: a; reset: b; }", &["a", "b"]);
    // What is wrong with a definition is said once, however often it is used.
    check_all("define D := a & b; gar D | !D; gar D;", &["a", "b"]);
    check_all(
        "predicate p(boolean i): i & a & b; gar p(x) & p(c);",
        &["a", "b", "c"],
    );
}

#[test]
fn mistakes_are_named_in_what_nothing_uses() {
    check_all("define D := flor = 2 & wsh;", &["flor", "wsh"]);
    check_all("define D := n & x;", &["n"]);
    check_all("define D[2] := {a, n + b};", &["a", "b"]);
    check_all("define D[2] := {1, 2, 3};", &["2"]);
    check_all("define D := E & a; E := D;", &["a", "D"]);
    check_all("predicate p(Int(0..3) i): n = i + a & b;", &["a", "b"]);
    check_all("predicate p(Flor f): f = n;", &["Flor"]);
    check_all(
        "pattern q(s) { var boolean ok; ini ok & a; trans next(ok) = (s & b); alwEv okk; }",
        &["a", "b", "okk"],
    );
    check_all(
        "monitor boolean m { ini m = a; G next(m) = (x & b); }",
        &["a", "b"],
    );
    check_all("regexp r := [a] [x & b] | c;", &["a", "b", "c"]);
    check_all("type T = Int(0..many);", &["many"]);
    // What could not be declared is no mistake where it is used.
    check_all(
        "sys Flor f; sys {A, A, B} g; counter c(0..k) { inc: e; } gar f = 2 & g = B & c = 1 & d;",
        &["Flor", "A", "k", "d"],
    );
    // Both kinds at once.
    check_all("gar a; define D := b;", &["a", "b"]);
}

/// What is right for some use is no mistake, and what nothing uses changes nothing.
#[test]
fn what_nothing_uses_may_wait_for_its_values() {
    let text = "type T = {A, B}; sys boolean[4] a; sys T t;
        define SIZES[2] := {1, 2};
        define LATER := next(y) | PREV(x) | ONCE(y);
        predicate p(Int(0..9) i): a[i] | a[i - 6] | SIZES[i] = 1;
        predicate q(boolean[4] all, T one, Int(0..3) top):
            all[top] & all.any & one = A & (forall i in Int(0..top) . all[i]);
        predicate r(boolean b): next(b) & next(x) | q(a, A, 2);
        pattern once(s) { var Int(0..2) seen; ini seen = 0;
            trans s -> next(seen) = 1; trans next(y) | s; alwEv seen = 1 | s; }
        regexp w := [x] [y]{1,2} | ~[x];
        gar G y;";
    check_all(text, &[]);
    let parse = |text: &str| {
        let mut sources = Sources::new();
        let file = sources.add(
            "test.spectra",
            format!("spec Test env boolean x; sys boolean y; sys Int(0..3) n; {text}"),
        );
        spectra::parse(&sources, file).expect(text)
    };
    let (spec, plain) = (
        parse(text),
        parse("type T = {A, B}; sys boolean[4] a; sys T t; gar G y;"),
    );
    assert_eq!(spec.variables.len(), plain.variables.len());
    assert_eq!(spectra::write(&spec), spectra::write(&plain));
}

/// Mistakes that are found in exponentially many ways end the search for more.
#[test]
fn mistakes_behind_many_definitions_take_no_time() {
    let mut text = "predicate p0(boolean b): b & a;".to_string();
    for number in 1..60 {
        let below = number - 1;
        text += &format!(" predicate p{number}(boolean b): p{below}(b) & p{below}(!b);");
    }
    check_all(&format!("{text} gar p59(x);"), &["a"]);
    let mut text = "define D0 := D59 & a;".to_string();
    for number in 1..60 {
        let below = number - 1;
        text += &format!(" D{number} := D{below} & !D{below};");
    }
    check_all(&format!("{text} gar D59;"), &["D59", "a"]);
}

#[test]
fn one_of_something_is_not_several() {
    check(
        "sys boolean[2] cell; gar cell[0][1];",
        codes::WRONG_PLACE,
        "cell[0][1]",
        "`cell` has 1 dimension, but 2 indices are given",
    );
    check(
        "sys boolean[2][2] grid; gar grid[0];",
        codes::WRONG_PLACE,
        "grid[0]",
        "`grid` has 2 dimensions, but 1 index is given",
    );
}
