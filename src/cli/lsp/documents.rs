//! The texts that the editor has open, and where they would be on the disk.

use super::position::{Encoding, Range};
use crate::load::Format;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A text of the editor.
#[derive(Clone, Debug)]
pub struct Document {
    /// As the editor writes it; answers use the same spelling.
    pub uri: String,
    pub version: i64,
    pub text: String,
}

/// One change of a text: all of it if there is no range.
#[derive(Clone, Debug, Deserialize)]
pub struct Change {
    pub range: Option<Range>,
    pub text: String,
}

/// All open texts that are files, by their paths.
#[derive(Clone, Debug, Default)]
pub struct Documents {
    files: BTreeMap<PathBuf, Document>,
}

impl Documents {
    pub fn get(&self, path: &Path) -> Option<&Document> {
        self.files.get(path)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&PathBuf, &Document)> {
        self.files.iter()
    }

    pub fn open(&mut self, path: PathBuf, document: Document) {
        self.files.insert(path, document);
    }

    pub fn close(&mut self, path: &Path) -> bool {
        self.files.remove(path).is_some()
    }

    /// Applies changes one after the other; `false` if there is no such text.
    pub fn change(
        &mut self,
        path: &Path,
        version: i64,
        changes: Vec<Change>,
        encoding: Encoding,
    ) -> bool {
        let Some(document) = self.files.get_mut(path) else {
            return false;
        };
        document.version = version;
        for change in changes {
            let text = &mut document.text;
            match change.range {
                None => *text = change.text,
                Some(range) => {
                    let start = encoding.offset(text, range.start);
                    let end = encoding.offset(text, range.end).max(start);
                    text.replace_range(start..end, &change.text);
                }
            }
        }
        true
    }

    /// The address of a file, in the editor's spelling if it is open.
    pub fn uri(&self, path: &Path) -> String {
        match self.files.get(path) {
            Some(document) => document.uri.clone(),
            None => uri_of_path(path),
        }
    }
}

/// Whether we have anything to say about such a file.
pub fn is_ours(path: &Path) -> bool {
    format_of(path).is_some()
}

/// What a file is written in. Headers of Verilog are Verilog.
pub fn format_of(path: &Path) -> Option<Format> {
    let extension = path.extension()?.to_str()?;
    match extension {
        "vh" | "svh" => Some(Format::Verilog),
        // These are written by programs, and are no texts to be edited.
        "aag" | "aig" | "json" => None,
        other => Format::of_extension(other),
    }
}

/// The path of a `file:` address; `None` for any other address.
pub fn path_of_uri(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    // An authority may stand between the slashes; ours is this machine.
    let start = rest.find('/')?;
    let bytes = rest.as_bytes();
    let mut path = Vec::new();
    let mut index = start;
    while index < bytes.len() {
        let hex = |at: usize| char::from(*bytes.get(at)?).to_digit(16);
        match (bytes[index], hex(index + 1), hex(index + 2)) {
            (b'%', Some(high), Some(low)) => {
                path.push((high * 16 + low) as u8);
                index += 3;
            }
            (byte, _, _) => {
                path.push(byte);
                index += 1;
            }
        }
    }
    let path = String::from_utf8(path).ok()?;
    (!path.contains('\0')).then(|| crate::load::normal_path(Path::new(&path)))
}

/// The address of a path.
pub fn uri_of_path(path: &Path) -> String {
    let mut uri = String::from("file://");
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                uri.push(char::from(*byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::super::position::Position;
    use super::*;

    fn check_change(text: &str, range: (u32, u32, u32, u32), new: &str, expected: &str) {
        let path = PathBuf::from("/a.v");
        let mut documents = Documents::default();
        let document = Document {
            uri: "file:///a.v".to_string(),
            version: 1,
            text: text.to_string(),
        };
        documents.open(path.clone(), document);
        let at = |line, character| Position { line, character };
        let change = Change {
            range: Some(Range {
                start: at(range.0, range.1),
                end: at(range.2, range.3),
            }),
            text: new.to_string(),
        };
        assert!(documents.change(&path, 2, vec![change], Encoding::Utf16));
        assert_eq!(documents.get(&path).unwrap().text, expected);
    }

    #[test]
    fn changes_replace_what_their_range_covers() {
        check_change("ab\r\ncd", (0, 1, 1, 1), "-", "a-d");
        check_change("a𝄞b", (0, 1, 0, 3), "x", "axb");
        check_change("ab", (0, 2, 0, 2), "c", "abc");
    }

    #[test]
    fn ranges_outside_of_the_text_are_moved_into_it() {
        check_change("ab", (5, 0, 9, 9), "c", "abc");
        check_change("ab", (0, 2, 0, 0), "c", "abc");
        check_change("", (0, 0, 0, 0), "c", "c");
    }

    #[test]
    fn paths_survive_being_an_address() {
        for path in ["/a/b.v", "/a b/ü#%?.spectra", "/x/[1].ltl"] {
            let uri = uri_of_path(Path::new(path));
            assert_eq!(path_of_uri(&uri).as_deref(), Some(Path::new(path)), "{uri}");
        }
    }

    #[test]
    fn other_addresses_are_no_files() {
        for uri in [
            "untitled:Untitled-1",
            "file:",
            "file://",
            "",
            "file:///%00",
            "file:///%ff",
        ] {
            assert_eq!(path_of_uri(uri), None, "{uri}");
        }
        let found = path_of_uri("file://localhost/a/../b%2");
        assert_eq!(found.as_deref(), Some(Path::new("/b%2")));
    }
}
