//! The first order of variables, from what constraints mention together.
//!
//! Two variables of one constraint are neighbours. Between two levels of a diagram, information
//! flows from the variables above that still have a neighbour below: the *frontier*. The order
//! is made from the top; next comes the variable that leaves the smallest frontier, and among
//! such the one with the largest share of its neighbours above it already. This is repeated from
//! each variable as the first one, and the order with the smallest sum of frontiers is kept. The
//! largest frontier of the best order is the path-width of the graph [Kin92]; finding that one is
//! NP-hard, so ours is greedy.
//!
//! Then the order is turned around if that brings what the environment is assumed to make recur
//! nearer to the top. The sets of states of one fixpoint differ in how far such a recurrence is
//! away. What they have in common, such as the mutual exclusion of many clients, is one diagram
//! for all of them if it is at the bottom, and one for each of them if it is at the top.
//!
//! Parts that share no variable are arranged one by one.

use crate::spec::gr1::{Gr1, Kind, Side, VariableId};
use std::collections::BTreeSet;

/// A constraint on more variables says nothing about which of them belong together.
const LARGEST_GROUP: usize = 300;
/// Steps of the search, counted in variables looked at: some tens of milliseconds.
const PATIENCE: usize = 20_000_000;

/// An order of the variables in which few are waited for at each level.
pub(super) fn arrangement(spec: &Gr1) -> Vec<VariableId> {
    let graph = Graph::new(spec);
    let awaited = awaited(spec);
    let mut order = Vec::new();
    for part in graph.parts() {
        let mut arranged = graph.arranged(&part);
        if is_below_middle(&arranged, &awaited) {
            arranged.reverse();
        }
        order.extend(arranged);
    }
    order
        .into_iter()
        .map(|index| VariableId(index as u32))
        .collect()
}

/// What justice assumptions speak of.
fn awaited(spec: &Gr1) -> BTreeSet<usize> {
    spec.of(Side::Assumption, Kind::Justice)
        .flat_map(|id| spec.terms.variables(spec.constraint(id).term))
        .map(|(variable, _)| variable.0 as usize)
        .collect()
}

/// Whether the given variables are in the second half of an order on average.
fn is_below_middle(order: &[usize], variables: &BTreeSet<usize>) -> bool {
    let positions = (0..).zip(order);
    let found: Vec<usize> = positions
        .filter(|(_, variable)| variables.contains(variable))
        .map(|(position, _)| position)
        .collect();
    2 * found.iter().sum::<usize>() > found.len() * order.len()
}

/// Which variables some constraint mentions together.
struct Graph {
    neighbours: Vec<Vec<usize>>,
}

impl Graph {
    fn new(spec: &Gr1) -> Graph {
        let groups: BTreeSet<BTreeSet<usize>> = spec
            .constraints
            .iter()
            .map(|constraint| spec.terms.variables(constraint.term))
            .map(|group| group.into_iter().map(|(id, _)| id.0 as usize).collect())
            .filter(|group: &BTreeSet<usize>| (2..=LARGEST_GROUP).contains(&group.len()))
            .collect();
        let mut neighbours = vec![BTreeSet::new(); spec.variables.len()];
        for group in &groups {
            for one in group {
                neighbours[*one].extend(group.iter().filter(|other| *other != one));
            }
        }
        Graph {
            neighbours: neighbours
                .into_iter()
                .map(|all| all.into_iter().collect())
                .collect(),
        }
    }

    /// The connected parts, each with its variables in the order of the specification.
    fn parts(&self) -> Vec<Vec<usize>> {
        let mut seen = vec![false; self.neighbours.len()];
        let mut parts = Vec::new();
        for first in 0..seen.len() {
            if std::mem::replace(&mut seen[first], true) {
                continue;
            }
            let mut part = vec![first];
            let mut next = 0;
            while let Some(&one) = part.get(next) {
                for &other in &self.neighbours[one] {
                    if !std::mem::replace(&mut seen[other], true) {
                        part.push(other);
                    }
                }
                next += 1;
            }
            part.sort_unstable();
            parts.push(part);
        }
        parts
    }

    /// The best order of a connected part that was found.
    fn arranged(&self, part: &[usize]) -> Vec<usize> {
        let starts = (PATIENCE / (part.len() * part.len())).clamp(1, part.len());
        // Variables with few neighbours are likely to be at an end of a good order.
        let mut first: Vec<usize> = part.to_vec();
        if starts < part.len() {
            first.sort_by_key(|one| self.neighbours[*one].len());
        }
        let mut best: Option<(usize, Vec<usize>)> = None;
        for start in first.into_iter().take(starts) {
            let most = best.as_ref().map_or(usize::MAX, |(sum, _)| *sum);
            if let Some(found) = self.from(start, part, most) {
                best = Some(found);
            }
        }
        best.map_or_else(|| part.to_vec(), |(_, order)| order)
    }

    /// The greedy order with the given first variable and the sum of its frontiers, if that is
    /// less than `most`.
    fn from(&self, start: usize, part: &[usize], most: usize) -> Option<(usize, Vec<usize>)> {
        let mut search = Search {
            graph: self,
            is_placed: vec![false; self.neighbours.len()],
            below: self.neighbours.iter().map(Vec::len).collect(),
            closes: vec![0; self.neighbours.len()],
        };
        let mut left = part.to_vec();
        let mut order = Vec::new();
        let (mut frontier, mut sum) = (0, 0);
        let mut next = Some(start);
        while let Some(variable) = next {
            frontier = frontier + search.opens(variable) - search.closes[variable];
            sum += frontier;
            if sum >= most {
                return None;
            }
            search.place(variable);
            order.push(variable);
            left.retain(|other| *other != variable);
            next = left
                .iter()
                .copied()
                .filter(|one| search.above(*one) > 0)
                .min_by(|one, other| search.compare(*one, *other));
        }
        Some((sum, order))
    }
}

struct Search<'a> {
    graph: &'a Graph,
    is_placed: Vec<bool>,
    /// How many neighbours of each variable are not placed.
    below: Vec<usize>,
    /// For how many placed variables each variable is the last neighbour.
    closes: Vec<usize>,
}

impl Search<'_> {
    /// How many neighbours of a variable are placed.
    fn above(&self, variable: usize) -> usize {
        self.graph.neighbours[variable].len() - self.below[variable]
    }

    /// Whether a variable would be part of the frontier, as a number.
    fn opens(&self, variable: usize) -> usize {
        usize::from(self.below[variable] > 0)
    }

    /// Which variable is better placed next, as the smaller one.
    fn compare(&self, one: usize, other: usize) -> std::cmp::Ordering {
        let neighbours = |variable: usize| self.graph.neighbours[variable].len();
        let frontier_with_one = self.opens(one) + self.closes[other];
        let frontier_with_other = self.opens(other) + self.closes[one];
        let share_of_one = self.above(one) * neighbours(other);
        let share_of_other = self.above(other) * neighbours(one);
        frontier_with_one
            .cmp(&frontier_with_other)
            .then(share_of_other.cmp(&share_of_one))
            .then(one.cmp(&other))
    }

    fn place(&mut self, variable: usize) {
        self.is_placed[variable] = true;
        self.note_last(variable);
        let graph = self.graph;
        for &other in &graph.neighbours[variable] {
            self.below[other] -= 1;
            if self.is_placed[other] {
                self.note_last(other);
            }
        }
    }

    /// Finds the last neighbour of a placed variable, if only one is left.
    fn note_last(&mut self, variable: usize) {
        if self.below[variable] != 1 {
            return;
        }
        let mut neighbours = self.graph.neighbours[variable].iter();
        if let Some(&last) = neighbours.find(|other| !self.is_placed[**other]) {
            self.closes[last] += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;
    use crate::spec::spectra;

    fn names(text: &str) -> String {
        let mut sources = Sources::new();
        let id = sources.add("test.spectra", text);
        let spec = spectra::parse(&sources, id).expect("well-formed");
        let order = arrangement(&spec).into_iter();
        let names: Vec<&str> = order.map(|id| spec.variable(id).name.as_str()).collect();
        names.join(" ")
    }

    #[test]
    fn neighbours_of_a_chain_are_side_by_side() {
        let text = "module M env boolean a; sys boolean c; sys boolean b; sys boolean d;\n\
                    gar G (a -> b); gar G (b -> c); gar G (c -> d);";
        assert_eq!(names(text), "a b c d");
    }

    #[test]
    fn a_client_keeps_its_variables_together() {
        let text = "module M env boolean r1; env boolean r2; env boolean r3;\n\
                    sys boolean g1; sys boolean g2; sys boolean g3;\n\
                    gar G (g1 -> r1); gar G (g2 -> r2); gar G (g3 -> r3);\n\
                    gar G !(g1 & g2); gar G !(g2 & g3); gar G !(g1 & g3);";
        assert_eq!(names(text), "r1 g1 g2 r2 g3 r3");
    }

    #[test]
    fn what_is_assumed_to_recur_is_at_the_top() {
        let chain = "module M env boolean a; sys boolean b; sys boolean c;\n\
                     gar G (a -> b); gar G (b -> next(c));";
        assert_eq!(names(chain), "a b c");
        assert_eq!(names(&format!("{chain} asm GF c;")), "c b a");
    }

    #[test]
    fn parts_are_not_mixed() {
        let text = "module M env boolean a; env boolean b; sys boolean c; sys boolean d;\n\
                    gar G (a -> c); gar G (b -> d);";
        assert_eq!(names(text), "a c b d");
    }

    /// The sum that is compared is that of the definition.
    #[test]
    fn sums_of_frontiers_are_right() {
        let mut random = crate::random::Random::new(7);
        for case in 0..200 {
            let count = 2 + random.below(9);
            let mut neighbours = vec![BTreeSet::new(); count];
            for one in 0..count {
                for other in 0..one {
                    if random.below(3) == 0 {
                        neighbours[one].insert(other);
                        neighbours[other].insert(one);
                    }
                }
            }
            let graph = Graph {
                neighbours: neighbours
                    .iter()
                    .map(|all| all.iter().copied().collect())
                    .collect(),
            };
            for part in graph.parts() {
                let found = graph.from(part[0], &part, usize::MAX);
                let (sum, order) = found.expect("no bound");
                let mut sorted = order.clone();
                sorted.sort_unstable();
                assert_eq!(sorted, part, "case {case}");
                let expected: usize = (1..=order.len())
                    .map(|cut| {
                        let (above, below) = order.split_at(cut);
                        let waits = |one: &&usize| {
                            below.iter().any(|other| neighbours[**one].contains(other))
                        };
                        above.iter().filter(waits).count()
                    })
                    .sum();
                assert_eq!(sum, expected, "case {case}");
            }
        }
    }
}
