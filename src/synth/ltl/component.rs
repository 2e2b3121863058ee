//! Parts of a specification that can be solved one by one.
//!
//! Goals that share no output, neither themselves nor through their assumptions, are kept by
//! controllers that need not know of each other. If one of the parts is unrealizable, so is
//! the whole: the environment plays against that part alone, and its assumptions are all of
//! the part's.

use crate::spec::ltl::{Given, Requirement, Requirements};
use crate::spec::{AtomId, FormulaId, split_conjunction};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A part with outputs of its own.
#[derive(Clone, Debug)]
pub struct Component {
    pub goals: Vec<Requirement>,
}

/// The parts of a specification. `outputs` says which atoms depend on outputs, and on which.
pub fn components(
    requirements: &mut Requirements,
    outputs: &HashMap<AtomId, Vec<usize>>,
) -> Vec<Component> {
    let mut goals = Vec::new();
    for goal in requirements.goals.clone() {
        for part in split_conjunction(&mut requirements.formulas, goal.goal) {
            let part = Requirement {
                given: goal.given,
                goal: part,
            };
            if !goals.contains(&part) {
                goals.push(part);
            }
        }
    }
    let outputs_of = |id: FormulaId| -> BTreeSet<usize> {
        let atoms = requirements.formulas.atoms_of(id);
        let found = atoms.iter().filter_map(|atom| outputs.get(atom)).flatten();
        found.copied().collect()
    };
    let mut shared: BTreeMap<Given, BTreeSet<usize>> = BTreeMap::new();
    for given in [Given::Start, Given::All] {
        let assumptions = requirements.given(given);
        let found = assumptions.into_iter().flat_map(outputs_of).collect();
        shared.insert(given, found);
    }
    // Groups of goals, each with its outputs; one that connects two of them joins them.
    let mut groups: Vec<(BTreeSet<usize>, Vec<Requirement>)> = Vec::new();
    for goal in goals {
        let mut own = outputs_of(goal.goal);
        own.extend(&shared[&goal.given]);
        let mut members = Vec::new();
        let mut rest = Vec::new();
        for (theirs, goals) in groups {
            if theirs.is_disjoint(&own) {
                rest.push((theirs, goals));
            } else {
                own.extend(theirs);
                members.extend(goals);
            }
        }
        members.push(goal);
        rest.push((own, members));
        groups = rest;
    }
    groups
        .into_iter()
        .map(|(_, goals)| Component { goals })
        .collect()
}

/// The formula of a component. Goals with the same assumptions are one implication.
pub fn formulas_of(requirements: &mut Requirements, component: &Component) -> Vec<FormulaId> {
    let mut found = Vec::new();
    for given in [Given::Start, Given::All] {
        let own = component.goals.iter().filter(|goal| goal.given == given);
        let own: Vec<FormulaId> = own.map(|goal| goal.goal).collect();
        if own.is_empty() {
            continue;
        }
        let assumptions = requirements.given(given);
        let assumptions = requirements.formulas.and(assumptions);
        let goals = requirements.formulas.and(own);
        found.push(requirements.formulas.implies(assumptions, goals));
    }
    found
}
