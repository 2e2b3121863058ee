//! Whether the assumptions can be kept at all.
//!
//! If no run keeps the assumptions, every assertion holds, because there is no run to check.
//! If the design leads the environment into a state where it has to break an assumption,
//! nothing is checked after that state. A report says both next to its verdict.

use super::machine::Machine;
use super::reach::find_bad;
use super::{Certified, Evidence, Fails, Failure, Problem, Trace, fair};
use crate::bdd::{self, Limits};
use crate::source::Diagnostic;

/// What is known of the assumptions of a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AssumptionStatus {
    /// There are none.
    NothingAssumed,
    /// Some run keeps all of them.
    Possible,
    /// Some run keeps all of them, but these steps, which broke none so far, cannot be
    /// continued to one that does. Empty if already the initial state cannot.
    DeadEnds(Trace),
    /// No run keeps all of them.
    Impossible,
    /// A limit was reached first.
    Unknown(bdd::Error),
}

impl AssumptionStatus {
    /// Whether the assumptions can be kept better here than there.
    pub fn is_better_than(&self, other: &AssumptionStatus) -> bool {
        let worth = |status: &AssumptionStatus| match status {
            AssumptionStatus::NothingAssumed
            | AssumptionStatus::Possible
            | AssumptionStatus::Unknown(_) => 2,
            AssumptionStatus::DeadEnds(_) => 1,
            AssumptionStatus::Impossible => 0,
        };
        worth(self) > worth(other)
    }
}

impl AssumptionStatus {
    /// The same as a failure, if a verdict rests on runs that do not exist.
    pub fn as_failure(&self) -> Option<Certified<Fails>> {
        match self {
            AssumptionStatus::Impossible | AssumptionStatus::DeadEnds(_) => {
                let fails = Fails {
                    property: "the assumptions".to_string(),
                    run: None,
                };
                Some(Certified::new(fails, Evidence::ModelChecked))
            }
            _ => None,
        }
    }
}

impl Problem {
    /// Dead ends are searched only if the present and the past say whether the assumptions
    /// are kept so far; with `X` or `U` in them, [`AssumptionStatus::Possible`] does not rule them
    /// out. The error is a defect of ours.
    pub fn assumptions(&self, limits: &Limits) -> Result<AssumptionStatus, Diagnostic> {
        if self.assumptions.is_empty() {
            return Ok(AssumptionStatus::NothingAssumed);
        }
        match self.find_status(limits) {
            Ok(status) => Ok(status),
            Err(Failure::Limit(error)) => Ok(AssumptionStatus::Unknown(error)),
            Err(Failure::Internal(diagnostic)) => Err(*diagnostic),
        }
    }

    fn find_status(&self, limits: &Limits) -> Result<AssumptionStatus, Failure> {
        let tableau = self.tableau(&self.all_assumptions());
        let guesses = tableau.has_guesses();
        let product = tableau.finish();
        let (mut machine, fairness) = Machine::new(&product, &product.fairness, &[], limits)?;
        let fair = fair::FairSearch::new(&machine).run(&mut machine, &fairness)?;
        if fair.is_disjoint_from(&machine.initial)? {
            return Ok(AssumptionStatus::Impossible);
        }
        if guesses {
            return Ok(AssumptionStatus::Possible);
        }
        let lost_at_once = machine.initial.minus(&fair)?;
        if let Some(state) = machine.pick_state(&lost_at_once) {
            let step = super::Step {
                state,
                inputs: vec![false; machine.input_nodes().count()],
            };
            let mut trace = self.trace(&machine, &[step], None)?;
            trace.inputs.clear();
            return Ok(AssumptionStatus::DeadEnds(trace));
        }
        let losing = machine.steps_into(&fair)?.not();
        let Some(steps) = find_bad(&mut machine, &losing)? else {
            return Ok(AssumptionStatus::Possible);
        };
        let trace = self.trace(&machine, &steps, None)?;
        self.judge()
            .confirm_prefix(&trace, &self.safe_assumptions(), None)?;
        Ok(AssumptionStatus::DeadEnds(trace))
    }
}
