//! What games say of locations, and the corrections that come of it.

use super::locate::{Location, locate};
use super::search::{Effort, Offer, corrections};
use super::{Automaton, RankedCorrection, RepairError, Watch, exhaustive, replay, say};
use crate::bdd;
use crate::certify::patch::same_circuit;
use crate::certify::{self, AssumptionStatus, Certified, Experience, Judgement, Problem};
use crate::design::{Candidate, ComponentId, Correction, Design, Netlist, NodeId, Patch};
use crate::run::Run;
use crate::spec::Spec;
use crate::subject::Subject;

/// Up to this many locations are looked at one by one; among more, one game tells first
/// which of them can win.
const FEW_LOCATIONS: usize = 200;
/// More combinations of suspects are not replayed one by one.
const MOST_REPLAYED: usize = 4_000;

/// What a game is about.
#[derive(Clone, Debug)]
pub struct GameOptions {
    /// The components that may be wrong.
    pub suspects: Vec<ComponentId>,
    /// How many of them at once.
    pub faults: usize,
    /// How many corrections to offer for one location.
    pub alternatives: usize,
    /// The only signals that a correction may read; `None` for all.
    pub depends_on: Option<Vec<NodeId>>,
    pub automaton: Automaton,
    /// Whether corrections may add registers, where no other was found.
    pub allow_state: bool,
    pub limits: bdd::Limits,
}

impl GameOptions {
    /// One fault among these components, one correction for each location, no limits.
    pub fn new(suspects: Vec<ComponentId>) -> GameOptions {
        GameOptions {
            suspects,
            faults: 1,
            alternatives: 1,
            depends_on: None,
            automaton: Automaton::default(),
            allow_state: false,
            limits: bdd::Limits::default(),
        }
    }
}

/// What was found out about locations with so many components each.
#[derive(Clone, Debug, Default)]
pub struct LocationAnswer {
    pub faults: usize,
    /// Locations that can win with memory, and for which it was shown that no function of
    /// the readable signals does.
    pub only_with_memory: Vec<Location>,
    /// Locations that can win with memory, and for which no function was found.
    pub undecided: Vec<Location>,
    /// Locations that have a correction that was not proved in time.
    pub unproved: Vec<Location>,
    /// Locations that the environment defeats.
    pub ruled_out: Vec<Location>,
    /// Locations that were not looked at, or not to the end.
    pub open: Vec<Location>,
    /// The limit that ended the search.
    pub stopped: Option<bdd::Error>,
    /// A property that no game was built for, and why.
    pub not_supported: Option<(String, String)>,
}

impl LocationAnswer {
    /// All sets of so many suspects are open.
    pub fn all(suspects: &[ComponentId], faults: usize) -> LocationAnswer {
        LocationAnswer {
            faults,
            open: combinations(suspects, faults),
            ..LocationAnswer::default()
        }
    }
}

/// Looks for corrections with exactly `options.faults` of the suspects each, by games alone.
pub fn by_games(
    subject: &Subject,
    options: &GameOptions,
) -> Result<(LocationAnswer, Vec<RankedCorrection>), RepairError> {
    let problem = Problem::new(&subject.design, &subject.spec)?;
    let before = problem.assumptions(certify::Engine::Auto, &options.limits)?;
    let search = GameSearch {
        subject,
        before: &before,
        experience: &Experience::default(),
        depends_on: &[],
        every_location: false,
        options: options.clone(),
    };
    let mut answer = LocationAnswer::all(&options.suspects, options.faults);
    if search.replays(&answer) {
        let runs = match replay::failing_runs(&subject.design, &subject.spec) {
            Err(RepairError::NotSupported { .. }) => Vec::new(),
            runs => runs?,
        };
        search.replay(&mut answer, &runs)?;
    }
    let mut corrections = Vec::new();
    search.run(&mut answer, &mut corrections, &mut |_| {})?;
    corrections.sort_by_key(|one| (one.vacuous, one.cost));
    Ok((answer, corrections))
}

pub struct GameSearch<'a> {
    pub subject: &'a Subject,
    /// What is known of the assumptions of the design as it is.
    pub before: &'a AssumptionStatus,
    /// Of the checks of corrections before.
    pub experience: &'a Experience,
    /// The only signals that a correction may read; empty for all.
    pub depends_on: &'a [String],
    /// Whether much effort is spent on locations although there are repairs elsewhere.
    pub every_location: bool,
    pub options: GameOptions,
}

impl GameSearch<'_> {
    fn netlist(&self) -> &Netlist {
        self.subject.front_end().netlist()
    }

    fn spec(&self) -> &Spec {
        &self.subject.spec
    }

    fn is_exact(&self) -> bool {
        self.options.automaton == Automaton::Deterministic
    }

    /// Whether locations are few enough to be replayed one by one.
    pub fn replays(&self, answer: &LocationAnswer) -> bool {
        self.is_exact() && answer.open.len() <= MOST_REPLAYED
    }

    /// Rules out locations that no choice saves from one of these runs.
    pub fn replay(&self, answer: &mut LocationAnswer, runs: &[Run]) -> Result<(), RepairError> {
        let alive = match replay::survivors(self.netlist(), self.spec(), &answer.open, runs) {
            // Replaying knows GR(1) only.
            Err(RepairError::NotSupported { .. }) => return Ok(()),
            alive => alive?,
        };
        let mut alive = alive.into_iter();
        let (open, ruled_out) = std::mem::take(&mut answer.open)
            .into_iter()
            .partition(|_| alive.next() == Some(true));
        answer.open = open;
        answer.ruled_out.extend::<Vec<Location>>(ruled_out);
        Ok(())
    }

    /// Looks at every open location. Limits and properties that no game is built for end the
    /// search, and the answer says so.
    pub fn run(
        &self,
        answer: &mut LocationAnswer,
        corrections: &mut Vec<RankedCorrection>,
        watch: &mut Watch,
    ) -> Result<(), RepairError> {
        match self.search(answer, corrections, watch) {
            Ok(()) => {}
            Err(RepairError::Limit(error)) => answer.stopped = Some(error),
            Err(RepairError::NotSupported { property, reason }) => {
                answer.not_supported = Some((property, reason));
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    fn search(
        &self,
        answer: &mut LocationAnswer,
        corrections: &mut Vec<RankedCorrection>,
        watch: &mut Watch,
    ) -> Result<(), RepairError> {
        if answer.open.len() > FEW_LOCATIONS && !self.subject.front_end().is_source() {
            self.rule_out_together(answer)?;
        }
        let mut work = Locations {
            search: self,
            effort: Effort {
                budget: exhaustive::SHORT,
                order: Vec::new(),
            },
            designs: Vec::new(),
            answer,
            corrections,
        };
        work.look_at_open(watch)?;
        let has_repair = work.corrections.iter().any(|one| !one.vacuous);
        if self.is_exact() && (!has_repair || self.every_location) {
            work.answer.open = std::mem::take(&mut work.answer.undecided);
            work.effort.budget = exhaustive::LONG;
            work.look_at_open(watch)?;
        }
        Ok(())
    }

    /// One game over all open locations tells which of them can win.
    fn rule_out_together(&self, answer: &mut LocationAnswer) -> Result<(), RepairError> {
        let mut suspects: Vec<ComponentId> = answer.open.iter().flatten().copied().collect();
        suspects.sort_unstable();
        suspects.dedup();
        let options = GameOptions {
            faults: answer.faults,
            ..self.options.clone()
        };
        let found = locate(self.netlist(), self.spec(), &suspects, &options)?;
        let (open, lost): (Vec<_>, Vec<_>) = std::mem::take(&mut answer.open)
            .into_iter()
            .partition(|location| {
                let within = |winner: &Location| winner.iter().all(|id| location.contains(id));
                found.iter().any(within)
            });
        answer.open = open;
        if self.is_exact() {
            answer.ruled_out.extend(lost);
        } else {
            answer.undecided.extend(lost);
        }
        Ok(())
    }
}

/// The locations of one search, one by one.
struct Locations<'s, 'a> {
    search: &'s GameSearch<'a>,
    effort: Effort,
    /// The patched design of each correction that this search has added.
    designs: Vec<(usize, Design)>,
    answer: &'s mut LocationAnswer,
    corrections: &'s mut Vec<RankedCorrection>,
}

/// What became of a candidate.
enum Offered {
    Certified,
    NotProved,
    /// It has no text, or none that does what the functions do.
    NoText,
}

impl Locations<'_, '_> {
    /// Sorts each location that is open to where it belongs.
    fn look_at_open(&mut self, watch: &mut Watch) -> Result<(), RepairError> {
        let (subject, netlist) = (self.search.subject, self.search.netlist());
        while let Some(location) = self.answer.open.first().cloned() {
            if let [only] = location.as_slice() {
                let component = &netlist.components()[only.0 as usize];
                say(watch, &format!("looking at {}", component.name));
            }
            let mut options = self.search.options.clone();
            for id in &location {
                let readable = subject.front_end().readable(*id, self.search.depends_on)?;
                options.depends_on = match (options.depends_on, readable) {
                    (Some(mut known), Some(more)) => {
                        known.extend(more);
                        Some(known)
                    }
                    (known, more) => known.or(more),
                };
            }
            let spec = self.search.spec();
            match corrections(netlist, spec, &location, &options, &mut self.effort)? {
                Offer::Candidates(candidates) => self.offer_all(&location, candidates)?,
                Offer::NeedsMemory => self.answer.only_with_memory.push(location),
                Offer::NotFound => self.answer.undecided.push(location),
                Offer::Lost => self.answer.ruled_out.push(location),
            }
            self.answer.open.remove(0);
        }
        Ok(())
    }

    fn offer_all(
        &mut self,
        location: &Location,
        candidates: Vec<Candidate>,
    ) -> Result<(), RepairError> {
        let mut certified = false;
        let mut unproved = false;
        for (rank, candidate) in candidates.into_iter().enumerate() {
            match self.offer(location, rank, candidate)? {
                Offered::Certified => certified = true,
                Offered::NotProved => unproved = true,
                Offered::NoText => {}
            }
        }
        match (certified, unproved) {
            (true, _) => {}
            (false, true) => self.answer.unproved.push(location.clone()),
            (false, false) => self.answer.undecided.push(location.clone()),
        }
        Ok(())
    }

    fn offer(
        &mut self,
        location: &Location,
        rank: usize,
        candidate: Candidate,
    ) -> Result<Offered, RepairError> {
        let (subject, netlist) = (self.search.subject, self.search.netlist());
        let (candidate, design) = without_idle_parts(netlist, candidate)?;
        let parts = candidate.replacements.iter();
        let location: Location = location
            .iter()
            .copied()
            .filter(|id| parts.clone().any(|part| part.component == *id))
            .collect();
        let correction = Correction::Functions(Box::new(candidate.clone()));
        let Some(patch) = subject.front_end().render(&correction)? else {
            return Ok(Offered::NoText);
        };
        if self.is_known(&location, &patch, &design) {
            return Ok(Offered::Certified);
        }
        let limits = &self.search.options.limits;
        let (before, experience) = (self.search.before, self.search.experience);
        let judgement = certify::patch::patch(subject, patch, before, experience, limits)?;
        let (patch, vacuous) = match judgement {
            Judgement::Proved(patch) => (patch, false),
            Judgement::Vacuous(patch) => (patch, true),
            Judgement::Unknown(_) => return Ok(Offered::NotProved),
            // The text says the function once; the game chose for each instance.
            Judgement::Refuted(_) | Judgement::Unreadable(_) if subject.front_end().is_source() => {
                return Ok(Offered::NoText);
            }
            Judgement::Refuted(_) => {
                let candidate = Box::new(candidate);
                return Err(RepairError::NotCertified { candidate });
            }
            Judgement::Unreadable(errors) => return Err(RepairError::Diagnostics(errors)),
        };
        self.designs.push((self.corrections.len(), design));
        self.corrections.push(RankedCorrection {
            number: 0,
            patch,
            also: Vec::new(),
            vacuous,
            lost_covers: Vec::new(),
            cost: cost(subject, &candidate),
            effect: None,
            location,
            functions: Some(candidate),
            rank,
        });
        Ok(Offered::Certified)
    }

    /// Whether a correction with the same circuit is there already; if it is one of another
    /// location, this one is named beside it.
    fn is_known(&mut self, location: &Location, patch: &Patch, design: &Design) -> bool {
        if self.search.subject.front_end().is_source() {
            return self.corrections.iter().any(|known| {
                let first = known.patch.changes.first();
                known.patch.files == patch.files && first == patch.changes.first()
            });
        }
        let known = self.designs.iter();
        let mut known = known.filter(|(_, known)| known.is_same_circuit(design));
        let Some((index, _)) = known.next() else {
            return false;
        };
        let known = &mut self.corrections[*index];
        let is_named = |other: &Certified<Patch>| {
            let names = |patch: &Patch| -> Vec<String> {
                let changes = patch.changes.iter();
                changes
                    .map(|one| format!("{:?} {}", one.kind, one.component))
                    .collect()
            };
            names(other) == names(patch)
        };
        if known.location != *location && !known.also.iter().any(is_named) {
            let also = same_circuit(self.search.subject, patch.clone(), &known.patch);
            known.also.extend(also);
        }
        true
    }
}

/// What a correction costs in the order of all corrections of the design.
fn cost(subject: &Subject, candidate: &Candidate) -> usize {
    /// More than a small edit.
    const VALUE: usize = 40;
    if !subject.front_end().is_source() {
        return candidate.cost;
    }
    let registers = if candidate.added_registers() > 0 {
        VALUE
    } else {
        0
    };
    VALUE + candidate.cost + registers
}

/// A component that is replaced by what it was is no part of the correction. Gives the patched
/// design, too.
fn without_idle_parts(
    netlist: &Netlist,
    mut candidate: Candidate,
) -> Result<(Candidate, Design), RepairError> {
    let registers = candidate.registers.as_ref();
    let design = netlist.render_with(&candidate.replacements, registers)?;
    for index in (0..candidate.replacements.len()).rev() {
        let mut fewer = candidate.replacements.clone();
        fewer.remove(index);
        if fewer.is_empty() {
            continue;
        }
        let without = netlist.render_with(&fewer, candidate.registers.as_ref())?;
        if without.is_same_circuit(&design) {
            candidate.replacements = fewer;
        }
    }
    Ok((candidate, design))
}

/// All sets of so many suspects.
fn combinations(suspects: &[ComponentId], size: usize) -> Vec<Location> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (index, first) in suspects.iter().enumerate() {
        for rest in combinations(&suspects[index + 1..], size - 1) {
            let mut location = vec![*first];
            location.extend(rest);
            all.push(location);
        }
    }
    all
}
