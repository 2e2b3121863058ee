//! Who wins a specification, as a certified answer.

use super::check::Judgement;
use super::{Certified, Evidence, Realizable, Unrealizable};
use crate::bdd;

/// Who wins a specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Realizability {
    Realizable(Certified<Realizable>),
    Unrealizable(Certified<Unrealizable>),
}

impl Realizability {
    pub fn is_realizable(&self) -> bool {
        matches!(self, Realizability::Realizable(_))
    }

    pub(super) fn new(realizable: bool, name: &str, evidence: Evidence) -> Realizability {
        let specification = name.to_string();
        if realizable {
            Realizability::Realizable(Certified::new(Realizable { specification }, evidence))
        } else {
            Realizability::Unrealizable(Certified::new(Unrealizable { specification }, evidence))
        }
    }
}

/// What becomes of the check of a strategy, whoever it is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RealizabilityCheck {
    Certified(Realizability),
    /// The strategy does not win; says which part fails.
    NotShown(String),
    /// A limit was reached first.
    Unknown(bdd::Error),
}

impl RealizabilityCheck {
    /// Who wins, if that was certified.
    pub fn certified(&self) -> Option<&Realizability> {
        match self {
            RealizabilityCheck::Certified(verdict) => Some(verdict),
            RealizabilityCheck::NotShown(_) | RealizabilityCheck::Unknown(_) => None,
        }
    }

    /// From what the model checker says of a strategy.
    pub(super) fn new(realizable: bool, judgement: Judgement) -> RealizabilityCheck {
        match judgement {
            Judgement::Confirmed => {
                let verdict = Realizability::new(realizable, "", Evidence::ModelChecked);
                RealizabilityCheck::Certified(verdict)
            }
            Judgement::Fails(part) => RealizabilityCheck::NotShown(part),
            Judgement::Unknown(error) => RealizabilityCheck::Unknown(error),
        }
    }
}
