//! The edits of a few designs, in the order in which they are tried:
//! `tests/golden/edits/NAME.txt` lists those of `hdl/NAME/faulty.v`. Which correction a user
//! sees first depends on this order.

use crate::golden;
use respin::design::verilog::edits::{self, SourceEdit};
use respin::design::verilog::{self, Options, Project};
use respin::source::Sources;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Together they have edits of every kind that the walk over the text lists.
const DESIGNS: [&str; 5] = [
    "blocking-filter",
    "missing-default",
    "missing-reset",
    "priority-encoder",
    "traffic-light",
];

fn read(name: &str) -> (Sources, Vec<SourceEdit>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("hdl/{name}/faulty.v"));
    let mut sources = Sources::new();
    let text = fs::read_to_string(path).expect("a design of hdl");
    let project = Project {
        files: vec![sources.add("faulty.v", &text)],
        ..Project::default()
    };
    let options = Options {
        components: true,
        ..Options::default()
    };
    let tree = project.parse(&sources).expect("a design that we read");
    let open = verilog::elaborate(&tree, &options).expect("a design that we elaborate");
    let edits = edits::list(&tree, &open.modules, &open.checking_only, &sources);
    (sources, edits)
}

/// One line for an edit: cost, kind, how many signals are new, and each change.
fn line(edit: &SourceEdit, sources: &Sources) -> String {
    let mut line = format!("{} {:?}", edit.cost, edit.kind);
    if edit.new_signals > 0 {
        let _ = write!(line, " +{}", edit.new_signals);
    }
    if let Some((_, kind)) = edit.within {
        let _ = write!(line, " in {kind:?}");
    }
    for (span, text) in &edit.changes {
        let file = sources.file(span.file);
        let row = file.text[..span.start as usize].matches('\n').count() + 1;
        let _ = write!(line, ", line {row}: {:?} -> {text:?}", sources.text(*span));
    }
    line
}

#[test]
fn edits_are_listed_in_the_order_in_which_they_are_tried() {
    let folder = golden::folder("edits");
    let mut kinds = BTreeSet::new();
    for name in DESIGNS {
        let (sources, edits) = read(name);
        kinds.extend(edits.iter().map(|edit| edit.kind));
        let mut actual = String::new();
        for edit in &edits {
            let _ = writeln!(actual, "{}", line(edit, &sources));
        }
        let path = folder.join(format!("{name}.txt"));
        golden::check(&path, &actual);
    }
    assert_eq!(kinds.len(), 15, "{kinds:?}");
}
