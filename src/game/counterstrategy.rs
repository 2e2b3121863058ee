//! What the environment does to win a circuit, as in [KHB11, Sec. 5.2].
//!
//! In each round of the fixpoint in which states are lost, one goal is at fault: the
//! environment stays in the new states and never lets this goal happen, except on the way to
//! older ones. Meanwhile it makes the assumed recurrences happen one after the other, which is
//! the only thing that it has to remember; the layers of [`super::attraction`] say how far the
//! next one is. So the strategy is four kinds of moves (rho1 to rho4 there) that are here one
//! relation for each recurrence in turn.
//!
//! The fixpoint is computed once more, and its rounds are kept this time: keeping them for a
//! player who mostly loses would make each game that the system wins more expensive.

use super::attraction::{AttractionGame, Lost, attract};
use super::encode::Game;
use super::fixpoint::{self, Rounds};
use super::steps::Steps;
use crate::bdd::{Bdd, Result};

/// Moves that win for the environment, for each assumed recurrence that it may be working for.
pub struct Counterstrategy {
    /// Over states and inputs. Without assumed recurrences there is one entry.
    pub moves: Vec<Bdd>,
    /// For each entry, the steps after which the environment turns to the next one.
    pub hits: Vec<Bdd>,
    /// The states from which it wins; a subset of all such if it can win from the start.
    pub winning: Bdd,
}

impl Game {
    /// How the environment wins, if it does: for each rigid choice from some initial state.
    pub fn counterstrategy(&self) -> Result<Option<Counterstrategy>> {
        let mut rounds = Rounds::<false>::default();
        let outcome = fixpoint::solve(self, &mut rounds)?;
        if outcome.is_won {
            return Ok(None);
        }
        let hits = if self.assumed_recurrences.is_empty() {
            vec![self.manager().one()]
        } else {
            self.assumed_recurrences.clone()
        };
        let mut moves = vec![self.manager().zero(); hits.len()];
        for round in &rounds.0 {
            let lost = Lost::in_round(self, round)?;
            match lost.goal {
                None => {
                    let found = self.moves_into(&lost)?;
                    for known in &mut moves {
                        *known = known.or(&found)?;
                    }
                }
                Some(goal) => {
                    let prevention = self.prevention(goal, &lost)?;
                    for (assumed, known) in moves.iter_mut().enumerate() {
                        attract(self, &prevention, assumed, &lost, |found, _| {
                            *known = known.or(found)?;
                            Ok(())
                        })?;
                    }
                }
            }
        }
        Ok(Some(Counterstrategy {
            moves,
            hits,
            winning: self.care().minus(&outcome.winning)?,
        }))
    }

    /// The moves from the states of a round to what was lost before, or after which the system
    /// breaks its guarantee.
    fn moves_into(&self, lost: &Lost) -> Result<Bdd> {
        let open = lost.after.minus(&lost.before)?;
        let into = self.steps_from(&open)?.leading_into(&lost.before)?;
        self.environment_moves(&into)?.and(&open)
    }
}

/// The steps of a round in which a goal is prevented.
pub(super) struct Prevention {
    /// The states that are new in the round; the steps are right only where they begin there.
    open: Bdd,
    steps: Steps,
    into_before: Bdd,
    /// Those within the round without the goal, or on the way to what was lost before.
    staying: Bdd,
}

impl AttractionGame for Game {
    type Prevention = Prevention;

    fn prevention(&self, goal: usize, lost: &Lost) -> Result<Prevention> {
        let open = lost.after.minus(&lost.before)?;
        let steps = self.steps_from(&open)?;
        let into_before = steps.leading_into(&lost.before)?;
        let within = steps.leading_into(&lost.after)?;
        Ok(Prevention {
            staying: within.minus(&self.goals[goal])?.or(&into_before)?,
            open,
            steps,
            into_before,
        })
    }

    fn moves_closer(&self, prevention: &Prevention, assumed: usize, reached: &Bdd) -> Result<Bdd> {
        let new = prevention.open.minus(reached)?;
        // Without assumed recurrences, nothing has to happen beside the prevention.
        let Some(hit) = self.assumed_recurrences.get(assumed) else {
            return self.environment_moves(&prevention.staying)?.and(&new);
        };
        let closer = hit
            .or(&prevention.steps.leading_into(reached)?)?
            .or(&prevention.into_before)?;
        self.environment_moves(&prevention.staying.and(&closer)?)?
            .and(&new)
    }

    fn states_of(&self, moves: &Bdd) -> Result<Bdd> {
        moves.exists(self.input_set())
    }
}
