//! Walks over diagrams: size, support, counting, evaluation, picking.

use super::function::Bdd;
use super::kernel::{Edge, Kernel, VarIndex};
use super::limits::Result;
use super::manager::{Manager, Variable};
use crate::quick_hash::QuickSet;
use std::collections::HashMap;

/// Calls `visit` for each inner node below the edges once, children first.
pub(super) fn visit_nodes(kernel: &Kernel, edges: &[Edge], mut visit: impl FnMut(Edge)) {
    let mut seen: QuickSet<Edge> = QuickSet::default();
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

/// `digits * 2^exponent`, for shares too small for an `f64`; `digits` is 0 or in [1, 2).
#[derive(Clone, Copy)]
struct Share {
    digits: f64,
    exponent: i64,
}

impl Share {
    const NOTHING: Share = Share {
        digits: 0.0,
        exponent: i64::MIN / 4,
    };
    const EVERYTHING: Share = Share {
        digits: 1.0,
        exponent: 0,
    };

    fn mean(self, other: Share) -> Share {
        let exponent = self.exponent.max(other.exponent);
        let digits = [self, other].map(|share| {
            let shift = (share.exponent - exponent).max(-1000);
            share.digits * 2f64.powi(shift as i32)
        });
        let sum = digits[0] + digits[1];
        // The mean of two numbers is half their sum; a sum of 2 and more is halved once more.
        if sum >= 2.0 {
            Share {
                digits: sum / 2.0,
                exponent,
            }
        } else {
            Share {
                digits: sum,
                exponent: exponent - 1,
            }
        }
    }

    /// The share times 2^power.
    fn times_power(self, power: i64) -> f64 {
        if self.digits == 0.0 {
            return 0.0;
        }
        // In two steps, for a factor out of range can still give a result within.
        let exponent = (self.exponent + power).clamp(-2000, 2000) as i32;
        self.digits * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2)
    }
}

impl Manager {
    /// How many inner nodes the functions have together.
    pub fn shared_size(&self, functions: &[&Bdd]) -> usize {
        let edges: Vec<Edge> = functions.iter().map(|function| function.edge()).collect();
        self.kernel().nodes_below(&edges).len()
    }

    /// The variables that at least one function depends on, by number.
    pub fn shared_support(&self, functions: &[&Bdd]) -> Vec<Variable> {
        let edges: Vec<Edge> = functions.iter().map(|function| function.edge()).collect();
        let kernel = self.kernel();
        let mut present = vec![false; kernel.variable_count()];
        for edge in kernel.nodes_below(&edges) {
            present[kernel.expand(edge).0 as usize] = true;
        }
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

    /// The topmost variable in the present order; `None` for a constant.
    pub fn top(&self) -> Option<Variable> {
        if self.is_constant() {
            return None;
        }
        Some(Variable(self.manager().kernel().expand(self.edge()).0))
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
        self.share().times_power(0)
    }

    fn share(&self) -> Share {
        let kernel = self.manager().kernel();
        // Of both values: one minus a tiny share would not tell it from none.
        let mut shares: HashMap<Edge, [Share; 2]> = HashMap::new();
        let share = |shares: &HashMap<Edge, [Share; 2]>, edge: Edge| {
            let [zeros, ones] = if edge.is_terminal() {
                [Share::NOTHING, Share::EVERYTHING]
            } else {
                shares[&edge.regular()]
            };
            if edge.is_complemented() {
                [ones, zeros]
            } else {
                [zeros, ones]
            }
        };
        visit_nodes(&kernel, &[self.edge()], |edge| {
            let (_, low, high) = kernel.expand(edge);
            let (low, high) = (share(&shares, low), share(&shares, high));
            let halves = [0, 1].map(|value: usize| low[value].mean(high[value]));
            shares.insert(edge, halves);
        });
        share(&shares, self.edge())[1]
    }

    /// How many assignments of `variables` variables satisfy the function, among them its
    /// own; exact up to 2^53, infinite past the range of `f64`.
    pub fn count(&self, variables: usize) -> f64 {
        self.share().times_power(variables as i64)
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
