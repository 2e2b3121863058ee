//! Values as people and simulators write them, as bits.

/// Bits of a value, the lowest first; `None` for a bit that is `x` or `z`.
pub type Bits = Vec<Option<bool>>;

/// What is wrong with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    NotANumber,
    /// It has more digits than the signal has bits.
    TooWide,
}

/// The bits of a value: decimal digits, `0x1f`, `0b01x`, `8'hff`, `x` or `z`.
pub fn parse(text: &str, width: usize) -> Result<Bits, Mistake> {
    let text = text.trim();
    if matches!(text, "x" | "X" | "z" | "Z") {
        return Ok(vec![None; width]);
    }
    let lower = text.to_ascii_lowercase();
    let (base, digits) = if let Some((_, rest)) = lower.split_once('\'') {
        let rest = rest.strip_prefix('s').unwrap_or(rest);
        let mut characters = rest.chars();
        let base = characters.next().ok_or(Mistake::NotANumber)?;
        (base, characters.as_str())
    } else if let Some(rest) = lower.strip_prefix("0x") {
        ('h', rest)
    } else if let Some(rest) = lower.strip_prefix("0b") {
        ('b', rest)
    } else {
        ('d', lower.as_str())
    };
    match base {
        'h' => powers(digits, 4, width),
        'o' => powers(digits, 3, width),
        'b' => powers(digits, 1, width),
        'd' => decimal(digits, width),
        _ => Err(Mistake::NotANumber),
    }
}

/// The bits of binary digits as simulators dump them: fewer than the width are extended, by
/// zeros, or by `x` and `z` if these stand first.
pub fn dumped(digits: &[u8], width: usize) -> Result<Bits, Mistake> {
    let mut bits = Vec::with_capacity(width);
    for digit in digits.iter().rev() {
        bits.push(match digit {
            b'0' | b'l' | b'L' => Some(false),
            b'1' | b'h' | b'H' => Some(true),
            b'x' | b'X' | b'z' | b'Z' | b'u' | b'U' | b'w' | b'W' | b'-' => None,
            _ => return Err(Mistake::NotANumber),
        });
    }
    let Some(highest) = bits.last().copied() else {
        return Err(Mistake::NotANumber);
    };
    fit(bits, highest.map(|_| false), width)
}

fn powers(digits: &str, bits_of_digit: usize, width: usize) -> Result<Bits, Mistake> {
    let mut bits = Vec::new();
    let mut highest = Some(false);
    let digits = digits.chars().rev().filter(|digit| *digit != '_');
    for digit in digits {
        if matches!(digit, 'x' | 'z' | '?') {
            bits.extend(std::iter::repeat_n(None, bits_of_digit));
            highest = None;
            continue;
        }
        let value = digit.to_digit(1 << bits_of_digit);
        let value = value.ok_or(Mistake::NotANumber)?;
        bits.extend((0..bits_of_digit).map(|bit| Some(value >> bit & 1 == 1)));
        highest = Some(false);
    }
    if bits.is_empty() {
        return Err(Mistake::NotANumber);
    }
    fit(bits, highest, width)
}

/// Decimal digits, nine at a time: a value may have thousands of bits.
fn decimal(digits: &str, width: usize) -> Result<Bits, Mistake> {
    let digits: Vec<u32> = digits
        .chars()
        .filter(|digit| *digit != '_')
        .map(|digit| digit.to_digit(10).ok_or(Mistake::NotANumber))
        .collect::<Result<_, _>>()?;
    if digits.is_empty() {
        return Err(Mistake::NotANumber);
    }
    let mut words: Vec<u32> = Vec::new();
    for chunk in digits.chunks(9) {
        let factor = 10u64.pow(chunk.len() as u32);
        let mut carry = chunk
            .iter()
            .fold(0u64, |value, digit| value * 10 + u64::from(*digit));
        for word in &mut words {
            let product = u64::from(*word) * factor + carry;
            *word = product as u32;
            carry = product >> 32;
        }
        if carry > 0 {
            words.push(carry as u32);
        }
    }
    let bits = words
        .iter()
        .flat_map(|word| (0..32).map(move |bit| Some(word >> bit & 1 == 1)));
    fit(bits.collect(), Some(false), width)
}

/// Extends or shortens bits; only zeros, and what stands for all the rest, may be lost.
fn fit(mut bits: Bits, highest: Option<bool>, width: usize) -> Result<Bits, Mistake> {
    while bits.len() > width {
        match bits.pop() {
            Some(Some(true)) => return Err(Mistake::TooWide),
            Some(None) if highest.is_some() => return Err(Mistake::TooWide),
            _ => {}
        }
    }
    bits.resize(width, highest);
    Ok(bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, width: usize, expected: Result<&str, Mistake>) {
        let digit = |bit: &Option<bool>| match bit {
            Some(true) => '1',
            Some(false) => '0',
            None => 'x',
        };
        let found = parse(text, width);
        let found = found.map(|bits| bits.iter().rev().map(digit).collect::<String>());
        assert_eq!(
            found,
            expected.map(str::to_string),
            "{text} of {width} bits"
        );
    }

    #[test]
    fn numbers_of_all_bases_are_read() {
        check("10", 4, Ok("1010"));
        check(" 0x1f ", 6, Ok("011111"));
        check("0b1x0", 4, Ok("01x0"));
        check("8'hA5", 8, Ok("10100101"));
        check("12'o17", 4, Ok("1111"));
        check("X", 3, Ok("xxx"));
        check("4'bx1", 4, Ok("xxx1"));
        check(
            "18446744073709551616",
            65,
            Ok(&format!("1{}", "0".repeat(64))),
        );
    }

    #[test]
    fn what_does_not_fit_is_a_mistake() {
        check("16", 4, Err(Mistake::TooWide));
        check("0x10", 4, Err(Mistake::TooWide));
        check("", 4, Err(Mistake::NotANumber));
        check("12a", 4, Err(Mistake::NotANumber));
        check("-1", 4, Err(Mistake::NotANumber));
        check("3'b012", 3, Err(Mistake::NotANumber));
    }

    #[test]
    fn dumped_values_are_extended_by_their_first_digit() {
        assert_eq!(dumped(b"x1", 3), Ok(vec![Some(true), None, None]));
        assert_eq!(dumped(b"1", 2), Ok(vec![Some(true), Some(false)]));
        assert_eq!(dumped(b"101", 2), Err(Mistake::TooWide));
        assert_eq!(dumped(b"", 2), Err(Mistake::NotANumber));
    }
}
