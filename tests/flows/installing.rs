//! What others install from: the package for cargo, archives of a release, the recipes of
//! containers and workflows, and FuseSoC with respin as a tool.

use crate::python::{succeeds, tools};
use crate::{copy, root};
use std::path::{Path, PathBuf};
use std::process::Command;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("installing")
        .join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// The package has all that a build and its tests need, and no warning. It is not built here:
/// that it can be is what `cargo package` alone asks.
#[test]
fn the_package_is_complete_and_without_warnings() {
    let folder = folder("package");
    let output = Command::new(env!("CARGO"))
        .args(["package", "--no-verify", "--allow-dirty", "--target-dir"])
        .arg(&folder)
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.success() && !text.contains("warning"),
        "{text}"
    );
    let name = concat!("package/respin-", env!("CARGO_PKG_VERSION"), ".crate");
    let size = std::fs::metadata(folder.join(name))
        .expect("a package")
        .len();
    assert!(size < 5_000_000, "{size} bytes");
    let list = succeeds(Command::new("tar").arg("-tzf").arg(folder.join(name)));
    for file in [
        "Cargo.lock",
        "LICENSE-MIT",
        "README.md",
        "hdl/fifo-level/faulty.v",
        "src/main.rs",
    ] {
        let path = format!("respin-{}/{file}", env!("CARGO_PKG_VERSION"));
        assert!(list.lines().any(|line| line == path), "no {file}\n{list}");
    }
    assert!(
        !list.contains("/target/") && !list.contains("/.github/"),
        "{list}"
    );
}

#[test]
fn an_archive_of_a_release_has_its_checksum_and_completions() {
    let folder = folder("archive");
    succeeds(
        Command::new(root().join("flows/ci/archive"))
            .arg(env!("CARGO_BIN_EXE_respin"))
            .arg("any-target")
            .arg(&folder),
    );
    let name = concat!("respin-", env!("CARGO_PKG_VERSION"), "-any-target");
    let archive = format!("{name}.tar.gz");
    succeeds(
        Command::new("sha256sum")
            .args(["-c", &format!("{archive}.sha256")])
            .current_dir(&folder),
    );
    let list = succeeds(
        Command::new("tar")
            .args(["-tzf", &archive])
            .current_dir(&folder),
    );
    for file in [
        "respin",
        "LICENSE-APACHE",
        "completions/respin.zsh",
        "man/respin-repair.1",
    ] {
        let path = format!("{name}/{file}");
        assert!(list.lines().any(|line| line == path), "no {file}\n{list}");
    }
}

/// The steps of the recipe are run by `flows/container/steps`, which takes minutes.
#[test]
fn recipes_and_workflows_are_linted() {
    succeeds(
        Command::new(tools().join("bin/hadolint"))
            .args(["Dockerfile", ".devcontainer/Dockerfile"])
            .current_dir(root()),
    );
    let steps = succeeds(Command::new(root().join("flows/container/steps")).arg("--list"));
    assert!(
        steps.contains("FROM rust:") && steps.contains("USER 1000"),
        "{steps}"
    );
    let workflows = [
        ".github/workflows/release.yml",
        "flows/ci/github-actions.yml",
    ];
    let schema = |kind: &str| {
        let mut command = Command::new(tools().join("bin/check-jsonschema"));
        command.args(["--builtin-schema", kind]).current_dir(root());
        command
    };
    succeeds(schema("vendor.github-workflows").args(workflows));
    succeeds(schema("vendor.github-actions").arg("flows/ci/action.yml"));
    succeeds(
        Command::new("node")
            .arg(root().join("tests/flows/lint.mjs"))
            .arg(tools())
            .args(workflows)
            .current_dir(root()),
    );
}

/// The packages of the image for developers are those that `tests/run` installs.
#[test]
fn the_image_for_developers_has_what_tests_need() {
    let read = |name: &str| std::fs::read_to_string(root().join(name)).expect("a file");
    let run = read("tests/run");
    let (_, rest) = run.split_once("packages=(").expect("a list of packages");
    let (packages, _) = rest.split_once(')').expect("its end");
    let recipe = read(".devcontainer/Dockerfile");
    let words: Vec<&str> = recipe.split_whitespace().collect();
    for package in packages.split_whitespace() {
        assert!(
            words.contains(&package),
            "{package} is not in .devcontainer/Dockerfile"
        );
    }
}

#[test]
fn fusesoc_verifies_and_repairs() {
    let folder = folder("fusesoc");
    copy(&root().join("flows/fusesoc"), &folder.join("fusesoc"));
    copy(&root().join("flows/example"), &folder.join("example"));
    let program = Path::new(env!("CARGO_BIN_EXE_respin"));
    let programs = program.parent().expect("a folder").display();
    let path = format!("{programs}:{}", std::env::var("PATH").unwrap_or_default());
    for (target, verdict) in [("verify", "FAIL 1 "), ("repair", "REPAIRED 0 ")] {
        let output = Command::new(tools().join("bin/fusesoc"))
            .args(["--cores-root", ".", "run", "--target", target])
            .arg("respin:examples:debounce")
            .current_dir(&folder)
            .env("HOME", &folder)
            .env("PATH", &path)
            .env("PYTHONPATH", folder.join("fusesoc"))
            .output()
            .unwrap_or_else(|error| panic!("fusesoc: {error}; tests/run installs it"));
        let text = String::from_utf8_lossy(&output.stderr);
        let results = folder
            .join("build/respin_examples_debounce_1.0.0")
            .join(target)
            .join("respin");
        let status = std::fs::read_to_string(results.join("status"));
        let status = status.unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert!(status.starts_with(verdict), "{status}\n{text}");
        assert_eq!(output.status.success(), target == "repair", "{text}");
        assert_eq!(results.join("patch.diff").exists(), target == "repair");
    }
}
