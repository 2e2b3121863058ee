//! The built program.

use std::path::Path;
use std::process::Command;

/// What respin prints in a folder, what it complains about, and its exit code.
pub fn respin(arguments: &[&str], folder: &Path) -> (String, String, i32) {
    let output = Command::new(env!("CARGO_BIN_EXE_respin"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("respin runs");
    (
        String::from_utf8_lossy(&output.stdout).into_owned(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
        output.status.code().unwrap_or(-1),
    )
}
