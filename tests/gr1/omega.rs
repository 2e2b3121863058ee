//! Verdicts on random specifications against the package omega.
//!
//! All specifications go to one run of Python. `tests/run` installs the package; without it
//! this test fails and says so.

use crate::sketch::{Shape, Sketch};
use respin::bdd::Limits;
use respin::random::Random;
use respin::spec::gr1::{Gr1, Kind, Player, Side, Term, TermId};
use respin::synth::gr1;
use std::path::{Path, PathBuf};
use std::process::Command;

const SHAPE: Shape = Shape {
    words: false,
    assume_system: false,
};

fn python() -> PathBuf {
    match std::env::var_os("RESPIN_OMEGA_PYTHON") {
        Some(path) => path.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("target/omega/bin/python"),
    }
}

fn text(spec: &Gr1, term: TermId) -> String {
    let join = |operator: &str, operands: &[TermId]| {
        let operands: Vec<String> = operands.iter().map(|one| text(spec, *one)).collect();
        format!("({})", operands.join(operator))
    };
    match spec.terms.get(term) {
        Term::Boolean(value) => value.to_string().to_uppercase(),
        Term::Variable { variable, primed } => {
            let prime = if *primed { "'" } else { "" };
            format!("{}{prime}", spec.variable(*variable).name)
        }
        Term::Not(operand) => format!("!({})", text(spec, *operand)),
        Term::And(operands) => join(" & ", operands),
        Term::Or(operands) => join(" | ", operands),
        Term::Implies(left, right) => join(" => ", &[*left, *right]),
        Term::Iff(left, right) => join(" <=> ", &[*left, *right]),
        other => panic!("{other:?} is no Boolean term"),
    }
}

fn json(sketch: &Sketch) -> serde_json::Value {
    let spec = sketch.build();
    let names = |owner: Player| -> Vec<String> {
        let own = spec.variables.iter().filter(|one| one.owner == owner);
        own.map(|one| one.name.clone()).collect()
    };
    let side = |side: Side| {
        let list = |kind: Kind| -> Vec<String> {
            spec.of(side, kind)
                .map(|id| text(&spec, spec.constraint(id).term))
                .collect()
        };
        serde_json::json!({
            "initial": list(Kind::Initial),
            "safety": list(Kind::Safety),
            "justice": list(Kind::Justice),
        })
    };
    serde_json::json!({
        "environment": names(Player::Environment),
        "system": names(Player::System),
        "assumption": side(Side::Assumption),
        "guarantee": side(Side::Guarantee),
    })
}

fn omega(sketches: &[Sketch]) -> Vec<bool> {
    let list: Vec<serde_json::Value> = sketches.iter().map(json).collect();
    let file = std::env::temp_dir().join(format!("respin-omega-{}.json", std::process::id()));
    std::fs::write(&file, serde_json::Value::from(list).to_string()).expect("a temporary file");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gr1/omega_oracle.py");
    let output = Command::new(python()).arg(script).arg(&file).output();
    let _ = std::fs::remove_file(&file);
    let output = output.unwrap_or_else(|error| {
        let python = python();
        panic!(
            "{}: {error}; run tests/run, which installs omega",
            python.display()
        )
    });
    let answers: Vec<bool> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| line.strip_prefix("answer "))
        .map(|answer| answer == "1")
        .collect();
    assert_eq!(
        answers.len(),
        sketches.len(),
        "omega failed:\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    answers
}

fn ours(sketch: &Sketch) -> bool {
    let answer = gr1::solve(&sketch.build(), Limits::default()).expect("no limits");
    let verdict = answer.unwrap_or_else(|flaw| panic!("{sketch}: {}", flaw.0));
    verdict.is_realizable()
}

#[test]
fn verdicts_agree_with_omega() {
    let seeds = 30_000..31_000;
    println!("seeds {seeds:?}");
    let sketches: Vec<Sketch> = seeds
        .clone()
        .map(|seed| Sketch::random(&mut Random::new(seed), SHAPE))
        .collect();
    let expected = omega(&sketches);
    let wrong = seeds
        .zip(&sketches)
        .zip(expected)
        .find(|((_, sketch), expected)| ours(sketch) != *expected);
    if let Some(((seed, sketch), _)) = wrong {
        let mut small = sketch.clone();
        loop {
            let smaller = small.smaller();
            let answers = omega(&smaller);
            let next = smaller
                .into_iter()
                .zip(answers)
                .find(|(sketch, answer)| ours(sketch) != *answer);
            match next {
                Some((sketch, _)) => small = sketch,
                None => break,
            }
        }
        panic!(
            "seed {seed}: realizable = {} is wrong for\n{small}",
            ours(&small)
        );
    }
}
