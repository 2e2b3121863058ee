//! The designs of `hdl/`, as they are and as they were meant: our netlist is that of Yosys,
//! proved by ABC, and runs like in Icarus. Designs whose fault is a latch are told apart by
//! the diagnostic that says so.

use super::netlist::{Case, elaborate_with, folder, prove, rename_modules, synthesize};
use super::simulation::{Ports, compare};
use respin::design::verilog::{Options, codes};
use std::fs;
use std::path::{Path, PathBuf};

const CYCLES: usize = 24;

/// A design file, and what `expected` says of how to read it.
struct Found {
    case: Case,
    top: Option<String>,
    /// The reset and its active value.
    reset: Option<(String, bool)>,
}

fn designs() -> Vec<Found> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("hdl");
    let mut folders: Vec<PathBuf> = fs::read_dir(&root)
        .expect("the folder hdl")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .collect();
    folders.sort();
    let mut found = Vec::new();
    for folder in folders {
        for file in ["faulty.v", "fixed.v"] {
            let Ok(text) = fs::read_to_string(folder.join(file)) else {
                continue;
            };
            let expected = fs::read_to_string(folder.join("expected")).unwrap_or_default();
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            let name = format!("{name}-{}", file.trim_end_matches(".v"));
            let reset = option(&expected, "--reset").map(|reset| {
                let (signal, value) = reset.split_once('=').unwrap_or((&reset, "1"));
                (signal.to_string(), value != "0")
            });
            let top = option(&expected, "--top");
            let case = Case {
                name,
                text,
                top: String::new(),
            };
            found.push(Found { case, top, reset });
        }
    }
    found
}

/// The value of an option in the line `options` of a file `expected`.
fn option(expected: &str, name: &str) -> Option<String> {
    let line = expected
        .lines()
        .find_map(|line| line.strip_prefix("options:"))?;
    let mut words = line.split_whitespace();
    words.find(|word| *word == name)?;
    words.next().map(str::to_string)
}

#[test]
fn designs_are_what_yosys_and_icarus_make_of_them() {
    let mut cases = Vec::new();
    let mut read = Vec::new();
    let mut ports = Vec::new();
    let mut latches = 0;
    let mut problems = Vec::new();
    for (number, mut found) in designs().into_iter().enumerate() {
        let options = Options {
            top: found.top.clone(),
            ..Options::default()
        };
        let ours = match elaborate_with(&found.case.text, &options) {
            Ok(ours) => ours,
            Err(message) if message.contains(&format!("[{}]", codes::LATCH)) => {
                latches += 1;
                continue;
            }
            Err(message) => {
                problems.push(format!("{}: {message}", found.case.name));
                continue;
            }
        };
        rename_modules(&mut found.case, &ours, number);
        let mut bench = Ports::of(&ours);
        bench.reset = found.reset.clone();
        ports.push(Some(bench));
        read.push(Ok(ours));
        cases.push(found.case);
    }
    let folder = folder("corpus");
    synthesize(&cases, &folder);
    let proofs = prove(&cases, &read, &folder);
    let (runs, unknown) = compare(&cases, &read, &ports, CYCLES, &folder);
    for (case, (proof, run)) in cases.iter().zip(proofs.into_iter().zip(runs)) {
        problems.extend(proof.map(|problem| format!("{}: {problem}", case.name)));
        problems.extend(run.map(|problem| format!("{}: {problem}", case.name)));
    }
    println!(
        "{} designs proved and run, {latches} infer latches, {unknown} bits unknown to Icarus",
        cases.len()
    );
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(
        cases.len() >= 100,
        "only {} designs were found",
        cases.len()
    );
}
