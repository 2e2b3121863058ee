//! Numbers the states of an automaton that is given by its steps, and merges those that
//! cannot be told apart.

use super::decision::{DecisionId, Decisions};
use super::{Limits, TooBig};
use std::collections::HashMap;
use std::hash::Hash;

/// A deterministic automaton. State 0 is the initial one; the leaf of a letter is twice the
/// successor, plus one if the transition is accepting.
#[derive(Clone, Debug)]
pub struct Graph {
    pub decisions: Decisions,
    pub steps: Vec<DecisionId>,
}

pub fn leaf_of(state: usize, accepting: bool) -> u32 {
    2 * state as u32 + u32::from(accepting)
}

pub fn successor_of(leaf: u32) -> (usize, bool) {
    (leaf as usize / 2, leaf % 2 == 1)
}

/// A limit was reached: of states, or of something inside them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overflow {
    States,
    Diagrams,
}

impl From<TooBig> for Overflow {
    fn from(_: TooBig) -> Overflow {
        Overflow::Diagrams
    }
}

/// What an automaton is given by.
pub trait Steps {
    type State: Clone + Eq + Hash;

    fn decisions(&mut self) -> &mut Decisions;

    /// A diagram whose leaves [`Steps::successor`] explains.
    fn step(&mut self, state: &Self::State) -> Result<DecisionId, TooBig>;

    /// The state behind a leaf, and whether the transition is accepting.
    fn successor(&self, leaf: u32) -> (Self::State, bool);
}

/// All states that can be reached; the numbering is that of a breadth-first search.
pub fn explore<S: Steps>(
    mut steps: S,
    initial: S::State,
    limits: &Limits,
) -> Result<(Graph, Vec<S::State>), Overflow> {
    let mut states = vec![initial.clone()];
    let mut numbers: HashMap<S::State, usize> = HashMap::from([(initial, 0)]);
    let mut found = Vec::new();
    while found.len() < states.len() {
        let state = states[found.len()].clone();
        let step = steps.step(&state)?;
        let mut leaves: HashMap<u32, u32> = HashMap::new();
        for leaf in steps.decisions().leaves(step) {
            let (successor, accepting) = steps.successor(leaf);
            let next = states.len();
            let number = *numbers.entry(successor.clone()).or_insert(next);
            if number == next {
                if next >= limits.states {
                    return Err(Overflow::States);
                }
                states.push(successor);
            }
            leaves.insert(leaf, leaf_of(number, accepting));
        }
        found.push(steps.decisions().map(step, |leaf| leaves[&leaf])?);
    }
    let graph = Graph {
        decisions: steps.decisions().clone(),
        steps: found,
    };
    Ok((graph, states))
}

/// Sends every step that cannot avoid the given state any more to that state. What is sure to
/// go wrong then shows as early as it can.
pub fn close_trap(graph: &mut Graph, trap: usize) -> Result<(), TooBig> {
    let mut doomed = vec![false; graph.steps.len()];
    doomed[trap] = true;
    loop {
        let mut changed = false;
        for state in 0..graph.steps.len() {
            if doomed[state] {
                continue;
            }
            let leaves = graph.decisions.leaves(graph.steps[state]);
            if leaves.iter().all(|leaf| doomed[successor_of(*leaf).0]) {
                doomed[state] = true;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    for state in 0..graph.steps.len() {
        let step = graph.steps[state];
        graph.steps[state] = if doomed[state] {
            graph.decisions.leaf(leaf_of(trap, false))?
        } else {
            graph.decisions.map(step, |leaf| {
                let (successor, accepting) = successor_of(leaf);
                if doomed[successor] {
                    leaf_of(trap, false)
                } else {
                    leaf_of(successor, accepting)
                }
            })?
        };
    }
    Ok(())
}

/// Merges states with equal kinds and equal steps, by partition refinement. Gives the class
/// of each old state too; the class of state 0 is 0.
pub fn merge_equal(mut graph: Graph, kinds: &[usize]) -> Result<(Graph, Vec<usize>), TooBig> {
    let mut classes: Vec<usize> = kinds.to_vec();
    let mut count = 0;
    loop {
        let mut numbers: HashMap<(usize, DecisionId), usize> = HashMap::new();
        let mut refined = Vec::with_capacity(classes.len());
        for state in 0..graph.steps.len() {
            let step = graph.decisions.map(graph.steps[state], |leaf| {
                let (successor, accepting) = successor_of(leaf);
                leaf_of(classes[successor], accepting)
            })?;
            let next = numbers.len();
            refined.push(*numbers.entry((classes[state], step)).or_insert(next));
        }
        let stable = numbers.len() == count;
        count = numbers.len();
        classes = refined;
        if stable {
            break;
        }
    }
    let mut steps = vec![None; count];
    for state in 0..graph.steps.len() {
        if steps[classes[state]].is_none() {
            let step = graph.decisions.map(graph.steps[state], |leaf| {
                let (successor, accepting) = successor_of(leaf);
                leaf_of(classes[successor], accepting)
            })?;
            steps[classes[state]] = Some(step);
        }
    }
    let merged = Graph {
        decisions: graph.decisions,
        steps: steps.into_iter().flatten().collect(),
    };
    Ok((merged, classes))
}

/// Drops states that the initial one does not lead to, and numbers the others anew.
pub fn reachable(mut graph: Graph) -> Result<(Graph, Vec<Option<usize>>), TooBig> {
    let mut order = vec![0];
    let mut numbers: Vec<Option<usize>> = vec![None; graph.steps.len()];
    numbers[0] = Some(0);
    let mut next = 0;
    while next < order.len() {
        for leaf in graph.decisions.leaves(graph.steps[order[next]]) {
            let (successor, _) = successor_of(leaf);
            if numbers[successor].is_none() {
                numbers[successor] = Some(order.len());
                order.push(successor);
            }
        }
        next += 1;
    }
    let mut steps = Vec::new();
    for state in order {
        steps.push(graph.decisions.map(graph.steps[state], |leaf| {
            let (successor, accepting) = successor_of(leaf);
            leaf_of(numbers[successor].unwrap_or(0), accepting)
        })?);
    }
    graph.steps = steps;
    Ok((graph, numbers))
}
