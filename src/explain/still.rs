//! Conflicts that are still there when many inputs stay as they are.
//!
//! A specification with more assumptions is easier to satisfy, so one that nothing satisfies
//! even if inputs keep their first values is not realizable. Large specifications have
//! families of inputs that play the same part, one for each client, and most conflicts need
//! none of them to change. Without their changes the game is far smaller: a system that may
//! serve a hundred pending clients before it has lost takes hundreds of steps to lose.
//!
//! Invariant: an answer is right when it is given, as those of `approximate` are.

use super::thin::constraint_shape;
use crate::spec::gr1::{Gr1, Player, VariableId};
use std::collections::{BTreeMap, BTreeSet};

/// Smaller families may as well move: there the whole game is no dearer.
const FAMILY: usize = 8;

/// The inputs of families: those that occur in constraints of the same shapes as others do.
pub(super) fn families(spec: &Gr1) -> BTreeSet<VariableId> {
    let mut shapes: BTreeMap<VariableId, Vec<String>> = BTreeMap::new();
    for id in spec.constraint_ids() {
        let found = spec.terms.variables(spec.constraint(id).term);
        let found: BTreeSet<VariableId> = found.into_iter().map(|(one, _)| one).collect();
        let own = |one: &VariableId| spec.variable(*one).owner == Player::Environment;
        let mut inputs = found.into_iter().filter(own).peekable();
        if inputs.peek().is_some() {
            let shape = constraint_shape(spec, id);
            for input in inputs {
                shapes.entry(input).or_default().push(shape.clone());
            }
        }
    }
    let mut families: BTreeMap<Vec<String>, Vec<VariableId>> = BTreeMap::new();
    for (input, mut shapes) in shapes {
        shapes.sort();
        families.entry(shapes).or_default().push(input);
    }
    let large = families.into_values().filter(|one| one.len() >= FAMILY);
    large.flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;
    use crate::spec::spectra;

    #[test]
    fn inputs_that_play_the_same_part_are_a_family() {
        let mut text = "module Clients\nenv boolean odd;\nenv boolean idle;\n".to_string();
        for client in 0..FAMILY {
            text += &format!("env boolean r{client};\nsys boolean g{client};\n");
            text += &format!("gar G (r{client} -> next(g{client}));\n");
        }
        text += "gar GF (odd -> g0);\n";
        let mut sources = Sources::new();
        let file = sources.add("clients", text.as_str());
        let spec = spectra::parse(&sources, file).expect("a specification without mistakes");
        let found = families(&spec).into_iter();
        let names: Vec<&str> = found.map(|id| spec.variable(id).name.as_str()).collect();
        let expected: Vec<String> = (0..FAMILY).map(|client| format!("r{client}")).collect();
        assert_eq!(names, expected);
    }
}
