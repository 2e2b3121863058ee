//! How the environment wins, from the rounds in which the system's states were lost.
//!
//! The complement of the system's fixpoint is the environment's [KHB11, Sec. 5.1]:
//!
//! ```text
//! mu Z. or_j nu Y. and_i mu X. (!goal_j | can Z) & can Y & (assumed_i | can X)
//! ```
//!
//! Each [`Round`] is one growth of Z, with its goal `j` and its Y; what is left to
//! compute are the layers of X. Ours does that only when asked, and only for rounds that a
//! solution has kept.
//!
//! With the round, the assumption `i` that the environment works for, and the layer, its
//! next move is determined up to choice:
//! - in `lost_before`: an earlier round says how to go on;
//! - the goal holds now: move into `lost_before`;
//! - the assumption `i` holds now: move into `lost_after`, and work for the next one;
//! - otherwise: move into the layer below.
//!
//! The first layer of each assumption is `lost_before`.

use super::rules::Rules;
use super::solve::Round;
use crate::bdd::{Bdd, Result};

/// All rounds; the environment wins from the last round's `lost_after`.
#[derive(Clone, Debug)]
pub struct Counterplay {
    pub rounds: Vec<CounterRound>,
}

#[derive(Clone, Debug)]
pub struct CounterRound {
    /// The goal that is prevented; `None` if `lost_before` is one step away.
    pub goal: Option<usize>,
    pub lost_before: Bdd,
    pub lost_after: Bdd,
    /// For each assumed recurrence, growing sets whose last one contains `lost_after`;
    /// empty without a goal.
    pub layers: Vec<Vec<Bdd>>,
}

impl Counterplay {
    /// The states from which the environment wins.
    pub fn lost(&self, rules: &Rules<'_>) -> Bdd {
        match self.rounds.last() {
            Some(round) => round.lost_after.clone(),
            None => rules.manager().zero(),
        }
    }
}

impl Rules<'_> {
    /// How the environment wins the states that were lost in some rounds.
    pub fn counterplay(&self, lost: &[Round]) -> Result<Counterplay> {
        let mut rounds = Vec::new();
        for round in lost {
            let lost_before = self.care().minus(&round.before)?;
            let lost_after = self.care().minus(&round.after)?;
            let mut layers = Vec::new();
            if let Some(goal) = round.goal {
                let missed = self.goals[goal].states.not();
                let mut base = missed.or(&self.environment_can(&lost_before)?)?;
                base = base.and(&self.environment_can(&lost_after)?)?;
                base = base.and(self.care())?;
                for assumed in &self.assumed {
                    layers.push(self.attract(&assumed.states, &base, &lost_before, &lost_after)?);
                }
            }
            rounds.push(CounterRound {
                goal: round.goal,
                lost_before,
                lost_after,
                layers,
            });
        }
        Ok(Counterplay { rounds })
    }

    fn attract(&self, assumed: &Bdd, base: &Bdd, first: &Bdd, all: &Bdd) -> Result<Vec<Bdd>> {
        let mut layers = vec![first.clone()];
        let mut reached = first.clone();
        while !all.is_subset_of(&reached)? {
            let closer = assumed.or(&self.environment_can(&reached)?)?;
            let next = reached.or(&base.and(&closer)?)?;
            if next == reached {
                // The caller's certificate check refuses layers that do not cover the round.
                break;
            }
            layers.push(next.clone());
            reached = next;
        }
        Ok(layers)
    }
}
