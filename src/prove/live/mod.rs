//! Whether a circuit has a fair run, by satisfiability.
//!
//! Enters: a [`LiveQuestion`], a design with a constraint on every step and conditions that
//! have to hold again and again. Leaves: a [`Lasso`], or a [`Ranking`] or a [`RoundBound`] by
//! which there is none. As with bad steps, all are claims only, which `certify` checks.
//!
//! [`lasso`] looks for runs, the shortest first, [`layers`] for rankings, and [`counted`] for
//! bounds, on the design with a [`monitor`] that makes all conditions one; a [`LiveProver`]
//! lets them take turns.

mod counted;
mod lasso;
mod layers;
mod monitor;
mod states;
#[cfg(test)]
mod tests;

use super::circuit::{Circuit, Question};
use super::correspond::correspond;
use super::{InputRun, Stopped};
use crate::design::{Design, Literal, NodeId, Reach};
use crate::sat::Meter;
use counted::Counted;
use lasso::Lassos;
use layers::{Clause, Layers, Outcome};
use monitor::Monitor;
use std::rc::Rc;

/// What is asked: whether an infinite run of the design that keeps the constraint in every
/// step meets each condition again and again.
#[derive(Clone, Copy, Debug)]
pub struct LiveQuestion<'a> {
    pub design: &'a Design,
    pub constraint: Literal,
    pub fairness: &'a [Literal],
    /// Latches that these depend on have to repeat in a loop, too.
    pub observed: &'a [Literal],
}

/// An infinite run: after the last step it goes on with that where the loop starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    pub run: InputRun,
    pub loop_start: usize,
}

/// What can be said of a state: of a latch, or of a fairness condition.
///
/// With more than one condition, a round is complete in the step in which the last of them
/// holds that has not held since the round before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateLiteral {
    /// A literal of a latch of the design.
    Latch(Literal),
    /// Whether a condition has held since the last round was complete, before this step.
    Seen { condition: usize, holds: bool },
    /// Whether more than so many rounds were complete before this step.
    Counted { rounds: usize, holds: bool },
}

/// A claim by which each run completes at most so many rounds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoundBound {
    pub most: usize,
    /// An invariant, with which no step completes a round when `most` are complete.
    pub clauses: Vec<Vec<StateLiteral>>,
}

/// A claim by which each run completes only so many rounds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranking {
    /// An invariant.
    pub common: Vec<Vec<StateLiteral>>,
    /// Sets of states, as clauses. A step from one of them leads into an earlier one, or it
    /// stays in the set and completes no round. The last one has all initial states.
    pub layers: Vec<Vec<Vec<StateLiteral>>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LiveFinding {
    FairRun(Lasso),
    NoFairRun(Ranking),
    FewRounds(RoundBound),
}

/// The search about one question, which can be stopped and go on.
pub struct LiveProver {
    meter: Rc<Meter>,
    monitor: Monitor,
    /// That the loop of a run has to repeat.
    latches: Vec<NodeId>,
    lassos: Side<Lassos>,
    layers: Side<Layers>,
    counted: Counted,
    /// What merged latches have in common, in the circuit of the layers.
    common: Vec<Clause>,
    merged: Rc<Circuit>,
    /// Whether layers can tell more; not if they have found a run whose loop is too long.
    layers_are_over: bool,
    conditions: usize,
    turn: u64,
    finding: Option<LiveFinding>,
}

/// A search, or the circuit that it will be about.
enum Side<S> {
    Circuit(Rc<Circuit>),
    Search(Box<S>),
}

/// The work of the first turns, and how they grow.
const FIRST_TURN: u64 = 50_000;
const GROWTH: u64 = 2;
/// Failures that are not found soon are rare, so runs get this part of what layers get.
const LASSO_SHARE: u64 = 2;
/// Where rounds can be counted, few are enough most of the time.
const COUNTED_SHARE: u64 = 2;
/// How often a loop is gone round until all that is observed repeats.
const MOST_ROUNDS: usize = 64;

impl LiveProver {
    /// `stop` says whether somebody wants the search to end for good.
    pub fn new(question: &LiveQuestion, stop: impl Fn() -> bool + 'static) -> LiveProver {
        let monitor = Monitor::new(question);
        let stop: Rc<dyn Fn() -> bool> = Rc::new(stop);
        let asked = stop.clone();
        let design = question.design;
        let roots = question.fairness.iter().chain(question.observed).copied();
        let cone = design.cone(roots.chain([question.constraint]), Reach::Run);
        let all = design.latches().iter().copied();
        let latches: Vec<NodeId> = all.filter(|id| cone.contains(*id)).collect();
        let repeating = latches.iter().map(|id| id.literal());
        let for_lassos = Circuit::new(&Question {
            design,
            constraint: question.constraint,
            bad: question.fairness.iter().copied().chain(repeating).collect(),
        });
        let for_layers = Rc::new(Circuit::new(&Question {
            design: &monitor.design,
            constraint: question.constraint,
            bad: vec![monitor.round],
        }));
        LiveProver {
            meter: Meter::new(move || asked()),
            counted: Counted::new(&monitor, question.constraint, stop),
            conditions: question.fairness.len(),
            latches,
            lassos: Side::Circuit(Rc::new(for_lassos)),
            layers: Side::Circuit(for_layers.clone()),
            common: Vec::new(),
            merged: for_layers,
            layers_are_over: false,
            monitor,
            turn: FIRST_TURN,
            finding: None,
        }
    }

    pub fn finding(&self) -> Option<&LiveFinding> {
        self.finding.as_ref()
    }

    /// How many latches the question depends on.
    pub fn latches(&self) -> usize {
        self.merged.latches().len()
    }

    /// Does some work; says whether an answer was found.
    pub fn advance(&mut self, work: u64) -> bool {
        let end = self.meter.used().saturating_add(work);
        self.meter.allow(end);
        while self.finding.is_none() {
            let turn = |meter: &Meter, work: u64| {
                meter.allow(end.min(meter.used().saturating_add(work)));
            };
            turn(&self.meter, self.turn / LASSO_SHARE);
            // Stopped is no failure: what was found so far stays.
            if let Ok(lasso) = self.search_lasso() {
                self.finding = Some(LiveFinding::FairRun(lasso));
                break;
            }
            if !self.layers_are_over {
                turn(&self.meter, self.turn);
                let _ = self.search_layers();
            }
            if self.finding.is_none() {
                let left = end.saturating_sub(self.meter.used());
                let work = left.min(self.turn / COUNTED_SHARE);
                let (done, bound) = self.counted.search(&self.monitor, work);
                self.meter.spend(done);
                self.finding = bound.map(LiveFinding::FewRounds);
            }
            if self.meter.used() >= end || self.meter.is_stopped() {
                break;
            }
            self.turn = self.turn.saturating_mul(GROWTH);
        }
        self.finding.is_some()
    }

    fn search_lasso(&mut self) -> Result<Lasso, Stopped> {
        if let Side::Circuit(circuit) = &self.lassos {
            let merged = correspond(circuit, &self.meter)?;
            let circuit = Rc::new(merged.circuit);
            let search = Lassos::new(circuit, self.conditions, self.meter.clone());
            self.lassos = Side::Search(Box::new(search));
        }
        let Side::Search(search) = &mut self.lassos else {
            return Err(Stopped);
        };
        let (run, loop_start) = search.search()?;
        Ok(Lasso { run, loop_start })
    }

    fn search_layers(&mut self) -> Result<(), Stopped> {
        if let Side::Circuit(circuit) = &self.layers {
            let merged = correspond(circuit, &self.meter)?;
            self.common = merged.clauses;
            self.merged = Rc::new(merged.circuit);
            let search = Layers::new(self.merged.clone(), self.meter.clone());
            self.layers = Side::Search(Box::new(search));
        }
        let Side::Search(search) = &mut self.layers else {
            return Err(Stopped);
        };
        let finding = match search.search()? {
            Outcome::Lasso(run, start) => {
                // The circuit may have fewer latches than have to repeat.
                let (design, latches) = (&self.monitor.design, &self.latches);
                let Some((run, loop_start)) =
                    states::unwound(design, latches, &run, start, MOST_ROUNDS)
                else {
                    self.layers_are_over = true;
                    return Ok(());
                };
                LiveFinding::FairRun(Lasso { run, loop_start })
            }
            Outcome::Proof(layers) => LiveFinding::NoFairRun(self.ranking(&layers)),
        };
        self.finding = Some(finding);
        Ok(())
    }

    fn ranking(&self, layers: &[Vec<Clause>]) -> Ranking {
        let in_design = |literal: &Literal| self.monitor.state_literal(*literal);
        let common = self.common.iter();
        let common = common.map(|clause| clause.iter().map(in_design).collect());
        let in_circuit = |literal: &Literal| in_design(&self.merged.origin(*literal));
        let layer = |clauses: &Vec<Clause>| {
            let clauses = clauses.iter();
            clauses
                .map(|clause| clause.iter().map(in_circuit).collect())
                .collect()
        };
        Ranking {
            common: common.collect(),
            layers: layers.iter().map(layer).collect(),
        }
    }

    /// What the search has come to, for logs.
    pub fn statistics(&self) -> String {
        let steps = match &self.lassos {
            Side::Circuit(_) => 0,
            Side::Search(search) => search.bound(),
        };
        let layers = match &self.layers {
            Side::Circuit(_) => String::new(),
            Side::Search(search) => format!(", {}", search.statistics()),
        };
        format!("{} latches, {steps} steps unrolled{layers}", self.latches())
    }
}
