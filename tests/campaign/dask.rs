//! The same jobs on a Dask cluster whose workers are killed.
//!
//! Dask is a package that `tests/run` installs below `target/dask`; without it this test fails
//! and says so. `flows/dask/check` alone is the long form, with 1,000 jobs.

use super::tools::{home, succeeds};
use super::{RESPIN, folder, root};
use std::process::Command;

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
