//! Properties that hold without saying anything.
//!
//! An implication whose antecedent never happens holds whatever its consequent says, and a
//! tautology holds in every design. Both are claims about all runs, and model-checked: that no
//! run which keeps the assumptions covers the antecedent; and that the property also holds if
//! each named signal of the design has any value in each step. The assumptions that cannot be
//! kept are the subject of `assumptions`.

use super::{Certified, Evidence, Fails, Options, Problem, Semantics, Verdict};
use crate::bdd::Limits;
use crate::design::{Design, InputKind, Node, NodeId, Reach};
use crate::expr::Role;
use crate::source::{Diagnostic, Span};
use crate::spec::{Property, Spec};
use crate::subject::Subject;

/// Look-ups of the computed table that a proof of a tautology may take.
const TAUTOLOGY_EFFORT: u64 = 100_000;

/// The same for an invariant that is shown, and how many clauses it may have.
const INVARIANT_EFFORT: u64 = 1_000_000;
const MOST_CLAUSES: usize = 4;

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
    /// What holds in every state that is reached and keeps the antecedent from happening, as
    /// expressions, where that takes few words.
    pub invariant: Vec<String>,
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
        // This is a warning; where time is over, there is none.
        if limits.check().is_err() {
            break;
        }
        let mut invariant = Vec::new();
        let kind = if let Some(cover) = unreachable(subject, *property, limits)? {
            invariant = cover.invariant(limits);
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
            invariant,
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

/// The assertions among these whose antecedents happen on some run that keeps the assumptions.
pub fn happening(
    subject: &Subject,
    properties: &[String],
    limits: &Limits,
) -> Result<Vec<String>, Diagnostic> {
    let mut happening = Vec::new();
    for (index, property) in subject.spec.properties.iter().enumerate() {
        if property.role != Role::Assert || !properties.contains(&property.name) {
            continue;
        }
        let Some(cover) = AntecedentCover::new(subject, index) else {
            continue;
        };
        if matches!(cover.verdict(limits)?, Verdict::Fails(_)) {
            happening.push(property.name.clone());
        }
    }
    Ok(happening)
}

/// The antecedent of an assertion as a cover statement, which is the last property.
struct AntecedentCover {
    spec: Spec,
    problem: Problem,
}

impl AntecedentCover {
    /// `None` if the assertion has no antecedent.
    fn new(subject: &Subject, property: usize) -> Option<AntecedentCover> {
        let property = &subject.spec.properties[property];
        let antecedent = subject.spec.antecedent(&property.name)?;
        let mut spec = subject.spec.clone();
        spec.properties.retain(|one| one.role == Role::Assume);
        spec.properties.push(Property {
            role: Role::Cover,
            formula: antecedent.formula,
            ..property.clone()
        });
        let problem = Problem::new(&subject.design, &spec).ok()?;
        Some(AntecedentCover { spec, problem })
    }

    fn index(&self) -> usize {
        self.spec.properties.len() - 1
    }

    /// Fails on the runs that cover it.
    fn verdict(&self, limits: &Limits) -> Result<Verdict, Diagnostic> {
        self.problem.check(self.index(), &options(limits.clone()))
    }

    /// Why it is never covered, if that takes few words.
    fn invariant(&self, limits: &Limits) -> Vec<String> {
        let options = options(Limits {
            lookups: Some(INVARIANT_EFFORT),
            ..limits.clone()
        });
        let found = self
            .problem
            .certificate_of_clauses(&self.spec, &[self.index()], &options);
        let clauses = found.ok().and_then(|found| found.clauses());
        clauses
            .filter(|clauses| clauses.len() <= MOST_CLAUSES)
            .unwrap_or_default()
    }
}

/// An antecedent that is proved unreachable.
fn unreachable(
    subject: &Subject,
    property: usize,
    limits: &Limits,
) -> Result<Option<AntecedentCover>, Diagnostic> {
    let Some(cover) = AntecedentCover::new(subject, property) else {
        return Ok(None);
    };
    let verdict = cover.verdict(limits)?;
    Ok((verdict == Verdict::Holds).then_some(cover))
}

fn is_tautology(subject: &Subject, property: usize, limits: &Limits) -> Result<bool, Diagnostic> {
    if !subject.names_every_signal() || limits.check().is_err() {
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
    let has_name = |id: &NodeId| design.name(*id).is_some() && !design.is_hidden(*id);
    for id in design.node_ids().filter(has_name) {
        if matches!(design.node(id), Node::And(..)) {
            free.replace(id, Node::Input(InputKind::Environment));
        }
    }
    free.free_latches(design.latches().iter().copied().filter(has_name));
    free
}

fn options(limits: Limits) -> Options {
    Options {
        limits,
        semantics: Semantics::Strict,
        ..Options::default()
    }
}
