//! The two meanings of assumptions and guarantees.

/// When the system has won, or an assertion counts as violated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Semantics {
    /// Who breaks a safety constraint first loses: a safe assertion is violated as soon as its
    /// violation shows, if the safe assumptions were kept so far; any other on an infinite run
    /// that keeps all assumptions.
    #[default]
    Strict,
    /// The guarantees hold on an infinite run, or some assumption does not.
    Implication,
}

impl Semantics {
    /// The word that options and reports have for it.
    pub fn word(self) -> &'static str {
        match self {
            Semantics::Strict => "strict",
            Semantics::Implication => "implication",
        }
    }
}
