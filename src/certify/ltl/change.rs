//! Checks that a changed specification is realizable, and not by a trick.
//!
//! Enters: a specification in LTL that nobody can satisfy, with assumptions added or a guarantee
//! that is to be weaker; a play; and who gives a strategy for the specifications that are asked
//! about here. Leaves: a certified answer. As for GR(1) (`certify/gr1/change.rs`), whoever gives
//! strategies is not trusted, and
//!
//! - the changed specification is realizable, and without any one of the added assumptions it
//!   is not;
//! - one play keeps every assumption and meets every guarantee: a circuit that plays it is
//!   model-checked against all of them;
//! - the environment can keep the assumptions whatever the system does. Where it could not keep
//!   its assumptions before either, those among them that are not safe are left out;
//! - what stands in the place of a guarantee follows from it.
//!
//! That no play keeps both sides, so that no assumption can help, is shown by a strategy against a
//! system that sets all signals.

use super::countertrace::player;
use super::separation::forcing;
use super::verdicts::{Prover, and_each, indices, names, proved, without};
use super::{Winner, controller};
use crate::bdd::Limits;
use crate::certify::check::Judgement;
use crate::certify::gr1::Against;
use crate::certify::parts::is_safe;
use crate::certify::{
    AddedAssumptions, Check, NoCommonPlay, RealizabilityCheck, WeakenedGuarantee,
};
use crate::design::{Design, InputKind};
use crate::expr::TemporalUnary;
use crate::run::Run;
use crate::source::Diagnostic;
use crate::spec::ltl::{LtlSpec, Part, Requirements, Section};
use crate::spec::{Formula, FormulaId};

/// The specification of a system that sets all signals and keeps both sides.
pub fn together(spec: &LtlSpec) -> LtlSpec {
    let mut all = LtlSpec {
        inputs: Vec::new(),
        outputs: spec.inputs.iter().chain(&spec.outputs).cloned().collect(),
        formulas: spec.formulas.clone(),
        observer: spec.observer.clone(),
        ..LtlSpec::default()
    };
    let parts = spec.parts.iter().map(|part| Part {
        section: match part.section {
            Section::Require | Section::Assert => Section::Assert,
            _ => Section::Guarantee,
        },
        ..part.clone()
    });
    all.parts = parts.collect();
    all
}

/// The specification with a formula in the place of a guarantee.
pub fn replaced(spec: &LtlSpec, guarantee: usize, formula: FormulaId) -> LtlSpec {
    let mut changed = spec.clone();
    let part = &mut changed.parts[guarantee];
    (part.section, part.formula) = match (part.section, spec.formulas.get(formula)) {
        (Section::Assert, Formula::Unary(TemporalUnary::Globally, body)) => {
            (Section::Assert, *body)
        }
        (Section::Assert, _) => (Section::Guarantee, formula),
        (section, _) => (section, formula),
    };
    changed
}

/// Whether the specification, which has the added assumptions among its parts, is realizable with
/// them, needs each of them, and is no trap for the environment.
pub fn added_assumptions(
    spec: &LtlSpec,
    added: &[usize],
    play: &Run,
    limits: &Limits,
    prove: &mut Prover<'_>,
) -> Result<Check<AddedAssumptions>, Vec<Diagnostic>> {
    let answer = AddedAssumptions {
        assumptions: names(spec, added),
        against: Against::AnySystem,
    };
    let mut judgement = keeps_everything(spec, play, limits)?;
    if matches!(judgement, Judgement::Confirmed) {
        judgement = proved(spec, prove, true, "the changed specification", limits)?;
    }
    let everything: Vec<usize> = (0..spec.parts.len()).collect();
    judgement = and_each(judgement, added, &mut |one| {
        let asked = spec.with_parts(&without(&everything, one));
        proved(&asked, prove, false, "it without an assumption", limits)
    })?;
    if matches!(judgement, Judgement::Confirmed) {
        judgement = no_trap(spec, added, limits, prove)?;
    }
    Ok(judgement.of(answer))
}

/// Whether the environment can keep all assumptions; or, if it could not before either, the added
/// ones with those of the old ones that are safe.
fn no_trap(
    spec: &LtlSpec,
    added: &[usize],
    limits: &Limits,
    prove: &mut Prover<'_>,
) -> Result<Judgement, Vec<Diagnostic>> {
    let all = indices(spec, true);
    let mut can_keep = |members: &[usize], wanted: bool| {
        let asked = forcing(spec, members);
        proved(&asked, prove, !wanted, "assumptions from holding", limits)
    };
    let all_kept = can_keep(&all, true)?;
    if !matches!(all_kept, Judgement::Fails(_)) {
        return Ok(all_kept);
    }
    let is_old = |index: &usize| !added.contains(index);
    let old: Vec<usize> = all.iter().copied().filter(is_old).collect();
    match can_keep(&old, false)? {
        Judgement::Confirmed => {}
        // It could be kept, so what was added is a trap.
        Judgement::Fails(_) => return Ok(all_kept),
        unknown @ Judgement::Unknown(_) => return Ok(unknown),
    }
    let is_safe = |index: &usize| is_safe(&spec.formulas, spec.parts[*index].formula);
    let stays = |index: &usize| added.contains(index) || is_safe(index);
    let rest: Vec<usize> = all.iter().copied().filter(stays).collect();
    can_keep(&rest, true)
}

/// Whether the specification is realizable with a formula in the place of a guarantee from which
/// it follows.
pub fn weakened_guarantee(
    spec: &LtlSpec,
    guarantee: usize,
    formula: FormulaId,
    play: &Run,
    limits: &Limits,
    prove: &mut Prover<'_>,
) -> Result<Check<WeakenedGuarantee>, Vec<Diagnostic>> {
    let changed = replaced(spec, guarantee, formula);
    let answer = WeakenedGuarantee {
        guarantee: spec.parts[guarantee].name.clone(),
        replacement: spec.text(formula),
    };
    let mut known = spec.clone();
    let given = whole(&mut known, guarantee);
    let mut judgement = implication(&known, given, formula, limits)?;
    if matches!(judgement, Judgement::Confirmed) {
        judgement = keeps_everything(&changed, play, limits)?;
    }
    if matches!(judgement, Judgement::Confirmed) {
        judgement = proved(&changed, prove, true, "the changed specification", limits)?;
    }
    Ok(judgement.of(answer))
}

/// What a part says of a whole run.
pub fn whole(spec: &mut LtlSpec, part: usize) -> FormulaId {
    let part = &spec.parts[part];
    match part.section {
        Section::Require | Section::Assert => spec.formulas.globally(part.formula),
        _ => part.formula,
    }
}

/// Whether a formula of a specification holds on all runs on which another one does; `None` if
/// that stays open.
pub fn implies(
    spec: &LtlSpec,
    stronger: FormulaId,
    weaker: FormulaId,
    limits: &Limits,
) -> Result<Option<bool>, Vec<Diagnostic>> {
    Ok(match implication(spec, stronger, weaker, limits)? {
        Judgement::Confirmed => Some(true),
        Judgement::Fails(_) => Some(false),
        Judgement::Unknown(_) => None,
    })
}

fn implication(
    spec: &LtlSpec,
    stronger: FormulaId,
    weaker: FormulaId,
    limits: &Limits,
) -> Result<Judgement, Vec<Diagnostic>> {
    // All signals are free.
    let mut circuit = Design::new();
    for name in spec.inputs.iter().chain(&spec.outputs) {
        let id = circuit.add_input(InputKind::Environment);
        circuit.set_name(id, name.clone());
    }
    let requirements = Requirements {
        formulas: spec.formulas.clone(),
        start: Vec::new(),
        assumptions: Vec::new(),
        goals: Vec::new(),
        observer: spec.observer.clone(),
    };
    let winner = Winner {
        requirements: &requirements,
        order: spec.order,
        circuit: &circuit,
        limits,
    };
    Ok(winner.check(&[stronger], &[weaker])?.0)
}

/// Whether a run that repeats its end keeps all parts of both sides.
fn keeps_everything(
    spec: &LtlSpec,
    play: &Run,
    limits: &Limits,
) -> Result<Judgement, Vec<Diagnostic>> {
    if play.loop_start.is_none_or(|start| start >= play.steps) {
        return Ok(Judgement::Fails("the play has an end".to_string()));
    }
    let asked = together(spec);
    // The circuit drives what would otherwise be inputs.
    let driven = LtlSpec {
        inputs: asked.outputs.clone(),
        ..LtlSpec::default()
    };
    Ok(match controller(&asked, &player(&driven, play), limits)? {
        RealizabilityCheck::Certified(_) => Judgement::Confirmed,
        RealizabilityCheck::NotShown(part) => Judgement::Fails(part),
        RealizabilityCheck::Unknown(error) => Judgement::Unknown(error),
    })
}

/// Whether no play keeps all parts of both sides.
pub fn no_common_play(
    spec: &LtlSpec,
    limits: &Limits,
    prove: &mut Prover<'_>,
) -> Result<Check<NoCommonPlay>, Vec<Diagnostic>> {
    let judgement = proved(&together(spec), prove, false, "both sides", limits)?;
    Ok(judgement.of(NoCommonPlay {
        specification: spec.title.clone(),
    }))
}
