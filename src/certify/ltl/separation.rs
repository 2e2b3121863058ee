//! Checks that a system can make assumptions fail, or that the environment can keep them.
//!
//! Enters: a specification in LTL, indices of assumptions among its parts, and who gives a
//! strategy for the specifications that are asked about here. Leaves: a certified answer. What is
//! asked is whether the specification with these assumptions and a guarantee that never holds is
//! realizable: such a system breaks some assumption on every run [MR16]. An environment that
//! breaks one of its own accord was not forced to, and then this specification is not realizable.
//!
//! Systems that keep their own safety meanwhile [MR16, Def. 4] are not asked about: a formula such as
//! `x -> X a` is false at the step of `x`, before the environment has done anything, so the formulas
//! do not say who broke safety first.

use super::verdicts::{Prover, and_each, names, proved, without};
use crate::bdd::Limits;
use crate::certify::check::Judgement;
use crate::certify::{Check, ForcedAssumptions, ForcedCore, KeptAssumptions};
use crate::source::Diagnostic;
use crate::spec::ltl::{LtlSpec, Part, Section};

/// The specification of a system that makes some of the assumptions fail, whatever the inputs are.
pub fn forcing(spec: &LtlSpec, assumptions: &[usize]) -> LtlSpec {
    let mut question = spec.with_parts(assumptions);
    question.is_strict = false;
    let formula = question.formulas.constant(false);
    question.parts.push(Part {
        section: Section::Guarantee,
        name: "failure".to_string(),
        span: None,
        formula,
    });
    question
}

/// Whether a system can make one of these assumptions fail on every run.
pub fn forced_assumptions(
    spec: &LtlSpec,
    members: &[usize],
    limits: &Limits,
    prove: &mut Prover<'_>,
) -> Result<Check<ForcedAssumptions>, Vec<Diagnostic>> {
    let judgement = asked(spec, members, true, limits, prove)?;
    Ok(judgement.of(ForcedAssumptions {
        assumptions: names(spec, members),
    }))
}

/// The same, and that it cannot without any one of them.
pub fn forced_core(
    spec: &LtlSpec,
    members: &[usize],
    limits: &Limits,
    prove: &mut Prover<'_>,
) -> Result<Check<ForcedCore>, Vec<Diagnostic>> {
    let forced = asked(spec, members, true, limits, prove)?;
    let judgement = and_each(forced, members, &mut |member| {
        asked(spec, &without(members, member), false, limits, prove)
    })?;
    Ok(judgement.of(ForcedCore {
        assumptions: names(spec, members),
    }))
}

/// Whether the environment can keep these assumptions whatever the system does.
pub fn kept_assumptions(
    spec: &LtlSpec,
    members: &[usize],
    limits: &Limits,
    prove: &mut Prover<'_>,
) -> Result<Check<KeptAssumptions>, Vec<Diagnostic>> {
    let judgement = asked(spec, members, false, limits, prove)?;
    Ok(judgement.of(KeptAssumptions {
        assumptions: names(spec, members),
    }))
}

/// Whether some assumptions can be made to fail, or whether they cannot.
fn asked(
    spec: &LtlSpec,
    members: &[usize],
    is_forced: bool,
    limits: &Limits,
    prove: &mut Prover<'_>,
) -> Result<Judgement, Vec<Diagnostic>> {
    let what = format!("from holding at once: {}", names(spec, members).join(", "));
    proved(&forcing(spec, members), prove, is_forced, &what, limits)
}
