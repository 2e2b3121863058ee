//! What the system does to win.
//!
//! The strategy has a memory for the goal it works for. In each state of the winning
//! region it may take any step that reaches this goal, or comes a layer closer to it, or
//! waits where it is while one and the same assumed recurrence does not happen.

use super::encode::Game;
use super::solve::Solution;
use crate::bdd::{Bdd, Result};

/// Steps that win, for each goal that the system may be working for.
pub struct Strategy {
    /// Over states, inputs and choices; right in winning states. Without goals there is one
    /// entry: the steps that keep the invariants.
    pub moves: Vec<Bdd>,
    /// For each goal, the steps after which the system turns to the next one.
    pub hits: Vec<Bdd>,
}

impl Game {
    /// The strategy of a solution that the system wins.
    pub fn strategy(&self, solution: &Solution) -> Result<Strategy> {
        let winning = &solution.winning;
        if self.goals.is_empty() {
            let moves = match &solution.staying {
                // Not cut down to winning states, which would make it many times as large.
                Some(staying) => self.good_steps(staying)?,
                None => {
                    let staying = self.steps_from(winning)?.leading_into(winning)?;
                    self.good_steps(&staying)?.and(winning)?
                }
            };
            return Ok(Strategy {
                moves: vec![moves],
                hits: vec![self.manager().one()],
            });
        }
        let into_winning = self.steps_into(winning)?;
        let mut moves = Vec::new();
        let mut hits = Vec::new();
        for (goal, progress) in self.goals.iter().zip(&solution.progress) {
            let hit = goal.and(&into_winning)?;
            let mut steps = hit.and(&solution.winning)?;
            let mut closer = self.manager().zero();
            for layer in &progress.layers {
                let new = layer.states.minus(&closer)?;
                steps = steps.or(&new.and(&self.steps_into(&closer)?)?)?;
                // One recurrence to wait for in each state, or the system could wait for
                // two in turn and for ever.
                let mut undecided = new;
                for (assumed, stay) in self.assumed_recurrences.iter().zip(&layer.waiting) {
                    let wait = self.steps_into(stay)?.minus(assumed)?;
                    steps = steps.or(&undecided.and(stay)?.and(&wait)?)?;
                    undecided = undecided.minus(stay)?;
                }
                closer = layer.states.clone();
            }
            moves.push(self.good_steps(&steps)?.and(&solution.winning)?);
            hits.push(hit);
        }
        Ok(Strategy { moves, hits })
    }

    /// The states of a set that matter, with the inputs after which what the system does
    /// matters: otherwise the assumption is broken whatever it does.
    pub fn decisions(&self, states: &Bdd) -> Result<Bdd> {
        let open = self.assumption.exists(self.choice_set())?;
        states.and(self.care())?.and(&open)
    }

    /// The states in which the relation gives the system a step for each input.
    pub fn can_always_move(&self, moves: &Bdd) -> Result<Bdd> {
        moves.exists(self.choice_set())?.forall(self.input_set())
    }
}
