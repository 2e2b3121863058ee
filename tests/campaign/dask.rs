//! The same jobs on a Dask cluster whose workers are killed.
//!
//! Dask is a package that `tests/run` installs below `target/dask`; without it this test fails
//! and says so. `flows/dask/check` alone is the long form, with 1,000 jobs.

use super::tools::{home, succeeds};
use super::{RESPIN, folder, respin, root, stdout, write};
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
fn a_line_is_run_wherever_a_worker_is() {
    let folder = folder("worker");
    write(
        &folder.join("m.v"),
        "module m(input a, output y); assign y = !a; endmodule\n",
    );
    write(&folder.join("p.ltl"), "assert same: G (y == a);\n");
    let plan = "[[set]]\ndesigns = [\"m.v\"]\nproperties = [\"p.ltl\"]\n";
    write(&folder.join("plan.toml"), plan);
    let line = stdout(&respin(&folder, &["campaign", "plan.toml", "--list"]));
    let results = folder.join("out");
    let run = "import sys\nfrom respin_campaign.cli import run_job\n\
               print(run_job(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]))\n";
    let elsewhere = std::env::temp_dir();
    let names = [line.trim(), RESPIN, &results.display().to_string()];
    assert_eq!(python(run, &elsewhere, &names), "FAIL\n");
    let file = || {
        let mut entries = std::fs::read_dir(results.join("results")).expect("results");
        let path = entries.next().expect("a result").expect("a result").path();
        path.metadata().expect("a file").modified().expect("a time")
    };
    let first = file();
    python(run, &elsewhere, &names);
    assert_eq!(file(), first);
    python(run, &elsewhere, &[&names[..], &["no"]].concat());
    assert_ne!(file(), first);
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
