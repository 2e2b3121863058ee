//! The Python package: the wheel installs into a clean environment, where the examples of its
//! README run, and its types are those of the schema.
//!
//! What builds the wheel comes from packages that `tests/run` installs below `target/flows`;
//! without them these tests fail and say so.

use crate::root;
use std::path::{Path, PathBuf};
use std::process::Command;

pub use crate::support::succeeds;

pub fn tools() -> PathBuf {
    crate::support::home("RESPIN_FLOWS", "flows")
}

/// Blocks of the README that are programs.
fn examples() -> Vec<String> {
    let page = std::fs::read_to_string(root().join("flows/python/README.md")).expect("a page");
    let blocks = page.split("```python\n").skip(1);
    let programs = blocks.map(|block| block.split("\n```").next().expect("a block").to_string());
    programs.collect()
}

#[test]
fn python_types_are_those_of_the_schema() {
    succeeds(
        Command::new("python3")
            .arg(root().join("flows/python/generate"))
            .arg("--check"),
    );
}

/// The wheel carries the program that tests use, so that nothing is built again.
#[test]
fn python_repairs_in_a_clean_environment() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    succeeds(
        Command::new(tools().join("bin/pip"))
            .args([
                "wheel",
                "--quiet",
                "--no-build-isolation",
                "--no-deps",
                "-w",
            ])
            .arg(&folder)
            .arg(root().join("flows/python"))
            .env("RESPIN_BINARY", env!("CARGO_BIN_EXE_respin")),
    );
    let mut entries = std::fs::read_dir(&folder).expect("a folder").flatten();
    let wheel = entries.next().expect("a wheel").path();
    let environment = folder.join("environment");
    succeeds(
        Command::new("python3")
            .args(["-m", "venv"])
            .arg(&environment),
    );
    succeeds(
        Command::new(environment.join("bin/pip"))
            .args(["install", "--quiet", "--no-index"])
            .arg(&wheel),
    );

    let version = succeeds(Command::new(environment.join("bin/respin")).arg("--version"));
    assert_eq!(
        version.trim(),
        concat!("respin ", env!("CARGO_PKG_VERSION"))
    );
    let examples = examples();
    assert!(examples.len() >= 2, "{} examples", examples.len());
    for (number, example) in examples.iter().enumerate() {
        succeeds(
            Command::new(environment.join("bin/python"))
                .args(["-I", "-c", example])
                .current_dir(root())
                .env_remove("RESPIN"),
        );
        std::fs::write(folder.join(format!("example_{number}.py")), example).expect("a file");
    }
    // The types are those of the installed package, as users see them.
    let mut judge = Command::new(tools().join("bin/mypy"));
    judge.args(["--strict", "--no-incremental", "--python-executable"]);
    judge
        .arg(environment.join("bin/python"))
        .args(["-p", "respin"]);
    succeeds(judge.current_dir(&folder));
    let mut judge = Command::new(tools().join("bin/mypy"));
    judge.args(["--strict", "--no-incremental", "--python-executable"]);
    judge.arg(environment.join("bin/python"));
    judge.args((0..examples.len()).map(|number| format!("example_{number}.py")));
    succeeds(judge.current_dir(&folder));
}
