//! Whether the assumptions can be kept at all.
//!
//! If no run keeps the assumptions, every assertion holds, because there is no run to check.
//! If the design leads the environment into a state where it has to break an assumption,
//! nothing is checked after that state. A report says both next to its verdict.

use super::dead_ends::{self, Continuation, Continuations};
use super::live::{self, Answer, Diagrams, Solver, in_turns};
use super::reach::{BadSearch, Rings};
use super::tableau::Product;
use super::{Certified, Engine, Evidence, Fails, Failure, Problem, Trace};
use crate::bdd::{self, Bdd, Limits};
use crate::prove::InputRun;
use crate::source::Diagnostic;

/// With more latches than this the solver begins.
const MANY_LATCHES: usize = 80;
/// Where the solver cannot tell whether there are dead ends, diagrams get turns of so much
/// work and no more: a verdict that stands already should not wait for them for ever.
const LONGEST_TURN: u64 = 50_000_000;

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
    pub fn assumptions(
        &self,
        engine: Engine,
        limits: &Limits,
    ) -> Result<AssumptionStatus, Diagnostic> {
        if self.assumptions.is_empty() {
            return Ok(AssumptionStatus::NothingAssumed);
        }
        match self.find_status(engine, limits) {
            Ok(status) => Ok(status),
            Err(Failure::Limit(error)) => Ok(AssumptionStatus::Unknown(error)),
            Err(Failure::Internal(diagnostic)) => Err(*diagnostic),
        }
    }

    fn find_status(&self, engine: Engine, limits: &Limits) -> Result<AssumptionStatus, Failure> {
        let tableau = self.tableau(&self.all_assumptions());
        let has_guesses = tableau.has_guesses();
        let product = tableau.finish();
        let mut by_diagrams = ByDiagrams {
            problem: self,
            product: &product,
            has_guesses,
            limits,
            diagrams: Diagrams::default(),
            dead_ends: None,
        };
        let mut by_solver = BySolver {
            problem: self,
            product: &product,
            limits,
            solver: Solver::default(),
            continuations: (!has_guesses).then(|| Continuations::new(&product, limits)),
            dead_ends: if has_guesses {
                DeadEnds::None
            } else {
                DeadEnds::Unknown
            },
            can_be_kept: false,
        };
        in_turns(
            engine,
            product.design.latches().len() > MANY_LATCHES,
            limits,
            |work| by_diagrams.search(work),
            |work| by_solver.search(work),
        )
    }

    /// Steps to a dead end, replayed.
    fn dead_end(&self, trace: Trace) -> Result<AssumptionStatus, Failure> {
        if !trace.is_empty() {
            let judge = self.judge();
            judge.confirm_prefix(&trace, &self.safe_assumptions(), None)?;
        }
        Ok(AssumptionStatus::DeadEnds(trace))
    }
}

/// The states of runs that keep the assumptions, and then the way out of them.
struct ByDiagrams<'a> {
    problem: &'a Problem,
    product: &'a Product,
    has_guesses: bool,
    limits: &'a Limits,
    diagrams: Diagrams,
    /// None once it is known that there is nothing to search.
    dead_ends: Option<Option<(BadSearch, Rings)>>,
}

impl ByDiagrams<'_> {
    fn search(&mut self, work: u64) -> Result<AssumptionStatus, Failure> {
        let (machine, _, fair) = self.diagrams.search(self.product, &[], self.limits, work)?;
        if fair.is_disjoint_from(&machine.initial)? {
            return Ok(AssumptionStatus::Impossible);
        }
        if self.has_guesses {
            return Ok(AssumptionStatus::Possible);
        }
        let lost_at_once = machine.initial.minus(&fair)?;
        if let Some(state) = machine.pick_state(&lost_at_once) {
            let step = super::Step {
                state,
                inputs: vec![false; machine.input_nodes().count()],
            };
            let mut trace = self.problem.trace(machine, &[step], None)?;
            trace.inputs.clear();
            return Ok(AssumptionStatus::DeadEnds(trace));
        }
        let search = match &mut self.dead_ends {
            Some(search) => search,
            empty => {
                let losing: Bdd = machine.steps_into(&fair)?.not();
                let forward = Rings::forward(machine.initial.clone());
                let search = BadSearch::new(machine, &losing)?;
                empty.insert(search.map(|search| (search, forward)))
            }
        };
        let steps = match search {
            Some((search, forward)) => search.run(machine, forward)?,
            None => None,
        };
        match steps {
            None => Ok(AssumptionStatus::Possible),
            Some(steps) => {
                let trace = self.problem.trace(machine, &steps, None)?;
                self.problem.dead_end(trace)
            }
        }
    }
}

/// What the solver knows of dead ends.
enum DeadEnds {
    Unknown,
    None,
    Some(InputRun),
    /// It cannot tell.
    Unclear,
}

/// Continuations from all states; and a run that keeps the assumptions, where these do not
/// show that there is one.
struct BySolver<'a> {
    problem: &'a Problem,
    product: &'a Product,
    limits: &'a Limits,
    solver: Solver,
    continuations: Option<Continuations<'a>>,
    dead_ends: DeadEnds,
    can_be_kept: bool,
}

impl BySolver<'_> {
    fn search(&mut self, work: u64) -> Result<Option<AssumptionStatus>, Failure> {
        if let (DeadEnds::Unknown, Some(search)) = (&self.dead_ends, &mut self.continuations) {
            match search.search(work)? {
                None => return Ok(None),
                Some(Continuation::Always) => return Ok(Some(AssumptionStatus::Possible)),
                Some(Continuation::Unclear) => self.dead_ends = DeadEnds::Unclear,
                Some(Continuation::DeadEnd(run)) => {
                    if !dead_ends::is_dead_end(self.product, &run, self.limits)? {
                        let message = "a dead end that was found is none";
                        return Err(Failure::from(live::wrong(message)));
                    }
                    self.dead_ends = DeadEnds::Some(run);
                }
            }
        }
        if !self.can_be_kept {
            match self.solver.search(self.product, &[], self.limits, work)? {
                None => return Ok(None),
                Some(Answer::NoRun) => return Ok(Some(AssumptionStatus::Impossible)),
                Some(Answer::Run(_)) => self.can_be_kept = true,
            }
        }
        match &self.dead_ends {
            DeadEnds::None => Ok(Some(AssumptionStatus::Possible)),
            DeadEnds::Some(run) => {
                let trace = self.problem.trace_of(run, None)?;
                self.problem.dead_end(trace).map(Some)
            }
            DeadEnds::Unknown | DeadEnds::Unclear if work >= LONGEST_TURN => {
                Ok(Some(AssumptionStatus::Unknown(bdd::Error::Effort)))
            }
            DeadEnds::Unknown | DeadEnds::Unclear => Ok(None),
        }
    }
}
