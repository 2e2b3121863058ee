//! Registers that stand still for good while an input keeps a value, whatever else happens.
//!
//! Constants are propagated from that value alone, with three values: all other inputs and all
//! registers are unknown at first, and a register whose next value is found to be a constant is
//! this constant from then on, for what it drives. Nothing that was found is taken back, so a
//! node is looked at no oftener than it has operands. A register that is named has this value
//! after at most as many steps as there are registers, from whatever state; one that is not
//! named may stand still as well, for reasons that three values do not see.
//!
//! A reset with the wrong polarity shows in these: what the design resets stands still while the
//! input has the value that was taken for the other one ([`held_by`]).

use super::literal::{Literal, NodeId};
use super::netlist::{Design, Node};
use crate::limits::{Limits, Stop};
use crate::quick_hash::QuickSet;

/// The registers that stand still while an input has a value.
fn settled(
    design: &Design,
    readers: &Readers,
    (input, value): (NodeId, bool),
    limits: &Limits,
) -> Result<QuickSet<NodeId>, Stop> {
    let mut known: Vec<Option<bool>> = vec![None; design.len()];
    let mut pending = vec![(NodeId::CONSTANT, false), (input, value)];
    while let Some((node, value)) = pending.pop() {
        limits.poll()?;
        if known[node.index()].replace(value).is_some() {
            continue;
        }
        for reader in readers.of(node) {
            let found = constant(design, *reader, &known);
            pending.extend(found.map(|value| (*reader, value)));
        }
    }
    let latches = design.latches().iter().copied();
    Ok(latches.filter(|id| known[id.index()].is_some()).collect())
}

/// The registers that a reset holds for good because it was given the wrong way round: they
/// stand still while it is off and move while it is on, and none of these registers does the
/// opposite.
pub fn held_by(
    design: &Design,
    (input, active): (NodeId, bool),
    registers: &[NodeId],
    limits: &Limits,
) -> Result<QuickSet<NodeId>, Stop> {
    let readers = Readers::new(design, limits)?;
    let mut off = settled(design, &readers, (input, !active), limits)?;
    if registers.iter().any(|id| off.contains(id)) {
        let on = settled(design, &readers, (input, active), limits)?;
        let does_reset = |id: &NodeId| on.contains(id) && !off.contains(id);
        if registers.iter().any(does_reset) {
            off.clear();
        }
        off.retain(|id| !on.contains(id));
    }
    Ok(registers
        .iter()
        .copied()
        .filter(|id| off.contains(id))
        .collect())
}

/// Which gates and registers read a node, those of all nodes in one list.
struct Readers {
    /// Where those of a node begin; they end where those of the next one begin.
    starts: Vec<usize>,
    readers: Vec<NodeId>,
}

impl Readers {
    fn new(design: &Design, limits: &Limits) -> Result<Readers, Stop> {
        let mut starts = vec![0; design.len() + 1];
        for id in design.node_ids() {
            limits.poll()?;
            for read in operands(design, id).into_iter().flatten() {
                starts[read.index() + 1] += 1;
            }
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut free = starts.clone();
        let mut readers = vec![NodeId::CONSTANT; starts[design.len()]];
        for id in design.node_ids() {
            limits.poll()?;
            for read in operands(design, id).into_iter().flatten() {
                readers[free[read.index()]] = id;
                free[read.index()] += 1;
            }
        }
        Ok(Readers { starts, readers })
    }

    fn of(&self, node: NodeId) -> &[NodeId] {
        &self.readers[self.starts[node.index()]..self.starts[node.index() + 1]]
    }
}

/// What a gate or a register reads.
fn operands(design: &Design, id: NodeId) -> [Option<NodeId>; 2] {
    match design.node(id) {
        Node::And(left, right) => [Some(left.node()), Some(right.node())],
        Node::Latch(latch) => [Some(latch.next.node()), None],
        Node::Constant | Node::Input(_) => [None, None],
    }
}

/// The value of a gate, or the next one of a register, if what is known determines it.
fn constant(design: &Design, id: NodeId, known: &[Option<bool>]) -> Option<bool> {
    let value = |literal: Literal| {
        let value = known[literal.node().index()]?;
        Some(value != literal.is_complemented())
    };
    match design.node(id) {
        Node::And(left, right) => match (value(left), value(right)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        },
        Node::Latch(latch) => value(latch.next),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::netlist::{InputKind, Reset};
    use crate::quick_hash::QuickMap;
    use crate::random::Random;

    /// A design whose registers are often reset by its first input, or by each other.
    fn random_design(random: &mut Random) -> (Design, NodeId) {
        let mut design = Design::new();
        let input = design.add_input(InputKind::Environment);
        let mut literals = vec![input.literal(), Literal::TRUE];
        for _ in 0..2 {
            literals.push(design.add_input(InputKind::Environment).literal());
        }
        let latches: Vec<NodeId> = (0..5).map(|_| design.add_latch(Reset::Free)).collect();
        literals.extend(latches.iter().map(|id| id.literal()));
        let pick = |random: &mut Random, literals: &[Literal]| {
            random.pick(literals).complement_if(random.flip())
        };
        for _ in 0..12 {
            let (left, right) = (pick(random, &literals), pick(random, &literals));
            literals.push(design.add_gate(left, right).literal());
        }
        for id in latches {
            let next = pick(random, &literals);
            design.set_next(id, next);
        }
        (design, input)
    }

    /// What a design computes in a step, by its definition.
    fn step(design: &Design, values: &mut QuickMap<NodeId, bool>) {
        let of = |values: &QuickMap<NodeId, bool>, literal: Literal| {
            values[&literal.node()] != literal.is_complemented()
        };
        for id in design.gates() {
            if let Some((left, right)) = design.gate(id) {
                let both = of(values, left) && of(values, right);
                values.insert(id, both);
            }
        }
        let next = design.latches().iter().map(|id| {
            let latch = design.latch(*id).expect("a latch");
            (*id, of(values, latch.next))
        });
        let next: Vec<(NodeId, bool)> = next.collect();
        values.extend(next);
    }

    /// After as many steps as there are registers, those that are named never change again, and
    /// are the same from every state and with all other inputs.
    #[test]
    fn settled_registers_stand_still() {
        let mut named = 0;
        for seed in 0..400 {
            let random = &mut Random::new(seed);
            let (design, input) = random_design(random);
            let value = random.flip();
            let limits = Limits::default();
            let readers = Readers::new(&design, &limits).expect("no limit");
            let found = settled(&design, &readers, (input, value), &limits).expect("no limit");
            named += found.len();
            let mut first: QuickMap<NodeId, bool> = QuickMap::default();
            for _ in 0..16 {
                let mut values: QuickMap<NodeId, bool> = QuickMap::default();
                values.insert(NodeId::CONSTANT, false);
                for id in design.latches() {
                    values.insert(*id, random.flip());
                }
                for time in 0..12 {
                    for id in design.inputs() {
                        values.insert(*id, random.flip());
                    }
                    values.insert(input, value);
                    step(&design, &mut values);
                    for id in found.iter().filter(|_| time + 1 >= design.latches().len()) {
                        let expected = *first.entry(*id).or_insert(values[id]);
                        assert_eq!(
                            values[id],
                            expected,
                            "{} with seed {seed}",
                            design.describe(*id)
                        );
                    }
                }
            }
        }
        assert!(named > 100, "{named} registers");
    }
}
