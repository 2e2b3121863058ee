//! Every mutant of a small circuit, simulated on all inputs.

use super::{folder, list, mutation, patched, respin, simulated, write};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

const DESIGN: &str = "module m(input a, input b, input c, output y, output z);
  wire both = a & b;
  assign y = c ? both : a | b;
  assign z = both ^ c;
endmodule
";
/// Nothing is said of `y` where `c` is 0 and one of the others is 1.
const PROPERTIES: &str = "assert all: G (a & b & c -> y);
assert none: G (!a & !b -> !y);
assert some: G (c & !b -> !y);
assert parity: G (z == ((a & b) ^ c));
assert again: G (!(a | b) -> y == 0);
";

/// What a run of all eight inputs says of one mutant.
fn fate(
    original: &[(u8, bool, bool)],
    mutant: &[(u8, bool, bool)],
) -> (&'static str, Vec<&'static str>) {
    let mut broken = Vec::new();
    for (inputs, y, z) in mutant {
        let (a, b, c) = (inputs & 4 != 0, inputs & 2 != 0, inputs & 1 != 0);
        let checks = [
            ("all", !(a && b && c) || *y),
            ("none", a || b || !*y),
            ("some", !c || b || !*y),
            ("parity", *z == ((a && b) ^ c)),
            ("again", a || b || !*y),
        ];
        broken.extend(
            checks
                .iter()
                .filter(|(_, holds)| !holds)
                .map(|(name, _)| *name),
        );
    }
    broken.sort_unstable();
    broken.dedup();
    match (broken.is_empty(), original == mutant) {
        (false, _) => ("killed", broken),
        (true, true) => ("equivalent", broken),
        (true, false) => ("survived", broken),
    }
}

#[test]
fn every_mutant_of_a_small_circuit_is_what_simulation_says() {
    let folder = folder("small");
    write(&folder.join("m.v"), DESIGN);
    write(&folder.join("p.ltl"), PROPERTIES);
    let mutation = mutation(&folder, &["m.v", "--spec", "p.ltl"]);
    let mutants = list(&mutation["mutants"]);
    assert!(mutants.len() > 20, "{} mutants", mutants.len());
    // All mutants in one simulation, each as a module of its own.
    let mut text = DESIGN.replace("module m(", "module m0(");
    let mut bench = String::from("module bench;\nreg [2:0] i; integer n;\nwire [1:0] o0;\n");
    let _ = writeln!(bench, "m0 d0(i[2], i[1], i[0], o0[1], o0[0]);");
    for mutant in mutants {
        let number = &mutant["number"];
        let source = patched(&folder, "m.v", mutant["diff"].as_str().expect("a diff"));
        text.push_str(&source.replace("module m(", &format!("module m{number}(")));
        let _ = writeln!(
            bench,
            "wire [1:0] o{number}; m{number} d{number}(i[2], i[1], i[0], o{number}[1], o{number}[0]);"
        );
    }
    bench.push_str("initial for (n = 0; n < 8; n = n + 1) begin i = n; #1;\n");
    let numbers: Vec<String> = mutants
        .iter()
        .map(|one| one["number"].to_string())
        .collect();
    for number in std::iter::once(&"0".to_string()).chain(&numbers) {
        let _ = writeln!(bench, "$display(\"{number} %0d %b\", n, o{number});");
    }
    bench.push_str("end\nendmodule\n");
    write(&folder.join("all.v"), &(text + &bench));
    let mut unknown = BTreeSet::new();
    let mut shown: BTreeMap<String, Vec<(u8, bool, bool)>> = BTreeMap::new();
    for line in simulated(&folder, &["all.v"]).lines() {
        let words: Vec<&str> = line.split(' ').collect();
        // A loop without a driver has no value in a simulation; it proves nothing.
        if words[2].contains(['x', 'z']) {
            unknown.insert(words[0].to_string());
        }
        let bit = |index: usize| words[2].as_bytes()[index] == b'1';
        let row = (words[1].parse().expect("a number"), bit(0), bit(1));
        shown.entry(words[0].to_string()).or_default().push(row);
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    assert!(unknown.len() < 6, "{unknown:?}");
    for mutant in mutants {
        if unknown.contains(&mutant["number"].to_string()) {
            *counts
                .entry(mutant["fate"].as_str().expect("a fate"))
                .or_default() += 1;
            continue;
        }
        let (expected, broken) = fate(&shown["0"], &shown[&mutant["number"].to_string()]);
        assert_eq!(mutant["fate"], expected, "{mutant:#}");
        let mut by: Vec<&str> = list(&mutant["killed_by"])
            .iter()
            .filter_map(|one| one.as_str())
            .collect();
        by.sort_unstable();
        assert_eq!(by, broken, "{mutant:#}");
        *counts.entry(expected).or_default() += 1;
    }
    for fate in ["killed", "survived", "equivalent"] {
        let count = counts.get(fate).copied().unwrap_or(0);
        assert!(count > 0, "no mutant is {fate}");
        assert_eq!(mutation["counts"][fate], count, "{fate}");
    }
    // `none` and `again` say the same, so neither kills alone.
    for property in list(&mutation["properties"]) {
        let is_twin = property["name"] == "none" || property["name"] == "again";
        if is_twin {
            assert_eq!(property["alone"], 0, "{property}");
        }
    }
}

#[test]
fn parts_make_up_the_whole() {
    let folder = folder("parts");
    write(&folder.join("m.v"), DESIGN);
    write(&folder.join("p.ltl"), PROPERTIES);
    let whole = mutation(&folder, &["m.v", "--spec", "p.ltl"]);
    let mut parts = Vec::new();
    for part in ["1/3", "2/3", "3/3"] {
        let part = mutation(&folder, &["m.v", "--spec", "p.ltl", "--part", part]);
        parts.extend(list(&part["mutants"]).to_vec());
    }
    parts.sort_by_key(|one| one["number"].as_u64());
    let mut mutants = list(&whole["mutants"]).to_vec();
    mutants.sort_by_key(|one| one["number"].as_u64());
    assert_eq!(parts, mutants);
}

fn check_refused(name: &str, design: &str, arguments: &[&str], code: i32, expected: &str) {
    let folder = folder(name);
    write(&folder.join("m.v"), design);
    write(&folder.join("p.ltl"), PROPERTIES);
    let arguments = [&["mutate", "m.v", "--spec", "p.ltl"], arguments].concat();
    let output = respin(&folder, &arguments);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{said}");
    let text = said + &String::from_utf8_lossy(&output.stdout);
    assert!(text.contains(expected), "{text}");
}

#[test]
fn a_design_that_fails_has_no_mutants() {
    let wrong = DESIGN.replace("both ^ c", "both | c");
    check_refused("wrong", &wrong, &[], 2, "the design itself breaks `parity`");
    // Of the others it keeps all.
    let named = ["--property", "none", "--property", "all"];
    check_refused("named", &wrong, &named, 1, "survived");
}

#[test]
fn a_part_has_to_be_one() {
    for part in ["0/3", "4/3", "1", "a/b"] {
        check_refused(
            "part",
            DESIGN,
            &["--part", part],
            2,
            "expected a part such as 2/8",
        );
    }
}

#[test]
fn limits_leave_the_rest_open() {
    check_refused("limit", DESIGN, &["--work", "20"], 3, "--work");
}

const STAGE: &str = "module stage(input clk, input d, output reg q);
  always @(posedge clk) q <= d;
endmodule
";

/// What `mutate` prints for a flip-flop with two properties, one of which says nothing more.
fn stage(name: &str, options: &[&str]) -> (Option<i32>, String) {
    let folder = folder(name);
    write(&folder.join("stage.v"), STAGE);
    let properties = "assert next: G (d <-> X q);\nassert low: G (!d -> X !q);\n";
    write(&folder.join("p.ltl"), properties);
    let output = respin(
        &folder,
        &[&["mutate", "stage.v", "--spec", "p.ltl"], options].concat(),
    );
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.code(), text)
}

#[test]
fn the_other_edge_of_the_only_clock_is_no_mutant() {
    let (code, text) = stage("edge", &[]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.starts_with("PASS\n"), "{text}");
}

#[test]
fn nothing_is_said_of_unneeded_properties_where_mutants_were_not_looked_at() {
    let (_, whole) = stage("unneeded", &[]);
    assert!(
        whole.contains("low kills nothing that others do not"),
        "{whole}"
    );
    let (_, part) = stage("unneeded-part", &["--part", "1/2"]);
    assert!(!part.contains("nothing that others do not"), "{part}");
}
