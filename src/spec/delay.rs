//! Properties that are judged from a later step on.
//!
//! A reset is played before a design is judged, so its properties speak of the run from the
//! first step after the reset: there it starts for them, and operators about the past see
//! nothing before it. An atom that is false during the reset and true for ever after it takes
//! the place of most `X`: `G a` becomes `G (running -> a)`, which needs no monitor.

use super::formula::{FALSE, Formula, FormulaId, Formulas, TRUE};
use super::{Spec, simplify};
use crate::expr::{Expr, TemporalBinary, TemporalUnary};
use std::collections::HashMap;

impl Spec {
    /// Judges every property from a step on; `running` is true from then on and not before.
    pub fn delay(&mut self, steps: u32, running: &Expr) {
        let running = self.formulas.condition_atom(running);
        let properties = self.properties.iter_mut().map(|one| &mut one.formula);
        let antecedents = self.antecedents.iter_mut().map(|one| &mut one.formula);
        for judged in properties.chain(antecedents) {
            let mut delay = Delay {
                formulas: &mut self.formulas,
                running,
                steps,
                known: HashMap::new(),
            };
            let formula = delay.without_earlier_past(*judged);
            let formula = simplify::simplify(delay.formulas, formula);
            *judged = delay.judged_later(formula);
        }
    }
}

struct Delay<'a> {
    formulas: &'a mut Formulas,
    running: FormulaId,
    steps: u32,
    known: HashMap<FormulaId, FormulaId>,
}

impl Delay<'_> {
    /// Lets operators about the past see nothing before the first step that counts.
    fn without_earlier_past(&mut self, root: FormulaId) -> FormulaId {
        for id in self.formulas.subformulas(root) {
            let formula = self.formulas.get(id).clone();
            let known = &self.known;
            let new = self.formulas.rebuild(&formula, |operand| {
                known.get(&operand).copied().unwrap_or(operand)
            });
            let new = match (formula, self.formulas.get(new).clone()) {
                (Formula::Unary(operator, _), Formula::Unary(_, operand)) => {
                    let operand = match operator {
                        TemporalUnary::Yesterday | TemporalUnary::Once => {
                            self.formulas.and([self.running, operand])
                        }
                        TemporalUnary::WeakYesterday | TemporalUnary::Historically => {
                            self.formulas.implies(self.running, operand)
                        }
                        _ => operand,
                    };
                    self.formulas.unary(operator, operand)
                }
                (Formula::Binary(operator, ..), Formula::Binary(_, left, right)) => {
                    let right = match operator {
                        TemporalBinary::Since => self.formulas.and([self.running, right]),
                        TemporalBinary::Trigger => self.formulas.implies(self.running, right),
                        _ => right,
                    };
                    self.formulas.binary(operator, left, right)
                }
                _ => new,
            };
            self.known.insert(id, new);
        }
        self.known.get(&root).copied().unwrap_or(root)
    }

    /// What a formula says in the first step that counts, as a formula of the first step.
    fn judged_later(&mut self, formula: FormulaId) -> FormulaId {
        match self.formulas.get(formula).clone() {
            _ if formula == TRUE || formula == FALSE => formula,
            Formula::And(parts) => {
                let parts: Vec<FormulaId> =
                    parts.iter().map(|part| self.judged_later(*part)).collect();
                self.formulas.and(parts)
            }
            Formula::Unary(TemporalUnary::Globally, operand) => self.globally(operand),
            Formula::Unary(TemporalUnary::Finally, operand) => {
                let operand = self.formulas.and([self.running, operand]);
                self.formulas.finally(operand)
            }
            _ => {
                let mut formula = formula;
                for _ in 0..self.steps {
                    formula = self.formulas.next(formula);
                }
                formula
            }
        }
    }

    fn globally(&mut self, operand: FormulaId) -> FormulaId {
        match self.formulas.get(operand).clone() {
            Formula::And(parts) => {
                let parts: Vec<FormulaId> = parts.iter().map(|part| self.globally(*part)).collect();
                self.formulas.and(parts)
            }
            // What happens again and again does so after the reset, too.
            Formula::Unary(TemporalUnary::Finally, _) => self.formulas.globally(operand),
            _ => {
                let operand = self.formulas.implies(self.running, operand);
                self.formulas.globally(operand)
            }
        }
    }
}
