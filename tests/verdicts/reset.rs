//! Under which reset properties are judged.

use super::{check, verifying, with_reset};
use respin::design_from_texts;
use respin::load::{DesignOptions, Purpose};
use respin::repair::{Options, Outcome, repair};
use respin::subject::ResetUse;

/// A counter that a second reset does not clear.
const FORGETS: &str = "module m(input clk, rst, output reg [2:0] count);
    initial count = 0;
    always @(posedge clk) if (count != 5) count <= count + 1;
    again: assert property (@(posedge clk) disable iff (rst) $past(rst) |-> count == 0);
    once: assert property (@(posedge clk) $past(rst) |-> count == 1);
    other: assert property (@(posedge clk) disable iff (count == 7) $past(rst) |-> count == 1);
  endmodule";

#[test]
fn a_property_that_the_reset_disables_sees_it_again() {
    let cleared = "module m(input clk, rst, output reg [2:0] count);
        always @(posedge clk) if (rst) count <= 0; else if (count != 5) count <= count + 1;
        again: assert property (@(posedge clk) disable iff (rst) $past(rst) |-> count == 0);
        once: assert property (@(posedge clk) !$past(rst, 2) || count == 1 || $past(rst));
      endmodule";
    check(
        cleared,
        &with_reset("rst"),
        &["again: holds", "once: holds"],
    );
    let expected = ["again: fails in step 1", "once: holds", "other: holds"];
    check(FORGETS, &with_reset("rst"), &expected);
}

#[test]
fn a_register_that_only_the_first_reset_clears_is_found() {
    // What is played first cannot tell: `seen` is declared to start at 0.
    let text = "module m(input clk, rst, d, output reg q);
        reg seen = 0;
        always @(posedge clk)
          if (rst) q <= 0;
          else begin q <= seen; if (d) seen <= 1; end
        fresh: assert property (@(posedge clk) disable iff (rst) $past(rst) |=> !q);
        held: assert property (@(posedge clk) $past(rst) |=> !q);
      endmodule";
    let (found, _) = super::verdicts(text, &with_reset("rst"));
    assert!(found[0].starts_with("fresh: fails"), "{found:?}");
    assert_eq!(found[1], "held: holds");
}

#[test]
fn the_option_frees_the_reset_for_all() {
    let mut options = with_reset("rst");
    if let Some(play) = &mut options.reset {
        play.again = true;
    }
    let text = "module m(input clk, rst, output reg on);
        initial on = 0;
        always @(posedge clk) if (rst) on <= 0; else on <= 1;
        stays: assert property (@(posedge clk) on |=> on);
      endmodule";
    check(text, &with_reset("rst"), &["stays: holds"]);
    let (found, _) = super::verdicts(text, &options);
    assert!(found[0].starts_with("stays: fails"), "{found:?}");
}

#[test]
fn liveness_and_covers_without_a_disable_are_judged_while_the_reset_is_off() {
    let text = "module m(input clk, rst, output reg [1:0] count);
        always @(posedge clk) if (rst) count <= 0; else if (count != 3) count <= count + 1;
        full: assert property (@(posedge clk) s_eventually count == 3);
        freed: assert property (@(posedge clk) disable iff (rst) count == 3 |=> count == 3);
        seen: cover property (@(posedge clk) count == 3 ##1 count == 0);
      endmodule";
    let expected = ["full: holds", "freed: holds", "seen: holds"];
    // Of a cover, `holds` means that no run covers it: only a second reset would.
    check(text, &with_reset("rst"), &expected);
}

#[test]
fn the_subject_says_under_which_reset_each_property_is_judged() {
    let subject =
        design_from_texts(&[("m.sv", FORGETS)], &[], &with_reset("rst")).expect("a design");
    let resets: Vec<_> = (0..3).map(|index| subject.reset_of(index)).collect();
    let expected = [ResetUse::Again, ResetUse::Once, ResetUse::Once].map(Some);
    assert_eq!(resets, expected);
    let subject = design_from_texts(&[("m.sv", FORGETS)], &[], &verifying()).expect("a design");
    assert_eq!(subject.reset_of(0), None);
}

#[test]
fn a_patch_that_forgets_a_register_in_the_reset_branch_is_no_repair() {
    // `depth` is wrong after a second reset whatever is done to `full`, unless it is cleared.
    let text = "module m(input clk, rst, push, output reg full);
        reg [1:0] depth = 0;
        always @(posedge clk)
          if (rst) begin
            full <= 0;
          end else if (push && depth != 2) begin
            depth <= depth + 1;
            full <= depth == 1;
          end
        clear: assert property (@(posedge clk) disable iff (rst) $past(rst) |-> depth == 0 && !full);
        grows: assert property (@(posedge clk) disable iff (rst)
            push && depth != 2 |=> depth == $past(depth) + 2'd1);
      endmodule";
    let options = DesignOptions {
        purpose: Purpose::Repair,
        ..with_reset("rst")
    };
    let subject = design_from_texts(&[("m.sv", text)], &[], &options).expect("a design");
    let answer = repair(&subject, &Options::default(), &mut |_| {}).expect("an answer");
    assert!(
        matches!(answer.outcome, Outcome::Repaired),
        "a reset is missing"
    );
    for correction in answer.repairs() {
        let patched = correction.patch.files.values().next().expect("a file");
        let patched = String::from_utf8_lossy(patched);
        let in_reset = patched.split("else").next().unwrap_or_default();
        assert!(in_reset.contains("depth <="), "{patched}");
    }
}

#[test]
fn no_correction_reads_the_model_of_an_assertion() {
    let text = "module m(input clk, rst, d, output q);
        reg kept;
        assign q = kept;
        always @(posedge clk) if (!rst) kept <= 1'b0;
        reg model;
        always @(posedge clk) if (rst) model <= 0; else model <= d ^ model;
        same: assert property (@(posedge clk) q == model);
      endmodule";
    let options = DesignOptions {
        purpose: Purpose::Repair,
        ..with_reset("rst")
    };
    let subject = design_from_texts(&[("m.sv", text)], &[], &options).expect("a design");
    let answer = repair(&subject, &Options::default(), &mut |_| {}).expect("an answer");
    for correction in answer.repairs() {
        let patched = correction.patch.files.values().next().expect("a file");
        let patched = String::from_utf8_lossy(patched);
        let design = patched.split("reg model").next().unwrap_or_default();
        assert!(!design.contains("model"), "{patched}");
    }
}
