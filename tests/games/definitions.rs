//! Choices that the guarantee defines: games with and without them, and what `respin synth`
//! makes of such games, against the oracle.

use super::oracle::{Bound, system_wins};
use super::sketch::{Sketch, Start};
use super::synth::{scratch, synth};
use respin::design::aiger;
use respin::game::defined;
use respin::random::Random;
use std::fmt::Write;

const GAMES: u64 = 300;

/// A random safety game whose guarantee says of some choices what they are.
fn random_game(seed: u64) -> Sketch {
    let mut random = Random::new(seed + 1);
    let mut sketch = Sketch::random(0, &mut random);
    sketch.assumption = 1;
    sketch.choices += 1;
    // The new choice comes before the gates.
    let first_gate = 1 + sketch.latches.len() + sketch.inputs + sketch.choices;
    let moved = |literal: u32| literal + 2 * u32::from(literal as usize / 2 + 1 >= first_gate);
    for (left, right) in &mut sketch.gates {
        (*left, *right) = (moved(*left), moved(*right));
    }
    for (_, next) in &mut sketch.latches {
        *next = moved(*next);
    }
    let mut guarantee = match random.below(2) {
        0 => 1,
        _ => moved(sketch.guarantee),
    };
    let signals = first_gate + sketch.gates.len();
    let gate = |gates: &mut Vec<(u32, u32)>, left: u32, right: u32| {
        gates.push((left, right));
        2 * (first_gate + gates.len() - 1) as u32
    };
    for choice in first_gate - sketch.choices..first_gate {
        if random.below(4) == 0 {
            continue;
        }
        let mut value = 2 * choice as u32 + random.below(2) as u32;
        for _ in 0..1 + random.below(2) {
            let other = 2 * (1 + random.below(signals - 1) as u32) + random.below(2) as u32;
            let both = gate(&mut sketch.gates, value, other);
            let none = gate(&mut sketch.gates, value ^ 1, other ^ 1);
            value = gate(&mut sketch.gates, both ^ 1, none ^ 1) ^ random.below(2) as u32;
        }
        guarantee = gate(&mut sketch.gates, guarantee, value);
    }
    if random.below(3) == 0 {
        let latch = 2 * (1 + random.below(sketch.latches.len())) as u32;
        sketch.latches[latch as usize / 2 - 1] = (Start::Zero, guarantee ^ 1);
        guarantee = latch ^ 1;
    }
    sketch.guarantee = guarantee;
    sketch
}

/// The game as a file, whose literals are those of the sketch.
fn text(sketch: &Sketch) -> String {
    let (latches, inputs) = (sketch.latches.len(), sketch.inputs + sketch.choices);
    let gates = sketch.gates.len();
    let mut text = format!(
        "aag {0} {inputs} {latches} 0 {gates} 1\n",
        latches + inputs + gates
    );
    for input in 0..inputs {
        let _ = writeln!(text, "{}", 2 * (1 + latches + input));
    }
    for (index, (start, next)) in sketch.latches.iter().enumerate() {
        let own = 2 * (1 + index);
        let reset = match start {
            Start::Zero => 0,
            Start::One => 1,
            Start::Free | Start::Rigid => own,
        };
        let _ = writeln!(text, "{own} {next} {reset}");
    }
    let _ = writeln!(text, "{}", sketch.guarantee ^ 1);
    for (index, (left, right)) in sketch.gates.iter().enumerate() {
        let _ = writeln!(
            text,
            "{} {left} {right}",
            2 * (1 + latches + inputs + index)
        );
    }
    for input in sketch.inputs..inputs {
        let _ = writeln!(text, "i{input} controllable_{input}");
    }
    text
}

#[test]
fn games_with_definitions_are_decided_and_certified() {
    let folder = scratch("synth_definitions");
    let (mut some, mut delayed, mut won) = (0, 0, 0);
    for seed in 0..GAMES {
        let sketch = random_game(seed);
        let text = text(&sketch);
        let file = aiger::read(text.as_bytes(), None).expect("AIGER");
        let Some(found) = defined(&file.design, &[!file.bad[0].literal]) else {
            continue;
        };
        some += 1;
        delayed += u64::from(found.is_delayed);
        let states = system_wins(&sketch, &Bound::Nobody);
        let expected = sketch.starts(0).all(|state| states[state]);
        won += u64::from(expected);
        let (code, printed, _) = synth(&folder, &text, "aag");
        assert_eq!(code == 0, expected, "seed {seed}: {printed}\n{text}");
        assert!(code == 0 || code == 1, "seed {seed}: {printed}\n{text}");
    }
    println!("{some} of {GAMES} games, {delayed} with a delay, {won} are won");
    assert!(
        some > GAMES / 2 && delayed > some / 10,
        "{some} games, {delayed} with a delay"
    );
    assert!(
        won > some / 10 && won < some * 9 / 10,
        "{won} of {some} are won"
    );
}
