//! `$readmemh` and `$readmemb`: the words of a file as initial values of an array (IEEE
//! 1800-2017, 21.4).

use super::codes;
use super::declare::not_constant;
use super::frame::{Found, Frame};
use super::parse::unsupported;
use super::syntax::{DataFile, ReadMemory};
use crate::design::expression::{Elaborator, packed_width, position_of};
use crate::design::literal::Literal;
use crate::design::netlist::Design;
use crate::expr::Expr;
use crate::source::{Diagnostic, Span};

/// A word of a data file, or the address of those that follow.
#[derive(Debug, PartialEq, Eq)]
enum Entry {
    Address(i64),
    /// The lowest digit first; `None` for an unknown one.
    Word(Vec<Option<bool>>),
}

impl<'s> Frame<'_, 's> {
    pub fn read_memory(
        &mut self,
        design: &mut Design,
        read: &'s ReadMemory,
    ) -> Result<(), Diagnostic> {
        if !self.reads_initial {
            return Err(unsupported(
                "a memory that is read from a file while the design runs",
                read.span,
            )
            .help("read it in an `initial` block"));
        }
        let name = match &read.file {
            DataFile::Written(name) => name.clone(),
            DataFile::Computed(expr) => self.file_name(design, expr)?,
        };
        let data = self.tables.data;
        // A name that is computed may be written in another file.
        let elsewhere = data.iter().filter(|((_, known), _)| *known == name);
        let elsewhere = elsewhere.min_by_key(|((file, _), _)| *file);
        let own = data.get(&(read.span.file, name.clone()));
        let Some(text) = own.or(elsewhere.map(|(_, text)| text)) else {
            let message = format!("cannot find the data file `{name}`");
            return Err(Diagnostic::error(codes::INCLUDE_NOT_FOUND, message)
                .at(
                    read.span,
                    "not here, nor beside this file, nor in a directory of `-I`",
                )
                .help("add its directory with `-I DIR`"));
        };
        let (id, data, offset) = match self.found(design, &read.target)? {
            Found::Signal(id, data, offset) if data.unpacked.len() == 1 => (id, data, offset),
            _ => {
                let message = "what is read from a file has to be an array of words";
                return Err(Diagnostic::error(codes::BAD_TARGET, message).at(read.span, "here"));
            }
        };
        let range = data.unpacked[0];
        let width = data.width() / packed_width(&[range]).max(1);
        let mut bound = |frame: &mut Self, expr: &Option<_>, default: i64| match expr {
            Some(expr) => Elaborator::new(design, frame).constant(expr, "an address"),
            None => Ok(default),
        };
        let start = bound(self, &read.start, range.0.min(range.1))?;
        let end = bound(self, &read.end, range.0.max(range.1))?;
        let step = if start <= end { 1 } else { -1 };
        let mut bits = self.value(id);
        if bits.len() < offset + data.width() {
            let what = "a memory that is read from a file in a declaration";
            return Err(unsupported(what, read.span).help("read it in an `initial` block"));
        }
        let mut address = start;
        for entry in entries(text, read.is_hexadecimal, read.span)? {
            self.tables.limits.poll()?;
            let digits = match entry {
                Entry::Address(given) => {
                    address = given;
                    continue;
                }
                Entry::Word(digits) => digits,
            };
            let Some(position) = position_of(range, address) else {
                let message = format!("the file has a word for the address {address}");
                return Err(Diagnostic::error(codes::BAD_TARGET, message)
                    .at(read.span, format!("the array is [{}:{}]", range.0, range.1)));
            };
            for (index, bit) in bits[offset + position * width..][..width]
                .iter_mut()
                .enumerate()
            {
                // A bit with an unknown digit stays as unknown as it was.
                if let Some(value) = digits.get(index).copied().unwrap_or(Some(false)) {
                    *bit = Literal::constant(value);
                }
            }
            address += step;
        }
        self.values.now.insert(id, bits);
        Ok(())
    }
}

impl Frame<'_, '_> {
    /// The text that a constant expression is, eight bits for each symbol.
    fn file_name(&mut self, design: &mut Design, expr: &Expr) -> Result<String, Diagnostic> {
        let (bits, _) = Elaborator::new(design, self).self_determined(expr)?;
        let mut bytes = Vec::new();
        for symbol in bits.chunks(8).rev() {
            let mut byte = 0;
            for (index, bit) in symbol.iter().enumerate() {
                match bit.as_constant() {
                    Some(value) => byte |= u8::from(value) << index,
                    None => return Err(not_constant(expr)),
                }
            }
            bytes.push(byte);
        }
        // Shorter strings are filled up with zeros.
        bytes.retain(|byte| *byte != 0);
        String::from_utf8(bytes).map_err(|_| not_constant(expr))
    }
}

/// The words and addresses of a data file.
fn entries(text: &str, is_hexadecimal: bool, span: Span) -> Result<Vec<Entry>, Diagnostic> {
    let mut entries = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else {
            return Ok(entries);
        };
        if let Some(comment) = rest.strip_prefix("//") {
            rest = comment.split_once('\n').map_or("", |(_, behind)| behind);
            continue;
        }
        if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.split_once("*/").map_or("", |(_, behind)| behind);
            continue;
        }
        let end = rest.find(|one: char| one.is_whitespace() || one == '/');
        let (word, behind) = rest.split_at(end.unwrap_or(rest.len()).max(first.len_utf8()));
        rest = behind;
        let entry = match word.strip_prefix('@') {
            Some(address) => i64::from_str_radix(address, 16).ok().map(Entry::Address),
            None => digits(word, is_hexadecimal).map(Entry::Word),
        };
        match entry {
            Some(entry) => entries.push(entry),
            None => {
                let base = if is_hexadecimal {
                    "hexadecimal"
                } else {
                    "binary"
                };
                let message = format!("`{word}` in the data file is no {base} number");
                return Err(Diagnostic::error(codes::BAD_TARGET, message).at(span, "read here"));
            }
        }
    }
}

/// The digits of a word, the lowest first; `None` if it is no number.
fn digits(word: &str, is_hexadecimal: bool) -> Option<Vec<Option<bool>>> {
    let (radix, width) = if is_hexadecimal { (16, 4) } else { (2, 1) };
    let mut bits = Vec::new();
    for digit in word.chars().rev().filter(|digit| *digit != '_') {
        if matches!(digit, 'x' | 'X' | 'z' | 'Z' | '?') {
            bits.extend(std::iter::repeat_n(None, width));
            continue;
        }
        let value = digit.to_digit(radix)?;
        bits.extend((0..width).map(|bit| Some(value >> bit & 1 == 1)));
    }
    Some(bits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;

    fn words(text: &str, is_hexadecimal: bool) -> Option<String> {
        let span = Span::new(Sources::new().add("a.v", ""), 0, 0);
        let entries = entries(text, is_hexadecimal, span).ok()?;
        let shown: Vec<String> = entries
            .into_iter()
            .map(|entry| match entry {
                Entry::Address(address) => format!("@{address}"),
                Entry::Word(digits) => {
                    let digits = digits.iter().rev();
                    let digits = digits.map(|digit| match digit {
                        Some(true) => '1',
                        Some(false) => '0',
                        None => 'x',
                    });
                    digits.collect()
                }
            })
            .collect();
        Some(shown.join(" "))
    }

    #[test]
    fn words_addresses_and_comments_are_read() {
        let text = "1F /* no\n2 */ a_x\n@1a // end\n3";
        let expected = "00011111 1010xxxx @26 0011";
        assert_eq!(words(text, true).as_deref(), Some(expected));
        assert_eq!(words("10 1z\n", false).as_deref(), Some("10 1x"));
        assert_eq!(words("", true).as_deref(), Some(""));
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in ["12g", "@", "@xy", "ü"] {
            assert_eq!(words(text, true), None, "{text}");
        }
        assert_eq!(words("102", false), None);
    }
}
