//! Quantification, alone and over a conjunction (the relational product of [BCL94]).
//!
//! The variables come as a positive cube. Universal quantification is the dual.

use super::cache::operation;
use super::node::Edge;
use super::{Kernel, Step};

impl Kernel {
    /// The part of a positive cube at `level` and below.
    #[inline(always)]
    fn cube_from(&self, mut cube: Edge, level: u16) -> Edge {
        while self.level(cube) < level {
            cube = self.nodes[cube.index()].high;
        }
        cube
    }

    pub fn exists(&mut self, f: Edge, cube: Edge) -> Step<Edge> {
        if f.is_terminal() {
            return Ok(f);
        }
        let level = self.level(f);
        let cube = self.cube_from(cube, level);
        if cube == Edge::ONE {
            return Ok(f);
        }
        if let Some(result) = self.cache.get(f.0, cube.0, operation::EXISTS) {
            return Ok(result);
        }
        self.tick()?;
        let (f0, f1) = self.cofactors(f, level);
        let result = if self.level(cube) == level {
            let rest = self.nodes[cube.index()].high;
            if f0 == !f1 || f0 == Edge::ONE || f1 == Edge::ONE {
                Edge::ONE
            } else {
                let high = self.exists(f1, rest)?;
                if high == Edge::ONE {
                    Edge::ONE
                } else {
                    self.protected.push(high);
                    let low = self.exists(f0, rest)?;
                    self.protected.push(low);
                    let result = self.or(high, low)?;
                    self.protected.truncate(self.protected.len() - 2);
                    result
                }
            }
        } else {
            let high = self.exists(f1, cube)?;
            self.protected.push(high);
            let low = self.exists(f0, cube)?;
            self.protected.pop();
            self.make_node(self.variable_at[level as usize], low, high)?
        };
        self.cache.put(f.0, cube.0, operation::EXISTS, result);
        Ok(result)
    }

    pub fn and_exists(&mut self, f: Edge, g: Edge, cube: Edge) -> Step<Edge> {
        if f == Edge::ZERO || g == Edge::ZERO || f == !g {
            return Ok(Edge::ZERO);
        }
        if f == Edge::ONE || f == g {
            return self.exists(g, cube);
        }
        if g == Edge::ONE {
            return self.exists(f, cube);
        }
        let (f, g) = if f.0 > g.0 { (g, f) } else { (f, g) };
        let level = self.level(f).min(self.level(g));
        let cube = self.cube_from(cube, level);
        if cube == Edge::ONE {
            return self.and(f, g);
        }
        if let Some(result) = self.cache.get(f.0, g.0, cube.0) {
            return Ok(result);
        }
        self.tick()?;
        let (f0, f1) = self.cofactors(f, level);
        let (g0, g1) = self.cofactors(g, level);
        let result = if self.level(cube) == level {
            let rest = self.nodes[cube.index()].high;
            let high = self.and_exists(f1, g1, rest)?;
            // If the result of one branch covers an operand of the other, that one adds nothing.
            if high == Edge::ONE || high == f0 || high == g0 {
                high
            } else {
                self.protected.push(high);
                let low = if high == !f0 {
                    self.exists(g0, rest)?
                } else if high == !g0 {
                    self.exists(f0, rest)?
                } else {
                    self.and_exists(f0, g0, rest)?
                };
                self.protected.push(low);
                let result = self.or(high, low)?;
                self.protected.truncate(self.protected.len() - 2);
                result
            }
        } else {
            let high = self.and_exists(f1, g1, cube)?;
            self.protected.push(high);
            let low = self.and_exists(f0, g0, cube)?;
            self.protected.pop();
            self.make_node(self.variable_at[level as usize], low, high)?
        };
        self.cache.put(f.0, g.0, cube.0, result);
        Ok(result)
    }
}
