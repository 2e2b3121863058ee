//! Guarantees to weaken in a specification in LTL that nobody can satisfy.
//!
//! A conjunct without which it is realizable need not go altogether. Tried are, in this order: a
//! later answer, `F q` in the place of `q` or `X q` in an invariant; an escape, values of signals
//! with which an invariant or a recurrence need not hold, found as in `explain/weaken.rs`; and the
//! same from some time on (`F G p`) or again and again (`G F p`). Of those with which the
//! specification is realizable the first is shown, unless another one is stronger, which the model
//! checker decides.
//!
//! Nothing of this vouches for an answer: `certify` checks that what is shown follows from the
//! guarantee, and is enough.

use super::ground::{Common, Ground, with_whole};
use super::job::items;
use super::signals_of;
use crate::certify::Check;
use crate::certify::ltl::{implies, replaced, weakened_guarantee};
use crate::explain::answer::Weakening;
use crate::explain::candidates::Literal;
use crate::expr::TemporalUnary;
use crate::spec::formula::TRUE;
use crate::spec::ltl::LtlSpec;
use crate::spec::{Formula, FormulaId, Formulas};
use crate::synth::ltl::Failure;

/// So many guarantees are weakened.
const MOST: usize = 3;
/// An escape has at most so many signals: more are hard to read.
const MOST_LITERALS: usize = 4;

/// Weakened guarantees, as far as the limits let them be found.
pub fn weakenings(ground: &mut Ground<'_>) -> (Vec<Weakening>, Option<Failure>) {
    let mut found = Vec::new();
    // The last one is often the one that was added last.
    for guarantee in ground.core.iter().rev() {
        if found.len() == MOST {
            break;
        }
        // Nobody can change what no text says.
        if !ground.spec.is_written(&ground.spec.parts[*guarantee]) {
            continue;
        }
        match weakening(ground, *guarantee) {
            Ok(weakening) => found.extend(weakening),
            Err(failure) => return (found, Some(failure)),
        }
    }
    (found, None)
}

fn weakening(ground: &mut Ground<'_>, guarantee: usize) -> Result<Option<Weakening>, Failure> {
    let spec = ground.spec;
    let rest: Vec<usize> = (0..spec.parts.len())
        .filter(|one| *one != guarantee)
        .collect();
    if ground.solver.realizable(&spec.with_parts(&rest))? != Some(true) {
        return Ok(None);
    }
    let (mut spec, own) = with_whole(spec, guarantee);
    let mut tried = later(&mut spec, own);
    for only_needed in [true, false] {
        tried.extend(escape(ground, &mut spec, guarantee, own, only_needed)?);
    }
    tried.extend(in_the_long_run(&mut spec.formulas, own));
    let mut enough = Vec::new();
    for formula in tried {
        let is_new = !enough.contains(&formula);
        let changed = replaced(&spec, guarantee, formula);
        if is_new && ground.solver.realizable(&changed)? == Some(true) {
            match implies(&spec, TRUE, formula, &ground.limits)? {
                Some(false) => enough.push(formula),
                Some(true) => {}
                None => ground.solver.open += 1,
            }
        }
    }
    let Some(strongest) = strongest(ground, &spec, &enough)? else {
        return Ok(None);
    };
    certified(ground, &spec, guarantee, strongest)
}

/// The first of some formulas that no other one is stronger than.
fn strongest(
    ground: &Ground<'_>,
    spec: &LtlSpec,
    formulas: &[FormulaId],
) -> Result<Option<FormulaId>, Failure> {
    let Some(mut best) = formulas.first().copied() else {
        return Ok(None);
    };
    for other in &formulas[1..] {
        let limits = &ground.limits;
        if implies(spec, *other, best, limits)? == Some(true)
            && implies(spec, best, *other, limits)? == Some(false)
        {
            best = *other;
        }
    }
    Ok(Some(best))
}

fn certified(
    ground: &mut Ground<'_>,
    spec: &LtlSpec,
    guarantee: usize,
    formula: FormulaId,
) -> Result<Option<Weakening>, Failure> {
    let changed = replaced(spec, guarantee, formula);
    let Common::Play(play) = ground.common_play(&changed)? else {
        return Ok(None);
    };
    let limits = ground.limits.clone();
    let mut prove = ground.prover();
    let found = weakened_guarantee(spec, guarantee, formula, &play, &limits, &mut prove)?;
    let shown = items(spec, &[guarantee]).pop();
    let instead = items(&changed, &[guarantee]).pop();
    match (found, shown) {
        (Check::Certified(certified), Some(guarantee)) => Ok(Some(Weakening {
            guarantee,
            replacement: certified.replacement.clone(),
            written: instead.and_then(|item| item.written),
            certified,
        })),
        (Check::Unknown(error), _) => Err(Failure::Limit(error)),
        _ => Ok(None),
    }
}

/// The guarantee with values of signals with which it need not hold, as many as still make the
/// specification realizable; if only needed ones are asked for, those in the place of which no
/// other would.
fn escape(
    ground: &mut Ground<'_>,
    spec: &mut LtlSpec,
    guarantee: usize,
    own: FormulaId,
    only_needed: bool,
) -> Result<Option<FormulaId>, Failure> {
    let variables: Vec<_> = ground.variables.iter().copied().collect();
    let mut literals: Vec<Literal> = Vec::new();
    let mut best = None;
    for variable in variables {
        if literals.len() == MOST_LITERALS {
            break;
        }
        let mut enough = Vec::new();
        for value in [0, 1] {
            literals.push(Literal {
                variable,
                value,
                is_equal: true,
            });
            let formula = escaped(ground, &mut spec.formulas, own, &literals);
            if let Some(formula) = formula
                && ground
                    .solver
                    .realizable(&replaced(spec, guarantee, formula))?
                    == Some(true)
            {
                enough.push((literals[literals.len() - 1], formula));
            }
            literals.pop();
            let is_decided = enough.len() > usize::from(only_needed);
            if is_decided {
                break;
            }
        }
        let taken = match (only_needed, enough.as_slice()) {
            (true, [one]) | (false, [one, ..]) => *one,
            _ => continue,
        };
        literals.push(taken.0);
        best = Some(taken.1);
    }
    Ok(best)
}

/// An invariant or a recurrence that need not hold where all literals do.
fn escaped(
    ground: &Ground<'_>,
    formulas: &mut Formulas,
    own: FormulaId,
    literals: &[Literal],
) -> Option<FormulaId> {
    let Formula::Unary(TemporalUnary::Globally, body) = *formulas.get(own) else {
        return None;
    };
    let literals = literals.iter();
    let literals: Vec<FormulaId> = literals.map(|one| ground.literal(formulas, *one)).collect();
    let escape = formulas.and(literals);
    let body = match *formulas.get(body) {
        Formula::Unary(TemporalUnary::Finally, again) => {
            let again = formulas.or([again, escape]);
            formulas.finally(again)
        }
        _ => formulas.or([body, escape]),
    };
    Some(formulas.globally(body))
}

/// An invariant with a later answer: `F q` for one of the alternatives that the system has a part
/// in, `q` or `X q`.
fn later(spec: &mut LtlSpec, own: FormulaId) -> Vec<FormulaId> {
    let Formula::Unary(TemporalUnary::Globally, body) = *spec.formulas.get(own) else {
        return Vec::new();
    };
    let alternatives = match spec.formulas.get(body) {
        Formula::Or(operands) => operands.to_vec(),
        _ => return Vec::new(),
    };
    let mut found = Vec::new();
    // What an implication asks for stands behind what it is asked under, which is negated.
    for (place, alternative) in alternatives.iter().enumerate().rev() {
        if matches!(spec.formulas.get(*alternative), Formula::Not(_)) {
            continue;
        }
        let names = signals_of(&spec.formulas, *alternative);
        if !names.iter().any(|name| spec.outputs.contains(name)) {
            continue;
        }
        let mut answer = *alternative;
        while let Formula::Unary(TemporalUnary::Next, inner) = *spec.formulas.get(answer) {
            answer = inner;
        }
        let mut others = alternatives.clone();
        others[place] = spec.formulas.finally(answer);
        let body = spec.formulas.or(others);
        found.push(spec.formulas.globally(body));
    }
    found
}

/// An invariant from some time on, or again and again.
fn in_the_long_run(formulas: &mut Formulas, own: FormulaId) -> Vec<FormulaId> {
    match *formulas.get(own) {
        Formula::Unary(TemporalUnary::Globally, body)
            if !matches!(
                formulas.get(body),
                Formula::Unary(TemporalUnary::Finally, _)
            ) =>
        {
            let again = formulas.finally(body);
            vec![formulas.finally(own), formulas.globally(again)]
        }
        _ => Vec::new(),
    }
}
