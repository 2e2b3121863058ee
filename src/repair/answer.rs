//! What a repair comes to: certified corrections, or why there are none.

use super::behaviour::Effect;
use super::games::LocationAnswer;
use super::locate::Location;
use super::loss::Loss;
use super::places::PlaceEvidence;
use super::share::PartAnswer;
use crate::bdd;
use crate::certify::{AssumptionStatus, Certified, Holds, NoRepair, Problem, Vacuity, Verdict};
use crate::design::{Candidate, Kind, Patch};
use crate::game::ObjectiveError;
use crate::run::Run;
use crate::source::Diagnostic;
use crate::source::codes::repair as codes;
use crate::subject::Subject;
use std::fmt;

/// Corrections whose numbers are named if another one is asked for.
const MOST_NAMED: usize = 8;

/// A certified correction.
#[derive(Clone, Debug)]
pub struct RankedCorrection {
    /// From 1, in the order of the whole answer.
    pub number: usize,
    pub patch: Certified<Patch>,
    /// Other patches that were proved to have the same effect.
    pub also: Vec<Certified<Patch>>,
    /// The properties hold because assumptions can be made to fail: no repair in truth.
    pub vacuous: bool,
    /// How far it is from what was written.
    pub cost: usize,
    /// What it changes on random runs, if that was measured.
    pub effect: Option<Effect>,
    /// Cover statements that could be reached before and cannot be reached any more.
    pub lost_covers: Vec<String>,
    /// The components that it replaces, and by what, if a game found it.
    pub location: Location,
    pub functions: Option<Candidate>,
    /// Its place among the corrections of the same location, from 0.
    pub(super) rank: usize,
}

impl RankedCorrection {
    /// Whether something that lived before does not any more.
    pub fn is_disabling(&self) -> bool {
        let effect = self.effect.as_ref();
        !self.lost_covers.is_empty() || effect.is_some_and(|one| !one.disabled.is_empty())
    }
}

/// What was found, as far as the limits allowed.
pub struct RepairAnswer {
    pub outcome: Outcome,
    /// The best first; those that were rejected are left out.
    pub corrections: Vec<RankedCorrection>,
    /// What was found about each assertion of the design as it is.
    pub before: Vec<(usize, Verdict)>,
    /// Whether the assumptions can be kept by the design as it is.
    pub assumptions: AssumptionStatus,
    /// What games found out about locations, for each number of faults.
    pub locations: Vec<LocationAnswer>,
    /// Where a change can mend failing runs, if it is not known whether there is a repair.
    pub places: Vec<PlaceEvidence>,
    /// What this was about, if only some places were looked at.
    pub part: Option<PartAnswer>,
    /// Whether latches that the design infers are never open.
    pub closed_latches: bool,
    /// Assertions that the design as it is keeps without their saying anything, if all hold.
    pub vacuities: Vec<Certified<Vacuity>>,
    /// Assertions whose antecedents happen after each correction.
    pub covered: Vec<String>,
    /// The limit that ended the search.
    pub stopped: Option<bdd::Error>,
}

/// What an answer comes to.
pub enum Outcome {
    /// The design keeps its properties as it is.
    NothingToRepair(Certified<Holds>),
    Repaired,
    NoRepair {
        proof: Certified<NoRepair>,
        loss: Loss,
    },
    Unknown(Reason),
}

/// Why it is not known whether there is a repair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The user ended the search.
    Interrupted,
    /// A limit was reached.
    Stopped(bdd::Error),
    /// All corrections that were found are vacuous.
    OnlyVacuous,
    AllRejected,
    /// No place was looked at.
    NoPlace,
    /// Corrections were found, and not proved in time.
    NotProved,
    /// A property that no game was built for.
    NotSupported {
        property: String,
        reason: String,
    },
    /// Games are won with registers; no function was found.
    NotFound,
    /// Games are won with registers, and by no function.
    OnlyWithRegisters,
    /// No place alone helps, and all of them together would: games of two at once were not
    /// played.
    SeveralPlaces,
    /// Edits with which the design would have other clocks were no corrections; games are about
    /// the clocks that it has.
    OtherClocks,
    /// All edits of these kinds were tried, and no game is about them.
    NoEdit(Vec<Kind>),
    /// No correction was found after which the antecedents of these assertions happen.
    NeverHappens(Vec<String>),
}

impl RepairAnswer {
    /// Whether there is neither a repair nor nothing to repair.
    pub fn is_open(&self) -> bool {
        matches!(self.outcome, Outcome::Unknown(_) | Outcome::NoRepair { .. })
    }

    /// The corrections that are repairs in truth.
    pub fn repairs(&self) -> impl Iterator<Item = &RankedCorrection> {
        self.corrections.iter().filter(|one| !one.vacuous)
    }

    /// The repair with this number, or the best one.
    pub fn pick(&self, number: Option<u32>) -> Result<Option<&RankedCorrection>, Diagnostic> {
        pick(self.repairs().map(|one| (one.number, one)), number)
    }

    /// The runs that show which assertions the unpatched design violates.
    pub fn failing_runs(
        &self,
        subject: &Subject,
    ) -> Result<Vec<(usize, Certified<Run>)>, Vec<Diagnostic>> {
        let problem = Problem::new(&subject.design, &subject.spec)?;
        let mut runs = Vec::new();
        for (property, verdict) in &self.before {
            if let Verdict::Fails(trace) = verdict {
                let run = problem.shown(&subject.spec, *property, trace);
                runs.push((*property, run.map_err(|error| vec![error])?));
            }
        }
        Ok(runs)
    }

    /// What a patched design does on the inputs of the failing runs, at most so many of them;
    /// each with its property of the unpatched design.
    pub fn corrected_runs(
        &self,
        subject: &Subject,
        patch: &Patch,
        most: usize,
    ) -> Result<Vec<(usize, Run)>, Vec<Diagnostic>> {
        let patched = subject.reread(patch)?;
        let problem = Problem::new(&patched.design, &patched.spec)?;
        let mut runs = Vec::new();
        for (property, verdict) in &self.before {
            let Verdict::Fails(trace) = verdict else {
                continue;
            };
            if runs.len() == most {
                break;
            }
            let name = &subject.spec.properties[*property].name;
            let mut properties = patched.spec.properties.iter();
            let Some(same) = properties.position(|one| one.name == *name) else {
                continue;
            };
            let inputs = trace.stimulus(&subject.design);
            let run = problem.replayed(&patched.spec, same, &inputs);
            runs.push((*property, run.map_err(|error| vec![error])?));
        }
        Ok(runs)
    }
}

/// The correction with this number, or the first one; nothing if there are none at all.
pub(super) fn pick<T>(
    corrections: impl Iterator<Item = (usize, T)>,
    wanted: Option<u32>,
) -> Result<Option<T>, Diagnostic> {
    let mut numbers = Vec::new();
    for (number, one) in corrections {
        if wanted.is_none_or(|wanted| wanted as usize == number) {
            return Ok(Some(one));
        }
        numbers.push(number.to_string());
    }
    match wanted {
        Some(wanted) if !numbers.is_empty() => {
            let message = format!("there is no correction {wanted} to pick");
            if numbers.len() > MOST_NAMED {
                numbers.truncate(MOST_NAMED);
                numbers.push("...".to_string());
            }
            Err(Diagnostic::error(codes::NO_SUCH_CORRECTION, message)
                .help(format!("there are {}", numbers.join(", "))))
        }
        _ => Ok(None),
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq)]
pub enum RepairError {
    Diagnostics(Vec<Diagnostic>),
    /// A property that no game was built for.
    NotSupported {
        property: String,
        reason: String,
    },
    Limit(bdd::Error),
    /// A correction that a game found was refuted: a defect of ours.
    NotCertified {
        candidate: Box<Candidate>,
    },
}

impl From<Diagnostic> for RepairError {
    fn from(diagnostic: Diagnostic) -> RepairError {
        RepairError::Diagnostics(vec![diagnostic])
    }
}

impl From<Vec<Diagnostic>> for RepairError {
    fn from(diagnostics: Vec<Diagnostic>) -> RepairError {
        RepairError::Diagnostics(diagnostics)
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
            ObjectiveError::Diagnostic(diagnostic) => RepairError::from(*diagnostic),
            ObjectiveError::NotSupported { property, reason } => {
                RepairError::NotSupported { property, reason }
            }
        }
    }
}

impl fmt::Display for RepairError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RepairError::Diagnostics(diagnostics) => {
                let messages = diagnostics.iter().map(|one| one.message.as_str());
                formatter.write_str(&messages.collect::<Vec<_>>().join("; "))
            }
            RepairError::NotSupported { property, reason } => {
                write!(formatter, "`{property}`: {reason}")
            }
            RepairError::Limit(error) => error.fmt(formatter),
            RepairError::NotCertified { .. } => {
                formatter.write_str("a correction was found that does not keep the properties")
            }
        }
    }
}

impl std::error::Error for RepairError {}
