//! Winning states by nested fixpoints.
//!
//! The game of an invariant is one greatest fixpoint. With goals it is the three-fold
//! fixpoint of GR(1) [BJPPS12], with conditions on steps in place of conditions on states:
//!
//! ```text
//! nu Z. and_j mu Y. or_i nu X. can( goal_j & into Z | into Y | !assumed_i & into X )
//! ```
//!
//! Ours starts from the states where the system can keep the invariants at all, keeps the
//! inner fixpoints of one round as the start of the next one (they only shrink with Z), and
//! stops as soon as no rigid choice is left for which all initial states may still win.

use super::encode::Game;
use super::steps::Steps;
use crate::bdd::{Bdd, Result};

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
}

/// The last round of the least fixpoint of one goal.
pub(super) struct Progress {
    /// Growing sets of states, each one step closer than the next.
    pub layers: Vec<Layer>,
}

pub(super) struct Layer {
    pub states: Bdd,
    /// For each assumed recurrence, where the system can stay while it does not happen.
    pub waiting: Vec<Bdd>,
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
        self.solve_watched(&mut |_| {})
    }

    /// The same; `watch` is told each time that so many steps have been looked ahead in
    /// which the environment cannot break the guarantee yet.
    pub fn solve_watched(&self, watch: &mut dyn FnMut(usize)) -> Result<Solution> {
        Solver { game: self }.solve(watch)
    }
}

struct Solver<'a> {
    game: &'a Game,
}

impl Solver<'_> {
    fn solve(&self, watch: &mut dyn FnMut(usize)) -> Result<Solution> {
        let (safe, good) = self.keep_invariants(watch)?;
        if good.is_zero() || self.game.goals.is_empty() {
            return Ok(Solution {
                winning: safe,
                good_choices: good,
                progress: Vec::new(),
            });
        }
        self.reach_goals(safe)
    }

    /// The states from which the system can keep its invariant as long as the environment
    /// does.
    fn keep_invariants(&self, watch: &mut dyn FnMut(usize)) -> Result<(Bdd, Bdd)> {
        let mut safe = self.game.care().clone();
        for round in 1.. {
            let into_safe = self.game.steps_from(&safe)?.leading_into(&safe)?;
            let next = safe.and(&self.game.system_can(&into_safe)?)?;
            let good = self.game.contains_initial(&next)?;
            if next == safe || good.is_zero() {
                return Ok((next, good));
            }
            safe = next;
            watch(round);
        }
        unreachable!("the rounds are not counted to an end")
    }

    fn reach_goals(&self, safe: Bdd) -> Result<Solution> {
        let mut winning = safe;
        // What was computed for each goal when Z was larger.
        let mut earlier: Vec<Option<Progress>> = self.game.goals.iter().map(|_| None).collect();
        loop {
            let before = winning.clone();
            for (goal, earlier) in self.game.goals.iter().zip(&mut earlier) {
                let steps = self.game.steps_from(&winning)?;
                let hit = goal.and(&steps.leading_into(&winning)?)?;
                let progress = self.approach(&winning, &steps, &hit, earlier.as_ref())?;
                let reached = progress.layers.last().map(|layer| layer.states.clone());
                winning = reached.unwrap_or_else(|| self.game.manager().zero());
                *earlier = Some(progress);
                let good = self.game.contains_initial(&winning)?;
                if good.is_zero() {
                    return Ok(Solution {
                        winning,
                        good_choices: good,
                        progress: Vec::new(),
                    });
                }
            }
            if winning == before {
                let good_choices = self.game.contains_initial(&winning)?;
                let progress = earlier.into_iter().flatten().collect();
                return Ok(Solution {
                    winning,
                    good_choices,
                    progress,
                });
            }
        }
    }

    /// The least fixpoint of one goal within `winning`: `hit` are the steps that do it.
    fn approach(
        &self,
        winning: &Bdd,
        steps: &Steps,
        hit: &Bdd,
        earlier: Option<&Progress>,
    ) -> Result<Progress> {
        let mut layers: Vec<Layer> = Vec::new();
        let mut closer = self.game.manager().zero();
        loop {
            let into_closer = hit.or(&steps.leading_into(&closer)?)?;
            let start = earlier.and_then(|progress| progress.layers.get(layers.len()));
            let layer = self.layer(winning, steps, &into_closer, start)?;
            if layer.states == closer {
                return Ok(Progress { layers });
            }
            closer = layer.states.clone();
            layers.push(layer);
        }
    }

    /// One more layer: states from which the system gets closer, or waits while some
    /// assumed recurrence does not happen.
    fn layer(
        &self,
        winning: &Bdd,
        steps: &Steps,
        into_closer: &Bdd,
        start: Option<&Layer>,
    ) -> Result<Layer> {
        if self.game.assumed_recurrences.is_empty() {
            let states = winning.and(&self.game.system_can(into_closer)?)?;
            return Ok(Layer {
                states,
                waiting: Vec::new(),
            });
        }
        let mut states = self.game.manager().zero();
        let mut waiting = Vec::new();
        for (index, assumed) in self.game.assumed_recurrences.iter().enumerate() {
            let mut stay = match start {
                Some(layer) => winning.and(&layer.waiting[index])?,
                None => winning.clone(),
            };
            loop {
                let wait = steps.leading_into(&stay)?.minus(assumed)?;
                let next = stay.and(&self.game.system_can(&into_closer.or(&wait)?)?)?;
                if next == stay {
                    break;
                }
                stay = next;
            }
            states = states.or(&stay)?;
            waiting.push(stay);
        }
        Ok(Layer { states, waiting })
    }
}
