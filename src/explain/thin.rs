//! Fewer of many constraints that conflict, by giving up many at once.
//!
//! Large specifications repeat themselves: one requirement for each client, or one for each
//! pair of them. Halves of such a family are worse than the whole family and than none of
//! it, because a game in which something is half constrained is often far more expensive. So
//! before single constraints are given up, ours gives up
//!
//! - all guarantees of one shape, that is, which differ in their variables only;
//! - all guarantees that speak of one output, with the output.
//!
//! Invariant: what is left fails; it need not be minimal.

use super::minimize::Narrow;
use super::oracle::{Element, Oracle};
use crate::spec::gr1::{ConstraintId, Gr1, Term, TermId};
use crate::stack;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Fewer items than this are given up one by one.
pub(super) const MANY: usize = 40;

/// What is given up together, families of one shape before outputs, large ones first.
pub(super) fn classes(oracle: &Oracle, items: &[usize]) -> Vec<Vec<usize>> {
    if items.len() < MANY {
        return Vec::new();
    }
    let spec = oracle.spec();
    let mut shapes: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut outputs: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for item in items {
        match oracle.element(*item) {
            Element::Guarantee(id) => {
                let shape = constraint_shape(spec, id);
                shapes.entry(shape).or_default().push(*item);
                let mut spoken: Vec<usize> = spec
                    .terms
                    .variables(spec.constraint(id).term)
                    .into_iter()
                    .filter_map(|(variable, _)| oracle.number(Element::Output(variable)))
                    .collect();
                spoken.dedup();
                for output in spoken {
                    outputs.entry(output).or_default().push(*item);
                }
            }
            Element::Output(_) => outputs.entry(*item).or_default().push(*item),
            Element::Lack(_) => {}
        }
    }
    let mut classes = Vec::new();
    for groups in [
        shapes.into_values().collect::<Vec<_>>(),
        outputs.into_values().collect(),
    ] {
        let mut groups: Vec<Vec<usize>> = groups;
        groups.retain(|group| group.len() > 1);
        groups.sort_by_key(|group| Reverse(group.len()));
        classes.extend(groups);
    }
    classes
}

/// A part of the items that still fails, without as many classes as possible.
pub(super) fn give_up<E>(
    classes: &[Vec<usize>],
    items: &[usize],
    fails: &mut Narrow<'_, E>,
) -> Result<Vec<usize>, E> {
    let mut current = items.to_vec();
    for class in classes {
        let mut rest = current.clone();
        rest.retain(|item| !class.contains(item));
        if rest.len() < current.len()
            && let Some(part) = fails(&rest)?
        {
            current = part;
        }
    }
    Ok(current)
}

/// A constraint without the names of its variables.
pub(super) fn constraint_shape(spec: &Gr1, id: ConstraintId) -> String {
    shape_of(spec, id, true)
}

/// The same without negations as well: where clients have numbers in binary, constraints of one
/// kind differ in them.
pub(super) fn unsigned_shape(spec: &Gr1, id: ConstraintId) -> String {
    shape_of(spec, id, false)
}

fn shape_of(spec: &Gr1, id: ConstraintId, is_signed: bool) -> String {
    let constraint = spec.constraint(id);
    let mut text = format!("{:?} ", constraint.kind);
    shape(spec, constraint.term, is_signed, &mut text);
    text
}

fn shape(spec: &Gr1, term: TermId, is_signed: bool, text: &mut String) {
    stack::recurse(|| {
        match spec.terms.get(term) {
            Term::Variable { variable, primed } => {
                let owner = spec.variable(*variable).owner;
                text.push_str(&format!("{owner:?}{}", if *primed { "'" } else { "" }));
                return;
            }
            Term::Compare(comparison, ..) => text.push_str(&format!("{comparison:?}")),
            Term::Arithmetic(operator, ..) => text.push_str(&format!("{operator:?}")),
            Term::And(_) => text.push('&'),
            Term::Or(_) => text.push('|'),
            Term::Implies(..) => text.push('>'),
            Term::Iff(..) => text.push('='),
            Term::Not(operand) if !is_signed => return shape(spec, *operand, is_signed, text),
            Term::Not(_) => text.push('!'),
            Term::Boolean(_) | Term::Integer(_) | Term::Enumerator(_) => text.push('#'),
        }
        text.push('(');
        for operand in spec.terms.operands(term) {
            shape(spec, operand, is_signed, text);
            text.push(',');
        }
        text.push(')');
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;
    use crate::spec::spectra;
    use std::convert::Infallible;

    #[test]
    fn clients_with_numbers_in_binary_differ_in_negations() {
        let text = "module Grants\nenv boolean r0;\nenv boolean r1;\n\
                    sys boolean low;\nsys boolean high;\n\
                    gar first: G (!low & !high -> r0);\n\
                    gar second: G (low & !high -> r1);\n\
                    gar other: G (low | !high -> r1);\n";
        let mut sources = Sources::new();
        let file = sources.add("grants", text);
        let spec = spectra::parse(&sources, file).expect("a specification without mistakes");
        let shapes = |shape: fn(&Gr1, ConstraintId) -> String| -> Vec<String> {
            let all = spec.constraint_ids();
            all.map(|id| shape(&spec, id)).collect()
        };
        let signed = shapes(constraint_shape);
        assert_ne!(signed[0], signed[1]);
        let unsigned = shapes(unsigned_shape);
        assert_eq!(unsigned[0], unsigned[1]);
        assert_ne!(unsigned[1], unsigned[2]);
    }

    #[test]
    fn classes_that_are_needed_stay() {
        let items: Vec<usize> = (0..10).collect();
        let mut fails = |set: &[usize]| {
            let both = set.contains(&3) && set.contains(&7);
            Ok::<_, Infallible>(both.then(|| set.to_vec()))
        };
        let classes = [vec![0, 1, 2], vec![3, 4], vec![5, 6], vec![7, 8, 9]];
        let Ok(left) = give_up(&classes, &items, &mut fails);
        assert_eq!(left, [3, 4, 7, 8, 9]);
    }
}
