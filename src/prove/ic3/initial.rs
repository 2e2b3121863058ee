//! Initial states, as far as IC3 asks about them: whether a cube has one.

use super::super::Stopped;
use super::super::circuit::Circuit;
use super::super::encode::{Decisions, Encoding};
use crate::design::{Literal, Reset};
use crate::sat::{Answer, DefaultSolver, Meter, Solver};
use std::rc::Rc;

pub struct InitialStates {
    circuit: Rc<Circuit>,
    /// Whether some latch starts with a value that depends on others.
    has_computed: bool,
    solver: DefaultSolver,
    encoding: Encoding,
}

impl InitialStates {
    pub fn new(circuit: Rc<Circuit>, meter: Rc<Meter>) -> InitialStates {
        let is_computed = |reset: Reset| matches!(reset, Reset::Computed(_));
        let mut latches = circuit.latches().iter();
        let has_computed = latches.any(|latch| is_computed(latch.reset));
        let mut solver = DefaultSolver::new(meter);
        let mut encoding = Encoding::new(Decisions::Leaves);
        if has_computed {
            constrain(&circuit, &mut encoding, &mut solver);
        }
        InitialStates {
            circuit,
            has_computed,
            solver,
            encoding,
        }
    }

    /// Whether a literal of a latch is false in all initial states.
    pub fn excludes(&self, literal: Literal) -> bool {
        let index = self.circuit.latch_index(literal.node());
        match index.map(|index| self.circuit.latches()[index].reset) {
            Some(Reset::Zero) => !literal.is_complemented(),
            Some(Reset::One) => literal.is_complemented(),
            _ => false,
        }
    }

    /// Whether a cube has an initial state.
    pub fn intersect(&mut self, cube: &[Literal]) -> Result<bool, Stopped> {
        if cube.iter().any(|literal| self.excludes(*literal)) {
            return Ok(false);
        }
        if !self.has_computed {
            return Ok(true);
        }
        let assumptions: Vec<_> = cube
            .iter()
            .map(|literal| {
                self.encoding
                    .literal(&*self.circuit, *literal, &mut self.solver)
            })
            .collect();
        match self.solver.solve(&assumptions) {
            Answer::Satisfiable => Ok(true),
            Answer::Unsatisfiable => Ok(false),
            Answer::Stopped => Err(Stopped),
        }
    }

    /// The free latches that are 1 in an initial state of a cube that has one; asked right
    /// after [`InitialStates::intersect`].
    pub fn choose(&self, cube: &[Literal]) -> Vec<Literal> {
        let circuit = &*self.circuit;
        let latches = circuit.latches().iter().enumerate();
        let free = latches
            .filter(|(_, latch)| latch.reset == Reset::Free)
            .map(|(index, _)| circuit.latch_literal(index));
        let is_one = |literal: &Literal| {
            if !self.has_computed {
                return cube.contains(literal);
            }
            let known = self.encoding.known(*literal);
            known.is_some_and(|known| self.solver.value(known))
        };
        free.filter(is_one).collect()
    }
}

/// Clauses by which a state is an initial one.
pub fn constrain<S: Solver>(circuit: &Circuit, encoding: &mut Encoding, solver: &mut S) {
    for (index, latch) in circuit.latches().iter().enumerate() {
        let literal = circuit.latch_literal(index);
        let mut own = |literal| encoding.literal(circuit, literal, solver);
        match latch.reset {
            Reset::Zero => {
                let own = own(literal);
                solver.add_clause(&[!own]);
            }
            Reset::One => {
                let own = own(literal);
                solver.add_clause(&[own]);
            }
            Reset::Computed(other) => {
                let (own, other) = (own(literal), own(other));
                solver.add_clause(&[own, !other]);
                solver.add_clause(&[!own, other]);
            }
            Reset::Free | Reset::Choice => {}
        }
    }
}
