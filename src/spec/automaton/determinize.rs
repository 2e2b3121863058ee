//! Deterministic parity automata of nondeterministic ones \[piterman07\].
//!
//! First a Büchi automaton: each disjunct of the acceptance condition gets a copy, a run may
//! move into it once, edges that may be taken finitely often only are missing there, and the
//! others are waited for in turn. Then trees of sets of states. A node follows runs since some
//! step; its children follow those of them that have been accepted since, the older ones
//! first. When children have all of a node's states, each of these has been accepted once
//! more: the node is good in that step, and the children go. Nodes are numbered by age, and
//! when one goes, those after it move up: the smallest number that was good or went in a step
//! is the step's priority.
//!
//! Ours marks transitions, as \[schewe09\] does, so there is no state for what a step was like,
//! and letters are not enumerated: a diagram leads from them to the edges that they enable.
//!
//! Invariant: in a tree, parents come before children, and older siblings before younger
//! ones; siblings share no state.

use super::omega::{Automaton, Case, Edge, Letters, LongRun};
use super::{Limits, TooBig};
use crate::spec::formula::FormulaId;
use std::collections::{BTreeSet, HashMap};

impl Automaton {
    /// An automaton with the same language that is deterministic, by a parity condition: the
    /// smallest number that is seen again and again is even.
    pub fn determinized(&self, limits: &Limits) -> Result<Automaton, TooBig> {
        let buchi = self.as_buchi(limits)?;
        let mut trees = Trees {
            buchi: &buchi,
            limits,
            numbers: HashMap::new(),
            found: Vec::new(),
        };
        trees.meet(Tree::start(&buchi.start))?;
        let mut result = Automaton {
            start: vec![0],
            states: Vec::new(),
            ..buchi.clone()
        };
        if buchi.start.is_empty() {
            result.start = Vec::new();
            trees.found.clear();
        }
        let mut priorities = BTreeSet::new();
        while result.states.len() < trees.found.len() {
            let tree = trees.found[result.states.len()].clone();
            let edges = trees.step(&tree, &mut result)?;
            priorities.extend(edges.iter().flat_map(|edge| edge.marks.iter().copied()));
            result.states.push(edges);
        }
        Ok(result.with_priorities(&priorities))
    }

    /// A Büchi automaton with the same language: set 0 is taken again and again.
    pub fn as_buchi(&self, limits: &Limits) -> Result<Automaton, TooBig> {
        let cases = self.acceptance.cases()?;
        let waits = cases.iter().any(|case| !case.fin.is_empty());
        let count = self.states.len();
        // The copies one after the other, each once for each set that is waited for.
        let mut copies: Vec<(usize, &Case)> = Vec::new();
        let mut total = if waits { count } else { 0 };
        for case in &cases {
            copies.push((total, case));
            total += count * case.inf.len().max(1);
            if total > limits.states.saturating_mul(10) {
                return Err(TooBig);
            }
        }
        let mut states: Vec<Vec<Edge>> = vec![Vec::new(); total];
        for (state, edges) in self.states.iter().enumerate() {
            for edge in edges {
                let to = |successor: usize, accepting: bool| Edge {
                    guard: edge.guard,
                    successor,
                    marks: if accepting { vec![0] } else { Vec::new() },
                };
                if waits {
                    states[state].push(to(edge.successor, false));
                    for (first, _) in &copies {
                        states[state].push(to(first + edge.successor, false));
                    }
                }
                for (first, case) in &copies {
                    if edge.marks.iter().any(|mark| case.fin.contains(mark)) {
                        continue;
                    }
                    let wanted: Vec<usize> = case.inf.iter().copied().collect();
                    for level in 0..wanted.len().max(1) {
                        let mut next = level;
                        while next < wanted.len() && edge.marks.contains(&wanted[next]) {
                            next += 1;
                        }
                        let accepting = next == wanted.len();
                        let next = if accepting { 0 } else { next };
                        states[first + level * count + state]
                            .push(to(first + next * count + edge.successor, accepting));
                    }
                }
            }
        }
        let start = if waits {
            self.start.clone()
        } else {
            let starts = copies.iter();
            let starts = starts.flat_map(|(first, _)| self.start.iter().map(move |s| first + s));
            starts.collect()
        };
        let buchi = Automaton {
            start,
            states,
            sets: 1,
            acceptance: LongRun::Inf(0),
            ..self.clone()
        };
        Ok(buchi.reachable())
    }

    /// Marks that are priorities as sets from 0 on, without gaps where these do not matter.
    fn with_priorities(mut self, priorities: &BTreeSet<usize>) -> Automaton {
        let mut sets: HashMap<usize, usize> = HashMap::new();
        let mut last: Option<(usize, usize)> = None;
        for priority in priorities {
            let set = match last {
                None => priority % 2,
                Some((before, set)) if before % 2 == priority % 2 => set,
                Some((_, set)) => set + 1,
            };
            sets.insert(*priority, set);
            last = Some((*priority, set));
        }
        for edge in self.states.iter_mut().flatten() {
            edge.marks = edge.marks.iter().map(|mark| sets[mark]).collect();
        }
        self.sets = last.map_or(0, |(_, set)| set + 1);
        // A run without priorities in the long run is not accepted.
        self.acceptance = LongRun::Constant(false);
        for set in (0..self.sets).rev() {
            self.acceptance = match (set % 2, self.acceptance) {
                (0, LongRun::Constant(false)) => LongRun::Inf(set),
                (0, rest) => LongRun::Or(vec![LongRun::Inf(set), rest]),
                (_, LongRun::Constant(false)) => LongRun::Constant(false),
                (_, rest) => LongRun::And(vec![LongRun::Fin(set), rest]),
            };
        }
        self
    }
}

/// A node with the states of the runs that it follows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Node {
    parent: Option<usize>,
    states: BTreeSet<usize>,
}

/// Nodes by age.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Tree(Vec<Node>);

impl Tree {
    fn start(states: &[usize]) -> Tree {
        Tree(vec![Node {
            parent: None,
            states: states.iter().copied().collect(),
        }])
    }

    /// The tree after a letter, and the priority of the step; nothing if no run goes on.
    fn after(
        &self,
        successors: &dyn Fn(usize) -> Vec<(usize, bool)>,
    ) -> Option<(Tree, Option<usize>)> {
        let old = self.0.len();
        let image = |states: &BTreeSet<usize>, only_accepting: bool| -> BTreeSet<usize> {
            let all = states.iter().flat_map(|state| successors(*state));
            let all = all.filter(|(_, accepting)| *accepting || !only_accepting);
            all.map(|(state, _)| state).collect()
        };
        let mut nodes: Vec<Node> = Vec::new();
        for node in &self.0 {
            nodes.push(Node {
                parent: node.parent,
                states: image(&node.states, false),
            });
        }
        for (number, node) in self.0.iter().enumerate() {
            nodes.push(Node {
                parent: Some(number),
                states: image(&node.states, true),
            });
        }
        // A state belongs to its parent, and to the oldest of siblings.
        for number in 0..nodes.len() {
            let Some(parent) = nodes[number].parent else {
                continue;
            };
            let mut own = &nodes[number].states & &nodes[parent].states;
            for older in &nodes[..number] {
                if older.parent == Some(parent) {
                    own = &own - &older.states;
                }
            }
            nodes[number].states = own;
        }
        let mut is_good = vec![false; nodes.len()];
        let mut is_gone = vec![false; nodes.len()];
        for number in 0..nodes.len() {
            is_gone[number] = nodes[number].states.is_empty()
                || nodes[number]
                    .parent
                    .is_some_and(|parent| is_gone[parent] || is_good[parent]);
            if is_gone[number] {
                continue;
            }
            let children = nodes.iter().filter(|node| node.parent == Some(number));
            let covered: usize = children.map(|node| node.states.len()).sum();
            is_good[number] = covered == nodes[number].states.len();
        }
        if is_gone[0] {
            return None;
        }
        let good = (0..nodes.len()).find(|number| is_good[*number]);
        let gone = (0..old).find(|number| is_gone[*number]);
        let priority = match (good, gone) {
            (Some(good), Some(gone)) => Some((2 * good + 2).min(2 * gone + 1)),
            (Some(good), None) => Some(2 * good + 2),
            (None, Some(gone)) => Some(2 * gone + 1),
            (None, None) => None,
        };
        let mut numbers = vec![0; nodes.len()];
        let mut kept: Vec<Node> = Vec::new();
        for (number, node) in nodes.into_iter().enumerate() {
            if !is_gone[number] {
                numbers[number] = kept.len();
                kept.push(Node {
                    parent: node.parent.map(|parent| numbers[parent]),
                    states: node.states,
                });
            }
        }
        Some((Tree(kept), priority))
    }
}

struct Trees<'a> {
    buchi: &'a Automaton,
    limits: &'a Limits,
    numbers: HashMap<Tree, usize>,
    found: Vec<Tree>,
}

impl Trees<'_> {
    fn meet(&mut self, tree: Tree) -> Result<usize, TooBig> {
        if let Some(number) = self.numbers.get(&tree) {
            return Ok(*number);
        }
        if self.found.len() >= self.limits.states {
            return Err(TooBig);
        }
        let number = self.found.len();
        self.numbers.insert(tree.clone(), number);
        self.found.push(tree);
        Ok(number)
    }

    fn step(&mut self, tree: &Tree, result: &mut Automaton) -> Result<Vec<Edge>, TooBig> {
        let mut edges: Vec<(usize, &Edge)> = Vec::new();
        for state in &tree.0[0].states {
            edges.extend(self.buchi.states[*state].iter().map(|edge| (*state, edge)));
        }
        let guards: Vec<FormulaId> = edges.iter().map(|(_, edge)| edge.guard).collect();
        let mut letters = Letters::new(&self.buchi.formulas, self.limits);
        let step = letters.enabled(&guards)?;
        let mut outcomes: Vec<(usize, Option<usize>)> = Vec::new();
        let mut leaves: HashMap<u32, u32> = HashMap::new();
        const NOWHERE: u32 = u32::MAX;
        for leaf in letters.decisions().leaves(step) {
            let mut successors: HashMap<usize, Vec<(usize, bool)>> = HashMap::new();
            for index in letters.set(leaf) {
                let (state, edge) = edges[*index];
                let target = (edge.successor, !edge.marks.is_empty());
                successors.entry(state).or_default().push(target);
            }
            let of = |state: usize| successors.get(&state).cloned().unwrap_or_default();
            let number = match tree.after(&of) {
                None => NOWHERE,
                Some((next, priority)) => {
                    let outcome = (self.meet(next)?, priority);
                    let known = outcomes.iter().position(|one| *one == outcome);
                    known.unwrap_or_else(|| {
                        outcomes.push(outcome);
                        outcomes.len() - 1
                    }) as u32
                }
            };
            leaves.insert(leaf, number);
        }
        let mut decisions = letters.decisions().clone();
        let step = decisions.map(step, |leaf| leaves[&leaf])?;
        let mut found = Vec::new();
        for (number, (successor, priority)) in outcomes.into_iter().enumerate() {
            found.push(Edge {
                guard: decisions.guard(&mut result.formulas, step, number as u32),
                successor,
                marks: priority.into_iter().collect(),
            });
        }
        Ok(found)
    }
}
