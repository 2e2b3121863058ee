//! What the environment does to win, as in [KHB11, Sec. 5.2].
//!
//! The dual of the system's fixpoint, with conditions on steps:
//!
//! ```text
//! mu Z. or_j nu Y. and_i mu X. can( (!goal_j | into Z) & into Y & (assumed_i | into X) )
//! ```
//!
//! where `can` also holds where the environment can make the system break its guarantee.
//! Each time that Z grows, one goal `j` is at fault: the environment stays in the new states
//! and never lets this goal happen, except on the way to older ones. Meanwhile it makes the
//! assumed recurrences happen one after the other, which is the only thing that it has to
//! remember; X is how far the next one is. So the strategy is four kinds of moves (rho1 to
//! rho4 there) that are here one relation for each recurrence in turn.
//!
//! The computation shares nothing with that of the system's side but single steps: that one
//! stops early, and keeping its rounds for a player who mostly loses would cost both.

use super::encode::Game;
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
        let zero = self.manager().zero();
        let hits = if self.assumed_recurrences.is_empty() {
            vec![self.manager().one()]
        } else {
            self.assumed_recurrences.clone()
        };
        let mut attack = Attack {
            game: self,
            won: zero.clone(),
            moves: vec![zero; hits.len()],
            hits,
        };
        let wins = if self.goals.is_empty() {
            attack.break_invariant(None)?
        } else {
            attack.deny_goals()?
        };
        Ok(wins.then_some(Counterstrategy {
            moves: attack.moves,
            hits: attack.hits,
            winning: attack.won,
        }))
    }
}

struct Attack<'a> {
    game: &'a Game,
    won: Bdd,
    moves: Vec<Bdd>,
    hits: Vec<Bdd>,
}

impl Attack<'_> {
    fn wins_from_start(&self) -> Result<bool> {
        Ok(self.game.contains_initial(&self.won.not())?.is_zero())
    }

    /// Adds states from which the environment can come to what it has won, or make the
    /// system break its guarantee; true if that is enough.
    fn break_invariant(&mut self, start: Option<Bdd>) -> Result<bool> {
        if let Some(start) = start {
            self.won = self.won.or(&start)?;
        }
        let mut in_question = self.won.not();
        loop {
            if self.wins_from_start()? {
                return Ok(true);
            }
            if in_question.is_zero() {
                return Ok(false);
            }
            let into = self
                .game
                .steps_from(&in_question)?
                .leading_into(&self.won)?;
            let moves = self.game.environment_moves(&into)?.and(&in_question)?;
            let new = moves.exists(self.game.input_set())?;
            if new.is_zero() {
                return Ok(false);
            }
            for known in &mut self.moves {
                *known = known.or(&moves)?;
            }
            self.won = self.won.or(&new)?;
            // Only what may come to a new state can be new in the next round.
            let open = self.won.not();
            let into_new = self.game.steps_from(&open)?.leading_into(&new)?;
            in_question = self.game.may_take(&into_new)?.and(&open)?;
        }
    }

    fn deny_goals(&mut self) -> Result<bool> {
        loop {
            // The cheap part of each round first: whatever leads to what is won is won.
            if self.break_invariant(None)? {
                return Ok(true);
            }
            let before = self.won.clone();
            for goal in 0..self.game.goals.len() {
                let region = self.deny(goal)?;
                if region != self.won && self.break_invariant(Some(region))? {
                    return Ok(true);
                }
            }
            if self.won == before {
                return Ok(false);
            }
        }
    }

    /// The states in which the environment can stay, or move to what it has won, while the
    /// goal does not happen and all assumed recurrences do. Adds the moves for those that
    /// are new.
    fn deny(&mut self, goal: usize) -> Result<Bdd> {
        let goal = &self.game.goals[goal];
        let open = self.won.not();
        if open.is_zero() {
            return Ok(self.won.clone());
        }
        let steps = self.game.steps_from(&open)?;
        let into_won = steps.leading_into(&self.won)?;
        let mut region = self.game.manager().one();
        loop {
            // Whatever happens, without the goal or on the way to what is won.
            let staying = steps.leading_into(&region)?.minus(goal)?.or(&into_won)?;
            let mut smaller = region.clone();
            let mut layers = Vec::new();
            for hit in &self.hits {
                let (reached, moves) =
                    self.bring_about(&open, &staying, &into_won, hit, |near| {
                        steps.leading_into(near)
                    })?;
                smaller = smaller.and(&reached)?;
                layers.push(moves);
            }
            if smaller == region {
                for (known, moves) in self.moves.iter_mut().zip(layers) {
                    *known = known.or(&moves.and(&region)?)?;
                }
                return Ok(region);
            }
            region = smaller;
        }
    }

    /// The states from which the environment can make steps among `staying` until it makes
    /// one of `hit` or comes to what it has won; and the moves by which the open ones of
    /// them come closer.
    fn bring_about(
        &self,
        open: &Bdd,
        staying: &Bdd,
        into_won: &Bdd,
        hit: &Bdd,
        into: impl Fn(&Bdd) -> Result<Bdd>,
    ) -> Result<(Bdd, Bdd)> {
        let mut near = self.won.clone();
        let mut moves = self.game.manager().zero();
        loop {
            let closer = hit.or(&into(&near)?)?.or(into_won)?;
            let found = self.game.environment_moves(&staying.and(&closer)?)?;
            let new_states = open.minus(&near)?;
            let found = found.and(&new_states)?;
            let new = found.exists(self.game.input_set())?;
            if new.is_zero() {
                return Ok((near, moves));
            }
            moves = moves.or(&found)?;
            near = near.or(&new)?;
        }
    }
}
