//! Temporal formulas, hash-consed: equal formulas have equal ids.
//!
//! Invariants: operands have smaller ids than the formulas made of them, so every pass
//! over a formula is a loop over [`Formulas::subformulas`] in ascending order and no
//! formula is too deep for it. Conjunctions and disjunctions are flat, sorted, without
//! duplicates, constants or complementary operands, and have at least two operands.
//! Implication and equivalence exist only in the text.

use crate::expr::{Dialect, Expr, TemporalBinary, TemporalUnary, printer};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A formula of a [`Formulas`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FormulaId(u32);

/// An atom of a [`Formulas`]; automata know nothing else of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AtomId(u32);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Formula {
    True,
    False,
    Atom(AtomId),
    Not(FormulaId),
    And(Arc<[FormulaId]>),
    Or(Arc<[FormulaId]>),
    Unary(TemporalUnary, FormulaId),
    Binary(TemporalBinary, FormulaId, FormulaId),
}

/// What an atom stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Atom {
    /// A condition of the design: the expression is not zero.
    Condition(Expr),
    /// The truth of a formula about the past, which a circuit computes; see `spec::past`.
    Past(FormulaId),
}

#[derive(Clone, Debug)]
pub struct Formulas {
    nodes: Vec<Formula>,
    ids: HashMap<Formula, FormulaId>,
    atoms: Vec<Atom>,
    atom_of_text: HashMap<String, AtomId>,
    atom_of_past: HashMap<FormulaId, AtomId>,
    /// The left sides of what was written as an implication.
    antecedents: HashMap<FormulaId, FormulaId>,
    /// The operands of conjunctions as they were written, where that is another order.
    written: HashMap<FormulaId, Vec<FormulaId>>,
}

pub const TRUE: FormulaId = FormulaId(0);
pub const FALSE: FormulaId = FormulaId(1);

impl AtomId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl FormulaId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Default for Formulas {
    fn default() -> Formulas {
        Formulas::new()
    }
}

impl Formulas {
    pub fn new() -> Formulas {
        let nodes = vec![Formula::True, Formula::False];
        let ids = HashMap::from([(Formula::True, TRUE), (Formula::False, FALSE)]);
        Formulas {
            nodes,
            ids,
            atoms: Vec::new(),
            atom_of_text: HashMap::new(),
            atom_of_past: HashMap::new(),
            antecedents: HashMap::new(),
            written: HashMap::new(),
        }
    }

    pub fn get(&self, id: FormulaId) -> &Formula {
        &self.nodes[id.index()]
    }

    /// All atoms; an [`AtomId`] is an index into them.
    pub fn atoms(&self) -> &[Atom] {
        &self.atoms
    }

    pub fn atom(&self, id: AtomId) -> &Atom {
        &self.atoms[id.index()]
    }

    pub fn atom_ids(&self) -> impl Iterator<Item = AtomId> + use<> {
        (0..self.atoms.len() as u32).map(AtomId)
    }

    /// The atom of a condition as it stands. Equal expressions share an atom wherever they
    /// were written; `spec::atoms` splits a condition into smaller atoms first.
    pub fn condition_atom(&mut self, condition: &Expr) -> FormulaId {
        let text = printer::print(condition, Dialect::Verilog);
        let next = AtomId(self.atoms.len() as u32);
        let atom = *self.atom_of_text.entry(text).or_insert(next);
        if atom == next {
            self.atoms.push(Atom::Condition(condition.clone()));
        }
        self.intern(Formula::Atom(atom))
    }

    /// The atom that stands for the truth of a formula about the past.
    pub fn past_atom(&mut self, past: FormulaId) -> AtomId {
        let next = AtomId(self.atoms.len() as u32);
        let atom = *self.atom_of_past.entry(past).or_insert(next);
        if atom == next {
            self.atoms.push(Atom::Past(past));
        }
        atom
    }

    pub fn of_atom(&mut self, atom: AtomId) -> FormulaId {
        self.intern(Formula::Atom(atom))
    }

    pub fn constant(&self, value: bool) -> FormulaId {
        if value { TRUE } else { FALSE }
    }

    pub fn not(&mut self, operand: FormulaId) -> FormulaId {
        match self.get(operand) {
            Formula::True => FALSE,
            Formula::False => TRUE,
            Formula::Not(inner) => *inner,
            _ => self.intern(Formula::Not(operand)),
        }
    }

    pub fn and(&mut self, operands: impl IntoIterator<Item = FormulaId>) -> FormulaId {
        self.join(operands, true)
    }

    pub fn or(&mut self, operands: impl IntoIterator<Item = FormulaId>) -> FormulaId {
        self.join(operands, false)
    }

    /// A conjunction that somebody wrote in this order.
    pub fn written_and(&mut self, operands: impl IntoIterator<Item = FormulaId>) -> FormulaId {
        let operands = operands.into_iter();
        let mut order: Vec<FormulaId> = operands.flat_map(|id| self.as_written(id)).collect();
        let formula = self.and(order.iter().copied());
        if let Formula::And(sorted) = self.get(formula) {
            // Constants and repetitions are no operands.
            let mut seen = HashSet::new();
            order.retain(|id| sorted.binary_search(id).is_ok() && seen.insert(*id));
            if sorted.as_ref() != order.as_slice() {
                self.written.entry(formula).or_insert(order);
            }
        }
        formula
    }

    /// The operands of a conjunction in the order in which they were written first; a formula that
    /// is none stands for itself.
    pub(super) fn as_written(&self, id: FormulaId) -> Vec<FormulaId> {
        let order = self.written.get(&id).cloned();
        order.unwrap_or_else(|| self.operands(id))
    }

    /// The operands of a conjunction; a formula that is none stands for itself.
    pub(super) fn operands(&self, id: FormulaId) -> Vec<FormulaId> {
        match self.get(id) {
            Formula::And(operands) => operands.to_vec(),
            _ => vec![id],
        }
    }

    /// An implication that somebody wrote as such.
    pub fn written_implication(&mut self, left: FormulaId, right: FormulaId) -> FormulaId {
        let formula = self.implies(left, right);
        self.antecedents.insert(formula, left);
        formula
    }

    /// Of an invariant that was written as an implication: that its left side happens.
    pub fn trigger_of(&mut self, formula: FormulaId) -> Option<FormulaId> {
        let Formula::Unary(TemporalUnary::Globally, operand) = self.get(formula) else {
            return None;
        };
        let antecedent = *self.antecedents.get(operand)?;
        Some(self.finally(antecedent))
    }

    pub fn implies(&mut self, left: FormulaId, right: FormulaId) -> FormulaId {
        let left = self.not(left);
        self.or([left, right])
    }

    pub fn iff(&mut self, left: FormulaId, right: FormulaId) -> FormulaId {
        let forward = self.implies(left, right);
        let backward = self.implies(right, left);
        self.and([forward, backward])
    }

    pub fn if_then_else(
        &mut self,
        condition: FormulaId,
        then: FormulaId,
        otherwise: FormulaId,
    ) -> FormulaId {
        let then = self.implies(condition, then);
        let otherwise = self.or([condition, otherwise]);
        self.and([then, otherwise])
    }

    pub fn unary(&mut self, operator: TemporalUnary, operand: FormulaId) -> FormulaId {
        self.intern(Formula::Unary(operator, operand))
    }

    pub fn binary(
        &mut self,
        operator: TemporalBinary,
        left: FormulaId,
        right: FormulaId,
    ) -> FormulaId {
        self.intern(Formula::Binary(operator, left, right))
    }

    pub fn globally(&mut self, operand: FormulaId) -> FormulaId {
        self.unary(TemporalUnary::Globally, operand)
    }

    pub fn finally(&mut self, operand: FormulaId) -> FormulaId {
        self.unary(TemporalUnary::Finally, operand)
    }

    pub fn next(&mut self, operand: FormulaId) -> FormulaId {
        self.unary(TemporalUnary::Next, operand)
    }

    /// A formula with the same operator over other operands.
    pub fn rebuild(
        &mut self,
        formula: &Formula,
        mut operand: impl FnMut(FormulaId) -> FormulaId,
    ) -> FormulaId {
        match formula {
            Formula::True => TRUE,
            Formula::False => FALSE,
            Formula::Atom(atom) => self.of_atom(*atom),
            Formula::Not(inner) => self.not(operand(*inner)),
            Formula::And(operands) => self.and(operands.iter().map(|id| operand(*id))),
            Formula::Or(operands) => self.or(operands.iter().map(|id| operand(*id))),
            Formula::Unary(operator, inner) => self.unary(*operator, operand(*inner)),
            Formula::Binary(operator, left, right) => {
                self.binary(*operator, operand(*left), operand(*right))
            }
        }
    }

    /// The formula in which each part is replaced, operands first. `replace` is given a part
    /// and, for its operands, what they have become.
    pub fn rebuild_all(
        &mut self,
        root: FormulaId,
        mut replace: impl FnMut(&mut Formulas, FormulaId, &HashMap<FormulaId, FormulaId>) -> FormulaId,
    ) -> FormulaId {
        let mut known = HashMap::new();
        for id in self.subformulas(root) {
            let new = replace(self, id, &known);
            known.insert(id, new);
        }
        known[&root]
    }

    /// The formula and everything below it, each once, operands first.
    pub fn subformulas(&self, root: FormulaId) -> Vec<FormulaId> {
        let mut found = HashSet::from([root]);
        let mut pending = vec![root];
        while let Some(id) = pending.pop() {
            self.get(id).for_each_operand(|operand| {
                if found.insert(operand) {
                    pending.push(operand);
                }
            });
        }
        let mut found: Vec<FormulaId> = found.into_iter().collect();
        found.sort_unstable();
        found
    }

    /// The atoms of a formula, each once, in order.
    pub fn atoms_of(&self, root: FormulaId) -> Vec<AtomId> {
        let mut atoms: Vec<AtomId> = self
            .subformulas(root)
            .into_iter()
            .filter_map(|id| match self.get(id) {
                Formula::Atom(atom) => Some(*atom),
                _ => None,
            })
            .collect();
        atoms.sort_unstable();
        atoms
    }

    /// How many different subformulas there are, the formula itself included.
    pub fn size(&self, root: FormulaId) -> usize {
        self.subformulas(root).len()
    }

    /// Whether some operator about the past occurs.
    pub fn has_past(&self, root: FormulaId) -> bool {
        self.subformulas(root)
            .into_iter()
            .any(|id| self.get(id).is_past())
    }

    /// Whether no temporal operator occurs.
    pub fn is_boolean(&self, root: FormulaId) -> bool {
        self.subformulas(root)
            .into_iter()
            .all(|id| !matches!(self.get(id), Formula::Unary(..) | Formula::Binary(..)))
    }

    fn join(&mut self, operands: impl IntoIterator<Item = FormulaId>, is_and: bool) -> FormulaId {
        let (neutral, absorbing) = if is_and { (TRUE, FALSE) } else { (FALSE, TRUE) };
        let mut flat = Vec::new();
        for id in operands {
            match self.get(id) {
                Formula::And(inner) if is_and => flat.extend_from_slice(inner),
                Formula::Or(inner) if !is_and => flat.extend_from_slice(inner),
                _ if id == neutral => {}
                _ if id == absorbing => return absorbing,
                _ => flat.push(id),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        let contradicts = flat.iter().any(|id| match self.get(*id) {
            Formula::Not(inner) => flat.binary_search(inner).is_ok(),
            _ => false,
        });
        if contradicts {
            return absorbing;
        }
        match flat.as_slice() {
            [] => neutral,
            [only] => *only,
            _ if is_and => self.intern(Formula::And(flat.into())),
            _ => self.intern(Formula::Or(flat.into())),
        }
    }

    fn intern(&mut self, formula: Formula) -> FormulaId {
        if let Some(id) = self.ids.get(&formula) {
            return *id;
        }
        let id = FormulaId(self.nodes.len() as u32);
        self.nodes.push(formula.clone());
        self.ids.insert(formula, id);
        id
    }
}

impl Formula {
    pub fn for_each_operand(&self, mut action: impl FnMut(FormulaId)) {
        match self {
            Formula::True | Formula::False | Formula::Atom(_) => {}
            Formula::Not(operand) | Formula::Unary(_, operand) => action(*operand),
            Formula::And(operands) | Formula::Or(operands) => {
                operands.iter().for_each(|operand| action(*operand));
            }
            Formula::Binary(_, left, right) => {
                action(*left);
                action(*right);
            }
        }
    }

    /// Whether the outermost operator looks back.
    pub fn is_past(&self) -> bool {
        match self {
            Formula::Unary(operator, _) => operator.is_past(),
            Formula::Binary(operator, ..) => operator.is_past(),
            _ => false,
        }
    }

    /// Whether the outermost operator looks ahead.
    pub fn is_future(&self) -> bool {
        match self {
            Formula::Unary(operator, _) => !operator.is_past(),
            Formula::Binary(operator, ..) => !operator.is_past(),
            _ => false,
        }
    }
}
