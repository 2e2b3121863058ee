//! Whether steps lead into a set of states, node by node of its diagram.
//!
//! The set with next values in the place of latches can be far larger than the set, the next
//! values and the steps, because it also says something of all other steps. So steps walk
//! through the diagram of the set instead: at each node those go one way whose next value of
//! its latch is 1, and all others the other way, and none may come to the end that is false.
//! Variables that no next value further down depends on are left out of the steps at once.

use super::machine::Machine;
use crate::bdd::{Bdd, Result, Variable, VariableSet};
use std::collections::{HashMap, HashSet};

impl Machine {
    /// Whether all of these steps lead into a set of states.
    pub(super) fn lead_into(&self, steps: &Bdd, states: &Bdd) -> Result<bool> {
        if steps.is_zero() || states.is_one() {
            return Ok(true);
        }
        let diagram = Diagram::new(states);
        let functions: HashMap<Variable, Bdd> =
            self.next_values(steps, states)?.into_iter().collect();
        let needless = self.needless(steps, &diagram, &functions)?;
        let mut arriving: Vec<Option<Bdd>> = vec![None; diagram.nodes.len()];
        arriving[0] = Some(steps.clone());
        for (index, node) in diagram.nodes.iter().enumerate() {
            let Some(steps) = arriving[index].take() else {
                continue;
            };
            let Some(branch) = node else {
                return Ok(false);
            };
            let Branch {
                variable,
                then,
                otherwise,
            } = branch;
            let Some(function) = functions.get(variable) else {
                return Ok(false);
            };
            let function = function.minimize(&steps)?;
            let needless = &needless[variable];
            for (target, value) in [(then, function.clone()), (otherwise, function.not())] {
                let Some(target) = *target else {
                    continue;
                };
                let steps = steps.and_exists(&value, needless)?;
                if steps.is_zero() {
                    continue;
                }
                if diagram.nodes[target].is_none() {
                    return Ok(false);
                }
                let known = &mut arriving[target];
                *known = Some(match known.take() {
                    Some(known) => known.or(&steps)?,
                    None => steps,
                });
            }
        }
        Ok(true)
    }

    /// For each variable of the diagram those that no next value of variables below it depends
    /// on.
    fn needless(
        &self,
        steps: &Bdd,
        diagram: &Diagram,
        functions: &HashMap<Variable, Bdd>,
    ) -> Result<HashMap<Variable, VariableSet>> {
        let manager = steps.manager();
        let mut open: Vec<Variable> = manager.variables().collect();
        let mut sets = HashMap::new();
        for variable in diagram.order.iter().rev() {
            sets.insert(*variable, manager.set(&open)?);
            if let Some(function) = functions.get(variable) {
                let support: HashSet<Variable> = function.support().into_iter().collect();
                open.retain(|one| !support.contains(one));
            }
        }
        Ok(sets)
    }
}

/// A decision diagram apart from its manager, whose order may change.
struct Diagram {
    /// Parents first. `None` is the end that is false.
    nodes: Vec<Option<Branch>>,
    /// The variables, topmost first.
    order: Vec<Variable>,
}

/// A node, with the numbers of nodes below it; `None` is the end that is true.
struct Branch {
    variable: Variable,
    then: Option<usize>,
    otherwise: Option<usize>,
}

impl Diagram {
    // Equality and hash of a function are those of its edge, which stays.
    #[allow(clippy::mutable_key_type)]
    fn new(set: &Bdd) -> Diagram {
        let manager = set.manager();
        let mut order = set.support();
        order.sort_by_key(|variable| manager.level(*variable));
        let mut levels: HashMap<Variable, Vec<Bdd>> = HashMap::new();
        let mut seen: HashSet<Bdd> = HashSet::new();
        let mut pending = vec![set.clone()];
        while let Some(one) = pending.pop() {
            if let Some((variable, otherwise, then)) = one.expand()
                && seen.insert(one.clone())
            {
                levels.entry(variable).or_default().push(one);
                pending.extend([then, otherwise]);
            }
        }
        let all = order.iter().flat_map(|variable| &levels[variable]);
        let numbers: HashMap<&Bdd, usize> = all.clone().zip(0..).collect();
        let end = numbers.len();
        let number = |one: &Bdd| match one {
            one if one.is_one() => None,
            one if one.is_zero() => Some(end),
            one => Some(numbers[one]),
        };
        let branch = |one: &Bdd| {
            let (variable, otherwise, then) = one.expand()?;
            Some(Branch {
                variable,
                then: number(&then),
                otherwise: number(&otherwise),
            })
        };
        let mut nodes: Vec<Option<Branch>> = all.map(branch).collect();
        nodes.push(None);
        Diagram { nodes, order }
    }
}
