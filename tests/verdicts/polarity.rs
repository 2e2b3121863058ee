//! Resets that are given the wrong way round.

use super::{error_of, verdicts, verifying};
use respin::design::verilog::ResetPlay;
use respin::design_from_texts;
use respin::load::DesignOptions;
use respin::source::Diagnostic;

fn playing(value: bool) -> DesignOptions {
    DesignOptions {
        reset: Some(ResetPlay {
            signal: "r".to_string(),
            value,
            cycles: 1,
            again: false,
        }),
        ..verifying()
    }
}

/// What is warned about a reset that is never left, with the texts that it points to.
fn warned(text: &str, value: bool) -> Vec<(Diagnostic, String)> {
    let (_, warnings) = verdicts(text, &playing(value));
    let held = warnings.into_iter().filter(|one| one.code.0 == 331);
    held.map(|one| {
        let span = one.labels[0].span;
        let place = text[span.start as usize..span.end as usize].to_string();
        (one, place)
    })
    .collect()
}

/// The value that resets is taken without a word, and the other one with a warning that names
/// the right one, at this place of the text.
#[track_caller]
fn check(text: &str, right: bool, message: &str, place: &str) {
    assert_eq!(warned(text, right), [], "{text}");
    let found = warned(text, !right);
    let [(warning, at)] = &found[..] else {
        panic!("one warning, not {found:?}: {text}");
    };
    assert_eq!((warning.message.as_str(), at.as_str()), (message, place));
    let help = format!("say `--reset r={}`", right as u8);
    assert_eq!(warning.help.as_deref(), Some(help.as_str()));
}

/// Whatever is given, nothing is warned about.
#[track_caller]
fn check_silent(text: &str) {
    for value in [false, true] {
        assert_eq!(warned(text, value), [], "{value} {text}");
    }
}

#[test]
fn synchronous_resets_of_either_polarity() {
    let low = "module m(input clk, r, d, output reg [1:0] q);
        always @(posedge clk) if (!r) q <= 2; else if (d) q <= q + 1;
        p: assert property (@(posedge clk) q || 1);
      endmodule";
    let message = "`--reset r=1` holds the design in reset for ever: `q` never changes again";
    check(low, false, message, "!r");
    let high = low.replace("!r", "r");
    let message = message.replace("r=1", "r=0");
    check(&high, true, &message, "r");
}

#[test]
fn resets_that_no_statement_asks_for() {
    let text = "module m(input clk, r, d, output reg q, output reg p);
        always @(posedge clk) q <= r & d;
        always @(posedge clk) p <= r ? q : 1'b1;
        x: assert property (@(posedge clk) q || !q);
      endmodule";
    let message = "`--reset r=1` holds the design in reset for ever: `q`, `p` never change again";
    check(text, false, message, "always @(posedge clk)");
}

#[test]
fn resets_that_pass_registers_and_modules() {
    let text = "module part(input clk, clear, d, output reg q);
        always @(posedge clk) if (clear) q <= 0; else q <= d;
      endmodule
      module m(input clk, r, d, output q);
        reg one, two;
        always @(posedge clk) begin one <= r; two <= one; end
        part part(.clk(clk), .clear(!two), .d(d), .q(q));
        x: assert property (@(posedge clk) q || !q);
      endmodule";
    let message = "`--reset r=1` holds the design in reset for ever: `part.q` never changes again";
    check(text, false, message, "always @(posedge clk)");
}

#[test]
fn resets_of_designs_with_several_clocks() {
    let text = "module m(input clk, other, r, d, output reg q, output reg p);
        always @(posedge clk) if (!r) q <= 0; else q <= d;
        always @(posedge other) if (!r) p <= 0; else p <= q;
        always @* x: assert (p || !p);
      endmodule";
    let message = "`--reset r=1` holds the design in reset for ever: `q`, `p` never change again";
    check(text, false, message, "!r");
}

#[test]
fn asynchronous_resets_are_an_error() {
    let low = "module m(input clk, r, d, output reg q);
        always @(posedge clk or negedge r) if (!r) q <= 0; else q <= d;
        x: assert property (@(posedge clk) q || !q);
      endmodule";
    let high = low.replace("negedge r", "posedge r").replace("!r", "r");
    for (text, right) in [(low, false), (high.as_str(), true)] {
        assert_eq!(error_of(text, &playing(right)), "nothing is wrong");
        let expected = format!("`r` resets the design when it is {}", right as u8);
        assert!(
            error_of(text, &playing(!right)).contains(&expected),
            "{text}"
        );
        assert_eq!(warned(text, right), []);
    }
}

#[test]
fn inputs_that_reset_nothing_are_no_matter() {
    // No register, none that the input stops, and one that each value stops.
    check_silent("module m(input r, output y); assign y = r; assert final (y == r); endmodule");
    check_silent(
        "module m(input clk, r, d, output reg q);
          always @(posedge clk) if (r) q <= d; else q <= !d;
          x: assert property (@(posedge clk) q || !q);
        endmodule",
    );
    check_silent(
        "module m(input clk, r, d, output reg q, output reg p);
          always @(posedge clk) begin q <= r & d; p <= !r & d; end
          x: assert property (@(posedge clk) q || !q);
        endmodule",
    );
    // An enable keeps what is there; that is nobody's reset.
    check_silent(
        "module m(input clk, r, d, output reg q);
          initial q = 0;
          always @(posedge clk) if (r) q <= d;
          x: assert property (@(posedge clk) q || !q);
        endmodule",
    );
}

#[test]
fn a_constant_register_is_held_by_nothing() {
    check_silent(
        "module m(input clk, r, output reg q);
          always @(posedge clk) if (r) q <= 0; else q <= 0;
          x: assert property (@(posedge clk) q || !q);
        endmodule",
    );
}

#[test]
fn a_verdict_says_that_the_design_is_held() {
    let text = "module m(input clk, r, d, output reg q);
        always @(posedge clk) if (!r) q <= 0; else q <= d;
        x: assert property (@(posedge clk) $past(q) |-> q || 1);
      endmodule";
    for (value, said) in [
        (false, ""),
        (true, ", but the design is held in reset for ever"),
    ] {
        let subject = design_from_texts(&[("test.sv", text)], &[], &playing(value));
        let subject = subject.expect("a design");
        let checking = respin::verify::Options::default();
        let answer = respin::verify(&subject, &checking, &mut |_| {}).expect("it can be checked");
        let replayed = respin::report::answers::verify::Replayed::default();
        let report = respin::report::answers::verify::report(&answer, &subject, &replayed, false);
        let reason = report.expect("a report").reason;
        assert_eq!(reason, Some(format!("the assertion holds{said}")));
    }
}
