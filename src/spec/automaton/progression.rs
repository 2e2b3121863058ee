//! One step of a formula: what is left to keep after a letter [bacchus-kabanza00].
//!
//! `a U b` holds now if `b` does, or if `a` does and `a U b` holds in the next step; so a
//! decision diagram over the atoms leads from each letter to the obligations that remain.
//! The diagram of a set of obligations is put together from those of its elements, which are
//! computed once.

use super::decision::{DecisionId, Decisions, Laws};
use super::obligations::{BROKEN, KEPT, ObligationId, Obligations};
use super::{Limits, TooBig};
use crate::expr::{TemporalBinary, TemporalUnary};
use crate::spec::formula::{AtomId, Formula, FormulaId, Formulas};
use std::collections::HashMap;

pub struct Progression<'a> {
    formulas: &'a Formulas,
    pub decisions: Decisions,
    pub obligations: Obligations,
    /// Leaves are obligations.
    diagrams: HashMap<FormulaId, DecisionId>,
    steps: HashMap<ObligationId, DecisionId>,
}

impl<'a> Progression<'a> {
    /// For formulas in negation normal form without past operators.
    pub fn new(formulas: &'a Formulas, limits: &Limits) -> Progression<'a> {
        Progression {
            formulas,
            decisions: Decisions::new(limits.nodes),
            obligations: Obligations::new(limits.clauses),
            diagrams: HashMap::new(),
            steps: HashMap::new(),
        }
    }

    /// The obligations of a formula that has to hold now.
    pub fn start(&mut self, formula: FormulaId) -> Result<ObligationId, TooBig> {
        self.obligations.of_formula(self.formulas, formula)
    }

    /// From each letter to the obligations after it.
    pub fn step(&mut self, id: ObligationId) -> Result<DecisionId, TooBig> {
        if let Some(step) = self.steps.get(&id) {
            return Ok(*step);
        }
        let clauses = self.obligations.clauses(id).clone();
        let mut all = self.decisions.leaf(KEPT)?;
        for clause in clauses.iter().rev() {
            let mut any = self.decisions.leaf(BROKEN)?;
            for element in clause.iter().rev() {
                let diagram = self.diagram(*element)?;
                any = self.or(diagram, any)?;
            }
            all = self.and(any, all)?;
        }
        self.steps.insert(id, all);
        Ok(all)
    }

    pub fn and(&mut self, left: DecisionId, right: DecisionId) -> Result<DecisionId, TooBig> {
        let obligations = &mut self.obligations;
        let laws = Laws {
            neutral: Some(KEPT),
            absorbing: Some(BROKEN),
        };
        self.decisions
            .combine(left, right, laws, &mut |a, b| obligations.and(a, b))
    }

    pub fn or(&mut self, left: DecisionId, right: DecisionId) -> Result<DecisionId, TooBig> {
        let obligations = &mut self.obligations;
        let laws = Laws {
            neutral: Some(BROKEN),
            absorbing: Some(KEPT),
        };
        self.decisions
            .combine(left, right, laws, &mut |a, b| obligations.or(a, b))
    }

    /// From each letter to what is left of the formula after it.
    pub fn diagram(&mut self, root: FormulaId) -> Result<DecisionId, TooBig> {
        let mut pending = vec![root];
        while let Some(id) = pending.pop() {
            if self.diagrams.contains_key(&id) {
                continue;
            }
            let missing = self.missing(id);
            if missing.is_empty() {
                let diagram = self.compute(id)?;
                self.diagrams.insert(id, diagram);
            } else {
                pending.push(id);
                pending.extend(missing);
            }
        }
        Ok(self.diagrams[&root])
    }

    /// Operands that speak about the current step and have no diagram yet.
    fn missing(&self, id: FormulaId) -> Vec<FormulaId> {
        let mut missing = Vec::new();
        let formula = self.formulas.get(id);
        if !matches!(
            formula,
            Formula::Unary(TemporalUnary::Next, _) | Formula::Not(_)
        ) {
            formula.for_each_operand(|operand| {
                if !self.diagrams.contains_key(&operand) {
                    missing.push(operand);
                }
            });
        }
        missing
    }

    fn compute(&mut self, id: FormulaId) -> Result<DecisionId, TooBig> {
        let formulas = self.formulas;
        match formulas.get(id) {
            Formula::True => self.decisions.leaf(KEPT),
            Formula::False => self.decisions.leaf(BROKEN),
            Formula::Atom(atom) => self.literal(*atom, true),
            Formula::Not(operand) => match formulas.get(*operand) {
                Formula::Atom(atom) => self.literal(*atom, false),
                // Not in negation normal form: translations refuse it before they come here.
                _ => self.decisions.leaf(BROKEN),
            },
            Formula::And(operands) => {
                let mut all = self.decisions.leaf(KEPT)?;
                // From the back: diagrams branch on small atoms first, so each step is short.
                for operand in operands.iter().rev() {
                    all = self.and(self.diagrams[operand], all)?;
                }
                Ok(all)
            }
            Formula::Or(operands) => {
                let mut any = self.decisions.leaf(BROKEN)?;
                for operand in operands.iter().rev() {
                    any = self.or(self.diagrams[operand], any)?;
                }
                Ok(any)
            }
            Formula::Unary(operator, operand) => {
                if *operator == TemporalUnary::Next {
                    let obligation = self.obligations.of_formula(formulas, *operand)?;
                    return self.decisions.leaf(obligation);
                }
                let again = self.again(id)?;
                let now = self.diagrams[operand];
                match operator {
                    TemporalUnary::Finally => self.or(now, again),
                    _ => self.and(now, again),
                }
            }
            Formula::Binary(operator, left, right) => {
                let again = self.again(id)?;
                let (left, right) = (self.diagrams[left], self.diagrams[right]);
                match operator {
                    TemporalBinary::Until | TemporalBinary::WeakUntil | TemporalBinary::Since => {
                        let continues = self.and(left, again)?;
                        self.or(right, continues)
                    }
                    _ => {
                        let released = self.or(left, again)?;
                        self.and(right, released)
                    }
                }
            }
        }
    }

    fn again(&mut self, id: FormulaId) -> Result<DecisionId, TooBig> {
        let obligation = self.obligations.single(id)?;
        self.decisions.leaf(obligation)
    }

    fn literal(&mut self, atom: AtomId, positive: bool) -> Result<DecisionId, TooBig> {
        let kept = self.decisions.leaf(KEPT)?;
        let broken = self.decisions.leaf(BROKEN)?;
        if positive {
            self.decisions.branch(atom, kept, broken)
        } else {
            self.decisions.branch(atom, broken, kept)
        }
    }
}
