//! The questions of [`claim`](super::claim) to decision diagrams: sets that came from diagrams
//! are small there, above all in the order that they came in, and one step of them takes no
//! fixpoint. Next values are minimised against the states that a question is about.

use super::claim::StateSets;
use super::closed::{Way, keeps_order};
use super::machine::{Machine, Order};
use super::tableau::Product;
use crate::bdd::{Bdd, Limits, Result};
use crate::design::Literal;
use crate::prove::Invariant;

/// Whether runs stay within the set of a claim, in which no step is bad. `equal` is an
/// invariant that was checked.
pub(super) fn stays_within(
    product: &Product,
    bad: &[Literal],
    claim: &StateSets,
    equal: &Invariant,
    work: u64,
    limits: &Limits,
) -> Result<bool> {
    let Some(question) = Question::new(product, claim, equal, bad, false, work, limits)? else {
        return Ok(false);
    };
    let [set] = question.sets.as_slice() else {
        return Ok(false);
    };
    if !question.machine.initial.is_subset_of(set)? {
        return Ok(false);
    }
    let steps = question.steps_from(set)?;
    for bad in &question.others {
        if !steps.and(bad)?.is_zero() {
            return Ok(false);
        }
    }
    question.machine.lead_into(&steps, set)
}

/// Whether runs stay within the set of a claim, in one of two ways.
pub(super) fn is_closed(
    product: &Product,
    claim: &StateSets,
    way: Way,
    work: u64,
    limits: &Limits,
) -> Result<bool> {
    let known = Invariant::default();
    let is_kept = keeps_order(work);
    let Some(question) = Question::new(product, claim, &known, &[], is_kept, work, limits)? else {
        return Ok(false);
    };
    let [set] = question.sets.as_slice() else {
        return Ok(false);
    };
    if !question.machine.initial.is_subset_of(set)? {
        return Ok(false);
    }
    question.lead_into(&question.steps_from(set)?, set, way)
}

/// Whether no step from the set of a claim is bad.
pub(super) fn excludes(
    product: &Product,
    claim: &StateSets,
    bad: Literal,
    work: u64,
    limits: &Limits,
) -> Result<bool> {
    let known = Invariant::default();
    let (is_kept, others) = (keeps_order(work), [bad]);
    let question = Question::new(product, claim, &known, &others, is_kept, work, limits)?;
    let Some(question) = question else {
        return Ok(false);
    };
    let ([set], [bad]) = (question.sets.as_slice(), question.others.as_slice()) else {
        return Ok(false);
    };
    question.steps_from(set)?.is_disjoint_from(bad)
}

/// Whether each run comes to a step with `goal`, and has `kept` in all steps up to it, because
/// the rings of a claim are a ranking. `equal` is an invariant that was checked.
pub(super) fn comes_to(
    product: &Product,
    kept: Literal,
    goal: Literal,
    claim: &StateSets,
    equal: &Invariant,
    work: u64,
    limits: &Limits,
) -> Result<bool> {
    let others = [kept, goal];
    let Some(question) = Question::new(product, claim, equal, &others, false, work, limits)? else {
        return Ok(false);
    };
    let (Some(outermost), [kept, goal]) = (question.sets.last(), question.others.as_slice()) else {
        return Ok(false);
    };
    let machine = &question.machine;
    if !machine.initial.is_subset_of(outermost)? {
        return Ok(false);
    }
    let mut smaller = machine.one().not();
    for ring in &question.sets {
        // Functions are right in states of the outermost ring only.
        if !ring.is_subset_of(outermost)? {
            return Ok(false);
        }
        let steps = question.steps_from(&ring.minus(&smaller)?)?;
        if !steps.is_subset_of(kept)? {
            return Ok(false);
        }
        if !machine.lead_into(&steps.minus(goal)?, &smaller)? {
            return Ok(false);
        }
        smaller = ring.clone();
    }
    Ok(true)
}

/// A claim about a product as decision diagrams.
pub(super) struct Question {
    pub machine: Machine,
    pub sets: Vec<Bdd>,
    /// The states of the last set, as far as latches are equal there.
    reached: Bdd,
    /// The functions of other literals, right in these states only.
    pub others: Vec<Bdd>,
}

impl Question {
    /// `None` if the claim is not about the product. `is_kept` says whether the order of the
    /// claim stays.
    pub fn new(
        product: &Product,
        claim: &StateSets,
        equal: &Invariant,
        others: &[Literal],
        is_kept: bool,
        work: u64,
        limits: &Limits,
    ) -> Result<Option<Question>> {
        if !claim.is_about(&product.design) {
            return Ok(None);
        }
        let Some((product, sets)) = with_gates(product, claim, equal) else {
            return Ok(None);
        };
        let limits = Limits {
            work: Some(work),
            ..limits.clone()
        };
        let order = Order {
            proposed: &claim.order_in(&product.design),
            until: (!is_kept).then_some(0),
        };
        let (machine, mut functions) = Machine::within(&product, &sets, others, order, &limits)?;
        let others = functions.split_off(sets.len());
        let Some(reached) = functions.pop() else {
            return Ok(None);
        };
        Ok(Some(Question {
            machine,
            sets: functions,
            reached,
            others,
        }))
    }

    /// Whether all of these steps lead into a set of states.
    pub fn lead_into(&self, steps: &Bdd, states: &Bdd, way: Way) -> Result<bool> {
        match way {
            Way::Walking => self.machine.lead_into(steps, states),
            Way::Composing => {
                let outside = self.machine.steps_into(&states.not())?;
                outside.is_disjoint_from(steps)
            }
        }
    }

    /// The steps of runs that begin in some states.
    pub fn steps_from(&self, states: &Bdd) -> Result<Bdd> {
        states.and(&self.reached)?.and(&self.machine.constraint)
    }
}

/// A product with gates for the sets of a claim, and last for states of the last set in which
/// what is known of latches holds.
fn with_gates(
    product: &Product,
    claim: &StateSets,
    known: &Invariant,
) -> Option<(Product, Vec<Literal>)> {
    let mut design = product.design.clone();
    let latches = product.design.latches().iter();
    let latches: Vec<Literal> = latches.map(|id| id.literal()).collect();
    let mut sets = claim.add_to(&mut design, &latches);
    let clauses = known.clauses.iter();
    let clauses: Vec<Literal> = clauses
        .map(|clause| design.or_all(clause.iter().copied()))
        .collect();
    let known = design.and_all(clauses);
    let last = sets.last().copied()?;
    sets.push(design.and(last, known));
    let product = Product {
        design,
        constraint: product.constraint,
        fairness: Vec::new(),
    };
    Some((product, sets))
}
