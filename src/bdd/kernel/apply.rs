//! Conjunction, exclusive or, if-then-else and implication, by the recursion of [BRB90].
//!
//! Operands are brought to one form before the computed table is asked, so that equal
//! questions meet: conjunction and exclusive or order theirs, exclusive or and
//! if-then-else move complements to the result.

use super::cache::operation;
use super::node::Edge;
use super::{Kernel, Step};

impl Kernel {
    pub fn and(&mut self, f: Edge, g: Edge) -> Step<Edge> {
        if f == g || g == Edge::ONE {
            return Ok(f);
        }
        if f == Edge::ONE {
            return Ok(g);
        }
        if f == !g || f == Edge::ZERO || g == Edge::ZERO {
            return Ok(Edge::ZERO);
        }
        let (f, g) = if f.0 > g.0 { (g, f) } else { (f, g) };
        if let Some(result) = self.cache.get(f.0, g.0, operation::AND) {
            return Ok(result);
        }
        self.tick()?;
        let level = self.level(f).min(self.level(g));
        let (f0, f1) = self.cofactors(f, level);
        let (g0, g1) = self.cofactors(g, level);
        let high = self.and(f1, g1)?;
        self.protected.push(high);
        let low = self.and(f0, g0)?;
        self.protected.pop();
        let result = self.make_node(self.variable_at[level as usize], low, high)?;
        self.cache.put(f.0, g.0, operation::AND, result);
        Ok(result)
    }

    #[inline(always)]
    pub fn or(&mut self, f: Edge, g: Edge) -> Step<Edge> {
        Ok(!self.and(!f, !g)?)
    }

    pub fn xor(&mut self, f: Edge, g: Edge) -> Step<Edge> {
        let negated = f.is_complemented() ^ g.is_complemented();
        let (f, g) = (f.regular(), g.regular());
        if f == g {
            return Ok(Edge::ZERO.negate_if(negated));
        }
        if f == Edge::ONE {
            return Ok((!g).negate_if(negated));
        }
        if g == Edge::ONE {
            return Ok((!f).negate_if(negated));
        }
        let (f, g) = if f.0 > g.0 { (g, f) } else { (f, g) };
        if let Some(result) = self.cache.get(f.0, g.0, operation::XOR) {
            return Ok(result.negate_if(negated));
        }
        self.tick()?;
        let level = self.level(f).min(self.level(g));
        let (f0, f1) = self.cofactors(f, level);
        let (g0, g1) = self.cofactors(g, level);
        let high = self.xor(f1, g1)?;
        self.protected.push(high);
        let low = self.xor(f0, g0)?;
        self.protected.pop();
        let result = self.make_node(self.variable_at[level as usize], low, high)?;
        self.cache.put(f.0, g.0, operation::XOR, result);
        Ok(result.negate_if(negated))
    }

    pub fn ite(&mut self, f: Edge, g: Edge, h: Edge) -> Step<Edge> {
        if f == Edge::ONE || g == h {
            return Ok(g);
        }
        if f == Edge::ZERO {
            return Ok(h);
        }
        if g == Edge::ONE || g == f {
            return self.or(f, h);
        }
        if g == Edge::ZERO || g == !f {
            return self.and(!f, h);
        }
        if h == Edge::ZERO || h == f {
            return self.and(f, g);
        }
        if h == Edge::ONE || h == !f {
            return self.or(!f, g);
        }
        if g == !h {
            return self.xor(f, h);
        }
        let (f, g, h) = if f.is_complemented() {
            (!f, h, g)
        } else {
            (f, g, h)
        };
        let negated = g.is_complemented();
        let (g, h) = (g.regular(), h.negate_if(negated));

        let (level_f, level_rest) = (self.level(f), self.level(g).min(self.level(h)));
        let level = level_f.min(level_rest);
        let (f0, f1) = self.cofactors(f, level);
        if level_f < level_rest && f1 == Edge::ONE && f0 == Edge::ZERO {
            let variable = self.variable_at[level as usize];
            return Ok(self.make_node(variable, h, g)?.negate_if(negated));
        }
        // The complement of `h` goes where that of `g` was, and an odd third operand tells
        // this operation from `and_exists`, whose third operand is a cube.
        let key = (f.0, (g ^ h).0, h.regular().0 | 1);
        if let Some(result) = self.cache.get(key.0, key.1, key.2) {
            return Ok(result.negate_if(negated));
        }
        self.tick()?;
        let (g0, g1) = self.cofactors(g, level);
        let (h0, h1) = self.cofactors(h, level);
        let high = self.ite(f1, g1, h1)?;
        self.protected.push(high);
        let low = self.ite(f0, g0, h0)?;
        self.protected.pop();
        let result = self.make_node(self.variable_at[level as usize], low, high)?;
        self.cache.put(key.0, key.1, key.2, result);
        Ok(result.negate_if(negated))
    }

    /// Whether `f` implies `g`; makes no node.
    pub fn less_equal(&mut self, f: Edge, g: Edge) -> Step<bool> {
        if f == g || f == Edge::ZERO || g == Edge::ONE {
            return Ok(true);
        }
        if f == Edge::ONE || g == Edge::ZERO || f == !g {
            return Ok(false);
        }
        // f <= g and !g <= !f are one question.
        let (f, g) = if f.0 > (!g).0 { (!g, !f) } else { (f, g) };
        if let Some(result) = self.cache.get(f.0, g.0, operation::LESS_EQUAL) {
            return Ok(result == Edge::ONE);
        }
        self.tick()?;
        let level = self.level(f).min(self.level(g));
        let (f0, f1) = self.cofactors(f, level);
        let (g0, g1) = self.cofactors(g, level);
        let result = self.less_equal(f1, g1)? && self.less_equal(f0, g0)?;
        self.cache.put(
            f.0,
            g.0,
            operation::LESS_EQUAL,
            Edge::ONE.negate_if(!result),
        );
        Ok(result)
    }
}
