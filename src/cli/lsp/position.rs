//! Places as editors count them: lines and columns from 0, columns in UTF-16 code units or, if
//! the editor says so, in bytes.
//!
//! Lines end with `\n`, `\r\n` or `\r` (LSP 3.17, "Text Documents"). A position that does not
//! exist is moved to the nearest one before it, so that no message can point outside of a text.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Position {
    pub line: u32,
    pub character: u32,
}

/// From the start up to, and without, the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Range {
    pub start: Position,
    pub end: Position,
}

impl Range {
    /// Whether they share a place; one that is empty shares those that it touches.
    pub fn meets(&self, other: &Range) -> bool {
        self.start <= other.end && other.start <= self.end
    }
}

/// What columns count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Encoding {
    #[default]
    Utf16,
    Utf8,
}

impl Encoding {
    /// As the protocol calls it.
    pub fn word(self) -> &'static str {
        match self {
            Encoding::Utf16 => "utf-16",
            Encoding::Utf8 => "utf-8",
        }
    }

    fn width(self, symbol: char) -> usize {
        match self {
            Encoding::Utf16 => symbol.len_utf16(),
            Encoding::Utf8 => symbol.len_utf8(),
        }
    }

    /// The byte that a position is at.
    pub fn offset(self, text: &str, position: Position) -> usize {
        let Some(start) = line_start(text, position.line) else {
            return text.len();
        };
        let mut column = 0;
        for (offset, symbol) in text[start..].char_indices() {
            let next = column + self.width(symbol);
            let is_behind = next > position.character as usize;
            if is_behind || matches!(symbol, '\n' | '\r') {
                return start + offset;
            }
            column = next;
        }
        text.len()
    }

    /// The position of a byte.
    pub fn position(self, text: &str, offset: usize) -> Position {
        let offset = text.floor_char_boundary(offset);
        let before = &text[..offset];
        let mut line = 0;
        let mut start = 0;
        let bytes = text.as_bytes();
        for (index, byte) in before.bytes().enumerate() {
            // The two bytes of one line end are not parted: the first is still in the line.
            let ends = byte == b'\n' || byte == b'\r' && bytes.get(index + 1) != Some(&b'\n');
            if ends {
                line += 1;
                start = index + 1;
            }
        }
        let column: usize = before[start..].chars().map(|one| self.width(one)).sum();
        Position {
            line,
            character: u32::try_from(column).unwrap_or(u32::MAX),
        }
    }

    pub fn range(self, text: &str, start: usize, end: usize) -> Range {
        Range {
            start: self.position(text, start),
            end: self.position(text, end.max(start)),
        }
    }
}

/// Where a line starts; `None` behind the last one.
fn line_start(text: &str, line: u32) -> Option<usize> {
    if line == 0 {
        return Some(0);
    }
    let bytes = text.as_bytes();
    let mut seen = 0;
    for (index, byte) in bytes.iter().enumerate() {
        if *byte == b'\n' || *byte == b'\r' && bytes.get(index + 1) != Some(&b'\n') {
            seen += 1;
            if seen == line {
                return Some(index + 1);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    fn check_both(encoding: Encoding, text: &str, offset: usize, position: Position) {
        assert_eq!(
            encoding.position(text, offset),
            position,
            "{offset} {text:?}"
        );
        assert_eq!(
            encoding.offset(text, position),
            offset,
            "{position:?} {text:?}"
        );
    }

    #[test]
    fn columns_count_what_the_encoding_says() {
        let text = "a𝄞é;\nb";
        check_both(Encoding::Utf16, text, 5, at(0, 3));
        check_both(Encoding::Utf8, text, 5, at(0, 5));
        check_both(Encoding::Utf16, text, 7, at(0, 4));
        check_both(Encoding::Utf16, text, 9, at(1, 0));
    }

    #[test]
    fn every_kind_of_line_end_ends_one_line() {
        let text = "a\r\nb\rc\nd";
        for (offset, line) in [(0, 0), (3, 1), (5, 2), (7, 3)] {
            check_both(Encoding::Utf16, text, offset, at(line, 0));
        }
    }

    #[test]
    fn positions_that_do_not_exist_are_the_nearest_before() {
        let text = "ab\r\ncd";
        assert_eq!(Encoding::Utf16.offset(text, at(0, 99)), 2);
        assert_eq!(Encoding::Utf16.offset(text, at(9, 0)), 6);
        assert_eq!(Encoding::Utf16.offset(text, at(u32::MAX, u32::MAX)), 6);
        // Between the two halves of a surrogate pair.
        assert_eq!(Encoding::Utf16.offset("𝄞x", at(0, 1)), 0);
        assert_eq!(Encoding::Utf8.position("é", 1), at(0, 0));
    }

    #[test]
    fn every_offset_comes_back() {
        let text = "x𝄞\r\n\r\né\ry\n\n";
        for encoding in [Encoding::Utf16, Encoding::Utf8] {
            for (offset, symbol) in text.char_indices() {
                let back = encoding.offset(text, encoding.position(text, offset));
                // The second half of `\r\n` is no place of its own.
                let same = symbol == '\n' && text[..offset].ends_with('\r');
                assert!(back == offset || same, "{offset}: {back}");
            }
        }
    }
}
