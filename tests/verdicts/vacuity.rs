//! Properties that hold without saying anything.

use super::{verifying, with_reset};
use respin::certify::{Overall, VacuityKind};
use respin::load::DesignOptions;
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
