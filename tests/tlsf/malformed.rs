//! Files with mistakes: each is refused with a code, a place in the text and a way out.

use crate::support::{codes, read, with_guarantee, with_info};
use respin::random::Random;
use respin::source::{Code, Diagnostic};

/// The first message has this code, and everything has a place and a help.
fn check(text: &str, expected: u16) {
    let errors = match read(text, &[]) {
        Ok(document) => panic!("accepted: {text}\n{:?}", document.spec.parts),
        Err(errors) => errors,
    };
    assert_eq!(codes(&errors)[0], Code(expected), "{text}\n{errors:#?}");
    check_messages(text, &errors);
}

fn check_messages(text: &str, errors: &[Diagnostic]) {
    assert!(!errors.is_empty());
    for error in errors {
        assert!(error.help.is_some(), "{error:?}");
        assert!(!error.labels.is_empty(), "{error:?}");
        for label in &error.labels {
            let (start, end) = (label.span.start as usize, label.span.end as usize);
            assert!(text.get(start..end).is_some(), "{error:?}");
        }
    }
}

fn check_guarantee(global: &str, guarantee: &str, expected: u16) {
    check(&with_guarantee(global, guarantee), expected);
}

#[test]
fn syntax() {
    let main = "MAIN { INPUTS { a; } OUTPUTS { b; } GUARANTEE { a -> b; } }";
    let info = |entries: &str| format!("INFO {{ {entries} }} {main}");
    let cases = [
        String::new(),
        "INFO".to_string(),
        main.to_string(),
        info(""),
        info("TITLE: \"t\" DESCRIPTION: \"d\" SEMANTICS: Mealy"),
        info("TITLE: \"t\" DESCRIPTION: \"d\" TARGET: Mealy"),
        info("TITLE: t SEMANTICS: Mealy TARGET: Mealy"),
        info("TITLE \"t\" SEMANTICS: Mealy TARGET: Mealy"),
        info("TITLE: \"t SEMANTICS: Mealy TARGET: Mealy"),
        info("TITEL: \"t\" SEMANTICS: Mealy TARGET: Mealy"),
        info("SEMANTICS: Mealey TARGET: Mealy"),
        info("SEMANTICS: Strict TARGET: Mealy"),
        info("SEMANTICS: Strict,Mealy,Strict TARGET: Mealy"),
        info("SEMANTICS: Mealy,Moore TARGET: Mealy"),
        info("SEMANTICS: Mealy TARGET: Strict"),
        info("SEMANTICS: Mealy TARGET: Mealy TAGS: 1"),
        with_info(""),
        with_info("MAIN"),
        with_info("MAIN {"),
        with_info("MAIN { } }"),
        with_info("MAIN { } MAIN { }"),
        with_info("MAIN { } GLOBAL { }"),
        with_info("MAIN { INPUT { a; } }"),
        with_info("MAIN { INPUTS { a, b; } }"),
        with_info("MAIN { INPUTS { G; } }"),
        with_info("MAIN { INPUTS { 1a; } }"),
        with_info("MAIN { INPUTS { a[; } }"),
        with_info("MAIN { INPUTS { a; } GUARANTEE { a b; } }"),
        with_info("GLOBAL { PARAMETER { n = 1; } } MAIN { }"),
        with_info("GLOBAL { PARAMETERS { n(x) = 1; } } MAIN { }"),
        with_info("GLOBAL { PARAMETERS { n = ; } } MAIN { }"),
        with_info("GLOBAL { DEFINITIONS { f() = 1; } } MAIN { }"),
        with_info("GLOBAL { DEFINITIONS { f(x, ) = 1; } } MAIN { }"),
        with_info("GLOBAL { DEFINITIONS { f = 1 2; } } MAIN { }"),
        with_info("GLOBAL { DEFINITIONS { f(x) = x > 1 : 1 2; } } MAIN { }"),
        with_info("GLOBAL { DEFINITIONS { enum = A: 1; } } MAIN { }"),
        with_info("GLOBAL { DEFINITIONS { enum E = ; } } MAIN { }"),
        with_info("GLOBAL { DEFINITIONS { enum E = A: 2; } } MAIN { }"),
        with_info("/* MAIN { }"),
        with_info("MAIN { } €"),
    ];
    for text in cases {
        check(&text, 400);
    }
}

#[test]
fn expressions() {
    let cases = [
        "a &&",
        "&& a",
        "(a",
        "a)",
        "a & b",
        "a | b",
        "a ^ b",
        "a = b",
        "v[0",
        "v[]",
        "&&[] a",
        "&&[i] v[i]",
        "&&[0 <= i] v[i]",
        "&&[0 <= 1 < 2] a",
        "&&[0 >= i > 2] v[i]",
        "&&[i IN {0, 1} a",
        "X[1 a",
        "F[1] a",
        "G[1:] a",
        "{1, 2 .. } IN a",
        "SIZE {1 .. 3} == 1",
        "SIZE {1, 2, 3 .. 4} == 1",
        "a U",
        "Y a",
        "a -> ",
        "true false",
        "|{1} == 1",
    ];
    for expression in cases {
        check_guarantee("", expression, 400);
    }
}

#[test]
fn names() {
    check_guarantee("", "d", 401);
    check_guarantee("", "f(a)", 401);
    check_guarantee("", "x[0]", 401);
    check_guarantee("DEFINITIONS { unused = nothing; }", "a", 401);
    check_guarantee(
        "DEFINITIONS { unused(x) = x && &&[0 <= i < 2] y; }",
        "a",
        401,
    );
    check_guarantee("", "(&&[0 <= i < 2] v[i]) && v[i]", 401);
    check(&with_info("MAIN { INPUTS { T x; } }"), 401);
    check(&with_info("MAIN { INPUTS { a; a; } }"), 404);
    check(&with_info("MAIN { INPUTS { a; } OUTPUTS { a; } }"), 404);
    check(&with_info("MAIN { INPUTS { a[2]; a_1; } }"), 404);
    check_guarantee("PARAMETERS { a = 1; }", "b", 404);
    check_guarantee("DEFINITIONS { f(x, x) = x; }", "b", 404);
    check_guarantee("DEFINITIONS { f = 1; f(x) = x; }", "b", 404);
    check_guarantee("DEFINITIONS { enum E = A: 0 B: *; }", "b", 404);
    check_guarantee("DEFINITIONS { enum E = A: 0; enum E = B: 1; }", "b", 404);
    check_guarantee("DEFINITIONS { enum E = A: 0 A: 1; }", "b", 404);
    check(
        "INFO { TITLE: \"\" TITLE: \"\" SEMANTICS: Mealy TARGET: Mealy } MAIN { }",
        404,
    );
}

#[test]
fn kinds_of_values() {
    let cases = [
        "1",
        "v",
        "{a}",
        "a && 1",
        "G 2",
        "a == b",
        "a == true",
        "v == a",
        "1 == a",
        "1 == {1}",
        "a < b",
        "X[a] b",
        "SIZEOF a == 1",
        "SIZE v == 1",
        "MIN {a} == 1",
        "a + 1 == 2",
        "1 IN 2",
        "{1} (+) 2 == {1}",
        "a[0]",
        "&&[i IN v] a",
        "&&[0 <= i < a] b",
        "1 -> a",
        "true -> 1",
        "a <-> 1",
        "&&[0 <= i < 2] i",
        "+[0 <= i < 2] a == 1",
        "SIZE ((+)[0 <= i < 2] i) == 1",
        "!1",
        "1 ~ x",
        "a U 1",
    ];
    for expression in cases {
        check_guarantee("", expression, 402);
    }
    check_guarantee("PARAMETERS { n = true; }", "X[n] a", 402);
    check_guarantee("DEFINITIONS { enum E = A: 01; }", "v == A", 402);
    check_guarantee("DEFINITIONS { enum E = A: 01; }", "A", 402);
    check_guarantee("DEFINITIONS { f(x) = x : a; }", "f(1)", 402);
}

#[test]
fn values_and_calculations() {
    check_guarantee("", "v[3]", 405);
    check_guarantee("", "v[0 - 1]", 405);
    check_guarantee("", "&&[0 <= i <= SIZEOF v] v[i]", 405);
    check_guarantee("", "X[0 - 1] a", 406);
    check_guarantee("", "X[99999999] a", 406);
    check_guarantee("", "F[2:1] a", 406);
    check_guarantee("", "SIZE {1, 1 .. 2} == 1", 406);
    check_guarantee("DEFINITIONS { enum E = A: 01 B: 1; }", "a", 406);
    check(&with_info("MAIN { INPUTS { a[0 - 1]; } }"), 406);
    check_guarantee("", "X[1 / 0] a", 416);
    check_guarantee("", "X[1 % 0] a", 416);
    check_guarantee("", "X[9223372036854775807 + 1] a", 416);
    check_guarantee("", "X[MAX {}] a", 416);
    check_guarantee("", "SIZE ((*)[i IN {}] {i}) == 1", 416);
    check_guarantee("", "X[9223372036854775808] a", 415);
}

#[test]
fn definitions() {
    check_guarantee("DEFINITIONS { f(x) = x; }", "f", 408);
    check_guarantee("DEFINITIONS { f(x) = x; }", "f(a, b)", 408);
    check_guarantee("DEFINITIONS { f = a; }", "f(a)", 408);
    check_guarantee("", "a(b)", 408);
    check_guarantee("DEFINITIONS { f(g) = g(a); }", "f(a)", 408);
    check_guarantee("", "_ && a", 409);
    check_guarantee("", "otherwise", 409);
    check_guarantee("DEFINITIONS { f(x) = x ~ 1 : a; }", "f(a)", 409);
    check_guarantee("DEFINITIONS { f(x) = x ~ v[0] : a; }", "f(a)", 409);
    check_guarantee("DEFINITIONS { f(x) = x : a otherwise : b; }", "f(c)", 411);
    check(&with_info("MAIN { INPUTS { a[SIZEOF b]; b[2]; } }"), 411);
    check_guarantee("DEFINITIONS { f(x) = x > 1 : a; }", "f(1)", 414);
    check(
        "INFO { TITLE: \"\" DESCRIPTION: \"\" SEMANTICS: Finite,Mealy TARGET: Mealy } MAIN { }",
        407,
    );
}

#[test]
fn recursion_without_end() {
    check_guarantee("DEFINITIONS { f = g; g = f; }", "f", 410);
    check_guarantee("PARAMETERS { n = m; m = n; }", "X[n] a", 410);
    check_guarantee("DEFINITIONS { f(x) = f(x); }", "f(1)", 410);
    check_guarantee("DEFINITIONS { f(x) = f(x + 1); }", "f(1)", 415);
    check_guarantee("DEFINITIONS { f(x) = X f(x + 1); }", "f(1)", 415);
    check_guarantee("DEFINITIONS { f(x) = f(x + 1) && f(x + 2); }", "f(1)", 415);
    check_guarantee("DEFINITIONS { f(x) = f({x}); }", "f(1)", 415);
    check_guarantee("DEFINITIONS { f(x) = f(X x); }", "f(a)", 415);
    check_guarantee("", "&&[0 <= i < 100000000] a", 415);
    check_guarantee(
        "",
        "&&[0 <= i < 100000] &&[0 <= j < 100000] X[i] v[j % 3]",
        415,
    );
    check_guarantee("", "SIZE {0, 1 .. 1000000000000} == 1", 415);
}

#[test]
fn depth() {
    let deep = |count: usize| format!("{}a{}", "(".repeat(count), ")".repeat(count));
    check_guarantee("", &deep(100_000), 415);
    assert!(read(&with_guarantee("", &deep(1_000)), &[]).is_ok());
    check_guarantee("", &format!("{}a", "X ".repeat(100_000)), 415);
    check_guarantee("", &format!("{}1 == 1", "1 + ".repeat(100_000)), 415);
    let long = format!("{}a", "X v[1] && ".repeat(100_000));
    assert!(read(&with_guarantee("", &long), &[]).is_ok());
}

#[test]
fn options() {
    let text = with_info("GLOBAL { PARAMETERS { count = 1; } } MAIN { }");
    for name in ["n", "cuont"] {
        let errors = read(&text, &[(name, 1)]).expect_err("no such parameter");
        assert_eq!(codes(&errors), [Code(401)]);
        assert!(errors[0].help.is_some());
    }
}

const TEMPLATE: &str = "INFO {
  TITLE:       \"Arbiter\"
  DESCRIPTION: \"mutated\"
  SEMANTICS:   Mealy,Strict
  TARGET:      Mealy
}
GLOBAL {
  PARAMETERS { n = 2; }
  DEFINITIONS {
    enum E = A: 0* B: 11;
    // at most one
    mone(bus, i, j) =
      i > j  : false
      i == j : true
      otherwise : (none(bus, i, m(i, j)) && mone(bus, m(i, j) + 1, j)) ||
                  (mone(bus, i, m(i, j)) && none(bus, m(i, j) + 1, j));
    none(bus, i, j) = &&[i <= t <= j] !bus[t];
    m(i, j) = (i + j) / 2;
    inner(f) = f ~ G x : x  otherwise : f;
  }
}
MAIN {
  INPUTS { r[n]; E mode; }
  OUTPUTS { g[n]; }
  INITIALLY { &&[0 <= i < n] !r[i]; }
  ASSERT { mone(g, 0, SIZEOF g - 1); }
  GUARANTEE {
    ||[i IN {0, 1 .. n - 1}] G (mode == A && r[i] -> X F[0:2] inner(G g[i]));
    &&[0 <= i < n] (r[i] R !g[i]);
  }
}
";

#[test]
fn the_template_itself_is_fine() {
    assert!(read(TEMPLATE, &[("n", 5)]).is_ok());
}

#[test]
fn every_beginning_is_refused() {
    for end in 0..TEMPLATE.trim_end().len() {
        let text = &TEMPLATE[..end];
        let errors = read(text, &[]).expect_err("a beginning is no file");
        check_messages(text, &errors);
    }
}

#[test]
fn mutations_give_messages_with_places() {
    let pieces = [
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        ";",
        ":",
        ",",
        "&&",
        "||",
        "->",
        "G",
        "X[",
        "i",
        "n",
        "1",
        "0",
        "-",
        "/",
        "==",
        "~",
        "IN",
        "otherwise",
        "\"",
        "/*",
        "*/",
        "g",
        "mone",
        "'",
        "é",
    ];
    let mut random = Random::new(1);
    let mut refused = 0;
    for _ in 0..3_000 {
        let start = random.below(TEMPLATE.len());
        let end = (start + random.below(6)).min(TEMPLATE.len());
        let piece = random.pick(&pieces);
        let text = match random.below(2) {
            0 => format!("{}{piece}{}", &TEMPLATE[..start], &TEMPLATE[end..]),
            _ => format!("{}{}", &TEMPLATE[..start], &TEMPLATE[end..]),
        };
        if let Err(errors) = read(&text, &[]) {
            check_messages(&text, &errors);
            refused += 1;
        }
    }
    assert!(refused > 1_000, "only {refused} were refused");
}

#[test]
fn one_bit_is_not_several() {
    let text = with_guarantee("DEFINITIONS { enum Kind = A: 00 B: 1; }", "a");
    let errors = read(&text, &[]).expect_err("codes of different lengths");
    assert_eq!(errors[0].message, "this code has 1 bit");
}
