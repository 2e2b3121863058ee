//! Whether any memoryless correction exists: all of them, tried lazily.
//!
//! Deciding this is NP-complete [JSGB11, Sec. 5.2], so the search has a budget. It walks
//! over explicit states and gives the choice a value only in a point (readable signals)
//! that a play reaches. Points that look alike to the signals share their value, so
//! "impossible" means: by no function of these signals.
//!
//! A table fails by one run: into a state that cannot be won, or, when all plays of the
//! table are known, into a cycle (`lasso`) without some goal. Only the points on that
//! run are to blame, and as long as they keep their values, no other point matters: the
//! search goes back to the last of them, over all decisions made since \[Pro93\], and never
//! gives these points these values again \[Dec90\]. When no value of a point is left, those
//! that were blamed for its values are to blame together; when nobody is, there is no table.

use super::RepairError;
use super::explicit::{Explicit, Outcome};
use super::extract::{Extraction, Relation, Signal, extract};
use super::lasso::{Edge, failing_cycles};
use crate::bdd::{Limits, Variable};
use crate::game::{Game, Solution};
use std::collections::HashMap;

/// Effort of a search that is worth some seconds.
pub const LONG: usize = 200_000 * NEW_STEP;
/// Effort of a search beside which there are other corrections.
pub const SHORT: usize = 5_000 * NEW_STEP;
/// What it takes to evaluate a step, if one that is known takes 1.
const NEW_STEP: usize = 16;

pub enum Decision {
    Found(Extraction),
    Impossible,
    OutOfBudget,
}

pub fn search(
    game: &Game,
    solution: &Solution,
    choices: &[Variable],
    signals: &[Signal],
    budget: usize,
    limits: &Limits,
) -> Result<Decision, RepairError> {
    let Some(mut explicit) = Explicit::new(game, solution, choices, signals)? else {
        return Ok(Decision::OutOfBudget);
    };
    let agenda = explicit.initial()?;
    let mut search = Search {
        explicit,
        budget,
        effort: 0,
        next_check: 0,
        limits,
        walk: Walk::default(),
        table: Table::default(),
        decisions: Vec::new(),
    };
    for state in agenda {
        search.walk.reach(state, None);
    }
    match search.run()? {
        Some(true) => {
            let relation = search.relation(game, choices, signals)?;
            Ok(match extract(&relation, signals, &[])? {
                Some(extraction) => Decision::Found(extraction),
                None => Decision::OutOfBudget,
            })
        }
        Some(false) => Ok(Decision::Impossible),
        None => Ok(Decision::OutOfBudget),
    }
}

struct Search<'a> {
    explicit: Explicit<'a>,
    budget: usize,
    effort: usize,
    /// The effort at which to look at the clock again.
    next_check: usize,
    limits: &'a Limits,
    walk: Walk,
    table: Table,
    decisions: Vec<Made>,
}

/// The plays of the table so far.
#[derive(Default)]
struct Walk {
    /// States in the order in which they were reached, and the edge by which each was.
    agenda: Vec<usize>,
    reached_by: Vec<Option<usize>>,
    /// The place of each state in the agenda.
    places: HashMap<usize, usize>,
    edges: Vec<Edge>,
    /// How many pairs of a state of the agenda and an input were looked at.
    done: usize,
}

/// A point that was given a value, and how far the walk had come before.
struct Made {
    point: usize,
    /// The value that was tried first, and how many were given up since.
    first: usize,
    given_up: usize,
    /// The points on account of which values were given up.
    blamed: Vec<usize>,
    agenda: usize,
    edges: usize,
    done: usize,
}

/// The value of the choice in each point, and what is known not to work.
#[derive(Default)]
struct Table {
    values: Vec<Option<Given>>,
    /// The value of each point when it last had one: much of what failed elsewhere is right.
    last: Vec<usize>,
    /// Points that must not have these values all at once.
    failures: Vec<Vec<(usize, usize)>>,
    /// For a point and a value the failures that it is part of.
    with: HashMap<(usize, usize), Vec<usize>>,
}

/// A value, and the number of the decision that gave it.
#[derive(Clone, Copy)]
struct Given {
    value: usize,
    decision: usize,
}

/// Points that are to blame.
type Blame = Vec<usize>;

impl Search<'_> {
    /// Whether some table keeps all plays in the winning states and meets the goals; `None`
    /// if the budget ran out.
    fn run(&mut self) -> Result<Option<bool>, RepairError> {
        loop {
            self.effort += 1;
            let effort = self.effort + NEW_STEP * self.explicit.evaluated;
            if effort > self.budget {
                return Ok(None);
            }
            if effort >= self.next_check {
                self.next_check = effort + 1024 * NEW_STEP;
                self.limits.check()?;
            }
            let place = self.walk.done / self.explicit.inputs();
            let blamed = match self.walk.agenda.get(place) {
                Some(state) => self.step(*state, place),
                None => match self.failing_run() {
                    Some(blamed) => Some(blamed),
                    None => return Ok(Some(true)),
                },
            };
            if let Some(blamed) = blamed
                && !self.retreat(blamed)
            {
                return Ok(Some(false));
            }
        }
    }

    /// Looks at the next step, from a state at its place in the agenda; who is to blame if
    /// it must not be taken.
    fn step(&mut self, state: usize, from: usize) -> Option<Blame> {
        let input = self.walk.done % self.explicit.inputs();
        let Some(point) = self.explicit.point(state, input) else {
            self.walk.done += 1;
            return None;
        };
        let value = match self.table.value(point) {
            Some(value) => value,
            None => {
                let first = self.table.last.get(point).copied().unwrap_or(0);
                self.decisions.push(Made {
                    point,
                    first,
                    given_up: 0,
                    blamed: Vec::new(),
                    agenda: self.walk.agenda.len(),
                    edges: self.walk.edges.len(),
                    done: self.walk.done,
                });
                if let Some(blamed) = self.give(point, first) {
                    return Some(blamed);
                }
                first
            }
        };
        match self.explicit.outcome(state, input, value) {
            Outcome::Over => {}
            Outcome::Lost => {
                let blamed = self.walk.way_to(from, [point]);
                self.remember(&blamed);
                return Some(blamed);
            }
            Outcome::To { state, events } => {
                let to = self.walk.reach(state, Some(self.walk.edges.len()));
                self.walk.edges.push(Edge {
                    from,
                    to,
                    point,
                    events,
                });
            }
        }
        self.walk.done += 1;
        None
    }

    /// The last decision gives its point a value; who is to blame if that is known to fail.
    fn give(&mut self, point: usize, value: usize) -> Option<Blame> {
        let decision = self.decisions.len() - 1;
        self.table.give(point, Given { value, decision });
        let failures = self.table.with.get(&(point, value))?;
        self.effort += failures.len();
        let failure = failures.iter().find(|failure| {
            let mut parts = self.table.failures[**failure].iter();
            parts.all(|(point, value)| self.table.value(*point) == Some(*value))
        })?;
        let parts = self.table.failures[*failure].iter();
        Some(parts.map(|(point, _)| *point).collect())
    }

    /// Who is to blame if a play misses a goal, now that all plays are known. Of several
    /// such plays, one that takes back most.
    fn failing_run(&mut self) -> Option<Blame> {
        let (walk, goals) = (&self.walk, self.explicit.goals());
        self.effort += goals * walk.edges.len();
        let assumed = self.explicit.assumed();
        let cycles = failing_cycles(walk.agenda.len(), &walk.edges, goals, assumed);
        let run = |cycle: Vec<usize>| {
            let begin = walk.edges[cycle[0]].from;
            walk.way_to(begin, cycle.iter().map(|edge| walk.edges[*edge].point))
        };
        let runs: Vec<Blame> = cycles.into_iter().map(run).collect();
        for run in &runs {
            self.remember(run);
        }
        let last_decision = |run: &Blame| self.table.last_decision(run);
        runs.into_iter().min_by_key(last_decision)
    }

    /// The points must not have the values again that they have now.
    fn remember(&mut self, blamed: &[usize]) {
        self.effort += blamed.len();
        self.table.remember(blamed);
    }

    /// Takes decisions back until one can be made differently; whether there is one.
    fn retreat(&mut self, mut blamed: Blame) -> bool {
        loop {
            let Some(last) = self.table.last_decision(&blamed) else {
                return false;
            };
            for made in self.decisions.drain(last + 1..) {
                self.table.values[made.point] = None;
            }
            let Some(mut made) = self.decisions.pop() else {
                return false;
            };
            self.walk.return_to(&made);
            self.table.values[made.point] = None;
            blamed.retain(|point| *point != made.point);
            made.blamed.extend(blamed);
            made.given_up += 1;
            if made.given_up == self.explicit.values() {
                blamed = made.blamed;
                blamed.sort_unstable();
                blamed.dedup();
                self.remember(&blamed);
                continue;
            }
            let point = made.point;
            let value = (made.first + made.given_up) % self.explicit.values();
            self.decisions.push(made);
            match self.give(point, value) {
                Some(failure) => blamed = failure,
                None => return true,
            }
        }
    }

    /// The values that the table gives, and any where it gives none.
    fn relation(
        &self,
        game: &Game,
        choices: &[Variable],
        signals: &[Signal],
    ) -> Result<Relation, RepairError> {
        let manager = game.manager();
        let mut allowed = manager.one();
        let mut care = manager.zero();
        for point in 0..self.table.values.len() {
            let Some(value) = self.table.value(point) else {
                continue;
            };
            let mut here = manager.one();
            for (signal, value) in signals.iter().zip(self.explicit.point_values(point)) {
                let literal = if *value {
                    signal.function.clone()
                } else {
                    signal.function.not()
                };
                here = here.and(&literal)?;
            }
            let choices = choices.iter().enumerate();
            let literals: Vec<_> = choices.map(|(k, v)| (*v, value >> k & 1 == 1)).collect();
            allowed = allowed.and(&here.implies(&manager.cube(&literals)?)?)?;
            care = care.or(&here)?;
        }
        Ok(Relation {
            allowed,
            care,
            choices: choices.to_vec(),
        })
    }
}

impl Walk {
    /// The place of a state, which is reached by an edge if not before.
    fn reach(&mut self, state: usize, edge: Option<usize>) -> usize {
        let next = self.agenda.len();
        let place = *self.places.entry(state).or_insert(next);
        if place == next {
            self.agenda.push(state);
            self.reached_by.push(edge);
        }
        place
    }

    /// The points on the way to a place of the agenda, and others; each once.
    fn way_to(&self, place: usize, others: impl IntoIterator<Item = usize>) -> Blame {
        let mut points: Blame = others.into_iter().collect();
        let mut at = place;
        while let Some(edge) = self.reached_by[at] {
            points.push(self.edges[edge].point);
            at = self.edges[edge].from;
        }
        points.sort_unstable();
        points.dedup();
        points
    }

    fn return_to(&mut self, made: &Made) {
        for state in self.agenda.drain(made.agenda..) {
            self.places.remove(&state);
        }
        self.reached_by.truncate(made.agenda);
        self.edges.truncate(made.edges);
        self.done = made.done;
    }
}

impl Table {
    fn value(&self, point: usize) -> Option<usize> {
        let given = self.values.get(point)?.as_ref();
        given.map(|given| given.value)
    }

    fn give(&mut self, point: usize, given: Given) {
        if self.values.len() <= point {
            self.values.resize(point + 1, None);
            self.last.resize(point + 1, 0);
        }
        self.values[point] = Some(given);
        self.last[point] = given.value;
    }

    /// The last decision among those that gave the points their values.
    fn last_decision(&self, points: &[usize]) -> Option<usize> {
        let given = points.iter().filter_map(|point| self.values[*point]);
        given.map(|given| given.decision).max()
    }

    fn remember(&mut self, points: &[usize]) {
        let given = |point: &usize| Some((*point, self.value(*point)?));
        let failure: Vec<(usize, usize)> = points.iter().filter_map(given).collect();
        for part in &failure {
            let with = self.with.entry(*part).or_default();
            with.push(self.failures.len());
        }
        self.failures.push(failure);
    }
}
