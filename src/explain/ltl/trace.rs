//! One sequence of inputs that makes every system fail, and why there may be none.
//!
//! A counterstrategy answers to outputs; a countertrace does not [KHB11, Sec. 4.3.3]. What
//! the counterstrategy plays against a few simple systems is tried: a circuit that plays the
//! inputs whatever happens is given to the model checker as a counterstrategy. Conversely, if
//! a system that sees the next inputs before it has to answer wins, no fixed inputs can make
//! it fail: outputs are then written some steps later.

use crate::bdd::Limits;
use crate::certify::{self, Certified, Check, Countertrace};
use crate::design::{Design, NodeId, Simulator};
use crate::expr::ExprKind;
use crate::run::{Run, Signal, SignalKind};
use crate::source::Diagnostic;
use crate::spec::lasso::Lasso;
use crate::spec::ltl::{LtlSpec, Order, Part, Section, delayed};
use crate::spec::{Atom, Formulas};
use crate::synth::ltl::{self, Failure};
use std::collections::HashMap;

/// Systems that a counterstrategy is played against.
pub(super) const SYSTEMS: usize = 8;
/// Longer runs are not looked at.
const LONGEST: usize = 200;
/// So many steps ahead.
const FURTHEST: usize = 3;

/// What the counterstrategy does against a simple system, by number: a run that repeats its end.
pub fn run(spec: &LtlSpec, strategy: &Design, system: usize) -> Result<Option<Run>, Diagnostic> {
    let mut simulator = Simulator::new(strategy)?;
    simulator.start(|_| 0);
    let indices: HashMap<NodeId, usize> = strategy.inputs().iter().copied().zip(0..).collect();
    let mut seen: HashMap<(Vec<bool>, usize), usize> = HashMap::new();
    let (mut inputs, mut outputs): (Vec<Vec<bool>>, Vec<Vec<bool>>) = (Vec::new(), Vec::new());
    let period = match system {
        0 | 1 => 1,
        _ => 1 << (system / 2),
    };
    for step in 0..LONGEST {
        let latches = strategy.latches().iter();
        let state: Vec<bool> = latches
            .map(|id| simulator.value(id.literal()) & 1 == 1)
            .collect();
        if let Some(before) = seen.insert((state, step % period), step) {
            let mut signals = signals(&spec.inputs, &inputs, SignalKind::Input);
            signals.extend(self::signals(&spec.outputs, &outputs, SignalKind::Output));
            return Ok(Some(Run {
                steps: step,
                loop_start: Some(before),
                signals,
            }));
        }
        let answer = |index: usize| match system {
            0 => false,
            1 => true,
            _ => (step % period + index * (system % 2)).is_multiple_of(period),
        };
        let answers: Vec<bool> = (0..spec.outputs.len()).map(answer).collect();
        simulator.settle(|id| {
            let set = indices.get(&id).is_some_and(|index| answers[*index]);
            if set { u64::MAX } else { 0 }
        });
        let own = strategy.outputs().iter();
        inputs.push(
            own.map(|output| simulator.value(output.literal) & 1 == 1)
                .collect(),
        );
        outputs.push(answers);
        simulator.advance();
    }
    Ok(None)
}

/// Bits of some names, with their values in each step.
fn signals(names: &[String], steps: &[Vec<bool>], kind: SignalKind) -> Vec<Signal> {
    let names = names.iter().enumerate();
    names
        .map(|(index, name)| Signal {
            name: name.clone(),
            kind,
            width: 1,
            relevant: true,
            values: steps.iter().map(|step| Some(vec![step[index]])).collect(),
        })
        .collect()
}

/// Inputs with which no system keeps the specification.
pub fn countertrace(
    spec: &LtlSpec,
    strategy: &Design,
    limits: &Limits,
) -> Result<Option<Certified<Countertrace>>, Failure> {
    let mut tried: Vec<Run> = Vec::new();
    for system in 0..SYSTEMS {
        let Some(mut found) = run(spec, strategy, system)? else {
            continue;
        };
        found
            .signals
            .retain(|signal| signal.kind == SignalKind::Input);
        if tried.contains(&found) {
            continue;
        }
        if let Check::Certified(trace) = certify::ltl::countertrace(spec, &found, limits)? {
            return Ok(Some(trace));
        }
        tried.push(found);
    }
    Ok(None)
}

/// Whether a system that knows inputs in advance wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookahead {
    /// It wins if it knows so many steps of inputs in advance: there is no countertrace.
    Wins(usize),
    /// That is not known.
    Unknown,
}

impl Lookahead {
    /// What it says about countertraces.
    pub fn sentence(self) -> String {
        let steps = match self {
            Lookahead::Unknown => {
                return "No countertrace was found; there may be one.".to_string();
            }
            Lookahead::Wins(1) => "one step".to_string(),
            Lookahead::Wins(steps) => format!("{steps} steps"),
        };
        format!(
            "There is no countertrace: a system that knew the inputs of {steps} in advance could \
             keep the guarantees, so what the environment does has to depend on the outputs"
        )
    }
}

pub fn lookahead(spec: &LtlSpec, limits: &Limits) -> Lookahead {
    if !spec.observer.is_empty() {
        // What is observed would have to come later, too.
        return Lookahead::Unknown;
    }
    let mut whole = spec.requirements();
    let mut formula = whole.formula();
    for steps in 1..=FURTHEST {
        // One step later for each output: the system answers when it has seen one more input.
        formula = delayed(&mut whole.formulas, formula, &spec.outputs);
        let ahead = LtlSpec {
            inputs: spec.inputs.clone(),
            outputs: spec.outputs.clone(),
            formulas: whole.formulas.clone(),
            parts: vec![Part {
                section: Section::Guarantee,
                name: "specification".to_string(),
                span: None,
                formula,
            }],
            order: Order::Mealy,
            ..LtlSpec::default()
        };
        let options = ltl::Options {
            limits: limits.clone(),
            ..ltl::Options::default()
        };
        match ltl::solve(&ahead, &options, &mut |_| {}) {
            Ok(answer) if answer.realizable && answer.certified().is_some() => {
                return Lookahead::Wins(steps);
            }
            Ok(_) => {}
            Err(_) => return Lookahead::Unknown,
        }
    }
    Lookahead::Unknown
}

/// The parts that a run breaks, by their indices; of those whose atoms are all signals.
pub fn broken(run: &Run, spec: &LtlSpec) -> Vec<usize> {
    let mut formulas = spec.formulas.clone();
    let steps: Vec<Vec<bool>> = (0..run.steps)
        .map(|step| atoms(run, &formulas, step))
        .collect();
    let (prefix, cycle) = steps.split_at(run.loop_start.unwrap_or(run.steps));
    let Some(lasso) = Lasso::new(prefix.to_vec(), cycle.to_vec()) else {
        return Vec::new();
    };
    let mut broken = Vec::new();
    for (index, part) in spec.parts.iter().enumerate() {
        let formula = match part.section {
            Section::Require | Section::Assert => formulas.globally(part.formula),
            _ => part.formula,
        };
        let only_names = formulas.atoms_of(formula).into_iter().all(|atom| {
            matches!(formulas.atom(atom), Atom::Condition(expr)
                if matches!(expr.kind, ExprKind::Name(_)) && spec.observer.is_empty())
        });
        if only_names && !lasso.satisfies(&formulas, formula) {
            broken.push(index);
        }
    }
    broken
}

/// The values of all atoms in a step; false for those that are no signals.
fn atoms(run: &Run, formulas: &Formulas, step: usize) -> Vec<bool> {
    let atoms = formulas.atoms().iter();
    atoms
        .map(|atom| match atom {
            Atom::Condition(expr) => {
                let signal = run.signal(&super::plain_name(&expr.to_string()));
                signal.is_some_and(|signal| signal.is_one(step))
            }
            Atom::Past(_) => false,
        })
        .collect()
}
