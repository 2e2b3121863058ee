//! How the environment wins a specification, from the rounds in which the system's states were
//! lost.
//!
//! Conditions are sets of states, so `can( (!goal | into Z) & ... )` of
//! [`crate::game::attraction`] is taken apart into `(!goal | can Z) & ...`, and most of it is
//! shared by all layers of a round. Layers are computed only when asked for, and only for rounds
//! that a solution has kept.
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
use crate::game::attraction::{AttractionGame, Lost, attract};

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
    pub fn counterplay(&self, rounds: &[Round]) -> Result<Counterplay> {
        let rounds = rounds.iter().map(|round| self.counter_round(round));
        Ok(Counterplay {
            rounds: rounds.collect::<Result<_>>()?,
        })
    }

    fn counter_round(&self, round: &Round) -> Result<CounterRound> {
        let lost = Lost::in_round(self, round)?;
        let mut layers = Vec::new();
        if let Some(goal) = lost.goal {
            let prevention = self.prevention(goal, &lost)?;
            for assumed in 0..self.assumed.len() {
                let mut sets = vec![lost.before.clone()];
                attract(self, &prevention, assumed, &lost, |_, layer| {
                    sets.push(layer.clone());
                    Ok(())
                })?;
                layers.push(sets);
            }
        }
        Ok(CounterRound {
            goal: lost.goal,
            lost_before: lost.before,
            lost_after: lost.after,
            layers,
        })
    }
}

impl AttractionGame for Rules<'_> {
    /// The states in which the goal is prevented and the play can stay in the round.
    type Prevention = Bdd;

    fn prevention(&self, goal: usize, lost: &Lost) -> Result<Bdd> {
        let missed = self.goals[goal].states.not();
        missed
            .or(&self.environment_can(&lost.before)?)?
            .and(&self.environment_can(&lost.after)?)?
            .and(self.care())
    }

    /// The states themselves: a move is determined by where it leads.
    fn moves_closer(&self, prevention: &Bdd, assumed: usize, reached: &Bdd) -> Result<Bdd> {
        let closer = self.assumed[assumed]
            .states
            .or(&self.environment_can(reached)?)?;
        prevention.and(&closer)
    }

    fn states_of(&self, moves: &Bdd) -> Result<Bdd> {
        Ok(moves.clone())
    }
}
