//! The diagnostic game: the user sets outputs, the counterstrategy sets inputs
//! [KHB11, Sec. 4.4 and 5.2].
//!
//! A state machine without input and output. In each step the environment's input is there
//! first; [`DiagnosticGame::answer`] takes the user's outputs, says what has become of the play, and
//! makes the next input. Outputs that the user leaves open are set to keep the guarantees.

use crate::bdd::{Bdd, Result, Variable};
use crate::explain::counterstrategy::{cube, nearest};
use crate::explain::narrate::Narrator;
use crate::explain::told;
use crate::run::Run;
use crate::spec::gr1::{ConstraintId, Player, Value, VariableId};
use crate::synth::circuit::Meaning;
use std::collections::HashMap;

pub struct DiagnosticGame<'n, 's, 'a> {
    narrator: &'n Narrator<'s, 'a>,
    /// What the play has been in, with the counterstrategy's memory.
    visited: Vec<(Bdd, usize)>,
    /// The bits of all variables in these steps.
    played: Vec<HashMap<Variable, bool>>,
    memory: usize,
    input: Vec<bool>,
    /// What the system can choose from now.
    options: Bdd,
    over: bool,
}

/// What the environment is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The assumption that it works for; `None` if nothing has to recur.
    pub assumption: Option<ConstraintId>,
    /// The guarantee that it prevents; `None` if it forces a violation in finite time.
    pub goal: Option<ConstraintId>,
    /// How often the goal can still change.
    pub iterate: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    GoesOn,
    /// The answer breaks these guarantees: the user has lost.
    Broken(Vec<ConstraintId>),
    /// No answer to the next input keeps these guarantees: the user has lost.
    Stuck(Vec<ConstraintId>),
    /// The play is where it was after an earlier step, and would go on like this for ever.
    /// The goal has not held since.
    Repeats {
        step: usize,
        goal: Option<ConstraintId>,
    },
}

impl<'n, 's, 'a> DiagnosticGame<'n, 's, 'a> {
    /// `None` if the environment has no first input that wins.
    pub fn new(narrator: &'n Narrator<'s, 'a>) -> Result<Option<DiagnosticGame<'n, 's, 'a>>> {
        let strategy = narrator.strategy;
        let now = strategy.inputs(false);
        let Some(input) = nearest(&strategy.starts()?, &now, &|_| false)? else {
            return Ok(None);
        };
        let options = strategy
            .rules()
            .starts(&cube(strategy.rules(), &now, &input)?)?;
        Ok(Some(DiagnosticGame {
            narrator,
            visited: Vec::new(),
            played: Vec::new(),
            memory: 0,
            input,
            options,
            over: false,
        }))
    }

    /// Steps that were answered.
    pub fn steps(&self) -> usize {
        self.visited.len()
    }

    pub fn is_over(&self) -> bool {
        self.over
    }

    /// The steps that were answered; auxiliary variables are left out.
    pub fn run(&self) -> (Run, Vec<Meaning>) {
        let spec = self.narrator.game.spec();
        let encoding = self.narrator.game.encoding();
        let visible = |id: &VariableId| !spec.variable(*id).is_auxiliary();
        let variables = self.narrator.variables.iter().copied().filter(visible);
        let variables: Vec<VariableId> = variables.collect();
        told::run(spec, &variables, self.played.len(), &|id, step| {
            Some(encoding.value(spec, id, false, &self.played[step]))
        })
    }

    /// The input that waits for an answer.
    pub fn input(&self) -> Vec<(VariableId, Value)> {
        let spec = self.narrator.game.spec();
        let now = self.narrator.strategy.inputs(false);
        let values: HashMap<Variable, bool> =
            now.into_iter().zip(self.input.iter().copied()).collect();
        self.narrator
            .variables
            .iter()
            .filter(|id| spec.variable(**id).owner == Player::Environment)
            .map(|id| {
                let encoding = self.narrator.game.encoding();
                (*id, encoding.value(spec, *id, false, &values))
            })
            .collect()
    }

    /// The outputs to set.
    pub fn outputs(&self) -> Vec<VariableId> {
        let spec = self.narrator.game.spec();
        let is_set = |id: &VariableId| {
            let variable = spec.variable(*id);
            variable.owner == Player::System && !variable.is_auxiliary()
        };
        let variables = self.narrator.variables.iter().copied();
        variables.filter(is_set).collect()
    }

    /// Guarantees that no answer to the input keeps; none if some answer keeps all of them.
    pub fn unanswerable(&self) -> Result<Vec<ConstraintId>> {
        match self.options.is_zero() {
            true => self.broken(&[]),
            false => Ok(Vec::new()),
        }
    }

    /// The value of an output if the guarantees leave no other.
    pub fn forced(&self, id: VariableId) -> Result<Option<Value>> {
        self.narrator.only_value(id, &self.options)
    }

    /// The values of an output that keep the guarantees of this step, if the others suit it.
    pub fn possible(&self, id: VariableId) -> Result<Vec<Value>> {
        self.narrator.possible_values(id, &self.options)
    }

    /// Guarantees that leave an output no other value than this one.
    pub fn forced_by(&self, id: VariableId, value: Value) -> Result<Vec<ConstraintId>> {
        let is_first = self.visited.is_empty();
        let wanted = [(id, value)].into_iter();
        let wanted = self.narrator.values_cube(wanted, !is_first)?;
        let because = self.narrator.because(&self.base()?, is_first, &wanted)?;
        Ok(because.unwrap_or_default())
    }

    /// Begins again, with the first input.
    pub fn restart(&mut self) -> Result<()> {
        if let Some(fresh) = DiagnosticGame::new(self.narrator)? {
            *self = fresh;
        }
        Ok(())
    }

    /// Where the play stands after the last answer; `None` before the first one.
    pub fn standing(&self) -> Result<Option<Standing>> {
        let Some((state, _)) = self.visited.last() else {
            return Ok(None);
        };
        let rules = self.narrator.strategy.rules();
        let stage = self.narrator.strategy.stage(state)?;
        Ok(stage.map(|stage| Standing {
            assumption: rules.assumed[self.memory].constraint,
            goal: stage.goal.and_then(|goal| rules.goals[goal].constraint),
            iterate: stage.iterate,
        }))
    }

    /// The user's outputs; those that are not given are chosen.
    pub fn answer(&mut self, given: &[(VariableId, Value)]) -> Result<Outcome> {
        let wanted = self.narrator.values_cube(given.iter().copied(), false)?;
        let strategy = self.narrator.strategy;
        let rules = strategy.rules();
        let possible = self.options.and(&wanted)?;
        let bits: Vec<Variable> = [Player::Environment, Player::System]
            .into_iter()
            .flat_map(|player| rules.encoding().bits_of(player))
            .map(|bit| bit.now)
            .collect();
        let Some(values) = nearest(&possible, &bits, &|_| false)? else {
            self.over = true;
            return Ok(Outcome::Broken(self.broken(given)?));
        };
        let state = cube(rules, &bits, &values)?;
        self.played.push(bits.into_iter().zip(values).collect());
        let key = (state.clone(), self.memory);
        let repeated = self.visited.iter().position(|other| *other == key);
        self.visited.push(key);
        let choices = strategy.choices(&state, self.memory)?;
        let mut allowed = rules.manager().zero();
        for choice in &choices {
            allowed = allowed.or(&choice.moves)?;
        }
        let allowed = allowed
            .exists(rules.now_of(Player::Environment))?
            .exists(rules.now_of(Player::System))?;
        let next = strategy.inputs(true);
        let before = self.input.clone();
        if let Some(input) = nearest(&allowed, &next, &|index| before[index])? {
            let taken = cube(rules, &next, &input)?;
            for choice in &choices {
                let moves = choice.moves.and(&taken)?;
                if !moves.is_zero() {
                    self.memory = choice.memory;
                    self.options = rules.successors(&moves)?;
                }
            }
            self.input = input;
        }
        if let Some(step) = repeated {
            let goal = self.standing()?.and_then(|standing| standing.goal);
            return Ok(Outcome::Repeats { step, goal });
        }
        if self.options.is_zero() {
            self.over = true;
            return Ok(Outcome::Stuck(self.broken(&[])?));
        }
        Ok(Outcome::GoesOn)
    }

    /// Guarantees that rule the outputs out, in the step that waits for an answer.
    fn broken(&self, given: &[(VariableId, Value)]) -> Result<Vec<ConstraintId>> {
        let rules = self.narrator.strategy.rules();
        let is_first = self.visited.is_empty();
        let base = self.base()?;
        let wanted = self
            .narrator
            .values_cube(given.iter().copied(), !is_first)?;
        let never = rules.manager().zero();
        let because = self
            .narrator
            .because(&base.and(&wanted)?, is_first, &never)?;
        Ok(because.unwrap_or_default())
    }

    /// The state before the step that waits for an answer, with the input of it.
    fn base(&self) -> Result<Bdd> {
        let strategy = self.narrator.strategy;
        let inputs = strategy.inputs(!self.visited.is_empty());
        let base = cube(strategy.rules(), &inputs, &self.input)?;
        match self.visited.last() {
            Some((state, _)) => base.and(state),
            None => Ok(base),
        }
    }
}
