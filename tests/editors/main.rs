//! Editors: Neovim as a client of `respin lsp`, and the extension for VS Code.
//!
//! `tests/run` installs Neovim, and below `target/editors` what packs the extension and what
//! judges its grammars; without them these tests fail and say so.

#[path = "../support/tools.rs"]
mod tools;

use std::path::{Path, PathBuf};
use std::process::Command;
use tools::succeeds as run;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("editors")
        .join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn tool(name: &str) -> PathBuf {
    root()
        .join("target/editors/tools/node_modules/.bin")
        .join(name)
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        match path.is_dir() {
            true => copy(&path, &target),
            false => drop(std::fs::copy(&path, &target).expect("a copy")),
        }
    }
}

#[test]
fn neovim_shows_mistakes_and_applies_a_correction() {
    let folder = folder("neovim");
    let example = root().join("hdl/fifo-level");
    for name in ["faulty.v", "properties.ltl"] {
        std::fs::copy(example.join(name), folder.join(name)).expect("an example");
    }
    let project =
        "files = [\"faulty.v\"]\nproperties = [\"properties.ltl\"]\nreset = \"rst_n=0\"\n";
    std::fs::write(folder.join("respin.toml"), project).expect("a project");
    let said = run(Command::new("nvim")
        .args(["--headless", "--clean", "-n", "-S"])
        .arg(root().join("tests/editors/neovim.lua"))
        .env("RESPIN", env!("CARGO_BIN_EXE_respin"))
        .env("DESIGN", folder.join("faulty.v"))
        .env("XDG_STATE_HOME", &folder)
        .env("XDG_CACHE_HOME", &folder));
    assert!(
        said.contains("2'b10: level <= level + 2'd1;\n") && said.contains("done"),
        "{said}"
    );
    // Neovim has written the corrected design.
    let verdict = run(Command::new(env!("CARGO_BIN_EXE_respin"))
        .arg("verify")
        .current_dir(&folder));
    assert!(verdict.starts_with("PASS\n"), "{verdict}");
}

#[test]
fn the_extension_packs() {
    let folder = folder("extension");
    copy(&root().join("flows/vscode"), &folder);
    let modules = root().join("target/editors/extension/node_modules");
    copy(&modules, &folder.join("node_modules"));
    let packed = folder.join("respin.vsix");
    run(Command::new(tool("vsce"))
        .args([
            "package",
            "--allow-missing-repository",
            "--skip-license",
            "--out",
        ])
        .arg(&packed)
        .current_dir(&folder));
    let listed = run(Command::new("python3")
        .args(["-m", "zipfile", "-l"])
        .arg(&packed));
    for name in [
        "extension/package.json",
        "extension/extension.js",
        "extension/syntaxes/properties.tmLanguage.json",
        "extension/syntaxes/spectra.tmLanguage.json",
        "extension/spectra.language-configuration.json",
        "extension/node_modules/vscode-languageclient/package.json",
    ] {
        assert!(listed.contains(name), "{name} is not in\n{listed}");
    }
    assert!(!listed.contains("extension/tests/"), "{listed}");
}

/// The extension's own code, with an editor and a client that are made up.
#[test]
fn the_extension_starts_the_server() {
    let folder = folder("activated");
    copy(&root().join("flows/vscode"), &folder);
    let said = run(Command::new("node")
        .arg(root().join("tests/editors/activate.mjs"))
        .arg(&folder));
    assert_eq!(
        said.trim(),
        "started respin lsp, asked for the verdict of file:///a.v, stopped"
    );
}

fn check_grammar(sample: &str) {
    let home = root().join("flows/vscode");
    run(Command::new(tool("vscode-tmgrammar-test"))
        .arg("--config")
        .arg(home.join("package.json"))
        .arg(home.join("tests").join(sample))
        .current_dir(&home));
}

#[test]
fn the_grammar_of_property_files_knows_its_words() {
    check_grammar("sample.ltl");
}

#[test]
fn the_grammar_of_spectra_knows_its_words() {
    check_grammar("sample.spectra");
}
