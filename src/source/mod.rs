//! Texts that users gave us, places in them, and what is wrong there.
//!
//! Enters: the bytes of a file and the name the user knows it by. Leaves: [`Span`]s that
//! every later stage carries along, and [`Diagnostic`]s that point back into the text.
//! Nothing here reads a file or prints: `cli` does both.
//!
//! `codes` is the registry of all diagnostics, `render` shows one to a person and `record`
//! to a program.

pub mod codes;
mod cursor;
pub mod diagnostic;
pub mod record;
pub mod render;

pub use cursor::Cursor;
pub use diagnostic::{Code, Diagnostic, Label, Severity, add_once};

use crate::limits::Limits;
use std::sync::{Arc, OnceLock};

/// A file of a [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(u32);

/// A range of bytes of one file; `start == end` marks a place between two bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    pub file: FileId,
    pub start: u32,
    pub end: u32,
}

/// The longest file whose every byte has a [`Span`]. Whoever reads files refuses longer ones.
pub const LONGEST_FILE: u64 = u32::MAX as u64;

/// One input, under the name that messages use for it.
#[derive(Clone, Debug)]
pub struct SourceFile {
    pub name: String,
    /// The whole text; empty for a binary file, which has [`SourceFile::bytes`] only.
    pub text: String,
    binary: Option<Vec<u8>>,
    /// Where each line starts. Most files are never asked, so it is found at the first question.
    line_starts: OnceLock<Vec<u32>>,
}

/// A place as editors show it: both count from 1, and columns count characters, not bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

/// All texts of a run; a [`FileId`] is valid only for the `Sources` that issued it, and for
/// copies of it, which share the texts and what may be used to read them.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<Arc<SourceFile>>,
    limits: Limits,
}

impl Sources {
    pub fn new() -> Sources {
        Sources::default()
    }

    /// No texts yet, and limits for those who read them.
    pub fn within(limits: Limits) -> Sources {
        Sources {
            files: Vec::new(),
            limits,
        }
    }

    /// What may be used to read these texts. Every reader polls it.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The same texts, read within other limits.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        self.push(SourceFile {
            name: name.into(),
            text: text.into(),
            binary: None,
            line_starts: OnceLock::new(),
        })
    }

    /// Adds a file that is not text, such as binary AIGER. Its spans are byte offsets, and
    /// messages give the offset in place of a snippet.
    pub fn add_binary(&mut self, name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> FileId {
        self.push(SourceFile {
            name: name.into(),
            text: String::new(),
            binary: Some(bytes.into()),
            line_starts: OnceLock::new(),
        })
    }

    /// The same files, some of them with other texts.
    pub fn with_texts<'a>(
        &self,
        texts: impl IntoIterator<Item = (&'a FileId, &'a String)>,
    ) -> Sources {
        let mut sources = self.clone();
        for (id, text) in texts {
            let file = &mut sources.files[id.0 as usize];
            *file = Arc::new(SourceFile {
                name: file.name.clone(),
                text: text.clone(),
                binary: None,
                line_starts: OnceLock::new(),
            });
        }
        sources
    }

    /// The file of a name.
    pub fn find(&self, name: &str) -> Option<FileId> {
        let place = self.files.iter().position(|file| file.name == name)?;
        Some(FileId(place as u32))
    }

    /// All files, in the order in which they came.
    pub fn ids(&self) -> impl Iterator<Item = FileId> + use<> {
        (0..self.files.len() as u32).map(FileId)
    }

    /// All files, in the order in which they were added.
    pub fn files(&self) -> impl Iterator<Item = &SourceFile> {
        self.files.iter().map(|file| &**file)
    }

    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// The text of a span; empty for a binary file. Offsets past the end or inside a character
    /// are moved to the nearest place before them.
    pub fn text(&self, span: Span) -> &str {
        let file = self.file(span.file);
        let (start, end) = file.clamp(span);
        &file.text[start..end]
    }

    /// The text of a span after changes to places of it; `None` if one is not within it.
    pub fn text_after<'a>(
        &self,
        span: Span,
        changes: impl IntoIterator<Item = &'a (Span, String)>,
    ) -> Option<String> {
        let mut changes: Vec<&(Span, String)> = changes.into_iter().collect();
        changes.sort_by_key(|(place, _)| *place);
        let mut text = self.text(span).to_string();
        for (place, new) in changes.into_iter().rev() {
            let start = place.start.checked_sub(span.start)? as usize;
            let end = place.end.checked_sub(span.start)? as usize;
            text.get(start..end)?;
            text.replace_range(start..end, new);
        }
        Some(text)
    }

    /// Where a span starts; `None` for a binary file.
    pub fn position(&self, span: Span) -> Option<Position> {
        self.file(span.file).position(span.start as usize)
    }

    fn push(&mut self, file: SourceFile) -> FileId {
        let id = FileId(self.files.len() as u32);
        self.files.push(Arc::new(file));
        id
    }
}

impl SourceFile {
    pub fn is_binary(&self) -> bool {
        self.binary.is_some()
    }

    pub fn bytes(&self) -> &[u8] {
        match &self.binary {
            Some(bytes) => bytes,
            None => self.text.as_bytes(),
        }
    }

    /// The line and column of a byte offset; `None` for a binary file. An offset past the end
    /// is the end, and an offset inside a character is that character.
    pub fn position(&self, offset: usize) -> Option<Position> {
        if self.is_binary() {
            return None;
        }
        let offset = self.character_start(offset);
        let line = self.line_at(offset);
        let before = &self.text[self.line_starts()[line] as usize..offset];
        Some(Position {
            line: line as u32 + 1,
            column: before.chars().count() as u32 + 1,
        })
    }

    /// The bytes of a span that exist, in order, and at the borders of characters.
    pub(crate) fn clamp(&self, span: Span) -> (usize, usize) {
        let start = self.character_start(span.start as usize);
        let end = self.character_start(span.end as usize);
        (start, end.max(start))
    }

    /// The index of the line that holds an offset, and of the empty line after a last newline.
    pub(crate) fn line_at(&self, offset: usize) -> usize {
        let starts = self.line_starts();
        starts.partition_point(|&start| start as usize <= offset) - 1
    }

    /// The bytes of a line with its newline.
    pub(crate) fn line_range(&self, line: usize) -> (usize, usize) {
        let starts = self.line_starts();
        let end = match starts.get(line + 1) {
            Some(&next) => next as usize,
            None => self.text.len(),
        };
        (starts[line] as usize, end)
    }

    /// Never empty: the first line starts at 0 even in an empty text.
    fn line_starts(&self) -> &[u32] {
        self.line_starts.get_or_init(|| {
            let newlines = self.text.bytes().enumerate().filter(|&(_, b)| b == b'\n');
            std::iter::once(0)
                .chain(newlines.map(|(offset, _)| offset as u32 + 1))
                .collect()
        })
    }

    fn character_start(&self, offset: usize) -> usize {
        self.text.floor_char_boundary(offset)
    }
}

impl Span {
    /// Offsets past [`LONGEST_FILE`] become that; a file that was read has none.
    pub fn new(file: FileId, start: usize, end: usize) -> Span {
        Span {
            file,
            start: u32::try_from(start).unwrap_or(u32::MAX),
            end: u32::try_from(end).unwrap_or(u32::MAX),
        }
    }

    /// The smallest span that covers both; they must be of one file.
    pub fn to(self, other: Span) -> Span {
        Span {
            file: self.file,
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_position(text: &str, offset: usize, expected: (u32, u32)) {
        let mut sources = Sources::new();
        let file = sources.add("test", text);
        let position = sources.position(Span::new(file, offset, offset)).unwrap();
        assert_eq!(
            (position.line, position.column),
            expected,
            "offset {offset} of {text:?}"
        );
    }

    #[test]
    fn positions_count_lines_and_characters_from_one() {
        check_position("ab\ncd\n", 0, (1, 1));
        check_position("ab\ncd\n", 4, (2, 2));
    }

    #[test]
    fn a_newline_belongs_to_the_line_that_it_ends() {
        check_position("ab\ncd\n", 2, (1, 3));
    }

    #[test]
    fn the_end_of_a_text_is_a_place() {
        check_position("", 0, (1, 1));
        check_position("ab", 2, (1, 3));
        check_position("ab\n", 3, (2, 1));
    }

    #[test]
    fn an_offset_past_the_end_is_the_end() {
        check_position("ab", 99, (1, 3));
    }

    #[test]
    fn an_offset_inside_a_character_is_that_character() {
        check_position("é=1", 1, (1, 1));
        check_position("é=1", 2, (1, 2));
    }

    #[test]
    fn the_text_of_a_span_never_leaves_the_file() {
        let mut sources = Sources::new();
        let file = sources.add("test", "née");
        assert_eq!(sources.text(Span::new(file, 0, 2)), "n");
        assert_eq!(sources.text(Span::new(file, 3, 900)), "e");
        assert_eq!(sources.text(Span::new(file, 3, 1)), "");
    }

    #[test]
    fn a_binary_file_has_bytes_and_no_positions() {
        let mut sources = Sources::new();
        let file = sources.add_binary("test.aig", [0xff, 0x00]);
        assert_eq!(sources.file(file).bytes(), [0xff, 0x00]);
        assert_eq!(sources.position(Span::new(file, 1, 2)), None);
    }

    #[test]
    fn spans_that_cannot_be_stored_saturate() {
        let mut sources = Sources::new();
        let file = sources.add("test", "");
        assert_eq!(Span::new(file, 0, usize::MAX).end, u32::MAX);
    }
}
