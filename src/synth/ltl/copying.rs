//! A copy of a graph in which nodes are something else: what outputs read is copied, equal gates
//! become one, and gates whose operands make one of them superfluous are replaced.

use super::aig::{Aig, Change, FALSE, Lit, TRUE};
use crate::quick_hash::QuickMap;

const UNKNOWN: Lit = u32::MAX;
const PENDING: Lit = u32::MAX - 1;

impl Aig {
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
