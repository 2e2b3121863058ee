//! One sequence of inputs that makes every system fail, and why there may be none.
//!
//! A counterstrategy answers to outputs; a countertrace does not [KHB11, Sec. 4.3.3]. What
//! the counterstrategy plays against a few simple systems is tried: a circuit that plays the
//! inputs whatever happens is given to the model checker as a counterstrategy. Conversely, if
//! a system that sees the next inputs before it has to answer wins, no fixed inputs can make
//! it fail: outputs are then written some steps later.

use crate::bdd::Limits;
use crate::design::{Design, InputKind, Literal, NodeId, Reset, Simulator};
use crate::expr::ExprKind;
use crate::source::Diagnostic;
use crate::spec::lasso::Lasso;
use crate::spec::ltl::{LtlSpec, Order, Part, Section, delayed};
use crate::spec::{Atom, Formulas};
use crate::synth::ltl::{self, Certificate, Failure, check_counterstrategy};
use std::collections::HashMap;

/// A run that repeats its end for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The inputs of each step, in the order of the specification.
    pub inputs: Vec<Vec<bool>>,
    pub outputs: Vec<Vec<bool>>,
    pub loop_start: usize,
}

/// Systems that a counterstrategy is played against.
const SYSTEMS: usize = 8;
/// Longer runs are not looked at.
const LONGEST: usize = 200;
/// So many steps ahead.
const FURTHEST: usize = 3;

/// What the counterstrategy does against a simple system, by number.
pub fn run(spec: &LtlSpec, strategy: &Design, system: usize) -> Result<Option<Run>, Diagnostic> {
    let mut simulator = Simulator::new(strategy)?;
    simulator.start(|_| 0);
    let places: HashMap<NodeId, usize> = strategy.inputs().iter().copied().zip(0..).collect();
    let mut seen: HashMap<(Vec<bool>, usize), usize> = HashMap::new();
    let mut run = Run {
        inputs: Vec::new(),
        outputs: Vec::new(),
        loop_start: 0,
    };
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
            run.loop_start = before;
            return Ok(Some(run));
        }
        let answer = |place: usize| match system {
            0 => false,
            1 => true,
            _ => (step % period + place * (system % 2)).is_multiple_of(period),
        };
        let outputs: Vec<bool> = (0..spec.outputs.len()).map(answer).collect();
        simulator.settle(|id| {
            let set = places.get(&id).is_some_and(|place| outputs[*place]);
            if set { u64::MAX } else { 0 }
        });
        let own = strategy.outputs().iter();
        run.inputs.push(
            own.map(|output| simulator.value(output.literal) & 1 == 1)
                .collect(),
        );
        run.outputs.push(outputs);
        simulator.advance();
    }
    Ok(None)
}

/// Inputs with which no system keeps the specification.
pub fn countertrace(
    spec: &LtlSpec,
    strategy: &Design,
    limits: &Limits,
) -> Result<Option<Run>, Failure> {
    let mut tried: Vec<(Vec<Vec<bool>>, usize)> = Vec::new();
    for system in 0..SYSTEMS {
        let Some(found) = run(spec, strategy, system)? else {
            continue;
        };
        let key = (found.inputs.clone(), found.loop_start);
        if tried.contains(&key) {
            continue;
        }
        tried.push(key);
        let player = player(spec, &found);
        if check_counterstrategy(spec, &player, limits)? == Certificate::Checked {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// A circuit that plays the inputs of a run, whatever the outputs are.
fn player(spec: &LtlSpec, run: &Run) -> Design {
    let mut design = Design::new();
    for name in &spec.outputs {
        let id = design.add_input(InputKind::Environment);
        design.set_name(id, name.clone());
    }
    // One latch for each step; the first one is where all are low but a flag.
    let steps: Vec<NodeId> = (0..run.inputs.len())
        .map(|step| design.add_latch(if step == 0 { Reset::One } else { Reset::Zero }))
        .collect();
    for step in 0..steps.len() {
        let mut before: Vec<Literal> = Vec::new();
        if step > 0 {
            before.push(steps[step - 1].literal());
        }
        if step == run.loop_start {
            before.extend(steps.last().map(|last| last.literal()));
        }
        let next = design.or_all(before);
        design.set_next(steps[step], next);
    }
    for (place, name) in spec.inputs.iter().enumerate() {
        let high = steps.iter().zip(&run.inputs);
        let high: Vec<Literal> = high
            .filter(|(_, inputs)| inputs[place])
            .map(|(latch, _)| latch.literal())
            .collect();
        let value = design.or_all(high);
        design.add_output(Some(name.clone()), value, None);
    }
    design
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
            Ok(answer) if answer.realizable && answer.certificate == Certificate::Checked => {
                return Lookahead::Wins(steps);
            }
            Ok(_) => {}
            Err(_) => return Lookahead::Unknown,
        }
    }
    Lookahead::Unknown
}

impl Run {
    /// The parts that a run breaks, by their places; of those whose atoms are all signals.
    pub fn broken(&self, spec: &LtlSpec) -> Vec<usize> {
        let mut formulas = spec.formulas.clone();
        let steps: Vec<Vec<bool>> = (0..self.inputs.len())
            .map(|step| self.atoms(&formulas, spec, step))
            .collect();
        let (prefix, cycle) = steps.split_at(self.loop_start);
        let Some(lasso) = Lasso::new(prefix.to_vec(), cycle.to_vec()) else {
            return Vec::new();
        };
        let mut broken = Vec::new();
        for (place, part) in spec.parts.iter().enumerate() {
            let formula = match part.section {
                Section::Require | Section::Assert => formulas.globally(part.formula),
                _ => part.formula,
            };
            let only_names = formulas.atoms_of(formula).into_iter().all(|atom| {
                matches!(formulas.atom(atom), Atom::Condition(expr)
                    if matches!(expr.kind, ExprKind::Name(_)) && spec.observer.is_empty())
            });
            if only_names && !lasso.satisfies(&formulas, formula) {
                broken.push(place);
            }
        }
        broken
    }

    fn atoms(&self, formulas: &Formulas, spec: &LtlSpec, step: usize) -> Vec<bool> {
        let value = |name: &str| {
            let find = |names: &[String]| names.iter().position(|other| other == name);
            match (find(&spec.inputs), find(&spec.outputs)) {
                (Some(place), _) => self.inputs[step][place],
                (_, Some(place)) => self.outputs[step][place],
                _ => false,
            }
        };
        let atoms = formulas.atoms().iter();
        atoms
            .map(|atom| match atom {
                Atom::Condition(expr) => {
                    let name = expr.to_string();
                    let plain = name.strip_prefix('\\').unwrap_or(&name);
                    value(plain.trim_end())
                }
                Atom::Past(_) => false,
            })
            .collect()
    }
}
