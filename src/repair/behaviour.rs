//! What designs do on fixed random inputs: how much an edit changes, and which edits look
//! alike.
//!
//! A sample orders work and words; it never vouches for an answer.

use super::RepairError;
use super::screen::{Observed, Screen};
use crate::design::{NodeId, Simulator};
use crate::random::{Random, hash};

/// Cycles of a random run.
const CYCLES: usize = 48;
/// Rounds of 64 runs each.
const ROUNDS: u64 = 4;

/// What a design does on fixed random inputs, while the assumptions hold.
pub struct Behaviour {
    /// Equal for designs that do the same here.
    pub hash: u64,
    /// The values of outputs in each cycle.
    pub words: Vec<u64>,
    /// For each atom whether it was ever true, and ever false.
    values: Vec<(bool, bool)>,
}

impl Behaviour {
    pub fn of(observed: &Observed, screen: &Screen) -> Result<Behaviour, RepairError> {
        let design = &observed.design;
        let mut simulator = Simulator::new(design)?;
        let mut watching = match &screen.monitors {
            Some(monitors) => Some((Simulator::new(&monitors.design)?, monitors)),
            None => None,
        };
        let mut signature: Vec<u64> = Vec::new();
        let mut words = Vec::new();
        let mut values = vec![(false, false); observed.atoms.len()];
        for round in 0..ROUNDS {
            let random = |id: NodeId, cycle: usize| {
                let name = design.name(id).unwrap_or_default();
                random_word(name, round, cycle as u64)
            };
            simulator.start(|id| random(id, usize::MAX));
            if let Some((watching, _)) = &mut watching {
                watching.start(|_| 0);
            }
            let mut alive = u64::MAX;
            for cycle in 0..CYCLES {
                simulator.settle(|id| random(id, cycle));
                if let Some((watching, monitors)) = &mut watching {
                    let mut atoms = observed.atoms.iter();
                    watching.settle(|_| atoms.next().map_or(0, |atom| simulator.value(*atom)));
                    alive &= watching.value(monitors.objective.assumption);
                    watching.advance();
                }
                for output in design.outputs() {
                    let word = simulator.value(output.literal) & alive;
                    signature.push(word);
                    words.push(word);
                }
                for id in design.latches() {
                    if !design.is_hidden(*id) {
                        signature.push(simulator.value(id.literal()) & alive);
                    }
                }
                for (atom, (seen, missed)) in observed.atoms.iter().zip(&mut values) {
                    let value = simulator.value(*atom);
                    signature.push(value & alive);
                    *seen |= value & alive != 0;
                    *missed |= !value & alive != 0;
                }
                simulator.advance();
            }
        }
        Ok(Behaviour {
            hash: hash(signature.iter().flat_map(|word| word.to_le_bytes())),
            words,
            values,
        })
    }

    /// How many conditions of the properties can no longer be true, or no longer false.
    pub fn silenced(&self, before: &Behaviour) -> u32 {
        let pairs = self.values.iter().zip(&before.values);
        pairs
            .map(|(now, before)| (before.0 && !now.0) as u32 + (before.1 && !now.1) as u32)
            .sum()
    }

    pub fn difference(&self, other: &Behaviour) -> usize {
        let pairs = self.words.iter().zip(&other.words);
        pairs
            .map(|(left, right)| (left ^ right).count_ones() as usize)
            .sum()
    }
}

/// A random word that depends on these alone; in some rounds mostly zeros or ones.
fn random_word(name: &str, round: u64, cycle: u64) -> u64 {
    let key = name
        .bytes()
        .chain(round.to_le_bytes())
        .chain(cycle.to_le_bytes());
    let mut random = Random::new(hash(key));
    match round % ROUNDS {
        0 | 1 => random.word(),
        2 => random.word() & random.word(),
        _ => random.word() | random.word(),
    }
}
