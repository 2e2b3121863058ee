//! `ARCHITECTURE.md` holds: who uses whom, where every file is, and who may certify. All of it
//! is read from the text of the sources.

mod imports;
mod map;
mod page;
mod sources;

use sources::Source;
use std::collections::{BTreeMap, BTreeSet};

/// For each top-level module those that it uses.
type Uses = BTreeMap<String, BTreeSet<String>>;

/// Uses that the plan does not have, and that are to go away. An entry that is not needed any
/// more fails the test, so that the list gets shorter.
const STILL_USED: &[(&str, &str)] = &[];

#[test]
fn modules_use_what_the_table_says() {
    let mut planned = page::uses();
    for (user, used) in STILL_USED {
        let known = planned.entry(user.to_string()).or_default();
        assert!(
            known.insert(used.to_string()),
            "the table allows `{user}` to use `{used}`: remove the exception"
        );
    }
    let actual = imports::uses(&sources::all());
    for (module, used) in &actual {
        let planned = planned.get(module).unwrap_or_else(|| {
            panic!("`{module}` has no row in the table of ARCHITECTURE.md");
        });
        assert_eq!(
            used, planned,
            "`{module}` uses the modules on the left; ARCHITECTURE.md (and the list of \
             exceptions in this test) have those on the right"
        );
    }
    for module in planned.keys() {
        assert!(actual.contains_key(module), "there is no module `{module}`");
    }
}

#[test]
fn modules_do_not_use_each_other_in_circles() {
    let uses = imports::uses(&sources::all());
    let mut left: BTreeSet<&String> = uses.keys().collect();
    while !left.is_empty() {
        let is_last = |module: &&&String| uses[**module].iter().all(|used| !left.contains(used));
        let Some(last) = left.iter().find(is_last).copied() else {
            panic!("these use each other: {left:?}");
        };
        left.remove(last);
    }
}

#[test]
fn stages_that_must_not_meet_do_not() {
    let uses = imports::uses(&sources::all());
    for (user, used) in [
        ("design", "spec"),
        ("spec", "design"),
        ("repair", "explain"),
        ("explain", "repair"),
        ("certify", "game"),
        ("certify", "synth"),
        ("certify", "repair"),
        ("certify", "explain"),
        ("report", "bdd"),
        ("cli", "bdd"),
        ("cli", "game"),
    ] {
        let exempt = STILL_USED.contains(&(user, used));
        let found = uses[user].contains(used);
        assert_eq!(found, exempt, "`{user}` uses `{used}`");
    }
}

/// The model of a report and its renderers know plain values; `report/answers` makes them.
#[test]
fn only_answers_of_report_name_the_stages_that_answer() {
    let mut sources = sources::all();
    sources.retain(|source| !source.path.starts_with("report/answers/"));
    let uses = imports::uses(&sources);
    for stage in ["explain", "repair", "subject", "trace", "verify"] {
        assert!(!uses["report"].contains(stage), "`report` uses `{stage}`");
    }
}

#[test]
fn every_file_is_on_the_map() {
    let covered = map::covered();
    let missing: Vec<String> = sources::all()
        .into_iter()
        .map(|source| source.path)
        .filter(|path| !covered.contains(path))
        .collect();
    assert!(
        missing.is_empty(),
        "no row of ARCHITECTURE.md names\n{}",
        missing.join("\n")
    );
}

/// Privacy sees to this as well; here it is said which files privacy lets through.
#[test]
fn only_certify_makes_certified_answers() {
    for source in sources::all() {
        if source.top() != "certify" {
            let made = imports::makes_certified(&source.code);
            assert!(!made, "{} makes a certified answer", source.path);
        }
    }
    let certified = Source::read("certify/certified.rs");
    assert!(imports::makes_certified(&certified.code));
    assert!(certified.code.contains("pub(super) fn new("));
    let fields = certified.code.split("pub struct Certified<T> {").nth(1);
    let fields = fields.and_then(|rest| rest.split('}').next());
    let fields = fields.expect("the type has fields");
    assert!(!fields.contains("pub"), "a public field: {fields}");
}

#[test]
fn every_dependency_has_a_row_with_its_reasons() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |name: &str| std::fs::read_to_string(root.join(name)).expect("a file");
    let (manifest, page) = (read("Cargo.toml"), read("docs/dependencies.md"));
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with('|')).collect();
    let mut inside = false;
    for line in manifest.lines() {
        if line.starts_with('[') {
            inside = line.contains("dependencies]");
        } else if let (true, Some((name, _))) = (inside, line.split_once(" = ")) {
            let cell =
                |row: &&&str| page::quoted(row.split('|').nth(1).unwrap_or("")).contains(&name);
            assert!(rows.iter().any(|row| cell(&row)), "no row for {name}");
        }
    }
}
