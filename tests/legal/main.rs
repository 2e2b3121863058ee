//! What we read and what we write is SystemVerilog by the grammar of IEEE 1800-2017, as
//! another parser understands it. Patches of the example designs are looked at in `tests/hdl`,
//! where they are made.

#[path = "../verilog/choices.rs"]
#[allow(dead_code, reason = "nothing is shrunk here")]
mod choices;
mod decided;
#[path = "../verilog/expression.rs"]
mod expression;
#[path = "../verilog/features.rs"]
#[allow(dead_code, reason = "what reads an example is told there")]
mod features;
#[path = "../support/legal.rs"]
mod legal;
#[path = "../verilog/malformed.rs"]
#[allow(dead_code, reason = "texts that are too large are not for this")]
mod malformed;
#[path = "../verilog/module.rs"]
mod module;
#[path = "../verilog/statement.rs"]
mod statement;

use choices::Choices;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Generated modules that are looked at.
const MODULES: u64 = 25;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn example_designs_are_legal() {
    let mut checked = 0;
    for design in files(&root().join("hdl")) {
        if !design.is_dir() {
            continue;
        }
        for path in files(&design) {
            let extension = path.extension().and_then(|one| one.to_str());
            if matches!(extension, Some("v" | "sv")) {
                let text = std::fs::read_to_string(&path).expect("a design");
                legal::check(&path.display().to_string(), &text);
                checked += 1;
            }
        }
    }
    assert!(checked >= 150, "{checked} files");
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    entries
        .map(|entry| entry.expect("an entry").path())
        .collect()
}

#[test]
fn features_that_are_read_are_legal() {
    for (name, _, text) in features::FEATURES {
        legal::check(name, text);
    }
}

#[test]
fn generated_modules_are_legal() {
    for seed in 0..MODULES {
        let text = module::design(&mut Choices::random(seed), "m");
        legal::check(&format!("seed {seed}"), &text);
    }
}

/// Codes that say that a text is not Verilog.
const SYNTAX: [&str; 6] = ["R0200", "R0201", "R0202", "R0204", "R0206", "R0300"];
/// The code that says that it is Verilog, but not read.
const UNSUPPORTED: &str = "R0301";

/// Both kinds of refusals say the truth about the language.
#[test]
fn refusals_tell_what_is_legal_from_what_is_not() {
    let mut wrong = Vec::new();
    let mut counts = [0, 0];
    for (name, code, text) in malformed::MALFORMED {
        let is_unsupported = *code == UNSUPPORTED;
        if !is_unsupported && !SYNTAX.contains(code) {
            continue;
        }
        let agreed = legal::mistake(text).is_none() == is_unsupported;
        counts[usize::from(is_unsupported)] += 1;
        // A disagreement that has gone leaves the list.
        if agreed == decided::reason(name).is_some() {
            wrong.push(format!("{name}, {code}:\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "not as decided:\n{}", wrong.join("\n"));
    assert!(counts[0] >= 15 && counts[1] >= 25, "{counts:?} texts");
}

fn respin(arguments: &[&str], folder: &Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_respin"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("respin runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn controllers_are_legal() {
    for arguments in [
        &["specs/round_robin.tlsf", "-p", "n=5"][..],
        &["specs/handshake.hoa"],
        &["specs/forklift_fixed.spectra"],
        &["specs/dining_philosophers_unpoisoned.spectra"],
    ] {
        let arguments = [&["synth"], arguments].concat();
        let printed = respin(&arguments, root());
        let start = printed.find("module ").expect("a module");
        legal::check(arguments[1], &printed[start..]);
    }
}

#[test]
fn registers_that_a_repair_adds_are_legal() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("legal");
    std::fs::create_dir_all(&folder).expect("a folder");
    let design = "module late(input clk, input a, output q);\n  assign q = 1'b0;\n\
                  last: assert property (@(posedge clk) a |=> q);\n\
                  quiet: assert property (@(posedge clk) !a |=> !q);\nendmodule\n";
    std::fs::write(folder.join("late.v"), design).expect("a design");
    let arguments = "repair late.v --allow-state --force -o repaired.v";
    respin(&arguments.split(' ').collect::<Vec<_>>(), &folder);
    let text = std::fs::read_to_string(folder.join("repaired.v")).expect("a repaired design");
    assert!(text.contains("always"), "{text}");
    legal::check("a repaired design", &text);
}
