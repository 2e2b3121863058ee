//! Checks that some guarantees conflict, and that each of them is needed for it.
//!
//! Enters: a specification, members of a core, and a prover that gives a [`Claim`] for the
//! specification of a part. Leaves: a certified core. The parts are chosen here and the
//! claims checked here, so the prover is not trusted: the core itself has to be unrealizable,
//! and realizable without any one of its members.

use super::{Claim, Flaw, Layout, check_part};
use crate::bdd::Result;
use crate::certify::{Certified, Evidence};
use crate::spec::gr1::{ConstraintId, Gr1, Player, Side, VariableId};
use std::collections::BTreeSet;

/// A part of a specification.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    pub left_out: BTreeSet<ConstraintId>,
    /// Variables of the system that do not count: each guarantee holds if it holds for some
    /// values of them [KHB11, Sec. 4.2.2].
    pub released: BTreeSet<VariableId>,
}

/// Guarantees, and outputs that count, which no system can keep with all assumptions, under
/// strict semantics; without any one of them some system can.
///
/// Checked: a strategy of the environment against the whole set, and one of the system for
/// each set with one member less.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MinimalConflict {
    pub guarantees: Vec<String>,
    pub outputs: Vec<String>,
}

/// A member of a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Member {
    Guarantee(ConstraintId),
    Output(VariableId),
}

/// Why a set is not certified as a minimal conflict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoCore {
    /// Some system keeps all of it.
    Realizable,
    /// Without this member no system can keep the rest either.
    NotNeeded(Member),
    Flawed(Flaw),
}

/// Gives a reason for who wins a part.
pub type Prover<'a> = dyn FnMut(&Part) -> Result<(Layout, Claim)> + 'a;

pub fn minimal_conflict(
    spec: &Gr1,
    members: &[Member],
    prove: &mut Prover<'_>,
) -> Result<std::result::Result<Certified<MinimalConflict>, NoCore>> {
    match realizable(spec, &part(spec, members), prove)? {
        Ok(false) => {}
        Ok(true) => return Ok(Err(NoCore::Realizable)),
        Err(flaw) => return Ok(Err(NoCore::Flawed(flaw))),
    }
    for member in members {
        let others: Vec<Member> = members
            .iter()
            .copied()
            .filter(|other| other != member)
            .collect();
        match realizable(spec, &part(spec, &others), prove)? {
            Ok(true) => {}
            Ok(false) => return Ok(Err(NoCore::NotNeeded(*member))),
            Err(flaw) => return Ok(Err(NoCore::Flawed(flaw))),
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

/// The part of all assumptions, all definitions, and some members.
fn part(spec: &Gr1, members: &[Member]) -> Part {
    let left_out = spec.constraint_ids().filter(|id| {
        let constraint = spec.constraint(*id);
        let may_go = constraint.side == Side::Guarantee && constraint.definition.is_none();
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

fn realizable(
    spec: &Gr1,
    part: &Part,
    prove: &mut Prover<'_>,
) -> Result<std::result::Result<bool, Flaw>> {
    let (layout, claim) = prove(part)?;
    let checked = check_part(spec, part, &layout, &claim)?;
    Ok(checked.map(|()| matches!(claim, Claim::System { .. })))
}
