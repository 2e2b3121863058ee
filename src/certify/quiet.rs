//! Runs in which nothing happens that does not matter.
//!
//! Which values of a run bring a bad step about is found from its end: a conjunction that is 1
//! is so because of both sides, one that is 0 because of one side that is 0, a latch because of
//! its next value in the step before. Of two sides the one is taken that rests on fewer inputs.
//! All other inputs may have any value, so they keep that of the step before, and a reader sees
//! what the environment has to do. That the run still shows the bad step follows, and is
//! confirmed by its replay.

use super::tableau::Product;
use crate::design::{Design, Literal, NodeId, NodeSet, Reach, Reset, Simulator};
use crate::prove::InputRun;
use crate::source::Diagnostic;
use std::collections::HashSet;

/// Values of nodes that are looked at; longer runs of larger designs stay as they are.
const MOST_VALUES: usize = 50_000_000;

/// The run with fewer events that ends in the same bad step and keeps the constraint.
pub(super) fn quiet(
    product: &Product,
    bad: Literal,
    run: InputRun,
) -> Result<InputRun, Diagnostic> {
    let design = &product.design;
    if design.len().saturating_mul(run.steps.len()) > MOST_VALUES {
        return Ok(run);
    }
    let gates: Vec<NodeId> = (design.checked_order()?.into_iter())
        .filter(|id| design.gate(*id).is_some())
        .collect();
    let steps = replayed(design, &gates, &run)?;
    let last = steps.len().saturating_sub(1);
    let mut needed = vec![false; design.len()];
    let mut quiet = InputRun {
        initial: Vec::new(),
        steps: Vec::new(),
    };
    let mut matters: Vec<HashSet<NodeId>> = Vec::new();
    for (index, step) in steps.iter().enumerate().rev() {
        needed[product.constraint.node().index()] = true;
        if index == last {
            needed[bad.node().index()] = true;
        }
        step.justify(design, &gates, &mut needed);
        let inputs = design.inputs().iter().copied();
        matters.push(inputs.filter(|id| needed[id.index()]).collect());
        if index == 0 {
            quiet.initial = run.initial.clone();
            let read = read_at_start(design, &needed);
            (quiet.initial).retain(|id| needed[id.index()] || read.contains(*id));
        }
        needed = before(design, &needed);
    }
    for (ones, matters) in run.steps.iter().zip(matters.iter().rev()) {
        let stays = quiet.steps.last().into_iter().flatten();
        let stays = stays.filter(|id| !matters.contains(*id));
        let given = ones.iter().filter(|id| matters.contains(*id));
        let ones = stays.chain(given).copied().collect();
        quiet.steps.push(ones);
    }
    Ok(quiet)
}

/// One step of a run: the value of each node, and how many values of inputs it rests on.
struct Step {
    values: Vec<bool>,
    costs: Vec<u16>,
}

impl Step {
    fn is_one(&self, literal: Literal) -> bool {
        self.values[literal.node().index()] != literal.is_complemented()
    }

    fn cost(&self, literal: Literal) -> u16 {
        self.costs[literal.node().index()]
    }

    /// Adds what the needed gates of this step need.
    fn justify(&self, design: &Design, gates: &[NodeId], needed: &mut [bool]) {
        for id in gates.iter().rev() {
            let (true, Some((left, right))) = (needed[id.index()], design.gate(*id)) else {
                continue;
            };
            let (is_left_one, is_right_one) = (self.is_one(left), self.is_one(right));
            let takes_left = match (is_left_one, is_right_one) {
                (true, true) => {
                    needed[left.node().index()] = true;
                    needed[right.node().index()] = true;
                    continue;
                }
                (false, true) => true,
                (true, false) => false,
                (false, false) => {
                    let is_known = |side: Literal| needed[side.node().index()];
                    if is_known(left) || is_known(right) {
                        continue;
                    }
                    self.cost(left) <= self.cost(right)
                }
            };
            let side = if takes_left { left } else { right };
            needed[side.node().index()] = true;
        }
    }
}

/// All steps of a run.
fn replayed(design: &Design, gates: &[NodeId], run: &InputRun) -> Result<Vec<Step>, Diagnostic> {
    let as_word = |is_one: bool| if is_one { u64::MAX } else { 0 };
    let initial: HashSet<NodeId> = run.initial.iter().copied().collect();
    let mut simulator = Simulator::new(design)?;
    simulator.start(|id| as_word(initial.contains(&id)));
    let mut costs = vec![0u16; design.len()];
    for id in design.latches() {
        let reset = design.latch(*id).map(|latch| latch.reset);
        let is_given = matches!(reset, Some(Reset::Zero | Reset::One));
        costs[id.index()] = u16::from(!is_given);
    }
    let mut steps: Vec<Step> = Vec::new();
    for ones in &run.steps {
        let ones: HashSet<NodeId> = ones.iter().copied().collect();
        simulator.settle(|id| as_word(ones.contains(&id)));
        let values = (0..design.len()).map(NodeId::from_index);
        let values = values.map(|id| simulator.value(id.literal()) & 1 == 1);
        let mut step = Step {
            values: values.collect(),
            costs,
        };
        for id in design.inputs() {
            step.costs[id.index()] = 1;
        }
        for id in gates {
            if let Some((left, right)) = design.gate(*id) {
                let (first, second) = (step.cost(left), step.cost(right));
                step.costs[id.index()] = match (step.is_one(left), step.is_one(right)) {
                    (true, true) => first.saturating_add(second),
                    (false, true) => first,
                    (true, false) => second,
                    (false, false) => first.min(second),
                };
            }
        }
        costs = vec![0; design.len()];
        for id in design.latches() {
            if let Some(latch) = design.latch(*id) {
                costs[id.index()] = step.cost(latch.next);
            }
        }
        steps.push(step);
        simulator.advance();
    }
    Ok(steps)
}

/// What the needed latches need in the step before.
fn before(design: &Design, needed: &[bool]) -> Vec<bool> {
    let mut earlier = vec![false; needed.len()];
    for id in design.latches() {
        if let (true, Some(latch)) = (needed[id.index()], design.latch(*id)) {
            earlier[latch.next.node().index()] = true;
        }
    }
    earlier
}

/// What the resets of the needed latches are computed from.
fn read_at_start(design: &Design, needed: &[bool]) -> NodeSet {
    let latches = design.latches().iter();
    let computed =
        latches
            .filter(|id| needed[id.index()])
            .filter_map(|id| match design.latch(*id)?.reset {
                Reset::Computed(literal) => Some(literal),
                _ => None,
            });
    let computed: Vec<Literal> = computed.collect();
    design.cone(computed, Reach::Cycle)
}

#[cfg(test)]
mod tests {
    use super::super::random_product::random_product;
    use super::*;
    use crate::random::Random;

    /// Whether a run keeps the constraint and ends in a bad step.
    fn shows(product: &Product, bad: Literal, run: &InputRun) -> bool {
        let mut simulator = Simulator::new(&product.design).unwrap();
        let word = |ones: &[NodeId], id: NodeId| u64::from(ones.contains(&id)).wrapping_neg();
        simulator.start(|id| word(&run.initial, id));
        let mut is_bad = false;
        for ones in &run.steps {
            simulator.settle(|id| word(ones, id));
            if simulator.value(product.constraint) & 1 == 0 {
                return false;
            }
            is_bad = simulator.value(bad) & 1 == 1;
            simulator.advance();
        }
        is_bad
    }

    fn events(run: &InputRun) -> usize {
        let mut events = run.initial.len();
        let mut last: &[NodeId] = &[];
        for ones in &run.steps {
            events += ones.iter().filter(|id| !last.contains(id)).count();
            events += last.iter().filter(|id| !ones.contains(id)).count();
            last = ones;
        }
        events
    }

    /// Random runs that show something show it still, with fewer events in most of them.
    #[test]
    fn what_a_run_shows_it_shows_with_fewer_events() {
        let (mut before, mut after, mut found) = (0, 0, 0);
        for seed in 0..2000 {
            let mut random = Random::new(seed);
            let (product, bad) = random_product(&mut random);
            let mut some = |nodes: &[NodeId]| -> Vec<NodeId> {
                nodes.iter().copied().filter(|_| random.flip()).collect()
            };
            let free: Vec<NodeId> = product.design.chosen_latches().collect();
            let run = InputRun {
                initial: some(&free),
                steps: (0..5).map(|_| some(product.design.inputs())).collect(),
            };
            if !shows(&product, bad, &run) {
                continue;
            }
            let less = quiet(&product, bad, run.clone()).unwrap();
            assert!(shows(&product, bad, &less), "seed {seed}");
            found += 1;
            before += events(&run);
            after += events(&less);
        }
        assert!(found > 100, "{found}");
        assert!(3 * after < before, "{after} of {before} events");
    }
}
