//! A GR(1) specification as formulas: what is said of it as LTL is what is said of it as GR(1),
//! under the implication, which is the meaning of formulas.

use crate::sketch::{Shape, Sketch};
use crate::support::{game, names};
use respin::bdd::Limits;
use respin::explain::answer::{self, Explanation, Options};
use respin::explain::separation::{Case, Position, Scope, Separation, relevant_part};
use respin::explain::{Bounds, Minimizer, Oracle, Semantics, diagnose, explain};
use respin::game::gr1::Gr1Game;
use respin::load::{AnySpec, Format, LoadedLtl};
use respin::random::Random;
use respin::spec::gr1::Gr1;
use respin::spec::ltl::{LtlSpec, Order, Part, Section};
use std::collections::BTreeSet;

/// The same as the implication from all assumptions to all guarantees, by the same names.
fn formulas(spec: &Gr1) -> LtlSpec {
    let mut same = LtlSpec::from_gr1(spec).expect("few values");
    same.is_strict = false;
    let parts = same.parts.iter().zip(&spec.constraints);
    let parts: Vec<Part> = parts
        .map(|(part, constraint)| {
            let formula = match part.section {
                Section::Require | Section::Assert => same.formulas.globally(part.formula),
                _ => part.formula,
            };
            Part {
                section: match part.section.is_assumption() {
                    true => Section::Assume,
                    false => Section::Guarantee,
                },
                name: constraint.name.clone(),
                span: None,
                formula,
            }
        })
        .collect();
    same.parts = parts;
    same
}

fn explained(spec: &LtlSpec, only: answer::Part) -> Explanation {
    let spec = AnySpec::Ltl(Box::new(LoadedLtl {
        spec: spec.clone(),
        format: Format::Tlsf,
        description: String::new(),
        target: Order::Mealy,
    }));
    let options = Options {
        only: vec![only],
        all_diagnoses: true,
        ..Options::default()
    };
    explain(&spec, &options, &mut |_| {}).expect("nothing is wrong with it")
}

/// The cases of positions from which the play begins.
fn from_start(spec: &Gr1) -> Vec<Case> {
    let part = relevant_part(spec, Scope::Environment);
    let game = Gr1Game::new(&part, Limits::default()).expect("no limits");
    let mut cases = Separation::new(&game).and_then(|mut found| found.cases());
    let cases = cases.as_mut().expect("no limits");
    cases.retain(|case| case.position == Position::All);
    cases.clone()
}

fn sets(lists: &[Vec<answer::Item>]) -> BTreeSet<String> {
    let names = |list: &Vec<answer::Item>| {
        let names: Vec<&str> = list.iter().map(|item| item.name.as_str()).collect();
        names.join(" ")
    };
    lists.iter().map(names).collect()
}

/// Whether there is a difference; and whether there were several diagnoses, or a case.
fn compare(spec: &Gr1) -> Result<(bool, bool), String> {
    let same = formulas(spec);
    let found = explained(&same, answer::Part::Separation);
    let found = found.separation.ok_or("nothing is said of separation")?;
    let expected = from_start(spec);
    if found.cases != expected {
        return Err(format!("{:?} as LTL, {expected:?} as GR(1)", found.cases));
    }
    let is_forced = !expected.is_empty();
    let apart = respin::explain::ltl::taken_apart(&same);
    if apart.parts.len() != same.parts.len() {
        return Ok((false, is_forced));
    }
    let game = game(spec);
    let mut oracle = Oracle::new(&game, Semantics::Implication);
    if !oracle.conflicts(&oracle.whole()).expect("no limits") {
        return Ok((false, is_forced));
    }
    let bounds = Bounds {
        diagnoses: usize::MAX,
        size: usize::MAX,
        conflicts: usize::MAX,
    };
    let guarantees = oracle.guarantees();
    let expected = diagnose(&mut oracle, Minimizer::DeltaDebugging, &guarantees, bounds);
    let expected: BTreeSet<String> = expected
        .diagnoses
        .iter()
        .map(|set| names(&oracle, set))
        .collect();
    let found = explained(&same, answer::Part::Diagnoses);
    let found = found.diagnoses.ok_or("no diagnoses")?;
    if sets(&found.diagnoses) != expected {
        let found = sets(&found.diagnoses);
        return Err(format!("diagnoses {found:?}, as GR(1) {expected:?}"));
    }
    Ok((expected.len() > 1, is_forced))
}

#[test]
fn a_gr1_specification_as_formulas_is_explained_alike() {
    let shape = Shape {
        words: false,
        assume_system: false,
    };
    let (mut several, mut forced) = (0, 0);
    for seed in 63_000..63_200 {
        let mut sketch = Sketch::random(&mut Random::new(seed), shape);
        match compare(&sketch.build()) {
            Ok((diagnoses, cases)) => {
                several += usize::from(diagnoses);
                forced += usize::from(cases);
            }
            Err(mut problem) => {
                while let Some((smaller, other)) = sketch
                    .smaller()
                    .into_iter()
                    .find_map(|smaller| Some((compare(&smaller.build()).err()?, smaller)))
                {
                    (problem, sketch) = (smaller, other);
                }
                panic!("seed {seed}: {problem} in\n{sketch}");
            }
        }
    }
    println!("{several} with several diagnoses, {forced} can be made to fail");
    assert!(several >= 1 && forced >= 50, "{several}, {forced}");
}
