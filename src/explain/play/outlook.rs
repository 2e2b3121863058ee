//! What each move of a step would come to: which duties it keeps, of which values only losing
//! moves are made, and which duties leave no other.
//!
//! All settings of the user's ports are tried, 64 at once.

use super::duties::Duties;
use crate::minimize::{Minimizer, minimize};
use crate::synth::circuit::Circuit;
use crate::synth::run::Runner;
use std::convert::Infallible;

/// Moves of so many bits are tried one by one.
pub const MOST_BITS: usize = 12;

pub struct Outlook {
    /// Of each port, the first bit in the number of a move, and how many it has.
    ports: Vec<(usize, usize)>,
    moves: u64,
    /// For each duty, the moves that keep it, by their numbers.
    kept: Vec<Vec<u64>>,
    /// The moves that keep all of them.
    good: Vec<u64>,
}

impl Outlook {
    /// `None` if there are too many moves.
    pub fn new(
        circuit: &Circuit,
        runner: &mut Runner<'_>,
        duties: &mut Duties<'_>,
    ) -> Option<Outlook> {
        let mut bits = 0;
        let mut ports = Vec::new();
        for port in &circuit.inputs {
            ports.push((bits, port.bits.len()));
            bits += port.bits.len();
        }
        if bits > MOST_BITS {
            return None;
        }
        let moves = 1u64 << bits;
        let mut kept = vec![Vec::new(); duties.count()];
        let mut good = Vec::new();
        for start in (0..moves).step_by(64) {
            let lanes = (moves - start).min(64);
            let column = |bit: usize| -> u64 {
                let ones = (0..lanes).filter(|lane| (start + lane) >> bit & 1 == 1);
                ones.fold(0, |word, lane| word | 1 << lane)
            };
            runner.peek(&|port, bit| column(ports[port].0 + bit));
            let mut all = if lanes == 64 {
                u64::MAX
            } else {
                (1 << lanes) - 1
            };
            for (own, lanes) in kept.iter_mut().zip(duties.kept(runner)) {
                own.push(lanes);
                all &= lanes;
            }
            good.push(all);
        }
        Some(Outlook {
            ports,
            moves,
            kept,
            good,
        })
    }

    /// The bits of a port in a move.
    fn value(&self, port: usize, number: u64) -> Vec<bool> {
        let (first, width) = self.ports[port];
        (first..first + width)
            .map(|bit| number >> bit & 1 == 1)
            .collect()
    }

    /// The moves that keep all duties.
    fn good(&self) -> impl Iterator<Item = u64> + '_ {
        (0..self.moves).filter(|number| is_in(&self.good, *number))
    }

    /// The bits of each port in the first move that keeps all duties.
    pub fn first_good(&self) -> Option<Vec<Vec<bool>>> {
        let number = self.good().next()?;
        let ports = 0..self.ports.len();
        Some(ports.map(|port| self.value(port, number)).collect())
    }

    /// Whether no move keeps all duties.
    pub fn is_lost(&self) -> bool {
        self.good.iter().all(|moves| *moves == 0)
    }

    /// Whether some move keeps all duties in which a port has this value.
    pub fn is_possible(&self, port: usize, value: &[bool]) -> bool {
        self.good().any(|number| self.value(port, number) == value)
    }

    /// The first move that keeps all duties and has the values that are given; if there is none,
    /// what is not given is taken from the move that is usual.
    pub fn filled_in(&self, given: &[Option<Vec<bool>>], usual: &[Vec<bool>]) -> Vec<Vec<bool>> {
        let suits =
            |port: usize, value: &[bool]| given[port].as_ref().is_none_or(|given| given == value);
        let filled: Vec<Vec<bool>> = (given.iter().zip(usual))
            .map(|(given, usual)| given.clone().unwrap_or_else(|| usual.clone()))
            .collect();
        let numbers = 0..self.ports.len();
        let is_as = |number: u64, wanted: &dyn Fn(usize, &[bool]) -> bool| {
            let mut ports = numbers.clone();
            ports.all(|port| wanted(port, &self.value(port, number)))
        };
        if (self.good()).any(|number| is_as(number, &|port, value| filled[port] == value)) {
            return filled;
        }
        let found = self.good().find(|number| is_as(*number, &suits));
        found.map_or(filled, |number| {
            numbers
                .clone()
                .map(|port| self.value(port, number))
                .collect()
        })
    }

    /// Duties, none of which could be left out, that no move keeps together but those in which a
    /// port has this value; `None` for no move at all.
    pub fn because(&self, only: Option<(usize, &[bool])>) -> Vec<usize> {
        let is_excepted =
            |number: u64| only.is_some_and(|(port, value)| self.value(port, number) == value);
        let others: Vec<u64> = (0..self.moves).filter(|one| !is_excepted(*one)).collect();
        let mut rule_out = |duties: &[usize]| -> Result<bool, Infallible> {
            let is_kept = |number: u64| duties.iter().all(|duty| is_in(&self.kept[*duty], number));
            Ok(!others.iter().any(|number| is_kept(*number)))
        };
        let all: Vec<usize> = (0..self.kept.len()).collect();
        match rule_out(&all) {
            Ok(true) => {}
            _ => return Vec::new(),
        }
        let mut found = minimize(Minimizer::Linear, &all, &mut rule_out).unwrap_or_default();
        found.sort_unstable();
        found
    }
}

fn is_in(moves: &[u64], number: u64) -> bool {
    moves[(number / 64) as usize] >> (number % 64) & 1 == 1
}
