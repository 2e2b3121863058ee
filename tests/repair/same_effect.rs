//! Which patches count as the same correction.

use respin::certify::patch::{Known, Likeness, patch};
use respin::certify::{AssumptionStatus, Experience, Judgement};
use respin::design::Correction;
use respin::{Certified, DesignOptions, Patch, Subject, design_from_texts};

fn subject(design: &str, properties: &str) -> Subject {
    let (design, properties) = ([("m.v", design)], [("m.ltl", properties)]);
    design_from_texts(&design, &properties, &DesignOptions::default()).expect("well-formed")
}

/// The patch of an edit that makes this line.
fn edited(subject: &Subject, after: &str) -> Patch {
    let front_end = subject.front_end();
    let edits = front_end.edits(&[]).expect("edits");
    let patches = edits.into_iter().filter_map(|edit| {
        let correction = Correction::Edits(vec![edit]);
        front_end.render(&correction).expect("a patch")
    });
    let mut patches = patches.filter(|patch| patch.changes[0].after == [after]);
    patches.next().expect("an edit that makes the line")
}

fn certified(subject: &Subject, after: &str) -> Certified<Patch> {
    let patch_of = edited(subject, after);
    let nothing = AssumptionStatus::NothingAssumed;
    let (experience, limits) = (Experience::default(), Default::default());
    match patch(subject, patch_of, &nothing, &experience, &limits).expect("no defect") {
        Judgement::Proved(patch) => patch,
        _ => panic!("`{after}` is a correction"),
    }
}

fn compare(subject: &Subject, known: &str, other: &str) -> Likeness {
    let known = Known::new(subject, &certified(subject, known), false).expect("readable");
    let nothing = AssumptionStatus::NothingAssumed;
    let limits = Default::default();
    let likeness = known.compare(subject, edited(subject, other), &nothing, &limits);
    likeness.expect("no defect")
}

#[test]
fn one_circuit_in_two_texts_is_the_same() {
    let subject = subject(
        "module m(input [3:0] a, output y);\n  assign y = a > 4'd10;\nendmodule\n",
        "assert digit: G (y <-> !(a < 10));",
    );
    let likeness = compare(&subject, "assign y = a >= 4'd10;", "assign y = a > 4'd9;");
    assert!(matches!(likeness, Likeness::Same(_)));
}

/// The wire has no effect on the output, but the property speaks of it.
#[test]
fn a_signal_that_only_a_property_reads_makes_a_difference() {
    let subject = subject(
        "module m(input a, input b, output y);\n  wire w = a | b;\n  assign y = w & 1'b0;\n\
         endmodule\n",
        "assert both: G (w <-> a & b);",
    );
    let likeness = compare(&subject, "wire w = a & b;", "wire w = a ^ b;");
    assert!(matches!(likeness, Likeness::Other(Judgement::Refuted(_))));
}
