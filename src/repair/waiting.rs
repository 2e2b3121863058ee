//! Edits that are hard to prove, and wait until all have been looked at.
//!
//! To prove one edit of a large design takes longer than to look at hundreds. So all edits are
//! looked at first, and those that survive wait here; of a smaller design those wait that are
//! neither proved nor refuted at once. Then they are judged in the order in which a person would
//! prefer them, so that the first one that is proved is the best one that there is. Which of
//! them is proved soon cannot be told: each has a bound on the work that grows from round to
//! round, and of each round the first edit gets the most. An edit that is refuted gives a run
//! that others have to survive. When one is proved, those that cost more get half of that work
//! together, and those that cost less a few more rounds.
//! Work is counted in steps and not in time, so that the same edits are proved each time.

use super::RepairError;
use super::behaviour::Effect;
use super::edits::{Alike, Judged, Stage, group_of, total_cost};
use super::plain::Plainness;
use super::work::is_large;
use crate::bdd::{self, Meter};
use crate::design::Patch;
use crate::design::verilog::edits::SourceEdit;
use crate::synth::Event;
use std::collections::VecDeque;

/// What the proof of the first edit may take, round by round, of a design with no more latches
/// than this; the last round has no bound. In larger ones a step takes more work, and so does the
/// look at all edits.
const ROUNDS: [u64; 5] = [2_000_000, 8_000_000, 32_000_000, 128_000_000, u64::MAX];
const LATCHES: usize = 256;
/// So many rounds there are if edits are proved that cost more.
const ROUNDS_BESIDE_OTHERS: usize = 4;
/// By how much less each next edit of a round gets.
const LESS_FOR_NEXT: u64 = 2;
/// Edits that are put off before the next round begins.
const MOST_UNDECIDED: usize = 3;
/// What proofs of others may take at least, where there is a repair already, in such a design.
const LEAST_FOR_OTHERS: u64 = 2_000_000;
/// And by how much less than the proof of that one took.
const PART_FOR_OTHERS: u64 = 2;
/// What is done at once to prove or refute an edit of a smaller design.
const AT_ONCE: u64 = 400_000;
/// If so many wait already, the next ones of a smaller design wait as well.
const MOST_AT_ONCE: usize = 3;

/// An edit that survived all runs and is to be proved when all edits have been looked at.
pub(super) struct Waiting {
    pub edits: Vec<SourceEdit>,
    pub patch: Patch,
    pub cost: u32,
    pub plainness: Plainness,
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
            edits: one.edits,
            patch: one.patch,
            cost: one.cost,
            plainness: one.plainness,
            is_respelt: false,
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

    /// Judges an edit of a smaller design, unless that takes long; `false` if the user
    /// interrupted.
    pub(super) fn judge_or_wait(&mut self, edit: Waiting) -> Result<bool, RepairError> {
        let is_known = self.waiting.iter().any(|one| one.hash == edit.hash);
        if is_large(&self.search.subject.design) || is_known || self.waiting.len() >= MOST_AT_ONCE {
            self.wait(edit);
            return Ok(true);
        }
        let limits = bdd::Limits {
            lookups: Some(AT_ONCE),
            ..self.search.limits.clone()
        };
        match self.judge_one(edit, &limits)? {
            Waited::TooHard(edit) => self.wait(*edit),
            Waited::Proved | Waited::Refuted(_) => {}
            Waited::Interrupted => return Ok(false),
        }
        Ok(true)
    }

    /// Judges the edits that wait, those first that a person would prefer. One that is hard to
    /// prove is put off, so that it does not keep the others from their turn.
    pub(super) fn judge_waiting(&mut self) -> Result<(), RepairError> {
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.sort_by_key(|one| total_cost(one.cost, &one.effect));
        let mut waiting = VecDeque::from(waiting);
        let latches = self.search.subject.design.latches().len();
        let scale = 1 + (latches / LATCHES) as u64;
        let meter = Meter::default();
        let mut limits = bdd::Limits {
            meter: Some(meter.clone()),
            ..self.search.limits.clone()
        };
        // The work that edits may still take which cost no less than a repair. Those that cost
        // less go on as before, but not without bound.
        let mut left = (!self.groups.is_empty()).then_some(LEAST_FOR_OTHERS * scale);
        for (number, round) in ROUNDS.into_iter().enumerate() {
            if left.is_some() && number >= ROUNDS_BESIDE_OTHERS {
                break;
            }
            let mut undecided = VecDeque::new();
            let mut work = round.saturating_mul(scale);
            while undecided.len() < MOST_UNDECIDED
                && let Some(one) = waiting.pop_front()
            {
                let repairs = self.repairs(total_cost(one.cost, &one.effect));
                let allowed = match (repairs, left) {
                    (1.., Some(left)) => left,
                    _ => work,
                };
                if repairs + 1 >= self.search.enough || allowed == 0 {
                    waiting.push_front(one);
                    break;
                }
                if let Err(error) = limits.check() {
                    self.found.stopped = Some(error);
                    return Ok(());
                }
                limits.lookups = Some(allowed).filter(|work| *work != u64::MAX);
                let (before, all) = (meter.total(), self.repairs(u32::MAX));
                let waited = self.judge_one(one, &limits)?;
                let spent = meter.total() - before;
                if repairs > 0 {
                    left = left.map(|left| left.saturating_sub(spent));
                }
                match waited {
                    Waited::Proved if repairs == 0 && self.repairs(u32::MAX) > all => {
                        left = Some((spent / PART_FOR_OTHERS).max(LEAST_FOR_OTHERS * scale));
                    }
                    Waited::Proved => {}
                    Waited::Refuted(Some(next)) => waiting.push_front(*next),
                    Waited::Refuted(None) => {}
                    Waited::TooHard(one) => {
                        undecided.push_back(*one);
                        if work != u64::MAX {
                            work /= LESS_FOR_NEXT;
                        }
                    }
                    Waited::Interrupted => return Ok(()),
                }
            }
            undecided.append(&mut waiting);
            waiting = undecided;
        }
        if left.is_none() {
            self.found.unproved += waiting.len();
        }
        Ok(())
    }

    fn judge_one(&mut self, mut one: Waiting, limits: &bdd::Limits) -> Result<Waited, RepairError> {
        if one.survived < self.learned && !self.survives(&one.edits)? {
            return Ok(Waited::Refuted(one.next_alike().map(Box::new)));
        }
        one.survived = self.learned;
        let judged = self.judge_within(one.patch.clone(), limits)?;
        self.log(&one, &judged);
        Ok(match judged {
            Judged::Certified(patch, vacuous) => {
                let (cost, plainness) = (one.cost, one.plainness);
                let (hash, effect) = (one.hash, one.effect);
                let edits = one.edits;
                let mut group = group_of((edits, patch), vacuous, cost, plainness, hash, effect);
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

    /// Tells those who want to know everything what became of an edit.
    fn log(&mut self, one: &Waiting, judged: &Judged) {
        let texts = one.edits.iter().flat_map(|edit| &edit.changes);
        let on_one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let texts: Vec<String> = texts.map(|(_, text)| on_one_line(text)).collect();
        let became = match judged {
            Judged::Certified(..) => "is proved",
            Judged::Nothing => "is refuted",
            Judged::TooHard => "is put off",
            Judged::Interrupted => "is not judged",
        };
        let cost = total_cost(one.cost, &one.effect);
        let words = format!("`{}`, cost {cost}, {became}", texts.join("`, `"));
        (self.watch)(Event::Stage(&words));
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
