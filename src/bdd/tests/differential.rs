//! Random programs, compared with truth tables.
//!
//! `RESPIN_BDD_PROGRAMS` sets how many programs run, for a long soak; `RESPIN_BDD_SEED`
//! where their seeds begin; `RESPIN_BDD_REPLAY` names a file with one program to run
//! instead.

use super::coverage::Coverage;
use super::machine::run;
use super::program::Program;
use super::shrink::shrink;
use super::table::Tables;
use crate::bdd::Manager;

const PROGRAMS: u64 = 2_000;
const LENGTH: usize = 100;

pub fn setting(name: &str) -> Option<u64> {
    let value = std::env::var(name).ok()?;
    Some(
        value
            .parse()
            .unwrap_or_else(|_| panic!("{name} is a number")),
    )
}

/// The program of a seed. Most have few variables: there, corner cases are frequent.
pub fn program(seed: u64) -> Program {
    const SIZES: [usize; 16] = [1, 2, 3, 4, 5, 5, 6, 6, 7, 7, 8, 9, 10, 11, 12, 14];
    Program::random(seed, SIZES[seed as usize % SIZES.len()], LENGTH)
}

pub fn compare(program: &Program, manager: Manager) -> Result<Coverage, String> {
    let tables = Tables {
        variables: program.variables,
    };
    run(program, manager, tables)
}

/// What to tell about a failing program: the shortest one that fails, and how.
pub fn report(
    program: Program,
    seed: Option<u64>,
    compare: impl Fn(&Program) -> Result<Coverage, String>,
) -> String {
    let shrunk = shrink(program, |program| compare(program).is_err());
    let message = match compare(&shrunk) {
        Err(message) => message,
        Ok(_) => "this time it passes".to_string(),
    };
    let origin = seed.map_or("a file".to_string(), |seed| format!("seed {seed}"));
    format!("program of {origin}, shrunk:\n{shrunk}{message}")
}

#[test]
fn random_programs_compute_what_truth_tables_say() {
    let compare = |program: &Program| compare(program, Manager::new());
    if let Ok(path) = std::env::var("RESPIN_BDD_REPLAY") {
        let text = std::fs::read_to_string(&path).expect("a readable program");
        let program: Program = text.parse().expect("a program");
        if compare(&program).is_err() {
            panic!("{}", report(program, None, compare));
        }
        return;
    }
    let first = setting("RESPIN_BDD_SEED").unwrap_or(0);
    let count = setting("RESPIN_BDD_PROGRAMS").unwrap_or(PROGRAMS);
    for seed in first..first + count {
        let program = program(seed);
        if compare(&program).is_err() {
            panic!("{}", report(program, Some(seed), compare));
        }
    }
}

/// Without these, the comparison above would show little.
#[test]
fn random_programs_meet_limits_collections_and_reorderings() {
    let mut coverage = Coverage::default();
    for seed in 0..300 {
        if let Ok(met) = compare(&program(seed), Manager::new()) {
            coverage += met;
        }
    }
    assert_eq!(coverage.missing(), Vec::new());
}
