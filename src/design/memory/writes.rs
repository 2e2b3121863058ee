//! What all words of a memory become, as one circuit with an address.
//!
//! The circuits that give two words their next values differ where the address is compared: a
//! bit of it is complemented in one and not in the other. So the circuit of word 0 is laid
//! beside those of the words 1, 2, 4 and so on; an edge that is complemented in the circuit of
//! word 2^k depends on bit k of the address.

use crate::design::literal::{Literal, NodeId};
use crate::design::netlist::Design;
use crate::quick_hash::{QuickMap, QuickSet};

#[derive(Clone, Debug)]
pub(super) struct Template {
    /// What each bit of word 0 becomes.
    next: Vec<Literal>,
    /// The latches of word 0, by node.
    positions: QuickMap<NodeId, usize>,
    /// Gates that belong to word 0 alone.
    own: QuickSet<NodeId>,
    /// For an operand of such a gate, the bits of the address that complement it.
    flips: QuickMap<(NodeId, Side), u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Side {
    Left,
    Right,
}

impl Template {
    pub fn find(design: &Design, words: &[Vec<NodeId>]) -> Option<Template> {
        let next = |id: &NodeId| design.latch(*id).map(|latch| latch.next);
        let positions = |word: &[NodeId]| word.iter().copied().zip(0..).collect();
        let mut template = Template {
            next: words[0].iter().map(next).collect::<Option<_>>()?,
            positions: positions(&words[0]),
            own: QuickSet::default(),
            flips: QuickMap::default(),
        };
        for bit in 0..super::address_bits(words.len()) {
            let other = &words[1 << bit];
            let mut beside = Beside {
                design,
                template: &mut template,
                positions: positions(other),
                partners: QuickMap::default(),
                bit,
            };
            for (position, id) in other.iter().enumerate() {
                let first = beside.template.next[position];
                beside.compare(first, next(id)?)?;
            }
        }
        Some(template)
    }

    /// Adds gates for what the word at an address becomes, of which `old` is the present value.
    pub fn at(&self, design: &mut Design, address: &[Literal], old: &[Literal]) -> Vec<Literal> {
        let mut copies: QuickMap<NodeId, Literal> = QuickMap::default();
        let next = self.next.iter();
        next.map(|root| self.copy(design, *root, address, old, &mut copies))
            .collect()
    }

    fn copy(
        &self,
        design: &mut Design,
        root: Literal,
        address: &[Literal],
        old: &[Literal],
        copies: &mut QuickMap<NodeId, Literal>,
    ) -> Literal {
        let leaf = |id: NodeId| match self.positions.get(&id) {
            Some(position) => Some(old[*position]),
            None => (!self.own.contains(&id)).then(|| id.literal()),
        };
        let mut pending = vec![root.node()];
        while let Some(&id) = pending.last() {
            if copies.contains_key(&id) {
                pending.pop();
                continue;
            }
            let copied = match (leaf(id), design.gate(id)) {
                (Some(leaf), _) => leaf,
                (None, None) => id.literal(),
                (None, Some((left, right))) => {
                    let missing = [left.node(), right.node()];
                    let missing = missing.into_iter().filter(|one| !copies.contains_key(one));
                    let missing: Vec<NodeId> = missing.collect();
                    if !missing.is_empty() {
                        pending.extend(missing);
                        continue;
                    }
                    let mut operand = |literal: Literal, side: Side| {
                        let own = copies[&literal.node()];
                        let mut value = own.complement_if(literal.is_complemented());
                        let flips = self.flips.get(&(id, side)).copied().unwrap_or(0);
                        for (bit, address) in address.iter().enumerate() {
                            if flips >> bit & 1 == 1 {
                                value = design.xor(value, *address);
                            }
                        }
                        value
                    };
                    let (left, right) = (operand(left, Side::Left), operand(right, Side::Right));
                    design.and(left, right)
                }
            };
            copies.insert(id, copied);
            pending.pop();
        }
        copies[&root.node()].complement_if(root.is_complemented())
    }
}

/// The circuit of word 0 beside that of another word, whose address has one bit set.
struct Beside<'a> {
    design: &'a Design,
    template: &'a mut Template,
    positions: QuickMap<NodeId, usize>,
    /// The gate beside each gate of word 0.
    partners: QuickMap<NodeId, NodeId>,
    bit: usize,
}

impl Beside<'_> {
    /// `None` if the two are not alike.
    fn compare(&mut self, first: Literal, second: Literal) -> Option<()> {
        let mut pending = vec![(first, second, None)];
        while let Some((first, second, edge)) = pending.pop() {
            let (id, other) = (first.node(), second.node());
            if id == other {
                if first != second {
                    *self.template.flips.entry(edge?).or_default() |= 1 << self.bit;
                }
                continue;
            }
            if first.is_complemented() != second.is_complemented() {
                return None;
            }
            if let Some(position) = self.template.positions.get(&id) {
                if self.positions.get(&other) != Some(position) {
                    return None;
                }
                continue;
            }
            match self.partners.insert(id, other) {
                Some(known) if known != other => return None,
                Some(_) => continue,
                None => {}
            }
            let (left, right) = self.design.gate(id)?;
            let (mut other_left, mut other_right) = self.design.gate(other)?;
            let is_same = |one: Literal, other: Literal| one.node() == other.node();
            let is_straight = is_same(left, other_left) || is_same(right, other_right);
            if !is_straight && (is_same(left, other_right) || is_same(right, other_left)) {
                std::mem::swap(&mut other_left, &mut other_right);
            }
            self.template.own.insert(id);
            pending.push((left, other_left, Some((id, Side::Left))));
            pending.push((right, other_right, Some((id, Side::Right))));
        }
        Some(())
    }
}
