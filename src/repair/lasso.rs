//! Runs that never end well: from the beginning into a cycle in which all assumed
//! recurrences happen and some goal does not.
//!
//! Such a cycle lies within a strongly connected component of the steps that miss the goal.
//! What is found is short, so that it says much about which steps are to blame, but not the
//! shortest.

use super::explicit::Events;
use crate::graph::components;
use std::collections::VecDeque;
use std::collections::hash_map::{Entry, HashMap};

/// A step between two states, which are numbered as they were first reached.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    /// What a correction sees there.
    pub point: usize,
    pub events: Events,
}

/// For each goal, and each component of states in which a run can miss it for ever, the
/// edges of such a cycle, by number; it begins with the state of the component that was
/// reached first. `edges` are sorted by the states that they leave.
pub fn failing_cycles(
    states: usize,
    edges: &[Edge],
    goals: usize,
    assumed: Events,
) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    for goal in 0..goals {
        let misses = |edge: &Edge| edge.events >> goal & 1 == 0;
        let mut successors = vec![Vec::new(); states];
        for edge in edges.iter().filter(|edge| misses(edge)) {
            successors[edge.from].push(edge.to);
        }
        let component = components(&successors);
        let mut events: Vec<Option<Events>> = vec![None; states];
        let mut first = vec![usize::MAX; states];
        for edge in edges.iter().filter(|edge| misses(edge)) {
            let number = component[edge.from];
            if number == component[edge.to] {
                *events[number].get_or_insert_default() |= edge.events;
                first[number] = first[number].min(edge.from);
            }
        }
        for number in 0..states {
            if events[number].is_some_and(|events| events & assumed == assumed) {
                let inside = |edge: &Edge| {
                    misses(edge) && component[edge.from] == number && component[edge.to] == number
                };
                found.push(cycle(edges, first[number], assumed, &inside));
            }
        }
    }
    found
}

/// A way from a state to itself on which all assumed recurrences happen, if edges of a
/// strongly connected component have them.
fn cycle(
    edges: &[Edge],
    begin: usize,
    assumed: Events,
    inside: &dyn Fn(&Edge) -> bool,
) -> Vec<usize> {
    let mut cycle: Vec<usize> = Vec::new();
    let mut at = begin;
    let mut missing = assumed;
    while missing != 0 {
        let part = way(edges, at, inside, &|edge| edge.events & missing != 0);
        for edge in &part {
            missing &= !edges[*edge].events;
            at = edges[*edge].to;
        }
        cycle.extend(part);
    }
    if at != begin || cycle.is_empty() {
        cycle.extend(way(edges, at, inside, &|edge| edge.to == begin));
    }
    cycle
}

/// A shortest way whose last edge is a wanted one. There must be one.
fn way(
    edges: &[Edge],
    from: usize,
    inside: &dyn Fn(&Edge) -> bool,
    is_wanted: &dyn Fn(&Edge) -> bool,
) -> Vec<usize> {
    let mut reached_by: HashMap<usize, usize> = HashMap::new();
    let mut pending = VecDeque::from([from]);
    while let Some(state) = pending.pop_front() {
        let start = edges.partition_point(|edge| edge.from < state);
        for (number, edge) in edges.iter().enumerate().skip(start) {
            if edge.from != state {
                break;
            }
            if !inside(edge) {
                continue;
            }
            if is_wanted(edge) {
                let mut way = vec![number];
                let mut at = state;
                while at != from {
                    way.push(reached_by[&at]);
                    at = edges[reached_by[&at]].from;
                }
                way.reverse();
                return way;
            }
            if let Entry::Vacant(place) = reached_by.entry(edge.to) {
                place.insert(number);
                pending.push_back(edge.to);
            }
        }
    }
    unreachable!("the component is strongly connected and has such an edge")
}
