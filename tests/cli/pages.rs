//! Completions and manual pages.

use super::{COMMANDS, run, scratch, stderr, stdout};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Whether a tool that a check needs is installed.
fn installed(tool: &str) -> bool {
    let words = format!("command -v {tool}");
    let output = Command::new("sh").args(["-c", &words]).output();
    output.is_ok_and(|output| output.status.success())
}

fn check_accepted(tool: &str, arguments: &[&str], path: &Path) {
    let output = Command::new(tool).args(arguments).arg(path).output();
    let output = output.expect("the tool starts");
    let complaints = stderr(&output);
    assert!(
        output.status.success() && complaints.is_empty(),
        "{tool} on {}: {complaints}",
        path.display()
    );
}

fn write_pages(test: &str) -> std::path::PathBuf {
    let folder = scratch(test).join("man1");
    let output = run(&format!("man --out-dir {}", folder.display()));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    folder
}

#[test]
fn every_shell_has_completions_for_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = run(&format!("completions {shell}"));
        for command in COMMANDS {
            assert!(stdout(&output).contains(command), "{command} in {shell}");
        }
    }
}

#[test]
fn bash_accepts_its_completions() {
    let path = scratch("completions").join("respin.bash");
    fs::write(&path, run("completions bash").stdout).unwrap();
    check_accepted("bash", &["-n"], &path);
}

#[test]
fn every_command_has_a_page_with_a_title() {
    let folder = write_pages("pages");
    for command in COMMANDS {
        let page = fs::read_to_string(folder.join(format!("respin-{command}.1"))).unwrap();
        let title = format!("\n.TH respin-{command} 1");
        assert!(page.contains(&title), "{command}");
    }
}

#[test]
fn the_program_has_a_page() {
    let output = run("man");
    assert!(stdout(&output).contains("\n.TH respin 1"));
}

#[test]
fn groff_accepts_the_pages() {
    if !installed("groff") {
        return;
    }
    let folder = write_pages("pages_groff");
    for command in COMMANDS {
        let page = folder.join(format!("respin-{command}.1"));
        check_accepted("groff", &["-man", "-Tutf8", "-z", "-ww"], &page);
    }
}

#[test]
fn pages_that_exist_are_left_alone() {
    let folder = write_pages("pages_exist");
    let page = folder.join("respin.1");
    fs::write(&page, "mine").unwrap();
    run(&format!("man --out-dir {}", folder.display()));
    assert_eq!(fs::read_to_string(&page).unwrap(), "mine");
}

#[test]
fn pages_that_exist_are_replaced_by_force() {
    let folder = write_pages("pages_force");
    let page = folder.join("respin.1");
    fs::write(&page, "mine").unwrap();
    run(&format!("man --force --out-dir {}", folder.display()));
    assert!(fs::read_to_string(&page).unwrap().contains(".TH"));
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error() {
    let file = scratch("pages_blocked").join("file");
    fs::write(&file, "").unwrap();
    let output = run(&format!("man --out-dir {}", file.join("man1").display()));
    assert!(
        stderr(&output).starts_with("error[R0011]"),
        "{}",
        stderr(&output)
    );
}
