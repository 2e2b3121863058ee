//! Results that other programs read: JSON, SARIF and JUnit against their schemas, automata,
//! graphs, and the work directory.
//!
//! The schema of SARIF and the XSD of JUnit come from packages that `tests/run` installs
//! below `target/results`, with a grammar of HOA; without them these tests fail and say so.

mod controllers;
#[path = "../support/tools.rs"]
mod tools;

use std::path::{Path, PathBuf};
use std::process::Command;
use tools::{home, succeeds};

const COUNTER: &str = "module counter (input clk, input en, output reg [3:0] q);
  initial q = 0;
  always @(posedge clk) if (en) q <= q + 4'd2;
  odd: assert property (@(posedge clk) q == 3 |=> q == 3 || q == 4);
  \\a<b&\"c : assert property (@(posedge clk) en |=> q == $past(q) + 4'd1);
  zero: cover property (@(posedge clk) q == 0 ##1 q == 2);
  live: assert property (@(posedge clk) s_eventually !en or s_eventually q == 9);
endmodule
";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("results")
        .join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("counter.sv"), COUNTER).expect("a design");
    folder
}

fn respin(arguments: &[&str], folder: &Path) -> (String, i32) {
    let output = Command::new(env!("CARGO_BIN_EXE_respin"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("respin runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (text, output.status.code().unwrap_or(-1))
}

/// Checks files of one kind (`json`, `sarif`, `junit`) against their schema.
fn validate(kind: &str, files: &[PathBuf]) {
    let home = home("RESPIN_RESULTS", "results");
    succeeds(
        Command::new(home.join("bin/python"))
            .arg(root().join("tests/results/validate.py"))
            .args([home.as_os_str(), kind.as_ref()])
            .args(files),
    );
}

/// Command lines with all kinds of results.
fn lines() -> Vec<Vec<String>> {
    let hdl = |name: &str| root().join("hdl").join(name).display().to_string();
    let words = |words: &[&str]| {
        words
            .iter()
            .map(|word| word.to_string())
            .collect::<Vec<_>>()
    };
    vec![
        words(&["verify", "counter.sv"]),
        words(&["repair", "counter.sv"]),
        words(&["verify", "counter.sv", "--property", "zero"]),
        words(&["verify", "nothing.sv"]),
        words(&["repair", &hdl("fifo-level/asserted.sv")]),
        words(&["repair", &hdl("lfsr/asserted.sv")]),
        words(&["verify", &hdl("decade-counter/asserted.sv")]),
        words(&[
            "verify",
            &hdl("fifo-level/faulty.v"),
            "--spec",
            &hdl("fifo-level/properties.ltl"),
        ]),
    ]
}

fn documents(kind: &str, extension: &str) -> Vec<PathBuf> {
    let folder = folder(kind);
    let mut files = Vec::new();
    for (number, line) in lines().iter().enumerate() {
        let mut words: Vec<&str> = line.iter().map(String::as_str).collect();
        words.extend(["--format", kind]);
        let (text, _) = respin(&words, &folder);
        let file = folder.join(format!("{number}.{extension}"));
        std::fs::write(&file, text).expect("a document");
        files.push(file);
    }
    files
}

#[test]
fn json_is_what_our_schema_says() {
    let mut files = documents("json", "json");
    let folder = folder("json-specifications");
    for name in [
        "clairvoyant.tlsf",
        "delayed_copy.spectra",
        "dining_philosophers.spectra",
        "forklift.spectra",
        "forklift_fixed.spectra",
        "round_robin.tlsf",
    ] {
        let path = root().join("specs").join(name).display().to_string();
        for words in [
            vec!["check", &path],
            vec!["explain", &path],
            vec!["explain", &path, "--all"],
        ] {
            let words = [&words, ["--format", "json"].as_slice()].concat();
            let file = folder.join(format!("{}.json", files.len()));
            std::fs::write(&file, respin(&words, &folder).0).expect("a document");
            files.push(file);
        }
    }
    let specification = "assume G F tick;\nassert G (a -> F b);\n";
    std::fs::write(folder.join("a.props"), specification).expect("a specification");
    for command in ["check", "explain"] {
        let words = [
            command, "a.props", "--ins", "a,tick", "--outs", "b", "--format", "json",
        ];
        let file = folder.join(format!("{command}.json"));
        std::fs::write(&file, respin(&words, &folder).0).expect("a document");
        files.push(file);
    }
    validate("json", &files);
}

#[test]
fn sarif_is_what_its_schema_says() {
    validate("sarif", &documents("sarif", "sarif"));
}

#[test]
fn junit_is_what_its_xsd_says() {
    let files = documents("junit", "xml");
    validate("junit", &files);
    let text = std::fs::read_to_string(&files[0]).expect("a document");
    assert_eq!(text.matches("<testcase").count(), 4, "{text}");
    assert_eq!(text.matches("<failure").count(), 2, "{text}");
    assert!(
        text.contains("tests=\"4\" failures=\"2\" errors=\"0\""),
        "{text}"
    );
}

#[test]
fn sarif_and_junit_are_for_designs() {
    let folder = folder("wrong");
    let (_, code) = respin(&["check", "counter.sv", "--format", "sarif"], &folder);
    assert_eq!(code, 2);
}

#[test]
fn a_work_directory_has_all_that_there_is_to_tell() {
    let folder = folder("workdir");
    let (_, code) = respin(&["repair", "counter.sv", "--workdir", "work"], &folder);
    assert_eq!(code, 0);
    let read = |name: &str| {
        let path = folder.join("work").join(name);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    assert!(read("status").starts_with("REPAIRED 0 "));
    assert!(read("REPAIRED").starts_with("REPAIRED\n"));
    assert!(read("patch.diff").contains("+  always @(posedge clk) if (en) q <= q + 4'd1;"));
    assert!(read("trace-live.vcd").contains("$enddefinitions"));
    validate("json", &[folder.join("work/result.json")]);
    validate("sarif", &[folder.join("work/result.sarif")]);
    validate("junit", &[folder.join("work/result.xml")]);

    let (_, code) = respin(&["verify", "counter.sv", "--workdir", "work"], &folder);
    assert_eq!(code, 2, "an old work directory is not overwritten");
    assert!(folder.join("work/REPAIRED").exists());
    let (_, code) = respin(
        &["verify", "counter.sv", "--workdir", "work", "--force"],
        &folder,
    );
    assert_eq!(code, 1);
    assert!(!folder.join("work/REPAIRED").exists());
    assert!(folder.join("work/FAIL").exists());
    std::fs::remove_file(folder.join("work/.respin-workdir")).expect("a marker");
    let (_, code) = respin(
        &["verify", "counter.sv", "--workdir", "work", "--force"],
        &folder,
    );
    assert_eq!(code, 2, "a directory of somebody else is not replaced");
}

#[test]
fn every_code_has_its_page() {
    let folder = folder("codes");
    let (list, code) = respin(&["help-code"], &folder);
    assert_eq!(code, 0);
    let codes: Vec<&str> = list
        .split_whitespace()
        .filter(|word| word.len() == 5 && word.starts_with('R'))
        .collect();
    assert!(codes.len() > 100, "{} codes", codes.len());
    for name in codes {
        let (page, code) = respin(&["help-code", name], &folder);
        assert_eq!(code, 0, "{name}");
        assert!(
            page.contains("Example:") && page.contains("To fix:"),
            "{name}: {page}"
        );
    }
}

/// The merged report of a campaign, with jobs that pass, fail and are wrong, and mutants.
#[test]
fn reports_of_campaigns_are_what_their_schemas_say() {
    let folder = folder("campaign");
    std::fs::write(folder.join("wrong.sv"), "module wrong(;\n").expect("a design");
    let plan = "[[set]]\ndesigns = [\"*.sv\"]\n\
                [[set]]\ncommand = \"repair\"\ndesigns = [\"counter.sv\"]\n\
                [[set]]\ncommand = \"mutate\"\ndesigns = [\"counter.sv\"]\n\
                options = [\"--property\", \"odd\", \"--components\", \"literal\"]\n";
    std::fs::write(folder.join("plan.toml"), plan).expect("a plan");
    let (text, code) = respin(&["campaign", "plan.toml"], &folder);
    assert_eq!(code, 1, "{text}");
    respin(
        &[
            "campaign",
            "plan.toml",
            "--results",
            "again",
            "--compare",
            "plan.results",
        ],
        &folder,
    );
    for results in ["plan.results", "again"] {
        let file = |name: &str| vec![folder.join(results).join(name)];
        validate("json", &file("report.json"));
        validate("sarif", &file("report.sarif"));
        validate("junit", &file("report.xml"));
    }
    let words = [
        "mutate",
        "counter.sv",
        "--property",
        "odd",
        "--format",
        "json",
    ];
    std::fs::write(folder.join("mutate.json"), respin(&words, &folder).0).expect("a document");
    validate("json", &[folder.join("mutate.json")]);
}
