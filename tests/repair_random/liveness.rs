//! Liveness that one broken gate makes fail: each is repaired and certified, and for some
//! ABC proves it by a translation to safety.

use super::circuit::{Condition, Size, gates_of_latches, name_leaves, random_circuit};
use super::engine::{find_repairs, holds};
use super::explicit::{Response, violates};
use super::fault::{Fault, broken};
use super::prove::{Proofs, liveness_as_safety};
use super::support::{Circuit, Random, read};
use respin::source::Sources;
use respin::spec::Spec;

const CASES: u64 = 100;
const PROVED_OUTSIDE: u64 = 30;

struct Case {
    sound: Circuit,
    broken: Circuit,
    property: Response,
    fault: Fault,
    gate: String,
}

impl Case {
    fn random(seed: u64) -> Case {
        let mut random = Random::new(1_000 + seed);
        loop {
            let circuit = random_circuit(&mut random, size(seed));
            if let Some(case) = Case::on(&mut random, circuit, seed) {
                return case;
            }
        }
    }

    fn on(random: &mut Random, mut circuit: Circuit, seed: u64) -> Option<Case> {
        name_leaves(&mut circuit);
        let gates = gates_of_latches(&circuit);
        for _ in 0..20 {
            let property = random_property(random, &circuit, seed);
            if violates(&circuit, &property) {
                continue;
            }
            for _ in 0..20 {
                let gate = gates[random.below(gates.len())];
                let (broken, fault) = broken(random, &circuit, gate);
                if violates(&broken, &property) {
                    return Some(Case {
                        sound: circuit,
                        broken,
                        property,
                        fault,
                        gate: format!("and{}", 2 * gate),
                    });
                }
            }
        }
        None
    }

    fn spec(&self) -> Spec {
        let text = property_text(&self.property);
        let mut sources = Sources::new();
        let file = sources.add("random.props", text.as_str());
        let mut spec = Spec::new();
        let added = spec.add_property_file(file, &text);
        added.expect("the properties are well-formed");
        spec
    }
}

fn size(seed: u64) -> Size {
    let place = seed as usize;
    Size {
        inputs: 1 + place % 3,
        latches: 2 + place % 5,
        gates: 8 + place * 32 / CASES as usize,
    }
}

/// Both kinds of liveness, with and without fairness.
fn random_property(random: &mut Random, circuit: &Circuit, seed: u64) -> Response {
    let inputs: Vec<u32> = circuit.inputs.iter().map(|code| code / 2).collect();
    let latches: Vec<u32> = circuit.latches.iter().map(|(code, ..)| code / 2).collect();
    let leaves = [inputs.clone(), latches.clone()].concat();
    let trigger = (seed % 2 == 1).then(|| Condition::random(random, &leaves, 2));
    let fairness = match seed % 4 {
        0 => None,
        // What the design itself decides may be made impossible by a correction; the
        // environment's own inputs may not.
        3 if random.below(4) == 0 => Some(Condition::random(random, &leaves, 2)),
        _ => Some(Condition::random(random, &inputs, 2)),
    };
    Response {
        trigger,
        response: Condition::random(random, &latches, 2),
        fairness,
    }
}

fn property_text(property: &Response) -> String {
    let mut text = String::new();
    if let Some(fairness) = &property.fairness {
        text.push_str(&format!("assume fair: G F {};\n", fairness.text()));
    }
    let response = property.response.text();
    text + &match &property.trigger {
        Some(trigger) => format!("assert live: G ({} -> F {response});\n", trigger.text()),
        None => format!("assert live: G F {response};\n"),
    }
}

fn check(seed: u64, case: &Case, proofs: &mut Proofs) -> Result<(), String> {
    let spec = case.spec();
    let file = read(case.broken.text());
    assert!(holds(&read(case.sound.text()), &spec), "seed {seed}: sound");
    assert!(!holds(&file, &spec), "seed {seed}: broken");
    let outcome = find_repairs(&file, &spec, |_| true)?;
    if !outcome.locates(&case.gate) {
        return Err("the broken gate is not among the locations".to_string());
    }
    if outcome.repairs.is_empty() {
        return Err(format!(
            "no repair: undecided {:?}, with memory {:?}",
            outcome.undecided, outcome.only_with_memory
        ));
    }
    for (_, repaired) in &outcome.repairs {
        assert!(holds(repaired, &spec), "seed {seed}: repaired");
    }
    if seed < PROVED_OUTSIDE {
        let (_, cheapest) = &outcome.repairs[0];
        let translated = liveness_as_safety(&cheapest.design, &case.property);
        proofs.add(seed.to_string(), &translated);
    }
    if outcome.only_with_memory.contains(&case.gate) {
        return Err("the broken gate is said to need memory".to_string());
    }
    Ok(())
}

#[test]
fn liveness_is_repaired() {
    let mut proofs = Proofs::new("liveness");
    let mut failures = Vec::new();
    for seed in 0..CASES {
        let case = Case::random(seed);
        let start = std::time::Instant::now();
        if let Err(message) = check(seed, &case, &mut proofs) {
            let Circuit { latches, gates, .. } = &case.broken;
            failures.push(format!(
                "seed {seed}: {} latches, {} gates, {:?} at {}, {}: {message} ({:?})",
                latches.len(),
                gates.len(),
                case.fault,
                case.gate,
                property_text(&case.property).trim().replace('\n', " "),
                start.elapsed()
            ));
        }
    }
    for label in proofs.refuted() {
        failures.push(format!("{label}: refuted by ABC"));
    }
    let count = failures.len();
    assert!(count == 0, "{count} failures\n{}", failures.join("\n"));
}

/// What the proofs are worth: the translation shows the violation where there is one.
#[test]
fn the_translation_to_safety_finds_violations() {
    let mut violated = Proofs::new("liveness_violated");
    let mut kept = Proofs::new("liveness_kept");
    for seed in 0..PROVED_OUTSIDE {
        let case = Case::random(seed);
        let add = |proofs: &mut Proofs, circuit: &Circuit| {
            let design = read(circuit.text()).design;
            proofs.add(
                seed.to_string(),
                &liveness_as_safety(&design, &case.property),
            );
        };
        add(&mut violated, &case.broken);
        add(&mut kept, &case.sound);
    }
    assert_eq!(violated.refuted().len(), PROVED_OUTSIDE as usize);
    assert_eq!(kept.refuted(), Vec::<String>::new());
}
