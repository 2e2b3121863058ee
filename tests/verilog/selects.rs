//! Selects: fields of elements, ranges in the wrong direction, and what is not declared.

use super::netlist::folder;
use respin::design::verilog::{self, Options, Project};
use respin::source::Sources;
use std::process::Command;

/// The error of a design, or its warnings about selects.
fn said(text: &str) -> Vec<String> {
    let mut sources = Sources::new();
    let project = Project {
        files: vec![sources.add("design.sv", text)],
        ..Project::default()
    };
    let elaborated = project
        .parse(&sources)
        .and_then(|tree| verilog::elaborate(&tree, &Options::default()));
    match elaborated {
        Ok(elaborated) => {
            let warnings = elaborated.warnings.iter();
            let warnings = warnings.filter(|one| one.code.to_string() == "R0154");
            warnings.map(|one| one.message.clone()).collect()
        }
        Err(problem) => vec![format!("{} {}", problem.code, problem.message)],
    }
}

fn module(body: &str) -> String {
    format!(
        "module m #(parameter W = 1)(input clk, input [3:0] d, input [W-1:0] w, output logic [3:0] y);\n{body}\nendmodule\n"
    )
}

#[test]
fn fields_of_elements_are_read_in_assertions_and_property_files() {
    let folder = folder("fields");
    let design = "\
module m(input clk, input [3:0] d, output [1:0] y);
  typedef struct packed {logic [1:0] a; logic [1:0] v;} r_t;
  typedef struct packed {r_t [1:0] x; logic v;} t_t;
  r_t rec [2]; r_t [1:0] packed_rec; t_t s; struct {logic [1:0] a;} loose [2];
  always_ff @(posedge clk) begin rec[0] <= d; rec[1] <= rec[0]; end
  assign packed_rec = {rec[1], rec[0]};
  assign s.x[0] = rec[1]; assign s.x[1].a = s.x[0].a; assign s.x[1].v = 0; assign s.v = 0;
  assign loose[1].a = rec[1].a; assign loose[0].a = 0;
  assign y = rec[1].a;
  all: assert property (@(posedge clk) y == packed_rec[1].a && s.x[1].a == y && loose[1].a == y);
  moved: assert property (@(posedge clk) 1 |=> rec[1].a[0] == $past(rec[0].a[0]));
  wrong: assert property (@(posedge clk) rec[0].a == rec[1].a);
endmodule
";
    let spec = "assert same: G (rec[1].a == y); assert nested: G (s.x[1].a == y);
assert next: G (rec[0].a == 2 -> X rec[1].a == 2); assert not_same: G (rec[0].a == y);
";
    std::fs::write(folder.join("design.sv"), design).expect("a written file");
    std::fs::write(folder.join("fields.ltl"), spec).expect("a written file");
    let output = Command::new(env!("CARGO_BIN_EXE_respin"))
        .args(["verify", "design.sv", "--spec", "fields.ltl"])
        .current_dir(&folder)
        .output()
        .expect("respin starts");
    let printed = String::from_utf8_lossy(&output.stdout);
    let verdict = |name: &str| {
        let mut lines = printed.lines();
        let line = lines.find(|line| line.split_whitespace().nth(1) == Some(name));
        let word = line.and_then(|line| line.split_whitespace().next());
        word.unwrap_or_default().to_string()
    };
    for name in ["all", "moved", "same", "nested", "next"] {
        assert_eq!(verdict(name), "PASS", "{name}: {printed}{output:?}");
    }
    for name in ["wrong", "not_same"] {
        assert_eq!(verdict(name), "FAIL", "{name}: {printed}");
    }
}

#[test]
fn an_element_that_is_not_there_has_no_field() {
    let text = module(
        "struct packed {logic [3:0] a;} r [2]; assign r[0] = d; assign r[1] = d; assign y = r[2].a;",
    );
    let expected = "R0154 [2] is outside of the array, which is [0:1]";
    assert_eq!(said(&text), [expected]);
    let text = module(
        "struct packed {logic [3:0] a;} r [2]; assign r[0] = d; assign r[1] = d; assign y = r[1].b;",
    );
    assert_eq!(said(&text), ["R0307 `r[1].b` is not declared"]);
}

#[test]
fn a_range_in_the_wrong_direction_is_an_error_where_it_is_reached() {
    for (body, wanted) in [
        (
            "assign y = d[0:1];",
            Some("[0:1] runs in the wrong direction: `d` is [3:0]"),
        ),
        (
            "assign y = w[W-2:0];",
            Some("[-1:0] runs in the wrong direction: `w` is [0:0]"),
        ),
        (
            "wire [0:3] e = d; assign y = e[2:1];",
            Some("[2:1] runs in the wrong direction: `e` is [0:3]"),
        ),
        (
            "always_comb begin y = 0; y[0:1] = d; end",
            Some("[0:1] runs in the wrong direction: this is [3:0]"),
        ),
        (
            "assign y = d;\na: assert property (@(posedge clk) d[1:2] == 0);",
            Some("[1:2] runs in the wrong direction: `d` is [3:0]"),
        ),
        // What a constant rules out is not reached: Icarus Verilog and Yosys take it.
        ("assign y = W > 1 ? {w[W-2:0], d[0]} : d;", None),
        ("assign y = W > 1 && w[W-2:0] == 0;", None),
        ("always_comb if (W > 1) y = w[W-2:0]; else y = d;", None),
        (
            "generate if (W > 1) assign y = w[W-2:0]; else assign y = d; endgenerate",
            None,
        ),
        (
            "function [3:0] f(input [W-1:0] v); if (W > 1) f = v[W-2:0]; else f = v; endfunction assign y = f(w);",
            None,
        ),
        ("assign y = d[1:1] + d[3:2];", None),
    ] {
        let expected: Vec<String> = wanted.iter().map(|text| format!("R0157 {text}")).collect();
        assert_eq!(said(&module(body)), expected, "{body}");
    }
}

#[test]
fn no_edit_turns_a_range_round() {
    let folder = folder("turned");
    // Bounds of ranges are edited, and so is the parameter that one of them is made of.
    let design = "\
module m #(parameter N = 3)(input clk, input [3:0] d, output [3:0] y);
  localparam A = $clog2(N);
  assign y = d[A-1:0];
  same: assert property (@(posedge clk) y == {3'b0, d[0]});
endmodule
";
    std::fs::write(folder.join("design.sv"), design).expect("a written file");
    let output = Command::new(env!("CARGO_BIN_EXE_respin"))
        .args(["repair", "design.sv", "--every-place"])
        .current_dir(&folder)
        .output()
        .expect("respin starts");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(printed.starts_with("REPAIRED"), "{printed}{output:?}");
    for turned in ["N = 1)", "N = 0)", "d[0:", "d[A-1:1]", "d[A-2:1]"] {
        assert!(!printed.contains(turned), "{turned}: {printed}");
    }
}

#[test]
fn selects_of_what_is_not_declared_are_warned_about() {
    for (body, expected) in [
        (
            "assign y = d[5];",
            vec!["[5] is outside of `d`, which is [3:0]"],
        ),
        (
            "assign y = d[W+5];",
            vec!["[6] is outside of `d`, which is [3:0]"],
        ),
        (
            "assign y = d[4:2];",
            vec!["[4:2] is outside of `d`, which is [3:0]"],
        ),
        (
            "assign y = d[3 +: 2];",
            vec!["[4:3] is outside of `d`, which is [3:0]"],
        ),
        (
            "logic [3:0] r [2]; assign r[0] = d; assign r[1] = d; assign y = r[2];",
            vec!["[2] is outside of the array, which is [0:1]"],
        ),
        (
            "always_comb begin y = d; y[4] = 1; end",
            vec!["[4] is outside of [3:0], and nothing is assigned"],
        ),
        (
            "assign y = d;\na: assert property (@(posedge clk) d[7] |=> y[0]);",
            vec!["[7] is outside of `d`, which is [3:0]"],
        ),
        (
            "assign y = d;\nproperty p(x); @(posedge clk) x |=> y[0]; endproperty\na: assert property (p(d[0]));\nb: assert property (p(d[7]));",
            vec!["[7] is outside of `d`, which is [3:0]"],
        ),
        // The same place in several instances is said once.
        (
            "for (genvar i = 0; i < 3; i++) begin assign y[i] = d[9]; end\nassign y[3] = 0;",
            vec!["[9] is outside of `d`, which is [3:0]"],
        ),
        // Not reached, or no mistake of the text.
        ("assign y = W > 7 ? d[7] : d[0];", vec![]),
        (
            "for (genvar i = 0; i < 4; i++) begin assign y[i] = i > 0 && d[i-1]; end",
            vec![],
        ),
        (
            "always_comb begin y = 0; for (int i = 0; i < 5; i++) y ^= d[i]; end",
            vec![],
        ),
        (
            "function f(input int i); f = d[i]; endfunction assign y = f(9);",
            vec![],
        ),
    ] {
        assert_eq!(said(&module(body)), expected, "{body}");
    }
}
