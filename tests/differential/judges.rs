//! Yosys and ABC on a text with immediate assertions, and respin on it.

use super::within::within;
use respin::certify::Overall;
use respin::load::{DesignOptions, Failure, Purpose, design_from_texts};
use respin::source::codes::certify::NOTHING_TO_CHECK;
use respin::{Subject, verify};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// Of each question to respin.
const SECONDS: u64 = 60;

/// Runs a program; it must end well, and within five minutes.
pub fn run(program: &str, arguments: &[&str], folder: &Path) -> Result<String, String> {
    let output = Command::new("timeout")
        .args(["300", program])
        .args(arguments)
        .current_dir(folder)
        .output();
    let output = output.map_err(|error| format!("{program}: {error}; tests/run installs it"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    match output.status.success() {
        true => Ok(text),
        false => Err(format!("{program} {arguments:?}: {text}\n{errors}")),
    }
}

/// Whether Yosys and ABC prove all immediate assertions of each text; an error if they have no
/// verdict.
pub fn are_proved(texts: &[&str], top: &str, folder: &Path) -> Result<Vec<bool>, String> {
    let (mut yosys, mut abc) = (String::new(), String::new());
    for (number, text) in texts.iter().enumerate() {
        let file = format!("{number}.sv");
        std::fs::write(folder.join(&file), text).expect("a written file");
        // The outputs of an AIGER file are bad for ABC, so the ports are made wires.
        let _ = writeln!(
            yosys,
            "design -reset\nread_verilog -sv -formal {file}\nprep -flatten -top {top}\n\
             delete -output o:*\nmemory_map\nasync2sync\ndffunmap\nsimplemap\ntechmap\n\
             setundef -undriven -anyseq\nopt_clean\naigmap\nwrite_aiger {number}.aig"
        );
        let _ = writeln!(
            abc,
            "echo == {number}\nread {number}.aig\nundc\nfold\nscorr\npdr -T 120"
        );
    }
    std::fs::write(folder.join("script.ys"), yosys).expect("a written file");
    std::fs::write(folder.join("script.abc"), abc).expect("a written file");
    run("yosys", &["-q", "-s", "script.ys"], folder)?;
    let said = run("berkeley-abc", &["-q", "source script.abc"], folder)?;
    let answers: Vec<&str> = said.split("== ").skip(1).collect();
    if answers.len() != texts.len() {
        return Err(format!("ABC: {said}"));
    }
    let verdict = |answer: &&str| {
        let proved = answer.contains("Property proved");
        match (proved, answer.contains("was asserted in frame")) {
            (true, false) => Ok(true),
            (false, true) => Ok(false),
            _ => Err(format!("ABC has no verdict: {answer}")),
        }
    };
    answers.iter().map(verdict).collect()
}

/// A text as respin reads it.
pub fn subject(text: &str, top: &str, purpose: Purpose) -> Result<Subject, String> {
    let options = DesignOptions {
        top: Some(top.to_string()),
        purpose,
        ..DesignOptions::default()
    };
    let subject = design_from_texts(&[("design.sv", text)], &[], &options);
    subject.map_err(|error| match &error {
        Failure::Diagnostics(all) => {
            let codes: Vec<String> = all.iter().map(|one| one.code.to_string()).collect();
            format!("respin: {} {error}", codes.join(" "))
        }
        Failure::Stopped(_) => format!("respin: {error}"),
    })
}

/// What respin says of a text, with the run that shows a failure; no verdict is an error.
pub fn verdict(text: &str, top: &str) -> Result<Option<respin::Run>, String> {
    let subject = subject(text, top, Purpose::Verify)?;
    let options = verify::Options {
        limits: within(SECONDS),
        ..verify::Options::default()
    };
    let overall = match verify(&subject, &options, &mut |_| {}) {
        Ok(answer) => answer.overall,
        // Every assertion stands in a branch that a constant rules out: Yosys has none, either.
        Err(errors) if errors.iter().all(|error| error.code == NOTHING_TO_CHECK) => {
            return Ok(None);
        }
        Err(errors) => return Err(format!("respin: {errors:?}")),
    };
    match overall {
        Overall::Pass(_) => Ok(None),
        Overall::Fail(fails) => match &fails.run {
            Some(run) => Ok(Some(run.clone())),
            None => Err("respin: FAIL without a run".to_string()),
        },
        Overall::Unknown => Err("respin: UNKNOWN".to_string()),
    }
}
