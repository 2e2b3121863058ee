//! Claims about random circuits against a search over all states.

use super::{Finding, InputRun, Invariant, Prover, Question};
use crate::design::{Design, InputKind, Literal, NodeId, Reset, Simulator};
use crate::random::Random;
use std::collections::{BTreeSet, HashSet};

const INPUTS: usize = 2;
const LATCHES: usize = 5;

pub(super) fn random_design(random: &mut Random) -> (Design, Literal, Literal) {
    let mut design = Design::new();
    let mut literals = Vec::new();
    for _ in 0..INPUTS {
        literals.push(design.add_input(InputKind::Environment).literal());
    }
    for index in 0..LATCHES {
        let reset = match random.below(8) {
            0 => Reset::Free,
            1 => Reset::One,
            // What it is computed from is no input and no computed latch.
            2 if index == LATCHES - 1 => Reset::Computed(!literals[INPUTS]),
            _ => Reset::Zero,
        };
        literals.push(design.add_latch(reset).literal());
    }
    for _ in 0..12 {
        let operand = |random: &mut Random| random.pick(&literals).complement_if(random.flip());
        let (left, right) = (operand(random), operand(random));
        literals.push(design.and(left, right));
    }
    for id in design.latches().to_vec() {
        let next = random.pick(&literals).complement_if(random.flip());
        design.set_next(id, next);
    }
    let pick = |random: &mut Random| random.pick(&literals).complement_if(random.flip());
    let (first, second) = (pick(random), pick(random));
    let bad = design.and(first, second);
    let constraint = if random.chance(30) {
        pick(random)
    } else {
        Literal::TRUE
    };
    (design, constraint, bad)
}

/// All latches in one state, as bits.
type State = usize;

/// The length of a shortest run to a bad step, and all states of runs that keep the
/// constraint.
fn explore(design: &Design, constraint: Literal, bad: Literal) -> (Option<usize>, HashSet<State>) {
    let mut simulator = Simulator::new(design).unwrap();
    let state_of = |simulator: &Simulator| {
        let latches = design.latches().iter().enumerate();
        latches.fold(0, |state, (index, id)| {
            state | ((simulator.value(id.literal()) & 1) as usize) << index
        })
    };
    let free: Vec<NodeId> = design.chosen_latches().collect();
    let mut ring = BTreeSet::new();
    for choice in 0..1usize << free.len() {
        let mut index = 0;
        simulator.start(|_| {
            index += 1;
            if choice >> (index - 1) & 1 == 1 { 1 } else { 0 }
        });
        ring.insert(state_of(&simulator));
    }
    let mut seen: HashSet<State> = ring.iter().copied().collect();
    let mut length = 1;
    let mut shortest = None;
    while !ring.is_empty() {
        let mut next = BTreeSet::new();
        for state in &ring {
            for inputs in 0..1usize << INPUTS {
                let mut latch = 0;
                simulator.resume(|_| {
                    latch += 1;
                    (state >> (latch - 1) & 1) as u64
                });
                let mut input = 0;
                simulator.settle(|_| {
                    input += 1;
                    (inputs >> (input - 1) & 1) as u64
                });
                if simulator.value(constraint) & 1 == 0 {
                    continue;
                }
                if simulator.value(bad) & 1 == 1 {
                    shortest = shortest.or(Some(length));
                }
                simulator.advance();
                let state = state_of(&simulator);
                if seen.insert(state) {
                    next.insert(state);
                }
            }
        }
        ring = next;
        length += 1;
    }
    (shortest, seen)
}

fn holds(invariant: &Invariant, design: &Design, state: State) -> bool {
    let value = |literal: &Literal| {
        let mut latches = design.latches().iter();
        let index = latches.position(|id| *id == literal.node());
        index.is_some_and(|index| (state >> index & 1 == 1) != literal.is_complemented())
    };
    invariant
        .clauses
        .iter()
        .all(|clause| clause.iter().any(value))
}

fn is_bad_run(design: &Design, constraint: Literal, bad: Literal, run: &InputRun) -> bool {
    let mut simulator = Simulator::new(design).unwrap();
    simulator.start(|id| u64::from(run.initial.contains(&id)));
    for (step, ones) in run.steps.iter().enumerate() {
        simulator.settle(|id| u64::from(ones.contains(&id)));
        if simulator.value(constraint) & 1 == 0 {
            return false;
        }
        if step + 1 == run.steps.len() {
            return simulator.value(bad) & 1 == 1;
        }
        simulator.advance();
    }
    false
}

#[test]
fn claims_about_random_circuits_hold() {
    let (mut reached, mut unreachable) = (0, 0);
    for seed in 1..=3000 {
        let (design, constraint, bad) = random_design(&mut Random::new(seed));
        if design.check().is_err() {
            continue;
        }
        let question = Question {
            design: &design,
            constraint,
            bad: vec![bad],
        };
        let mut prover = Prover::new(&question, || false);
        // In small turns, so that stopping and going on is tested, too.
        let mut work = 50;
        while !prover.advance(work) {
            work *= 2;
        }
        let (shortest, states) = explore(&design, constraint, bad);
        match prover.findings()[0].as_ref().unwrap() {
            Finding::Reached(run) => {
                reached += 1;
                assert!(is_bad_run(&design, constraint, bad, run), "seed {seed}");
                assert!(shortest.is_some(), "seed {seed}");
            }
            Finding::Unreachable(invariant) => {
                unreachable += 1;
                assert_eq!(shortest, None, "seed {seed}");
                let mut states = states.iter();
                assert!(
                    states.all(|one| holds(invariant, &design, *one)),
                    "seed {seed}"
                );
            }
        }
    }
    assert!(
        reached > 300 && unreachable > 300,
        "{reached} {unreachable}"
    );
}

/// Two counters that count alike, written differently: equal after merging, without search.
#[test]
fn equal_counters_are_merged() {
    let mut design = Design::new();
    let enable = design.add_input(InputKind::Environment).literal();
    let mut counters = Vec::new();
    for style in 0..2 {
        let bits: Vec<NodeId> = (0..17).map(|_| design.add_latch(Reset::Zero)).collect();
        let mut carry = enable;
        for bit in &bits {
            let own = bit.literal();
            let next = if style == 0 {
                design.xor(own, carry)
            } else {
                // The same as a choice between the bit and its complement.
                let (kept, turned) = (design.and(!carry, own), design.and(carry, !own));
                !design.and(!kept, !turned)
            };
            carry = design.and(own, carry);
            design.set_next(*bit, next);
        }
        counters.push(bits);
    }
    let mut differ = Literal::FALSE;
    for (left, right) in counters[0].iter().zip(&counters[1]) {
        let bit = design.xor(left.literal(), right.literal());
        differ = design.or(differ, bit);
    }
    let question = Question {
        design: &design,
        constraint: Literal::TRUE,
        bad: vec![differ],
    };
    let mut prover = Prover::new(&question, || false);
    assert!(prover.advance(1_000_000));
    let finding = prover.findings()[0].as_ref().unwrap();
    assert!(matches!(finding, Finding::Unreachable(_)));
    assert!(prover.bound() <= 1);
}
