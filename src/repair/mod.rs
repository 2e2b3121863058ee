//! Where a design can be corrected, and by what [JSGB11].
//!
//! Enters: a [`Subject`], a design with the properties that it violates. Leaves: a
//! [`RepairAnswer`] with corrections, each a patch that `certify` has read again and proved;
//! or why there is none.
//!
//! 1. The design is checked as it is. What fails gives the first runs ([`replay`] finds more
//!    by simulation), and a suspect that no choice saves from one of them is no suspect.
//! 2. [`edits`]: where the design is a text, small edits of it are tried, the cheapest first,
//!    and screened on all counterexamples so far ([`screen`]).
//! 3. [`games`]: where edits find nothing, or there is no text, games say what each location
//!    could compute instead. If many are left, one game over all of them tells which can be
//!    the fault ([`locate`]); for each, [`search`] looks for functions: [`memoryless`],
//!    [`template`], [`exhaustive`], [`finite_state`], [`extract`].
//! 4. The front end puts what was found into words, and `certify` judges the patched files.
//! 5. [`loss`]: if there is no repair, whether the properties can be kept at all.

mod antecedents;
pub mod arena;
pub mod behaviour;
pub mod edits;
pub mod exhaustive;
mod explicit;
pub mod extract;
pub mod finite_state;
pub mod function;
pub mod games;
mod lasso;
pub mod locate;
pub mod loss;
pub mod memoryless;
pub mod open;
pub mod places;
mod readable;
pub mod recorded;
mod recorded_open;
mod recorded_screen;
pub mod replay;
mod screen;
pub mod search;
mod sketched;
mod solved;
pub mod support;
pub mod suspects;
pub mod template;
mod waiting;

pub use crate::design::Kind;
pub use arena::Automaton;
pub use behaviour::Effect;
pub use games::{GameOptions, LocationAnswer};
pub use loss::Loss;
pub use places::PlaceEvidence;
pub use recorded::{RecordedAnswer, RecordedOutcome, repair_recorded};
pub use suspects::{Layout, SuspectFilter};

use crate::bdd;
use crate::certify::{
    self, AssumptionStatus, Certified, Checked, Holds, LatchStatus, NoRepair, Overall, Problem,
    Semantics, Vacuity, Verdict,
};
use crate::design::{Candidate, ComponentId, ComponentKind, Design, InputKind, NodeId, Patch};
use crate::expr::Role;
use crate::game::ObjectiveError;
use crate::run::Run;
use crate::source::codes::{certify as certify_codes, repair as codes};
use crate::source::{Diagnostic, Span};
use crate::subject::Subject;
use crate::synth::Event;
use crate::trace::Recording;
use locate::Location;
use open::Opening;
use std::collections::HashSet;
use std::fmt;
use std::time::Instant;

/// Corrections of one location that are listed unless some are rejected.
const ALTERNATIVES: usize = 3;
/// A design with more latches than this is large.
const MANY_LATCHES: usize = 64;
/// Faults at once, unless it is said otherwise.
const FAULTS: usize = 2;

/// What to look for.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Which components may be wrong.
    pub suspects: SuspectFilter,
    /// At most so many of them at once; two if it is not said.
    pub faults: Option<usize>,
    /// The only signals that a correction may read; empty for all.
    pub depends_on: Vec<String>,
    /// Corrections that are not wanted, by their numbers in the answer without this.
    pub rejected: Vec<u32>,
    /// Whether games look at every location, also if edits are corrections.
    pub every_location: bool,
    /// Whether corrections may add registers, where no other was found.
    pub allow_state: bool,
    /// Whether the antecedent of each assertion has to happen on some run afterwards. Without
    /// it this is asked only of a design all of whose assertions hold because none of their
    /// antecedents happens.
    pub cover_antecedents: bool,
    pub automaton: Automaton,
    /// Recorded runs that a correction has to fit as well.
    pub recordings: Vec<Recording>,
    pub limits: bdd::Limits,
}

/// A certified correction.
#[derive(Clone, Debug)]
pub struct RankedCorrection {
    /// From 1, in the order of the whole answer.
    pub number: usize,
    pub patch: Certified<Patch>,
    /// Other patches that were proved to have the same effect.
    pub also: Vec<Certified<Patch>>,
    /// The properties hold because assumptions can be made to fail: no repair in truth.
    pub vacuous: bool,
    /// How far it is from what was written.
    pub cost: usize,
    /// What it changes on random runs, if that was measured.
    pub effect: Option<Effect>,
    /// Cover statements that could be reached before and cannot be reached any more.
    pub lost_covers: Vec<String>,
    /// The components that it replaces, and by what, if a game found it.
    pub location: Location,
    pub functions: Option<Candidate>,
    /// Its place among the corrections of the same location, from 0.
    rank: usize,
}

impl RankedCorrection {
    /// Whether something that lived before does not any more.
    pub fn is_disabling(&self) -> bool {
        let effect = self.effect.as_ref();
        !self.lost_covers.is_empty() || effect.is_some_and(|one| !one.disabled.is_empty())
    }
}

/// What was found, as far as the limits allowed.
pub struct RepairAnswer {
    pub outcome: Outcome,
    /// The best first; those that were rejected are left out.
    pub corrections: Vec<RankedCorrection>,
    /// What was found about each assertion of the design as it is.
    pub before: Vec<(usize, Verdict)>,
    /// Whether the assumptions can be kept by the design as it is.
    pub assumptions: AssumptionStatus,
    /// What games found out about locations, for each number of faults.
    pub locations: Vec<LocationAnswer>,
    /// Where a change can mend failing runs, if it is not known whether there is a repair.
    pub places: Vec<PlaceEvidence>,
    /// Whether latches that the design infers are never open.
    pub closed_latches: bool,
    /// Assertions that the design as it is keeps without their saying anything, if all hold.
    pub vacuities: Vec<Certified<Vacuity>>,
    /// Assertions whose antecedents happen after each correction.
    pub covered: Vec<String>,
    /// The limit that ended the search.
    pub stopped: Option<bdd::Error>,
}

/// What an answer comes to.
pub enum Outcome {
    /// The design keeps its properties as it is.
    NothingToRepair(Certified<Holds>),
    Repaired,
    NoRepair {
        proof: Certified<NoRepair>,
        loss: Loss,
    },
    Unknown(Reason),
}

/// Why it is not known whether there is a repair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The user ended the search.
    Interrupted,
    /// A limit was reached.
    Stopped(bdd::Error),
    /// All corrections that were found are vacuous.
    OnlyVacuous,
    AllRejected,
    /// Corrections were found, and not proved in time.
    NotProved,
    /// A property that no game was built for.
    NotSupported {
        property: String,
        reason: String,
    },
    /// Games are won with registers; no function was found.
    NotFound,
    /// Games are won with registers, and by no function.
    OnlyWithRegisters,
    /// All edits of these kinds were tried, and no game is about them.
    NoEdit(Vec<Kind>),
    /// No correction was found after which the antecedents of these assertions happen.
    NeverHappens(Vec<String>),
}

/// Told what is being done: stages for a log, and how far they have come.
pub type Watch<'a> = dyn FnMut(Event<'_>) + 'a;

/// Tells of a new stage.
fn say(watch: &mut Watch, stage: &str) {
    watch(Event::Stage(stage));
}

impl RepairAnswer {
    /// Whether there is neither a repair nor nothing to repair.
    pub fn is_open(&self) -> bool {
        matches!(self.outcome, Outcome::Unknown(_) | Outcome::NoRepair { .. })
    }

    /// The corrections that are repairs in truth.
    pub fn repairs(&self) -> impl Iterator<Item = &RankedCorrection> {
        self.corrections.iter().filter(|one| !one.vacuous)
    }

    /// The runs that show which assertions the unpatched design violates.
    pub fn failing_runs(
        &self,
        subject: &Subject,
    ) -> Result<Vec<(usize, Certified<Run>)>, Vec<Diagnostic>> {
        let problem = Problem::new(&subject.design, &subject.spec)?;
        let mut runs = Vec::new();
        for (property, verdict) in &self.before {
            if let Verdict::Fails(trace) = verdict {
                let run = problem.shown(&subject.spec, *property, trace);
                runs.push((*property, run.map_err(|error| vec![error])?));
            }
        }
        Ok(runs)
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq)]
pub enum RepairError {
    Diagnostics(Vec<Diagnostic>),
    /// A property that no game was built for.
    NotSupported {
        property: String,
        reason: String,
    },
    Limit(bdd::Error),
    /// A correction that a game found was refuted: a defect of ours.
    NotCertified {
        candidate: Box<Candidate>,
    },
}

impl From<Diagnostic> for RepairError {
    fn from(diagnostic: Diagnostic) -> RepairError {
        RepairError::Diagnostics(vec![diagnostic])
    }
}

impl From<Vec<Diagnostic>> for RepairError {
    fn from(diagnostics: Vec<Diagnostic>) -> RepairError {
        RepairError::Diagnostics(diagnostics)
    }
}

impl From<bdd::Error> for RepairError {
    fn from(error: bdd::Error) -> RepairError {
        RepairError::Limit(error)
    }
}

impl From<ObjectiveError> for RepairError {
    fn from(error: ObjectiveError) -> RepairError {
        match error {
            ObjectiveError::Diagnostic(diagnostic) => RepairError::from(*diagnostic),
            ObjectiveError::NotSupported { property, reason } => {
                RepairError::NotSupported { property, reason }
            }
        }
    }
}

impl fmt::Display for RepairError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RepairError::Diagnostics(diagnostics) => {
                let messages = diagnostics.iter().map(|one| one.message.as_str());
                formatter.write_str(&messages.collect::<Vec<_>>().join("; "))
            }
            RepairError::NotSupported { property, reason } => {
                write!(formatter, "`{property}`: {reason}")
            }
            RepairError::Limit(error) => error.fmt(formatter),
            RepairError::NotCertified { .. } => {
                formatter.write_str("a correction was found that does not keep the properties")
            }
        }
    }
}

impl std::error::Error for RepairError {}

/// Looks for corrections of a design. Of a source that another program has read only the text
/// is corrected; [`Subject::as_netlist`] gives the netlist behind it.
pub fn repair(
    subject: &Subject,
    options: &Options,
    watch: &mut Watch,
) -> Result<RepairAnswer, RepairError> {
    refuse(subject)?;
    say(watch, "checking the design as it is");
    let checked = check(subject, &options.limits)?;
    let before = checked.verdicts().to_vec();
    let assumptions = checked
        .problem()
        .assumptions(certify::Engine::Auto, &options.limits)?;
    let is_closed = match certify::latches(subject, &options.limits)? {
        LatchStatus::Closed(_) => true,
        LatchStatus::Open(_) | LatchStatus::Unknown(_) => false,
    };
    let fits = match options.recordings.as_slice() {
        [] => true,
        recordings => {
            let reading = subject.front_end().without_reset(None)?;
            let limits = subject.sources.limits();
            certify::recorded::fits_all(&reading.design, recordings, limits)?.is_some()
        }
    };
    let mut vacuities = Vec::new();
    let mut has_fault = true;
    let mut covered = Vec::new();
    if let (Overall::Pass(holds), true, true) = (checked.overall()?, is_closed, fits) {
        say(watch, "checking whether properties say anything");
        let holding: Vec<usize> = before.iter().map(|(property, _)| *property).collect();
        vacuities = certify::vacuities(subject, &holding, &options.limits)?;
        covered = antecedents::to_cover(subject, &vacuities, options.cover_antecedents);
        if covered.is_empty() {
            return Ok(RepairAnswer {
                outcome: Outcome::NothingToRepair(holds),
                corrections: Vec::new(),
                before,
                assumptions,
                locations: Vec::new(),
                places: Vec::new(),
                closed_latches: is_closed,
                vacuities,
                covered,
                stopped: None,
            });
        }
        has_fault = false;
    } else if options.cover_antecedents {
        covered = antecedents::all(subject);
    }
    let work = Work {
        subject,
        options,
        assumptions: &assumptions,
        has_fault,
        covered: &covered,
    };
    let found = if subject.front_end().is_source() {
        work.source(&before, watch)?
    } else {
        work.netlist(&before, watch)?
    };
    let mut found = found;
    let mut fitting = Vec::new();
    for one in std::mem::take(&mut found.corrections) {
        if !antecedents::happen(subject, &one.patch, &covered, &options.limits)? {
            found.not_covering += 1;
        } else if edits::fits(subject, &one.patch, &options.recordings)? {
            fitting.push(one);
        }
    }
    found.corrections = fitting;
    let (outcome, corrections) = work.conclude(&found)?;

    Ok(RepairAnswer {
        corrections,
        before,
        closed_latches: is_closed,
        stopped: found.stopped(),
        places: match outcome {
            Outcome::Unknown(_) => found.places,
            _ => Vec::new(),
        },
        locations: found.locations,
        outcome,
        assumptions,
        vacuities,
        covered,
    })
}

/// What cannot be repaired as it is.
fn refuse(subject: &Subject) -> Result<(), Diagnostic> {
    let properties = &subject.spec.properties;
    if properties.iter().all(|one| one.role != Role::Assert) {
        let message = "neither the design nor a property file asserts anything";
        return Err(Diagnostic::error(certify_codes::NOTHING_TO_CHECK, message)
            .help("give a property file with `--spec`"));
    }
    let design = &subject.design;
    let is_open = |id: &&NodeId| design.input_kind(**id) == Some(InputKind::Choice);
    if let Some(open) = design.inputs().iter().find(is_open) {
        let name = design.name(*open).unwrap_or_default();
        let message = format!("`{name}` is an input that a controller is to be found for");
        return Err(Diagnostic::error(certify_codes::OPEN_CHOICE, message)
            .help("`respin synth` solves such files"));
    }
    Ok(())
}

/// Which assertions fail. This is not what was asked for, so it gets half of the time.
fn check<'a>(subject: &'a Subject, limits: &bdd::Limits) -> Result<Checked<'a>, RepairError> {
    let mut limits = limits.clone();
    let now = Instant::now();
    limits.deadline = limits
        .deadline
        .map(|end| now + end.saturating_duration_since(now) / 2);
    let options = certify::Options {
        limits,
        semantics: Semantics::Strict,
        engine: certify::Engine::Auto,
    };
    let problem = Problem::new(&subject.design, &subject.spec)?;
    let asserted: Vec<usize> = problem.asserted().collect();
    let checked = problem.checked(&subject.spec, &asserted, &options, |_| {})?;
    let interrupted = Verdict::Unknown(bdd::Error::Interrupted);
    let mut verdicts = checked.verdicts().iter();
    if verdicts.any(|(_, verdict)| *verdict == interrupted) {
        return Err(RepairError::Limit(bdd::Error::Interrupted));
    }
    Ok(checked)
}

/// Whether proofs and games of a design take longer than a look at all of its edits.
fn is_large(design: &Design) -> bool {
    design.latches().len() > MANY_LATCHES
}

/// What all steps share.
struct Work<'a> {
    subject: &'a Subject,
    options: &'a Options,
    /// What is known of the assumptions of the design as it is.
    assumptions: &'a AssumptionStatus,
    /// Whether something is wrong besides antecedents that never happen.
    has_fault: bool,
    /// The assertions whose antecedents have to happen on some run.
    covered: &'a [String],
}

/// What the steps found.
#[derive(Default)]
struct Found {
    corrections: Vec<RankedCorrection>,
    locations: Vec<LocationAnswer>,
    /// Places of a source, those first that failing runs speak against most.
    places: Vec<PlaceEvidence>,
    /// The suspects of games.
    suspects: Vec<ComponentId>,
    /// Edits that were tried, and of those that survived how many were not proved in time.
    edits_tried: usize,
    edits_unproved: usize,
    edits_stopped: Option<bdd::Error>,
    /// Corrections after which an antecedent that has to happen does not.
    not_covering: usize,
}

impl Found {
    fn stopped(&self) -> Option<bdd::Error> {
        let games = self.locations.iter().find_map(|one| one.stopped);
        self.edits_stopped.or(games)
    }

    /// Whether there is one that disables nothing.
    fn has_live_repair(&self) -> bool {
        let mut repairs = self.corrections.iter().filter(|one| !one.vacuous);
        repairs.any(|one| !one.is_disabling())
    }

    fn any(&self, wanted: fn(&LocationAnswer) -> &Vec<Location>) -> bool {
        self.locations.iter().any(|one| !wanted(one).is_empty())
    }
}

impl Work<'_> {
    /// Corrections of a text: by small edits, then by what games say of single components.
    fn source(&self, before: &[(usize, Verdict)], watch: &mut Watch) -> Result<Found, RepairError> {
        let (subject, options) = (self.subject, self.options);
        let front_end = subject.front_end();
        let netlist = front_end.netlist();
        let mut runs = self.runs(before)?;
        let layout = Layout::new(front_end, &subject.sources);
        let edits = options.suspects.edits(
            front_end.edits(&options.depends_on)?,
            netlist.components(),
            &layout,
        )?;
        let suspects = options.suspects.values(netlist, &layout);
        // An edit of any kind can help only where another value can.
        let replayed = options.suspects.of_any_kind();
        let replayed = replayed.values(netlist, &layout);
        let saved = self.alive(&replayed, &runs)?;
        let ruled_out = self.spans(replayed.iter().filter(|id| !saved.contains(id)));
        let mut alive = suspects.clone();
        alive.retain(|id| saved.contains(id));
        say(
            watch,
            &format!(
                "{} edits, {} failing runs, {} of {} places can avoid them",
                edits.len(),
                runs.len(),
                alive.len(),
                suspects.len()
            ),
        );
        // In large designs games give out, and what runs say is all that may be known.
        let shown = places::some_of(&runs);
        let places = match is_large(&subject.design) {
            true => self.places(&saved, &shown)?,
            false => Vec::new(),
        };
        let mut measure = edits::Measure::new(subject)?;
        let search = edits::EditSearch {
            subject,
            before: self.assumptions,
            ruled_out,
            saved: self.spans(saved.iter()),
            shown: &shown,
            enough: edits::ENOUGH + options.rejected.len(),
            faults: self.faults(),
            covered: self.covered,
            solves: self.has_fault && options.depends_on.is_empty(),
            words: format!(
                "{} of {} places can mend all {} runs",
                saved.len(),
                replayed.len(),
                runs.len()
            ),
            recordings: &options.recordings,
            limits: options.limits.clone(),
        };
        let found_edits = match &mut measure {
            Some(measure) => search.run(&edits, measure, &mut runs, watch)?,
            None => edits::FoundEdits::default(),
        };
        say(
            watch,
            &format!(
                "{} edits tried, {} certified or refuted",
                found_edits.tried, found_edits.certified
            ),
        );
        let mut found = Found {
            corrections: found_edits.corrections,
            locations: Vec::new(),
            places,
            suspects,
            edits_tried: found_edits.tried,
            edits_unproved: found_edits.unproved,
            edits_stopped: found_edits.stopped,
            not_covering: 0,
        };
        let wants_games = !found.has_live_repair() || options.every_location;
        if self.has_fault && wants_games && found.edits_stopped.is_none() {
            let components = netlist.components();
            let has_repair = |id: &ComponentId| {
                let component = &components[id.0 as usize];
                let within = |one: &RankedCorrection| {
                    let changes = one.patch.changes.iter();
                    !one.vacuous
                        && changes.filter_map(|change| change.within).any(|within| {
                            Some(within.0) == component.span && within.1 == component.kind
                        })
                };
                found.corrections.iter().any(within)
            };
            let open = alive.iter().filter(|id| !has_repair(id));
            let open: Vec<Location> = open.map(|id| vec![*id]).collect();
            let ruled_out = found.suspects.iter().filter(|id| !alive.contains(id));
            let mut answer = LocationAnswer {
                faults: 1,
                ruled_out: ruled_out.map(|id| vec![*id]).collect(),
                open,
                ..LocationAnswer::default()
            };
            let mut corrections = std::mem::take(&mut found.corrections);
            self.games(ALTERNATIVES)
                .run(&mut answer, &mut corrections, watch)?;
            found.corrections = corrections;
            found.locations.push(answer);
        }
        if found.places.is_empty() && found.corrections.iter().all(|one| one.vacuous) {
            found.places = self.places(&saved, &shown)?;
        }
        if let Some(measure) = &measure {
            self.measure(&mut found.corrections, measure)?;
        }
        Ok(found)
    }

    /// How many edits are made at once. Without a failing run nothing rules out pairs of them
    /// before they are proved.
    fn faults(&self) -> usize {
        let most = if self.has_fault { FAULTS } else { 1 };
        self.options.faults.unwrap_or(most)
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
                let still = certify::covers::reachable(&patched, &self.options.limits)?;
                let lost = reachable.iter().filter(|cover| !still.contains(cover));
                one.lost_covers = lost.cloned().collect();
            }
        }
        Ok(())
    }

    /// Corrections of a netlist: for one fault after the other, by games.
    fn netlist(
        &self,
        before: &[(usize, Verdict)],
        watch: &mut Watch,
    ) -> Result<Found, RepairError> {
        let (subject, options) = (self.subject, self.options);
        let netlist = subject.front_end().netlist();
        let layout = Layout::new(subject.front_end(), &subject.sources);
        let suspects = options.suspects.components(netlist, &layout)?;
        let mut found = Found {
            suspects,
            ..Found::default()
        };
        // Names that mean nothing are an error before anything is searched.
        if let Some(first) = found.suspects.first() {
            subject.front_end().readable(*first, &options.depends_on)?;
        }
        // Games are about what has to hold, not about what has to be possible.
        let most = if self.has_fault {
            options.faults.unwrap_or(FAULTS).min(found.suspects.len())
        } else {
            0
        };
        let mut runs = None;
        for faults in 1..=most {
            let count = found.suspects.len();
            say(
                watch,
                &format!("looking for {faults} of {count} components"),
            );
            let games = self.games(ALTERNATIVES + options.rejected.len());
            let mut answer = LocationAnswer::all(&found.suspects, faults);
            if games.replays(&answer) {
                let runs = match &runs {
                    Some(runs) => runs,
                    None => runs.insert(self.runs(before)?),
                };
                games.replay(&mut answer, runs)?;
            }
            let mut corrections = Vec::new();
            games.run(&mut answer, &mut corrections, watch)?;
            let is_last = corrections.iter().any(|one| !one.vacuous)
                || answer.stopped.is_some()
                || answer.not_supported.is_some();
            found.corrections.extend(corrections);
            found.locations.push(answer);
            if is_last {
                break;
            }
        }
        Ok(found)
    }

    fn games(&self, alternatives: usize) -> games::GameSearch<'_> {
        games::GameSearch {
            subject: self.subject,
            before: self.assumptions,
            depends_on: &self.options.depends_on,
            every_location: self.options.every_location,
            options: GameOptions {
                alternatives,
                allow_state: self.options.allow_state,
                automaton: self.options.automaton,
                limits: self.options.limits.clone(),
                ..GameOptions::new(Vec::new())
            },
        }
    }

    /// Runs that fail: those that simulation finds, and the counterexamples.
    fn runs(&self, before: &[(usize, Verdict)]) -> Result<Vec<Run>, RepairError> {
        let subject = self.subject;
        let mut runs = match replay::failing_runs(&subject.design, &subject.spec) {
            Err(RepairError::NotSupported { .. }) => Vec::new(),
            runs => runs?,
        };
        for (_, verdict) in before {
            if let Verdict::Fails(trace) = verdict {
                runs.push(trace.stimulus(&subject.design));
            }
        }
        Ok(runs)
    }

    /// The suspects that some choice of values saves from every failing run: by simulation
    /// where designs are small and choices few, else by satisfiability.
    fn alive(
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
        let mut opening = Opening::new(netlist, spec, &runs, &self.options.limits);
        for id in many {
            match opening.may_mend_all(&vec![id]) {
                Err(RepairError::NotSupported { .. }) => return Ok(suspects.to_vec()),
                may_mend => alive.extend(may_mend?.then_some(id)),
            }
        }
        alive.sort_unstable();
        Ok(alive)
    }

    /// What failing runs say of places of a source.
    fn places(
        &self,
        components: &[ComponentId],
        runs: &[Run],
    ) -> Result<Vec<PlaceEvidence>, RepairError> {
        let (netlist, spec) = (self.subject.front_end().netlist(), &self.subject.spec);
        places::ranked(netlist, spec, components, runs, &self.options.limits)
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

    /// The answer in which corrections have numbers and rejected ones are left out.
    fn conclude(&self, found: &Found) -> Result<(Outcome, Vec<RankedCorrection>), RepairError> {
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
        let wrong = rejected
            .iter()
            .find(|number| **number as usize > corrections.len());
        if let (Some(wrong), None) = (wrong, found.stopped()) {
            let message = format!("there is no correction {wrong} to reject");
            let help = format!(
                "the corrections are numbered from 1 to {}",
                corrections.len()
            );
            let diagnostic = Diagnostic::error(codes::NO_SUCH_CORRECTION, message);
            return Err(diagnostic.help(help).into());
        }
        corrections.retain(|one| !rejected.contains(&(one.number as u32)));
        let outcome = if corrections.iter().any(|one| !one.vacuous) {
            Outcome::Repaired
        } else if !self.options.recordings.is_empty() {
            // What games prove is about properties; recorded runs may ask for less or more.
            Outcome::Unknown(self.reason(found, &corrections).unwrap_or(Reason::NotFound))
        } else if let Some(reason) = self.reason(found, &corrections) {
            Outcome::Unknown(reason)
        } else if !self.has_fault || found.not_covering > 0 {
            Outcome::Unknown(Reason::NeverHappens(self.covered.to_vec()))
        } else {
            let (proof, loss) = loss::explain(self.subject, found, self.options)?;
            Outcome::NoRepair { proof, loss }
        };
        Ok((outcome, corrections))
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
        let only_edited = is_source && (!edited_kinds.is_empty() || found.suspects.is_empty());
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
        } else if only_edited {
            Reason::NoEdit(edited_kinds)
        } else {
            return None;
        })
    }
}
