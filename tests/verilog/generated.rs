//! Generated modules: our netlist is that of Yosys, proved by ABC, and runs like in Icarus.
//! `RESPIN_SEED=N` runs one module alone.

use super::choices::{Choices, shrink};
use super::module::design;
use super::netlist::{Case, elaborate, folder, prove, synthesize};
use super::seed::given_seed;
use super::simulation::{Ports, compare};
use std::path::Path;

const MODULES: u64 = 400;
const BATCH: u64 = 25;
const CYCLES: usize = 10;

fn case_of(choices: &mut Choices, name: &str) -> Case {
    Case {
        name: name.to_string(),
        text: design(choices, name),
        top: name.to_string(),
    }
}

/// What is wrong with each design, and how many bits Icarus did not know.
fn check(cases: &[Case], folder: &Path) -> (Vec<Option<String>>, usize) {
    let ours: Vec<_> = cases.iter().map(elaborate).collect();
    synthesize(cases, folder);
    let proofs = prove(cases, &ours, folder);
    let ports: Vec<Option<Ports>> = ours
        .iter()
        .map(|ours| Some(Ports::of(ours.as_ref().ok()?)))
        .collect();
    let (runs, unknown) = compare(cases, &ours, &ports, CYCLES, folder);
    let first = |(proof, run): (Option<String>, Option<String>)| match (proof, run) {
        (Some(proof), Some(run)) if proof != run => Some(format!("{proof}\n{run}")),
        (proof, run) => proof.or(run),
    };
    (proofs.into_iter().zip(runs).map(first).collect(), unknown)
}

fn report(seed: u64, made: Vec<usize>, folder: &Path) -> String {
    let fails = |made: &[usize]| {
        let case = case_of(&mut Choices::replay(made), "shrunk");
        check(&[case], folder).0[0].is_some()
    };
    let made = shrink(made, 100, fails);
    let case = case_of(&mut Choices::replay(&made), "shrunk");
    let problem = check(std::slice::from_ref(&case), folder).0.remove(0);
    format!(
        "seed {seed}, made smaller: {}\n{}",
        problem.unwrap_or_default(),
        case.text
    )
}

/// The modules of some seeds, and the number of bits that Icarus did not know.
fn check_seeds(seeds: std::ops::Range<u64>, folder: &Path) -> (Vec<String>, usize) {
    let mut made = Vec::new();
    let mut cases = Vec::new();
    for seed in seeds.clone() {
        let mut choices = Choices::random(seed);
        cases.push(case_of(&mut choices, &format!("m{seed}")));
        made.push(choices.made().to_vec());
    }
    let (answers, unknown) = check(&cases, folder);
    let mut problems = Vec::new();
    for ((seed, answer), made) in seeds.zip(answers).zip(made) {
        if let Some(answer) = answer {
            // Others of the same batch often have the same cause.
            problems.push(match problems.is_empty() {
                true => report(seed, made, folder),
                false => format!("seed {seed}: {answer}"),
            });
        }
    }
    (problems, unknown)
}

#[test]
fn generated_modules_are_what_yosys_and_icarus_make_of_them() {
    let folder = folder("generated");
    if let Some(seed) = given_seed() {
        let (problems, _) = check_seeds(seed..seed + 1, &folder);
        assert!(problems.is_empty(), "{}", problems.join("\n"));
        return;
    }
    let mut problems = Vec::new();
    let mut unknown = 0;
    // Two at a time: each is a chain of other programs.
    std::thread::scope(|scope| {
        let halves = [0, MODULES / 2].map(|first| {
            let folder = folder.join(first.to_string());
            scope.spawn(move || {
                std::fs::create_dir_all(&folder).expect("a folder");
                let mut problems = Vec::new();
                let mut unknown = 0;
                for start in (first..first + MODULES / 2).step_by(BATCH as usize) {
                    let (found, count) = check_seeds(start..start + BATCH, &folder);
                    problems.extend(found);
                    unknown += count;
                }
                (problems, unknown)
            })
        });
        for half in halves {
            let (found, count) = half.join().expect("no panic");
            problems.extend(found);
            unknown += count;
        }
    });
    println!("{MODULES} modules from seed 0, {unknown} bits that Icarus did not know");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert_eq!(unknown, 0, "the modules have no `x`");
}
