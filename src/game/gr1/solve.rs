//! Who wins a GR(1) game, by the three-fold fixpoint of [BJPPS12]:
//!
//! ```text
//! nu Z. and_j mu Y. or_i nu X. goal_j & can Z | can Y | !assumed_i & can X
//! ```
//!
//! Ours first lets Z shrink to where the system can keep its safety, goes on with the goals
//! one after the other, each with the Z that the one before has left, and starts the
//! fixpoints X from those of the round before, which only shrink with Z. It stops as soon
//! as the environment has a first move without a good answer.
//!
//! Invariant: Z contains the winning states, and all states outside of Z are lost by
//! the rounds in which they were taken out.

use super::rules::Rules;
use crate::bdd::{Bdd, Result};

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

/// How the system approaches one goal within the winning states.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Growing sets, the last one is `winning`. From a layer, the system either makes the
    /// goal recur and stays within `winning`, or gets into the layer below, or stays in
    /// `waiting[i]` while the assumption `i` does not hold.
    pub layers: Vec<Layer>,
}

#[derive(Clone, Debug)]
pub struct Layer {
    pub states: Bdd,
    /// For each assumed recurrence; `states` is their union.
    pub waiting: Vec<Bdd>,
}

/// Some states that the environment wins.
#[derive(Clone, Debug)]
pub struct Round {
    /// The goal that the environment prevents; `None` if it gets out of `before` in one step.
    pub goal: Option<usize>,
    /// The states in question before and after; those in between are lost.
    pub before: Bdd,
    pub after: Bdd,
}

impl Rules<'_> {
    pub fn solve(&self) -> Result<Solution> {
        let mut rounds = Vec::new();
        let mut winning = self.care().clone();
        loop {
            let next = winning.and(&self.system_can(&winning)?)?;
            if next == winning {
                break;
            }
            rounds.push(Round {
                goal: None,
                before: winning,
                after: next.clone(),
            });
            winning = next;
            if !self.starts_in(&winning)? {
                return Ok(lost(winning, rounds));
            }
        }
        if !self.starts_in(&winning)? {
            return Ok(lost(winning, rounds));
        }
        let mut progress: Vec<Option<Progress>> = vec![None; self.goals.len()];
        let mut settled = 0;
        // Each goal has to be reached within the states that all of them have left.
        for goal in (0..self.goals.len()).cycle() {
            if settled == self.goals.len() {
                break;
            }
            let approach = self.approach(goal, &winning, progress[goal].as_ref())?;
            let reached = match approach.layers.last() {
                Some(layer) => layer.states.clone(),
                None => self.manager().zero(),
            };
            progress[goal] = Some(approach);
            settled += 1;
            if reached != winning {
                rounds.push(Round {
                    goal: Some(goal),
                    before: winning,
                    after: reached.clone(),
                });
                winning = reached;
                settled = 0;
                if !self.starts_in(&winning)? {
                    return Ok(lost(winning, rounds));
                }
            }
        }
        Ok(Solution {
            realizable: true,
            winning,
            progress: progress.into_iter().flatten().collect(),
            rounds,
        })
    }

    /// The least fixpoint of one goal within `winning`.
    fn approach(&self, goal: usize, winning: &Bdd, earlier: Option<&Progress>) -> Result<Progress> {
        let staying = winning.and(&self.system_can(winning)?)?;
        let hit = self.goals[goal].states.and(&staying)?;
        let mut layers: Vec<Layer> = Vec::new();
        let mut closer = self.manager().zero();
        loop {
            let into = hit.or(&winning.and(&self.system_can(&closer)?)?)?;
            let start = earlier.and_then(|progress| progress.layers.get(layers.len()));
            let layer = self.layer(&staying, &into, start)?;
            if layer.states == closer {
                return Ok(Progress { layers });
            }
            closer = layer.states.clone();
            layers.push(layer);
            if closer == *winning {
                return Ok(Progress { layers });
            }
        }
    }

    /// One more layer. `staying` are the winning states from which the system can stay in
    /// them: the first step of each fixpoint, and the same for all.
    fn layer(&self, staying: &Bdd, into: &Bdd, start: Option<&Layer>) -> Result<Layer> {
        let mut states = into.clone();
        let mut waiting = Vec::new();
        for (index, assumed) in self.assumed.iter().enumerate() {
            let mut stay = into.or(&staying.minus(&assumed.states)?)?;
            if let Some(layer) = start {
                stay = stay.and(&layer.waiting[index])?;
            }
            loop {
                let idle = stay.minus(&assumed.states)?;
                let next = if idle.is_subset_of(into)? {
                    into.clone()
                } else {
                    into.or(&idle.and(&self.system_can(&stay)?)?)?
                };
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

fn lost(winning: Bdd, rounds: Vec<Round>) -> Solution {
    Solution {
        realizable: false,
        winning,
        progress: Vec::new(),
        rounds,
    }
}
