//! Which states plays reach, as long as both players keep their safety constraints.
//!
//! A state that no such play reaches need not be judged [BJPPS12, CRST08]. The search is
//! given a small node budget: where it would cost more than that, all states count. On AMBA it made
//! verdicts no cheaper and on GENBUF dearer (`docs/benchmarks.md`), so it is for those who
//! ask for it.

use super::rules::Rules;
use crate::bdd::{Bdd, Result};
use crate::game::Budget;
use crate::game::relation::Relation;
use crate::spec::gr1::Player;

/// For the search of states.
const BUDGET: Budget = Budget::of_nodes(200_000);
/// How many look-ups of the computed table the search may take.
const EFFORT: u64 = 30_000_000;

impl Rules<'_> {
    /// Leaves out states that do not occur, if they are found quickly. Sets of states that are
    /// computed afterwards are right within [`Rules::care`] only.
    pub fn restrict_to_reachable(&mut self) -> Result<()> {
        let manager = self.manager().clone();
        let limits = self.encoding().limits().clone();
        match BUDGET.search(&manager, &limits, || self.reachable())? {
            Some(states) => self.restrict_to(states.and(self.care())?),
            None => Ok(()),
        }
    }

    /// `None` if the search takes too long.
    fn reachable(&self) -> Result<Option<Bdd>> {
        let manager = self.manager();
        let encoding = self.encoding();
        let start = manager.statistics().cache_lookups;
        let players = [Player::Environment, Player::System];
        let now: Vec<_> = players
            .into_iter()
            .flat_map(|player| encoding.bits_of(player))
            .map(|bit| bit.now)
            .collect();
        let steps = self.laws.assumed.iter().chain(&self.laws.guaranteed);
        let steps: Vec<Bdd> = steps.cloned().collect();
        let relation = Relation::new(manager, &steps, &now)?;
        let leaving = self.leaving()?;
        let mut reached = self.initial_assumption().and(self.initial_guarantee())?;
        let mut new = reached.clone();
        while !new.is_zero() {
            let next = relation.exists(&new.and(&leaving)?)?;
            let next = encoding.to_now(&next)?;
            new = next.minus(&reached)?;
            reached = reached.or(&next)?;
            if manager.statistics().cache_lookups - start > EFFORT {
                return Ok(None);
            }
        }
        Ok(Some(reached))
    }
}
