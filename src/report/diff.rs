//! What an edit changes, as a unified diff.

use crate::certify::Certified;
use crate::certify::recorded::Offered;
use crate::design::Patch;
use crate::source::Sources;
use similar::algorithms::{Capture, Compact, Replace, myers};
use similar::udiff::UnifiedHunkHeader;
use similar::{DiffOp, DiffTag, group_diff_ops};
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
    let (before, after) = (lines(before), lines(after));
    let mut diff = String::new();
    for hunk in group_diff_ops(changes(&before, &after), 3) {
        if diff.is_empty() {
            // As git does: without it, GNU patch takes a name for its first word.
            let end = if name.contains(' ') { "\t" } else { "" };
            diff.push_str(&format!("--- {old}{end}\n+++ {new}{end}\n"));
        }
        diff.push_str(&format!("{}\n", UnifiedHunkHeader::new(&hunk)));
        for part in &hunk {
            let (tag, old, new) = part.as_tag_tuple();
            if tag == DiffTag::Equal {
                push(&mut diff, ' ', &before[old]);
            } else {
                push(&mut diff, '-', &before[old]);
                push(&mut diff, '+', &after[new]);
            }
        }
    }
    diff
}

/// Lines under a sign that says what becomes of them.
fn push(diff: &mut String, sign: char, lines: &[&str]) {
    for line in lines {
        diff.push(sign);
        diff.push_str(line);
        if !line.ends_with('\n') {
            diff.push_str("\n\\ No newline at end of file\n");
        }
    }
}

/// The same as edits: bytes of the text before, and what takes their place. They are in order,
/// and no two touch each other.
pub fn edits(before: &str, after: &str) -> Vec<(Range<usize>, String)> {
    let (before, after) = (lines(before), lines(after));
    let old = starts(&before);
    let operations = changes(&before, &after).into_iter();
    let changes = operations.filter(|one| one.tag() != DiffTag::Equal);
    changes
        .map(|one| {
            let (from, to) = (one.old_range(), one.new_range());
            (old[from.start]..old[from.end], after[to].concat())
        })
        .collect()
}

/// Lines with their ends, as `patch` counts them.
fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// What becomes of the lines, in order.
fn changes(before: &[&str], after: &[&str]) -> Vec<DiffOp> {
    // One algorithm by its name: a choice among all of them is 300 KB of code.
    let mut found = Compact::new(Replace::new(Capture::new()), before, after);
    let compared = myers::diff(&mut found, before, 0..before.len(), after, 0..after.len());
    compared.expect("what collects changes does not fail");
    found.into_inner().into_inner().into_ops()
}

/// Where each line starts, and where the last one ends.
fn starts(lines: &[&str]) -> Vec<usize> {
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
    use crate::random::Random;
    use similar::TextDiff;

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
    fn diffs_are_those_of_the_library() {
        let mut random = Random::new(1);
        for _ in 0..500 {
            let [before, after] = [(); 2].map(|()| {
                let lines =
                    (0..random.below(24)).map(|_| *random.pick(&["a\n", "b\n", "\n", "c\r\n"]));
                let mut text = lines.collect::<String>();
                text.push_str(if random.flip() { "end" } else { "" });
                text
            });
            let library = TextDiff::from_lines(&before, &after);
            let expected = library.unified_diff().header("a/x", "b/x").to_string();
            assert_eq!(unified("x", &before, &after), expected, "{before:?}");
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
    fn a_name_with_spaces_ends_with_a_tab() {
        let diff = unified("my dir/c n.v", "a\n", "b\n");
        assert!(
            diff.starts_with("--- a/my dir/c n.v\t\n+++ b/my dir/c n.v\t\n"),
            "{diff:?}"
        );
    }

    #[test]
    fn names_cannot_add_lines_to_a_diff() {
        let diff = unified("a\n+++ b/\"x\\.v", "a\n", "b\n");
        assert!(
            diff.starts_with("--- \"a/a\\012+++ b/\\\"x\\\\.v\"\t\n+++ \"b/"),
            "{diff}"
        );
    }

    #[test]
    fn no_change_is_no_diff() {
        assert_eq!(unified("x.aag", "same\n", "same\n"), "");
    }
}
