//! Induction over several steps as an invariant of one step, for those who check no other.
//!
//! The design remembers its last steps: latches for the inputs and latches of each of them, and
//! one that says whether there was such a step yet. What is kept then says of the latches alone
//! that the remembered steps are the end of a run: each leads to the next one and the last to
//! the present state, the earliest begins in an initial state unless the memory is full, and
//! each keeps the constraint and the clauses and is not bad [YFBH22]. In such a state no step is
//! bad, since as many good ones went before it as induction needs, or all that there are.

use super::tableau::Product;
use crate::design::{Design, Literal, NodeId, Reach, Reset};
use std::collections::HashMap;

/// A design that remembers its last steps.
pub(super) struct History {
    /// That of the product, with latches and gates added behind its own.
    pub design: Design,
    /// Over latches alone: holds in all states of runs.
    pub kept: Literal,
    /// The same of the next state.
    pub kept_next: Literal,
}

/// What is remembered of one step; of the present one, the design's own leaves.
struct Remembered {
    /// Holds if there was such a step.
    is_valid: Literal,
    /// For inputs and latches that matter, what they were.
    leaves: HashMap<NodeId, Literal>,
}

impl History {
    pub fn new(
        product: &Product,
        bad: &[Literal],
        clauses: &[&[Literal]],
        depth: usize,
    ) -> History {
        let design = &product.design;
        let roots = clauses.iter().flat_map(|clause| clause.iter().copied());
        let roots = roots.chain(bad.iter().copied()).chain([product.constraint]);
        let cone = design.cone(roots, Reach::Run);
        let leaves = design.inputs().iter().chain(design.latches()).copied();
        // A design that was checked has an order.
        let gates = design.topological_order().unwrap_or_default().into_iter();
        let gates = gates.filter(|id| cone.contains(*id));
        let mut builder = Builder {
            design: design.clone(),
            product,
            bad,
            clauses,
            leaves: leaves.filter(|id| cone.contains(*id)).collect(),
            gates: gates
                .filter_map(|id| design.gate(id).map(|(left, right)| (id, left, right)))
                .collect(),
        };
        let steps = builder.remember(depth);
        let kept = builder.is_end_of_run(&steps);
        let next = |literal: Literal| {
            let latch = builder.design.latch(literal.node());
            let next = latch.map_or(literal.node().literal(), |latch| latch.next);
            next.complement_if(literal.is_complemented())
        };
        let shifted = steps.iter().map(|step| Remembered {
            is_valid: next(step.is_valid),
            leaves: step
                .leaves
                .iter()
                .map(|(leaf, value)| (*leaf, next(*value)))
                .collect(),
        });
        let shifted: Vec<Remembered> = shifted.collect();
        let kept_next = builder.is_end_of_run(&shifted);
        History {
            design: builder.design,
            kept,
            kept_next,
        }
    }
}

struct Builder<'a> {
    design: Design,
    product: &'a Product,
    bad: &'a [Literal],
    clauses: &'a [&'a [Literal]],
    /// What matters: inputs and latches, and gates in the order of evaluation.
    leaves: Vec<NodeId>,
    gates: Vec<(NodeId, Literal, Literal)>,
}

impl Builder<'_> {
    /// The present step, and memory for some before it, the latest first.
    fn remember(&mut self, depth: usize) -> Vec<Remembered> {
        let present = Remembered {
            is_valid: Literal::TRUE,
            leaves: self.leaves.iter().map(|id| (*id, id.literal())).collect(),
        };
        let mut steps = vec![present];
        for age in 0..depth {
            let mut memory = |of: Literal| {
                let latch = self.design.add_latch(Reset::Zero);
                self.design.set_next(latch, of);
                latch.literal()
            };
            let later = &steps[age];
            let is_valid = memory(later.is_valid);
            let values = self.leaves.iter();
            let values = values.map(|id| (*id, memory(later.leaves[id])));
            let leaves = values.collect();
            steps.push(Remembered { is_valid, leaves });
        }
        steps
    }

    /// Whether remembered steps are the end of a run that leads to the present state.
    fn is_end_of_run(&mut self, steps: &[Remembered]) -> Literal {
        let mut result = Literal::TRUE;
        for (later, earlier) in steps.iter().zip(&steps[1..]) {
            let then = self.values(earlier);
            let good = self.is_good_step(&then);
            let leads = self.leads_to(&then, later);
            let goes_on = self.design.and_all([good, leads, later.is_valid]);
            let goes_on = self.design.or(!earlier.is_valid, goes_on);
            let initial = self.is_initial(later);
            let begins = self
                .design
                .or_all([!later.is_valid, earlier.is_valid, initial]);
            result = self.design.and_all([result, goes_on, begins]);
        }
        result
    }

    /// The values of all nodes in a step.
    fn values(&mut self, step: &Remembered) -> HashMap<NodeId, Literal> {
        let mut values = step.leaves.clone();
        values.insert(NodeId::CONSTANT, Literal::FALSE);
        for (id, left, right) in &self.gates {
            let value = self.design.and(of(&values, *left), of(&values, *right));
            values.insert(*id, value);
        }
        values
    }

    /// Whether a step keeps the constraint and the clauses and is not bad.
    fn is_good_step(&mut self, values: &HashMap<NodeId, Literal>) -> Literal {
        let mut result = of(values, self.product.constraint);
        for bad in self.bad {
            result = self.design.and(result, !of(values, *bad));
        }
        for clause in self.clauses {
            let clause = clause.iter().map(|literal| of(values, *literal));
            let clause = self.design.or_all(clause);
            result = self.design.and(result, clause);
        }
        result
    }

    /// Whether a step leads to the state of a later one.
    fn leads_to(&mut self, values: &HashMap<NodeId, Literal>, later: &Remembered) -> Literal {
        let mut result = Literal::TRUE;
        for id in &self.leaves {
            if let Some(latch) = self.product.design.latch(*id) {
                let same = self.design.equal(of(values, latch.next), later.leaves[id]);
                result = self.design.and(result, same);
            }
        }
        result
    }

    /// Whether a step begins in an initial state. What an initial value is computed from are
    /// latches.
    fn is_initial(&mut self, step: &Remembered) -> Literal {
        let design = &self.product.design;
        let latches = self.leaves.iter();
        let latches = latches.filter_map(|id| Some((*id, design.latch(*id)?.reset)));
        let latches: Vec<(NodeId, Reset)> = latches.collect();
        let is_computed = |(_, reset): &(NodeId, Reset)| matches!(reset, Reset::Computed(_));
        let values = if latches.iter().any(is_computed) {
            self.values(step)
        } else {
            step.leaves.clone()
        };
        let mut result = Literal::TRUE;
        for (id, reset) in latches {
            let own = of(&values, id.literal());
            let holds = match reset {
                Reset::Zero => !own,
                Reset::One => own,
                Reset::Free | Reset::Choice => Literal::TRUE,
                Reset::Computed(literal) => self.design.equal(own, of(&values, literal)),
            };
            result = self.design.and(result, holds);
        }
        result
    }
}

fn of(values: &HashMap<NodeId, Literal>, literal: Literal) -> Literal {
    let value = values.get(&literal.node()).copied();
    value
        .unwrap_or(Literal::FALSE)
        .complement_if(literal.is_complemented())
}
