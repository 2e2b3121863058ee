//! The signals of a TLSF file, as atoms with names.

use std::collections::HashMap;
use std::ops::Range;

#[derive(Clone, Debug, Default)]
pub struct Signals {
    signals: Vec<Signal>,
    /// The name of each bit.
    pub atoms: Vec<String>,
}

#[derive(Clone, Debug)]
struct Signal {
    name: String,
    is_bus: bool,
    atoms: Range<usize>,
}

impl Signals {
    /// A signal of one bit, or with `width` a bus: bit 3 of `grant` is `grant_3`, the name
    /// that other tools for TLSF give it.
    pub fn add(&mut self, name: &str, width: Option<usize>) {
        let first = self.atoms.len();
        match width {
            None => self.atoms.push(name.to_string()),
            Some(width) => {
                let bits = (0..width).map(|index| format!("{name}_{index}"));
                self.atoms.extend(bits);
            }
        }
        self.signals.push(Signal {
            name: name.to_string(),
            is_bus: width.is_some(),
            atoms: first..self.atoms.len(),
        });
    }

    /// For each bit of a bus, how a formula names it.
    pub fn written(&self) -> HashMap<String, String> {
        let buses = self.signals.iter().filter(|signal| signal.is_bus);
        let bits = buses.flat_map(|bus| {
            let atoms = self.atoms[bus.atoms.clone()].iter().zip(0..);
            atoms.map(|(atom, bit): (_, usize)| (atom.clone(), format!("{}[{bit}]", bus.name)))
        });
        bits.collect()
    }

    pub fn count(&self) -> usize {
        self.signals.len()
    }

    /// The atom of a signal that is no bus.
    pub fn atom(&self, signal: usize) -> Option<u32> {
        let signal = self.signals.get(signal)?;
        (!signal.is_bus).then_some(signal.atoms.start as u32)
    }

    pub fn bit(&self, signal: usize, index: usize) -> Option<u32> {
        let atoms = self.signals.get(signal)?.atoms.clone();
        atoms.into_iter().nth(index).map(|atom| atom as u32)
    }

    pub fn width(&self, signal: usize) -> usize {
        self.signals
            .get(signal)
            .map_or(0, |found| found.atoms.len())
    }

    pub fn name(&self, signal: usize) -> String {
        let found = self.signals.get(signal);
        found.map(|found| found.name.clone()).unwrap_or_default()
    }

    pub fn atoms_of(&self, signal: usize) -> impl Iterator<Item = u32> + use<> {
        let atoms = self.signals.get(signal).map(|found| found.atoms.clone());
        atoms.unwrap_or_default().map(|atom| atom as u32)
    }
}
