//! One frame of IC3: a solver that knows one step of the circuit from states that all cubes
//! blocked here or later exclude.
//!
//! The next value of a latch has no variable of its own: it is the literal of its function.
//! Gates become clauses when a query first needs them, so that a frame knows the part of the
//! circuit that its cubes are about. And a query is only about the gates that it depends on:
//! the solver looks for values of these, whatever the frame knows of others. A state that it
//! finds may therefore be excluded by the cubes of the frame together, with each value of the
//! latches that the query does not depend on. This does no harm. The cube that it is lifted to
//! does lead to the target, and is blocked like any other one, by a clause about the latches of
//! the query, so that the query does not find it again.

use super::super::Stopped;
use super::super::circuit::Circuit;
use super::super::encode::{Decisions, Encoding};
use super::initial;
use crate::design::{Literal, NodeId};
use crate::sat::{self, Answer, Meter, Scoped, Solver};
use std::rc::Rc;

/// A conjunction of literals of latches, sorted.
pub type Cube = Vec<Literal>;

/// Clauses that others have replaced stay in the solver; after so many queries it is made anew.
const MOST_QUERIES: usize = 10_000;

pub struct Frame {
    circuit: Rc<Circuit>,
    meter: Rc<Meter>,
    is_initial: bool,
    solver: Scoped,
    encoding: Encoding,
    queries: usize,
    pending: Vec<NodeId>,
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
            solver: Scoped::new(meter.clone()),
            circuit,
            meter,
            is_initial,
            encoding: Encoding::new(Decisions::Leaves),
            queries: 0,
            pending: Vec::new(),
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

    /// Forgets clauses that were replaced if there were many queries; `blocked` are the cubes of
    /// this frame and all later ones.
    pub fn renew<'c>(&mut self, blocked: impl Iterator<Item = &'c Cube>) {
        if self.queries < MOST_QUERIES {
            return;
        }
        self.solver = Scoped::new(self.meter.clone());
        self.encoding = Encoding::new(Decisions::Leaves);
        self.queries = 0;
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
        let assumed = self.literal(literal);
        self.set_scope(&[literal]);
        self.ask(&[assumed], None)
    }

    /// Whether a step from this frame, outside of a cube, leads into the cube.
    pub fn reaches(&mut self, cube: &[Literal]) -> Result<Relative, Stopped> {
        let circuit = self.circuit.clone();
        let clause: Vec<_> = cube.iter().map(|literal| !self.literal(*literal)).collect();
        let targets = cube.iter().map(|literal| circuit.next(*literal));
        let mut roots: Vec<Literal> = targets.collect();
        let next: Vec<_> = roots.iter().map(|literal| self.literal(*literal)).collect();
        roots.extend(cube);
        self.set_scope(&roots);
        // Initial states are outside of all cubes that are asked about.
        let outside = (!self.is_initial).then_some(clause.as_slice());
        self.queries += 1;
        if self.ask(&next, outside)? {
            return Ok(Relative::Reached);
        }
        let literals = cube.iter().zip(&next);
        let core = literals.filter(|(_, next)| self.solver.is_in_core(**next));
        Ok(Relative::Blocked(
            core.map(|(literal, _)| *literal).collect(),
        ))
    }

    /// The next query is about what some literals and the constraint depend on.
    fn set_scope(&mut self, roots: &[Literal]) {
        self.solver.begin_scope();
        // Initial values may depend on each other, whatever the query is about.
        if self.is_initial {
            self.solver.include_all();
            return;
        }
        let roots = roots.iter().chain([&self.circuit.constraint]);
        self.pending.extend(roots.map(|literal| literal.node()));
        while let Some(id) = self.pending.pop() {
            // A gate without a variable is a part of one that has it.
            let known = self.encoding.known(id.literal());
            if known.is_none_or(|literal| self.solver.include(literal.variable()))
                && let Some((left, right)) = self.circuit.gate(id)
            {
                self.pending.extend([left.node(), right.node()]);
            }
        }
    }

    fn ask(
        &mut self,
        assumptions: &[sat::Literal],
        clause: Option<&[sat::Literal]>,
    ) -> Result<bool, Stopped> {
        match self.solver.solve_within(assumptions, clause) {
            Answer::Satisfiable => Ok(true),
            Answer::Unsatisfiable => Ok(false),
            Answer::Stopped => Err(Stopped),
        }
    }

    /// The value of a node in the step that the solver has found.
    pub fn value(&self, id: NodeId) -> bool {
        self.encoding
            .value(&*self.circuit, id.literal(), &self.solver)
    }
}
