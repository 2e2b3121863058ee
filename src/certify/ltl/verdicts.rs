//! Whether a strategy that somebody gives shows who wins a specification.

use super::{controller, counterstrategy};
use crate::bdd::{self, Limits};
use crate::certify::check::Judgement;
use crate::certify::{Realizability, RealizabilityCheck};
use crate::design::Design;
use crate::source::Diagnostic;
use crate::spec::ltl::LtlSpec;

/// A circuit that is said to win a specification.
#[derive(Clone, Debug)]
pub struct Strategy {
    /// Whether it is the system's; otherwise it drives the inputs.
    pub is_controller: bool,
    pub circuit: Design,
}

/// Gives a strategy for whatever specification is asked about; `None` if none is known.
pub type Prover<'a> = dyn FnMut(&LtlSpec) -> bdd::Result<Option<Strategy>> + 'a;

/// Whether a strategy shows that a specification is realizable, or that it is not. `what` is what
/// a system keeps then.
pub(super) fn shows(
    asked: &LtlSpec,
    strategy: Option<&Strategy>,
    realizable: bool,
    what: &str,
    limits: &Limits,
) -> Result<Judgement, Vec<Diagnostic>> {
    let Some(strategy) = strategy else {
        return Ok(Judgement::Fails(format!(
            "nobody has a strategy for {what}"
        )));
    };
    let check = if strategy.is_controller {
        controller(asked, &strategy.circuit, limits)?
    } else {
        counterstrategy(asked, &strategy.circuit, limits)?
    };
    Ok(match check {
        RealizabilityCheck::Certified(verdict) if verdict.is_realizable() == realizable => {
            Judgement::Confirmed
        }
        RealizabilityCheck::Certified(Realizability::Realizable(_)) => {
            Judgement::Fails(format!("some system keeps {what}"))
        }
        RealizabilityCheck::Certified(Realizability::Unrealizable(_)) => {
            Judgement::Fails(format!("no system keeps {what}"))
        }
        RealizabilityCheck::NotShown(reason) => Judgement::Fails(reason),
        RealizabilityCheck::Unknown(error) => Judgement::Unknown(error),
    })
}

/// The same with the strategy that a prover gives.
pub(super) fn proved(
    asked: &LtlSpec,
    prove: &mut Prover<'_>,
    realizable: bool,
    what: &str,
    limits: &Limits,
) -> Result<Judgement, Vec<Diagnostic>> {
    match prove(asked) {
        Ok(strategy) => shows(asked, strategy.as_ref(), realizable, what, limits),
        Err(error) => Ok(Judgement::Unknown(error)),
    }
}

/// What one question comes to, and if that is confirmed, each of some more.
pub(super) fn and_each(
    first: Judgement,
    members: &[usize],
    ask: &mut dyn FnMut(usize) -> Result<Judgement, Vec<Diagnostic>>,
) -> Result<Judgement, Vec<Diagnostic>> {
    let mut judgement = first;
    for member in members {
        if !matches!(judgement, Judgement::Confirmed) {
            break;
        }
        judgement = ask(*member)?;
    }
    Ok(judgement)
}

/// The parts that the environment has to keep, or those of the system.
pub(super) fn indices(spec: &LtlSpec, assumed: bool) -> Vec<usize> {
    let parts = spec.parts.iter().enumerate();
    parts
        .filter(|(_, part)| part.section.is_assumption() == assumed)
        .map(|(index, _)| index)
        .collect()
}

pub(super) fn without(members: &[usize], left_out: usize) -> Vec<usize> {
    let members = members.iter().copied();
    members.filter(|member| *member != left_out).collect()
}

pub(super) fn names(spec: &LtlSpec, parts: &[usize]) -> Vec<String> {
    let parts = parts.iter();
    parts.map(|index| spec.parts[*index].name.clone()).collect()
}
