//! A design in which memories are kept at a few addresses only.
//!
//! Each address is set at the start, by the environment, and never changes. The word at it is
//! kept as the design keeps it; a read of this address gives the word, and a read of any other
//! address gives any value. Whatever addresses are set, each run of the design is one of the
//! abstraction: the values that it reads elsewhere are among those that can be read. So what
//! holds of the abstraction for some choice of addresses holds of the design.
//!
//! Which addresses matter is not known beforehand. If something is wrong in a step, the
//! addresses that were read in this step, or some steps before, may be taken: hence
//! [`Abstraction::matching`], which says that each address is the one that was read then. A
//! property need only be shown for the steps in which it is true.

use super::Memory;
use crate::design::literal::{Literal, NodeId};
use crate::design::netlist::{Design, InputKind, Reset};
use crate::design::words;

/// An address that is kept: the one that a memory was read at some steps ago.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Track {
    pub memory: usize,
    pub read: usize,
    pub steps_ago: usize,
}

/// A word that is kept, in the design of an [`Abstraction`].
#[derive(Clone, Debug)]
pub struct Tracked {
    pub track: Track,
    /// Where the word is; does not change.
    pub address: Vec<Literal>,
    /// Its bits.
    pub word: Vec<Literal>,
    /// That the address is the one that is read now. Nothing if it is so in every step.
    pub is_read: Option<Literal>,
    /// The same, as many steps later as the track says.
    pub was_read: Option<Literal>,
}

pub struct Abstraction {
    /// The nodes of the design, of which memories are inputs now, and more.
    pub design: Design,
    pub memories: Vec<Memory>,
    pub tracked: Vec<Tracked>,
    pub hits: Vec<Hit>,
    /// That every address is the one that was read when its track says so.
    pub matching: Literal,
}

/// A read, and a word that is kept.
#[derive(Clone, Copy, Debug)]
pub struct Hit {
    pub memory: usize,
    pub read: usize,
    pub tracked: usize,
    /// That this word is read.
    pub literal: Literal,
}

impl Abstraction {
    pub fn new(design: &Design, memories: Vec<Memory>, tracks: &[Track]) -> Abstraction {
        let mut abstraction = Abstraction {
            design: design.clone(),
            memories,
            tracked: Vec::new(),
            hits: Vec::new(),
            matching: Literal::TRUE,
        };
        let words = abstraction.memories.iter().flat_map(|one| &one.words);
        abstraction.design.free_latches(words.flatten().copied());
        for track in tracks {
            abstraction.keep(design, *track);
        }
        abstraction.connect_reads();
        abstraction
    }

    /// Adds the address and the word of a track.
    fn keep(&mut self, before: &Design, track: Track) {
        let memory = &self.memories[track.memory];
        let read = &memory.reads[track.read];
        let design = &mut self.design;
        let bits = memory.address_bits();
        let wanted = read_address(&read.address, read.base, bits);
        let is_rigid = read.has_constant_address(before);
        let address: Vec<Literal> = match is_rigid {
            true => wanted.clone(),
            false => (0..bits).map(|_| rigid(design)).collect(),
        };
        let starts = initial_values(before, memory);
        let mut word = Vec::new();
        for start in starts {
            let reset = match start {
                Start::Free => Reset::Free,
                Start::Same(value) => constant_reset(value),
                Start::Each(values) => Reset::Computed(look_up(design, &values, &address)),
            };
            let id = design.add_latch(reset);
            design.set_hidden(id, true);
            word.push(id.literal());
        }
        let next = memory.writes.at(design, &address, &word);
        for (bit, next) in word.iter().zip(next) {
            design.set_next(bit.node(), next);
        }
        let (mut is_read, mut was_read) = (None, None);
        if !is_rigid {
            let now = words::equal(design, &address, &wanted);
            is_read = Some(now);
            let mut then = now;
            for _ in 0..track.steps_ago {
                // Before the first step nothing was read, and any address will do.
                let id = design.add_latch(Reset::One);
                design.set_hidden(id, true);
                design.set_next(id, then);
                then = id.literal();
            }
            was_read = Some(then);
            self.matching = design.and(self.matching, then);
        }
        self.tracked.push(Tracked {
            track,
            address,
            word,
            is_read,
            was_read,
        });
    }

    /// Lets reads give the words that are kept, and any value elsewhere.
    fn connect_reads(&mut self) {
        let design = &mut self.design;
        for (number, memory) in self.memories.iter().enumerate() {
            let kept = self.tracked.iter().enumerate();
            let kept = kept.filter(|(_, one)| one.track.memory == number);
            let kept: Vec<(usize, &Tracked)> = kept.collect();
            for (position, read) in memory.reads.iter().enumerate() {
                let mut hits = Vec::new();
                for (tracked, one) in &kept {
                    let wanted = read_address(&read.address, read.base, one.address.len());
                    let mut hit = words::equal(design, &one.address, &wanted);
                    if !memory.words.len().is_power_of_two() {
                        let count = words::constant(memory.words.len() as u64, wanted.len());
                        let inside = words::less_unsigned(design, &one.address, &count);
                        hit = design.and(hit, inside);
                    }
                    self.hits.push(Hit {
                        memory: number,
                        read: position,
                        tracked: *tracked,
                        literal: hit,
                    });
                    let word = match read.sees_writes {
                        true => one.word.iter().map(|bit| next(design, *bit)).collect(),
                        false => one.word.clone(),
                    };
                    hits.push((hit, word));
                }
                for (bit, literals) in read.bits.iter().enumerate() {
                    for literal in literals {
                        let mut value = any_value(design);
                        for (hit, word) in hits.iter().rev() {
                            value = design.mux(*hit, word[bit], value);
                        }
                        let own = value.complement_if(literal.is_complemented());
                        design.drive(literal.node(), own, usize::MAX);
                    }
                }
            }
        }
    }
}

/// An address with all its bits.
fn read_address(low: &[Literal], base: usize, bits: usize) -> Vec<Literal> {
    let mut address = words::constant(base as u64, bits);
    for (bit, literal) in address.iter_mut().zip(low) {
        *bit = *literal;
    }
    address
}

fn next(design: &Design, bit: Literal) -> Literal {
    let latch = design.latch(bit.node());
    latch.map_or(bit, |latch| latch.next)
}

/// A bit that the environment sets at the start.
fn rigid(design: &mut Design) -> Literal {
    let id = design.add_latch(Reset::Free);
    design.set_hidden(id, true);
    id.literal()
}

fn any_value(design: &mut Design) -> Literal {
    let id = design.add_input(InputKind::Environment);
    design.set_hidden(id, true);
    id.literal()
}

/// What a bit is at the start, in all words.
enum Start {
    Free,
    Same(bool),
    /// By the address of the word.
    Each(Vec<bool>),
}

fn initial_values(design: &Design, memory: &Memory) -> Vec<Start> {
    let reset = |id: NodeId| design.latch(id).and_then(|latch| latch.reset.value());
    let bits = (0..memory.width()).map(|bit| {
        let values = memory.words.iter().map(|word| reset(word[bit]));
        let Some(values) = values.collect::<Option<Vec<bool>>>() else {
            return Start::Free;
        };
        match values.iter().all(|value| *value == values[0]) {
            true => Start::Same(values[0]),
            false => Start::Each(values),
        }
    });
    bits.collect()
}

fn constant_reset(value: bool) -> Reset {
    match value {
        true => Reset::One,
        false => Reset::Zero,
    }
}

/// The value at an address, least significant bit first; behind the last one, any of them.
fn look_up(design: &mut Design, values: &[bool], address: &[Literal]) -> Literal {
    let mut level: Vec<Literal> = values.iter().map(|one| Literal::constant(*one)).collect();
    for bit in address {
        let pairs = level.chunks(2);
        let chosen = pairs.map(|pair| match pair {
            [low, high] => design.mux(*bit, *high, *low),
            rest => rest[0],
        });
        level = chosen.collect();
    }
    level[0]
}
