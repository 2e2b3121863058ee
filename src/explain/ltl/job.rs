//! Why nothing satisfies a specification in LTL, or which of its assumptions matter.
//!
//! Guarantees are taken apart into conjuncts. Each answer rests on certified verdicts: a core
//! is unrealizable and each member is needed, a counterstrategy wins against the core and so
//! against the whole, and a countertrace is a counterstrategy that looks at nothing.

use super::additions::additions;
use super::ground::Ground;
use super::separation::separation;
use super::weaken::weakenings;
use super::{Against, Lookahead, Oracle, broken, countertrace, lookahead, run};
use crate::certify::{self, Check, Judged};
use crate::explain::answer::{
    Assumptions, Conclusion, Confirmation, Core, Counterstrategy, Countertrace, Diagnoses,
    Explanation, Fix, Item, ItemKind, Machine, MachineState, Missing, Options, Part, Play, Wanted,
    Written,
};
use crate::explain::check::{decide_ltl, extra, strict_gr1};
use crate::explain::job::{limits_of_changes, separate};
use crate::explain::{self, Unfinished};
use crate::load::{LoadedGr1, LoadedLtl};
use crate::run::{Run, SignalKind};
use crate::source::Diagnostic;
use crate::spec::ltl::{LtlSpec, Notation, Order, Section};
use crate::synth::circuit::{Circuit, Meaning};
use crate::synth::explicit::{Bounds, Explicit, explicit};
use crate::synth::ltl::{Answer, Failure};
use std::collections::HashMap;
use std::time::Instant;

/// The part of the time for diagnoses, or for changes, that is for what comes first: looking for
/// diagnoses before they are certified, or for additions before weaker guarantees.
const SEARCH: f64 = 0.7;
/// The part of the time that is left which one question about a part may take.
const QUESTION: f64 = 0.25;

pub fn explain_ltl(
    loaded: &LoadedLtl,
    options: &Options,
    watch: &mut dyn FnMut(&str),
) -> Result<Explanation, Vec<Diagnostic>> {
    let start = Instant::now();
    let (verdict, solved) = decide_ltl(&loaded.spec, &options.limits, watch)?;
    let mut work = Work {
        oracle: Oracle::new(&loaded.spec, options.limits.clone()),
        options,
        answer: Explanation::new(verdict),
        start,
    };
    match solved {
        Some(solved) if solved.realizable => {
            watch("looking for the assumptions that matter");
            work.realizable();
        }
        Some(solved) => {
            watch("looking for a core");
            work.unrealizable(solved, watch)?;
        }
        None if options.limits.check().is_err() => return Ok(work.answer),
        None => {}
    }
    if options.wants(Part::Separation) {
        watch("asking whether assumptions can be made to fail");
        work.separation(strict_gr1(loaded).as_ref())?;
    }
    work.refuse();
    work.answer.checks = work.oracle.checks;
    Ok(work.answer)
}

struct Work<'a> {
    oracle: Oracle,
    options: &'a Options,
    answer: Explanation,
    start: Instant,
}

impl Work<'_> {
    /// What was asked for by name and is not there.
    fn refuse(&mut self) {
        if self.options.all_explanations {
            let missing = Missing::OnlyForGr1(Wanted::AllExplanations);
            self.answer.missing.push(missing);
        }
    }

    fn realizable(&mut self) {
        if !self.options.wants(Part::Assumptions) || self.oracle.indices(true).is_empty() {
            return;
        }
        let found = self.oracle.sufficient(self.options.minimizer);
        let found = found.and_then(|sufficient| Ok((sufficient, self.oracle.unhelpful()?)));
        match found {
            Ok((sufficient, unhelpful)) => {
                self.answer.assumptions = Some(Assumptions {
                    total: self.oracle.indices(true).len(),
                    sufficient: self.items(&sufficient),
                    needed_by: Vec::new(),
                    unhelpful: self.items(&unhelpful.parts),
                });
                if !unhelpful.open.is_empty() {
                    let open = self.items(&unhelpful.open);
                    let names: Vec<String> = open.into_iter().map(|item| item.name).collect();
                    let reason = format!(
                        "Within the limits it stayed open whether any one of these could be left \
                         out: {}.",
                        names.join(", ")
                    );
                    self.answer.missing.push(Missing::GaveUp(reason));
                }
            }
            Err(error) => self.answer.lacks(Wanted::SufficientAssumptions, error),
        }
    }

    fn unrealizable(
        &mut self,
        whole: Answer,
        watch: &mut dyn FnMut(&str),
    ) -> Result<(), Vec<Diagnostic>> {
        let verdict = whole.certified().cloned();
        let minimizer = self.options.minimizer;
        let against = Against::core(&mut self.oracle, minimizer, whole.circuit, verdict);
        let core = match &against.core {
            Ok(core) => Some(core.clone()),
            Err(error) => {
                self.answer.lacks(Wanted::Core, *error);
                None
            }
        };
        if let Some(core) = &core
            && self.options.wants(Part::Core)
        {
            self.core(core)?;
        }
        if self.options.wants(Part::Countertrace) || self.options.wants(Part::Counterstrategy) {
            self.plays(&against)?;
        }
        if self.options.wants(Part::Fix) {
            match self.oracle.fix() {
                Ok(removed) => self.fix(&removed)?,
                Err(error) => self.answer.lacks(Wanted::Fix, error),
            }
        }
        if self.options.wants(Part::Diagnoses) {
            watch("looking for all conflicts");
            self.diagnoses()?;
        }
        if self.options.wants(Part::Additions) || self.options.wants(Part::Weakenings) {
            watch("looking for assumptions to add");
            let core = core.unwrap_or_else(|| self.oracle.indices(false));
            self.changes(&core)?;
        }
        Ok(())
    }

    /// Assumptions that would help, and guarantees that would be weak enough.
    fn changes(&mut self, core: &[usize]) -> Result<(), Vec<Diagnostic>> {
        let limits = limits_of_changes(self.options, self.start);
        // What comes first leaves some of the time to what comes after it.
        let share = match self.options.wants(Part::Weakenings) {
            true => limits.with_share_of_time(SEARCH),
            false => limits.clone(),
        };
        let mut ground = Ground::new(&self.oracle.spec, core, share);
        if self.options.wants(Part::Additions) {
            match additions(&mut ground) {
                Ok(found) => {
                    let is_empty =
                        found.additions.sets.is_empty() && found.additions.hopeless.is_none();
                    if is_empty && found.missing.is_none() && ground.solver.open > 0 {
                        self.answer.missing.push(Missing::Open(Wanted::Additions));
                    } else if found.missing.is_none() {
                        self.answer.additions = Some(found.additions);
                    }
                    self.answer.missing.extend(found.missing);
                }
                Err(failure) => lacks(&mut self.answer, Wanted::Additions, failure)?,
            }
        }
        if self.options.wants(Part::Weakenings) {
            ground.limit(limits);
            ground.solver.open = 0;
            let (found, failure) = weakenings(&mut ground);
            match failure {
                Some(failure) if found.is_empty() => {
                    lacks(&mut self.answer, Wanted::Weakenings, failure)?;
                }
                None if found.is_empty() && ground.solver.open > 0 => {
                    self.answer.missing.push(Missing::Open(Wanted::Weakenings));
                }
                None if found.is_empty() => self.answer.missing.push(Missing::NoWeakening),
                _ => {}
            }
            self.answer.weakenings = found;
        }
        self.oracle.checks += ground.solver.asked;
        Ok(())
    }

    fn diagnoses(&mut self) -> Result<(), Vec<Diagnostic>> {
        let limits = limits_of_changes(self.options, self.start);
        // What was found has to be certified in the time that is left.
        let search = limits.with_share_of_time(SEARCH);
        self.oracle.limit(search, QUESTION);
        let bounds = explain::Bounds::of_explanations(self.options.all_diagnoses);
        let minimizer = self.options.minimizer;
        let found = self.oracle.diagnoses(minimizer, bounds, &limits)?;
        if let (true, true, Some(Unfinished::Stopped(error))) = (
            found.conflicts.is_empty(),
            found.diagnoses.is_empty(),
            found.unfinished,
        ) {
            self.answer.lacks(Wanted::Diagnoses, error);
            return Ok(());
        }
        // A diagnosis is a fix: the smallest one that is known is shown.
        if let (Some(fix), Some((removed, certified))) = (
            &mut self.answer.fix,
            found.diagnoses.iter().min_by_key(|(set, _)| set.len()),
        ) && removed.len() < fix.removed.len()
        {
            fix.removed = items(&self.oracle.spec, removed);
            fix.confirmation = Confirmation::Certified(certified.clone());
        }
        let conflicts = found.conflicts.iter();
        let diagnoses = found.diagnoses.iter();
        self.answer.diagnoses = Some(Diagnoses {
            conflicts: conflicts.map(|(set, _)| self.items(set)).collect(),
            diagnoses: diagnoses.map(|(set, _)| self.items(set)).collect(),
            open: found.open.iter().map(|set| self.items(set)).collect(),
            unfinished: found.unfinished,
            lacks_conflicts: found.lacks_conflicts,
        });
        Ok(())
    }

    /// A strict specification that is GR(1) has states, about which more can be said.
    fn separation(&mut self, gr1: Option<&LoadedGr1>) -> Result<(), Vec<Diagnostic>> {
        let limits = limits_of_changes(self.options, self.start);
        let found = match gr1 {
            Some(gr1) => separate(gr1, &limits).map_err(Failure::Limit),
            None => separation(&self.oracle.spec, &limits).map(Ok),
        };
        match found {
            Ok(Ok(found)) => self.answer.separation = Some(found),
            Ok(Err(flaw)) => {
                let missing = Missing::NotConfirmed(Wanted::Separation, flaw);
                self.answer.missing.push(missing);
            }
            Err(failure) => lacks(&mut self.answer, Wanted::Separation, failure)?,
        }
        Ok(())
    }

    fn core(&mut self, core: &[usize]) -> Result<(), Vec<Diagnostic>> {
        let limits = extra(&self.options.limits, self.start);
        let oracle = &self.oracle;
        let mut strategies = |parts: &[usize]| oracle.strategy(parts);
        let check = certify::ltl::minimal_conflict(&oracle.spec, core, &limits, &mut strategies)?;
        self.answer.core = Some(Core {
            items: self.items(core),
            guarantees: oracle.indices(false).len(),
            outputs: 0,
            assumptions: self.items(&oracle.indices(true)),
            confirmation: self.confirmation(check),
        });
        Ok(())
    }

    fn fix(&mut self, removed: &[usize]) -> Result<(), Vec<Diagnostic>> {
        let limits = extra(&self.options.limits, self.start);
        let oracle = &self.oracle;
        let mut strategies = |parts: &[usize]| oracle.strategy(parts);
        let check = certify::ltl::minimal_fix(&oracle.spec, removed, &limits, &mut strategies)?;
        self.answer.fix = Some(Fix {
            removed: self.items(removed),
            assumptions: self.items(&oracle.indices(true)),
            confirmation: self.confirmation(check),
        });
        Ok(())
    }

    /// The strategies of all verdicts were certified when they were found, so without a check of
    /// the whole the search still speaks for itself, unless some verdict is missing.
    fn confirmation<T>(&self, check: Check<T>) -> Confirmation<T> {
        match check {
            Check::Certified(certified) => Confirmation::Certified(certified),
            Check::NotShown(_) | Check::Unknown(_) if self.oracle.is_unsure => Confirmation::Open,
            Check::NotShown(_) | Check::Unknown(_) => Confirmation::Agreed,
        }
    }

    fn items(&self, parts: &[usize]) -> Vec<Item> {
        items(&self.oracle.spec, parts)
    }

    fn plays(&mut self, against: &Against) -> Result<(), Vec<Diagnostic>> {
        let spec = &against.spec;
        let mut shown = None;
        let mut conclusion = None;
        if self.options.wants(Part::Countertrace) {
            match countertrace(spec, &against.circuit, &self.options.limits) {
                Ok(Some(certified)) => {
                    let mut play = play(spec, certified.inputs.clone());
                    play.conclusions.push(Conclusion::Certified);
                    shown = Some(certified.inputs.clone());
                    self.answer.countertrace = Some(Countertrace { play, certified });
                }
                Ok(None) => match lookahead(spec, &self.options.limits) {
                    Lookahead::Unknown => {
                        let missing = Missing::NoCountertrace(Lookahead::Unknown);
                        self.answer.missing.push(missing);
                    }
                    ahead => conclusion = Some(ahead),
                },
                Err(Failure::Limit(error)) => self.answer.lacks(Wanted::Countertrace, error),
                Err(Failure::Diagnostics(diagnostics)) => return Err(diagnostics),
                Err(Failure::GaveUp(reason)) => self.answer.missing.push(Missing::GaveUp(reason)),
            }
        }
        let one = |error: Diagnostic| vec![error];
        let circuit = Circuit::of_bits("counterstrategy", against.circuit.clone());
        let judged = Judged::nothing(against.circuit.clone());
        let machine = explicit(&circuit, &judged, Bounds::default()).map_err(one)?;
        if self.options.wants(Part::Counterstrategy) {
            let own = if shown.is_some() {
                None
            } else {
                run(spec, &against.circuit, 0).map_err(one)?
            };
            let mut told = own.clone().map(|own| play(spec, own));
            match (&mut told, conclusion) {
                (Some(play), Some(ahead)) => {
                    play.conclusions.push(Conclusion::NoCountertrace(ahead));
                }
                (None, Some(ahead)) => {
                    self.answer.missing.push(Missing::NoCountertrace(ahead));
                }
                (_, None) => {}
            }
            self.answer.counterstrategy = Some(Counterstrategy {
                states: machine.states.len(),
                truncated: machine.limit.is_some(),
                play: told,
                machine: listed(spec, &machine),
                certified: against.certified.clone(),
            });
            shown = shown.or(own);
        }
        self.answer.shown = shown;
        self.answer.graph = Some(machine.picture("counterstrategy"));
        Ok(())
    }
}

/// Notes why a part is not there.
fn lacks(
    answer: &mut Explanation,
    wanted: Wanted,
    failure: Failure,
) -> Result<(), Vec<Diagnostic>> {
    match failure {
        Failure::Limit(error) => answer.lacks(wanted, error),
        Failure::GaveUp(reason) => answer.missing.push(Missing::GaveUp(reason)),
        Failure::Diagnostics(diagnostics) => return Err(diagnostics),
    }
    Ok(())
}

/// Parts of a specification, with their texts.
pub(super) fn items(spec: &LtlSpec, parts: &[usize]) -> Vec<Item> {
    let parts = parts.iter().map(|index| &spec.parts[*index]);
    parts
        .map(|part| {
            let text = spec.text(part.formula);
            let is_tlsf = matches!(spec.notation, Notation::Tlsf { .. });
            Item {
                kind: if part.section.is_assumption() {
                    ItemKind::Assumption
                } else {
                    ItemKind::Guarantee
                },
                name: part.name.clone(),
                written: is_tlsf.then(|| Written {
                    section: part.section,
                    text: text.clone(),
                }),
                text: match part.section {
                    Section::Require | Section::Assert => format!("G ({text})"),
                    _ => text,
                },
                span: part.span,
            }
        })
        .collect()
}

/// A run with the guarantees that it breaks; one of inputs alone breaks none.
pub(super) fn play(spec: &LtlSpec, run: Run) -> Play {
    let mut conclusions = Vec::new();
    let has_outputs = |run: &Run| {
        let mut signals = run.signals.iter();
        signals.any(|signal| signal.kind == SignalKind::Output)
    };
    if has_outputs(&run) {
        let broken = broken(&run, spec)
            .into_iter()
            .map(|index| &spec.parts[index]);
        let broken = broken.filter(|part| !part.section.is_assumption());
        let names: Vec<String> = broken.map(|part| part.name.clone()).collect();
        if !names.is_empty() {
            conclusions.push(Conclusion::Breaks(names));
        }
    }
    Play {
        meanings: vec![Meaning::Boolean; run.signals.len()],
        reasons: vec![Vec::new(); run.steps],
        run,
        held: Vec::new(),
        conclusions,
    }
}

/// A machine that is small enough to be read.
fn listed(spec: &LtlSpec, machine: &Explicit) -> Option<Machine> {
    const MOST_STATES: usize = 50;
    const MOST_TRANSITIONS: usize = 400;
    let is_small = machine.limit.is_none()
        && machine.states.len() <= MOST_STATES
        && machine.transitions.len() <= MOST_TRANSITIONS;
    if !is_small || spec.order == Order::Moore {
        return None;
    }
    let settings = |names: &[String], values: &[String]| -> Vec<(String, String)> {
        names.iter().cloned().zip(values.iter().cloned()).collect()
    };
    let mut states = vec![MachineState::default(); machine.states.len()];
    for transition in &machine.transitions {
        let state = &mut states[transition.from];
        // The environment moves first: what it plays does not depend on the outputs.
        state.inputs = settings(&machine.outputs, &transition.outputs);
        let outputs = settings(&machine.inputs, &transition.inputs);
        state.next.push((outputs, transition.to));
    }
    for state in &mut states {
        leave_out_irrelevant(&mut state.next);
    }
    Some(Machine { states })
}

/// Drops outputs that do not matter for where a state leads.
fn leave_out_irrelevant(next: &mut Vec<(Vec<(String, String)>, usize)>) {
    let count = next.first().map_or(0, |(outputs, _)| outputs.len());
    for index in (0..count).rev() {
        let mut targets: HashMap<Vec<&str>, usize> = HashMap::new();
        let matters = next.iter().any(|(outputs, to)| {
            let others = outputs.iter().enumerate().filter(|(own, _)| *own != index);
            let key = others.map(|(_, (_, value))| value.as_str()).collect();
            *targets.entry(key).or_insert(*to) != *to
        });
        if !matters {
            for (outputs, _) in next.iter_mut() {
                outputs.remove(index);
            }
            let mut kept: Vec<(Vec<(String, String)>, usize)> = Vec::new();
            for one in next.drain(..) {
                if !kept.contains(&one) {
                    kept.push(one);
                }
            }
            *next = kept;
        }
    }
}
