//! Properties that are judged only as long as something has not happened.
//!
//! The condition says that it has happened, now or before, so it stays true. Each condition of a
//! formula without negations is weakened by it, and nothing else has to be: from the first step
//! in which it holds, the formula does.

use super::formula::{Formula, FormulaId, Formulas, TRUE};
use super::{Spec, normal_form};
use crate::expr::{Expr, Role};

impl Spec {
    /// Judges a property as long as `happened`, which stays true, is false. A cover statement
    /// has to be covered before.
    pub fn hold_off(&mut self, property: usize, happened: &Expr) {
        let happened = self.formulas.condition_atom(happened);
        let property = &mut self.properties[property];
        let formulas = &mut self.formulas;
        property.formula = match property.role {
            Role::Assert | Role::Assume => weakened(formulas, property.formula, happened),
            Role::Cover => covered_before(formulas, property.formula, happened),
        };
        for antecedent in &mut self.antecedents {
            if antecedent.property == property.name {
                antecedent.formula = covered_before(formulas, antecedent.formula, happened);
            }
        }
    }
}

fn covered_before(formulas: &mut Formulas, cover: FormulaId, happened: FormulaId) -> FormulaId {
    let uncovered = formulas.not(cover);
    let uncovered = weakened(formulas, uncovered, happened);
    formulas.not(uncovered)
}

fn weakened(formulas: &mut Formulas, root: FormulaId, happened: FormulaId) -> FormulaId {
    let root = normal_form::negation_normal_form(formulas, root);
    formulas.rebuild_all(root, |formulas, id, known| {
        let formula = formulas.get(id).clone();
        match &formula {
            Formula::True => TRUE,
            Formula::False | Formula::Atom(_) | Formula::Not(_) => formulas.or([happened, id]),
            // In the first step there is nothing before it, whatever happens there.
            Formula::Unary(operator, operand) => {
                let inner = formulas.unary(*operator, known[operand]);
                if operator.is_past() {
                    formulas.or([happened, inner])
                } else {
                    inner
                }
            }
            _ => formulas.rebuild(&formula, |operand| known[&operand]),
        }
    })
}
