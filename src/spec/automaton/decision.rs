//! Ordered decision diagrams over atoms with numbers as leaves: which successor a letter
//! leads to. Reduced and shared, so equal functions have equal ids, which is what makes
//! states comparable. They are small and live for one translation; the kernel in `bdd` is
//! for games.

use super::TooBig;
use crate::spec::formula::{AtomId, FormulaId, Formulas};
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
        operation: &mut Operation<'_>,
    ) -> Result<DecisionId, TooBig> {
        let mut cache = Cache::new();
        self.combine_cached(left, right, operation, &mut cache)
    }

    fn combine_cached(
        &mut self,
        left: DecisionId,
        right: DecisionId,
        operation: &mut Operation<'_>,
        cache: &mut Cache,
    ) -> Result<DecisionId, TooBig> {
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
        let (high, low) = stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
            let high = self.combine_cached(left_high, right_high, operation, cache)?;
            let low = self.combine_cached(left_low, right_low, operation, cache)?;
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
        leaves.sort();
        leaves
    }

    /// The letters that lead to this leaf, as a formula over atoms.
    pub fn guard(&self, formulas: &mut Formulas, root: DecisionId, wanted: u32) -> FormulaId {
        let mut results: HashMap<DecisionId, FormulaId> = HashMap::new();
        for id in self.reachable(root) {
            let result = match self.get(id) {
                Decision::Leaf(value) => formulas.constant(value == wanted),
                Decision::Branch { atom, high, low } => {
                    let atom = formulas.of_atom(atom);
                    branch_guard(formulas, atom, results[&high], results[&low])
                }
            };
            results.insert(id, result);
        }
        results[&root]
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
        found.sort();
        found
    }
}

/// `if atom then high else low`, without what the constants among them make superfluous.
fn branch_guard(
    formulas: &mut Formulas,
    atom: FormulaId,
    high: FormulaId,
    low: FormulaId,
) -> FormulaId {
    let truth = formulas.constant(true);
    let falsity = formulas.constant(false);
    let negated = formulas.not(atom);
    if high == truth {
        formulas.or([atom, low])
    } else if low == truth {
        formulas.or([negated, high])
    } else if high == falsity {
        formulas.and([negated, low])
    } else if low == falsity {
        formulas.and([atom, high])
    } else {
        let high = formulas.and([atom, high]);
        let low = formulas.and([negated, low]);
        formulas.or([high, low])
    }
}
