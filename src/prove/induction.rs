//! Induction over several steps [SSS00]: a bad step needs a bad one shortly before it.
//!
//! The circuit is unrolled from any state. If so many steps in a row that keep the constraint
//! and are not bad are never followed by a bad one, and the first so many steps of runs are not
//! bad, which bounded model checking knows, then no step of a run is. The number of steps grows
//! until the search is stopped. It decides pipelines, whatever they compute, after as many
//! steps as they have stages: IC3 would have to say in clauses what is computed.
//!
//! Unlike the original, ours does not demand that the states of a row differ, so it need not
//! come to an end; IC3 does. What is known of all states of runs holds in each step.

use super::Stopped;
use super::circuit::Circuit;
use super::encode::{Decisions, Encoding};
use super::ic3::Cube;
use super::unroll::Unrolling;
use crate::design::Literal;
use crate::sat::{self, Answer, DefaultSolver, Meter, Solver};
use std::rc::Rc;

pub struct Induction {
    circuit: Rc<Circuit>,
    unrolling: Unrolling,
    encoding: Encoding,
    solver: DefaultSolver,
    /// For each bad literal, what is assumed where it does not hold in the steps of a row.
    absent: Vec<sat::Literal>,
    /// How many steps the rows have, and the bad literals that can follow them.
    depth: usize,
    done: Vec<bool>,
    /// Cubes that no run comes to, and how many of them each step knows of.
    excluded: Vec<Cube>,
    told: Vec<usize>,
    meter: Rc<Meter>,
}

impl Induction {
    pub fn new(circuit: Rc<Circuit>, meter: Rc<Meter>) -> Induction {
        let mut solver = DefaultSolver::new(meter.clone());
        let absent = circuit.bad.iter().map(|_| solver.new_variable()).collect();
        Induction {
            unrolling: Unrolling::from_any_state(circuit.clone()),
            encoding: Encoding::new(Decisions::All),
            solver,
            absent,
            depth: 0,
            done: vec![false; circuit.bad.len()],
            excluded: Vec::new(),
            told: Vec::new(),
            meter,
            circuit,
        }
    }

    /// Takes over what is known of all states of runs.
    pub fn learn(&mut self, cubes: &[Cube]) {
        self.excluded.extend_from_slice(cubes);
    }

    /// What it was told of all states of runs.
    pub fn learnt(&self) -> &[Cube] {
        &self.excluded
    }

    /// Looks for an open bad literal that follows no row of steps without it; gives back how
    /// many steps the row has.
    pub fn search(&mut self, open: &[usize]) -> Result<(usize, usize), Stopped> {
        loop {
            self.constrain()?;
            for &index in open {
                if self.done[index] {
                    continue;
                }
                let can_follow = self.can_follow(index)?;
                self.done[index] = true;
                if !can_follow {
                    return Ok((index, self.depth));
                }
            }
            self.depth += 1;
            self.done.fill(false);
        }
    }

    /// Demands the constraint in the step after the row, and what is known of all states.
    fn constrain(&mut self) -> Result<(), Stopped> {
        if self.told.len() <= self.depth {
            let constraint = self.literal(self.depth, self.circuit.constraint)?;
            self.solver.add_clause(&[constraint]);
            self.told.push(0);
        }
        for step in 0..self.told.len() {
            while let Some(cube) = self.excluded.get(self.told[step]).cloned() {
                let mut clause = Vec::with_capacity(cube.len());
                for literal in cube.iter() {
                    clause.push(!self.literal(step, *literal)?);
                }
                self.solver.add_clause(&clause);
                self.told[step] += 1;
            }
        }
        Ok(())
    }

    /// Whether a bad literal can hold in the step after the row. If so, rows with one more
    /// step do without it there.
    fn can_follow(&mut self, index: usize) -> Result<bool, Stopped> {
        let bad = self.literal(self.depth, self.circuit.bad[index])?;
        match self.solver.solve(&[self.absent[index], bad]) {
            Answer::Satisfiable => {
                self.solver.add_clause(&[!self.absent[index], !bad]);
                Ok(true)
            }
            Answer::Unsatisfiable => Ok(false),
            Answer::Stopped => Err(Stopped),
        }
    }

    /// What a literal of the circuit is in a step. Building gates is work, too.
    fn literal(&mut self, step: usize, literal: Literal) -> Result<sat::Literal, Stopped> {
        let before = self.unrolling.size();
        let literal = self.unrolling.literal(step, literal);
        self.meter
            .spend(1 + (self.unrolling.size() - before) as u64);
        if self.meter.is_over() {
            return Err(Stopped);
        }
        let solver = &mut self.solver;
        Ok(self.encoding.literal(&self.unrolling, literal, solver))
    }
}
