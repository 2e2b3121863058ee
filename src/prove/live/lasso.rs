//! Fair runs with the shortest way to the end of their loop, by bounded model checking
//! [BCCZ99].
//!
//! The circuit is unrolled from its initial states, and for each number of steps a solver says
//! whether the state after them can be one of the states before, with each fairness condition
//! holding in a step in between. Ours keeps one saved state, as the translation of liveness to
//! safety does [BAS02]: a selector for each step makes the saved state that of the step, and the
//! last state has to be the saved one. So a further step adds clauses for its own state only,
//! and what the solver has learnt stays true.

use super::super::circuit::Circuit;
use super::super::encode::{Decisions, Encoding};
use super::super::unroll::Unrolling;
use super::super::{InputRun, Stopped};
use crate::design::{Literal, Reset};
use crate::sat::{self, Answer, DefaultSolver, Meter, Solver};
use std::rc::Rc;

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
    /// Makes the loop end after the last step.
    end: Option<sat::Literal>,
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
            end: None,
            conditions,
            circuit,
        }
    }

    /// How many steps no loop ends after.
    pub fn bound(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The shortest fair run, and where its loop starts.
    pub fn search(&mut self) -> Result<(InputRun, usize), Stopped> {
        loop {
            let end = match self.end {
                Some(end) => end,
                None => self.add_step()?,
            };
            match self.solver.solve(&[end]) {
                Answer::Satisfiable => return Ok(self.found()),
                Answer::Unsatisfiable => {
                    self.solver.add_clause(&[!end]);
                    self.end = None;
                }
                Answer::Stopped => return Err(Stopped),
            }
        }
    }

    /// A literal of the circuit in a step, for the solver.
    fn literal(&mut self, step: usize, literal: Literal) -> sat::Literal {
        let literal = self.unrolling.literal(step, literal);
        self.encoding
            .literal(&self.unrolling, literal, &mut self.solver)
    }

    /// Adds a step; gives the literal by which the loop ends after it.
    fn add_step(&mut self) -> Result<sat::Literal, Stopped> {
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
        self.end = Some(end);
        // Building is work, too.
        let built = self.unrolling.size() - before + 2 * circuit.latches().len();
        self.meter.spend(1 + built as u64);
        if self.meter.is_over() {
            return Err(Stopped);
        }
        Ok(end)
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
    fn found(&self) -> (InputRun, usize) {
        let circuit = &*self.circuit;
        let is_one = |step: usize, literal: Literal| {
            let literal = self.unrolling.get(step, literal);
            let literal = literal.and_then(|literal| self.encoding.known(literal));
            literal.is_some_and(|literal| self.solver.value(literal))
        };
        let latches = circuit.latches().iter().enumerate();
        let initial = latches
            .filter(|(index, latch)| {
                latch.reset == Reset::Free && is_one(0, circuit.latch_literal(*index))
            })
            .map(|(_, latch)| latch.origin);
        let inputs = |step: usize| {
            let inputs = circuit.inputs().iter().enumerate();
            inputs
                .filter(|(index, _)| is_one(step, circuit.input_literal(*index)))
                .map(|(_, origin)| *origin)
                .collect()
        };
        let run = InputRun {
            initial: initial.collect(),
            steps: (0..self.starts.len()).map(inputs).collect(),
        };
        // Whatever counted as inside is at or after the first one.
        let mut starts = self.starts.iter();
        let start = starts.position(|start| self.solver.value(*start));
        (run, start.unwrap_or(0))
    }
}
