//! Fair runs, by decision diagrams and satisfiability in turns.
//!
//! As with bad steps, both search, each for a while that doubles each time, and the first
//! answer counts. Diagrams compute all states of fair runs ([`fair`](super::fair)), and that
//! there is none is checked by [`unfair`](super::unfair); the solver looks for one fair run, or
//! for a ranking by which there is none. Its run is replayed on the product as well as on the
//! design, and its ranking is checked by [`ranking`](super::ranking).

use super::fair::FairSearch;
use super::machine::Machine;
use super::tableau::Product;
use super::{Engine, Failure, Options, Problem, Trace, ranking};
use crate::bdd::{Bdd, Error, Limits};
use crate::design::{Literal, NodeId, Reach, Simulator};
use crate::prove::{Lasso, LiveFinding, LiveProver, LiveQuestion};
use crate::source::Diagnostic;
use crate::source::codes::frame;
use crate::spec::FormulaId;
use std::collections::HashSet;

/// The work of the first turns, and how it grows.
const FIRST_TURN: u64 = 200_000;
const GROWTH: u64 = 2;
/// With more latches than this the solver begins.
const MANY_LATCHES: usize = 1_500;

impl Problem {
    /// An infinite run that keeps all assumptions and violates a formula.
    pub(super) fn find_bad_run(
        &self,
        formula: FormulaId,
        options: &Options,
    ) -> Result<Option<Trace>, Failure> {
        let assumptions = self.all_assumptions();
        let mut tableau = self.tableau(&assumptions);
        tableau.require((formula, false));
        let product = tableau.finish();
        // Atoms may drop out of a formula, but the loop of a run has to be one for them, too.
        let observed = self.judge().literals(assumptions.iter().chain([&formula]));
        let limits = &options.limits;
        let mut diagrams = Diagrams::default();
        let mut solver = Solver::default();
        let found = in_turns(
            options.engine,
            product.design.latches().len() > MANY_LATCHES,
            limits,
            |work| {
                let (machine, search, _) = diagrams.search(&product, &observed, limits, work)?;
                let Some(run) = search.fair_run(machine)? else {
                    return Ok(None);
                };
                Ok(Some(self.trace(
                    machine,
                    &run.steps,
                    Some(run.loop_start),
                )?))
            },
            |work| {
                let found = solver.search(&product, &observed, limits, work)?;
                let trace = |lasso: &Lasso| self.looping_trace(lasso);
                Ok(match found {
                    None => None,
                    Some(Answer::NoRun) => Some(None),
                    Some(Answer::Run(lasso)) => Some(Some(trace(&lasso)?)),
                })
            },
        )?;
        let Some(trace) = found else {
            return Ok(None);
        };
        let judge = self.judge();
        Ok(Some(judge.confirm_lasso(trace, &assumptions, formula)?))
    }

    /// The part of a fair run of a product that concerns the design itself.
    fn looping_trace(&self, lasso: &Lasso) -> Result<Trace, Diagnostic> {
        self.trace_of(&lasso.run, Some(lasso.loop_start))
    }
}

/// Lets two engines work in turns until one of them has an answer. Diagrams give up a turn with
/// [`Error::Effort`], the solver with no answer.
pub(super) fn in_turns<T>(
    engine: Engine,
    solver_first: bool,
    limits: &Limits,
    mut diagrams: impl FnMut(u64) -> Result<T, Failure>,
    mut solver: impl FnMut(u64) -> Result<Option<T>, Failure>,
) -> Result<T, Failure> {
    let mut turn = match engine {
        Engine::Auto => FIRST_TURN,
        Engine::Bdd | Engine::Sat => u64::MAX,
    };
    let mut diagrams_wait = engine == Engine::Sat || engine == Engine::Auto && solver_first;
    let mut spent: u64 = 0;
    loop {
        let allowed = limits
            .lookups
            .map_or(u64::MAX, |most| most.saturating_sub(spent));
        let work = turn.min(allowed);
        if let Some(meter) = &limits.meter {
            meter.add(work);
        }
        if !diagrams_wait {
            match diagrams(work) {
                Err(Failure::Limit(Error::Effort)) => {}
                decided => return decided,
            }
        }
        diagrams_wait = engine == Engine::Sat;
        if engine != Engine::Bdd {
            if let Some(answer) = solver(engine.solver_work(work))? {
                return Ok(answer);
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

/// The search with decision diagrams, as far as it got.
#[derive(Default)]
pub(super) struct Diagrams {
    machine: Option<(Machine, FairSearch)>,
    fair: Option<Bdd>,
}

impl Diagrams {
    /// The product as diagrams, and the states of fair runs. Ends with [`Error::Effort`] if
    /// the work was not enough; what was found so far stays.
    pub fn search(
        &mut self,
        product: &Product,
        observed: &[Literal],
        limits: &Limits,
        work: u64,
    ) -> Result<(&mut Machine, &FairSearch, Bdd), Failure> {
        let (machine, search) = match &mut self.machine {
            Some(machine) => machine,
            empty => {
                let limits = Limits {
                    work: Some(work),
                    ..limits.clone()
                };
                let (machine, fairness) =
                    Machine::new(product, &product.fairness, observed, &limits)?;
                let search = FairSearch::new(&machine, &fairness);
                empty.insert((machine, search))
            }
        };
        machine.allow(work);
        let fair = match &self.fair {
            Some(fair) => fair.clone(),
            None => {
                let fair = search.run(machine)?;
                if fair.is_disjoint_from(&machine.initial)?
                    && !search.layers(machine, product).are_proof(product, limits)?
                {
                    let message = "layers without fair runs that were found have one";
                    return Err(Failure::from(wrong(message)));
                }
                self.fair.insert(fair).clone()
            }
        };
        Ok((machine, search, fair))
    }
}

/// What the solver has found, checked.
pub(super) enum Answer {
    Run(Lasso),
    NoRun,
}

/// The search with a solver, as far as it got.
#[derive(Default)]
pub(super) struct Solver {
    prover: Option<LiveProver>,
}

impl Solver {
    /// An answer, if the work was enough for one.
    pub fn search(
        &mut self,
        product: &Product,
        observed: &[Literal],
        limits: &Limits,
        work: u64,
    ) -> Result<Option<Answer>, Failure> {
        let prover = self.prover.get_or_insert_with(|| {
            let question = LiveQuestion {
                design: &product.design,
                constraint: product.constraint,
                fairness: &product.fairness,
                observed,
            };
            let stop = limits.clone();
            LiveProver::new(&question, move || stop.check().is_err())
        });
        if !prover.advance(work) {
            return Ok(None);
        }
        match prover.finding() {
            None => Ok(None),
            Some(LiveFinding::FairRun(lasso)) => {
                if !is_fair_run(product, lasso)? {
                    return Err(Failure::from(wrong("a fair run that was found is none")));
                }
                Ok(Some(Answer::Run(lasso.clone())))
            }
            Some(LiveFinding::NoFairRun(claim)) => {
                if !ranking::is_proof(product, claim, limits)? {
                    return Err(Failure::from(wrong(
                        "a ranking that was found does not hold",
                    )));
                }
                Ok(Some(Answer::NoRun))
            }
            Some(LiveFinding::FewRounds(claim)) => {
                if !ranking::is_bounded(product, claim, limits)? {
                    let message = "a number of rounds that was found is exceeded";
                    return Err(Failure::from(wrong(message)));
                }
                Ok(Some(Answer::NoRun))
            }
        }
    }
}

/// What was found does not stand up to a check: a defect of ours.
pub(super) fn wrong(message: &str) -> Diagnostic {
    Diagnostic::error(frame::INTERNAL_ERROR, message)
        .note("no verdict is given, because this one cannot be trusted")
}

/// Whether a claimed run keeps the constraint, comes back to where its loop starts, and meets
/// all conditions inside the loop. Latches that none of these depend on need not repeat.
pub(super) fn is_fair_run(product: &Product, lasso: &Lasso) -> Result<bool, Diagnostic> {
    let design = &product.design;
    let roots = product.fairness.iter().copied().chain([product.constraint]);
    let cone = design.cone(roots, Reach::Run);
    let all = design.latches().iter();
    let latches: Vec<NodeId> = all.copied().filter(|id| cone.contains(*id)).collect();
    let state = |simulator: &Simulator| -> Vec<u64> {
        let latches = latches.iter();
        latches
            .map(|id| simulator.value(id.literal()) & 1)
            .collect()
    };
    let mut simulator = Simulator::new(design)?;
    let ones: HashSet<NodeId> = lasso.run.initial.iter().copied().collect();
    simulator.start(|id| u64::from(ones.contains(&id)));
    let mut start = None;
    let mut met = vec![false; product.fairness.len()];
    for (step, ones) in lasso.run.steps.iter().enumerate() {
        if step == lasso.loop_start {
            start = Some(state(&simulator));
        }
        let ones: HashSet<NodeId> = ones.iter().copied().collect();
        simulator.settle(|id| u64::from(ones.contains(&id)));
        if simulator.value(product.constraint) & 1 == 0 {
            return Ok(false);
        }
        for (met, condition) in met.iter_mut().zip(&product.fairness) {
            *met |= start.is_some() && simulator.value(*condition) & 1 == 1;
        }
        simulator.advance();
    }
    Ok(start == Some(state(&simulator)) && met.iter().all(|met| *met))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::{Design, InputKind, Reset};
    use crate::prove::InputRun;

    /// A latch that the input turns; both of its values have to come again and again, and the
    /// input is 1 in the first step.
    fn product() -> (Product, NodeId) {
        let mut design = Design::new();
        let input = design.add_input(InputKind::Environment);
        let latch = design.add_latch(Reset::Zero);
        let next = design.xor(input.literal(), latch.literal());
        design.set_next(latch, next);
        let first = design.add_latch(Reset::One);
        design.set_next(first, Literal::FALSE);
        let constraint = design.or(!first.literal(), input.literal());
        let product = Product {
            design,
            constraint,
            fairness: vec![latch.literal(), !latch.literal()],
        };
        (product, input)
    }

    fn check(inputs: &[bool], loop_start: usize) -> bool {
        let (product, input) = product();
        let ones = |value: &bool| value.then_some(input).into_iter().collect();
        let lasso = Lasso {
            run: InputRun {
                initial: Vec::new(),
                steps: inputs.iter().map(ones).collect(),
            },
            loop_start,
        };
        is_fair_run(&product, &lasso).unwrap()
    }

    #[test]
    fn a_fair_run_is_accepted() {
        assert!(check(&[true, true, true], 1));
    }

    #[test]
    fn a_run_that_does_not_come_back_is_refused() {
        assert!(!check(&[true, true, false], 1));
        assert!(!check(&[true, true], 0));
    }

    #[test]
    fn a_run_that_misses_a_condition_is_refused() {
        assert!(!check(&[true, false], 1));
    }

    #[test]
    fn a_run_that_breaks_the_constraint_is_refused() {
        assert!(!check(&[false, true, true], 1));
    }

    #[test]
    fn a_run_without_a_loop_is_refused() {
        assert!(!check(&[true], 1));
        assert!(!check(&[], 0));
    }
}
