//! Runs that end in a cycle, and whether a specification's constraints hold on one.
//!
//! A run gives the variables that the file declares; what was made for patterns, triggers
//! and the past is computed by trying all values, of which exactly one must fit.

use crate::seed::given_seed;
use respin::random::Random;
use respin::source::Sources;
use respin::spec::gr1::{ConstraintId, Gr1, Kind, Value, VariableId};
use respin::spec::spectra;
use std::collections::HashMap;
use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

/// Values of the declared variables, in their order.
pub type Step = Vec<Value>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub prefix: Vec<Step>,
    pub cycle: Vec<Step>,
}

pub fn parse(text: &str) -> Gr1 {
    let mut sources = Sources::new();
    let file = sources.add("test.spectra", format!("spec Test\n{text}"));
    spectra::parse(&sources, file).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

impl Run {
    pub fn at(&self, position: usize) -> &Step {
        match self.prefix.get(position) {
            Some(step) => step,
            None => &self.cycle[(position - self.prefix.len()) % self.cycle.len()],
        }
    }

    pub fn length(&self) -> usize {
        self.prefix.len() + self.cycle.len()
    }

    /// Where a position is among those of the prefix and one cycle.
    fn place(&self, position: usize) -> usize {
        if position < self.length() {
            return position;
        }
        self.prefix.len() + (position - self.prefix.len()) % self.cycle.len()
    }

    pub fn random(random: &mut Random, domains: &[Vec<Value>]) -> Run {
        let rates: Vec<usize> = domains
            .iter()
            .map(|_| [5, 20, 50, 80][random.below(4)])
            .collect();
        let steps = |random: &mut Random, count: usize| {
            let step = |random: &mut Random| {
                let pairs = domains.iter().zip(&rates);
                let value = |(values, rate): (&Vec<Value>, &usize)| match values.as_slice() {
                    [0, 1] => Value::from(random.chance(*rate)),
                    _ => values[random.below(values.len())],
                };
                pairs.map(value).collect()
            };
            (0..count).map(|_| step(random)).collect()
        };
        let (prefix, cycle) = (random.below(8), 1 + random.below(5));
        Run {
            prefix: steps(random, prefix),
            cycle: steps(random, cycle),
        }
    }

    /// Shorter or quieter ones.
    pub fn smaller(&self) -> Vec<Run> {
        let mut found = Vec::new();
        for part in 0..2 {
            let count = [&self.prefix, &self.cycle][part].len();
            for index in 0..count {
                let mut shorter = self.clone();
                [&mut shorter.prefix, &mut shorter.cycle][part].remove(index);
                found.push(shorter);
                let width = self.at(0).len();
                for variable in 0..width {
                    let mut quieter = self.clone();
                    let step = &mut [&mut quieter.prefix, &mut quieter.cycle][part][index];
                    if step[variable] > 0 {
                        step[variable] = 0;
                        found.push(quieter);
                    }
                }
            }
        }
        found.retain(|run| !run.cycle.is_empty());
        found
    }
}

/// The smallest run of this kind that can be found from one.
pub fn shrink(run: Run, is_wrong: &mut dyn FnMut(&Run) -> bool) -> Run {
    let mut run = run;
    while let Some(smaller) = run.smaller().into_iter().find(|smaller| is_wrong(smaller)) {
        run = smaller;
    }
    run
}

impl fmt::Display for Run {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:?} then for ever {:?}", self.prefix, self.cycle)
    }
}

/// Decides for one specification; remembers how auxiliary variables move.
pub struct Judge<'s> {
    spec: &'s Gr1,
    declared: Vec<VariableId>,
    auxiliary: Vec<VariableId>,
    /// All values of the auxiliary variables together.
    states: Vec<Step>,
    moves: HashMap<(usize, Step, Step), usize>,
}

impl<'s> Judge<'s> {
    pub fn new(spec: &'s Gr1) -> Judge<'s> {
        let (auxiliary, declared): (Vec<_>, Vec<_>) = spec
            .variable_ids()
            .partition(|id| spec.variable(*id).is_auxiliary());
        let mut states = vec![Vec::new()];
        for variable in &auxiliary {
            let values = spec.variable(*variable).domain.values();
            states = states
                .into_iter()
                .flat_map(|state| {
                    values.iter().map(move |value| {
                        let mut state: Step = state.clone();
                        state.push(*value);
                        state
                    })
                })
                .collect();
        }
        Judge {
            spec,
            declared,
            auxiliary,
            states,
            moves: HashMap::new(),
        }
    }

    pub fn domains(&self) -> Vec<Vec<Value>> {
        let domain = |id: &VariableId| self.spec.variable(*id).domain.values();
        self.declared.iter().map(domain).collect()
    }

    fn holds(&self, id: ConstraintId, now: (&Step, &Step), next: (&Step, &Step)) -> bool {
        let mut value = |variable: VariableId, primed: bool| {
            let (given, made) = if primed { next } else { now };
            let place = |list: &[VariableId]| list.iter().position(|other| *other == variable);
            match place(&self.declared) {
                Some(place) => given[place],
                None => made[place(&self.auxiliary).expect("a variable")],
            }
        };
        self.spec
            .evaluate(self.spec.constraint(id).term, &mut value)
            != 0
    }

    fn constraints(&self, kind: Kind, is_definition: bool) -> Vec<ConstraintId> {
        let all = self.spec.constraint_ids();
        all.filter(|id| {
            let constraint = self.spec.constraint(*id);
            constraint.kind == kind && constraint.definition.is_some() == is_definition
        })
        .collect()
    }

    /// The one state that fits, or none: a counter may forbid to overflow.
    fn only(&self, fits: impl Fn(&Step) -> bool) -> Option<usize> {
        let mut found = (0..self.states.len()).filter(|index| fits(&self.states[*index]));
        let only = found.next();
        assert_eq!(found.next(), None, "a definition allows one value only");
        only
    }

    /// Whether all constraints, of either side, hold on a run.
    pub fn keeps(&mut self, run: &Run) -> bool {
        let definitions = self.constraints(Kind::Initial, true);
        let first = run.at(0);
        let only = self.only(|state| {
            let here = (first, state);
            definitions.iter().all(|id| self.holds(*id, here, here))
        });
        let Some(mut state) = only else {
            return false;
        };
        let here = (first, &self.states[state]);
        let initial = self.constraints(Kind::Initial, false);
        if !initial.iter().all(|id| self.holds(*id, here, here)) {
            return false;
        }
        let steps = self.constraints(Kind::Safety, true);
        let safety = self.constraints(Kind::Safety, false);
        let mut visited: Vec<(usize, usize)> = Vec::new();
        for position in 0.. {
            let configuration = (run.place(position), state);
            if let Some(start) = visited.iter().position(|other| *other == configuration) {
                let justice = self.constraints(Kind::Justice, false);
                return justice.iter().all(|id| {
                    visited[start..].iter().any(|(place, state)| {
                        let here = (run.at(*place), &self.states[*state]);
                        self.holds(*id, here, here)
                    })
                });
            }
            visited.push(configuration);
            let (now, next) = (run.at(position), run.at(position + 1));
            let key = (state, now.clone(), next.clone());
            let target = match self.moves.get(&key) {
                Some(&target) => Some(target),
                None => {
                    let target = self.only(|target| {
                        let (now, next) = ((now, &self.states[state]), (next, target));
                        steps.iter().all(|id| self.holds(*id, now, next))
                    });
                    self.moves.extend(target.map(|target| (key, target)));
                    target
                }
            };
            let Some(target) = target else {
                return false;
            };
            let now = (now, &self.states[state]);
            let next = (next, &self.states[target]);
            if !safety.iter().all(|id| self.holds(*id, now, next)) {
                return false;
            }
            state = target;
        }
        false
    }
}

/// Random runs that `RESPIN_SEED` repeats; without it, others each time.
pub fn random() -> Random {
    let seed = given_seed().unwrap_or_else(|| {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        since.map_or(1, |since| since.as_nanos() as u64)
    });
    println!("RESPIN_SEED={seed}");
    Random::new(seed)
}
