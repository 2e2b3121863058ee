//! The same jobs on a Dask cluster whose workers are killed.
//!
//! Dask is a package that `tests/run` installs below `target/dask`; without it this test fails
//! and says so. `flows/dask/check` alone is the long form, with 1,000 jobs.

use super::{RESPIN, folder, root};
use std::path::PathBuf;
use std::process::Command;

#[test]
fn a_cluster_that_loses_workers_has_the_same_report() {
    let home = match std::env::var_os("RESPIN_DASK") {
        Some(path) => PathBuf::from(path),
        None => root().join("target/dask"),
    };
    let output = Command::new(home.join("bin/python"))
        .arg(root().join("flows/dask/check"))
        .args(["--jobs", "20", "--respin", RESPIN, "--folder"])
        .arg(folder("dask"))
        .output()
        .unwrap_or_else(|error| panic!("{}: {error}; tests/run installs it", home.display()));
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let problems = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}{problems}");
    for results in ["two", "parts", "dask"] {
        let same = format!("{results}: the same report as one, byte for byte");
        assert!(said.contains(&same), "{said}");
    }
    assert!(said.contains("killed worker"), "{said}");
}
