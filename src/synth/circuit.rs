//! A controller with ports that have names and values.

use super::arrays::Arrays;
use super::controller::bit_name;
use crate::design::words::{self, Bits};
use crate::design::{Design, InputKind, Literal};
use crate::spec::gr1::{Domain, Gr1, number_width};

/// A circuit without choices: ports are lists of its bits, least significant first.
#[derive(Clone, Debug)]
pub struct Circuit {
    pub name: String,
    pub design: Design,
    /// Bits are inputs of the design.
    pub inputs: Vec<Port>,
    /// Bits are outputs of the design, in their order.
    pub outputs: Vec<Port>,
    /// Named signals that are no ports: what a specification has remembered for itself. Their
    /// bits are the outputs of the design after those of `outputs`.
    pub internal: Vec<Port>,
    /// Ports that are elements of arrays.
    pub arrays: Arrays,
    /// The name of an input that puts all registers back to their first values, if there is
    /// to be one in the text.
    pub reset_port: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    pub name: String,
    pub bits: Vec<Literal>,
    pub meaning: Meaning,
}

/// What the bits of a port stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    Boolean,
    /// The number itself, signed if it can be negative.
    Number {
        first: i64,
        last: i64,
    },
    /// The index in the list.
    Names(Vec<String>),
}

impl Meaning {
    pub fn of(spec: &Gr1, domain: &Domain) -> Meaning {
        match domain {
            Domain::Boolean => Meaning::Boolean,
            Domain::Range { first, last } => Meaning::Number {
                first: *first,
                last: *last,
            },
            Domain::Enumeration(symbols) => {
                let names = symbols.iter().map(|symbol| spec.terms.symbol_name(*symbol));
                Meaning::Names(names.map(str::to_string).collect())
            }
        }
    }

    pub fn is_signed(&self) -> bool {
        matches!(self, Meaning::Number { first, .. } if *first < 0)
    }

    /// How many bits a port of it has; at least one, also if there is nothing to tell.
    pub fn width(&self) -> usize {
        match self {
            Meaning::Boolean => 1,
            Meaning::Number { first, last } => number_width(*first, *last),
            Meaning::Names(names) => number_width(0, names.len() as i64 - 1),
        }
    }

    /// The bits of a port from the index of its value in the domain.
    pub fn encode(&self, design: &mut Design, code: &[Literal]) -> Bits {
        let width = self.width();
        let code = words::resize(code, width, false);
        match self {
            Meaning::Number { first, .. } if *first != 0 => {
                let offset = words::constant(*first as u64, width);
                words::add(design, &code, &offset)
            }
            _ => code,
        }
    }

    /// The index in the domain from the bits of a port.
    pub fn decode(&self, design: &mut Design, bits: &[Literal], count: usize) -> Bits {
        let code = match self {
            Meaning::Number { first, .. } if *first != 0 => {
                let offset = words::constant(*first as u64, bits.len());
                words::subtract(design, bits, &offset)
            }
            _ => bits.to_vec(),
        };
        words::resize(&code, count, false)
    }

    /// A value as the specification writes it.
    pub fn text(&self, bits: &[bool]) -> String {
        let mut number = 0_i64;
        for (index, bit) in bits.iter().enumerate().filter(|(index, _)| *index < 63) {
            number |= i64::from(*bit) << index;
        }
        if self.is_signed() && bits.last() == Some(&true) {
            number -= 1_i64 << bits.len().min(62);
        }
        match self {
            Meaning::Boolean => (number != 0).to_string(),
            Meaning::Number { .. } => number.to_string(),
            Meaning::Names(names) => {
                let name = names.get(number as usize);
                name.cloned().unwrap_or_else(|| format!("code {number}"))
            }
        }
    }
}

impl Circuit {
    /// A circuit whose ports are one bit each, by the names in the design.
    pub fn of_bits(name: &str, design: Design) -> Circuit {
        let port = |name: String, literal: Literal| Port {
            name,
            bits: vec![literal],
            meaning: Meaning::Boolean,
        };
        let inputs = design.inputs().iter();
        let inputs = inputs.filter(|id| design.input_kind(**id) == Some(InputKind::Environment));
        let inputs: Vec<Port> = inputs
            .map(|id| {
                port(
                    design.name(*id).unwrap_or_default().to_string(),
                    id.literal(),
                )
            })
            .collect();
        let outputs = design.outputs().iter();
        let outputs = outputs
            .map(|output| port(output.name.clone().unwrap_or_default(), output.literal))
            .collect();
        Circuit {
            name: name.to_string(),
            inputs,
            outputs,
            internal: Vec::new(),
            arrays: Arrays::default(),
            reset_port: None,
            design,
        }
    }

    /// The same circuit with a port for each bit.
    pub fn of_single_bits(&self) -> Circuit {
        let split = |ports: &[Port]| -> Vec<Port> {
            let bits = ports.iter().flat_map(|port| {
                let width = port.bits.len();
                port.bits.iter().enumerate().map(move |(index, bit)| Port {
                    name: bit_name(&port.name, index, width),
                    bits: vec![*bit],
                    meaning: Meaning::Boolean,
                })
            });
            bits.collect()
        };
        Circuit {
            inputs: split(&self.inputs),
            outputs: split(&self.outputs),
            ..self.clone()
        }
    }

    /// The same circuit with a port that resets it. A signal inside that has its name gets
    /// another one.
    pub fn with_reset_port(mut self, reset_port: Option<String>) -> Circuit {
        let is_taken = |circuit: &Circuit, name: &str| {
            let ports = circuit.inputs.iter().chain(&circuit.outputs);
            let mut ports = ports.chain(&circuit.internal);
            ports.any(|port| port.name == name)
        };
        if let Some(name) = &reset_port
            && let Some(index) = self.internal.iter().position(|port| port.name == *name)
        {
            let mut other = format!("{name}_");
            while is_taken(&self, &other) {
                other.push('_');
            }
            self.internal[index].name = other;
        }
        self.reset_port = reset_port;
        self
    }

    /// What the size of a circuit is measured by.
    pub fn gates(&self) -> usize {
        self.design.gates().count()
    }

    pub fn registers(&self) -> usize {
        self.design.latches().len()
    }
}
