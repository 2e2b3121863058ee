//! Latches that say nothing new: constants, and copies of each other.
//!
//! Two latches that start alike, and whose next values are the same function if all pairs
//! that are thought to be equal are, stay equal for ever [vEij00]. Simulation gives a first
//! guess of the classes of equal latches, and a class whose members would move apart is
//! split until none does. Functions are compared by structure only, after classes have been
//! merged: this takes no time, and finds nearly all that a translation from automata or
//! words leaves behind. A latch counts by whether it differs from its reset value, so that
//! complements of each other are found, too, and the first class is that of constants.

use super::literal::{Literal, NodeId};
use super::netlist::{Design, Node, Reset};
use std::collections::HashMap;

/// How many runs are simulated together, in words of 64, and for how many steps.
const WORDS: usize = 4;
const STEPS: usize = 100;

/// The class of latches that keep their reset value.
const CONSTANT: u32 = 0;

impl Design {
    /// The same design with latches that always equal a constant or another latch replaced
    /// by it. Nodes keep their indices; a replaced latch becomes a buffer. Nothing changes
    /// if the design has a combinational loop.
    pub fn without_redundant_latches(&self) -> Design {
        let Ok(order) = self.topological_order() else {
            return self.clone();
        };
        let sweep = Sweep {
            design: self,
            order,
        };
        let classes = sweep.settle(sweep.guess());
        let values = sweep.representatives(&classes);
        let mut result = self.clone();
        for (latch, class) in classes.latches.iter().zip(&classes.of) {
            let value = values[*class as usize].complement_if(classes.starts_high(self, *latch));
            if value.node() != *latch {
                result.drive(*latch, value, usize::MAX);
            }
        }
        result
    }
}

struct Sweep<'a> {
    design: &'a Design,
    order: Vec<NodeId>,
}

/// A partition of the latches with a known reset value.
struct Classes {
    latches: Vec<NodeId>,
    /// The class of each latch of the list; numbers have no gaps, but nobody need be in the
    /// first.
    of: Vec<u32>,
    count: usize,
}

impl Classes {
    fn starts_high(&self, design: &Design, latch: NodeId) -> bool {
        design.latch(latch).map(|latch| latch.reset) == Some(Reset::One)
    }
}

impl Sweep<'_> {
    /// Latches that no simulated step tells apart.
    fn guess(&self) -> Classes {
        let design = self.design;
        let latches: Vec<NodeId> = design
            .latches()
            .iter()
            .copied()
            .filter(|id| {
                let reset = design.latch(*id).map(|latch| latch.reset);
                matches!(reset, Some(Reset::Zero | Reset::One))
            })
            .collect();
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let mut values = vec![[0u64; WORDS]; design.len()];
        for id in design.latches() {
            values[id.index()] = match design.latch(*id).map(|latch| latch.reset) {
                Some(Reset::Zero) => [0; WORDS],
                Some(Reset::One) => [u64::MAX; WORDS],
                _ => random.words(),
            };
        }
        let mut classes = Classes {
            of: vec![CONSTANT; latches.len()],
            latches,
            count: 1,
        };
        for _ in 0..STEPS {
            for id in design.inputs() {
                values[id.index()] = random.words();
            }
            for id in &self.order {
                if let Node::And(left, right) = design.node(*id) {
                    let (left, right) = (word(&values, left), word(&values, right));
                    values[id.index()] = std::array::from_fn(|place| left[place] & right[place]);
                }
            }
            let next: Vec<(NodeId, [u64; WORDS])> = design
                .latches()
                .iter()
                .filter_map(|id| Some((*id, word(&values, design.latch(*id)?.next))))
                .collect();
            for (id, value) in next {
                values[id.index()] = value;
            }
            let signs: Vec<[u64; WORDS]> = classes
                .latches
                .iter()
                .map(|id| {
                    let high = classes.starts_high(design, *id);
                    values[id.index()].map(|word| if high { !word } else { word })
                })
                .collect();
            classes.split(&signs, &[0; WORDS]);
        }
        classes
    }

    /// Splits classes until the next values of equal latches are equal.
    fn settle(&self, mut classes: Classes) -> Classes {
        loop {
            let literals = self.merged(&classes);
            let next: Vec<Literal> = classes
                .latches
                .iter()
                .map(|id| {
                    let next = self.design.latch(*id).map(|latch| latch.next);
                    let next = next.unwrap_or(Literal::FALSE);
                    literals[next.node().index()]
                        .complement_if(next.is_complemented())
                        .complement_if(classes.starts_high(self.design, *id))
                })
                .collect();
            if !classes.split(&next, &Literal::FALSE) {
                return classes;
            }
        }
    }

    /// For each class the signal that stands for "differs from the reset value".
    fn representatives(&self, classes: &Classes) -> Vec<Literal> {
        let mut values: Vec<Option<Literal>> = vec![None; classes.count];
        values[CONSTANT as usize] = Some(Literal::FALSE);
        for (latch, class) in classes.latches.iter().zip(&classes.of) {
            let high = classes.starts_high(self.design, *latch);
            let own = latch.literal().complement_if(high);
            values[*class as usize].get_or_insert(own);
        }
        values
            .into_iter()
            .map(|value| value.unwrap_or(Literal::FALSE))
            .collect()
    }

    /// For each node a literal that is the same for nodes of the same structure, once equal
    /// latches are one.
    fn merged(&self, classes: &Classes) -> Vec<Literal> {
        let design = self.design;
        let mut literals: Vec<Literal> = design.node_ids().map(|id| id.literal()).collect();
        let values = self.representatives(classes);
        for (latch, class) in classes.latches.iter().zip(&classes.of) {
            let high = classes.starts_high(design, *latch);
            literals[latch.index()] = values[*class as usize].complement_if(high);
        }
        let mut known: HashMap<(Literal, Literal), Literal> = HashMap::new();
        for id in &self.order {
            let Node::And(left, right) = design.node(*id) else {
                continue;
            };
            let operand = |literal: Literal| {
                literals[literal.node().index()].complement_if(literal.is_complemented())
            };
            let (left, right) = (operand(left), operand(right));
            let (first, second) = (left.min(right), left.max(right));
            literals[id.index()] = if first == Literal::FALSE || first == !second {
                Literal::FALSE
            } else if first == Literal::TRUE || first == second {
                second
            } else {
                *known.entry((first, second)).or_insert(id.literal())
            };
        }
        literals
    }
}

impl Classes {
    /// Splits each class by a key; a member of the class of constants stays there only with
    /// the given key. Returns whether anything was split.
    fn split<K: std::hash::Hash + Eq>(&mut self, keys: &[K], constant: &K) -> bool {
        let mut numbers: HashMap<(u32, &K), u32> = HashMap::new();
        let mut next = CONSTANT + 1;
        let split: Vec<u32> = self
            .of
            .iter()
            .zip(keys)
            .map(|(class, key)| {
                if *class == CONSTANT && key == constant {
                    return CONSTANT;
                }
                *numbers.entry((*class, key)).or_insert_with(|| {
                    next += 1;
                    next - 1
                })
            })
            .collect();
        let moved = |(old, new): (&u32, &u32)| *old == CONSTANT && *new != CONSTANT;
        let changed = next as usize != self.count || self.of.iter().zip(&split).any(moved);
        self.of = split;
        self.count = next as usize;
        changed
    }
}

fn word(values: &[[u64; WORDS]], literal: Literal) -> [u64; WORDS] {
    let word = values[literal.node().index()];
    if literal.is_complemented() {
        word.map(|word| !word)
    } else {
        word
    }
}

/// Xorshift: any sequence will do, as long as it is the same each time.
struct Random(u64);

impl Random {
    fn words(&mut self) -> [u64; WORDS] {
        std::array::from_fn(|_| {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0
        })
    }
}
