//! Recorded runs and references, as a user meets them: traces of other simulators, bad files,
//! what unknown values mean, repairs that fit, and designs that have to be equal to another.

mod bench;
mod formats;
mod mistakes;
mod reference;
mod repairs;
mod unknown;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An adder of steps, which the tests record, break and compare.
pub const TOTAL: &str = "\
module total(input clk, input rst, input en, input [3:0] step,
             output reg [7:0] sum, output big);
  assign big = sum > 8'd100;
  always @(posedge clk)
    if (rst) sum <= 0;
    else if (en) sum <= sum + step;
endmodule
";

/// The same with a fault.
pub fn broken() -> String {
    TOTAL.replace("sum + step", "sum - step")
}

/// A directory with files in it.
pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new(files: &[(&str, &str)]) -> Folder {
        let folder = Folder(tempfile::tempdir().expect("a directory"));
        for (name, text) in files {
            fs::write(folder.path(name), text).expect("a file");
        }
        folder
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs the program here; the exit code, and what is printed on both streams.
    pub fn respin(&self, line: &str) -> (i32, String, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_respin"))
            .args(line.split_whitespace())
            .current_dir(self.0.path())
            .output()
            .expect("respin runs");
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let code = output.status.code().expect("an exit code");
        (code, text(output.stdout), text(output.stderr))
    }

    /// Runs another program here, which has to succeed.
    pub fn run(&self, line: &str) {
        let mut words = line.split_whitespace();
        let program = words.next().expect("a program");
        let output = Command::new(program)
            .args(words)
            .current_dir(self.0.path())
            .output()
            .unwrap_or_else(|error| panic!("{program}: {error}"));
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{line}\n{error}");
    }
}

/// Checks what a command prints: the exit code, and lines that have to be there.
pub fn check(folder: &Folder, line: &str, code: i32, parts: &[&str]) -> String {
    let (found, text, error) = folder.respin(line);
    let all = format!("{text}{error}");
    assert_eq!(found, code, "{line}\n{all}");
    for part in parts {
        assert!(all.contains(part), "{line}: no {part:?} in\n{all}");
    }
    text
}

/// The collection of benchmarks, if there is one.
pub fn collection(folder: &str) -> Option<PathBuf> {
    let root = std::env::var_os("RESPIN_BENCH").map(PathBuf::from);
    let root = root.unwrap_or_else(|| {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        here.join("../shared/bench")
    });
    let folder = root.join(folder);
    if !folder.is_dir() {
        println!(
            "skipped: there is no {}; set RESPIN_BENCH",
            folder.display()
        );
        return None;
    }
    Some(folder)
}
