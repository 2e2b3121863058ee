//! What the machine compares the manager with: another representation of functions.

use crate::bdd::Bdd;
use crate::bdd::kernel::Edge;
use std::collections::HashMap;

pub trait Oracle {
    type Function: Clone + PartialEq;

    fn constant(&self, value: bool) -> Self::Function;
    fn literal(&self, variable: usize) -> Self::Function;
    fn not(&self, f: &Self::Function) -> Self::Function;
    fn and(&self, f: &Self::Function, g: &Self::Function) -> Self::Function;
    fn xor(&self, f: &Self::Function, g: &Self::Function) -> Self::Function;
    /// `set` has one bit for each variable.
    fn exists(&self, f: &Self::Function, set: u32) -> Self::Function;
    /// All replacements at once; no variable is named twice.
    fn compose(&self, f: &Self::Function, images: &[(usize, Self::Function)]) -> Self::Function;
    /// How many assignments of all variables satisfy the function.
    fn count(&self, f: &Self::Function) -> u64;
    fn evaluate(&self, f: &Self::Function, point: u32) -> bool;
    /// The same function as the handle, or `None` if that takes too long.
    fn read(&self, f: &Bdd) -> Option<Self::Function>;
    /// The generalised cofactor for the order, from the top, and a care set that is not
    /// empty; `None` if that takes too long.
    fn constrain(
        &self,
        f: &Self::Function,
        care: &Self::Function,
        order: &[usize],
    ) -> Option<Self::Function>;
    /// Results with more nodes than this are thrown away once they have been checked.
    fn largest(&self) -> usize;

    fn or(&self, f: &Self::Function, g: &Self::Function) -> Self::Function {
        self.not(&self.and(&self.not(f), &self.not(g)))
    }

    fn ite(&self, f: &Self::Function, g: &Self::Function, h: &Self::Function) -> Self::Function {
        self.or(&self.and(f, g), &self.and(&self.not(f), h))
    }

    fn forall(&self, f: &Self::Function, set: u32) -> Self::Function {
        self.not(&self.exists(&self.not(f), set))
    }

    fn implies(&self, f: &Self::Function, g: &Self::Function) -> bool {
        self.and(f, &self.not(g)) == self.constant(false)
    }

    fn cube(&self, literals: &[(usize, bool)]) -> Self::Function {
        literals
            .iter()
            .fold(self.constant(true), |cube, &(variable, value)| {
                let literal = self.literal(variable);
                self.and(&cube, &if value { literal } else { self.not(&literal) })
            })
    }
}

/// A handle as the oracle's function, node by node.
pub fn translate<O: Oracle>(oracle: &O, f: &Bdd) -> O::Function {
    fn visit<O: Oracle>(
        oracle: &O,
        f: &Bdd,
        known: &mut HashMap<Edge, O::Function>,
    ) -> O::Function {
        let Some((variable, low, high)) = f.expand() else {
            return oracle.constant(f.is_one());
        };
        if let Some(function) = known.get(&f.edge()) {
            return function.clone();
        }
        let (low, high) = (visit(oracle, &low, known), visit(oracle, &high, known));
        let function = oracle.ite(&oracle.literal(variable.index()), &high, &low);
        known.insert(f.edge(), function.clone());
        function
    }
    visit(oracle, f, &mut HashMap::new())
}
