//! Simultaneous substitution of functions for variables, which is also renaming.
//!
//! A result that is lost is expensive, because each one is a whole if-then-else. So while
//! an operation runs, restarts included, its results are kept in a table that loses
//! nothing; the computed table, which does, has them for later operations.

use super::cache::operation;
use super::node::{Edge, VarIndex};
use super::{Kernel, Step};
use crate::quick_hash::QuickMap;

/// What replaces each variable, by variable number, under a number of its own.
pub(in crate::bdd) struct Replacements {
    pub number: u32,
    pub images: Vec<Option<Edge>>,
}

/// Results of the composition that is under way.
pub(super) type Composed = QuickMap<Edge, Edge>;

impl Replacements {
    #[inline(always)]
    fn image(&self, variable: VarIndex) -> Option<Edge> {
        self.images.get(variable as usize).copied().flatten()
    }
}

impl Kernel {
    pub fn compose(&mut self, f: Edge, replacements: &Replacements) -> Step<Edge> {
        let replaced = replacements
            .images
            .iter()
            .enumerate()
            .filter(|(_, image)| image.is_some());
        match replaced.map(|(variable, _)| self.level_of[variable]).max() {
            None => Ok(f),
            Some(deepest) => self.compose_above(f, replacements, deepest),
        }
    }

    /// Nothing below the level `deepest` is replaced.
    fn compose_above(&mut self, f: Edge, replacements: &Replacements, deepest: u16) -> Step<Edge> {
        let level = self.level(f);
        if level > deepest {
            return Ok(f);
        }
        let (edge, negated) = (f.regular(), f.is_complemented());
        let key = (edge.0, replacements.number, operation::COMPOSE);
        if let Some(result) = self.composed.get(&edge) {
            return Ok(result.negate_if(negated));
        }
        if let Some(result) = self.cache.get(key.0, key.1, key.2) {
            self.composed.insert(edge, result);
            return Ok(result.negate_if(negated));
        }
        self.tick()?;
        let node = self.nodes[edge.index()];
        let high = self.compose_above(node.high, replacements, deepest)?;
        self.protected.push(high);
        let low = self.compose_above(node.low, replacements, deepest)?;
        self.protected.push(low);
        let result = match replacements.image(node.variable()) {
            Some(image) => self.ite(image, high, low)?,
            None if level < self.level(high).min(self.level(low)) => {
                self.make_node(node.variable(), low, high)?
            }
            None => {
                let literal = self.literal(node.variable())?;
                self.protected.push(literal);
                let result = self.ite(literal, high, low)?;
                self.protected.pop();
                result
            }
        };
        self.protected.truncate(self.protected.len() - 2);
        self.composed.insert(edge, result);
        self.cache.put(key.0, key.1, key.2, result);
        Ok(result.negate_if(negated))
    }
}
