//! Corrections of a text, by candidates and counterexamples.
//!
//! A front end lists edits, the cheapest first. Each is applied and the text read again, and
//! the design is run on the inputs of all counterexamples so far; most edits fail there. One
//! that survives goes to `certify`: what it proves is a correction, and what it refutes gives
//! one more run. This finds what a person would write, words and all; which locations can be
//! corrected at all is for the games to say.
//!
//! An edit after which something never happens any more that happened in passing runs is put
//! aside: it comes to `certify` only if no other edit is a correction. So is an edit that does
//! on random runs what a correction does, because most such edits are the same correction once
//! more. At the end a few of them are judged like all others, and those that are proved to
//! have the same effect are named beside it.

use super::antecedents;
use super::behaviour::{Behaviour, CYCLES, Effect, Stimuli};
use super::habits::Habits;
use super::open::Opening;
use super::plain::Plainness;
use super::reclocked::has_global_clock;
use super::respelling::respellings;
use super::screen::{Observed, Screen};
use super::share::Division;
use super::sketched;
use super::waiting::Waiting;
use super::{RankedCorrection, RepairError, Watch};
use crate::bdd;
use crate::certify::patch::{Known, Likeness};
use crate::certify::{self, AssumptionStatus, Certified, Experience, Judgement};
use crate::design::verilog::edits::SourceEdit;
use crate::design::verilog::edits::sketch::Sketch;
use crate::design::{ComponentId, ComponentKind, Correction, Design, Patch, Trials};
use crate::run::Run;
use crate::source::Span;
use crate::subject::Subject;
use crate::synth::Event;
use crate::trace::Recording;
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet, VecDeque};

/// Corrections after which dearer edits are not tried any more.
pub const ENOUGH: usize = 4;
/// Edits that are tried before constants and expressions are solved for; the others come after.
const BEFORE_SOLVING: usize = 3_000;
/// Runs that are kept: one word of the simulator.
const MOST_RUNS: usize = 64;
/// What a correction costs more for each condition that never changes any more.
const SILENCED: u32 = 4;
/// And for each input on which no output depends any more, as much as for an output that stops;
/// and less for each on which one depends for the first time. What is an input is meant to be read.
const UNREAD: u32 = 20;
const NEWLY_READ: u32 = 8;
/// So many percent of steps with other outputs cost as much as one step of the cost table, up to
/// this.
const PERCENT_OF_CHANGE: u32 = 3;
const MOST_FOR_CHANGE: u32 = 16;
/// Edits inside of one expression that are joined cost at most this together.
const DEAREST_JOINT: u32 = 28;
/// Edits at two locations that are joined cost at most this each, and so many are tried.
const DEAREST_PAIR: u32 = 13;
const MOST_PAIRS: usize = 40_000;
/// Fewer steps before a loop are too few to compare.
const LEAST_BEFORE_LOOP: usize = 4;
/// Edits that look like a correction: how many are judged.
const MOST_JUDGED: usize = 2;
/// And how many are put in other words.
const MOST_RESPELT: usize = 8;

pub struct EditSearch<'a> {
    pub subject: &'a Subject,
    /// What is known of the assumptions of the design as it is.
    pub before: &'a AssumptionStatus,
    /// Of the checks of corrections before.
    pub experience: &'a Experience,
    /// Components that another value cannot help.
    pub ruled_out: HashSet<(Span, ComponentKind)>,
    /// Components that another value can help on all of these runs.
    pub saved: HashSet<(Span, ComponentKind)>,
    pub shown: &'a [Run],
    /// Stop when so many corrections were found, and the next edits are dearer.
    pub enough: usize,
    /// How many edits at different locations are made at once.
    pub faults: usize,
    /// Assertions whose antecedents have to happen on some run of a correction.
    pub covered: &'a [String],
    /// Whether constants and small expressions are solved for where no edit is a repair.
    pub solves: bool,
    /// What is known of places, for those who wait.
    pub words: String,
    /// Recorded runs that a correction has to fit as well.
    pub recordings: &'a [Recording],
    pub part: Part,
    /// The places that are looked at.
    pub division: &'a Division<'a>,
    pub limits: bdd::Limits,
}

/// Which candidates are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The cheapest single edits.
    First,
    /// All others.
    Rest,
    All,
}

/// What the search found.
#[derive(Default)]
pub struct FoundEdits {
    pub corrections: Vec<RankedCorrection>,
    /// How many edits were tried, and how many of them went to `certify`.
    pub tried: usize,
    pub certified: usize,
    pub unproved: usize,
    /// Whether there are edits after which steps are other ones.
    pub has_reclocking: bool,
    pub stopped: Option<bdd::Error>,
}

impl FoundEdits {
    /// Whether another search would come too late, or is not needed.
    pub fn is_enough(&self) -> bool {
        let mut repairs = self.corrections.iter().filter(|one| !one.vacuous);
        self.stopped.is_some() || repairs.any(|one| !one.is_disabling())
    }

    /// What two searches found, one after the other.
    pub fn joined(mut self, later: FoundEdits) -> FoundEdits {
        self.corrections.extend(later.corrections);
        FoundEdits {
            corrections: self.corrections,
            tried: self.tried + later.tried,
            certified: self.certified + later.certified,
            unproved: self.unproved + later.unproved,
            has_reclocking: self.has_reclocking || later.has_reclocking,
            stopped: self.stopped.or(later.stopped),
        }
    }
}

/// What all candidates are measured by: the random inputs, and what the design as it is does
/// on them.
pub struct Measure<'a> {
    pub screen: Screen<'a>,
    stimuli: Stimuli,
    original: Behaviour,
    conditions: Vec<String>,
    /// How many first cycles of each random run are compared.
    cycles: usize,
    habits: OnceCell<Habits>,
}

impl<'a> Measure<'a> {
    /// `None` if a condition of the properties means nothing in the design itself.
    pub fn new(subject: &'a Subject) -> Result<Option<Measure<'a>>, RepairError> {
        let screen = Screen::new(&subject.spec, &subject.design);
        let Some(observed) = screen.observed(subject.design.clone()) else {
            return Ok(None);
        };
        let stimuli = Stimuli::new(&observed, &screen)?;
        Ok(Some(Measure {
            original: Behaviour::of(&observed, &screen, &stimuli)?,
            conditions: screen.conditions(&subject.sources),
            cycles: CYCLES,
            stimuli,
            screen,
            habits: OnceCell::new(),
        }))
    }

    /// Compares only as many first cycles as the shortest failing run has before its loop, if
    /// all failing runs have one: with the fault undone, nothing else has to change there.
    pub fn compare_before_loops(&mut self, failing: &[Run]) {
        let starts = failing.iter().map(|run| run.loop_start);
        let starts: Option<Vec<usize>> = starts.collect();
        let shortest = starts.and_then(|starts| starts.into_iter().min());
        if let Some(shortest) = shortest.filter(|start| *start >= LEAST_BEFORE_LOOP) {
            self.cycles = shortest.min(CYCLES);
        }
    }

    /// How the source is written.
    fn habits(&self, subject: &Subject) -> &Habits {
        let files = || subject.front_end().files();
        self.habits
            .get_or_init(|| Habits::of(files(), &subject.sources))
    }

    fn behaviour(&self, observed: &Observed) -> Result<Behaviour, RepairError> {
        Behaviour::of(observed, &self.screen, &self.stimuli)
    }

    fn effect_of(&self, behaviour: &Behaviour) -> Effect {
        behaviour.effect(&self.original, &self.conditions, self.cycles)
    }

    /// What a design does on random runs, as a number to tell designs apart, and what it does
    /// otherwise than the original; nothing if that cannot be measured.
    pub fn of_design(&self, design: &Design) -> Result<Option<(u64, Effect)>, RepairError> {
        let Some(observed) = self.screen.observed(design.clone()) else {
            return Ok(None);
        };
        let behaviour = self.behaviour(&observed)?;
        let effect = self.effect_of(&behaviour);
        Ok(Some((behaviour.hash, effect)))
    }

    /// What a patched design does otherwise; nothing if that cannot be measured.
    pub fn effect(&self, design: &Design) -> Result<Effect, RepairError> {
        match self.screen.observed(design.clone()) {
            Some(observed) => Ok(self.effect_of(&self.behaviour(&observed)?)),
            None => Ok(Effect::default()),
        }
    }
}

/// A correction with what looks like it.
pub(super) struct Group {
    correction: RankedCorrection,
    edits: Vec<SourceEdit>,
    cost: u32,
    pub(super) behaviour: u64,
    plainness: Plainness,
    pub(super) alike: Vec<Alike>,
}

/// An edit that does the same on random runs.
pub(super) struct Alike {
    pub(super) edits: Vec<SourceEdit>,
    pub(super) patch: Patch,
    pub(super) cost: u32,
    pub(super) plainness: Plainness,
    /// Whether it is another one in other words: then it is no news beside that.
    pub(super) is_respelt: bool,
}

/// An edit that puts something to sleep.
pub(super) struct Disabling {
    edits: Vec<SourceEdit>,
    patch: Patch,
    cost: u32,
    plainness: Plainness,
    hash: u64,
    effect: Effect,
}

/// Candidates of one kind, in the order in which they are tried.
type Candidates<'e> = Vec<Vec<&'e SourceEdit>>;

impl<'a> EditSearch<'a> {
    /// Corrections by one edit; if there are none, by two in one expression, then by two.
    pub fn run<'e>(
        &self,
        edits: &'e [SourceEdit],
        measure: &mut Measure<'a>,
        runs: &mut Vec<Run>,
        watch: &mut Watch,
    ) -> Result<FoundEdits, RepairError> {
        let mut found = FoundEdits::default();
        let mut trials = self.subject.front_end().trials();
        // Two faults can be where one alone cannot be.
        let is_open = |edit: &&SourceEdit| {
            let within = edit.within;
            within.is_none_or(|within| !self.ruled_out.contains(&within))
        };
        let reclocking = self.reclocking(edits, &mut trials);
        found.has_reclocking = !reclocking.is_empty();
        let open = edits.iter().enumerate();
        let open = open.filter(|(index, edit)| is_open(edit) || reclocking.contains(index));
        let open: Vec<&SourceEdit> = open.map(|(_, edit)| edit).collect();
        let (first, rest) = open.split_at(open.len().min(BEFORE_SOLVING));
        let own = |edits: &[&'e SourceEdit]| -> Candidates<'e> {
            let own = edits.iter().filter(|edit| self.division.has_edit(edit));
            own.map(|edit| vec![*edit]).collect()
        };
        let joint = || {
            let mut joint = joint_edits(edits);
            joint.retain(|edits| {
                let is_own = |edit: &&SourceEdit| is_open(edit) && self.division.has_edit(edit);
                edits.iter().all(is_own)
            });
            joint
        };
        // What is listed comes first as long as the lists are short.
        let is_short = edits.len() <= BEFORE_SOLVING && joint().len() <= BEFORE_SOLVING;
        let order = match is_short {
            true => [0, 3, 1, 2, 4],
            false => [0, 1, 2, 3, 4],
        };
        let order = order.into_iter().filter(|stage| match self.part {
            Part::First => *stage == 0,
            Part::Rest => *stage != 0,
            Part::All => true,
        });
        for stage in order {
            let (is_solved, is_joint) = (stage == 1, stage == 3);
            let candidates: Candidates = match stage {
                0 => own(first),
                1 if !self.solves => continue,
                1 => Vec::new(),
                2 if rest.is_empty() => continue,
                2 => own(rest),
                3 => joint(),
                _ if self.faults > 1 => self.pairs_that_mend(pairs_of_edits(edits))?,
                _ => break,
            };
            let mut stage = Stage {
                search: self,
                trials: &mut trials,
                measure,
                groups: Vec::new(),
                waiting: Vec::new(),
                disabling: Vec::new(),
                found: &mut found,
                runs,
                learned: 0,
                has_global_clock: has_global_clock(&self.subject.design),
                reclocked: 0,
                watch,
            };
            match is_solved {
                true => stage.run_solved(&self.sketches(edits))?,
                false => stage.run(&candidates)?,
            }
            let mut repairs = found.corrections.iter().filter(|one| !one.vacuous);
            let is_live = repairs.clone().any(|one| !one.is_disabling());
            // For the sake of a repair that disables nothing, pairs of edits are too many.
            let is_enough = is_live || is_joint && repairs.next().is_some();
            if is_enough || found.stopped.is_some() {
                break;
            }
        }
        Ok(found)
    }
}

impl EditSearch<'_> {
    /// Places that can mend all runs, or of which that is not known.
    fn sketches(&self, edits: &[SourceEdit]) -> Vec<Sketch> {
        let mut sketches = sketched::allowed(self.subject.front_end(), edits);
        sketches.retain(|one| {
            let within = one.within;
            let is_open = within.is_none_or(|within| !self.ruled_out.contains(&within));
            is_open && self.division.has_sketch(one)
        });
        sketches
    }

    /// Those pairs of edits whose places, changed together, may mend all runs.
    fn pairs_that_mend<'e>(&self, pairs: Candidates<'e>) -> Result<Candidates<'e>, RepairError> {
        let netlist = self.subject.front_end().netlist();
        let components = netlist.component_ids().zip(netlist.components());
        let components: HashMap<(Span, ComponentKind), ComponentId> = components
            .filter_map(|(id, one)| Some(((one.span?, one.kind), id)))
            .collect();
        let mut opening = Opening::new(netlist, &self.subject.spec, self.shown, &self.limits);
        let mut known: HashMap<Vec<ComponentId>, bool> = HashMap::new();
        let mut mending = Vec::new();
        for pair in pairs {
            let within = pair.iter().map(|edit| edit.within);
            let within: Option<Vec<(Span, ComponentKind)>> = within.collect();
            let places = within
                .filter(|within| within.iter().all(|one| !self.saved.contains(one)))
                .and_then(|within| {
                    let ids = within.iter().map(|one| components.get(one).copied());
                    ids.collect::<Option<Vec<ComponentId>>>()
                });
            let may_mend = match places {
                // One of them mends the runs alone, or its value is no component.
                None => true,
                Some(mut places) => {
                    places.sort_unstable();
                    match known.get(&places) {
                        Some(known) => *known,
                        None => {
                            let may_mend = may_mend(&mut opening, &places)?;
                            known.insert(places, may_mend);
                            may_mend
                        }
                    }
                }
            };
            if may_mend {
                mending.push(pair);
            }
        }
        Ok(mending)
    }
}

/// Whether places may mend all runs together; those that overlap cannot be asked about.
fn may_mend(opening: &mut Opening, places: &Vec<ComponentId>) -> Result<bool, RepairError> {
    match opening.may_mend_all(places) {
        Err(RepairError::NotSupported { .. } | RepairError::Diagnostics(_)) => Ok(true),
        may_mend => may_mend,
    }
}

/// One pass over candidates.
pub(super) struct Stage<'s, 'a, 'w> {
    pub(super) search: &'s EditSearch<'a>,
    pub(super) trials: &'s mut Option<Box<dyn Trials + 'a>>,
    pub(super) measure: &'s mut Measure<'a>,
    pub(super) groups: Vec<Group>,
    pub(super) waiting: Vec<Waiting>,
    pub(super) disabling: Vec<Disabling>,
    pub(super) found: &'s mut FoundEdits,
    pub(super) runs: &'s mut Vec<Run>,
    /// How many runs refuted edits have given.
    pub(super) learned: usize,
    /// Whether the design has several clocks.
    has_global_clock: bool,
    /// How many edits were judged after which steps are other ones.
    pub(super) reclocked: usize,
    pub(super) watch: &'s mut Watch<'w>,
}

impl Stage<'_, '_, '_> {
    fn run(&mut self, candidates: &Candidates) -> Result<(), RepairError> {
        self.measure.screen.set_runs(self.runs);
        let ports = ports_of(&self.search.subject.design);
        let mut dearest = u32::MAX;
        for edits in candidates {
            let cost = edits.iter().map(|edit| edit.cost).sum();
            if cost > dearest {
                break;
            }
            if let Err(error) = self.search.limits.check() {
                self.found.stopped = Some(error);
                break;
            }
            self.found.tried += 1;
            let (words, tried) = (&self.search.words, self.found.tried);
            let left = candidates.len();
            (self.watch)(Event::Status(&format!("{words}; edit {tried} of {left}")));
            if !self.attempt(edits, cost, &ports)? {
                break;
            }
            if self.repairs(cost) >= self.search.enough {
                dearest = dearest.min(cost);
            }
        }
        self.judge_waiting()?;
        self.finish()
    }

    fn run_solved(&mut self, sketches: &[Sketch]) -> Result<(), RepairError> {
        self.measure.screen.set_runs(self.runs);
        self.solve(sketches)?;
        self.finish()
    }

    /// Judges what was put aside, as far as it is needed.
    fn finish(&mut self) -> Result<(), RepairError> {
        // Two edits that disable something are no news beside one that does.
        let is_repaired = self.found.corrections.iter().any(|one| !one.vacuous);
        if !is_repaired && self.repairs(u32::MAX) == 0 {
            self.judge_disabling()?;
        }
        self.judge_alike()?;
        let groups = std::mem::take(&mut self.groups);
        let corrections = groups.into_iter().map(|group| group.correction);
        self.found.corrections.extend(corrections);
        Ok(())
    }

    /// How many repairs there are that cost no more than this.
    pub(super) fn repairs(&self, cost: u32) -> usize {
        let is_good =
            |one: &&Group| !one.correction.vacuous && one.correction.cost <= cost as usize;
        self.groups.iter().filter(is_good).count()
    }

    /// Tries one candidate; `false` if the user interrupted.
    pub(super) fn attempt(
        &mut self,
        edits: &[&SourceEdit],
        cost: u32,
        ports: &[String],
    ) -> Result<bool, RepairError> {
        let edits: Vec<SourceEdit> = edits.iter().map(|edit| (*edit).clone()).collect();
        let Some(design) = self.edited(&edits)? else {
            return Ok(true);
        };
        match (self.has_global_clock, has_global_clock(&design)) {
            (true, false) => return self.attempt_reclocked(edits, design, cost),
            // One clock is what is meant.
            (false, true) => return Ok(true),
            (true, true) | (false, false) => {}
        }
        let screen = &self.measure.screen;
        let Some(observed) = screen.observed(design) else {
            return Ok(true);
        };
        if !screen.survives(&observed)? || ports_of(&observed.design) != ports {
            return Ok(true);
        }
        let front_end = self.search.subject.front_end();
        let Some(patch) = front_end.render(&Correction::Edits(edits.clone()))? else {
            return Ok(true);
        };
        if !fits(self.search.subject, &patch, self.search.recordings)? {
            return Ok(true);
        }
        let plainness = self.plainness(&edits, &patch);
        let behaviour = self.measure.behaviour(&observed)?;
        let mut groups = self.groups.iter_mut();
        if let Some(known) = groups.find(|known| known.behaviour == behaviour.hash) {
            known.alike.push(Alike {
                edits,
                patch,
                cost,
                plainness,
                is_respelt: false,
            });
            return Ok(true);
        }
        let effect = self.measure.effect_of(&behaviour);
        if !effect.disabled.is_empty() {
            let hash = behaviour.hash;
            if self.disabling.iter().all(|one| one.hash != hash) {
                self.disabling.push(Disabling {
                    edits,
                    patch,
                    cost,
                    plainness,
                    hash,
                    effect,
                });
            }
            return Ok(true);
        }
        self.judge_or_wait(Waiting {
            edits,
            patch,
            cost,
            plainness,
            hash: behaviour.hash,
            effect,
            alike: VecDeque::new(),
            survived: self.learned,
        })
    }

    pub(super) fn plainness(&self, edits: &[SourceEdit], patch: &Patch) -> Plainness {
        let subject = self.search.subject;
        Plainness::of(edits, patch, self.measure.habits(subject), &subject.sources)
    }

    /// The design with edits made; `None` if it has no meaning.
    pub(super) fn edited(&mut self, edits: &[SourceEdit]) -> Result<Option<Design>, RepairError> {
        if let Some(trials) = self.trials {
            return Ok(trials.design(edits));
        }
        let front_end = self.search.subject.front_end();
        let Some(patch) = front_end.render(&Correction::Edits(edits.to_vec()))? else {
            return Ok(None);
        };
        Ok(front_end.reread(&patch).ok().map(|reading| reading.design))
    }

    fn judge(&mut self, patch: Patch) -> Result<Judged, RepairError> {
        let limits = self.search.limits.clone();
        let judged = self.judge_within(patch, &limits)?;
        self.found.unproved += usize::from(matches!(judged, Judged::TooHard));
        Ok(judged)
    }

    pub(super) fn judge_within(
        &mut self,
        patch: Patch,
        limits: &bdd::Limits,
    ) -> Result<Judged, RepairError> {
        let search = self.search;
        self.found.certified += 1;
        if !antecedents::happen(search.subject, &patch, search.covered, limits)? {
            return Ok(Judged::Nothing);
        }
        let (words, number) = (&search.words, self.groups.len() + 1);
        let proving = format!("{words}; proving correction {number}");
        (self.watch)(Event::Status(&proving));
        let judgement = certify::patch::patch(
            search.subject,
            patch,
            search.before,
            search.experience,
            limits,
        )?;
        Ok(self.learn(judgement))
    }

    /// What a judgement leaves: a correction, or a run for the next candidates.
    fn learn(&mut self, judgement: Judgement) -> Judged {
        match judgement {
            Judgement::Proved(patch) => Judged::Certified(patch, false),
            Judgement::Vacuous(patch) => Judged::Certified(patch, true),
            Judgement::Refuted(run) => {
                self.learned += 1;
                add_run(self.runs, *run);
                self.measure.screen.set_runs(self.runs);
                Judged::Nothing
            }
            Judgement::Unreadable(_) => Judged::Nothing,
            Judgement::Unknown(bdd::Error::Interrupted) => {
                self.found.stopped = Some(bdd::Error::Interrupted);
                Judged::Interrupted
            }
            Judgement::Unknown(_) => Judged::TooHard,
        }
    }

    /// Judges edits that put something to sleep: there is nothing better.
    fn judge_disabling(&mut self) -> Result<(), RepairError> {
        for one in std::mem::take(&mut self.disabling) {
            if self.groups.len() >= self.search.enough || self.search.limits.check().is_err() {
                break;
            }
            match self.judge(one.patch)? {
                Judged::Certified(patch, vacuous) => {
                    let (cost, plainness) = (one.cost, one.plainness);
                    let (hash, effect) = (one.hash, one.effect);
                    let edits = one.edits;
                    let group = group_of((edits, patch), vacuous, cost, plainness, hash, effect);
                    self.groups.push(group);
                }
                Judged::Nothing | Judged::TooHard => {}
                Judged::Interrupted => break,
            }
        }
        Ok(())
    }

    /// Judges some of the edits that look like a correction, and the same in other words, the
    /// plainest first. One that is proved to have the same effect is named beside it, or in its
    /// place if it is plainer; one that is a correction of another effect is one more.
    fn judge_alike(&mut self) -> Result<(), RepairError> {
        let search = self.search;
        for index in 0..self.groups.len() {
            let mut alike = std::mem::take(&mut self.groups[index].alike);
            alike.extend(self.respelt(&self.groups[index], &alike)?);
            if alike.is_empty() {
                continue;
            }
            let group = &self.groups[index];
            alike.retain(|one| !one.is_respelt || group.is_less_plain(&one.plainness));
            let own = group.plainness;
            alike.sort_by_key(|one| one.plainness.beside(&own));
            let correction = &self.groups[index].correction;
            let known = Known::new(search.subject, &correction.patch, correction.vacuous);
            let Some(known) = known else {
                continue;
            };
            for one in alike.into_iter().take(MOST_JUDGED) {
                if search.limits.check().is_err() {
                    break;
                }
                let (plainness, cost) = (one.plainness, one.cost);
                self.found.certified += 1;
                let (subject, before) = (search.subject, search.before);
                match known.compare(subject, one.patch, before, &search.limits)? {
                    Likeness::Same(patch) => self.groups[index].add(patch, plainness),
                    Likeness::Other(_) if one.is_respelt => {}
                    // That it takes long to prove says nothing: it is one more, and not needed.
                    Likeness::Other(Judgement::Unknown(error))
                        if error != bdd::Error::Interrupted => {}
                    Likeness::Other(judgement) => {
                        let Judged::Certified(patch, vacuous) = self.learn(judgement) else {
                            continue;
                        };
                        let effect = self.measure.effect(&subject.reread(&patch)?.design)?;
                        let hash = self.groups[index].behaviour;
                        let edits = one.edits;
                        let group =
                            group_of((edits, patch), vacuous, cost, plainness, hash, effect);
                        self.groups.push(group);
                    }
                }
            }
        }
        Ok(())
    }

    /// A correction and the plainest that look like it, in other words.
    fn respelt(&self, group: &Group, alike: &[Alike]) -> Result<Vec<Alike>, RepairError> {
        let subject = self.search.subject;
        let habits = self.measure.habits(subject);
        let own = (&group.edits, group.cost, &group.plainness);
        let others = alike
            .iter()
            .map(|one| (&one.edits, one.cost, &one.plainness));
        let mut found = Vec::new();
        for (edits, cost, plain) in std::iter::once(own).chain(others).take(MOST_RESPELT) {
            for edits in respellings(edits, habits, &subject.sources) {
                let rendered = subject.front_end();
                let rendered = rendered.render(&Correction::Edits(edits.clone()))?;
                let Some(patch) = rendered else {
                    continue;
                };
                let plainness = self.plainness(&edits, &patch).in_place_of(plain);
                found.push(Alike {
                    edits,
                    patch,
                    cost,
                    plainness,
                    is_respelt: true,
                });
            }
        }
        Ok(found)
    }
}

pub(super) enum Judged {
    Certified(Certified<Patch>, bool),
    Nothing,
    /// It was neither proved nor refuted within the limits.
    TooHard,
    Interrupted,
}

impl Group {
    /// Whether another text says the same more plainly.
    fn is_less_plain(&self, other: &Plainness) -> bool {
        other.beside(&self.plainness) < self.plainness.beside(&self.plainness)
    }

    fn add(&mut self, patch: Certified<Patch>, plainness: Plainness) {
        let is_less_plain = self.is_less_plain(&plainness);
        let correction = &mut self.correction;
        if is_less_plain {
            let other = std::mem::replace(&mut correction.patch, patch);
            correction.also.insert(0, other);
            self.plainness = plainness;
        } else {
            correction.also.push(patch);
        }
    }
}

pub(super) fn group_of(
    (edits, patch): (Vec<SourceEdit>, Certified<Patch>),
    vacuous: bool,
    cost: u32,
    plainness: Plainness,
    behaviour: u64,
    effect: Effect,
) -> Group {
    Group {
        correction: RankedCorrection {
            number: 0,
            patch,
            also: Vec::new(),
            vacuous,
            lost_covers: Vec::new(),
            cost: total_cost(cost, &effect) as usize,
            effect: Some(effect),
            location: Vec::new(),
            functions: None,
            rank: 0,
        },
        edits,
        cost,
        behaviour,
        plainness,
        alike: Vec::new(),
    }
}

/// What an edit costs with what it does. What keeps a property by never coming to its condition
/// is not what was meant, and hardly what changes much where nothing had to change.
pub(super) fn total_cost(cost: u32, effect: &Effect) -> u32 {
    let cost = cost + SILENCED * effect.silenced + UNREAD * effect.unread + change_cost(effect);
    cost.saturating_sub(NEWLY_READ * effect.newly_read)
}

/// Whether a patched design shows all values of recorded runs, as `certify` replays them.
pub(super) fn fits(
    subject: &Subject,
    patch: &Patch,
    recordings: &[Recording],
) -> Result<bool, RepairError> {
    if recordings.is_empty() {
        return Ok(true);
    }
    let limits = subject.sources.limits();
    let found = certify::recorded::plausible(subject, patch.clone(), recordings, limits)?;
    Ok(found.is_some())
}

/// What the change of behaviour costs that nothing asked for.
pub(super) fn change_cost(effect: &Effect) -> u32 {
    let percent = 100 * effect.changed_steps / effect.steps.max(1);
    (percent as u32 / PERCENT_OF_CHANGE).min(MOST_FOR_CHANGE)
}

/// The newest runs push out the oldest.
fn add_run(runs: &mut Vec<Run>, run: Run) {
    if !runs.contains(&run) {
        runs.push(run);
    }
    let excess = runs.len().saturating_sub(MOST_RUNS);
    runs.drain(..excess);
}

/// The names of inputs and outputs: no edit changes what others connect to.
pub(super) fn ports_of(design: &Design) -> Vec<String> {
    let inputs = design.inputs().iter();
    let inputs = inputs.filter_map(|id| design.name(*id)).map(str::to_string);
    let outputs = design.outputs().iter().filter_map(|one| one.name.clone());
    let known = |name: &String| !name.starts_with("unknown$");
    inputs.filter(known).chain(outputs).collect()
}

/// Two edits of one expression.
pub(super) fn joint_edits(edits: &[SourceEdit]) -> Candidates<'_> {
    let mut expressions: HashMap<(Span, ComponentKind), Vec<usize>> = HashMap::new();
    for (index, edit) in edits.iter().enumerate() {
        if let Some(within) = edit.within {
            expressions.entry(within).or_default().push(index);
        }
    }
    let accept =
        |first: &SourceEdit, second: &SourceEdit| first.cost + second.cost <= DEAREST_JOINT;
    let pairs = expressions
        .values()
        .flat_map(|some| pairs(edits, some, accept));
    in_order(edits, pairs.collect())
}

/// Two small edits, wherever they are.
fn pairs_of_edits(edits: &[SourceEdit]) -> Candidates<'_> {
    let small = (0..edits.len()).filter(|index| edits[*index].cost <= DEAREST_PAIR);
    let small: Vec<usize> = small.collect();
    let mut pairs = pairs(edits, &small, |first, second| first.within != second.within);
    pairs.sort_unstable_by_key(|pair| place_of(edits, *pair));
    pairs.truncate(MOST_PAIRS);
    in_order(edits, pairs)
}

/// Pairs of some edits that do not overlap, by their indices.
fn pairs(
    edits: &[SourceEdit],
    some: &[usize],
    accept: impl Fn(&SourceEdit, &SourceEdit) -> bool,
) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (count, second) in some.iter().enumerate() {
        for first in &some[..count] {
            let (one, other) = (&edits[*first], &edits[*second]);
            if accept(one, other) && !overlap(one, other) {
                found.push((*first, *second));
            }
        }
    }
    found
}

/// Pairs of edits, the cheapest first; those that cost the same as the edits are listed.
fn in_order(edits: &[SourceEdit], mut pairs: Vec<(usize, usize)>) -> Candidates<'_> {
    pairs.sort_unstable_by_key(|pair| place_of(edits, *pair));
    let pairs = pairs.into_iter();
    pairs
        .map(|(first, second)| vec![&edits[first], &edits[second]])
        .collect()
}

fn place_of(edits: &[SourceEdit], (first, second): (usize, usize)) -> (u32, usize, usize) {
    (edits[first].cost + edits[second].cost, second, first)
}

pub(super) fn overlap(first: &SourceEdit, second: &SourceEdit) -> bool {
    first.changes.iter().any(|(left, _)| {
        second.changes.iter().any(|(right, _)| {
            left.file == right.file && left.start <= right.end && right.start <= left.end
        })
    })
}
