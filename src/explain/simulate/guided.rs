//! Runs of a controller with inputs that are chosen while it runs.
//!
//! In each step 64 random inputs are tried at once. Of those that keep the assumptions, one is
//! taken that makes the recurrence hold which has waited longest, else one that leads to a
//! state not seen before, else any. Assumptions in LTL are kept as in plays: as far as what one
//! step ahead shows. If all 64 break an assumption, all inputs are tried, or, if these are too many,
//! those in which one bit at most is set.

use super::{Ran, SimulationEnd};
use crate::explain::Recording;
use crate::explain::play::{Duties, Outlook};
use crate::random::Random;
use crate::source::Diagnostic;
use crate::synth::circuit::Circuit;
use crate::synth::run::{Runner, Taken};
use std::collections::HashSet;

/// A run in which the environment keeps its duties, and what there is to say of it.
pub fn guided(
    circuit: &Circuit,
    duties: Duties<'_>,
    steps: usize,
    seed: u64,
) -> Result<Ran, Diagnostic> {
    let judged = duties.judged();
    let runner = Runner::new(circuit, judged)?;
    let mut guide = Guide {
        circuit,
        seen: HashSet::from([runner.state()]),
        runner,
        duties,
        waiting: vec![0; judged.recurrences.len()],
        met: vec![0; judged.recurrences.len()],
    };
    let mut random = Random::new(seed);
    let mut ran = Ran {
        recording: Recording::of_circuit(circuit, true),
        ..Ran::default()
    };
    for _ in 0..steps {
        let bits = candidates(circuit, &mut random);
        let taken = guide.step(&bits).or_else(|| guide.step_with_others());
        let Some(taken) = taken else {
            ran.end = Some(SimulationEnd::NoInputFound);
            break;
        };
        ran.recording.add(&taken);
    }
    ran.notes = guide.notes(ran.recording.run.steps);
    Ok(ran)
}

/// Bits of 64 inputs, by port and bit.
fn candidates(circuit: &Circuit, random: &mut Random) -> Vec<Vec<u64>> {
    let ports = circuit.inputs.iter();
    ports
        .map(|port| port.bits.iter().map(|_| random.word()).collect())
        .collect()
}

/// Inputs in which no bit is set, and in which one is.
fn sparse(circuit: &Circuit) -> Vec<Vec<u64>> {
    let mut lanes = 1..64;
    let ports = circuit.inputs.iter();
    ports
        .map(|port| {
            let bits = port.bits.iter();
            bits.map(|_| lanes.next().map_or(0, |lane| 1 << lane))
                .collect()
        })
        .collect()
}

struct Guide<'a> {
    circuit: &'a Circuit,
    runner: Runner<'a>,
    duties: Duties<'a>,
    /// For how many steps each recurrence has not held.
    waiting: Vec<usize>,
    /// In how many steps each recurrence has held.
    met: Vec<usize>,
    seen: HashSet<Vec<bool>>,
}

impl Guide<'_> {
    /// Takes one of 64 inputs; `None` if all of them break an assumption.
    fn step(&mut self, bits: &[Vec<u64>]) -> Option<Taken> {
        self.runner.peek(&|port, bit| bits[port][bit]);
        let kept = self.duties.kept(&self.runner).into_iter();
        let legal = kept.fold(u64::MAX, |all, lanes| all & lanes);
        if legal == 0 {
            return None;
        }
        let recurrences = self.runner.recurrences();
        let lane = self.choose(legal, &recurrences);
        for (index, holds) in recurrences.iter().enumerate() {
            let holds = holds >> lane & 1 == 1;
            self.met[index] += usize::from(holds);
            self.waiting[index] = if holds { 0 } else { self.waiting[index] + 1 };
        }
        let taken = self
            .runner
            .look(&|port, bit| bits[port][bit] >> lane & 1 == 1);
        self.duties.step(&self.runner);
        self.runner.advance();
        self.seen.insert(self.runner.state());
        Some(taken)
    }

    /// Takes an input that random ones have not met; `None` if there is none, or none is found.
    fn step_with_others(&mut self) -> Option<Taken> {
        match Outlook::new(self.circuit, &mut self.runner, &mut self.duties) {
            Some(outlook) => {
                let found = outlook.first_good()?;
                let all = |bit: bool| if bit { u64::MAX } else { 0 };
                let ports = found.into_iter();
                let bits: Vec<Vec<u64>> = ports
                    .map(|bits| bits.into_iter().map(all).collect())
                    .collect();
                self.step(&bits)
            }
            None => self.step(&sparse(self.circuit)),
        }
    }

    fn choose(&self, legal: u64, recurrences: &[u64]) -> usize {
        let mut order: Vec<usize> = (0..self.waiting.len()).collect();
        order.sort_by_key(|index| std::cmp::Reverse(self.waiting[*index]));
        let helpful = order
            .iter()
            .map(|index| recurrences[*index] & legal)
            .find(|lanes| *lanes != 0);
        let among = helpful.unwrap_or(legal);
        let lanes: Vec<usize> = (0..64).filter(|lane| among >> lane & 1 == 1).collect();
        let leads_to_new = |lane: &usize| !self.seen.contains(&self.runner.next_state(*lane));
        let new = lanes.iter().copied().find(leads_to_new);
        new.unwrap_or(lanes[0])
    }

    fn notes(&self, ran: usize) -> Vec<String> {
        let count = self.seen.len();
        let visited = match count {
            1 => "1 state was visited".to_string(),
            count => format!("{count} states were visited"),
        };
        let steps = match ran {
            1 => "1 step".to_string(),
            ran => format!("{ran} steps"),
        };
        let mut notes = vec![format!("{visited} in {steps}")];
        for (index, met) in self.met.iter().enumerate() {
            let number = index + 1;
            notes.push(format!(
                "what is assumed to recur (number {number}) held in {met} of {steps}"
            ));
        }
        notes
    }
}
