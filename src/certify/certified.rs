//! Answers that were checked: the only form in which an answer may be shown.

use std::ops::Deref;

/// An answer that this stage has checked, with how it did so.
///
/// The fields are private, and nothing outside of `certify` makes one: whoever shows, writes
/// or lists answers takes `Certified` ones and so cannot show another. There is no way to put
/// a different answer into it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certified<T> {
    answer: T,
    evidence: Evidence,
}

/// What an answer rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Evidence {
    /// The text was read again, and the model checker found no run that breaks a property.
    ModelChecked,
    /// The simulator replayed the run, and it shows what it should.
    Replayed,
    /// A strategy or an invariant was checked step by step.
    ClaimChecked,
    /// Everything there is was tried; the sentence says what that was.
    Exhausted(String),
}

impl<T> Certified<T> {
    pub(super) fn new(answer: T, evidence: Evidence) -> Certified<T> {
        Certified { answer, evidence }
    }

    /// For tests of what is done with answers: one that nobody has checked.
    #[cfg(test)]
    pub(crate) fn unchecked(answer: T) -> Certified<T> {
        Certified::new(answer, Evidence::ClaimChecked)
    }

    pub fn evidence(&self) -> &Evidence {
        &self.evidence
    }

    pub fn into_answer(self) -> T {
        self.answer
    }
}

impl<T> Deref for Certified<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.answer
    }
}
