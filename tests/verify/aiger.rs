//! Properties of AIGER files, by their definition in AIGER 1.9, against each state.

use super::graph::{Graph, has_fair_cycle, random_circuit};
use super::support::{Circuit, check_random, read};
use respin::certify::{self, AssumptionStatus, Engine, Options, Problem, Verdict};
use respin::random::Random;
use respin::spec::Spec;
use std::collections::{HashMap, VecDeque};

/// A violation that has to be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    Holds,
    /// A finite one of this many steps.
    Steps(usize),
    Infinite,
}

/// Bad signals first, then justice.
fn expected(circuit: &Circuit) -> Vec<Expected> {
    let bad = if circuit.bad.is_empty() && circuit.justice.is_empty() {
        &circuit.outputs
    } else {
        &circuit.bad
    };
    let bad = bad.iter().map(|bad| shortest(circuit, *bad));
    let justice = circuit.justice.iter().map(|literals| {
        if infinite(circuit, literals) {
            Expected::Infinite
        } else {
            Expected::Holds
        }
    });
    bad.chain(justice).collect()
}

/// Constraints hold up to and including the bad step.
fn shortest(circuit: &Circuit, bad: u32) -> Expected {
    let mut literals = vec![bad];
    literals.extend(&circuit.constraints);
    let graph = Graph::new(circuit, &literals);
    let mut lengths: HashMap<usize, usize> = HashMap::new();
    let mut pending: VecDeque<(usize, usize)> =
        graph.initial.iter().map(|state| (*state, 1)).collect();
    while let Some((state, length)) = pending.pop_front() {
        if lengths.contains_key(&state) {
            continue;
        }
        lengths.insert(state, length);
        for input in 0..graph.inputs {
            if !(1..literals.len()).all(|signal| graph.value(state, input, signal)) {
                continue;
            }
            if graph.value(state, input, 0) {
                return Expected::Steps(length);
            }
            pending.push_back((graph.next(state, input), length + 1));
        }
    }
    Expected::Holds
}

/// Whether some run visits all literals and all fairness again and again, and keeps the
/// constraints for ever.
fn infinite(circuit: &Circuit, justice: &[u32]) -> bool {
    let constraints = circuit.constraints.len();
    let mut literals = circuit.constraints.clone();
    literals.extend(justice);
    literals.extend(&circuit.fairness);
    let graph = Graph::new(circuit, &literals);
    // A node is a step that keeps the constraints.
    let mut numbers: HashMap<(usize, usize), usize> = HashMap::new();
    let mut steps = Vec::new();
    let mut edges: Vec<Vec<usize>> = Vec::new();
    let mut pending: Vec<usize> = Vec::new();
    let mut from_state =
        |state: usize, steps: &mut Vec<(usize, usize)>, pending: &mut Vec<usize>| {
            let mut found = Vec::new();
            for input in 0..graph.inputs {
                if (0..constraints).all(|signal| graph.value(state, input, signal)) {
                    let number = *numbers.entry((state, input)).or_insert_with(|| {
                        steps.push((state, input));
                        pending.push(steps.len() - 1);
                        steps.len() - 1
                    });
                    found.push(number);
                }
            }
            found
        };
    for &state in &graph.initial {
        from_state(state, &mut steps, &mut pending);
    }
    while let Some(index) = pending.pop() {
        let (state, input) = steps[index];
        let targets = from_state(graph.next(state, input), &mut steps, &mut pending);
        if edges.len() <= index {
            edges.resize(index + 1, Vec::new());
        }
        edges[index] = targets;
    }
    edges.resize(steps.len(), Vec::new());
    let conditions: Vec<Vec<bool>> = (constraints..literals.len())
        .map(|signal| {
            steps
                .iter()
                .map(|(state, input)| graph.value(*state, *input, signal))
                .collect()
        })
        .collect();
    has_fair_cycle(&edges, &conditions)
}

fn problem(text: &str) -> (respin::design::Design, Spec) {
    let (design, items) = read(text).into_parts();
    let mut spec = Spec::new();
    spec.add_items(&items).expect("items");
    (design, spec)
}

fn found(text: &str) -> Vec<Expected> {
    let (design, spec) = problem(text);
    let verdicts = certify::check(&design, &spec, &Options::default()).expect("a verdict");
    let outcome = |verdict| match verdict {
        Verdict::Holds => Expected::Holds,
        Verdict::Fails(trace) if trace.is_infinite() => Expected::Infinite,
        Verdict::Fails(trace) => Expected::Steps(trace.len()),
        Verdict::Unknown(error) => panic!("unknown: {error}"),
    };
    verdicts
        .into_iter()
        .map(|(_, verdict)| outcome(verdict))
        .collect()
}

fn check(text: &str, wanted: &[Expected]) {
    assert_eq!(found(text), wanted, "{text}");
}

fn random_file(random: &mut Random, size: usize) -> Circuit {
    let inputs = random.below(4.min(size + 1));
    let latches = 1 + random.below(5.min(size));
    let gates = random.below(2 * size + 1);
    let mut circuit = random_circuit(random, inputs, latches, gates);
    let largest = 2 * circuit.maximum as usize + 2;
    let mut literals = |most: usize| -> Vec<u32> {
        let count = random.below(most + 1);
        (0..count).map(|_| random.below(largest) as u32).collect()
    };
    circuit.outputs = literals(2);
    circuit.bad = literals(2);
    circuit.constraints = literals(2);
    circuit.justice = vec![literals(3), literals(2)];
    circuit.justice.truncate(literals(2).len());
    circuit.fairness = literals(2);
    circuit
}

#[test]
fn random_files_get_the_verdicts_of_the_oracle() {
    check_random(1_500, 12, |random, size| {
        let circuit = random_file(random, size);
        let (wanted, found) = (expected(&circuit), found(&circuit.text()));
        if wanted == found {
            return Ok(());
        }
        Err(format!(
            "{found:?}, expected {wanted:?}\n{}",
            circuit.text()
        ))
    });
}

#[test]
fn whether_constraints_and_fairness_can_be_kept_is_found_as_by_the_oracle() {
    check_random(500, 12, |random, size| {
        let circuit = random_file(random, size);
        if circuit.constraints.is_empty() && circuit.fairness.is_empty() {
            return Ok(());
        }
        let (design, spec) = problem(&circuit.text());
        let problem = Problem::new(&design, &spec).map_err(|errors| format!("{errors:?}"))?;
        let keeping = problem.assumptions(Engine::Auto, &Default::default());
        let keeping = keeping.map_err(|error| format!("{error:?}"))?;
        if (keeping != AssumptionStatus::Impossible) == infinite(&circuit, &[]) {
            return Ok(());
        }
        Err(format!("{keeping:?}\n{}", circuit.text()))
    });
}

#[test]
fn a_bad_signal_may_depend_on_inputs_alone() {
    check("aag 1 1 0 0 0 1\n2\n2\n", &[Expected::Steps(1)]);
}

#[test]
fn a_constant_bad_signal_fails_at_once() {
    check(
        "aag 0 0 0 0 0 2\n1\n0\n",
        &[Expected::Steps(1), Expected::Holds],
    );
}

#[test]
fn outputs_are_bad_where_nothing_else_is() {
    check("aag 1 1 0 1 0\n2\n2\n", &[Expected::Steps(1)]);
}

#[test]
fn outputs_are_not_bad_next_to_justice() {
    check("aag 1 1 0 1 0 0 0 1\n2\n2\n1\n0\n", &[Expected::Holds]);
}

#[test]
fn a_constraint_holds_in_the_failing_step_itself() {
    // Bad in the only step that breaks the constraint.
    check("aag 1 1 0 0 0 1 1\n2\n2\n3\n", &[Expected::Holds]);
}

#[test]
fn a_constraint_that_fails_later_does_not_excuse() {
    // A toggle: bad in the first step, and no second step keeps the constraint.
    check("aag 1 0 1 0 0 1 1\n2 3\n3\n3\n", &[Expected::Steps(1)]);
}

#[test]
fn justice_needs_a_run_that_keeps_the_constraints_for_ever() {
    // The toggle again: the constraint breaks in the second step.
    check("aag 1 0 1 0 0 0 1 1\n2 3\n3\n1\n1\n", &[Expected::Holds]);
}

#[test]
fn justice_without_literals_is_violated_by_any_fair_run() {
    check("aag 1 0 1 0 0 0 0 1 1\n2 3\n0\n2\n", &[Expected::Infinite]);
}

#[test]
fn justice_literals_need_not_hold_at_once() {
    check("aag 1 0 1 0 0 0 0 1\n2 3\n2\n2\n3\n", &[Expected::Infinite]);
}

#[test]
fn fairness_that_cannot_recur_makes_justice_hold() {
    check("aag 1 0 1 0 0 0 0 1 1\n2 1\n1\n1\n3\n", &[Expected::Holds]);
}

#[test]
fn a_latch_without_a_reset_is_the_environments_choice() {
    check("aag 1 0 1 0 0 1\n2 2 2\n2\n", &[Expected::Steps(1)]);
}

#[test]
fn fairness_does_not_matter_to_bad_signals() {
    check("aag 1 1 0 0 0 1 0 0 1\n2\n2\n0\n", &[Expected::Steps(1)]);
}

/// What is said of the assumptions of a file.
fn check_keeping(text: &str, wanted: impl Fn(&AssumptionStatus) -> bool) {
    let (design, spec) = problem(text);
    let problem = Problem::new(&design, &spec).expect("a problem");
    let keeping = problem
        .assumptions(Engine::Auto, &Default::default())
        .expect("an answer");
    assert!(wanted(&keeping), "{keeping:?}\n{text}");
}

#[test]
fn contradictory_assumptions_are_found() {
    check_keeping("aag 0 0 0 0 0 1 1\n0\n0\n", |found| {
        *found == AssumptionStatus::Impossible
    });
}

#[test]
fn dead_ends_are_found_with_the_steps_that_lead_there() {
    // Once the input was 1, the constraint `not latch` breaks.
    let text = "aag 2 1 1 0 0 1 1\n2\n4 2\n0\n5\n";
    check_keeping(
        text,
        |found| matches!(found, AssumptionStatus::DeadEnds(trace) if trace.len() == 1),
    );
}

#[test]
fn an_initial_state_can_be_a_dead_end() {
    let text = "aag 1 0 1 0 0 1 1\n2 2 2\n0\n3\n";
    check_keeping(
        text,
        |found| matches!(found, AssumptionStatus::DeadEnds(trace) if trace.is_empty()),
    );
}

#[test]
fn a_file_without_assumptions_assumes_nothing() {
    check_keeping("aag 0 0 0 0 0 1\n0\n", |found| {
        *found == AssumptionStatus::NothingAssumed
    });
}

#[test]
fn a_choice_that_is_open_is_refused() {
    let (design, _) = read("aag 1 1 0 1 0\n2\n2\ni0 controllable_a\n").into_parts();
    let errors = Problem::new(&design, &Spec::new()).err().expect("an error");
    assert_eq!(errors[0].code, respin::source::codes::certify::OPEN_CHOICE);
}
