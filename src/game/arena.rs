//! A netlist with an objective: what a game is made of.

use crate::design::{Design, Literal, NodeId};

/// What the two players have to keep, as literals of the netlist. Monitors of temporal
/// properties are latches of the netlist, so nothing else is needed.
#[derive(Clone, Debug, PartialEq)]
pub struct Objective {
    /// The environment keeps this in every step.
    pub assumption: Literal,
    /// The system keeps this in every step, as long as the assumption holds.
    pub guarantee: Literal,
    /// The environment makes each of these true again and again.
    pub assumed_recurrences: Vec<Literal>,
    /// The system makes each of these true again and again, if the environment does its part.
    pub goals: Vec<Literal>,
}

impl Objective {
    /// Nothing to assume, and only an invariant to keep.
    pub fn invariant(guarantee: Literal) -> Objective {
        Objective {
            assumption: Literal::TRUE,
            guarantee,
            assumed_recurrences: Vec::new(),
            goals: Vec::new(),
        }
    }

    /// All literals of the objective.
    pub fn literals(&self) -> impl Iterator<Item = Literal> + '_ {
        let invariants = [self.assumption, self.guarantee];
        invariants
            .into_iter()
            .chain(self.assumed_recurrences.iter().copied())
            .chain(self.goals.iter().copied())
    }
}

/// A netlist and the objective of the game on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Arena {
    pub design: Design,
    pub objective: Objective,
    /// The choice inputs that resolve a nondeterministic automaton. They are the system's
    /// moves, and yet no component's: no correction computes or reads them.
    pub automaton_choices: Vec<NodeId>,
}
