//! Edits whose constants and small expressions are solved for.
//!
//! Where no listed edit is a repair, the places that can mend all failing runs are opened one by
//! one as sketches. What a solver finds for a place is looked at like any other edit; an edit
//! that is refuted gives a run, with which the solver is asked again.

use super::RepairError;
use super::edits::Stage;
use super::places::some_of;
use super::solved::{OpenSketch, Solving};
use crate::design::ComponentKind;
use crate::design::verilog::edits::SourceEdit;
use crate::design::verilog::edits::sketch::Sketch;
use crate::design::{FrontEnd, Kind};
use crate::source::Span;
use crate::synth::Event;
use std::collections::HashSet;

/// Edits of one template that are looked at, and those that may be refuted by new runs.
const MOST_ALIKE: usize = 3;
const MOST_REFUTED: usize = 12;
/// Rounds over all places; large designs learn runs between them.
const ROUNDS: usize = 3;

/// The places where listed edits of the same kind are allowed, in the order of their costs.
pub(super) fn allowed(front_end: &dyn FrontEnd, edits: &[SourceEdit]) -> Vec<Sketch> {
    type Place = (Option<(Span, ComponentKind)>, Kind);
    let known: HashSet<Place> = edits.iter().map(|edit| (edit.within, edit.kind)).collect();
    let mut sketches = front_end.sketches();
    sketches.retain(|one| known.contains(&(one.within, one.kind)));
    sketches.sort_by_key(|one| (one.templates[0].cost, one.span));
    sketches
}

impl Stage<'_, '_, '_> {
    /// Looks at the edits that a solver finds for places which can mend all runs.
    pub(super) fn solve(&mut self, sketches: &[Sketch]) -> Result<(), RepairError> {
        for _ in 0..ROUNDS {
            let learned = self.learned;
            for (index, sketch) in sketches.iter().enumerate() {
                if let Err(error) = self.search.limits.check() {
                    self.found.stopped = Some(error);
                    return Ok(());
                }
                let (words, count) = (&self.search.words, sketches.len());
                let words = format!("{words}; solving for place {} of {count}", index + 1);
                (self.watch)(Event::Status(&words));
                if self.repairs(u32::MAX) >= self.search.enough || !self.solve_at(sketch)? {
                    break;
                }
            }
            self.judge_waiting()?;
            if self.repairs(u32::MAX) > 0 || self.learned == learned {
                break;
            }
        }
        Ok(())
    }

    /// The edits of one place; `false` if nothing more can be found at any.
    fn solve_at(&mut self, sketch: &Sketch) -> Result<bool, RepairError> {
        let subject = self.search.subject;
        let Some(trials) = self.trials else {
            return Ok(false);
        };
        let place = match OpenSketch::new(sketch, &mut **trials, &subject.spec) {
            Err(RepairError::NotSupported { .. }) => return Ok(false),
            Err(RepairError::Diagnostics(_)) => return Ok(true),
            place => place?,
        };
        let Some(place) = place else {
            return Ok(true);
        };
        let mut solving = Solving::new(&place, &self.search.limits);
        for run in some_of(self.runs) {
            place.ones_of(&run).iter().for_each(|run| solving.keep(run));
        }
        let ports = super::edits::ports_of(&subject.design);
        for template in 0..place.sketches[0].templates.len() {
            let (mut alike, mut refuted) = (0, 0);
            while alike < MOST_ALIKE && refuted < MOST_REFUTED {
                let Some((edit, values)) = solving.edit(template, &subject.sources) else {
                    break;
                };
                let learned = self.learned;
                if let Some(edit) = edit {
                    self.found.tried += 1;
                    if !self.attempt(&[&edit], edit.cost, &ports)? {
                        return Ok(false);
                    }
                }
                if self.learned > learned {
                    refuted += 1;
                    let run = self.runs.last().and_then(|run| place.ones_of(run));
                    run.iter().for_each(|run| solving.keep(run));
                } else {
                    alike += 1;
                }
                solving.leave_out(template, &values);
            }
        }
        Ok(true)
    }
}
