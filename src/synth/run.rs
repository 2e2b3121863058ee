//! Running a circuit step by step, for whoever plays against it.

use super::circuit::{Circuit, Meaning, Port};
use crate::certify::Judged;
use crate::design::{Literal, NodeId, Simulator};
use crate::run::Bits;
use crate::source::Diagnostic;
use std::collections::HashMap;

/// Values of ports, as a specification writes them.
pub type Settings = Vec<(String, String)>;

/// A circuit in some state. Nothing is printed and nothing is asked here.
pub struct Runner<'a> {
    circuit: &'a Circuit,
    judged: &'a Judged,
    simulator: Simulator<'a>,
    ports: HashMap<NodeId, (usize, usize)>,
    latches: Vec<NodeId>,
    pub steps: usize,
}

/// What a step came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    pub inputs: Settings,
    pub outputs: Settings,
    /// The same as bits: first of the inputs, then of the outputs.
    pub bits: Vec<Bits>,
    /// Whether the inputs keep the assumptions about steps.
    pub is_legal: bool,
    /// The goal that the circuit works for.
    pub goal: Option<String>,
}

impl<'a> Runner<'a> {
    pub fn new(circuit: &'a Circuit, judged: &'a Judged) -> Result<Runner<'a>, Diagnostic> {
        let mut simulator = Simulator::new(&judged.design)?;
        simulator.start(|_| 0);
        let mut ports = HashMap::new();
        for (port, own) in circuit.inputs.iter().enumerate() {
            for (bit, literal) in own.bits.iter().enumerate() {
                ports.insert(literal.node(), (port, bit));
            }
        }
        Ok(Runner {
            circuit,
            judged,
            simulator,
            ports,
            latches: judged.design.latches().to_vec(),
            steps: 0,
        })
    }

    /// What it drives before it has read anything in this step; right if it moves first.
    pub fn offer(&mut self) -> Settings {
        self.simulator.settle(|_| 0);
        self.read(&self.circuit.outputs, 0)
    }

    /// The state, to see whether a play repeats.
    pub fn state(&self) -> Vec<bool> {
        let latches = self.latches.iter();
        latches
            .map(|id| self.simulator.value(id.literal()) & 1 == 1)
            .collect()
    }

    /// Tries up to 64 inputs at once; the bits of each are given by port and bit. The answer
    /// tells which are legal and what each would come to.
    pub fn peek(&mut self, bits: &dyn Fn(usize, usize) -> u64) -> u64 {
        let ports = &self.ports;
        self.simulator
            .settle(|id| ports.get(&id).map_or(0, |(port, bit)| bits(*port, *bit)));
        self.simulator.value(self.judged.assumed)
    }

    /// A literal of the design in each lane of the last look.
    pub fn value(&self, literal: Literal) -> u64 {
        self.simulator.value(literal)
    }

    /// Which lanes of the last look make a recurrence hold.
    pub fn recurrences(&self) -> Vec<u64> {
        let recurrences = self.judged.recurrences.iter();
        recurrences.map(|one| self.simulator.value(*one)).collect()
    }

    /// The next state of one lane of the last look.
    pub fn next_state(&self, lane: usize) -> Vec<bool> {
        let latches = self.latches.iter();
        let next = latches.filter_map(|id| self.judged.design.latch(*id));
        next.map(|latch| self.simulator.value(latch.next) >> lane & 1 == 1)
            .collect()
    }

    /// Takes a step with these bits of the input ports, if they keep the assumptions.
    pub fn step(&mut self, bits: &dyn Fn(usize, usize) -> bool) -> Taken {
        let taken = self.look(bits);
        if taken.is_legal {
            self.advance();
        }
        taken
    }

    /// Takes the step that was looked at.
    pub fn advance(&mut self) {
        self.simulator.advance();
        self.steps += 1;
    }

    /// What a step with these bits of the input ports would come to.
    pub fn look(&mut self, bits: &dyn Fn(usize, usize) -> bool) -> Taken {
        let all = |port: usize, bit: usize| if bits(port, bit) { u64::MAX } else { 0 };
        let is_legal = self.peek(&all) & 1 == 1;
        let goal = self.circuit.internal.iter();
        let goal = goal
            .filter(|port| port.name.starts_with(super::controller::GOAL))
            .find(|port| matches!(port.meaning, Meaning::Names(_)));
        let goal = goal.map(|port| port.meaning.text(&self.bits(port, 0)));
        Taken {
            inputs: self.read(&self.circuit.inputs, 0),
            outputs: self.read(&self.circuit.outputs, 0),
            bits: self
                .circuit
                .inputs
                .iter()
                .chain(&self.circuit.outputs)
                .map(|port| self.bits(port, 0))
                .collect(),
            is_legal,
            goal,
        }
    }

    fn bits(&self, port: &Port, lane: usize) -> Vec<bool> {
        let value = |literal: Literal| self.simulator.value(literal) >> lane & 1 == 1;
        port.bits.iter().map(|bit| value(*bit)).collect()
    }

    fn read(&self, ports: &[Port], lane: usize) -> Settings {
        let text = |port: &Port| port.meaning.text(&self.bits(port, lane));
        let ports = ports.iter();
        ports.map(|port| (port.name.clone(), text(port))).collect()
    }
}

impl Meaning {
    /// The bits of a value as users write it.
    pub fn parse(&self, text: &str, width: usize) -> Option<Vec<bool>> {
        let number = match (self, text) {
            (Meaning::Boolean, "1" | "true") => 1,
            (Meaning::Boolean, "0" | "false") => 0,
            (Meaning::Boolean, _) => return None,
            (Meaning::Number { first, last }, text) => {
                let number: i64 = text.parse().ok()?;
                (*first..=*last).contains(&number).then_some(number)?
            }
            (Meaning::Names(names), text) => names.iter().position(|name| name == text)? as i64,
        };
        Some(
            (0..width)
                .map(|bit| number >> bit.min(63) & 1 == 1)
                .collect(),
        )
    }

    /// Some values that it may have.
    pub fn examples(&self) -> String {
        match self {
            Meaning::Boolean => "true, false".to_string(),
            Meaning::Number { first, last } => format!("{first} to {last}"),
            Meaning::Names(names) => names.join(", "),
        }
    }
}
