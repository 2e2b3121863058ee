//! Decision diagrams and satisfiability in turns.
//!
//! Diagrams win on queues, arbiters and all that has much memory and few data; a solver wins
//! on wide data, counters, long pipelines, and on failures that show soon. Neither can be told
//! from a design with certainty, so both search, each for a while that doubles each time, and
//! the first answer counts. Turns are measured in steps of work and not in time, so that the
//! same answer comes each time. A run that the solver finds is replayed like any other, and an
//! invariant that it claims is checked by [`invariant`](super::invariant).

use super::machine::Machine;
use super::reach::BadSearch;
use super::tableau::Product;
use super::{Failure, Problem, Trace, invariant};
use crate::bdd::{Bdd, Error, Limits};
use crate::design::{Literal, NodeId};
use crate::prove::{Finding, InputRun, Prover, Question};
use crate::source::Diagnostic;
use crate::source::codes::frame;
use std::collections::HashSet;

/// Who looks for an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// Both, in turns.
    #[default]
    Auto,
    /// Decision diagrams.
    Bdd,
    /// A solver for satisfiability.
    Sat,
}

/// The work of the first turns, and how it grows. A look-up of the computed table takes about
/// as long as a propagation.
const FIRST_TURN: u64 = 200_000;
const GROWTH: u64 = 2;
/// With more latches than this the solver begins.
const MANY_LATCHES: usize = 80;

impl Problem {
    /// A run of a product to a step in which `bad` holds; `None` if there is none.
    pub(super) fn find_bad_step(
        &self,
        product: &Product,
        bad: Literal,
        engine: Engine,
        limits: &Limits,
    ) -> Result<Option<Trace>, Failure> {
        let mut turn = match engine {
            Engine::Auto => FIRST_TURN,
            Engine::Bdd | Engine::Sat => u64::MAX,
        };
        let new_prover = || {
            let question = Question {
                design: &product.design,
                constraint: product.constraint,
                bad: vec![bad],
            };
            let stop = limits.clone();
            Prover::new(&question, move || stop.check().is_err())
        };
        // Most questions are small, and answered before there is a prover.
        let mut prover = None;
        let mut diagrams = Diagrams::default();
        let mut solver_first = engine == Engine::Auto
            && product.design.latches().len() > MANY_LATCHES
            && prover.get_or_insert_with(new_prover).latches() > MANY_LATCHES;
        let mut spent: u64 = 0;
        loop {
            let allowed = limits
                .lookups
                .map_or(u64::MAX, |most| most.saturating_sub(spent));
            let work = turn.min(allowed);
            if engine != Engine::Sat && !solver_first {
                match diagrams.search(self, product, bad, limits, work) {
                    Err(Failure::Limit(Error::Effort)) => {}
                    decided => return decided,
                }
            }
            solver_first = false;
            if engine != Engine::Bdd {
                let prover = prover.get_or_insert_with(new_prover);
                if prover.advance(work)
                    && let Some(Some(finding)) = prover.findings().first()
                {
                    return self.confirmed(product, bad, finding, limits);
                }
                limits.check()?;
            }
            spent = spent.saturating_add(work);
            if limits.lookups.is_some_and(|most| spent >= most) {
                return Err(Failure::Limit(Error::Effort));
            }
            turn = turn.saturating_mul(GROWTH);
        }
    }

    /// What the solver has found, checked.
    fn confirmed(
        &self,
        product: &Product,
        bad: Literal,
        finding: &Finding,
        limits: &Limits,
    ) -> Result<Option<Trace>, Failure> {
        match finding {
            Finding::Reached(run) => Ok(Some(self.trace_of(run)?)),
            Finding::Unreachable(claim) => {
                if invariant::is_proof(product, bad, claim, limits)? {
                    return Ok(None);
                }
                let message = "an invariant that was found does not hold";
                let diagnostic = Diagnostic::error(frame::INTERNAL_ERROR, message)
                    .note("no verdict is given, because this one cannot be trusted");
                Err(Failure::from(diagnostic))
            }
        }
    }

    /// The part of a run of a product that concerns the design itself.
    pub(super) fn trace_of(&self, run: &InputRun) -> Result<Trace, Diagnostic> {
        let initial: HashSet<NodeId> = run.initial.iter().copied().collect();
        let chosen = self.design.chosen_latches();
        let chosen: Vec<bool> = chosen.map(|id| initial.contains(&id)).collect();
        let inputs = run.steps.iter().map(|ones| {
            let ones: HashSet<NodeId> = ones.iter().copied().collect();
            let inputs = self.design.inputs().iter();
            inputs.map(|id| ones.contains(id)).collect()
        });
        Trace::new(&self.design, &chosen, inputs.collect(), None)
    }
}

/// The search with decision diagrams, as far as it got.
#[derive(Default)]
struct Diagrams {
    machine: Option<(Machine, Bdd)>,
    search: Option<BadSearch>,
}

impl Diagrams {
    /// Ends with [`Error::Effort`] if the work was not enough; what was found so far stays.
    fn search(
        &mut self,
        problem: &Problem,
        product: &Product,
        bad: Literal,
        limits: &Limits,
        work: u64,
    ) -> Result<Option<Trace>, Failure> {
        let (machine, bad) = match &mut self.machine {
            Some(machine) => machine,
            empty => {
                let limits = Limits {
                    work: Some(work),
                    ..limits.clone()
                };
                let (machine, mut functions) = Machine::new(product, &[bad], &[], &limits)?;
                empty.insert((machine, functions.remove(0)))
            }
        };
        machine.allow(work);
        let search = match &mut self.search {
            Some(search) => search,
            empty => match BadSearch::new(machine, bad)? {
                Some(search) => empty.insert(search),
                None => return Ok(None),
            },
        };
        match search.run(machine)? {
            Some(steps) => Ok(Some(problem.trace(machine, &steps, None)?)),
            None => Ok(None),
        }
    }
}
