//! Where a design can be corrected, and by what [JSGB11].
//!
//! Enters: the components of a design and the properties that it violates. Leaves:
//! [`Repair`]s, each a replacement of components whose patched file a certifier accepted.
//!
//! 1. [`locate`]: one game over all suspects, in which the system says once which of them
//!    it replaces, tells those that can be the fault.
//! 2. [`memoryless`]: for each of them, the values that the replacement may take, as a
//!    relation over the state of the design and its inputs alone; where this heuristic
//!    fails, [`exhaustive`] search.
//! 3. [`extract`]: a small function within that relation, over few signals ([`support`],
//!    [`function`]).
//! 4. The patched file goes to the certifier, which is not part of this stage; what fails
//!    there is a bug and is never offered.

pub mod exhaustive;
pub mod extract;
pub mod function;
pub mod locate;
pub mod memoryless;
pub mod search;
pub mod support;

use crate::bdd;
use crate::design::aiger::AigerFile;
use crate::design::{ComponentId, Netlist};
use crate::game::ObjectiveError;
use crate::source::Diagnostic;
use crate::spec::Spec;
use locate::{Location, locate};
use search::{Candidate, Offer, corrections};

/// What to look for.
#[derive(Clone, Debug)]
pub struct Options {
    /// The components that may be wrong.
    pub suspects: Vec<ComponentId>,
    /// How many of them at once.
    pub faults: usize,
    /// How many corrections to offer for one location.
    pub alternatives: usize,
    /// The only signals that a correction may read, by name; `None` for all.
    pub depends_on: Option<Vec<String>>,
    pub limits: bdd::Limits,
}

/// A certified correction.
#[derive(Clone, Debug)]
pub struct Repair {
    pub candidate: Candidate,
    pub file: AigerFile,
}

/// What was found.
#[derive(Debug, Default)]
pub struct Answer {
    /// The cheapest first.
    pub repairs: Vec<Repair>,
    /// Locations that can win with memory, and for which it was shown that no function of
    /// the readable signals does.
    pub only_with_memory: Vec<Location>,
    /// Locations that can win with memory, and for which no function was found.
    pub undecided: Vec<Location>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq)]
pub enum RepairError {
    Diagnostic(Box<Diagnostic>),
    /// A property that no game was built for.
    NotSupported {
        property: String,
        reason: String,
    },
    Limit(bdd::Error),
    /// The certifier refused a correction: a bug.
    NotCertified {
        candidate: Box<Candidate>,
    },
}

impl From<Diagnostic> for RepairError {
    fn from(diagnostic: Diagnostic) -> RepairError {
        RepairError::Diagnostic(Box::new(diagnostic))
    }
}

impl From<bdd::Error> for RepairError {
    fn from(error: bdd::Error) -> RepairError {
        RepairError::Limit(error)
    }
}

impl From<ObjectiveError> for RepairError {
    fn from(error: ObjectiveError) -> RepairError {
        match error {
            ObjectiveError::Diagnostic(diagnostic) => RepairError::Diagnostic(diagnostic),
            ObjectiveError::NotSupported { property, reason } => {
                RepairError::NotSupported { property, reason }
            }
        }
    }
}

/// Looks for corrections. `certify` says whether a patched file satisfies the properties.
pub fn repair(
    netlist: &Netlist,
    spec: &Spec,
    options: &Options,
    certify: &mut dyn FnMut(&AigerFile) -> Result<bool, RepairError>,
) -> Result<Answer, RepairError> {
    let locations = locate(
        netlist,
        spec,
        &options.suspects,
        options.faults,
        &options.limits,
    )?;
    let mut answer = Answer::default();
    for location in locations {
        match corrections(netlist, spec, &location, options)? {
            Offer::Candidates(candidates) => {
                for candidate in candidates {
                    let file = netlist.render(&candidate.replacements)?;
                    if !certify(&file)? {
                        let candidate = Box::new(candidate);
                        return Err(RepairError::NotCertified { candidate });
                    }
                    answer.repairs.push(Repair { candidate, file });
                }
            }
            Offer::NeedsMemory => answer.only_with_memory.push(location),
            Offer::NotFound => answer.undecided.push(location),
            Offer::Lost => {}
        }
    }
    answer.repairs.sort_by_key(|repair| repair.candidate.cost);
    Ok(answer)
}
