//! Word operators against arithmetic on numbers: all operands of all widths up to four.

use respin::design::words::{self, Bits, Shift};
use respin::design::{Design, InputKind, Literal, Simulator};

const WIDTHS: std::ops::RangeInclusive<usize> = 1..=4;

/// Builds an operator of two words and compares it on all values of both.
fn check_binary(
    build: impl Fn(&mut Design, &[Literal], &[Literal]) -> Bits,
    expected: impl Fn(u64, u64, usize) -> u64,
) {
    for width in WIDTHS {
        let mut design = Design::new();
        let left = inputs(&mut design, width);
        let right = inputs(&mut design, width);
        let result = build(&mut design, &left, &right);
        let mut simulator = Simulator::new(&design).expect("a sound design");
        simulator.start(|_| 0);
        for l in 0..1 << width {
            // One lane for each right operand.
            simulator.settle(|id| {
                let index = id.index() - 1;
                if index < width {
                    return if l >> index & 1 == 1 { u64::MAX } else { 0 };
                }
                (0..1u64 << width)
                    .map(|r| (r >> (index - width) & 1) << r)
                    .fold(0, |word, bit| word | bit)
            });
            for r in 0..1 << width {
                let bits = result.iter().enumerate();
                let found = bits
                    .map(|(index, bit)| (simulator.value(*bit) >> r & 1) << index)
                    .fold(0, |word, bit| word | bit);
                let expected = expected(l, r, width);
                assert_eq!(found, expected, "width {width}, operands {l} and {r}");
            }
        }
    }
}

fn inputs(design: &mut Design, width: usize) -> Bits {
    (0..width)
        .map(|_| design.add_input(InputKind::Environment).literal())
        .collect()
}

fn mask(value: u64, width: usize) -> u64 {
    value & ((1 << width) - 1)
}

fn signed(value: u64, width: usize) -> i64 {
    (value as i64) << (64 - width) >> (64 - width)
}

#[test]
fn add() {
    check_binary(words::add, |l, r, w| mask(l + r, w));
}

#[test]
fn carry() {
    check_binary(
        |d, l, r| vec![words::add_with_carry(d, l, r, Literal::TRUE).1],
        |l, r, w| (l + r + 1) >> w,
    );
}

#[test]
fn subtract() {
    check_binary(words::subtract, |l, r, w| mask(l.wrapping_sub(r), w));
}

#[test]
fn negate() {
    check_binary(
        |d, l, _| words::negate(d, l),
        |l, _, w| mask(l.wrapping_neg(), w),
    );
}

#[test]
fn multiply() {
    check_binary(words::multiply, |l, r, w| mask(l * r, w));
}

#[test]
fn quotient() {
    check_binary(
        |d, l, r| words::divide(d, l, r).0,
        |l, r, w| l.checked_div(r).unwrap_or(mask(u64::MAX, w)),
    );
}

#[test]
fn remainder() {
    check_binary(
        |d, l, r| words::divide(d, l, r).1,
        |l, r, _| l.checked_rem(r).unwrap_or(l),
    );
}

#[test]
fn constants_are_divided_as_other_words_are() {
    for width in WIDTHS {
        for (left, right) in (0..1u64 << width).flat_map(|l| (0..1 << width).map(move |r| (l, r))) {
            let mut design = Design::new();
            let operands = [left, right].map(|value| words::constant(value, width));
            let (quotient, rest) = words::divide(&mut design, &operands[0], &operands[1]);
            let expected = left.checked_div(right).unwrap_or(mask(u64::MAX, width));
            assert_eq!(
                quotient,
                words::constant(expected, width),
                "{left} / {right}"
            );
            let expected = left.checked_rem(right).unwrap_or(left);
            assert_eq!(rest, words::constant(expected, width), "{left} % {right}");
        }
    }
}

/// Where the divisor is zero the result is not compared: Verilog has none.
fn signed_division(pick: impl Fn((Bits, Bits)) -> Bits, expected: impl Fn(i64, i64) -> i64) {
    check_binary(
        |d, l, r| {
            let result = pick(words::divide_signed(d, l, r));
            let divisible = words::reduce_or(d, r);
            result
                .into_iter()
                .map(|bit| d.and(bit, divisible))
                .collect()
        },
        |l, r, w| match r {
            0 => 0,
            _ => mask(expected(signed(l, w), signed(r, w)) as u64, w),
        },
    );
}

#[test]
fn signed_quotient() {
    signed_division(|(quotient, _)| quotient, i64::wrapping_div);
}

#[test]
fn signed_remainder() {
    signed_division(|(_, remainder)| remainder, i64::wrapping_rem);
}

#[test]
fn equal() {
    check_binary(
        |d, l, r| vec![words::equal(d, l, r)],
        |l, r, _| u64::from(l == r),
    );
}

#[test]
fn less_unsigned() {
    check_binary(
        |d, l, r| vec![words::less_unsigned(d, l, r)],
        |l, r, _| u64::from(l < r),
    );
}

#[test]
fn less_signed() {
    check_binary(
        |d, l, r| vec![words::less_signed(d, l, r)],
        |l, r, w| u64::from(signed(l, w) < signed(r, w)),
    );
}

#[test]
fn and() {
    check_binary(words::and, |l, r, _| l & r);
}

#[test]
fn or() {
    check_binary(words::or, |l, r, _| l | r);
}

#[test]
fn xor() {
    check_binary(words::xor, |l, r, _| l ^ r);
}

#[test]
fn not() {
    check_binary(|_, l, _| words::not(l), |l, _, w| mask(!l, w));
}

#[test]
fn mux() {
    check_binary(
        |d, l, r| words::mux(d, l[0], l, r),
        |l, r, _| if l & 1 == 1 { l } else { r },
    );
}

#[test]
fn shift_left() {
    check_binary(
        |d, l, r| words::shift(d, l, r, Shift::Left),
        |l, r, w| mask(l << r, w),
    );
}

#[test]
fn shift_right() {
    check_binary(
        |d, l, r| words::shift(d, l, r, Shift::Right),
        |l, r, _| l >> r,
    );
}

#[test]
fn shift_right_arithmetic() {
    check_binary(
        |d, l, r| words::shift(d, l, r, Shift::Arithmetic),
        |l, r, w| mask((signed(l, w) >> r) as u64, w),
    );
}

#[test]
fn shift_by_more_bits_than_a_machine_word() {
    let mut design = Design::new();
    let word = inputs(&mut design, 2);
    let mut amount = words::constant(0, 80);
    amount[70] = Literal::TRUE;
    let shifted = words::shift(&mut design, &word, &amount, Shift::Left);
    assert_eq!(shifted, words::constant(0, 2));
}

#[test]
fn reduce_and() {
    check_binary(
        |d, l, _| vec![words::reduce_and(d, l)],
        |l, _, w| u64::from(l == mask(u64::MAX, w)),
    );
}

#[test]
fn reduce_or() {
    check_binary(
        |d, l, _| vec![words::reduce_or(d, l)],
        |l, _, _| u64::from(l != 0),
    );
}

#[test]
fn reduce_xor() {
    check_binary(
        |d, l, _| vec![words::reduce_xor(d, l)],
        |l, _, _| u64::from(l.count_ones() % 2),
    );
}

#[test]
fn select() {
    check_binary(|d, l, r| vec![words::select(d, l, r)], |l, r, _| l >> r & 1);
}

#[test]
fn count_ones() {
    check_binary(
        |d, l, _| words::count_ones(d, l, 3),
        |l, _, _| u64::from(l.count_ones()),
    );
}

#[test]
fn at_most_one() {
    check_binary(
        |d, l, _| vec![words::at_most_one(d, l)],
        |l, _, _| u64::from(l.count_ones() <= 1),
    );
}

#[test]
fn extend_by_zeros() {
    check_binary(|_, l, _| words::resize(l, 6, false), |l, _, _| l);
}

#[test]
fn extend_by_sign() {
    check_binary(
        |_, l, _| words::resize(l, 6, true),
        |l, _, w| mask(signed(l, w) as u64, 6),
    );
}

#[test]
fn constants_fold_to_constants() {
    let mut design = Design::new();
    let product = words::multiply(&mut design, &words::constant(6, 8), &words::constant(7, 8));
    assert_eq!(words::constant_value(&product, false), Some(42));
}

#[test]
fn negative_constant() {
    assert_eq!(
        words::constant_value(&words::constant(0b1110, 4), true),
        Some(-2)
    );
}
