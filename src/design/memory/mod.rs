//! Memories of a netlist, recognised by their shape.
//!
//! A front end turns an array into a latch for each bit of each word, a write into a choice for
//! each word, and a read into a tree of choices by the bits of an address. A proof about what
//! was written to one address need not look at the other words. So [`find`] recovers words,
//! writes and reads from the netlist, and [`Abstraction`] keeps only the words at a few
//! addresses (word-level memory abstraction, `[Bjesse08]`). Unlike there, reads and writes are
//! found in the gates, so that whatever front end made them can stay as it is.
//!
//! What is found is a claim. Nothing is believed of it before `certify` has compared the two
//! designs word by word.

mod abstraction;
mod reads;
mod writes;

pub use abstraction::{Abstraction, Hit, Track, Tracked};

use super::literal::{Literal, NodeId};
use super::netlist::{Design, Reset};
use std::collections::{BTreeMap, HashMap};

/// An array of words with one way of writing that is the same for all of them.
#[derive(Clone, Debug)]
pub struct Memory {
    pub name: String,
    /// The latches of each word, by address; least significant bit first.
    pub words: Vec<Vec<NodeId>>,
    pub reads: Vec<Read>,
    writes: writes::Template,
}

/// What is read at an address that is computed, wherever that is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// The address of the word that is read where all bits of `address` are 0.
    pub base: usize,
    /// What is added to the base; least significant bit first.
    pub address: Vec<Literal>,
    /// The literals that have each bit of the word.
    pub bits: Vec<Vec<Literal>>,
    /// Whether it sees what is written in the same step.
    pub sees_writes: bool,
}

impl Memory {
    pub fn width(&self) -> usize {
        self.words[0].len()
    }

    pub fn bits(&self) -> usize {
        self.words.len() * self.width()
    }

    /// How many bits an address has.
    pub fn address_bits(&self) -> usize {
        address_bits(self.words.len())
    }
}

impl Read {
    /// Whether the address is set at the start and never changes.
    pub fn has_constant_address(&self, design: &Design) -> bool {
        self.address.iter().all(|bit| {
            design.latch(bit.node()).is_some_and(|latch| {
                latch.next == bit.node().literal() && latch.reset == Reset::Free
            })
        })
    }
}

fn address_bits(words: usize) -> usize {
    (usize::BITS - (words - 1).leading_zeros()) as usize
}

/// The memories of a design that have at least so many bits, and that are read somewhere.
pub fn find(design: &Design, least_bits: usize) -> Vec<Memory> {
    let mut found = Vec::new();
    for (name, words) in arrays(design) {
        if words.len() * words[0].len() < least_bits {
            continue;
        }
        let Some(writes) = writes::Template::find(design, &words) else {
            continue;
        };
        let reads = reads::find(design, &words);
        if !reads.is_empty() {
            found.push(Memory {
                name,
                words,
                reads,
                writes,
            });
        }
    }
    found
}

/// Arrays of latches whose words are named `name[0]`, `name[1]` and so on.
fn arrays(design: &Design) -> Vec<(String, Vec<Vec<NodeId>>)> {
    let mut arrays: BTreeMap<&str, HashMap<usize, Vec<NodeId>>> = BTreeMap::new();
    for word in design.words() {
        let Some((name, index)) = element_name(&word.name) else {
            continue;
        };
        let latch = |bit: &Literal| {
            let is_latch = !bit.is_complemented() && design.latch(bit.node()).is_some();
            is_latch.then(|| bit.node())
        };
        if let Some(bits) = word.bits.iter().map(latch).collect() {
            arrays.entry(name).or_default().insert(index, bits);
        }
    }
    let mut found = Vec::new();
    for (name, mut words) in arrays {
        let in_order = (0..words.len()).map(|index| words.remove(&index));
        let Some(words) = in_order.collect::<Option<Vec<Vec<NodeId>>>>() else {
            continue;
        };
        let width = words[0].len();
        if words.len() > 1 && width > 0 && words.iter().all(|word| word.len() == width) {
            found.push((name.to_string(), words));
        }
    }
    found
}

fn element_name(name: &str) -> Option<(&str, usize)> {
    let (array, index) = name.strip_suffix(']')?.rsplit_once('[')?;
    Some((array, index.parse().ok()?))
}
