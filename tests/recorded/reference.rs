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
fn the_reference_is_neither_suspected_nor_edited() {
    let folder = Folder::new(&[("broken.v", &broken()), ("total.v", TOTAL)]);
    let line = "repair broken.v --reference total.v --reset rst --write";
    check(&folder, line, 0, &["REPAIRED", "edited broken.v"]);
    let kept = std::fs::read_to_string(folder.path("total.v")).unwrap();
    assert_eq!(kept, TOTAL);
}
