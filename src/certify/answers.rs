//! The answers that a [`Certified`](super::Certified) can hold beside corrections, runs and
//! circuits: one plain type for each verdict of a command.
//!
//! They say what was found, and nothing of how: that is the
//! [`Evidence`](super::Evidence). A verdict is reported from one of these, so a command
//! cannot say it before this stage has checked it.

use super::gr1::Against;
use crate::run::Run;

/// The properties of a design hold.
///
/// Checked: no run of the design breaks an assertion, by the model checker; for each cover
/// statement, a run that shows it was replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holds {
    /// The names of all properties that were asked about.
    pub properties: Vec<String>,
}

/// A property of a design does not hold.
///
/// Checked: the run was replayed by the simulator, keeps the assumptions and violates the
/// property by its definition. For a cover statement, the model checker found no run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fails {
    pub property: String,
    /// A run that violates it; none for a cover statement, which no run shows.
    pub run: Option<Run>,
}

/// Nothing that may replace the suspects makes a design keep its properties.
///
/// Checked: a strategy of the environment against all replacements, or everything was tried
/// and the evidence says what that was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoRepair {
    /// The names of the suspects.
    pub suspects: Vec<String>,
    /// How many of them were replaced at once, at most.
    pub faults: usize,
}

/// Guarantees, and outputs that count, which no system can keep with all assumptions; without
/// any one of them some system can.
///
/// Checked: a strategy of the environment against the whole set, and one of the system for
/// each set with one member less.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MinimalConflict {
    pub guarantees: Vec<String>,
    /// Empty if all outputs count.
    pub outputs: Vec<String>,
}

/// Guarantees without which some system keeps the others; with any one of them, none does.
///
/// Checked: a strategy of the system without all of them, and one of the environment for each
/// of them alone beside the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MinimalFix {
    pub removed: Vec<String>,
    /// The assumptions with which the system wins then.
    pub assumptions: Vec<String>,
}

/// Assumptions with which a specification that nobody can satisfy is realizable; without any one
/// of them it is not.
///
/// Checked: a strategy of the system with all of them, and one of the environment without each; a
/// play that keeps every assumption and meets every guarantee, step by step; and a strategy with
/// which the environment keeps the assumptions whatever the system does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddedAssumptions {
    pub assumptions: Vec<String>,
    /// Which systems cannot make them fail.
    pub against: Against,
}

/// A guarantee with a weaker one in its place: then some system keeps all guarantees.
///
/// Checked: a strategy of the system, and a play that keeps every constraint; that the one follows
/// from the other, by the model checker unless it is so by construction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeakenedGuarantee {
    pub guarantee: String,
    pub replacement: String,
}

/// Assumptions one of which a system makes fail, whatever the environment does.
///
/// Checked: a strategy of that system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForcedAssumptions {
    pub assumptions: Vec<String>,
}

/// The same, where the environment can keep those that are left without any one of them.
///
/// Checked: a strategy of that system, and one of the environment for each set with one member
/// less.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForcedCore {
    pub assumptions: Vec<String>,
}

/// Assumptions that the environment can keep whatever the system does.
///
/// Checked: a strategy of the environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptAssumptions {
    pub assumptions: Vec<String>,
}

/// No play keeps assumptions and guarantees, so no assumption can be added that helps.
///
/// Checked: a strategy against a system that sets all variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoCommonPlay {
    /// The name of the specification; empty if it has none.
    pub specification: String,
}

/// Inputs against which no system satisfies a specification.
///
/// Checked: an environment that plays these inputs, whatever the outputs are, wins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Countertrace {
    pub inputs: Run,
    /// Outputs with the values that they have throughout, if it is only about systems that
    /// keep them so.
    pub held: Vec<(String, String)>,
}

/// Some system satisfies a specification.
///
/// Checked: a winning strategy step by step, or a circuit with it by the model checker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Realizable {
    /// The name of the specification; empty if it has none.
    pub specification: String,
}

/// No system satisfies a specification.
///
/// Checked: a winning strategy of the environment step by step, or a circuit with it by the
/// model checker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unrealizable {
    /// The name of the specification; empty if it has none.
    pub specification: String,
}
