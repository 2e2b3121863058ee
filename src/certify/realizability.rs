//! Who wins a specification, as a certified answer.

use super::{Certified, Evidence, Realizable, Unrealizable};

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
