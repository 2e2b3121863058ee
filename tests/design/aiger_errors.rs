//! What is said of AIGER files that are wrong, and where.

use respin::design::aiger;
use respin::source::Sources;

fn check(bytes: impl AsRef<[u8]>, expected: &str) {
    let message = match aiger::read(bytes.as_ref(), None) {
        Ok(file) => format!("was read as\n{}", file.design),
        Err(diagnostic) => diagnostic.message,
    };
    assert_eq!(message, expected);
}

#[test]
fn empty_file() {
    let header = "the header `aag M I L O A` or `aig M I L O A`";
    check(
        "",
        &format!("line 1: the file ends where {header} was expected"),
    );
}

#[test]
fn another_format() {
    check(
        "module top;\n",
        "line 1: expected the header `aag M I L O A` or `aig M I L O A`, found `module top;`",
    );
}

#[test]
fn header_with_too_few_numbers() {
    check(
        "aag 0 0 0 0\n",
        "line 1: expected 5 to 9 numbers M I L O A B C J F, found only 4 numbers",
    );
}

#[test]
fn header_with_too_many_numbers() {
    check(
        "aag 0 0 0 0 0 0 0 0 0 0\n",
        "line 1: expected 5 to 9 numbers M I L O A B C J F and nothing more on the line",
    );
}

#[test]
fn header_with_two_spaces() {
    check(
        "aag 0  0 0 0 0\n",
        "line 1: expected 5 to 9 numbers M I L O A B C J F, found ` 0 0 0 0`",
    );
}

#[test]
fn maximum_below_the_counts() {
    check(
        "aag 1 1 1 0 0\n",
        "line 1: expected M to be at least I+L+A = 2, found 1",
    );
}

#[test]
fn maximum_of_a_binary_file_above_the_counts() {
    check(
        "aig 3 1 1 0 0\n0\n",
        "byte 0: expected M to be exactly I+L+A = 2, found 3",
    );
}

#[test]
fn counts_that_overflow() {
    let most = u64::MAX;
    check(
        format!("aag 1 {most} {most} 0 0\n"),
        &format!("line 1: expected M to be at least I+L+A = {most}, found 1"),
    );
}

#[test]
fn number_beyond_64_bits() {
    check(
        "aag 99999999999999999999 0 0 0 0\n",
        "line 1: this number is too large",
    );
}

#[test]
fn variable_beyond_31_bits() {
    check(
        "aag 2147483648 0 0 0 0\n",
        "line 1: the largest variable is 2147483648, the most is 2147483647",
    );
}

#[test]
fn header_that_announces_gates_that_are_not_there() {
    check(
        "aag 2147483647 0 0 0 2147483647\n",
        "line 2: the file ends where gate 0 as three literals was expected",
    );
}

#[test]
fn binary_header_that_announces_inputs_that_cannot_be_in_use() {
    check(
        "aig 2147483647 2147483647 0 0 0\n",
        "byte 0: the header announces 2147483647 inputs, but the file has only 32 bytes",
    );
}

#[test]
fn justice_that_announces_literals_that_are_not_there() {
    check(
        "aag 0 0 0 0 0 0 0 1\n18446744073709551615\n",
        "line 3: the file ends where the literal of justice property 0, literal 0 was expected",
    );
}

#[test]
fn letters_where_a_number_is_expected() {
    check(
        "aag 1 1 0 0 0\nx\n",
        "line 2: expected the literal of input 0, found `x`",
    );
}

#[test]
fn empty_line() {
    check(
        "aag 1 1 0 0 0\n\n2\n",
        "line 2: expected the literal of input 0, found the end of the line",
    );
}

#[test]
fn space_at_the_end_of_a_line() {
    check(
        "aag 1 1 0 0 0\n2 \n",
        "line 2: expected the literal of input 0, found the end of the line",
    );
}

#[test]
fn odd_input() {
    check(
        "aag 1 1 0 0 0\n3\n",
        "line 2: expected an even literal of at least 2, found 3",
    );
}

#[test]
fn constant_as_input() {
    check(
        "aag 1 1 0 0 0\n0\n",
        "line 2: expected an even literal of at least 2, found 0",
    );
}

#[test]
fn literal_beyond_the_maximum() {
    check(
        "aag 1 1 0 1 0\n2\n4\n",
        "line 3: literal 4 exceeds 3, the largest that the header allows",
    );
}

#[test]
fn undefined_literal() {
    check(
        "aag 2 1 0 1 0\n2\n5\n",
        "line 3: literal 5 is used, but 4 is no input, latch or gate",
    );
}

#[test]
fn variable_defined_twice() {
    check(
        "aag 2 1 1 0 0\n2\n2 0\n",
        "line 3: literal 2 is defined a second time",
    );
}

#[test]
fn reset_of_another_latch() {
    check(
        "aag 2 0 2 0 0\n2 0\n4 0 2\n",
        "line 3: expected the reset 0, 1 or 4 (uninitialised), found 2",
    );
}

#[test]
fn loop_of_gates() {
    check(
        "aag 3 1 0 0 2\n2\n4 6 2\n6 4 2\n",
        "combinational loop: gate 6 -> gate 4 -> gate 6",
    );
}

#[test]
fn gate_that_reads_itself() {
    check(
        "aag 1 0 0 0 1\n2 3 1\n",
        "combinational loop: gate 2 -> gate 2",
    );
}

#[test]
fn symbol_of_a_position_that_does_not_exist() {
    check(
        "aag 1 1 0 0 0\n2\ni1 a\n",
        "line 3: expected a position below 1, the number of inputs, found 1",
    );
}

#[test]
fn symbol_given_twice() {
    check(
        "aag 1 1 0 0 0\n2\ni0 a\ni0 b\n",
        "line 4: `i0` is named a second time",
    );
}

#[test]
fn symbol_without_a_name() {
    check(
        "aag 1 1 0 0 0\n2\ni0\n",
        "line 3: expected `i`, a position, a space and a name, found `i0`",
    );
}

#[test]
fn symbol_of_an_unknown_kind() {
    check(
        "aag 1 1 0 0 0\n2\nx0 a\n",
        "line 3: expected a symbol such as `i0 name`, or `c` before the comments, found `x0 a`",
    );
}

#[test]
fn symbol_that_is_not_text() {
    check(
        b"aag 1 1 0 0 0\n2\ni0 \xff\n",
        "line 3: a name must be valid UTF-8",
    );
}

#[test]
fn comment_on_the_line_of_its_c_is_explained() {
    let diagnostic = aiger::read(b"aag 0 0 0 0 0\nc written by\n", None).map(|_| ());
    let help = diagnostic.err().and_then(|diagnostic| diagnostic.help);
    let expected = "comments begin on the line after a line with only `c`";
    assert_eq!(help.as_deref(), Some(expected));
}

#[test]
fn binary_gate_cut_off() {
    check(
        b"aig 1 0 0 0 1\n\x02",
        "byte 15: the file ends inside of gate 2",
    );
}

#[test]
fn binary_gate_that_reads_itself() {
    check(
        b"aig 1 0 0 0 1\n\x00\x00",
        "byte 14: expected a difference between 1 and 2, found 0",
    );
}

#[test]
fn binary_difference_below_zero() {
    check(
        b"aig 1 0 0 0 1\n\x01\x02",
        "byte 15: expected a difference of at most 1, found 2",
    );
}

#[test]
fn binary_difference_without_end() {
    check(
        b"aig 1 0 0 0 1\n\xff\xff\xff\xff\xff\xff",
        "byte 14: expected a difference of at most 2, found a larger number",
    );
}

#[test]
fn span_covers_the_literal() {
    let text = "aag 1 1 0 1 0\n2\n14\n";
    let mut sources = Sources::new();
    let file = sources.add("a.aag", text);
    let diagnostic = aiger::read(text.as_bytes(), Some(file)).map(|_| ());
    let labels = diagnostic
        .err()
        .map(|diagnostic| diagnostic.labels)
        .unwrap_or_default();
    let texts: Vec<&str> = labels
        .iter()
        .map(|label| &text[label.span.start as usize..label.span.end as usize])
        .collect();
    assert_eq!(texts, ["14"]);
}
