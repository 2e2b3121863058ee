//! Automata of formulas, determinisation, and the HOA format: languages against the meaning
//! of formulas on runs, and verdicts against those of the formulas.

use crate::automata::{LIMITS, check_small, future, runs};
use crate::sketch::{random_spec, text};
use crate::support::{random_lasso, seed};
use respin::random::Random;
use respin::source::Sources;
use respin::spec::automaton::Limits;
use respin::spec::automaton::buchi::{buchi, generalized_buchi};
use respin::spec::automaton::hoa::{self, Document};
use respin::spec::automaton::omega::{Automaton, Edge, LongRun, Proposition};
use respin::spec::ltl::{LtlSpec, Part, Section};
use respin::spec::{Formula, FormulaId, Formulas};
use respin::synth::ltl::automaton::{Kind, automaton};
use respin::synth::ltl::{Failure, Options, solve};
use std::cell::Cell;

pub fn read(text: &str) -> Document {
    let mut sources = Sources::new();
    let file = sources.add("test.hoa", text);
    hoa::parse(&sources, file).unwrap_or_else(|errors| panic!("{errors:#?}\n{text}"))
}

/// A run on which the automaton and the formula differ.
fn difference(automaton: &Automaton, formulas: &Formulas, formula: FormulaId) -> Option<String> {
    runs(formulas, formula).into_iter().find_map(|run| {
        let wanted = run.satisfies(formulas, formula);
        let found = automaton.accepts(&run);
        let shown = run.text(formulas);
        (wanted != found).then(|| {
            let written = hoa::write(automaton, &LIMITS);
            format!("holds: {wanted}, accepted: {found} on\n{shown}\n{written}")
        })
    })
}

#[test]
fn nondeterministic_automata_accept_where_formulas_hold() {
    let given_up = Cell::new(0);
    check_small(3000, &future(4), &|formulas, formula| {
        let Ok(automaton) = buchi(&mut formulas.clone(), formula, &LIMITS) else {
            given_up.set(given_up.get() + 1);
            return None;
        };
        assert_eq!(automaton.acceptance, LongRun::Inf(0));
        difference(&automaton, formulas, formula)
    });
    let given_up = given_up.get();
    assert!(given_up <= 30, "{given_up} of 3000 formulas are given up");
}

#[test]
fn determinized_automata_accept_where_formulas_hold() {
    let given_up = Cell::new(0);
    check_small(1000, &future(3), &|formulas, formula| {
        let general = generalized_buchi(&mut formulas.clone(), formula, &LIMITS);
        let Ok(automaton) = general.and_then(|general| general.determinized(&LIMITS)) else {
            given_up.set(given_up.get() + 1);
            return None;
        };
        if automaton.choice(&LIMITS) != Ok(None) {
            return Some("it is not deterministic".to_string());
        }
        difference(&automaton, formulas, formula)
    });
    let given_up = given_up.get();
    assert!(given_up <= 30, "{given_up} of 1000 formulas are given up");
}

/// A specification of one guarantee about three inputs.
fn closed(formulas: &Formulas, formula: FormulaId) -> LtlSpec {
    LtlSpec {
        title: "\"quoted\\\"".to_string(),
        inputs: ["a", "b", "c"].map(String::from).to_vec(),
        formulas: formulas.clone(),
        parts: vec![Part {
            section: Section::Guarantee,
            name: "formula".to_string(),
            span: None,
            formula,
        }],
        ..LtlSpec::default()
    }
}

#[test]
fn automata_that_are_written_and_read_keep_their_language() {
    for kind in [Kind::Deterministic, Kind::Nondeterministic] {
        let given_up = Cell::new(0);
        check_small(1000, &future(3), &|formulas, formula| {
            let spec = closed(formulas, formula);
            let written = match automaton(&spec, kind, &LIMITS) {
                Ok(automaton) => hoa::write(&automaton, &LIMITS),
                Err(Failure::Diagnostics(_)) => {
                    given_up.set(given_up.get() + 1);
                    return None;
                }
                Err(failure) => return Some(format!("{failure:?}")),
            };
            let again = read(&written).automaton;
            if again.name != spec.title {
                return Some(format!("called {:?}", again.name));
            }
            let is_deterministic = again.choice(&LIMITS) == Ok(None);
            if kind == Kind::Deterministic && !is_deterministic {
                return Some(format!("not deterministic:\n{written}"));
            }
            difference(&again, formulas, formula)
        });
        let given_up = given_up.get();
        assert!(given_up <= 60, "{given_up} of 1000 are given up");
    }
}

/// The verdict on a specification, certified.
pub fn verdict(spec: &LtlSpec) -> Option<bool> {
    match solve(spec, &Options::default(), &mut |_| {}) {
        Ok(answer) => {
            assert!(
                answer.certified().is_some(),
                "{:?}\n{}",
                answer.check,
                text(spec)
            );
            Some(answer.realizable)
        }
        Err(Failure::GaveUp(_)) => None,
        Err(failure) => panic!("{failure:?}\n{}", text(spec)),
    }
}

#[test]
fn automata_as_specifications_have_the_verdicts_of_formulas() {
    // Games on larger ones take long.
    let few = Limits {
        states: 30,
        ..LIMITS
    };
    let seed = seed();
    let (mut yes, mut no) = (0, 0);
    for case in 0..200 {
        let mut random = Random::new(seed.wrapping_add(case));
        let spec = random_spec(&mut random);
        let Some(wanted) = verdict(&spec) else {
            continue;
        };
        for kind in [Kind::Deterministic, Kind::Nondeterministic] {
            let Ok(automaton) = automaton(&spec, kind, &few) else {
                continue;
            };
            if automaton.choice(&few) != Ok(None) && automaton.determinized(&few).is_err() {
                continue;
            }
            let written = hoa::write(&automaton, &LIMITS);
            // Also of the signals that the formulas do not mention.
            let document = read(&written);
            let Ok(same) = LtlSpec::from_automaton(&document, &spec.inputs, &spec.outputs) else {
                continue;
            };
            let Some(found) = verdict(&same) else {
                continue;
            };
            assert_eq!(
                found,
                wanted,
                "seed {seed}, case {case}, {kind:?}\n{}{written}",
                text(&spec)
            );
            match found {
                true => yes += 1,
                false => no += 1,
            }
        }
    }
    println!("{yes} realizable, {no} unrealizable");
    assert!(yes >= 80 && no >= 80, "{yes} yes, {no} no");
}

fn random_condition(random: &mut Random, sets: usize, depth: usize) -> LongRun {
    if depth == 0 || random.below(3) == 0 {
        let set = random.below(sets);
        return match random.below(8) {
            0 => LongRun::Constant(random.flip()),
            1..=4 => LongRun::Inf(set),
            _ => LongRun::Fin(set),
        };
    }
    let parts = (0..2).map(|_| random_condition(random, sets, depth - 1));
    let parts = parts.collect();
    match random.flip() {
        true => LongRun::And(parts),
        false => LongRun::Or(parts),
    }
}

fn random_automaton(random: &mut Random) -> Automaton {
    let (mut formulas, atoms) = crate::support::with_atoms(2);
    let propositions = atoms
        .iter()
        .zip(["a", "b"])
        .filter_map(|(formula, name)| match *formulas.get(*formula) {
            Formula::Atom(atom) => Some(Proposition {
                name: name.to_string(),
                atom,
            }),
            _ => None,
        })
        .collect();
    let (count, sets) = (1 + random.below(3), 1 + random.below(3));
    let mut states = Vec::new();
    for _ in 0..count {
        let edges = (0..random.below(4)).map(|_| {
            let literals = atoms.iter().filter_map(|atom| match random.below(3) {
                0 => None,
                1 => Some(*atom),
                _ => Some(formulas.not(*atom)),
            });
            let literals: Vec<FormulaId> = literals.collect();
            Edge {
                guard: formulas.and(literals),
                successor: random.below(count),
                marks: (0..sets).filter(|_| random.flip()).collect(),
            }
        });
        states.push(edges.collect());
    }
    let acceptance = random_condition(random, sets, 2);
    Automaton {
        name: String::new(),
        propositions,
        controllable: None,
        start: (0..count).filter(|_| random.flip()).collect(),
        states,
        sets,
        acceptance,
        formulas,
    }
}

#[test]
fn any_acceptance_condition_is_determinized_and_written() {
    let seed = seed();
    let (mut accepted, mut big) = (0, 0);
    for case in 0..3000 {
        let mut random = Random::new(seed.wrapping_add(case));
        let automaton = random_automaton(&mut random);
        let written = hoa::write(&automaton, &LIMITS);
        let again = read(&written).automaton;
        let merged = automaton.clone().merged(&LIMITS).expect("a small one");
        let Ok(determined) = automaton.determinized(&LIMITS) else {
            big += 1;
            continue;
        };
        assert_eq!(determined.choice(&LIMITS), Ok(None), "{written}");
        for _ in 0..8 {
            let run = random_lasso(&mut random, 2);
            let wanted = automaton.accepts(&run);
            accepted += usize::from(wanted);
            let found = [&again, &merged, &determined].map(|one| one.accepts(&run));
            assert_eq!(
                found,
                [wanted; 3],
                "seed {seed}, case {case}: written, merged, determinized\n{written}{}",
                run.text(&automaton.formulas)
            );
        }
    }
    assert!(accepted >= 2000, "{accepted} runs accepted");
    assert!(big <= 60, "{big} of 3000 are too big");
}

#[test]
fn an_automaton_that_is_too_big_is_refused_with_help() {
    let (mut formulas, atoms) = crate::support::with_atoms(3);
    let mut ahead = atoms[0];
    for _ in 0..12 {
        ahead = formulas.next(ahead);
    }
    let often = formulas.iff(atoms[1], ahead);
    let formula = formulas.globally(often);
    let limits = Limits {
        states: 50,
        ..LIMITS
    };
    for kind in [Kind::Deterministic, Kind::Nondeterministic] {
        match automaton(&closed(&formulas, formula), kind, &limits) {
            Err(Failure::Diagnostics(errors)) => {
                assert_eq!(errors[0].code.0, 415);
                assert!(errors[0].help.is_some());
            }
            other => panic!("{other:?}"),
        }
    }
}
