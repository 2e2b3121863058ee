//! Unknown values. A signal is 0 or 1 here: where the standard has `x`, the environment chooses,
//! so that an assertion that holds does so for every value that the hardware may show.

use super::{check, error_of, verdicts, verifying};

/// A register without an initial value, which a simulator shows as `x`.
const OPEN: &str = "logic open; always_ff @(posedge clk) open <= open;";

#[test]
fn a_condition_that_is_unknown_is_taken_either_way() {
    // A simulator takes the `else` (IEEE 1800-2017, 12.4), which is one of the two.
    let text = format!(
        "module m(input clk, output logic y); {OPEN}
           always_comb if (open) y = 1; else y = 0;
           as_simulated: assert property (@(posedge clk) y == 0);
           either: assert property (@(posedge clk) y == open);
         endmodule"
    );
    let expected = ["as_simulated: fails in step 0", "either: holds"];
    check(&text, &verifying(), &expected);
}

#[test]
fn a_selector_that_is_unknown_has_one_of_its_values() {
    // A simulator takes the default (12.5), which no value of the hardware leads to.
    let text = format!(
        "module m(input clk, output logic [1:0] y); {OPEN}
           always_comb case (open) 1'b0: y = 0; 1'b1: y = 1; default: y = 2; endcase
           never: assert property (@(posedge clk) y != 2);
           zero: assert property (@(posedge clk) y == 0);
         endmodule"
    );
    let expected = ["never: holds", "zero: fails in step 0"];
    check(&text, &verifying(), &expected);
}

#[test]
fn a_conditional_merges_what_is_the_same_on_both_sides() {
    // 11.4.11: bits that are equal stay known.
    let text = format!(
        "module m(input clk, input [1:0] a, output [1:0] y); {OPEN}
           assign y = open ? {{a[1], 1'b0}} : {{a[1], 1'b1}};
           same: assert property (@(posedge clk) y[1] == a[1]);
           other: assert property (@(posedge clk) y[0] == 0);
         endmodule"
    );
    check(
        &text,
        &verifying(),
        &["same: holds", "other: fails in step 0"],
    );
}

#[test]
fn a_register_has_one_value_wherever_it_is_read_and_a_digit_another_in_each_place() {
    let text = format!(
        "module m(input clk); {OPEN}
           register: assert property (@(posedge clk) (open ^ open) == 0);
           digits: assert property (@(posedge clk) (1'bx ^ 1'bx) == 0);
         endmodule"
    );
    check(
        &text,
        &verifying(),
        &["register: holds", "digits: fails in step 0"],
    );
}

#[test]
fn no_signal_is_equal_to_an_unknown_digit() {
    // 11.4.5: `===` looks for the digit itself.
    let text = "module m(input clk, input [1:0] a);
        known: assert property (@(posedge clk) a !== 2'bxx);
        none: assert property (@(posedge clk) !(a === 2'b1x));
        itself: assert property (@(posedge clk) 2'b1x === 2'b1x);
        others: assert property (@(posedge clk) 2'b1x !== 2'b1z);
        plain: assert property (@(posedge clk) a === a);
      endmodule";
    let expected = [
        "known: holds",
        "none: holds",
        "itself: holds",
        "others: holds",
        "plain: holds",
    ];
    check(text, &verifying(), &expected);
}

#[test]
fn an_unknown_digit_as_a_condition_is_refused() {
    let text = "module m(input clk, input a, output reg y);
        always @* if (1'bx) y = 1; else y = a;
        p: assert property (@(posedge clk) y == a);
      endmodule";
    let error = error_of(text, &verifying());
    assert!(error.contains("cannot be `x` or `z`"), "{error}");
}

#[test]
fn bits_beyond_a_word_are_read_as_anything_and_written_without_effect() {
    // 11.5.1: what is inside of a part-select that is partly outside counts.
    let text = "module m(input clk, input [2:0] i, input [3:0] w, output [1:0] y,
                         output reg [3:0] q, output reg [3:0] r);
        assign y = w[i +: 2];
        reg [2:0] last = 7;
        initial begin q = 0; r = 0; end
        always @(posedge clk) begin
          last <= i;
          q <= 0; q[i] <= 1;
          r <= 0; r[i +: 2] <= 3;
        end
        within_word: assert property (@(posedge clk) i == 3 |-> y[0] == w[3]);
        outside: assert property (@(posedge clk) i == 3 |-> y[1] == 0);
        bit_kept: assert property (@(posedge clk) last > 3 |-> q == 0);
        part_kept: assert property (@(posedge clk) last > 3 |-> r == 0);
        part_cut: assert property (@(posedge clk) last == 3 |-> r == 8);
      endmodule";
    let expected = [
        "within_word: holds",
        "outside: fails in step 0",
        "bit_kept: holds",
        "part_kept: holds",
        "part_cut: holds",
    ];
    check(text, &verifying(), &expected);
}

#[test]
fn elements_beyond_an_array_are_read_as_anything_and_written_without_effect() {
    // 7.4.6.
    let text = "module m(input clk, input [1:0] i, input d, output y);
        reg cells [0:2];
        initial begin cells[0] = 0; cells[1] = 0; cells[2] = 0; end
        always @(posedge clk) cells[i] <= d;
        assign y = cells[i];
        reg hit = 0;
        always @(posedge clk) hit <= hit | (i < 3);
        kept: assert property (@(posedge clk) !hit |-> !cells[0] && !cells[1] && !cells[2]);
        read: assert property (@(posedge clk) i == 3 |-> !y);
      endmodule";
    check(
        text,
        &verifying(),
        &["kept: holds", "read: fails in step 0"],
    );
}

#[test]
fn a_quotient_by_zero_is_any_value() {
    // 11.4.3: it is unknown; all others are what they are.
    let text = "module m(input clk, input [3:0] a, input [3:0] b, output [3:0] y);
           assign y = a / b;
           bounded: assert property (@(posedge clk) b != 0 |-> y <= a);
           any: assert property (@(posedge clk) y <= a);
           zero: assert property (@(posedge clk) b == 0 |-> a / 4'd0 == 0);
         endmodule";
    let expected = [
        "bounded: holds",
        "any: fails in step 0",
        "zero: fails in step 0",
    ];
    check(text, &verifying(), &expected);
}

#[test]
fn a_register_without_a_value_starts_with_any_and_is_warned_about() {
    let text = format!(
        "module m(input clk); {OPEN}
           bit two; always_ff @(posedge clk) two <= two;
           any: assert property (@(posedge clk) open == 0);
           zero: assert property (@(posedge clk) two == 0);
         endmodule"
    );
    let (found, warnings) = verdicts(&text, &verifying());
    assert_eq!(found, ["any: fails in step 0", "zero: holds"]);
    let is_said = |code: &str| {
        let mut codes = warnings.iter().map(|one| one.code.to_string());
        codes.any(|one| one == code)
    };
    assert!(is_said("R0322"), "{warnings:?}");
}
