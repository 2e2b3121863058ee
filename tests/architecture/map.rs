//! Which files the tables of `ARCHITECTURE.md` name.
//!
//! Under a heading that is a module, as in "### `bdd`", paths are below that module; elsewhere
//! below `src`. After a path with a folder, as in `spec/gr1/mod.rs`, `term.rs`, a plain name is
//! in the same folder. A path that ends with a slash stands for all below it, and a star for
//! any part of a name.

use super::{page, sources};
use std::collections::BTreeSet;

/// The paths below `src` that some row names. A row that names no file at all is a mistake.
pub fn covered() -> BTreeSet<String> {
    let paths = sources::paths();
    let mut covered = BTreeSet::new();
    for table in page::tables() {
        if table.columns[0] != "file" {
            continue;
        }
        let base = base(&table.heading);
        for row in &table.rows {
            let mut folder = base.clone();
            for name in page::quoted(&row[0]) {
                let found = find(name, &base, &mut folder, &paths);
                let elsewhere = is_elsewhere(name);
                assert!(
                    !found.is_empty() || elsewhere,
                    "`{name}` under \"{}\" is no file",
                    table.heading
                );
                covered.extend(found.into_iter().cloned());
            }
        }
    }
    covered
}

/// The folder that the heading names, with a slash at its end.
fn base(heading: &str) -> String {
    match page::quoted(heading).as_slice() {
        [module] if heading.starts_with('`') => format!("{module}/"),
        _ => String::new(),
    }
}

fn find<'a>(name: &str, base: &str, folder: &mut String, paths: &'a [String]) -> Vec<&'a String> {
    // What has a folder of its own is looked up from the base, a plain name beside the last.
    let pattern = if name.contains('/') {
        format!("{base}{name}")
    } else {
        format!("{folder}{name}")
    };
    if let Some((parent, _)) = pattern.rsplit_once('/') {
        *folder = format!("{parent}/");
    }
    let matching = paths.iter().filter(|path| matches(&pattern, path));
    matching.collect()
}

fn matches(pattern: &str, path: &str) -> bool {
    if pattern.ends_with('/') {
        return path.starts_with(pattern);
    }
    match pattern.split_once('*') {
        None => pattern == path,
        Some((start, end)) => {
            path.len() >= start.len() + end.len()
                && path.starts_with(start)
                && path.ends_with(end)
                && !path[start.len()..path.len() - end.len()].contains('/')
        }
    }
}

/// Rows may also name what is not a Rust file of `src`.
fn is_elsewhere(name: &str) -> bool {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let plain = name.ends_with(".spectra");
    plain || root.join(name).exists()
}

#[test]
fn patterns_match_names_and_folders() {
    assert!(matches("a/b.rs", "a/b.rs"));
    assert!(matches("a/", "a/b/c.rs"));
    assert!(matches("a/parse_*.rs", "a/parse_b.rs"));
    assert!(!matches("a/*.rs", "a/b/c.rs"));
    assert!(!matches("a/b.rs", "a/b/c.rs"));
}
