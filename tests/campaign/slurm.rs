//! The same jobs through the queue of a Slurm cluster of one node.
//!
//! Its daemons are started by root only; whoever else runs the tests is told so. As root this
//! fails wherever Slurm cannot be set up. `flows/dask/slurm-test --jobs 1000` is the long form.

use super::tools::succeeds;
use super::{RESPIN, folder, root};
use std::os::unix::fs::MetadataExt;
use std::process::Command;

#[test]
fn a_slurm_cluster_has_the_same_report() {
    let me = std::fs::metadata("/proc/self").expect("a process has a folder");
    if me.uid() != 0 {
        eprintln!("not run: only root can start the daemons of Slurm");
        return;
    }
    let said = succeeds(
        Command::new(root().join("flows/dask/slurm-test"))
            .args(["--only", "--jobs", "20", "--respin", RESPIN, "--folder"])
            .arg(folder("slurm")),
    );
    let same = "slurm: the same report as one, byte for byte";
    assert!(said.contains(same), "{said}");
}
