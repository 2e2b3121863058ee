//! What an edit changes, as a unified diff.

use crate::certify::Certified;
use crate::design::Patch;
use crate::source::Sources;
use similar::TextDiff;

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
    let old = format!("a/{name}");
    let new = format!("b/{name}");
    TextDiff::from_lines(before, after)
        .unified_diff()
        .context_radius(3)
        .header(&old, &new)
        .to_string()
}

/// A patch that was certified, file by file. Files that are no texts are left out.
pub fn of_patch(patch: &Certified<Patch>, sources: &Sources) -> String {
    let files = patch.files.keys().filter_map(|file| {
        let before = sources.file(*file);
        let after = patch.text(*file).filter(|_| !before.is_binary())?;
        Some(unified(&before.name, &before.text, after))
    });
    files.collect()
}

#[cfg(test)]
mod tests {
    use super::unified;

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
    fn no_change_is_no_diff() {
        assert_eq!(unified("x.aag", "same\n", "same\n"), "");
    }
}
