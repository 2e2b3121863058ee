//! Whether the system can make the assumptions of a specification in LTL fail, and which of them.
//!
//! The question is that of [MR16] for plays from their first step on: whether a system breaks some
//! assumption on every run, whatever the inputs are, as one game (`certify/ltl/separation.rs`). That
//! is the position P-all of its cases; positions that a play only gets to with the environment's
//! help are not asked about, since formulas have no states in which a play could be caught. A core
//! is a minimal set of assumptions that can be made to fail.
//!
//! Invariant: each case, and that there is none, was certified.

use super::job::{items, play};
use super::solver::Solver;
use super::trace::{SYSTEMS, broken, run};
use crate::bdd::{self, Limits};
use crate::certify::Check;
use crate::certify::ltl::{Prover, forced_assumptions, forced_core, forcing, kept_assumptions};
use crate::explain::answer::{Asked, ForcedEnding, Separation, WellSeparation};
use crate::explain::separation::{Case, Part, Position};
use crate::explain::{Minimizer, minimize};
use crate::run::{Run, SignalKind};
use crate::source::Diagnostic;
use crate::spec::FormulaId;
use crate::spec::class::{Class, classify};
use crate::spec::ltl::{LtlSpec, Section};
use crate::synth::ltl::Failure;

/// The part of the time that is left which one question may take.
const QUESTION: f64 = 0.4;

/// What `certify` is asked of some assumptions.
type Claim<T> =
    fn(&LtlSpec, &[usize], &Limits, &mut Prover<'_>) -> Result<Check<T>, Vec<Diagnostic>>;

struct Question<'a> {
    spec: &'a LtlSpec,
    limits: &'a Limits,
    solver: Solver,
}

/// Which cases there are, without the sets of assumptions behind them.
pub fn well_separation(spec: &LtlSpec, limits: &Limits) -> Result<WellSeparation, Failure> {
    let mut question = Question::new(spec, limits);
    let cases = question.cases()?;
    Ok(WellSeparation {
        cases,
        asked: Asked::FromStart,
    })
}

/// The cases, with what can be forced and a play that shows it.
pub fn separation(spec: &LtlSpec, limits: &Limits) -> Result<Separation, Failure> {
    let mut question = Question::new(spec, limits);
    let cases = question.cases()?;
    if cases.is_empty() {
        return Ok(Separation {
            is_from_start: true,
            certified: true,
            ..Separation::default()
        });
    }
    let all = question.up_to(Part::Justice);
    let core = question.core(&all)?;
    let safe = question.up_to(Part::Safety);
    let safety_core = match question.is_forced(&safe)? {
        true => question.core(&safe)?,
        false => Vec::new(),
    };
    let run = question.play(&core)?;
    Ok(Separation {
        cases,
        core: items(spec, &core),
        safety_core: items(spec, &safety_core),
        ending: run.as_ref().map(|run| ForcedEnding::Breaks {
            assumptions: broken_assumptions(spec, run),
            loop_start: run.loop_start.unwrap_or_default(),
        }),
        forcing: run.map(|run| play(spec, run)),
        is_from_start: true,
        certified: true,
        ..Separation::default()
    })
}

impl<'a> Question<'a> {
    fn new(spec: &'a LtlSpec, limits: &'a Limits) -> Question<'a> {
        Question {
            spec,
            limits,
            solver: Solver::new(limits.clone(), QUESTION),
        }
    }

    /// The strongest case, if there is one.
    fn cases(&mut self) -> Result<Vec<Case>, Failure> {
        let all = self.up_to(Part::Justice);
        if !self.is_forced(&all)? {
            self.certify(&all, kept_assumptions)?;
            return Ok(Vec::new());
        }
        for part in [Part::Initial, Part::Safety] {
            let some = self.up_to(part);
            if !some.is_empty() && self.is_forced(&some)? {
                self.certify(&some, forced_assumptions)?;
                return Ok(vec![from_start(part)]);
            }
            self.certify(&some, kept_assumptions)?;
        }
        self.certify(&all, forced_assumptions)?;
        Ok(vec![from_start(Part::Justice)])
    }

    /// The assumptions about the first inputs, those and all safe ones, or all.
    fn up_to(&self, part: Part) -> Vec<usize> {
        let parts = self.spec.parts.iter().enumerate();
        let assumptions = parts.filter(|(_, one)| one.section.is_assumption());
        let mut formulas = self.spec.formulas.clone();
        let wanted = assumptions.filter(|(_, one)| {
            let is_first = one.section != Section::Require && formulas.is_boolean(one.formula);
            match part {
                Part::Initial => is_first && !self.reads_outputs(one.formula),
                Part::Safety => classify(&mut formulas, one.formula) == Class::Safety,
                Part::Justice => true,
            }
        });
        wanted.map(|(index, _)| index).collect()
    }

    fn reads_outputs(&self, formula: FormulaId) -> bool {
        let names = super::signals_of(&self.spec.formulas, formula);
        names.iter().any(|name| self.spec.outputs.contains(name))
    }

    /// Whether a system can make one of these fail on every run.
    fn is_forced(&mut self, members: &[usize]) -> Result<bool, Failure> {
        let asked = forcing(self.spec, members);
        let answer = self.solver.realizable(&asked)?;
        answer.ok_or_else(stays_open)
    }

    fn core(&mut self, members: &[usize]) -> Result<Vec<usize>, Failure> {
        let (spec, solver) = (self.spec, &mut self.solver);
        let mut fails = |chosen: &[usize]| -> bdd::Result<bool> {
            let asked = forcing(spec, chosen);
            // What stays open is not left out.
            Ok(solver.realizable(&asked)? == Some(true))
        };
        let mut core = minimize(Minimizer::DeltaDebugging, members, &mut fails)?;
        core.sort_unstable();
        self.certify(&core, forced_core)?;
        Ok(core)
    }

    /// What is said of some assumptions, if `certify` agrees.
    fn certify<T>(&mut self, members: &[usize], claim: Claim<T>) -> Result<(), Failure> {
        let solver = &mut self.solver;
        let mut prove = |asked: &LtlSpec| solver.strategy(asked);
        match claim(self.spec, members, self.limits, &mut prove)? {
            Check::Certified(_) => Ok(()),
            Check::Unknown(error) => Err(Failure::Limit(error)),
            Check::NotShown(_) => Err(stays_open()),
        }
    }

    /// A play of a system that makes some of these fail, against a simple environment: the one
    /// that breaks the fewest assumptions.
    fn play(&mut self, core: &[usize]) -> Result<Option<Run>, Failure> {
        let asked = forcing(self.spec, core);
        let Some(strategy) = self.solver.strategy(&asked)? else {
            return Ok(None);
        };
        // The same with the sides in each other's place.
        let swapped = LtlSpec {
            inputs: self.spec.outputs.clone(),
            outputs: self.spec.inputs.clone(),
            ..LtlSpec::default()
        };
        let mut best: Option<(usize, Run)> = None;
        for environment in 0..SYSTEMS {
            let Some(mut found) = run(&swapped, &strategy.circuit, environment)? else {
                continue;
            };
            for signal in &mut found.signals {
                signal.kind = match signal.kind {
                    SignalKind::Input => SignalKind::Output,
                    _ => SignalKind::Input,
                };
            }
            let assumptions = broken_assumptions(self.spec, &found).len();
            if assumptions > 0
                && best
                    .as_ref()
                    .is_none_or(|(fewest, _)| assumptions < *fewest)
            {
                best = Some((assumptions, found));
            }
        }
        Ok(best.map(|(_, run)| run))
    }
}

/// The names of the assumptions that a run breaks.
pub(super) fn broken_assumptions(spec: &LtlSpec, run: &Run) -> Vec<String> {
    let parts = broken(run, spec)
        .into_iter()
        .map(|index| &spec.parts[index]);
    let assumptions = parts.filter(|part| part.section.is_assumption());
    assumptions.map(|part| part.name.clone()).collect()
}

fn from_start(part: Part) -> Case {
    Case {
        position: Position::All,
        part,
    }
}

fn stays_open() -> Failure {
    let reason = "Whether assumptions are well-separated was not found out within the limits.";
    Failure::GaveUp(reason.to_string())
}
