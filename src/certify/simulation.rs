//! Whether an abstraction of memories has every run of the design that it was made of.
//!
//! A state of the design and addresses give a state of the abstraction: the words that are kept
//! are those at the addresses, and all else is the same. It is checked that
//! - nodes of the design mean the same in the abstraction, but for the memories, which are
//!   inputs there, and reads;
//! - a read gives any value, or the word of an address that is the one that is read;
//! - each word that is kept starts with and becomes, for each address, what the design has
//!   there;
//! - for each run and step there are addresses with which the abstraction's condition is true.
//!
//! Then each run of the design is one of the abstraction, with any addresses. Circuits are
//! compared as terms ([`Terms`]), word by word; whether that is enough does not depend on who
//! made the abstraction or how.

use super::terms::{Term, Terms};
use crate::bdd::{self, Limits};
use crate::design::memory::{Abstraction, Hit, Memory, Read, Tracked};
use crate::design::{Design, Literal, Node, NodeId, Reset};
use crate::quick_hash::{QuickMap, QuickSet};

/// Gates that the circuit of one word may have.
const MOST_GATES: usize = 100_000;

/// Whether that is so; what is not seen to be so counts as no.
pub(super) fn has_every_run(
    design: &Design,
    abstraction: &Abstraction,
    limits: &Limits,
) -> bdd::Result<bool> {
    let mut check = Simulation {
        before: design,
        after: &abstraction.design,
        abstraction,
        terms: Terms::new(),
        values: QuickSet::default(),
    };
    check.holds(limits).map(|outcome| outcome.is_some())
}

/// `None` stands for a difference.
type Alike = Option<()>;

fn require(condition: bool) -> Alike {
    condition.then_some(())
}

struct Simulation<'a> {
    before: &'a Design,
    after: &'a Design,
    abstraction: &'a Abstraction,
    terms: Terms,
    /// Inputs that stand for what one read gives.
    values: QuickSet<NodeId>,
}

impl Simulation<'_> {
    fn holds(&mut self, limits: &Limits) -> bdd::Result<Alike> {
        let abstraction = self.abstraction;
        if self
            .common_nodes()
            .and_then(|()| self.added_latches())
            .is_none()
        {
            return Ok(None);
        }
        for tracked in &abstraction.tracked {
            let memory = &abstraction.memories[tracked.track.memory];
            for address in 0..memory.words.len() {
                if address % 64 == 0 {
                    limits.check()?;
                }
                if self.word(tracked, memory, address).is_none() {
                    return Ok(None);
                }
            }
            if self.matching(tracked, memory).is_none() {
                return Ok(None);
            }
        }
        for (number, memory) in abstraction.memories.iter().enumerate() {
            for (position, read) in memory.reads.iter().enumerate() {
                limits.check()?;
                let hits = abstraction.hits.iter();
                let hits = hits.filter(|hit| (hit.memory, hit.read) == (number, position));
                let hits: Vec<&Hit> = hits.collect();
                for hit in &hits {
                    if self
                        .hits_at_all_addresses(memory, read, hit, limits)?
                        .is_none()
                    {
                        return Ok(None);
                    }
                }
                if self.read(read, &hits).is_none() {
                    return Ok(None);
                }
            }
        }
        Ok(self.whole_condition())
    }

    /// Nodes that are not part of a memory are the same in both.
    fn common_nodes(&self) -> Alike {
        let memories = &self.abstraction.memories;
        let words = memories.iter().flat_map(|memory| memory.words.iter());
        let words: QuickSet<NodeId> = words.flatten().copied().collect();
        let reads = memories.iter().flat_map(|memory| memory.reads.iter());
        let reads = reads.flat_map(|read| read.bits.iter().flatten());
        let reads: QuickSet<NodeId> = reads.map(|literal| literal.node()).collect();
        require(self.after.len() >= self.before.len())?;
        for id in self.before.node_ids() {
            let (before, after) = (self.before.node(id), self.after.node(id));
            if words.contains(&id) {
                require(matches!(before, Node::Latch(_)) && matches!(after, Node::Input(_)))?;
            } else if reads.contains(&id) {
                require(matches!(before, Node::And(..)) && matches!(after, Node::And(..)))?;
            } else {
                require(before == after)?;
            }
        }
        Some(())
    }

    fn is_added(&self, id: NodeId) -> bool {
        id.index() >= self.before.len()
    }

    /// Whether a bit never changes, and may be anything.
    fn is_rigid(&self, bit: Literal) -> bool {
        let latch = self.after.latch(bit.node());
        latch.is_some_and(|latch| latch.next == bit.node().literal() && latch.reset == Reset::Free)
    }

    /// Words have latches of their own, and so have addresses that can be chosen freely.
    fn added_latches(&self) -> Alike {
        let mut own = QuickSet::default();
        for tracked in &self.abstraction.tracked {
            let memory = self.abstraction.memories.get(tracked.track.memory)?;
            require(tracked.word.len() == memory.width())?;
            require(tracked.address.len() == memory.address_bits())?;
            for bit in &tracked.word {
                let is_latch = self.after.latch(bit.node()).is_some();
                let is_own = own.insert(bit.node()) && self.is_added(bit.node());
                require(is_latch && is_own && !bit.is_complemented())?;
            }
            for bit in &tracked.address {
                let is_fixed = bit.as_constant().is_some() || self.is_rigid(*bit);
                require(is_fixed)?;
                if tracked.is_read.is_some() {
                    let is_own = own.insert(bit.node()) && self.is_added(bit.node());
                    require(is_own && !bit.is_complemented())?;
                }
            }
        }
        Some(())
    }

    /// The bits of an address as constants; `None` if it cannot have this value.
    fn at(&self, address: &[Literal], value: usize) -> Option<QuickMap<NodeId, Term>> {
        let mut known = QuickMap::default();
        for (position, literal) in address.iter().enumerate() {
            let bit = value >> position & 1 == 1;
            if let Some(constant) = literal.as_constant() {
                require(constant == bit)?;
                continue;
            }
            let term = Term::constant(bit != literal.is_complemented());
            let other = known.insert(literal.node(), term);
            require(other.is_none_or(|other| other == term))?;
        }
        Some(known)
    }

    /// What is kept of an address starts with and becomes what the design has there.
    fn word(&mut self, tracked: &Tracked, memory: &Memory, address: usize) -> Alike {
        let Some(chosen) = self.at(&tracked.address, address) else {
            return Some(());
        };
        let (before, after) = (self.before, self.after);
        let mut kept = chosen.clone();
        let mut stored = chosen;
        for (bit, id) in tracked.word.iter().zip(&memory.words[address]) {
            let variable = self.terms.variable(*id);
            kept.insert(bit.node(), variable);
            stored.insert(*id, variable);
        }
        // Where the abstraction has nodes of the design, the comparison ends.
        let mut next = Vec::new();
        for bit in &tracked.word {
            let added = |id: NodeId| id.index() >= before.len();
            let latch = after.latch(bit.node())?;
            next.push(
                self.terms
                    .of(after, latch.next, &mut kept, added, MOST_GATES)?,
            );
        }
        for (position, id) in memory.words[address].iter().enumerate() {
            let latch = before.latch(*id)?;
            let opens = |id: NodeId| !kept.contains_key(&id);
            let term = self
                .terms
                .of(before, latch.next, &mut stored, opens, MOST_GATES)?;
            require(term == next[position])?;
            let own = after.latch(tracked.word[position].node())?.reset;
            self.start(own, latch.reset, &kept)?;
        }
        Some(())
    }

    /// Whether a bit may start with what the design starts with.
    fn start(&mut self, kept: Reset, stored: Reset, known: &QuickMap<NodeId, Term>) -> Alike {
        match kept {
            Reset::Free => Some(()),
            Reset::Zero | Reset::One => require(kept == stored),
            Reset::Choice => None,
            Reset::Computed(literal) => {
                let mut known = known.clone();
                let added = |id: NodeId| id.index() >= self.before.len();
                let value = self
                    .terms
                    .of(self.after, literal, &mut known, added, MOST_GATES)?;
                require(value == Term::constant(stored.value()?))
            }
        }
    }

    /// The terms of the bits of a read's address, with some nodes known.
    fn address_terms(&mut self, read: &Read, known: &QuickMap<NodeId, Term>) -> Vec<Term> {
        let mut terms = Vec::new();
        for literal in &read.address {
            let term = match known.get(&literal.node()) {
                Some(term) => *term,
                None => self.terms.variable(literal.node()),
            };
            terms.push(term.complement_if(literal.is_complemented()));
        }
        terms
    }

    /// Whether a hit means, whatever the address of its word is, that this word is read.
    fn hits_at_all_addresses(
        &mut self,
        memory: &Memory,
        read: &Read,
        hit: &Hit,
        limits: &Limits,
    ) -> bdd::Result<Alike> {
        let Some(tracked) = self.abstraction.tracked.get(hit.tracked) else {
            return Ok(None);
        };
        for address in 0..1 << tracked.address.len() {
            if address % 64 == 0 {
                limits.check()?;
            }
            if let Some(chosen) = self.at(&tracked.address, address)
                && self.hit(memory, read, hit, address, chosen).is_none()
            {
                return Ok(None);
            }
        }
        Ok(Some(()))
    }

    /// Whether a read gives any value but for the words that are kept, and these only where
    /// there is a hit.
    fn read(&mut self, read: &Read, hits: &[&Hit]) -> Alike {
        for (bit, literals) in read.bits.iter().enumerate() {
            for literal in literals {
                let mut known = QuickMap::default();
                for hit in hits {
                    let variable = self.terms.variable(hit.literal.node());
                    known.insert(hit.literal.node(), variable);
                }
                let (left, right) = self.after.gate(literal.node())?;
                let added = |id: NodeId| id.index() >= self.before.len();
                let mut operand = |terms: &mut Terms, one: Literal| {
                    terms.of(self.after, one, &mut known, added, MOST_GATES)
                };
                let left = operand(&mut self.terms, left)?;
                let right = operand(&mut self.terms, right)?;
                let value = self.terms.and(left, right);
                let value = value.complement_if(literal.is_complemented());
                let mut expected = self.any_value(&known)?;
                for hit in hits.iter().rev() {
                    let tracked = &self.abstraction.tracked[hit.tracked];
                    let mut word = tracked.word[bit];
                    if read.sees_writes {
                        word = self.after.latch(word.node())?.next;
                    }
                    let word = self
                        .terms
                        .of(self.after, word, &mut known, added, MOST_GATES)?;
                    let condition = self.terms.variable(hit.literal.node());
                    let condition = condition.complement_if(hit.literal.is_complemented());
                    expected = self.terms.mux(condition, word, expected);
                }
                require(value == expected)?;
            }
        }
        Some(())
    }

    /// What is read elsewhere: the input among known nodes, which no other read has.
    fn any_value(&mut self, known: &QuickMap<NodeId, Term>) -> Option<Term> {
        let inputs = known.keys().copied();
        let inputs = inputs.filter(|id| self.after.input_kind(*id).is_some());
        let inputs: Vec<NodeId> = inputs.filter(|id| self.is_added(*id)).collect();
        match inputs.as_slice() {
            [input] => {
                require(self.values.insert(*input))?;
                Some(self.terms.variable(*input))
            }
            // A read that always hits has none, and then it does not matter.
            [] => Some(self.terms.fresh()),
            _ => None,
        }
    }

    /// Whether a hit with a word at an address means that the design reads this word.
    fn hit(
        &mut self,
        memory: &Memory,
        read: &Read,
        hit: &Hit,
        address: usize,
        chosen: QuickMap<NodeId, Term>,
    ) -> Alike {
        let bits = self.address_terms(read, &chosen);
        let mut known = chosen;
        let added = |id: NodeId| id.index() >= self.before.len();
        let term = self
            .terms
            .of(self.after, hit.literal, &mut known, added, MOST_GATES)?;
        if term == Term::FALSE {
            return Some(());
        }
        require(address < memory.words.len())?;
        let conjuncts = self.terms.factors(term);
        require(address >> bits.len() == read.base >> bits.len())?;
        for (position, bit) in bits.iter().enumerate() {
            let wanted = bit.complement_if(address >> position & 1 == 0);
            require(wanted == Term::TRUE || conjuncts.contains(&wanted))?;
        }
        let offset = address & ((1 << bits.len()) - 1);
        let Some(at) = self.at(&read.address, offset) else {
            return Some(());
        };
        for (bit, literals) in read.bits.iter().enumerate() {
            let id = memory.words[address][bit];
            let target = match read.sees_writes {
                true => self.before.latch(id)?.next,
                false => id.literal(),
            };
            for literal in literals {
                let looking = Looking {
                    design: self.before,
                    at: &at,
                    target,
                };
                require(looking.value(*literal, 0) == Some(Seen::Target(true)))?;
            }
        }
        Some(())
    }

    /// Whether, whatever is read, the address can be chosen so that the condition is true.
    fn matching(&mut self, tracked: &Tracked, memory: &Memory) -> Alike {
        let (Some(is_read), Some(was_read)) = (tracked.is_read, tracked.was_read) else {
            return require(tracked.is_read.is_none() && tracked.was_read.is_none());
        };
        let mut literal = was_read;
        for _ in 0..tracked.track.steps_ago {
            let latch = self.after.latch(literal.node())?;
            require(latch.reset == Reset::One && !literal.is_complemented())?;
            require(self.is_added(literal.node()))?;
            literal = latch.next;
        }
        require(literal == is_read)?;
        let read = memory.reads.get(tracked.track.read)?;
        for offset in 0..1 << read.address.len() {
            let mut known = self.at(&tracked.address, read.base + offset)?;
            let added = |id: NodeId| id.index() >= self.before.len();
            let term = self
                .terms
                .of(self.after, is_read, &mut known, added, MOST_GATES)?;
            let wanted = self.address_terms(read, &QuickMap::default());
            let wanted = wanted.iter().enumerate();
            let wanted: Vec<Term> = wanted
                .map(|(position, bit)| bit.complement_if(offset >> position & 1 == 0))
                .collect();
            let conjuncts = self.terms.factors(term);
            let mut others = conjuncts.iter().filter(|one| !wanted.contains(one));
            require(others.all(|one| *one == Term::TRUE))?;
        }
        Some(())
    }

    /// The condition of the abstraction is that all words match, and no more.
    fn whole_condition(&mut self) -> Alike {
        let matching = self
            .abstraction
            .tracked
            .iter()
            .filter_map(|one| one.was_read);
        let matching: Vec<Literal> = matching.collect();
        let mut pending = vec![self.abstraction.matching];
        while let Some(literal) = pending.pop() {
            if literal == Literal::TRUE || matching.contains(&literal) {
                continue;
            }
            require(!literal.is_complemented())?;
            let (left, right) = self.after.gate(literal.node())?;
            pending.extend([left, right]);
        }
        Some(())
    }
}

/// The value of a literal of the design where the bits of an address are known.
struct Looking<'a> {
    design: &'a Design,
    at: &'a QuickMap<NodeId, Term>,
    target: Literal,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Constant(bool),
    /// The target, or its complement.
    Target(bool),
}

/// No tree of choices is as deep as that.
const DEEPEST: usize = 200;

impl Looking<'_> {
    /// The value, if it is a constant or what is looked for.
    fn value(&self, literal: Literal, depth: usize) -> Option<Seen> {
        if literal == self.target {
            return Some(Seen::Target(true));
        }
        if literal == !self.target {
            return Some(Seen::Target(false));
        }
        if let Some(value) = self.known(literal) {
            return Some(Seen::Constant(value));
        }
        if depth > DEEPEST {
            return None;
        }
        let (left, right) = self.design.gate(literal.node())?;
        let is_false = |one: Literal| self.known(one) == Some(false);
        let value = if is_false(left) || is_false(right) {
            Seen::Constant(false)
        } else {
            match (self.value(left, depth + 1)?, self.value(right, depth + 1)?) {
                (Seen::Constant(false), _) | (_, Seen::Constant(false)) => Seen::Constant(false),
                (Seen::Constant(true), other) | (other, Seen::Constant(true)) => other,
                (one, other) if one == other => one,
                _ => Seen::Constant(false),
            }
        };
        Some(match (value, literal.is_complemented()) {
            (value, false) => value,
            (Seen::Constant(value), true) => Seen::Constant(!value),
            (Seen::Target(value), true) => Seen::Target(!value),
        })
    }

    fn known(&self, literal: Literal) -> Option<bool> {
        if let Some(value) = literal.as_constant() {
            return Some(value);
        }
        let term = self.at.get(&literal.node())?;
        Some((*term == Term::TRUE) != literal.is_complemented())
    }
}

#[cfg(test)]
mod tests;
