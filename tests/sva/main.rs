//! Assertions in Verilog sources: what they mean, judged by others.
//!
//! Immediate assertions, and concurrent ones that can be rewritten into a clocked block, are
//! judged by Yosys and ABC on a design that keeps them and on one that does not. For all
//! others there is an evaluator of its own, which follows the definitions of the standard on
//! single runs.

mod bind;
mod cases;
mod clocks;
mod collection;
mod evaluator;
mod messages;
mod observers;
mod player;
#[path = "../support/program.rs"]
mod program;
mod properties;
mod random;
mod repair;
mod yosys;

pub use program::respin;
use std::path::PathBuf;

/// A folder for the files of a test.
pub fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join("sva")
        .join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// The verdict of `respin verify` on a text.
pub fn verdict(text: &str, name: &str, folder: &std::path::Path) -> String {
    let file = format!("{name}.sv");
    std::fs::write(folder.join(&file), text).expect("a design is written");
    let (output, problems, _) = respin(&["verify", "-q", &file], folder);
    match output.lines().next() {
        Some(verdict) => verdict.to_string(),
        None => panic!("{name}: no verdict\n{problems}"),
    }
}
