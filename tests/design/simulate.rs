//! The simulator against recursion on the definitions, and cones.

use std::collections::HashMap;

use respin::design::{Design, Reach, Simulator};
use respin::random::Random;

use super::support::{Circuit, check_random};

const CYCLES: usize = 6;

/// The values of all outputs in each cycle of one run, without the simulator.
fn naive_run(circuit: &Circuit, initial: &[bool], inputs: &[Vec<bool>]) -> Vec<Vec<bool>> {
    let mut state: Vec<bool> = Vec::new();
    let mut initial = initial.iter();
    for (_, _, reset) in &circuit.latches {
        state.push(match reset {
            0 => false,
            1 => true,
            _ => *initial.next().expect("a value for each free latch"),
        });
    }
    let mut result = Vec::new();
    for inputs in inputs {
        let mut values: HashMap<u32, bool> = HashMap::new();
        for (input, value) in circuit.inputs.iter().zip(inputs) {
            values.insert(input / 2, *value);
        }
        for ((latch, _, _), value) in circuit.latches.iter().zip(&state) {
            values.insert(latch / 2, *value);
        }
        let outputs = circuit.outputs.iter();
        result.push(outputs.map(|o| circuit.evaluate(*o, &mut values)).collect());
        let latches = circuit.latches.iter();
        state = latches
            .map(|latch| circuit.evaluate(latch.1, &mut values))
            .collect();
    }
    result
}

fn random_bits(random: &mut Random, count: usize) -> Vec<bool> {
    (0..count).map(|_| random.below(2) == 1).collect()
}

#[test]
fn single_run_agrees_with_recursion() {
    check_random(300, 12, |random, size| {
        let circuit = Circuit::random(random, size);
        let (design, _) = circuit.design();
        let initial = random_bits(random, design.chosen_latches().count());
        let inputs: Vec<Vec<bool>> = (0..CYCLES)
            .map(|_| random_bits(random, circuit.inputs.len()))
            .collect();
        let run = design.run(&initial, &inputs).map_err(|d| d.message)?;
        let expected = naive_run(&circuit, &initial, &inputs);
        for (cycle, expected) in expected.iter().enumerate() {
            let outputs = design.outputs().iter();
            let found: Vec<bool> = outputs.map(|o| run.value(cycle, o.literal)).collect();
            if found != *expected {
                return Err(format!("cycle {cycle}: {}", circuit.text()));
            }
        }
        Ok(())
    });
}

#[test]
fn each_lane_is_a_run_of_its_own() {
    check_random(100, 10, |random, size| {
        let (design, _) = Circuit::random(random, size).design();
        let initial: Vec<u64> = design.chosen_latches().map(|_| random.word()).collect();
        let inputs: Vec<Vec<u64>> = (0..CYCLES)
            .map(|_| design.inputs().iter().map(|_| random.word()).collect())
            .collect();
        let lane = random.below(64);
        let bit = |words: &Vec<u64>| words.iter().map(|word| word >> lane & 1 == 1).collect();
        let single_inputs: Vec<Vec<bool>> = inputs.iter().map(bit).collect();
        let run = design
            .run(&bit(&initial), &single_inputs)
            .map_err(|d| d.message)?;
        let mut simulator = Simulator::new(&design).map_err(|d| d.message)?;
        let mut initial = initial.into_iter();
        simulator.start(|_| initial.next().unwrap_or(0));
        for (cycle, inputs) in inputs.into_iter().enumerate() {
            let mut inputs = inputs.into_iter();
            simulator.settle(|_| inputs.next().unwrap_or(0));
            for id in design.node_ids() {
                let found = simulator.value(id.literal()) >> lane & 1 == 1;
                if found != run.value(cycle, id.literal()) {
                    return Err(format!("{id} in cycle {cycle}\n{design}"));
                }
            }
            simulator.advance();
        }
        Ok(())
    });
}

fn parse(text: &str) -> Design {
    match Design::parse(text, None) {
        Ok(design) => design,
        Err(diagnostic) => panic!("{}", diagnostic.message),
    }
}

#[test]
fn computed_reset_takes_the_value_of_the_choice() {
    let design = parse(
        "design\nn1 = latch reset choice next n1\nn2 = latch reset =!n1 next n2\n\
         output = n2\n",
    );
    let run = design.run(&[false], &[vec![]]).expect("a sound design");
    assert!(run.value(0, design.outputs()[0].literal));
}

#[test]
fn wrong_number_of_inputs_is_an_error() {
    let design = parse("design\nn1 = input\n");
    let message = design.run(&[], &[vec![]]).map_err(|d| d.message);
    let expected = "the design needs 1 input values in a cycle, but 0 were given";
    assert_eq!(message, Err(expected.to_string()));
}

const CONES: &str = "design\nn1 = input\nn2 = latch reset 0 next n4\nn3 = and n2 1\n\
                     n4 = and n1 1\nn5 = input\noutput = n3\n";

fn check_cone(reach: Reach, expected: &[usize]) {
    let design = parse(CONES);
    let cone = design.cone([design.outputs()[0].literal], reach);
    let found: Vec<usize> = cone.iter().map(|id| id.index()).collect();
    assert_eq!(found, expected);
}

#[test]
fn cone_within_a_cycle_stops_at_latches() {
    check_cone(Reach::Cycle, &[0, 2, 3]);
}

#[test]
fn cone_over_a_run_goes_through_latches() {
    check_cone(Reach::Run, &[0, 1, 2, 3, 4]);
}
