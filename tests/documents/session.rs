//! Sessions of tutorials: blocks ```` ```console ```` whose lines after `$` are commands of a
//! shell, each with what it prints to standard output. All blocks of a page are one session, in
//! a copy of the folder that the page is about, so that a command sees what earlier ones wrote.

use crate::page::{self, Page};
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs a page's commands in `folder`. Ends with a message if one prints something else.
pub fn run(page: &mut Page, folder: &Path, update: bool) -> Result<usize, String> {
    let steps = page.steps();
    let mut different = Vec::new();
    for step in &steps {
        let actual = shell(&step.line, folder)?;
        if page::matches(&step.lines, &actual) {
            continue;
        }
        if !update || !step.is_complete() {
            return Err(format!("$ {}\n{actual}", step.line));
        }
        different.push((step, actual));
    }
    // The last one first, so that replacing one does not move the others.
    for (step, actual) in different.into_iter().rev() {
        page.replace_step(step, &actual);
    }
    Ok(steps.len())
}

/// What a command prints to standard output. Answers end with 0 or 1; an error, with 2, is what
/// a page means only if it shows what is said on standard error.
fn shell(line: &str, folder: &Path) -> Result<String, String> {
    let program = Path::new(env!("CARGO_BIN_EXE_respin"));
    let programs = program.parent().expect("a folder").display();
    let path = format!("{programs}:{}", std::env::var("PATH").unwrap_or_default());
    let output = Command::new("bash")
        .args(["-c", line])
        .current_dir(folder)
        .env("PATH", path)
        .env("HOME", folder)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env(
            "GIT_CEILING_DIRECTORIES",
            folder.parent().expect("a folder"),
        )
        .envs(["AUTHOR", "COMMITTER"].map(|who| (format!("GIT_{who}_NAME"), "A reader")))
        .envs(["AUTHOR", "COMMITTER"].map(|who| (format!("GIT_{who}_EMAIL"), "reader@localhost")))
        .env_remove("RUST_BACKTRACE")
        .stdin(Stdio::null())
        .output()
        .expect("bash runs");
    match output.status.code() {
        Some(2) if line.ends_with("2>&1") => {
            Ok(String::from_utf8_lossy(&output.stdout).into_owned())
        }
        Some(0 | 1) => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        code => Err(format!(
            "$ {line}\nended with {code:?}\n{}",
            String::from_utf8_lossy(&output.stderr)
        )),
    }
}
