//! Which parts of a pool of assumptions make a specification realizable.
//!
//! More assumptions only help the system, so answers serve for smaller and larger parts. A
//! specification without most of its guarantees is a smaller game, and one that nobody wins shows
//! that a part is too small: such sets of guarantees are kept, first the core, then what the
//! environment's win rests on in each game that it has won (`game/gr1/grounds`).
//!
//! Invariant: a part that is said to suffice does. One that is said not to may, if the game took
//! far more work than that of the whole pool.

use super::additions::{Ground, with};
use super::candidates::Candidate;
use crate::bdd::{Error, Limits, Result};
use crate::game::gr1::{Gr1Game, Selection};
use crate::spec::Semantics;
use crate::spec::gr1::{ConstraintId, Gr1, Side};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// A question about a part of a pool may take so many times the work of that about all of it, and
/// some more: about a second.
const TIMES_THE_WHOLE: u64 = 4;
const SOME_WORK: u64 = 15_000_000;

/// Games about parts of a pool.
pub(super) struct Questions<'s> {
    ground: &'s Ground<'s>,
    spec: &'s Gr1,
    pool: &'s [Candidate],
    /// With the whole pool; none under the implication, whose parts are games of their own.
    game: Option<Gr1Game>,
    added: Vec<ConstraintId>,
    /// Parts of the pool that were found to be enough, or not to be.
    enough: RefCell<Vec<BTreeSet<usize>>>,
    too_few: RefCell<Vec<BTreeSet<usize>>>,
    /// What takes more work counts as not enough; `None` for as much as the limits give.
    most_work: Option<u64>,
}

impl<'s> Questions<'s> {
    pub fn new(
        ground: &'s Ground<'_>,
        spec: &'s Gr1,
        pool: &'s [Candidate],
    ) -> Result<Questions<'s>> {
        let (whole, added) = with(spec, pool);
        let game = match ground.semantics {
            Semantics::Strict => Some(ground.game.extended(&whole)?),
            Semantics::Implication => None,
        };
        Ok(Questions {
            ground,
            spec,
            pool,
            game,
            added,
            enough: RefCell::default(),
            too_few: RefCell::default(),
            most_work: None,
        })
    }

    /// Whether a candidate says the same as a guarantee: to assume what is asked for is no help.
    pub fn is_goal(&self, number: usize) -> bool {
        self.game.as_ref().is_some_and(|game| {
            let own = game.function(self.added[number]);
            let kind = game.spec().constraint(self.added[number]).kind;
            let mut guarantees = game.spec().of(Side::Guarantee, kind);
            guarantees.any(|id| game.function(id) == own)
        })
    }

    /// Whether the specification is realizable with some candidates. More of them only help.
    pub fn realizable(&self, chosen: &[usize]) -> Result<bool> {
        let chosen: BTreeSet<usize> = chosen.iter().copied().collect();
        let mut enough = self.enough.borrow_mut();
        if enough.iter().any(|fewer| fewer.is_subset(&chosen)) {
            return Ok(true);
        }
        let mut too_few = self.too_few.borrow_mut();
        if too_few.iter().any(|more| chosen.is_subset(more)) {
            return Ok(false);
        }
        let Some(is_enough) = self.within_work(|| self.solved(&chosen))? else {
            return Ok(false);
        };
        let known = if is_enough { &mut enough } else { &mut too_few };
        known.push(chosen);
        Ok(is_enough)
    }

    /// Whether the whole pool suffices. A part that takes far more work is not looked at from now
    /// on: `certify` asks about each member that is left.
    pub fn all_suffice(&mut self) -> Result<bool> {
        let before = self.work();
        let everything: Vec<usize> = (0..self.pool.len()).collect();
        let is_enough = self.realizable(&everything)?;
        self.most_work = Some(TIMES_THE_WHOLE * (self.work() - before) + SOME_WORK);
        Ok(is_enough)
    }

    /// What the game has cost so far.
    fn work(&self) -> u64 {
        let manager = self.game.as_ref().map(|game| game.encoding().manager());
        manager.map_or(0, |manager| manager.statistics().work)
    }

    /// `None` if it takes more work than a question may.
    fn within_work(&self, question: impl FnOnce() -> Result<bool>) -> Result<Option<bool>> {
        let (Some(game), Some(most)) = (&self.game, self.most_work) else {
            return question().map(Some);
        };
        let usual = game.limits();
        let end = self.work().saturating_add(most);
        if usual.work.is_some_and(|own| own <= end) {
            return question().map(Some);
        }
        let manager = game.encoding().manager();
        manager.set_limits(Limits {
            work: Some(end),
            ..usual.clone()
        });
        let answer = question();
        manager.set_limits(usual);
        match answer {
            Err(Error::Effort) => Ok(None),
            other => other.map(Some),
        }
    }

    fn solved(&self, chosen: &BTreeSet<usize>) -> Result<bool> {
        let ground = self.ground;
        let Some(game) = &self.game else {
            let set: Vec<Candidate> = chosen.iter().map(|one| self.pool[*one].clone()).collect();
            let spec = with(self.spec, &set).0.as_implication();
            let game = Gr1Game::new(&spec, ground.limits.clone())?;
            return game.is_realizable(&Selection::everything(&spec));
        };
        let mut selection = Selection::everything(game.spec());
        for (index, id) in self.added.iter().enumerate() {
            selection.set(*id, chosen.contains(&index));
        }
        ground.conflicts.resolved(game, &selection)
    }
}

/// Sets of guarantees that conflict with few assumptions. A game with one of them only is small,
/// and mostly shows that assumptions do not suffice yet.
pub(super) struct Conflicts(RefCell<Vec<BTreeSet<ConstraintId>>>);

impl Conflicts {
    pub fn new(first: BTreeSet<ConstraintId>) -> Conflicts {
        Conflicts(RefCell::new(vec![first]))
    }

    /// Whether the game of a selection is realizable.
    fn resolved(&self, game: &Gr1Game, selection: &Selection) -> Result<bool> {
        for conflict in self.0.borrow().iter() {
            if !game.is_realizable(&part_of(game.spec(), selection, conflict))? {
                return Ok(false);
            }
        }
        let Some(grounds) = game.grounds(selection, &|_| false)? else {
            return Ok(true);
        };
        // What the environment's win rests on is a conflict if it is one as a game of its own.
        let all = game.spec().constraint_ids();
        let all = all.filter(|id| game.spec().constraint(*id).side == Side::Guarantee);
        if 2 * grounds.len() < all.count()
            && !game.is_realizable(&part_of(game.spec(), selection, &grounds))?
        {
            self.0.borrow_mut().push(grounds);
        }
        Ok(false)
    }
}

/// A selection with some of its guarantees only; definitions stay.
fn part_of(spec: &Gr1, selection: &Selection, kept: &BTreeSet<ConstraintId>) -> Selection {
    let mut part = selection.clone();
    for id in spec.constraint_ids() {
        let constraint = spec.constraint(id);
        if constraint.side == Side::Guarantee && constraint.is_candidate && !kept.contains(&id) {
            part.set(id, false);
        }
    }
    part
}
