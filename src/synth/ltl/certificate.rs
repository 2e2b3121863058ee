//! The circuits of answers, as `certify` judges them.

use super::{Certificate, Failure};
use crate::bdd::Limits;
use crate::certify::ltl::{Judgement, Winner};
use crate::design::Design;
use crate::spec::ltl::{Requirement, Requirements};

pub struct Checker<'a> {
    pub requirements: &'a Requirements,
    pub circuit: &'a Design,
    pub limits: &'a Limits,
}

impl Checker<'_> {
    pub fn controller(&self, goals: &[Requirement]) -> Result<Judgement, Failure> {
        self.winner()
            .controller(goals)
            .map_err(Failure::Diagnostics)
    }

    /// The goals are those of the component that the environment plays against.
    pub fn counterstrategy(&self, goals: &[Requirement]) -> Result<Judgement, Failure> {
        self.winner()
            .counterstrategy(goals)
            .map_err(Failure::Diagnostics)
    }

    fn winner(&self) -> Winner<'_> {
        Winner {
            requirements: self.requirements,
            circuit: self.circuit,
            limits: self.limits,
        }
    }
}

impl From<&Judgement> for Certificate {
    fn from(judgement: &Judgement) -> Certificate {
        match judgement {
            Judgement::Certified(_) => Certificate::Checked,
            Judgement::Unchecked(error) => Certificate::Unchecked(*error),
            Judgement::Flawed(part) => Certificate::Flawed(part.clone()),
        }
    }
}
