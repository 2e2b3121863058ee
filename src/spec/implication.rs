//! A cheap, incomplete test whether one formula implies another in every step of every word
//! [somenzi-bloem00, Sec. 3]. `false` means "not seen", never "no".

use super::formula::{Formula, FormulaId, Formulas};
use crate::expr::{TemporalBinary, TemporalUnary};
use TemporalBinary::{Release, Since, StrongRelease, Trigger, Until, WeakUntil};
use TemporalUnary::{Finally, Globally, Historically, Next, Once, WeakYesterday, Yesterday};

/// How far the test looks into both formulas. Each level may branch, so this bounds the work.
const DEPTH: u32 = 4;

/// Formulas with more operands than this are not looked into.
const WIDTH: usize = 8;

/// Whether the first formula is seen to imply the second; both in negation normal form.
pub fn implies(formulas: &Formulas, left: FormulaId, right: FormulaId) -> bool {
    implies_within(formulas, left, right, DEPTH)
}

fn implies_within(formulas: &Formulas, left: FormulaId, right: FormulaId, depth: u32) -> bool {
    let (left_node, right_node) = (formulas.get(left), formulas.get(right));
    if left == right || *left_node == Formula::False || *right_node == Formula::True {
        return true;
    }
    if depth == 0 {
        return false;
    }
    let implies = |left, right| implies_within(formulas, left, right, depth - 1);
    // Both sides must be exhausted here: an operand of one may face the whole other side.
    match (left_node, right_node) {
        (Formula::Or(operands), _) if operands.len() <= WIDTH => {
            return operands.iter().all(|operand| implies(*operand, right));
        }
        (_, Formula::And(operands)) if operands.len() <= WIDTH => {
            return operands.iter().all(|operand| implies(left, *operand));
        }
        _ => {}
    }
    same_operator(left_node, right_node, &implies)
        || weaker_operator(left_node, right_node, &implies)
        || from_left(left_node, right, &implies)
        || into_right(left, right_node, &implies)
}

/// Operators that are monotone in their operands.
fn same_operator(
    left: &Formula,
    right: &Formula,
    implies: &dyn Fn(FormulaId, FormulaId) -> bool,
) -> bool {
    match (left, right) {
        (Formula::Unary(first, inner), Formula::Unary(second, outer)) => {
            first == second && implies(*inner, *outer)
        }
        (Formula::Binary(first, a, b), Formula::Binary(second, c, d)) => {
            first == second && implies(*a, *c) && implies(*b, *d)
        }
        _ => false,
    }
}

/// A strong operator implies its weak partner.
fn weaker_operator(
    left: &Formula,
    right: &Formula,
    implies: &dyn Fn(FormulaId, FormulaId) -> bool,
) -> bool {
    match (left, right) {
        (Formula::Unary(Yesterday, a), Formula::Unary(WeakYesterday, b)) => implies(*a, *b),
        (Formula::Binary(Until, a, b), Formula::Binary(WeakUntil, c, d))
        | (Formula::Binary(StrongRelease, a, b), Formula::Binary(Release, c, d)) => {
            implies(*a, *c) && implies(*b, *d)
        }
        (Formula::Unary(Globally, a), Formula::Binary(WeakUntil, c, _)) => implies(*a, *c),
        (Formula::Unary(Globally, a), Formula::Binary(Release, _, d)) => implies(*a, *d),
        (Formula::Unary(Historically, a), Formula::Binary(Trigger, _, d)) => implies(*a, *d),
        (Formula::Unary(Globally, a), Formula::Unary(Next, b)) => implies(*a, *b),
        (Formula::Binary(Until, _, b), Formula::Unary(Finally, c)) => implies(*b, *c),
        (Formula::Binary(StrongRelease, a, b), Formula::Unary(Finally, c)) => {
            implies(*a, *c) || implies(*b, *c)
        }
        (Formula::Binary(Since, _, b), Formula::Unary(Once, c)) => implies(*b, *c),
        (Formula::Unary(Next, a), Formula::Unary(Finally, c)) => implies(*a, *c),
        _ => false,
    }
}

/// What the left formula says about the current step.
fn from_left(
    left: &Formula,
    right: FormulaId,
    implies: &dyn Fn(FormulaId, FormulaId) -> bool,
) -> bool {
    match left {
        Formula::And(operands) if operands.len() <= WIDTH => {
            operands.iter().any(|operand| implies(*operand, right))
        }
        Formula::Unary(Globally | Historically, operand) => implies(*operand, right),
        Formula::Binary(Until | WeakUntil | Since, a, b) => {
            implies(*a, right) && implies(*b, right)
        }
        Formula::Binary(Release | StrongRelease | Trigger, _, b) => implies(*b, right),
        _ => false,
    }
}

/// What suffices in the current step for the right formula.
fn into_right(
    left: FormulaId,
    right: &Formula,
    implies: &dyn Fn(FormulaId, FormulaId) -> bool,
) -> bool {
    match right {
        Formula::Or(operands) if operands.len() <= WIDTH => {
            operands.iter().any(|operand| implies(left, *operand))
        }
        Formula::Unary(Finally | Once, operand) => implies(left, *operand),
        Formula::Binary(Until | WeakUntil | Since, _, b) => implies(left, *b),
        Formula::Binary(Release | StrongRelease | Trigger, a, b) => {
            implies(left, *a) && implies(left, *b)
        }
        _ => false,
    }
}
