//! Netlists of Yosys: read, written, verified and repaired, with the same answers as from the
//! source.

mod equal;
mod liveness;
mod messages;
mod newer;
mod plugin;
#[path = "../support/program.rs"]
mod program;
mod repair;
mod slang;
mod source;

pub use program::respin;
use std::path::{Path, PathBuf};
use std::process::Command;

pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("yosys")
        .join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Runs Yosys; its output, or what it complains about.
pub fn yosys(arguments: &[&str], folder: &Path) -> Result<String, String> {
    let output = Command::new("yosys")
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("yosys is installed; tests/run does it");
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// The first line of what respin says.
pub fn verdict(arguments: &[&str], folder: &Path) -> String {
    let (output, problems, _) = respin(arguments, folder);
    match output.lines().next() {
        Some(line) => line.to_string(),
        None => panic!("{arguments:?}: no verdict\n{problems}"),
    }
}
