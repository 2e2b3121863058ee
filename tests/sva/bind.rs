//! `bind`: checkers are put into modules and instances from outside, and only observe.

use super::observers::{DUT, MODEL, MONITOR, only_the_fault_is_edited};
use super::{folder, respin};

/// Two instances of one module; the second one gets the opposite of `d`.
const PAIR: &str = "module part (input clk, input d, output reg q);
  initial q = 0;
  always @(posedge clk) q <= d;
endmodule
module top (input clk, input d, output x, output y);
  part a (clk, d, x);
  part b (clk, !d, y);
endmodule
";

/// Holds in the first instance only.
const CHECKER: &str = "module checks #(parameter KEEP = 1'b1) (input clk, input d, input q);
  reg r = 0;
  always @(posedge clk) r <= d & KEEP;
  follows: assert property (@(posedge clk) q == r);
endmodule
";

/// The lines of `verify` on a text.
fn verified(name: &str, text: &str, more: &[&str]) -> (String, String, i32) {
    let folder = folder("bind");
    let file = format!("{name}.sv");
    std::fs::write(folder.join(&file), text).expect("a design is written");
    let arguments = [&["verify", &file], more].concat();
    respin(&arguments, &folder)
}

#[test]
fn a_checker_is_bound_to_all_instances_of_a_module() {
    let bind = "bind part checks c (.clk(clk), .d(d), .q(q));\n";
    let (output, problems, code) = verified("module", &format!("{PAIR}{CHECKER}{bind}"), &[]);
    assert_eq!(code, 0, "{output}{problems}");
    assert!(output.contains("PASS  a.c.follows"), "{output}");
    assert!(output.contains("PASS  b.c.follows"), "{output}");
}

#[test]
fn names_are_those_of_the_target_and_parameters_are_given() {
    let bind = "bind part checks #(.KEEP(1'b0)) c (.*);\n";
    let (output, _, code) = verified("given", &format!("{PAIR}{CHECKER}{bind}"), &[]);
    assert_eq!(code, 1, "{output}");
    assert!(output.contains("FAIL  a.c.follows"), "{output}");
}

#[test]
fn a_checker_is_bound_to_some_instances() {
    for (name, target) in [
        ("path", "top.a"),
        ("relative", "a"),
        ("root", "$root.top.a"),
        ("list", "part : top.a"),
    ] {
        let bind = format!("bind {target} checks c (.*);\n");
        let (output, problems, code) = verified(name, &format!("{PAIR}{CHECKER}{bind}"), &[]);
        assert_eq!(code, 0, "{target}: {output}{problems}");
        assert!(output.contains("a.c.follows"), "{target}: {output}");
        assert!(!output.contains("b.c.follows"), "{target}: {output}");
    }
    let bind = "bind part : a, b checks c (.*);\n";
    let (output, _, _) = verified("both", &format!("{PAIR}{CHECKER}{bind}"), &[]);
    assert!(output.contains("all 2 assertions hold"), "{output}");
}

#[test]
fn a_module_of_directives_is_no_design() {
    let bind = "module all_binds;\n  bind part checks c (.*);\nendmodule\n";
    let (output, problems, code) = verified("directives", &format!("{PAIR}{CHECKER}{bind}"), &[]);
    assert_eq!(code, 0, "{output}{problems}");
    assert!(output.contains("all 2 assertions hold"), "{output}");
}

#[test]
fn what_a_bound_checker_has_is_right() {
    let bind = "bind dut monitor w (.*);\n";
    only_the_fault_is_edited("bound", &format!("{DUT}{MONITOR}{bind}"));
    let checker = "module checker_of_dut (input clk, input rst, input d, input q);
  wire r;
  model w (clk, rst, d, r);
  p: assert property (@(posedge clk) q == r);
endmodule
module bench (input clk, input rst, input d);
  wire q;
  dut u (clk, rst, d, q);
endmodule
bind bench checker_of_dut c (.*);
";
    only_the_fault_is_edited("bound_model", &format!("{DUT}{MODEL}{checker}"));
}

#[test]
fn a_parameter_of_a_checker_without_state_is_right() {
    let text = "module dut (input clk, input rst, output reg [2:0] n);
  always @(posedge clk) if (rst) n <= 3'd0; else if (n == 3'd6) n <= 3'd0; else n <= n + 3'd1; // the fault
endmodule
module limit (input clk, input [2:0] n);
  parameter MOST = 3'd4;
  p: assert property (@(posedge clk) n <= MOST);
endmodule
bind dut limit #(.MOST(3'd4)) l (.clk(clk), .n(n));
";
    only_the_fault_is_edited("limit", text);
}

#[test]
fn what_cannot_be_bound_is_refused_at_its_place() {
    for (name, rest, message) in [
        (
            "nobody",
            "bind parts checks c (.*);\n".to_string(),
            "there is no module or instance `parts`",
        ),
        (
            "other",
            "bind part : top checks c (.*);\n".to_string(),
            "`top` is no instance of `part`",
        ),
        (
            "generated",
            "module w; if (1) begin bind part checks c (.*); end endmodule\n".to_string(),
            "`bind` inside of a generate construct is not supported",
        ),
    ] {
        let text = format!("{PAIR}{CHECKER}{rest}");
        let (_, problems, code) = verified(name, &text, &["--top", "top"]);
        assert!(problems.contains(message), "{name}: {problems}");
        assert_eq!(code, 2, "{name}");
    }
}

#[test]
fn a_checker_for_a_module_that_is_not_there_is_warned_about() {
    let rest = "module unused (input clk, input d, input q); endmodule
bind unused checks c (.*);
bind part checks k (.*);
";
    let text = format!("{PAIR}{CHECKER}{rest}");
    let (output, problems, code) = verified("unused", &text, &["--top", "top"]);
    assert!(problems.contains("R0329"), "{problems}");
    assert!(output.contains("all 2 assertions hold"), "{output}");
    assert_eq!(code, 0);
}
