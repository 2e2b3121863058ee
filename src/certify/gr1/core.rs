//! Checks that some guarantees conflict, or that giving some up resolves all conflicts, and that
//! each of them is needed for it.
//!
//! Enters: a specification, members of a core or a fix, and a prover that gives a [`Claim`] for
//! the specification of a part. Leaves: a certified answer. The parts are chosen here and the
//! claims checked here, so the prover is not trusted: a core has to be unrealizable, and
//! realizable without any one of its members. Claims are about strict semantics; for the
//! implication they are about the strict specification of the same meaning.

use super::{Claim, Flaw, Layout, assumed_definitions, check_part};
use crate::bdd::Result;
use crate::certify::{Certified, Evidence, MinimalConflict, MinimalFix};
use crate::spec::Semantics;
use crate::spec::gr1::{ConstraintId, Gr1, Player, Side, TermId, VariableId};
use std::collections::BTreeSet;

/// More values of the variables that are free in one guarantee are not looked at.
const MOST_CASES: usize = 256;

/// A part of a specification.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    pub left_out: BTreeSet<ConstraintId>,
    /// Variables of the system that do not count: each guarantee holds if it holds for some
    /// values of them [KHB11, Sec. 4.2.2].
    pub released: BTreeSet<VariableId>,
}

/// A member of a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Member {
    Guarantee(ConstraintId),
    Output(VariableId),
}

/// Why a set is not certified as a minimal conflict or fix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoCore {
    /// Some system keeps all of it, or for a fix, none keeps what is left.
    WrongVerdict,
    /// It is one without this member, too.
    NotNeeded(Member),
    Flawed(Flaw),
    /// The implication of a part takes too many cases.
    TooManyCases,
}

/// Gives a reason for who wins a part of a specification, under strict semantics.
pub type Prover<'a> = dyn FnMut(&Gr1, &Part) -> Result<(Layout, Claim)> + 'a;

type Certification<T> = std::result::Result<Certified<T>, NoCore>;

/// Whether no system keeps the members with all assumptions, and some system keeps them
/// without any one of them.
pub fn minimal_conflict(
    spec: &Gr1,
    semantics: Semantics,
    members: &[Member],
    prove: &mut Prover<'_>,
) -> Result<Certification<MinimalConflict>> {
    let mut question = Question {
        spec,
        semantics,
        prove,
    };
    match question.realizable(&part(spec, members))? {
        Ok(false) => {}
        Ok(true) => return Ok(Err(NoCore::WrongVerdict)),
        Err(doubt) => return Ok(Err(doubt)),
    }
    for member in members {
        let others: Vec<Member> = members
            .iter()
            .copied()
            .filter(|other| other != member)
            .collect();
        match question.realizable(&part(spec, &others))? {
            Ok(true) => {}
            Ok(false) => return Ok(Err(NoCore::NotNeeded(*member))),
            Err(doubt) => return Ok(Err(doubt)),
        }
    }
    let guarantees = members.iter().filter_map(|member| match member {
        Member::Guarantee(id) => Some(spec.constraint(*id).name.clone()),
        Member::Output(_) => None,
    });
    let outputs = members.iter().filter_map(|member| match member {
        Member::Guarantee(_) => None,
        Member::Output(id) => Some(spec.variable(*id).name.clone()),
    });
    let core = MinimalConflict {
        guarantees: guarantees.collect(),
        outputs: outputs.collect(),
    };
    Ok(Ok(Certified::new(core, Evidence::ClaimChecked)))
}

/// Whether some system keeps the guarantees that are left without the removed ones, with some
/// of the assumptions, and none with any one of the removed beside them.
pub fn minimal_fix(
    spec: &Gr1,
    semantics: Semantics,
    removed: &[ConstraintId],
    assumptions: &[ConstraintId],
    prove: &mut Prover<'_>,
) -> Result<Certification<MinimalFix>> {
    let mut question = Question {
        spec,
        semantics,
        prove,
    };
    let removable = spec.constraint_ids().filter(|id| {
        let constraint = spec.constraint(*id);
        constraint.side == Side::Assumption && constraint.definition.is_none()
    });
    let mut rest = Part {
        left_out: removable.filter(|id| !assumptions.contains(id)).collect(),
        ..Part::default()
    };
    rest.left_out.extend(removed);
    match question.realizable(&rest)? {
        Ok(true) => {}
        Ok(false) => return Ok(Err(NoCore::WrongVerdict)),
        Err(doubt) => return Ok(Err(doubt)),
    }
    for one in removed {
        let others = removed.iter().copied().filter(|other| other != one);
        let with_it = Part {
            left_out: others.collect(),
            ..Part::default()
        };
        match question.realizable(&with_it)? {
            Ok(false) => {}
            Ok(true) => return Ok(Err(NoCore::NotNeeded(Member::Guarantee(*one)))),
            Err(doubt) => return Ok(Err(doubt)),
        }
    }
    let names = |ids: &[ConstraintId]| -> Vec<String> {
        let ids = ids.iter();
        ids.map(|id| spec.constraint(*id).name.clone()).collect()
    };
    let fix = MinimalFix {
        removed: names(removed),
        assumptions: names(assumptions),
    };
    Ok(Ok(Certified::new(fix, Evidence::ClaimChecked)))
}

/// The part of all assumptions, the definitions that are no candidates, and some members.
fn part(spec: &Gr1, members: &[Member]) -> Part {
    let left_out = spec.constraint_ids().filter(|id| {
        let constraint = spec.constraint(*id);
        let may_go = constraint.side == Side::Guarantee && constraint.is_candidate;
        may_go && !members.contains(&Member::Guarantee(*id))
    });
    let released = spec.variable_ids().filter(|id| {
        let variable = spec.variable(*id);
        let may_go = variable.owner == Player::System && !variable.is_auxiliary();
        may_go && !members.contains(&Member::Output(*id))
    });
    Part {
        left_out: left_out.collect(),
        released: released.collect(),
    }
}

pub(super) struct Question<'q, 'p> {
    pub spec: &'q Gr1,
    pub semantics: Semantics,
    pub prove: &'q mut Prover<'p>,
}

impl Question<'_, '_> {
    /// Who wins a part, if the prover's claim shows it.
    pub fn realizable(&mut self, part: &Part) -> Result<std::result::Result<bool, NoCore>> {
        match self.semantics {
            Semantics::Strict => self.decide(self.spec, part),
            Semantics::Implication => match implication_of(self.spec, part) {
                Some(strict) => self.decide(&strict, &Part::default()),
                None => Ok(Err(NoCore::TooManyCases)),
            },
        }
    }

    fn decide(&mut self, spec: &Gr1, part: &Part) -> Result<std::result::Result<bool, NoCore>> {
        let (layout, claim) = (self.prove)(spec, part)?;
        let realizable = matches!(claim, Claim::System { .. });
        let checked = check_part(spec, part, &layout, &claim)?;
        Ok(checked.map(|()| realizable).map_err(NoCore::Flawed))
    }
}

/// A specification whose strict meaning is the implication of a part. Released variables are
/// free in each guarantee on its own, as under strict semantics, so each guarantee becomes the
/// disjunction over their values; `None` if these are too many.
fn implication_of(spec: &Gr1, part: &Part) -> Option<Gr1> {
    let mut result = spec.clone();
    let assumed = assumed_definitions(spec);
    for (index, constraint) in spec.constraints.iter().enumerate() {
        let is_assumed = constraint
            .definition
            .is_some_and(|id| assumed.contains(&id));
        if constraint.side == Side::Guarantee && !is_assumed {
            let term = for_some_values(&mut result, constraint.term, &part.released)?;
            result.constraints[index].term = term;
        }
    }
    let mut ids = spec.constraint_ids();
    result
        .constraints
        .retain(|_| ids.next().is_some_and(|id| !part.left_out.contains(&id)));
    Some(result.as_implication())
}

/// The disjunction of a term over the values of some of its variables.
fn for_some_values(
    spec: &mut Gr1,
    term: TermId,
    released: &BTreeSet<VariableId>,
) -> Option<TermId> {
    let mut cases = vec![term];
    let variables = spec.terms.variables(term).into_iter();
    for (free, primed) in variables.filter(|(id, _)| released.contains(id)) {
        let values = spec.variable(free).domain.values();
        if cases.len().saturating_mul(values.len()) > MOST_CASES {
            return None;
        }
        let mut more = BTreeSet::new();
        for value in values {
            let value = spec.value_term(free, value);
            for case in &cases {
                more.insert(spec.terms.replace(*case, &mut |terms, id, is_next| match (
                    id == free && is_next == primed,
                    is_next,
                ) {
                    (true, _) => value,
                    (false, true) => terms.next(id),
                    (false, false) => terms.now(id),
                }));
            }
        }
        cases = more.into_iter().collect();
    }
    Some(spec.terms.or(cases))
}
