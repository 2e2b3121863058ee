//! The original designs of a public collection fit the runs that were recorded from them.

use crate::{Folder, check, collection};
use std::collections::BTreeSet;
use std::fs;

#[test]
fn originals_fit_their_own_traces() {
    let Some(root) = collection("rtl") else {
        return;
    };
    let index = fs::read_to_string(root.join("index.csv")).expect("an index");
    let mut seen = BTreeSet::new();
    let folder = Folder::new(&[]);
    for row in index.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let [name, top, _, _, original, others, traces, ..] = cells[..] else {
            panic!("{row}");
        };
        if !seen.insert((name, original)) {
            continue;
        }
        let path = |file: &str| root.join(name).join(file).display().to_string();
        let mut line = format!("verify {} --top {top}", path(original));
        for other in others.split_whitespace() {
            line += &format!(" {}", path(other));
        }
        for trace in traces.split_whitespace() {
            line += &format!(" --trace {}", path(trace));
        }
        check(&folder, &line, 0, &["PASS"]);
    }
    assert!(seen.len() >= 12, "{seen:?}");
}
