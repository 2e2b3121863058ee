//! The words that answer a question, and the exit codes they stand for.

use super::words::words;
use std::fmt;

words! {
    pub enum Verdict {
        Repaired = "REPAIRED",
        Plausible = "PLAUSIBLE",
        NoRepair = "NO REPAIR",
        Pass = "PASS",
        Fail = "FAIL",
        Realizable = "REALIZABLE",
        Unrealizable = "UNREALIZABLE",
        Unknown = "UNKNOWN",
    }
}

/// What a verdict says to the question of its command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    Yes,
    No,
    Unknown,
}

impl Verdict {
    pub fn answer(self) -> Answer {
        match self {
            Verdict::Repaired | Verdict::Plausible | Verdict::Pass | Verdict::Realizable => {
                Answer::Yes
            }
            Verdict::NoRepair | Verdict::Fail | Verdict::Unrealizable => Answer::No,
            Verdict::Unknown => Answer::Unknown,
        }
    }

    /// With an expectation the question becomes "is it as expected?". Not knowing the verdict
    /// is not knowing that either, unless it is what was expected.
    pub fn answer_to(self, expected: Option<Verdict>) -> Answer {
        match expected {
            None => self.answer(),
            Some(expected) if expected == self => Answer::Yes,
            Some(_) if self == Verdict::Unknown => Answer::Unknown,
            Some(_) => Answer::No,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.word())
    }
}
