//! Whether a gate of a tiny circuit can be repaired at all: our answer, and that of trying
//! every function of its latches and inputs.

use super::circuit::{Condition, Size, and, gates_of_latches, name_leaves, random_circuit};
use super::engine::{find_repairs, holds};
use super::support::{Circuit, read};
use super::tiny::{Demands, Property, Tiny};
use respin::random::Random;
use respin::source::Sources;
use respin::spec::Spec;

#[derive(Clone)]
struct Case {
    circuit: Circuit,
    /// The variable of the gate that may be replaced.
    gate: u32,
    demands: Demands,
}

/// What came out of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Finding {
    Repaired,
    /// Rightly found to have no repair, whatever it remembers.
    Impossible,
    /// Rightly found to have none without memory.
    NeedsMemory,
    /// The circuit needs no repair.
    Sound,
}

impl Case {
    /// By turns a random circuit, and one whose gate decides much; of these some have a latch
    /// that no property depends on.
    fn random(seed: u64) -> Case {
        let mut random = Random::new(seed);
        loop {
            let inputs = 1 + random.below(2);
            let size = Size {
                inputs,
                latches: 1 + random.below(4 - inputs),
                gates: 3 + random.below(8),
            };
            let has_latch_beside = seed % 8 == 7;
            if has_latch_beside && size.latches < 3 {
                continue;
            }
            let (mut circuit, gate) = match seed % 2 {
                0 => {
                    let circuit = random_circuit(&mut random, size);
                    let gates = gates_of_latches(&circuit);
                    if gates.is_empty() {
                        continue;
                    }
                    let gate = gates[random.below(gates.len())];
                    (circuit, gate)
                }
                _ => random_machine(&mut random, size, has_latch_beside),
            };
            name_leaves(&mut circuit);
            let demands = match seed % 8 {
                1 | 5 => random_goals(&mut random, &circuit.latches),
                7 => random_goals(&mut random, &circuit.latches[..size.latches - 1]),
                _ => random_demands(&mut random, &circuit),
            };
            return Case {
                circuit,
                gate,
                demands,
            };
        }
    }

    fn spec(&self) -> Spec {
        let text = self.demands.text();
        let mut sources = Sources::new();
        let file = sources.add("random.props", text.as_str());
        let mut spec = Spec::new();
        let added = spec.add_property_file(file, &text);
        added.expect("the properties are well-formed");
        spec
    }

    fn check(&self) -> Result<Finding, String> {
        let (file, spec) = (read(self.circuit.text()), self.spec());
        let tiny = Tiny::new(&self.circuit, self.gate);
        let is_sound = holds(&file, &spec);
        if is_sound != tiny.is_right(&self.circuit, &self.demands) {
            return Err("the oracle disagrees with the model checker".to_string());
        }
        if is_sound {
            return Ok(Finding::Sound);
        }
        let gate = format!("and{}", 2 * self.gate);
        let outcome = find_repairs(&file, Some(&spec), |name| name == gate)?;
        let exists = tiny.has_repair(&self.demands);
        match (exists, outcome.repairs.is_empty()) {
            (true, false) => Ok(Finding::Repaired),
            (true, true) => Err(format!("there is a repair: {}", outcome.unrepaired())),
            (false, false) => Err("no function can do this".to_string()),
            (false, true) if !outcome.undecided.is_empty() => {
                Err(format!("there is no repair: {}", outcome.unrepaired()))
            }
            (false, true) if outcome.only_with_memory.is_empty() => Ok(Finding::Impossible),
            (false, true) => Ok(Finding::NeedsMemory),
        }
    }

    /// Cases with one thing less.
    fn smaller(&self) -> Vec<Case> {
        let mut found = Vec::new();
        for place in 0..self.demands.properties.len() {
            let mut case = self.clone();
            case.demands.properties.remove(place);
            found.push(case);
        }
        if self.demands.fairness.is_some() {
            let mut case = self.clone();
            case.demands.fairness = None;
            found.push(case);
        }
        for place in 0..self.circuit.gates.len() {
            let (gate, left, right) = self.circuit.gates[place];
            for simpler in [(gate, 0, 0), (gate, left, 1), (gate, right, 1)] {
                if simpler != self.circuit.gates[place] {
                    let mut case = self.clone();
                    case.circuit.gates[place] = simpler;
                    found.push(case);
                }
            }
        }
        found
    }
}

/// A circuit in which each step leads to one of two random states, as a gate says, most often
/// whatever the input is; and the variable of that gate. The last latch can stand beside: no
/// other depends on it.
fn random_machine(random: &mut Random, size: Size, has_latch_beside: bool) -> (Circuit, u32) {
    let mut circuit = random_circuit(random, Size { gates: 0, ..size });
    let mut leaves: Vec<u32> = (1..=circuit.maximum).map(|variable| 2 * variable).collect();
    let beside = has_latch_beside.then(|| leaves.pop()).flatten();
    // A gate that is constantly 0.
    let gate = and(&mut circuit, leaves[0], leaves[0] ^ 1);
    let latches = leaves.len() - size.inputs;
    let states = 1usize << latches;
    let by_state: Vec<Option<[usize; 2]>> = (0..states)
        .map(|_| (random.below(4) > 0).then(|| [0, 1].map(|_| random.below(states))))
        .collect();
    let mut keeps_zero = vec![1; latches];
    for point in 0..1usize << leaves.len() {
        let literals = leaves.iter().enumerate();
        let literals = literals.map(|(bit, code)| code ^ u32::from(point >> bit & 1 == 0));
        let here = literals.fold(1, |all, literal| and(&mut circuit, all, literal));
        for value in 0..2 {
            let taken = and(&mut circuit, here, gate ^ (1 - value));
            let successor = match by_state[point >> size.inputs] {
                Some(successors) => successors[value as usize],
                None => random.below(states),
            };
            for (bit, keeps_zero) in keeps_zero.iter_mut().enumerate() {
                if successor >> bit & 1 == 1 {
                    *keeps_zero = and(&mut circuit, *keeps_zero, taken ^ 1);
                }
            }
        }
    }
    for ((_, next, _), keeps_zero) in circuit.latches.iter_mut().zip(keeps_zero) {
        *next = keeps_zero ^ 1;
    }
    if let Some(own) = beside {
        // It flips in each step, or when something else is so.
        let flips = match random.below(3) {
            0 => 1,
            _ => [leaves, vec![gate]].concat()[random.below(latches + size.inputs + 1)],
        };
        let (set, cleared) = (
            and(&mut circuit, flips, own ^ 1),
            and(&mut circuit, flips, own),
        );
        let stays = and(&mut circuit, own, cleared ^ 1);
        let next = and(&mut circuit, set ^ 1, stays ^ 1) ^ 1;
        circuit.latches[latches].1 = next;
    }
    (circuit, gate / 2)
}

fn random_demands(random: &mut Random, circuit: &Circuit) -> Demands {
    let inputs: Vec<u32> = circuit.inputs.iter().map(|code| code / 2).collect();
    let latches: Vec<u32> = circuit.latches.iter().map(|(code, ..)| code / 2).collect();
    let leaves = [inputs.clone(), latches.clone()].concat();
    let property = |random: &mut Random| {
        let mut over = |variables: &[u32]| Condition::random(random, variables, 2);
        let (anything, state) = (over(&leaves), over(&latches));
        match random.below(5) {
            0 => Property::Always(state),
            1 => Property::Next(anything, state),
            2 => Property::Response(anything, state),
            _ => Property::Recurs(state),
        }
    };
    Demands {
        properties: (0..1 + random.below(3)).map(|_| property(random)).collect(),
        fairness: (random.below(2) == 0).then(|| Condition::random(random, &inputs, 2)),
    }
}

/// Two or three states to be visited again and again, which may take memory.
fn random_goals(random: &mut Random, latches: &[(u32, u32, u32)]) -> Demands {
    let mut goal = || {
        let cube = latches
            .iter()
            .map(|(code, ..)| code + random.below(2) as u32);
        Property::Recurs(Condition(vec![cube.collect()]))
    };
    let properties = vec![goal(), goal(), goal()];
    Demands {
        properties,
        fairness: None,
    }
}

/// Beyond the range: gates whose repairs are few among very many functions. A search that
/// tries one after another misses them.
const RARE_REPAIRS: [u64; 3] = [2013, 3785, 4697];

#[test]
fn a_gate_is_repaired_exactly_if_some_function_does() {
    let mut findings = Vec::new();
    for seed in (0..2_000).chain(RARE_REPAIRS) {
        let mut case = Case::random(seed);
        match case.check() {
            Ok(finding) => findings.push(finding),
            Err(mut message) => {
                for _ in 0..200 {
                    let smaller = case.smaller().into_iter();
                    let mut failing = smaller.filter_map(|case| Some((case.check().err()?, case)));
                    match failing.next() {
                        Some(found) => (message, case) = found,
                        None => break,
                    }
                }
                let (gate, demands) = (2 * case.gate, case.demands.text());
                let circuit = case.circuit.text();
                panic!("seed {seed}, gate {gate}: {message}\n{demands}{circuit}");
            }
        }
    }
    let count = |wanted: Finding| findings.iter().filter(|found| **found == wanted).count();
    let decided = [Finding::Repaired, Finding::Impossible, Finding::NeedsMemory];
    let counts = decided.map(count);
    let [repaired, impossible, needs_memory] = counts;
    assert!(
        repaired >= 200 && impossible >= 200 && needs_memory >= 10,
        "a one-sided comparison: {decided:?} {counts:?}"
    );
    println!("{decided:?} {counts:?}");
}
