//! What an edit changes, as a unified diff.

use crate::certify::Certified;
use crate::certify::recorded::Offered;
use crate::design::Patch;
use crate::source::Sources;
use similar::{DiffTag, TextDiff};
use std::ops::Range;

/// The change of one file, to be read by people and by `patch`; empty if nothing changes.
pub fn unified(name: &str, before: &str, after: &str) -> String {
    // `patch` refuses names that lead out of where it stands.
    let mut name = name;
    while let Some(rest) = ["/", "./", "../"]
        .iter()
        .find_map(|start| name.strip_prefix(start))
    {
        name = rest;
    }
    let old = quoted(&format!("a/{name}"));
    let new = quoted(&format!("b/{name}"));
    TextDiff::from_lines(before, after)
        .unified_diff()
        .context_radius(3)
        .header(&old, &new)
        .to_string()
}

/// The same as edits: bytes of the text before, and what takes their place. They are in order,
/// and no two touch each other.
pub fn edits(before: &str, after: &str) -> Vec<(Range<usize>, String)> {
    let diff = TextDiff::from_lines(before, after);
    let old = starts(diff.iter_old_slices());
    let new = starts(diff.iter_new_slices());
    let operations = diff.ops().iter();
    let changes = operations.filter(|one| one.tag() != DiffTag::Equal);
    changes
        .map(|one| {
            let (from, to) = (one.old_range(), one.new_range());
            let text = &after[new[to.start]..new[to.end]];
            (old[from.start]..old[from.end], text.to_string())
        })
        .collect()
}

/// Where each line starts, and where the last one ends.
fn starts<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<usize> {
    let mut starts = vec![0];
    for line in lines {
        starts.push(starts[starts.len() - 1] + line.len());
    }
    starts
}

/// Names with line ends, quotes and the like, as `git apply` and `patch` read them.
fn quoted(name: &str) -> String {
    let is_special = |symbol: char| symbol.is_control() || matches!(symbol, '"' | '\\');
    if !name.contains(is_special) {
        return name.to_string();
    }
    let mut quoted = String::from("\"");
    for symbol in name.chars() {
        match symbol {
            '"' | '\\' => quoted.extend(['\\', symbol]),
            _ if symbol.is_control() => {
                let mut bytes = [0; 4];
                for byte in symbol.encode_utf8(&mut bytes).bytes() {
                    quoted.push_str(&format!("\\{byte:03o}"));
                }
            }
            _ => quoted.push(symbol),
        }
    }
    quoted.push('"');
    quoted
}

/// A patch that was certified, file by file. Files that are no texts are left out.
pub fn of_patch(patch: &Certified<Patch>, sources: &Sources) -> String {
    of_patch_named(Offered::Proved(patch), sources, &|name| name.to_string())
}

/// The same under the names that `name` gives the files.
pub fn of_patch_named(patch: Offered, sources: &Sources, name: &dyn Fn(&str) -> String) -> String {
    let files = patch.files.keys().filter_map(|file| {
        let before = sources.file(*file);
        let after = patch.text(*file).filter(|_| !before.is_binary())?;
        Some(unified(&name(&before.name), &before.text, after))
    });
    files.collect()
}

#[cfg(test)]
mod tests {
    use super::{edits, unified};

    #[test]
    fn edits_make_the_new_text_of_the_old_one() {
        let texts = [
            "",
            "a",
            "a\n",
            "a\nb\nc\n",
            "a\r\nB\r\nc",
            "x\nb\ny\nz\n",
            "é\n\nb\nc",
        ];
        for (before, after) in texts.iter().flat_map(|one| texts.map(|two| (*one, two))) {
            let mut text = before.to_string();
            for (range, new) in edits(before, after).into_iter().rev() {
                text.replace_range(range, &new);
            }
            assert_eq!(text, after, "{before:?}");
        }
    }

    #[test]
    fn a_changed_line_is_shown_with_its_neighbours() {
        let before = "one\ntwo\nthree\nfour\nfive\n";
        let after = "one\ntwo\n3\nfour\nfive\n";
        let expected = "\
--- a/x.aag
+++ b/x.aag
@@ -1,5 +1,5 @@
 one
 two
-three
+3
 four
 five
";
        assert_eq!(unified("x.aag", before, after), expected);
    }

    #[test]
    fn names_stay_inside_of_the_folder_that_is_patched() {
        let diff = unified("../sub/./x.v", "a\n", "b\n");
        assert!(
            diff.starts_with("--- a/sub/./x.v\n+++ b/sub/./x.v\n"),
            "{diff}"
        );
    }

    #[test]
    fn names_cannot_add_lines_to_a_diff() {
        let diff = unified("a\n+++ b/\"x\\.v", "a\n", "b\n");
        assert!(
            diff.starts_with("--- \"a/a\\012+++ b/\\\"x\\\\.v\"\n+++ \"b/"),
            "{diff}"
        );
    }

    #[test]
    fn no_change_is_no_diff() {
        assert_eq!(unified("x.aag", "same\n", "same\n"), "");
    }
}
