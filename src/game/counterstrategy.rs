//! What the environment does to win a circuit, as in [KHB11, Sec. 5.2].
//!
//! In each round of the fixpoint in which states are lost, one goal is at fault: the
//! environment stays in the new states and never lets this goal happen, except on the way to
//! older ones. Meanwhile it makes the assumed recurrences happen one after the other, which is
//! the only thing that it has to remember; the layers of [`super::attraction`] say how far the
//! next one is. So the strategy is four kinds of moves (rho1 to rho4 there) that are here one
//! relation for each recurrence in turn.
//!
//! With goals, the fixpoint is computed once more, and its rounds are kept this time: keeping
//! them for a player who mostly loses would make each game that the system wins more expensive.

use super::attraction::{AttractionGame, Lost, attract};
use super::encode::Game;
use super::fixpoint::{self, Round, Rounds};
use super::solve::{Solution, Winner};
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
    /// The states from which one step is enough, two steps, and so on, up to all from which it
    /// wins; nothing if it wins in the long run only.
    pub rings: Vec<Bdd>,
}

impl Game {
    /// How the environment wins, if it does: for each rigid choice from some initial state.
    pub fn counterstrategy(&self) -> Result<Option<Counterstrategy>> {
        let mut rounds = Rounds::<false>::default();
        let outcome = fixpoint::solve(self, &mut rounds)?;
        if outcome.is_won {
            return Ok(None);
        }
        self.counterstrategy_in(&rounds.0, &outcome.winning)
            .map(Some)
    }

    /// The same from a solution, which need not be computed again if there are no goals.
    pub fn counterstrategy_of(&self, solution: &Solution) -> Result<Option<Counterstrategy>> {
        if !self.goals.is_empty() {
            return self.counterstrategy();
        }
        if solution.winner() == Winner::System {
            return Ok(None);
        }
        self.counterstrategy_in(&solution.rounds, &solution.winning)
            .map(Some)
    }

    /// From all rounds; `kept` are the states that are not lost after them.
    fn counterstrategy_in(&self, rounds: &[Round], kept: &Bdd) -> Result<Counterstrategy> {
        let hits = if self.assumed_recurrences.is_empty() {
            vec![self.manager().one()]
        } else {
            self.assumed_recurrences.clone()
        };
        let mut moves = vec![self.manager().zero(); hits.len()];
        let mut rings = Vec::new();
        let takes_steps = rounds.iter().all(|round| round.goal.is_none());
        for round in rounds {
            let lost = Lost::in_round(self, round)?;
            match lost.goal {
                None => {
                    let found = self.moves_into(&lost)?;
                    for known in &mut moves {
                        *known = known.or(&found)?;
                    }
                    if takes_steps {
                        rings.push(lost.after.clone());
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
        Ok(Counterstrategy {
            moves,
            hits,
            winning: self.care().minus(kept)?,
            rings,
        })
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
