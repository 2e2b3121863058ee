//! Whether any memoryless correction exists: all of them, tried lazily.
//!
//! Deciding this is NP-complete [JSGB11, Sec. 5.2], so the search has a budget. It walks
//! over explicit states and gives the choice a value only in a point (readable signals)
//! that a play reaches; a step that leaves the winning states takes the last value back. A
//! complete table is tested against the goals. Points that look alike to the signals share
//! their value, so "impossible" means: by no function of these signals.

use super::RepairError;
use super::extract::{Extraction, Relation, Signal, extract};
use crate::bdd::{Bdd, Limits, Variable};
use crate::game::{Game, Solution};
use std::collections::{HashMap, HashSet};

/// Steps of a search that is worth some seconds.
pub const LONG: usize = 200_000;
/// Steps of a search beside which there are other corrections.
pub const SHORT: usize = 5_000;
/// More inputs than this are not enumerated.
const MOST_INPUTS: usize = 10;
/// More latches than this are not walked over one by one.
const MOST_LATCHES: usize = 48;
const MOST_CHOICES: usize = 4;

pub enum Decision {
    Found(Extraction),
    Impossible,
    OutOfBudget,
}

/// Values of variables, by number.
type Valuation = Vec<bool>;

pub fn search(
    game: &Game,
    solution: &Solution,
    choices: &[Variable],
    signals: &[Signal],
    budget: usize,
    limits: &Limits,
) -> Result<Decision, RepairError> {
    let inputs: Vec<Variable> = game.input_variables().collect();
    let free = game.free_variables();
    let too_big = inputs.len() > MOST_INPUTS
        || game.state().len() > MOST_LATCHES
        || free.len() > MOST_INPUTS
        || choices.len() > MOST_CHOICES;
    if too_big {
        return Ok(Decision::OutOfBudget);
    }
    let mut walk = Walk {
        game,
        solution,
        choices,
        signals,
        inputs,
        limits,
        budget,
        steps: 0,
        table: HashMap::new(),
    };
    let initial = walk.initial_states(free)?;
    match walk.explore(initial)? {
        Some(true) => walk.extraction(),
        Some(false) => Ok(Decision::Impossible),
        None => Ok(Decision::OutOfBudget),
    }
}

struct Walk<'a> {
    game: &'a Game,
    solution: &'a Solution,
    choices: &'a [Variable],
    signals: &'a [Signal],
    inputs: Vec<Variable>,
    limits: &'a Limits,
    budget: usize,
    steps: usize,
    /// The value of the choice where the signals have these values.
    table: HashMap<Vec<bool>, usize>,
}

/// What is left to look at, and where each decision was made.
struct Frame {
    /// Length of the agenda before the decision, and how far it had been worked off.
    agenda_length: usize,
    next: usize,
    point: Vec<bool>,
    value: usize,
    seen: HashSet<Valuation>,
}

impl Walk<'_> {
    fn initial_states(&self, free: &[Variable]) -> Result<Vec<Valuation>, RepairError> {
        let count = self.game.manager().variable_count();
        let initial = self.game.initial()?;
        let mut states = Vec::new();
        for values in 0..1usize << free.len() {
            let literals: Vec<_> = free
                .iter()
                .enumerate()
                .map(|(k, v)| (*v, values >> k & 1 == 1))
                .collect();
            let Some(cube) = initial.cofactor(&literals)?.pick_cube() else {
                continue;
            };
            let mut state = vec![false; count];
            for (variable, value) in literals.into_iter().chain(cube) {
                state[variable.index()] = value;
            }
            states.push(state);
        }
        Ok(states)
    }

    /// Whether some table keeps all plays in the winning states and meets the goals; `None`
    /// if the budget ran out.
    fn explore(&mut self, initial: Vec<Valuation>) -> Result<Option<bool>, RepairError> {
        let mut seen: HashSet<Valuation> = initial.iter().cloned().collect();
        // Pairs of a state and the number of an input.
        let per_state = 1usize << self.inputs.len();
        let mut agenda: Vec<Valuation> = initial;
        let mut next = 0;
        let mut decisions: Vec<Frame> = Vec::new();
        let mut retreat = false;
        loop {
            self.steps += 1;
            if self.steps > self.budget {
                return Ok(None);
            }
            if self.steps.is_multiple_of(1024) {
                self.check_time()?;
            }
            if retreat {
                let Some(mut frame) = decisions.pop() else {
                    return Ok(Some(false));
                };
                agenda.truncate(frame.agenda_length);
                next = frame.next;
                seen = frame.seen.clone();
                frame.value += 1;
                if frame.value < 1 << self.choices.len() {
                    self.table.insert(frame.point.clone(), frame.value);
                    decisions.push(frame);
                    retreat = false;
                } else {
                    self.table.remove(&frame.point);
                }
                continue;
            }
            if next == agenda.len() * per_state {
                if self.meets_goals()? {
                    return Ok(Some(true));
                }
                retreat = true;
                continue;
            }
            let mut step = agenda[next / per_state].clone();
            for (bit, input) in self.inputs.iter().enumerate() {
                step[input.index()] = ((next % per_state) >> bit) & 1 == 1;
            }
            if !self.holds(self.game.assumption(), &step) {
                next += 1;
                continue;
            }
            let point: Vec<bool> = self
                .signals
                .iter()
                .map(|signal| self.holds(&signal.function, &step))
                .collect();
            let value = match self.table.get(&point) {
                Some(value) => *value,
                None => {
                    decisions.push(Frame {
                        agenda_length: agenda.len(),
                        next,
                        point: point.clone(),
                        value: 0,
                        seen: seen.clone(),
                    });
                    self.table.insert(point, 0);
                    0
                }
            };
            for (bit, choice) in self.choices.iter().enumerate() {
                step[choice.index()] = value >> bit & 1 == 1;
            }
            let mut successor = vec![false; step.len()];
            for (variable, function) in self.game.next_functions() {
                successor[variable.index()] = self.holds(function, &step);
            }
            let keeps = self.holds(self.game.guarantee(), &step)
                && self.holds(&self.solution.winning, &successor);
            if !keeps {
                retreat = true;
                continue;
            }
            if seen.insert(successor.clone()) {
                agenda.push(successor);
            }
            next += 1;
        }
    }

    fn check_time(&self) -> Result<(), RepairError> {
        use std::sync::atomic::Ordering;
        let interrupt = self.limits.interrupt.as_ref();
        if interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(crate::bdd::Error::Interrupted.into());
        }
        match self.limits.deadline {
            Some(deadline) if std::time::Instant::now() >= deadline => {
                Err(crate::bdd::Error::Deadline.into())
            }
            _ => Ok(()),
        }
    }

    fn holds(&self, function: &Bdd, valuation: &Valuation) -> bool {
        function.evaluate(|variable| valuation.get(variable.index()).copied().unwrap_or(false))
    }

    /// The values that the table gives, and any where it gives none.
    fn relation(&self) -> Result<Relation, RepairError> {
        let manager = self.game.manager();
        let mut allowed = manager.one();
        let mut care = manager.zero();
        for (point, value) in &self.table {
            let mut here = manager.one();
            for (signal, value) in self.signals.iter().zip(point) {
                let literal = if *value {
                    signal.function.clone()
                } else {
                    signal.function.not()
                };
                here = here.and(&literal)?;
            }
            let literals: Vec<_> = self
                .choices
                .iter()
                .enumerate()
                .map(|(k, v)| (*v, value >> k & 1 == 1))
                .collect();
            allowed = allowed.and(&here.implies(&manager.cube(&literals)?)?)?;
            care = care.or(&here)?;
        }
        Ok(Relation {
            allowed,
            care,
            choices: self.choices.to_vec(),
        })
    }

    /// Whether the goals are met when the choice follows the table.
    fn meets_goals(&self) -> Result<bool, RepairError> {
        let relation = self.relation()?;
        Ok(self.game.wins_with(&relation.allowed)?)
    }

    fn extraction(&self) -> Result<Decision, RepairError> {
        Ok(match extract(&self.relation()?, self.signals, &[])? {
            Some(extraction) => Decision::Found(extraction),
            None => Decision::OutOfBudget,
        })
    }
}
