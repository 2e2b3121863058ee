//! Designs that have to be equal to a reference.

use crate::{Folder, TOTAL, broken, check};

#[test]
fn a_design_is_compared_with_its_reference() {
    let renamed = TOTAL
        .replace("sum + step", "step + sum")
        .replace("module total", "module old");
    let folder = Folder::new(&[
        ("total.v", TOTAL),
        ("broken.v", &broken()),
        ("old.v", &renamed),
    ]);
    let line = "verify total.v --reference old.v --reset rst";
    check(&folder, line, 0, &["PASS", "equal_to_reference"]);
    let line = "verify broken.v --reference old.v --reset rst --vcd run.vcd";
    check(
        &folder,
        line,
        1,
        &["FAIL", "equal_to_reference", "reference.sum[7:0]"],
    );
    assert!(folder.path("run.vcd").is_file());
    let line = "repair broken.v --reference old.v --reset rst -o fixed.v";
    check(
        &folder,
        line,
        0,
        &["REPAIRED", "+    else if (en) sum <= sum + step;"],
    );
    let line = "verify fixed.v --reference old.v --reset rst";
    check(&folder, line, 0, &["PASS"]);
}

#[test]
fn a_design_without_reset_is_equal_to_itself() {
    let plain =
        "module m(input clk, input a, output reg y); always @(posedge clk) y <= y ^ a; endmodule";
    let folder = Folder::new(&[("m.v", plain), ("n.v", plain)]);
    check(&folder, "verify m.v --reference n.v", 0, &["PASS"]);
}

#[test]
fn modules_that_the_reference_lacks_are_those_of_the_design() {
    let top = "module top(input a, input b, output y); inner one(.a(a), .b(b), .y(y)); endmodule\n";
    let inner = "module inner(input a, input b, output y); assign y = a & b; endmodule\n";
    let wrong = inner.replace('&', "|");
    let folder = Folder::new(&[("top.v", top), ("inner.v", &wrong), ("good.v", inner)]);
    let line = "repair top.v inner.v --reference good.v";
    check(&folder, line, 0, &["REPAIRED", "assign y = a & b;"]);
}

#[test]
fn other_formats_are_references_too() {
    let folder = Folder::new(&[
        (
            "m.v",
            "module m(input a, input b, output y); assign y = a & b; endmodule",
        ),
        ("m.aag", "aag 3 2 0 1 1\n2\n4\n6\n6 4 2\ni0 a\ni1 b\no0 y\n"),
        ("n.aag", "aag 3 2 0 1 1\n2\n4\n7\n6 4 2\ni0 a\ni1 b\no0 y\n"),
    ]);
    check(&folder, "verify m.v --reference m.aag", 0, &["PASS"]);
    check(&folder, "verify m.v --reference n.aag", 1, &["FAIL"]);
    check(&folder, "verify m.aag --reference m.v", 0, &["PASS"]);
}

#[test]
fn ports_that_differ_are_refused() {
    let folder = Folder::new(&[
        (
            "m.v",
            "module m(input a, output y); assign y = a; endmodule",
        ),
        (
            "input.v",
            "module m(input a, input b, output y); assign y = a & b; endmodule",
        ),
        (
            "output.v",
            "module m(input a, output y, output z); assign y = a; assign z = a; endmodule",
        ),
    ]);
    check(
        &folder,
        "verify m.v --reference input.v",
        2,
        &["R0906", "no input `b`"],
    );
    check(
        &folder,
        "verify input.v --reference m.v",
        2,
        &["R0906", "no input `b`"],
    );
    check(
        &folder,
        "verify m.v --reference output.v",
        2,
        &["R0906", "no output `z`"],
    );
}

#[test]
fn what_nothing_drives_is_no_port() {
    let with = |value: &str| {
        format!(
            "module m(input a, output y); wire [3:0] t; wire u; assign t[2:0] = {{3{{a}}}}; \
             assign y = {value}; endmodule"
        )
    };
    let folder = Folder::new(&[
        (
            "m.v",
            "module m(input a, output y); assign y = a; endmodule",
        ),
        ("unused.v", &with("&t[2:0]")),
        ("used.v", &with("&t[2:0] | t[3] | u")),
    ]);
    check(&folder, "verify m.v --reference unused.v", 0, &["PASS"]);
    check(&folder, "verify unused.v --reference m.v", 0, &["PASS"]);
    check(&folder, "verify m.v --reference used.v", 1, &["FAIL"]);
    check(&folder, "verify used.v --reference m.v", 1, &["FAIL"]);
}

#[test]
fn registers_of_the_other_edge_are_not_compared() {
    let at = |edge: &str| {
        format!(
            "module m(input clk, input a, output reg y); initial y = 0; \
             always @({edge} clk) y <= a; endmodule"
        )
    };
    let folder = Folder::new(&[("up.v", &at("posedge")), ("down.v", &at("negedge"))]);
    check(&folder, "verify up.v --reference up.v", 0, &["PASS"]);
    let line = "verify down.v --reference up.v";
    check(&folder, line, 2, &["R0906", "falling edge of `clk`"]);
}

#[test]
fn the_reference_is_neither_suspected_nor_edited() {
    let folder = Folder::new(&[("broken.v", &broken()), ("total.v", TOTAL)]);
    let line = "repair broken.v --reference total.v --reset rst --write";
    check(&folder, line, 0, &["REPAIRED", "edited broken.v"]);
    let kept = std::fs::read_to_string(folder.path("total.v")).unwrap();
    assert_eq!(kept, TOTAL);
}

/// A repaired file is verified on its own; nothing that repair knew counts.
fn check_repaired(broken: &str) {
    let folder = Folder::new(&[("broken.v", broken), ("total.v", TOTAL)]);
    let line = "repair broken.v --reference total.v --reset rst -o fixed.v";
    check(&folder, line, 0, &["REPAIRED"]);
    let line = "verify fixed.v --reference total.v --reset rst";
    check(&folder, line, 0, &["PASS"]);
}

#[test]
fn two_faults_are_mended_beside_the_reference() {
    let broken = broken().replace("sum <= 0", "sum <= 8'd16");
    assert_ne!(broken, self::broken());
    check_repaired(&broken);
}

#[test]
fn a_clock_that_registers_do_not_move_with_is_mended() {
    let broken = TOTAL.replace("@(posedge clk)", "@(clk)");
    assert_ne!(broken, TOTAL);
    check_repaired(&broken);
}

#[test]
fn registers_without_an_initial_value_are_those_of_the_failing_run() {
    // What is wrong shows only if the register starts with one of a few values.
    let right = "module m(input clk, input rst, input a, output reg [3:0] s, output reg y);
  always @(posedge clk) begin
    y <= s == 4'd9;
    if (!rst) s <= s + a;
  end
endmodule
";
    let broken = right.replace("4'd9", "4'd3").replace("s + a", "s - a");
    let folder = Folder::new(&[("m.v", broken.as_str()), ("right.v", right)]);
    let line = "repair m.v --reference right.v --reset rst -o fixed.v";
    check(&folder, line, 0, &["REPAIRED"]);
    let line = "verify fixed.v --reference right.v --reset rst";
    check(&folder, line, 0, &["PASS"]);
}
