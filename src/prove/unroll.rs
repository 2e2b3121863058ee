//! A circuit step by step, from its initial states or from any state: each node in each step
//! as a node of one large circuit without latches, with constants folded and equal gates made
//! once.

use super::circuit::{Circuit, count_readers};
use super::encode::Gates;
use super::fold::conjunction;
use crate::design::{Literal, NodeId, Reset};
use std::collections::HashMap;
use std::rc::Rc;

const NONE: u32 = u32::MAX;

pub struct Unrolling {
    circuit: Rc<Circuit>,
    /// The first step begins in any state, and not only in initial ones.
    begins_anywhere: bool,
    /// For each step the literal of each node of the circuit, as far as it was asked for.
    steps: Vec<Vec<u32>>,
    /// The operands of each node, none for leaves; the first is the constant.
    gates: Vec<Option<(Literal, Literal)>>,
    /// How many gates read each node.
    readers: Vec<u32>,
    known: HashMap<(Literal, Literal), Literal>,
    pending: Vec<(usize, NodeId)>,
}

impl Gates for Unrolling {
    fn gate(&self, id: NodeId) -> Option<(Literal, Literal)> {
        self.gates[id.index()]
    }

    fn is_shared(&self, id: NodeId) -> bool {
        self.readers[id.index()] > 1
    }
}

impl Unrolling {
    /// From the initial states.
    pub fn new(circuit: Rc<Circuit>) -> Unrolling {
        Unrolling {
            circuit,
            begins_anywhere: false,
            steps: Vec::new(),
            gates: vec![None],
            readers: vec![0],
            known: HashMap::new(),
            pending: Vec::new(),
        }
    }

    /// From any state.
    pub fn from_any_state(circuit: Rc<Circuit>) -> Unrolling {
        Unrolling {
            begins_anywhere: true,
            ..Unrolling::new(circuit)
        }
    }

    /// How many gates and leaves there are.
    pub fn size(&self) -> usize {
        self.gates.len()
    }

    /// What a literal of the circuit is in a step.
    pub fn literal(&mut self, step: usize, literal: Literal) -> Literal {
        while self.steps.len() <= step {
            self.steps.push(vec![NONE; self.circuit.size()]);
        }
        self.build(step, literal.node());
        self.get(step, literal).unwrap_or(Literal::FALSE)
    }

    /// The same if it was asked for before.
    pub fn get(&self, step: usize, literal: Literal) -> Option<Literal> {
        let code = *self.steps.get(step)?.get(literal.node().index())?;
        (code != NONE).then(|| Literal::from_code(code).complement_if(literal.is_complemented()))
    }

    fn build(&mut self, step: usize, root: NodeId) {
        self.pending.push((step, root));
        while let Some((step, id)) = self.pending.last().copied() {
            let value = if self.get(step, id.literal()).is_some() {
                None
            } else {
                match self.source(step, id) {
                    Source::Leaf => Some(self.leaf()),
                    Source::Constant(value) => Some(Literal::constant(value)),
                    Source::Literal(step, literal) => match self.get(step, literal) {
                        Some(literal) => Some(literal),
                        None => {
                            self.pending.push((step, literal.node()));
                            continue;
                        }
                    },
                    Source::Gate(left, right) => {
                        match (self.get(step, left), self.get(step, right)) {
                            (Some(left), Some(right)) => Some(self.and(left, right)),
                            (known, _) => {
                                let missing = if known.is_none() { left } else { right };
                                self.pending.push((step, missing.node()));
                                continue;
                            }
                        }
                    }
                }
            };
            if let Some(value) = value {
                self.steps[step][id.index()] = value.code();
            }
            self.pending.pop();
        }
    }

    fn source(&self, step: usize, id: NodeId) -> Source {
        if let Some((left, right)) = self.circuit.gate(id) {
            return Source::Gate(left, right);
        }
        let Some(index) = self.circuit.latch_index(id) else {
            return if id == NodeId::CONSTANT {
                Source::Constant(false)
            } else {
                Source::Leaf
            };
        };
        let latch = self.circuit.latches()[index];
        match step {
            0 if self.begins_anywhere => Source::Leaf,
            0 => match latch.reset {
                Reset::Zero => Source::Constant(false),
                Reset::One => Source::Constant(true),
                Reset::Free | Reset::Choice => Source::Leaf,
                Reset::Computed(literal) => Source::Literal(0, literal),
            },
            _ => Source::Literal(step - 1, latch.next),
        }
    }

    fn leaf(&mut self) -> Literal {
        self.gates.push(None);
        self.readers.push(0);
        NodeId::from_index(self.gates.len() - 1).literal()
    }

    /// A conjunction of two literals of the unrolled circuit.
    pub fn and(&mut self, left: Literal, right: Literal) -> Literal {
        match conjunction(|id| self.gates[id.index()], left, right) {
            Ok(literal) => literal,
            Err(operands) => {
                let next = NodeId::from_index(self.gates.len()).literal();
                let gate = *self.known.entry(operands).or_insert(next);
                if gate == next {
                    self.gates.push(Some(operands));
                    count_readers(&mut self.readers, operands);
                }
                gate
            }
        }
    }
}

/// What a node is in a step.
enum Source {
    Leaf,
    Constant(bool),
    /// The same as a literal of a step.
    Literal(usize, Literal),
    Gate(Literal, Literal),
}
