//! What is there for assertions only is no suspect, and corrections neither read nor edit it:
//! wherever it stands, and also if the top module has no outputs.

use super::{folder, respin};

/// The register toggles with `d`; the design has `&` in the place of `^`.
const DUT: &str = "module dut (input clk, input rst, input d, output reg q);
  always @(posedge clk) if (rst) q <= 1'b0; else q <= d & q; // the fault
endmodule
";

const MODEL: &str = "module model (input clk, input rst, input d, output reg q);
  parameter START = 1'b0;
  always @(posedge clk) if (rst) q <= START; else q <= d ^ q;
endmodule
";

const MONITOR: &str = "module monitor (input clk, input rst, input d, input q);
  parameter START = 1'b0;
  reg r = 0;
  always @(posedge clk) if (rst) r <= START; else r <= d ^ r;
  p: assert property (@(posedge clk) q == r);
endmodule
";

/// The corrections of a text, which has to have some.
fn corrections(file: &str, text: &str) -> Vec<serde_json::Value> {
    let folder = folder("observers");
    std::fs::write(folder.join(file), text).expect("a design is written");
    let arguments = ["repair", file, "--reset", "rst", "--format", "json"];
    let (output, problems, _) = respin(&arguments, &folder);
    let report: serde_json::Value = serde_json::from_str(&output).expect("a report");
    assert_eq!(
        report["verdict"], "REPAIRED",
        "{file}: {output}\n{problems}"
    );
    report["corrections"]
        .as_array()
        .expect("corrections")
        .clone()
}

/// Repairs a text; every edit has to be in the line of the fault.
fn only_the_fault_is_edited(name: &str, text: &str) {
    let file = format!("{name}.sv");
    let corrections = corrections(&file, text);
    let faulty = text.lines().position(|line| line.contains("the fault"));
    let faulty = faulty.expect("a line with the fault") as u64 + 1;
    let edits = corrections.iter().flat_map(|one| one["edits"].as_array());
    let mut count = 0;
    for edit in edits.flatten() {
        assert_eq!(edit["place"]["line"], faulty, "{name}: {edit:#}");
        count += 1;
    }
    assert!(count > 0, "{name}");
    let also = corrections.iter().flat_map(|one| one["also"].as_array());
    for place in also.flatten().filter_map(|one| one.as_str()) {
        let here = format!("{file}:{faulty} ");
        let is_more = place.ends_with(" more");
        assert!(place.starts_with(&here) || is_more, "{name}: {place}");
    }
}

#[test]
fn a_reference_model_beside_the_design_is_right() {
    let top = "module top (input clk, input rst, input d, output q);
  wire r;
  dut u (clk, rst, d, q);
  model w (clk, rst, d, r);
  p: assert property (@(posedge clk) q == r);
endmodule
";
    only_the_fault_is_edited("model", &format!("{DUT}{MODEL}{top}"));
}

#[test]
fn an_instance_that_is_connected_by_name_is_an_observer_too() {
    let top = "module top (input clk, input rst, input d, output q);
  wire r;
  dut u (.clk(clk), .rst(rst), .d(d), .q(q));
  model #(.START(1'b0)) w (.clk(clk), .rst(rst), .q(r), .d(d));
  p: assert property (@(posedge clk) q == r);
endmodule
";
    only_the_fault_is_edited("by_name", &format!("{DUT}{MODEL}{top}"));
}

#[test]
fn a_monitor_in_a_bench_without_outputs_is_right() {
    let top = "module top (input clk, input rst, input d);
  wire q;
  dut u (clk, rst, d, q);
  monitor #(1'b0) w (clk, rst, d, q);
endmodule
";
    only_the_fault_is_edited("monitor", &format!("{DUT}{MONITOR}{top}"));
}

#[test]
fn what_a_monitor_instantiates_is_right() {
    let monitor = "module monitor (input clk, input rst, input d, input q);
  wire r;
  model w (clk, rst, d, r);
  p: assert property (@(posedge clk) q == r);
endmodule
module top (input clk, input rst, input d);
  wire q;
  dut u (clk, rst, d, q);
  monitor w (clk, rst, d, q);
endmodule
";
    only_the_fault_is_edited("nested", &format!("{DUT}{MODEL}{monitor}"));
}

#[test]
fn what_formal_adds_to_a_module_without_outputs_is_right() {
    for (number, condition) in ["ifdef FORMAL", "ifdef MY_ASSERT_ON", "ifndef SYNTHESIS"]
        .into_iter()
        .enumerate()
    {
        let text = format!(
            "`define MY_ASSERT_ON
module m (input clk, input rst, input d);
  reg q;
  always @(posedge clk) if (rst) q <= 1'b0; else q <= d & q; // the fault
`{condition}
  reg r = 0;
  always @(posedge clk) if (rst) r <= 1'b0; else r <= d ^ r;
  p: assert property (@(posedge clk) q == r);
`endif
endmodule
"
        );
        only_the_fault_is_edited(&format!("formal{number}"), &text);
    }
}

#[test]
fn a_model_behind_formal_in_a_bench_without_outputs_is_right() {
    let top = "module top (input clk, input rst, input d);
  wire q;
  dut u (clk, rst, d, q);
`ifdef FORMAL
  wire r;
  model w (clk, rst, d, r);
  p: assert property (@(posedge clk) q == r);
`endif
endmodule
";
    only_the_fault_is_edited("formal_model", &format!("{DUT}{MODEL}{top}"));
}

#[test]
fn a_signal_of_the_design_that_a_monitor_reads_may_be_wrong() {
    let text = "module m (input clk, input rst, input d, output q);
  reg x;
  wire s = d & x; // the fault
  assign q = x;
  always @(posedge clk) if (rst) x <= 1'b0; else x <= s;
  reg r;
  wire t = d ^ r;
  always @(posedge clk) if (rst) r <= 0; else r <= t;
  p: assert property (@(posedge clk) q == r);
  agrees: assert property (@(posedge clk) disable iff (rst) s == t);
endmodule
";
    only_the_fault_is_edited("both", text);
}

/// Where nothing tells the two apart, either may be wrong: both lines are offered.
#[test]
fn in_a_bench_without_outputs_two_designs_are_equals() {
    let top = "module top (input clk, input rst, input d);
  wire q, r;
  dut u (clk, rst, d, q);
  model w (clk, rst, d, r);
  p: assert property (@(posedge clk) q == r);
endmodule
";
    let folder = folder("observers");
    let text = format!("{DUT}{MODEL}{top}");
    std::fs::write(folder.join("equals.sv"), text).expect("a design is written");
    let (output, _, _) = respin(&["repair", "equals.sv", "--reset", "rst"], &folder);
    assert!(output.contains("equals.sv:2"), "{output}");
    assert!(output.contains("equals.sv:6"), "{output}");
    let arguments = ["repair", "equals.sv", "--reset", "rst", "--only", "dut"];
    let (output, _, _) = respin(&arguments, &folder);
    assert!(output.contains("1 correction, at equals.sv:2"), "{output}");
}

#[test]
fn bind_is_refused_by_name() {
    let folder = folder("observers");
    let text = format!("{DUT}{MONITOR}bind dut monitor w (.*);\n");
    std::fs::write(folder.join("bind.sv"), text).expect("a design is written");
    let (_, problems, code) = respin(&["verify", "bind.sv"], &folder);
    assert!(
        problems.contains("`bind` here is not supported"),
        "{problems}"
    );
    assert_eq!(code, 2);
}

#[test]
fn constants_of_a_reference_model_are_right_although_it_has_signals_that_nothing_reads() {
    let module = |name: &str, value: &str, rest: &str| {
        format!(
            "module {name} (input clk, input rst, input d, output reg q);
  localparam K = {value}; wire v = d ^ K;{rest}
  always @(posedge clk) if (rst) q <= 1'b0; else q <= d & v;
endmodule
"
        )
    };
    let design = module("dut", "1'b1", " // the fault");
    let model = module("model", "1'b0", " wire spare = d;");
    let top = "module top (input clk, input rst, input d, output q);
  wire r;
  dut u (clk, rst, d, q);
  model w (clk, rst, d, r);
  p: assert property (@(posedge clk) q == r);
endmodule
";
    let corrections = corrections("constants.sv", &format!("{design}{model}{top}"));
    for edit in corrections.iter().flat_map(|one| one["edits"].as_array()) {
        for edit in edit {
            let line = edit["place"]["line"].as_u64().expect("a line");
            assert!(line <= design.lines().count() as u64, "{edit:#}");
        }
    }
}
