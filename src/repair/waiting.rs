//! Edits of large designs that wait to be proved.
//!
//! To prove one edit of a large design takes longer than to look at hundreds. So all edits are
//! looked at first, and those that survive wait here; then they are judged in the order in
//! which a person would prefer them, each with a bound on the work at first: which of them is
//! proved soon cannot be told. An edit that is refuted gives a run that others have to survive.
//! Work is counted in steps and not in time, so that the same edits are proved each time.

use super::RepairError;
use super::behaviour::Effect;
use super::edits::{Alike, Judged, Stage, group_of, total_cost};
use crate::bdd;
use crate::design::Patch;
use crate::design::verilog::edits::SourceEdit;
use std::collections::VecDeque;

/// What a proof may take as long as nothing is proved, round by round; the last round has no
/// bound.
const ROUNDS: [Option<u64>; 2] = [Some(300_000_000), None];
/// What it may take where there is a repair already.
const MORE: u64 = 64_000_000;
/// Edits that are put off before the next round begins, or the search ends with what it has.
const MOST_UNDECIDED: usize = 3;

/// An edit that survived all runs and is to be proved when all edits have been looked at.
pub(super) struct Waiting {
    pub edits: Vec<SourceEdit>,
    pub patch: Patch,
    pub cost: u32,
    pub new_signals: usize,
    pub hash: u64,
    pub effect: Effect,
    /// Others that do the same on random runs, the cheapest first.
    pub alike: VecDeque<Waiting>,
    /// How many of the runs that refuted edits have given were known when it survived.
    pub survived: usize,
}

impl Waiting {
    /// The next of those that do the same, with the others, after this one was refuted.
    fn next_alike(self) -> Option<Waiting> {
        let mut alike = self.alike;
        let next = alike.pop_front()?;
        Some(Waiting { alike, ..next })
    }
}

/// What became of an edit that waited.
enum Waited {
    Proved,
    /// With another edit that does the same on random runs and may fare better.
    Refuted(Option<Box<Waiting>>),
    TooHard(Box<Waiting>),
    Interrupted,
}

impl From<Waiting> for Alike {
    fn from(one: Waiting) -> Alike {
        Alike {
            patch: one.patch,
            cost: one.cost,
            new_signals: one.new_signals,
        }
    }
}

impl Stage<'_, '_, '_> {
    /// Puts an edit aside until all have been looked at, beside one that does the same on
    /// random runs.
    pub(super) fn wait(&mut self, edit: Waiting) {
        let mut known = self.waiting.iter_mut();
        match known.find(|one| one.hash == edit.hash) {
            Some(known) => known.alike.push_back(edit),
            None => self.waiting.push(edit),
        }
    }

    /// Judges the edits of a large design, those first that a person would prefer. One that is
    /// hard to prove is put off, so that it does not keep the others from their turn.
    pub(super) fn judge_waiting(&mut self) -> Result<(), RepairError> {
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.sort_by_key(|one| total_cost(one.cost, &one.effect));
        let mut waiting = VecDeque::from(waiting);
        let mut limits = self.search.limits.clone();
        for work in ROUNDS {
            let mut undecided = VecDeque::new();
            let most = work.map_or(usize::MAX, |_| MOST_UNDECIDED);
            while self.repairs(u32::MAX) + 1 < self.search.enough && undecided.len() < most {
                let Some(one) = waiting.pop_front() else {
                    break;
                };
                if let Err(error) = limits.check() {
                    self.found.stopped = Some(error);
                    return Ok(());
                }
                limits.lookups = match self.repairs(u32::MAX) {
                    0 => work,
                    _ => Some(MORE),
                };
                match self.judge_one(one, &limits)? {
                    Waited::Proved => {}
                    Waited::Refuted(Some(next)) => waiting.push_front(*next),
                    Waited::Refuted(None) => {}
                    Waited::TooHard(one) => undecided.push_back(*one),
                    Waited::Interrupted => return Ok(()),
                }
            }
            if self.repairs(u32::MAX) > 0 {
                return Ok(());
            }
            undecided.append(&mut waiting);
            waiting = undecided;
        }
        self.found.unproved += waiting.len();
        Ok(())
    }

    fn judge_one(&mut self, mut one: Waiting, limits: &bdd::Limits) -> Result<Waited, RepairError> {
        if one.survived < self.learned && !self.survives(&one.edits)? {
            return Ok(Waited::Refuted(one.next_alike().map(Box::new)));
        }
        one.survived = self.learned;
        Ok(match self.judge_within(one.patch.clone(), limits)? {
            Judged::Certified(patch, vacuous) => {
                let (cost, new_signals) = (one.cost, one.new_signals);
                let mut group = group_of(patch, vacuous, cost, new_signals, one.hash, one.effect);
                let alike = one.alike.into_iter();
                group.alike = alike.map(Alike::from).collect();
                self.groups.push(group);
                Waited::Proved
            }
            Judged::TooHard => Waited::TooHard(Box::new(one)),
            Judged::Nothing => Waited::Refuted(one.next_alike().map(Box::new)),
            Judged::Interrupted => Waited::Interrupted,
        })
    }

    /// Whether an edited design keeps its properties on all runs so far.
    fn survives(&mut self, edits: &[SourceEdit]) -> Result<bool, RepairError> {
        let Some(design) = self.edited(edits)? else {
            return Ok(false);
        };
        let screen = &self.measure.screen;
        match screen.observed(design) {
            Some(observed) => screen.survives(&observed),
            None => Ok(false),
        }
    }
}
