//! Minimal conflicts within some parts of a specification, and minimal ways out of them.
//!
//! The searches are those of `minimize`; what they ask is cheap at first. Ours gives up
//! families of constraints before single ones (`thin`), and asks exactly only about what is
//! left. What the oracle has learned from an answer may be a smaller conflict than the one
//! that was asked about, and then the search goes on with that.
//!
//! Invariant: of a result, no member that may be given up can be: the last search has asked
//! about each of them exactly.

use super::minimize::{Minimizer, minimize, narrow};
use super::oracle::{Oracle, ROOM};
use super::subset::Subset;
use super::thin::{classes, give_up};
use crate::bdd::Result;

impl Oracle<'_> {
    /// A minimal conflict that contains `base` and otherwise members of `within` only;
    /// both together must conflict. Members of `base` are not minimized.
    pub fn minimal_conflict(
        &mut self,
        minimizer: Minimizer,
        within: &Subset,
        base: &Subset,
    ) -> Result<Subset> {
        let none = Subset::new(self.size());
        self.conflict_preferring(minimizer, within, base, &none)
    }

    /// The same; the preferred members are the last to be given up.
    pub fn conflict_preferring(
        &mut self,
        minimizer: Minimizer,
        within: &Subset,
        base: &Subset,
        preferred: &Subset,
    ) -> Result<Subset> {
        let mut items: Vec<usize> = within.minus(base).iter().collect();
        items.sort_by_key(|item| preferred.contains(*item));
        let bound = self.size();
        let join = |items: &[usize]| base.union(&Subset::of(bound, items.iter().copied()));
        // Parts that are realizable are often far more expensive than the whole. So at first
        // only conflicts that an approximation sees count, or those that take little room;
        // whatever that has left too large, the exact search makes minimal.
        // A conflict that is known for another reason has no parts that it sees.
        let is_seen = self.is_seen(&join(&items))?;
        let items = self.narrowed(&items, &join(&items));
        let classes = classes(self, &items);
        let mut cheaply = |items: &[usize]| {
            let set = join(items);
            let fails = match is_seen {
                true => self.refuted(&set)?,
                false => self.conflicts_within(&set, ROOM)? == Some(true),
            };
            Ok(fails.then(|| self.narrowed(items, &set)))
        };
        let few = give_up(&classes, &items, &mut cheaply)?;
        // What is left of many is mostly needed, so there is nothing to gain from halves.
        let minimizer = match 2 * few.len() < items.len() {
            true => Minimizer::Linear,
            false => minimizer,
        };
        let found = narrow(minimizer, &few, &mut cheaply)?;
        let mut exactly = |items: &[usize]| {
            let set = join(items);
            Ok(self.conflicts(&set)?.then(|| self.narrowed(items, &set)))
        };
        let found = narrow(Minimizer::Linear, &found, &mut exactly)?;
        Ok(join(&found))
    }

    /// A minimal part of `candidates` without which `set` is no conflict; without all of
    /// them it must be none.
    pub fn minimal_removal(
        &mut self,
        minimizer: Minimizer,
        set: &Subset,
        candidates: &Subset,
    ) -> Result<Subset> {
        let items: Vec<usize> = candidates.iter().collect();
        let bound = self.size();
        let mut works = |removed: &[usize]| {
            let rest = set.minus(&Subset::of(bound, removed.iter().copied()));
            Ok(!self.conflicts(&rest)?)
        };
        let found = minimize(minimizer, &items, &mut works)?;
        Ok(Subset::of(bound, found))
    }
}
