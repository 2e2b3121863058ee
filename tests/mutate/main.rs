//! Mutants: what is said of each, judged by Icarus Verilog.
//!
//! On a small circuit every mutant is simulated on all inputs, so that killed, equivalent and
//! survived are known without respin. On designs of `hdl/` the runs that tell survivors from the
//! original are played on both. A usual run plays some; `RESPIN_CASES=all cargo test --test mutate
//! icarus` plays all of twenty designs.

#[path = "../support/folders.rs"]
mod folders;
mod icarus;
mod small;

pub use folders::{empty_folder, read, root, write};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// An empty folder.
pub fn folder(name: &str) -> PathBuf {
    empty_folder("mutate", name)
}

pub fn respin(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_respin"));
    command.args(arguments).current_dir(folder);
    command.output().expect("respin runs")
}

/// What `respin mutate` says as JSON.
pub fn mutation(folder: &Path, arguments: &[&str]) -> Value {
    let arguments = [&["mutate", "--format", "json"], arguments].concat();
    let output = respin(folder, &arguments);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let value: Value = serde_json::from_str(&text).unwrap_or_else(|error| {
        panic!("{error}: {text}{}", String::from_utf8_lossy(&output.stderr))
    });
    value["mutation"].clone()
}

pub fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A file with a diff applied, by another program.
pub fn patched(folder: &Path, file: &str, diff: &str) -> String {
    write(&folder.join("mutant.diff"), diff);
    let status = Command::new("patch")
        .args(["-s", "-o", "mutant.v", file, "mutant.diff"])
        .current_dir(folder)
        .status()
        .expect("patch runs; tests/run installs it");
    assert!(status.success(), "{diff}");
    read(&folder.join("mutant.v"))
}

/// What a test bench prints, with the sources of a design.
pub fn simulated(folder: &Path, files: &[&str]) -> String {
    let compiled = Command::new("iverilog")
        .args(["-g2012", "-o", "sim"])
        .args(files)
        .current_dir(folder)
        .output()
        .expect("iverilog runs; tests/run installs it");
    assert!(
        compiled.status.success(),
        "{}",
        String::from_utf8_lossy(&compiled.stderr)
    );
    let output = Command::new("vvp").arg("sim").current_dir(folder).output();
    String::from_utf8_lossy(&output.expect("vvp runs").stdout).into_owned()
}

/// Mutants of a design that never leaves its reset say nothing of the properties.
#[test]
fn a_reset_that_is_never_left_is_told_with_what_it_means_for_mutants() {
    let folder = folder("held");
    let text = "module m(input clk, input rst, output reg [1:0] q = 0);
  always @(posedge clk) if (rst) q <= 0; else q <= q + 1;
  low: assert property (@(posedge clk) q < 3);
endmodule
";
    write(&folder.join("m.v"), text);
    let output = respin(&folder, &["mutate", "m.v", "--reset", "rst=0"]);
    let (told, errors) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    let reason = told.lines().nth(1).unwrap_or_default();
    assert!(
        reason.ends_with(", but the design is held in reset for ever"),
        "{told}{errors}"
    );
    for part in [
        "R0331",
        "holds the design in reset for ever: `q` never changes again",
        "the scores say nothing of the properties",
        "say `--reset rst=1`",
    ] {
        assert!(errors.contains(part), "no {part}: {errors}");
    }
}
