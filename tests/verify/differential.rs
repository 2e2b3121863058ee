//! Random designs and formulas: verdicts against an oracle that looks at each state.

use super::case::{Case, shrink, signals};
use super::graph::Graph;
use super::oracle::{shortest_violation, some_run_satisfies};
use super::tree::Tree;
use respin::certify::{Options, Semantics, Verdict};

/// The lengths of shortest finite violations, one for each part that has one, and
/// whether some infinite run violates the assertion; `None` where the oracle has no
/// answer.
fn expected(case: &Case) -> Option<(Vec<usize>, bool)> {
    let graph = Graph::new(&case.circuit, &signals(&case.circuit));
    let assumed: Vec<Tree> = case
        .assumptions
        .iter()
        .flat_map(|tree| tree.normal(true).parts())
        .collect();
    let kept: Vec<Tree> = assumed
        .iter()
        .filter(|tree| tree.is_safe())
        .cloned()
        .collect();
    let mut lengths = Vec::new();
    let mut infinite = false;
    for part in case.assertion.normal(true).parts() {
        if part.is_safe() && case.semantics == Semantics::Strict {
            if part.is_mixed() || kept.iter().any(Tree::is_mixed) {
                return None;
            }
            lengths.extend(shortest_violation(&graph, &kept, &part));
        } else {
            let mut formulas = assumed.clone();
            formulas.push(part.normal(false));
            infinite |= some_run_satisfies(&graph, &formulas);
        }
    }
    Some((lengths, infinite))
}

/// What is wrong, if anything; `Ok(false)` if nothing was compared.
fn check(case: &Case) -> Result<bool, String> {
    let Some((lengths, infinite)) = expected(case) else {
        return Ok(false);
    };
    let Some(verdict) = case.verdict(Options::default())? else {
        // A conjunction of nothing: the assertion is true.
        return Ok(lengths.is_empty() && !infinite);
    };
    match verdict {
        Verdict::Holds if lengths.is_empty() && !infinite => Ok(true),
        Verdict::Fails(trace) if !trace.is_infinite() => {
            if lengths.contains(&trace.len()) {
                Ok(true)
            } else {
                Err(format!(
                    "{} steps, expected one of {lengths:?}",
                    trace.len()
                ))
            }
        }
        Verdict::Fails(_) if infinite => Ok(true),
        other => Err(format!(
            "{other:?}, expected {lengths:?} or infinite: {infinite}"
        )),
    }
}

fn check_seeds(seeds: std::ops::Range<u64>, most_latches: usize, most_inputs: usize, least: usize) {
    let mut compared = 0;
    for seed in seeds {
        let case = Case::random(seed, most_latches, most_inputs);
        match check(&case) {
            Ok(counts) => compared += usize::from(counts),
            Err(message) => {
                let (case, message) = shrink(case, message, check);
                panic!("seed {seed}: {message}\n{}", case.text());
            }
        }
    }
    assert!(compared >= least, "only {compared} cases were compared");
}

#[test]
fn small_designs_get_the_verdict_of_the_oracle() {
    check_seeds(0..4000, 3, 2, 3500);
}

#[test]
fn bigger_designs_get_the_verdict_of_the_oracle() {
    check_seeds(10_000..10_400, 5, 3, 350);
}
