//! Invariants that one broken gate makes fail: each is repaired, and ABC proves it.

use super::circuit::{Condition, Size, and, gates_of_latches, random_circuit};
use super::corpus::check_seeds;
use super::engine::{find_repairs, find_repairs_of, gates, holds};
use super::explicit::{can_hold, reachable};
use super::fault::{Difficulty, Fault, broken};
use super::prove::Proofs;
use super::support::{Circuit, read};
use respin::design::ComponentKind;
use respin::design::aiger::AigerFile;
use respin::random::Random;
use respin::spec::Spec;

const CASES: u64 = 300;

struct Case {
    /// Its output is 1 where the invariant breaks; here it never is.
    sound: Circuit,
    broken: Circuit,
    fault: Fault,
    /// The broken gate, as components are called.
    gate: String,
}

impl Case {
    fn random(seed: u64) -> Case {
        let mut random = Random::new(seed);
        loop {
            let size = size(&mut random, seed);
            let circuit = random_circuit(&mut random, size);
            if let Some(sound) = with_invariant(&mut random, &circuit)
                && let Some(case) = Case::with_fault(&mut random, sound, Difficulty::of_seed(seed))
            {
                return case;
            }
        }
    }

    fn with_fault(random: &mut Random, sound: Circuit, wanted: Difficulty) -> Option<Case> {
        let is_right = |circuit: &Circuit| !can_hold(circuit, circuit.outputs[0]);
        let candidates = gates_of_latches(&sound);
        for _ in 0..20 {
            let gate = candidates[random.below(candidates.len())];
            let (broken, fault) = broken(random, &sound, gate);
            if !is_right(&broken) && wanted.admits(&broken, gate, is_right) {
                return Some(Case {
                    sound,
                    broken,
                    fault,
                    gate: format!("and{}", 2 * gate),
                });
            }
        }
        None
    }
}

/// Sizes grow with the seed; the last tenth is as big as can be.
fn size(random: &mut Random, seed: u64) -> Size {
    let place = seed as usize;
    let last = CASES as usize * 9 / 10;
    let scaled = |most: usize, least: usize| least + (most - least) * place.min(last) / last;
    Size {
        inputs: 1 + random.below(4),
        latches: scaled(12, 2),
        gates: scaled(80, 6),
    }
}

/// The circuit with an output that says that some rare combination of latches is there; none
/// of them ever is, and none has a literal too many.
fn with_invariant(random: &mut Random, circuit: &Circuit) -> Option<Circuit> {
    let states = reachable(circuit);
    let latches: Vec<usize> = (0..circuit.latches.len()).collect();
    let is_reached = |cube: &[(usize, bool)]| {
        let matches = |state: &usize| {
            cube.iter()
                .all(|(bit, one)| (state >> bit & 1 == 1) == *one)
        };
        states.iter().any(matches)
    };
    let mut cubes: Vec<Vec<u32>> = Vec::new();
    for _ in 0..30 {
        let mut cube: Vec<(usize, bool)> = Vec::new();
        let mut order = latches.clone();
        random.shuffle(&mut order);
        for bit in order.into_iter().take(5) {
            cube.push((bit, random.below(2) == 1));
            if !is_reached(&cube) {
                break;
            }
        }
        if is_reached(&cube) {
            continue;
        }
        for place in (0..cube.len()).rev() {
            let literal = cube.remove(place);
            if is_reached(&cube) {
                cube.insert(place, literal);
            }
        }
        let code = |(bit, one): &(usize, bool)| circuit.latches[*bit].0 + u32::from(!one);
        cubes.push(cube.iter().map(code).collect());
        if cubes.len() > random.below(3) {
            let mut circuit = circuit.clone();
            let bad = elaborate(&mut circuit, &Condition(cubes));
            circuit.outputs = vec![bad];
            return Some(circuit);
        }
    }
    None
}

/// The literal of a condition, with gates of its own.
fn elaborate(circuit: &mut Circuit, condition: &Condition) -> u32 {
    let mut none = 1;
    for cube in &condition.0 {
        let all = cube.iter().fold(1, |all, code| and(circuit, *code, all));
        none = and(circuit, none, all ^ 1);
    }
    none ^ 1
}

fn properties(file: &AigerFile) -> Spec {
    let mut spec = Spec::new();
    spec.add_items(&file.properties()).expect("items");
    spec
}

fn check(seed: u64, proofs: &mut Proofs) -> Result<(), String> {
    let case = Case::random(seed);
    let sound = read(case.sound.text());
    assert!(holds(&sound, &properties(&sound)), "seed {seed}: sound");
    let file = read(case.broken.text());
    let spec = properties(&file);
    assert!(!holds(&file, &spec), "seed {seed}: broken");
    let problem = |what: String| {
        let Circuit { latches, gates, .. } = &case.broken;
        let (latches, gates) = (latches.len(), gates.len());
        let (fault, gate) = (case.fault, &case.gate);
        format!("{latches} latches, {gates} gates, {fault:?} at {gate}: {what}")
    };
    let outcome = find_repairs(&file, None, |_| true).map_err(problem)?;
    for (place, (_, repaired)) in outcome.repairs.iter().enumerate() {
        proofs.add(format!("{seed}_{place}"), repaired);
    }
    if !outcome.locates(&case.gate) {
        return Err(problem("the fault is not among the locations".to_string()));
    }
    if !outcome.repairs(&case.gate) {
        return Err(problem(outcome.unrepaired()));
    }
    Ok(())
}

#[test]
fn invariants_of_small_circuits_are_repaired() {
    check_seeds("invariants", 0..CASES / 2, check);
}

#[test]
fn invariants_of_large_circuits_are_repaired() {
    check_seeds("invariants", CASES / 2..CASES, check);
}

/// A latch with a wrong next or reset value is repaired there.
fn check_latch(kind: ComponentKind, seed: u64, proofs: &mut Proofs) -> Result<(), String> {
    let mut random = Random::new(seed);
    loop {
        let size = size(&mut random, seed);
        let circuit = random_circuit(&mut random, size);
        let Some(mut circuit) = with_invariant(&mut random, &circuit) else {
            continue;
        };
        let place = random.below(circuit.latches.len());
        let (latch, next, reset) = &mut circuit.latches[place];
        match kind {
            ComponentKind::LatchReset if *reset < 2 => *reset ^= 1,
            ComponentKind::LatchNext => *next ^= 1,
            _ => continue,
        }
        let name = format!("latch{latch}");
        if !can_hold(&circuit, circuit.outputs[0]) {
            continue;
        }
        let file = read(circuit.text());
        let outcome = find_repairs_of(kind, &file, None, |_| true)?;
        for (place, (_, repaired)) in outcome.repairs.iter().enumerate() {
            proofs.add(format!("{seed}_{place}"), repaired);
        }
        return match outcome.repairs(&name) {
            true => Ok(()),
            false => Err(format!("{kind:?} of {name}: {}", outcome.unrepaired())),
        };
    }
}

#[test]
fn wrong_resets_are_repaired() {
    let check = |seed, proofs: &mut Proofs| check_latch(ComponentKind::LatchReset, seed, proofs);
    check_seeds("resets", 0..60, check);
}

#[test]
fn wrong_next_values_are_repaired() {
    let check = |seed, proofs: &mut Proofs| check_latch(ComponentKind::LatchNext, seed, proofs);
    check_seeds("next_values", 0..60, check);
}

#[test]
fn sizes_reach_twelve_latches_and_eighty_gates() {
    let largest = |seed: u64| size(&mut Random::new(seed), seed);
    let big = (0..CASES)
        .map(largest)
        .filter(|size| size.latches == 12 && size.gates == 80);
    assert!(big.count() >= 30);
}

/// The property's own logic is no component: else 0 in place of the bad signal would do.
#[test]
fn the_bad_signal_cannot_be_silenced() {
    for seed in 0..20 {
        let case = Case::random(seed);
        let own: Vec<String> = gates_of_latches(&case.broken)
            .iter()
            .map(|variable| format!("and{}", 2 * variable))
            .collect();
        let mut as_output = case.broken.clone();
        let bad = case.broken.outputs[0];
        let mut as_bad = Circuit {
            bad: vec![bad],
            ..case.broken.clone()
        };
        as_bad.outputs.clear();
        let with_output = Circuit {
            outputs: case
                .broken
                .latches
                .iter()
                .map(|(latch, ..)| *latch)
                .collect(),
            ..as_bad.clone()
        };
        as_output.symbols = vec!["o0 alarm".to_string()];
        for circuit in [as_output, as_bad, with_output] {
            let mut listed = gates(&read(circuit.text()));
            let mut own = own.clone();
            listed.sort();
            own.sort();
            assert_eq!(listed, own, "seed {seed}");
        }
    }
}
