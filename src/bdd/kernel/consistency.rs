//! Checks of what the rest of the kernel relies on. Slow; for tests.

use super::Kernel;
use super::node::{Edge, FREE, RESERVED};
use std::collections::HashSet;

impl Kernel {
    pub fn check_consistency(&self) -> Result<(), String> {
        let mut found = 0;
        let mut shapes = HashSet::new();
        for index in RESERVED as usize..self.nodes.len() {
            let node = &self.nodes[index];
            if node.variable() == FREE {
                continue;
            }
            found += 1;
            let Some(table) = self.subtables.get(node.variable() as usize) else {
                return Err(format!(
                    "node {index} has no such variable {}",
                    node.variable()
                ));
            };
            if node.high.is_complemented() {
                return Err(format!("node {index} has a complemented then-edge"));
            }
            if node.low == node.high {
                return Err(format!("node {index} is redundant"));
            }
            let level = self.level(Edge::new(index as u32));
            if self.level(node.low) <= level || self.level(node.high) <= level {
                return Err(format!("node {index} is not above its children"));
            }
            if !shapes.insert((node.variable(), node.low, node.high)) {
                return Err(format!("node {index} stands twice"));
            }
            let bucket = table.bucket(node.low, node.high);
            if table.find(&self.nodes, bucket, node.low, node.high) != Some(index as u32) {
                return Err(format!("node {index} is not in its table"));
            }
        }
        if found != self.used {
            return Err(format!("{found} nodes, {} counted", self.used));
        }
        let in_tables: usize = self.subtables.iter().map(|table| table.count).sum();
        if in_tables != self.used {
            return Err(format!(
                "{in_tables} nodes in tables, {} counted",
                self.used
            ));
        }
        for (level, &variable) in self.variable_at.iter().enumerate() {
            if self.level_of(variable) != level {
                return Err(format!("variable {variable} is not at level {level}"));
            }
        }
        for edge in &self.roots.edges {
            if self.nodes[edge.index()].variable() == FREE {
                return Err(format!("a handle holds the free slot {}", edge.index()));
            }
        }
        Ok(())
    }
}
