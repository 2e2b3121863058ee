//! Corrections of a text: by small edits, then by what games say of single components.

use super::edits::{self, EditSearch, FoundEdits, Measure, Part};
use super::games::LocationAnswer;
use super::locate::Location;
use super::places::{self, PlaceEvidence};
use super::share::Division;
use super::suspects::Layout;
use super::work::{ALTERNATIVES, Found, Work, is_large};
use super::{RankedCorrection, RepairError, Watch, say};
use crate::certify;
use crate::design::verilog::edits::SourceEdit;
use crate::design::{ComponentId, ComponentKind};
use crate::run::Run;
use crate::source::Span;
use std::collections::HashSet;

/// What may be wrong, and what failing runs say of it.
struct Evidence<'a> {
    division: Division<'a>,
    edits: Vec<SourceEdit>,
    /// Failing runs of the design as it is.
    runs: Vec<Run>,
    /// A few of the runs that stand for all.
    shown: Vec<Run>,
    /// The components that were asked for.
    suspects: Vec<ComponentId>,
    /// Components of any kind: an edit can help only where another value can.
    replayed: Vec<ComponentId>,
    /// Those of them that another value can save from every run.
    saved: Vec<ComponentId>,
}

impl Evidence<'_> {
    /// The suspects that may be corrected alone.
    fn alive(&self) -> Vec<ComponentId> {
        let mut alive = self.suspects.clone();
        alive.retain(|id| self.saved.contains(id));
        alive
    }
}

impl Work<'_> {
    pub fn text(&self, watch: &mut Watch) -> Result<Found, RepairError> {
        let evidence = self.evidence(watch)?;
        let mut measure = Measure::new(self.subject)?;
        if let Some(measure) = &mut measure {
            measure.compare_before_loops(&evidence.runs);
        }
        let edits = match &mut measure {
            Some(measure) => self.edits(&evidence, measure, watch)?,
            None => FoundEdits::default(),
        };
        let (tried, certified) = (edits.tried, edits.certified);
        say(
            watch,
            &format!("{tried} edits tried, {certified} certified or refuted"),
        );
        let mut found = Found {
            corrections: edits.corrections,
            locations: Vec::new(),
            places: Vec::new(),
            suspects: evidence.suspects.clone(),
            part: None,
            edits_tried: edits.tried,
            edits_unproved: edits.unproved,
            has_reclocking: edits.has_reclocking,
            edits_stopped: edits.stopped,
            not_covering: 0,
        };
        let wants_games = !found.has_live_repair() || self.options.every_location;
        if self.unpatched.has_fault() && wants_games && found.edits_stopped.is_none() {
            self.components(&mut found, &evidence, watch)?;
        }
        // Then what runs say of places is all that is known.
        if found.corrections.iter().all(|one| one.vacuous) {
            found.places = self.places(&evidence)?;
        }
        if let Some(measure) = &measure {
            self.measure(&mut found.corrections, measure)?;
        }
        found.part = evidence.division.answer(&found.corrections);
        Ok(found)
    }

    /// Which edits there are, and where failing runs can be avoided.
    fn evidence(&self, watch: &mut Watch) -> Result<Evidence<'_>, RepairError> {
        let (subject, options) = (self.subject, self.options);
        let front_end = subject.front_end();
        let netlist = front_end.netlist();
        let runs = self.runs()?;
        let layout = Layout::new(front_end, &subject.sources);
        let edits = options.suspects.edits(
            front_end.edits(&options.depends_on)?,
            netlist.components(),
            &layout,
        )?;
        let mut replayed = options.suspects.of_any_kind().values(netlist, &layout);
        let mut suspects = options.suspects.values(netlist, &layout);
        let share = options.share.as_ref();
        let division = Division::new(front_end, share, &edits, &replayed);
        replayed.retain(|id| division.has_component(*id));
        suspects.retain(|id| division.has_component(*id));
        let evidence = Evidence {
            division,
            edits,
            shown: places::some_of(&runs),
            suspects,
            saved: self.alive(&replayed, &runs)?,
            replayed,
            runs,
        };
        say(
            watch,
            &format!(
                "{} edits, {} failing runs, {} of {} places can avoid them",
                evidence.edits.len(),
                evidence.runs.len(),
                evidence.alive().len(),
                evidence.suspects.len()
            ),
        );
        Ok(evidence)
    }

    /// Corrections by small edits.
    fn edits<'e>(
        &'e self,
        evidence: &'e Evidence<'e>,
        measure: &mut Measure<'e>,
        watch: &mut Watch,
    ) -> Result<FoundEdits, RepairError> {
        let (replayed, saved) = (&evidence.replayed, &evidence.saved);
        let search = EditSearch {
            subject: self.subject,
            before: &self.unpatched.assumptions,
            experience: &self.unpatched.experience,
            ruled_out: self.spans(replayed.iter().filter(|id| !saved.contains(id))),
            saved: self.spans(saved.iter()),
            shown: &evidence.shown,
            enough: edits::ENOUGH + self.options.rejected.len(),
            faults: self.faults(),
            covered: &self.unpatched.covered,
            solves: self.unpatched.has_fault() && self.options.depends_on.is_empty(),
            words: format!(
                "{} of {} places can mend all {} runs",
                saved.len(),
                replayed.len(),
                evidence.runs.len()
            ),
            recordings: &self.options.recordings,
            part: Part::All,
            division: &evidence.division,
            limits: self.limits.clone(),
        };
        // Counterexamples of edits join the runs.
        let mut runs = evidence.runs.clone();
        let reference = self.subject.front_end().reference();
        let Some((alone, _)) = reference.filter(|_| self.unpatched.has_fault()) else {
            return search.run(&evidence.edits, measure, &mut runs, watch);
        };
        // Single edits of small designs come first; then runs of the reference tell more than
        // the property does. In large designs they come first, because they say where edits can
        // help at all.
        let mut part = EditSearch {
            part: Part::First,
            ..search
        };
        let mut found = FoundEdits::default();
        if !is_large(&alone.reading().design) {
            found = part.run(&evidence.edits, measure, &mut runs, watch)?;
            part.part = Part::Rest;
            if found.is_enough() {
                return Ok(found);
            }
        } else {
            part.part = Part::All;
        }
        let by_reference = self.by_reference(&evidence.edits, &evidence.division, &runs, watch)?;
        let found = found.joined(by_reference.unwrap_or_default());
        if found.is_enough() {
            return Ok(found);
        }
        let rest = part.run(&evidence.edits, measure, &mut runs, watch)?;
        Ok(found.joined(rest))
    }

    /// What games say of the suspects that no edit corrects.
    fn components(
        &self,
        found: &mut Found,
        evidence: &Evidence,
        watch: &mut Watch,
    ) -> Result<(), RepairError> {
        let components = self.subject.front_end().netlist().components();
        let has_repair = |id: &ComponentId| {
            let component = &components[id.0 as usize];
            let is_within = |within: (Span, ComponentKind)| {
                Some(within.0) == component.span && within.1 == component.kind
            };
            let mut repairs = found.corrections.iter().filter(|one| !one.vacuous);
            repairs.any(|one| {
                let mut changes = one.patch.changes.iter();
                changes.any(|change| change.within.is_some_and(is_within))
            })
        };
        let alive = evidence.alive();
        let open = alive.iter().filter(|id| !has_repair(id));
        let ruled_out = evidence.suspects.iter().filter(|id| !alive.contains(id));
        let mut answer = LocationAnswer {
            faults: 1,
            ruled_out: ruled_out.map(|id| vec![*id]).collect(),
            open: open.map(|id| vec![*id]).collect::<Vec<Location>>(),
            ..LocationAnswer::default()
        };
        self.games(ALTERNATIVES)
            .run(&mut answer, &mut found.corrections, watch)?;
        found.locations.push(answer);
        Ok(())
    }

    /// How many edits are made at once. Without a failing run nothing rules out pairs of them
    /// before they are proved.
    fn faults(&self) -> usize {
        match self.unpatched.has_fault() {
            true => self.most_faults(),
            false => self.options.faults.unwrap_or(1).min(self.most_faults()),
        }
    }

    /// What failing runs say of places of the text.
    fn places(&self, evidence: &Evidence) -> Result<Vec<PlaceEvidence>, RepairError> {
        let (netlist, spec) = (self.subject.front_end().netlist(), &self.subject.spec);
        let limits = &self.options.limits;
        places::ranked(netlist, spec, &evidence.saved, &evidence.shown, limits)
    }

    /// What corrections change besides what was asked for, where it is not known yet.
    fn measure(
        &self,
        corrections: &mut [RankedCorrection],
        measure: &edits::Measure,
    ) -> Result<(), RepairError> {
        for one in corrections.iter_mut().filter(|one| one.effect.is_none()) {
            let patched = self.subject.reread(&one.patch)?;
            one.effect = Some(measure.effect(&patched.design)?);
        }
        let reachable = certify::covers::reachable(self.subject, &self.options.limits)?;
        if !reachable.is_empty() {
            for one in corrections.iter_mut() {
                let patched = self.subject.reread(&one.patch)?;
                let after = certify::covers::reachable(&patched, &self.options.limits)?;
                let lost = reachable.iter().filter(|cover| !after.contains(cover));
                one.lost_covers = lost.cloned().collect();
            }
        }
        Ok(())
    }

    /// Where components stand in the text.
    fn spans<'c>(
        &self,
        ids: impl Iterator<Item = &'c ComponentId>,
    ) -> HashSet<(Span, ComponentKind)> {
        let components = self.subject.front_end().netlist().components();
        ids.map(|id| &components[id.0 as usize])
            .filter_map(|one| Some((one.span?, one.kind)))
            .collect()
    }
}
