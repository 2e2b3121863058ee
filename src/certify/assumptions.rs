//! Whether the assumptions can be kept at all.
//!
//! Assertions hold for want of a run if no run keeps the assumptions, and a design that
//! leads the environment into a state where it has to break one makes the rest of the run
//! worthless. Both are worth a word next to a verdict.

use super::machine::Machine;
use super::reach::find_bad;
use super::{Failure, Problem, Trace, fair};
use crate::bdd::{self, Limits};
use crate::source::Diagnostic;

/// What is known of the assumptions of a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Keeping {
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

impl Problem {
    /// Dead ends are searched only if the present and the past say whether the assumptions
    /// are kept so far; with `X` or `U` in them, [`Keeping::Possible`] does not rule them
    /// out. The error is a defect of ours.
    pub fn assumptions(&self, limits: &Limits) -> Result<Keeping, Diagnostic> {
        if self.assumptions.is_empty() {
            return Ok(Keeping::NothingAssumed);
        }
        match self.find_keeping(limits) {
            Ok(keeping) => Ok(keeping),
            Err(Failure::Limit(error)) => Ok(Keeping::Unknown(error)),
            Err(Failure::Internal(diagnostic)) => Err(*diagnostic),
        }
    }

    fn find_keeping(&self, limits: &Limits) -> Result<Keeping, Failure> {
        let tableau = self.tableau(&self.all_assumptions());
        let guesses = tableau.has_guesses();
        let product = tableau.finish();
        let (mut machine, fairness) = Machine::new(&product, &product.fairness, &[], limits)?;
        let fair = fair::fair_states(&mut machine, &fairness)?;
        if fair.is_disjoint_from(&machine.initial)? {
            return Ok(Keeping::Impossible);
        }
        if guesses {
            return Ok(Keeping::Possible);
        }
        let lost_at_once = machine.initial.minus(&fair)?;
        if let Some(state) = machine.pick_state(&lost_at_once) {
            let step = super::Step {
                state,
                inputs: vec![false; machine.input_nodes().count()],
            };
            let mut trace = self.trace(&machine, &[step], None)?;
            trace.inputs.clear();
            return Ok(Keeping::DeadEnds(trace));
        }
        let losing = machine.steps_into(&fair)?.not();
        let Some(steps) = find_bad(&mut machine, &losing)? else {
            return Ok(Keeping::Possible);
        };
        let trace = self.trace(&machine, &steps, None)?;
        self.judge()
            .confirm_prefix(&trace, &self.safe_assumptions(), None)?;
        Ok(Keeping::DeadEnds(trace))
    }
}
