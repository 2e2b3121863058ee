//! Campaigns: that the same answers come out however the jobs are run, what is run again, and
//! what is said of plans that are wrong.
//!
//! A usual run has some twenty jobs over `hdl/`. `RESPIN_JOBS=1000 cargo test --release --test
//! campaign equal` is the long one; with Dask, `flows/dask/check` does the same.

mod dask;
#[path = "../support/folders.rs"]
mod folders;
#[path = "../support/golden.rs"]
mod golden;
mod plans;
mod reports;
mod resume;
mod slurm;
mod split;
#[path = "../support/tools.rs"]
mod tools;
mod transcripts;

pub use folders::{empty_folder, read, root, write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub const RESPIN: &str = env!("CARGO_BIN_EXE_respin");

/// An empty folder.
pub fn folder(name: &str) -> PathBuf {
    empty_folder("campaign", name)
}

pub fn respin(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(RESPIN);
    command.args(arguments).current_dir(folder);
    command.output().expect("respin runs")
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The reports of a results folder, byte by byte.
pub fn reports(results: &Path) -> Vec<(&'static str, String)> {
    let names = [
        "report.json",
        "report.sarif",
        "report.xml",
        "report.html",
        "jobs.jsonl",
    ];
    names.map(|name| (name, read(&results.join(name)))).into()
}

pub fn check_same(first: &Path, second: &Path) {
    for ((name, one), (_, other)) in reports(first).iter().zip(reports(second)) {
        assert!(
            *one == other,
            "{name} of {} and {}",
            first.display(),
            second.display()
        );
    }
}
