//! Specifications whose verdict is known.

use crate::support::source;
use respin::bdd::Limits;
use respin::certify;
use respin::design::Design;
use respin::spec::ltl::{LtlSpec, Order, Part, Section};
use respin::spec::property_file::parse_formula;
use respin::synth::ltl::{Answer, Failure, Options, smaller_controller, solve};
use std::time::Duration;

fn spec(inputs: &[&str], outputs: &[&str], assumed: &[&str], guaranteed: &[&str]) -> LtlSpec {
    let names = |names: &[&str]| names.iter().map(|name| name.to_string()).collect();
    let mut spec = LtlSpec {
        inputs: names(inputs),
        outputs: names(outputs),
        ..LtlSpec::default()
    };
    let sections = [(Section::Assume, assumed), (Section::Guarantee, guaranteed)];
    for (section, texts) in sections {
        for text in texts {
            let (_, file) = source(text);
            let formula = parse_formula(&mut spec.formulas, file, text).expect("a formula");
            spec.parts.push(Part {
                section,
                name: format!("part_{}", spec.parts.len()),
                span: None,
                formula,
            });
        }
    }
    spec
}

fn answer(spec: &LtlSpec) -> Answer {
    let answer = solve(spec, &Options::default(), &mut |_| {}).expect("an answer");
    assert!(answer.certified().is_some(), "{:?}", answer.check);
    answer
}

#[track_caller]
fn check(inputs: &[&str], outputs: &[&str], assumed: &[&str], guaranteed: &[&str], wanted: bool) {
    let answer = answer(&spec(inputs, outputs, assumed, guaranteed));
    assert_eq!(answer.realizable, wanted, "{assumed:?} -> {guaranteed:?}");
}

/// The environment has to wait for the output before it knows which input is wrong: there is
/// a counterstrategy, and no sequence of inputs that is right against each output.
#[test]
fn an_output_that_foretells_an_input_has_a_counterstrategy() {
    let answer = answer(&spec(&["x"], &["y"], &[], &["G (y <-> X x)"]));
    assert!(!answer.realizable);
    assert_eq!(answer.circuit.inputs().len(), 1, "it reads the output");
    assert!(!answer.circuit.latches().is_empty(), "and remembers it");
}

/// Fig. 7 of [JSGB11]: no deterministic Büchi automaton has this language.
#[test]
fn a_signal_that_settles_is_solved_exactly() {
    check(&[], &["a"], &[], &["F G a | F G !a"], true);
    check(&["a"], &["b"], &[], &["F G a | F G !a"], false);
    let settles = "F G a | F G !a";
    check(&["a"], &["b"], &[settles], &["F G (a <-> b)"], true);
    check(&["a"], &["b"], &[settles], &["F G (X a <-> b)"], true);
    // An output that recurs exactly then would be a deterministic Büchi automaton.
    check(&["a"], &["b"], &[], &["(F G a | F G !a) <-> G F b"], false);
    check(&["a"], &["b"], &[], &["(F G a | F G !a) <-> F G b"], true);
}

#[test]
fn classes_beyond_recurrence_are_solved() {
    check(&["a"], &["b"], &[], &["G F a <-> G F b"], true);
    check(&["a"], &["b"], &[], &["G F a <-> F G b"], false);
    let both = "(G F a & F G c) <-> (G F b & F G d)";
    check(&["a", "c"], &["b", "d"], &[], &[both], true);
    check(
        &["a", "c"],
        &["b"],
        &[],
        &["(G F a & F G c) <-> G F b"],
        false,
    );
    check(&["a"], &["b"], &[], &["F a <-> G F b"], true);
    check(&["a"], &["b"], &[], &["F a <-> b"], false);
    check(
        &["a"],
        &["b"],
        &["G F a"],
        &["G F (a & b)", "G (b -> X !b)"],
        true,
    );
    check(&["a"], &["b"], &[], &["G (b -> F a)", "G F b"], false);
    check(&["a"], &["b"], &[], &["G (b -> F G a) | G F b"], true);
}

#[test]
fn assumptions_that_fail_excuse() {
    check(&["a"], &["b"], &["false"], &["false"], true);
    check(&["a"], &["b"], &["G a"], &["G (b <-> a)", "G b"], true);
    check(&["a"], &["b"], &["F b"], &["F a"], true);
    check(&["a"], &["b"], &["G F !b"], &["F a"], true);
    check(&["a"], &["b"], &["G F a"], &["F !a"], false);
}

#[test]
fn past_operators_are_followed() {
    check(&["a"], &["b"], &[], &["G (b <-> Y a)"], true);
    check(&["a"], &["b"], &[], &["G (b <-> X O a)"], false);
    check(
        &["a"],
        &["b"],
        &[],
        &["G (b <-> (a S Y a))", "G F b -> G F a"],
        true,
    );
}

#[test]
fn who_moves_first_matters() {
    let mut copy = spec(&["a"], &["b"], &[], &["G (a <-> b)"]);
    assert!(answer(&copy).realizable);
    copy.order = Order::Moore;
    assert!(!answer(&copy).realizable);
    let mut later = spec(&["a"], &["b"], &[], &["G (a <-> X b)"]);
    later.order = Order::Moore;
    let answer = answer(&later);
    assert!(answer.realizable);
    assert_eq!(answer.circuit.latches().len(), 1);
}

#[test]
fn a_specification_without_goals_or_signals_has_an_answer() {
    check(&[], &[], &[], &[], true);
    check(&["a"], &["b"], &["G a"], &[], true);
    check(&[], &[], &[], &["false"], false);
    check(&[], &[], &[], &["G true"], true);
}

#[test]
fn independent_parts_become_one_circuit() {
    let parts = ["G (b <-> a)", "G (c <-> X a)", "F (d & X !d)"];
    check(&["a"], &["b", "d"], &[], &[parts[0], parts[2]], true);
    check(&["a"], &["b", "c", "d"], &[], &parts, false);
}

#[test]
fn an_unknown_signal_is_a_diagnostic() {
    let wrong = spec(&["a"], &["b"], &[], &["G (b <-> aa)"]);
    let failure = solve(&wrong, &Options::default(), &mut |_| {}).err();
    match failure {
        Some(Failure::Diagnostics(errors)) => {
            assert!(errors[0].message.contains("aa"), "{}", errors[0].message);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn small_circuits_are_small() {
    let size = |spec: &LtlSpec| {
        let answer = answer(spec);
        assert!(answer.realizable);
        answer.circuit.gates().count() + answer.circuit.latches().len()
    };
    assert_eq!(size(&spec(&["a"], &["b"], &[], &["G (a -> b)"])), 0);
    assert_eq!(size(&spec(&["a"], &["b"], &[], &["G (b <-> Y a)"])), 1);
    assert!(
        size(&spec(
            &["a"],
            &["b"],
            &[],
            &["G (a -> F b)", "G (b -> X !b)"]
        )) <= 3
    );
}

/// A choice of sixteen is fifteen multiplexers of three gates each, unless its first two levels
/// are one: four choices of four with seven gates, a decoder with four, and three multiplexers.
#[test]
fn wide_choices_share_a_decoder() {
    let inputs: Vec<String> = (0..16).map(|index| format!("i{index}")).collect();
    let selects: Vec<String> = (0..4).map(|index| format!("s{index}")).collect();
    let mut goals = Vec::new();
    for (index, input) in inputs.iter().enumerate() {
        let bits = selects.iter().enumerate();
        let bits = bits.map(|(bit, name)| match index >> bit & 1 {
            1 => name.clone(),
            _ => format!("!{name}"),
        });
        let here = bits.collect::<Vec<_>>().join(" & ");
        goals.push(format!("G ({here} -> (o <-> {input}))"));
    }
    let names: Vec<&str> = inputs.iter().chain(&selects).map(String::as_str).collect();
    let goals: Vec<&str> = goals.iter().map(String::as_str).collect();
    let circuit = answer(&spec(&names, &["o"], &[], &goals)).circuit;
    assert!(circuit.latches().is_empty());
    let gates = circuit.gates().count();
    assert!(gates <= 41, "{gates} gates");
}

/// Arbiters and machines that wait for one thing after the other: fewer states and gates, and
/// what is left still keeps the specification.
#[test]
fn smaller_controllers_are_controllers() {
    let fair = ["G (r -> F g)", "G (s -> F h)", "G !(g & h)"];
    let mut no_spurious = fair.to_vec();
    no_spurious.extend(["r R !g", "s R !h", "G (g & X (!r & !g) -> X (r R !g))"]);
    no_spurious.extend(["G (g & G !r -> F !g)", "G (h & G !s -> F !h)"]);
    let waiting = ["G F r & G F s & G F t & G F u <-> G F g"];
    let specs = [
        spec(&["r", "s"], &["g", "h"], &[], &fair),
        spec(&["r", "s"], &["g", "h"], &[], &no_spurious),
        spec(&["r", "s", "t", "u"], &["g"], &[], &waiting),
        spec(
            &["r"],
            &["g"],
            &[],
            &["G (r -> X X X g)", "G (!r -> X X X !g)"],
        ),
    ];
    let size = |design: &Design| design.gates().count() + design.latches().len();
    let limits = Limits::default();
    let (mut before, mut after) = (0, 0);
    for spec in specs {
        let circuit = answer(&spec).circuit;
        let own = size(&circuit);
        let smaller = smaller_controller(&spec, circuit, Duration::from_millis(300), &limits);
        let check = certify::ltl::controller(&spec, &smaller, &limits).expect("a question");
        assert!(check.certified().is_some(), "{check:?}");
        assert!(size(&smaller) <= own, "{} of {own}", size(&smaller));
        before += own;
        after += size(&smaller);
    }
    println!("{before} gates and latches, {after} afterwards");
    assert!(after < before, "{after} of {before}");
}
