//! Liveness that one broken gate makes fail: each is repaired and certified, and for some
//! ABC proves it by a translation to safety.

use super::circuit::{Condition, Size, gates_of_latches, name_leaves, random_circuit};
use super::corpus::check_seeds;
use super::engine::{find_repairs, holds};
use super::explicit::{Response, violates};
use super::fault::{Difficulty, Fault, broken};
use super::prove::{Proofs, liveness_as_safety};
use super::support::{Circuit, read};
use respin::design::aiger::AigerFile;
use respin::random::Random;
use respin::source::Sources;
use respin::spec::Spec;

const CASES: u64 = 100;
const PROVED_OUTSIDE: u64 = 30;

struct Case {
    sound: Circuit,
    broken: Circuit,
    /// With the same fairness.
    properties: Vec<Response>,
    fault: Fault,
    gate: String,
}

impl Case {
    fn random(seed: u64, assertions: usize) -> Case {
        let mut random = Random::new(1_000 * assertions as u64 + seed);
        loop {
            let circuit = random_circuit(&mut random, size(seed));
            if let Some(case) = Case::on(&mut random, circuit, seed, assertions) {
                return case;
            }
        }
    }

    fn on(random: &mut Random, mut circuit: Circuit, seed: u64, assertions: usize) -> Option<Case> {
        name_leaves(&mut circuit);
        let wanted = Difficulty::of_seed(seed);
        let gates = gates_of_latches(&circuit);
        for _ in 0..20 {
            let fairness = random_fairness(random, &circuit, seed);
            let mut properties = Vec::new();
            for _ in 0..20 {
                let property = random_property(random, &circuit, seed, &fairness);
                if !violates(&circuit, &property) {
                    properties.push(property);
                }
                if properties.len() == assertions {
                    break;
                }
            }
            if properties.len() < assertions {
                continue;
            }
            let is_right = |circuit: &Circuit| !properties.iter().any(|p| violates(circuit, p));
            for _ in 0..20 {
                let gate = gates[random.below(gates.len())];
                let (broken, fault) = broken(random, &circuit, gate);
                if !is_right(&broken) && wanted.admits(&broken, gate, is_right) {
                    return Some(Case {
                        sound: circuit,
                        broken,
                        properties,
                        fault,
                        gate: format!("and{}", 2 * gate),
                    });
                }
            }
        }
        None
    }

    fn spec(&self) -> Spec {
        let text = property_text(&self.properties);
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
        latches: 2 + place % 7,
        gates: 8 + place * 52 / CASES as usize,
    }
}

fn variables(circuit: &Circuit) -> (Vec<u32>, Vec<u32>) {
    let inputs = circuit.inputs.iter().map(|code| code / 2);
    let latches = circuit.latches.iter().map(|(code, ..)| code / 2);
    (inputs.collect(), latches.collect())
}

fn random_fairness(random: &mut Random, circuit: &Circuit, seed: u64) -> Option<Condition> {
    let (inputs, latches) = variables(circuit);
    match seed % 4 {
        0 => None,
        // What the design itself decides may be made impossible by a correction; the
        // environment's own inputs may not.
        3 if random.below(4) == 0 => {
            let leaves = [inputs, latches].concat();
            Some(Condition::random(random, &leaves, 2))
        }
        _ => Some(Condition::random(random, &inputs, 2)),
    }
}

/// Both kinds of liveness.
fn random_property(
    random: &mut Random,
    circuit: &Circuit,
    seed: u64,
    fairness: &Option<Condition>,
) -> Response {
    let (inputs, latches) = variables(circuit);
    let leaves = [inputs, latches.clone()].concat();
    Response {
        trigger: (seed % 2 == 1).then(|| Condition::random(random, &leaves, 2)),
        response: Condition::random(random, &latches, 2),
        fairness: fairness.clone(),
    }
}

fn property_text(properties: &[Response]) -> String {
    let mut text = String::new();
    if let Some(fairness) = &properties[0].fairness {
        text.push_str(&format!("assume G F {};\n", fairness.text()));
    }
    for property in properties {
        let response = property.response.text();
        text.push_str(&match &property.trigger {
            Some(trigger) => format!("assert G ({} -> F {response});\n", trigger.text()),
            None => format!("assert G F {response};\n"),
        });
    }
    text
}

fn check(seed: u64, case: &Case) -> Result<AigerFile, String> {
    let spec = case.spec();
    let file = read(case.broken.text());
    assert!(holds(&read(case.sound.text()), &spec), "seed {seed}: sound");
    assert!(!holds(&file, &spec), "seed {seed}: broken");
    let problem = |what: String| {
        let Circuit { latches, gates, .. } = &case.broken;
        let (latches, gates) = (latches.len(), gates.len());
        let (fault, gate) = (case.fault, &case.gate);
        let properties = property_text(&case.properties).trim().replace('\n', " ");
        format!("{latches} latches, {gates} gates, {fault:?} at {gate}, {properties}: {what}")
    };
    let outcome = find_repairs(&file, Some(&spec), |_| true).map_err(problem)?;
    if !outcome.locates(&case.gate) {
        return Err(problem("the fault is not among the locations".to_string()));
    }
    // The sound circuit shows that this gate needs no memory.
    if !outcome.repairs(&case.gate) {
        return Err(problem(outcome.unrepaired()));
    }
    Ok(outcome.repairs[0].1.clone())
}

#[test]
fn liveness_is_repaired() {
    check_seeds("liveness", 0..CASES, |seed, proofs| {
        let case = Case::random(seed, 1);
        let cheapest = check(seed, &case)?;
        if seed < PROVED_OUTSIDE {
            let translated = liveness_as_safety(&cheapest.design, &case.properties[0]);
            proofs.add(seed.to_string(), &translated);
        }
        Ok(())
    });
}

#[test]
fn several_goals_are_repaired() {
    check_seeds("goals", 0..CASES, |seed, _| {
        let case = Case::random(seed, 2 + seed as usize % 2);
        check(seed, &case).map(drop)
    });
}

/// What the proofs are worth: the translation shows the violation where there is one.
#[test]
fn the_translation_to_safety_finds_violations() {
    let mut violated = Proofs::new("liveness_violated");
    let mut kept = Proofs::new("liveness_kept");
    for seed in 0..PROVED_OUTSIDE {
        let case = Case::random(seed, 1);
        let add = |proofs: &mut Proofs, circuit: &Circuit| {
            let design = read(circuit.text()).design;
            proofs.add(
                seed.to_string(),
                &liveness_as_safety(&design, &case.properties[0]),
            );
        };
        add(&mut violated, &case.broken);
        add(&mut kept, &case.sound);
    }
    assert_eq!(violated.refuted().len(), PROVED_OUTSIDE as usize);
    assert_eq!(kept.refuted(), Vec::<String>::new());
}
