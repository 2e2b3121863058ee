//! Campaigns: that the same answers come out however the jobs are run, what is run again, and
//! what is said of plans that are wrong.
//!
//! A usual run has some twenty jobs over `hdl/`. `RESPIN_JOBS=1000 cargo test --release --test
//! campaign equal` is the long one; with Dask, `flows/dask/check` does the same.

mod dask;
mod plans;
mod reports;
mod resume;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub const RESPIN: &str = env!("CARGO_BIN_EXE_respin");

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// An empty folder.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("campaign")
        .join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

pub fn write(path: &Path, text: &str) {
    std::fs::write(path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

pub fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
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
