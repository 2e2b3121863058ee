//! The same functions with fewer gates: small parts of a graph are taken out and written anew.
//!
//! Each gate is seen as a function of up to six signals below it, for several choices of these
//! signals. A good circuit for the function is put in its place if, with the gates that are there
//! already and stay, fewer gates are needed: DAG-aware rewriting [MCB06]. Ours has no table of
//! circuits but decomposes each function once, and makes the whole graph with each promising
//! change, which counts all sharing exactly. A change that keeps the size is taken now and then:
//! it opens the way for others.
//!
//! Invariant: outputs and next values are the same functions of inputs and latches.

use super::aig::{Aig, Change, FALSE, Lit};
use crate::quick_hash::{QuickMap, QuickSet};
use crate::random::Random;

/// The signals that a function may have: a truth table is a word.
const MOST_LEAVES: usize = 6;
/// So many times a change that keeps the size is tried for each gate before it is enough.
const NEUTRAL_ROUNDS: usize = 3;

/// The truth tables of the signals.
const VARIABLES: [u64; MOST_LEAVES] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// Rewrites a graph until nothing is gained, or so many graphs have been made.
pub fn rewritten(circuit: Aig, mut work: usize) -> Aig {
    let mut library = Library::new();
    let mut random = Random::new(1);
    let mut best = circuit.clone();
    let mut current = circuit;
    let mut seen = 0;
    while work > 0 {
        loop {
            let before = current.size();
            current = pass(current, None, &mut library, &mut work);
            if current.size() == before {
                break;
            }
        }
        if current.size() < best.size() {
            best = current.clone();
            seen = 0;
        } else {
            seen += 1;
            if seen > NEUTRAL_ROUNDS {
                break;
            }
        }
        current = pass(current, Some(&mut random), &mut library, &mut work);
    }
    best
}

/// Tries each gate once. With a source of random numbers some changes that keep the size are
/// made, too.
fn pass(
    circuit: Aig,
    mut neutral: Option<&mut Random>,
    library: &mut Library,
    work: &mut usize,
) -> Aig {
    let mut current = circuit;
    let mut surroundings = Surroundings::new(&current);
    let mut node = current.first_gate();
    while (node as usize) < current.len() && *work > 0 {
        let mut found = None;
        let cuts = cuts(&current, node);
        for leaves in cuts {
            let neutral = neutral
                .as_deref_mut()
                .is_some_and(|random| random.below(3) == 0);
            let Some(change) = surroundings.change(&current, node, &leaves, neutral, library)
            else {
                continue;
            };
            *work = work.saturating_sub(1);
            let Some(changed) = current.changed(&[change]) else {
                continue;
            };
            let is_better = changed.size() < current.size()
                || neutral && changed.size() == current.size() && changed != current;
            if is_better {
                found = Some(changed);
                break;
            }
        }
        if let Some(changed) = found {
            current = changed;
            surroundings = Surroundings::new(&current);
        }
        node += 1;
    }
    current
}

/// Choices of signals that a gate is a function of: its operands, then what these are made of,
/// always what adds the fewest signals.
fn cuts(circuit: &Aig, node: u32) -> Vec<Vec<u32>> {
    let Some((left, right)) = circuit.gate(node) else {
        return Vec::new();
    };
    let mut leaves = vec![left >> 1, right >> 1];
    let mut found = Vec::new();
    loop {
        let cost = |leaf: &u32| {
            let (left, right) = circuit.gate(*leaf)?;
            let new = |lit: &Lit| !leaves.contains(&(lit >> 1));
            let added = [left, right].iter().filter(|lit| new(lit)).count();
            Some((added, std::cmp::Reverse(*leaf)))
        };
        let next = leaves.iter().filter_map(|leaf| Some((cost(leaf)?, *leaf)));
        let Some(((added, _), leaf)) = next.min() else {
            break;
        };
        if leaves.len() - 1 + added > MOST_LEAVES {
            break;
        }
        leaves.retain(|one| *one != leaf);
        if let Some((left, right)) = circuit.gate(leaf) {
            for lit in [left, right] {
                if !leaves.contains(&(lit >> 1)) {
                    leaves.push(lit >> 1);
                }
            }
        }
        found.push(leaves.clone());
    }
    found
}

/// What is known of a graph before it is changed.
struct Surroundings {
    readers: Vec<u32>,
    gates: QuickMap<(Lit, Lit), Lit>,
}

impl Surroundings {
    fn new(circuit: &Aig) -> Surroundings {
        let mut readers = vec![0; circuit.len()];
        let mut gates = QuickMap::default();
        for (node, (left, right)) in (circuit.first_gate()..).zip(&circuit.gates) {
            readers[(left >> 1) as usize] += 1;
            readers[(right >> 1) as usize] += 1;
            gates.insert(((*left).max(*right), (*left).min(*right)), 2 * node);
        }
        let nexts = circuit.latches.iter().map(|latch| latch.1);
        for lit in nexts.chain(circuit.outputs.iter().copied()) {
            readers[(lit >> 1) as usize] += 1;
        }
        Surroundings { readers, gates }
    }

    /// Another circuit for a gate as a function of the leaves, if it promises fewer gates.
    fn change(
        &mut self,
        circuit: &Aig,
        node: u32,
        leaves: &[u32],
        neutral: bool,
        library: &mut Library,
    ) -> Option<Change> {
        let mut cone = Vec::new();
        let table = table(circuit, node, leaves, &mut cone)?;
        let freed = self.freed(circuit, node, leaves);
        let value = library.circuit(table);
        let mut change = Change::to(node, FALSE);
        let mut added = 0;
        let mut literals: QuickMap<u32, Lit> = QuickMap::default();
        literals.insert(0, FALSE);
        for (index, leaf) in leaves.iter().enumerate() {
            literals.insert(1 + index as u32, 2 * leaf);
        }
        for gate in library.below(value) {
            let (left, right) = library.gate(gate)?;
            let of = |lit: Lit| Some(literals.get(&(lit >> 1))? ^ (lit & 1));
            let (left, right) = (of(left)?, of(right)?);
            let key = (left.max(right), left.min(right));
            let known = self.gates.get(&key).copied();
            let literal = match known.filter(|lit| lit >> 1 != node) {
                Some(known) => {
                    added += usize::from(freed.contains(&(known >> 1)));
                    known
                }
                None => {
                    added += 1;
                    change.gates.push((left, right));
                    2 * (circuit.len() + change.gates.len() - 1) as Lit
                }
            };
            literals.insert(gate, literal);
        }
        change.value = literals.get(&(value >> 1))? ^ (value & 1);
        let promises = added < freed.len() || neutral && added == freed.len();
        (promises && change.value >> 1 != node).then_some(change)
    }

    /// The gates above the leaves that only the node needs, itself with them.
    fn freed(&mut self, circuit: &Aig, node: u32, leaves: &[u32]) -> QuickSet<u32> {
        let mut freed = QuickSet::default();
        freed.insert(node);
        let mut pending = vec![node];
        let mut touched = Vec::new();
        while let Some(one) = pending.pop() {
            let Some((left, right)) = circuit.gate(one) else {
                continue;
            };
            for operand in [left >> 1, right >> 1] {
                self.readers[operand as usize] -= 1;
                touched.push(operand);
                let is_gate = circuit.gate(operand).is_some();
                if self.readers[operand as usize] == 0 && is_gate && !leaves.contains(&operand) {
                    freed.insert(operand);
                    pending.push(operand);
                }
            }
        }
        for operand in touched {
            self.readers[operand as usize] += 1;
        }
        freed
    }
}

/// The function of a gate over some signals below it.
fn table(circuit: &Aig, node: u32, leaves: &[u32], cone: &mut Vec<(u32, u64)>) -> Option<u64> {
    if let Some(index) = leaves.iter().position(|leaf| *leaf == node) {
        return VARIABLES.get(index).copied();
    }
    if node == 0 {
        return Some(0);
    }
    if let Some((_, known)) = cone.iter().find(|(known, _)| *known == node) {
        return Some(*known);
    }
    let (left, right) = circuit.gate(node)?;
    let mut of = |lit: Lit| -> Option<u64> {
        let own = table(circuit, lit >> 1, leaves, cone)?;
        Some(if lit & 1 == 1 { !own } else { own })
    };
    let own = of(left)? & of(right)?;
    cone.push((node, own));
    Some(own)
}

/// Circuits for functions. Node 0 is false, nodes 1 to 6 are the variables, the others are gates.
struct Library {
    gates: Vec<(Lit, Lit)>,
    hashed: QuickMap<(Lit, Lit), Lit>,
    known: QuickMap<u64, Lit>,
}

const FIRST: u32 = 1 + MOST_LEAVES as u32;

impl Library {
    fn new() -> Library {
        Library {
            gates: Vec::new(),
            hashed: QuickMap::default(),
            known: QuickMap::default(),
        }
    }

    fn gate(&self, node: u32) -> Option<(Lit, Lit)> {
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
    fn below(&self, value: Lit) -> Vec<u32> {
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
    fn circuit(&mut self, table: u64) -> Lit {
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
        let support: Vec<usize> = (0..MOST_LEAVES)
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
    use super::super::aig::tests::{played, random_aig, random_run};
    use super::*;

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

    #[test]
    fn rewriting_keeps_what_a_circuit_does() {
        let mut gained = 0;
        for seed in 0..1_000 {
            let mut random = Random::new(seed);
            let circuit = random_aig(&mut random);
            let other = rewritten(circuit.clone(), 500);
            assert!(other.size() <= circuit.size(), "seed {seed}");
            gained += circuit.size() - other.size();
            for _ in 0..10 {
                let run = random_run(&mut random, circuit.inputs);
                let expected = played(&circuit, &run, None);
                assert_eq!(played(&other, &run, None), expected, "seed {seed}");
            }
        }
        assert!(gained > 100, "{gained} gates gained");
    }
}
