//! Fair runs with few steps to the end of their loop, by bounded model checking [BCCZ99].
//!
//! The circuit is unrolled from its initial states, and for each number of steps a solver says
//! whether the state after them can be one of the states before, with each fairness condition
//! holding in a step in between. Ours keeps one saved state, as the translation of liveness to
//! safety does [BAS02]: a selector for each step makes the saved state that of the step, and the
//! last state has to be the saved one. So a further step adds clauses for its own state only,
//! and what the solver has learnt stays true. A loop that ends after some steps can be gone
//! round further, so one that ends later exists as well: not each number of steps has to be
//! asked about, and once a run is found, the shortest one is between two numbers.

use super::super::circuit::Circuit;
use super::super::encode::{Decisions, Encoding};
use super::super::unroll::Unrolling;
use super::super::{InputRun, Stopped};
use crate::design::Literal;
use crate::sat::{self, Answer, DefaultSolver, Meter, Solver};
use std::rc::Rc;

/// From so many steps on, not each further number of steps is asked about.
const STRIDE: usize = 4;

pub struct Lassos {
    /// Its bad literals begin with the fairness conditions.
    circuit: Rc<Circuit>,
    conditions: usize,
    unrolling: Unrolling,
    encoding: Encoding,
    solver: DefaultSolver,
    meter: Rc<Meter>,
    /// The state that the loop starts in, a literal for each latch.
    saved: Vec<sat::Literal>,
    /// For each step whether the loop starts there.
    starts: Vec<sat::Literal>,
    /// In the last step: whether the loop has started, and for each condition whether it has
    /// held since then.
    inside: Option<sat::Literal>,
    held: Vec<Option<sat::Literal>>,
    /// For each step: makes the loop end after it.
    ends: Vec<sat::Literal>,
    /// So many steps are too few for a run and its loop.
    refuted: usize,
}

impl Lassos {
    pub fn new(circuit: Rc<Circuit>, conditions: usize, meter: Rc<Meter>) -> Lassos {
        let mut solver = DefaultSolver::new(meter.clone());
        let latches = circuit.latches().iter();
        Lassos {
            saved: latches.map(|_| solver.new_variable()).collect(),
            unrolling: Unrolling::new(circuit.clone()),
            encoding: Encoding::new(Decisions::All),
            solver,
            meter,
            starts: Vec::new(),
            inside: None,
            held: vec![None; conditions],
            ends: Vec::new(),
            refuted: 0,
            conditions,
            circuit,
        }
    }

    /// So many steps are too few for a run and its loop.
    pub fn bound(&self) -> usize {
        self.refuted
    }

    /// A fair run, and where its loop starts; the shortest one if that is found soon.
    pub fn search(&mut self) -> Result<(InputRun, usize), Stopped> {
        loop {
            let steps = self.refuted + (self.refuted / STRIDE).max(1);
            while self.ends.len() < steps {
                self.add_step()?;
            }
            if let Some(found) = self.ask(steps)? {
                return Ok(self.shortest(found, steps));
            }
        }
    }

    /// A fair run whose loop ends after so many steps; if there is none, that is remembered.
    fn ask(&mut self, steps: usize) -> Result<Option<(InputRun, usize)>, Stopped> {
        match self.solver.solve(&[self.ends[steps - 1]]) {
            Answer::Satisfiable => Ok(Some(self.found(steps))),
            Answer::Unsatisfiable => {
                for end in &self.ends[self.refuted..steps] {
                    self.solver.add_clause(&[!*end]);
                }
                self.refuted = steps;
                Ok(None)
            }
            Answer::Stopped => Err(Stopped),
        }
    }

    /// The shortest run, given one with so many steps.
    fn shortest(&mut self, found: (InputRun, usize), steps: usize) -> (InputRun, usize) {
        let (mut found, mut steps) = (found, steps);
        while steps - self.refuted > 1 {
            let fewer = self.refuted.midpoint(steps);
            match self.ask(fewer) {
                Ok(Some(shorter)) => (found, steps) = (shorter, fewer),
                Ok(None) => {}
                Err(Stopped) => break,
            }
        }
        found
    }

    /// A literal of the circuit in a step, for the solver.
    fn literal(&mut self, step: usize, literal: Literal) -> sat::Literal {
        let literal = self.unrolling.literal(step, literal);
        self.encoding
            .literal(&self.unrolling, literal, &mut self.solver)
    }

    /// Adds a step, after which the loop may end.
    fn add_step(&mut self) -> Result<(), Stopped> {
        let before = self.unrolling.size();
        let step = self.starts.len();
        let circuit = self.circuit.clone();
        let constraint = self.literal(step, circuit.constraint);
        self.solver.add_clause(&[constraint]);

        let start = self.solver.new_variable();
        self.equate(step, start);
        self.starts.push(start);
        let inside = self.solver.new_variable();
        let mut clause = vec![!inside, start];
        clause.extend(self.inside);
        self.solver.add_clause(&clause);
        self.inside = Some(inside);

        let end = self.solver.new_variable();
        self.solver.add_clause(&[!end, inside]);
        for index in 0..self.conditions {
            let condition = self.literal(step, circuit.bad[index]);
            let (held, now) = (self.solver.new_variable(), self.solver.new_variable());
            self.solver.add_clause(&[!now, inside]);
            self.solver.add_clause(&[!now, condition]);
            let mut clause = vec![!held, now];
            clause.extend(self.held[index]);
            self.solver.add_clause(&clause);
            self.held[index] = Some(held);
            self.solver.add_clause(&[!end, held]);
        }
        self.equate(step + 1, end);
        self.ends.push(end);
        // Building is work, too.
        let built = self.unrolling.size() - before + 2 * circuit.latches().len();
        self.meter.spend(1 + built as u64);
        if self.meter.is_over() {
            return Err(Stopped);
        }
        Ok(())
    }

    /// A literal makes the saved state that of a step.
    fn equate(&mut self, step: usize, if_this: sat::Literal) {
        for index in 0..self.saved.len() {
            let saved = self.saved[index];
            let latch = self.circuit.latch_literal(index);
            let now = self.unrolling.literal(step, latch);
            match now.as_constant() {
                Some(value) => self.solver.add_clause(&[!if_this, saved.negate_if(!value)]),
                None => {
                    let now = self.literal(step, latch);
                    self.solver.add_clause(&[!if_this, !saved, now]);
                    self.solver.add_clause(&[!if_this, saved, !now]);
                }
            }
        }
    }

    /// The run of the solution that the solver has found.
    fn found(&self, steps: usize) -> (InputRun, usize) {
        let is_one = |step: usize, literal: Literal| {
            let literal = self.unrolling.get(step, literal);
            let literal = literal.and_then(|literal| self.encoding.known(literal));
            literal.is_some_and(|literal| self.solver.value(literal))
        };
        let run = self.circuit.run(steps, is_one);
        // Whatever counted as inside is at or after the first one.
        let mut starts = self.starts.iter();
        let start = starts.position(|start| self.solver.value(*start));
        (run, start.unwrap_or(0))
    }
}
