//! Golden files: what a test expects, in a file below `tests/golden` that a person can read.
//!
//! `UPDATE_GOLDEN=1 cargo test --test NAME` writes those of one test program anew. Read the
//! difference before you keep it.
#![allow(dead_code, reason = "no test program has golden files of every kind")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

/// `tests/golden/NAME`
pub fn folder(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    root.join("tests/golden").join(name)
}

pub fn read(path: &Path) -> String {
    match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) => panic!("{}: {error}", path.display()),
    }
}

/// The files of a folder, by name; what lies in folders below it are inputs.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of golden files");
    let paths = entries.map(|entry| entry.expect("an entry of the folder").path());
    let mut files: Vec<PathBuf> = paths.filter(|path| path.is_file()).collect();
    files.sort();
    files
}

/// Byte for byte what the file says; the difference is shown line by line.
pub fn check(path: &Path, actual: &str) {
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(path, actual).expect("the golden file is written");
        return;
    }
    let expected = read(path);
    if actual != expected {
        let difference = similar::TextDiff::from_lines(expected.as_str(), actual);
        panic!(
            "{} differs (UPDATE_GOLDEN=1 writes it anew):\n{}",
            path.display(),
            difference.unified_diff().header("expected", "actual")
        );
    }
}

/// A whole run of the program: the file has a command line after `$ respin`, the exit code,
/// and both streams.
pub fn check_transcript(path: &Path, run: impl FnOnce(&str) -> Output) {
    let expected = read(path);
    let first_line = expected.lines().next().unwrap_or_default();
    let line = first_line
        .strip_prefix("$ respin ")
        .expect("a transcript starts with `$ respin `");
    let output = run(line);
    let text = |bytes| std::str::from_utf8(bytes).expect("the program writes UTF-8");
    let actual = format!(
        "$ respin {line}\nexit code {}\n--- stdout\n{}--- stderr\n{}",
        output.status.code().expect("an exit code"),
        without_times(text(&output.stdout)),
        text(&output.stderr)
    );
    check(path, &actual);
}

/// The line that says how long something took, with any time.
fn without_times(text: &str) -> String {
    let line = |line: &str| match line.strip_prefix("time           ") {
        Some(_) => "time           ... s\n".to_string(),
        None => line.to_string(),
    };
    text.split_inclusive('\n').map(line).collect()
}

/// That each file of the folder has a test, and each test a file.
pub fn check_complete(folder: &Path, names: &[&str]) {
    let tested: BTreeSet<String> = names.iter().map(|name| format!("{name}.txt")).collect();
    let present: BTreeSet<String> = files(folder)
        .iter()
        .filter_map(|path| Some(path.file_name()?.to_str()?.to_string()))
        .collect();
    assert_eq!(tested, present);
}

/// A test for each transcript `NAME.txt` of a folder, and one that none is left out:
/// `transcripts! { folder() => run, NAME NAME ... }`.
#[allow(unused_macros, reason = "not every test program has transcripts")]
macro_rules! transcripts {
    ($folder:expr => $run:expr, $($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                let path = $folder.join(concat!(stringify!($name), ".txt"));
                $crate::golden::check_transcript(&path, $run);
            }
        )*

        #[test]
        fn every_transcript_is_checked() {
            $crate::golden::check_complete(&$folder, &[$(stringify!($name)),*]);
        }
    };
}

#[allow(unused_imports, reason = "not every test program has transcripts")]
pub(crate) use transcripts;
