//! Functions outside of a manager, for later.
//!
//! A function that a manager holds takes part in each reordering and makes it slower, even if
//! nobody may ever ask for it again. Here functions are tables of nodes, which equal parts of
//! different functions share; a function that is asked for is built again, in whatever order
//! the variables have then.

use crate::bdd::{Bdd, Manager, Result, Variable};
use std::collections::HashMap;

/// A table of nodes. Nodes come after those that they lead to.
#[derive(Default)]
pub(super) struct Store {
    nodes: Vec<Stored>,
    index: HashMap<Stored, u32>,
}

/// A variable with the edges for 0 and for 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Stored {
    variable: Variable,
    low: Edge,
    high: Edge,
}

/// A function in a [`Store`]: a node with a sign, or a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Edge(u32);

const ZERO: Edge = Edge(0);

impl Edge {
    /// Number 0 is a constant, so nodes are counted from 1.
    fn to_node(number: u32) -> Edge {
        Edge((number + 1) << 1)
    }

    fn node(self) -> Option<usize> {
        (self.0 >> 1).checked_sub(1).map(|number| number as usize)
    }

    fn is_complemented(self) -> bool {
        self.0 & 1 == 1
    }

    fn complement_if(self, condition: bool) -> Edge {
        Edge(self.0 ^ u32::from(condition))
    }
}

impl Store {
    /// Puts a function into the table.
    // The hash of a handle is that of its edge, which does not change while it is held.
    #[allow(clippy::mutable_key_type)]
    pub fn add(&mut self, function: &Bdd) -> Edge {
        let mut known: HashMap<Bdd, Edge> = HashMap::new();
        let mut pending = vec![function.clone()];
        while let Some(top) = pending.last().cloned() {
            if edge_of(&known, &top).is_some() {
                pending.pop();
                continue;
            }
            let Some((variable, low, high)) = top.expand() else {
                // Constants are known.
                pending.pop();
                continue;
            };
            match (edge_of(&known, &low), edge_of(&known, &high)) {
                (Some(low), Some(high)) => {
                    known.insert(top, self.node(variable, low, high));
                    pending.pop();
                }
                (low_edge, high_edge) => {
                    if low_edge.is_none() {
                        pending.push(low);
                    }
                    if high_edge.is_none() {
                        pending.push(high);
                    }
                }
            }
        }
        edge_of(&known, function).unwrap_or(ZERO)
    }

    fn node(&mut self, variable: Variable, low: Edge, high: Edge) -> Edge {
        // A function and its complement share their nodes.
        let sign = low.is_complemented();
        let stored = Stored {
            variable,
            low: low.complement_if(sign),
            high: high.complement_if(sign),
        };
        let next = self.nodes.len() as u32;
        let number = *self.index.entry(stored).or_insert(next);
        if number == next {
            self.nodes.push(stored);
        }
        Edge::to_node(number).complement_if(sign)
    }

    /// The function of an edge of this table.
    pub fn get(&self, manager: &Manager, edge: Edge) -> Result<Bdd> {
        let mut built: HashMap<usize, Bdd> = HashMap::new();
        let function = |built: &HashMap<usize, Bdd>, edge: Edge| {
            let regular = match edge.node() {
                None => Some(manager.zero()),
                Some(node) => built.get(&node).cloned(),
            };
            regular.map(|regular| match edge.is_complemented() {
                true => regular.not(),
                false => regular,
            })
        };
        let mut pending: Vec<usize> = edge.node().into_iter().collect();
        while let Some(&top) = pending.last() {
            if built.contains_key(&top) {
                pending.pop();
                continue;
            }
            let Stored {
                variable,
                low,
                high,
            } = self.nodes[top];
            match (function(&built, low), function(&built, high)) {
                (Some(low), Some(high)) => {
                    let node = manager.literal(variable)?.ite(&high, &low)?;
                    built.insert(top, node);
                    pending.pop();
                }
                (None, _) => pending.extend(low.node()),
                (_, None) => pending.extend(high.node()),
            }
        }
        Ok(function(&built, edge).unwrap_or_else(|| manager.zero()))
    }
}

#[allow(clippy::mutable_key_type)]
fn edge_of(known: &HashMap<Bdd, Edge>, function: &Bdd) -> Option<Edge> {
    if function.is_constant() {
        return Some(ZERO.complement_if(function.is_one()));
    }
    let complement = || {
        known
            .get(&function.not())
            .map(|edge| edge.complement_if(true))
    };
    known.get(function).copied().or_else(complement)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_come_back_in_any_order_of_variables() {
        let manager = Manager::new();
        let variables = manager.new_variables(6).unwrap();
        let literal = |index: usize| manager.literal(variables[index]).unwrap();
        let mut functions = vec![manager.zero(), manager.one(), literal(2).not()];
        let mut sum = manager.zero();
        for index in 0..3 {
            let product = literal(index).and(&literal(index + 3)).unwrap();
            sum = sum.or(&product).unwrap();
            functions.push(sum.clone());
            functions.push(sum.not());
        }
        let mut store = Store::default();
        let edges: Vec<Edge> = functions.iter().map(|one| store.add(one)).collect();
        let order: Vec<Variable> = [0, 3, 1, 4, 2, 5].map(|index| variables[index]).to_vec();
        manager.set_order(&order).unwrap();
        for (edge, function) in edges.iter().zip(&functions) {
            assert_eq!(store.get(&manager, *edge).unwrap(), *function);
        }
        let again: Vec<Edge> = functions[..3].iter().map(|one| store.add(one)).collect();
        assert_eq!(again, edges[..3], "constants and literals are stored once");
    }
}
