//! Specifications with many clients: what is asked about families of inputs is right.

use crate::support::{game, name, read};
use respin::explain::{Element, Minimizer, Oracle, Semantics, core, helpful, single_faults};
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

/// Somebody is to be served again and again, though nobody may ask.
fn lonely_arbiter(clients: usize) -> String {
    let mut text = "module Lonely\n".to_string();
    let mut served = Vec::new();
    for client in 0..clients {
        text += &format!("env boolean r{client};\nsys boolean g{client};\n");
        text += &format!("gar wanted{client}: G (!r{client} -> !g{client});\n");
        for other in 0..client {
            text += &format!("gar apart{other}_{client}: G !(g{other} & g{client});\n");
        }
        served.push(format!("g{client}"));
    }
    text + &format!("gar somebody: GF ({});\n", served.join(" | "))
}

#[test]
fn faults_of_clients_that_are_alike_are_those_of_the_solver() {
    // Each client's requirement and output, and the goal.
    assert_eq!(check_faults(&lonely_arbiter(12)), 25);
}

#[test]
fn clients_that_are_alike_are_asked_about_in_one_game() {
    let spec = read("arbiter", &lonely_arbiter(12));
    let game = game(&spec);
    let mut oracle = Oracle::new(&game, Semantics::Strict);
    let whole = oracle.whole();
    let mut found = 0;
    single_faults(&mut oracle, &whole, &mut |_| found += 1).unwrap();
    assert_eq!(found, 25);
    // Pairs of clients are no faults, and asked about one by one.
    let pairs = 12 * 11 / 2;
    let checks = oracle.statistics.checks();
    assert!(checks < pairs + 12, "{:?}", oracle.statistics);
}

/// Each client is to be done again and again, and never is while its input says busy.
fn busy_clients(clients: usize) -> String {
    let mut text = "module Busy\n".to_string();
    for client in 0..clients {
        text += &format!("env boolean busy{client};\nsys boolean done{client};\n");
        text += &format!("asm idle{client}: GF !busy{client};\n");
        text += &format!("gar waits{client}: G (busy{client} -> !done{client});\n");
        text += &format!("gar served{client}: GF done{client};\n");
    }
    text
}

/// How many games are looked at for the guarantees that need all assumptions, which are all of
/// them.
fn games_for_busy_clients(clients: usize) -> usize {
    let spec = read("busy", &busy_clients(clients));
    let game = game(&spec);
    let mut oracle = Oracle::new(&game, Semantics::Strict);
    let lacks = oracle.lacks();
    let needed = helpful::needing_guarantees(&mut oracle, Minimizer::QuickXplain, &lacks).unwrap();
    assert_eq!(needed, oracle.guarantees());
    oracle.statistics.checks()
}

#[test]
fn guarantees_that_need_assumptions_of_clients_are_asked_about_in_one_game() {
    // Seven clients are too few to be asked about together.
    let (seven, eight) = (games_for_busy_clients(7), games_for_busy_clients(8));
    assert!(eight <= seven, "{seven} games for seven, {eight} for eight");
}

#[test]
fn a_conflict_that_needs_inputs_to_change_is_seen_as_well() {
    assert_eq!(check_faults(&arbiter(true)), 0);
}
