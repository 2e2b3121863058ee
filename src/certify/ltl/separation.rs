//! Checks that a system can make assumptions fail, or that the environment can keep them.
//!
//! Enters: a specification in LTL, indices of assumptions among its parts, and who gives a
//! strategy for the specifications that are asked about here. Leaves: a certified answer. What is
//! asked is whether the specification with these assumptions and a guarantee that never holds is
//! realizable: such a system breaks some assumption on every run [MR16]. An environment that
//! breaks one of its own accord was not forced to, and then this specification is not realizable.
//!
//! A system that has to keep its own safety [MR16, Def. 4] keeps what its guarantees say of single
//! steps until the environment has broken such an assumption, as under the strict semantics of
//! \[JKS16\], whichever the specification has.

use super::verdicts::{Prover, names, proved, without};
use crate::bdd::Limits;
use crate::certify::check::Judgement;
use crate::certify::gr1::Against;
use crate::certify::{Check, ForcedAssumptions, ForcedCore, KeptAssumptions};
use crate::expr::TemporalUnary;
use crate::source::Diagnostic;
use crate::spec::class::{Class, classify};
use crate::spec::formula::FALSE;
use crate::spec::ltl::{LtlSpec, Part, Section};
use crate::spec::{Formula, FormulaId, Formulas, split_conjunction};

/// The specification of a system that makes some of the assumptions fail, whatever the inputs are.
pub fn forcing(spec: &LtlSpec, assumptions: &[usize], against: Against) -> LtlSpec {
    let mut question = spec.with_parts(assumptions);
    question.is_strict = against == Against::SafeSystems;
    if against == Against::SafeSystems {
        let parts = std::mem::take(&mut question.parts);
        for part in &parts {
            add_by_kind(&mut question, part);
        }
        for part in spec.parts.iter().filter(|one| !one.section.is_assumption()) {
            add_by_kind(&mut question, part);
        }
    }
    let formula = question.formulas.constant(false);
    question.parts.push(Part {
        section: Section::Guarantee,
        name: "failure".to_string(),
        span: None,
        formula,
    });
    question
}

/// Adds the conjuncts of a part to the sections that are theirs under the strict semantics;
/// guarantees only as far as they are safe.
fn add_by_kind(question: &mut LtlSpec, part: &Part) {
    let formulas = &mut question.formulas;
    let whole = match part.section {
        Section::Require | Section::Assert => formulas.globally(part.formula),
        _ => part.formula,
    };
    for (number, formula) in (1..).zip(split_conjunction(formulas, whole)) {
        let is_safe = classify(formulas, formula) == Class::Safety;
        let body = match *formulas.get(formula) {
            Formula::Unary(TemporalUnary::Globally, body) => Some(body),
            _ => None,
        };
        let body = body.filter(|body| classify(formulas, *body) == Class::Safety);
        let (section, formula) = match (part.section.is_assumption(), body) {
            (true, Some(body)) => (Section::Require, body),
            (true, None) if formula == FALSE => (never(formulas, whole), FALSE),
            (true, None) if formulas.is_boolean(formula) => (Section::Initially, formula),
            (true, None) => (Section::Assume, formula),
            (false, Some(body)) => (Section::Assert, body),
            (false, None) if is_safe => (Section::Preset, formula),
            (false, None) => continue,
        };
        question.parts.push(Part {
            section,
            name: format!("{}/{number}", part.name),
            span: part.span,
            formula,
        });
    }
}

/// Where an assumption stands of which only `false` is left: it tells when it is broken.
fn never(formulas: &mut Formulas, written: FormulaId) -> Section {
    if formulas.is_boolean(written) {
        Section::Initially
    } else if classify(formulas, written) == Class::Safety {
        Section::Require
    } else {
        Section::Assume
    }
}

/// Whether a system can make one of these assumptions fail on every run.
pub fn forced_assumptions(
    spec: &LtlSpec,
    members: &[usize],
    against: Against,
    limits: &Limits,
    prove: &mut Prover<'_>,
) -> Result<Check<ForcedAssumptions>, Vec<Diagnostic>> {
    let asked = forcing(spec, members, against);
    let judgement = proved(&asked, prove, true, &what(spec, members), limits)?;
    Ok(judgement.of(ForcedAssumptions {
        assumptions: names(spec, members),
        against,
    }))
}

/// The same, and that it cannot without any one of them.
pub fn forced_core(
    spec: &LtlSpec,
    members: &[usize],
    against: Against,
    limits: &Limits,
    prove: &mut Prover<'_>,
) -> Result<Check<ForcedCore>, Vec<Diagnostic>> {
    let mut ask = |members: &[usize], realizable: bool| {
        let asked = forcing(spec, members, against);
        proved(&asked, prove, realizable, &what(spec, members), limits)
    };
    let mut judgement = ask(members, true)?;
    for member in members {
        if !matches!(judgement, Judgement::Confirmed) {
            break;
        }
        judgement = ask(&without(members, *member), false)?;
    }
    Ok(judgement.of(ForcedCore {
        assumptions: names(spec, members),
        against,
    }))
}

/// Whether the environment can keep these assumptions whatever the system does.
pub fn kept_assumptions(
    spec: &LtlSpec,
    members: &[usize],
    against: Against,
    limits: &Limits,
    prove: &mut Prover<'_>,
) -> Result<Check<KeptAssumptions>, Vec<Diagnostic>> {
    let asked = forcing(spec, members, against);
    let judgement = proved(&asked, prove, false, &what(spec, members), limits)?;
    Ok(judgement.of(KeptAssumptions {
        assumptions: names(spec, members),
        against,
    }))
}

fn what(spec: &LtlSpec, members: &[usize]) -> String {
    format!("from holding at once: {}", names(spec, members).join(", "))
}
