//! Orders of variables in which little is waited for, from what is mentioned together.
//!
//! Two variables of one group, such as a constraint or a small gate, are neighbours. Between two
//! levels of a diagram, information flows from the variables above that still have a neighbour
//! below: the *frontier*. The order is made from the top; next comes the variable that leaves the
//! smallest frontier, and among such the one with the largest share of its neighbours above it
//! already. This is repeated from each variable as the first one, and the order with the smallest
//! sum of frontiers is kept. The largest frontier of the best order is the path-width of the graph
//! [Kin92]; finding that one is NP-hard, so ours is greedy.

use std::collections::BTreeSet;

/// Steps of the search, counted in variables looked at: some tens of milliseconds.
const PATIENCE: usize = 20_000_000;

/// Which variables are mentioned together.
pub(super) struct Graph {
    neighbours: Vec<Vec<usize>>,
}

impl Graph {
    /// For items that are numbered from 0; groups of one say nothing.
    pub fn new<'a>(count: usize, groups: impl IntoIterator<Item = &'a BTreeSet<usize>>) -> Graph {
        let mut neighbours = vec![BTreeSet::new(); count];
        for group in groups {
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

    /// The connected parts, each with its variables in the order of their numbers.
    pub fn parts(&self) -> Vec<Vec<usize>> {
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
    pub fn arranged(&self, part: &[usize]) -> Vec<usize> {
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
