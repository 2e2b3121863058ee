//! A controller as a compact and-inverter graph, for searches that look at many variants.
//!
//! Nodes are numbers: 0 is false, then come inputs, latches and gates, operands before gates.
//! A literal is twice its node, plus one if complemented. Every graph is swept: equal gates are
//! one, what looks one gate deep is simplified, and everything is read by an output. So the
//! size of a variant is known as soon as it is made.

use crate::design::{self, Design, InputKind, NodeId, Reset};
use crate::quick_hash::QuickMap;
use std::collections::HashMap;

/// Twice a node, plus one if complemented.
pub type Lit = u32;

pub const FALSE: Lit = 0;
pub const TRUE: Lit = 1;

const UNKNOWN: Lit = u32::MAX;
const PENDING: Lit = u32::MAX - 1;

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
        Copying::new(&whole, &[]).copied()?.swept()
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

    /// The graph with some changes, swept; `None` if gates would read each other in a cycle.
    pub fn changed(&self, changes: &[Change]) -> Option<Aig> {
        Copying::new(self, changes).copied()?.swept()
    }

    fn swept(self) -> Option<Aig> {
        let mut current = self;
        // What was simplified away may have been all that read a latch.
        loop {
            let next = Copying::new(&current, &[]).copied()?;
            if next.size() >= current.size() {
                return Some(current);
            }
            current = next;
        }
    }
}

/// What a node of the original is in a variant.
#[derive(Clone, Copy)]
enum Meaning {
    Same,
    Literal(Lit),
    Gate(Lit, Lit),
}

struct Copying<'a> {
    original: &'a Aig,
    /// What nodes of the original are replaced by.
    replaced: Vec<Lit>,
    /// The new gates of all changes.
    added: Vec<(Lit, Lit)>,
    /// By node of the original.
    known: Vec<Lit>,
    hashed: QuickMap<(Lit, Lit), Lit>,
    /// The first gate of the copy, and its gates.
    first: u32,
    gates: Vec<(Lit, Lit)>,
}

impl<'a> Copying<'a> {
    fn new(original: &'a Aig, changes: &[Change]) -> Copying<'a> {
        let mut replaced = vec![UNKNOWN; original.len()];
        let mut added: Vec<(Lit, Lit)> = Vec::new();
        let first_new = 2 * original.len() as Lit;
        for change in changes {
            let offset = 2 * added.len() as Lit;
            let of = |lit: Lit| if lit >= first_new { lit + offset } else { lit };
            replaced[change.node as usize] = of(change.value);
            let gates = change.gates.iter();
            added.extend(gates.map(|(left, right)| (of(*left), of(*right))));
        }
        Copying {
            original,
            known: vec![UNKNOWN; original.len() + added.len()],
            replaced,
            added,
            hashed: QuickMap::default(),
            first: 0,
            gates: Vec::with_capacity(original.gates.len()),
        }
    }

    fn meaning(&self, node: u32) -> Meaning {
        match self.replaced.get(node as usize) {
            Some(&UNKNOWN) => {}
            Some(lit) => return Meaning::Literal(*lit),
            None => {
                let (left, right) = self.added[node as usize - self.replaced.len()];
                return Meaning::Gate(left, right);
            }
        }
        match self.original.gate(node) {
            Some((left, right)) => Meaning::Gate(left, right),
            None => Meaning::Same,
        }
    }

    /// The latches that outputs depend on.
    fn live(&self) -> Vec<bool> {
        let mut seen = vec![false; self.known.len()];
        let outputs = self.original.outputs.iter();
        let mut pending: Vec<u32> = outputs.map(|lit| lit >> 1).collect();
        let first = self.original.first_latch();
        while let Some(node) = pending.pop() {
            if std::mem::replace(&mut seen[node as usize], true) {
                continue;
            }
            match self.meaning(node) {
                Meaning::Literal(lit) => pending.push(lit >> 1),
                Meaning::Gate(left, right) => pending.extend([left >> 1, right >> 1]),
                Meaning::Same => {
                    let latch = node.checked_sub(first).map(|index| index as usize);
                    if let Some((starts_high, next)) =
                        latch.and_then(|index| self.original.latches.get(index))
                    {
                        let constant = u32::from(*starts_high);
                        // It never has another value.
                        if *next != constant && *next != 2 * node {
                            pending.push(next >> 1);
                        }
                    }
                }
            }
        }
        seen
    }

    fn copied(mut self) -> Option<Aig> {
        let live = self.live();
        let original = self.original;
        self.known[0] = FALSE;
        for input in 0..original.inputs as u32 {
            if matches!(self.meaning(1 + input), Meaning::Same) {
                self.known[1 + input as usize] = 2 * (1 + input);
            }
        }
        let mut latches = Vec::new();
        for (node, (starts_high, next)) in (original.first_latch()..).zip(&original.latches) {
            if !live[node as usize] || !matches!(self.meaning(node), Meaning::Same) {
                continue;
            }
            let constant = u32::from(*starts_high);
            if *next == constant || *next == 2 * node {
                self.known[node as usize] = constant;
                continue;
            }
            self.known[node as usize] = 2 * (original.first_latch() + latches.len() as u32);
            latches.push((*starts_high, *next));
        }
        self.first = original.first_latch() + latches.len() as u32;
        for (_, next) in &mut latches {
            *next = self.literal(*next)?;
        }
        let mut outputs = Vec::new();
        for output in &original.outputs {
            outputs.push(self.literal(*output)?);
        }
        Some(
            Aig {
                inputs: original.inputs,
                latches,
                gates: self.gates,
                outputs,
            }
            .without_unread(),
        )
    }

    /// The literal of the copy for one of the original.
    fn literal(&mut self, lit: Lit) -> Option<Lit> {
        let mut pending = vec![lit >> 1];
        while let Some(&node) = pending.last() {
            let index = node as usize;
            if self.known[index] < PENDING {
                pending.pop();
                continue;
            }
            let operands = match self.meaning(node) {
                Meaning::Same => {
                    // Only latches that nothing reads are without a value.
                    self.known[index] = FALSE;
                    continue;
                }
                Meaning::Literal(lit) => [lit, lit],
                Meaning::Gate(left, right) => [left, right],
            };
            let missing = |lit: &Lit| self.known[(lit >> 1) as usize] >= PENDING;
            let mut waiting = operands.iter().copied().filter(missing).peekable();
            if waiting.peek().is_some() {
                // Pending and still without its operands: it reads itself.
                let children: Vec<u32> = waiting.map(|lit| lit >> 1).collect();
                let is_cyclic = children
                    .iter()
                    .any(|child| self.known[*child as usize] == PENDING);
                if is_cyclic {
                    return None;
                }
                self.known[index] = PENDING;
                pending.push(children[0]);
                continue;
            }
            let [left, right] = operands.map(|lit| self.known[(lit >> 1) as usize] ^ (lit & 1));
            self.known[index] = match self.meaning(node) {
                Meaning::Gate(..) => self.and(left, right),
                _ => left,
            };
            pending.pop();
        }
        Some(self.known[(lit >> 1) as usize] ^ (lit & 1))
    }

    fn operands(&self, lit: Lit) -> Option<(Lit, Lit)> {
        let index = (lit >> 1).checked_sub(self.first)?;
        self.gates.get(index as usize).copied()
    }

    /// A conjunction, by rules that look one or two gates deep.
    fn and(&mut self, left: Lit, right: Lit) -> Lit {
        let (left, right) = (left.max(right), left.min(right));
        if right == FALSE || left == right ^ 1 {
            return FALSE;
        }
        if right == TRUE || left == right {
            return left;
        }
        for (one, other) in [(left, right), (right, left)] {
            let Some((a, b)) = self.operands(one) else {
                continue;
            };
            if one & 1 == 0 {
                if a == other || b == other {
                    return one;
                }
                if a == other ^ 1 || b == other ^ 1 {
                    return FALSE;
                }
                continue;
            }
            // `!(a & b) & a` is `a & !b`.
            if a == other {
                return self.and(other, b ^ 1);
            }
            if b == other {
                return self.and(other, a ^ 1);
            }
            if a == other ^ 1 || b == other ^ 1 {
                return other;
            }
            // `(a | (other & c)) & other` is `other & (a | c)`; `(a | !(other & c)) & other` is
            // `other & (a | !c)`.
            for (kept, inner) in [(a ^ 1, b ^ 1), (b ^ 1, a ^ 1)] {
                let Some((c, d)) = self.operands(inner) else {
                    continue;
                };
                let rest = match (c == other, d == other) {
                    (true, _) => d,
                    (_, true) => c,
                    _ => continue,
                };
                let rest = rest ^ (inner & 1);
                let either = self.and(kept ^ 1, rest ^ 1) ^ 1;
                return self.and(other, either);
            }
        }
        if let (Some((a, b)), Some((c, d))) = (self.operands(left), self.operands(right)) {
            let sign = (left & 1, right & 1);
            if sign == (0, 0) && (a == c ^ 1 || a == d ^ 1 || b == c ^ 1 || b == d ^ 1) {
                return FALSE;
            }
            if sign == (1, 1) {
                // `!(a & b) & !(a & !b)` is `!a`.
                if a == c && b == d ^ 1 || a == d && b == c ^ 1 {
                    return a ^ 1;
                }
                if b == c && a == d ^ 1 || b == d && a == c ^ 1 {
                    return b ^ 1;
                }
            }
        }
        if let Some(known) = self.hashed.get(&(left, right)) {
            return *known;
        }
        let lit = 2 * (self.first + self.gates.len() as u32);
        self.gates.push((left, right));
        self.hashed.insert((left, right), lit);
        lit
    }
}

impl Aig {
    /// Without gates that a rule has made superfluous after they were copied.
    fn without_unread(mut self) -> Aig {
        let first = self.first_gate();
        let mut read = vec![false; self.gates.len()];
        let nexts = self.latches.iter().map(|latch| latch.1);
        for lit in nexts.chain(self.outputs.iter().copied()) {
            if let Some(index) = (lit >> 1).checked_sub(first) {
                read[index as usize] = true;
            }
        }
        for index in (0..self.gates.len()).rev() {
            if read[index] {
                for lit in [self.gates[index].0, self.gates[index].1] {
                    if let Some(operand) = (lit >> 1).checked_sub(first) {
                        read[operand as usize] = true;
                    }
                }
            }
        }
        if read.iter().all(|read| *read) {
            return self;
        }
        let mut numbers = vec![0; self.gates.len()];
        let mut count = 0;
        for (number, read) in numbers.iter_mut().zip(&read) {
            *number = first + count;
            count += u32::from(*read);
        }
        let of = |lit: Lit| match (lit >> 1).checked_sub(first) {
            Some(index) => 2 * numbers[index as usize] + (lit & 1),
            None => lit,
        };
        let gates = self.gates.iter().zip(&read).filter(|(_, read)| **read);
        self.gates = gates
            .map(|((left, right), _)| (of(*left), of(*right)))
            .collect();
        for (_, next) in &mut self.latches {
            *next = of(*next);
        }
        for output in &mut self.outputs {
            *output = of(*output);
        }
        self
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
