//! Checks answers without the solvers' data, objectives or monitors.
//!
//! Enters: a [`Design`] without choices, and a [`Spec`] with its formulas as they were read.
//! Leaves: for each assertion a [`Verdict`], with a [`Trace`] that was replayed if it fails.
//!
//! The negation of a formula becomes a circuit (`tableau`), and the product with the design
//! is searched with decision diagrams: for a bad step (`reach`) if the violation shows in
//! finitely many steps, else for a fair cycle (`fair`). A solver for satisfiability takes turns
//! with them (`engines`, `live`), and what it claims is checked here (`invariant`, `ranking`).
//! What the verdicts mean exactly, also where assumptions cannot be kept, is in
//! `docs/semantics.md`.
//!
//! Nothing is shared with `game`, nor with the automata and rewritings of `spec`: only the
//! kernel, the netlist and the type of formulas are.

mod ahead;
mod answers;
pub mod apart;
mod assumptions;
mod causes;
mod certificate;
mod certified;
mod check;
mod checked;
mod claim;
mod claim_diagrams;
mod closed;
pub mod controller;
mod counterplay;
pub mod covers;
mod dead_ends;
mod describe;
mod diagrams;
mod draws;
mod engines;
mod experience;
mod fair;
mod finite;
mod gates;
pub mod gr1;
mod history;
mod induction;
mod invariant;
mod latches;
mod live;
pub mod ltl;
mod machine;
mod memories;
pub mod no_repair;
mod parts;
pub mod patch;
mod proof;
mod quiet;
#[cfg(test)]
mod random_product;
mod ranking;
mod reach;
mod realizability;
pub mod recorded;
mod refutation;
mod shown;
mod simulation;
mod tableau;
mod terms;
mod together;
mod trace;
mod unfair;
pub mod vacuity;
mod walk;
mod wires;
mod written;

pub use crate::spec::Semantics;
pub use answers::{
    AddedAssumptions, Countertrace, Fails, ForcedAssumptions, ForcedCore, Holds, KeptAssumptions,
    MinimalConflict, MinimalFix, NoCommonPlay, NoRepair, Realizable, Unrealizable,
    WeakenedGuarantee,
};
pub use assumptions::AssumptionStatus;
pub use certificate::{Certificate, CertificateForm};
pub use certified::{Certified, Evidence};
pub use check::Check;
pub use checked::{Checked, Overall};
pub use claim::{Leaf, StateSets};
pub use counterplay::{Counterplay, counterplay};
pub use engines::{Engine, Found};
pub use experience::Experience;
pub use gates::Gates;
pub use latches::{LatchStatus, latches};
pub use patch::Judgement;
pub use proof::Proof;
pub use realizability::{Realizability, RealizabilityCheck};
pub use refutation::{
    Refutation, RefutationCheck, ranked_refutation_of, refutation, refutation_of,
};
pub use together::Decision;
pub use trace::Trace;
pub use vacuity::{Vacuity, VacuityKind, vacuities};
pub use written::{
    Controller, Judged, Language, Text, game_controller, gr1_controller, ltl_controller,
    properties_of_game,
};

use crate::bdd::{self, Limits};
use crate::design::{Design, InputKind, Literal, Reset, elaborate_atom};
use crate::expr::Role;
use crate::prove::InductionTurns;
use crate::source::{Diagnostic, codes};
use crate::spec::{Atom, AtomId, FormulaId, Formulas, Property, Spec};
use machine::{Machine, Step};
use std::collections::HashMap;
use tableau::Tableau;
use trace::Judge;

/// What is said of one assertion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Holds,
    /// With a run that violates it.
    Fails(Trace),
    /// A limit was reached first.
    Unknown(bdd::Error),
}

#[derive(Clone, Debug, Default)]
pub struct Options {
    pub limits: Limits,
    pub semantics: Semantics,
    pub engine: Engine,
    pub runs: Runs,
    pub induction: InductionTurns,
    /// Of searches in similar designs.
    pub experience: Option<Experience>,
}

/// What inputs do in a run to a bad step where it does not matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Runs {
    /// Whatever they did when the run was found: many values, for those that compare designs.
    #[default]
    AsFound,
    /// Nothing, for readers.
    Quiet,
}

/// A design with formulas over it, ready to be checked.
pub struct Problem {
    /// With gates for the atoms added.
    design: Design,
    formulas: Formulas,
    atoms: HashMap<AtomId, Literal>,
    assumptions: Vec<Part>,
    /// By the index of the property; nothing for assumptions. Of a cover statement the
    /// negation, which fails on the runs that cover it.
    assertions: Vec<Vec<Part>>,
    is_cover: Vec<bool>,
}

#[derive(Clone, Copy)]
struct Part {
    formula: FormulaId,
    is_safe: bool,
}

/// Decides each assertion of a specification; by the index of the property.
pub fn check(
    design: &Design,
    spec: &Spec,
    options: &Options,
) -> Result<Vec<(usize, Verdict)>, Vec<Diagnostic>> {
    let problem = Problem::new(design, spec)?;
    let asserted: Vec<usize> = problem.asserted().collect();
    let decisions = problem.check_all(&asserted, options, |_| {});
    let decisions = decisions.map_err(|diagnostic| vec![diagnostic])?;
    let verdicts = decisions.into_iter();
    Ok(verdicts.map(|one| (one.property, one.verdict)).collect())
}

impl Problem {
    /// Fails if the design has choices or is broken, or if an atom does not fit it.
    pub fn new(design: &Design, spec: &Spec) -> Result<Problem, Vec<Diagnostic>> {
        design.check().map_err(|diagnostic| vec![diagnostic])?;
        refuse_choices(design).map_err(|diagnostic| vec![diagnostic])?;
        let mut problem = Problem {
            design: design.clone(),
            formulas: spec.formulas.clone(),
            atoms: HashMap::new(),
            assumptions: Vec::new(),
            assertions: Vec::new(),
            is_cover: Vec::new(),
        };
        let mut errors = Vec::new();
        for property in &spec.properties {
            problem.add_atoms(property, &mut errors);
            let formulas = &mut problem.formulas;
            // What should be covered is looked for as a counterexample.
            let formula = match property.role {
                Role::Cover => formulas.not(property.formula),
                Role::Assert | Role::Assume => property.formula,
            };
            let parts = parts::parts(formulas, formula);
            let mut parts: Vec<Part> = parts
                .into_iter()
                .map(|formula| Part {
                    formula,
                    is_safe: parts::is_safe(formulas, formula),
                })
                .collect();
            // What is decided in finitely many steps is decided first.
            parts.sort_by_key(|part| !part.is_safe);
            problem.assertions.push(Vec::new());
            problem.is_cover.push(property.role == Role::Cover);
            match property.role {
                Role::Assume => problem.assumptions.extend(parts),
                Role::Assert | Role::Cover => {
                    if let Some(own) = problem.assertions.last_mut() {
                        *own = parts;
                    }
                }
            }
        }
        if errors.is_empty() {
            Ok(problem)
        } else {
            Err(errors)
        }
    }

    fn add_atoms(&mut self, property: &Property, errors: &mut Vec<Diagnostic>) {
        for id in self.formulas.atoms_of(property.formula) {
            if self.atoms.contains_key(&id) {
                continue;
            }
            let literal = match self.formulas.atom(id) {
                Atom::Condition(expr) => elaborate_atom(&mut self.design, expr),
                Atom::Past(_) => {
                    let message = "a property was rewritten before it was checked";
                    Err(Diagnostic::error(codes::frame::INTERNAL_ERROR, message))
                }
            };
            match literal {
                Ok(literal) => {
                    self.atoms.insert(id, literal);
                }
                Err(diagnostic) => {
                    // Once is enough: it may occur in every property.
                    self.atoms.insert(id, Literal::FALSE);
                    errors.push(diagnostic);
                }
            }
        }
    }

    /// The design with gates for the atoms of all properties.
    pub fn design(&self) -> &Design {
        &self.design
    }

    /// The truth of an atom, as a literal of [`Problem::design`].
    pub fn literal(&self, atom: AtomId) -> Option<Literal> {
        self.atoms.get(&atom).copied()
    }

    /// What an assertion and all assumptions depend on, as literals of [`Problem::design`].
    pub fn literals_for(&self, property: usize) -> Vec<Literal> {
        let own = self.assertions.get(property).into_iter().flatten();
        let formulas = own.chain(&self.assumptions).map(|part| &part.formula);
        self.judge().literals(formulas)
    }

    /// The indices of the assertions among the properties.
    pub fn asserted(&self) -> impl Iterator<Item = usize> + '_ {
        let indices = 0..self.assertions.len();
        indices.filter(|index| !self.assertions[*index].is_empty() && !self.is_cover[*index])
    }

    fn safe_assumptions(&self) -> Vec<FormulaId> {
        let safe = self.assumptions.iter().filter(|part| part.is_safe);
        safe.map(|part| part.formula).collect()
    }

    fn all_assumptions(&self) -> Vec<FormulaId> {
        self.assumptions.iter().map(|part| part.formula).collect()
    }

    fn tableau(&self, assumptions: &[FormulaId]) -> Tableau<'_> {
        let mut tableau = Tableau::new(&self.design, &self.formulas, &self.atoms);
        for assumption in assumptions {
            tableau.require((*assumption, true));
        }
        tableau
    }

    fn judge(&self) -> Judge<'_> {
        Judge {
            design: &self.design,
            formulas: &self.formulas,
            atoms: &self.atoms,
        }
    }

    /// The part of a run of a product that concerns the design itself.
    fn trace(
        &self,
        machine: &Machine,
        steps: &[Step],
        loop_start: Option<usize>,
    ) -> Result<Trace, Diagnostic> {
        self.trace_of(&machine.input_run(steps), loop_start)
    }
}

/// Why there is no result.
enum Failure {
    Limit(bdd::Error),
    Internal(Box<Diagnostic>),
}

impl From<bdd::Error> for Failure {
    fn from(error: bdd::Error) -> Failure {
        Failure::Limit(error)
    }
}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Failure {
        Failure::Internal(Box::new(diagnostic))
    }
}

fn refuse_choices(design: &Design) -> Result<(), Diagnostic> {
    let is_choice = |id: &&crate::design::NodeId| {
        design.input_kind(**id) == Some(InputKind::Choice)
            || design
                .latch(**id)
                .is_some_and(|latch| latch.reset == Reset::Choice)
    };
    let Some(id) = design
        .inputs()
        .iter()
        .chain(design.latches())
        .find(is_choice)
    else {
        return Ok(());
    };
    let message = format!(
        "{} is a choice that nobody has made yet",
        design.describe(*id)
    );
    let diagnostic = Diagnostic::error(codes::certify::OPEN_CHOICE, message)
        .help("a design is checked once all choices are made; in AIGER, rename the input");
    Err(match design.span(*id) {
        Some(span) => diagnostic.at(span, "this input"),
        None => diagnostic,
    })
}
