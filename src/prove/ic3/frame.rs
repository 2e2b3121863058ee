//! One frame of IC3: a solver that knows one step of the circuit from states that all cubes
//! blocked here or later exclude.
//!
//! The next value of a latch has no variable of its own: it is the literal of its function.
//! Gates become clauses when a query first needs them, so that a frame knows the part of the
//! circuit that its cubes are about.

use super::super::Stopped;
use super::super::circuit::Circuit;
use super::super::encode::{Decisions, Encoding};
use super::initial;
use crate::design::{Literal, NodeId};
use crate::sat::{self, Answer, DefaultSolver, Meter, Solver};
use std::rc::Rc;

/// A conjunction of literals of latches, sorted.
pub type Cube = Vec<Literal>;

/// Clauses of single queries stay in the solver; after so many it is made anew.
const MOST_QUERIES: usize = 400;

pub struct Frame {
    circuit: Rc<Circuit>,
    meter: Rc<Meter>,
    is_initial: bool,
    solver: DefaultSolver,
    encoding: Encoding,
    queries: usize,
    /// Makes the clause of the last query count; to be given up before the next one.
    active: Option<sat::Literal>,
    /// The cubes that are blocked up to this frame, and perhaps not later.
    pub cubes: Vec<Cube>,
}

/// Whether a cube can be reached in one step.
pub enum Relative {
    /// It cannot; this part of the cube is enough for that.
    Blocked(Cube),
    /// It can; the solver has the step.
    Reached,
}

impl Frame {
    pub fn new(circuit: Rc<Circuit>, meter: Rc<Meter>, is_initial: bool) -> Frame {
        let mut frame = Frame {
            solver: DefaultSolver::new(meter.clone()),
            circuit,
            meter,
            is_initial,
            encoding: Encoding::new(Decisions::Leaves),
            queries: 0,
            active: None,
            cubes: Vec::new(),
        };
        frame.begin();
        frame
    }

    /// What holds in every step from this frame, cubes aside.
    fn begin(&mut self) {
        if self.circuit.constraint != Literal::TRUE {
            let constraint = self.literal(self.circuit.constraint);
            self.solver.add_clause(&[constraint]);
        }
        if self.is_initial {
            let circuit = self.circuit.clone();
            initial::constrain(&circuit, &mut self.encoding, &mut self.solver);
        }
    }

    /// Forgets the clauses of single queries if there are many; `blocked` are the cubes of
    /// this frame and all later ones.
    pub fn renew<'c>(&mut self, blocked: impl Iterator<Item = &'c Cube>) {
        if self.queries < MOST_QUERIES {
            return;
        }
        self.solver = DefaultSolver::new(self.meter.clone());
        self.encoding = Encoding::new(Decisions::Leaves);
        self.queries = 0;
        self.active = None;
        self.begin();
        for cube in blocked {
            self.block(cube);
        }
    }

    pub fn needs_renewal(&self) -> bool {
        self.queries >= MOST_QUERIES
    }

    /// Steps keep another constraint from now on, a stronger one. The circuit has all nodes of
    /// the present one.
    pub fn restrict(&mut self, circuit: Rc<Circuit>) {
        self.circuit = circuit;
        let constraint = self.literal(self.circuit.constraint);
        self.solver.add_clause(&[constraint]);
    }

    fn literal(&mut self, literal: Literal) -> sat::Literal {
        self.encoding
            .literal(&*self.circuit, literal, &mut self.solver)
    }

    /// Excludes the states of a cube.
    pub fn block(&mut self, cube: &[Literal]) {
        let clause: Vec<_> = cube.iter().map(|literal| !self.literal(*literal)).collect();
        self.solver.add_clause(&clause);
    }

    /// Whether a literal can hold in a step from this frame; the solver has the step then.
    pub fn can_hold(&mut self, literal: Literal) -> Result<bool, Stopped> {
        let literal = self.literal(literal);
        self.ask(&[literal])
    }

    /// Whether a step from this frame, outside of a cube, leads into the cube.
    pub fn reaches(&mut self, cube: &[Literal]) -> Result<Relative, Stopped> {
        let circuit = self.circuit.clone();
        if let Some(active) = self.active.take() {
            self.solver.add_clause(&[!active]);
        }
        let mut assumptions = Vec::with_capacity(cube.len() + 1);
        // Initial states are outside of all cubes that are asked about.
        if !self.is_initial {
            let active = self.solver.new_variable();
            let mut clause: Vec<_> = cube.iter().map(|literal| !self.literal(*literal)).collect();
            clause.push(!active);
            self.solver.add_clause(&clause);
            self.queries += 1;
            self.active = Some(active);
            assumptions.push(active);
        }
        let next: Vec<_> = cube
            .iter()
            .map(|literal| self.literal(circuit.next(*literal)))
            .collect();
        assumptions.extend(&next);
        if self.ask(&assumptions)? {
            return Ok(Relative::Reached);
        }
        let literals = cube.iter().zip(&next);
        let core = literals.filter(|(_, next)| self.solver.is_in_core(**next));
        Ok(Relative::Blocked(
            core.map(|(literal, _)| *literal).collect(),
        ))
    }

    fn ask(&mut self, assumptions: &[sat::Literal]) -> Result<bool, Stopped> {
        match self.solver.solve(assumptions) {
            Answer::Satisfiable => Ok(true),
            Answer::Unsatisfiable => Ok(false),
            Answer::Stopped => Err(Stopped),
        }
    }

    /// The value of a node in the step that the solver has found.
    pub fn value(&self, id: NodeId) -> bool {
        let known = self.encoding.known(id.literal());
        known.is_some_and(|literal| self.solver.value(literal))
    }
}
