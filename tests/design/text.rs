//! The text form.

use respin::design::{Design, InputKind, Literal, Reset, Word};

use super::support::{Circuit, check_random};

fn parse(text: &str) -> Design {
    match Design::parse(text, None) {
        Ok(design) => design,
        Err(diagnostic) => panic!("{}", diagnostic.message),
    }
}

/// What is said of a text that is wrong.
fn check_error(text: &str, expected: &str) {
    let message = match Design::parse(text, None) {
        Ok(design) => format!("parsed:\n{design}"),
        Err(diagnostic) => diagnostic.message,
    };
    assert_eq!(message, expected);
}

const EVERYTHING: &str = r#"design
n1 = input "req"
n2 = choice "a \"quoted\" name"
n3 = latch reset 0 next !n4 "busy"
n4 = and n1 !n3
n5 = latch reset free next 1
n6 = latch reset choice next n6
n7 = latch reset =!n6 next n2
n8 = latch reset 1 next 0
output "gnt" = n4
output = !n5
word "pair" [1:0] = n4 !n3
signed word "up" [4:6] = 0 1 n5
hidden n5 n7
comment "line\nbreak \\ tab\t"
"#;

#[test]
fn everything_prints_as_it_was_written() {
    assert_eq!(parse(EVERYTHING).to_string(), EVERYTHING);
}

#[test]
fn order_of_inputs_survives() {
    let mut design = Design::new();
    let first = design.add_gate(Literal::TRUE, Literal::TRUE);
    design.add_input(InputKind::Environment);
    design.replace(first, respin::design::Node::Input(InputKind::Choice));
    let expected = "design\nn1 = choice\nn2 = input\ninputs n2 n1\n";
    assert_eq!(parse(expected).to_string(), design.to_string());
}

#[test]
fn random_designs_survive() {
    check_random(300, 12, |random, size| {
        let (mut design, _) = Circuit::random(random, size).design();
        if let Some(id) = design.node_ids().last().filter(|id| id.index() > 0) {
            design.set_name(id, "a\tname");
            design.set_hidden(id, true);
            design.add_word(Word {
                name: "w".to_string(),
                signed: true,
                left: 1,
                right: 0,
                bits: vec![id.literal(), Literal::TRUE],
            });
        }
        let text = design.to_string();
        match Design::parse(&text, None) {
            Ok(parsed) if parsed == design => Ok(()),
            Ok(parsed) => Err(format!("{text}\nbecame\n{parsed}")),
            Err(diagnostic) => Err(format!("{}\n{text}", diagnostic.message)),
        }
    });
}

#[test]
fn resets_can_be_set() {
    let mut design = parse("design\nn1 = latch reset 0 next n1\n");
    let id = design.latches()[0];
    design.set_reset(id, Reset::One);
    assert_eq!(design.to_string(), "design\nn1 = latch reset 1 next n1\n");
}

#[test]
fn missing_header() {
    check_error(
        "n1 = input\n",
        "line 1: expected `design` on the first line",
    );
}

#[test]
fn empty_text() {
    check_error("", "expected `design` on the first line, found nothing");
}

#[test]
fn wrong_index() {
    check_error(
        "design\nn2 = input\n",
        "line 2: expected `n1` or another statement, found `n2`",
    );
}

#[test]
fn unknown_kind() {
    check_error(
        "design\nn1 = gate\n",
        "line 2: expected input, choice, latch or and, found `gate`",
    );
}

#[test]
fn open_string() {
    check_error(
        "design\nn1 = input \"a\n",
        "line 2: this string does not end",
    );
}

#[test]
fn literal_beyond_the_last_node() {
    check_error(
        "design\nn1 = and n7 1\n",
        "n1 refers to n7, but the design has only 2 nodes",
    );
}

#[test]
fn loop_is_named() {
    check_error(
        "design\nn1 = input\nn2 = and n1 !n3\nn3 = and n2 n1 \"x\"\n",
        "combinational loop: `x` -> `x`",
    );
}

#[test]
fn reset_that_reads_an_input() {
    check_error(
        "design\nn1 = input\nn2 = latch reset =n1 next n2\n",
        "latch n2 starts with a value that depends on n1",
    );
}

#[test]
fn chosen_latch_that_moves() {
    check_error(
        "design\nn1 = input\nn2 = latch reset choice next n1\n",
        "latch n2 is chosen once, but does not keep its value",
    );
}

#[test]
fn word_of_another_width() {
    check_error(
        "design\nword \"w\" [2:0] = 0 1\n",
        "line 2: the range [2:0] does not have 2 bits",
    );
}
