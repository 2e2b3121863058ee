//! Whether induction over several steps keeps a product away from bad steps [SSS00].
//!
//! Two kinds of questions to a solver that has seen nothing of how the claim was found: the
//! first steps of runs are not bad, one after the other; and as many good steps in a row, from
//! any state in which the clauses of the claim hold, are not followed by a bad one. That the
//! clauses hold in all states of runs is checked by [`invariant`](super::invariant). The steps
//! are put together here once more, straight from the product; each step reads what the one
//! before it has computed, and gates with the same operands are one.

use super::invariant::{Conjunctions, equal_latches};
use super::tableau::Product;
use crate::bdd::{Error, Limits, Result};
use crate::design::{Latch, Literal, NodeId, Reach, Reset};
use crate::prove::Invariant;
use crate::sat::{self, Answer, DefaultSolver, Meter, Solver};

/// Whether no run comes to a step in which `bad` holds, by induction over as many steps as the
/// claim says. Its clauses have to hold in all states of runs.
pub(super) fn excludes(
    product: &Product,
    claim: &Invariant,
    bad: Literal,
    limits: &Limits,
) -> Result<bool> {
    let row = || Row::new(product, claim, bad, limits);
    Ok(first_steps_are_good(row(), bad)? && good_steps_continue(row(), bad)?)
}

/// Whether `bad` holds in none of the first steps of runs.
fn first_steps_are_good(mut row: Row<'_>, bad: Literal) -> Result<bool> {
    row.begin_initially();
    for _ in 0..row.claim.depth {
        if row.last_can_be(bad)? {
            return Ok(false);
        }
        row.require_of_last(!bad);
        row.add_step();
    }
    Ok(true)
}

/// Whether `bad` holds in no step after a row of steps in which it does not.
fn good_steps_continue(mut row: Row<'_>, bad: Literal) -> Result<bool> {
    row.begin_anywhere();
    for _ in 0..row.claim.depth {
        row.require_of_last(!bad);
        row.add_step();
    }
    Ok(!row.last_can_be(bad)?)
}

/// Steps of a product one after the other, each of which keeps the constraint and begins where
/// the clauses of a claim hold.
struct Row<'a> {
    product: &'a Product,
    claim: &'a Invariant,
    /// What is looked at: inputs, latches, and gates in the order of evaluation.
    inputs: Vec<NodeId>,
    latches: Vec<(NodeId, Latch)>,
    gates: Vec<(NodeId, Literal, Literal)>,
    solver: DefaultSolver,
    conjunctions: Conjunctions,
    /// Never holds.
    constant: sat::Literal,
    /// The value of each node in the last step.
    values: Vec<sat::Literal>,
    limits: &'a Limits,
}

impl<'a> Row<'a> {
    fn new(
        product: &'a Product,
        claim: &'a Invariant,
        bad: Literal,
        limits: &'a Limits,
    ) -> Row<'a> {
        let stop = limits.clone();
        let mut solver = DefaultSolver::new(Meter::new(move || stop.check().is_err()));
        let constant = solver.new_variable();
        solver.add_clause(&[!constant]);
        let roots = claim.clauses.iter().flatten().copied();
        let cone = product
            .design
            .cone(roots.chain([bad, product.constraint]), Reach::Run);
        let design = &product.design;
        let inputs = design.inputs().iter().copied();
        let latches = design.latches().iter().copied();
        let latches = latches.filter(|id| cone.contains(*id));
        // A design that was checked has an order.
        let gates = design.topological_order().unwrap_or_default().into_iter();
        let gates = gates.filter(|id| cone.contains(*id));
        Row {
            product,
            claim,
            inputs: inputs.filter(|id| cone.contains(*id)).collect(),
            latches: latches
                .filter_map(|id| Some((id, design.latch(id)?)))
                .collect(),
            gates: gates
                .filter_map(|id| design.gate(id).map(|(left, right)| (id, left, right)))
                .collect(),
            conjunctions: Conjunctions::new(constant),
            values: vec![constant; design.len()],
            constant,
            solver,
            limits,
        }
    }

    /// The first step begins in an initial state.
    fn begin_initially(&mut self) {
        self.set_inputs();
        for (id, latch) in &self.latches {
            self.values[id.index()] = match latch.reset {
                Reset::Zero => self.constant,
                Reset::One => !self.constant,
                Reset::Free | Reset::Choice | Reset::Computed(_) => self.solver.new_variable(),
            };
        }
        self.set_gates();
        for (id, latch) in &self.latches {
            if let Reset::Computed(literal) = latch.reset {
                let (own, value) = (self.value(id.literal()), self.value(literal));
                self.solver.add_clause(&[own, !value]);
                self.solver.add_clause(&[!own, value]);
            }
        }
        self.require_what_holds();
    }

    /// The first step begins in any state in which the clauses hold.
    fn begin_anywhere(&mut self) {
        self.set_inputs();
        for (id, _) in &self.latches {
            self.values[id.index()] = self.solver.new_variable();
        }
        for (latch, same) in equal_latches(&self.claim.clauses) {
            self.values[latch.index()] = self.value(same);
        }
        self.set_gates();
        self.require_what_holds();
    }

    /// One more step, from the state that the last one leads to.
    fn add_step(&mut self) {
        let latches = self.latches.iter();
        let next = latches.map(|(id, latch)| (*id, self.value(latch.next)));
        let next: Vec<(NodeId, sat::Literal)> = next.collect();
        self.set_inputs();
        for (id, value) in next {
            self.values[id.index()] = value;
        }
        self.set_gates();
        self.require_what_holds();
    }

    /// New inputs for the last step.
    fn set_inputs(&mut self) {
        for id in &self.inputs {
            self.values[id.index()] = self.solver.new_variable();
        }
    }

    fn set_gates(&mut self) {
        for (id, left, right) in &self.gates {
            let (left, right) = (self.value(*left), self.value(*right));
            self.values[id.index()] = self.conjunctions.get(left, right).unwrap_or_else(|| {
                let gate = self.solver.new_variable();
                self.conjunctions.add(gate, left, right, &mut self.solver);
                gate
            });
        }
    }

    fn require_what_holds(&mut self) {
        self.require_of_last(self.product.constraint);
        for clause in &self.claim.clauses {
            let clause = clause.iter().map(|literal| self.value(*literal));
            let clause: Vec<sat::Literal> = clause.collect();
            self.solver.add_clause(&clause);
        }
    }

    /// A literal holds in the last step.
    fn require_of_last(&mut self, literal: Literal) {
        let literal = self.value(literal);
        self.solver.add_clause(&[literal]);
    }

    /// Whether a literal can hold in the last step.
    fn last_can_be(&mut self, literal: Literal) -> Result<bool> {
        let literal = self.value(literal);
        match self.solver.solve(&[literal]) {
            Answer::Satisfiable => Ok(true),
            Answer::Unsatisfiable => Ok(false),
            Answer::Stopped => {
                self.limits.check()?;
                Err(Error::Effort)
            }
        }
    }

    fn value(&self, literal: Literal) -> sat::Literal {
        self.values[literal.node().index()].negate_if(literal.is_complemented())
    }
}

#[cfg(test)]
mod tests {
    use super::super::random_product::random_product;
    use super::*;
    use crate::design::Simulator;
    use crate::random::Random;
    use std::collections::BTreeSet;

    /// Claims about random products of a few latches are judged as all steps tell.
    #[test]
    fn claims_are_judged_as_all_steps_tell() {
        let (mut accepted, mut by_base, mut by_step) = (0, 0, 0);
        for seed in 0..2_000 {
            let mut random = Random::new(seed);
            let (product, bad) = random_product(&mut random);
            let latches = product.design.latches().to_vec();
            let mut literal = || random.pick(&latches).literal().complement_if(random.flip());
            let clause = vec![literal(), literal()];
            let clauses = if random.flip() {
                vec![clause]
            } else {
                Vec::new()
            };
            let depth = 1 + random.below(3);
            let claim = Invariant { clauses, depth };
            let steps = Explicit::new(&product, &claim, bad);
            let (base, step) = (steps.are_first_steps_good(), steps.do_good_steps_continue());
            let found = excludes(&product, &claim, bad, &Limits::default());
            assert_eq!(found.unwrap(), base && step, "seed {seed}");
            accepted += usize::from(base && step);
            by_base += usize::from(!base && step);
            by_step += usize::from(base && !step);
        }
        let each = [accepted, by_base, by_step];
        assert!(each.iter().all(|count| *count > 50), "{each:?}");
    }

    /// All steps of a product that a claim speaks of, one by one.
    struct Explicit {
        depth: usize,
        initial: BTreeSet<usize>,
        all: BTreeSet<usize>,
        /// From where, whether it is bad, to where.
        steps: Vec<(usize, bool, usize)>,
    }

    impl Explicit {
        fn new(product: &Product, claim: &Invariant, bad: Literal) -> Explicit {
            let design = &product.design;
            let (latches, inputs) = (design.latches(), design.inputs());
            let holds = |state: usize| {
                claim.clauses.iter().all(|clause| {
                    clause.iter().any(|literal| {
                        let index = latches.iter().position(|id| *id == literal.node());
                        (state >> index.unwrap() & 1 == 1) != literal.is_complemented()
                    })
                })
            };
            let is_initial = |state: &usize| {
                latches.iter().enumerate().all(|(index, id)| {
                    let value = design.latch(*id).unwrap().reset.value();
                    value.is_none_or(|value| (state >> index & 1 == 1) == value)
                })
            };
            let all: BTreeSet<usize> = (0..1 << latches.len()).filter(|one| holds(*one)).collect();
            let mut simulator = Simulator::new(design).unwrap();
            let mut steps = Vec::new();
            for state in &all {
                for values in 0..1usize << inputs.len() {
                    let bit = |of: &[NodeId], bits: usize, id: NodeId| {
                        let index = of.iter().position(|one| *one == id).unwrap();
                        (bits >> index & 1) as u64
                    };
                    simulator.resume(|id| bit(latches, *state, id));
                    simulator.settle(|id| bit(inputs, values, id));
                    let is_kept = simulator.value(product.constraint) & 1 == 1;
                    let is_bad = simulator.value(bad) & 1 == 1;
                    simulator.advance();
                    let next = latches.iter().enumerate().fold(0, |next, (index, id)| {
                        next | ((simulator.value(id.literal()) & 1) as usize) << index
                    });
                    if is_kept {
                        steps.push((*state, is_bad, next));
                    }
                }
            }
            let initial = all.iter().copied().filter(is_initial).collect();
            Explicit {
                depth: claim.depth,
                initial,
                all,
                steps,
            }
        }

        fn is_bad_from(&self, states: &BTreeSet<usize>) -> bool {
            let mut steps = self.steps.iter();
            steps.any(|(from, is_bad, _)| *is_bad && states.contains(from))
        }

        /// Where good steps lead.
        fn after(&self, states: &BTreeSet<usize>) -> BTreeSet<usize> {
            let steps = self.steps.iter();
            let good = steps.filter(|(from, is_bad, _)| !is_bad && states.contains(from));
            let next = good.map(|(_, _, to)| *to);
            next.filter(|to| self.all.contains(to)).collect()
        }

        fn are_first_steps_good(&self) -> bool {
            let mut states = self.initial.clone();
            (0..self.depth).all(|_| {
                let is_good = !self.is_bad_from(&states);
                states = self.after(&states);
                is_good
            })
        }

        fn do_good_steps_continue(&self) -> bool {
            let last = (0..self.depth).fold(self.all.clone(), |states, _| self.after(&states));
            !self.is_bad_from(&last)
        }
    }
}
