//! Specifications with many clients: what is asked about families of inputs is right.

use crate::support::{game, name, read};
use respin::explain::{Element, Minimizer, Oracle, Semantics, core, single_faults};
use std::collections::BTreeSet;

/// Nobody may be served while somebody else is, and two clients are to be served at once.
/// With `guess` there is a second conflict, which only requests that change can show.
fn arbiter(guess: bool) -> String {
    let mut text = "module Arbiter\n".to_string();
    for client in 0..8 {
        text += &format!("env boolean r{client};\nsys boolean g{client};\n");
        text += &format!("asm ini !r{client};\ngar ini !g{client};\n");
        text += &format!("gar wanted{client}: G (g{client} -> r{client});\n");
        text += &format!("gar served{client}: GF (g{client} | !r{client});\n");
        for other in 0..client {
            text += &format!("gar apart{other}{client}: G !(g{other} & g{client});\n");
        }
    }
    text += "gar both: GF (g0 & g1);\n";
    if guess {
        text += "sys boolean q;\ngar guess: G (q <-> next(r2));\n";
    }
    text
}

/// Each member of a core by itself, as the solver says, and as the search for faults does.
fn check_faults(text: &str) -> usize {
    let spec = read("arbiter", text);
    let game = game(&spec);
    let mut oracle = Oracle::new(&game, Semantics::Strict);
    let conflict = core(&mut oracle, Minimizer::DeltaDebugging, true).unwrap();
    let conflict = conflict.expect("nothing satisfies it");
    let mut found = BTreeSet::new();
    single_faults(&mut oracle, &conflict, &mut |member| {
        found.insert(member);
    })
    .unwrap();
    for member in conflict.iter() {
        let mut rest = oracle.whole();
        rest.remove(member);
        let realizable = game.is_realizable(&oracle.selection(&rest)).unwrap();
        let element: Element = oracle.element(member);
        assert_eq!(
            found.contains(&member),
            realizable,
            "{}",
            name(&spec, element)
        );
    }
    found.len()
}

#[test]
fn single_faults_of_an_arbiter_are_those_of_the_solver() {
    assert!(check_faults(&arbiter(false)) > 0);
}

#[test]
fn a_conflict_that_needs_inputs_to_change_is_seen_as_well() {
    assert_eq!(check_faults(&arbiter(true)), 0);
}
