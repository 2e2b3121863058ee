//! Verdicts that are the same when some variables are frozen: they keep their first values.
//!
//! A specification with more assumptions is easier to satisfy, so one that nothing satisfies
//! even if inputs keep their first values is not realizable. Large specifications have
//! families of inputs that play the same part, one for each client, and most conflicts need
//! none of them to change. Without their changes the game is far smaller: a system that may
//! serve a hundred pending clients before it has lost takes hundreds of steps to lose.
//!
//! And one with more guarantees is harder to satisfy, so one that is realizable even if some
//! outputs keep their first values is realizable. A system that is free to do something
//! besides its duties, and need not, is a large game for nothing.
//!
//! Invariant: an answer is right when it is given, as those of `approximate` are.

use super::oracle::{NODE_BUDGET, Oracle, solved};
use super::subset::Subset;
use super::thin::constraint_shape;
use crate::bdd::Result;
use crate::game::gr1::Selection;
use crate::spec::Semantics;
use crate::spec::gr1::{ConstraintId, Gr1, Player, VariableId};
use std::collections::{BTreeMap, BTreeSet};

/// Smaller families of inputs may as well move: there the whole game is no dearer.
const FAMILY: usize = 8;

/// After so many questions in a row in which frozen inputs showed nothing, it is not tried.
const PATIENCE: usize = 4;

/// What is known of variables that can be frozen without another verdict.
pub(super) struct Frozen {
    /// Inputs that conflicts seldom need to change.
    inputs: BTreeSet<VariableId>,
    /// How often in a row that was not enough to see a conflict.
    in_vain: usize,
    /// Outputs that did not have to change in a large game that the system has won.
    outputs: BTreeSet<VariableId>,
}

impl Frozen {
    pub fn new(spec: &Gr1) -> Frozen {
        Frozen {
            inputs: family_inputs(spec),
            in_vain: 0,
            outputs: BTreeSet::new(),
        }
    }
}

impl<'a> Oracle<'a> {
    /// Whether the set is seen to conflict even if families of inputs stay as they are.
    pub(super) fn conflicts_while_frozen(&mut self, set: &Subset) -> Result<bool> {
        if let Some(known) = self.known(set) {
            return Ok(known);
        }
        let mut selection = self.selection(set);
        selection.frozen_variables = self.frozen.inputs.clone();
        // With the implication, more assumptions may also be forfeited more easily.
        let is_of_use = !selection.frozen_variables.is_empty() && self.frozen.in_vain < PATIENCE;
        if !is_of_use || self.semantics == Semantics::Implication {
            return Ok(false);
        }
        let verdict = self.within(10 * NODE_BUDGET, |oracle| {
            solved(&oracle.rules_of_plays(set, &selection)?)
        })?;
        self.count(true);
        let prevented = verdict.and_then(|verdict| verdict.prevented);
        if let Some(goals) = &prevented {
            self.learn(&self.preventing(set, goals), true);
        }
        self.frozen.in_vain = if prevented.is_some() {
            0
        } else {
            self.frozen.in_vain + 1
        };
        Ok(prevented.is_some())
    }

    /// Whether the set is seen to be no conflict even if some outputs stay as they are: those
    /// that were enough the last time, or families of them that are looked for with these node
    /// budgets.
    pub(super) fn wins_while_frozen(
        &mut self,
        set: &Subset,
        node_budgets: &[usize],
    ) -> Result<bool> {
        if let Some(known) = self.known(set) {
            return Ok(!known);
        }
        for part in self.parts(set)? {
            if !self.wins_part_while_frozen(set, &part.selection, node_budgets)? {
                return Ok(false);
            }
        }
        self.learn(set, false);
        Ok(true)
    }

    pub(super) fn wins_part_while_frozen(
        &mut self,
        set: &Subset,
        part: &Selection,
        node_budgets: &[usize],
    ) -> Result<bool> {
        if self.semantics == Semantics::Implication {
            return Ok(false);
        }
        let wins = |oracle: &mut Oracle<'a>, outputs: &BTreeSet<VariableId>, node_budget| {
            let mut selection = part.clone();
            selection.frozen_variables.extend(outputs);
            let verdict = oracle.decide(set, &selection, node_budget)?;
            oracle.count(true);
            Ok(verdict.map(|verdict| verdict.prevented.is_none()))
        };
        let last = self.frozen.outputs.clone();
        if !last.is_empty() && wins(self, &last, 10 * NODE_BUDGET)? == Some(true) {
            return Ok(true);
        }
        let mut families: Vec<BTreeSet<VariableId>> = if node_budgets.is_empty() {
            Vec::new()
        } else {
            output_families(self.spec())
        };
        for node_budget in node_budgets {
            // A family that has to move is of no use, with others as well.
            let mut open = Vec::new();
            for family in families {
                match wins(self, &family, *node_budget)? {
                    Some(true) => {
                        self.frozen.outputs = family;
                        return Ok(true);
                    }
                    Some(false) => {}
                    None => open.push(family),
                }
            }
            families = open;
            let together = families.iter().flatten().copied().collect();
            if families.len() > 1 && wins(self, &together, *node_budget)? == Some(true) {
                self.frozen.outputs = together;
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The inputs of large families.
fn family_inputs(spec: &Gr1) -> BTreeSet<VariableId> {
    let shape = |id| constraint_shape(spec, id);
    let families = families(spec, Player::Environment, shape).into_iter();
    let large = families.filter(|one| one.len() >= FAMILY);
    large.flatten().collect()
}

/// The outputs in families. Here constraints of one size are alike: clients differ in their
/// codes, which makes their constraints different ones.
pub(super) fn output_families(spec: &Gr1) -> Vec<BTreeSet<VariableId>> {
    let families = families(spec, Player::System, |id| {
        let constraint = spec.constraint(id);
        let size = spec.terms.variables(constraint.term).len();
        format!("{:?} {:?} {size}", constraint.side, constraint.kind)
    });
    let is_auxiliary = |one: &VariableId| spec.variable(*one).is_auxiliary();
    let own = families.into_iter();
    own.filter(|one| !one.iter().any(is_auxiliary)).collect()
}

/// The variables of a player in families: those that occur in constraints of the same shapes.
fn families(
    spec: &Gr1,
    player: Player,
    shape: impl Fn(ConstraintId) -> String,
) -> Vec<BTreeSet<VariableId>> {
    let mut shapes: BTreeMap<VariableId, Vec<String>> = BTreeMap::new();
    for id in spec.constraint_ids() {
        let found = spec.terms.variables(spec.constraint(id).term);
        let found: BTreeSet<VariableId> = found.into_iter().map(|(one, _)| one).collect();
        let own = |one: &VariableId| spec.variable(*one).owner == player;
        let mut variables = found.into_iter().filter(own).peekable();
        if variables.peek().is_some() {
            let shape = shape(id);
            for variable in variables {
                shapes.entry(variable).or_default().push(shape.clone());
            }
        }
    }
    let mut families: BTreeMap<Vec<String>, BTreeSet<VariableId>> = BTreeMap::new();
    for (variable, mut shapes) in shapes {
        shapes.sort_unstable();
        families.entry(shapes).or_default().insert(variable);
    }
    let mut families: Vec<BTreeSet<VariableId>> = families.into_values().collect();
    families.sort_unstable();
    families
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bdd::Limits;
    use crate::game::gr1::Gr1Game;
    use crate::source::Sources;
    use crate::spec::spectra;

    fn read(text: &str) -> Gr1 {
        let mut sources = Sources::new();
        let file = sources.add("clients", text);
        spectra::parse(&sources, file).expect("a specification without mistakes")
    }

    fn names(spec: &Gr1, variables: &BTreeSet<VariableId>) -> Vec<String> {
        let names = variables.iter().map(|id| spec.variable(*id).name.clone());
        names.collect()
    }

    #[test]
    fn inputs_that_play_the_same_part_are_a_family() {
        let mut text = "module Clients\nenv boolean odd;\nenv boolean idle;\n".to_string();
        for client in 0..FAMILY {
            text += &format!("env boolean r{client};\nsys boolean g{client};\n");
            text += &format!("gar G (r{client} -> next(g{client}));\n");
        }
        text += "gar GF (odd -> g0);\n";
        let spec = read(&text);
        let expected: Vec<String> = (0..FAMILY).map(|client| format!("r{client}")).collect();
        assert_eq!(names(&spec, &family_inputs(&spec)), expected);
    }

    #[test]
    fn outputs_with_constraints_of_the_same_sizes_are_a_family() {
        let spec = read(
            "module Codes\nenv boolean r;\nsys boolean a;\nsys boolean b;\nsys boolean spare;\n\
             gar G (r -> next(a));\ngar G (next(b) -> r);\ngar GF (spare | r);\n",
        );
        let families = output_families(&spec);
        let families: Vec<Vec<String>> = families.iter().map(|one| names(&spec, one)).collect();
        assert_eq!(families, [vec!["a", "b"], vec!["spare"]]);
    }

    /// Whether an arbiter is seen to reach its goals while some output stays as it is.
    fn wins(goals: &str) -> bool {
        let spec = read(&format!(
            "module Arbiter\nenv boolean r;\nsys boolean g;\nsys boolean h;\nsys boolean spare;\n\
             gar apart: G !(g & h);\ngar calm: G (spare -> next(!g));\ngar GF (r -> g);\n{goals}"
        ));
        let game = Gr1Game::new(&spec, Limits::default()).expect("no limits");
        let mut oracle = Oracle::new(&game, Semantics::Strict);
        let whole = oracle.whole();
        oracle
            .wins_while_frozen(&whole, &[NODE_BUDGET])
            .expect("no limits")
    }

    #[test]
    fn a_system_may_win_while_outputs_stay_as_they_are() {
        assert!(wins("gar GF h;"));
        // Each output has to move; that the system wins is not seen.
        assert!(!wins("gar GF (h & spare);\ngar GF (!h & !spare & g);"));
        // Nobody wins this.
        assert!(!wins("gar GF (g & h);"));
    }
}
