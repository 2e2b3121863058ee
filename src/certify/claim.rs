//! Claims about states, from whoever solved a game: checked here, and by nothing that the
//! solver of the game has used.
//!
//! That no step is bad is claimed by a set of states that no step leaves. That each run comes
//! to a certain step is claimed by a ranking: from each ring of states, a step is the one that
//! is looked for or leads to a smaller ring. Sets come as circuits, which become clauses of a
//! solver that knows one step of the design; the questions are few, and as hard as one step.
//! Latches that are always equal are found first, and that they are is checked as well, since
//! the solver of the game may have kept one of them only.

use super::invariant::{self, Check};
use super::tableau::Product;
use crate::bdd::{Error, Limits, Result};
use crate::design::{Design, Literal, Node, NodeId};
use crate::prove::correspond::correspond;
use crate::prove::{Circuit, Invariant, Question};
use crate::sat::{self, Meter, Solver};

/// Sets of states of a design. The inputs of the circuit are its latches, in their order;
/// latches that the design has beside these matter to no set.
#[derive(Clone, Debug)]
pub struct StateSets {
    pub circuit: Design,
    /// Which states are in each set.
    pub sets: Vec<Literal>,
}

/// Work for one question; the model checker may do better than with more.
const EFFORT: u64 = 100_000_000;

/// What becomes of a claim. One that is not confirmed need not be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claimed {
    Confirmed,
    NotConfirmed,
}

/// Whether runs of a product stay within a set of states, in which no step is bad.
pub(super) fn stays_within(
    product: &Product,
    bad: &[Literal],
    claim: &StateSets,
    limits: &Limits,
) -> Result<Claimed> {
    let &[set] = claim.sets.as_slice() else {
        return Ok(Claimed::NotConfirmed);
    };
    judged(limits, || {
        let Some(mut step) = Step::new(product, bad, claim, limits)? else {
            return Ok(false);
        };
        if !step.holds_at_first(product, claim, set, limits)? {
            return Ok(false);
        }
        let (now, next) = (step.now(claim, set), step.next(claim, set));
        step.check.solver.add_clause(&[now]);
        if !step.is_impossible(&[!next])? {
            return Ok(false);
        }
        for bad in bad {
            let bad = step.check.literal(*bad);
            if !step.is_impossible(&[bad])? {
                return Ok(false);
            }
        }
        Ok(true)
    })
}

/// Whether each run comes to a step with `goal`, and has `kept` in all steps up to it, because
/// the rings of a claim, smallest first, are a ranking.
pub(super) fn comes_to(
    product: &Product,
    kept: Literal,
    goal: Literal,
    claim: &StateSets,
    limits: &Limits,
) -> Result<Claimed> {
    let Some(&outermost) = claim.sets.last() else {
        return Ok(Claimed::NotConfirmed);
    };
    judged(limits, || {
        let Some(mut step) = Step::new(product, &[kept, goal], claim, limits)? else {
            return Ok(false);
        };
        if !step.holds_at_first(product, claim, outermost, limits)? {
            return Ok(false);
        }
        let (kept, goal) = (step.check.literal(kept), step.check.literal(goal));
        let mut smaller: Option<(sat::Literal, sat::Literal)> = None;
        for ring in &claim.sets {
            let (now, next) = (step.now(claim, *ring), step.next(claim, *ring));
            let mut here = vec![now];
            let mut there = vec![!goal];
            if let Some((smaller_now, smaller_next)) = smaller {
                here.push(!smaller_now);
                there.push(!smaller_next);
            }
            let breaks: Vec<_> = here.iter().copied().chain([!kept]).collect();
            let stays: Vec<_> = here.iter().copied().chain(there).collect();
            if !step.is_impossible(&breaks)? || !step.is_impossible(&stays)? {
                return Ok(false);
            }
            smaller = Some((now, next));
        }
        Ok(true)
    })
}

/// A check that needs too much work confirms nothing; one that a limit ends is an error.
fn judged(limits: &Limits, check: impl FnOnce() -> Result<bool>) -> Result<Claimed> {
    match check() {
        Ok(true) => Ok(Claimed::Confirmed),
        Ok(false) | Err(Error::Effort) => {
            limits.check()?;
            Ok(Claimed::NotConfirmed)
        }
        Err(error) => Err(error),
    }
}

/// One step of a product, with sets of states before and after it.
struct Step<'a> {
    check: Check<'a>,
    before: Copy,
    after: Copy,
}

/// The circuit of a claim, over some values of latches.
struct Copy {
    known: Vec<Option<sat::Literal>>,
}

impl<'a> Step<'a> {
    /// `None` if the claim is not about the product, or if latches that seem to be equal are
    /// not.
    fn new(
        product: &Product,
        roots: &[Literal],
        claim: &StateSets,
        limits: &'a Limits,
    ) -> Result<Option<Step<'a>>> {
        let design = &product.design;
        let is_combinational = claim.circuit.latches().is_empty();
        if claim.circuit.inputs().len() > design.latches().len() || !is_combinational {
            return Ok(None);
        }
        let equal = equal_latches(product, roots, limits)?;
        if !invariant::is_inductive(product, &equal, limits)? {
            return Ok(None);
        }
        let count = claim.circuit.inputs().len();
        let latches = || design.latches().iter().take(count);
        let next = |id: &NodeId| design.latch(*id).map_or(Literal::FALSE, |latch| latch.next);
        let all = roots.iter().copied().chain(latches().map(next));
        let check = Check::within(product, &equal, all, limits);
        check.allow(EFFORT);
        let now = latches().map(|id| check.literal(id.literal())).collect();
        let then = latches().map(|id| check.literal(next(id))).collect();
        Ok(Some(Step {
            check,
            before: Copy::new(now, claim),
            after: Copy::new(then, claim),
        }))
    }

    fn now(&mut self, claim: &StateSets, set: Literal) -> sat::Literal {
        self.before.literal(claim, set, &mut self.check)
    }

    fn next(&mut self, claim: &StateSets, set: Literal) -> sat::Literal {
        self.after.literal(claim, set, &mut self.check)
    }

    fn is_impossible(&mut self, literals: &[sat::Literal]) -> Result<bool> {
        Ok(!self.check.can_hold(literals)?)
    }

    /// Whether all initial states are in a set.
    fn holds_at_first(
        &self,
        product: &Product,
        claim: &StateSets,
        set: Literal,
        limits: &Limits,
    ) -> Result<bool> {
        let design = &product.design;
        let mut check = Check::of_initial_states(design, std::iter::empty(), limits);
        let latches = design.latches().iter();
        let latches = latches.map(|id| check.literal(id.literal())).collect();
        let mut initial = Copy::new(latches, claim);
        let inside = initial.literal(claim, set, &mut check);
        Ok(!check.can_hold(&[!inside])?)
    }
}

impl Copy {
    fn new(latches: Vec<sat::Literal>, claim: &StateSets) -> Copy {
        let mut known = vec![None; claim.circuit.len()];
        for (id, latch) in claim.circuit.inputs().iter().zip(&latches) {
            known[id.index()] = Some(*latch);
        }
        Copy { known }
    }

    fn literal(&mut self, claim: &StateSets, root: Literal, check: &mut Check) -> sat::Literal {
        let mut pending = vec![root.node()];
        while let Some(&id) = pending.last() {
            if self.known[id.index()].is_some() {
                pending.pop();
                continue;
            }
            let known = |literal: Literal| {
                let known = self.known[literal.node().index()];
                known.map(|known| known.negate_if(literal.is_complemented()))
            };
            let value = match claim.circuit.node(id) {
                Node::And(left, right) => match (known(left), known(right)) {
                    (Some(left), Some(right)) => {
                        let gate = check.solver.new_variable();
                        check.solver.add_clause(&[!gate, left]);
                        check.solver.add_clause(&[!gate, right]);
                        check.solver.add_clause(&[gate, !left, !right]);
                        gate
                    }
                    (None, _) => {
                        pending.push(left.node());
                        continue;
                    }
                    (_, None) => {
                        pending.push(right.node());
                        continue;
                    }
                },
                // Inputs are known, and there are no latches.
                Node::Constant | Node::Input(_) | Node::Latch(_) => {
                    check.literal(NodeId::CONSTANT.literal())
                }
            };
            self.known[id.index()] = Some(value);
        }
        let value = self.known[root.node().index()];
        let value = value.unwrap_or_else(|| check.literal(NodeId::CONSTANT.literal()));
        value.negate_if(root.is_complemented())
    }
}

/// Latches that seem to be equal or constant in all runs.
fn equal_latches(product: &Product, roots: &[Literal], limits: &Limits) -> Result<Invariant> {
    let question = Question {
        design: &product.design,
        constraint: product.constraint,
        bad: roots.to_vec(),
    };
    let stop = limits.clone();
    let meter = Meter::new(move || stop.check().is_err());
    match correspond(&Circuit::new(&question), &meter) {
        Ok(merged) => Ok(Invariant {
            clauses: merged.clauses,
        }),
        Err(_) => {
            limits.check()?;
            Err(Error::Effort)
        }
    }
}
