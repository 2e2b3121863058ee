//! The same jobs on a Dask cluster whose workers are killed.
//!
//! Dask is a package that `tests/run` installs below `target/dask`; without it this test fails
//! and says so. `flows/dask/check` alone is the long form, with 1,000 jobs.

use super::tools::{home, succeeds};
use super::{RESPIN, folder, root};
use std::process::Command;

/// Runs a program with the package.
fn python(program: &str, folder: &std::path::Path, arguments: &[&str]) -> String {
    succeeds(
        Command::new(home("RESPIN_DASK", "dask").join("bin/python"))
            .args(["-c", program])
            .args(arguments)
            .current_dir(folder)
            .env("PYTHONPATH", root().join("flows/dask")),
    )
}

#[test]
fn the_help_says_where_other_options_go() {
    let help = python(
        "from respin_campaign import main; main(['--help'])",
        root(),
        &[],
    );
    assert!(
        help.contains("All other options go to `respin campaign`"),
        "{help}"
    );
}

#[test]
fn a_cluster_that_loses_workers_has_the_same_report() {
    let said = succeeds(
        Command::new(home("RESPIN_DASK", "dask").join("bin/python"))
            .arg(root().join("flows/dask/check"))
            .args(["--jobs", "20", "--respin", RESPIN, "--folder"])
            .arg(folder("dask")),
    );
    for results in ["two", "parts", "dask"] {
        let same = format!("{results}: the same report as one, byte for byte");
        assert!(said.contains(&same), "{said}");
    }
    assert!(said.contains("killed worker"), "{said}");
}
