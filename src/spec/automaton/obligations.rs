//! What has still to be kept, as a conjunction of clauses over temporal subformulas.
//!
//! A formula in negation normal form is a monotone function of its temporal subformulas, and
//! a set of clauses without supersets is a canonical form of such a function. There are
//! finitely many over the subformulas of one formula, so progression ends.

use super::TooBig;
use crate::spec::formula::{Formula, FormulaId, Formulas};
use std::collections::HashMap;
use std::sync::Arc;

/// A set of clauses of an [`Obligations`].
pub type ObligationId = u32;

/// A disjunction, sorted.
pub type Clause = Arc<[FormulaId]>;

/// Nothing is left to keep.
pub const KEPT: ObligationId = 0;
/// It is too late.
pub const BROKEN: ObligationId = 1;

#[derive(Clone, Debug)]
pub struct Obligations {
    sets: Vec<Arc<[Clause]>>,
    ids: HashMap<Arc<[Clause]>, ObligationId>,
    /// What was joined before, by `and` where the flag is set: diagrams ask again and again.
    joined: HashMap<(ObligationId, ObligationId, bool), ObligationId>,
    limit: usize,
}

impl Obligations {
    pub fn new(limit: usize) -> Obligations {
        let kept: Arc<[Clause]> = Arc::from(Vec::new());
        let empty: Clause = Arc::from(Vec::new());
        let broken: Arc<[Clause]> = Arc::from(vec![empty]);
        Obligations {
            ids: HashMap::from([(kept.clone(), KEPT), (broken.clone(), BROKEN)]),
            sets: vec![kept, broken],
            joined: HashMap::new(),
            limit,
        }
    }

    pub fn clauses(&self, id: ObligationId) -> &Arc<[Clause]> {
        &self.sets[id as usize]
    }

    /// One temporal formula as it is.
    pub fn single(&mut self, formula: FormulaId) -> Result<ObligationId, TooBig> {
        self.intern(vec![Arc::from(vec![formula])])
    }

    /// The clauses of a formula in negation normal form.
    pub fn of_formula(
        &mut self,
        formulas: &Formulas,
        root: FormulaId,
    ) -> Result<ObligationId, TooBig> {
        let mut results: HashMap<FormulaId, ObligationId> = HashMap::new();
        // Only connectives are looked into; what is below a temporal operator is one element.
        let mut pending = vec![root];
        while let Some(id) = pending.pop() {
            if results.contains_key(&id) {
                continue;
            }
            let (operands, is_and) = match formulas.get(id) {
                Formula::And(operands) => (operands, true),
                Formula::Or(operands) => (operands, false),
                Formula::True => {
                    results.insert(id, KEPT);
                    continue;
                }
                Formula::False => {
                    results.insert(id, BROKEN);
                    continue;
                }
                _ => {
                    results.insert(id, self.single(id)?);
                    continue;
                }
            };
            let missing: Vec<FormulaId> = operands
                .iter()
                .filter(|operand| !results.contains_key(operand))
                .copied()
                .collect();
            if !missing.is_empty() {
                pending.push(id);
                pending.extend(missing);
                continue;
            }
            let mut joined = if is_and { KEPT } else { BROKEN };
            for operand in operands.iter() {
                joined = if is_and {
                    self.and(joined, results[operand])?
                } else {
                    self.or(joined, results[operand])?
                };
            }
            results.insert(id, joined);
        }
        Ok(results[&root])
    }

    pub fn and(&mut self, left: ObligationId, right: ObligationId) -> Result<ObligationId, TooBig> {
        if left == right || right == KEPT || left == BROKEN {
            return Ok(left);
        }
        if left == KEPT || right == BROKEN {
            return Ok(right);
        }
        let key = (left.min(right), left.max(right), true);
        if let Some(known) = self.joined.get(&key) {
            return Ok(*known);
        }
        let mut clauses = self.clauses(left).to_vec();
        clauses.extend_from_slice(self.clauses(right));
        let id = self.intern(clauses)?;
        self.joined.insert(key, id);
        Ok(id)
    }

    pub fn or(&mut self, left: ObligationId, right: ObligationId) -> Result<ObligationId, TooBig> {
        if left == right || right == BROKEN || left == KEPT {
            return Ok(left);
        }
        if left == BROKEN || right == KEPT {
            return Ok(right);
        }
        let key = (left.min(right), left.max(right), false);
        if let Some(known) = self.joined.get(&key) {
            return Ok(*known);
        }
        let (left, right) = (self.clauses(left).clone(), self.clauses(right).clone());
        if left.len() * right.len() > self.limit * self.limit {
            return Err(TooBig);
        }
        let mut clauses = Vec::with_capacity(left.len() * right.len());
        for first in left.iter() {
            for second in right.iter() {
                let mut clause: Vec<FormulaId> = first.to_vec();
                clause.extend_from_slice(second);
                clause.sort_unstable();
                clause.dedup();
                clauses.push(Arc::from(clause));
            }
        }
        let id = self.intern(clauses)?;
        self.joined.insert(key, id);
        Ok(id)
    }

    /// The clauses of the first set that the second one does not have.
    pub fn without(
        &mut self,
        left: ObligationId,
        right: ObligationId,
    ) -> Result<ObligationId, TooBig> {
        let known = self.clauses(right).clone();
        let clauses = self.clauses(left).iter();
        let clauses = clauses
            .filter(|clause| !known.contains(clause))
            .cloned()
            .collect();
        self.intern(clauses)
    }

    /// Drops clauses that others imply, and gives the set its id.
    fn intern(&mut self, mut clauses: Vec<Clause>) -> Result<ObligationId, TooBig> {
        clauses.sort_by(|first, second| (first.len(), first).cmp(&(second.len(), second)));
        clauses.dedup();
        let mut kept: Vec<Clause> = Vec::new();
        for clause in clauses {
            let implied = kept.iter().any(|shorter| {
                shorter
                    .iter()
                    .all(|element| clause.binary_search(element).is_ok())
            });
            if !implied {
                kept.push(clause);
            }
            if kept.len() > self.limit {
                return Err(TooBig);
            }
        }
        let set: Arc<[Clause]> = Arc::from(kept);
        if let Some(id) = self.ids.get(&set) {
            return Ok(*id);
        }
        let id = self.sets.len() as ObligationId;
        self.sets.push(set.clone());
        self.ids.insert(set, id);
        Ok(id)
    }
}
