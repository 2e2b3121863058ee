//! Smaller automata with the same language: states that cannot be told apart are one, and
//! states from which nothing is accepted are none.
//!
//! Two states are equal if each letter leads from both to equal states by edges with the same
//! marks; the coarsest such partition is found by refinement \[Hop71\].

use super::omega::{Automaton, Edge, Letters};
use super::{Limits, TooBig};
use crate::graph::components;
use crate::spec::formula::FormulaId;
use std::collections::{BTreeSet, HashMap};

impl Automaton {
    /// Without states from which no run is accepted, equal states as one.
    pub fn merged(self, limits: &Limits) -> Result<Automaton, TooBig> {
        let automaton = self.pruned()?.reachable();
        let mut letters = Letters::new(&automaton.formulas, limits);
        let mut steps = Vec::new();
        for edges in &automaton.states {
            let guards: Vec<FormulaId> = edges.iter().map(|edge| edge.guard).collect();
            steps.push(letters.enabled(&guards)?);
        }
        let mut decisions = letters.decisions().clone();
        // The targets behind a leaf of a state, as numbers that all states share.
        type Targets = BTreeSet<(usize, Vec<usize>)>;
        let mut classes = vec![0; automaton.states.len()];
        let mut count = 0;
        let mut targets: HashMap<Targets, u32> = HashMap::new();
        loop {
            targets.clear();
            let mut numbers = HashMap::new();
            let mut next = Vec::new();
            for (state, edges) in automaton.states.iter().enumerate() {
                let step = decisions.map(steps[state], |leaf| {
                    let own: Targets = letters
                        .set(leaf)
                        .iter()
                        .map(|index| &edges[*index])
                        .map(|edge| (classes[edge.successor], edge.marks.clone()))
                        .collect();
                    let new = targets.len() as u32;
                    *targets.entry(own).or_insert(new)
                })?;
                let new = numbers.len();
                next.push(*numbers.entry((classes[state], step)).or_insert(new));
            }
            let is_stable = numbers.len() == count;
            count = numbers.len();
            classes = next;
            if is_stable {
                break;
            }
        }
        // In the last round the classes did not change, but their numbers may have.
        let mut result = Automaton {
            states: vec![Vec::new(); count],
            ..automaton.clone()
        };
        for (state, edges) in automaton.states.iter().enumerate() {
            let class = classes[state];
            if !result.states[class].is_empty() {
                continue;
            }
            let target = |edge: &Edge| (classes[edge.successor], edge.marks.clone());
            let found: Targets = edges.iter().map(target).collect();
            for (successor, marks) in found {
                // The letters that enable one of the edges to this target.
                let holds = decisions.map(steps[state], |leaf| {
                    u32::from(
                        letters
                            .set(leaf)
                            .iter()
                            .any(|index| target(&edges[*index]) == (successor, marks.clone())),
                    )
                })?;
                let guard = decisions.guard(&mut result.formulas, holds, 1);
                result.states[class].push(Edge {
                    guard,
                    successor,
                    marks,
                });
            }
        }
        result.start = automaton
            .start
            .iter()
            .map(|state| classes[*state])
            .collect();
        result.start.sort_unstable();
        result.start.dedup();
        Ok(result.reachable())
    }

    /// Without edges to states from which no run is accepted.
    fn pruned(mut self) -> Result<Automaton, TooBig> {
        let count = self.states.len();
        let mut is_alive = vec![false; count];
        for case in self.acceptance.cases()? {
            let allowed = |edge: &Edge| !edge.marks.iter().any(|mark| case.fin.contains(mark));
            let successors: Vec<Vec<usize>> = self
                .states
                .iter()
                .map(|edges| {
                    let edges = edges.iter().filter(|edge| allowed(edge));
                    edges.map(|edge| edge.successor).collect()
                })
                .collect();
            let component = components(&successors);
            let mut seen: HashMap<usize, BTreeSet<usize>> = HashMap::new();
            for (state, edges) in self.states.iter().enumerate() {
                for edge in edges.iter().filter(|edge| allowed(edge)) {
                    if component[state] == component[edge.successor] {
                        let seen = seen.entry(component[state]).or_default();
                        seen.extend(&edge.marks);
                    }
                }
            }
            for state in 0..count {
                let seen = seen.get(&component[state]);
                is_alive[state] |= seen.is_some_and(|marks| case.inf.is_subset(marks));
            }
        }
        // Components are numbered from the last ones on, but a sweep until nothing changes
        // is as good.
        loop {
            let mut changed = false;
            for state in 0..count {
                let leads = |edge: &Edge| is_alive[edge.successor];
                if !is_alive[state] && self.states[state].iter().any(leads) {
                    is_alive[state] = true;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        for edges in &mut self.states {
            edges.retain(|edge| is_alive[edge.successor]);
        }
        self.start.retain(|state| is_alive[*state]);
        Ok(self)
    }
}
