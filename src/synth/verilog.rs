//! Writes a circuit as Verilog that people can read: words for numbers and enumerations,
//! names of the specification, one register for each latch, and one wire for each gate that
//! is used twice.
//!
//! The text is plain Verilog 2001 that Yosys, Icarus Verilog and Verilator read. Names that
//! the language cannot spell are escaped; registers have initial values.

use super::circuit::{Circuit, Meaning, Port};
use crate::design::{Design, Literal, Node, NodeId, Reset};
use crate::expr::printer::needs_escape;
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

/// An expression that is longer gets a wire.
const LONG: usize = 90;

/// A name that has characters which Verilog cannot have even in an escaped name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unspeakable(pub String);

/// The name as Verilog has it.
pub fn spelled(name: &str) -> String {
    match needs_escape(name, true) {
        true => format!("\\{name} "),
        false => name.to_string(),
    }
}

pub fn write(circuit: &Circuit) -> Result<String, Unspeakable> {
    let mut writer = Writer::new(circuit)?;
    writer.header();
    writer.registers();
    writer.wires();
    writer.ports();
    writer.clocked();
    writer.text.push_str("endmodule\n");
    Ok(writer.text)
}

struct Writer<'c> {
    circuit: &'c Circuit,
    design: &'c Design,
    taken: HashSet<String>,
    clock: String,
    text: String,
    /// How often each gate is read.
    uses: Vec<u32>,
    /// What stands for a node: a port's bit, a register, a wire, or an expression to be put
    /// in its place.
    spelling: HashMap<NodeId, Spelled>,
    /// Registers as they are declared: a word with its latches, or one latch.
    words: Vec<(String, Vec<NodeId>)>,
}

#[derive(Clone)]
struct Spelled {
    text: String,
    /// Whether it can be an operand as it is.
    is_atom: bool,
}

impl<'c> Writer<'c> {
    fn new(circuit: &'c Circuit) -> Result<Writer<'c>, Unspeakable> {
        let ports = circuit.inputs.iter().chain(&circuit.outputs);
        let ports = ports.chain(&circuit.internal);
        let mut taken = HashSet::new();
        for port in ports {
            let printable = |c: char| c.is_ascii_graphic();
            if port.name.is_empty() || !port.name.chars().all(printable) {
                return Err(Unspeakable(port.name.clone()));
            }
            taken.insert(port.name.clone());
        }
        let design = &circuit.design;
        let mut writer = Writer {
            circuit,
            design,
            clock: String::new(),
            text: String::new(),
            uses: vec![0; design.len()],
            spelling: HashMap::new(),
            words: Vec::new(),
            taken,
        };
        writer.clock = writer.fresh("clk");
        writer.count_uses();
        Ok(writer)
    }

    /// The name, or one like it that nothing has.
    fn fresh(&mut self, name: &str) -> String {
        let mut name = name.to_string();
        while !self.taken.insert(name.clone()) {
            name.push('_');
        }
        name
    }

    fn count_uses(&mut self) {
        for id in self.design.gates() {
            if let Some((left, right)) = self.design.gate(id) {
                self.uses[left.node().index()] += 1;
                self.uses[right.node().index()] += 1;
            }
        }
        for id in self.design.latches() {
            if let Some(latch) = self.design.latch(*id) {
                self.uses[latch.next.node().index()] += 1;
            }
        }
        for output in self.design.outputs() {
            self.uses[output.literal.node().index()] += 1;
        }
    }

    fn header(&mut self) {
        let name = match self.circuit.name.as_str() {
            "" => "controller".to_string(),
            name => {
                let keep = |c: char| c.is_ascii_alphanumeric() || c == '_';
                let name: String = name
                    .chars()
                    .map(|c| if keep(c) { c } else { '_' })
                    .collect();
                match name.starts_with(|c: char| c.is_ascii_digit()) {
                    true => format!("_{name}"),
                    false => name,
                }
            }
        };
        let _ = writeln!(self.text, "module {}(", spelled(&name));
        let mut lines = vec![format!("    input  wire {}", self.clock)];
        let ports = self.circuit.inputs.iter().map(|port| (port, "input "));
        let ports = ports.chain(self.circuit.outputs.iter().map(|port| (port, "output")));
        for (port, direction) in ports {
            lines.push(format!(
                "    {direction} wire {}{}",
                range(port),
                spelled(&port.name)
            ));
        }
        self.text.push_str(&lines.join(",\n"));
        self.text.push_str("\n);\n");
        let ports = self.circuit.inputs.iter().chain(&self.circuit.outputs);
        for port in ports.chain(&self.circuit.internal) {
            match &port.meaning {
                Meaning::Names(names) => {
                    for (code, name) in names.iter().enumerate() {
                        let _ = writeln!(self.text, "    // {} = {code}: {name}", port.name);
                    }
                }
                Meaning::Number { first, last } => {
                    let _ = writeln!(self.text, "    // {}: {first} to {last}", port.name);
                }
                Meaning::Boolean => {}
            }
        }
        for port in &self.circuit.inputs {
            for (place, bit) in port.bits.iter().enumerate() {
                let text = bit_of(&port.name, place, port.bits.len());
                let atom = Spelled {
                    text,
                    is_atom: true,
                };
                self.spelling.insert(bit.node(), atom);
            }
        }
    }

    /// Latches whose names are all bits of one word are one register.
    fn registers(&mut self) {
        let mut groups: Vec<(String, Vec<(usize, NodeId)>)> = Vec::new();
        for id in self.design.latches() {
            let name = self.design.name(*id).unwrap_or("state");
            let (base, place) = match name
                .strip_suffix(']')
                .and_then(|name| name.rsplit_once('['))
            {
                Some((base, place)) => (base, place.parse::<usize>().ok()),
                None => (name, None),
            };
            match (place, groups.iter_mut().find(|(own, _)| own == base)) {
                (Some(place), Some((_, bits))) => bits.push((place, *id)),
                (place, _) => groups.push((base.to_string(), vec![(place.unwrap_or(0), *id)])),
            }
        }
        for (base, mut bits) in groups {
            bits.sort_unstable_by_key(|(place, _)| *place);
            let is_whole = bits
                .iter()
                .enumerate()
                .all(|(index, (place, _))| index == *place);
            match is_whole {
                true => {
                    let name = self.fresh(&base);
                    let latches = bits.into_iter().map(|(_, id)| id).collect();
                    self.words.push((name, latches));
                }
                false => {
                    for (place, id) in bits {
                        let name = self.fresh(&format!("{base}_{place}"));
                        self.words.push((name, vec![id]));
                    }
                }
            }
        }
        if !self.words.is_empty() {
            self.text.push('\n');
        }
        for (name, latches) in self.words.clone() {
            let width = latches.len();
            let mut start = String::new();
            for id in latches.iter().rev() {
                let one = self.design.latch(*id).map(|latch| latch.reset) == Some(Reset::One);
                start.push(if one { '1' } else { '0' });
            }
            let range = match width {
                1 => String::new(),
                _ => format!("[{}:0] ", width - 1),
            };
            let name = name.as_str();
            let _ = writeln!(
                self.text,
                "    reg {range}{} = {width}'b{start};",
                spelled(name)
            );
            for (place, id) in latches.iter().enumerate() {
                let atom = Spelled {
                    text: bit_of(name, place, width),
                    is_atom: true,
                };
                self.spelling.insert(*id, atom);
            }
        }
    }

    /// Gates in order: those that are used once go into the expression that uses them.
    fn wires(&mut self) {
        let Ok(order) = self.design.topological_order() else {
            return;
        };
        let mut number = 0;
        for id in order {
            let Node::And(left, right) = self.design.node(id) else {
                continue;
            };
            if self.uses[id.index()] == 0 {
                continue;
            }
            let text = self.gate(id, left, right);
            let spelled = if self.uses[id.index()] == 1 && text.len() <= LONG {
                Spelled {
                    text,
                    is_atom: false,
                }
            } else {
                number += 1;
                let name = self.fresh(&format!("n{number}"));
                let _ = writeln!(self.text, "    wire {name} = {text};");
                Spelled {
                    text: name,
                    is_atom: true,
                }
            };
            self.spelling.insert(id, spelled);
        }
    }

    /// The text of a gate. `!(!(s & t) & !(!s & e))` is a choice, which reads better as one.
    fn gate(&self, id: NodeId, left: Literal, right: Literal) -> String {
        match choice(self.design, id) {
            // The gate is the complement of the choice.
            Some((condition, then, otherwise)) if then == !otherwise => {
                format!("{} ^ {}", self.operand(condition), self.operand(then))
            }
            Some((condition, then, otherwise)) => format!(
                "{} ? {} : {}",
                self.operand(condition),
                self.operand(!then),
                self.operand(!otherwise)
            ),
            None => format!("{} & {}", self.operand(left), self.operand(right)),
        }
    }

    fn operand(&self, literal: Literal) -> String {
        if let Some(value) = literal.as_constant() {
            return format!("1'b{}", u8::from(value));
        }
        let Some(spelled) = self.spelling.get(&literal.node()) else {
            return "1'b0".to_string();
        };
        let sign = if literal.is_complemented() { "!" } else { "" };
        match spelled.is_atom {
            true => format!("{sign}{}", spelled.text),
            false => format!("{sign}({})", spelled.text),
        }
    }

    fn value(&self, bits: &[Literal]) -> String {
        let operands: Vec<String> = bits.iter().rev().map(|bit| self.operand(*bit)).collect();
        match operands.as_slice() {
            [one] => one.clone(),
            _ => format!("{{{}}}", operands.join(", ")),
        }
    }

    fn ports(&mut self) {
        self.text.push('\n');
        for port in &self.circuit.internal {
            let value = self.value(&port.bits);
            let (range, name) = (range(port), spelled(&port.name));
            let _ = writeln!(self.text, "    wire {range}{name} = {value};");
        }
        for port in &self.circuit.outputs {
            let value = self.value(&port.bits);
            let _ = writeln!(self.text, "    assign {} = {value};", spelled(&port.name));
        }
    }

    fn clocked(&mut self) {
        if self.words.is_empty() {
            return;
        }
        let _ = writeln!(self.text, "\n    always @(posedge {}) begin", self.clock);
        for (name, latches) in self.words.clone() {
            let next: Vec<Literal> = latches
                .iter()
                .filter_map(|id| self.design.latch(*id).map(|latch| latch.next))
                .collect();
            let value = self.value(&next);
            let _ = writeln!(self.text, "        {} <= {value};", spelled(&name));
        }
        self.text.push_str("    end\n");
    }
}

fn range(port: &Port) -> String {
    let signed = if port.meaning.is_signed() {
        "signed "
    } else {
        ""
    };
    match (port.bits.len(), &port.meaning) {
        (1, Meaning::Boolean) => String::new(),
        (1, _) => signed.to_string(),
        (width, _) => format!("{signed}[{}:0] ", width - 1),
    }
}

fn bit_of(name: &str, place: usize, width: usize) -> String {
    match width {
        1 => spelled(name),
        _ => format!("{}[{place}]", spelled(name)),
    }
}

/// If the gate is `!(s ? t : e)`: condition and both values.
fn choice(design: &Design, id: NodeId) -> Option<(Literal, Literal, Literal)> {
    let (left, right) = design.gate(id)?;
    if !left.is_complemented() || !right.is_complemented() {
        return None;
    }
    let (a, b) = design.gate(left.node())?;
    let (c, d) = design.gate(right.node())?;
    for (condition, then) in [(a, b), (b, a)] {
        for (other, otherwise) in [(c, d), (d, c)] {
            if condition == !other {
                return Some((condition, then, otherwise));
            }
        }
    }
    None
}
