//! What a text means as a circuit.

use super::{check, error_of, verdicts, verifying, with_reset};

#[test]
fn an_assertion_in_an_initial_block_sees_the_values_of_its_place() {
    let text = "module m(input clk);
        reg [3:0] level = 9;
        initial begin
          declared: assert (level == 9);
          level = 3;
          early: assert (level == 3);
          level = 7;
          late: assert (level == 3);
        end
        always @(posedge clk) level <= level;
        run: assert property (@(posedge clk) level == 7);
      endmodule";
    let expected = [
        "declared: holds",
        "early: holds",
        "late: fails in step 0",
        "run: holds",
    ];
    check(text, &verifying(), &expected);
}

#[test]
fn an_initial_assertion_counts_although_a_reset_is_played() {
    let text = "module m(input clk, input rst, input d);
        reg q;
        initial begin q = 0; wrong: assert (d); end
        always @(posedge clk) q <= rst ? 1'b0 : d;
      endmodule";
    let (found, _) = verdicts(text, &with_reset("rst"));
    assert!(found[0].starts_with("wrong: fails"), "{found:?}");
}

#[test]
fn what_an_initial_block_assigns_later_is_unknown_before() {
    let text = "module m(input clk);
        reg q;
        initial begin guess: assert (q); q = 1; known: assert (q); end
        always @(posedge clk) q <= q;
      endmodule";
    check(
        text,
        &verifying(),
        &["guess: fails in step 0", "known: holds"],
    );
}

const UNLISTED: &str = "module m(input clk, input x, input [1:0] y, output reg z);
    always @(x) z = x ^ y[1];
    always @(posedge clk) same: assert (z == (x ^ y[1]));
  endmodule";

#[test]
fn an_incomplete_list_is_warned_about_and_completed() {
    let (found, warnings) = verdicts(UNLISTED, &verifying());
    assert_eq!(found, ["same: holds"]);
    let warning = warnings.iter().find(|one| one.code.to_string() == "R0327");
    let warning = warning.expect("a warning");
    let [(span, text)] = &warning.edits[..] else {
        panic!("{warning:?}");
    };
    assert_eq!(&UNLISTED[span.start as usize..span.end as usize], "x");
    assert_eq!(text, "x or y");
    let mut corrected = UNLISTED.to_string();
    corrected.replace_range(span.start as usize..span.end as usize, text);
    let (_, warnings) = verdicts(&corrected, &verifying());
    assert!(warnings.is_empty(), "{warnings:?}");
}

#[test]
fn a_complete_list_is_no_reason_to_warn() {
    let text = "module m(input clk, input x, y, output reg z);
        reg t;
        integer i;
        always @(x or y) begin
          t = x;
          for (i = 0; i < 2; i = i + 1) t = t ^ y;
          z = t;
        end
        always @(posedge clk) p: assert (z == x);
      endmodule";
    let (found, warnings) = verdicts(text, &verifying());
    assert_eq!(found, ["p: holds"]);
    assert!(warnings.is_empty(), "{warnings:?}");
}

#[test]
fn a_temporary_is_no_latch() {
    let text = "module m(input clk, input go, a, b, output reg sum);
        reg both;
        always @* begin
          sum = 1'b0;
          if (go) begin both = a & b; sum = both; end
        end
        always @(posedge clk) p: assert (sum == (go & a & b));
      endmodule";
    check(text, &verifying(), &["p: holds"]);
}

#[test]
fn a_temporary_that_is_read_elsewhere_is_a_latch() {
    let text = "module m(input clk, input go, a, output reg y, output z);
        reg t;
        always @* begin
          y = 1'b0;
          if (go) begin t = a; y = t; end
        end
        assign z = t;
        always @(posedge clk) p: assert (!y || go);
      endmodule";
    assert!(error_of(text, &verifying()).starts_with("error[R0317]"));
}

#[test]
fn a_temporary_that_is_read_before_it_is_written_is_a_latch() {
    let text = "module m(input clk, input go, a, output reg y);
        reg t;
        always @* begin
          y = t;
          if (go) t = a;
        end
        always @(posedge clk) p: assert (y == a);
      endmodule";
    assert!(error_of(text, &verifying()).starts_with("error[R0317]"));
}

/// Three states in two bits, without a default.
fn three_states(last: &str) -> String {
    format!(
        "module m(input clk, rst, go, output reg busy);
        reg [1:0] now, later;
        always @(posedge clk) if (rst) now <= 0; else now <= later;
        always @* begin
          busy = now != 0;
          case (now)
            2'd0: later = go ? 2'd1 : 2'd0;
            2'd1: later = 2'd2;
            2'd2: later = {last};
          endcase
        end
        p: assert property (@(posedge clk) now != 3 || busy);
      endmodule"
    )
}

#[test]
fn a_latch_that_no_reachable_state_opens_is_a_warning() {
    let (found, warnings) = verdicts(&three_states("2'd0"), &with_reset("rst"));
    assert_eq!(found, ["p: holds"]);
    assert!(
        warnings.iter().any(|one| one.code.to_string() == "R0328"),
        "{warnings:?}"
    );
}

#[test]
fn a_latch_that_a_reachable_state_opens_is_an_error() {
    let text = three_states("2'd3");
    assert!(error_of(&text, &with_reset("rst")).starts_with("error[R0317]"));
    // Without the reset the registers start anywhere.
    assert!(error_of(&three_states("2'd0"), &verifying()).starts_with("error[R0317]"));
}

#[test]
fn a_latch_by_nonblocking_assignments_is_one_as_well() {
    let text = "module m(input clk, input s, a, output reg y);
        always @* if (s) y <= a;
        always @(posedge clk) p: assert (!s || y == a);
      endmodule";
    assert!(error_of(text, &verifying()).starts_with("error[R0317]"));
}

/// A word of a hundred bits, each made of the one below, and bit 70 in another way.
fn chain(bit_70: &str) -> String {
    format!(
        "module m(input clk, input s, a, output reg [99:0] q);
        integer k;
        always @* begin
          q[0] = a;
          for (k = 1; k < 100; k = k + 1) if (k != 70) q[k] = q[k - 1]; else {bit_70}
        end
        always @(posedge clk) p: assert (!s || q[69] == a && q[70] == a);
      endmodule"
    )
}

#[test]
fn a_bit_that_is_made_of_another_bit_of_its_word_is_no_latch() {
    check(&chain("q[k] = q[k - 1];"), &verifying(), &["p: holds"]);
}

#[test]
fn one_bit_of_a_wide_word_may_be_a_latch() {
    let text = chain("begin if (s) q[k] = a; end");
    assert!(error_of(&text, &verifying()).starts_with("error[R0317]"));
}

#[test]
fn a_number_is_cut_to_its_width() {
    let text = "module m(input clk, input [2:0] s, output reg y);
        always @* case (s) 3'd13: y = 1; default: y = 0; endcase
        always @(posedge clk) p: assert (y == (s == 5));
      endmodule";
    let (found, warnings) = verdicts(text, &verifying());
    assert_eq!(found, ["p: holds"]);
    assert_eq!(warnings.len(), 1, "{warnings:?}");
}

#[test]
fn an_attribute_may_come_from_a_macro() {
    let text = "`define MARK(what) (* what = 1, keep *)
      module m(input clk, input d, output o);
        `MARK(full) reg q = 0;
        always @(posedge clk) q <= d;
        assign o = `MARK(part) q;
        always @(posedge clk) p: assert (o == q);
      endmodule";
    check(text, &verifying(), &["p: holds"]);
}

#[test]
fn selects_beyond_a_two_state_word_are_zero() {
    let text = |kind: &str| {
        format!(
            "module m(input clk, input {kind} [2:0] a, input {kind} [2:0] i);
            wire bit_of = a[i];
            wire [1:0] part = a[i +: 2];
            always @(posedge clk) begin
              one: assert (i < 3 || !bit_of);
              two: assert (i != 2 || !part[1]);
            end
          endmodule"
        )
    };
    check(&text("bit"), &verifying(), &["one: holds", "two: holds"]);
    let expected = ["one: fails in step 0", "two: fails in step 0"];
    check(&text("logic"), &verifying(), &expected);
}

#[test]
fn variables_of_two_state_types_start_at_zero_and_are_never_unknown() {
    let text = "module m(input clk, input go);
        int count;
        bit flag;
        logic free;
        bit filled;
        always @(posedge clk) begin
          if (go) count <= count;
          flag <= flag;
          free <= free;
        end
        always_comb filled = 1'bx;
        started: assert property (@(posedge clk) count == 0 && !flag);
        known: assert property (@(posedge clk) !filled);
        unknown: assert property (@(posedge clk) !free);
      endmodule";
    let expected = ["started: holds", "known: holds", "unknown: fails in step 0"];
    check(text, &verifying(), &expected);
}

/// An unknown bit that goes through an operator is any value behind it, also where a variable
/// of a two-state type takes the result, which the standard makes 0. Where the operator decides
/// without the bit, or negates it only, the result is known.
#[test]
fn unknown_bits_behind_operators_are_any_value() {
    let text = "module m(input clk, input a);
        bit negated, masked, through;
        logic open;
        always_comb negated = ~1'bx;
        always_comb masked = a & 1'b0 & 1'bx;
        always_comb open = 1'bx;
        always_comb through = open ^ a;
        still_unknown: assert property (@(posedge clk) !negated);
        decided: assert property (@(posedge clk) !masked);
        handed_on: assert property (@(posedge clk) !through);
      endmodule";
    let expected = [
        "still_unknown: holds",
        "decided: holds",
        "handed_on: fails in step 0",
    ];
    check(text, &verifying(), &expected);
}
