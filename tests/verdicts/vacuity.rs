//! Properties that hold without saying anything.

use super::{verifying, with_reset};
use respin::certify::{Overall, VacuityKind};
use respin::load::DesignOptions;
use respin::repair::{Outcome, Reason};
use respin::{design_from_texts, verify};

/// The properties that are vacuous, with the reason, and whether the verdict is `PASS`.
fn vacuous(
    text: &str,
    properties: &str,
    options: &DesignOptions,
    strict: bool,
) -> (Vec<(String, VacuityKind)>, bool) {
    let files = [("test.ltl", properties)];
    let files = if properties.is_empty() {
        &[][..]
    } else {
        &files
    };
    let subject = design_from_texts(&[("test.sv", text)], files, options).expect("a design");
    let checking = respin::verify::Options {
        strict,
        ..respin::verify::Options::default()
    };
    let answer = verify(&subject, &checking, &mut |_| {}).expect("it can be checked");
    let found = answer.vacuities.iter();
    let found = found.map(|one| (one.name.clone(), one.kind)).collect();
    (found, matches!(answer.overall, Overall::Pass(_)))
}

const COUNTER: &str = "module m(input clk, rst, d, output reg q);
    reg [1:0] count;
    always @(posedge clk)
      if (rst) begin count <= 0; q <= 0; end
      else if (count < 2) count <= count + 1;
      else begin count <= 0; q <= d; end
    never: assert property (@(posedge clk) disable iff (rst) count == 3 |=> q == $past(d));
    nested: assert property (@(posedge clk) disable iff (rst) count == 2 |-> count == 1 |-> q);
    two: assert property (@(posedge clk) disable iff (rst) count == 1 ##1 count == 1 |-> q);
    happens: assert property (@(posedge clk) disable iff (rst) count == 2 |=> count == 0);
    always_so: assert property (@(posedge clk) q || !q);
    says_something: assert property (@(posedge clk) disable iff (rst) count != 3);
  endmodule";

#[test]
fn antecedents_that_never_happen_and_tautologies_are_vacuous() {
    let (found, passes) = vacuous(COUNTER, "", &with_reset("rst"), false);
    let never = VacuityKind::AntecedentNeverHappens;
    let expected = [
        ("never", never),
        ("nested", never),
        ("two", never),
        ("always_so", VacuityKind::Tautology),
    ];
    let expected: Vec<_> = expected.map(|(name, kind)| (name.to_string(), kind)).into();
    assert_eq!(found, expected);
    assert!(passes);
    let (_, passes) = vacuous(COUNTER, "", &with_reset("rst"), true);
    assert!(!passes, "--strict makes them failures");
}

const DESIGN: &str = "module m(input clk, input a, output reg y, output z);
    initial y = 0;
    always @(posedge clk) y <= y & a;
    assign z = a;
  endmodule";

#[test]
fn implications_of_property_files_are_looked_at() {
    let properties = "assert on: G (y -> X z); assert off: G (!y -> X !y);
        assert logic: G (z == a); assert same: G (a | !a);";
    let (found, _) = vacuous(DESIGN, properties, &verifying(), false);
    let expected = [
        ("on".to_string(), VacuityKind::AntecedentNeverHappens),
        ("same".to_string(), VacuityKind::Tautology),
    ];
    assert_eq!(found, expected);
}

#[test]
fn an_antecedent_that_assumptions_rule_out_never_happens() {
    let properties = "assume quiet: G !a; assert p: G (a -> y);";
    let (found, passes) = vacuous(DESIGN, properties, &verifying(), false);
    assert_eq!(found.len(), 1);
    assert!(passes);
}

#[test]
fn assumptions_that_contradict_the_design_are_a_failure_if_asked() {
    let properties = "assume lifted: F y; assert p: G (!y);";
    assert!(vacuous(DESIGN, properties, &verifying(), false).1);
    assert!(!vacuous(DESIGN, properties, &verifying(), true).1);
}

#[test]
fn an_invariant_says_why_an_antecedent_never_happens() {
    let text = stuck("");
    let subject = design_from_texts(&[("test.sv", &text)], &[], &with_reset("rst")).expect("it");
    let answer = verify(&subject, &Default::default(), &mut |_| {}).expect("it can be checked");
    let invariant = answer.vacuities[0].invariant.join(" and ");
    // Either bit alone keeps the counter from being 3.
    assert!(
        ["!count[0]", "!count[1]"].contains(&invariant.as_str()),
        "{invariant}"
    );
}

/// The outcome of a repair, the first text that it shows, and which antecedents happen then.
fn repaired(text: &str, cover_antecedents: bool) -> (Outcome, Option<String>, Vec<String>) {
    let options = DesignOptions {
        purpose: respin::load::Purpose::Repair,
        ..with_reset("rst")
    };
    let subject = design_from_texts(&[("test.sv", text)], &[], &options).expect("a design");
    let options = respin::repair::Options {
        cover_antecedents,
        ..Default::default()
    };
    let answer = respin::repair(&subject, &options, &mut |_| {}).expect("an answer");
    let first = answer.repairs().next();
    let first = first.map(|one| one.patch.changes[0].after[0].clone());
    (answer.outcome, first, answer.covered)
}

/// A counter that never comes to 3, and what is asserted of it.
fn stuck(assertions: &str) -> String {
    format!(
        "module m(input clk, rst, d, output reg q);
           reg [1:0] count;
           always @(posedge clk)
             if (rst) begin count <= 0; q <= 0; end
             else if (count != 3) begin q <= d; count <= 0; end
             else count <= count + 1;
           a: assert property (@(posedge clk) disable iff (rst) count == 3 |=> q == $past(d));
           {assertions}
         endmodule"
    )
}

#[test]
fn what_keeps_the_only_antecedent_from_happening_is_mended() {
    let (outcome, first, covered) = repaired(&stuck(""), false);
    assert!(matches!(outcome, Outcome::Repaired));
    assert!(first.is_some_and(|text| text.contains("if (count == 3)")));
    assert_eq!(covered, ["a"]);
}

#[test]
fn beside_an_assertion_that_says_something_it_is_mended_if_asked() {
    let text = stuck("b: assert property (@(posedge clk) disable iff (rst) count != 2 || 1'b1);");
    let sound =
        stuck("b: assert property (@(posedge clk) disable iff (rst) count == 0 |=> count <= 1);");
    let (outcome, ..) = repaired(&sound, false);
    assert!(matches!(outcome, Outcome::NothingToRepair(_)));
    let (outcome, first, covered) = repaired(&sound, true);
    assert!(matches!(outcome, Outcome::Repaired));
    assert!(first.is_some_and(|text| text.contains("if (count == 3)")));
    assert_eq!(covered, ["a", "b"]);
    // A tautology says nothing either.
    assert!(matches!(repaired(&text, false).0, Outcome::Repaired));
}

#[test]
fn an_antecedent_that_no_edit_lets_happen_leaves_it_unknown() {
    let text = "module m(input clk, rst, output reg q);
        always @(posedge clk) if (rst) q <= 0; else q <= !q;
        a: assert property (@(posedge clk) disable iff (rst) 1'b0 |-> q);
      endmodule";
    let (outcome, first, _) = repaired(text, true);
    assert!(matches!(outcome, Outcome::Unknown(Reason::NeverHappens(_))));
    assert_eq!(first, None);
}
