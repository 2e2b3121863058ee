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
use super::library::{Library, MOST_VARIABLES, VARIABLES};
use crate::quick_hash::{QuickMap, QuickSet};
use crate::random::Random;

/// So many times a change that keeps the size is tried for each gate before it is enough.
const NEUTRAL_ROUNDS: usize = 3;

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
        if leaves.len() - 1 + added > MOST_VARIABLES {
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

#[cfg(test)]
mod tests {
    use super::super::aig::tests::{played, random_aig, random_run};
    use super::*;

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
