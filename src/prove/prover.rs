//! Runs and invariants in turns.

use super::bmc::Bmc;
use super::circuit::{Circuit, Question};
use super::correspond::correspond;
use super::ic3::{Found, Ic3};
use super::{InputRun, Invariant, Stopped};
use crate::design::Literal;
use crate::sat::Meter;
use std::rc::Rc;

/// What is claimed of one bad literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// A run to it; among the shortest if bounded model checking has found it.
    Reached(InputRun),
    /// It is in no run, because all states of runs satisfy the invariant.
    Unreachable(Rc<Invariant>),
}

/// The search about one question, which can be stopped and go on.
pub struct Prover {
    meter: Rc<Meter>,
    stage: Stage,
    findings: Vec<Option<Finding>>,
}

enum Stage {
    /// Before latches were merged.
    Circuit(Rc<Circuit>),
    Search(Box<Search>),
}

struct Search {
    bmc: Bmc,
    ic3: Ic3,
    /// What merged latches have in common.
    clauses: Vec<Vec<Literal>>,
    circuit: Rc<Circuit>,
    /// Work for the next turn of each.
    turn: u64,
}

/// The work of the first turns, and how they grow.
const FIRST_TURN: u64 = 50_000;
const GROWTH: u64 = 2;
/// Failures that are not found soon are rare, so runs get this part of what invariants get.
const BMC_SHARE: u64 = 3;

impl Prover {
    /// `stop` says whether somebody wants the search to end for good.
    pub fn new(question: &Question, stop: impl Fn() -> bool + 'static) -> Prover {
        let circuit = Circuit::new(question);
        Prover {
            meter: Meter::new(stop),
            findings: vec![None; circuit.bad.len()],
            stage: Stage::Circuit(Rc::new(circuit)),
        }
    }

    /// What was found about each bad literal so far.
    pub fn findings(&self) -> &[Option<Finding>] {
        &self.findings
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
        indices
            .filter(|index| self.findings[*index].is_none())
            .collect()
    }

    /// Does some work; says whether everything was found.
    pub fn advance(&mut self, work: u64) -> bool {
        let end = self.meter.used().saturating_add(work);
        self.meter.allow(end);
        // Stopped is no failure: what was found so far stays.
        let _ = self.run(end);
        self.open().is_empty()
    }

    fn run(&mut self, end: u64) -> Result<(), Stopped> {
        if let Stage::Circuit(circuit) = &self.stage {
            let merged = correspond(circuit, &self.meter)?;
            let circuit = Rc::new(merged.circuit);
            let search = Search {
                bmc: Bmc::new(circuit.clone(), self.meter.clone()),
                ic3: Ic3::new(circuit.clone(), self.meter.clone()),
                clauses: merged.clauses,
                circuit,
                turn: FIRST_TURN,
            };
            // What became constant needs no search.
            for (finding, bad) in self.findings.iter_mut().zip(&search.circuit.bad) {
                if *bad == Literal::FALSE {
                    let invariant = Rc::new(search.invariant(Vec::new()));
                    *finding = Some(Finding::Unreachable(invariant));
                }
            }
            self.stage = Stage::Search(Box::new(search));
        }
        loop {
            let open = self.open();
            let Stage::Search(search) = &mut self.stage else {
                return Ok(());
            };
            if open.is_empty() {
                return Ok(());
            }
            let turn = |meter: &Meter, work: u64| {
                meter.allow(end.min(meter.used().saturating_add(work)));
            };
            turn(&self.meter, search.turn / BMC_SHARE);
            if let Ok(Some((index, run))) = search.bmc.search(&open, usize::MAX) {
                self.findings[index] = Some(Finding::Reached(run));
                continue;
            }
            turn(&self.meter, search.turn);
            match search.ic3.search(&open) {
                Ok(Found::Violation(index, run)) => {
                    // A shorter run is likely to be found soon.
                    let length = run.steps.len();
                    turn(&self.meter, search.turn);
                    let shorter = search.bmc.search(&[index], length);
                    let run = match shorter {
                        Ok(Some((_, run))) => run,
                        _ => run,
                    };
                    self.findings[index] = Some(Finding::Reached(run));
                    continue;
                }
                Ok(Found::Invariant(cubes)) => {
                    let invariant = Rc::new(search.invariant(cubes));
                    for index in open {
                        self.findings[index] = Some(Finding::Unreachable(invariant.clone()));
                    }
                    return Ok(());
                }
                Err(Stopped) => {}
            }
            if self.meter.used() >= end || self.meter.is_stopped() {
                return Err(Stopped);
            }
            search.turn = search.turn.saturating_mul(GROWTH);
        }
    }
}

impl Search {
    /// Negated cubes, in terms of the design, with what is known of merged latches.
    fn invariant(&self, cubes: Vec<Vec<Literal>>) -> Invariant {
        let clause = |cube: &Vec<Literal>| -> Vec<Literal> {
            let literals = cube.iter().map(|literal| !self.circuit.origin(*literal));
            literals.collect()
        };
        let mut clauses = self.clauses.clone();
        clauses.extend(cubes.iter().map(clause));
        Invariant { clauses }
    }
}

impl Prover {
    /// What the search has come to, for logs.
    pub fn statistics(&self) -> String {
        match &self.stage {
            Stage::Circuit(circuit) => format!("{} latches", circuit.latches().len()),
            Stage::Search(search) => format!(
                "{} latches, {} steps unrolled, {}",
                search.circuit.latches().len(),
                search.bmc.bound(),
                search.ic3.statistics()
            ),
        }
    }
}
