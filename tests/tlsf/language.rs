//! Each part of the language, against the formula that it stands for.

use crate::support::{check, check_part, read, with_info};
use respin::spec::ltl::Section;

#[test]
fn operators_have_words_and_symbols() {
    check("", "a AND b OR NOT c", "(a && b) || !c");
    check("", "a IMPLIES b EQUIV c", "a -> (b <-> c)");
    check("", "!a && b || c", "(!a && b) || c");
    check("", "X F G a", "X F G a");
}

#[test]
fn operators_bind_as_the_language_says() {
    check("", "a -> b U c", "(a -> b) U c");
    check("", "a U b W c", "a U (b W c)");
    check("", "a W b U c", "(a W b) U c");
    check("", "a U b R c", "(a U b) R c");
    check("", "a R b R c", "(a R b) R c");
    check("", "a -> b -> c", "a -> (b -> c)");
    check("", "a -> b <-> c", "a -> (b <-> c)");
    check("", "G a && b", "(G a) && b");
    check("", "! a U b", "(!a) U b");
    check("", "X a <-> F b", "(X a) <-> (F b)");
}

#[test]
fn numbers_bind_as_the_language_says() {
    check(
        "PARAMETERS { n = 2 + 3 * 4 - 1; }",
        "X[n] a",
        &next(13, "a"),
    );
    check("PARAMETERS { n = 12 / 6 / 2; }", "X[n] a", &next(4, "a"));
    check("PARAMETERS { n = 2 * 9 % 5; }", "X[n] a", &next(3, "a"));
    check(
        "PARAMETERS { n = 7 MINUS 2 PLUS 1; }",
        "X[n] a",
        &next(6, "a"),
    );
    check(
        "PARAMETERS { n = 3 MUL 7 DIV 2; }",
        "X[n] a",
        &next(10, "a"),
    );
    check("PARAMETERS { n = 10 - 3 - 4; }", "X[n] a", &next(3, "a"));
}

#[test]
fn division_rounds_down() {
    check(
        "PARAMETERS { n = 8 + (0 - 7) / 2; }",
        "X[n] a",
        &next(4, "a"),
    );
    check("PARAMETERS { n = (0 - 7) % 4; }", "X[n] a", &next(1, "a"));
}

fn next(count: usize, formula: &str) -> String {
    format!("{}{formula}", "X ".repeat(count))
}

#[test]
fn steps_are_counted() {
    check("", "X[0] a", "a");
    check("", "X[3] (a && b)", "X X X (a && b)");
    check("", "F[1:3] a", "X (a || X (a || X a))");
    check("", "G[0:2] a", "a && X (a && X a)");
    check("", "G[2:1] a", "true");
    check("", "F[2:2] a", "X X a");
}

#[test]
fn buses_have_places() {
    check("", "v[0] && w[1 + 1]", "v_0 && w_2");
    check(
        "",
        "v == w",
        "(v_0 <-> w_0) && (v_1 <-> w_1) && (v_2 <-> w_2)",
    );
    check(
        "",
        "v != w",
        "!((v_0 <-> w_0) && (v_1 <-> w_1) && (v_2 <-> w_2))",
    );
    check(
        "DEFINITIONS { last(x) = x[SIZEOF x - 1]; }",
        "last(v)",
        "v_2",
    );
}

#[test]
fn big_operators_count() {
    check("", "&&[0 <= i < 3] v[i]", "v_0 && v_1 && v_2");
    check("", "||[0 < i <= 2] v[i]", "v_1 || v_2");
    check("", "&&[2 < i < 1] v[i]", "true");
    check("", "||[2 < i < 1] v[i]", "false");
    check("", "FORALL[i IN {0, 2}] v[i]", "v_0 && v_2");
    check("", "EXISTS[i ELEM {0, 2}] v[i]", "v_0 || v_2");
    check("", "AND[0 LEQ i LE 2] v[i]", "v_0 && v_1");
    check("", "OR[i <- {1}] v[i]", "v_1");
    check(
        "",
        "&&[0 <= i < 3, i < j < 3] !(v[i] && w[j])",
        "!(v_0 && w_1) && !(v_0 && w_2) && !(v_1 && w_2)",
    );
    check(
        "",
        "&&[0 <= i < 3] G F v[i] <-> G F a",
        "(G F v_0 && G F v_1 && G F v_2) <-> G F a",
    );
    check("", "||[s IN {a, b}] X s", "(X a) || (X b)");
}

#[test]
fn sums_and_products_are_numbers() {
    check(
        "PARAMETERS { n = +[0 <= i < 4] i; }",
        "X[n] a",
        &next(6, "a"),
    );
    check(
        "PARAMETERS { n = SUM[i IN {2, 3}] (i * i) - 3; }",
        "X[n] a",
        &next(10, "a"),
    );
    check(
        "PARAMETERS { n = *[1 <= i < 4] i; }",
        "X[n] a",
        &next(6, "a"),
    );
    check(
        "PARAMETERS { n = PROD[i IN {}] i; }",
        "X[n] a",
        &next(1, "a"),
    );
}

#[test]
fn sets_are_joined_and_measured() {
    let sizes = [
        ("SIZE {1, 2, 2}", 2),
        ("|{1, 2} (+) {2, 3}|", 3),
        ("SIZE ({1, 2} CUP {2, 3})", 3),
        ("SIZE ({1, 2} (*) {2, 3})", 1),
        ("SIZE ({1, 2} CAP {2, 3})", 1),
        ("SIZE ({1, 2, 3} (\\) {2})", 2),
        ("SIZE ({1, 2, 3} SETMINUS {2} (-) {2})", 3),
        ("SIZE {0, 2 .. 9}", 5),
        ("SIZE {5, 4 .. 1}", 5),
        ("SIZE {1, 2 .. 0}", 0),
        ("MIN {4, 2, 3}", 2),
        ("MAX {4, 2, 3}", 4),
        ("SIZE ((+)[0 <= i < 3] {i, i + 1})", 4),
        ("SIZE ((*)[0 <= i < 2] {i, i + 1})", 1),
        ("SIZE (CUP[i IN {1, 2}] {{i}})", 2),
        ("SIZE {}", 0),
    ];
    for (size, expected) in sizes {
        check(
            &format!("DEFINITIONS {{ n = {size}; }}"),
            "X[n] a",
            &next(expected, "a"),
        );
    }
}

#[test]
fn functions_have_cases() {
    let bit = "DEFINITIONS {
        value(bus, v) = value'(bus, v, 0, SIZEOF bus);
        value'(bus, v, i, j) =
          i >= j        : true
          bit(v, i) == 1 : value'(bus, v, i + 1, j) &&  bus[i]
          otherwise     : value'(bus, v, i + 1, j) && !bus[i];
        bit(v, i) =
          i <= 0     : v % 2
          otherwise : bit(v / 2, i - 1);
    }";
    check(bit, "value(v, 5)", "v_0 && !v_1 && v_2");
    check(bit, "value(w, 2)", "!w_0 && w_1 && !w_2");
}

#[test]
fn the_first_case_that_applies_is_taken_and_otherwise_last() {
    let cases = "DEFINITIONS { f(x) = otherwise : 3 x > 2 : 2 x > 1 : 1; }";
    check(
        cases,
        "X[f(5)] a && X[f(2)] b && X[f(0)] c",
        "X X a && X b && X X X c",
    );
}

#[test]
fn conditions_are_connected() {
    let cases = "DEFINITIONS { f(x) = x == 1 || x == 2 && !(x IN {2}) : a
        x /= 2 -> false : b  otherwise : c; }";
    check(cases, "f(1)", "a");
    check(cases, "f(2)", "b");
    check(cases, "f(3)", "c");
}

#[test]
fn a_condition_protects_what_follows() {
    check(
        "",
        "&&[0 <= i < 3] (i + 1 < 3 && v[i + 1] || a)",
        "(v_1 || a) && (v_2 || a) && a",
    );
    check("", "&&[0 <= i < 3] (i + 1 < 3 -> v[i + 1])", "v_1 && v_2");
}

#[test]
fn formulas_are_matched() {
    let strip = "DEFINITIONS {
        strip(f) =
          f ~ G g : strip(g)
          f ~ (x -> y) : strip(y)
          f ~ (x && y) : strip(x)
          f ~ !_ : false
          otherwise : f;
    }";
    check(strip, "strip(G (a -> b && c))", "b");
    check(strip, "strip(X a)", "X a");
    check(strip, "strip(!a)", "false");
    let more = "DEFINITIONS { f(p) = p ~ (x U y) : y  p ~ (x || y || z) : y  p ~ (x <-> true) : x
        p ~ (x W y) : x p ~ (x R F y) : y otherwise : c; }";
    check(more, "f(a U b)", "b");
    check(more, "f(a || b || c)", "b");
    check(more, "f(a || b)", "c");
    check(more, "f(a <-> true)", "a");
    check(more, "f(a W b)", "a");
    check(more, "f(a R F b)", "b");
    check(more, "f(a R X b)", "c");
}

#[test]
fn what_a_pattern_binds_ends_with_its_requirement() {
    let text = with_info(
        "MAIN { INPUTS { a; b; } OUTPUTS { c; } GUARANTEE { (G b ~ G a) -> X a; a -> c; } }",
    );
    let spec = read(&text, &[]).unwrap().spec;
    check_part(&spec, Section::Guarantee, 0, "X b");
    check_part(&spec, Section::Guarantee, 1, "a -> c");
}

#[test]
fn definitions_may_use_signals_and_each_other_in_any_order() {
    check(
        "DEFINITIONS { p = q -> X[n] r(a); q = b; r(x) = x && c; } PARAMETERS { n = m; m = 2; }",
        "p",
        "b -> X X (a && c)",
    );
}

#[test]
fn variables_hide_what_is_outside() {
    check(
        "PARAMETERS { i = 7; }",
        "&&[0 <= i < 2] ||[i <= i < 3] v[i]",
        "(v_0||v_1||v_2) && (v_1||v_2)",
    );
    check("DEFINITIONS { f(a) = X a; }", "f(b)", "X b");
}

#[test]
fn equal_calls_are_worked_out_once() {
    // Two to the power of 200 calls.
    let global = "DEFINITIONS { fib(n) = n <= 1 : n otherwise : (fib(n - 1) + fib(n - 2)) % 7; }";
    // Modulo 7 the sequence has the period 16, and its ninth member is 34.
    check(global, "X[fib(9 + 16 * 12)] a", &next(34 % 7, "a"));
    let doubled = "DEFINITIONS { f(n) = n == 0 : a otherwise : X f(n - 1) && X f(n - 1); }";
    check(doubled, "f(3)", "X X X a");
}

#[test]
fn enumerations_are_codes() {
    let text = with_info(
        "GLOBAL { DEFINITIONS {
            enum State = IDLE: 00  BUSY: 10, 11  ;
            idle(s) = s == IDLE;
        } }
        MAIN { INPUTS { State x; a; } OUTPUTS { State y; z[2]; }
          GUARANTEE { x == IDLE -> y != BUSY; idle(y); z == IDLE; BUSY == y; x == y; } }",
    );
    let spec = read(&text, &[]).unwrap().spec;
    assert_eq!(spec.inputs, ["x_0", "x_1", "a"]);
    assert_eq!(spec.outputs, ["y_0", "y_1", "z_0", "z_1"]);
    let guarantee = |index, expected| check_part(&spec, Section::Guarantee, index, expected);
    guarantee(0, "(!x_0 && !x_1) -> !((y_0 && !y_1) || (y_0 && y_1))");
    guarantee(1, "!y_0 && !y_1");
    guarantee(2, "!z_0 && !z_1");
    guarantee(3, "(y_0 && !y_1) || (y_0 && y_1)");
    guarantee(4, "(x_0 <-> y_0) && (x_1 <-> y_1)");
    // The code 01 belongs to nobody.
    let valid = |name: &str| {
        format!("(!{name}_0 && !{name}_1) || ({name}_0 && !{name}_1) || ({name}_0 && {name}_1)")
    };
    check_part(&spec, Section::Require, 0, &valid("x"));
    check_part(&spec, Section::Assert, 0, &valid("y"));
    assert_eq!(spec.parts.len(), 7);
}

#[test]
fn an_enumeration_with_all_codes_asks_nothing() {
    let text = with_info(
        "GLOBAL { DEFINITIONS { enum T = A: 0* B: 10 C: 11; } }
         MAIN { INPUTS { T x; } OUTPUTS { y; } GUARANTEE { G (x == A -> y); } }",
    );
    let spec = read(&text, &[]).unwrap().spec;
    assert_eq!(spec.parts.len(), 1);
    check_part(&spec, Section::Guarantee, 0, "G (!x_0 -> y)");
}

#[test]
fn parameters_are_replaced() {
    let text = with_info(
        "GLOBAL { PARAMETERS { n = 2; m = n + 1; } }
         MAIN { INPUTS { r[n]; } OUTPUTS { g[m]; } GUARANTEE { &&[0 <= i < n] (r[i] -> g[i]); } }",
    );
    let document = read(&text, &[]).unwrap();
    assert_eq!(document.spec.outputs.len(), 3);
    let document = read(&text, &[("n", 4)]).unwrap();
    assert_eq!(document.spec.inputs, ["r_0", "r_1", "r_2", "r_3"]);
    assert_eq!(document.spec.outputs.len(), 5);
    assert_eq!(
        document.parameters,
        [("n".to_string(), 4), ("m".to_string(), 5)]
    );
    let document = read(&text, &[("m", 9), ("n", 1)]).unwrap();
    assert_eq!(document.spec.outputs.len(), 9);
}

#[test]
fn comments_nest_and_names_have_primes() {
    check(
        "DEFINITIONS { /* a /* b */ c */ p'@_1 = a; // x\n }",
        "p'@_1 /* */ && b",
        "a && b",
    );
}

#[test]
fn the_last_semicolon_may_be_missing_and_others_may_be_too_many() {
    let text = with_info("MAIN { INPUTS { a; ; b } OUTPUTS { c } GUARANTEE { ; a; b -> c } }");
    let spec = read(&text, &[]).unwrap().spec;
    assert_eq!(spec.parts.len(), 2);
}

#[test]
fn sections_may_come_twice_and_in_any_order() {
    let text = with_info(
        "MAIN { GUARANTEES { c; } OUTPUTS { c; } INPUTS { a; } GUARANTEE { X a; } INPUTS { b; } }",
    );
    let spec = read(&text, &[]).unwrap().spec;
    assert_eq!(spec.inputs, ["a", "b"]);
    check_part(&spec, Section::Guarantee, 0, "c");
    check_part(&spec, Section::Guarantee, 1, "X a");
}
