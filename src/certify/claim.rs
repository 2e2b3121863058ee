//! Claims about states, from whoever solved a game: checked here, and by nothing that the
//! solver of the game has used.
//!
//! That no step is bad is claimed by a set of states that no step leaves. That each run comes
//! to a certain step is claimed by a ranking: from each ring of states, a step is the one that
//! is looked for or leads to a smaller ring. Sets come as circuits, which become clauses of a
//! solver that knows one step of the design; the questions are few, and as hard as one step.
//! Latches that are always equal are found first, and that they are is checked as well, since
//! the solver of the game may have kept one of them only.

use super::claim_diagrams;
use super::gates::Gates;
use super::invariant::{self, Check};
use super::tableau::Product;
use crate::bdd::{Bdd, Error, Limits, Result, Variable};
use crate::design::{Design, InputKind, Literal, Node, NodeId, Reach};
use crate::prove::correspond::correspond;
use crate::prove::{Circuit, Invariant, Question};
use crate::sat::{self, Meter, Solver};
use std::collections::HashMap;

/// Sets of states of a design. The inputs of the circuit are its latches, in their order;
/// latches that the design has beside these matter to no set.
#[derive(Clone, Debug)]
pub struct StateSets {
    pub circuit: Design,
    /// Which states are in each set.
    pub sets: Vec<Literal>,
    /// An order in which decision diagrams of the sets and of steps are said to be small. A
    /// wrong one makes a check slower and nothing else.
    pub order: Vec<Leaf>,
}

/// A latch or an input of a design, by its index among these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    Latch(usize),
    Input(usize),
}

impl Leaf {
    /// `None` if the design has fewer.
    pub(super) fn node(self, design: &Design) -> Option<NodeId> {
        match self {
            Leaf::Latch(index) => design.latches().get(index).copied(),
            Leaf::Input(index) => design.inputs().get(index).copied(),
        }
    }

    /// All of a design.
    pub(super) fn all(design: &Design) -> HashMap<NodeId, Leaf> {
        let latches = design.latches().iter().enumerate();
        let latches = latches.map(|(index, id)| (*id, Leaf::Latch(index)));
        let inputs = design.inputs().iter().enumerate();
        let inputs = inputs.map(|(index, id)| (*id, Leaf::Input(index)));
        latches.chain(inputs).collect()
    }
}

impl StateSets {
    /// Sets of states of a design that come as diagrams. `order` has the latches and inputs
    /// that have a variable, from the top down, and `inputs` those that the design will have.
    pub fn of_diagrams(
        design: &Design,
        inputs: &[NodeId],
        order: &[(NodeId, Variable)],
        sets: &[Bdd],
    ) -> StateSets {
        let mut circuit = Design::new();
        let variables: HashMap<NodeId, Variable> = order.iter().copied().collect();
        let mut signals: HashMap<Variable, Literal> = HashMap::new();
        let mut leaves: HashMap<NodeId, Leaf> = HashMap::new();
        for (index, id) in design.latches().iter().enumerate() {
            let input = circuit.add_input(InputKind::Environment).literal();
            leaves.insert(*id, Leaf::Latch(index));
            if let Some(variable) = variables.get(id) {
                signals.insert(*variable, input);
            }
        }
        let inputs = inputs.iter().enumerate();
        leaves.extend(inputs.map(|(index, id)| (*id, Leaf::Input(index))));
        let mut gates = Gates::new(&signals);
        let sets = sets.iter().map(|set| gates.build(&mut circuit, set));
        let sets = sets.collect();
        let order = order.iter().filter_map(|(id, _)| leaves.get(id).copied());
        StateSets {
            circuit,
            sets,
            order: order.collect(),
        }
    }

    /// Adds gates for the sets to a design, with some literals in the place of latches.
    pub(super) fn add_to(&self, design: &mut Design, latches: &[Literal]) -> Vec<Literal> {
        let circuit = &self.circuit;
        let mut values = vec![Literal::FALSE; circuit.len()];
        for (id, latch) in circuit.inputs().iter().zip(latches) {
            values[id.index()] = *latch;
        }
        let of = |values: &[Literal], literal: Literal| {
            values[literal.node().index()].complement_if(literal.is_complemented())
        };
        // Sets are made gate by gate, so that there is an order.
        for id in circuit.topological_order().unwrap_or_default() {
            if let Node::And(left, right) = circuit.node(id) {
                values[id.index()] = design.and(of(&values, left), of(&values, right));
            }
        }
        self.sets.iter().map(|set| of(&values, *set)).collect()
    }

    /// Adds the gates of a set over the latches of a design to a check about it.
    pub(super) fn literal(&self, set: Literal, design: &Design, check: &mut Check) -> sat::Literal {
        let latches = design.latches().iter();
        let latches = latches.map(|id| check.literal(id.literal())).collect();
        Copy::new(latches, self).literal(self, set, check)
    }

    /// Whether each input of the circuit stands for a latch.
    pub(super) fn is_about(&self, design: &Design) -> bool {
        let is_combinational = self.circuit.latches().is_empty();
        is_combinational && self.circuit.inputs().len() <= design.latches().len()
    }

    /// The order in terms of a design that the sets are about.
    pub(super) fn order_in(&self, design: &Design) -> Vec<NodeId> {
        let nodes = self.order.iter().map(|leaf| leaf.node(design));
        nodes.flatten().collect()
    }
}

/// Work for the solver at first, for decision diagrams, and for the solver again: a tenth of a
/// second, some three seconds, one or two. The model checker may do better than with more.
const FIRST_EFFORT: u64 = 1_000_000;
const DIAGRAM_EFFORT: u64 = 30_000_000;
const SOLVER_EFFORT: u64 = 30_000_000;

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
    by_either(
        product,
        bad,
        limits,
        |equal, work| stays_by_solver(product, bad, claim, equal, work, limits),
        |equal, work| claim_diagrams::stays_within(product, bad, claim, equal, work, limits),
    )
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
    by_either(
        product,
        &[kept, goal],
        limits,
        |equal, work| comes_by_solver(product, kept, goal, claim, equal, work, limits),
        |equal, work| claim_diagrams::comes_to(product, kept, goal, claim, equal, work, limits),
    )
}

/// Asks a solver and decision diagrams in turns, until one confirms. Both are told which latches
/// are equal, once that has been checked, and how much they may do.
fn by_either(
    product: &Product,
    roots: &[Literal],
    limits: &Limits,
    by_solver: impl Fn(&Invariant, u64) -> Result<bool>,
    by_diagrams: impl Fn(&Invariant, u64) -> Result<bool>,
) -> Result<Claimed> {
    let mut equal = Invariant::default();
    let known = judged(limits, || {
        equal = equal_latches(product, roots, limits)?;
        invariant::is_inductive(product, &equal, limits)
    })?;
    if known == Claimed::NotConfirmed {
        return Ok(known);
    }
    // What is easy for the solver it confirms at once; diagrams come next, because the sets
    // come from diagrams.
    let turns: [&dyn Fn() -> Result<bool>; 3] = [
        &|| by_solver(&equal, FIRST_EFFORT),
        &|| by_diagrams(&equal, DIAGRAM_EFFORT),
        &|| by_solver(&equal, SOLVER_EFFORT),
    ];
    for turn in turns {
        if judged(limits, turn)? == Claimed::Confirmed {
            return Ok(Claimed::Confirmed);
        }
    }
    Ok(Claimed::NotConfirmed)
}

pub(super) fn stays_by_solver(
    product: &Product,
    bad: &[Literal],
    claim: &StateSets,
    equal: &Invariant,
    work: u64,
    limits: &Limits,
) -> Result<bool> {
    let &[set] = claim.sets.as_slice() else {
        return Ok(false);
    };
    let Some(mut step) = Step::new(product, bad, claim, equal, work, limits) else {
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
}

fn comes_by_solver(
    product: &Product,
    kept: Literal,
    goal: Literal,
    claim: &StateSets,
    equal: &Invariant,
    work: u64,
    limits: &Limits,
) -> Result<bool> {
    let Some(&outermost) = claim.sets.last() else {
        return Ok(false);
    };
    let Some(mut step) = Step::new(product, &[kept, goal], claim, equal, work, limits) else {
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
pub(super) struct Step<'a> {
    pub check: Check<'a>,
    before: Copy,
    after: Copy,
}

/// The circuit of a claim, over some values of latches.
struct Copy {
    known: Vec<Option<sat::Literal>>,
}

impl<'a> Step<'a> {
    /// `None` if the claim is not about the product.
    pub fn new(
        product: &Product,
        roots: &[Literal],
        claim: &StateSets,
        equal: &Invariant,
        work: u64,
        limits: &'a Limits,
    ) -> Option<Step<'a>> {
        let design = &product.design;
        if !claim.is_about(design) {
            return None;
        }
        // A latch that no set depends on may have any next value.
        let sets = claim.sets.iter().copied();
        let cone = claim.circuit.cone(sets, Reach::Cycle);
        let latches = || design.latches().iter().zip(claim.circuit.inputs());
        let next = |(id, input): (&NodeId, &NodeId)| match design.latch(*id) {
            Some(latch) if cone.contains(*input) => latch.next,
            _ => Literal::FALSE,
        };
        let all = roots.iter().copied().chain(latches().map(next));
        let check = Check::within(product, equal, all, limits);
        check.allow(work);
        let now = latches().map(|(id, _)| check.literal(id.literal()));
        let now = now.collect();
        let then = latches().map(|latch| check.literal(next(latch))).collect();
        Some(Step {
            check,
            before: Copy::new(now, claim),
            after: Copy::new(then, claim),
        })
    }

    pub fn now(&mut self, claim: &StateSets, set: Literal) -> sat::Literal {
        self.before.literal(claim, set, &mut self.check)
    }

    pub fn next(&mut self, claim: &StateSets, set: Literal) -> sat::Literal {
        self.after.literal(claim, set, &mut self.check)
    }

    pub fn is_impossible(&mut self, literals: &[sat::Literal]) -> Result<bool> {
        Ok(!self.check.can_hold(literals)?)
    }

    /// Whether all initial states are in a set.
    pub fn holds_at_first(
        &self,
        product: &Product,
        claim: &StateSets,
        set: Literal,
        limits: &Limits,
    ) -> Result<bool> {
        let design = &product.design;
        let mut check = Check::of_initial_states(design, std::iter::empty(), limits);
        let inside = claim.literal(set, design, &mut check);
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
            let value = match claim.circuit.node(id) {
                Node::And(left, right) => {
                    let choice = choice(&claim.circuit, left, right);
                    let operands = choice.unwrap_or([left, right, right]);
                    let [Some(first), Some(second), Some(third)] =
                        operands.map(|operand| self.value(operand))
                    else {
                        let missing = operands.into_iter().map(Literal::node);
                        pending.extend(missing.filter(|id| self.known[id.index()].is_none()));
                        continue;
                    };
                    match choice {
                        Some(_) => add_choice(&mut check.solver, first, second, third),
                        None => add_and(&mut check.solver, first, second),
                    }
                }
                // Inputs are known, and there are no latches.
                Node::Constant | Node::Input(_) | Node::Latch(_) => {
                    check.literal(NodeId::CONSTANT.literal())
                }
            };
            self.known[id.index()] = Some(value);
        }
        let value = self.value(root);
        value.unwrap_or_else(|| check.literal(NodeId::CONSTANT.literal()))
    }

    fn value(&self, literal: Literal) -> Option<sat::Literal> {
        let known = self.known[literal.node().index()];
        known.map(|known| known.negate_if(literal.is_complemented()))
    }
}

/// Sets come from decision diagrams, so most of their gates are choices, three for each: a gate
/// with these operands as a condition and the values with it and without it.
pub(super) fn choice(circuit: &Design, left: Literal, right: Literal) -> Option<[Literal; 3]> {
    let inner = |literal: Literal| match circuit.node(literal.node()) {
        Node::And(first, second) if literal.is_complemented() => Some([first, second]),
        _ => None,
    };
    let ([first, second], right) = (inner(left)?, inner(right)?);
    for (condition, then) in [(first, second), (second, first)] {
        if let Some(place) = right.iter().position(|literal| *literal == !condition) {
            return Some([condition, !then, !right[1 - place]]);
        }
    }
    None
}

fn add_and(solver: &mut impl Solver, left: sat::Literal, right: sat::Literal) -> sat::Literal {
    let gate = solver.new_variable();
    solver.add_clause(&[!gate, left]);
    solver.add_clause(&[!gate, right]);
    solver.add_clause(&[gate, !left, !right]);
    gate
}

/// The last two clauses say what follows before the condition is known.
fn add_choice(
    solver: &mut impl Solver,
    condition: sat::Literal,
    then: sat::Literal,
    otherwise: sat::Literal,
) -> sat::Literal {
    let gate = solver.new_variable();
    solver.add_clause(&[!condition, !then, gate]);
    solver.add_clause(&[!condition, then, !gate]);
    solver.add_clause(&[condition, !otherwise, gate]);
    solver.add_clause(&[condition, otherwise, !gate]);
    solver.add_clause(&[!then, !otherwise, gate]);
    solver.add_clause(&[then, otherwise, !gate]);
    gate
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
            depth: 0,
        }),
        Err(_) => {
            limits.check()?;
            Err(Error::Effort)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::random_product::random_product;
    use super::*;
    use crate::design::{InputKind, Reset};
    use crate::random::Random;

    const WORK: u64 = 1_000_000;

    /// A counter of two bits that an input lets count up to 2 and no further.
    fn product() -> (Product, [Literal; 2]) {
        let mut design = Design::new();
        let up = design.add_input(InputKind::Environment).literal();
        let low = design.add_latch(Reset::Zero);
        let high = design.add_latch(Reset::Zero);
        let (l, h) = (low.literal(), high.literal());
        let counts = design.and(up, !h);
        let next_low = design.xor(l, counts);
        let carry = design.and(l, counts);
        let next_high = design.xor(h, carry);
        design.set_next(low, next_low);
        design.set_next(high, next_high);
        let product = Product {
            design,
            constraint: Literal::TRUE,
            fairness: Vec::new(),
        };
        (product, [l, h])
    }

    /// Sets of states, from the values of the two bits as a number.
    fn sets(members: &[&[u32]]) -> StateSets {
        let mut circuit = Design::new();
        let bits = [0, 1].map(|_| circuit.add_input(InputKind::Environment).literal());
        let sets = members.iter().map(|numbers| {
            let numbers: Vec<Literal> = numbers
                .iter()
                .map(|number| {
                    let bit = |index: usize| bits[index].complement_if(number >> index & 1 == 0);
                    circuit.and(bit(0), bit(1))
                })
                .collect();
            circuit.or_all(numbers)
        });
        let sets = sets.collect();
        // Not the order in which latches were made.
        let order = vec![Leaf::Latch(1), Leaf::Input(0), Leaf::Latch(0)];
        StateSets {
            circuit,
            sets,
            order,
        }
    }

    fn stays(members: &[u32]) -> bool {
        let (mut product, [low, high]) = product();
        let three = product.design.and(low, high);
        let claim = sets(&[members]);
        let limits = Limits::default();
        let equal = Invariant::default();
        let bad = [three];
        let by_solver = stays_by_solver(&product, &bad, &claim, &equal, WORK, &limits).unwrap();
        let by_diagrams =
            claim_diagrams::stays_within(&product, &bad, &claim, &equal, WORK, &limits).unwrap();
        assert_eq!(by_solver, by_diagrams, "{members:?}");
        let claimed = stays_within(&product, &bad, &claim, &limits).unwrap();
        assert_eq!(claimed == Claimed::Confirmed, by_diagrams, "{members:?}");
        by_diagrams
    }

    #[test]
    fn a_set_that_runs_stay_in_is_confirmed() {
        assert!(stays(&[0, 1, 2]));
    }

    #[test]
    fn sets_that_runs_leave_or_do_not_start_in_or_with_bad_steps_are_refused() {
        assert!(!stays(&[0, 1]), "left");
        assert!(!stays(&[1, 2]), "does not start");
        assert!(!stays(&[0, 1, 2, 3]), "has bad steps");
        assert!(!stays(&[]), "empty");
    }

    /// Sets of states of random products, many of which runs leave: both judges agree.
    #[test]
    fn both_judges_agree_on_random_sets() {
        let (mut confirmed, mut refused) = (0, 0);
        for seed in 0..500 {
            let mut random = Random::new(seed);
            let (product, bad) = random_product(&mut random);
            let mut circuit = Design::new();
            let latches = product.design.latches().len();
            let bits: Vec<Literal> = (0..latches)
                .map(|_| circuit.add_input(InputKind::Environment).literal())
                .collect();
            let clauses: Vec<Literal> = (0..1 + random.below(3))
                .map(|_| {
                    let mut bit = || random.pick(&bits).complement_if(random.flip());
                    let clause = [bit(), bit(), bit()];
                    circuit.or_all(clause)
                })
                .collect();
            let set = circuit.and_all(clauses);
            let claim = StateSets {
                circuit,
                sets: vec![set],
                order: Vec::new(),
            };
            let (limits, equal) = (Limits::default(), Invariant::default());
            let bad = if random.flip() { vec![bad] } else { Vec::new() };
            let by_solver = stays_by_solver(&product, &bad, &claim, &equal, WORK, &limits);
            let by_diagrams =
                claim_diagrams::stays_within(&product, &bad, &claim, &equal, WORK, &limits);
            assert_eq!(by_solver, by_diagrams, "seed {seed}");
            match by_diagrams {
                Ok(true) => confirmed += 1,
                _ => refused += 1,
            }
        }
        assert!(confirmed > 20 && refused > 20, "{confirmed}, {refused}");
    }

    /// Whether each run comes to 2, if the counter always counts or need not.
    fn comes(always: bool, rings: &[&[u32]]) -> bool {
        let (mut product, [low, high]) = product();
        if always {
            let input = product.design.inputs()[0];
            product.design.drive(input, Literal::TRUE, usize::MAX);
        }
        let two = product.design.and(!low, high);
        let limits = Limits::default();
        let kept = Literal::TRUE;
        let (claim, equal) = (sets(rings), Invariant::default());
        let by_solver =
            comes_by_solver(&product, kept, two, &claim, &equal, WORK, &limits).unwrap();
        let by_diagrams =
            claim_diagrams::comes_to(&product, kept, two, &claim, &equal, WORK, &limits).unwrap();
        assert_eq!(by_solver, by_diagrams, "{rings:?}");
        let claimed = comes_to(&product, kept, two, &claim, &limits).unwrap();
        assert_eq!(claimed == Claimed::Confirmed, by_diagrams, "{rings:?}");
        by_diagrams
    }

    #[test]
    fn a_ranking_is_confirmed() {
        assert!(comes(true, &[&[2], &[1, 2], &[0, 1, 2]]));
    }

    #[test]
    fn wrong_rankings_are_refused() {
        let right: [&[u32]; 3] = [&[2], &[1, 2], &[0, 1, 2]];
        assert!(!comes(false, &right), "the input need not be 1");
        assert!(!comes(true, &right[..2]), "the initial state has no rank");
        assert!(
            !comes(true, &right[1..]),
            "the innermost ring is not there yet"
        );
        assert!(!comes(true, &[&[2], &[0, 1, 2]]), "a step is too short");
        assert!(!comes(true, &[]), "no ring");
        assert!(
            !comes(true, &[&[1], &[0]]),
            "a state beyond the outermost ring"
        );
    }
}
