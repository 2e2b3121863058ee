//! The automaton of a specification, to be written.
//!
//! It accepts the runs that keep the specification, and says which propositions are the
//! system's. Deterministic, it is the game's own: the netlist of monitors, state by state, with
//! the game's condition. Nondeterministic, it is the Büchi automaton of the whole formula.
//! Where the system moves first, inputs are read one step later, so that who reads the
//! automaton may let the environment move first.

use super::Failure;
use super::circuit::open_design;
use crate::expr::ExprKind;
use crate::game::emerson_lei::build::{BuildError, Builder, Memory};
use crate::game::emerson_lei::explicit;
use crate::source::Diagnostic;
use crate::source::codes::specification as codes;
use crate::spec::automaton::buchi::generalized_buchi;
use crate::spec::automaton::omega::{Automaton, Proposition};
use crate::spec::automaton::{Limits, TooBig};
use crate::spec::ltl::{LtlSpec, Order, delayed, no_formula};
use crate::spec::simplify::simplify;
use crate::spec::{Atom, AtomId, FormulaId, Formulas};

/// Which automaton of a specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Deterministic,
    Nondeterministic,
}

pub fn automaton(spec: &LtlSpec, kind: Kind, limits: &Limits) -> Result<Automaton, Failure> {
    let mut requirements = spec.requirements();
    let mut formula = requirements.formula();
    if spec.order == Order::Moore {
        formula = delayed(&mut requirements.formulas, formula, &spec.inputs);
    }
    let found = match kind {
        Kind::Deterministic => deterministic(spec, requirements.formulas, formula, limits)?,
        Kind::Nondeterministic => nondeterministic(spec, requirements.formulas, formula, limits)?,
    };
    let mut automaton = found.map_err(|_| too_large(kind))?;
    let outputs = automaton.propositions.iter().enumerate();
    let outputs = outputs.filter(|(_, one)| spec.outputs.contains(&one.name));
    automaton.controllable = Some(outputs.map(|(number, _)| number).collect());
    automaton.name = spec.title.clone();
    Ok(automaton)
}

fn too_large(kind: Kind) -> Diagnostic {
    let message = "the automaton is too big to be written out";
    Diagnostic::error(codes::TOO_LARGE, message).help(match kind {
        Kind::Deterministic => "`--automaton nondeterministic` may give a smaller one",
        Kind::Nondeterministic => "`--automaton deterministic` may give a smaller one",
    })
}

fn deterministic(
    spec: &LtlSpec,
    formulas: Formulas,
    formula: FormulaId,
    limits: &Limits,
) -> Result<Result<Automaton, TooBig>, Failure> {
    let (open, _) = open_design(spec)?;
    let mut builder = Builder::new(open, formulas, Memory::Signals, *limits);
    let condition = match builder.formula(formula) {
        Ok(condition) => condition,
        Err(BuildError::Diagnostic(diagnostic)) => return Err((*diagnostic).into()),
        Err(BuildError::Monitor(_) | BuildError::TooManyCases) => return Ok(Err(TooBig)),
    };
    let mut design = builder.design;
    let objective = condition.finish(&mut design);
    let design = design.without_redundant_latches();
    Ok(explicit::automaton(&design, &objective, limits))
}

fn nondeterministic(
    spec: &LtlSpec,
    mut formulas: Formulas,
    formula: FormulaId,
    limits: &Limits,
) -> Result<Result<Automaton, TooBig>, Failure> {
    if let Some(error) = no_formula(spec) {
        return Err(error.into());
    }
    let formula = simplify(&mut formulas, formula);
    if formulas.has_past(formula) {
        let message = "a nondeterministic automaton is made of formulas about the future only";
        return Err(Diagnostic::error(codes::NOT_SUPPORTED, message)
            .help("leave out `--automaton nondeterministic`")
            .into());
    }
    let name = |atom: AtomId| match formulas.atom(atom) {
        Atom::Condition(expr) => match &expr.kind {
            ExprKind::Name(path) => Some(path.join(".")),
            _ => Some(expr.to_string()),
        },
        Atom::Past(_) => None,
    };
    let mut propositions = Vec::new();
    for own in spec.inputs.iter().chain(&spec.outputs) {
        let mut atoms = formulas.atom_ids();
        if let Some(atom) = atoms.find(|atom| name(*atom).as_ref() == Some(own)) {
            propositions.push(Proposition {
                name: own.clone(),
                atom,
            });
        }
    }
    for atom in formulas.atoms_of(formula) {
        if !propositions.iter().any(|known| known.atom == atom) {
            let text = name(atom).unwrap_or_default();
            let message = format!("`{text}` is no signal, and automata are about signals");
            return Err(Diagnostic::error(codes::NOT_SUPPORTED, message)
                .help("leave out `--automaton nondeterministic`")
                .into());
        }
    }
    let found = generalized_buchi(&mut formulas, formula, limits);
    Ok(found.map(|automaton| Automaton {
        propositions,
        ..automaton
    }))
}
