//! Runs and invariants in turns, for several bad literals at once.
//!
//! Bounded model checking goes through the steps with all literals that are open. Induction over
//! several steps needs its answers, and is asked next, with little work. IC3 looks
//! for one invariant against all of them: what is learnt for one literal helps the others. A
//! literal that is hard, or fails after many steps only, would keep the others waiting; so
//! when there is no such invariant soon, each literal gets a search of its own as well, in
//! turns, and takes over the invariants that were found for others.

use super::account::Account;
use super::bmc::Bmc;
use super::circuit::{Circuit, Question};
use super::correspond::correspond;
use super::ic3::{Cube, Found, Ic3};
use super::induction::Induction;
use super::{InputRun, Invariant, Stopped};
use crate::design::Literal;
use crate::sat::Meter;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What is claimed of one bad literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// A run to it; among the shortest if bounded model checking has found it.
    Reached(InputRun),
    /// It is in no run, because all states of runs satisfy the invariant.
    Unreachable(Rc<Invariant>),
}

/// When induction over several steps has its turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InductionTurns {
    #[default]
    Always,
    /// When invariants are not found soon: clauses are what people read.
    Late,
    /// For those who can check clauses only.
    Never,
}

/// The search about one question, which can be stopped and go on.
pub struct Prover {
    meter: Rc<Meter>,
    stage: Stage,
    findings: Vec<Option<Finding>>,
    accounts: Vec<Option<Account>>,
    /// Somebody else has decided these.
    dismissed: Vec<bool>,
    induction: InductionTurns,
}

enum Stage {
    /// Before latches were merged.
    Circuit(Rc<Circuit>),
    Search(Box<Search>),
}

struct Search {
    bmc: Bmc,
    induction: Induction,
    induction_turns: InductionTurns,
    /// Literals that induction excludes once the first so many steps are known to be free of
    /// them.
    inductive: BTreeMap<usize, usize>,
    /// For all open literals.
    ic3: Ic3,
    /// For one of them each.
    apart: BTreeMap<usize, Ic3>,
    /// Cubes that no run comes to, from proofs.
    excluded: Vec<Cube>,
    /// What merged latches have in common.
    clauses: Vec<Vec<Literal>>,
    circuit: Rc<Circuit>,
    meter: Rc<Meter>,
    /// Work for the next turn of each.
    turn: u64,
    /// Runs have had work of their own.
    has_looked: bool,
}

/// The work of the first turns, and how they grow.
const FIRST_TURN: u64 = 50_000;
const GROWTH: u64 = 2;
/// Failures that are not found soon are rare, so runs get this part of what invariants get.
const BMC_SHARE: u64 = 3;
/// Where induction over several steps succeeds, it does so with few of them.
const INDUCTION_SHARE: u64 = 5;
/// Turns that come late.
const LATE_TURN: u64 = 16 * FIRST_TURN;
/// If turns have grown to this and there are so many latches, runs get work of their own once:
/// most failures of larger designs are found with it, and long before invariants are.
const LOOK_AT_TURN: u64 = 8 * FIRST_TURN;
const FEW_LATCHES: usize = 64;
const LOOK: u64 = 3_000_000;
/// What a search for one literal gets at least, so that it comes further than to its begin.
const LEAST_APART: u64 = 10_000;

impl Prover {
    /// `stop` says whether somebody wants the search to end for good.
    pub fn new(question: &Question, stop: impl Fn() -> bool + 'static) -> Prover {
        let circuit = Circuit::new(question);
        let count = circuit.bad.len();
        Prover {
            meter: Meter::new(stop),
            findings: vec![None; count],
            accounts: vec![None; count],
            dismissed: vec![false; count],
            induction: InductionTurns::default(),
            stage: Stage::Circuit(Rc::new(circuit)),
        }
    }

    /// Says when induction over several steps has its turns.
    pub fn with_induction(self, induction: InductionTurns) -> Prover {
        Prover { induction, ..self }
    }

    /// What was found about each bad literal so far.
    pub fn findings(&self) -> &[Option<Finding>] {
        &self.findings
    }

    /// How it was found.
    pub fn account(&self, index: usize) -> Option<Account> {
        self.accounts.get(index).copied().flatten()
    }

    /// How much work was done so far.
    pub fn used(&self) -> u64 {
        self.meter.used()
    }

    /// Says that a literal is of no interest any more.
    pub fn dismiss(&mut self, index: usize) {
        if let Some(dismissed) = self.dismissed.get_mut(index) {
            *dismissed = true;
        }
    }

    /// How many steps have no bad one among them.
    pub fn bound(&self) -> usize {
        match &self.stage {
            Stage::Circuit(_) => 0,
            Stage::Search(search) => search.bmc.bound().max(search.ic3.depth()),
        }
    }

    /// How many latches the question depends on.
    pub fn latches(&self) -> usize {
        match &self.stage {
            Stage::Circuit(circuit) => circuit.latches().len(),
            Stage::Search(search) => search.circuit.latches().len(),
        }
    }

    fn open(&self) -> Vec<usize> {
        let indices = 0..self.findings.len();
        let is_open = |index: &usize| self.findings[*index].is_none() && !self.dismissed[*index];
        indices.filter(is_open).collect()
    }

    /// Does some work; says whether everything was found.
    pub fn advance(&mut self, work: u64) -> bool {
        let end = self.meter.used().saturating_add(work);
        self.meter.allow(end);
        // Stopped is no failure: what was found so far stays.
        let _ = self.run(end);
        self.open().is_empty()
    }

    /// Merges latches, if that was not done before.
    fn merge(&mut self) -> Result<(), Stopped> {
        if let Stage::Circuit(circuit) = &self.stage {
            let search = Search::new(circuit, &self.meter, self.induction)?;
            // What became constant needs no search.
            for index in 0..self.findings.len() {
                if search.circuit.bad[index] == Literal::FALSE {
                    let invariant = Rc::new(search.invariant(&[]));
                    let clauses = invariant.clauses.len();
                    self.accounts[index] = Some(Account::Correspondence { clauses });
                    self.findings[index] = Some(Finding::Unreachable(invariant));
                }
            }
            self.stage = Stage::Search(Box::new(search));
        }
        Ok(())
    }

    fn run(&mut self, end: u64) -> Result<(), Stopped> {
        self.merge()?;
        let mut end = end;
        loop {
            let open = self.open();
            let Stage::Search(search) = &mut self.stage else {
                return Ok(());
            };
            if open.is_empty() {
                return Ok(());
            }
            let mut found = search.look(&open, &mut end);
            if found.is_empty() {
                found = search.runs(&open, end);
            }
            if found.is_empty() {
                found = search.rows(&open, &mut end);
            }
            if found.is_empty() {
                found = search.proofs(&open, end);
            }
            if found.is_empty() && open.len() > 1 && search.turn > FIRST_TURN {
                found = search.proofs_apart(&open, end);
            }
            let is_new = !found.is_empty();
            for (index, finding, account) in found {
                self.findings[index] = Some(finding);
                self.accounts[index] = Some(account);
            }
            if is_new {
                continue;
            }
            if self.meter.used() >= end || self.meter.is_stopped() {
                return Err(Stopped);
            }
            search.turn = search.turn.saturating_mul(GROWTH);
        }
    }
}

/// A bad literal with what was found about it, and how.
type Discovery = (usize, Finding, Account);

impl Search {
    fn new(
        circuit: &Rc<Circuit>,
        meter: &Rc<Meter>,
        turns: InductionTurns,
    ) -> Result<Search, Stopped> {
        let merged = correspond(circuit, meter)?;
        let circuit = Rc::new(merged.circuit);
        Ok(Search {
            bmc: Bmc::new(circuit.clone(), meter.clone()),
            induction: Induction::new(circuit.clone(), meter.clone()),
            induction_turns: turns,
            inductive: BTreeMap::new(),
            ic3: Ic3::new(circuit.clone(), meter.clone()),
            apart: BTreeMap::new(),
            excluded: Vec::new(),
            clauses: merged.clauses,
            circuit,
            meter: meter.clone(),
            turn: FIRST_TURN,
            has_looked: false,
        })
    }

    fn allow(&self, work: u64, end: u64) {
        let until = self.meter.used().saturating_add(work);
        self.meter.allow(end.min(until));
    }

    /// Bounded model checking with work of its own, by which the end of this turn moves.
    fn look(&mut self, open: &[usize], end: &mut u64) -> Vec<Discovery> {
        let is_due = self.turn >= LOOK_AT_TURN && self.circuit.latches().len() > FEW_LATCHES;
        if self.has_looked || !is_due {
            return Vec::new();
        }
        let before = self.meter.used();
        self.meter.allow(before.saturating_add(LOOK));
        let found = self.bmc.search(open, usize::MAX);
        *end = end.saturating_add(self.meter.used() - before);
        match found {
            Ok(Some((index, run))) => vec![shortest(index, run)],
            _ => {
                self.has_looked = true;
                Vec::new()
            }
        }
    }

    /// A turn of bounded model checking.
    fn runs(&mut self, open: &[usize], end: u64) -> Vec<Discovery> {
        self.allow(self.turn / BMC_SHARE, end);
        match self.bmc.search(open, usize::MAX) {
            Ok(Some((index, run))) => vec![shortest(index, run)],
            _ => Vec::new(),
        }
    }

    /// A turn of induction over several steps, by whose work the end of this turn moves: what
    /// the others get does not depend on it.
    fn rows(&mut self, open: &[usize], end: &mut u64) -> Vec<Discovery> {
        let is_due = match self.induction_turns {
            InductionTurns::Always => true,
            InductionTurns::Late => self.turn >= LATE_TURN,
            InductionTurns::Never => false,
        };
        if !is_due {
            return Vec::new();
        }
        let before = self.meter.used();
        let work = self.turn / INDUCTION_SHARE;
        self.meter.allow(before.saturating_add(work));
        if let Ok((index, depth)) = self.induction.search(open) {
            self.inductive.entry(index).or_insert(depth);
        }
        *end = end.saturating_add(self.meter.used() - before);
        self.inductive.retain(|index, _| open.contains(index));
        let Some((&index, &depth)) = self.inductive.iter().min_by_key(|(_, depth)| **depth) else {
            return Vec::new();
        };
        if self.bmc.bound() < depth {
            self.allow(self.turn, *end);
            match self.bmc.search(open, depth) {
                Ok(Some((index, run))) => return vec![shortest(index, run)],
                Ok(None) => {}
                Err(Stopped) => return Vec::new(),
            }
        }
        let invariant = Rc::new(Invariant {
            depth,
            ..self.invariant(self.induction.learnt())
        });
        let account = Account::Induction { steps: depth };
        vec![(index, Finding::Unreachable(invariant), account)]
    }

    /// A turn of IC3 about all open literals.
    fn proofs(&mut self, open: &[usize], end: u64) -> Vec<Discovery> {
        self.allow(self.turn, end);
        match self.ic3.search(open) {
            Ok(Found::Violation(index, run)) => self.shortened(open, index, run, end),
            Ok(Found::Invariant(cubes)) => {
                let invariant = Rc::new(self.invariant(&cubes));
                let account = Account::Ic3Proof {
                    frames: self.ic3.depth(),
                    clauses: invariant.clauses.len(),
                };
                let each = open.iter().map(|index| {
                    let finding = Finding::Unreachable(invariant.clone());
                    (*index, finding, account)
                });
                each.collect()
            }
            Err(Stopped) => Vec::new(),
        }
    }

    /// A turn of IC3 about each open literal alone.
    fn proofs_apart(&mut self, open: &[usize], end: u64) -> Vec<Discovery> {
        let work = (self.turn / open.len() as u64).max(LEAST_APART);
        self.apart.retain(|index, _| open.contains(index));
        for &index in open {
            self.allow(work, end);
            if self.meter.is_over() {
                break;
            }
            let (circuit, meter) = (&self.circuit, &self.meter);
            let ic3 = self.apart.entry(index).or_insert_with(|| {
                let mut ic3 = Ic3::new(circuit.clone(), meter.clone());
                ic3.learn(&self.excluded);
                ic3
            });
            match ic3.search(&[index]) {
                Ok(Found::Violation(index, run)) => {
                    return self.shortened(open, index, run, end);
                }
                Ok(Found::Invariant(cubes)) => {
                    let frames = ic3.depth();
                    let invariant = Rc::new(self.invariant(&cubes));
                    let clauses = invariant.clauses.len();
                    let account = Account::Ic3Proof { frames, clauses };
                    self.share(index, &cubes);
                    return vec![(index, Finding::Unreachable(invariant), account)];
                }
                Err(Stopped) => {}
            }
        }
        Vec::new()
    }

    /// Tells all searches what a proof has found.
    fn share(&mut self, decided: usize, cubes: &[Cube]) {
        self.apart.remove(&decided);
        self.ic3.learn(cubes);
        self.induction.learn(cubes);
        for ic3 in self.apart.values_mut() {
            ic3.learn(cubes);
        }
        let excluded = &mut self.excluded;
        for cube in cubes {
            if !excluded.contains(cube) {
                excluded.push(cube.clone());
            }
        }
    }

    /// A run that IC3 has found, or a shorter one: it is likely to be found soon. Other open
    /// literals are looked at in the same steps, since bounded model checking does not go back.
    fn shortened(
        &mut self,
        open: &[usize],
        index: usize,
        run: InputRun,
        end: u64,
    ) -> Vec<Discovery> {
        let steps = run.steps.len();
        self.allow(self.turn, end);
        match self.bmc.search(open, steps) {
            // If it is about another literal, IC3 finds its own run once more.
            Ok(Some((index, run))) => vec![shortest(index, run)],
            _ => {
                let account = Account::Ic3Run { steps };
                vec![(index, Finding::Reached(run), account)]
            }
        }
    }

    /// Negated cubes, in terms of the design, with what is known of merged latches.
    fn invariant(&self, cubes: &[Cube]) -> Invariant {
        let clause = |cube: &Cube| -> Vec<Literal> {
            let literals = cube.iter().map(|literal| !self.circuit.origin(*literal));
            literals.collect()
        };
        let mut clauses = self.clauses.clone();
        clauses.extend(cubes.iter().map(clause));
        Invariant { clauses, depth: 0 }
    }
}

/// A run that bounded model checking has found.
fn shortest(index: usize, run: InputRun) -> Discovery {
    let steps = run.steps.len();
    let account = Account::BoundedModelChecking { steps };
    (index, Finding::Reached(run), account)
}
