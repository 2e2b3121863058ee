//! Whether a claimed invariant is one, and keeps a product away from bad steps.
//!
//! Three kinds of questions to a solver that has seen nothing of how the invariant was found:
//! its clauses hold in the initial states; a step from any state in which they hold leads to
//! one in which they hold; in no such state is a bad step possible. Gates become clauses here
//! once more, straight from the product, which was neither simplified nor renumbered. Where two
//! clauses say that latches are equal, a step that begins where they hold reads one latch for
//! both, and gates with the same operands or a constant one get no variable: most of what
//! follows from equal latches is then equal by itself.

use super::induction;
use super::tableau::Product;
use crate::bdd::{Error, Limits, Result};
use crate::design::{Design, Literal, Node, NodeId, Reach, Reset};
use crate::prove::Invariant;
use crate::sat::{self, Answer, DefaultSolver, Meter, Solver};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Whether the clauses hold in all states of runs of a product, because they hold in the
/// initial ones and each step keeps them.
pub(super) fn is_inductive(
    product: &Product,
    invariant: &Invariant,
    limits: &Limits,
) -> Result<bool> {
    let design = &product.design;
    let is_latch = |literal: &Literal| design.latch(literal.node()).is_some();
    let clauses = &invariant.clauses;
    if !clauses.iter().flatten().all(is_latch) {
        return Ok(false);
    }
    Ok(starts(design, invariant, limits)? && continues(product, invariant, limits)?)
}

/// Whether no run comes to a step in which `bad` holds, if the clauses hold in all its states:
/// no such step begins in a state in which they hold, or none follows as many good steps as the
/// claim says.
pub(super) fn excludes(
    product: &Product,
    invariant: &Invariant,
    bad: Literal,
    limits: &Limits,
) -> Result<bool> {
    if invariant.depth > 0 {
        return induction::excludes(product, invariant, bad, limits);
    }
    let mut check = Check::within(product, invariant, [bad].into_iter(), limits);
    Ok(!check.can_fail(&[!bad])?)
}

/// Whether the clauses hold in all initial states.
fn starts(design: &Design, invariant: &Invariant, limits: &Limits) -> Result<bool> {
    let literals = invariant.clauses.iter().flatten().copied();
    let mut check = Check::of_initial_states(design, literals, limits);
    for clause in &invariant.clauses {
        if check.can_fail(clause)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether steps that keep the constraint lead from the invariant to itself.
fn continues(product: &Product, invariant: &Invariant, limits: &Limits) -> Result<bool> {
    let design = &product.design;
    let next = |literal: &Literal| {
        let latch = design.latch(literal.node());
        let next = latch.map_or(Literal::FALSE, |latch| latch.next);
        next.complement_if(literal.is_complemented())
    };
    let literals = invariant.clauses.iter().flatten();
    let mut check = Check::within(product, invariant, literals.map(next), limits);
    for clause in &invariant.clauses {
        let clause: Vec<Literal> = clause.iter().map(next).collect();
        if check.can_fail(&clause)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Latches that clauses with two literals make equal to others, and what they are equal to: a
/// latch that is equal to none, and not one of these.
pub(super) fn equal_latches(clauses: &[Vec<Literal>]) -> HashMap<NodeId, Literal> {
    let pairs = clauses.iter().filter_map(|clause| match clause.as_slice() {
        [one, other] if one.node() < other.node() => Some((*one, *other)),
        [one, other] => Some((*other, *one)),
        _ => None,
    });
    let pairs: HashSet<(Literal, Literal)> = pairs.collect();
    let mut sorted: Vec<(Literal, Literal)> = pairs.iter().copied().collect();
    sorted.sort_unstable_by_key(|(one, other)| (other.node(), one.node()));
    let mut equal: HashMap<NodeId, Literal> = HashMap::new();
    for (one, other) in sorted {
        // That one of them holds, and that not both do.
        let is_equal = pairs.contains(&(!one, !other)) && one.node() != other.node();
        if is_equal && !equal.contains_key(&other.node()) {
            let same = equal.get(&one.node()).copied();
            let same = same.unwrap_or(one.node().literal());
            let is_complemented = one.is_complemented() == other.is_complemented();
            equal.insert(other.node(), same.complement_if(is_complemented));
        }
    }
    equal
}

/// Conjunctions that need no variable of their own, since they are constant or have one.
pub(super) struct Conjunctions {
    /// Never holds.
    constant: sat::Literal,
    known: HashMap<[sat::Literal; 2], sat::Literal>,
}

impl Conjunctions {
    pub fn new(constant: sat::Literal) -> Conjunctions {
        Conjunctions {
            constant,
            known: HashMap::new(),
        }
    }

    /// What equals the conjunction of two literals, if something is known to.
    pub fn get(&self, left: sat::Literal, right: sat::Literal) -> Option<sat::Literal> {
        let constant = self.constant;
        match (left, right) {
            _ if left == constant || right == constant || left == !right => Some(constant),
            _ if left == !constant || left == right => Some(right),
            _ if right == !constant => Some(left),
            _ => self.known.get(&[left.min(right), left.max(right)]).copied(),
        }
    }

    /// Makes a variable equal to the conjunction of two literals.
    pub fn add(
        &mut self,
        gate: sat::Literal,
        left: sat::Literal,
        right: sat::Literal,
        solver: &mut impl Solver,
    ) {
        self.known.insert([left.min(right), left.max(right)], gate);
        solver.add_clause(&[!gate, left]);
        solver.add_clause(&[!gate, right]);
        solver.add_clause(&[gate, !left, !right]);
    }
}

/// One step of a design as clauses.
pub(super) struct Check<'a> {
    pub solver: DefaultSolver,
    meter: Rc<Meter>,
    /// A variable for each node.
    variables: Vec<sat::Literal>,
    limits: &'a Limits,
}

impl<'a> Check<'a> {
    /// With the gates that some literals depend on in one step.
    pub fn new(
        design: &Design,
        roots: impl Iterator<Item = Literal>,
        limits: &'a Limits,
    ) -> Check<'a> {
        Check::with_leaves(design, roots, &HashMap::new(), limits)
    }

    /// The same with other leaves read in the place of some.
    fn with_leaves(
        design: &Design,
        roots: impl Iterator<Item = Literal>,
        leaves: &HashMap<NodeId, Literal>,
        limits: &'a Limits,
    ) -> Check<'a> {
        let stop = limits.clone();
        let meter = Meter::new(move || stop.check().is_err());
        let mut solver = DefaultSolver::new(meter.clone());
        let nodes = 0..design.len();
        let variables: Vec<sat::Literal> = nodes.map(|_| solver.new_variable()).collect();
        let mut check = Check {
            solver,
            meter,
            variables,
            limits,
        };
        let constant = check.literal(NodeId::CONSTANT.literal());
        check.solver.add_clause(&[!constant]);
        for (leaf, other) in leaves {
            check.variables[leaf.index()] = check.literal(*other);
        }
        let cone = design.cone(roots, Reach::Cycle);
        // A design that was read has no loops; in one that has, no gate is the same as another.
        let order = design.topological_order();
        let is_ordered = order.is_ok();
        let order = order.unwrap_or_else(|_| cone.iter().collect());
        let mut known = Conjunctions::new(constant);
        for id in order.into_iter().filter(|id| cone.contains(*id)) {
            if let Node::And(left, right) = design.node(id) {
                let gate = check.literal(id.literal());
                let (left, right) = (check.literal(left), check.literal(right));
                match known.get(left, right).filter(|_| is_ordered) {
                    Some(same) => check.variables[id.index()] = same,
                    None => known.add(gate, left, right, &mut check.solver),
                }
            }
        }
        check
    }

    /// With the gates that some literals depend on, in initial states.
    pub fn of_initial_states(
        design: &Design,
        roots: impl Iterator<Item = Literal>,
        limits: &'a Limits,
    ) -> Check<'a> {
        let resets = design.latches().iter().filter_map(|id| {
            let reset = design.latch(*id)?.reset;
            match reset {
                Reset::Computed(literal) => Some(literal),
                Reset::Zero | Reset::One | Reset::Free | Reset::Choice => None,
            }
        });
        let mut check = Check::new(design, roots.chain(resets), limits);
        for id in design.latches() {
            let Some(latch) = design.latch(*id) else {
                continue;
            };
            let own = check.literal(id.literal());
            match latch.reset {
                Reset::Zero => check.solver.add_clause(&[!own]),
                Reset::One => check.solver.add_clause(&[own]),
                Reset::Free | Reset::Choice => {}
                Reset::Computed(literal) => {
                    let value = check.literal(literal);
                    check.solver.add_clause(&[own, !value]);
                    check.solver.add_clause(&[!own, value]);
                }
            }
        }
        check
    }

    /// Lets all questions from now on take so much work together.
    pub fn allow(&self, work: u64) {
        self.meter.allow(self.meter.used().saturating_add(work));
    }

    /// With the gates that some literals depend on, in steps that keep the constraint and
    /// begin where the clauses hold.
    pub fn within(
        product: &Product,
        invariant: &Invariant,
        roots: impl Iterator<Item = Literal>,
        limits: &'a Limits,
    ) -> Check<'a> {
        let literals = invariant.clauses.iter().flatten().copied();
        let roots = roots.chain(literals).chain([product.constraint]);
        let leaves = equal_latches(&invariant.clauses);
        let mut check = Check::with_leaves(&product.design, roots, &leaves, limits);
        check.require(&[product.constraint]);
        for clause in &invariant.clauses {
            check.require(clause);
        }
        check
    }

    pub fn literal(&self, literal: Literal) -> sat::Literal {
        self.variables[literal.node().index()].negate_if(literal.is_complemented())
    }

    /// A clause holds from now on.
    pub fn require(&mut self, clause: &[Literal]) {
        let clause = clause.iter().map(|literal| self.literal(*literal));
        let clause: Vec<sat::Literal> = clause.collect();
        self.solver.add_clause(&clause);
    }

    /// A clause holds if another literal does.
    pub fn require_if(&mut self, condition: sat::Literal, clause: &[Literal]) {
        let clause = clause.iter().map(|literal| self.literal(*literal));
        let clause: Vec<sat::Literal> = clause.chain([!condition]).collect();
        self.solver.add_clause(&clause);
    }

    /// Whether all literals of a clause can be false.
    pub fn can_fail(&mut self, clause: &[Literal]) -> Result<bool> {
        let negated = clause.iter().map(|literal| !self.literal(*literal));
        let negated: Vec<sat::Literal> = negated.collect();
        self.can_hold(&negated)
    }

    /// The same if another literal holds.
    pub fn can_fail_if(&mut self, condition: sat::Literal, clause: &[Literal]) -> Result<bool> {
        let negated = clause.iter().map(|literal| !self.literal(*literal));
        let assumed: Vec<sat::Literal> = [condition].into_iter().chain(negated).collect();
        self.can_hold(&assumed)
    }

    /// Whether all these literals can hold together.
    pub fn can_hold(&mut self, literals: &[sat::Literal]) -> Result<bool> {
        if literals.iter().any(|one| literals.contains(&!*one)) {
            return Ok(false);
        }
        match self.solver.solve(literals) {
            Answer::Satisfiable => Ok(true),
            Answer::Unsatisfiable => Ok(false),
            Answer::Stopped => {
                self.limits.check()?;
                Err(Error::Effort)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::InputKind;

    /// Two latches that follow each other round; both start at 0, the input sets the first if
    /// the second is 0. Never both: `bad`.
    fn product() -> (Product, Literal, [Literal; 2]) {
        let mut design = Design::new();
        let input = design.add_input(InputKind::Environment).literal();
        let [first, second] = [Reset::Zero, Reset::Zero].map(|reset| design.add_latch(reset));
        let set = design.and(input, !second.literal());
        let set = design.and(set, !first.literal());
        design.set_next(first, set);
        design.set_next(second, first.literal());
        let both = design.and(first.literal(), second.literal());
        let product = Product {
            design,
            constraint: Literal::TRUE,
            fairness: Vec::new(),
        };
        (product, both, [first.literal(), second.literal()])
    }

    fn check(clauses: impl Fn([Literal; 2]) -> Vec<Vec<Literal>>) -> bool {
        let (product, bad, latches) = product();
        let invariant = Invariant {
            clauses: clauses(latches),
            depth: 0,
        };
        let limits = Limits::default();
        is_inductive(&product, &invariant, &limits).unwrap()
            && excludes(&product, &invariant, bad, &limits).unwrap()
    }

    #[test]
    fn an_invariant_is_accepted() {
        assert!(check(|[first, second]| vec![vec![!first, !second]]));
    }

    #[test]
    fn clauses_that_do_not_hold_at_first_are_refused() {
        assert!(!check(|[first, second]| vec![
            vec![first, second],
            vec![!first, !second]
        ]));
    }

    #[test]
    fn clauses_that_a_step_breaks_are_refused() {
        assert!(!check(|[first, _]| vec![vec![!first]]));
    }

    #[test]
    fn clauses_that_allow_a_bad_step_are_refused() {
        assert!(!check(|_| Vec::new()));
    }

    #[test]
    fn clauses_about_other_nodes_are_refused() {
        assert!(!check(|[first, second]| {
            let input = NodeId::from_index(1).literal();
            vec![vec![!first, !second], vec![input, !input]]
        }));
    }

    /// Claims that latches are equal or opposite, about random circuits of a few latches, are
    /// judged as all states and inputs tell.
    #[test]
    fn claims_of_equal_latches_are_judged_as_all_steps_tell() {
        const LATCHES: usize = 4;
        let mut accepted = 0;
        for seed in 0..2_000 {
            let mut random = crate::random::Random::new(seed);
            let mut design = Design::new();
            let input = design.add_input(InputKind::Environment);
            let resets = [Reset::Zero, Reset::One];
            let latches: Vec<NodeId> = (0..LATCHES)
                .map(|_| design.add_latch(*random.pick(&resets)))
                .collect();
            let mut literals = vec![input.literal()];
            literals.extend(latches.iter().map(|latch| latch.literal()));
            for _ in 0..3 {
                let mut pick = || random.pick(&literals).complement_if(random.below(4) == 0);
                let (left, right) = (pick(), pick());
                literals.push(design.and(left, right));
            }
            for latch in &latches {
                let next = random.pick(&literals).complement_if(random.below(4) == 0);
                design.set_next(*latch, next);
            }
            let mut clauses = Vec::new();
            for _ in 0..1 + random.below(2) {
                let mut pick = || random.pick(&latches).literal().complement_if(random.flip());
                let (one, other) = (pick(), pick());
                clauses.extend([vec![one, other], vec![!one, !other]]);
            }
            let expected = holds_always(&design, &latches, &clauses);
            let product = Product {
                design,
                constraint: Literal::TRUE,
                fairness: Vec::new(),
            };
            let claim = Invariant { clauses, depth: 0 };
            let found = is_inductive(&product, &claim, &Limits::default());
            assert_eq!(found.unwrap(), expected, "seed {seed}");
            accepted += usize::from(expected);
        }
        assert!((100..1_900).contains(&accepted), "{accepted} were accepted");
    }

    /// The same by looking at the initial state, and at each step from each state.
    fn holds_always(design: &Design, latches: &[NodeId], clauses: &[Vec<Literal>]) -> bool {
        let mut simulator = crate::design::Simulator::new(design).unwrap();
        let holds = |simulator: &crate::design::Simulator| {
            let value = |literal: &Literal| simulator.value(*literal) & 1 == 1;
            clauses.iter().all(|clause| clause.iter().any(value))
        };
        simulator.start(|_| 0);
        if !holds(&simulator) {
            return false;
        }
        (0..2usize << latches.len()).all(|step| {
            simulator.resume(|id| {
                let index = latches.iter().position(|latch| *latch == id).unwrap();
                (step >> index & 1) as u64
            });
            let begins = holds(&simulator);
            simulator.settle(|_| (step >> latches.len()) as u64);
            simulator.advance();
            !begins || holds(&simulator)
        })
    }
}
