//! The first order of variables, from what constraints mention together.
//!
//! [`super::super::frontier`] arranges the variables of each part that shares none with others.
//! Then the order is turned around if that brings what the environment is assumed to make recur
//! nearer to the top. The sets of states of one fixpoint differ in how far such a recurrence is
//! away. What they have in common, such as the mutual exclusion of many clients, is one diagram
//! for all of them if it is at the bottom, and one for each of them if it is at the top.

use crate::game::frontier::Graph;
use crate::spec::gr1::{Gr1, Kind, Side, VariableId};
use std::collections::BTreeSet;

/// A constraint on more variables says nothing about which of them belong together.
const LARGEST_GROUP: usize = 300;

/// An order of the variables in which few are waited for at each level.
pub(super) fn arrangement(spec: &Gr1) -> Vec<VariableId> {
    let groups: BTreeSet<BTreeSet<usize>> = spec
        .constraints
        .iter()
        .map(|constraint| spec.terms.variables(constraint.term))
        .map(|group| group.into_iter().map(|(id, _)| id.0 as usize).collect())
        .filter(|group: &BTreeSet<usize>| (2..=LARGEST_GROUP).contains(&group.len()))
        .collect();
    let graph = Graph::new(spec.variables.len(), &groups);
    let awaited = awaited(spec);
    let mut order = Vec::new();
    for part in graph.parts() {
        let mut arranged = graph.arranged(&part);
        if is_below_middle(&arranged, &awaited) {
            arranged.reverse();
        }
        order.extend(arranged);
    }
    order
        .into_iter()
        .map(|index| VariableId(index as u32))
        .collect()
}

/// What justice assumptions speak of.
fn awaited(spec: &Gr1) -> BTreeSet<usize> {
    spec.of(Side::Assumption, Kind::Justice)
        .flat_map(|id| spec.terms.variables(spec.constraint(id).term))
        .map(|(variable, _)| variable.0 as usize)
        .collect()
}

/// Whether the given variables are in the second half of an order on average.
fn is_below_middle(order: &[usize], variables: &BTreeSet<usize>) -> bool {
    let positions = (0..).zip(order);
    let found: Vec<usize> = positions
        .filter(|(_, variable)| variables.contains(variable))
        .map(|(position, _)| position)
        .collect();
    2 * found.iter().sum::<usize>() > found.len() * order.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;
    use crate::spec::spectra;

    fn names(text: &str) -> String {
        let mut sources = Sources::new();
        let id = sources.add("test.spectra", text);
        let spec = spectra::parse(&sources, id).expect("well-formed");
        let order = arrangement(&spec).into_iter();
        let names: Vec<&str> = order.map(|id| spec.variable(id).name.as_str()).collect();
        names.join(" ")
    }

    #[test]
    fn neighbours_of_a_chain_are_side_by_side() {
        let text = "module M env boolean a; sys boolean c; sys boolean b; sys boolean d;\n\
                    gar G (a -> b); gar G (b -> c); gar G (c -> d);";
        assert_eq!(names(text), "a b c d");
    }

    #[test]
    fn a_client_keeps_its_variables_together() {
        let text = "module M env boolean r1; env boolean r2; env boolean r3;\n\
                    sys boolean g1; sys boolean g2; sys boolean g3;\n\
                    gar G (g1 -> r1); gar G (g2 -> r2); gar G (g3 -> r3);\n\
                    gar G !(g1 & g2); gar G !(g2 & g3); gar G !(g1 & g3);";
        assert_eq!(names(text), "r1 g1 g2 r2 g3 r3");
    }

    #[test]
    fn what_is_assumed_to_recur_is_at_the_top() {
        let chain = "module M env boolean a; sys boolean b; sys boolean c;\n\
                     gar G (a -> b); gar G (b -> next(c));";
        assert_eq!(names(chain), "a b c");
        assert_eq!(names(&format!("{chain} asm GF c;")), "c b a");
    }

    #[test]
    fn parts_are_not_mixed() {
        let text = "module M env boolean a; env boolean b; sys boolean c; sys boolean d;\n\
                    gar G (a -> c); gar G (b -> d);";
        assert_eq!(names(text), "a c b d");
    }
}
