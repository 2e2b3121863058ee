//! Bounded model checking [BCCZ99]: the shortest run to a bad step.
//!
//! The circuit is unrolled from its initial states, and for each number of steps a solver
//! says whether a literal can hold in the last one. Ours adds clauses only for what the
//! question depends on, and keeps what it has learnt from one step to the next.

use super::circuit::Circuit;
use super::encode::{Decisions, Encoding};
use super::unroll::Unrolling;
use super::{InputRun, Stopped};
use crate::design::Literal;
use crate::sat::{Answer, DefaultSolver, Meter, Solver};
use std::rc::Rc;

pub struct Bmc {
    circuit: Rc<Circuit>,
    unrolling: Unrolling,
    encoding: Encoding,
    solver: DefaultSolver,
    /// The step that is looked at, and the bad literals that were found impossible there.
    step: usize,
    done: Vec<bool>,
    is_constrained: bool,
    meter: Rc<Meter>,
}

impl Bmc {
    pub fn new(circuit: Rc<Circuit>, meter: Rc<Meter>) -> Bmc {
        Bmc {
            unrolling: Unrolling::new(circuit.clone()),
            encoding: Encoding::new(Decisions::All),
            solver: DefaultSolver::new(meter.clone()),
            step: 0,
            done: vec![false; circuit.bad.len()],
            is_constrained: false,
            meter,
            circuit,
        }
    }

    /// How many steps were found to have no bad one among them.
    pub fn bound(&self) -> usize {
        self.step
    }

    /// Looks for a run to one of the open bad literals, with at most `most` steps. `None` if
    /// there is none so short.
    pub fn search(
        &mut self,
        open: &[usize],
        most: usize,
    ) -> Result<Option<(usize, InputRun)>, Stopped> {
        while self.step < most {
            self.constrain()?;
            for &index in open {
                if self.done[index] {
                    continue;
                }
                if self.is_possible(index)? {
                    return Ok(Some((index, self.run())));
                }
                self.done[index] = true;
            }
            self.step += 1;
            self.is_constrained = false;
            self.done.fill(false);
        }
        Ok(None)
    }

    /// Demands the constraint in the present step.
    fn constrain(&mut self) -> Result<(), Stopped> {
        if self.is_constrained {
            return Ok(());
        }
        let before = self.unrolling.size();
        let constraint = self.unrolling.literal(self.step, self.circuit.constraint);
        self.spend_since(before)?;
        if constraint != Literal::TRUE {
            let clause = self
                .encoding
                .literal(&self.unrolling, constraint, &mut self.solver);
            self.solver.add_clause(&[clause]);
        }
        self.is_constrained = true;
        Ok(())
    }

    /// Whether a bad literal can hold in the present step.
    fn is_possible(&mut self, index: usize) -> Result<bool, Stopped> {
        let before = self.unrolling.size();
        let bad = self.unrolling.literal(self.step, self.circuit.bad[index]);
        self.spend_since(before)?;
        if bad == Literal::FALSE {
            return Ok(false);
        }
        let bad = self
            .encoding
            .literal(&self.unrolling, bad, &mut self.solver);
        match self.solver.solve(&[bad]) {
            Answer::Satisfiable => Ok(true),
            Answer::Unsatisfiable => {
                self.solver.add_clause(&[!bad]);
                Ok(false)
            }
            Answer::Stopped => Err(Stopped),
        }
    }

    /// Building gates is work, too.
    fn spend_since(&self, before: usize) -> Result<(), Stopped> {
        self.meter
            .spend(1 + (self.unrolling.size() - before) as u64);
        if self.meter.is_over() {
            Err(Stopped)
        } else {
            Ok(())
        }
    }

    /// The run of the solution that the solver has found.
    fn run(&self) -> InputRun {
        let is_one = |step: usize, literal: Literal| {
            let literal = self.unrolling.get(step, literal);
            let literal = literal.and_then(|literal| self.encoding.known(literal));
            literal.is_some_and(|literal| self.solver.value(literal))
        };
        self.circuit.run(self.step + 1, is_one)
    }
}
