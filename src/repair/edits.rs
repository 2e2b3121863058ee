//! Corrections of a text, by candidates and counterexamples.
//!
//! A front end lists edits, the cheapest first. Each is applied and the text read again, and
//! the design is run on the inputs of all counterexamples so far; most edits fail there. One
//! that survives goes to `certify`: what it proves is a correction, and what it refutes gives
//! one more run. This finds what a person would write, words and all; which locations can be
//! corrected at all is for the games to say.
//!
//! An edit that does on random runs what a correction does is put aside, because most such
//! edits are the same correction once more. At the end a few of them are judged like all
//! others, and those that are proved to have the same effect are named beside it.

use super::behaviour::Behaviour;
use super::screen::Screen;
use super::{RankedCorrection, RepairError};
use crate::bdd;
use crate::certify::patch::{Known, Likeness};
use crate::certify::{self, AssumptionStatus, Certified, Judgement};
use crate::design::verilog::edits::SourceEdit;
use crate::design::{ComponentKind, Correction, Design, Patch};
use crate::run::Run;
use crate::source::Span;
use crate::subject::Subject;
use std::collections::HashSet;

/// Corrections after which dearer edits are not tried any more.
pub const ENOUGH: usize = 4;
/// Runs that are kept: one word of the simulator.
const MOST_RUNS: usize = 64;
/// What a correction costs more for each condition that never changes any more.
const SILENCED: u32 = 4;
/// Edits inside of one expression that are joined cost at most this together.
const DEAREST_JOINT: u32 = 28;
/// Edits at two locations that are joined cost at most this each, and so many are tried.
const DEAREST_PAIR: u32 = 13;
const MOST_PAIRS: usize = 40_000;
/// Edits that look like a correction: how many are judged.
const MOST_JUDGED: usize = 2;

pub struct EditSearch<'a> {
    pub subject: &'a Subject,
    /// What is known of the assumptions of the design as it is.
    pub before: &'a AssumptionStatus,
    /// Components that another value cannot help.
    pub ruled_out: HashSet<(Span, ComponentKind)>,
    /// Stop when so many corrections were found, and the next edits are dearer.
    pub enough: usize,
    /// How many edits at different locations are made at once.
    pub faults: usize,
    pub limits: bdd::Limits,
}

/// What the search found.
#[derive(Default)]
pub struct FoundEdits {
    pub corrections: Vec<RankedCorrection>,
    /// How many edits were tried, and how many of them went to `certify`.
    pub tried: usize,
    pub certified: usize,
    pub unproved: usize,
    pub stopped: Option<bdd::Error>,
}

/// A correction with what looks like it.
struct Group {
    correction: RankedCorrection,
    behaviour: u64,
    /// Signals that it reads and the text around it did not.
    new_signals: usize,
    alike: Vec<Alike>,
}

/// An edit that does the same on random runs.
struct Alike {
    patch: Patch,
    cost: u32,
    new_signals: usize,
}

/// Candidates of one kind, in the order in which they are tried.
type Candidates<'e> = Vec<Vec<&'e SourceEdit>>;

impl EditSearch<'_> {
    /// Corrections by one edit; if there are none, by two in one expression, then by two.
    pub fn run(
        &self,
        edits: &[SourceEdit],
        runs: &mut Vec<Run>,
    ) -> Result<FoundEdits, RepairError> {
        let mut found = FoundEdits::default();
        let nothing = HashSet::new();
        for stage in 0..3 {
            let (candidates, ruled_out): (Candidates, _) = match stage {
                0 => (
                    edits.iter().map(|edit| vec![edit]).collect(),
                    &self.ruled_out,
                ),
                1 => (joint_edits(edits), &self.ruled_out),
                // Two faults can be where one alone cannot be.
                _ if self.faults > 1 => (pairs_of_edits(edits), &nothing),
                _ => break,
            };
            let mut stage = Stage {
                search: self,
                screen: Screen::new(&self.subject.spec),
                groups: Vec::new(),
                found: &mut found,
                runs,
            };
            stage.run(&candidates, ruled_out)?;
            let has_repair = found.corrections.iter().any(|one| !one.vacuous);
            if has_repair || found.stopped.is_some() {
                break;
            }
        }
        Ok(found)
    }
}

/// One pass over candidates.
struct Stage<'s, 'a> {
    search: &'s EditSearch<'a>,
    screen: Screen<'a>,
    groups: Vec<Group>,
    found: &'s mut FoundEdits,
    runs: &'s mut Vec<Run>,
}

impl Stage<'_, '_> {
    fn run(
        &mut self,
        candidates: &Candidates,
        ruled_out: &HashSet<(Span, ComponentKind)>,
    ) -> Result<(), RepairError> {
        let subject = self.search.subject;
        self.screen.set_runs(self.runs);
        let Some(observed) = self.screen.observed(&subject.design) else {
            return Ok(());
        };
        let original = Behaviour::of(&observed, &self.screen)?;
        let ports = ports_of(&subject.design);
        let mut dearest = u32::MAX;
        for edits in candidates {
            let cost = edits.iter().map(|edit| edit.cost).sum();
            if cost > dearest {
                break;
            }
            let within = edits.iter().filter_map(|edit| edit.within);
            if within.into_iter().any(|within| ruled_out.contains(&within)) {
                continue;
            }
            if let Err(error) = self.search.limits.check() {
                self.found.stopped = Some(error);
                break;
            }
            self.found.tried += 1;
            if !self.attempt(edits, cost, &original, &ports)? {
                break;
            }
            let is_good =
                |one: &&Group| !one.correction.vacuous && one.correction.cost <= cost as usize;
            if self.groups.iter().filter(is_good).count() >= self.search.enough {
                dearest = dearest.min(cost);
            }
        }
        self.judge_alike(&original)?;
        let groups = std::mem::take(&mut self.groups);
        let corrections = groups.into_iter().map(|group| group.correction);
        self.found.corrections.extend(corrections);
        Ok(())
    }

    /// Tries one candidate; `false` if the user interrupted.
    fn attempt(
        &mut self,
        edits: &[&SourceEdit],
        cost: u32,
        original: &Behaviour,
        ports: &[String],
    ) -> Result<bool, RepairError> {
        let subject = self.search.subject;
        let front_end = subject.front_end();
        let edits: Vec<SourceEdit> = edits.iter().map(|edit| (*edit).clone()).collect();
        let new_signals = edits.iter().map(|edit| edit.new_signals).sum();
        let Some(patch) = front_end.render(&Correction::Edits(edits))? else {
            return Ok(true);
        };
        let Ok(reading) = front_end.reread(&patch) else {
            return Ok(true);
        };
        let Some(observed) = self.screen.observed(&reading.design) else {
            return Ok(true);
        };
        if !self.screen.survives(&observed, self.runs)? || ports_of(&reading.design) != ports {
            return Ok(true);
        }
        let behaviour = Behaviour::of(&observed, &self.screen)?;
        let mut groups = self.groups.iter_mut();
        if let Some(known) = groups.find(|known| known.behaviour == behaviour.hash) {
            known.alike.push(Alike {
                patch,
                cost,
                new_signals,
            });
            return Ok(true);
        }
        match self.judge(patch)? {
            Judged::Certified(patch, vacuous) => {
                let group = group_of(patch, vacuous, cost, new_signals, &behaviour, original);
                self.groups.push(group);
            }
            Judged::Nothing => {}
            Judged::Interrupted => return Ok(false),
        }
        Ok(true)
    }

    fn judge(&mut self, patch: Patch) -> Result<Judged, RepairError> {
        let search = self.search;
        self.found.certified += 1;
        let judgement =
            certify::patch::patch(search.subject, patch, search.before, &search.limits)?;
        Ok(self.learn(judgement))
    }

    /// What a judgement leaves: a correction, or a run for the next candidates.
    fn learn(&mut self, judgement: Judgement) -> Judged {
        match judgement {
            Judgement::Proved(patch) => Judged::Certified(patch, false),
            Judgement::Vacuous(patch) => Judged::Certified(patch, true),
            Judgement::Refuted(run) => {
                add_run(self.runs, *run);
                self.screen.set_runs(self.runs);
                Judged::Nothing
            }
            Judgement::Unreadable(_) => Judged::Nothing,
            Judgement::Unknown(bdd::Error::Interrupted) => {
                self.found.stopped = Some(bdd::Error::Interrupted);
                Judged::Interrupted
            }
            Judgement::Unknown(_) => {
                self.found.unproved += 1;
                Judged::Nothing
            }
        }
    }

    /// Judges some of the edits that look like a correction, those with the fewest new signals
    /// first. One that is proved to have the same effect is named beside it, or in its place
    /// if it reads fewer new signals; one that is a correction of another effect is one more.
    fn judge_alike(&mut self, original: &Behaviour) -> Result<(), RepairError> {
        let search = self.search;
        for index in 0..self.groups.len() {
            let mut alike = std::mem::take(&mut self.groups[index].alike);
            if alike.is_empty() {
                continue;
            }
            alike.sort_by_key(|one| one.new_signals);
            let correction = &self.groups[index].correction;
            let known = Known::new(search.subject, &correction.patch, correction.vacuous);
            let Some(known) = known else {
                continue;
            };
            for one in alike.into_iter().take(MOST_JUDGED) {
                if search.limits.check().is_err() {
                    break;
                }
                let (new_signals, cost) = (one.new_signals, one.cost);
                self.found.certified += 1;
                let (subject, before) = (search.subject, search.before);
                match known.compare(subject, one.patch, before, &search.limits)? {
                    Likeness::Same(patch) => self.groups[index].add(patch, new_signals),
                    Likeness::Other(judgement) => {
                        let Judged::Certified(patch, vacuous) = self.learn(judgement) else {
                            continue;
                        };
                        let design = subject.reread(&patch)?.design;
                        if let Some(observed) = self.screen.observed(&design) {
                            let behaviour = Behaviour::of(&observed, &self.screen)?;
                            let group =
                                group_of(patch, vacuous, cost, new_signals, &behaviour, original);
                            self.groups.push(group);
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

enum Judged {
    Certified(Certified<Patch>, bool),
    Nothing,
    Interrupted,
}

impl Group {
    fn add(&mut self, patch: Certified<Patch>, new_signals: usize) {
        let correction = &mut self.correction;
        if new_signals < self.new_signals {
            let plainer = std::mem::replace(&mut correction.patch, patch);
            correction.also.insert(0, plainer);
            self.new_signals = new_signals;
        } else {
            correction.also.push(patch);
        }
    }
}

fn group_of(
    patch: Certified<Patch>,
    vacuous: bool,
    cost: u32,
    new_signals: usize,
    behaviour: &Behaviour,
    original: &Behaviour,
) -> Group {
    // What keeps a property by never coming to its condition is not what was meant.
    let silenced = behaviour.silenced(original);
    Group {
        correction: RankedCorrection {
            number: 0,
            patch,
            also: Vec::new(),
            vacuous,
            cost: (cost + SILENCED * silenced) as usize,
            difference: behaviour.difference(original),
            compared: 64 * behaviour.words.len(),
            location: Vec::new(),
            functions: None,
            rank: 0,
        },
        behaviour: behaviour.hash,
        new_signals,
        alike: Vec::new(),
    }
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
fn ports_of(design: &Design) -> Vec<String> {
    let inputs = design.inputs().iter();
    let inputs = inputs.filter_map(|id| design.name(*id)).map(str::to_string);
    let outputs = design.outputs().iter().filter_map(|one| one.name.clone());
    let known = |name: &String| !name.starts_with("unknown$");
    inputs.filter(known).chain(outputs).collect()
}

/// Two edits of one expression.
fn joint_edits(edits: &[SourceEdit]) -> Candidates<'_> {
    pairs(edits, |first, second| {
        first.within.is_some()
            && first.within == second.within
            && first.cost + second.cost <= DEAREST_JOINT
    })
}

/// Two small edits, wherever they are.
fn pairs_of_edits(edits: &[SourceEdit]) -> Candidates<'_> {
    let mut pairs = pairs(edits, |first, second| {
        first.within != second.within && first.cost.max(second.cost) <= DEAREST_PAIR
    });
    pairs.truncate(MOST_PAIRS);
    pairs
}

fn pairs(
    edits: &[SourceEdit],
    accept: impl Fn(&SourceEdit, &SourceEdit) -> bool,
) -> Candidates<'_> {
    let mut found = Vec::new();
    for (index, second) in edits.iter().enumerate() {
        for first in &edits[..index] {
            if accept(first, second) && !overlap(first, second) {
                found.push(vec![first, second]);
            }
        }
    }
    found.sort_by_key(|pair: &Vec<&SourceEdit>| pair.iter().map(|edit| edit.cost).sum::<u32>());
    found
}

fn overlap(first: &SourceEdit, second: &SourceEdit) -> bool {
    first.changes.iter().any(|(left, _)| {
        second.changes.iter().any(|(right, _)| {
            left.file == right.file && left.start <= right.end && right.start <= left.end
        })
    })
}
