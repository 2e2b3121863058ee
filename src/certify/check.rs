//! What becomes of the check of an answer.

use super::{Certified, Evidence, Verdict};
use crate::bdd;
use crate::spec::Spec;

#[derive(Clone, Debug, PartialEq)]
pub enum Check<T> {
    Certified(Certified<T>),
    /// The answer was not confirmed, for this reason.
    NotShown(String),
    /// A limit was reached first.
    Unknown(bdd::Error),
}

/// The check of an answer that rests on all assertions of a specification.
pub(super) enum Judgement {
    Confirmed,
    /// The name of an assertion that fails.
    Fails(String),
    Unknown(bdd::Error),
}

impl Judgement {
    /// The answer, if the model checker has confirmed it.
    pub(super) fn of<T>(self, answer: T) -> Check<T> {
        match self {
            Judgement::Confirmed => {
                Check::Certified(Certified::new(answer, Evidence::ModelChecked))
            }
            Judgement::Fails(name) => Check::NotShown(name),
            Judgement::Unknown(error) => Check::Unknown(error),
        }
    }
}

/// Whether all assertions hold, from the verdict of each of them.
pub(super) fn judge(spec: &Spec, verdicts: Vec<(usize, Verdict)>) -> Judgement {
    let mut limit = None;
    for (index, verdict) in verdicts {
        match verdict {
            Verdict::Holds => {}
            Verdict::Unknown(error) => limit = Some(error),
            Verdict::Fails(_) => return Judgement::Fails(spec.properties[index].name.clone()),
        }
    }
    limit.map_or(Judgement::Confirmed, Judgement::Unknown)
}
