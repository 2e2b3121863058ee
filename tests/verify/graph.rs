//! The states of a small circuit, one by one.

use super::support::Circuit;
use respin::random::Random;
use std::collections::HashMap;

/// Every state and input of a circuit, and what they lead to.
pub struct Graph {
    pub initial: Vec<usize>,
    pub inputs: usize,
    next: Vec<usize>,
    values: Vec<Vec<bool>>,
}

impl Graph {
    /// `literals` are the signals that matter, as AIGER codes them.
    pub fn new(circuit: &Circuit, literals: &[u32]) -> Graph {
        let states = 1 << circuit.latches.len();
        let inputs = 1 << circuit.inputs.len();
        let bit = |number: usize, place: usize| number >> place & 1 == 1;
        let mut graph = Graph {
            initial: Vec::new(),
            inputs,
            next: Vec::new(),
            values: Vec::new(),
        };
        for state in 0..states {
            let starts = circuit
                .latches
                .iter()
                .enumerate()
                .all(|(place, (latch, _, reset))| {
                    reset == latch || bit(state, place) == (*reset == 1)
                });
            if starts {
                graph.initial.push(state);
            }
            for input in 0..inputs {
                let mut known = HashMap::new();
                for (place, (latch, ..)) in circuit.latches.iter().enumerate() {
                    known.insert(latch / 2, bit(state, place));
                }
                for (place, literal) in circuit.inputs.iter().enumerate() {
                    known.insert(literal / 2, bit(input, place));
                }
                let mut next = 0;
                for (place, (_, literal, _)) in circuit.latches.iter().enumerate() {
                    next |= usize::from(circuit.evaluate(*literal, &mut known)) << place;
                }
                graph.next.push(next);
                let values = literals
                    .iter()
                    .map(|code| circuit.evaluate(*code, &mut known));
                graph.values.push(values.collect());
            }
        }
        graph
    }

    pub fn next(&self, state: usize, input: usize) -> usize {
        self.next[state * self.inputs + input]
    }

    /// The value of one of the literals.
    pub fn value(&self, state: usize, input: usize, signal: usize) -> bool {
        self.values[state * self.inputs + input][signal]
    }
}

/// A circuit without properties: variables are inputs, latches, gates, in this order.
pub fn random_circuit(random: &mut Random, inputs: usize, latches: usize, gates: usize) -> Circuit {
    let mut circuit = Circuit::default();
    let literal = |random: &mut Random, known: usize| random.below(2 * (known + 1)) as u32;
    let leaves = inputs + latches;
    circuit.maximum = (leaves + gates) as u32;
    circuit.inputs = (1..=inputs as u32).map(|variable| 2 * variable).collect();
    for gate in 0..gates {
        let (left, right) = (
            literal(random, leaves + gate),
            literal(random, leaves + gate),
        );
        circuit.gates.push((
            2 * (leaves + gate + 1) as u32,
            left.max(right),
            left.min(right),
        ));
    }
    for latch in 0..latches {
        let code = 2 * (inputs + latch + 1) as u32;
        let reset = [0, 0, 1, code][random.below(4)];
        circuit
            .latches
            .push((code, literal(random, leaves + gates), reset));
    }
    circuit
}

/// The strongly connected components of a graph given by its edges; each a list of nodes.
pub fn components(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut order = Vec::new();
    let mut seen = vec![false; edges.len()];
    for start in 0..edges.len() {
        let mut path = vec![(start, 0)];
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        while let Some((node, place)) = path.last_mut() {
            match edges[*node].get(*place) {
                Some(&next) => {
                    *place += 1;
                    if !std::mem::replace(&mut seen[next], true) {
                        path.push((next, 0));
                    }
                }
                None => {
                    order.push(*node);
                    path.pop();
                }
            }
        }
    }
    let mut reversed = vec![Vec::new(); edges.len()];
    for (node, targets) in edges.iter().enumerate() {
        for &target in targets {
            reversed[target].push(node);
        }
    }
    let mut found = Vec::new();
    let mut taken = vec![false; edges.len()];
    for &root in order.iter().rev() {
        if std::mem::replace(&mut taken[root], true) {
            continue;
        }
        let mut component = Vec::new();
        let mut pending = vec![root];
        while let Some(node) = pending.pop() {
            component.push(node);
            for &source in &reversed[node] {
                if !std::mem::replace(&mut taken[source], true) {
                    pending.push(source);
                }
            }
        }
        found.push(component);
    }
    found
}

/// Whether some component has a cycle and meets each condition on nodes.
pub fn has_fair_cycle(edges: &[Vec<usize>], conditions: &[Vec<bool>]) -> bool {
    components(edges).into_iter().any(|component| {
        let cyclic = component.len() > 1 || edges[component[0]].contains(&component[0]);
        let fair = |condition: &Vec<bool>| component.iter().any(|node| condition[*node]);
        cyclic && conditions.iter().all(fair)
    })
}
