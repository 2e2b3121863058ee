//! Edits after which a step of the design is another one.
//!
//! Where a block tests a reset against its edge, its registers move at two edges, and a step of
//! the design is one of a global clock. With the fault undone the design has one clock, and a
//! step is one of that. So the runs on which other edits are tried first say nothing about such
//! an edit, nor can what it does on random runs be compared with the original: it is judged at
//! once.

use super::RepairError;
use super::behaviour::Effect;
use super::edits::{Alike, EditSearch, Judged, Stage, fits, group_of};
use crate::design::reserved::LEVEL_OF_CLOCK;
use crate::design::verilog::edits::SourceEdit;
use crate::design::{Correction, Design, Trials};
use crate::random::hash;
use std::collections::HashSet;

/// How many such edits are judged, and with how much work each.
const MOST_RECLOCKED: usize = 12;
const WORK_FOR_RECLOCKED: u64 = 300_000_000;

/// How many edits are looked at that known runs speak against.
const MOST_LOOKED_AT: usize = 300;

impl EditSearch<'_> {
    /// The indices of edits after which a design of several clocks has one. Places are ruled out
    /// by runs that say nothing about these.
    pub(super) fn reclocking(
        &self,
        edits: &[SourceEdit],
        trials: &mut Option<Box<dyn Trials + '_>>,
    ) -> HashSet<usize> {
        let Some(trials) = trials
            .as_mut()
            .filter(|_| has_global_clock(&self.subject.design))
        else {
            return HashSet::new();
        };
        let edits = edits.iter().enumerate().take(MOST_LOOKED_AT);
        let reclocking = edits.filter(|(_, edit)| {
            let design = trials.design(std::slice::from_ref(*edit));
            design.is_some_and(|design| !has_global_clock(&design))
        });
        reclocking.map(|(index, _)| index).collect()
    }
}

impl Stage<'_, '_, '_> {
    /// Tries one such edit; `false` if the user interrupted.
    pub(super) fn attempt_reclocked(
        &mut self,
        edits: Vec<SourceEdit>,
        design: Design,
        cost: u32,
    ) -> Result<bool, RepairError> {
        // The conditions of its assertions are other ones, so what it does on random runs cannot
        // always be seen.
        let behaviour = match self.measure.of_design(&design)? {
            Some((behaviour, _)) => behaviour,
            None => hash(design.to_string().bytes()),
        };
        let front_end = self.search.subject.front_end();
        let rendered = front_end.render(&Correction::Edits(edits.clone()))?;
        let Some(patch) = rendered.filter(|_| self.reclocked < MOST_RECLOCKED) else {
            return Ok(true);
        };
        if !fits(self.search.subject, &patch, self.search.recordings)? {
            return Ok(true);
        }
        let plainness = self.plainness(&edits, &patch);
        // Edits of this kind are compared with each other, and with no others.
        let mut groups = self.groups.iter_mut();
        if let Some(known) = groups.find(|known| known.behaviour == behaviour) {
            known.alike.push(Alike {
                edits,
                patch,
                cost,
                plainness,
                is_respelt: false,
            });
            return Ok(true);
        }
        self.reclocked += 1;
        let mut limits = self.search.limits.clone();
        limits.lookups = Some(WORK_FOR_RECLOCKED);
        let runs = self.runs.clone();
        match self.judge_within(patch, &limits)? {
            Judged::Certified(patch, vacuous) => {
                let effect = Effect::default();
                let group = group_of((edits, patch), vacuous, cost, plainness, behaviour, effect);
                self.groups.push(group);
            }
            Judged::TooHard => self.found.unproved += 1,
            Judged::Nothing => {
                // A run against it is in other steps than those of the design.
                *self.runs = runs;
                self.measure.screen.set_runs(self.runs);
            }
            Judged::Interrupted => return Ok(false),
        }
        Ok(true)
    }
}

/// Whether steps of a design are those of a global clock, and not those of its own.
pub(super) fn has_global_clock(design: &Design) -> bool {
    let mut latches = design.latches().iter();
    latches.any(|id| {
        let name = design.name(*id);
        name.is_some_and(|name| name.starts_with(LEVEL_OF_CLOCK))
    })
}
