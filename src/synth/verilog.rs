//! Writes a circuit as Verilog that people can read: words for numbers and enumerations,
//! names of the specification, one register for each latch, and one wire for each gate that
//! is used twice.
//!
//! The text is plain Verilog 2001 that Yosys, Icarus Verilog and Verilator read. Arrays are
//! words, values of enumerations are parameters, and names that the language cannot spell are
//! escaped. Registers have initial values, and a reset port if one is asked for: high in a step
//! it has them back in the next.

use super::arrays::Slice;
use super::circuit::{Circuit, Meaning, Port};
use crate::design::{Design, Literal, Node, NodeId, Reset};
use crate::expr::printer::needs_escape;
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

/// The port of the clock, unless something in the circuit has this name.
pub const CLOCK: &str = "clk";
/// An expression that is longer gets a wire.
const LONG: usize = 90;

/// A name that has characters which Verilog cannot have even in an escaped name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unspeakable(pub String);

/// The name as Verilog has it.
pub fn spelled(name: &str) -> String {
    if needs_escape(name, true) {
        format!("\\{name} ")
    } else {
        name.to_string()
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
    form: Form,
    /// Whether the text is the complement of the node.
    is_complement: bool,
}

/// What stands outermost in a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Atom,
    And,
    Or,
    Other,
}

impl Spelled {
    fn atom(text: String) -> Spelled {
        Spelled {
            text,
            form: Form::Atom,
            is_complement: false,
        }
    }
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
            let slice = circuit.arrays.slice(&port.name);
            taken.extend(slice.map(|slice| slice.word.clone()));
        }
        taken.extend(circuit.reset_port.clone());
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
        writer.clock = writer.fresh(CLOCK);
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
            name => identifier(name),
        };
        let _ = writeln!(self.text, "module {}(", spelled(&name));
        let mut lines = vec![format!("    input  wire {}", self.clock)];
        let reset = self.circuit.reset_port.as_ref();
        lines.extend(reset.map(|name| format!("    input  wire {}", spelled(name))));
        for (ports, direction) in [
            (&self.circuit.inputs, "input "),
            (&self.circuit.outputs, "output"),
        ] {
            let declared = self.declarations(ports).into_iter();
            lines.extend(declared.map(|own| format!("    {direction} wire {own}")));
        }
        self.text.push_str(&lines.join(",\n"));
        self.text.push_str("\n);\n");
        self.meanings();
        for port in &self.circuit.inputs {
            for (index, bit) in port.bits.iter().enumerate() {
                let text = self.bit_of_port(port, index);
                self.spelling.insert(bit.node(), Spelled::atom(text));
            }
        }
    }

    /// Ports as they are declared, elements of an array together.
    fn declarations(&self, ports: &[Port]) -> Vec<String> {
        let mut found = Vec::new();
        for port in ports {
            let declared = match self.circuit.arrays.slice(&port.name) {
                Some(slice) if slice.width == 1 => spelled(&slice.word),
                Some(slice) => format!("[{}:0] {}", slice.width - 1, spelled(&slice.word)),
                None => format!("{}{}", range(port), spelled(&port.name)),
            };
            if !found.contains(&declared) {
                found.push(declared);
            }
        }
        found
    }

    /// What the values of words mean: a parameter for each value of an enumeration, by its own
    /// name unless another value has it, and comments.
    fn meanings(&mut self) {
        let ports = self.circuit.inputs.iter().chain(&self.circuit.outputs);
        let mut named: HashMap<String, String> = HashMap::new();
        for port in ports.chain(&self.circuit.internal) {
            let slice = self.circuit.arrays.slice(&port.name);
            if let Some(slice) = slice.filter(|slice| slice.width > port.bits.len()) {
                let place = part_of(slice, port.bits.len());
                if place != port.name {
                    let _ = writeln!(self.text, "    // {} is {place}", port.name);
                }
            }
            match &port.meaning {
                Meaning::Names(names) => {
                    let width = port.bits.len();
                    let mut listed = Vec::new();
                    for (code, name) in names.iter().enumerate() {
                        let value = format!("{width}'d{code}");
                        if named.get(name) != Some(&value) {
                            let is_free = !self.taken.contains(name) && !needs_escape(name, true);
                            let own = match is_free {
                                true => self.fresh(name),
                                false => self.fresh(&identifier(&format!("{}_{name}", port.name))),
                            };
                            let range = match width {
                                1 => String::new(),
                                _ => format!("[{}:0] ", width - 1),
                            };
                            let _ = writeln!(self.text, "    localparam {range}{own} = {value};");
                            if is_free {
                                named.insert(name.clone(), value);
                            }
                        }
                        listed.push(format!("{code} {name}"));
                    }
                    let _ = writeln!(self.text, "    // {}: {}", port.name, listed.join(", "));
                }
                Meaning::Number { first, last } => {
                    let _ = writeln!(self.text, "    // {}: {first} to {last}", port.name);
                }
                Meaning::Boolean => {}
            }
        }
    }

    fn bit_of_port(&self, port: &Port, index: usize) -> String {
        match self.circuit.arrays.slice(&port.name) {
            Some(slice) => bit_of(&slice.word, slice.low + index, slice.width),
            None => bit_of(&port.name, index, port.bits.len()),
        }
    }

    fn whole_port(&self, port: &Port) -> String {
        match self.circuit.arrays.slice(&port.name) {
            Some(slice) => part_of(slice, port.bits.len()),
            None => spelled(&port.name),
        }
    }

    /// Latches whose names are all bits of one word are one register.
    fn registers(&mut self) {
        let mut groups: Vec<(String, Vec<(usize, NodeId)>)> = Vec::new();
        let mut unnamed = 0;
        for id in self.design.latches() {
            let own = self.design.name(*id).map(str::to_string);
            let name = own.unwrap_or_else(|| {
                unnamed += 1;
                format!("state[{}]", unnamed - 1)
            });
            let name = name.as_str();
            let (base, index) = match name
                .strip_suffix(']')
                .and_then(|name| name.rsplit_once('['))
            {
                Some((base, index)) => (base, index.parse::<usize>().ok()),
                None => (name, None),
            };
            match (index, groups.iter_mut().find(|(own, _)| own == base)) {
                (Some(index), Some((_, bits))) => bits.push((index, *id)),
                (index, _) => groups.push((base.to_string(), vec![(index.unwrap_or(0), *id)])),
            }
        }
        for (base, mut bits) in groups {
            bits.sort_unstable_by_key(|(index, _)| *index);
            let is_whole = bits
                .iter()
                .enumerate()
                .all(|(wanted, (index, _))| wanted == *index);
            if is_whole {
                let name = self.fresh(&identifier(&base));
                let latches = bits.into_iter().map(|(_, id)| id).collect();
                self.words.push((name, latches));
            } else {
                for (index, id) in bits {
                    let name = self.fresh(&identifier(&format!("{base}_{index}")));
                    self.words.push((name, vec![id]));
                }
            }
        }
        if !self.words.is_empty() {
            self.text.push('\n');
        }
        for (name, latches) in self.words.clone() {
            let width = latches.len();
            let start = self.start(&latches);
            let range = match width {
                1 => String::new(),
                _ => format!("[{}:0] ", width - 1),
            };
            let name = name.as_str();
            let _ = writeln!(self.text, "    reg {range}{} = {start};", spelled(name));
            for (index, id) in latches.iter().enumerate() {
                let text = bit_of(name, index, width);
                self.spelling.insert(*id, Spelled::atom(text));
            }
        }
    }

    /// The first value of a register.
    fn start(&self, latches: &[NodeId]) -> String {
        let one = |id: &NodeId| self.design.latch(*id).map(|latch| latch.reset) == Some(Reset::One);
        let digits = latches
            .iter()
            .rev()
            .map(|id| if one(id) { '1' } else { '0' });
        format!("{}'b{}", latches.len(), digits.collect::<String>())
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
            let mut spelled = self.gate(id, left, right);
            if self.uses[id.index()] > 1 || spelled.text.len() > LONG {
                number += 1;
                let name = self.fresh(&format!("n{number}"));
                let _ = writeln!(self.text, "    wire {name} = {};", spelled.text);
                spelled.text = name;
                spelled.form = Form::Atom;
            }
            self.spelling.insert(id, spelled);
        }
    }

    /// The text of a gate. `!(!(s & t) & !(!s & e))` is a choice, and `!(!a & !b)` a
    /// disjunction, which read better as such.
    fn gate(&self, id: NodeId, left: Literal, right: Literal) -> Spelled {
        if let Some((mut condition, mut then, mut otherwise)) = choice(self.design, id) {
            if self.reads_complemented(condition) {
                condition = !condition;
                std::mem::swap(&mut then, &mut otherwise);
            }
            let condition_text = self.operand(condition, Form::Other);
            let is_xor = then == !otherwise;
            let text = if is_xor {
                format!("{condition_text} ^ {}", self.operand(then, Form::Other))
            } else {
                format!(
                    "{condition_text} ? {} : {}",
                    self.operand(then, Form::Other),
                    self.operand(otherwise, Form::Other)
                )
            };
            return Spelled {
                text,
                form: Form::Other,
                is_complement: !is_xor,
            };
        }
        let both = [left, right];
        let is_or = both.iter().all(|literal| self.reads_complemented(*literal));
        let (form, sign, operator) = if is_or {
            (Form::Or, true, "|")
        } else {
            (Form::And, false, "&")
        };
        let [left, right] = both.map(|one| self.operand(one.complement_if(sign), form));
        Spelled {
            text: format!("{left} {operator} {right}"),
            form,
            is_complement: is_or,
        }
    }

    /// Whether an operand would be written with a negation.
    fn reads_complemented(&self, literal: Literal) -> bool {
        let spelled = self.spelling.get(&literal.node());
        let complement = spelled.is_some_and(|spelled| spelled.is_complement);
        literal.is_complemented() != complement
    }

    /// A literal as an operand of this form.
    fn operand(&self, literal: Literal, inside: Form) -> String {
        if let Some(value) = literal.as_constant() {
            return format!("1'b{}", u8::from(value));
        }
        let Some(spelled) = self.spelling.get(&literal.node()) else {
            return "1'b0".to_string();
        };
        let negated = literal.is_complemented() != spelled.is_complement;
        match (negated, spelled.form) {
            (true, Form::Atom) => format!("!{}", spelled.text),
            (true, _) => format!("!({})", spelled.text),
            (false, Form::Atom) => spelled.text.clone(),
            (false, form) if form == inside && form != Form::Other => spelled.text.clone(),
            (false, _) => format!("({})", spelled.text),
        }
    }

    /// A literal that stands alone.
    fn alone(&self, literal: Literal) -> String {
        let text = self.operand(literal, Form::Other);
        let spelled = self.spelling.get(&literal.node());
        match spelled {
            Some(spelled) if text.starts_with('(') => spelled.text.clone(),
            _ => text,
        }
    }

    fn value(&self, bits: &[Literal]) -> String {
        let constants: Option<Vec<bool>> = bits.iter().map(|bit| bit.as_constant()).collect();
        if let Some(constants) = constants {
            let digits = constants.iter().rev();
            let digits: String = digits.map(|bit| if *bit { '1' } else { '0' }).collect();
            return format!("{}'b{digits}", bits.len());
        }
        if let Some(name) = self.whole_register(bits) {
            return name;
        }
        let operands: Vec<String> = bits.iter().rev().map(|bit| self.alone(*bit)).collect();
        match operands.as_slice() {
            [one] => one.clone(),
            _ => format!("{{{}}}", operands.join(", ")),
        }
    }

    /// The name of a register or an input that has exactly these bits.
    fn whole_register(&self, bits: &[Literal]) -> Option<String> {
        let own = |literals: &mut dyn Iterator<Item = Literal>| literals.eq(bits.iter().copied());
        let mut registers = self.words.iter();
        let register =
            registers.find(|(_, latches)| own(&mut latches.iter().map(|id| id.literal())));
        let mut inputs = self.circuit.inputs.iter();
        let mut input = || inputs.find(|port| own(&mut port.bits.iter().copied()));
        register
            .map(|(name, _)| spelled(name))
            .or_else(|| input().map(|port| self.whole_port(port)))
    }

    fn ports(&mut self) {
        self.text.push('\n');
        let is_element = |port: &Port| self.circuit.arrays.slice(&port.name).is_some();
        let internal = self.circuit.internal.iter();
        let (elements, single): (Vec<&Port>, Vec<&Port>) =
            internal.partition(|port| is_element(port));
        for port in single {
            let value = self.value(&port.bits);
            let (range, name) = (range(port), spelled(&port.name));
            let _ = writeln!(self.text, "    wire {range}{name} = {value};");
        }
        let elements: Vec<Port> = elements.into_iter().cloned().collect();
        for declared in self.declarations(&elements) {
            let _ = writeln!(self.text, "    wire {declared};");
        }
        for port in elements.iter().chain(&self.circuit.outputs) {
            let (name, value) = (self.whole_port(port), self.value(&port.bits));
            let _ = writeln!(self.text, "    assign {name} = {value};");
        }
    }

    fn clocked(&mut self) {
        if self.words.is_empty() {
            return;
        }
        let _ = writeln!(self.text, "\n    always @(posedge {}) begin", self.clock);
        let indent = match &self.circuit.reset_port {
            Some(reset) => {
                let _ = writeln!(self.text, "        if ({}) begin", spelled(reset));
                for (name, latches) in &self.words {
                    let start = self.start(latches);
                    let _ = writeln!(self.text, "            {} <= {start};", spelled(name));
                }
                self.text.push_str("        end else begin\n");
                "            "
            }
            None => "        ",
        };
        for (name, latches) in self.words.clone() {
            let next: Vec<Literal> = latches
                .iter()
                .filter_map(|id| self.design.latch(*id).map(|latch| latch.next))
                .collect();
            let value = self.value(&next);
            let name = name.as_str();
            if value.len() <= LONG || next.len() == 1 {
                let _ = writeln!(self.text, "{indent}{} <= {value};", spelled(name));
                continue;
            }
            for (index, literal) in next.iter().enumerate() {
                let (bit, value) = (bit_of(name, index, next.len()), self.alone(*literal));
                let _ = writeln!(self.text, "{indent}{bit} <= {value};");
            }
        }
        if self.circuit.reset_port.is_some() {
            self.text.push_str("        end\n");
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

/// A name of letters, digits and underscores that reads like the given one.
fn identifier(name: &str) -> String {
    let keep = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let name = name.replace("][", "_").replace('[', "_").replace(']', "");
    let name: String = name
        .chars()
        .map(|c| if keep(c) { c } else { '_' })
        .collect();
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        format!("_{name}")
    } else {
        name
    }
}

/// An element of an array, as wide as it is.
fn part_of(slice: &Slice, width: usize) -> String {
    let word = spelled(&slice.word);
    match (slice.width == width, width) {
        (true, _) => word,
        (false, 1) => format!("{word}[{}]", slice.low),
        (false, _) => format!("{word}[{}:{}]", slice.low + width - 1, slice.low),
    }
}

fn bit_of(name: &str, index: usize, width: usize) -> String {
    match width {
        1 => spelled(name),
        _ => format!("{}[{index}]", spelled(name)),
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
