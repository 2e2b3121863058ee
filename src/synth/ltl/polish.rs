//! Makes a circuit smaller by trying: a node becomes a constant, another signal or another gate,
//! and what the model checker still accepts is kept.
//!
//! A strategy does more than it has to: it works for the goals in some order, and remembers
//! what that order needs. Which of it matters is easier to ask than to derive, as long as the
//! circuit is small. Most of what is tried fails on a run that another has failed on, so that
//! many more changes are tried than the model checker could be asked about. Whatever comes out
//! was accepted by `certify`.

use super::aig::{Aig, Change, FALSE, Lit, TRUE};
use super::judge::Judge;
use super::patience::Patience;
use crate::random::Random;
use std::collections::BTreeSet;

/// Circuits with at most so many nodes are small enough to put any pair of signals in the place
/// of a node; in larger ones the pairs are of signals near the node.
const FEW_NODES: usize = 40;
/// So many signals are near a node.
const MOST_NEAR: usize = 14;

/// A walk ends after so many steps by which nothing is gained, each of which is searched for so
/// often.
const MOST_IDLE: usize = 20;
const MOST_TRIALS: usize = 500;

/// How far to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Nodes become constants or one of their operands.
    Simple,
    /// Everything.
    Full,
}

/// A circuit that is accepted, if the given one is.
pub fn polished(circuit: Aig, depth: Depth, patience: &Patience, judge: &mut Judge<'_>) -> Aig {
    let mut search = Search {
        current: circuit,
        patience,
        judge,
    };
    let rounds: [&Alternatives; 4] = [&simple, &any_signal, &other_operands, &any_gate];
    let rounds = match depth {
        Depth::Simple => &rounds[..1],
        Depth::Full => &rounds[..],
    };
    loop {
        let before = search.current.size();
        for round in rounds {
            search.round(round);
            if search.current.size() < before {
                break;
            }
        }
        if search.current.size() == before || patience.is_over() {
            return search.current;
        }
    }
}

/// The smallest circuit on a way through others of the same size: a change that gains nothing is
/// made by chance, and all that is gained after it is kept.
pub fn wandered(circuit: Aig, patience: &Patience, judge: &mut Judge<'_>) -> Aig {
    let mut random = Random::new(circuit.size() as u64);
    let mut best = circuit.clone();
    let mut current = circuit;
    let mut idle = 0;
    while idle < MOST_IDLE && !patience.is_over() && !current.gates.is_empty() {
        idle += 1;
        if let Some(other) = neutral(&current, &mut random, patience, judge) {
            current = polished(other, Depth::Full, patience, judge);
        }
        if current.size() < best.size() {
            best = current.clone();
            idle = 0;
        }
    }
    best
}

/// Another accepted circuit of the same size.
fn neutral(
    circuit: &Aig,
    random: &mut Random,
    patience: &Patience,
    judge: &mut Judge<'_>,
) -> Option<Aig> {
    for _ in 0..MOST_TRIALS {
        if patience.is_over() {
            break;
        }
        let node = circuit.first_gate() + random.below(circuit.gates.len()) as u32;
        let signals = 2 * circuit.len();
        let mut pick = || random.below(signals) as Lit;
        let (one, other) = (pick(), pick());
        // A new gate of any signals, or the gate with another operand.
        let change = match (circuit.gate(node), random.below(3)) {
            (Some((kept, _)), 0) | (Some((_, kept)), 1) => gate(circuit, node, kept, other, false),
            _ => gate(circuit, node, one, other, random.flip()),
        };
        if let Some(changed) = circuit.changed(&[change])
            && changed.size() <= circuit.size()
            && changed != *circuit
            && judge.accepts(&changed)
        {
            return Some(changed);
        }
    }
    None
}

/// Gives the changes of a node to somebody, until that one has found what it looks for.
type Alternatives = dyn Fn(&Aig, u32, &mut dyn FnMut(Change) -> bool);

struct Search<'a, 'b> {
    current: Aig,
    patience: &'a Patience,
    judge: &'a mut Judge<'b>,
}

/// Changes of a circuit, with what it is then.
struct Changed {
    changes: Vec<Change>,
    circuit: Aig,
}

impl Search<'_, '_> {
    /// Tries the alternatives of each node, from the outputs down: what goes first takes its
    /// cone with it. One question is about several nodes at once, more and more as long as the
    /// answer is yes.
    fn round(&mut self, alternatives: &Alternatives) {
        let base = self.current.clone();
        let mut accepted = Changed {
            changes: Vec::new(),
            circuit: base.clone(),
        };
        let mut next = base.len() as u32;
        let mut together = 1;
        // The alternatives of the next node that were tried already.
        let mut passed = 0;
        while next > base.first_latch() && !self.patience.is_over() {
            let mut chunk = Changed {
                changes: accepted.changes.clone(),
                circuit: accepted.circuit.clone(),
            };
            let mut node = next;
            let mut skipped = passed;
            let mut taken = 0;
            // How many alternatives of the last node come before the one that is in the chunk.
            let mut position = None;
            while node > base.first_latch() && taken < together && !self.patience.is_over() {
                node -= 1;
                position = self.extend(&base, node, alternatives, &mut chunk, skipped);
                skipped = 0;
                taken += usize::from(position.is_some());
            }
            if taken == 0 {
                return self.finish(accepted);
            }
            if self.judge.accepts(&chunk.circuit) {
                accepted = chunk;
                next = node;
                passed = 0;
                together *= 2;
            } else if together > 1 {
                together = (together / 4).max(1);
            } else {
                // The other alternatives of the same node.
                next = node + 1;
                passed = position.map_or(0, |position| position + 1);
            }
        }
        self.finish(accepted);
    }

    fn finish(&mut self, accepted: Changed) {
        self.current = accepted.circuit;
    }

    /// Adds the first alternative of a node that makes the circuit smaller and fails on no run
    /// that is known, after so many others; its position, if there is one.
    fn extend(
        &mut self,
        base: &Aig,
        node: u32,
        alternatives: &Alternatives,
        chunk: &mut Changed,
        skipped: usize,
    ) -> Option<usize> {
        let mut position = 0;
        let mut found = None;
        let (judge, patience) = (&mut *self.judge, self.patience);
        alternatives(base, node, &mut |change| {
            if patience.is_over() {
                return false;
            }
            position += 1;
            if position <= skipped {
                return true;
            }
            chunk.changes.push(change);
            if let Some(circuit) = base.changed(&chunk.changes)
                && circuit.size() < chunk.circuit.size()
                && judge.may_accept(&circuit)
            {
                chunk.circuit = circuit;
                found = Some(position - 1);
                return false;
            }
            chunk.changes.pop();
            true
        });
        found
    }
}

/// The node as a constant or as one of its operands.
fn simple(circuit: &Aig, node: u32, tried: &mut dyn FnMut(Change) -> bool) {
    let mut values = vec![FALSE, TRUE];
    if let Some((left, right)) = circuit.gate(node) {
        values.extend([left, right]);
    }
    let _ = values
        .into_iter()
        .all(|value| tried(Change::to(node, value)));
}

/// The node as any other signal that does not depend on it.
fn any_signal(circuit: &Aig, node: u32, tried: &mut dyn FnMut(Change) -> bool) {
    let readers = circuit.readers(node);
    let others = (1..circuit.len() as u32).rev();
    let mut others = others.filter(|other| !readers[*other as usize]);
    let _ = others
        .all(|other| tried(Change::to(node, 2 * other)) && tried(Change::to(node, 2 * other + 1)));
}

/// The gate with another operand, where that may make one of the gates behind it superfluous.
fn other_operands(circuit: &Aig, node: u32, tried: &mut dyn FnMut(Change) -> bool) {
    let Some((left, right)) = circuit.gate(node) else {
        return;
    };
    for kept in [left, right] {
        let mut below = BTreeSet::new();
        let mut pending = vec![(kept >> 1, 0)];
        while let Some((one, depth)) = pending.pop() {
            if let (Some((a, b)), true) = (circuit.gate(one), depth < 2) {
                below.extend([a & !1, b & !1]);
                pending.extend([(a >> 1, depth + 1), (b >> 1, depth + 1)]);
            }
        }
        for other in below {
            for lit in [other, other + 1] {
                if !tried(gate(circuit, node, kept, lit, false)) {
                    return;
                }
            }
        }
    }
}

/// The node as a gate of two other signals, where more than one gate is only there for it.
fn any_gate(circuit: &Aig, node: u32, tried: &mut dyn FnMut(Change) -> bool) {
    if own_cone(circuit, node) < 2 {
        return;
    }
    let readers = circuit.readers(node);
    let signals: Vec<u32> = if circuit.len() <= FEW_NODES {
        (1..circuit.len() as u32).collect()
    } else {
        near(circuit, node)
    };
    let free = |one: &&u32| !readers[**one as usize];
    let signals: Vec<u32> = signals.iter().filter(free).copied().collect();
    for (index, one) in signals.iter().enumerate() {
        for other in &signals[..index] {
            for signs in 0..8 {
                let left: Lit = 2 * one + (signs & 1);
                let right: Lit = 2 * other + (signs >> 1 & 1);
                if !tried(gate(circuit, node, left, right, signs & 4 != 0)) {
                    return;
                }
            }
        }
    }
}

/// The node as a new gate.
fn gate(circuit: &Aig, node: u32, left: Lit, right: Lit, negated: bool) -> Change {
    Change {
        node,
        value: 2 * circuit.len() as Lit + Lit::from(negated),
        gates: vec![(left, right)],
    }
}

/// How many gates are only there for a node, itself with them.
fn own_cone(circuit: &Aig, node: u32) -> usize {
    let gone = circuit.changed(&[Change::to(node, FALSE)]);
    let cut = gone.map_or(0, |gone| {
        circuit.gates.len().saturating_sub(gone.gates.len())
    });
    // Constants make more than the cone go; its size is a bound.
    let mut below = BTreeSet::from([node]);
    let mut pending = vec![node];
    while let Some(one) = pending.pop() {
        if let Some((left, right)) = circuit.gate(one) {
            for operand in [left >> 1, right >> 1] {
                if circuit.gate(operand).is_some() && below.insert(operand) {
                    pending.push(operand);
                }
            }
        }
    }
    cut.min(below.len())
}

/// Signals near a node: what it reads, directly and through a few gates, and what is read
/// together with it.
fn near(circuit: &Aig, node: u32) -> Vec<u32> {
    let mut found = vec![node];
    let mut next = 0;
    while next < found.len() && found.len() < MOST_NEAR {
        let one = found[next];
        next += 1;
        let mut add = |lit: Lit| {
            if lit > TRUE && !found.contains(&(lit >> 1)) {
                found.push(lit >> 1);
            }
        };
        if let Some((left, right)) = circuit.gate(one) {
            add(left);
            add(right);
        }
        for (left, right) in &circuit.gates {
            if left >> 1 == one {
                add(*right);
            } else if right >> 1 == one {
                add(*left);
            }
        }
    }
    found
}
