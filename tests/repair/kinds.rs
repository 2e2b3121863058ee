//! Repairs of which only some kinds of edits are wanted.

use respin::repair::{Kind, Options, Outcome, Reason, SuspectFilter, repair};
use respin::{DesignOptions, design_from_texts};

fn check(kind: Kind, expected: Option<&str>) {
    let design = "module m(input a, input b, output q);\n  assign q = a | b;\nendmodule\n";
    let properties = "assert both: G (q <-> a & b);";
    let options = DesignOptions::default();
    let subject = design_from_texts(&[("m.v", design)], &[("m.ltl", properties)], &options);
    let subject = subject.expect("well-formed");
    let options = Options {
        suspects: SuspectFilter {
            kinds: vec![kind],
            ..SuspectFilter::default()
        },
        ..Options::default()
    };
    let answer = repair(&subject, &options, &mut |_| {}).expect("no limits");
    match expected {
        Some(line) => {
            let best = answer.repairs().next().expect("a repair");
            assert_eq!(best.patch.changes[0].after, [line]);
        }
        None => assert!(matches!(
            answer.outcome,
            Outcome::Unknown(Reason::NoEdit(_))
        )),
    }
}

#[test]
fn an_operator_alone_is_found() {
    check(Kind::Operator, Some("assign q = a & b;"));
}

/// Only a game, or all functions, can say that there is no repair.
#[test]
fn edits_that_all_fail_leave_it_open() {
    check(Kind::Literal, None);
}

/// A condition that is a number is edited like any other, and where no edit of its line helps,
/// nothing is said about all other conditions.
#[test]
fn a_constant_condition_may_be_wrong() {
    let text = |wanted: &str| {
        format!(
            "module m(input clk, input a, input b, output reg y);
  always @* begin
    y = 1'b0;
    if (1'b1)
      y = a;
  end
  p: assert property (@(posedge clk) y == ({wanted}));
endmodule
"
        )
    };
    for (wanted, is_repaired) in [("a & b", true), ("b", false)] {
        let options = DesignOptions::default();
        let subject = design_from_texts(&[("m.sv", &text(wanted))], &[], &options);
        let subject = subject.expect("well-formed");
        let options = Options {
            suspects: SuspectFilter {
                only: vec!["m.sv:4".to_string()],
                ..SuspectFilter::default()
            },
            ..Options::default()
        };
        let answer = repair(&subject, &options, &mut |_| {}).expect("no limits");
        assert_eq!(answer.repairs().next().is_some(), is_repaired, "{wanted}");
        let claims_none = matches!(answer.outcome, Outcome::NoRepair { .. });
        assert!(!claims_none, "{wanted}");
    }
}
