//! Walks over diagrams: size, support, counting, evaluation, picking.

use super::function::Bdd;
use super::kernel::{Edge, Kernel, VarIndex};
use super::limits::Result;
use super::manager::{Manager, Variable};
use std::collections::{HashMap, HashSet};

/// Calls `visit` for each inner node below the edges once, children first.
pub(super) fn visit_nodes(kernel: &Kernel, edges: &[Edge], mut visit: impl FnMut(Edge)) {
    let mut seen = HashSet::new();
    let mut pending: Vec<(Edge, bool)> = edges.iter().map(|edge| (edge.regular(), false)).collect();
    while let Some((edge, children_done)) = pending.pop() {
        if edge.is_terminal() {
            continue;
        }
        if children_done {
            visit(edge);
        } else if seen.insert(edge) {
            let (_, low, high) = kernel.expand(edge);
            pending.push((edge, true));
            pending.push((low.regular(), false));
            pending.push((high.regular(), false));
        }
    }
}

impl Manager {
    /// How many inner nodes the functions have together.
    pub fn shared_size(&self, functions: &[&Bdd]) -> usize {
        let edges: Vec<Edge> = functions.iter().map(|function| function.edge()).collect();
        let mut count = 0;
        visit_nodes(&self.kernel(), &edges, |_| count += 1);
        count
    }

    /// The variables that at least one function depends on, by number.
    pub fn shared_support(&self, functions: &[&Bdd]) -> Vec<Variable> {
        let edges: Vec<Edge> = functions.iter().map(|function| function.edge()).collect();
        let kernel = self.kernel();
        let mut present = vec![false; kernel.variable_count()];
        visit_nodes(&kernel, &edges, |edge| {
            present[kernel.expand(edge).0 as usize] = true
        });
        let indices = present.iter().enumerate().filter(|(_, present)| **present);
        indices
            .map(|(index, _)| Variable(index as VarIndex))
            .collect()
    }
}

impl Bdd {
    /// How many inner nodes the function has; a constant has none.
    pub fn size(&self) -> usize {
        self.manager().shared_size(&[self])
    }

    /// The variables that the function depends on, by number.
    pub fn support(&self) -> Vec<Variable> {
        self.manager().shared_support(&[self])
    }

    /// The topmost variable and the cofactors for 0 and 1; `None` for a constant.
    pub fn expand(&self) -> Option<(Variable, Bdd, Bdd)> {
        if self.is_constant() {
            return None;
        }
        let (variable, low, high) = self.manager().kernel().expand(self.edge());
        Some((
            Variable(variable),
            self.manager().handle(low),
            self.manager().handle(high),
        ))
    }

    /// The value under an assignment.
    pub fn evaluate(&self, value: impl Fn(Variable) -> bool) -> bool {
        let kernel = self.manager().kernel();
        let mut edge = self.edge();
        while !edge.is_terminal() {
            let (variable, low, high) = kernel.expand(edge);
            edge = if value(Variable(variable)) { high } else { low };
        }
        edge == Edge::ONE
    }

    /// The share of all assignments that satisfy the function, between 0 and 1.
    pub fn density(&self) -> f64 {
        let kernel = self.manager().kernel();
        let mut densities: HashMap<Edge, f64> = HashMap::new();
        let density = |densities: &HashMap<Edge, f64>, edge: Edge| {
            let positive = if edge.is_terminal() {
                1.0
            } else {
                densities[&edge.regular()]
            };
            if edge.is_complemented() {
                1.0 - positive
            } else {
                positive
            }
        };
        visit_nodes(&kernel, &[self.edge()], |edge| {
            let (_, low, high) = kernel.expand(edge);
            let value = (density(&densities, low) + density(&densities, high)) / 2.0;
            densities.insert(edge, value);
        });
        density(&densities, self.edge())
    }

    /// How many assignments of `variables` variables satisfy the function, among them its
    /// own; exact up to 2^53, infinite past the range of `f64`.
    pub fn count(&self, variables: usize) -> f64 {
        match self.count_exactly(variables) {
            Some(count) => count as f64,
            None => self.density() * 2f64.powi(variables as i32),
        }
    }

    /// The same, exactly, if it fits.
    pub fn count_exactly(&self, variables: usize) -> Option<u128> {
        let support = self.support();
        if variables > 127 || support.len() > variables {
            return None;
        }
        // Counted over all `variables`: a node counts as if it stood at the top.
        let all = 1u128 << variables;
        let kernel = self.manager().kernel();
        let mut counts: HashMap<Edge, u128> = HashMap::new();
        let count = |counts: &HashMap<Edge, u128>, edge: Edge| {
            let positive = if edge.is_terminal() {
                all
            } else {
                counts[&edge.regular()]
            };
            if edge.is_complemented() {
                all - positive
            } else {
                positive
            }
        };
        visit_nodes(&kernel, &[self.edge()], |edge| {
            let (_, low, high) = kernel.expand(edge);
            // Each half is even: it counts assignments of a variable that it does not have.
            let value = count(&counts, low) / 2 + count(&counts, high) / 2;
            counts.insert(edge, value);
        });
        Some(count(&counts, self.edge()))
    }

    /// Literals that make the function true, as few as a path from the top has; `None` if
    /// nothing does. Variables that are not named may have any value.
    pub fn pick_cube(&self) -> Option<Vec<(Variable, bool)>> {
        if self.is_zero() {
            return None;
        }
        let kernel = self.manager().kernel();
        let mut edge = self.edge();
        let mut literals = Vec::new();
        while !edge.is_terminal() {
            let (variable, low, high) = kernel.expand(edge);
            // Every node but the terminal can be made true: 0 is as good as 1 unless it is false.
            let value = low == Edge::ZERO;
            literals.push((Variable(variable), value));
            edge = if value { high } else { low };
        }
        Some(literals)
    }

    /// One assignment of the given variables that satisfies the function, 0 where any value
    /// does.
    ///
    /// # Panics
    /// If the function depends on a variable that is not given.
    pub fn pick_minterm(&self, variables: &[Variable]) -> Option<Vec<(Variable, bool)>> {
        let chosen: HashMap<Variable, bool> = self.pick_cube()?.into_iter().collect();
        let minterm: Vec<_> = variables
            .iter()
            .map(|&variable| (variable, chosen.get(&variable).copied().unwrap_or(false)))
            .collect();
        let named = minterm
            .iter()
            .filter(|(variable, _)| chosen.contains_key(variable))
            .count();
        assert_eq!(
            named,
            chosen.len(),
            "a minterm names every variable of the function"
        );
        Some(minterm)
    }

    /// One satisfying assignment of the given variables, as a function.
    pub fn pick(&self, variables: &[Variable]) -> Result<Option<Bdd>> {
        match self.pick_minterm(variables) {
            None => Ok(None),
            Some(minterm) => self.manager().cube(&minterm).map(Some),
        }
    }
}
