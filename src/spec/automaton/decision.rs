//! Ordered decision diagrams over atoms with numbers as leaves: which successor a letter
//! leads to. Reduced and shared, so equal functions have equal ids, which is what makes
//! states comparable. They are small and live for one translation; the kernel in `bdd` is
//! for games.

use super::TooBig;
use crate::spec::formula::{AtomId, FALSE, FormulaId, Formulas, TRUE};
use crate::stack;
use std::collections::{HashMap, HashSet};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DecisionId(u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Decision {
    Leaf(u32),
    Branch {
        atom: AtomId,
        high: DecisionId,
        low: DecisionId,
    },
}

/// Children come before their parents.
#[derive(Clone, Debug)]
pub struct Decisions {
    nodes: Vec<Decision>,
    ids: HashMap<Decision, DecisionId>,
    limit: usize,
}

/// What is known of an operation before its leaves are reached.
#[derive(Clone, Copy, Debug, Default)]
pub struct Laws {
    /// Leaves the other operand as it is.
    pub neutral: Option<u32>,
    /// Is the result, whatever the other operand.
    pub absorbing: Option<u32>,
}

/// What was computed for pairs of diagrams.
type Cache = HashMap<(DecisionId, DecisionId), DecisionId>;

/// The leaf for a pair of leaves.
type Operation<'a> = dyn FnMut(u32, u32) -> Result<u32, TooBig> + 'a;

impl Decisions {
    pub fn new(limit: usize) -> Decisions {
        Decisions {
            nodes: Vec::new(),
            ids: HashMap::new(),
            limit,
        }
    }

    pub fn get(&self, id: DecisionId) -> Decision {
        self.nodes[id.0 as usize]
    }

    pub fn leaf(&mut self, value: u32) -> Result<DecisionId, TooBig> {
        self.intern(Decision::Leaf(value))
    }

    pub fn branch(
        &mut self,
        atom: AtomId,
        high: DecisionId,
        low: DecisionId,
    ) -> Result<DecisionId, TooBig> {
        if high == low {
            return Ok(high);
        }
        self.intern(Decision::Branch { atom, high, low })
    }

    fn intern(&mut self, decision: Decision) -> Result<DecisionId, TooBig> {
        if let Some(id) = self.ids.get(&decision) {
            return Ok(*id);
        }
        if self.nodes.len() >= self.limit {
            return Err(TooBig);
        }
        let id = DecisionId(self.nodes.len() as u32);
        self.nodes.push(decision);
        self.ids.insert(decision, id);
        Ok(id)
    }

    /// Applies an operation to the leaves of two diagrams.
    pub fn combine(
        &mut self,
        left: DecisionId,
        right: DecisionId,
        laws: Laws,
        operation: &mut Operation<'_>,
    ) -> Result<DecisionId, TooBig> {
        let mut cache = Cache::new();
        self.combine_cached(left, right, laws, operation, &mut cache)
    }

    fn shortcut(&self, left: DecisionId, right: DecisionId, laws: Laws) -> Option<DecisionId> {
        for (one, other) in [(left, right), (right, left)] {
            if let Decision::Leaf(value) = self.get(one) {
                if laws.absorbing == Some(value) {
                    return Some(one);
                }
                if laws.neutral == Some(value) {
                    return Some(other);
                }
            }
        }
        None
    }

    fn combine_cached(
        &mut self,
        left: DecisionId,
        right: DecisionId,
        laws: Laws,
        operation: &mut Operation<'_>,
        cache: &mut Cache,
    ) -> Result<DecisionId, TooBig> {
        if let Some(result) = self.shortcut(left, right, laws) {
            return Ok(result);
        }
        if let Some(result) = cache.get(&(left, right)) {
            return Ok(*result);
        }
        let atom = match (self.get(left), self.get(right)) {
            (Decision::Leaf(left), Decision::Leaf(right)) => {
                let value = operation(left, right)?;
                return self.leaf(value);
            }
            (Decision::Branch { atom, .. }, Decision::Leaf(_))
            | (Decision::Leaf(_), Decision::Branch { atom, .. }) => atom,
            (Decision::Branch { atom: first, .. }, Decision::Branch { atom: second, .. }) => {
                first.min(second)
            }
        };
        let (left_high, left_low) = self.cofactors(left, atom);
        let (right_high, right_low) = self.cofactors(right, atom);
        // As deep as there are atoms, of which a generated property may have thousands.
        let (high, low) = stack::recurse(|| {
            let high = self.combine_cached(left_high, right_high, laws, operation, cache)?;
            let low = self.combine_cached(left_low, right_low, laws, operation, cache)?;
            Ok((high, low))
        })?;
        let result = self.branch(atom, high, low)?;
        cache.insert((left, right), result);
        Ok(result)
    }

    fn cofactors(&self, id: DecisionId, atom: AtomId) -> (DecisionId, DecisionId) {
        match self.get(id) {
            Decision::Branch {
                atom: own,
                high,
                low,
            } if own == atom => (high, low),
            _ => (id, id),
        }
    }

    /// A diagram whose leaves are indices of pairs of leaves of two diagrams, and these pairs.
    pub fn pairs(
        &mut self,
        left: DecisionId,
        right: DecisionId,
    ) -> Result<(DecisionId, Vec<(u32, u32)>), TooBig> {
        let mut indices: HashMap<(u32, u32), u32> = HashMap::new();
        let mut order = Vec::new();
        let joint = self.combine(left, right, Laws::default(), &mut |first, second| {
            let next = order.len() as u32;
            let index = *indices.entry((first, second)).or_insert(next);
            if index == next {
                order.push((first, second));
            }
            Ok(index)
        })?;
        Ok((joint, order))
    }

    /// Replaces the leaves of a diagram.
    pub fn map(
        &mut self,
        root: DecisionId,
        mut leaf: impl FnMut(u32) -> u32,
    ) -> Result<DecisionId, TooBig> {
        let mut results: HashMap<DecisionId, DecisionId> = HashMap::new();
        for id in self.reachable(root) {
            let result = match self.get(id) {
                Decision::Leaf(value) => self.leaf(leaf(value))?,
                Decision::Branch { atom, high, low } => {
                    self.branch(atom, results[&high], results[&low])?
                }
            };
            results.insert(id, result);
        }
        Ok(results[&root])
    }

    /// The leaves of a diagram, each once, in order.
    pub fn leaves(&self, root: DecisionId) -> Vec<u32> {
        let mut leaves: Vec<u32> = self
            .reachable(root)
            .into_iter()
            .filter_map(|id| match self.get(id) {
                Decision::Leaf(value) => Some(value),
                Decision::Branch { .. } => None,
            })
            .collect();
        leaves.sort_unstable();
        leaves
    }

    /// The leaf that a letter leads to.
    pub fn leaf_of(&self, root: DecisionId, holds: &dyn Fn(AtomId) -> bool) -> u32 {
        let mut at = root;
        loop {
            match self.get(at) {
                Decision::Leaf(value) => return value,
                Decision::Branch { atom, high, low } => at = if holds(atom) { high } else { low },
            }
        }
    }

    /// Of 64 letters, those that lead to leaves of some kind.
    pub fn letters(
        &self,
        root: DecisionId,
        atom: &dyn Fn(AtomId) -> u64,
        is_wanted: &mut dyn FnMut(u32) -> bool,
    ) -> u64 {
        let mut letters: HashMap<DecisionId, u64> = HashMap::new();
        for id in self.reachable(root) {
            let own = match self.get(id) {
                Decision::Leaf(value) if is_wanted(value) => u64::MAX,
                Decision::Leaf(_) => 0,
                Decision::Branch {
                    atom: own,
                    high,
                    low,
                } => {
                    let holds = atom(own);
                    holds & letters[&high] | !holds & letters[&low]
                }
            };
            letters.insert(id, own);
        }
        letters[&root]
    }

    /// The letters that lead to this leaf, as a formula over atoms.
    pub fn guard(&self, formulas: &mut Formulas, root: DecisionId, wanted: u32) -> FormulaId {
        let nodes = self.reachable(root);
        let mut uses: HashMap<DecisionId, usize> = HashMap::new();
        for id in &nodes {
            if let Decision::Branch { high, low, .. } = self.get(*id) {
                *uses.entry(high).or_default() += 1;
                *uses.entry(low).or_default() += 1;
            }
        }
        let mut guards: HashMap<DecisionId, Guard> = HashMap::new();
        for id in nodes {
            let mut guard = match self.get(id) {
                Decision::Leaf(value) => Guard::Done(formulas.constant(value == wanted)),
                Decision::Branch { atom, high, low } => {
                    let high = take_guard(&mut guards, high);
                    let low = take_guard(&mut guards, low);
                    let atom = formulas.of_atom(atom);
                    branch_guard(formulas, atom, high, low)
                }
            };
            if uses.get(&id).is_none_or(|uses| *uses != 1) {
                guard = Guard::Done(guard.finish(formulas));
            }
            guards.insert(id, guard);
        }
        take_guard(&mut guards, root).finish(formulas)
    }

    fn reachable(&self, root: DecisionId) -> Vec<DecisionId> {
        let mut found = HashSet::from([root]);
        let mut pending = vec![root];
        while let Some(id) = pending.pop() {
            if let Decision::Branch { high, low, .. } = self.get(id) {
                for child in [high, low] {
                    if found.insert(child) {
                        pending.push(child);
                    }
                }
            }
        }
        let mut found: Vec<DecisionId> = found.into_iter().collect();
        found.sort_unstable();
        found
    }
}

/// A formula that may still grow: a chain of a thousand atoms is one list, not a thousand.
#[derive(Clone)]
enum Guard {
    Done(FormulaId),
    And(Vec<FormulaId>),
    Or(Vec<FormulaId>),
}

impl Guard {
    fn finish(self, formulas: &mut Formulas) -> FormulaId {
        match self {
            Guard::Done(id) => id,
            Guard::And(operands) => formulas.and(operands),
            Guard::Or(operands) => formulas.or(operands),
        }
    }

    fn and(self, formulas: &mut Formulas, literal: FormulaId) -> Guard {
        match self {
            Guard::And(mut operands) => {
                operands.push(literal);
                Guard::And(operands)
            }
            other => Guard::And(vec![other.finish(formulas), literal]),
        }
    }

    fn or(self, formulas: &mut Formulas, literal: FormulaId) -> Guard {
        match self {
            Guard::Or(mut operands) => {
                operands.push(literal);
                Guard::Or(operands)
            }
            other => Guard::Or(vec![other.finish(formulas), literal]),
        }
    }
}

/// The guard of a child: moved out if it is a list, which only one parent uses.
fn take_guard(guards: &mut HashMap<DecisionId, Guard>, id: DecisionId) -> Guard {
    match guards.get(&id) {
        Some(Guard::Done(formula)) => Guard::Done(*formula),
        _ => guards.remove(&id).unwrap_or(Guard::Or(Vec::new())),
    }
}

/// `if atom then high else low`, without what the constants among them make superfluous.
fn branch_guard(formulas: &mut Formulas, atom: FormulaId, high: Guard, low: Guard) -> Guard {
    let negated = formulas.not(atom);
    match (high, low) {
        (Guard::Done(TRUE), low) => low.or(formulas, atom),
        (high, Guard::Done(TRUE)) => high.or(formulas, negated),
        (Guard::Done(FALSE), low) => low.and(formulas, negated),
        (high, Guard::Done(FALSE)) => high.and(formulas, atom),
        (high, low) => {
            let high = high.and(formulas, atom).finish(formulas);
            let low = low.and(formulas, negated).finish(formulas);
            Guard::Or(vec![high, low])
        }
    }
}
