//! Decision diagrams and satisfiability in turns, for several kinds of bad steps at once.
//!
//! Diagrams win on queues, arbiters and all that has much memory and few data; a solver wins
//! on wide data, counters, long pipelines, and on failures that show soon. Neither can be told
//! from a design with certainty, so both search, each for a while that doubles each time, and
//! the first answer counts. Turns are measured in steps of work and not in time, so that the
//! same answer comes each time. A run that the solver finds is replayed like any other, an
//! invariant that it claims is checked by [`invariant`](super::invariant), and states that
//! diagrams claim to be never left by [`closed`](super::closed).
//!
//! One prover has all bad steps that are not decided yet. Diagrams are shared by those that
//! depend on the same latches and inputs ([`diagrams`](super::diagrams)); a machine for the
//! latches of all would be larger than any of them needs.

use super::diagrams::Diagrams;
use super::experience::Experience;
use super::live::wrong;
use super::proof::Reason;
use super::quiet::quiet;
use super::tableau::Product;
use super::{Failure, Problem, Runs, Trace, invariant};
use crate::bdd::{Error, Limits};
use crate::design::{Literal, NodeId, Reach};
use crate::prove::{Account, Finding, InductionTurns, InputRun, Invariant, Prover, Question};
use crate::source::Diagnostic;
use std::collections::HashSet;
use std::fmt;
use std::rc::Rc;

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

impl Engine {
    /// How much of a turn's work the solver gets.
    pub(super) fn solver_work(self, work: u64) -> u64 {
        match self {
            Engine::Auto => work / SOLVER_SHARE,
            Engine::Bdd | Engine::Sat => work,
        }
    }
}

/// Who has found an answer, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// Decision diagrams, after so many steps from both ends.
    Diagrams {
        steps: usize,
    },
    Solver(Account),
}

impl fmt::Display for Found {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Found::Diagrams { steps } => write!(formatter, "decision diagrams, {steps} steps"),
            Found::Solver(account) => write!(formatter, "satisfiability: {account}"),
        }
    }
}

/// What is known of one kind of bad steps.
pub(super) enum Outcome {
    /// A run to one, not yet replayed.
    Reached(Trace, Found),
    /// There is none, for a reason that was checked.
    Unreachable(Reason, Found),
    /// Looking for it needs more than is allowed.
    Unknown(Error),
}

/// The work of the first turns, and how it grows.
const FIRST_TURN: u64 = 200_000;
const GROWTH: u64 = 2;
/// A propagation, with what else a query costs, takes longer than a look-up of the computed
/// table: so the solver gets this part of the work. Where diagrams win, they then take about
/// half of the time at least.
const SOLVER_SHARE: u64 = 2;
/// With more latches than this the solver begins, and diagrams get a smaller share of the work:
/// with ten times as many, a tenth. The more latches there are, the rarer diagrams win.
const MANY_LATCHES: usize = 1_500;
/// By how much less an engine gets where the other one has proved a similar design.
const DOUBT: u64 = 4;
/// What that one has used in its last turn at least.
const HARD: u64 = 400_000;

/// The search for some kinds of bad steps of a product.
pub(super) struct Search<'a> {
    pub problem: &'a Problem,
    pub product: &'a Product,
    pub bad: &'a [Literal],
    pub engine: Engine,
    pub runs: Runs,
    pub induction: InductionTurns,
    pub experience: Option<&'a Experience>,
    pub limits: &'a Limits,
}

/// Which kinds of bad steps are not decided, and who else wants to know.
pub(super) trait Watch {
    /// Diagrams are about to look for these bad steps for the first time.
    fn starting(&mut self, index: usize);

    /// Something was found. Says which other ones need not be looked for any more.
    fn decided(&mut self, index: usize, outcome: Outcome) -> Result<Vec<usize>, Failure>;
}

impl Search<'_> {
    /// Goes on until all is decided or a limit is reached, which is the error then.
    pub fn run(&self, watch: &mut impl Watch) -> Result<(), Failure> {
        let leaves = self.leaves()?;
        let latches = self.latches(&leaves);
        let mut diagrams = Diagrams::new(leaves);
        let ended = self.take_turns(&latches, &mut diagrams, watch);
        if let (Some(experience), Some(order)) = (self.experience, diagrams.known_order(self)) {
            experience.learn_order(order);
        }
        ended
    }

    /// `latches` has the number of latches that each kind of bad steps depends on.
    fn take_turns(
        &self,
        latches: &[usize],
        diagrams: &mut Diagrams,
        watch: &mut impl Watch,
    ) -> Result<(), Failure> {
        let alone = self.bad.len() == 1;
        let mut turn = match self.engine {
            Engine::Sat => u64::MAX,
            Engine::Bdd if alone => u64::MAX,
            Engine::Auto | Engine::Bdd => FIRST_TURN,
        };
        // Most questions are small, and answered before there is a prover.
        let mut prover: Option<Proving> = None;
        let is_large =
            |index: &usize| self.engine == Engine::Auto && latches[*index] > MANY_LATCHES;
        let mut waiting: HashSet<usize> = (0..self.bad.len()).filter(is_large).collect();
        let most_latches = latches.iter().copied().max().unwrap_or(0);
        let mut open: Vec<usize> = (0..self.bad.len()).collect();
        let mut spent: u64 = 0;
        while !open.is_empty() {
            let allowed = self.limits.lookups;
            let allowed = allowed.map_or(u64::MAX, |most| most.saturating_sub(spent));
            let work = turn.min(allowed);
            if let Some(meter) = &self.limits.meter {
                meter.add(work);
            }
            let mut used = work;
            if self.engine != Engine::Sat {
                let now = open.iter().copied();
                let now: Vec<usize> = now.filter(|index| !waiting.contains(index)).collect();
                let share = self.share_of_diagrams(work, most_latches);
                let done = diagrams.turn(self, &now, share, watch)?;
                used = used.max(done.used);
                open.retain(|index| !done.decided.contains(index));
                waiting.clear();
            }
            if self.engine != Engine::Bdd && !open.is_empty() {
                let proving = prover.get_or_insert_with(|| Proving::new(self, &open));
                let decided = proving.turn(self, &open, self.share_of_solver(used), watch)?;
                open.retain(|index| !decided.contains(index));
                self.limits.check()?;
            }
            spent = spent.saturating_add(work);
            if self.limits.lookups.is_some_and(|most| spent >= most) && !open.is_empty() {
                return Err(Failure::Limit(Error::Effort));
            }
            turn = turn.saturating_mul(GROWTH);
        }
        Ok(())
    }

    /// Latches and inputs that each kind of bad steps depends on over time.
    fn leaves(&self) -> Result<Vec<Vec<NodeId>>, Failure> {
        let design = &self.product.design;
        let mut each = Vec::new();
        for bad in self.bad {
            self.limits.check()?;
            let cone = design.cone([*bad, self.product.constraint], Reach::Run);
            let leaves = design.latches().iter().chain(design.inputs()).copied();
            each.push(leaves.filter(|id| cone.contains(*id)).collect());
        }
        Ok(each)
    }

    /// How many latches are among the leaves of each kind of bad steps.
    fn latches(&self, leaves: &[Vec<NodeId>]) -> Vec<usize> {
        let design = &self.product.design;
        let is_latch = |id: &&NodeId| design.latch(**id).is_some();
        let each = leaves.iter();
        each.map(|leaves| leaves.iter().filter(is_latch).count())
            .collect()
    }

    /// The part of a turn's work that diagrams get.
    fn share_of_diagrams(&self, work: u64, latches: usize) -> u64 {
        if self.engine != Engine::Auto {
            return work;
        }
        let work = work / self.doubt(Engine::Sat);
        if latches <= MANY_LATCHES {
            return work;
        }
        work / (latches as u64) * MANY_LATCHES as u64
    }

    /// The part of a turn's work that the solver gets.
    fn share_of_solver(&self, work: u64) -> u64 {
        self.engine.solver_work(work) / self.doubt(Engine::Bdd)
    }

    /// By how much less one engine gets if the other one has proved the last similar design.
    fn doubt(&self, other: Engine) -> u64 {
        let last = self.experience.and_then(Experience::prover);
        if self.engine == Engine::Auto && last == Some(other) {
            return DOUBT;
        }
        1
    }

    /// Remembers who gives proofs. One that comes with little work says nothing of others.
    pub fn learn(&self, outcome: &Outcome, work: u64) {
        let experience = self.experience.filter(|_| work >= HARD);
        if let (Some(experience), Outcome::Unreachable(_, found)) = (experience, outcome) {
            experience.learn_prover(found);
        }
    }

    /// A run of the product to a bad step, as one of the design.
    pub fn trace(&self, index: usize, run: InputRun) -> Result<Trace, Diagnostic> {
        let run = match self.runs {
            Runs::AsFound => run,
            Runs::Quiet => quiet(self.product, self.bad[index], run)?,
        };
        self.problem.trace_of(&run, None)
    }

    /// What the solver has found, checked. `known` are invariants that hold.
    fn confirmed(
        &self,
        index: usize,
        finding: &Finding,
        how: Account,
        known: &mut Vec<Rc<Invariant>>,
    ) -> Result<Outcome, Failure> {
        let how = Found::Solver(how);
        let claim = match finding {
            Finding::Reached(run) => {
                let trace = self.trace(index, run.clone())?;
                return Ok(Outcome::Reached(trace, how));
            }
            Finding::Unreachable(claim) => claim,
        };
        let (product, limits) = (self.product, self.limits);
        let mut holds = known.iter().any(|other| Rc::ptr_eq(other, claim));
        if !holds && invariant::is_inductive(product, claim, limits)? {
            known.push(claim.clone());
            holds = true;
        }
        if holds && invariant::excludes(product, claim, self.bad[index], limits)? {
            return Ok(Outcome::Unreachable(Reason::Clauses(claim.clone()), how));
        }
        let message = "an invariant that was found does not hold";
        Err(Failure::from(wrong(message)))
    }
}

/// The prover, with the bad steps that it was told of.
struct Proving {
    prover: Prover,
    /// For each literal of the prover, the index of the bad steps.
    indices: Vec<usize>,
    is_told: Vec<bool>,
    /// Invariants that were checked.
    known: Vec<Rc<Invariant>>,
}

impl Proving {
    fn new(search: &Search, open: &[usize]) -> Proving {
        let question = Question {
            design: &search.product.design,
            constraint: search.product.constraint,
            bad: open.iter().map(|index| search.bad[*index]).collect(),
        };
        let stop = search.limits.clone();
        Proving {
            prover: Prover::new(&question, move || stop.check().is_err())
                .with_induction(search.induction),
            indices: open.to_vec(),
            is_told: vec![false; open.len()],
            known: Vec::new(),
        }
    }

    /// Gives back what need not be looked for any more.
    fn turn(
        &mut self,
        search: &Search,
        open: &[usize],
        work: u64,
        watch: &mut impl Watch,
    ) -> Result<Vec<usize>, Failure> {
        for (own, index) in self.indices.iter().enumerate() {
            if !open.contains(index) {
                self.is_told[own] = true;
                self.prover.dismiss(own);
            }
        }
        self.prover.advance(work);
        let mut decided = Vec::new();
        for (own, &index) in self.indices.iter().enumerate() {
            if self.is_told[own] || decided.contains(&index) {
                continue;
            }
            let finding = self.prover.findings()[own].as_ref();
            if let (Some(finding), Some(how)) = (finding, self.prover.account(own)) {
                self.is_told[own] = true;
                let outcome = search.confirmed(index, finding, how, &mut self.known)?;
                search.learn(&outcome, work);
                decided.push(index);
                decided.extend(watch.decided(index, outcome)?);
            }
        }
        Ok(decided)
    }
}

impl Problem {
    /// The part of a run of a product that concerns the design itself.
    pub(super) fn trace_of(
        &self,
        run: &InputRun,
        loop_start: Option<usize>,
    ) -> Result<Trace, Diagnostic> {
        let initial: HashSet<NodeId> = run.initial.iter().copied().collect();
        let chosen = self.design.chosen_latches();
        let chosen: Vec<bool> = chosen.map(|id| initial.contains(&id)).collect();
        let inputs = run.steps.iter().map(|ones| {
            let ones: HashSet<NodeId> = ones.iter().copied().collect();
            let inputs = self.design.inputs().iter();
            inputs.map(|id| ones.contains(id)).collect()
        });
        Trace::new(&self.design, &chosen, inputs.collect(), loop_start)
    }
}
