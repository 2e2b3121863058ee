//! Negation normal form: negation only in front of atoms.

use super::formula::{Formula, FormulaId, Formulas};
use std::collections::{HashMap, HashSet};

/// An equivalent formula with negation only in front of atoms. Every operator has its dual,
/// so the result is at most twice as large.
pub fn negation_normal_form(formulas: &mut Formulas, root: FormulaId) -> FormulaId {
    let subformulas = formulas.subformulas(root);
    // From the root down: which formulas are needed as they are, and which negated.
    let mut needed: HashSet<(FormulaId, bool)> = HashSet::from([(root, true)]);
    for id in subformulas.iter().rev() {
        for positive in [true, false] {
            if !needed.contains(&(*id, positive)) {
                continue;
            }
            match formulas.get(*id) {
                Formula::Not(operand) => {
                    needed.insert((*operand, !positive));
                }
                formula => formula.for_each_operand(|operand| {
                    needed.insert((operand, positive));
                }),
            }
        }
    }
    let mut results: HashMap<(FormulaId, bool), FormulaId> = HashMap::new();
    for id in subformulas {
        for positive in [true, false] {
            if needed.contains(&(id, positive)) {
                let formula = formulas.get(id).clone();
                let result = normal_node(formulas, &formula, positive, &results);
                results.insert((id, positive), result);
            }
        }
    }
    results[&(root, true)]
}

/// The negation normal form of the negation.
pub fn negate(formulas: &mut Formulas, root: FormulaId) -> FormulaId {
    let negated = formulas.not(root);
    negation_normal_form(formulas, negated)
}

fn normal_node(
    formulas: &mut Formulas,
    formula: &Formula,
    positive: bool,
    results: &HashMap<(FormulaId, bool), FormulaId>,
) -> FormulaId {
    let operand = |id: FormulaId| results[&(id, positive)];
    if positive {
        return match formula {
            Formula::Not(inner) => results[&(*inner, false)],
            _ => formulas.rebuild(formula, operand),
        };
    }
    match formula {
        Formula::True => formulas.constant(false),
        Formula::False => formulas.constant(true),
        Formula::Atom(atom) => {
            let atom = formulas.of_atom(*atom);
            formulas.not(atom)
        }
        Formula::Not(inner) => results[&(*inner, true)],
        Formula::And(operands) => formulas.or(operands.iter().map(|id| operand(*id))),
        Formula::Or(operands) => formulas.and(operands.iter().map(|id| operand(*id))),
        Formula::Unary(operator, inner) => formulas.unary(operator.dual(), operand(*inner)),
        Formula::Binary(operator, left, right) => {
            formulas.binary(operator.dual(), operand(*left), operand(*right))
        }
    }
}
