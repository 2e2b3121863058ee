//! Inputs that are made to hurt: endless and huge ones, signals at any time, names that are
//! commands, files that lead elsewhere.

#[path = "../support/child.rs"]
mod child;
mod limits;
mod names;
mod signals;
mod writing;

use std::path::{Path, PathBuf};
use std::process::Command;

/// An empty folder for one test.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("hostile")
        .join(test);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    std::fs::write(path, text).expect("a file");
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).expect("a file")
}

/// The program in a folder.
fn respin(words: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_respin"));
    command.args(words).current_dir(folder);
    command
}

/// Its exit code, standard output and standard error.
fn run(words: &[&str], folder: &Path) -> (i32, String, String) {
    let output = respin(words, folder).output().expect("respin starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let code = output.status.code().unwrap_or(-1);
    (code, text(&output.stdout), text(&output.stderr))
}

/// A design with a literal that is wrong.
const FAULTY: &str = "module m(input clk, input a, output reg q = 0);
    always @(posedge clk) q <= a & 1'b0;
    always @(posedge clk) if ($past(a)) assert (q || $initstate);
endmodule
";

/// A design with one fault that an edit of a literal mends.
const COUNTER: &str = "module counter(input clk, output reg [2:0] count = 0);
    always @(posedge clk) if (count == 3'd6) count <= 0; else count <= count + 1;
    always @(posedge clk) assert (count <= 3'd5);
endmodule
";
