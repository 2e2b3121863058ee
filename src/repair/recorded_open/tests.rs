//! What is said of places, compared with all of their values on small circuits.

use super::*;
use crate::design::{Reach, Reading};
use crate::random::Random;
use crate::repair::random_circuit::{RandomCircuit, STEPS};
use crate::source::Sources;
use crate::trace::{Format, Interface, Options};
use std::collections::BTreeMap;

/// A small circuit, and a run of it that may have been recorded from another one.
struct Case {
    circuit: RandomCircuit,
    /// `None` where nothing is compared.
    expected: Vec<Option<bool>>,
}

impl Case {
    fn random(seed: u64) -> Case {
        let mut random = Random::new(seed);
        Case {
            circuit: RandomCircuit::new(&mut random),
            expected: (0..STEPS)
                .map(|_| (!random.chance(20)).then(|| random.flip()))
                .collect(),
        }
    }

    fn recording(&self) -> Recording {
        let mut text = String::from("a,b,y\n");
        for (inputs, expected) in self.circuit.inputs.iter().zip(&self.expected) {
            let digit = |bit: bool| if bit { "1" } else { "0" };
            let expected = expected.map_or("x", digit);
            text += &format!("{},{},{expected}\n", digit(inputs[0]), digit(inputs[1]));
        }
        let mut sources = Sources::new();
        let file = sources.add("run.csv", text);
        let reading = Reading {
            design: self.circuit.design.clone(),
            clock: Some(("clk".to_string(), true)),
            ..Reading::default()
        };
        let interface = Interface::of(&reading);
        Recording::read(file, Format::Csv, &interface, &Options::default(), &sources)
            .unwrap_or_else(|problem| panic!("{}", problem.message))
    }

    /// Whether gates with these values, some for each step, show the first cycles.
    fn shows(&self, open: &[NodeId], values: usize, cycles: usize) -> bool {
        let steps = self.circuit.run(open, values).into_iter();
        let mut steps = steps.zip(&self.expected).take(cycles);
        steps.all(|(step, expected)| expected.is_none_or(|expected| step.shown == expected))
    }
}

#[test]
fn places_that_may_show_a_run_are_those_that_a_search_over_all_values_finds() {
    let mut seen = [0; 3];
    for seed in 0..300 {
        let case = Case::random(seed);
        let design = &case.circuit.design;
        let all = design.cone(design.gates().map(|id| id.literal()), Reach::Run);
        let netlist = Netlist::of_gates(design.clone(), &all, BTreeMap::new());
        let limits = bdd::Limits::default();
        let recordings = [case.recording()];
        let mut opening = RecordedOpening::new(&netlist, &recordings, &limits);
        let first = 2;
        for (index, gate) in design.gates().enumerate() {
            let location = vec![ComponentId(index as u32)];
            let locations = std::slice::from_ref(&location);
            let refuted = recorded_reach::refuted(&netlist, &recordings, locations, &limits);
            let refuted = &refuted.unwrap()[0];
            let found = opening.rank(&location, &[first], refuted).unwrap();
            let mut values = 0..1usize << STEPS;
            let expected = if values.clone().any(|one| case.shows(&[gate], one, STEPS)) {
                0
            } else if values.any(|one| case.shows(&[gate], one, first)) {
                1
            } else {
                2
            };
            assert_eq!(found, expected, "seed {seed}, gate {index}");
            seen[expected] += 1;
        }
    }
    assert!(seen.iter().all(|count| *count > 100), "{seen:?}");
}

#[test]
fn what_unknown_values_refute_is_shown_by_no_values() {
    let mut seen = [0; 2];
    for seed in 0..100 {
        let case = Case::random(seed);
        let design = &case.circuit.design;
        let all = design.cone(design.gates().map(|id| id.literal()), Reach::Run);
        let netlist = Netlist::of_gates(design.clone(), &all, BTreeMap::new());
        let gates: Vec<NodeId> = design.gates().collect();
        let mut pairs: Vec<[usize; 2]> = Vec::new();
        for second in 0..gates.len() {
            pairs.extend((0..second).map(|first| [first, second]));
        }
        let locations = pairs.iter().map(|pair| {
            let ids = pair.iter().map(|index| ComponentId(*index as u32));
            ids.collect::<Location>()
        });
        let locations: Vec<Location> = locations.collect();
        let recordings = [case.recording()];
        let limits = bdd::Limits::default();
        let refuted = recorded_reach::refuted(&netlist, &recordings, &locations, &limits).unwrap();
        for (pair, refuted) in pairs.iter().zip(refuted) {
            let open = pair.map(|index| gates[index]);
            let mut values = 0..1usize << (2 * STEPS);
            match refuted[0] {
                usize::MAX => seen[0] += 1,
                cycle => {
                    let may_show = values.any(|one| case.shows(&open, one, cycle + 1));
                    assert!(!may_show, "seed {seed}, gates {pair:?}, cycle {cycle}");
                    seen[1] += 1;
                }
            }
        }
    }
    assert!(seen.iter().all(|count| *count > 100), "{seen:?}");
}
