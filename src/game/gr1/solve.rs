//! Who wins a GR(1) game, by the three-fold fixpoint of [BJPPS12]:
//!
//! ```text
//! nu Z. and_j mu Y. or_i nu X. goal_j & can Z | can Y | !assumed_i & can X
//! ```
//!
//! Ours first lets Z shrink to where the system can keep its safety, goes on with the goals
//! one after the other, each with the Z that the one before has left, and starts the
//! fixpoints X from those of the round before, which only shrink with Z. Goals that are
//! likely to take states away come first, so that the others are looked at once. It stops as
//! soon as the environment has a first move without a good answer.
//!
//! Invariant: Z contains the winning states, and all states outside of Z are lost by
//! the rounds in which they were taken out.

use super::rules::Rules;
use crate::bdd::{Bdd, Result};
use std::collections::BTreeSet;

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

/// What is kept of the approaches to goals.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keep {
    Everything,
    /// Only what is likely to be needed for the verdict.
    Little,
}

impl Rules<'_> {
    pub fn solve(&self) -> Result<Solution> {
        let (decision, progress) = self.play(Keep::Everything)?;
        Ok(Solution {
            realizable: decision.realizable,
            winning: decision.winning,
            progress: match decision.realizable {
                true => progress.into_iter().flatten().collect(),
                false => Vec::new(),
            },
            rounds: decision.rounds,
        })
    }

    /// Only who wins: less has to be kept, which makes reorderings cheaper.
    pub fn decide(&self) -> Result<Decision> {
        Ok(self.play(Keep::Little)?.0)
    }

    /// Who wins, and what was kept of the approach to each goal.
    fn play(&self, keep: Keep) -> Result<(Decision, Vec<Option<Progress>>)> {
        let mut rounds = Vec::new();
        let mut winning = self.care().clone();
        let mut progress: Vec<Option<Progress>> = vec![None; self.goals.len()];
        let lost = |winning, rounds| Decision {
            realizable: false,
            winning,
            rounds,
        };
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
                return Ok((lost(winning, rounds), progress));
            }
        }
        if !self.starts_in(&winning)? {
            return Ok((lost(winning, rounds), progress));
        }
        let order = self.one_of_each_kind_first();
        let mut turns = order.iter().cycle().copied().peekable();
        let mut settled = 0;
        // Each goal has to be reached within the states that all of them have left.
        while settled < order.len()
            && let Some(&goal) = turns.peek()
        {
            let approach = self.approach(goal, &winning, progress[goal].as_ref())?;
            let reached = match approach.layers.last() {
                Some(layer) => layer.states.clone(),
                None => self.manager().zero(),
            };
            let is_settled = reached == winning;
            // A goal that takes states away is looked at again at once.
            progress[goal] = (keep == Keep::Everything || !is_settled).then_some(approach);
            if is_settled {
                settled += 1;
                turns.next();
                continue;
            }
            rounds.push(Round {
                goal: Some(goal),
                before: winning,
                after: reached.clone(),
            });
            winning = reached;
            if !self.starts_in(&winning)? {
                return Ok((lost(winning, rounds), progress));
            }
            settled = 0;
        }
        let decision = Decision {
            realizable: true,
            winning,
            rounds,
        };
        Ok((decision, progress))
    }

    /// The goals, one of each kind first: an arbiter has a goal for each client, alike but for
    /// their variables, and what one of a kind does not take away, its like seldom do.
    fn one_of_each_kind_first(&self) -> Vec<usize> {
        let mut seen = BTreeSet::new();
        let is_new = |goal: &usize| {
            let states = &self.goals[*goal].states;
            seen.insert((states.support().len(), states.size()))
        };
        let (mut goals, rest): (Vec<usize>, Vec<usize>) = (0..self.goals.len()).partition(is_new);
        goals.extend(rest);
        goals
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
