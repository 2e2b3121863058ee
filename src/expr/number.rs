//! Verilog's numbers: `12`, `4'b10x0`, `8'shFF`, `'h3`, `'x`.
//!
//! Invariant of what is parsed here: a sized number has exactly as many digits as its
//! width; an unsized one has the fewest that keep its value, where the leftmost digit
//! extends to the left as Verilog does it (`x` and `z` repeat, anything else is followed
//! by zeros).

use super::{Digit, Number};
use std::fmt;

/// Wider literals are refused, because the conversion of decimals takes quadratic time.
const MAX_WIDTH: u32 = 1 << 16;
const MAX_DIGITS: usize = 1 << 14;

/// Why a text is not a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberProblem {
    NoDigits,
    ZeroWidth,
    TooWide,
    BadDigit(char),
    UnknownBase,
    /// `'1` takes its width from the context, which a [`Number`] cannot say.
    FillWithOnes,
}

impl std::error::Error for NumberProblem {}

impl fmt::Display for NumberProblem {
    fn fmt(&self, output: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NumberProblem::NoDigits => write!(output, "this number has no digits"),
            NumberProblem::ZeroWidth => write!(output, "a number cannot be 0 bits wide"),
            NumberProblem::TooWide => {
                write!(output, "a number can be at most {MAX_WIDTH} bits wide")
            }
            NumberProblem::BadDigit(digit) => {
                write!(output, "`{digit}` is not a digit of this base")
            }
            NumberProblem::UnknownBase => {
                write!(output, "the base of a number is one of `b`, `o`, `d`, `h`")
            }
            NumberProblem::FillWithOnes => {
                write!(output, "`'1` is not supported, its width is not written")
            }
        }
    }
}

impl Number {
    /// A number of one bit.
    pub fn bit(value: bool) -> Number {
        Number {
            width: Some(1),
            signed: false,
            bits: vec![if value { Digit::One } else { Digit::Zero }],
        }
    }

    /// One bit that nothing drives.
    pub fn high_impedance() -> Number {
        Number {
            width: Some(1),
            signed: false,
            bits: vec![Digit::Z],
        }
    }

    /// The number that a string in its quotes is: eight bits for each symbol, the last one
    /// lowest (IEEE 1800-2017, 5.9 and 11.10); one symbol 0 if there is none.
    pub fn from_string(text: &str) -> Number {
        let inner = text.strip_prefix('"').unwrap_or(text);
        let inner = inner.strip_suffix('"').unwrap_or(inner);
        let mut symbols: Vec<u8> = Vec::new();
        let mut rest = inner.bytes().peekable();
        while let Some(byte) = rest.next() {
            if byte != b'\\' {
                symbols.push(byte);
                continue;
            }
            match rest.next() {
                Some(b'n') => symbols.push(b'\n'),
                Some(b't') => symbols.push(b'\t'),
                Some(b'v') => symbols.push(11),
                Some(b'f') => symbols.push(12),
                Some(b'a') => symbols.push(7),
                Some(b'\n') => {}
                Some(digit @ b'0'..=b'7') => {
                    let mut value = u32::from(digit - b'0');
                    for _ in 0..2 {
                        if let Some(digit @ b'0'..=b'7') = rest.peek().copied() {
                            value = value * 8 + u32::from(digit - b'0');
                            rest.next();
                        }
                    }
                    symbols.push(value as u8);
                }
                Some(other) => symbols.push(other),
                None => {}
            }
        }
        if symbols.is_empty() {
            symbols.push(0);
        }
        let bit = |symbol: &u8, index: usize| Digit::of(symbol >> index & 1 == 1);
        let bits: Vec<Digit> = symbols
            .iter()
            .rev()
            .flat_map(|symbol| (0..8).map(move |index| bit(symbol, index)))
            .collect();
        Number {
            width: Some(bits.len() as u32),
            signed: false,
            bits,
        }
    }

    /// An unsized decimal number, as in `12`.
    pub fn decimal(value: u64) -> Number {
        let digits = (0..64)
            .map(|index| Digit::of(value >> index & 1 == 1))
            .collect();
        Number {
            width: None,
            signed: true,
            bits: shortest(digits),
        }
    }

    /// Reads a literal; the flag says that digits were cut off to fit the width.
    pub fn from_literal(text: &str) -> Result<(Number, bool), NumberProblem> {
        if text.len() > MAX_DIGITS {
            return Err(NumberProblem::TooWide);
        }
        let clean: String = text
            .chars()
            .filter(|symbol| *symbol != '_' && !symbol.is_whitespace())
            .map(|symbol| symbol.to_ascii_lowercase())
            .collect();
        let Some((size, rest)) = clean.split_once('\'') else {
            let bits = shortest(decimal_digits(&clean)?);
            let number = Number {
                width: None,
                signed: true,
                bits,
            };
            return Ok((number, false));
        };
        let width = parse_width(size)?;
        let (signed, rest) = match rest.strip_prefix('s') {
            Some(rest) => (true, rest),
            None => (false, rest),
        };
        let mut rest = rest.chars();
        let base = rest.next();
        let digits = rest.as_str();
        let bits = match base {
            Some('b') => grouped_digits(digits, 1)?,
            Some('o') => grouped_digits(digits, 3)?,
            Some('h') => grouped_digits(digits, 4)?,
            Some('d') => decimal_digits(digits)?,
            Some('0' | 'x' | 'z') if width.is_none() && !signed && digits.is_empty() => {
                vec![match base {
                    Some('x') => Digit::X,
                    Some('z') => Digit::Z,
                    _ => Digit::Zero,
                }]
            }
            Some('1') if width.is_none() && digits.is_empty() => {
                return Err(NumberProblem::FillWithOnes);
            }
            _ => return Err(NumberProblem::UnknownBase),
        };
        let mut bits = shortest(bits);
        let mut truncated = false;
        if let Some(width) = width {
            truncated = bits.len() > width as usize
                && bits[width as usize..]
                    .iter()
                    .any(|digit| *digit != Digit::Zero);
            let fill = extension(&bits);
            bits.resize(width as usize, fill);
        }
        let number = Number {
            width,
            signed,
            bits,
        };
        Ok((number, truncated))
    }

    /// The digit at this position, with Verilog's extension to the left.
    pub fn digit(&self, index: usize) -> Digit {
        match self.bits.get(index) {
            Some(digit) => *digit,
            None => extension(&self.bits),
        }
    }

    /// The value, if every digit is known and it fits; the sign is not applied.
    pub fn value(&self) -> Option<u128> {
        let mut value = 0;
        for (index, digit) in self.bits.iter().enumerate() {
            match digit {
                Digit::Zero => {}
                Digit::One if index < 128 => value |= 1 << index,
                _ => return None,
            }
        }
        Some(value)
    }

    /// Whether every digit is 0 or 1.
    pub fn is_known(&self) -> bool {
        self.bits
            .iter()
            .all(|digit| matches!(digit, Digit::Zero | Digit::One))
    }
}

impl Digit {
    pub fn of(value: bool) -> Digit {
        if value { Digit::One } else { Digit::Zero }
    }
}

/// The text that parses back to the same number: decimal where that is possible.
impl fmt::Display for Number {
    fn fmt(&self, output: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.value();
        if let (None, true, Some(value)) = (self.width, self.signed, value) {
            return write!(output, "{value}");
        }
        if let Some(width) = self.width {
            write!(output, "{width}")?;
        }
        output.write_str(if self.signed { "'s" } else { "'" })?;
        match value {
            Some(value) if self.width != Some(1) => write!(output, "d{value}"),
            _ if self.is_known() && self.bits.len() > 128 => {
                output.write_str("h")?;
                for group in self.bits.chunks(4).rev() {
                    let value = group.iter().enumerate().fold(0, |value, (index, digit)| {
                        value | u32::from(*digit == Digit::One) << index
                    });
                    write!(output, "{value:x}")?;
                }
                Ok(())
            }
            _ => {
                output.write_str("b")?;
                for digit in self.bits.iter().rev() {
                    output.write_str(match digit {
                        Digit::Zero => "0",
                        Digit::One => "1",
                        Digit::X => "x",
                        Digit::Z => "z",
                    })?;
                }
                Ok(())
            }
        }
    }
}

fn parse_width(size: &str) -> Result<Option<u32>, NumberProblem> {
    if size.is_empty() {
        return Ok(None);
    }
    if let Some(digit) = size.chars().find(|digit| !digit.is_ascii_digit()) {
        return Err(NumberProblem::BadDigit(digit));
    }
    match size.parse::<u32>() {
        Ok(0) => Err(NumberProblem::ZeroWidth),
        Ok(width) if width <= MAX_WIDTH => Ok(Some(width)),
        _ => Err(NumberProblem::TooWide),
    }
}

/// Digits of a base that is a power of two, least significant bit first.
fn grouped_digits(text: &str, bits_per_digit: u32) -> Result<Vec<Digit>, NumberProblem> {
    if text.is_empty() {
        return Err(NumberProblem::NoDigits);
    }
    let mut bits = Vec::with_capacity(text.len() * bits_per_digit as usize);
    for symbol in text.chars().rev() {
        match symbol {
            'x' => bits.extend((0..bits_per_digit).map(|_| Digit::X)),
            'z' | '?' => bits.extend((0..bits_per_digit).map(|_| Digit::Z)),
            _ => match symbol.to_digit(1 << bits_per_digit) {
                Some(value) => {
                    bits.extend((0..bits_per_digit).map(|index| Digit::of(value >> index & 1 == 1)))
                }
                None => return Err(NumberProblem::BadDigit(symbol)),
            },
        }
    }
    Ok(bits)
}

fn decimal_digits(text: &str) -> Result<Vec<Digit>, NumberProblem> {
    match text {
        "" => return Err(NumberProblem::NoDigits),
        "x" => return Ok(vec![Digit::X]),
        "z" | "?" => return Ok(vec![Digit::Z]),
        _ => {}
    }
    let mut words: Vec<u32> = Vec::new();
    for symbol in text.chars() {
        let digit = symbol.to_digit(10).ok_or(NumberProblem::BadDigit(symbol))?;
        let mut carry = u64::from(digit);
        for word in &mut words {
            let value = u64::from(*word) * 10 + carry;
            *word = value as u32;
            carry = value >> 32;
        }
        if carry != 0 {
            words.push(carry as u32);
        }
    }
    let bits: Vec<Digit> = words
        .iter()
        .flat_map(|word| (0..32).map(move |index| Digit::of(word >> index & 1 == 1)))
        .collect();
    if bits.is_empty() {
        return Ok(vec![Digit::Zero]);
    }
    Ok(bits)
}

fn extension(bits: &[Digit]) -> Digit {
    match bits.last() {
        Some(Digit::X) => Digit::X,
        Some(Digit::Z) => Digit::Z,
        _ => Digit::Zero,
    }
}

/// Drops leftmost digits that extension would give back.
fn shortest(mut bits: Vec<Digit>) -> Vec<Digit> {
    while let [.., below, top] = bits[..] {
        let redundant = match top {
            Digit::Zero => matches!(below, Digit::Zero | Digit::One),
            Digit::One => false,
            Digit::X | Digit::Z => below == top,
        };
        if !redundant {
            break;
        }
        bits.pop();
    }
    bits
}
