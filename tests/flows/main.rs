//! The flows of `flows/`, run as their README says.

mod installing;
#[path = "../support/program.rs"]
mod program;
mod python;
#[path = "../support/tools.rs"]
mod support;

use program::respin;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder").flatten() {
        let target = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy(&entry.path(), &target),
            false => {
                std::fs::copy(entry.path(), target).expect("a copy");
            }
        }
    }
}

/// The commands of a page, block by block.
fn blocks(page: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut inside: Option<String> = None;
    for line in page.lines() {
        match (&mut inside, line) {
            (None, "```sh") => inside = Some(String::new()),
            (Some(block), "```") => blocks.push(std::mem::take(block)),
            (Some(block), line) => {
                block.push_str(line);
                block.push('\n');
            }
            _ => {}
        }
        if line == "```" {
            inside = None;
        }
    }
    blocks
}

#[test]
fn the_commands_of_the_readme_work() {
    let page = std::fs::read_to_string(root().join("flows/README.md")).expect("a page");
    let blocks = blocks(&page);
    assert!(blocks.len() >= 8, "{} blocks", blocks.len());
    let program = Path::new(env!("CARGO_BIN_EXE_respin"));
    let programs = program.parent().expect("a folder").display().to_string();
    let path = format!("{programs}:{}", std::env::var("PATH").unwrap_or_default());
    for (number, block) in blocks.iter().enumerate() {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("flows/{number}"));
        let _ = std::fs::remove_dir_all(&folder);
        copy(&root().join("flows"), &folder);
        let output = Command::new("bash")
            .args(["-e", "-o", "pipefail", "-c", &checked(block)])
            .current_dir(&folder)
            .env("PATH", &path)
            .output()
            .expect("bash runs");
        assert!(
            output.status.success(),
            "{block}\n{}\n{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

/// `bash -e` does not look at a command behind `!`, so that it is asked for in words.
fn checked(block: &str) -> String {
    let line = |line: &str| match line.strip_prefix("! ") {
        Some(command) => format!("if {command}; then echo '{command} succeeded' >&2; exit 1; fi"),
        None => line.to_string(),
    };
    block.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("project")
        .join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("deep/er")).expect("a folder");
    folder
}

const DESIGN: &str = "`include \"width.vh\"
module m (input clk, input rst, output reg [`WIDTH:0] q);
  always @(posedge clk) if (rst) q <= 1; else q <= {q[0], q[1]};
endmodule
";

#[test]
fn a_project_file_says_all_that_options_say() {
    let folder = folder("all");
    std::fs::create_dir_all(folder.join("include")).expect("a folder");
    std::fs::write(
        folder.join("include/width.vh"),
        "// The width is a macro.\n",
    )
    .expect("a file");
    std::fs::write(folder.join("m.v"), DESIGN).expect("a design");
    std::fs::write(folder.join("m.ltl"), "assert one: G $onehot(q);\n").expect("properties");
    let project = "# A project.\nfiles = [\"m.v\"]\nproperties = [\n  \"m.ltl\",\n]\ntop = \"m\"\nreset = \"rst=1:2\"\ndefines = [\"WIDTH=1\"]\ninclude = [\"include\"]\n\n[components]\nkinds = [\"assignment\"]\nonly = [\"m.v:3\"]\nfaults = 1\n\n[limits]\ntimeout = \"30s\"\nmemory = \"1G\"\n";
    std::fs::write(folder.join("respin.toml"), project).expect("a project file");
    for place in ["", "deep", "deep/er"] {
        let (output, problems, _) = respin(&["verify", "-q"], &folder.join(place));
        assert!(output.starts_with("PASS"), "{place}: {output}\n{problems}");
    }
    // The command line outranks the file.
    let (output, problems, _) = respin(&["verify", "-q", "--reset", "rst=0"], &folder);
    assert!(!output.starts_with("PASS"), "{output}\n{problems}");
}

#[test]
fn mistakes_in_a_project_file_have_a_place() {
    let folder = folder("mistakes");
    for (text, place) in [
        ("files = [\"m.v\"]\nfile = 3\n", "respin.toml:2:1"),
        ("files = [\"m.v\"\n", "respin.toml:"),
        ("files = \"m.v\"\n", "respin.toml:1:9"),
        ("top = \"m\"\n", "no file"),
        ("files = [\"m.v\"]\nreset = \"a=b=c\"\n", "respin.toml:"),
        (
            "files = [\"m.v\"]\n[limits]\ntimeout = \"soon\"\n",
            "expected a time",
        ),
    ] {
        std::fs::write(folder.join("respin.toml"), text).expect("a project file");
        let (output, problems, code) = respin(&["verify", "-q"], &folder);
        assert_eq!(code, 2, "{text}: {output}");
        assert!(
            problems.contains("R0015") && problems.contains(place),
            "{text}: {problems}"
        );
    }
}

#[test]
fn without_a_design_and_a_project_there_is_nothing_to_do() {
    let folder = Path::new("/");
    let (_, problems, code) = respin(&["repair", "-q"], folder);
    assert_eq!(code, 2);
    assert!(problems.contains("respin.toml"), "{problems}");
}
