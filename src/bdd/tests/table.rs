//! Truth tables, the plainest representation there is.
//!
//! Bit `p` of a table is the value at the point `p`, whose bit `v` is the variable `v`.

use super::oracle::Oracle;
use crate::bdd::Bdd;
use crate::bdd::inspect::visit_nodes;
use crate::bdd::kernel::Edge;
use std::collections::HashMap;

/// The tables of so many variables.
pub struct Tables {
    pub variables: usize,
}

/// 2^variables bits; what is over in the last word stays 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Table(Vec<u64>);

/// The values of the variables that live inside one word.
const INSIDE: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

impl Table {
    pub fn bit(&self, point: usize) -> bool {
        self.0[point / 64] >> (point % 64) & 1 != 0
    }

    fn zip(&self, other: &Table, operation: impl Fn(u64, u64) -> u64) -> Table {
        let pairs = self.0.iter().zip(&other.0);
        Table(pairs.map(|(&a, &b)| operation(a, b)).collect())
    }

    /// The cofactors for one variable, as tables that do not depend on it.
    fn halves(&self, variable: usize) -> (Table, Table) {
        let (mut low, mut high) = (self.clone(), self.clone());
        if variable < 6 {
            let shift = 1 << variable;
            let mask = INSIDE[variable];
            for word in &mut low.0 {
                *word = (*word & !mask) | (*word & !mask) << shift;
            }
            for word in &mut high.0 {
                *word = (*word & mask) | (*word & mask) >> shift;
            }
        } else {
            let stride = 1 << (variable - 6);
            for start in (0..self.0.len()).step_by(2 * stride) {
                for word in start..start + stride {
                    low.0[word + stride] = low.0[word];
                    high.0[word] = high.0[word + stride];
                }
            }
        }
        (low, high)
    }
}

impl Tables {
    fn points(&self) -> usize {
        1 << self.variables
    }

    fn by_point(&self, value: impl Fn(usize) -> bool) -> Table {
        let mut table = self.constant(false);
        for point in 0..self.points() {
            table.0[point / 64] |= (value(point) as u64) << (point % 64);
        }
        table
    }

    /// The last word of tables with fewer than 6 variables is not full.
    fn used_bits(&self) -> u64 {
        if self.variables < 6 {
            (1 << self.points()) - 1
        } else {
            u64::MAX
        }
    }
}

impl Oracle for Tables {
    type Function = Table;

    fn constant(&self, value: bool) -> Table {
        let word = if value { self.used_bits() } else { 0 };
        Table(vec![word; self.points().div_ceil(64)])
    }

    fn literal(&self, variable: usize) -> Table {
        let words = 0..self.points().div_ceil(64);
        Table(if variable < 6 {
            words.map(|_| INSIDE[variable] & self.used_bits()).collect()
        } else {
            words
                .map(|word| 0u64.wrapping_sub((word >> (variable - 6) & 1) as u64))
                .collect()
        })
    }

    fn not(&self, f: &Table) -> Table {
        Table(f.0.iter().map(|word| !word & self.used_bits()).collect())
    }

    fn and(&self, f: &Table, g: &Table) -> Table {
        f.zip(g, |a, b| a & b)
    }

    fn xor(&self, f: &Table, g: &Table) -> Table {
        f.zip(g, |a, b| a ^ b)
    }

    fn exists(&self, f: &Table, set: u32) -> Table {
        let chosen = (0..self.variables).filter(|variable| set >> variable & 1 != 0);
        chosen.fold(f.clone(), |f, variable| {
            let (low, high) = f.halves(variable);
            low.zip(&high, |a, b| a | b)
        })
    }

    fn compose(&self, f: &Table, images: &[(usize, Table)]) -> Table {
        self.by_point(|point| {
            let image = images.iter().fold(point, |image, (variable, table)| {
                (image & !(1 << variable)) | (table.bit(point) as usize) << variable
            });
            f.bit(image)
        })
    }

    fn count(&self, f: &Table) -> u64 {
        f.0.iter().map(|word| word.count_ones() as u64).sum()
    }

    fn evaluate(&self, f: &Table, point: u32) -> bool {
        f.bit(point as usize)
    }

    fn read(&self, f: &Bdd) -> Option<Table> {
        let manager = f.manager();
        let kernel = manager.kernel();
        let mut tables: HashMap<Edge, Table> = HashMap::new();
        let table_of = |tables: &HashMap<Edge, Table>, edge: Edge| match edge {
            Edge::ONE => self.constant(true),
            Edge::ZERO => self.constant(false),
            _ if edge.is_complemented() => self.not(&tables[&edge.regular()]),
            _ => tables[&edge].clone(),
        };
        visit_nodes(&kernel, &[f.edge()], |edge| {
            let (variable, low, high) = kernel.expand(edge);
            let literal = self.literal(variable as usize);
            let mut table = table_of(&tables, high);
            let low = table_of(&tables, low);
            for (word, (low, test)) in table.0.iter_mut().zip(low.0.iter().zip(&literal.0)) {
                *word = (*word & test) | (low & !test);
            }
            tables.insert(edge, table);
        });
        Some(table_of(&tables, f.edge()))
    }

    fn constrain(&self, f: &Table, care: &Table, order: &[usize]) -> Option<Table> {
        // `seen[level]`: which choices for the variables above and at the level leave
        // something to care for.
        let mut seen = vec![care.clone()];
        for &variable in order.iter().skip(1).rev() {
            seen.push(self.exists(&seen[seen.len() - 1], 1 << variable));
        }
        seen.reverse();
        Some(self.by_point(|point| {
            let mut nearest = point;
            for (&variable, seen) in order.iter().zip(&seen) {
                if !seen.bit(nearest) {
                    nearest ^= 1 << variable;
                }
            }
            f.bit(nearest)
        }))
    }

    fn largest(&self) -> usize {
        usize::MAX
    }
}
