//! Properties that hold without saying anything.
//!
//! An implication whose antecedent never happens holds whatever its consequent says, and a
//! tautology holds in every design. Both are claims about all runs, and model-checked: that no
//! run which keeps the assumptions covers the antecedent; and that the property also holds if
//! each named signal of the design has any value in each step. The assumptions that cannot be
//! kept are the subject of `assumptions`.

use super::{Certified, Evidence, Fails, Options, Problem, Semantics, Verdict};
use crate::bdd::Limits;
use crate::design::{Design, InputKind, Node, Reach};
use crate::expr::Role;
use crate::source::{Diagnostic, Span};
use crate::spec::Property;
use crate::subject::Subject;

/// Look-ups of the computed table that a proof of a tautology may take.
const TAUTOLOGY_EFFORT: u64 = 100_000;

/// Why a property that holds says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VacuityKind {
    AntecedentNeverHappens,
    Tautology,
}

/// A property that holds and says nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vacuity {
    /// Its index in the specification.
    pub property: usize,
    pub name: String,
    pub kind: VacuityKind,
    /// Where the antecedent stands.
    pub span: Option<Span>,
}

/// Which of these assertions, all of which hold, are vacuous. What is not decided within the
/// limits is not called so.
pub fn vacuities(
    subject: &Subject,
    holding: &[usize],
    limits: &Limits,
) -> Result<Vec<Certified<Vacuity>>, Diagnostic> {
    let mut found = Vec::new();
    for property in holding {
        let kind = if never_happens(subject, *property, limits)? {
            VacuityKind::AntecedentNeverHappens
        } else if is_tautology(subject, *property, limits)? {
            VacuityKind::Tautology
        } else {
            continue;
        };
        let name = subject.spec.properties[*property].name.clone();
        let antecedent = subject.spec.antecedent(&name);
        let vacuity = Vacuity {
            property: *property,
            kind,
            span: antecedent.and_then(|one| one.span),
            name,
        };
        found.push(Certified::new(vacuity, Evidence::ModelChecked));
    }
    Ok(found)
}

impl Certified<Vacuity> {
    /// The same as a failure, for those who ask that properties say something.
    pub fn as_failure(&self) -> Certified<Fails> {
        let fails = Fails {
            property: self.name.clone(),
            run: None,
        };
        Certified::new(fails, self.evidence().clone())
    }
}

/// Whether an antecedent is proved unreachable.
fn never_happens(subject: &Subject, property: usize, limits: &Limits) -> Result<bool, Diagnostic> {
    let property = &subject.spec.properties[property];
    let Some(antecedent) = subject.spec.antecedent(&property.name) else {
        return Ok(false);
    };
    let mut spec = subject.spec.clone();
    spec.properties.retain(|one| one.role == Role::Assume);
    spec.properties.push(Property {
        role: Role::Cover,
        formula: antecedent.formula,
        ..property.clone()
    });
    let Ok(problem) = Problem::new(&subject.design, &spec) else {
        return Ok(false);
    };
    let options = options(limits.clone());
    let verdict = problem.check(spec.properties.len() - 1, &options)?;
    Ok(verdict == Verdict::Holds)
}

fn is_tautology(subject: &Subject, property: usize, limits: &Limits) -> Result<bool, Diagnostic> {
    if !subject.names_every_signal() {
        return Ok(false);
    }
    let mut spec = subject.spec.clone();
    spec.properties = vec![spec.properties[property].clone()];
    let Ok(problem) = Problem::new(&free(&subject.design), &spec) else {
        return Ok(false);
    };
    // What is about constants alone, such as parameters, is no statement about signals.
    let design = problem.design();
    let conditions = problem.literals_for(0);
    let cone = design.cone(conditions.iter().copied(), Reach::Run);
    let is_about_signals = cone.iter().any(|id| design.input_kind(id).is_some());
    if !conditions.is_empty() && !is_about_signals {
        return Ok(false);
    }
    let options = options(Limits {
        lookups: Some(TAUTOLOGY_EFFORT),
        ..limits.clone()
    });
    Ok(problem.check(0, &options)? == Verdict::Holds)
}

/// The design with an input in place of each signal that has a name.
fn free(design: &Design) -> Design {
    let mut free = design.clone();
    for id in design.node_ids() {
        let is_driven = matches!(design.node(id), Node::And(..) | Node::Latch(_));
        if is_driven && design.name(id).is_some() && !design.is_hidden(id) {
            free.replace(id, Node::Input(InputKind::Environment));
        }
    }
    free
}

fn options(limits: Limits) -> Options {
    Options {
        limits,
        semantics: Semantics::Strict,
        engine: super::Engine::Auto,
    }
}
