//! `respin synth` on small AIGER files: both verdicts, and liveness.

use respin::design::aiger;
use respin::random::Random;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub fn scratch(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a scratch folder");
    folder
}

/// Runs `respin synth` on a text; gives back the exit code, what was printed, and what was
/// written to `controller.EXTENSION`.
pub fn synth(folder: &Path, text: &str, extension: &str) -> (i32, String, Option<Vec<u8>>) {
    let game = folder.join("game.aag");
    let controller = folder.join(format!("controller.{extension}"));
    let _ = fs::remove_file(&controller);
    fs::write(&game, text).expect("the game is written");
    let output = Command::new(env!("CARGO_BIN_EXE_respin"))
        .arg("synth")
        .arg(&game)
        .arg("-o")
        .arg(&controller)
        .output()
        .expect("respin starts");
    let printed = [output.stdout, output.stderr].concat();
    let printed = String::from_utf8_lossy(&printed).into_owned();
    (
        output.status.code().unwrap_or(-1),
        printed,
        fs::read(&controller).ok(),
    )
}

fn check(test: &str, text: &str, verdict: &str) {
    let (_, printed, controller) = synth(&scratch(test), text, "aag");
    assert_eq!(printed.lines().next(), Some(verdict), "{text}{printed}");
    assert_eq!(controller.is_some(), verdict == "REALIZABLE", "{printed}");
}

/// A latch that copies an input of the environment, and an input of the system's.
const COPY: &str = "2\n4\n6 2\n";
const NAMES: &str = "i0 request\ni1 controllable_grant\n";

#[test]
fn a_controller_keeps_the_other_inputs_and_the_latches() {
    let text = format!("aag 6 2 1 1 3\n{COPY}13\n8 6 5\n10 7 4\n12 9 11\n{NAMES}");
    for extension in ["aag", "aig"] {
        let (code, printed, controller) = synth(&scratch("synth_controller"), &text, extension);
        assert_eq!(code, 0, "{printed}");
        let file = aiger::read(&controller.expect("a controller"), None).expect("AIGER");
        assert_eq!(file.layout.is_binary(), extension == "aig");
        let names: Vec<_> = file
            .design
            .inputs()
            .iter()
            .map(|id| file.design.name(*id))
            .collect();
        assert_eq!(names, [Some("request")]);
        assert_eq!(file.design.latches().len(), 1);
        assert_eq!(file.design.outputs().len(), 1);
    }
}

#[test]
fn the_environment_moves_first() {
    // Bad unless the grant is the present request.
    let text = format!("aag 6 2 1 1 3\n{COPY}13\n8 2 5\n10 3 4\n12 9 11\n{NAMES}");
    check("synth_first", &text, "REALIZABLE");
}

#[test]
fn the_future_is_not_known() {
    // Bad if a grant of the step before was no request of this one: the latch keeps grants.
    let text = format!("aag 6 2 1 1 3\n2\n4\n6 4\n13\n8 2 7\n10 3 6\n12 9 11\n{NAMES}");
    check("synth_future", &text, "UNREALIZABLE");
}

#[test]
fn a_constraint_holds_the_environment() {
    // The same with the constraint that there is never a request.
    let text = format!("aag 6 2 1 0 3 1 1\n2\n4\n6 4\n13\n3\n8 2 7\n10 3 6\n12 9 11\n{NAMES}");
    check("synth_constraint", &text, "REALIZABLE");
}

#[test]
fn a_justice_property_is_something_to_avoid() {
    // Grants again and again can be avoided, requests cannot.
    let text = |literal: u32| format!("aag 2 2 0 0 0 0 0 1\n2\n4\n1\n{literal}\n{NAMES}");
    check("synth_justice", &text(4), "REALIZABLE");
    check("synth_justice", &text(2), "UNREALIZABLE");
}

#[test]
fn fairness_binds_the_environment() {
    // Avoid that there are no requests again and again ... which fairness does not forbid.
    let text = |fair: u32| format!("aag 2 2 0 0 0 0 0 1 1\n2\n4\n1\n3\n{fair}\n{NAMES}");
    check("synth_fairness", &text(2), "UNREALIZABLE");
    // The system decides whether the fairness condition happens.
    check("synth_fairness", &text(4), "REALIZABLE");
}

#[test]
fn a_free_initial_value_is_the_environments() {
    let text = |reset: u32| format!("aag 3 2 1 1 0\n2\n4\n6 4 {reset}\n6\n{NAMES}");
    check("synth_free", &text(0), "REALIZABLE");
    check("synth_free", &text(6), "UNREALIZABLE");
}

/// A random game with all sections. Whatever is answered was certified, and both answers
/// would be errors of ours if the certifier refused them.
fn random_game(seed: u64) -> String {
    let mut random = Random::new(seed + 1);
    let (inputs, latches, gates) = (
        2 + random.below(3),
        1 + random.below(3),
        4 + random.below(6),
    );
    let maximum = inputs + latches + gates;
    let bad = random.below(2);
    let constraints = random.below(2);
    let justice = if bad == 0 { 1 } else { random.below(2) };
    let fairness = random.below(3) * justice;
    let mut text = format!(
        "aag {maximum} {inputs} {latches} 0 {gates} {bad} {constraints} {justice} {fairness}\n"
    );
    for input in 1..=inputs {
        let _ = writeln!(text, "{}", 2 * input);
    }
    let any =
        |random: &mut Random, below: usize| 2 * (1 + random.below(below - 1)) + random.below(2);
    for latch in inputs + 1..=inputs + latches {
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
    for _ in 0..bad + constraints {
        let _ = writeln!(text, "{}", any(&mut random, maximum + 1));
    }
    let visited = 1 + random.below(2);
    if justice == 1 {
        let _ = writeln!(text, "{visited}");
    }
    for _ in 0..visited * justice + fairness {
        let _ = writeln!(text, "{}", any(&mut random, maximum + 1));
    }
    for gate in inputs + latches + 1..=maximum {
        let (left, right) = (any(&mut random, gate), any(&mut random, gate));
        let _ = writeln!(text, "{} {left} {right}", 2 * gate);
    }
    for input in 0..inputs {
        let name = if input % 2 == 0 {
            "in"
        } else {
            "controllable_"
        };
        let _ = writeln!(text, "i{input} {name}{input}");
    }
    text
}

#[test]
fn every_answer_is_certified() {
    let folder = scratch("synth_random");
    let mut yes = 0;
    const GAMES: u64 = 150;
    for seed in 0..GAMES {
        let text = random_game(seed);
        let (code, printed, controller) = synth(&folder, &text, "aag");
        assert!(code == 0 || code == 1, "seed {seed}: {printed}\n{text}");
        assert_eq!(controller.is_some(), code == 0, "seed {seed}: {printed}");
        yes += u64::from(code == 0);
    }
    assert!(
        yes > GAMES / 10 && yes < GAMES - GAMES / 10,
        "{yes} of {GAMES}"
    );
}
