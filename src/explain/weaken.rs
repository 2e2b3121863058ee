//! Guarantees to weaken in a specification that nobody can satisfy.
//!
//! A guarantee without which it is realizable need not go altogether: it may hold but where an
//! escape does. The search starts with the escape that always holds, which gives the guarantee up,
//! and adds values of variables to it one by one as long as the specification stays realizable.
//! What is left excuses the system in as few situations as the variables of the conflict can
//! tell. `certify` checks the result.

use super::additions::{Ground, prover};
use super::answer;
use super::candidates::Literal;
use super::told;
use crate::bdd::{Error, Result};
use crate::certify::gr1::{Lasso, weakened_guarantee};
use crate::game::gr1::{Gr1Game, Selection};
use crate::spec::Semantics;
use crate::spec::gr1::{ConstraintId, Gr1, Kind, Side, TermId, VariableId};

/// So many guarantees are weakened.
const MOST: usize = 3;
/// An escape has at most so many variables: more are hard to read.
const MOST_LITERALS: usize = 4;
/// Domains with more values are left alone.
const MOST_VALUES: u64 = 8;

/// Weakened guarantees, as far as the limits let them be found; some of `guarantees`.
pub(super) fn weakenings(
    ground: &Ground<'_>,
    guarantees: &[ConstraintId],
) -> (Vec<answer::Weakening>, Option<Error>) {
    let mut found = Vec::new();
    for guarantee in guarantees {
        if found.len() == MOST {
            break;
        }
        match weakening(ground, *guarantee) {
            Ok(weakening) => found.extend(weakening),
            Err(error) => return (found, Some(error)),
        }
    }
    (found, None)
}

fn weakening(ground: &Ground<'_>, guarantee: ConstraintId) -> Result<Option<answer::Weakening>> {
    let base = ground.spec;
    if base.constraint(guarantee).kind == Kind::Initial {
        return Ok(None);
    }
    // Of a pattern or a trigger, no text says a part.
    let old = base.constraint(guarantee);
    if base.requirement_for_file(old.kind, old.term).is_none() {
        return Ok(None);
    }
    if !is_realizable(ground, guarantee, &[])? {
        return Ok(None);
    }
    // A value says something about the conflict if no other one would do.
    for only_needed in [true, false] {
        let escape = escape(ground, guarantee, only_needed)?;
        if !gives_up(ground, guarantee, &escape)? {
            return certified(ground, guarantee, &escape);
        }
    }
    Ok(None)
}

/// Values under which the guarantee need not hold, as many as still make the specification
/// realizable; if only needed ones are asked for, those in the place of which no other would.
fn escape(ground: &Ground<'_>, guarantee: ConstraintId, only_needed: bool) -> Result<Vec<Literal>> {
    let base = ground.spec;
    let mut escape: Vec<Literal> = Vec::new();
    let small = |id: &VariableId| {
        let variable = base.variable(*id);
        !variable.is_auxiliary() && (2..=MOST_VALUES).contains(&variable.domain.size())
    };
    let variables: Vec<VariableId> = ground.core.iter().copied().filter(small).collect();
    for variable in variables {
        if escape.len() == MOST_LITERALS {
            break;
        }
        let mut enough = Vec::new();
        for value in base.variable(variable).domain.values() {
            let literal = Literal {
                variable,
                value,
                is_equal: true,
            };
            escape.push(literal);
            if is_realizable(ground, guarantee, &escape)? {
                enough.push(literal);
            }
            escape.pop();
            let is_decided = enough.len() > usize::from(only_needed);
            if is_decided {
                break;
            }
        }
        match (only_needed, enough.as_slice()) {
            (true, [one]) | (false, [one, ..]) => escape.push(*one),
            _ => {}
        }
    }
    Ok(escape)
}

/// Whether nothing is left of a guarantee: it may fail whenever it likes.
fn gives_up(ground: &Ground<'_>, guarantee: ConstraintId, escape: &[Literal]) -> Result<bool> {
    let mut spec = ground.spec.clone();
    let escape = term(&mut spec, escape);
    let old = spec.constraint(guarantee).clone();
    let weaker = spec.terms.or([old.term, escape]);
    let weaker = spec.add_constraint(None, Side::Guarantee, old.kind, weaker, None);
    let game = ground.game.extended(&spec)?;
    let mut values = game.encoding().manager().one();
    for id in spec.variable_ids() {
        for primed in [false, true] {
            values = values.and(&game.encoding().domain(&spec, id, primed)?)?;
        }
    }
    values.is_subset_of(game.function(weaker))
}

fn term(spec: &mut Gr1, escape: &[Literal]) -> TermId {
    let literals = escape.iter();
    let terms: Vec<TermId> = literals.map(|one| one.term(spec, false)).collect();
    spec.terms.and(terms)
}

/// Whether the specification is realizable once the guarantee need not hold where the escape does.
fn is_realizable(ground: &Ground<'_>, guarantee: ConstraintId, escape: &[Literal]) -> Result<bool> {
    let mut spec = ground.spec.clone();
    let escape = term(&mut spec, escape);
    let old = spec.constraint(guarantee).clone();
    let weaker = spec.terms.or([old.term, escape]);
    match ground.semantics {
        Semantics::Strict => {
            spec.add_constraint(None, Side::Guarantee, old.kind, weaker, None);
            let game = ground.game.extended(&spec)?;
            game.is_realizable(&Selection::everything(&spec).without(guarantee))
        }
        Semantics::Implication => {
            spec.constraints[guarantee.0 as usize].term = weaker;
            let spec = spec.as_implication();
            let game = Gr1Game::new(&spec, ground.limits.clone())?;
            game.is_realizable(&Selection::everything(&spec))
        }
    }
}

fn certified(
    ground: &Ground<'_>,
    guarantee: ConstraintId,
    escape: &[Literal],
) -> Result<Option<answer::Weakening>> {
    let mut spec = ground.spec.clone();
    let escape = term(&mut spec, escape);
    let old = spec.constraint(guarantee).clone();
    let weaker = spec.terms.or([old.term, escape]);
    let Some(text) = spec.requirement_for_file(old.kind, weaker) else {
        return Ok(None);
    };
    let mut changed = spec.clone();
    changed.add_constraint(None, Side::Guarantee, old.kind, weaker, None);
    let game = ground.game.extended(&changed)?;
    let selection = Selection::everything(&changed).without(guarantee);
    let Some(play) = game.common_play(&selection)? else {
        return Ok(None);
    };
    let lasso = Lasso {
        steps: &play.steps,
        loop_start: play.loop_start,
    };
    let mut prover = prover(&ground.limits);
    let found = weakened_guarantee(
        &spec,
        ground.semantics,
        guarantee,
        escape,
        lasso,
        &mut prover,
    )?;
    Ok(found.ok().map(|certified| answer::Weakening {
        guarantee: told::constraint(&spec, guarantee),
        replacement: text,
        written: None,
        certified,
    }))
}
