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
use super::simulate::Simulator;
use crate::random::Random;
use std::collections::HashMap;

/// How many steps are simulated, in 64 runs at once.
const STEPS: usize = 400;

/// The class of latches that keep their reset value.
const CONSTANT: u32 = 0;

impl Design {
    /// The same design with latches that always equal a constant or another latch replaced
    /// by it. Nodes keep their indices; a replaced latch becomes a buffer. Nothing changes
    /// if the design does not pass [`Design::check`].
    pub fn without_redundant_latches(&self) -> Design {
        let (Ok(order), Ok(simulator)) = (self.topological_order(), Simulator::new(self)) else {
            return self.clone();
        };
        let sweep = Sweep {
            design: self,
            order,
        };
        let mut classes = sweep.coarsest();
        sweep.split_by_simulation(simulator, &mut classes);
        sweep.settle(&mut classes);
        sweep.merge(&classes)
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
    /// All latches might keep their reset values.
    fn coarsest(&self) -> Classes {
        let design = self.design;
        let is_known = |id: &NodeId| {
            let reset = design.latch(*id).map(|latch| latch.reset);
            matches!(reset, Some(Reset::Zero | Reset::One))
        };
        let latches: Vec<NodeId> = design.latches().iter().copied().filter(is_known).collect();
        Classes {
            of: vec![CONSTANT; latches.len()],
            latches,
            count: 1,
        }
    }

    /// Splits what a simulated step tells apart.
    fn split_by_simulation(&self, mut simulator: Simulator, classes: &mut Classes) {
        let mut random = Random::new(1);
        simulator.start(|_| random.word());
        for _ in 0..STEPS {
            simulator.settle(|_| random.word());
            simulator.advance();
            let differs = |id: &NodeId| {
                let high = classes.starts_high(self.design, *id);
                simulator.value(id.literal().complement_if(high))
            };
            let signs: Vec<u64> = classes.latches.iter().map(differs).collect();
            classes.split(&signs, &0);
        }
    }

    /// Splits classes until the next values of equal latches are equal.
    fn settle(&self, classes: &mut Classes) {
        loop {
            let literals = self.merged(classes);
            let next = |id: &NodeId| {
                let next = self.design.latch(*id).map(|latch| latch.next);
                let next = next.unwrap_or(Literal::FALSE);
                literals[next.node().index()]
                    .complement_if(next.is_complemented())
                    .complement_if(classes.starts_high(self.design, *id))
            };
            let next: Vec<Literal> = classes.latches.iter().map(next).collect();
            if !classes.split(&next, &Literal::FALSE) {
                return;
            }
        }
    }

    fn merge(&self, classes: &Classes) -> Design {
        let values = self.representatives(classes);
        let mut result = self.design.clone();
        for (latch, class) in classes.latches.iter().zip(&classes.of) {
            let high = classes.starts_high(self.design, *latch);
            let value = values[*class as usize].complement_if(high);
            if value.node() != *latch {
                result.drive(*latch, value, usize::MAX);
            }
        }
        result
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::InputKind;

    /// Latches over few gates, so that many of them are alike.
    fn random_design(random: &mut Random) -> Design {
        let mut design = Design::new();
        let mut literals = vec![Literal::FALSE];
        for _ in 0..2 {
            literals.push(design.add_input(InputKind::Environment).literal());
        }
        for _ in 0..6 {
            let reset = match random.below(8) {
                0 => Reset::Free,
                1 | 2 => Reset::One,
                _ => Reset::Zero,
            };
            literals.push(design.add_latch(reset).literal());
        }
        let any = |literals: &[Literal], random: &mut Random| {
            random.pick(literals).complement_if(random.flip())
        };
        for _ in 0..8 {
            let (left, right) = (any(&literals, random), any(&literals, random));
            literals.push(design.add_gate(left, right).literal());
        }
        for id in design.latches().to_vec() {
            let next = any(&literals, random);
            design.set_next(id, next);
        }
        design
    }

    fn values(design: &Design, nodes: usize) -> Vec<u64> {
        let mut random = Random::new(99);
        let mut simulator = Simulator::new(design).unwrap();
        let mut values = Vec::new();
        simulator.start(|_| random.word());
        for _ in 0..50 {
            simulator.settle(|_| random.word());
            let ids = (0..nodes).map(NodeId::from_index);
            values.extend(ids.map(|id| simulator.value(id.literal())));
            simulator.advance();
        }
        values
    }

    /// Without simulation first, or simulation would confirm what it has found itself.
    #[test]
    fn latches_that_are_merged_are_equal_in_every_step() {
        let mut merged = 0;
        for seed in 1..2000 {
            let design = random_design(&mut Random::new(seed));
            let order = design.topological_order().unwrap();
            let sweep = Sweep {
                design: &design,
                order,
            };
            let mut classes = sweep.coarsest();
            sweep.settle(&mut classes);
            for swept in [sweep.merge(&classes), design.without_redundant_latches()] {
                let nodes = design.len();
                assert_eq!(values(&design, nodes), values(&swept, nodes), "seed {seed}");
                merged += design.latches().len() - swept.latches().len();
            }
        }
        assert!(merged > 2000, "only {merged} latches were merged");
    }

    #[test]
    fn copies_complements_and_constants_are_found() {
        let mut design = Design::new();
        let input = design.add_input(InputKind::Environment).literal();
        let copies = [Reset::Zero, Reset::Zero, Reset::One].map(|reset| design.add_latch(reset));
        design.set_next(copies[0], input);
        design.set_next(copies[1], input);
        design.set_next(copies[2], !input);
        let stuck = design.add_latch(Reset::Zero);
        let both = design.and(copies[0].literal(), copies[2].literal());
        design.set_next(stuck, both);
        assert_eq!(design.without_redundant_latches().latches(), [copies[0]]);
    }
}
