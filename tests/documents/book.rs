//! The book: `docs/SUMMARY.md` lists every page, links of all pages lead somewhere, and the page
//! of diagnostics is made of the table that `respin help-code` reads.

use crate::root;
use respin::source::codes::RANGES;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;

/// Where pages stand.
const FOLDERS: [&str; 9] = [
    "",
    "docs",
    "flows",
    "flows/dask",
    "flows/fusesoc",
    "flows/python",
    "flows/siliconcompiler",
    "hdl",
    "specs",
];

fn pages_of(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join(folder)).expect("a folder");
    let paths = entries.flatten().map(|entry| entry.path());
    paths
        .filter(|path| path.extension().is_some_and(|one| one == "md"))
        .collect()
}

/// The targets of links outside of blocks and of quoted text.
fn links(text: &str) -> Vec<String> {
    let mut inside = false;
    let mut found = Vec::new();
    for line in text.lines() {
        if line.starts_with("```") {
            inside = !inside;
        }
        if inside {
            continue;
        }
        let plain: String = line.split('`').step_by(2).collect();
        let targets = plain.split("](").skip(1);
        found.extend(
            targets
                .filter_map(|rest| rest.split_once(')'))
                .map(|(link, _)| link.to_string()),
        );
    }
    found
}

/// The name of a heading in links, as mdBook and code hosts make it.
fn anchor(heading: &str) -> String {
    let letters = heading.to_lowercase();
    let kept = letters
        .chars()
        .filter(|one| one.is_alphanumeric() || " -_".contains(*one));
    kept.map(|one| if one == ' ' { '-' } else { one }).collect()
}

fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|line| anchor(line.trim_start_matches('#').trim()))
        .collect()
}

#[test]
fn links_lead_somewhere() {
    let mut checked = 0;
    for path in FOLDERS.iter().flat_map(|folder| pages_of(folder)) {
        let text = std::fs::read_to_string(&path).expect("a page");
        for link in links(&text) {
            if link.contains("://") {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((&link, ""));
            let target = match file {
                "" => path.clone(),
                file => path.parent().expect("a folder").join(file),
            };
            assert!(target.exists(), "{}: nothing at {link}", path.display());
            if !heading.is_empty() {
                let text = std::fs::read_to_string(&target).expect("a page");
                let known = anchors(&text).contains(heading);
                assert!(known, "{}: no heading at {link}", path.display());
            }
            checked += 1;
        }
    }
    assert!(checked >= 80, "{checked} links");
}

#[test]
fn the_summary_lists_every_page_once() {
    let summary = root().join("docs/SUMMARY.md");
    let listed = links(&std::fs::read_to_string(&summary).expect("a summary"));
    let unique: BTreeSet<&String> = listed.iter().collect();
    assert_eq!(unique.len(), listed.len(), "a page is listed twice");
    for path in pages_of("docs") {
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .expect("a name")
            .to_string();
        assert!(
            name == "SUMMARY.md" || unique.contains(&name),
            "{name} is not in the summary"
        );
    }
}

#[test]
fn the_page_of_diagnostics_is_that_of_the_program() {
    let path = root().join("docs/diagnostics.md");
    let made = diagnostics();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &made).expect("a written page");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    let hint = "UPDATE_GOLDEN=1 cargo test --test documents writes docs/diagnostics.md anew";
    assert!(kept == made, "{hint}");
}

fn diagnostics() -> String {
    let mut page = String::from(
        "# Diagnostics\n\n\
         What `respin help-code` says of each code, made from the same table by `cargo test --test documents`. \
         A code keeps its number for ever. Errors end a command with exit code 2; warnings and notes do not change it.\n",
    );
    for range in RANGES {
        let mut letters = range.stage.chars();
        let first = letters.next().expect("a name").to_uppercase();
        let _ = write!(page, "\n## {first}{}\n", letters.as_str());
        for entry in range.entries {
            let _ = write!(page, "\n### {}: {}\n\n", entry.code, entry.title);
            // As it stands: what is indented there is an example, and no markup is meant.
            let _ = write!(page, "```text\n{}\n```\n", entry.explanation.trim_end());
        }
    }
    page
}

#[test]
fn headings_have_names() {
    assert_eq!(
        anchor("Specifications: `check` and `convert`"),
        "specifications-check-and-convert"
    );
    assert!(anchors("# A\n## Why `UNKNOWN`?\n").contains("why-unknown"));
    assert_eq!(
        links("[a](b.md) `[c](d)`\n```\n[e](f)\n```\n[g](#h)"),
        ["b.md", "#h"]
    );
}
