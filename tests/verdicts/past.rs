//! Sampled values before the first step.

use super::{check, verifying, with_reset};
use respin::design::verilog::Past;
use respin::load::DesignOptions;

const DECLARED: &str = "module m(input clk, input up);
    reg [3:0] level = 5;
    always @(posedge clk) if (up && level < 12) level <= level + 1;
    grows: assert property (@(posedge clk) level >= $past(level));
    starts: assert property (@(posedge clk) $changed(level) |-> level > 5);
    rises: assert property (@(posedge clk) !$rose(level[0]) || level != 5);
    two: assert property (@(posedge clk) level >= $past(level, 2));
    sum: assert property (@(posedge clk) $past(level + 4'd1) >= 6);
  endmodule";

#[test]
fn the_declaration_says_what_was_before_the_first_step() {
    let expected = [
        "grows: holds",
        "starts: holds",
        "rises: holds",
        "two: holds",
        "sum: holds",
    ];
    check(DECLARED, &verifying(), &expected);
}

#[test]
fn for_yosys_anything_was_before_the_first_step() {
    let options = DesignOptions {
        past: Past::Yosys,
        ..verifying()
    };
    let expected = [
        "grows: fails in step 0",
        "starts: fails in step 0",
        "rises: fails in step 0",
        "two: fails in step 0",
        "sum: fails in step 0",
    ];
    check(DECLARED, &options, &expected);
}

#[test]
fn without_a_declared_value_anything_was() {
    // An `initial` block is no declaration (IEEE 1800-2017, 16.5.1), and a net has no value.
    let text = "module m(input clk);
        reg [3:0] set = 2;
        reg [3:0] assigned;
        initial assigned = 2;
        wire [3:0] net = set;
        bit [3:0] two;
        always @(posedge clk) begin set <= set; assigned <= assigned; two <= 4'd1; end
        declared: assert property (@(posedge clk) $past(set) == 2);
        initially: assert property (@(posedge clk) $past(assigned) == 2);
        driven: assert property (@(posedge clk) $past(net) == 2);
        zero: assert property (@(posedge clk) $past(two) <= 1);
      endmodule";
    let expected = [
        "declared: holds",
        "initially: fails in step 0",
        "driven: fails in step 0",
        "zero: holds",
    ];
    check(text, &verifying(), &expected);
}

#[test]
fn steps_of_a_reset_are_history() {
    let text = "module m(input clk, rst, input d);
        reg q;
        always @(posedge clk) q <= rst ? 1'b0 : d;
        follows: assert property (@(posedge clk) q == ($past(d) && !$past(rst)));
        zero: assert property (@(posedge clk) $past(rst) |-> !q);
      endmodule";
    check(text, &with_reset("rst"), &["follows: holds", "zero: holds"]);
}
