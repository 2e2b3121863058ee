//! Takes formulas apart, and tells which parts show their violation in finitely many steps.
//!
//! A property holds exactly if each of its parts does: conjuncts, also those under `G` and
//! `X`. A part is *safe* if none of its operators asks for something to happen in the end:
//! with negations pushed to the atoms, it has no `F`, `U` or strong release. This is a
//! judgement of the syntax: a formula may be equivalent to a safe one and not be seen to be.

use crate::expr::{TemporalBinary, TemporalUnary};
use crate::spec::{Formula, FormulaId, Formulas};
use std::collections::HashSet;

/// A formula, or its negation if the flag is false.
pub(super) type Signed = (FormulaId, bool);

/// The parts of a formula.
pub(super) fn parts(formulas: &mut Formulas, root: FormulaId) -> Vec<FormulaId> {
    let mut found: Vec<FormulaId> = Vec::new();
    // What has to be put around a part, outermost first.
    let mut pending: Vec<(Vec<TemporalUnary>, Signed)> = vec![(Vec::new(), (root, true))];
    while let Some((mut around, (id, positive))) = pending.pop() {
        match (formulas.get(id), positive) {
            (Formula::Not(operand), _) => pending.push((around, (*operand, !positive))),
            (Formula::And(operands), true) | (Formula::Or(operands), false) => {
                let operands = operands.iter().rev();
                pending.extend(operands.map(|id| (around.clone(), (*id, positive))));
            }
            (Formula::Unary(TemporalUnary::Globally, operand), true)
            | (Formula::Unary(TemporalUnary::Finally, operand), false) => {
                around.push(TemporalUnary::Globally);
                pending.push((around, (*operand, positive)));
            }
            (Formula::Unary(TemporalUnary::Next, operand), _) => {
                around.push(TemporalUnary::Next);
                pending.push((around, (*operand, positive)));
            }
            _ => {
                let core = if positive { id } else { formulas.not(id) };
                let whole = around
                    .into_iter()
                    .rev()
                    .fold(core, |inner, operator| formulas.unary(operator, inner));
                if !found.contains(&whole) {
                    found.push(whole);
                }
            }
        }
    }
    found
}

/// Whether a violation of the formula shows in finitely many steps, judged by its syntax.
pub(super) fn is_safe(formulas: &Formulas, root: FormulaId) -> bool {
    signed_subformulas(formulas, (root, true))
        .into_iter()
        .all(|(id, positive)| match formulas.get(id) {
            Formula::Unary(operator, _) => {
                signed_unary(*operator, positive) != TemporalUnary::Finally
            }
            Formula::Binary(operator, ..) => !matches!(
                signed_binary(*operator, positive),
                TemporalBinary::Until | TemporalBinary::StrongRelease
            ),
            _ => true,
        })
}

/// All formulas below a root that matter, each with the sign with which it does; operands
/// come before what is made of them.
pub(super) fn signed_subformulas(formulas: &Formulas, root: Signed) -> Vec<Signed> {
    let mut found = HashSet::from([root]);
    let mut pending = vec![root];
    while let Some((id, positive)) = pending.pop() {
        let formula = formulas.get(id);
        let sign = positive != matches!(formula, Formula::Not(_));
        formula.for_each_operand(|operand| {
            if found.insert((operand, sign)) {
                pending.push((operand, sign));
            }
        });
    }
    let mut found: Vec<Signed> = found.into_iter().collect();
    found.sort_unstable();
    found
}

/// The operator that says of negated operands what the negation of this one says.
pub(super) fn signed_unary(operator: TemporalUnary, positive: bool) -> TemporalUnary {
    if positive {
        return operator;
    }
    match operator {
        TemporalUnary::Next => TemporalUnary::Next,
        TemporalUnary::Finally => TemporalUnary::Globally,
        TemporalUnary::Globally => TemporalUnary::Finally,
        TemporalUnary::Yesterday => TemporalUnary::WeakYesterday,
        TemporalUnary::WeakYesterday => TemporalUnary::Yesterday,
        TemporalUnary::Once => TemporalUnary::Historically,
        TemporalUnary::Historically => TemporalUnary::Once,
    }
}

/// The same for operators with two operands.
pub(super) fn signed_binary(operator: TemporalBinary, positive: bool) -> TemporalBinary {
    if positive {
        return operator;
    }
    match operator {
        TemporalBinary::Until => TemporalBinary::Release,
        TemporalBinary::Release => TemporalBinary::Until,
        TemporalBinary::WeakUntil => TemporalBinary::StrongRelease,
        TemporalBinary::StrongRelease => TemporalBinary::WeakUntil,
        TemporalBinary::Since => TemporalBinary::Trigger,
        TemporalBinary::Trigger => TemporalBinary::Since,
    }
}

/// Whether the truth of a formula in a step is known in that step: no operator looks ahead.
pub(super) fn is_about_the_past(formulas: &Formulas, root: FormulaId) -> bool {
    let below = formulas.subformulas(root);
    below.into_iter().all(|id| !formulas.get(id).is_future())
}
