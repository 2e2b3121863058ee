//! From all that was found to the answer: corrections with numbers, without rejected ones,
//! and the verdict that they come to.

use super::loss::{Loss, Widest};
use super::work::{ALTERNATIVES, Found, Work};
use super::{Outcome, RankedCorrection, Reason, RepairError, antecedents, edits, loss};
use crate::bdd;
use crate::source::Diagnostic;
use crate::source::codes::repair as codes;

impl Work<'_> {
    /// Leaves out corrections that recorded runs or antecedents speak against.
    pub fn keep_wanted(&self, found: &mut Found) -> Result<(), RepairError> {
        let (subject, options) = (self.subject, self.options);
        let mut wanted = Vec::new();
        for one in std::mem::take(&mut found.corrections) {
            let covered = &self.unpatched.covered;
            if !antecedents::happen(subject, &one.patch, covered, &options.limits)? {
                found.not_covering += 1;
            } else if edits::fits(subject, &one.patch, &options.recordings)? {
                wanted.push(one);
            }
        }
        found.corrections = wanted;
        Ok(())
    }

    /// The answer in which corrections have numbers and rejected ones are left out.
    pub fn conclude(&self, found: &Found) -> Result<(Outcome, Vec<RankedCorrection>), RepairError> {
        let mut corrections = found.corrections.clone();
        // Those that appear only because others were rejected come after the others, so that
        // numbers stay.
        corrections.sort_by_key(|one| {
            let later = one.rank.saturating_sub(ALTERNATIVES - 1);
            let difference = one.effect.as_ref().map_or(0, |effect| effect.difference);
            (later, one.vacuous, one.is_disabling(), one.cost, difference)
        });
        for (index, one) in corrections.iter_mut().enumerate() {
            one.number = index + 1;
        }
        let rejected = &self.options.rejected;
        if found.stopped().is_none() {
            refuse_numbers(rejected, corrections.len())?;
        }
        corrections.retain(|one| !rejected.contains(&(one.number as u32)));
        let outcome = if corrections.iter().any(|one| !one.vacuous) {
            Outcome::Repaired
        } else if !self.options.recordings.is_empty() {
            // What games prove is about properties; recorded runs may ask for less or more.
            Outcome::Unknown(self.reason(found, &corrections).unwrap_or(Reason::NotFound))
        } else if let Some(reason) = self.reason(found, &corrections) {
            Outcome::Unknown(reason)
        } else if !self.unpatched.has_fault() || found.not_covering > 0 {
            Outcome::Unknown(Reason::NeverHappens(self.unpatched.covered.clone()))
        } else {
            let (proof, loss) = loss::explain(self.subject, found, self.options)?;
            let is_empty = found.part.as_ref().is_some_and(|part| part.looked_at == 0);
            if is_empty && loss.core.is_empty() {
                Outcome::Unknown(Reason::NoPlace)
            } else if self.may_be_in_several_places(found, &loss) {
                Outcome::Unknown(Reason::SeveralPlaces)
            } else {
                Outcome::NoRepair { proof, loss }
            }
        };
        Ok((outcome, corrections))
    }

    /// Whether changes of several places of a source could help, and were asked for. Pairs of
    /// edits are tried there, but games are about one place at a time.
    fn may_be_in_several_places(&self, found: &Found, loss: &Loss) -> bool {
        let is_whole = self.subject.front_end().is_source() && found.part.is_none();
        let are_asked_for = self.options.faults != Some(1);
        is_whole && are_asked_for && matches!(loss.widest, Widest::SystemWins)
    }

    /// Why there may be a repair though none was found; `None` if there is none.
    fn reason(&self, found: &Found, offered: &[RankedCorrection]) -> Option<Reason> {
        let not_supported = found
            .locations
            .iter()
            .find_map(|one| one.not_supported.clone());
        let mut edited_kinds = self.options.suspects.kinds.clone();
        edited_kinds.retain(|kind| !kind.has_game());
        let is_source = self.subject.front_end().is_source();
        // A part may have no place that a game is about.
        let lacks_games = found.suspects.is_empty() && found.part.is_none();
        let only_edited = is_source && (!edited_kinds.is_empty() || lacks_games);
        Some(if found.stopped() == Some(bdd::Error::Interrupted) {
            Reason::Interrupted
        } else if let Some(error) = found.stopped() {
            Reason::Stopped(error)
        } else if !offered.is_empty() {
            Reason::OnlyVacuous
        } else if !self.options.rejected.is_empty() {
            Reason::AllRejected
        } else if found.edits_unproved > 0 || found.any(|one| &one.unproved) {
            Reason::NotProved
        } else if let Some((property, reason)) = not_supported {
            Reason::NotSupported { property, reason }
        } else if found.any(|one| &one.undecided) {
            Reason::NotFound
        } else if found.any(|one| &one.only_with_memory) {
            Reason::OnlyWithRegisters
        } else if found.has_reclocking {
            Reason::OtherClocks
        } else if only_edited {
            Reason::NoEdit(edited_kinds)
        } else {
            return None;
        })
    }
}

/// Nobody can reject a correction that there is not.
fn refuse_numbers(rejected: &[u32], count: usize) -> Result<(), Diagnostic> {
    let mut rejected = rejected.iter();
    let Some(wrong) = rejected.find(|number| **number as usize > count) else {
        return Ok(());
    };
    let message = format!("there is no correction {wrong} to reject");
    let help = format!("the corrections are numbered from 1 to {count}");
    Err(Diagnostic::error(codes::NO_SUCH_CORRECTION, message).help(help))
}
