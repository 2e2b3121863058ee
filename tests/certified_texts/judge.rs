//! The judges of a text: respin's own `verify`, and Yosys with ABC, which share nothing with
//! it.

use super::case::Case;
use super::report;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder for the files of one thread.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        // Several runs of the tests may be under way at once.
        let name = format!("certified_texts_{name}_{}", std::process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    /// Runs a command on a design with its properties.
    fn respin(&self, command: &[&str], text: &str, properties: &str) -> Value {
        fs::write(self.0.join("match.v"), text).expect("a written file");
        fs::write(self.0.join("match.ltl"), properties).expect("a written file");
        let output = Command::new(env!("CARGO_BIN_EXE_respin"))
            .args(command)
            .args(["match.v", "--spec", "match.ltl"])
            .args(["--timeout", "60s", "--format", "json"])
            .current_dir(&self.0)
            .output()
            .expect("respin runs");
        serde_json::from_slice(&output.stdout).expect("a document")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Whether respin proves a text.
pub fn verify(case: &Case, text: &str, folder: &Folder) -> Result<(), String> {
    let report = folder.respin(&["verify"], text, &case.properties());
    match report["verdict"].as_str() {
        Some("PASS") => Ok(()),
        _ => Err(format!(
            "verify: {} {}",
            report["verdict"], report["diagnostics"]
        )),
    }
}

/// Repairs a case and verifies each text of the report; returns them all, or what is wrong.
pub fn judge(case: &Case, folder: &Folder) -> Result<Vec<String>, String> {
    let source = case.text();
    let suspects = case.suspects();
    let mut command = vec!["repair"];
    command.extend(suspects.as_deref());
    let report = folder.respin(&command, &source, &case.properties());
    match report["verdict"].as_str() {
        Some("REPAIRED" | "UNKNOWN") => {}
        // Some faults are none where the property is loose; all others can be corrected.
        Some("PASS") => return Ok(Vec::new()),
        _ => {
            return Err(format!(
                "repair: {} {}",
                report["verdict"], report["reason"]
            ));
        }
    }
    let mut judged = BTreeSet::new();
    for (origin, text) in report::texts(&report, &source) {
        if judged.insert(text.clone()) {
            verify(case, &text, folder).map_err(|error| format!("{origin}\n{text}{error}"))?;
        }
    }
    Ok(judged.into_iter().collect())
}

/// A failing case as a text to print.
pub fn complaint(case: &Case, folder: &Folder) -> Option<String> {
    let error = judge(case, folder).err()?;
    let suspects = case.suspects().unwrap_or_default();
    Some(format!(
        "{}{}{suspects}\n{error}",
        case.text(),
        case.properties()
    ))
}

/// A smaller case that fails, too.
pub fn shrink(mut case: Case, folder: &Folder) -> Case {
    while let Some(smaller) = case
        .smaller()
        .into_iter()
        .find(|smaller| judge(smaller, folder).is_err())
    {
        case = smaller;
    }
    case
}

/// The texts that ABC refutes. Yosys reads each of them beside a module that says what is
/// wanted.
pub fn refuted_by_abc(sample: &[(Case, String)]) -> Vec<String> {
    let folder = Folder::new("abc");
    let (mut yosys, mut abc) = (String::new(), String::new());
    for (number, (case, text)) in sample.iter().enumerate() {
        let file = format!("{number}.v");
        fs::write(folder.0.join(&file), text.clone() + &case.checker()).expect("a written file");
        yosys.push_str(&format!(
            "design -reset\nread_verilog -sv {file}\nprep -flatten -top watch\nopt -full\n\
             techmap\nopt\ndffunmap\nabc -g AND\nwrite_aiger -zinit {number}.aig\n"
        ));
        abc.push_str(&format!("echo == {number}\nread_aiger {number}.aig\npdr\n"));
    }
    fs::write(folder.0.join("script.ys"), yosys).expect("a written file");
    fs::write(folder.0.join("script.abc"), abc).expect("a written file");
    let output = run("yosys", &["-q", "-s", "script.ys"], &folder);
    assert!(output.0, "yosys: {}", output.1);
    let output = run("berkeley-abc", &["-f", "script.abc"], &folder);
    assert!(output.0, "ABC: {}", output.1);
    let answers: Vec<&str> = output.1.split("== ").skip(1).collect();
    assert_eq!(answers.len(), sample.len(), "answers in\n{}", output.1);
    let mut refuted = Vec::new();
    for (answer, (_, text)) in answers.iter().zip(sample) {
        if answer.contains("was asserted in frame") {
            refuted.push(text.clone());
        } else {
            assert!(answer.contains("Property proved."), "no verdict: {answer}");
        }
    }
    refuted
}

/// Whether a tool succeeded, and what it said.
fn run(tool: &str, arguments: &[&str], folder: &Folder) -> (bool, String) {
    let output = Command::new(tool)
        .args(arguments)
        .current_dir(&folder.0)
        .output()
        .unwrap_or_else(|error| panic!("{tool}: {error}; tests/run installs it"));
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    (output.status.success(), text)
}
