//! What a recorded run is matched with: the ports of a design, and its clock.

use crate::design::reserved::is_reserved;
use crate::design::{Design, Node, Reading};

/// The ports of a design as a test bench sees them.
#[derive(Clone, Debug)]
pub struct Interface<'a> {
    pub design: &'a Design,
    /// The name of the top module, if it has one.
    pub top: Option<String>,
    pub ports: Vec<Port>,
    /// The input that registers move with, and whether at its rising edge.
    pub clock: Option<(String, bool)>,
    /// Whether the design has registers: without any, no clock is needed.
    pub has_registers: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    pub name: String,
    pub width: usize,
    pub is_input: bool,
}

impl<'a> Interface<'a> {
    pub fn of(reading: &'a Reading) -> Interface<'a> {
        let design = &reading.design;
        let inputs = design.inputs().iter().filter_map(|id| design.name(*id));
        let outputs = design.outputs().iter();
        let outputs = outputs.filter_map(|output| output.name.as_deref());
        let mut interface = Interface {
            design,
            top: reading.top.clone(),
            ports: Vec::new(),
            clock: reading.clock.clone(),
            has_registers: !design.latches().is_empty(),
        };
        for (name, is_input) in inputs
            .map(|name| (name, true))
            .chain(outputs.map(|name| (name, false)))
        {
            // Inputs that stand for unknown bits, and the like, are of our own making.
            if name.contains('$') || is_reserved(name) {
                continue;
            }
            interface.add(name, is_input);
        }
        interface
    }

    /// Adds the port that a bit belongs to.
    fn add(&mut self, bit: &str, is_input: bool) {
        let design = self.design;
        let base = bit.split('[').next().unwrap_or(bit);
        let name = if design.has_signal(base) { base } else { bit };
        if self.ports.iter().any(|port| port.name == name) {
            return;
        }
        if let Ok(word) = design.signal(name) {
            self.ports.push(Port {
                name: name.to_string(),
                width: word.bits.len(),
                is_input,
            });
        }
    }

    pub fn port(&self, name: &str) -> Option<&Port> {
        self.ports.iter().find(|port| port.name == name)
    }

    /// Any signal of a design, as something to compare.
    pub fn signal(&self, name: &str) -> Option<Port> {
        if let Some(port) = self.port(name) {
            return Some(port.clone());
        }
        let design = self.design;
        let word = design.signal(name).ok()?;
        let is_input = word
            .bits
            .iter()
            .all(|bit| !bit.is_complemented() && matches!(design.node(bit.node()), Node::Input(_)));
        Some(Port {
            name: name.to_string(),
            width: word.bits.len(),
            is_input,
        })
    }
}
