//! Invariants of bigger circuits: our verdicts and those of ABC, which proves them by
//! property-directed reachability.

use super::graph::random_circuit;
use super::support::{Circuit, read};
use respin::certify::{self, Options, Verdict};
use respin::random::Random;
use respin::spec::Spec;
use std::path::Path;
use std::process::Command;

/// A ring of registers that random logic writes to: deep enough to be no one-step question.
fn random_invariant(seed: u64) -> Circuit {
    let mut random = Random::new(seed);
    let (inputs, latches) = (2 + random.below(6), 8 + random.below(17));
    let gates = 40 + random.below(120);
    let mut circuit = random_circuit(&mut random, inputs, latches, gates);
    // Free initial values would make most invariants fail at once.
    for (latch, _, reset) in &mut circuit.latches {
        if reset == latch {
            *reset = 0;
        }
    }
    // A conjunction of a few latches and inverted latches: rarely true, never obviously so.
    let mut conjunction = 1;
    for _ in 0..3 + random.below(3) {
        let (latch, ..) = circuit.latches[random.below(latches)];
        let literal = latch + random.below(2) as u32;
        circuit.maximum += 1;
        let gate = 2 * circuit.maximum;
        circuit
            .gates
            .push((gate, literal.max(conjunction), literal.min(conjunction)));
        conjunction = gate;
    }
    circuit.bad = vec![conjunction];
    circuit
}

/// Whether ABC proves the invariant of a binary file.
fn proved_by_abc(path: &Path) -> bool {
    let script = format!("read {}; fold; pdr", path.display());
    let output = Command::new("berkeley-abc").args(["-c", &script]).output();
    let output = output.expect("berkeley-abc is installed; tests/run does it");
    let text = String::from_utf8_lossy(&output.stdout);
    match (
        text.contains("Property proved"),
        text.contains("was asserted in frame"),
    ) {
        (true, false) => true,
        (false, true) => false,
        _ => panic!("{}: no verdict in\n{text}", path.display()),
    }
}

#[test]
fn abc_agrees_on_random_invariants() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("abc");
    std::fs::create_dir_all(&folder).expect("a folder for the circuits");
    let mut failing = 0;
    for seed in 0..100 {
        let file = read(random_invariant(seed).text());
        let path = folder.join(format!("{seed}.aig"));
        std::fs::write(&path, file.to_binary().expect("a binary file")).expect("a written file");
        let (design, items) = file.into_parts();
        let mut spec = Spec::new();
        spec.add_items(&items).expect("items");
        let verdicts = certify::check(&design, &spec, &Options::default()).expect("verdicts");
        let holds = match &verdicts[0].1 {
            Verdict::Holds => true,
            Verdict::Fails(_) => false,
            Verdict::Unknown(error) => panic!("seed {seed}: {error}"),
        };
        assert_eq!(
            holds,
            proved_by_abc(&path),
            "seed {seed}: {}",
            path.display()
        );
        failing += usize::from(!holds);
    }
    assert!(
        (10..=90).contains(&failing),
        "a one-sided comparison: {failing} of 100 fail"
    );
}
