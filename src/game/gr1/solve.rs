//! Who wins the game of a GR(1) specification, by the fixpoint of [`crate::game::fixpoint`].
//!
//! Conditions are sets of states, so `can( goal & into Z | ... )` is taken apart into
//! `goal & can Z | ...`, and most of it is shared by all layers of an approach. Goals that are
//! likely to take states away come first, so that the others are looked at once. The
//! computation stops as soon as the environment has a first move without a good answer.

use super::rules::Rules;
use crate::bdd::{Bdd, Result};
use crate::game::fixpoint::{self, FixpointGame, Rounds};
use std::collections::BTreeSet;

pub use crate::game::fixpoint::{Layer, Progress, Round};

/// Who wins.
pub struct Solution {
    pub realizable: bool,
    /// If realizable, exactly the states that count from which the system wins; otherwise a
    /// superset.
    pub winning: Bdd,
    /// For each goal, how the system gets there; empty if not realizable.
    pub progress: Vec<Progress>,
    /// How states were lost, in order.
    pub rounds: Vec<Round>,
}

/// Who wins, without how the system does.
pub struct Decision {
    pub realizable: bool,
    /// As in a [`Solution`].
    pub winning: Bdd,
    pub rounds: Vec<Round>,
}

impl Rules<'_> {
    pub fn solve(&self) -> Result<Solution> {
        let mut rounds = Rounds::<true>::default();
        let outcome = fixpoint::solve(self, &mut rounds)?;
        Ok(Solution {
            realizable: outcome.is_won,
            winning: outcome.winning,
            progress: outcome.progress,
            rounds: rounds.0,
        })
    }

    /// Only who wins: less has to be kept, which makes reorderings cheaper.
    pub fn decide(&self) -> Result<Decision> {
        let mut rounds = Rounds::<false>::default();
        let outcome = fixpoint::solve(self, &mut rounds)?;
        Ok(Decision {
            realizable: outcome.is_won,
            winning: outcome.winning,
            rounds: rounds.0,
        })
    }
}

/// The way to one goal within the winning states.
pub(in crate::game) struct Approach {
    winning: Bdd,
    /// The winning states from which the system can stay in them: the first step of each
    /// fixpoint X, and the same for all.
    staying: Bdd,
    /// Those of them in which the goal holds.
    hit: Bdd,
}

impl FixpointGame for Rules<'_> {
    type Approach = Approach;

    const LOOKS_AGAIN_AT_ONCE: bool = true;

    fn care(&self) -> &Bdd {
        Rules::care(self)
    }

    fn staying(&self, states: &Bdd) -> Result<Bdd> {
        states.and(&self.system_can(states)?)
    }

    fn may_win(&self, states: &Bdd) -> Result<bool> {
        self.starts_in(states)
    }

    /// The goals, one of each kind first: an arbiter has a goal for each client, alike but for
    /// their variables, and what one of a kind does not take away, its like seldom do.
    fn goals_in_order(&self) -> Vec<usize> {
        let mut seen = BTreeSet::new();
        let is_new = |goal: &usize| {
            let states = &self.goals[*goal].states;
            seen.insert((states.support().len(), states.size()))
        };
        let (mut goals, rest): (Vec<usize>, Vec<usize>) = (0..self.goals.len()).partition(is_new);
        goals.extend(rest);
        goals
    }

    fn assumed_count(&self) -> usize {
        self.assumed.len()
    }

    fn approach(&self, goal: usize, winning: &Bdd) -> Result<Approach> {
        let staying = self.staying(winning)?;
        Ok(Approach {
            hit: self.goals[goal].states.and(&staying)?,
            staying,
            winning: winning.clone(),
        })
    }

    fn closer(&self, approach: &Approach, reached: &Bdd) -> Result<Bdd> {
        let into = approach.winning.and(&self.system_can(reached)?)?;
        approach.hit.or(&into)
    }

    fn at_once(&self, _approach: &Approach, closer: &Bdd) -> Result<Bdd> {
        Ok(closer.clone())
    }

    fn first_waiting(&self, approach: &Approach, assumed: usize, closer: &Bdd) -> Result<Bdd> {
        let idle = approach.staying.minus(&self.assumed[assumed].states)?;
        closer.or(&idle)
    }

    fn still_waiting(
        &self,
        _approach: &Approach,
        assumed: usize,
        closer: &Bdd,
        waiting: &Bdd,
    ) -> Result<Bdd> {
        let idle = waiting.minus(&self.assumed[assumed].states)?;
        if idle.is_subset_of(closer)? {
            Ok(closer.clone())
        } else {
            closer.or(&idle.and(&self.system_can(waiting)?)?)
        }
    }
}
