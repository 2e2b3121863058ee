//! Checks that a changed specification is realizable, and not by a trick.
//!
//! Enters: a specification that nobody can satisfy, with assumptions added or a guarantee
//! weakened; a play; and a prover that gives a [`Claim`] for the specifications that are asked
//! about here. Leaves: a certified answer. The specifications are made here and the claims checked
//! here, so the prover is not trusted:
//!
//! - the changed specification is realizable, and without any one of the added assumptions it
//!   is not;
//! - one play keeps every assumption and meets every guarantee: it is evaluated step by step;
//! - the environment can keep the assumptions whatever the system does: it wins the game in which
//!   the system has nothing to keep, or only its safety, and a goal that never holds. Where it
//!   could not keep its assumptions before either, the recurring ones among these are left out.
//!
//! That no play keeps both sides, so that no assumption can help, is a claim too: that of a game
//! in which the system sets all variables and has to keep everything.

use super::core::{Part, Prover, Question};
use super::{Claim, Flaw, check};
use crate::bdd::Result;
use crate::certify::{AddedAssumptions, Certified, Evidence, NoCommonPlay, WeakenedGuarantee};
use crate::spec::Semantics;
use crate::spec::gr1::{ConstraintId, Gr1, Kind, Player, Side, TermId, Value};
use std::collections::BTreeSet;

/// The values of all variables in each step, and the step after the last one.
#[derive(Clone, Copy, Debug)]
pub struct Lasso<'a> {
    pub steps: &'a [Vec<Value>],
    pub loop_start: usize,
}

/// Against whom the environment can keep its assumptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Against {
    AnySystem,
    /// Only systems that keep their initial and safety guarantees [MR16, Def. 4].
    SafeSystems,
}

/// Why a change is not certified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoChange {
    /// Still no system satisfies the specification.
    Unrealizable,
    /// Without this assumption it is realizable, too.
    NotNeeded(ConstraintId),
    /// The play breaks this constraint, or is none.
    NotKept(String),
    /// The system can make the assumptions fail.
    Forced,
    Flawed(Flaw),
    /// The implication takes too many cases.
    TooManyCases,
}

type Certification<T> = std::result::Result<Certified<T>, NoChange>;

/// Whether the specification, which has the added assumptions among its constraints, is realizable
/// with them, needs each of them, and is no trap for the environment.
pub fn added_assumptions(
    spec: &Gr1,
    semantics: Semantics,
    added: &[ConstraintId],
    play: Lasso<'_>,
    against: Against,
    prove: &mut Prover<'_>,
) -> Result<Certification<AddedAssumptions>> {
    if let Some(broken) = broken(spec, play) {
        return Ok(Err(NoChange::NotKept(broken)));
    }
    let mut question = Question {
        spec,
        semantics,
        prove,
    };
    if let Err(refused) = expect_realizable(&mut question)? {
        return Ok(Err(refused));
    }
    for one in added {
        let without = Part {
            left_out: BTreeSet::from([*one]),
            ..Part::default()
        };
        let refused = NoChange::NotNeeded(*one);
        if let Err(refused) = expect(&mut question, &without, false, refused)? {
            return Ok(Err(refused));
        }
    }
    let is_old = |id: ConstraintId| !added.contains(&id);
    if let Err(refused) = can_be_kept(spec, &|_| false, against, prove)? {
        // What the system can make fail before anything is added says nothing of the addition.
        let is_trap = |id: ConstraintId| is_old(id) && spec.constraint(id).kind == Kind::Justice;
        if refused != NoChange::Forced {
            return Ok(Err(refused));
        }
        let before = can_be_kept(spec, &|id| !is_old(id), against, prove)?;
        if before.is_ok() {
            return Ok(Err(NoChange::Forced));
        }
        if let Err(refused) = can_be_kept(spec, &is_trap, against, prove)? {
            return Ok(Err(refused));
        }
    }
    let names = added.iter().map(|id| spec.constraint(*id).name.clone());
    let answer = AddedAssumptions {
        assumptions: names.collect(),
        against,
    };
    Ok(Ok(Certified::new(answer, Evidence::ClaimChecked)))
}

/// Whether the specification is realizable once a guarantee holds wherever an escape does, too.
pub fn weakened_guarantee(
    spec: &Gr1,
    semantics: Semantics,
    guarantee: ConstraintId,
    escape: TermId,
    play: Lasso<'_>,
    prove: &mut Prover<'_>,
) -> Result<Certification<WeakenedGuarantee>> {
    let mut weaker = spec.clone();
    let old = spec.constraint(guarantee);
    if old.side != Side::Guarantee {
        return Ok(Err(NoChange::NotKept(old.name.clone())));
    }
    let term = weaker.terms.or([old.term, escape]);
    weaker.constraints[guarantee.0 as usize].term = term;
    if let Some(broken) = broken(&weaker, play) {
        return Ok(Err(NoChange::NotKept(broken)));
    }
    let mut question = Question {
        spec: &weaker,
        semantics,
        prove,
    };
    if let Err(refused) = expect_realizable(&mut question)? {
        return Ok(Err(refused));
    }
    let answer = WeakenedGuarantee {
        guarantee: old.name.clone(),
        replacement: weaker.term_in_words(term),
    };
    Ok(Ok(Certified::new(answer, Evidence::ClaimChecked)))
}

/// Whether no play keeps all constraints of both sides.
pub fn no_common_play(spec: &Gr1, prove: &mut Prover<'_>) -> Result<Certification<NoCommonPlay>> {
    let mut together = spec.clone();
    for variable in &mut together.variables {
        variable.owner = Player::System;
    }
    for constraint in &mut together.constraints {
        constraint.side = Side::Guarantee;
    }
    let (layout, claim) = prove(&together, &Part::default())?;
    if matches!(claim, Claim::System { .. }) {
        return Ok(Err(NoChange::Unrealizable));
    }
    if let Err(flaw) = check(&together, &layout, &claim)? {
        return Ok(Err(NoChange::Flawed(flaw)));
    }
    let answer = NoCommonPlay {
        specification: spec.name.clone(),
    };
    Ok(Ok(Certified::new(answer, Evidence::ClaimChecked)))
}

/// That the whole specification is realizable.
fn expect_realizable(question: &mut Question<'_, '_>) -> Result<std::result::Result<(), NoChange>> {
    expect(question, &Part::default(), true, NoChange::Unrealizable)
}

/// That a part has this verdict; otherwise what to say.
fn expect(
    question: &mut Question<'_, '_>,
    part: &Part,
    wanted: bool,
    otherwise: NoChange,
) -> Result<std::result::Result<(), NoChange>> {
    Ok(match question.realizable(part)? {
        Ok(found) if found == wanted => Ok(()),
        Ok(_) => Err(otherwise),
        Err(super::NoCore::Flawed(flaw)) => Err(NoChange::Flawed(flaw)),
        Err(_) => Err(NoChange::TooManyCases),
    })
}

/// Whether the environment can keep the assumptions, but those that are left out, whatever the
/// system does.
fn can_be_kept(
    spec: &Gr1,
    left_out: &dyn Fn(ConstraintId) -> bool,
    against: Against,
    prove: &mut Prover<'_>,
) -> Result<std::result::Result<(), NoChange>> {
    let mut alone = spec.clone();
    let mut ids = spec.constraint_ids();
    alone.constraints.retain(|constraint| {
        let stays = ids.next().is_some_and(|id| !left_out(id));
        match constraint.side {
            Side::Assumption => stays,
            Side::Guarantee if against == Against::SafeSystems => constraint.kind != Kind::Justice,
            // What auxiliary variables are is no wish of the system.
            Side::Guarantee => constraint.definition.is_some() && !constraint.is_candidate,
        }
    });
    let never = alone.terms.boolean(false);
    alone.add_constraint(None, Side::Guarantee, Kind::Justice, never, None);
    let (layout, claim) = prove(&alone, &Part::default())?;
    if matches!(claim, Claim::System { .. }) {
        return Ok(Err(NoChange::Forced));
    }
    Ok(check(&alone, &layout, &claim)?.map_err(NoChange::Flawed))
}

/// Whether a play keeps those constraints of a specification that take part.
pub fn keeps(spec: &Gr1, play: Lasso<'_>, takes_part: &dyn Fn(ConstraintId) -> bool) -> bool {
    broken_of(spec, play, takes_part).is_none()
}

/// A constraint that a play does not keep, by the definition of terms.
fn broken(spec: &Gr1, play: Lasso<'_>) -> Option<String> {
    broken_of(spec, play, &|_| true)
}

fn broken_of(
    spec: &Gr1,
    play: Lasso<'_>,
    takes_part: &dyn Fn(ConstraintId) -> bool,
) -> Option<String> {
    let count = play.steps.len();
    let fits = |values: &Vec<Value>| {
        let variables = spec.variables.iter();
        values.len() == spec.variables.len()
            && variables
                .zip(values)
                .all(|(variable, value)| variable.domain.values().contains(value))
    };
    if play.loop_start >= count || !play.steps.iter().all(fits) {
        return Some("the play".to_string());
    }
    let after = |step: usize| {
        if step + 1 < count {
            step + 1
        } else {
            play.loop_start
        }
    };
    let holds = |term: TermId, step: usize| {
        let value = spec.evaluate(term, &mut |id, primed| {
            let step = if primed { after(step) } else { step };
            play.steps[step][id.0 as usize]
        });
        value != 0
    };
    let is_kept = |kind: Kind, term: TermId| match kind {
        Kind::Initial => holds(term, 0),
        Kind::Safety => (0..count).all(|step| holds(term, step)),
        Kind::Justice => (play.loop_start..count).any(|step| holds(term, step)),
    };
    let ids = spec.constraint_ids().filter(|id| takes_part(*id));
    let mut constraints = ids.map(|id| spec.constraint(id));
    let broken = constraints.find(|constraint| !is_kept(constraint.kind, constraint.term));
    broken.map(|constraint| constraint.name.clone())
}
