//! A game state by state: what a step shows to a correction, and where it leads.
//!
//! A search comes back to the same steps with other values of the choice, so each is
//! evaluated once and remembered.

use super::RepairError;
use super::extract::Signal;
use crate::bdd::{Bdd, Variable};
use crate::game::{Game, Solution};
use std::collections::HashMap;

/// More inputs than this are not enumerated.
const MOST_INPUTS: usize = 10;
/// More latches than this are not walked over one by one.
const MOST_LATCHES: usize = 48;
const MOST_CHOICES: usize = 4;
/// More goals and assumed recurrences are not told apart.
const MOST_EVENTS: usize = 128;

/// A set of goals and assumed recurrences: a bit for each goal, then one for each of the
/// others.
pub type Events = u128;

/// What a step comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The environment breaks its assumption: the play is won.
    Over,
    /// The system breaks its guarantee, or can no longer win.
    Lost,
    To {
        state: usize,
        events: Events,
    },
}

/// A state and an input, with the values of the choice that were tried.
struct Step {
    point: usize,
    outcomes: Vec<Option<Outcome>>,
}

pub struct Explicit<'a> {
    game: &'a Game,
    solution: &'a Solution,
    choices: &'a [Variable],
    signals: &'a [Signal],
    inputs: Vec<Variable>,
    /// Where the assumption can hold, whatever the choice is.
    possible: Bdd,
    events: Vec<Bdd>,
    goals: usize,
    /// The latches' values, a bit for each.
    states: Vec<u64>,
    numbers: HashMap<u64, usize>,
    /// The values of all signals. A correction gives points the same value that it cannot
    /// tell apart.
    points: Vec<Vec<bool>>,
    point_numbers: HashMap<Vec<bool>, usize>,
    /// For each state its steps by input, as far as they were asked for; `None` where the
    /// assumption breaks.
    steps: Vec<Vec<Option<Step>>>,
    /// How many outcomes were evaluated.
    pub evaluated: usize,
}

impl<'a> Explicit<'a> {
    /// `None` if the game is too big to be walked over.
    pub fn new(
        game: &'a Game,
        solution: &'a Solution,
        choices: &'a [Variable],
        signals: &'a [Signal],
    ) -> Result<Option<Explicit<'a>>, RepairError> {
        let inputs: Vec<Variable> = game.input_variables().collect();
        let events: Vec<Bdd> = [game.goals(), game.assumed_recurrences()].concat();
        let too_big = inputs.len() > MOST_INPUTS
            || game.state().len() > MOST_LATCHES
            || game.free_variables().len() > MOST_INPUTS
            || choices.len() > MOST_CHOICES
            || events.len() > MOST_EVENTS;
        if too_big {
            return Ok(None);
        }
        let choice_set = game.manager().set(choices)?;
        Ok(Some(Explicit {
            possible: game.assumption().exists(&choice_set)?,
            goals: game.goals().len(),
            game,
            solution,
            choices,
            signals,
            inputs,
            events,
            states: Vec::new(),
            numbers: HashMap::new(),
            points: Vec::new(),
            point_numbers: HashMap::new(),
            steps: Vec::new(),
            evaluated: 0,
        }))
    }

    /// The states in which plays begin.
    pub fn initial(&mut self) -> Result<Vec<usize>, RepairError> {
        let free = self.game.free_variables();
        let initial = self.game.initial()?;
        let mut found = Vec::new();
        for values in 0..1usize << free.len() {
            let literals: Vec<_> = free
                .iter()
                .enumerate()
                .map(|(k, v)| (*v, values >> k & 1 == 1))
                .collect();
            let Some(cube) = initial.cofactor(&literals)?.pick_cube() else {
                continue;
            };
            let is_set = |latch: &Variable| {
                let mut known = literals.iter().chain(&cube);
                known.any(|(variable, value)| variable == latch && *value)
            };
            let bits = self.game.state().iter().map(is_set);
            let state = bits
                .enumerate()
                .fold(0, |all, (k, bit)| all | u64::from(bit) << k);
            found.push(self.number(state));
        }
        Ok(found)
    }

    pub fn inputs(&self) -> usize {
        1 << self.inputs.len()
    }

    /// How many values the choice has.
    pub fn values(&self) -> usize {
        1 << self.choices.len()
    }

    pub fn goals(&self) -> usize {
        self.goals
    }

    /// All that has to happen again and again for a failing play to count.
    pub fn assumed(&self) -> Events {
        (self.goals..self.events.len()).fold(0, |all, event| all | 1 << event)
    }

    pub fn point_values(&self, point: usize) -> &[bool] {
        &self.points[point]
    }

    /// What a correction sees in a step; `None` if the assumption breaks, whatever it does.
    pub fn point(&mut self, state: usize, input: usize) -> Option<usize> {
        while self.steps[state].len() <= input {
            let step = self.step(state, self.steps[state].len());
            self.steps[state].push(step);
        }
        self.steps[state][input].as_ref().map(|step| step.point)
    }

    /// What a step comes to with a value of the choice. It must have a
    /// [point](Explicit::point).
    pub fn outcome(&mut self, state: usize, input: usize, value: usize) -> Outcome {
        let step = self.steps[state][input].as_ref();
        if let Some(known) = step.and_then(|step| step.outcomes[value]) {
            return known;
        }
        let outcome = self.evaluate(state, input, value);
        if let Some(step) = &mut self.steps[state][input] {
            step.outcomes[value] = Some(outcome);
        }
        outcome
    }

    fn step(&mut self, state: usize, input: usize) -> Option<Step> {
        let valuation = self.valuation(state, input, 0);
        if !holds(&self.possible, &valuation) {
            return None;
        }
        let signals = self.signals.iter();
        let point: Vec<bool> = signals.map(|s| holds(&s.function, &valuation)).collect();
        let number = match self.point_numbers.get(&point) {
            Some(number) => *number,
            None => {
                self.point_numbers.insert(point.clone(), self.points.len());
                self.points.push(point);
                self.points.len() - 1
            }
        };
        Some(Step {
            point: number,
            outcomes: vec![None; self.values()],
        })
    }

    fn evaluate(&mut self, state: usize, input: usize, value: usize) -> Outcome {
        self.evaluated += 1;
        let step = self.valuation(state, input, value);
        if !holds(self.game.assumption(), &step) {
            return Outcome::Over;
        }
        let mut successor = vec![false; step.len()];
        let mut bits = 0;
        for (k, (variable, function)) in self.game.next_functions().iter().enumerate() {
            let value = holds(function, &step);
            successor[variable.index()] = value;
            bits |= u64::from(value) << k;
        }
        let keeps =
            holds(self.game.guarantee(), &step) && holds(&self.solution.winning, &successor);
        if !keeps {
            return Outcome::Lost;
        }
        let events = self.events.iter().enumerate();
        let events = events.filter(|(_, event)| holds(event, &step));
        let events = events.fold(0, |all, (k, _)| all | 1 << k);
        let state = self.number(bits);
        Outcome::To { state, events }
    }

    fn number(&mut self, state: u64) -> usize {
        let next = self.states.len();
        let number = *self.numbers.entry(state).or_insert(next);
        if number == next {
            self.states.push(state);
            self.steps.push(Vec::new());
        }
        number
    }

    /// Values of variables, by number.
    fn valuation(&self, state: usize, input: usize, value: usize) -> Vec<bool> {
        let mut valuation = vec![false; self.game.manager().variable_count()];
        let parts: [(&[Variable], u64); 3] = [
            (self.game.state(), self.states[state]),
            (&self.inputs, input as u64),
            (self.choices, value as u64),
        ];
        for (variables, bits) in parts {
            for (k, variable) in variables.iter().enumerate() {
                valuation[variable.index()] = bits >> k & 1 == 1;
            }
        }
        valuation
    }
}

fn holds(function: &Bdd, valuation: &[bool]) -> bool {
    function.evaluate(|variable| valuation.get(variable.index()).copied().unwrap_or(false))
}
