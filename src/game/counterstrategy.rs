//! What the environment does to win a circuit, as in [KHB11, Sec. 5.2].
//!
//! In each round of the fixpoint in which states are lost, one goal is at fault: the
//! environment stays in the new states and never lets this goal happen, except on the way to
//! older ones. Meanwhile it makes the assumed recurrences happen one after the other, which is
//! the only thing that it has to remember; the layers of [`super::attraction`] say how far the
//! next one is. So the strategy is four kinds of moves (rho1 to rho4 there) that are here one
//! relation for each recurrence in turn.
//!
//! Without goals, a bounded number of steps is enough, and most states that are lost are on no
//! play in which the environment keeps to its strategy. So it is made from the start: from the
//! states of the latest round that plays come to, one move for each leads to earlier rounds,
//! which are looked at in turn. Unlike the moves from all states, these take little to find.
//!
//! With goals, the fixpoint is computed once more, and its rounds are kept this time: keeping
//! them for a player who mostly loses would make each game that the system wins more expensive.

use super::attraction::{AttractionGame, Lost, attract};
use super::encode::Game;
use super::fixpoint::{self, Round, Rounds};
use super::solve::{Solution, StoredRounds, Winner};
use super::steps::Steps;
use crate::bdd::{Bdd, Result, Variable};

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
        let Some(rounds) = &solution.rounds else {
            return self.counterstrategy();
        };
        if solution.winner() == Winner::System {
            return Ok(None);
        }
        self.counterstrategy_from_start(rounds).map(Some)
    }

    /// From rounds in each of which one step is enough: the moves in states that plays come to
    /// if the environment keeps to them.
    fn counterstrategy_from_start(&self, rounds: &StoredRounds) -> Result<Counterstrategy> {
        let mut moves = self.manager().zero();
        let mut visited = self.initial()?.and(self.care())?;
        let mut by_round = Vec::new();
        for round in (0..rounds.len()).rev() {
            let (left_before, left_after) = rounds.around(self.manager(), round)?;
            let open = visited.and(&left_before)?.minus(&left_after)?;
            if open.is_zero() {
                continue;
            }
            let before = self.care().minus(&left_before)?;
            let into = self.steps_from(&open)?.leading_into(&before)?;
            let found = self.environment_moves(&into)?.and(&open)?;
            let found = self.one_for_each_state(&found)?;
            moves = moves.or(&found)?;
            // Where the guarantee breaks, the play is over.
            let after = self.image()?.of(&found.and(&self.guarantee)?)?;
            visited = visited.or(&after.and(&before)?)?;
            by_round.push(open);
        }
        let mut rings: Vec<Bdd> = Vec::new();
        for open in by_round.iter().rev() {
            rings.push(match rings.last() {
                Some(ring) => ring.or(open)?,
                None => open.clone(),
            });
        }
        let zero = self.manager().zero();
        Ok(Counterstrategy {
            moves: vec![moves],
            hits: vec![self.manager().one()],
            winning: rings.last().cloned().unwrap_or(zero),
            rings,
        })
    }

    /// Of the moves from each state one: an input is 1 only if it has to be.
    fn one_for_each_state(&self, moves: &Bdd) -> Result<Bdd> {
        let mut order: Vec<Variable> = self.input_variables().collect();
        order.sort_by_key(|variable| self.manager().level(*variable));
        let mut moves = moves.clone();
        for (position, &variable) in order.iter().enumerate() {
            let later = self.manager().set(&order[position + 1..])?;
            let with_zero = moves.cofactor(&[(variable, false)])?;
            let may_be_zero = with_zero.exists(&later)?;
            let is_one = self.manager().literal(variable)?;
            moves = moves.minus(&is_one.and(&may_be_zero)?)?;
        }
        Ok(moves)
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
