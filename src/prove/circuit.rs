//! The part of a design that a question depends on, small and without repetition.
//!
//! Nodes are numbered anew: the constant, then inputs, then latches, then gates, each gate
//! after its operands. Gates with the same operands are one gate, and constants are folded.
//! What the nodes stand for in the design is kept, because runs and invariants are told in
//! its terms.

use super::InputRun;
use super::fold::conjunction;
use crate::design::{Design, Literal, Node, NodeId, Reach, Reset};
use std::collections::HashMap;

/// What is asked: whether a run of the design that keeps the constraint in every step comes
/// to a step in which one of some literals holds.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    pub design: &'a Design,
    pub constraint: Literal,
    pub bad: Vec<Literal>,
}

#[derive(Clone, Debug)]
pub struct Circuit {
    /// The nodes of the design that inputs and latches stand for.
    inputs: Vec<NodeId>,
    latches: Vec<CircuitLatch>,
    /// The operands of gates, in the order of their indices.
    gates: Vec<(Literal, Literal)>,
    /// How many gates read each node.
    readers: Vec<u32>,
    pub constraint: Literal,
    pub bad: Vec<Literal>,
}

#[derive(Clone, Copy, Debug)]
pub struct CircuitLatch {
    pub origin: NodeId,
    pub next: Literal,
    /// `Computed` literals are those of the circuit.
    pub reset: Reset,
}

impl Circuit {
    /// The cone of a question. The design must have passed its check and have no choices.
    pub fn new(question: &Question) -> Circuit {
        let design = question.design;
        let roots = question.bad.iter().copied().chain([question.constraint]);
        let cone = design.cone(roots, Reach::Run);
        let in_cone = |nodes: &[NodeId]| -> Vec<NodeId> {
            let nodes = nodes.iter().copied();
            nodes.filter(|id| cone.contains(*id)).collect()
        };
        let (inputs, latches) = (in_cone(design.inputs()), in_cone(design.latches()));
        let mut builder = Builder::new(inputs, latches.len());
        let mut values: Vec<Literal> = vec![Literal::FALSE; design.len()];
        for (index, id) in builder.inputs.iter().enumerate() {
            values[id.index()] = builder.input(index);
        }
        for (index, id) in latches.iter().enumerate() {
            values[id.index()] = builder.latch(index);
        }
        // A design that was checked has an order; without one nothing is asked about it.
        for id in design.topological_order().unwrap_or_default() {
            if let Node::And(left, right) = design.node(id)
                && cone.contains(id)
            {
                let gate = builder.and(of(&values, left), of(&values, right));
                values[id.index()] = gate;
            }
        }
        let latch = |id: &NodeId| {
            let latch = design.latch(*id);
            CircuitLatch {
                origin: *id,
                next: latch.map_or(Literal::FALSE, |latch| of(&values, latch.next)),
                reset: match latch.map_or(Reset::Zero, |latch| latch.reset) {
                    Reset::Computed(literal) => Reset::Computed(of(&values, literal)),
                    reset => reset,
                },
            }
        };
        let latches = latches.iter().map(latch).collect();
        let bad = question.bad.iter().map(|literal| of(&values, *literal));
        let (constraint, bad) = (of(&values, question.constraint), bad.collect());
        builder.finish(latches, constraint, bad)
    }

    /// How many nodes there are, with the constant.
    pub fn size(&self) -> usize {
        self.first_gate() + self.gates.len()
    }

    pub fn inputs(&self) -> &[NodeId] {
        &self.inputs
    }

    pub fn latches(&self) -> &[CircuitLatch] {
        &self.latches
    }

    pub fn input_literal(&self, index: usize) -> Literal {
        NodeId::from_index(1 + index).literal()
    }

    pub fn latch_literal(&self, index: usize) -> Literal {
        NodeId::from_index(1 + self.inputs.len() + index).literal()
    }

    /// The index of an input, if a node is one.
    pub fn input_index(&self, id: NodeId) -> Option<usize> {
        let index = id.index().checked_sub(1)?;
        (index < self.inputs.len()).then_some(index)
    }

    /// The index of a latch, if a node is one.
    pub fn latch_index(&self, id: NodeId) -> Option<usize> {
        let index = id.index().checked_sub(1 + self.inputs.len())?;
        (index < self.latches.len()).then_some(index)
    }

    pub fn gate(&self, id: NodeId) -> Option<(Literal, Literal)> {
        let index = id.index().checked_sub(self.first_gate())?;
        self.gates.get(index).copied()
    }

    /// Whether more than one gate reads a node.
    pub fn is_shared(&self, id: NodeId) -> bool {
        self.readers[id.index()] > 1
    }

    /// Gates with their operands, operands first.
    pub fn gates(&self) -> impl Iterator<Item = (NodeId, (Literal, Literal))> + '_ {
        let indices = self.first_gate()..;
        let ids = indices.map(NodeId::from_index);
        ids.zip(self.gates.iter().copied())
    }

    /// The next value of a literal of a latch.
    pub fn next(&self, literal: Literal) -> Literal {
        match self.latch_index(literal.node()) {
            Some(index) => self.latches[index]
                .next
                .complement_if(literal.is_complemented()),
            None => literal,
        }
    }

    /// A literal of a latch, in the design.
    pub fn origin(&self, literal: Literal) -> Literal {
        let index = self.latch_index(literal.node());
        let node = index.map_or(NodeId::CONSTANT, |index| self.latches[index].origin);
        Literal::new(node, literal.is_complemented())
    }

    /// The run of the design in which `is_one` says what is 1 in each step.
    pub fn run(&self, steps: usize, is_one: impl Fn(usize, Literal) -> bool) -> InputRun {
        let latches = self.latches.iter().enumerate();
        let initial = latches
            .filter(|(index, latch)| {
                latch.reset == Reset::Free && is_one(0, self.latch_literal(*index))
            })
            .map(|(_, latch)| latch.origin);
        let inputs = |step: usize| {
            let inputs = self.inputs.iter().enumerate();
            inputs
                .filter(|(index, _)| is_one(step, self.input_literal(*index)))
                .map(|(_, origin)| *origin)
                .collect()
        };
        InputRun {
            initial: initial.collect(),
            steps: (0..steps).map(inputs).collect(),
        }
    }

    fn first_gate(&self) -> usize {
        1 + self.inputs.len() + self.latches.len()
    }

    /// The circuit with one initial state, which has a value for each latch.
    pub fn starting_in(&self, state: &[bool]) -> Circuit {
        let mut circuit = self.clone();
        for (latch, value) in circuit.latches.iter_mut().zip(state) {
            latch.reset = if *value { Reset::One } else { Reset::Zero };
        }
        circuit
    }

    /// A conjunction as one more gate; all other nodes keep their numbers.
    pub fn add_and(&mut self, left: Literal, right: Literal) -> Literal {
        match conjunction(|id| self.gate(id), left, right) {
            Ok(literal) => literal,
            Err(operands) => {
                self.gates.push(operands);
                count_readers(&mut self.readers, operands);
                NodeId::from_index(self.size() - 1).literal()
            }
        }
    }

    /// The circuit with another literal read in the place of each latch, by index. The
    /// latches stay, also those that nothing reads any more.
    pub fn with_latches_merged(&self, replacements: &[Literal]) -> Circuit {
        let mut values: Vec<Literal> = (0..self.size())
            .map(|index| NodeId::from_index(index).literal())
            .collect();
        for (index, replacement) in replacements.iter().enumerate() {
            values[self.latch_literal(index).node().index()] = *replacement;
        }
        let mut builder = Builder::new(self.inputs.clone(), self.latches.len());
        for (id, (left, right)) in self.gates() {
            values[id.index()] = builder.and(of(&values, left), of(&values, right));
        }
        let latches = self.latches.iter().map(|latch| CircuitLatch {
            next: of(&values, latch.next),
            reset: match latch.reset {
                Reset::Computed(literal) => Reset::Computed(of(&values, literal)),
                reset => reset,
            },
            ..*latch
        });
        let latches = latches.collect();
        let bad = self.bad.iter().map(|literal| of(&values, *literal));
        let (constraint, bad) = (of(&values, self.constraint), bad.collect());
        builder.finish(latches, constraint, bad)
    }

    /// The part that the bad literals and the constraint depend on.
    pub fn cone(&self) -> Circuit {
        let mut needed = vec![false; self.size()];
        let mut pending: Vec<Literal> = self.bad.clone();
        pending.push(self.constraint);
        while let Some(literal) = pending.pop() {
            let id = literal.node();
            if std::mem::replace(&mut needed[id.index()], true) {
                continue;
            }
            if let Some((left, right)) = self.gate(id) {
                pending.extend([left, right]);
            } else if let Some(index) = self.latch_index(id) {
                let latch = self.latches[index];
                pending.push(latch.next);
                if let Reset::Computed(literal) = latch.reset {
                    pending.push(literal);
                }
            }
        }
        let mut values = vec![Literal::FALSE; self.size()];
        let is_needed = |literal: Literal| needed[literal.node().index()];
        let kept_inputs: Vec<usize> = (0..self.inputs.len())
            .filter(|index| is_needed(self.input_literal(*index)))
            .collect();
        let kept_latches: Vec<usize> = (0..self.latches.len())
            .filter(|index| is_needed(self.latch_literal(*index)))
            .collect();
        let inputs = kept_inputs
            .iter()
            .map(|index| self.inputs[*index])
            .collect();
        let mut builder = Builder::new(inputs, kept_latches.len());
        for (new, old) in kept_inputs.iter().enumerate() {
            values[self.input_literal(*old).node().index()] = builder.input(new);
        }
        for (new, old) in kept_latches.iter().enumerate() {
            values[self.latch_literal(*old).node().index()] = builder.latch(new);
        }
        for (id, (left, right)) in self.gates() {
            if needed[id.index()] {
                values[id.index()] = builder.and(of(&values, left), of(&values, right));
            }
        }
        let latches = kept_latches.iter().map(|index| {
            let latch = self.latches[*index];
            CircuitLatch {
                next: of(&values, latch.next),
                reset: match latch.reset {
                    Reset::Computed(literal) => Reset::Computed(of(&values, literal)),
                    reset => reset,
                },
                ..latch
            }
        });
        let latches = latches.collect();
        let bad = self.bad.iter().map(|literal| of(&values, *literal));
        let (constraint, bad) = (of(&values, self.constraint), bad.collect());
        builder.finish(latches, constraint, bad)
    }
}

fn of(values: &[Literal], literal: Literal) -> Literal {
    values[literal.node().index()].complement_if(literal.is_complemented())
}

/// Gates that are made once each.
struct Builder {
    inputs: Vec<NodeId>,
    latches: usize,
    gates: Vec<(Literal, Literal)>,
    readers: Vec<u32>,
    known: HashMap<(Literal, Literal), Literal>,
}

impl Builder {
    fn new(inputs: Vec<NodeId>, latches: usize) -> Builder {
        Builder {
            readers: vec![0; 1 + inputs.len() + latches],
            inputs,
            latches,
            gates: Vec::new(),
            known: HashMap::new(),
        }
    }

    fn input(&self, index: usize) -> Literal {
        NodeId::from_index(1 + index).literal()
    }

    fn latch(&self, index: usize) -> Literal {
        NodeId::from_index(1 + self.inputs.len() + index).literal()
    }

    fn and(&mut self, left: Literal, right: Literal) -> Literal {
        let first_gate = 1 + self.inputs.len() + self.latches;
        let gate = |id: NodeId| {
            let index = id.index().checked_sub(first_gate)?;
            Some(self.gates[index])
        };
        match conjunction(gate, left, right) {
            Ok(literal) => literal,
            Err(operands) => {
                let next = NodeId::from_index(first_gate + self.gates.len()).literal();
                let gate = *self.known.entry(operands).or_insert(next);
                if gate == next {
                    self.gates.push(operands);
                    count_readers(&mut self.readers, operands);
                }
                gate
            }
        }
    }

    fn finish(self, latches: Vec<CircuitLatch>, constraint: Literal, bad: Vec<Literal>) -> Circuit {
        Circuit {
            inputs: self.inputs,
            latches,
            gates: self.gates,
            readers: self.readers,
            constraint,
            bad,
        }
    }
}

/// Counts what a new gate reads; it is read by none itself.
pub(super) fn count_readers(readers: &mut Vec<u32>, operands: (Literal, Literal)) {
    readers.push(0);
    for operand in [operands.0, operands.1] {
        readers[operand.node().index()] += 1;
    }
}
