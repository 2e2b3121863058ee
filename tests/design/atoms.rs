//! Atoms: names, Verilog's widths and signs, and what is said when they are wrong.

use respin::design::{Design, Literal, elaborate_atom, elaborate_word};
use respin::expr::{BinaryOp, Digit, Expr, ExprKind, Number, UnaryOp};

use super::support::read;

fn expr(kind: ExprKind) -> Expr {
    Expr { kind, span: None }
}

fn name(text: &str) -> Expr {
    expr(ExprKind::Name(
        text.split('.').map(str::to_string).collect(),
    ))
}

fn digits(value: u64) -> Vec<Digit> {
    let length = (64 - value.leading_zeros()).max(1);
    let digit = |index| {
        if value >> index & 1 == 1 {
            Digit::One
        } else {
            Digit::Zero
        }
    };
    (0..length).map(digit).collect()
}

/// `12`
fn number(value: u64) -> Expr {
    expr(ExprKind::Number(Number {
        width: None,
        signed: true,
        bits: digits(value),
    }))
}

/// `4'd12`
fn sized(width: u32, value: u64) -> Expr {
    expr(ExprKind::Number(Number {
        width: Some(width),
        signed: false,
        bits: digits(value),
    }))
}

fn index(base: Expr, position: Expr) -> Expr {
    expr(ExprKind::Index(Box::new(base), Box::new(position)))
}

fn range(base: Expr, left: u64, right: u64) -> Expr {
    let (left, right) = (Box::new(number(left)), Box::new(number(right)));
    expr(ExprKind::Range(Box::new(base), left, right))
}

fn part(base: Expr, start: Expr, width: u64, down: bool) -> Expr {
    expr(ExprKind::IndexedRange {
        base: Box::new(base),
        start: Box::new(start),
        width: Box::new(number(width)),
        down,
    })
}

fn unary(operator: UnaryOp, operand: Expr) -> Expr {
    expr(ExprKind::Unary(operator, Box::new(operand)))
}

fn binary(operator: BinaryOp, left: Expr, right: Expr) -> Expr {
    expr(ExprKind::Binary(operator, Box::new(left), Box::new(right)))
}

fn call(function: &str, argument: Expr) -> Expr {
    expr(ExprKind::Call(function.to_string(), vec![argument]))
}

/// `a` = 4 bits, `b` = 2 bits, `s` = 4 bits signed, `up` = [0:3], `high` = [6:3], and a
/// constant `WAIT` = 2.
fn design() -> Design {
    let mut text = String::from("design\n");
    for node in 1..=18 {
        text.push_str(&format!("n{node} = input\n"));
    }
    text.push_str(
        "word \"a\" [3:0] = n4 n3 n2 n1\nword \"b\" [1:0] = n6 n5\n\
         signed word \"s\" [3:0] = n10 n9 n8 n7\nword \"up\" [0:3] = n14 n13 n12 n11\n\
         word \"high\" [6:3] = n18 n17 n16 n15\nword \"WAIT\" [1:0] = 1 0\n\
         word \"u0.state\" [0:0] = n5\n",
    );
    Design::parse(&text, None).expect("a sound design")
}

/// The value of a word expression where the words have these values.
fn value(expression: &Expr, values: &[(&str, u64)]) -> u64 {
    let mut design = design();
    let (bits, _) = match elaborate_word(&mut design, expression) {
        Ok(result) => result,
        Err(diagnostic) => panic!("{}", diagnostic.message),
    };
    let mut inputs = vec![false; design.inputs().len()];
    for (name, value) in values {
        let word = design.signal(name).expect("a word").clone();
        for (position, bit) in word.bits.iter().enumerate() {
            inputs[bit.node().index() - 1] = value >> position & 1 == 1;
        }
    }
    let run = design.run(&[], &[inputs]).expect("a sound design");
    let bits = bits.iter().enumerate().take(64);
    bits.map(|(position, bit)| u64::from(run.value(0, *bit)) << position)
        .sum()
}

fn check(expression: Expr, values: &[(&str, u64)], expected: u64) {
    assert_eq!(value(&expression, values), expected);
}

fn check_error(expression: Expr, expected: &str) {
    let message = elaborate_atom(&mut design(), &expression).map_err(|d| d.message);
    assert_eq!(message, Err(expected.to_string()));
}

#[test]
fn sum_in_a_comparison_has_the_width_of_the_wider_side() {
    // 4 + 32 bits: 15 + 1 is 16, not 0.
    let sum = binary(BinaryOp::Add, name("a"), number(1));
    check(binary(BinaryOp::Equal, sum, number(16)), &[("a", 15)], 1);
}

#[test]
fn sum_of_sized_operands_wraps() {
    let sum = binary(BinaryOp::Add, name("a"), sized(4, 1));
    check(binary(BinaryOp::Equal, sum, sized(4, 0)), &[("a", 15)], 1);
}

#[test]
fn inversion_sees_the_extended_operand() {
    // ~b at four bits sets the upper two.
    let inverted = unary(UnaryOp::BitNot, name("b"));
    check(
        binary(BinaryOp::BitOr, inverted, sized(4, 0)),
        &[("b", 0)],
        15,
    );
}

#[test]
fn inversion_in_a_concatenation_keeps_its_width() {
    let inverted = unary(UnaryOp::BitNot, name("b"));
    check(
        expr(ExprKind::Concat(vec![sized(2, 0), inverted])),
        &[("b", 0)],
        3,
    );
}

#[test]
fn first_part_of_a_concatenation_is_the_highest() {
    check(
        expr(ExprKind::Concat(vec![sized(2, 2), name("b")])),
        &[("b", 1)],
        9,
    );
}

#[test]
fn replication_repeats() {
    let repeated = ExprKind::Replicate(Box::new(number(2)), vec![name("b")]);
    check(expr(repeated), &[("b", 2)], 10);
}

#[test]
fn signed_comparison_of_signed_operands() {
    let zero = call("$signed", sized(4, 0));
    check(binary(BinaryOp::Less, name("s"), zero), &[("s", 15)], 1);
}

#[test]
fn one_unsigned_operand_makes_the_comparison_unsigned() {
    check(
        binary(BinaryOp::Less, name("s"), sized(4, 0)),
        &[("s", 15)],
        0,
    );
}

#[test]
fn plain_numbers_are_signed() {
    check(
        binary(BinaryOp::Less, name("s"), number(0)),
        &[("s", 15)],
        1,
    );
}

#[test]
fn signed_operand_in_an_unsigned_sum_is_extended_by_zeros() {
    let sum = binary(BinaryOp::Add, name("s"), sized(6, 0));
    check(sum, &[("s", 15)], 15);
}

#[test]
fn arithmetic_shift_of_a_signed_word() {
    let shifted = binary(BinaryOp::ArithmeticShiftRight, name("s"), number(1));
    check(shifted, &[("s", 12)], 14);
}

#[test]
fn arithmetic_shift_of_an_unsigned_word() {
    let shifted = binary(BinaryOp::ArithmeticShiftRight, name("a"), number(1));
    check(shifted, &[("a", 12)], 6);
}

#[test]
fn shifted_operand_has_the_width_of_the_context() {
    let shifted = binary(BinaryOp::ShiftLeft, name("a"), number(1));
    check(
        binary(BinaryOp::BitOr, shifted, sized(5, 0)),
        &[("a", 8)],
        16,
    );
}

#[test]
fn branches_of_a_conditional_are_extended() {
    let choice = ExprKind::Conditional(
        Box::new(name("a")),
        Box::new(name("b")),
        Box::new(sized(4, 9)),
    );
    check(expr(choice), &[("a", 2), ("b", 3)], 3);
}

#[test]
fn difference_wraps() {
    check(
        binary(BinaryOp::Subtract, name("b"), sized(2, 3)),
        &[("b", 1)],
        2,
    );
}

#[test]
fn quotient_by_a_constant() {
    check(
        binary(BinaryOp::Divide, name("a"), sized(4, 3)),
        &[("a", 14)],
        4,
    );
}

#[test]
fn remainder_by_a_constant() {
    check(
        binary(BinaryOp::Modulo, name("a"), sized(4, 3)),
        &[("a", 14)],
        2,
    );
}

#[test]
fn power_of_constants() {
    check(binary(BinaryOp::Power, number(2), number(5)), &[], 32);
}

#[test]
fn logical_operators_take_words_for_their_truth() {
    check(
        binary(BinaryOp::LogicalAnd, name("a"), name("b")),
        &[("a", 4), ("b", 2)],
        1,
    );
}

#[test]
fn logical_not_of_a_word() {
    check(unary(UnaryOp::LogicalNot, name("a")), &[("a", 4)], 0);
}

#[test]
fn reduction() {
    check(unary(UnaryOp::ReduceXor, name("a")), &[("a", 7)], 1);
}

#[test]
fn parameter() {
    check(
        binary(BinaryOp::Equal, name("b"), name("WAIT")),
        &[("b", 2)],
        1,
    );
}

#[test]
fn hierarchical_name() {
    check(name("u0.state"), &[("b", 1)], 1);
}

#[test]
fn index_of_a_declared_range() {
    check(index(name("high"), number(4)), &[("high", 2)], 1);
}

#[test]
fn index_of_an_ascending_range() {
    check(index(name("up"), number(0)), &[("up", 8)], 1);
}

#[test]
fn index_by_a_signal() {
    check(index(name("a"), name("b")), &[("a", 4), ("b", 2)], 1);
}

#[test]
fn index_by_a_signal_in_a_shifted_range() {
    let position = binary(BinaryOp::Add, name("b"), sized(4, 3));
    check(index(name("high"), position), &[("high", 4), ("b", 2)], 1);
}

#[test]
fn index_by_a_signal_beyond_the_end_reads_zero() {
    check(index(name("high"), name("b")), &[("high", 15), ("b", 2)], 0);
}

#[test]
fn index_by_a_signal_in_an_ascending_range() {
    check(index(name("up"), name("b")), &[("up", 4), ("b", 1)], 1);
}

#[test]
fn range_of_a_word() {
    check(range(name("a"), 2, 1), &[("a", 6)], 3);
}

#[test]
fn range_of_an_ascending_word() {
    check(range(name("up"), 0, 1), &[("up", 8)], 2);
}

#[test]
fn range_upwards_from_a_signal() {
    check(
        part(name("a"), name("b"), 2, false),
        &[("a", 12), ("b", 2)],
        3,
    );
}

#[test]
fn range_downwards_from_a_signal() {
    check(
        part(name("a"), name("b"), 2, true),
        &[("a", 6), ("b", 2)],
        3,
    );
}

#[test]
fn range_that_overlaps_the_end_keeps_what_is_there() {
    check(
        part(name("a"), name("b"), 2, true),
        &[("a", 1), ("b", 0)],
        2,
    );
}

#[test]
fn count_ones_is_an_integer() {
    let count = call("$countones", name("a"));
    check(binary(BinaryOp::Equal, count, number(4)), &[("a", 15)], 1);
}

#[test]
fn one_hot_refuses_two() {
    check(call("$onehot", name("a")), &[("a", 6)], 0);
}

#[test]
fn one_hot_or_none_accepts_none() {
    check(call("$onehot0", name("a")), &[("a", 0)], 1);
}

#[test]
fn logarithm_is_rounded_up() {
    check(call("$clog2", number(5)), &[], 3);
}

#[test]
fn literal_of_the_netlist() {
    let literal = Literal::from_code(3);
    let found = elaborate_atom(&mut design(), &expr(ExprKind::Net(3))).map_err(|d| d.message);
    assert_eq!(found, Ok(literal));
}

#[test]
fn literal_that_does_not_exist() {
    check_error(expr(ExprKind::Net(1000)), "there is no node n500");
}

#[test]
fn unknown_name() {
    check_error(name("WIAT"), "there is no signal `WIAT` in this design");
}

#[test]
fn unknown_name_gets_a_suggestion() {
    let help = elaborate_atom(&mut design(), &name("WIAT"))
        .err()
        .and_then(|d| d.help);
    assert_eq!(help.as_deref(), Some("did you mean `WAIT`?"));
}

#[test]
fn index_out_of_range() {
    check_error(
        index(name("b"), number(2)),
        "[2] is outside of `b`, which is [1:0]",
    );
}

#[test]
fn range_in_the_wrong_direction() {
    check_error(
        range(name("a"), 0, 2),
        "[0:2] runs in the wrong direction: `a` is [3:0]",
    );
}

#[test]
fn unknown_digits() {
    let number = Number {
        width: Some(1),
        signed: false,
        bits: vec![Digit::X],
    };
    check_error(
        expr(ExprKind::Number(number)),
        "a number in a property has no `x` or `z` digits",
    );
}

#[test]
fn division_by_a_signal() {
    check_error(
        binary(BinaryOp::Divide, name("a"), name("b")),
        "the divisor must be a constant other than zero",
    );
}

#[test]
fn division_by_zero() {
    check_error(
        binary(BinaryOp::Modulo, name("a"), number(0)),
        "the divisor must be a constant other than zero",
    );
}

#[test]
fn number_without_a_width_in_a_concatenation() {
    check_error(
        expr(ExprKind::Concat(vec![number(1)])),
        "a number in a concatenation needs a width",
    );
}

#[test]
fn replication_that_is_too_wide() {
    let repeated = ExprKind::Replicate(Box::new(number(60000)), vec![name("a")]);
    check_error(
        expr(repeated),
        "this is 240000 bits wide, the most is 65536",
    );
}

#[test]
fn unsupported_function() {
    check_error(
        call("$past", name("a")),
        "`$past` with these arguments is not supported",
    );
}

#[test]
fn error_leaves_the_design_as_it_was() {
    let mut changed = design();
    let sum = binary(BinaryOp::Add, name("a"), name("s"));
    let _ = elaborate_atom(&mut changed, &binary(BinaryOp::Equal, sum, name("missing")));
    assert_eq!(changed, design());
}

#[test]
fn deep_expression_does_not_exhaust_the_stack() {
    let mut deep = name("u0.state");
    for _ in 0..100_000 {
        deep = unary(UnaryOp::LogicalNot, deep);
    }
    let found = elaborate_atom(&mut design(), &deep).map_err(|d| d.message);
    // Dropping such a tree recurses; this test is about elaboration.
    std::mem::forget(deep);
    assert_eq!(found, Ok(Literal::from_code(10)));
}

#[test]
fn bits_with_brackets_form_a_word() {
    let file = read("aag 2 2 0 0 0\n2\n4\ni0 count[1]\ni1 count[0]\n");
    let bits = file.design.signal("count").map(|word| word.bits.clone());
    let expected = [4, 2].map(Literal::from_code).to_vec();
    assert_eq!(bits.map_err(|d| d.message), Ok(expected));
}

#[test]
fn bits_in_the_spelling_of_abc_form_a_word() {
    let file = read("aag 2 2 0 0 0\n2\n4\ni0 count<0>\ni1 count<1>\n");
    let bits = file.design.signal("count").map(|word| word.bits.len());
    assert_eq!(bits.map_err(|d| d.message), Ok(2));
}

#[test]
fn word_with_a_missing_bit() {
    let file = read("aag 2 2 0 0 0\n2\n4\ni0 count[0]\ni1 count[2]\n");
    let message = file.design.signal("count").map_err(|d| d.message);
    let expected = "`count` has no bit 1 in this design, so it is no word";
    assert_eq!(message.err().as_deref(), Some(expected));
}

#[test]
fn bit_of_a_word_with_a_missing_bit() {
    let mut file = read("aag 2 2 0 0 0\n2\n4\ni0 count[0]\ni1 count[2]\n");
    let found = elaborate_atom(&mut file.design, &index(name("count"), number(2)));
    assert_eq!(found.map_err(|d| d.message), Ok(Literal::from_code(4)));
}

#[test]
fn element_of_an_array() {
    let mut file = read("aag 2 2 0 0 0\n2\n4\ni0 m[1][0]\ni1 m[1][1]\n");
    let element = index(index(name("m"), number(1)), number(1));
    let found = elaborate_atom(&mut file.design, &element);
    assert_eq!(found.map_err(|d| d.message), Ok(Literal::from_code(4)));
}

#[test]
fn latch_and_output_of_one_name_and_value() {
    let file = read("aag 1 0 1 1 0\n2 2\n2\nl0 q\no0 q\n");
    let bits = file.design.signal("q").map(|word| word.bits.clone());
    assert_eq!(bits.map_err(|d| d.message), Ok(vec![Literal::from_code(2)]));
}

#[test]
fn latch_and_output_of_one_name_and_different_values() {
    let file = read("aag 1 0 1 1 0\n2 2\n3\nl0 q\no0 q\n");
    let message = file.design.signal("q").map_err(|d| d.message);
    let expected = "`q` is the name of two different signals";
    assert_eq!(message.err().as_deref(), Some(expected));
}
