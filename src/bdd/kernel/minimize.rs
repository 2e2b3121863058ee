//! Generalised cofactors [CBM89, CM90]: a function that agrees with another on a care set.
//!
//! `constrain` is the plain cofactor when the care set is a cube. `restrict` first drops
//! from the care set the variables that the function does not have, so it never brings in
//! new ones; it is the one that makes diagrams smaller.

use super::cache::operation;
use super::node::Edge;
use super::{Kernel, Step};

impl Kernel {
    /// `care` must not be zero.
    pub fn constrain(&mut self, f: Edge, care: Edge) -> Step<Edge> {
        self.agree_on(f, care, operation::CONSTRAIN)
    }

    /// `care` must not be zero.
    pub fn restrict(&mut self, f: Edge, care: Edge) -> Step<Edge> {
        self.agree_on(f, care, operation::RESTRICT)
    }

    fn agree_on(&mut self, f: Edge, care: Edge, operation: u32) -> Step<Edge> {
        if care == Edge::ONE || f.is_terminal() {
            return Ok(f);
        }
        if f == care {
            return Ok(Edge::ONE);
        }
        if f == !care {
            return Ok(Edge::ZERO);
        }
        let (edge, negated) = (f.regular(), f.is_complemented());
        if let Some(result) = self.cache.get(edge.0, care.0, operation) {
            return Ok(result.negate_if(negated));
        }
        self.tick()?;
        let (level_f, level_care) = (self.level(edge), self.level(care));
        let level = level_f.min(level_care);
        let (care0, care1) = self.cofactors(care, level);
        let result = if care1 == Edge::ZERO {
            let (f0, _) = self.cofactors(edge, level);
            self.agree_on(f0, care0, operation)?
        } else if care0 == Edge::ZERO {
            let (_, f1) = self.cofactors(edge, level);
            self.agree_on(f1, care1, operation)?
        } else if level_care < level_f && operation == operation::RESTRICT {
            let care = self.or(care0, care1)?;
            self.protected.push(care);
            let result = self.agree_on(edge, care, operation)?;
            self.protected.pop();
            result
        } else {
            let (f0, f1) = self.cofactors(edge, level);
            let high = self.agree_on(f1, care1, operation)?;
            self.protected.push(high);
            let low = self.agree_on(f0, care0, operation)?;
            self.protected.pop();
            self.make_node(self.variable_at[level as usize], low, high)?
        };
        self.cache.put(edge.0, care.0, operation, result);
        Ok(result.negate_if(negated))
    }
}
