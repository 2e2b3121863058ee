//! Corrections of a text that has to be equal to a reference.
//!
//! The reference says what each output should be, in every cycle. So runs of it are recorded: on
//! the inputs of failing runs of the design, and on random ones. Edits are then looked for as
//! with any recorded runs ([`recorded`](super::recorded)), which mends several faults at once and
//! solves for constants. What fits is judged by `certify`: read again, and proved to be equal to
//! the reference, or refuted by a run, which is recorded as well [SKETCH]. A text that fits and is
//! not proved in time is no correction.
//!
//! Registers without an initial value start with those of the run, in the reference and in the
//! design. What is unknown besides (bits that nothing drives) is not compared, so a run may fail
//! to refute what `certify` has refuted with it; such a text is not tried again.

use super::edits::FoundEdits;
use super::recorded::{Given, Judge, Judged, Search};
use super::recorded_reach::Lanes;
use super::share::Division;
use super::work::Work;
use super::{RankedCorrection, RepairError, Watch, places, say};
use crate::bdd;
use crate::certify::patch::Judgement;
use crate::certify::{self, recorded};
use crate::design::reference::REFERENCE_PREFIX;
use crate::design::reserved::RESET_FREE;
use crate::design::verilog::edits::SourceEdit;
use crate::design::{Design, NodeId, Patch, Reading, Reset};
use crate::random::Random;
use crate::run::{Run, SignalKind};
use crate::spec::Spec;
use crate::subject::Subject;
use crate::trace::{Column, Interface, Recording};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Random runs that are recorded, and their cycles.
const RANDOM_RUNS: usize = 4;
const CYCLES: usize = 80;
/// Gates to evaluate for all random runs together: those of large designs are shorter.
const EFFORT: usize = 8_000_000;
const FEWEST_CYCLES: usize = 12;
/// Searches one after the other, each with the runs that refuted what the one before found.
const ROUNDS: usize = 12;
/// What a proof may take at first, and how many texts may be put off before one of them is
/// proved without that bound.
const WORK: u64 = 300_000_000;
const MOST_PUT_OFF: usize = 3;
const SEED: u64 = 0x2ef;

/// What is known of texts that fitted.
#[derive(Default)]
struct Progress {
    corrections: Vec<RankedCorrection>,
    /// Those that were neither proved nor refuted yet.
    put_off: Vec<(Patch, u32)>,
    certified: usize,
    stopped: Option<bdd::Error>,
}

impl Work<'_> {
    /// Corrections by runs of the reference; `None` if the subject has no reference.
    pub fn by_reference(
        &self,
        edits: &[SourceEdit],
        division: &Division<'_>,
        runs: &[Run],
        watch: &mut Watch,
    ) -> Result<Option<FoundEdits>, RepairError> {
        let front_end = self.subject.front_end();
        let Some((alone, reference)) = front_end.reference() else {
            return Ok(None);
        };
        let sources = self.subject.sources.clone();
        let alone = Subject::with_spec(alone, Spec::new(), sources)?;
        let recorder = Recorder::new(alone.front_end().reading(), reference, &self.subject.design);
        let mut recordings = Vec::new();
        for run in places::some_of(runs) {
            recordings.extend(recorder.record(&run)?);
        }
        for index in 0..RANDOM_RUNS {
            recordings.extend(recorder.record(&recorder.random_run(index))?);
        }
        let mut found = FoundEdits::default();
        let mut progress = Progress::default();
        for _ in 0..ROUNDS {
            let count = recordings.len();
            say(watch, &format!("{count} runs of the reference"));
            let refuting = self.fit(
                (&alone, &recorder),
                (edits, division, &recordings),
                &mut progress,
                &mut found,
                watch,
            )?;
            let is_over = progress.corrections.len() > self.options.rejected.len();
            if is_over || refuting.is_empty() || found.stopped.is_some() {
                break;
            }
            recordings.extend(refuting);
        }
        if progress.corrections.is_empty() {
            for (patch, cost) in std::mem::take(&mut progress.put_off) {
                let limits = &self.limits;
                if limits.check().is_ok() && progress.corrections.is_empty() {
                    self.judge(&patch, cost, &recorder, limits, &mut progress)?;
                }
                found.unproved += usize::from(progress.corrections.is_empty());
            }
        }
        found.corrections = progress.corrections;
        found.certified = progress.certified;
        found.stopped = found.stopped.or(progress.stopped);
        Ok(Some(found))
    }

    /// One search; gives back the runs that refuted what it found.
    fn fit(
        &self,
        (alone, recorder): (&Subject, &Recorder<'_>),
        (edits, division, recordings): (&[SourceEdit], &Division<'_>, &[Recording]),
        progress: &mut Progress,
        found: &mut FoundEdits,
        watch: &mut Watch,
    ) -> Result<Vec<Recording>, RepairError> {
        let limits = alone.sources.limits();
        let design = &alone.design;
        let before = recordings.iter();
        let before = before.map(|one| recorded::replay(design, one, limits));
        let before = before.collect::<Result<Vec<recorded::Replay>, _>>()?;
        let given = Given {
            subject: alone,
            recordings,
            options: self.options,
            limits,
            division,
            plays_reset: true,
        };
        let bounded = bdd::Limits {
            lookups: Some(WORK),
            ..self.limits.clone()
        };
        let mut search = Search::new(given, design, &before)?;
        let judge = |patch: &Patch, cost: u32| -> Result<Judged, RepairError> {
            self.judge(patch, cost, recorder, &bounded, progress)
        };
        let judge: Box<Judge<'_>> = Box::new(judge);
        search.judge = Some(judge);
        search.run(edits, watch)?;
        found.tried += search.tried;
        found.stopped = found.stopped.or(search.stopped);
        Ok(search.refuting)
    }

    /// What `certify` says of a patch.
    fn judge(
        &self,
        patch: &Patch,
        cost: u32,
        recorder: &Recorder<'_>,
        limits: &bdd::Limits,
        progress: &mut Progress,
    ) -> Result<Judged, RepairError> {
        progress.certified += 1;
        let (subject, own) = (self.subject, patch.clone());
        let (before, experience) = (&self.unpatched.assumptions, &self.unpatched.experience);
        let judgement = certify::patch::patch(subject, own, before, experience, limits)?;
        Ok(match judgement {
            Judgement::Proved(patch) => {
                progress.corrections.push(RankedCorrection {
                    number: 0,
                    patch,
                    also: Vec::new(),
                    vacuous: false,
                    cost: cost as usize,
                    effect: None,
                    lost_covers: Vec::new(),
                    location: Vec::new(),
                    functions: None,
                    rank: 0,
                });
                let wanted = self.options.rejected.len();
                Judged::Correction {
                    is_enough: progress.corrections.len() > wanted,
                }
            }
            Judgement::Refuted(run) => Judged::Refuted(recorder.record(&run)?),
            Judgement::Vacuous(_) | Judgement::Unreadable(_) => Judged::Refuted(None),
            Judgement::Unknown(bdd::Error::Interrupted) => {
                progress.stopped = Some(bdd::Error::Interrupted);
                Judged::Correction { is_enough: true }
            }
            Judgement::Unknown(_) => {
                progress.put_off.push((patch.clone(), cost));
                Judged::Correction {
                    is_enough: progress.put_off.len() >= MOST_PUT_OFF,
                }
            }
        })
    }
}

/// Records runs of a reference.
struct Recorder<'a> {
    reference: &'a Design,
    /// The design beside the reference.
    both: &'a Design,
    columns: Vec<Column>,
    /// Registers of the reference without an initial value of their own, each with the register
    /// whose value in a run it starts with.
    registers: Vec<(NodeId, String)>,
    /// Steps of a reset, in which outputs do not count.
    reset_steps: usize,
}

impl<'a> Recorder<'a> {
    /// `reading` is the design that is compared with the reference, alone, and `both` the two
    /// beside each other.
    fn new(reading: &Reading, reference: &'a Design, both: &'a Design) -> Recorder<'a> {
        let interface = Interface::of(reading);
        let mut columns: Vec<Column> = Vec::new();
        let mut offset = 0;
        let again = interface.signal(RESET_FREE);
        // What the reference does not read, such as a wire that only the design leaves open,
        // is not driven.
        let ports = interface.ports.iter().chain(&again);
        for port in ports.filter(|port| reference.signal(&port.name).is_ok()) {
            columns.push(Column {
                name: port.name.clone(),
                width: port.width,
                is_input: port.is_input,
                offset,
            });
            offset += port.width;
        }
        Recorder {
            reference,
            both,
            columns,
            registers: registers(reference, both),
            reset_steps: reading.reset_steps as usize,
        }
    }

    /// What the reference shows on the inputs of a run; nothing if it is not about its ports.
    fn record(&self, run: &Run) -> Result<Option<Recording>, RepairError> {
        let reference = self.reference;
        let mut recording = Recording::with_columns(self.columns.clone());
        recording.name = "the reference".to_string();
        let Ok(binding) = recording.bind(reference) else {
            return Ok(None);
        };
        let ones = reference.ones_of(run);
        let mut lanes = Lanes::of_design(reference)?;
        let initial = self.initial(run);
        lanes.start_with(false, |id| initial.get(&id).copied());
        recording.registers = registers_of(run);
        let driven: HashSet<NodeId> = binding.driven.iter().map(|(id, _)| *id).collect();
        for (step, inputs) in ones.inputs.iter().enumerate() {
            lanes.settle(|id| driven.contains(&id).then(|| inputs.contains(&id)));
            let mut values = vec![0; recording.words()];
            let mut known = vec![0; recording.words()];
            let mut set = |offset: usize, value: Option<bool>| {
                let bit = 1u64 << (offset % 64);
                if value.is_some() {
                    known[offset / 64] |= bit;
                }
                if value == Some(true) {
                    values[offset / 64] |= bit;
                }
            };
            for (id, offset) in &binding.driven {
                set(*offset, Some(inputs.contains(id)));
            }
            for (literal, offset) in &binding.compared {
                let value = lanes.known(*literal);
                set(*offset, value.filter(|_| step >= self.reset_steps));
            }
            recording.push_row(&values, &known);
            lanes.advance();
        }
        Ok((recording.compared_values() > 0).then_some(recording))
    }

    /// What registers of the reference start with in a run.
    fn initial(&self, run: &Run) -> HashMap<NodeId, bool> {
        let known = registers_of(run);
        let registers = self.registers.iter();
        let registers = registers.filter_map(|(id, name)| Some((*id, *known.get(name)?)));
        registers.collect()
    }

    /// Random inputs; some are mostly 0 or mostly 1, and some stay for a while.
    fn random_run(&self, index: usize) -> Run {
        let mut random = Random::new(SEED + index as u64);
        let cycles = (EFFORT / RANDOM_RUNS / self.both.len().max(1)).min(CYCLES);
        let cycles = cycles.max(FEWEST_CYCLES) + self.reset_steps;
        let inputs = self.both.inputs().len();
        let habits: Vec<usize> = (0..inputs).map(|_| random.below(4 + index)).collect();
        let mut rows: Vec<Vec<bool>> = Vec::new();
        for cycle in 0..cycles {
            let row = habits.iter().enumerate().map(|(input, habit)| match habit {
                0 => random.below(8) == 0,
                1 => random.below(8) != 0,
                2 if cycle > 0 && random.below(8) != 0 => rows[cycle - 1][input],
                _ => random.flip(),
            });
            let row = row.collect();
            rows.push(row);
        }
        let seed = random.word();
        let listed = self.both.inputs().iter().enumerate();
        let listed: HashMap<NodeId, usize> = listed.map(|(at, id)| (*id, at)).collect();
        self.both.stimulus(
            cycles,
            None,
            |id| Random::new(seed ^ id.index() as u64).flip(),
            |id, step| listed.get(&id).is_some_and(|at| rows[step][*at]),
        )
    }
}

/// What registers start with in a run, by their names.
fn registers_of(run: &Run) -> BTreeMap<String, bool> {
    let registers = run.signals.iter();
    let registers = registers.filter(|one| one.kind == SignalKind::Latch);
    registers
        .map(|one| (one.name.clone(), one.is_one(0)))
        .collect()
}

/// Registers of a reference without an initial value of their own, and which register of the
/// two designs beside each other has the value that they start with.
fn registers(reference: &Design, both: &Design) -> Vec<(NodeId, String)> {
    let latches = both.latches().iter();
    let named = latches.filter_map(|id| Some((both.name(*id)?, *id)));
    let named: HashMap<&str, NodeId> = named.collect();
    let free = reference.latches().iter().filter(|id| {
        let latch = reference.latch(**id);
        latch.is_some_and(|latch| latch.reset == Reset::Free)
    });
    let start = |id: &NodeId| {
        let name = format!("{REFERENCE_PREFIX}{}", reference.name(*id)?);
        let copy = named.get(name.as_str())?;
        let start = match both.latch(*copy)?.reset {
            Reset::Computed(literal) => literal.node(),
            _ => *copy,
        };
        Some((*id, both.name(start)?.to_string()))
    };
    free.filter_map(start).collect()
}
