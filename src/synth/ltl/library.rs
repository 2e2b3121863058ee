//! Small circuits for functions of few variables.
//!
//! A function is taken apart once: a variable that decides it alone, two variables of which only
//! a function of both matters, or else a choice by one of its variables, whichever takes the
//! fewest gates. That is not always the smallest circuit, but nearly so for few variables.

use super::aig::{FALSE, Lit};
use crate::quick_hash::{QuickMap, QuickSet};

/// The variables that a function may have: a truth table is a word.
pub const MOST_VARIABLES: usize = 6;

/// The truth tables of the variables.
pub const VARIABLES: [u64; MOST_VARIABLES] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// Circuits for functions. Node 0 is false, nodes 1 to 6 are the variables, the others are gates.
pub struct Library {
    gates: Vec<(Lit, Lit)>,
    hashed: QuickMap<(Lit, Lit), Lit>,
    known: QuickMap<u64, Lit>,
}

const FIRST: u32 = 1 + MOST_VARIABLES as u32;

impl Library {
    pub fn new() -> Library {
        Library {
            gates: Vec::new(),
            hashed: QuickMap::default(),
            known: QuickMap::default(),
        }
    }

    pub fn gate(&self, node: u32) -> Option<(Lit, Lit)> {
        let index = node.checked_sub(FIRST)?;
        self.gates.get(index as usize).copied()
    }

    fn and(&mut self, left: Lit, right: Lit) -> Lit {
        let (left, right) = (left.max(right), left.min(right));
        if right == FALSE || left == right ^ 1 {
            return FALSE;
        }
        if right == FALSE ^ 1 || left == right {
            return left;
        }
        let next = 2 * (FIRST + self.gates.len() as u32);
        let gates = &mut self.gates;
        *self.hashed.entry((left, right)).or_insert_with(|| {
            gates.push((left, right));
            next
        })
    }

    fn or(&mut self, left: Lit, right: Lit) -> Lit {
        self.and(left ^ 1, right ^ 1) ^ 1
    }

    fn mux(&mut self, condition: Lit, then: Lit, otherwise: Lit) -> Lit {
        let (one, other) = (
            self.and(condition, then),
            self.and(condition ^ 1, otherwise),
        );
        self.or(one, other)
    }

    /// The gates below a literal, operands first.
    pub fn below(&self, value: Lit) -> Vec<u32> {
        let mut found = Vec::new();
        let mut seen = QuickSet::default();
        let mut pending = vec![value >> 1];
        while let Some(node) = pending.pop() {
            if let Some((left, right)) = self.gate(node)
                && seen.insert(node)
            {
                found.push(node);
                pending.extend([left >> 1, right >> 1]);
            }
        }
        // Operands have smaller numbers.
        found.sort_unstable();
        found
    }

    /// A small circuit for a function.
    pub fn circuit(&mut self, table: u64) -> Lit {
        let negated = table & 1;
        let table = if negated == 1 { !table } else { table };
        if let Some(known) = self.known.get(&table) {
            return known ^ negated as Lit;
        }
        let found = self.decomposed(table);
        self.known.insert(table, found);
        found ^ negated as Lit
    }

    fn decomposed(&mut self, table: u64) -> Lit {
        if table == 0 {
            return FALSE;
        }
        if let Some(index) = VARIABLES.iter().position(|one| *one == table) {
            return 2 * (1 + index as Lit);
        }
        let support: Vec<usize> = (0..MOST_VARIABLES)
            .filter(|index| {
                let (low, high) = cofactors(table, *index);
                low != high
            })
            .collect();
        for index in &support {
            let variable = 2 * (1 + *index as Lit);
            let (low, high) = cofactors(table, *index);
            if low == 0 || high == 0 {
                let rest = self.circuit(low | high);
                return self.and(variable ^ Lit::from(high == 0), rest);
            }
            if low == u64::MAX || high == u64::MAX {
                let rest = self.circuit(low & high);
                return self.or(variable ^ Lit::from(low == u64::MAX), rest);
            }
        }
        let mut options = Vec::new();
        for (position, index) in support.iter().enumerate() {
            let variable = 2 * (1 + *index as Lit);
            let (low, high) = cofactors(table, *index);
            if low == !high {
                let rest = self.circuit(low);
                return self.mux(variable, rest ^ 1, rest);
            }
            options.extend(self.by_pairs(table, *index, &support[..position]));
            let (one, other) = (self.circuit(low), self.circuit(high));
            if low & !high == 0 {
                let taken = self.and(variable, other);
                options.push(self.or(one, taken));
                let taken = self.or(variable, one);
                options.push(self.and(other, taken));
            } else if high & !low == 0 {
                let taken = self.and(variable ^ 1, one);
                options.push(self.or(other, taken));
                let taken = self.or(variable ^ 1, other);
                options.push(self.and(one, taken));
            } else {
                options.push(self.mux(variable, other, one));
            }
        }
        let best = options.into_iter().min_by_key(|one| self.below(*one).len());
        best.unwrap_or(FALSE)
    }

    /// The function as one of a function of two variables and of the others.
    fn by_pairs(&mut self, table: u64, one: usize, others: &[usize]) -> Vec<Lit> {
        let mut found = Vec::new();
        let (low, high) = cofactors(table, one);
        for &other in others {
            let ((a, b), (c, d)) = (cofactors(low, other), cofactors(high, other));
            let values = [a, b, c, d];
            let Some(second) = values.iter().copied().find(|value| *value != a) else {
                continue;
            };
            if values.iter().any(|value| *value != a && *value != second) {
                continue;
            }
            // Where the two variables lead to the second of the values.
            let (x, y) = (2 * (1 + one as Lit), 2 * (1 + other as Lit));
            let mut inner = FALSE;
            let signs = [(1, 1), (1, 0), (0, 1), (0, 0)];
            let leads: Vec<bool> = values.iter().map(|value| *value == second).collect();
            match leads.iter().filter(|leads| **leads).count() {
                1 => {
                    for ((first, last), leads) in signs.iter().zip(&leads) {
                        if *leads {
                            inner = self.and(x ^ first, y ^ last);
                        }
                    }
                }
                3 => {
                    for ((first, last), leads) in signs.iter().zip(&leads) {
                        if !*leads {
                            inner = self.and(x ^ first, y ^ last) ^ 1;
                        }
                    }
                }
                _ if leads[1] && leads[2] => inner = self.mux(x, y ^ 1, y),
                // It does not depend on one of them.
                _ => continue,
            }
            let variable = VARIABLES[one];
            let outer = self.circuit(second & variable | a & !variable);
            found.push(self.replaced(outer, x >> 1, inner));
        }
        found
    }

    /// A circuit with another signal in the place of a variable.
    fn replaced(&mut self, value: Lit, variable: u32, by: Lit) -> Lit {
        let mut literals: QuickMap<u32, Lit> = QuickMap::default();
        literals.insert(variable, by);
        for gate in self.below(value) {
            if let Some((left, right)) = self.gate(gate) {
                let of = |lit: Lit| {
                    let known = literals.get(&(lit >> 1)).copied();
                    known.unwrap_or(lit & !1) ^ (lit & 1)
                };
                let (left, right) = (of(left), of(right));
                let literal = self.and(left, right);
                literals.insert(gate, literal);
            }
        }
        let known = literals.get(&(value >> 1)).copied();
        known.unwrap_or(value & !1) ^ (value & 1)
    }
}

/// The function with a variable false, and with it true; neither depends on it.
fn cofactors(table: u64, index: usize) -> (u64, u64) {
    let shift = 1 << index;
    let (low, high) = (table & !VARIABLES[index], table & VARIABLES[index]);
    (low | low << shift, high | high >> shift)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// The truth table of a literal of the library, from its gates.
    fn meaning(library: &Library, lit: Lit) -> u64 {
        let node = lit >> 1;
        let own = match library.gate(node) {
            Some((left, right)) => meaning(library, left) & meaning(library, right),
            None if node == 0 => 0,
            None => VARIABLES[node as usize - 1],
        };
        if lit & 1 == 1 { !own } else { own }
    }

    #[test]
    fn circuits_of_the_library_have_their_function() {
        let mut library = Library::new();
        // All functions of four variables.
        for low in 0..1_u64 << 16 {
            let table = low | low << 16 | low << 32 | low << 48;
            let lit = library.circuit(table);
            assert_eq!(meaning(&library, lit), table, "{low:x}");
        }
        for seed in 0..2_000 {
            let mut random = Random::new(seed);
            let mut table = random.word();
            for _ in 0..random.below(3) {
                table &= random.word();
            }
            let lit = library.circuit(table);
            assert_eq!(meaning(&library, lit), table, "seed {seed}");
        }
    }

    #[test]
    fn well_known_functions_have_their_smallest_circuits() {
        let mut library = Library::new();
        let [a, b, c, d, ..] = VARIABLES;
        let mut gates = |table: u64| {
            let lit = library.circuit(table);
            library.below(lit).len()
        };
        assert_eq!(gates(a & b | c & d), 3);
        assert_eq!(gates(a & b | a & c | b & c), 4);
        assert_eq!(gates(a & b | !a & c), 3);
        assert_eq!(gates(a ^ b ^ c), 6);
        assert_eq!(gates((a | b) & (c | d) & (a | c)), 4);
    }
}
