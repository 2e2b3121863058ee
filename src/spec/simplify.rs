//! Rewrites a formula into an equivalent one that is no harder to translate.
//!
//! Every rule is an equivalence in every step of every word, past included, and each is
//! tested on its own against `spec::lasso`. Most are from [somenzi-bloem00] and
//! [etessami-holzmann00]; those about the past are their mirror images. The result is in
//! negation normal form.

use super::formula::{FALSE, Formula, FormulaId, Formulas, TRUE};
use super::implication::implies;
use super::normal_form::{negate, negation_normal_form};
use crate::expr::{TemporalBinary, TemporalUnary};
use TemporalBinary::{Release, Since, StrongRelease, Trigger, Until, WeakUntil};
use TemporalUnary::{Finally, Globally, Historically, Next, Once, WeakYesterday, Yesterday};
use std::collections::HashMap;

/// Rewrites one node; `None` if the rule does not apply.
pub type Rule = fn(&mut Formulas, FormulaId) -> Option<FormulaId>;

/// All rules under the names that tests use, in the order they are tried.
pub const RULES: [(&str, Rule); 11] = [
    ("constant operand", constant_operand),
    ("repeated operator", repeated_operator),
    ("operator order", operator_order),
    ("step there and back", step_there_and_back),
    ("equal operands", equal_operands),
    ("nested binary", nested_binary),
    ("common operator", common_operator),
    ("common operand", common_operand),
    ("split until", split_until),
    ("implied operand", implied_operand),
    ("implied neighbour", implied_neighbour),
];

/// Rewriting stops after this many rounds; each round is an equivalence, so stopping is safe.
const MAX_ROUNDS: usize = 12;

/// Conjunctions with more operands are left alone by the rules that compare all pairs.
const MAX_PAIRS: usize = 64;

/// An equivalent formula in negation normal form, simplified.
pub fn simplify(formulas: &mut Formulas, root: FormulaId) -> FormulaId {
    let mut current = negation_normal_form(formulas, root);
    for _ in 0..MAX_ROUNDS {
        let next = simplify_once(formulas, current);
        if next == current {
            break;
        }
        current = next;
    }
    current
}

fn simplify_once(formulas: &mut Formulas, root: FormulaId) -> FormulaId {
    let mut results: HashMap<FormulaId, FormulaId> = HashMap::new();
    for id in formulas.subformulas(root) {
        let formula = formulas.get(id).clone();
        let mut result = formulas.rebuild(&formula, |operand| results[&operand]);
        while let Some(next) = RULES.iter().find_map(|(_, rule)| rule(formulas, result)) {
            result = next;
        }
        results.insert(id, result);
    }
    results[&root]
}

/// `X true`, `a U false`, ...; `true U b` becomes `F b`.
fn constant_operand(formulas: &mut Formulas, id: FormulaId) -> Option<FormulaId> {
    match *formulas.get(id) {
        Formula::Unary(Next | Finally | Globally | Once | Historically, operand)
            if operand == TRUE || operand == FALSE =>
        {
            Some(operand)
        }
        Formula::Unary(Yesterday, FALSE) => Some(FALSE),
        Formula::Unary(WeakYesterday, TRUE) => Some(TRUE),
        Formula::Binary(operator, left, right) => match (operator, left, right) {
            (_, _, TRUE) if operator != StrongRelease => Some(TRUE),
            (StrongRelease, a, TRUE) => Some(formulas.finally(a)),
            (WeakUntil, a, FALSE) => Some(formulas.globally(a)),
            (_, _, FALSE) => Some(FALSE),
            (Until, TRUE, b) => Some(formulas.finally(b)),
            (Since, TRUE, b) => Some(formulas.unary(Once, b)),
            (WeakUntil, TRUE, _) => Some(TRUE),
            (Release | StrongRelease | Trigger, TRUE, b) => Some(b),
            (Until | WeakUntil | Since, FALSE, b) => Some(b),
            (Release, FALSE, b) => Some(formulas.globally(b)),
            (Trigger, FALSE, b) => Some(formulas.unary(Historically, b)),
            (StrongRelease, FALSE, _) => Some(FALSE),
            _ => None,
        },
        _ => None,
    }
}

/// `F F a`, `G F G a`, `X G F a`.
fn repeated_operator(formulas: &mut Formulas, id: FormulaId) -> Option<FormulaId> {
    let Formula::Unary(outer, inner) = *formulas.get(id) else {
        return None;
    };
    let Formula::Unary(second, operand) = *formulas.get(inner) else {
        return None;
    };
    if outer == second && matches!(outer, Finally | Globally | Once | Historically) {
        return Some(inner);
    }
    let third = match *formulas.get(operand) {
        Formula::Unary(third, _) => Some(third),
        _ => None,
    };
    // Whether something holds again and again, or from some time on, does not depend on when
    // it is asked.
    let tail = matches!(
        (second, third),
        (Globally, Some(Finally)) | (Finally, Some(Globally))
    );
    (tail && matches!(outer, Next | Finally | Globally)).then_some(inner)
}

/// `F X a` becomes `X F a`, so that steps come out and can be joined.
fn operator_order(formulas: &mut Formulas, id: FormulaId) -> Option<FormulaId> {
    match *formulas.get(id) {
        Formula::Unary(outer, inner) => {
            let Formula::Unary(second, operand) = *formulas.get(inner) else {
                return None;
            };
            let swaps = matches!(
                (outer, second),
                (Finally | Globally, Next) | (Once, Yesterday) | (Historically, WeakYesterday)
            );
            if !swaps {
                return None;
            }
            let inner = formulas.unary(outer, operand);
            Some(formulas.unary(second, inner))
        }
        Formula::Binary(operator @ (Until | WeakUntil | Release | StrongRelease), left, right) => {
            match (formulas.get(left).clone(), formulas.get(right).clone()) {
                (Formula::Unary(Next, a), Formula::Unary(Next, b)) => {
                    let inner = formulas.binary(operator, a, b);
                    Some(formulas.next(inner))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// `X Y a` is `a`: after a step there always is a previous one.
fn step_there_and_back(formulas: &mut Formulas, id: FormulaId) -> Option<FormulaId> {
    let Formula::Unary(Next, inner) = *formulas.get(id) else {
        return None;
    };
    match *formulas.get(inner) {
        Formula::Unary(Yesterday | WeakYesterday, operand) => Some(operand),
        _ => None,
    }
}

/// `a U a` is `a`, for every binary operator.
fn equal_operands(formulas: &mut Formulas, id: FormulaId) -> Option<FormulaId> {
    match *formulas.get(id) {
        Formula::Binary(_, left, right) if left == right => Some(left),
        _ => None,
    }
}

/// A binary operator next to another operator that swallows it: `F (a U b)` is `F b`.
fn nested_binary(formulas: &mut Formulas, id: FormulaId) -> Option<FormulaId> {
    match *formulas.get(id) {
        Formula::Unary(outer, inner) => {
            let Formula::Binary(operator, left, right) = *formulas.get(inner) else {
                return None;
            };
            let operand = match (outer, operator) {
                (Finally, Until) | (Globally, Release) | (Once, Since) => right,
                (Historically, Trigger) => right,
                (Finally, StrongRelease) => formulas.and([left, right]),
                (Globally, WeakUntil) => formulas.or([left, right]),
                _ => return None,
            };
            Some(formulas.unary(outer, operand))
        }
        Formula::Binary(outer, left, inner) => match (outer, formulas.get(inner).clone()) {
            (_, Formula::Binary(operator, same, _)) if operator == outer && same == left => {
                Some(inner)
            }
            (Until, Formula::Unary(Finally, _))
            | (Release, Formula::Unary(Globally, _))
            | (Since, Formula::Unary(Once, _))
            | (Trigger, Formula::Unary(Historically, _)) => Some(inner),
            _ => None,
        },
        _ => None,
    }
}

/// `G a & G b` is `G (a & b)`, and so on for each operator that distributes.
fn common_operator(formulas: &mut Formulas, id: FormulaId) -> Option<FormulaId> {
    let (operands, is_and) = match formulas.get(id) {
        Formula::And(operands) => (operands.clone(), true),
        Formula::Or(operands) => (operands.clone(), false),
        _ => return None,
    };
    let distributes: &[TemporalUnary] = if is_and {
        &[Next, Globally, Yesterday, WeakYesterday, Historically]
    } else {
        &[Next, Finally, Yesterday, WeakYesterday, Once]
    };
    for operator in distributes {
        if let Some(result) =
            gather(
                formulas,
                &operands,
                is_and,
                |formulas, operand| match *formulas.get(operand) {
                    Formula::Unary(found, inner) if found == *operator => Some(inner),
                    _ => None,
                },
            )
        {
            let (inner, rest) = result;
            let joined = formulas.unary(*operator, inner);
            return Some(rejoin(formulas, rest, joined, is_and));
        }
    }
    // `G F a | G F b` and `F G a & F G b`: the outer operator does not distribute, both do.
    let (outer, second) = if is_and {
        (Finally, Globally)
    } else {
        (Globally, Finally)
    };
    let (inner, rest) = gather(
        formulas,
        &operands,
        is_and,
        |formulas, operand| match *formulas.get(operand) {
            Formula::Unary(found, below) if found == outer => match *formulas.get(below) {
                Formula::Unary(found, inner) if found == second => Some(inner),
                _ => None,
            },
            _ => None,
        },
    )?;
    let joined = formulas.unary(second, inner);
    let joined = formulas.unary(outer, joined);
    Some(rejoin(formulas, rest, joined, is_and))
}

/// Joins what `select` finds in at least two operands; the rest is returned beside it.
fn gather(
    formulas: &mut Formulas,
    operands: &[FormulaId],
    is_and: bool,
    select: impl Fn(&Formulas, FormulaId) -> Option<FormulaId>,
) -> Option<(FormulaId, Vec<FormulaId>)> {
    let mut found = Vec::new();
    let mut rest = Vec::new();
    for operand in operands {
        match select(formulas, *operand) {
            Some(inner) => found.push(inner),
            None => rest.push(*operand),
        }
    }
    if found.len() < 2 {
        return None;
    }
    let inner = join(formulas, found, is_and);
    Some((inner, rest))
}

fn rejoin(
    formulas: &mut Formulas,
    mut rest: Vec<FormulaId>,
    joined: FormulaId,
    is_and: bool,
) -> FormulaId {
    rest.push(joined);
    join(formulas, rest, is_and)
}

fn join(formulas: &mut Formulas, operands: Vec<FormulaId>, is_and: bool) -> FormulaId {
    if is_and {
        formulas.and(operands)
    } else {
        formulas.or(operands)
    }
}

/// `(a U c) & (b U c)` is `(a & b) U c`; `(a U b) | (a U c)` is `a U (b | c)`; and the duals.
fn common_operand(formulas: &mut Formulas, id: FormulaId) -> Option<FormulaId> {
    let (operands, is_and) = match formulas.get(id) {
        Formula::And(operands) => (operands.clone(), true),
        Formula::Or(operands) => (operands.clone(), false),
        _ => return None,
    };
    for (index, first) in operands.iter().enumerate().take(MAX_PAIRS) {
        let Formula::Binary(operator, left, right) = *formulas.get(*first) else {
            continue;
        };
        for second in operands[index + 1..].iter().take(MAX_PAIRS) {
            let Formula::Binary(other, other_left, other_right) = *formulas.get(*second) else {
                continue;
            };
            if operator != other {
                continue;
            }
            // U, W and S distribute over `&` on the left and `|` on the right; R, M and T the
            // other way round.
            let until_like = matches!(operator, Until | WeakUntil | Since);
            let merged = if right == other_right && is_and == until_like {
                let left = join(formulas, vec![left, other_left], is_and);
                formulas.binary(operator, left, right)
            } else if left == other_left && is_and != until_like {
                let right = join(formulas, vec![right, other_right], is_and);
                formulas.binary(operator, left, right)
            } else {
                continue;
            };
            let rest = operands
                .iter()
                .filter(|operand| *operand != first && *operand != second)
                .copied()
                .collect();
            return Some(rejoin(formulas, rest, merged, is_and));
        }
    }
    None
}

/// `G a | (a U b)` is `a W b`, and `F b & (a W b)` is `a U b`; the same for releases.
fn split_until(formulas: &mut Formulas, id: FormulaId) -> Option<FormulaId> {
    let (operands, is_and) = match formulas.get(id) {
        Formula::And(operands) => (operands.clone(), true),
        Formula::Or(operands) => (operands.clone(), false),
        _ => return None,
    };
    for unary in operands.iter() {
        let Formula::Unary(outer, alone) = *formulas.get(*unary) else {
            continue;
        };
        for binary in operands.iter() {
            let Formula::Binary(operator, left, right) = *formulas.get(*binary) else {
                continue;
            };
            let joined = match (is_and, outer, operator) {
                (false, Globally, Until) if alone == left => WeakUntil,
                (false, Globally, StrongRelease) if alone == right => Release,
                (true, Finally, WeakUntil) if alone == right => Until,
                (true, Finally, Release) if alone == left => StrongRelease,
                _ => continue,
            };
            let joined = formulas.binary(joined, left, right);
            let rest = operands.iter().copied();
            let rest = rest.filter(|operand| operand != unary && operand != binary);
            return Some(rejoin(formulas, rest.collect(), joined, is_and));
        }
    }
    None
}

/// `a U b` where `a` implies `b`, or where one of them follows from the negation of the other.
fn implied_operand(formulas: &mut Formulas, id: FormulaId) -> Option<FormulaId> {
    let Formula::Binary(operator, left, right) = *formulas.get(id) else {
        return None;
    };
    if matches!(operator, Until | WeakUntil | Since) {
        if implies(formulas, left, right) {
            return Some(right);
        }
        let negated = negate(formulas, right);
        if implies(formulas, negated, left) {
            return Some(match operator {
                Until => formulas.finally(right),
                Since => formulas.unary(Once, right),
                _ => TRUE,
            });
        }
    } else {
        if implies(formulas, right, left) {
            return Some(right);
        }
        let negated = negate(formulas, left);
        if implies(formulas, right, negated) {
            return Some(match operator {
                Release => formulas.globally(right),
                Trigger => formulas.unary(Historically, right),
                _ => FALSE,
            });
        }
    }
    None
}

/// In `a & b`: drops `b` if `a` implies it, and gives `false` if `a` implies `!b`; in `a | b`
/// the dual. Also drops from a disjunction inside a conjunction what its neighbours exclude.
fn implied_neighbour(formulas: &mut Formulas, id: FormulaId) -> Option<FormulaId> {
    let (operands, is_and) = match formulas.get(id) {
        Formula::And(operands) => (operands.clone(), true),
        Formula::Or(operands) => (operands.clone(), false),
        _ => return None,
    };
    if operands.len() > MAX_PAIRS {
        return None;
    }
    let stronger = |formulas: &Formulas, first, second| {
        if is_and {
            implies(formulas, first, second)
        } else {
            implies(formulas, second, first)
        }
    };
    for first in operands.iter() {
        for second in operands.iter().filter(|second| *second != first) {
            if stronger(formulas, *first, *second) {
                let rest = operands.iter().filter(|operand| *operand != second);
                let rest = rest.copied().collect();
                return Some(join(formulas, rest, is_and));
            }
            let negated = negate(formulas, *second);
            if stronger(formulas, *first, negated) {
                return Some(formulas.constant(!is_and));
            }
            let inner = match formulas.get(*second) {
                Formula::Or(inner) if is_and => inner.clone(),
                Formula::And(inner) if !is_and => inner.clone(),
                _ => continue,
            };
            let mut kept = Vec::new();
            for operand in inner.iter() {
                let negated = negate(formulas, *operand);
                if !stronger(formulas, *first, negated) {
                    kept.push(*operand);
                }
            }
            if kept.len() < inner.len() {
                let shorter = join(formulas, kept, !is_and);
                let rest = operands.iter().filter(|operand| *operand != second);
                let rest = rest.copied().collect();
                return Some(rejoin(formulas, rest, shorter, is_and));
            }
        }
    }
    None
}
