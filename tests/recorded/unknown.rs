//! What values mean that nobody knows: registers that were never written, inputs that were not
//! driven, outputs that are not compared.

use crate::{Folder, TOTAL, check};

#[test]
fn an_output_without_a_value_is_not_compared() {
    let table = "rst,en,step,sum,big\n1,0,0,x,x\n0,1,5,x,0\n0,0,0,5,z\n";
    let folder = Folder::new(&[("total.v", TOTAL), ("run.csv", table)]);
    check(
        &folder,
        "verify total.v --trace run.csv",
        0,
        &["2 values in 3 cycles"],
    );
}

#[test]
fn an_input_that_is_not_driven_has_any_value() {
    let table = "rst,en,step,sum\n1,x,x,x\n0,0,x,0\n0,1,x,0\n0,0,0,9\n";
    let folder = Folder::new(&[("total.v", TOTAL), ("run.csv", table)]);
    let text = [
        "in cycle 3, sum is 8'b0000xxxx, and 9 was recorded",
        "step is x (input)",
    ];
    check(&folder, "verify total.v --trace run.csv", 1, &text);
    let table = "rst,en,sum\n1,x,x\n0,0,0\n";
    let folder = Folder::new(&[("total.v", TOTAL), ("run.csv", table)]);
    check(
        &folder,
        "verify total.v --trace run.csv",
        0,
        &["R0905", "step"],
    );
}

#[test]
fn a_register_that_the_reset_forgets_is_a_difference() {
    let forgets = TOTAL.replace("if (rst) sum <= 0;\n    else if", "if (!rst && ");
    let forgets = forgets.replace("if (!rst &&  (en)", "if (!rst && en)");
    let table = "rst,en,step,sum\n1,0,0,x\n0,0,0,0\n";
    let folder = Folder::new(&[("total.v", &forgets), ("run.csv", table)]);
    let text = ["in cycle 1, sum is x, and 0 was recorded", "never written"];
    check(&folder, "verify total.v --trace run.csv", 1, &text);
}

#[test]
fn runs_recorded_with_two_values_start_with_zeros() {
    let table = "rst,en,step,sum,big\n0,0,0,0,0\n0,1,3,0,0\n0,0,0,3,0\n";
    let folder = Folder::new(&[("total.v", TOTAL), ("run.csv", table)]);
    check(&folder, "verify total.v --trace run.csv", 0, &["PASS"]);
}

#[test]
fn a_comparison_before_the_reset_does_not_count() {
    // A simulator with four values takes an unknown condition for false.
    let design = "module m(input clk, input rst, output reg [3:0] count, output reg full);
      always @(posedge clk) begin
        if (rst) begin count <= 0; full <= 0; end else count <= count + 1;
        if (count == 4'd15) full <= 1;
      end
    endmodule";
    let table = "rst,count,full\n1,x,x\n0,0,0\n0,1,0\n";
    let folder = Folder::new(&[("m.v", design), ("run.csv", table)]);
    let text = check(
        &folder,
        "verify m.v --trace run.csv",
        0,
        &["of 64 choices of unknown"],
    );
    assert!(!text.contains(" 64 of 64"), "{text}");
}
