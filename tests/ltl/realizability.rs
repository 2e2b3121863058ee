//! Random specifications: all stages agree, and each answer is certified.

use crate::sketch::{random_spec, smaller_specs, text};
use crate::support::seed;
use respin::random::Random;
use respin::spec::ltl::LtlSpec;
use respin::synth::ltl::{Failure, Options, Stage, solve};
use std::collections::HashMap;

/// What is wrong with the answers to a specification, if anything; and the verdict.
fn problem(spec: &LtlSpec, decided: &mut HashMap<Stage, usize>) -> (Option<String>, Option<bool>) {
    let mut verdicts = Vec::new();
    let stages = Stage::ALL.into_iter().map(Some).chain([None]);
    for stage in stages {
        let options = Options {
            stage,
            // Larger ones take long, and decide few more.
            bound: stage.map(|_| 4),
            ..Options::default()
        };
        match solve(spec, &options, &mut |_| {}) {
            Ok(answer) => {
                if answer.certified().is_none() {
                    let said = format!(
                        "{stage:?} says realizable: {}, and the model checker {:?}",
                        answer.realizable, answer.check
                    );
                    return (Some(said), None);
                }
                verdicts.push(answer.realizable);
                if let Some(stage) = stage {
                    *decided.entry(stage).or_default() += 1;
                }
            }
            Err(Failure::GaveUp(_)) => {}
            Err(failure) => return (Some(format!("{stage:?}: {failure:?}")), None),
        }
    }
    let disagree = verdicts.windows(2).any(|pair| pair[0] != pair[1]);
    let said = disagree.then(|| format!("verdicts {verdicts:?}"));
    (said, verdicts.last().copied())
}

#[test]
fn stages_agree_on_random_specifications_and_their_answers_are_certified() {
    let seed = seed();
    let (mut yes, mut no, mut unknown) = (0, 0, 0);
    let mut decided = HashMap::new();
    for case in 0..1000 {
        let mut random = Random::new(seed.wrapping_add(case));
        let mut spec = random_spec(&mut random);
        let (said, verdict) = problem(&spec, &mut decided);
        if said.is_some() {
            while let Some(smaller) = smaller_specs(&spec)
                .into_iter()
                .find(|smaller| problem(smaller, &mut HashMap::new()).0.is_some())
            {
                spec = smaller;
            }
            let said = problem(&spec, &mut HashMap::new()).0.unwrap_or_default();
            panic!("seed {seed}, case {case}: {said}\n{}", text(&spec));
        }
        match verdict {
            Some(true) => yes += 1,
            Some(false) => no += 1,
            None => unknown += 1,
        }
    }
    println!("{yes} realizable, {no} unrealizable, {unknown} given up; {decided:?}");
    assert!(
        yes >= 200 && no >= 200,
        "{yes} realizable, {no} unrealizable"
    );
    assert!(unknown <= 10, "{unknown} of 1000 are given up");
    // Where a condition has no colours, there is nothing to be counted.
    for (stage, least) in [
        (Stage::BoundedCondition, 100),
        (Stage::BoundedAutomaton, 900),
    ] {
        let count = decided.get(&stage).copied().unwrap_or(0);
        assert!(count >= least, "{stage} decides {count} of 1000");
    }
}
