//! Claims about random circuits against a search over all states.

use super::super::tests::random_design;
use super::*;
use crate::design::{InputKind, Reset, Simulator};
use crate::random::Random;
use std::collections::BTreeSet;

/// All latches in one state, as bits.
type State = usize;

/// A step that keeps the constraint.
struct Step {
    from: State,
    to: State,
    /// Which conditions it meets.
    met: Vec<bool>,
}

struct Graph {
    initial: BTreeSet<State>,
    steps: Vec<Step>,
}

impl Graph {
    fn new(question: &LiveQuestion) -> Graph {
        let design = question.design;
        let mut simulator = Simulator::new(design).unwrap();
        let state_of = |simulator: &Simulator| {
            let latches = design.latches().iter().enumerate();
            latches.fold(0, |state, (index, id)| {
                state | ((simulator.value(id.literal()) & 1) as usize) << index
            })
        };
        let mut initial = BTreeSet::new();
        for choice in 0..1usize << design.chosen_latches().count() {
            let mut index = 0;
            simulator.start(|_| {
                index += 1;
                (choice >> (index - 1) & 1) as u64
            });
            initial.insert(state_of(&simulator));
        }
        let mut steps = Vec::new();
        for from in 0..1usize << design.latches().len() {
            for inputs in 0..1usize << design.inputs().len() {
                let (mut latch, mut input) = (0, 0);
                simulator.resume(|_| {
                    latch += 1;
                    (from >> (latch - 1) & 1) as u64
                });
                simulator.settle(|_| {
                    input += 1;
                    (inputs >> (input - 1) & 1) as u64
                });
                let value = |literal: Literal| simulator.value(literal) & 1 == 1;
                if !value(question.constraint) {
                    continue;
                }
                let met = question.fairness.iter().map(|one| value(*one)).collect();
                simulator.advance();
                let to = state_of(&simulator);
                steps.push(Step { from, to, met });
            }
        }
        Graph { initial, steps }
    }

    /// Whether an initial state has a fair run.
    fn has_fair_run(&self) -> bool {
        let count = self.steps.first().map_or(0, |step| step.met.len());
        let mut fair: BTreeSet<State> = self.steps.iter().map(|step| step.from).collect();
        loop {
            let before = fair.len();
            for condition in 0..count.max(1) {
                let inside = |step: &&Step| fair.contains(&step.from) && fair.contains(&step.to);
                let meets = |step: &&Step| count == 0 || step.met[condition];
                let all = || self.steps.iter().filter(inside);
                let mut leading: BTreeSet<State> =
                    all().filter(meets).map(|step| step.from).collect();
                loop {
                    let size = leading.len();
                    let more: Vec<State> = all()
                        .filter(|step| leading.contains(&step.to))
                        .map(|step| step.from)
                        .collect();
                    leading.extend(more);
                    if leading.len() == size {
                        break;
                    }
                }
                fair = leading;
            }
            if fair.len() == before {
                return self.initial.iter().any(|state| fair.contains(state));
            }
        }
    }
}

/// Whether a run is one, comes back to where its loop starts, and is fair.
fn is_fair(question: &LiveQuestion, lasso: &Lasso) -> bool {
    let design = question.design;
    let mut simulator = Simulator::new(design).unwrap();
    simulator.start(|id| u64::from(lasso.run.initial.contains(&id)));
    let mut met = vec![false; question.fairness.len()];
    let state = |simulator: &Simulator| -> Vec<u64> {
        let latches = design.latches().iter();
        latches
            .map(|id| simulator.value(id.literal()) & 1)
            .collect()
    };
    let mut start = None;
    for (step, ones) in lasso.run.steps.iter().enumerate() {
        if step == lasso.loop_start {
            start = Some(state(&simulator));
        }
        simulator.settle(|id| u64::from(ones.contains(&id)));
        if simulator.value(question.constraint) & 1 == 0 {
            return false;
        }
        for (met, condition) in met.iter_mut().zip(question.fairness) {
            *met |= start.is_some() && simulator.value(*condition) & 1 == 1;
        }
        simulator.advance();
    }
    start == Some(state(&simulator)) && met.iter().all(|met| *met)
}

fn some_literal(design: &Design, random: &mut Random) -> Literal {
    NodeId::from_index(1 + random.below(design.len() - 1))
        .literal()
        .complement_if(random.flip())
}

fn decide(question: &LiveQuestion) -> LiveFinding {
    let mut prover = LiveProver::new(question, || false);
    // In small turns, so that stopping and going on is tested, too.
    let mut work = 50;
    while !prover.advance(work) {
        work *= 2;
    }
    prover.finding().unwrap().clone()
}

#[test]
fn claims_about_random_circuits_hold() {
    let (mut fair, mut unfair, mut layered, mut counted) = (0, 0, 0, 0);
    for seed in 1..=4000 {
        let mut random = Random::new(seed);
        let (mut design, constraint, _) = random_design(&mut random);
        if design.check().is_err() {
            continue;
        }
        let mut fairness = Vec::new();
        for _ in 0..random.below(4) {
            let (one, other) = (
                some_literal(&design, &mut random),
                some_literal(&design, &mut random),
            );
            fairness.push(design.and(one, other));
        }
        // All latches are compared, so that the replay can compare them.
        let observed: Vec<Literal> = design.latches().iter().map(|id| id.literal()).collect();
        let question = LiveQuestion {
            design: &design,
            constraint,
            fairness: &fairness,
            observed: &observed,
        };
        let expected = Graph::new(&question).has_fair_run();
        if seed % 4 == 0 {
            // Layers are quicker on circuits as small as these, so rounds are counted apart.
            let monitor = Monitor::new(&question);
            let mut search = Counted::new(&monitor, constraint, Rc::new(|| false));
            let work = if expected { 20_000 } else { u64::MAX };
            let (_, bound) = search.search(&monitor, work);
            assert_eq!(bound.is_none(), expected, "seed {seed}: {bound:?}");
            counted += usize::from(bound.is_some());
        }
        match decide(&question) {
            LiveFinding::FairRun(lasso) => {
                assert!(is_fair(&question, &lasso), "seed {seed}: {lasso:?}");
                assert!(expected, "seed {seed}");
                fair += 1;
            }
            LiveFinding::NoFairRun(ranking) => {
                assert!(!expected, "seed {seed}");
                unfair += 1;
                layered += usize::from(ranking.layers.len() > 1);
            }
            LiveFinding::FewRounds(_) => {
                assert!(!expected, "seed {seed}");
                unfair += 1;
            }
        }
    }
    assert!(
        fair > 300 && unfair > 300 && layered > 50 && counted > 100,
        "{fair} {unfair} {layered} {counted}"
    );
}

/// A counter that stops at its end completes 15 rounds and no more.
#[test]
fn rounds_that_end_are_counted() {
    let mut design = Design::new();
    let go = design.add_input(InputKind::Environment).literal();
    let bits: Vec<NodeId> = (0..4).map(|_| design.add_latch(Reset::Zero)).collect();
    let full = design.and_all(bits.iter().map(|id| id.literal()));
    let step = design.and(go, !full);
    let mut carry = step;
    for bit in &bits {
        let next = design.xor(bit.literal(), carry);
        carry = design.and(carry, bit.literal());
        design.set_next(*bit, next);
    }
    let question = LiveQuestion {
        design: &design,
        constraint: Literal::TRUE,
        fairness: &[step],
        observed: &[],
    };
    match decide(&question) {
        LiveFinding::FairRun(_) => panic!("the counter stops"),
        LiveFinding::NoFairRun(ranking) => assert!(ranking.layers.len() <= 16),
        LiveFinding::FewRounds(bound) => assert_eq!(bound.most, 16),
    }
    let monitor = Monitor::new(&question);
    let mut counted = Counted::new(&monitor, Literal::TRUE, Rc::new(|| false));
    let (_, bound) = counted.search(&monitor, u64::MAX);
    assert_eq!(bound.map(|bound| bound.most), Some(16));
}
