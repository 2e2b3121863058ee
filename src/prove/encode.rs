//! Gates as clauses, as far as questions need them [Tse68].

use super::circuit::Circuit;
use crate::design::{Literal, NodeId};
use crate::sat::{self, Solver};

/// What has gates: a circuit, or one that was unrolled.
pub trait Gates {
    fn gate(&self, id: NodeId) -> Option<(Literal, Literal)>;
}

impl Gates for Circuit {
    fn gate(&self, id: NodeId) -> Option<(Literal, Literal)> {
        Circuit::gate(self, id)
    }
}

const NONE: u32 = u32::MAX;

/// What a solver may begin with when it looks for values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decisions {
    /// Inputs and latches, from which all else follows: good for many small questions.
    Leaves,
    /// Gates as well: good for large questions.
    All,
}

/// Which variable of a solver stands for which node.
#[derive(Clone, Debug)]
pub struct Encoding {
    decisions: Decisions,
    variables: Vec<u32>,
    pending: Vec<NodeId>,
}

impl Encoding {
    pub fn new(decisions: Decisions) -> Encoding {
        Encoding {
            decisions,
            variables: Vec::new(),
            pending: Vec::new(),
        }
    }

    /// A literal of the solver that equals one of the gates in every solution. The gates that
    /// it depends on become clauses if they are none yet.
    pub fn literal<S: Solver>(
        &mut self,
        gates: &impl Gates,
        literal: Literal,
        solver: &mut S,
    ) -> sat::Literal {
        if self.known(literal).is_none() {
            self.encode(gates, literal.node(), solver);
        }
        let variable = self.variables[literal.node().index()];
        sat::Literal::new(variable, literal.is_complemented())
    }

    /// The same if the gates are clauses already.
    pub fn known(&self, literal: Literal) -> Option<sat::Literal> {
        let variable = *self.variables.get(literal.node().index())?;
        (variable != NONE).then(|| sat::Literal::new(variable, literal.is_complemented()))
    }

    fn encode<S: Solver>(&mut self, gates: &impl Gates, root: NodeId, solver: &mut S) {
        self.pending.push(root);
        while let Some(id) = self.pending.last().copied() {
            if self.known(id.literal()).is_some() {
                self.pending.pop();
                continue;
            }
            let Some((left, right)) = gates.gate(id) else {
                self.pending.pop();
                let leaf = solver.new_variable();
                self.set(id, leaf);
                if id == NodeId::CONSTANT {
                    solver.add_clause(&[!leaf]);
                }
                continue;
            };
            match (self.known(left), self.known(right)) {
                (Some(left), Some(right)) => {
                    self.pending.pop();
                    let gate = match self.decisions {
                        Decisions::Leaves => solver.new_dependent(),
                        Decisions::All => solver.new_variable(),
                    };
                    self.set(id, gate);
                    solver.add_clause(&[!gate, left]);
                    solver.add_clause(&[!gate, right]);
                    solver.add_clause(&[gate, !left, !right]);
                }
                (left_known, right_known) => {
                    if right_known.is_none() {
                        self.pending.push(right.node());
                    }
                    if left_known.is_none() {
                        self.pending.push(left.node());
                    }
                }
            }
        }
    }

    fn set(&mut self, id: NodeId, literal: sat::Literal) {
        if self.variables.len() <= id.index() {
            self.variables.resize(id.index() + 1, NONE);
        }
        self.variables[id.index()] = literal.variable();
    }
}
