//! A front end of somebody else's: a toy netlist format is repaired with nothing but the public
//! interface, and the corrections are texts of that format.

mod toy;

use respin::repair::{Options, Outcome, repair};
use respin::source::Sources;
use respin::{Evidence, Subject};
use std::rc::Rc;
use toy::ToyFrontEnd;

fn subject(circuit: &str, properties: &str) -> Subject {
    let mut sources = Sources::new();
    let design = sources.add("circuit.toy", circuit);
    let properties = sources.add("circuit.ltl", properties);
    let front_end = ToyFrontEnd::new(design, &sources).expect("the circuit is well-formed");
    Subject::new(Rc::new(front_end), &[properties], sources).expect("the properties fit")
}

/// The text of the best correction, which was certified.
fn check_repair(circuit: &str, properties: &str, expected: &str) {
    let subject = subject(circuit, properties);
    let answer = repair(&subject, &Options::default(), &mut |_| {}).expect("no limits");
    assert!(matches!(answer.outcome, Outcome::Repaired));
    let best = answer.repairs().next().expect("a repair");
    assert_eq!(*best.patch.evidence(), Evidence::ModelChecked);
    let file = subject.front_end().files()[0];
    assert_eq!(best.patch.text(file), Some(expected));
}

#[test]
fn a_wrong_gate_gets_another_function() {
    check_repair(
        "in a\nin b\ngate y or a b\nout y\n",
        "assert both: G (y <-> a & b);",
        "in a\nin b\ngate y and a b\nout y\n",
    );
}

#[test]
fn a_gate_in_front_of_a_register_does_too() {
    check_repair(
        "in go\nreg q n\ngate n or go q\nout q\n",
        "assert toggle: G (X q <-> (q & !go) | (!q & go));",
        "in go\nreg q n\ngate n xor go q\nout q\n",
    );
}

#[test]
fn a_design_that_keeps_its_properties_is_left_alone() {
    let subject = subject("in a\ngate y not a a\nout y\n", "assert not: G (y <-> !a);");
    let answer = repair(&subject, &Options::default(), &mut |_| {}).expect("no limits");
    assert!(matches!(answer.outcome, Outcome::NothingToRepair(_)));
}

#[test]
fn what_no_gate_can_do_is_no_repair() {
    let subject = subject(
        "in a\nin b\ngate y and a b\nout y\n",
        "assert knows: G (y <-> X a);",
    );
    let answer = repair(&subject, &Options::default(), &mut |_| {}).expect("no limits");
    assert!(matches!(answer.outcome, Outcome::NoRepair { .. }));
}
