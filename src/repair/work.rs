//! What the searches of a repair share: the subject with what is known of it, what they have
//! found, and what failing runs say of components.

use super::games::{GameOptions, GameSearch, LocationAnswer};
use super::locate::Location;
use super::open::Opening;
use super::places::{self, PlaceEvidence};
use super::share::PartAnswer;
use super::unpatched::Unpatched;
use super::{Options, RankedCorrection, RepairError, replay};
use crate::bdd;
use crate::certify::Verdict;
use crate::design::{ComponentId, Design};
use crate::run::Run;
use crate::subject::Subject;

/// Corrections of one location that are listed unless some are rejected.
pub const ALTERNATIVES: usize = 3;
/// A design with more latches than this is large.
const MANY_LATCHES: usize = 64;
/// The part of the time that searches get.
pub const SEARCHING: f64 = 0.9;
/// Faults at once, unless it is said otherwise.
pub const FAULTS: usize = 2;

/// Whether proofs and games of a design take longer than a look at all of its edits.
pub fn is_large(design: &Design) -> bool {
    design.latches().len() > MANY_LATCHES
}

/// What all steps share.
pub struct Work<'a> {
    pub subject: &'a Subject,
    pub options: &'a Options,
    pub unpatched: &'a Unpatched,
    /// What the searches may use: a little of the time is kept for what is said of places if
    /// they find nothing.
    pub limits: bdd::Limits,
}

/// What the steps found.
#[derive(Default)]
pub struct Found {
    pub corrections: Vec<RankedCorrection>,
    pub locations: Vec<LocationAnswer>,
    /// Places of a source, those first that failing runs speak against most.
    pub places: Vec<PlaceEvidence>,
    /// The suspects of games.
    pub suspects: Vec<ComponentId>,
    /// What this is about, if only some places are looked at.
    pub part: Option<PartAnswer>,
    /// Edits that were tried, and of those that survived how many were not proved in time.
    pub edits_tried: usize,
    pub edits_unproved: usize,
    /// Whether there are edits with which the design would have other clocks.
    pub has_reclocking: bool,
    pub edits_stopped: Option<bdd::Error>,
    /// Corrections after which an antecedent that has to happen does not.
    pub not_covering: usize,
}

impl Found {
    pub fn stopped(&self) -> Option<bdd::Error> {
        let games = self.locations.iter().find_map(|one| one.stopped);
        self.edits_stopped.or(games)
    }

    /// Whether there is one that disables nothing.
    pub fn has_live_repair(&self) -> bool {
        let mut repairs = self.corrections.iter().filter(|one| !one.vacuous);
        repairs.any(|one| !one.is_disabling())
    }

    pub fn any(&self, wanted: fn(&LocationAnswer) -> &Vec<Location>) -> bool {
        self.locations.iter().any(|one| !wanted(one).is_empty())
    }
}

impl Work<'_> {
    pub fn games(&self, alternatives: usize) -> GameSearch<'_> {
        GameSearch {
            subject: self.subject,
            before: &self.unpatched.assumptions,
            experience: &self.unpatched.experience,
            depends_on: &self.options.depends_on,
            every_location: self.options.every_location,
            options: GameOptions {
                alternatives,
                allow_state: self.options.allow_state,
                automaton: self.options.automaton,
                limits: self.limits.clone(),
                ..GameOptions::new(Vec::new())
            },
        }
    }

    /// How many components may be wrong at once. Places that different parts have are never
    /// looked at together.
    pub fn most_faults(&self) -> usize {
        match self.options.share {
            Some(_) => 1,
            None => self.options.faults.unwrap_or(FAULTS),
        }
    }

    /// Runs that fail: those that simulation finds, and the counterexamples.
    pub fn runs(&self) -> Result<Vec<Run>, RepairError> {
        let subject = self.subject;
        let mut runs = match replay::failing_runs(&subject.design, &subject.spec) {
            Err(RepairError::NotSupported { .. }) => Vec::new(),
            runs => runs?,
        };
        for (_, verdict) in &self.unpatched.verdicts {
            if let Verdict::Fails(trace) = verdict {
                runs.push(trace.stimulus(&subject.design));
            }
        }
        Ok(runs)
    }

    /// The suspects that some choice of values saves from every failing run: by simulation
    /// where designs are small and choices few, else by satisfiability.
    pub fn alive(
        &self,
        suspects: &[ComponentId],
        runs: &[Run],
    ) -> Result<Vec<ComponentId>, RepairError> {
        let (netlist, spec) = (self.subject.front_end().netlist(), &self.subject.spec);
        let is_large = is_large(&self.subject.design);
        let width = |id: &ComponentId| netlist.components()[id.0 as usize].width;
        let is_simulated = |id: &ComponentId| !is_large && width(id) <= replay::MOST_BITS;
        let (few, many): (Vec<ComponentId>, Vec<ComponentId>) =
            suspects.iter().partition(|id| is_simulated(id));
        let locations: Vec<Location> = few.iter().map(|id| vec![*id]).collect();
        let alive = match replay::survivors(netlist, spec, &locations, runs) {
            Ok(alive) => alive,
            Err(RepairError::NotSupported { .. }) => return Ok(suspects.to_vec()),
            Err(error) => return Err(error),
        };
        let pairs = few.into_iter().zip(alive).filter(|(_, alive)| *alive);
        let mut alive: Vec<ComponentId> = pairs.map(|(id, _)| id).collect();
        let runs = places::some_of(runs);
        let mut opening = Opening::new(netlist, spec, &runs, &self.limits);
        for id in many {
            match opening.may_mend_all(&vec![id]) {
                Err(RepairError::NotSupported { .. }) => return Ok(suspects.to_vec()),
                may_mend => alive.extend(may_mend?.then_some(id)),
            }
        }
        alive.sort_unstable();
        Ok(alive)
    }
}
