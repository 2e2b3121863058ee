//! Reads of a memory: trees of choices between its words by the bits of an address.
//!
//! Gates are visited once, in the order in which they were made, which is from the words
//! upwards. A choice between two trees that differ in the next bit of the address, and read
//! neighbouring words, is a tree of one more level.

use super::Read;
use crate::design::literal::{Literal, NodeId};
use crate::design::netlist::Design;
use crate::quick_hash::QuickMap;
use std::collections::BTreeMap;

/// What a literal reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Tree {
    /// The bit of the word.
    bit: usize,
    base: usize,
    levels: usize,
    address: AddressId,
    sees_writes: bool,
}

/// An address whose bits are kept in [`Addresses`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct AddressId(usize);

/// Addresses, each as one with a bit less and the bit that is added on top.
struct Addresses {
    list: Vec<Option<(AddressId, Literal)>>,
    known: QuickMap<(AddressId, Literal), AddressId>,
}

impl Addresses {
    const EMPTY: AddressId = AddressId(0);

    fn with(&mut self, lower: AddressId, bit: Literal) -> AddressId {
        let next = AddressId(self.list.len());
        let id = *self.known.entry((lower, bit)).or_insert(next);
        if id == next {
            self.list.push(Some((lower, bit)));
        }
        id
    }

    fn bits(&self, mut id: AddressId) -> Vec<Literal> {
        let mut bits = Vec::new();
        while let Some((lower, bit)) = self.list[id.0] {
            bits.push(bit);
            id = lower;
        }
        bits.reverse();
        bits
    }

    /// The address without its upper bits, of which there are `above`.
    fn lower(&self, mut id: AddressId, above: usize) -> AddressId {
        for _ in 0..above {
            if let Some((lower, _)) = self.list[id.0] {
                id = lower;
            }
        }
        id
    }
}

pub(super) fn find(design: &Design, words: &[Vec<NodeId>]) -> Vec<Read> {
    let mut trees: QuickMap<Literal, Tree> = QuickMap::default();
    for (base, word) in words.iter().enumerate() {
        for (bit, id) in word.iter().enumerate() {
            let state = Tree {
                bit,
                base,
                levels: 0,
                address: Addresses::EMPTY,
                sees_writes: false,
            };
            trees.insert(id.literal(), state);
            if let Some(latch) = design.latch(*id)
                && design.gate(latch.next.node()).is_some()
            {
                let sees_writes = true;
                trees.insert(
                    latch.next,
                    Tree {
                        sees_writes,
                        ..state
                    },
                );
            }
        }
    }
    let mut addresses = Addresses {
        list: vec![None],
        known: QuickMap::default(),
    };
    let mut roots: BTreeMap<NodeId, Tree> = BTreeMap::new();
    for id in design.gates() {
        let Some((condition, then, otherwise)) = choice(design, id) else {
            continue;
        };
        let (Some(one), Some(other)) = (trees.get(&then), trees.get(&otherwise)) else {
            continue;
        };
        let (high, low, bit) = match one.base > other.base {
            true => (*one, *other, condition),
            false => (*other, *one, !condition),
        };
        if let Some(tree) = joined(high, low, bit, &mut addresses, words.len()) {
            roots.remove(&then.node());
            roots.remove(&otherwise.node());
            trees.insert(!id.literal(), tree);
            roots.insert(id, tree);
        }
    }
    let mut reads: BTreeMap<(AddressId, usize, bool), Read> = BTreeMap::new();
    for (id, tree) in roots {
        let key = (tree.address, tree.base, tree.sees_writes);
        let read = reads.entry(key).or_insert_with(|| Read {
            base: tree.base,
            address: addresses.bits(tree.address),
            bits: vec![Vec::new(); words[0].len()],
            sees_writes: tree.sees_writes,
        });
        read.bits[tree.bit].push(!id.literal());
    }
    reads.into_values().collect()
}

/// A tree of one more level, whose upper bit of the address chooses between two.
fn joined(
    high: Tree,
    low: Tree,
    bit: Literal,
    addresses: &mut Addresses,
    words: usize,
) -> Option<Tree> {
    let size = 1 << low.levels;
    let is_next = high.base == low.base + size && low.base.is_multiple_of(2 * size);
    let is_alike = high.bit == low.bit && high.sees_writes == low.sees_writes;
    // Behind the last word there may be fewer levels.
    let missing = low.levels.checked_sub(high.levels)?;
    let is_whole = missing == 0 || high.base + (1 << high.levels) >= words;
    let fits = high.address == addresses.lower(low.address, missing);
    (is_next && is_alike && is_whole && fits).then(|| Tree {
        levels: low.levels + 1,
        address: addresses.with(low.address, bit),
        ..low
    })
}

/// The condition and both values of a choice, whose value is the complement of a gate.
fn choice(design: &Design, id: NodeId) -> Option<(Literal, Literal, Literal)> {
    let (left, right) = design.gate(id)?;
    if !left.is_complemented() || !right.is_complemented() {
        return None;
    }
    let (one, other) = (design.gate(left.node())?, design.gate(right.node())?);
    let sides = |pair: (Literal, Literal)| [pair, (pair.1, pair.0)];
    for (condition, then) in sides(one) {
        for (opposite, otherwise) in sides(other) {
            if condition == !opposite {
                return Some((condition, then, otherwise));
            }
        }
    }
    None
}
