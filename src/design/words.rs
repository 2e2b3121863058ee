//! Arithmetic and logic on words: vectors of literals, least significant first.
//!
//! These are the operators of Verilog once widths and signedness are settled: operands of a
//! two-operand function have the same width (the front end extends them first), and results
//! have the width that the function states. Constants fold, because every gate is made
//! through the folding builders of [`Design`].

use super::literal::Literal;
use super::netlist::Design;

pub type Bits = Vec<Literal>;

/// The low `width` bits of a number.
pub fn constant(value: u64, width: usize) -> Bits {
    let bit = |index: usize| index < 64 && value >> index & 1 == 1;
    (0..width)
        .map(|index| Literal::constant(bit(index)))
        .collect()
}

/// The number that a word of constants stands for, if it is one and fits; with `signed`, the
/// top bit counts negatively.
pub fn constant_value(word: &[Literal], signed: bool) -> Option<i64> {
    let mut bits = Vec::with_capacity(word.len());
    for literal in word {
        bits.push(literal.as_constant()?);
    }
    let fill = signed && bits.last().copied().unwrap_or(false);
    let mut value: i64 = if fill { -1 } else { 0 };
    for (index, bit) in bits.into_iter().enumerate() {
        if index >= 63 {
            if bit != fill {
                return None;
            }
        } else if bit {
            value |= 1 << index;
        } else {
            value &= !(1 << index);
        }
    }
    Some(value)
}

/// Cuts a word, or extends it by zeros or by its sign.
pub fn resize(word: &[Literal], width: usize, signed: bool) -> Bits {
    let fill = match word.last() {
        Some(sign) if signed => *sign,
        _ => Literal::FALSE,
    };
    let mut result: Bits = word.iter().copied().take(width).collect();
    result.resize(width, fill);
    result
}

pub fn not(word: &[Literal]) -> Bits {
    word.iter().map(|bit| !*bit).collect()
}

fn bitwise(
    design: &mut Design,
    left: &[Literal],
    right: &[Literal],
    operator: impl Fn(&mut Design, Literal, Literal) -> Literal,
) -> Bits {
    debug_assert_eq!(left.len(), right.len());
    let pairs = left.iter().zip(right);
    pairs.map(|(l, r)| operator(design, *l, *r)).collect()
}

pub fn and(design: &mut Design, left: &[Literal], right: &[Literal]) -> Bits {
    bitwise(design, left, right, Design::and)
}

pub fn or(design: &mut Design, left: &[Literal], right: &[Literal]) -> Bits {
    bitwise(design, left, right, Design::or)
}

pub fn xor(design: &mut Design, left: &[Literal], right: &[Literal]) -> Bits {
    bitwise(design, left, right, Design::xor)
}

pub fn mux(
    design: &mut Design,
    condition: Literal,
    then: &[Literal],
    otherwise: &[Literal],
) -> Bits {
    bitwise(design, then, otherwise, |design, t, e| {
        design.mux(condition, t, e)
    })
}

pub fn reduce_and(design: &mut Design, word: &[Literal]) -> Literal {
    design.and_all(word.iter().copied())
}

/// Also what Verilog takes for the truth of a word.
pub fn reduce_or(design: &mut Design, word: &[Literal]) -> Literal {
    design.or_all(word.iter().copied())
}

pub fn reduce_xor(design: &mut Design, word: &[Literal]) -> Literal {
    let mut result = Literal::FALSE;
    for bit in word {
        result = design.xor(result, *bit);
    }
    result
}

/// The sum, of the operands' width, and the carry out.
pub fn add_with_carry(
    design: &mut Design,
    left: &[Literal],
    right: &[Literal],
    carry_in: Literal,
) -> (Bits, Literal) {
    debug_assert_eq!(left.len(), right.len());
    let mut carry = carry_in;
    let mut sum = Bits::with_capacity(left.len());
    for (l, r) in left.iter().zip(right) {
        let half = design.xor(*l, *r);
        sum.push(design.xor(half, carry));
        let both = design.and(*l, *r);
        let passed = design.and(half, carry);
        carry = design.or(both, passed);
    }
    (sum, carry)
}

pub fn add(design: &mut Design, left: &[Literal], right: &[Literal]) -> Bits {
    add_with_carry(design, left, right, Literal::FALSE).0
}

pub fn subtract(design: &mut Design, left: &[Literal], right: &[Literal]) -> Bits {
    add_with_carry(design, left, &not(right), Literal::TRUE).0
}

pub fn negate(design: &mut Design, word: &[Literal]) -> Bits {
    let zero = constant(0, word.len());
    subtract(design, &zero, word)
}

/// The low half of the product: as wide as the operands, whatever their signs.
pub fn multiply(design: &mut Design, left: &[Literal], right: &[Literal]) -> Bits {
    debug_assert_eq!(left.len(), right.len());
    let width = left.len();
    let mut result = constant(0, width);
    for (shift, bit) in right.iter().enumerate() {
        if *bit == Literal::FALSE {
            continue;
        }
        let row: Bits = left[..width - shift]
            .iter()
            .map(|literal| design.and(*literal, *bit))
            .collect();
        let sum = add(design, &result[shift..], &row);
        result.truncate(shift);
        result.extend(sum);
    }
    result
}

/// Quotient and remainder of unsigned numbers. Division by zero, which Verilog leaves
/// undefined, gives all ones and the dividend.
pub fn divide(design: &mut Design, left: &[Literal], right: &[Literal]) -> (Bits, Bits) {
    debug_assert_eq!(left.len(), right.len());
    let width = left.len();
    // Constants are common, and a divider is long.
    let known = (constant_value(left, false), constant_value(right, false));
    if let (Some(left), Some(right @ 1..)) = known {
        let number = |value: i64| constant(value.unsigned_abs(), width);
        return (number(left / right), number(left % right));
    }
    let divisor = resize(right, width + 1, false);
    let mut remainder = constant(0, width + 1);
    let mut quotient = constant(0, width);
    for index in (0..width).rev() {
        remainder.pop();
        remainder.insert(0, left[index]);
        let fits = !less_unsigned(design, &remainder, &divisor);
        let reduced = subtract(design, &remainder, &divisor);
        remainder = mux(design, fits, &reduced, &remainder);
        quotient[index] = fits;
    }
    remainder.truncate(width);
    (quotient, remainder)
}

/// The same for two's complement: the quotient is rounded towards zero and the remainder has
/// the sign of the dividend.
pub fn divide_signed(design: &mut Design, left: &[Literal], right: &[Literal]) -> (Bits, Bits) {
    let sign = |word: &[Literal]| word.last().copied().unwrap_or(Literal::FALSE);
    let (left_sign, right_sign) = (sign(left), sign(right));
    let left_size = negate_if(design, left_sign, left);
    let right_size = negate_if(design, right_sign, right);
    let (quotient, remainder) = divide(design, &left_size, &right_size);
    let signs_differ = design.xor(left_sign, right_sign);
    let quotient = negate_if(design, signs_differ, &quotient);
    let remainder = negate_if(design, left_sign, &remainder);
    (quotient, remainder)
}

fn negate_if(design: &mut Design, condition: Literal, word: &[Literal]) -> Bits {
    let negated = negate(design, word);
    mux(design, condition, &negated, word)
}

pub fn equal(design: &mut Design, left: &[Literal], right: &[Literal]) -> Literal {
    let same = bitwise(design, left, right, Design::equal);
    design.and_all(same)
}

pub fn less_unsigned(design: &mut Design, left: &[Literal], right: &[Literal]) -> Literal {
    // left - right borrows exactly if left < right.
    let (_, carry) = add_with_carry(design, left, &not(right), Literal::TRUE);
    !carry
}

pub fn less_signed(design: &mut Design, left: &[Literal], right: &[Literal]) -> Literal {
    // Flipping the sign bits maps two's complement onto unsigned numbers in order.
    let flip = |word: &[Literal]| {
        let mut word = word.to_vec();
        if let Some(sign) = word.last_mut() {
            *sign = !*sign;
        }
        word
    };
    less_unsigned(design, &flip(left), &flip(right))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shift {
    Left,
    Right,
    /// Right, filling with the sign.
    Arithmetic,
}

/// A shift by an unsigned amount of any width, however large.
pub fn shift(design: &mut Design, word: &[Literal], amount: &[Literal], kind: Shift) -> Bits {
    let width = word.len();
    let fill = match (kind, word.last()) {
        (Shift::Arithmetic, Some(sign)) => *sign,
        _ => Literal::FALSE,
    };
    let mut result = word.to_vec();
    let mut too_far = Literal::FALSE;
    for (index, bit) in amount.iter().enumerate() {
        let distance = 1usize.checked_shl(index as u32).unwrap_or(usize::MAX);
        if index >= usize::BITS as usize || distance >= width {
            too_far = design.or(too_far, *bit);
            continue;
        }
        let shifted: Bits = (0..width)
            .map(|position| match kind {
                Shift::Left if position < distance => fill,
                Shift::Left => result[position - distance],
                _ => result.get(position + distance).copied().unwrap_or(fill),
            })
            .collect();
        result = mux(design, *bit, &shifted, &result);
    }
    let emptied = vec![fill; width];
    mux(design, too_far, &emptied, &result)
}

/// The bit at an unsigned position; false beyond the end, where Verilog has `x`.
pub fn select(design: &mut Design, word: &[Literal], position: &[Literal]) -> Literal {
    let shifted = shift(design, word, position, Shift::Right);
    shifted.first().copied().unwrap_or(Literal::FALSE)
}

/// How many bits are set, in a word of the given width (cut if it does not fit).
pub fn count_ones(design: &mut Design, word: &[Literal], width: usize) -> Bits {
    let mut total = constant(0, width);
    for bit in word {
        let one = resize(&[*bit], width, false);
        total = add(design, &total, &one);
    }
    total
}

/// Whether no two bits are set.
pub fn at_most_one(design: &mut Design, word: &[Literal]) -> Literal {
    let mut any = Literal::FALSE;
    let mut two = Literal::FALSE;
    for bit in word {
        let again = design.and(any, *bit);
        two = design.or(two, again);
        any = design.or(any, *bit);
    }
    !two
}
