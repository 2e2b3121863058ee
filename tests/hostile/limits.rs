//! Time and memory are kept, wherever a run is when they are over.

use super::child::{Observed, observe};
use super::{folder, respin, run, write};
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

const MEMORY: u64 = 300 << 20;

/// Runs with `--timeout 1 --memory 300M`, and fails unless that was kept. On a busy machine a
/// second may take long, so the time of the clock is not judged closely; processor time is.
fn within_limits(words: &[&str], folder: &Path) -> Observed {
    let mut all = words.to_vec();
    all.extend(["--timeout", "1", "--memory", "300M"]);
    let observed = observe(&mut respin(&all, folder), Duration::from_secs(100));
    let shown = format!("{words:?}: {observed:?}");
    assert!(!observed.was_killed, "{shown}");
    assert!(matches!(observed.code, Some(2 | 3)), "{shown}");
    assert!(observed.processor < 4.0, "{shown}");
    assert!(observed.resident < MEMORY + MEMORY / 4, "{shown}");
    assert!(!observed.problems.contains("R0001"), "{shown}");
    observed
}

fn check(name: &str, text: &str, words: &[&str]) -> Observed {
    let folder = folder(&format!("limits-{name}"));
    write(&folder, name, text);
    let mut all = vec![words[0], name];
    all.extend(&words[1..]);
    within_limits(&all, &folder)
}

/// Macros that stand for ten of the one before.
fn macros(levels: usize, first: &str, between: &str) -> String {
    let mut text = format!("`define M0 {first}\n");
    for level in 1..=levels {
        let uses = vec![format!("`M{}", level - 1); 10].join(between);
        writeln!(text, "`define M{level} {uses}").expect("a string");
    }
    text
}

#[test]
fn macros_that_stand_for_nothing_many_times() {
    let text = macros(12, "", " ");
    let module = "module m(input clk, input a, output q); `M12 assign q = a;\n\
                  always @(posedge clk) assert (q); endmodule";
    check("nothing.v", &format!("{text}{module}"), &["verify"]);
}

#[test]
fn macros_that_stand_for_too_much_do_not_use_themselves() {
    let text = macros(7, "a", " + ");
    let module = "module m(input clk, input a, output q); assign q = |(`M7);\n\
                  always @(posedge clk) assert (q); endmodule";
    let observed = check("sum.v", &format!("{text}{module}"), &["verify"]);
    assert!(!observed.problems.contains("uses itself"), "{observed:?}");
}

#[test]
fn a_macro_that_uses_itself_is_told_so() {
    let folder = folder("limits-itself");
    write(
        &folder,
        "m.v",
        "`define A `B\n`define B (`A)\nmodule m; wire a = `A; endmodule\n",
    );
    let (code, _, problems) = run(&["verify", "m.v"], &folder);
    assert_eq!(code, 2);
    assert!(problems.contains("the macro `A` uses itself"), "{problems}");
}

#[test]
fn a_macro_may_be_an_argument_of_itself() {
    let folder = folder("limits-argument");
    let text = "`define MAX(x, y) ((x) > (y) ? (x) : (y))\n`define TWICE(x) `MAX(x, x)\n\
                module m(input clk, input [1:0] a, b, output [1:0] q);\n\
                assign q = `MAX(`MAX(a, b), `TWICE(`TWICE(a)));\n\
                always @(posedge clk) assert (q >= a && q >= b); endmodule\n";
    write(&folder, "m.v", text);
    let (code, output, problems) = run(&["verify", "m.v"], &folder);
    assert_eq!(code, 0, "{output}{problems}");
}

#[test]
fn instances_that_double() {
    let text = "module r #(parameter N = 40)(input a, output q);\n\
                generate if (N > 0) begin wire x, y; r #(N - 1) u(a, x); r #(N - 1) v(a, y);\n\
                assign q = x ^ y; end else assign q = a; endgenerate endmodule\n\
                module m(input clk, input a, output q); r #(40) x(a, q);\n\
                always @(posedge clk) assert (q); endmodule\n";
    let observed = check("double.v", text, &["verify", "--top", "m"]);
    assert_eq!(observed.code, Some(3), "{observed:?}");
    assert!(observed.output.starts_with("UNKNOWN"), "{observed:?}");
}

#[test]
fn a_reset_that_never_ends() {
    let text = "module m(input clk, input rst, output reg q);\n\
                always @(posedge clk) if (rst) q <= 0;\n\
                always @(posedge clk) assert (!q); endmodule\n";
    check("reset.v", text, &["verify", "--reset", "rst:2147483647"]);
}

#[test]
fn a_design_of_many_wires() {
    let mut text = String::from("module m(input clk, input a, output q);\n");
    for wire in 0..400_000 {
        writeln!(text, "wire [3:0] w{wire} = {{4{{a}}}};").expect("a string");
    }
    text.push_str("assign q = a; always @(posedge clk) assert (q); endmodule\n");
    check("wires.v", &text, &["verify"]);
}

#[test]
fn a_source_that_never_ends() {
    let words = ["verify", "--from", "verilog", "/dev/zero"];
    let observed = within_limits(&words, &folder("limits-zero"));
    assert_eq!(observed.code, Some(3), "{observed:?}");
}

#[test]
fn lists_of_files_that_name_each_other() {
    let folder = folder("limits-lists");
    for level in 0..15 {
        let name = format!("-f {}.f ", level + 1).repeat(30);
        write(&folder, &format!("{level}.f"), &name);
    }
    write(&folder, "15.f", "m.v");
    write(&folder, "m.v", "module m; endmodule");
    within_limits(&["verify", "-f", "0.f"], &folder);
}

/// A file in TLSF with this as its only guarantee.
fn tlsf(global: &str, guarantee: &str) -> String {
    format!(
        "INFO {{ TITLE: \"t\" DESCRIPTION: \"t\" SEMANTICS: Mealy TARGET: Mealy }}\n\
         GLOBAL {{ {global} }}\n\
         MAIN {{ INPUTS {{ a; }} OUTPUTS {{ b; }} GUARANTEES {{ {guarantee}; }} }}\n"
    )
}

#[test]
fn formulas_of_many_steps() {
    check("steps.tlsf", &tlsf("", "X[1500000000] b"), &["check"]);
    check(
        "all.tlsf",
        &tlsf("", "&&[0 <= i < 700000000] (X[i] b)"),
        &["check"],
    );
    check(
        "within.tlsf",
        &tlsf("", "G[0:4999999] (a -> F[0:4000000] b)"),
        &["check"],
    );
}

#[test]
fn functions_that_double() {
    let global = "PARAMETERS { n = 45; } DEFINITIONS { f(i) = i == 0 : X a\n\
                  i > 0 : (f(i - 1)) && (X f(i - 1)); }";
    check("double.tlsf", &tlsf(global, "f(n)"), &["check"]);
    check(
        "double.tlsf",
        &tlsf(global, "f(n)"),
        &["convert", "--to", "properties"],
    );
    check(
        "double.tlsf",
        &tlsf(global, "f(n)"),
        &["convert", "--to", "tlsf"],
    );
}

#[test]
fn sets_of_many_elements() {
    let global = "DEFINITIONS { s = {0, 1 .. 4000000}; }";
    check(
        "set.tlsf",
        &tlsf(global, "&&[i IN s (+) s] (b || X[i] a)"),
        &["check"],
    );
}

#[test]
fn definitions_that_double() {
    let mut text = String::from("module S\nenv boolean x;\nsys boolean y;\ndefine d0 := x & y;\n");
    for level in 1..45 {
        let d = format!("d{}", level - 1);
        writeln!(
            text,
            "define d{level} := ({d} <-> x) | ({d} <-> y) | ({d} -> {d});"
        )
        .expect("a string");
    }
    text.push_str("gar G d44;\n");
    for words in [
        &["check"][..],
        &["explain"],
        &["synth"],
        &["convert", "--to", "slugs"],
        &["convert", "--to", "spectra"],
        &["convert", "--to", "tlsf"],
    ] {
        check_any("double.spectra", &text, words);
    }
}

/// The same for inputs that a quick engine may well answer.
fn check_any(name: &str, text: &str, words: &[&str]) {
    let folder = folder(&format!("limits-any-{name}"));
    write(&folder, name, text);
    let mut all = vec![words[0], name];
    all.extend(&words[1..]);
    all.extend(["--timeout", "1", "--memory", "300M"]);
    let observed = observe(&mut respin(&all, &folder), Duration::from_secs(100));
    let shown = format!("{words:?}: {observed:?}");
    assert!(!observed.was_killed, "{shown}");
    assert!(matches!(observed.code, Some(0..=3)), "{shown}");
    assert!(observed.processor < 4.0, "{shown}");
    assert!(observed.resident < MEMORY + MEMORY / 4, "{shown}");
    assert!(!observed.problems.contains("R0001"), "{shown}");
}

#[test]
fn an_automaton_that_grows() {
    let part = |index: usize| format!("(!o{index} U X (!o{index} W u))");
    let parts: Vec<String> = (0..5).map(part).collect();
    let text = format!(
        "INFO {{ TITLE: \"t\" DESCRIPTION: \"t\" SEMANTICS: Mealy TARGET: Mealy }}\n\
         MAIN {{ INPUTS {{ u; }} OUTPUTS {{ o0; o1; o2; o3; o4; }}\n\
         ASSERT {{ u -> {}; }} }}\n",
        parts.join(" && ")
    );
    check_any("grows.tlsf", &text, &["convert", "--to", "hoa"]);
    check_any("grows.tlsf", &text, &["check"]);
}

#[test]
fn numbers_at_the_end_of_the_range_are_edited() {
    let folder = folder("limits-numbers");
    let text = "module m(input clk, input a, output reg [2:0] q);\n\
                always @(posedge clk) q[1] <= q[9223372036854775807] ^ a;\n\
                always @(posedge clk) assert (q[1]); endmodule\n";
    write(&folder, "m.v", text);
    let (_, _, problems) = run(&["repair", "m.v", "--timeout", "5"], &folder);
    assert!(!problems.contains("R0001"), "{problems}");
}

#[test]
fn processor_time_is_kept() {
    let folder = folder("limits-processor");
    let text = tlsf("", "&&[0 <= i < 700000000] (X[i] b)");
    write(&folder, "all.tlsf", &text);
    let words = ["check", "all.tlsf", "--cpu-timeout", "0.3"];
    let observed = observe(&mut respin(&words, &folder), Duration::from_secs(100));
    assert_eq!(observed.code, Some(3), "{observed:?}");
    assert!(observed.processor < 2.0, "{observed:?}");
    assert!(
        observed.output.contains("the time limit was reached"),
        "{observed:?}"
    );
}

#[test]
fn a_limit_is_one_json_document() {
    let folder = folder("limits-json");
    write(
        &folder,
        "all.tlsf",
        &tlsf("", "&&[0 <= i < 700000000] (X[i] b)"),
    );
    let words = ["check", "all.tlsf", "--timeout", "0.3", "--format", "json"];
    let (code, output, _) = run(&words, &folder);
    assert_eq!(code, 3);
    let document: serde_json::Value = serde_json::from_str(&output).expect("a document");
    assert_eq!(document["verdict"], "UNKNOWN");
}
