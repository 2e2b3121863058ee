//! Who wins the game of a circuit, by the fixpoint of [`super::fixpoint`].
//!
//! Conditions are sets of steps, over state, inputs and choices. The computation stops as soon
//! as no rigid choice is left for which all initial states may still win.

use super::encode::Game;
use super::fixpoint::{self, FixpointGame, Observer, Progress, Round};
use super::steps::Steps;
use super::stored::{self, Store};
use crate::bdd::{Bdd, Manager, Result};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Winner {
    System,
    Environment,
}

/// Who wins from where.
pub struct Solution {
    /// The states from which the system wins, for each rigid choice. If the computation
    /// stopped early, only a superset of them.
    pub winning: Bdd,
    /// The rigid choices with which the system wins from all initial states; `one` or
    /// `zero` if there are none to make.
    pub good_choices: Bdd,
    /// For each goal, how to come closer to it; empty if there are none or the environment wins.
    pub(super) progress: Vec<Progress>,
    /// The rounds in which states were lost, if there are no goals and they were asked for.
    pub(super) rounds: Option<StoredRounds>,
    /// The steps into the winning states, right where they begin in these, if they are known.
    pub(super) staying: Option<Bdd>,
}

/// Rounds in which states were lost, and what was left of all states after each of them.
#[derive(Default)]
pub(super) struct StoredRounds {
    store: Store,
    /// Before the first round, and after each.
    left: Vec<stored::Edge>,
}

impl StoredRounds {
    pub fn add(&mut self, round: &Round) {
        // What is left after a round is what there is before the next one.
        if self.left.is_empty() {
            self.left.push(self.store.add(&round.before));
        }
        self.left.push(self.store.add(&round.after));
    }

    pub fn len(&self) -> usize {
        self.left.len().saturating_sub(1)
    }

    /// The states that were left before and after a round.
    pub fn around(&self, manager: &Manager, round: usize) -> Result<(Bdd, Bdd)> {
        let before = self.store.get(manager, self.left[round])?;
        Ok((before, self.store.get(manager, self.left[round + 1])?))
    }
}

impl Solution {
    pub fn winner(&self) -> Winner {
        if self.good_choices.is_zero() {
            Winner::Environment
        } else {
            Winner::System
        }
    }
}

impl Game {
    pub fn solve(&self) -> Result<Solution> {
        self.solve_by_fixpoint(&mut |_| {})
    }

    /// The same for large games; `watch` is told each time that so many steps have been looked
    /// ahead in which the environment cannot break the guarantee yet. Without goals, the solution
    /// also has what a strategy of the environment is made of.
    pub fn solve_watched(&self, watch: &mut dyn FnMut(usize)) -> Result<Solution> {
        if self.goals.is_empty() {
            self.solve_invariant(watch)
        } else {
            self.solve_by_fixpoint(watch)
        }
    }

    fn solve_by_fixpoint(&self, watch: &mut dyn FnMut(usize)) -> Result<Solution> {
        let outcome = fixpoint::solve(self, &mut Watcher(watch))?;
        Ok(Solution {
            good_choices: self.contains_initial(&outcome.winning)?,
            winning: outcome.winning,
            progress: outcome.progress,
            rounds: None,
            staying: None,
        })
    }
}

struct Watcher<'a>(&'a mut dyn FnMut(usize));

impl Observer for Watcher<'_> {
    const KEEPS_STRATEGY: bool = true;

    fn looked_ahead(&mut self, steps: usize) {
        (self.0)(steps);
    }
}

/// The way to one goal within the winning states.
pub(super) struct Approach {
    winning: Bdd,
    /// Right only where they begin in winning states.
    steps: Steps,
    /// The steps that make the goal happen and stay within the winning states.
    hit: Bdd,
}

impl FixpointGame for Game {
    type Approach = Approach;

    const LOOKS_AGAIN_AT_ONCE: bool = false;

    fn care(&self) -> &Bdd {
        Game::care(self)
    }

    fn staying(&self, states: &Bdd) -> Result<Bdd> {
        let into = self.steps_from(states)?.leading_into(states)?;
        states.and(&self.system_can(&into)?)
    }

    fn may_win(&self, states: &Bdd) -> Result<bool> {
        Ok(!self.contains_initial(states)?.is_zero())
    }

    fn goals_in_order(&self) -> Vec<usize> {
        (0..self.goals.len()).collect()
    }

    fn assumed_count(&self) -> usize {
        self.assumed_recurrences.len()
    }

    fn approach(&self, goal: usize, winning: &Bdd) -> Result<Approach> {
        let steps = self.steps_from(winning)?;
        Ok(Approach {
            hit: self.goals[goal].and(&steps.leading_into(winning)?)?,
            steps,
            winning: winning.clone(),
        })
    }

    fn closer(&self, approach: &Approach, reached: &Bdd) -> Result<Bdd> {
        approach.hit.or(&approach.steps.leading_into(reached)?)
    }

    fn at_once(&self, approach: &Approach, closer: &Bdd) -> Result<Bdd> {
        approach.winning.and(&self.system_can(closer)?)
    }

    fn first_waiting(&self, approach: &Approach, _assumed: usize, _closer: &Bdd) -> Result<Bdd> {
        Ok(approach.winning.clone())
    }

    fn still_waiting(
        &self,
        approach: &Approach,
        assumed: usize,
        closer: &Bdd,
        waiting: &Bdd,
    ) -> Result<Bdd> {
        let assumed = &self.assumed_recurrences[assumed];
        let wait = approach.steps.leading_into(waiting)?.minus(assumed)?;
        waiting.and(&self.system_can(&closer.or(&wait)?)?)
    }
}
