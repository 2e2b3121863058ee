//! Where no correction is known, a table says which places failing runs speak against.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The first register forgets `b`; the second one has nothing to do with it.
const FORGETS: &str =
    "module forgets (input clk, input a, input b, output reg q, output reg other);
  initial q = 0;
  initial other = 0;
  always @(posedge clk) begin
    q <= a;
    other <= a ^ b;
  end
  reg both = 0;
  always @(posedge clk) both <= a && b;
  kept: assert property (@(posedge clk) q == both);
endmodule
";

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("places")
        .join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a scratch folder");
    fs::write(folder.join("forgets.sv"), FORGETS).expect("the design is written");
    folder
}

fn repair(name: &str, more: &[&str]) -> (String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_respin"))
        .args(["repair", "forgets.sv"])
        .args(more)
        .current_dir(folder(name))
        .output()
        .expect("respin starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (text, output.status.code())
}

#[test]
fn an_unknown_repair_lists_the_places_that_mend_the_runs() {
    let (text, code) = repair("text", &["--components", "operator"]);
    assert_eq!(code, Some(3), "{text}");
    let table = text
        .split_once("places where other values mend failing runs, the likeliest first\n")
        .unwrap_or_else(|| panic!("no table in {text}"))
        .1;
    let rows: Vec<&str> = table.lines().take_while(|line| !line.is_empty()).collect();
    assert_eq!(rows.len(), 2, "{text}");
    let cells: Vec<&str> = rows[1].split_whitespace().collect();
    assert_eq!(cells[0], "forgets.sv:5", "{text}");
    assert_eq!(cells[1], cells[3], "all runs are mended: {text}");
    assert_eq!(cells[4..], ["1", "1", "rhs", "`a`"], "{text}");
}

#[test]
fn programs_read_the_same() {
    let more = ["--components", "operator", "--format", "json"];
    let (text, _) = repair("json", &more);
    let document: Value = serde_json::from_str(&text).expect("one JSON document");
    assert_eq!(document["verdict"], "UNKNOWN");
    let places = document["places"].as_array().expect("places");
    assert_eq!(places.len(), 1, "{document:#}");
    assert_eq!(places[0]["line"], 5);
    assert_eq!(places[0]["text"], "a");
    assert_eq!(places[0]["mended"], places[0]["runs"]);
    assert_eq!(
        (&places[0]["steps"], &places[0]["bits"]),
        (&1.into(), &1.into())
    );
}

#[test]
fn a_repair_needs_no_table() {
    let (text, code) = repair("repaired", &[]);
    assert_eq!(code, Some(0), "{text}");
    assert!(!text.contains("places where"), "{text}");
}

/// An output that is an input here, and an inner name, can be something else in another circuit:
/// nothing is said of all circuits with these ports.
#[test]
fn what_a_design_ties_together_other_circuits_need_not() {
    let folder = folder("tied");
    let text = "module tied (input a, input b, output y, output z);\n\
                wire inner = a;\nassign y = a;\nassign z = a & b;\nendmodule\n";
    fs::write(folder.join("tied.v"), text).expect("the design is written");
    for property in ["y == b", "inner == b", "y == b && z == a"] {
        fs::write(
            folder.join("p.ltl"),
            format!("assert it: G ({property});\n"),
        )
        .expect("the property is written");
        let output = Command::new(env!("CARGO_BIN_EXE_respin"))
            .args(["repair", "tied.v", "--spec", "p.ltl", "--only", "tied.v:4"])
            .current_dir(&folder)
            .output()
            .expect("respin starts");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.starts_with("NO REPAIR\n"), "{property}: {text}");
        assert!(!text.contains("no circuit"), "{property}: {text}");
    }
    // That no circuit can do both is still said.
    fs::write(folder.join("p.ltl"), "assert it: G (z && !z);\n").expect("a property");
    let output = Command::new(env!("CARGO_BIN_EXE_respin"))
        .args(["repair", "tied.v", "--spec", "p.ltl"])
        .current_dir(&folder)
        .output()
        .expect("respin starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.contains("no circuit with these ports keeps `it`"),
        "{text}"
    );
}
