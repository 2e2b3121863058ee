//! In which step the violation of a safe part shows, as a formula about the past.
//!
//! `docs/semantics.md` defines it: a violation shows in the first step after which the part is
//! false however the run goes on and every reason for that has been seen. The strict semantics
//! compares such steps of assertions and of assumptions, so a claim about all runs of a design
//! needs them as formulas. They are written here for parts of two kinds, at the start or in
//! each step from some step on:
//!
//! - conditions on a bounded number of steps, such as `a -> X b`. For each number of steps
//!   seen, what lies further ahead is taken to come true, as in `finite`;
//! - `p | a W b`, also as `R` or `G`, where `p`, `a` and `b` are about the present and the past.

use super::parts::{Signed, is_about_the_past, signed_binary, signed_subformulas, signed_unary};
use crate::expr::{TemporalBinary, TemporalUnary};
use crate::spec::formula::{FALSE, TRUE};
use crate::spec::{Formula, FormulaId, Formulas};
use std::collections::HashMap;

/// Conditions may look this many steps ahead; each costs a copy of the formula.
const MOST_STEPS_AHEAD: usize = 32;

/// A formula about the past that is true in the step in which the violation of a safe part
/// shows, and false in all steps before. `None` if the part is of another kind.
pub(super) fn violation_shows(formulas: &mut Formulas, part: FormulaId) -> Option<FormulaId> {
    let (start, body) = starting_steps(formulas, part);
    let leaves = disjuncts(formulas, body);
    let is_past = |leaf: &Signed| is_about_the_past(formulas, leaf.0);
    let (past, ahead): (Vec<Signed>, Vec<Signed>) = leaves.into_iter().partition(is_past);
    if let [only] = ahead.as_slice()
        && let Some(until) = weak_until(formulas, *only)
    {
        let past: Vec<FormulaId> = past.iter().map(|leaf| signed(formulas, *leaf)).collect();
        let excused = formulas.or(past);
        return Some(until_shows(formulas, start, excused, until));
    }
    bounded_shows(formulas, start, body)
}

/// The steps in which the body of a part has to hold, and the body.
fn starting_steps(formulas: &mut Formulas, part: FormulaId) -> (FormulaId, FormulaId) {
    let mut body = part;
    let mut offset = 0;
    while let Formula::Unary(TemporalUnary::Next, operand) = formulas.get(body) {
        body = *operand;
        offset += 1;
    }
    let mut recurs = false;
    while let Formula::Unary(TemporalUnary::Globally, operand) = formulas.get(body) {
        body = *operand;
        recurs = true;
    }
    let first = if recurs {
        TRUE
    } else {
        formulas.unary(TemporalUnary::WeakYesterday, FALSE)
    };
    (yesterday(formulas, first, offset), body)
}

/// A formula some steps ago; false if there were not so many.
fn yesterday(formulas: &mut Formulas, formula: FormulaId, steps: usize) -> FormulaId {
    (0..steps).fold(formula, |inner, _| {
        formulas.unary(TemporalUnary::Yesterday, inner)
    })
}

fn signed(formulas: &mut Formulas, (id, positive): Signed) -> FormulaId {
    if positive { id } else { formulas.not(id) }
}

/// The disjuncts of a formula, with negations pushed into it.
fn disjuncts(formulas: &Formulas, root: FormulaId) -> Vec<Signed> {
    let mut found = Vec::new();
    let mut pending = vec![(root, true)];
    while let Some((id, positive)) = pending.pop() {
        match (formulas.get(id), positive) {
            (Formula::Not(operand), _) => pending.push((*operand, !positive)),
            (Formula::Or(operands), true) | (Formula::And(operands), false) => {
                pending.extend(operands.iter().map(|operand| (*operand, positive)));
            }
            _ => found.push((id, positive)),
        }
    }
    found
}

/// `hold W release`.
struct WeakUntil {
    hold: FormulaId,
    release: FormulaId,
}

/// A safe operator with operands about the past, as a weak until.
fn weak_until(formulas: &mut Formulas, (id, positive): Signed) -> Option<WeakUntil> {
    match formulas.get(id).clone() {
        Formula::Unary(operator, operand) => {
            let is_globally = signed_unary(operator, positive) == TemporalUnary::Globally;
            (is_globally && is_about_the_past(formulas, operand)).then(|| WeakUntil {
                hold: signed(formulas, (operand, positive)),
                release: FALSE,
            })
        }
        Formula::Binary(operator, left, right) => {
            if !is_about_the_past(formulas, left) || !is_about_the_past(formulas, right) {
                return None;
            }
            let left = signed(formulas, (left, positive));
            let right = signed(formulas, (right, positive));
            match signed_binary(operator, positive) {
                TemporalBinary::WeakUntil => Some(WeakUntil {
                    hold: left,
                    release: right,
                }),
                TemporalBinary::Release => Some(WeakUntil {
                    hold: right,
                    release: formulas.and([left, right]),
                }),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The step without `hold`, since a start without excuse, with no release in between.
fn until_shows(
    formulas: &mut Formulas,
    start: FormulaId,
    excused: FormulaId,
    until: WeakUntil,
) -> FormulaId {
    let bound = formulas.not(until.release);
    let fails = formulas.not(until.hold);
    let obliged = formulas.not(excused);
    let begins = formulas.and([start, obliged, bound]);
    let pending = formulas.binary(TemporalBinary::Since, bound, begins);
    formulas.and([fails, bound, pending])
}

/// For each number of steps seen since the start, whether the body is impossible by then.
fn bounded_shows(formulas: &mut Formulas, start: FormulaId, body: FormulaId) -> Option<FormulaId> {
    let ahead = steps_ahead(formulas, body)?;
    let mut shows = Vec::new();
    for seen in 0..=ahead[&body] {
        let possible = possible_after(formulas, &ahead, body, seen);
        let impossible = formulas.not(possible);
        let started = yesterday(formulas, start, seen);
        shows.push(formulas.and([started, impossible]));
    }
    Some(formulas.or(shows))
}

/// How many steps ahead each part of a condition looks; `None` if no bound is known, if they
/// are too many, or if an operator about the past is applied to something about the future.
fn steps_ahead(formulas: &Formulas, root: FormulaId) -> Option<HashMap<FormulaId, usize>> {
    let mut depths: HashMap<FormulaId, usize> = HashMap::new();
    for id in formulas.subformulas(root) {
        let formula = formulas.get(id);
        let mut depth = 0;
        formula.for_each_operand(|operand| depth = depth.max(depths[&operand]));
        match formula {
            Formula::Unary(TemporalUnary::Next, _) => depth += 1,
            _ if formula.is_future() => return None,
            _ if formula.is_past() && depth > 0 => return None,
            _ => {}
        }
        depths.insert(id, depth);
    }
    (depths[&root] <= MOST_STEPS_AHEAD).then_some(depths)
}

/// Whether a condition of a step `seen` steps ago may still hold, said in the present step.
fn possible_after(
    formulas: &mut Formulas,
    ahead: &HashMap<FormulaId, usize>,
    root: FormulaId,
    seen: usize,
) -> FormulaId {
    let below = signed_subformulas(formulas, (root, true));
    // In the step after the present one everything comes true.
    let mut later: HashMap<Signed, FormulaId> = below.iter().map(|one| (*one, TRUE)).collect();
    for ago in 0..=seen {
        let mut now: HashMap<Signed, FormulaId> = HashMap::new();
        for &(id, positive) in &below {
            let value = if ahead[&id] == 0 {
                let value = signed(formulas, (id, positive));
                yesterday(formulas, value, ago)
            } else {
                match formulas.get(id).clone() {
                    Formula::Not(operand) => now[&(operand, !positive)],
                    Formula::Unary(_, operand) => later[&(operand, positive)],
                    Formula::And(operands) | Formula::Or(operands) => {
                        let is_and = matches!(formulas.get(id), Formula::And(_)) == positive;
                        let operands: Vec<FormulaId> =
                            operands.iter().map(|one| now[&(*one, positive)]).collect();
                        if is_and {
                            formulas.and(operands)
                        } else {
                            formulas.or(operands)
                        }
                    }
                    // `steps_ahead` has refused everything else.
                    _ => TRUE,
                }
            };
            now.insert((id, positive), value);
        }
        later = now;
    }
    later[&(root, true)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certify::finite::is_possible;
    use crate::certify::parts::{is_safe, parts};
    use crate::expr::{Expr, ExprKind};
    use crate::random::Random;

    const STEPS: usize = 6;

    fn atoms(formulas: &mut Formulas) -> Vec<FormulaId> {
        let name = |name: &str| Expr {
            kind: ExprKind::Name(vec![name.to_string()]),
            span: None,
        };
        let names = ["a", "b", "c"];
        names
            .map(|one| formulas.condition_atom(&name(one)))
            .to_vec()
    }

    fn random_formula(formulas: &mut Formulas, random: &mut Random, depth: usize) -> FormulaId {
        if depth == 0 {
            let atoms = atoms(formulas);
            return *random.pick(&atoms);
        }
        let left = random_formula(formulas, random, depth - 1);
        let right = random_formula(formulas, random, depth - 1);
        match random.below(12) {
            0 | 1 => formulas.not(left),
            2 | 3 => formulas.and([left, right]),
            4 | 5 => formulas.or([left, right]),
            6 | 7 => formulas.next(left),
            8 => formulas.globally(left),
            9 => formulas.binary(TemporalBinary::WeakUntil, left, right),
            10 => formulas.binary(TemporalBinary::Release, left, right),
            _ => formulas.unary(TemporalUnary::Yesterday, left),
        }
    }

    /// The first step of a word in which a violation shows, by the definition.
    fn defined(formulas: &Formulas, part: FormulaId, word: &[u64]) -> Option<usize> {
        (0..word.len()).find(|last| {
            !is_possible(formulas, part, last + 1, |atom, step| {
                word[step] >> atom.index() & 1 == 1
            })
        })
    }

    /// The same by a formula about the past.
    fn by_formula(formulas: &mut Formulas, shows: FormulaId, word: &[u64]) -> Option<usize> {
        (0..word.len()).find(|last| {
            let there = (0..*last).fold(shows, |inner, _| formulas.next(inner));
            is_possible(formulas, there, last + 1, |atom, step| {
                word[step] >> atom.index() & 1 == 1
            })
        })
    }

    #[test]
    fn violations_show_where_the_definition_says() {
        let mut compared = 0;
        for seed in 0..3_000 {
            let mut random = Random::new(seed);
            let mut formulas = Formulas::new();
            atoms(&mut formulas);
            let depth = 1 + random.below(3);
            let body = random_formula(&mut formulas, &mut random, depth);
            let root = if random.chance(70) {
                formulas.globally(body)
            } else {
                body
            };
            for part in parts(&mut formulas, root) {
                if !is_safe(&formulas, part) {
                    continue;
                }
                let Some(shows) = violation_shows(&mut formulas, part) else {
                    continue;
                };
                compared += 1;
                for _ in 0..10 {
                    let word: Vec<u64> = (0..STEPS).map(|_| random.word()).collect();
                    let expected = defined(&formulas, part, &word);
                    let found = by_formula(&mut formulas, shows, &word);
                    let text = formulas.text(part);
                    assert_eq!(found, expected, "seed {seed}: {text}");
                }
            }
        }
        assert!(compared > 1_000, "{compared} parts were compared");
    }
}
