//! What AIGER files mean: the design, its properties, and how it is written back.

use respin::design::aiger::AigerFile;
use respin::design::{InputKind, Literal};
use respin::expr::{ExprKind, PropertyBody, PropertyItem, Role};

use super::support::read;

fn check_design(bytes: impl AsRef<[u8]>, expected: &str) {
    assert_eq!(read(bytes).design.to_string(), expected);
}

fn check_same_bytes(bytes: impl AsRef<[u8]>) {
    let written = read(&bytes).to_bytes().map_err(|d| d.message);
    let shown = |bytes: &[u8]| bytes.escape_ascii().to_string();
    assert_eq!(written.map(|w| shown(&w)), Ok(shown(bytes.as_ref())));
}

#[test]
fn toggle_flip_flop() {
    check_design(
        "aag 1 0 1 2 0\n2 3\n2\n3\n",
        "design\nn1 = latch reset 0 next !n1\noutput = n1\noutput = !n1\n",
    );
}

#[test]
fn constants_as_outputs() {
    check_design("aag 0 0 0 2 0\n0\n1\n", "design\noutput = 0\noutput = 1\n");
}

#[test]
fn resets() {
    check_design(
        "aag 3 0 3 0 0\n2 0 0\n4 0 1\n6 0 6\n",
        "design\nn1 = latch reset 0 next 0\nn2 = latch reset 1 next 0\n\
         n3 = latch reset free next 0\n",
    );
}

#[test]
fn gates_before_what_they_read_and_gaps_in_the_numbers() {
    check_design(
        "aag 9 1 0 1 2\n14\n18\n18 4 15\n4 14 1\n",
        "design\nn1 = input\nn2 = and n3 !n1\nn3 = and n1 1\noutput = n2\nhidden n1 n2 n3\n",
    );
}

#[test]
fn binary_half_adder() {
    // The example of the format's description.
    let bytes = b"aig 5 2 0 2 3\n10\n6\n\x02\x02\x03\x02\x01\x02i0 x\ni1 y\no0 s\no1 c\n";
    check_design(
        bytes,
        "design\nn1 = input \"x\"\nn2 = input \"y\"\nn3 = and n2 n1\nn4 = and !n2 !n1\n\
         n5 = and !n4 !n3\noutput \"s\" = n5\noutput \"c\" = n3\nhidden n1 n2 n3 n4 n5\n",
    );
}

#[test]
fn names_with_spaces_and_brackets() {
    let file = read("aag 1 1 0 0 0\n2\ni0 a name [3] c\n");
    assert_eq!(
        file.design.name(file.design.inputs()[0]),
        Some("a name [3] c")
    );
}

#[test]
fn constraint_symbol_is_no_comment() {
    let file = read("aag 0 0 0 0 0 0 1\n1\nc0 always\nc\nthe comment\n");
    assert_eq!(file.constraints[0].name.as_deref(), Some("always"));
}

#[test]
fn comments_are_lines() {
    let file = read("aag 0 0 0 0 0\nc\nfirst\n\nthird");
    assert_eq!(file.design.comments(), ["first", "", "third"]);
}

#[test]
fn controllable_inputs_are_choices() {
    let file = read("aag 2 2 0 0 0\n2\n4\ni1 controllable_grant\n");
    let kinds: Vec<_> = file
        .design
        .inputs()
        .iter()
        .map(|id| file.design.input_kind(*id))
        .collect();
    assert_eq!(
        kinds,
        [Some(InputKind::Environment), Some(InputKind::Choice)]
    );
}

/// Role, name, kind of body and literal codes of each property.
fn summary(items: &[PropertyItem]) -> Vec<String> {
    let code = |expr: &respin::expr::Expr| match expr.kind {
        ExprKind::Net(code) => Literal::from_code(code).to_string(),
        _ => "?".to_string(),
    };
    let line = |item: &PropertyItem| {
        let role = match item.role {
            Role::Assert => "assert",
            Role::Assume => "assume",
            Role::Cover => "cover",
        };
        let name = item.name.as_deref().unwrap_or("-");
        let body = match &item.body {
            PropertyBody::Invariant(expr) => format!("invariant {}", code(expr)),
            PropertyBody::Recurrence(expr) => format!("recurrence {}", code(expr)),
            PropertyBody::NeverAllRecurring(exprs) => {
                let codes: Vec<String> = exprs.iter().map(code).collect();
                format!("never all recurring {}", codes.join(" "))
            }
            PropertyBody::Concurrent { .. } => "concurrent".to_string(),
        };
        format!("{role} {name} {body}")
    };
    items.iter().map(line).collect()
}

#[test]
fn every_property_section() {
    let file = read(
        "aag 2 2 0 1 0 1 1 2 1\n2\n4\n2\n\
         2\n5\n2\n0\n2\n4\n3\n\
         b0 wrong\nc0 kept\nj0 starves\nf0 fair\n",
    );
    let expected = [
        "assert wrong invariant !n1",
        "assert starves never all recurring n1 n2",
        "assert - never all recurring ",
        "assume kept invariant !n2",
        "assume fair recurrence !n1",
    ];
    assert_eq!(summary(&file.properties()), expected);
}

#[test]
fn outputs_are_bad_without_bad_and_justice() {
    let file = read("aag 1 1 0 2 0 0 1\n2\n2\n3\n1\no0 err\n");
    let expected = [
        "assert err invariant !n1",
        "assert - invariant n1",
        "assume - invariant 1",
    ];
    assert_eq!(summary(&file.properties()), expected);
}

#[test]
fn more_properties_than_gates() {
    let file = read("aag 1 1 0 0 0 3\n2\n0\n2\n3\n");
    let expected = [
        "assert - invariant 1",
        "assert - invariant !n1",
        "assert - invariant n1",
    ];
    assert_eq!(summary(&file.properties()), expected);
}

#[test]
fn properties_survive_from_design() {
    let file = read("aag 2 2 0 0 0 1 1 1 1\n2\n4\n2\n5\n2\n2\n4\n3\nb0 wrong\nj0 starves\n");
    let items = file.properties();
    let again = AigerFile::from_design(file.design, &items).map(|f| summary(&f.properties()));
    assert_eq!(again.map_err(|d| d.message), Ok(summary(&items)));
}

#[test]
fn explicit_zeros_in_the_header_are_kept() {
    check_same_bytes("aag 0 0 0 0 0 0 0 0 0\n");
}

#[test]
fn explicit_reset_zero_is_kept() {
    check_same_bytes("aag 2 0 2 0 0\n2 2 0\n4 4\n");
}

#[test]
fn missing_newline_at_the_end_is_kept() {
    check_same_bytes("aag 1 1 0 0 0\n2");
}

#[test]
fn missing_newline_after_a_symbol_is_kept() {
    check_same_bytes("aag 1 1 0 0 0\n2\ni0 a");
}

#[test]
fn carriage_returns_are_kept() {
    check_same_bytes("aag 1 1 0 1 0\r\n2\r\n3\r\ni0 a\r\nc\r\nhello\r\n");
}

#[test]
fn carriage_return_is_no_part_of_a_name() {
    let file = read("aag 1 1 0 0 0\r\n2\r\ni0 a\r\n");
    assert_eq!(file.design.name(file.design.inputs()[0]), Some("a"));
}

#[test]
fn comment_without_newline_is_kept() {
    check_same_bytes("aag 0 0 0 0 0\nc\nthe end");
}

#[test]
fn comment_that_is_not_text_is_kept() {
    check_same_bytes(b"aag 0 0 0 0 0\nc\nKr\xf6ning\n\n");
}

#[test]
fn empty_comment_is_kept() {
    check_same_bytes("aag 0 0 0 0 0\nc\n");
}

#[test]
fn bare_comment_letter_is_kept() {
    check_same_bytes("aag 0 0 0 0 0\nc");
}

#[test]
fn order_of_symbols_is_kept() {
    check_same_bytes("aag 2 2 0 1 0\n4\n2\n3\no0 out\ni1 b\ni0 a\n");
}

#[test]
fn maximum_larger_than_used_is_kept() {
    check_same_bytes("aag 70 1 0 1 0\n8\n9\n");
}

#[test]
fn binary_with_every_section_is_kept() {
    check_same_bytes(
        b"aig 4 1 2 1 1 1 1 1 1\n8 1\n9 6\n8\n2\n3\n2\n4\n6\n5\n\x01\x04j0 live\nc\nend\n",
    );
}

#[test]
fn binary_without_gates_and_newline_is_kept() {
    check_same_bytes("aig 1 0 1 0 0\n2");
}

#[test]
fn binary_that_ends_with_a_gate_that_looks_like_a_newline_is_kept() {
    check_same_bytes(b"aig 6 5 0 0 1\n\x01\x0a");
}

#[test]
fn differences_of_several_bytes_are_kept() {
    // Gate 40002 reads literals 3 and 2: a difference of 39999 is three bytes long.
    check_same_bytes(b"aig 20001 20000 0 1 1\n40002\n\xbf\xb8\x02\x01");
}

#[test]
fn choice_without_its_prefix_is_not_written() {
    let mut file = read("aag 1 1 0 0 0\n2\ni0 controllable_a\n");
    let id = file.design.inputs()[0];
    file.design.set_name(id, "a");
    let message = file.to_ascii().map_err(|d| d.message);
    let expected = "input `a` must be called `controllable_...` exactly if it is a choice";
    assert_eq!(message, Err(expected.to_string()));
}

#[test]
fn file_without_free_variables_is_renumbered() {
    let mut file = read("aag 2147483647 2 0 1 0\n4294967294\n2\n2\n");
    let inputs = file.design.inputs().to_vec();
    let gate = file.design.and(inputs[0].literal(), inputs[1].literal());
    file.design.set_output(0, gate);
    let text = file
        .to_ascii()
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert_eq!(
        text.map_err(|d| d.message),
        Ok("aag 3 2 0 1 1\n2\n4\n6\n6 4 2\n".to_string())
    );
}

#[test]
fn named_bad_signal_can_be_used_in_atoms() {
    let file = read("aag 1 1 0 0 0 1\n2\n3\nb0 wrong\n");
    let bits = file.design.signal("wrong").map(|word| word.bits.clone());
    assert_eq!(bits.map_err(|d| d.message), Ok(vec![Literal::from_code(3)]));
}

#[test]
fn input_has_its_name_before_a_bad_signal() {
    let file = read("aag 1 1 0 0 0 1\n2\n3\ni0 same\nb0 same\n");
    let bits = file.design.signal("same").map(|word| word.bits.clone());
    assert_eq!(bits.map_err(|d| d.message), Ok(vec![Literal::from_code(2)]));
}
