//! A controller as a compact and-inverter graph, for searches that look at many variants.
//!
//! Nodes are numbers: 0 is false, then come inputs, latches and gates, operands before gates.
//! A literal is twice its node, plus one if complemented. Every graph is swept: equal gates are
//! one, what looks one gate deep is simplified, and everything is read by an output. So the
//! size of a variant is known as soon as it is made.

use crate::design::{self, Design, InputKind, NodeId, Reset};
use std::collections::HashMap;

/// Twice a node, plus one if complemented.
pub type Lit = u32;

pub const FALSE: Lit = 0;
pub const TRUE: Lit = 1;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aig {
    pub inputs: usize,
    /// Whether each latch starts high, and its next value.
    pub latches: Vec<(bool, Lit)>,
    pub gates: Vec<(Lit, Lit)>,
    pub outputs: Vec<Lit>,
}

/// What is different in a variant: whatever reads a node reads a literal in its place. The
/// literal, and the gates below it, may be of new gates, whose numbers follow on those of the
/// graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub node: u32,
    pub value: Lit,
    pub gates: Vec<(Lit, Lit)>,
}

impl Change {
    /// A literal that is there already.
    pub fn to(node: u32, value: Lit) -> Change {
        Change {
            node,
            value,
            gates: Vec::new(),
        }
    }
}

impl Aig {
    /// The graph of a design; `None` if it has a cycle of gates or starts with unknown values.
    pub fn of_design(design: &Design) -> Option<Aig> {
        let mut numbers: HashMap<NodeId, Lit> = HashMap::new();
        numbers.insert(design::Literal::FALSE.node(), FALSE);
        let mut next = 1;
        for id in design.inputs().iter().chain(design.latches()) {
            numbers.insert(*id, 2 * next);
            next += 1;
        }
        let order = design.checked_order().ok()?;
        let of = |numbers: &HashMap<NodeId, Lit>, literal: design::Literal| -> Option<Lit> {
            let own = numbers.get(&literal.node())?;
            Some(own ^ u32::from(literal.is_complemented()))
        };
        let mut gates = Vec::new();
        for id in order {
            if let Some((left, right)) = design.gate(id) {
                gates.push((of(&numbers, left)?, of(&numbers, right)?));
                numbers.insert(id, 2 * next);
                next += 1;
            }
        }
        let mut latches = Vec::new();
        for id in design.latches() {
            let latch = design.latch(*id)?;
            latches.push((latch.reset.value()?, of(&numbers, latch.next)?));
        }
        let outputs = design.outputs().iter();
        let outputs = outputs.map(|output| of(&numbers, output.literal));
        let whole = Aig {
            inputs: design.inputs().len(),
            latches,
            gates,
            outputs: outputs.collect::<Option<Vec<Lit>>>()?,
        };
        whole.changed(&[])
    }

    /// As a design with the inputs and the names of another one.
    pub fn design(&self, names: &Design) -> Design {
        let mut design = Design::new();
        let mut nodes = vec![design::Literal::FALSE];
        for id in names.inputs() {
            let kind = names.input_kind(*id).unwrap_or(InputKind::Environment);
            let input = design.add_input(kind);
            if let Some(name) = names.name(*id) {
                design.set_name(input, name);
            }
            nodes.push(input.literal());
        }
        let mut latches = Vec::new();
        for (starts_high, _) in &self.latches {
            let reset = if *starts_high {
                Reset::One
            } else {
                Reset::Zero
            };
            let latch = design.add_latch(reset);
            latches.push(latch);
            nodes.push(latch.literal());
        }
        let of = |nodes: &[design::Literal], lit: Lit| {
            nodes[(lit >> 1) as usize].complement_if(lit & 1 == 1)
        };
        for (left, right) in &self.gates {
            let gate = design.and(of(&nodes, *left), of(&nodes, *right));
            nodes.push(gate);
        }
        for (latch, (_, next)) in latches.into_iter().zip(&self.latches) {
            design.set_next(latch, of(&nodes, *next));
        }
        for (output, lit) in names.outputs().iter().zip(&self.outputs) {
            design.add_output(output.name.clone(), of(&nodes, *lit), output.span);
        }
        design
    }

    /// Gates and latches.
    pub fn size(&self) -> usize {
        self.gates.len() + self.latches.len()
    }

    /// How many nodes there are, the constant and the inputs with them.
    pub fn len(&self) -> usize {
        self.first_gate() as usize + self.gates.len()
    }

    pub fn first_latch(&self) -> u32 {
        1 + self.inputs as u32
    }

    pub fn first_gate(&self) -> u32 {
        self.first_latch() + self.latches.len() as u32
    }

    pub fn gate(&self, node: u32) -> Option<(Lit, Lit)> {
        let index = node.checked_sub(self.first_gate())?;
        self.gates.get(index as usize).copied()
    }

    /// The nodes that read a node in the same step, itself with them.
    pub fn readers(&self, node: u32) -> Vec<bool> {
        let mut found = vec![false; self.len()];
        found[node as usize] = true;
        let first = self.first_gate() as usize;
        for (index, (left, right)) in self.gates.iter().enumerate() {
            found[first + index] |= found[(left >> 1) as usize] || found[(right >> 1) as usize];
        }
        found
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::random::Random;

    /// A graph by chance, as it comes: not swept.
    fn raw(random: &mut Random) -> Aig {
        let inputs = 1 + random.below(4);
        let latches = random.below(4);
        let gates = 1 + random.below(30);
        let literal = |random: &mut Random, nodes: usize| random.below(2 * nodes) as Lit;
        let first = 1 + inputs + latches;
        let gates: Vec<(Lit, Lit)> = (0..gates)
            .map(|gate| {
                let nodes = first + gate;
                (literal(random, nodes), literal(random, nodes))
            })
            .collect();
        let nodes = first + gates.len();
        let latches = (0..latches).map(|_| (random.flip(), literal(random, nodes)));
        let latches = latches.collect();
        let outputs = (0..1 + random.below(3)).map(|_| literal(random, nodes));
        Aig {
            inputs,
            latches,
            gates,
            outputs: outputs.collect(),
        }
    }

    /// A graph by chance.
    pub fn random_aig(random: &mut Random) -> Aig {
        raw(random).changed(&[]).expect("no cycle")
    }

    /// The outputs on a run, from the definition: each node is evaluated by itself, and
    /// `replaced` may say that it is another literal.
    pub fn played(aig: &Aig, inputs: &[Vec<bool>], replaced: Option<(u32, Lit)>) -> Vec<Vec<bool>> {
        let mut state: Vec<bool> = aig.latches.iter().map(|latch| latch.0).collect();
        let mut outputs = Vec::new();
        for inputs in inputs {
            let value = |lit: Lit| value(aig, &state, inputs, replaced, lit);
            outputs.push(aig.outputs.iter().map(|lit| value(*lit)).collect());
            state = aig.latches.iter().map(|latch| value(latch.1)).collect();
        }
        outputs
    }

    fn value(
        aig: &Aig,
        state: &[bool],
        inputs: &[bool],
        replaced: Option<(u32, Lit)>,
        lit: Lit,
    ) -> bool {
        let node = lit >> 1;
        let of = |lit: Lit| value(aig, state, inputs, replaced, lit);
        let own = match (replaced, aig.gate(node)) {
            (Some((changed, by)), _) if changed == node => of(by),
            (_, Some((left, right))) => of(left) & of(right),
            _ if node == 0 => false,
            _ if node < aig.first_latch() => inputs[node as usize - 1],
            _ => state[(node - aig.first_latch()) as usize],
        };
        own ^ (lit & 1 == 1)
    }

    /// What the environment does, by chance.
    pub fn random_run(random: &mut Random, inputs: usize) -> Vec<Vec<bool>> {
        let mut step = || (0..inputs).map(|_| random.flip()).collect();
        (0..20).map(|_| step()).collect()
    }

    #[test]
    fn sweeping_keeps_what_a_circuit_does() {
        let mut gone = 0;
        for seed in 0..3_000 {
            let mut random = Random::new(seed);
            let raw = raw(&mut random);
            let swept = raw.changed(&[]).expect("no cycle");
            gone += raw.size() - swept.size();
            for _ in 0..5 {
                let run = random_run(&mut random, raw.inputs);
                let expected = played(&raw, &run, None);
                assert_eq!(played(&swept, &run, None), expected, "seed {seed}");
            }
        }
        assert!(gone > 10_000, "{gone} nodes were swept");
    }

    #[test]
    fn a_changed_node_is_what_it_was_changed_to() {
        let (mut changed, mut cyclic) = (0, 0);
        for seed in 0..3_000 {
            let mut random = Random::new(seed);
            let circuit = random_aig(&mut random);
            if circuit.len() < 3 {
                continue;
            }
            let node = 1 + random.below(circuit.len() - 1) as u32;
            let by = random.below(2 * circuit.len()) as Lit;
            let readers = circuit.readers(node);
            let Some(other) = circuit.changed(&[Change::to(node, by)]) else {
                assert!(readers[(by >> 1) as usize], "seed {seed}: no cycle");
                cyclic += 1;
                continue;
            };
            if readers[(by >> 1) as usize] {
                // The cycle is where nothing reads it any more.
                continue;
            }
            changed += 1;
            let run = random_run(&mut random, circuit.inputs);
            let expected = played(&circuit, &run, Some((node, by)));
            assert_eq!(played(&other, &run, None), expected, "seed {seed}");
        }
        assert!(changed > 500 && cyclic > 50, "{changed}, {cyclic} cyclic");
    }

    #[test]
    fn a_new_gate_is_the_conjunction_of_its_operands() {
        for seed in 0..2_000 {
            let mut random = Random::new(seed);
            let circuit = random_aig(&mut random);
            let Some(node) = (circuit.first_gate()..circuit.len() as u32).next() else {
                continue;
            };
            // Below the first gate there are no cycles.
            let mut pick = || random.below(2 * node as usize) as Lit;
            let (left, right) = (pick(), pick());
            let change = Change {
                node,
                value: 2 * circuit.len() as Lit + 1,
                gates: vec![(left, right)],
            };
            let other = circuit.changed(&[change]).expect("no cycle");
            let mut expected = circuit.clone();
            expected.gates[0] = (left, right);
            let readers = |lit: &mut Lit| *lit ^= Lit::from(*lit >> 1 == node);
            expected.outputs.iter_mut().for_each(readers);
            expected
                .latches
                .iter_mut()
                .for_each(|latch| readers(&mut latch.1));
            for gate in &mut expected.gates[1..] {
                readers(&mut gate.0);
                readers(&mut gate.1);
            }
            let run = random_run(&mut random, circuit.inputs);
            let expected = played(&expected, &run, None);
            assert_eq!(played(&other, &run, None), expected, "seed {seed}");
        }
    }

    #[test]
    fn designs_there_and_back() {
        for seed in 0..1_000 {
            let mut random = Random::new(seed);
            let circuit = random_aig(&mut random);
            let mut names = Design::new();
            for _ in 0..circuit.inputs {
                names.add_input(InputKind::Environment);
            }
            for _ in &circuit.outputs {
                names.add_output(None, design::Literal::FALSE, None);
            }
            let design = circuit.design(&names);
            let run = random_run(&mut random, circuit.inputs);
            let simulated = design.run(&[], &run).expect("a design");
            for (step, expected) in played(&circuit, &run, None).iter().enumerate() {
                let outputs = design.outputs().iter();
                let own: Vec<bool> = outputs
                    .map(|output| simulated.value(step, output.literal))
                    .collect();
                assert_eq!(own, *expected, "seed {seed}");
            }
            let again = Aig::of_design(&design).expect("a graph");
            let expected = played(&circuit, &run, None);
            assert_eq!(played(&again, &run, None), expected, "seed {seed}");
        }
    }
}
