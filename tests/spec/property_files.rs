//! Property files: what they mean, and what is said about broken ones.

use crate::golden;
use crate::support::{render, source};
use respin::expr::Role;
use respin::spec::Formulas;
use respin::spec::property_file::{PropertyFile, parse_formula, parse_property_file};

fn read(text: &str) -> (Formulas, PropertyFile) {
    let mut formulas = Formulas::new();
    let (_, file) = source(text);
    match parse_property_file(&mut formulas, file, text) {
        Ok(parsed) => (formulas, parsed),
        Err(errors) => {
            let errors: Vec<String> = errors.iter().map(|error| render(text, error)).collect();
            panic!("{}", errors.concat());
        }
    }
}

/// The formulas of a file, one per property.
fn formulas_of(text: &str) -> Vec<String> {
    let (formulas, parsed) = read(text);
    let properties = parsed.properties.iter();
    properties
        .map(|property| formulas.text(property.formula))
        .collect()
}

#[test]
fn the_example_of_the_manual_reads_as_it_should() {
    let text = "\
define waiting := state == WAIT;                 // macros over signals
assume fair:  G F tick;                           -- what the environment keeps
assert mutex: G !(gnt[0] & gnt[1]);               /* what the design must keep */
guarantee live:  G (waiting -> F gnt[0]);
assert G tick;
";
    let (formulas, parsed) = read(text);
    let found: Vec<(Role, Option<&str>, String)> = parsed
        .properties
        .iter()
        .map(|property| {
            let formula = formulas.text(property.formula);
            (property.role, property.name.as_deref(), formula)
        })
        .collect();
    let expected = [
        (Role::Assume, Some("fair"), "G F tick"),
        (Role::Assert, Some("mutex"), "G !(gnt[0] & gnt[1])"),
        (
            Role::Assert,
            Some("live"),
            "G (!(state == WAIT) || F gnt[0])",
        ),
        (Role::Assert, None, "G tick"),
    ];
    let expected = expected.map(|(role, name, formula)| (role, name, formula.to_string()));
    assert_eq!(found, expected);
}

/// Each formula with every operator in the form the printer gives it.
fn check_formulas(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        let mut formulas = Formulas::new();
        let (_, file) = source(text);
        let found = match parse_formula(&mut formulas, file, text) {
            Ok(formula) => formulas.text(formula),
            Err(error) => render(text, &error),
        };
        assert_eq!(found, *expected, "`{text}`");
    }
}

#[test]
fn atoms_end_where_verilog_says() {
    check_formulas(&[
        // One atom: Verilog's bitwise operators between words.
        ("a & b == c", "a & b == c"),
        ("x & y", "x & y"),
        ("x ^ y", "x ^ y"),
        ("(x & mask) == 3", "(x & mask) == 3"),
        ("a + b < c", "a + b < c"),
        ("!(gnt[0] & gnt[1])", "!(gnt[0] & gnt[1])"),
        ("c ? a : b", "c ? a : b"),
        ("(a && b) == c", "(a && b) == c"),
        ("(a or b) == c", "(a || b) == c"),
        // Two atoms: connectives, or operands that are visibly one bit.
        ("x && y", "x && y"),
        ("x and y", "x && y"),
        ("x | y", "x || y"),
        ("a == 1 & b == 2", "a == 1 && b == 2"),
        ("&a & |b", "&a && |b"),
        ("!x & !y", "!x && !y"),
        ("~(a < b) & c > d", "!(a < b) && c > d"),
        // Formulas: a temporal operator on one side makes `&` a connective.
        ("req[0] -> F gnt[0]", "!req[0] || F gnt[0]"),
        ("(a | b) & X c", "(a || b) && X c"),
        ("state == WAIT & G p", "state == WAIT && G p"),
        ("x & y & X z", "x && y && X z"),
        ("X z & x & y", "x && y && X z"),
        ("x & X z & y", "x && y && X z"),
        ("(x & y) & X z", "(x & y) && X z"),
        ("c ? X a : X b", "(!c || X a) && (c || X b)"),
        ("a ^ X b", "!((!a || X b) && (a || !X b))"),
        // Constants.
        ("true", "true"),
        ("1", "true"),
        ("4'd0", "false"),
        ("a -> true", "true"),
    ]);
}

#[test]
fn temporal_operators_bind_between_comparisons_and_connectives() {
    check_formulas(&[
        ("G a == b", "G (a == b)"),
        ("G a & b", "b && G a"),
        ("!X a", "!X a"),
        ("!a U b", "!a U b"),
        ("not a == b", "!(a == b)"),
        ("not a U b", "!a U b"),
        ("G a U b", "G a U b"),
        ("a U b U c", "a U b U c"),
        ("(a U b) U c", "(a U b) U c"),
        ("a == b U c == d", "a == b U c == d"),
        ("a U b && c", "c && a U b"),
        ("a U b & c", "c && a U b"),
        ("a -> b -> c", "!b || c || !a"),
        ("X X a", "X X a"),
        ("a S b", "a S b"),
        ("a T b", "a T b"),
        ("a M b", "a M b"),
        ("Y O H Z a", "Y O H Z a"),
    ]);
}

#[test]
fn words_and_letters_are_the_same_operators() {
    check_formulas(&[
        ("always eventually next a", "G F X a"),
        ("a until b", "a U b"),
        ("a weak_until b", "a W b"),
        ("a release b", "a R b"),
        ("prev once historically a", "Y O H a"),
        ("a since b", "a S b"),
        ("not a and b or c", "c || !a && b"),
    ]);
}

#[test]
fn signals_may_be_named_like_operators() {
    check_formulas(&[
        ("next == IDLE", "\\next  == IDLE"),
        ("F[3]", "\\F [3]"),
        ("G (next != state)", "G (\\next  != state)"),
        ("(G) & a", "\\G  & a"),
        ("\\G & a", "\\G  & a"),
        ("G U a", "\\G  U a"),
        ("X U", "X \\U "),
        ("U U U", "\\U  U \\U "),
        ("G -> F", "!\\G  || \\F "),
        ("u0.G && u0.next[1]", "u0.G && u0.next[1]"),
        ("S == R", "\\S  == \\R "),
        ("R & S", "\\R  & \\S "),
    ]);
}

#[test]
fn definitions_stand_for_their_text_in_parentheses() {
    assert_eq!(
        formulas_of("define s := a + b; assert s * 2 == c;"),
        ["(a + b) * 2 == c"]
    );
    assert_eq!(
        formulas_of("assert p -> q; define p := G r; define q := F p;"),
        ["!G r || F G r"]
    );
    assert_eq!(
        formulas_of("define st := u0.state; assert st[1] && st == 3;"),
        ["u0.state[1] && u0.state == 3"]
    );
}

#[test]
fn definitions_that_grow_exponentially_are_stopped() {
    let mut text = "define x0 := a + b;\n".to_string();
    for index in 1..60 {
        text.push_str(&format!("define x{index} := x{0} + x{0};\n", index - 1));
    }
    text.push_str("assert x59 == 0;\n");
    let mut formulas = Formulas::new();
    let (_, file) = source(&text);
    let errors = parse_property_file(&mut formulas, file, &text).expect_err("it is too big");
    assert_eq!(errors.len(), 1, "one message, not one per definition");
    assert_eq!(errors[0].code.0, 227);
}

#[test]
fn shared_definitions_of_formulas_do_not_grow() {
    let mut text = "define x0 := X a;\n".to_string();
    for index in 1..60 {
        text.push_str(&format!(
            "define x{index} := (x{0}) U (X x{0});\n",
            index - 1
        ));
    }
    text.push_str("assert x59;\n");
    let (formulas, parsed) = read(&text);
    assert!(formulas.size(parsed.properties[0].formula) < 200);
}

#[test]
fn connectives_may_have_ten_thousand_operands() {
    for operator in ["&&", "||", "|", "and", "or", "& X", "->", "<->"] {
        let terms: Vec<String> = (0..10_000)
            .map(|index| format!("s{}", index % 500))
            .collect();
        let text = terms.join(&format!(" {operator} "));
        let mut formulas = Formulas::new();
        let (_, file) = source(&text);
        if operator == "<->" {
            // Each level doubles the text but not the formula, which is shared.
            assert!(
                parse_formula(&mut formulas, file, &text).is_ok(),
                "{operator}"
            );
        } else {
            let formula = parse_formula(&mut formulas, file, &text).expect(operator);
            assert!(formulas.size(formula) <= 1_002, "{operator}");
        }
    }
}

#[test]
fn comparisons_joined_by_a_bitwise_and_may_be_many() {
    let terms: Vec<String> = (0..10_000).map(|index| format!("s == {index}")).collect();
    let text = terms.join(" & ");
    let mut formulas = Formulas::new();
    let (_, file) = source(&text);
    let formula = parse_formula(&mut formulas, file, &text).expect("a conjunction");
    assert_eq!(formulas.size(formula), 10_001);
}

#[test]
fn words_joined_by_a_bitwise_and_have_a_limit() {
    let text = vec!["a"; 10_000].join(" & ");
    let mut formulas = Formulas::new();
    let (_, file) = source(&text);
    let error = parse_formula(&mut formulas, file, &text).expect_err("it is too deep");
    assert_eq!(error.code.0, 208);
}

#[test]
fn parentheses_may_be_nested_ten_thousand_deep() {
    let text = format!("{}a{}", "(G ".repeat(10_000), ")".repeat(10_000));
    let mut formulas = Formulas::new();
    let (_, file) = source(&text);
    let formula = parse_formula(&mut formulas, file, &text).expect("a formula");
    assert_eq!(formulas.size(formula), 10_001);
}

#[test]
fn a_negated_comparison_is_kept_and_warned_about() {
    let text = "assert !state == 2;";
    let (formulas, parsed) = read(text);
    assert_eq!(formulas.text(parsed.properties[0].formula), "!state == 2");
    let warnings: Vec<String> = parsed
        .warnings
        .iter()
        .map(|warning| render(text, warning))
        .collect();
    assert_eq!(
        warnings.concat(),
        "1:8: warning R0229 `!` binds tighter than `==`\n  \
         1:8 `!state`: this is compared\n  \
         help: write `!(a == b)` to negate the comparison, `(!a) == b` to keep this meaning\n"
    );
}

#[test]
fn windows_line_ends_and_byte_order_marks_are_fine() {
    assert_eq!(
        formulas_of("\u{feff}assert a;\r\nassert b; // end\r\n"),
        ["a", "b"]
    );
}

/// Reads `tests/golden/spec/errors.txt`: cases of a title, the text, and what is said about it.
#[test]
fn broken_files_get_the_messages_of_the_golden_file() {
    let path = golden::folder("spec").join("errors.txt");
    let expected = golden::read(&path);
    let mut found = String::new();
    for case in expected.split("=== ").skip(1) {
        let (title, rest) = case.split_once('\n').expect("a title");
        let (text, _) = rest.split_once("---\n").expect("a message");
        let mut formulas = Formulas::new();
        let (_, file) = source(text);
        let messages = match parse_property_file(&mut formulas, file, text) {
            Ok(_) => "accepted\n".to_string(),
            Err(errors) => errors.iter().map(|error| render(text, error)).collect(),
        };
        found.push_str(&format!("=== {title}\n{text}---\n{messages}\n"));
    }
    golden::check(&path, &found);
}
