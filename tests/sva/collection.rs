//! A public collection of designs with assertions and verdicts: every file is read or refused
//! with a reason, and where a verdict is another one, a table in `docs/semantics.md` says why.
//! `RESPIN_BENCH` names the folder of the collection.

use super::{folder, respin};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const PAGE: &str = "docs/semantics.md";
const HEADING: &str = "| file | property | respin | collection | why |";

/// File, property, our verdict, theirs.
type Row = [String; 4];

fn collection() -> PathBuf {
    let root = std::env::var("RESPIN_BENCH").unwrap_or_else(|_| "../shared/bench".to_string());
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(root)
        .join("sva/semantics")
}

/// The rows of the table, each with a reason.
fn defended() -> BTreeSet<Row> {
    let page = std::fs::read_to_string(PAGE).expect("the page");
    let table = page.split(HEADING).nth(1).expect("the table");
    let lines = table.lines().skip(2);
    let rows = lines.take_while(|line| line.starts_with('|')).map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        assert_eq!(cells.len(), 5, "{line}");
        assert!(cells[4].len() > 20, "no reason: {line}");
        [0, 1, 2, 3].map(|cell| cells[cell].replace('`', ""))
    });
    rows.collect()
}

/// Our verdict for each property of a file, or why it is refused.
fn judged(file: &Path, folder: &Path) -> Result<Vec<(String, String)>, String> {
    let file = file.to_str().expect("a name");
    let arguments = ["verify", file, "--cpu-timeout", "10s", "--format", "json"];
    let (output, problems, _) = respin(&arguments, folder);
    let report: serde_json::Value = serde_json::from_str(&output)
        .unwrap_or_else(|error| panic!("{file}: {error}\n{output}{problems}"));
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_string();
    let properties = report["properties"].as_array().cloned().unwrap_or_default();
    if properties.is_empty() {
        let code = text(&report["diagnostics"][0]["code"]);
        assert!(code.starts_with('R'), "{file} is refused without a reason");
        return Err(code);
    }
    let verdict = |one: &serde_json::Value| (text(&one["name"]), text(&one["verdict"]));
    Ok(properties.iter().map(verdict).collect())
}

/// Whether a verdict is one of those of the collection, of which `A / B` are several engines'.
fn agrees(ours: &str, theirs: &str) -> bool {
    let word = match ours {
        "PASS" => "PROVED",
        "FAIL" => "REFUTED",
        _ => return false,
    };
    theirs.split(" / ").any(|one| one.starts_with(word))
}

/// `main.assert.1` is `assert_1` for us, and so is one in a block: `main.block.assert.1`.
fn own_name(name: &str) -> String {
    if let Some((_, number)) = name.rsplit_once(".assert.") {
        return format!("assert_{number}");
    }
    let behind_top = name.split_once('.').map_or(name, |(_, rest)| rest);
    behind_top.to_string()
}

#[test]
fn every_verdict_agrees_with_the_collection_or_is_defended() {
    let collection = collection();
    let Ok(expected) = std::fs::read_to_string(collection.join("expected.csv")) else {
        println!("SKIPPED: no {}; set RESPIN_BENCH", collection.display());
        return;
    };
    let folder = folder("collection");
    let mut expectations: Vec<[&str; 3]> = Vec::new();
    for line in expected.lines().skip(1) {
        let cells: Vec<&str> = line.splitn(3, ',').collect();
        expectations.push([cells[0], cells[1], cells[2]]);
    }
    let files: BTreeSet<&str> = expectations.iter().map(|row| row[0]).collect();
    let (mut found, mut agreeing, mut read) = (BTreeSet::new(), 0, 0);
    for file in &files {
        let row = |property: &str, ours: &str, theirs: &str| {
            [*file, property, ours, theirs].map(str::to_string)
        };
        let ours = match judged(&collection.join(file), &folder) {
            Ok(ours) => ours,
            Err(code) => {
                found.insert(row("all", &code, "read"));
                continue;
            }
        };
        read += 1;
        let of_file = expectations.iter().filter(|row| row[0] == *file);
        // What is assumed has no verdict, and neither has what no engine could decide.
        let is_verdict = |row: &&[&str; 3]| row[2] != "ASSUMED" && row[2] != "INCONCLUSIVE";
        for [_, name, theirs] in of_file.filter(is_verdict) {
            let is_named = |own: &str| *name == ".*" || own == own_name(name);
            let mut verdicts = ours.iter().filter(|(own, _)| is_named(own)).peekable();
            let first = verdicts.peek().map(|(_, verdict)| verdict.clone());
            let first = first.unwrap_or_else(|| panic!("{file}: no property `{name}`"));
            match verdicts.any(|(_, verdict)| agrees(verdict, theirs)) {
                true => agreeing += 1,
                false => {
                    found.insert(row(name, &first, theirs));
                }
            }
        }
    }
    println!(
        "{read} of {} files read, {agreeing} verdicts agree",
        files.len()
    );
    assert_eq!(found, defended(), "what is not defended, and what is");
}
