//! The public synthesis files, where they are available.

use std::io::Write;
use std::path::PathBuf;

use respin::design::{Design, InputKind, Literal};

use super::aiger_round_trip::differs_from_other_reader;
use super::support::{read, signature};

/// The files, or a plain word on standard error that they are not there.
fn files(test: &str) -> Vec<(String, Vec<u8>)> {
    let root = std::env::var_os("RESPIN_BENCH").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/bench"),
        PathBuf::from,
    );
    let folder = root.join("aiger");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        // Past the test harness, which would keep it to itself.
        let mut stderr = std::io::stderr();
        let _ = writeln!(
            stderr,
            "SKIPPED {test}: no {}; set RESPIN_BENCH",
            folder.display()
        );
        return Vec::new();
    };
    let mut files = Vec::new();
    for entry in entries.flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|extension| extension == "aag") {
            let name = path.display().to_string();
            files.push((name, std::fs::read(&path).expect("a readable file")));
        }
    }
    files.sort();
    assert_eq!(files.len(), 30, "in {}", folder.display());
    files
}

fn outputs(design: &Design) -> Vec<Literal> {
    design
        .outputs()
        .iter()
        .map(|output| output.literal)
        .collect()
}

#[test]
fn files_are_written_back_unchanged() {
    for (name, bytes) in files("files_are_written_back_unchanged") {
        assert!(read(&bytes).to_bytes() == Ok(bytes), "{name}");
    }
}

#[test]
fn binary_copies_are_written_back_unchanged() {
    for (name, bytes) in files("binary_copies_are_written_back_unchanged") {
        let binary = read(&bytes).to_binary().expect("a sound file");
        assert!(read(&binary).to_bytes() == Ok(binary), "{name}");
    }
}

#[test]
fn binary_copies_behave_alike() {
    for (name, bytes) in files("binary_copies_behave_alike") {
        let ascii = read(&bytes);
        let binary = read(ascii.to_binary().expect("a sound file"));
        let left = signature(&ascii.design, &outputs(&ascii.design), 7);
        let right = signature(&binary.design, &outputs(&binary.design), 7);
        assert!(left == right, "{name}");
    }
}

#[test]
fn files_are_read_as_another_reader_reads_them() {
    for (name, bytes) in files("files_are_read_as_another_reader_reads_them") {
        let difference = differs_from_other_reader(&bytes, &read(&bytes));
        assert_eq!(difference, None, "{name}");
    }
}

#[test]
fn text_form_survives() {
    for (name, bytes) in files("text_form_survives") {
        let mut design = read(&bytes).design;
        for id in design.node_ids() {
            design.set_span(id, None);
        }
        let parsed = Design::parse(&design.to_string(), None).map_err(|d| d.message);
        assert!(parsed == Ok(design), "{name}");
    }
}

#[test]
fn controllable_inputs_are_found() {
    for (name, bytes) in files("controllable_inputs_are_found") {
        let named = String::from_utf8_lossy(&bytes)
            .lines()
            .take_while(|line| *line != "c")
            .filter(|line| line.starts_with('i') && line.contains(" controllable_"))
            .count();
        let design = read(&bytes).design;
        let choices = design.inputs().iter();
        let found = choices
            .filter(|id| design.input_kind(**id) == Some(InputKind::Choice))
            .count();
        assert_eq!(found, named, "{name}");
    }
}

#[test]
fn all_components_at_once_can_be_instrumented() {
    for (name, bytes) in files("all_components_at_once_can_be_instrumented") {
        let file = read(&bytes);
        let netlist = file.netlist();
        let suspects: Vec<_> = netlist.component_ids().collect();
        let game = netlist.instrument(&suspects, 1).and_then(|instrumented| {
            file.with_design(instrumented.design)
                .synthesis_game()?
                .to_ascii()
        });
        assert!(game.is_ok(), "{name}: {game:?}");
    }
}
