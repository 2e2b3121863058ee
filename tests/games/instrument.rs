//! The repair game as a file: `respin synth` on what `respin instrument` writes has to agree
//! with where a repair is possible at all.

use respin::design::{ComponentKind, aiger};
use respin::random::Random;
use respin::repair::GameOptions;
use respin::repair::locate::locate;
use respin::spec::Spec;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const CIRCUITS: u64 = 60;

/// A circuit of a few gates with one bad signal, and now and then a constraint. The latches
/// are outputs, so that they are part of the design and not of the property.
fn circuit(seed: u64) -> String {
    let mut random = Random::new(seed + 1);
    let (inputs, latches, gates) = (
        1 + random.below(2),
        1 + random.below(3),
        3 + random.below(4),
    );
    let first_gate = 1 + inputs + latches;
    let constraints = usize::from(random.below(4) == 0);
    let maximum = inputs + latches + gates;
    let mut text = format!("aag {maximum} {inputs} {latches} {latches} {gates} 1 {constraints}\n");
    let any =
        |random: &mut Random, below: usize| 2 * (1 + random.below(below - 1)) + random.below(2);
    for input in 1..=inputs {
        let _ = writeln!(text, "{}", 2 * input);
    }
    for latch in inputs + 1..first_gate {
        let reset = match random.below(5) {
            0 => 1,
            1 => 2 * latch,
            _ => 0,
        };
        let _ = writeln!(
            text,
            "{} {} {reset}",
            2 * latch,
            any(&mut random, maximum + 1)
        );
    }
    for latch in inputs + 1..first_gate {
        let _ = writeln!(text, "{}", 2 * latch);
    }
    for _ in 0..1 + constraints {
        let _ = writeln!(text, "{}", any(&mut random, maximum + 1));
    }
    for gate in first_gate..=maximum {
        let (left, right) = (any(&mut random, gate), any(&mut random, gate));
        let _ = writeln!(text, "{} {left} {right}", 2 * gate);
    }
    text
}

fn scratch(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    fs::create_dir_all(&folder).expect("a scratch folder");
    folder
}

fn respin(line: &[&str], files: &[&Path]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_respin"))
        .args(line)
        .args(files)
        .output()
        .expect("respin starts");
    let stdout = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    let code = output.status.code().unwrap_or(-1);
    (code, format!("{stdout}{stderr}"))
}

/// Whether a component can be wrong, by the library; `None` if a kind has no components.
fn can_be_located(text: &str, kinds: &[ComponentKind]) -> Option<bool> {
    let file = aiger::read(text.as_bytes(), None).expect("the circuit is correct");
    let mut spec = Spec::new();
    spec.add_items(&file.properties()).expect("items");
    let netlist = file.netlist();
    let has = |kind: &ComponentKind| netlist.components().iter().any(|one| one.kind == *kind);
    if !kinds.iter().all(has) {
        return None;
    }
    let suspects: Vec<_> = netlist
        .component_ids()
        .filter(|id| kinds.contains(&netlist.components()[id.0 as usize].kind))
        .collect();
    let found = locate(
        &netlist,
        &spec,
        &suspects,
        &GameOptions::new(suspects.clone()),
    );
    Some(!found.expect("no limit is set").is_empty())
}

fn check_agreement(test: &str, option: &str, kinds: &[ComponentKind]) {
    let folder = scratch(test);
    let (design, game) = (folder.join("design.aag"), folder.join("game.aag"));
    let mut realizable = 0;
    let mut judged = 0;
    for seed in 0..CIRCUITS {
        let text = circuit(seed);
        let Some(expected) = can_be_located(&text, kinds) else {
            continue;
        };
        fs::write(&design, &text).expect("the circuit is written");
        let line = ["instrument", "--components", option, "--force", "-o"];
        let (code, said) = respin(&line, &[&game, &design]);
        assert_eq!(code, 0, "seed {seed}: {said}\n{text}");
        let (code, said) = respin(&["synth"], &[&game]);
        assert!(code == 0 || code == 1, "seed {seed}: {said}\n{text}");
        assert_eq!(code == 0, expected, "seed {seed}: {said}\n{text}");
        judged += 1;
        realizable += usize::from(expected);
    }
    assert!(
        realizable > 5 && judged - realizable > 5,
        "{realizable} of {judged} games are won, which tests one side only"
    );
}

#[test]
fn dynamic_choices_agree_with_location() {
    let kinds = [ComponentKind::Gate, ComponentKind::LatchNext];
    check_agreement("instrument_dynamic", "gate,latch", &kinds);
}

#[test]
fn rigid_choices_agree_with_location() {
    let kinds = [ComponentKind::LatchReset];
    check_agreement("instrument_rigid", "reset", &kinds);
}

#[test]
fn all_choices_agree_with_location() {
    let kinds = [
        ComponentKind::Gate,
        ComponentKind::LatchNext,
        ComponentKind::LatchReset,
    ];
    check_agreement("instrument_all", "gate,latch,reset", &kinds);
}
