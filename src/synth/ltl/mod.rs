//! A specification in any linear temporal logic solved, and its answer certified.
//!
//! Enters: an [`LtlSpec`]. Leaves: who wins, with the winner's strategy as a circuit over the
//! names of the specification, model-checked by `certify` against the formulas as they were
//! read; or the reason why there is no answer. "Unrealizable" only ever comes from a strategy
//! of the environment.

mod aig;
mod attempt;
pub mod automaton;
mod circuit;
mod component;
mod copying;
mod forget;
mod form;
mod gr1;
mod judge;
mod library;
mod machine;
mod merge;
mod patience;
mod polish;
mod rewrite;
mod screen;
mod smaller;
mod smallest;
mod tidy;
mod truth;

use crate::bdd;
use crate::certify::ltl::Winner;
use crate::certify::{Realizability, RealizabilityCheck};
use crate::design::{Design, InputKind, Literal, NodeId, Reach, elaborate_atom};
use crate::game::emerson_lei::solve::Player;
use crate::source::Diagnostic;
use crate::spec::ltl::{LtlSpec, Requirement, Requirements};
use crate::spec::past::PastCircuit;
use crate::spec::{Atom, AtomId};
use attempt::Attempt;
use circuit::{Controller, Ports, open_design};
use component::{Component, components, formulas_of};
use gr1::by_gr1;
use judge::Judge;
use smaller::smaller;
use std::collections::HashMap;
use std::fmt;
use std::time::Duration;
pub(super) use tidy::tidied;

/// A way to an answer, cheapest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stage {
    /// A strict specification that is GR(1), by the solver for those. Only ever says yes.
    Gr1,
    /// The system never breaks what is safe before the environment does. Only ever says yes.
    Strict,
    /// The exact game: a Boolean combination of recurrences on deterministic monitors.
    EmersonLei,
    /// Cases of the condition of that game, each up to some bound, for either player. What it
    /// says is right, but it need not come to an end.
    BoundedCondition,
    /// The same with a universal co-Büchi automaton of the whole formula.
    BoundedAutomaton,
}

impl Stage {
    pub const ALL: [Stage; 5] = [
        Stage::Gr1,
        Stage::Strict,
        Stage::EmersonLei,
        Stage::BoundedCondition,
        Stage::BoundedAutomaton,
    ];
}

impl fmt::Display for Stage {
    fn fmt(&self, output: &mut fmt::Formatter<'_>) -> fmt::Result {
        output.write_str(match self {
            Stage::Gr1 => "gr1",
            Stage::Strict => "strict",
            Stage::EmersonLei => "emerson-lei",
            Stage::BoundedCondition => "bounded-condition",
            Stage::BoundedAutomaton => "bounded-automaton",
        })
    }
}

/// Of the time that is left, a controller may be made smaller for a few times this part.
const SHARE: u32 = 15;

#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Of the whole, certificates included.
    pub limits: bdd::Limits,
    /// The only stage to be tried, for tests; otherwise all are.
    pub stage: Option<Stage>,
    /// The largest bound of the bounded stages; a usual one unless said.
    pub bound: Option<usize>,
    /// How long a controller that is already there may be made smaller; not at all unless said.
    pub polish: Duration,
}

/// A verdict with the strategy that proves it.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What the solver says; the verdict is what `check` has certified.
    pub realizable: bool,
    /// If realizable, a controller: it has the inputs of the specification and drives its
    /// outputs. Otherwise a counterstrategy: it has the outputs as its inputs and drives the
    /// inputs. Whoever moves first in a step does not read what the other does in it.
    pub circuit: Design,
    /// The costliest stage that was needed.
    pub stage: Stage,
    /// What the model checker says of the circuit. If the circuit does not win, there is no
    /// verdict, and the program has an error.
    pub check: RealizabilityCheck,
}

/// Who wins by a solver's word, and how.
pub struct Claim {
    pub realizable: bool,
    /// As in [`Answer`].
    pub circuit: Design,
    pub stage: Stage,
    requirements: Requirements,
    /// What the circuit keeps, or prevents.
    goals: Vec<Requirement>,
}

impl Claim {
    /// Has the model checker look at it.
    pub fn checked(self, spec: &LtlSpec, limits: &bdd::Limits) -> Result<Answer, Failure> {
        let winner = Winner {
            requirements: &self.requirements,
            order: spec.order,
            circuit: &self.circuit,
            limits,
        };
        let check = if self.realizable {
            winner.controller(&self.goals)?
        } else {
            winner.counterstrategy(&self.goals)?
        };
        Ok(Answer {
            realizable: self.realizable,
            circuit: self.circuit,
            stage: self.stage,
            check,
        })
    }
}

impl Answer {
    /// Who wins, if that was certified.
    pub fn certified(&self) -> Option<&Realizability> {
        self.check.certified()
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// The specification is wrong.
    Diagnostics(Vec<Diagnostic>),
    /// A limit ended the search.
    Limit(bdd::Error),
    /// No stage that was tried reaches this specification; says why.
    GaveUp(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Diagnostics(diagnostics) => Diagnostic::list(diagnostics, formatter),
            Failure::Limit(error) => write!(formatter, "{error}"),
            Failure::GaveUp(reason) => formatter.write_str(reason),
        }
    }
}

impl std::error::Error for Failure {}

impl From<bdd::Error> for Failure {
    fn from(error: bdd::Error) -> Failure {
        Failure::Limit(error)
    }
}

impl From<Vec<Diagnostic>> for Failure {
    fn from(diagnostics: Vec<Diagnostic>) -> Failure {
        Failure::Diagnostics(diagnostics)
    }
}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Failure {
        Failure::Diagnostics(vec![diagnostic])
    }
}

/// Who wins, certified. `watch` is told what is being tried, in words.
pub fn solve(
    spec: &LtlSpec,
    options: &Options,
    watch: &mut dyn FnMut(&str),
) -> Result<Answer, Failure> {
    let claim = claim(spec, options, watch)?;
    watch(if claim.realizable {
        "checking the controller"
    } else {
        "checking the counterstrategy"
    });
    claim.checked(spec, &options.limits)
}

/// Who wins by a solver's word: for those who check what they make of the circuit.
pub fn claim(
    spec: &LtlSpec,
    options: &Options,
    watch: &mut dyn FnMut(&str),
) -> Result<Claim, Failure> {
    let mut requirements = spec.requirements();
    refuse_future_inside_past(spec)?;
    let (open, ports) = open_design(spec)?;
    let outputs = dependencies(&requirements, &open, &ports)?;
    let components = components(&mut requirements, &outputs);
    watch(&format!(
        "{} goals in {} independent parts",
        components.iter().map(|one| one.goals.len()).sum::<usize>(),
        components.len()
    ));
    if options.stage.is_none_or(|only| only == Stage::Gr1) {
        if let Some(circuit) = by_gr1(spec, &options.limits)? {
            return Ok(Claim {
                realizable: true,
                circuit,
                stage: Stage::Gr1,
                goals: goals_of(&components),
                requirements,
            });
        }
        if options.stage.is_some() {
            return Err(Failure::GaveUp(
                "it is no GR(1) specification that the system wins".to_string(),
            ));
        }
    }
    let attempt = Attempt {
        open: &open,
        ports: &ports,
        order: spec.order,
        options,
    };
    claim_of_components(spec, requirements, &components, &attempt, watch)
}

/// Solves the components one after the other, until the environment wins one of them.
fn claim_of_components(
    spec: &LtlSpec,
    mut requirements: Requirements,
    components: &[Component],
    attempt: &Attempt<'_>,
    watch: &mut dyn FnMut(&str),
) -> Result<Claim, Failure> {
    let options = attempt.options;
    let mut stage = Stage::Strict;
    let mut controllers = Vec::new();
    for component in components {
        let formulas = formulas_of(&mut requirements, component);
        let solved = attempt.solve(&requirements, &formulas, watch)?;
        stage = stage.max(solved.stage);
        if solved.winner == Player::Environment {
            return Ok(Claim {
                realizable: false,
                circuit: circuit(&spec.outputs, &spec.inputs, &[solved.controller]),
                stage: solved.stage,
                goals: component.goals.clone(),
                requirements,
            });
        }
        controllers.push(solved.controller);
    }
    let mut circuit = circuit(&spec.inputs, &spec.outputs, &controllers);
    drop(controllers);
    let goals = goals_of(components);
    if !options.polish.is_zero() {
        watch("making the controller smaller");
        circuit = polished(spec, &requirements, &goals, circuit, options);
    }
    Ok(Claim {
        realizable: true,
        circuit,
        stage,
        goals,
        requirements,
    })
}

fn goals_of(components: &[Component]) -> Vec<Requirement> {
    let goals = components.iter().flat_map(|one| one.goals.clone());
    goals.collect()
}

/// One circuit of several controllers, none of which drives what another does. What nobody
/// drives is 0.
fn circuit(read: &[String], driven: &[String], controllers: &[Controller]) -> Design {
    let mut design = Design::new();
    let mut inputs = Vec::new();
    for name in read {
        let id = design.add_input(InputKind::Environment);
        design.set_name(id, name.clone());
        inputs.push(id);
    }
    let mut literals = vec![Literal::FALSE; driven.len()];
    for controller in controllers {
        for (index, literal) in controller.build(&mut design, &inputs) {
            literals[index] = literal;
        }
    }
    for (name, literal) in driven.iter().zip(literals) {
        design.add_output(Some(name.clone()), literal, None);
    }
    tidied(&design)
}

/// The outputs that each atom depends on.
fn dependencies(
    requirements: &Requirements,
    open: &Design,
    ports: &Ports,
) -> Result<HashMap<AtomId, Vec<usize>>, Failure> {
    let mut design = open.clone();
    let indices: HashMap<NodeId, usize> = ports.outputs.iter().copied().zip(0..).collect();
    let mut found = HashMap::new();
    let mut errors = Vec::new();
    for atom in requirements.formulas.atom_ids() {
        if let Atom::Condition(expr) = requirements.formulas.atom(atom) {
            match elaborate_atom(&mut design, expr) {
                Ok(literal) => {
                    let cone = design.cone([literal], Reach::Run);
                    let own = cone.iter().filter_map(|id| indices.get(&id).copied());
                    found.insert(atom, own.collect());
                }
                Err(diagnostic) => errors.push(diagnostic),
            }
        }
    }
    if errors.is_empty() {
        Ok(found)
    } else {
        Err(Failure::Diagnostics(errors))
    }
}

fn refuse_future_inside_past(spec: &LtlSpec) -> Result<(), Failure> {
    let mut formulas = spec.formulas.clone();
    let mut errors = Vec::new();
    for part in &spec.parts {
        let mut past = PastCircuit::new();
        if let Err(error) = past.eliminate(&mut formulas, part.formula) {
            errors.push(error.diagnostic(&formulas, &part.name, part.span));
        }
    }
    if errors.is_empty() {
        Ok(())
    } else {
        Err(Failure::Diagnostics(errors))
    }
}

/// A controller that keeps the specification if the given one does, and is smaller if that
/// can be found in about the given time.
pub fn smaller_controller(
    spec: &LtlSpec,
    circuit: Design,
    time: Duration,
    limits: &bdd::Limits,
) -> Design {
    let requirements = spec.requirements();
    let goals = requirements.goals.clone();
    let options = Options {
        limits: limits.clone(),
        polish: time,
        ..Options::default()
    };
    polished(spec, &requirements, &goals, circuit, &options)
}

fn polished(
    spec: &LtlSpec,
    requirements: &Requirements,
    goals: &[Requirement],
    circuit: Design,
    options: &Options,
) -> Design {
    let limits = &options.limits;
    // The circuit has to be checked in the time that is left.
    let left = limits.run.as_ref().and_then(|run| run.time_left());
    let share = left.map_or(options.polish, |left| left / SHARE);
    let time = options.polish.min(share);
    let mut judge = Judge::new(spec, requirements, goals, &circuit, limits, time);
    smaller(circuit, time, limits, &mut judge)
}
