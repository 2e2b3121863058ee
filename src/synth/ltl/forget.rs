//! A strategy that looks at less of the state, if there is one among the moves that are allowed.
//!
//! What may be done without knowing a variable is what may be done whatever its value is
//! (`forall` over the variable, where plays get to). Where something is left to do in each
//! state, the variable is not needed for a move, and neither is the latch behind it, unless
//! another one reads it. Variables are given up one after the other, all at once first.
//!
//! Invariant: each move that is left is one that was allowed, for all values of what was given
//! up that plays may have, and there is one wherever there was one.

use crate::bdd::{Bdd, Limits, Manager, Result, Variable, VariableSet};
use crate::game::Budget;
use std::time::Duration;

/// What this is worth: it makes circuits smaller, and nothing depends on it.
const BUDGET: Budget = Budget {
    nodes: 200_000,
    time: Some(Duration::from_secs(2)),
    work: Some(20_000_000),
};
/// Larger relations are left as they are.
const MOST_NODES: usize = 50_000;

/// What a player may do, and where it has to do something.
pub struct Allowed {
    /// By state, by what the player reads, and by what it does.
    pub relation: Bdd,
    /// By state and by what the player reads; there is a move wherever it holds.
    pub care: Bdd,
}

impl Allowed {
    /// The same for a player who does not know some of the `state`; `own` is what it sets.
    pub fn forgetting(
        self,
        state: &[Variable],
        own: &VariableSet,
        limits: &Limits,
    ) -> Result<Allowed> {
        if self.care.is_zero() || self.relation.size() > MOST_NODES {
            return Ok(self);
        }
        let manager = self.relation.manager().clone();
        let mut current = self;
        let mut pending: Vec<&[Variable]> = vec![state];
        BUDGET.search(&manager, limits, || {
            while let Some(group) = pending.pop() {
                if let Some(less) = current.without(&manager, group, own)? {
                    current = less;
                } else if group.len() > 1 {
                    let (first, second) = group.split_at(group.len() / 2);
                    pending.extend([first, second]);
                }
            }
            Ok(Some(()))
        })?;
        Ok(current)
    }

    /// The same without some variables; nothing if a move is missing then.
    fn without(
        &self,
        manager: &Manager,
        group: &[Variable],
        own: &VariableSet,
    ) -> Result<Option<Allowed>> {
        let group = manager.set(group)?;
        let relation = self.relation.or(&self.care.not())?.forall(&group)?;
        let care = self.care.exists(&group)?;
        if care.minus(&relation.exists(own)?)?.is_zero() {
            return Ok(Some(Allowed { relation, care }));
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// A random set of the values of some variables.
    fn random_set(random: &mut Random, manager: &Manager, variables: &[Variable]) -> Bdd {
        let mut set = manager.zero();
        for row in 0..1_usize << variables.len() {
            if random.below(3) > 0 {
                let values = variables.iter().enumerate();
                let values: Vec<_> = values.map(|(bit, id)| (*id, row >> bit & 1 == 1)).collect();
                set = set.or(&manager.cube(&values).unwrap()).unwrap();
            }
        }
        set
    }

    #[test]
    fn what_is_left_was_allowed_and_is_enough() {
        let mut given_up = 0;
        for seed in 0..500 {
            let mut random = Random::new(seed);
            let manager = Manager::new();
            let all = manager.new_variables(6).unwrap();
            let (state, own) = (&all[..3], manager.set(&all[4..]).unwrap());
            let relation = random_set(&mut random, &manager, &all);
            let reached = random_set(&mut random, &manager, &all[..4]);
            let care = reached.and(&relation.exists(&own).unwrap()).unwrap();
            let allowed = Allowed {
                relation: relation.clone(),
                care: care.clone(),
            };
            let less = allowed.forgetting(state, &own, &Limits::default()).unwrap();
            let moves = less.relation.and(&care).unwrap();
            assert!(moves.minus(&relation).unwrap().is_zero(), "seed {seed}");
            let answered = moves.exists(&own).unwrap();
            assert!(care.minus(&answered).unwrap().is_zero(), "seed {seed}");
            assert!(care.minus(&less.care).unwrap().is_zero(), "seed {seed}");
            let support = less.relation.support();
            given_up += state.iter().filter(|one| !support.contains(one)).count();
        }
        assert!(given_up > 100, "{given_up} variables given up");
    }
}
