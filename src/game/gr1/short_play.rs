//! A play that keeps both sides, found by walking.
//!
//! Whether some play keeps all constraints is decided by a fixpoint over all states
//! (`satisfy`). Mostly a short play shows it, and such a play is found state by state: the next
//! state is one in which as many as possible of the awaited justice constraints hold, and in
//! which variables keep their values otherwise. When all of them have held since an earlier state
//! to which a step leads back, the play is a loop.
//!
//! The walk never turns back, so it proves nothing if it finds nothing.

use super::satisfy::{CommonPlay, Cooperation};
use super::{Gr1Game, Selection};
use crate::bdd::{Bdd, Result, Variable};
use std::collections::HashMap;

/// So many steps more than there are justice constraints are walked.
const MORE_STEPS: usize = 20;

impl Gr1Game {
    /// A play that keeps all selected constraints of both sides, if a walk comes to one.
    pub fn short_play(&self, selection: &Selection) -> Result<Option<CommonPlay>> {
        let cooperation = Cooperation::new(self, selection)?;
        let steps = Steps::new(&cooperation)?;
        let start = vec![false; cooperation.now.len()];
        let first = cooperation.first.and(&steps.present)?;
        let mut walk = Walk {
            cooperation: &cooperation,
            steps,
            states: Vec::new(),
            last_held: vec![None; cooperation.justice.len()],
            anchor: 0,
        };
        let mut possible = walk.meeting(first, &cooperation.justice)?;
        if possible.is_zero() {
            return Ok(None);
        }
        walk.enter(cooperation.nearest(&possible, &cooperation.now, &start)?);
        for _ in 0..cooperation.justice.len() + MORE_STEPS {
            possible = walk.successors()?;
            if let Some(loop_start) = walk.way_back(&possible) {
                let states = walk.states.iter();
                let steps = states.map(|state| cooperation.values(state)).collect();
                return Ok(Some(CommonPlay { steps, loop_start }));
            }
            possible = walk.meeting(possible, &walk.steps.justice)?;
            if possible.is_zero() {
                return Ok(None);
            }
            let here = &walk.states[walk.states.len() - 1];
            let next = cooperation.nearest(&possible, &cooperation.next, here)?;
            walk.enter(next);
        }
        Ok(None)
    }
}

/// The constraints by what they speak of.
struct Steps {
    /// What has to hold in each state.
    present: Bdd,
    /// The same of the next state.
    following: Bdd,
    /// Constraints on current and next values.
    moves: Vec<Bdd>,
    /// Justice constraints, of the next state.
    justice: Vec<Bdd>,
}

impl Steps {
    fn new(cooperation: &Cooperation<'_>) -> Result<Steps> {
        let encoding = cooperation.game.encoding();
        let mut is_next = vec![false; encoding.manager().variable_count()];
        for variable in &cooperation.next {
            is_next[variable.index()] = true;
        }
        let mut present = encoding.manager().one();
        let mut moves = Vec::new();
        for part in &cooperation.steps {
            let support = part.support();
            if support.iter().any(|variable| is_next[variable.index()]) {
                moves.push(part.clone());
            } else {
                present = present.and(part)?;
            }
        }
        let justice = cooperation.justice.iter();
        Ok(Steps {
            following: encoding.to_next(&present)?,
            justice: justice
                .map(|states| encoding.to_next(states))
                .collect::<Result<_>>()?,
            present,
            moves,
        })
    }
}

struct Walk<'w, 'a> {
    cooperation: &'w Cooperation<'a>,
    steps: Steps,
    states: Vec<Vec<bool>>,
    /// For each justice constraint, in which step it held last.
    last_held: Vec<Option<usize>>,
    /// Justice constraints that have not held since this step are awaited.
    anchor: usize,
}

impl Walk<'_, '_> {
    fn enter(&mut self, state: Vec<bool>) {
        let step = self.states.len();
        let assignment = self.cooperation.assignment(&state);
        let values: HashMap<Variable, bool> = assignment.into_iter().collect();
        let value = |variable: Variable| values.get(&variable).copied().unwrap_or(false);
        for (wanted, last) in self.cooperation.justice.iter().zip(&mut self.last_held) {
            if wanted.evaluate(value) {
                *last = Some(step);
            }
        }
        self.states.push(state);
        let is_met = |last: &Option<usize>| last.is_some_and(|last| last >= self.anchor);
        if self.last_held.iter().all(is_met) {
            self.anchor = step;
        }
    }

    /// The states after the last one, over next values.
    fn successors(&self) -> Result<Bdd> {
        let here = &self.states[self.states.len() - 1];
        let here = self.cooperation.state(here)?;
        let mut possible = self.steps.following.clone();
        for part in &self.steps.moves {
            possible = possible.and(&part.constrain(&here)?)?;
        }
        Ok(possible)
    }

    /// Those of the states in which as many awaited justice constraints hold as taking them one
    /// by one gives. The constraints are given over the values that the states are.
    fn meeting(&self, mut states: Bdd, justice: &[Bdd]) -> Result<Bdd> {
        for (wanted, last) in justice.iter().zip(&self.last_held) {
            if last.is_some_and(|last| last > self.anchor) {
                continue;
            }
            let some = states.and(wanted)?;
            if !some.is_zero() {
                states = some;
            }
        }
        Ok(states)
    }

    /// An earlier state that may come next and since which every justice constraint has held.
    fn way_back(&self, possible: &Bdd) -> Option<usize> {
        let since = self.last_held.iter().copied().min()??;
        (0..=since).rev().find(|step| {
            let next = self.cooperation.next.iter().copied();
            let state = self.states[*step].iter().copied();
            let values: HashMap<Variable, bool> = next.zip(state).collect();
            possible.evaluate(|variable| values.get(&variable).copied().unwrap_or(false))
        })
    }
}
