//! A circuit as a netlist that Yosys reads (`read_json`): gates, registers, and cells for its
//! properties.
//!
//! The order is that of the circuit: the same circuit gives the same text.

use super::Interface;
use crate::design::literal::{Literal, NodeId};
use crate::design::netlist::{Design, Reset};
use crate::expr::{Expr, ExprKind, PropertyBody, PropertyItem, Role, SvaKind};
use crate::source::codes::verilog as codes;
use crate::source::{Diagnostic, Span};
use serde_json::{Map, Value, json};
use std::collections::{HashMap, HashSet};

/// Writes a circuit with its properties. `locate` says what the `src` attribute of something
/// is.
pub fn write(
    design: &Design,
    properties: &[PropertyItem],
    interface: &Interface,
    locate: &dyn Fn(Span) -> Option<String>,
) -> Result<String, Diagnostic> {
    let mut writer = Writer {
        design,
        locate,
        nets: HashMap::new(),
        negations: HashMap::new(),
        next: 2,
        cells: Vec::new(),
        names: Vec::new(),
    };
    let ports = writer.ports(interface);
    let clock = interface.clock.as_ref();
    let clock = clock.map(|(name, rising)| (writer.clock_net(&ports, name), *rising));
    writer.latches(clock)?;
    writer.gates();
    let outputs = writer.outputs(interface);
    writer.words(interface);
    writer.properties(properties)?;
    let ports: Map<String, Value> = interface
        .ports
        .iter()
        .map(|port| {
            let bits = if port.is_input {
                ports.get(&port.name).cloned().unwrap_or_default()
            } else {
                outputs.get(&port.name).cloned().unwrap_or_default()
            };
            let direction = if port.is_input { "input" } else { "output" };
            let shape = json!({ "direction": direction, "offset": port.offset,
                                "upto": port.upto as u8, "bits": bits });
            (port.name.clone(), shape)
        })
        .collect();
    let mut text = format!(
        "{{\n  \"creator\": \"respin {}\",\n  \"modules\": {{\n    {}: {{\n",
        env!("CARGO_PKG_VERSION"),
        json!(interface.module)
    );
    text.push_str("      \"attributes\": { \"top\": 1 },\n      \"ports\": {\n");
    // In the order of the module, which a map would not keep.
    let lines: Vec<String> = interface
        .ports
        .iter()
        .map(|port| format!("        {}: {}", json!(port.name), ports[&port.name]))
        .collect();
    text.push_str(&lines.join(",\n"));
    text.push_str("\n      },\n      \"cells\": {\n");
    let lines: Vec<String> = writer
        .cells
        .iter()
        .map(|(name, cell)| format!("        {}: {cell}", json!(name)))
        .collect();
    text.push_str(&lines.join(",\n"));
    text.push_str("\n      },\n      \"netnames\": {\n");
    let lines: Vec<String> = writer
        .names
        .iter()
        .map(|(name, net)| format!("        {}: {net}", json!(name)))
        .collect();
    text.push_str(&lines.join(",\n"));
    text.push_str("\n      }\n    }\n  }\n}\n");
    Ok(text)
}

struct Writer<'a> {
    design: &'a Design,
    locate: &'a dyn Fn(Span) -> Option<String>,
    nets: HashMap<NodeId, Value>,
    negations: HashMap<NodeId, Value>,
    next: u64,
    cells: Vec<(String, Value)>,
    names: Vec<(String, Value)>,
}

impl Writer<'_> {
    fn net(&mut self) -> Value {
        self.next += 1;
        json!(self.next - 1)
    }

    fn source(&self, id: NodeId) -> Value {
        match self.design.span(id).and_then(self.locate) {
            Some(text) => json!({ "src": text }),
            None => json!({}),
        }
    }

    fn cell(&mut self, name: String, kind: &str, attributes: Value, connections: Value) {
        let outputs = ["Y", "Q"];
        let directions: Map<String, Value> = connections
            .as_object()
            .into_iter()
            .flatten()
            .map(|(port, _)| {
                let is_output = outputs.contains(&port.as_str());
                let direction = if is_output { "output" } else { "input" };
                (port.clone(), json!(direction))
            })
            .collect();
        let hidden = name.starts_with('$') as u8;
        let cell = json!({
            "hide_name": hidden, "type": kind, "parameters": {}, "attributes": attributes,
            "port_directions": directions, "connections": connections,
        });
        self.cells.push((name, cell));
    }

    /// Nets for the bits of all input ports.
    fn ports(&mut self, interface: &Interface) -> HashMap<String, Vec<Value>> {
        let by_name: HashMap<String, NodeId> = self
            .design
            .inputs()
            .iter()
            .filter_map(|id| Some((self.design.name(*id)?.to_string(), *id)))
            .collect();
        let mut ports = HashMap::new();
        for port in interface.ports.iter().filter(|port| port.is_input) {
            let mut bits = Vec::new();
            for index in 0..port.width {
                let net = self.net();
                if let Some(id) = by_name.get(&port.bit(index)) {
                    self.nets.insert(*id, net.clone());
                }
                bits.push(net);
            }
            let shape = json!({ "hide_name": 0, "bits": bits, "attributes": {},
                                "offset": port.offset, "upto": port.upto as u8 });
            self.names.push((port.name.clone(), shape));
            ports.insert(port.name.clone(), bits);
        }
        // What the environment sets besides is a cell of its own.
        for (number, id) in self.design.inputs().iter().enumerate() {
            if self.nets.contains_key(id) {
                continue;
            }
            let net = self.net();
            self.nets.insert(*id, net.clone());
            let cell = json!({
                "hide_name": 1, "type": "$anyseq",
                "parameters": { "WIDTH": "00000000000000000000000000000001" },
                "attributes": {}, "port_directions": { "Y": "output" },
                "connections": { "Y": [net] },
            });
            self.cells.push((format!("$anyseq${number}"), cell));
        }
        ports
    }

    fn clock_net(&self, ports: &HashMap<String, Vec<Value>>, name: &str) -> Value {
        let base = name.split('[').next().unwrap_or(name);
        let bits = ports.get(name).or_else(|| ports.get(base));
        bits.and_then(|bits| bits.first().cloned())
            .unwrap_or(json!("0"))
    }

    fn latches(&mut self, clock: Option<(Value, bool)>) -> Result<(), Diagnostic> {
        for id in self.design.latches() {
            let net = self.net();
            self.nets.insert(*id, net);
        }
        for (number, id) in self.design.latches().iter().enumerate() {
            let Some(latch) = self.design.latch(*id) else {
                continue;
            };
            let net = self.nets[id].clone();
            if matches!(latch.reset, Reset::Choice | Reset::Computed(_)) {
                let message = "a register starts as other registers say, and a netlist cannot";
                return Err(Diagnostic::error(codes::YOSYS_JSON, message));
            }
            let data = self.literal(latch.next);
            let source = self.source(*id);
            let name = format!("$register${number}");
            match &clock {
                Some((clock, rising)) => {
                    let kind = if *rising { "$_DFF_P_" } else { "$_DFF_N_" };
                    let connections = json!({ "C": [clock], "D": [data], "Q": [net] });
                    self.cell(name, kind, source, connections);
                }
                None => {
                    let connections = json!({ "D": [data], "Q": [net] });
                    self.cell(name, "$_FF_", source, connections);
                }
            }
        }
        Ok(())
    }

    fn gates(&mut self) {
        let gates: Vec<NodeId> = self.design.gates().collect();
        for id in gates {
            let Some((left, right)) = self.design.gate(id) else {
                continue;
            };
            let net = self.positive(id);
            let (a, b) = (self.literal(left), self.literal(right));
            let source = self.source(id);
            let connections = json!({ "A": [a], "B": [b], "Y": [net] });
            self.cell(
                format!("$and${}", id.index()),
                "$_AND_",
                source,
                connections,
            );
        }
    }

    fn positive(&mut self, id: NodeId) -> Value {
        if let Some(net) = self.nets.get(&id) {
            return net.clone();
        }
        let net = self.net();
        self.nets.insert(id, net.clone());
        net
    }

    fn literal(&mut self, literal: Literal) -> Value {
        match literal.as_constant() {
            Some(true) => return json!("1"),
            Some(false) => return json!("0"),
            None => {}
        }
        let id = literal.node();
        let positive = self.positive(id);
        if !literal.is_complemented() {
            return positive;
        }
        if let Some(net) = self.negations.get(&id) {
            return net.clone();
        }
        let net = self.net();
        self.negations.insert(id, net.clone());
        let source = self.source(id);
        let connections = json!({ "A": [positive], "Y": [net] });
        self.cell(
            format!("$not${}", id.index()),
            "$_NOT_",
            source,
            connections,
        );
        net
    }

    fn outputs(&mut self, interface: &Interface) -> HashMap<String, Vec<Value>> {
        let by_name: HashMap<String, Literal> = self
            .design
            .outputs()
            .iter()
            .filter_map(|output| Some((output.name.clone()?, output.literal)))
            .collect();
        let mut ports = HashMap::new();
        for port in interface.ports.iter().filter(|port| !port.is_input) {
            let mut bits = Vec::new();
            for index in 0..port.width {
                bits.push(match by_name.get(&port.bit(index)) {
                    Some(literal) => self.literal(*literal),
                    None => json!("x"),
                });
            }
            let shape = json!({ "hide_name": 0, "bits": bits, "attributes": {},
                                "offset": port.offset, "upto": port.upto as u8 });
            self.names.push((port.name.clone(), shape));
            ports.insert(port.name.clone(), bits);
        }
        ports
    }

    /// The names of signals; registers that are part of no word have one of their own.
    fn words(&mut self, interface: &Interface) {
        let design = self.design;
        let mut covered: HashSet<NodeId> = HashSet::new();
        let is_port = |name: &str| interface.ports.iter().any(|port| port.name == name);
        for word in design.words() {
            if is_port(&word.name) || word.name.contains('$') {
                continue;
            }
            let bits: Vec<Value> = word.bits.iter().map(|bit| self.literal(*bit)).collect();
            let digits = word.bits.iter().rev().map(|bit| {
                if bit.is_complemented() {
                    'x'
                } else {
                    self.first_value(bit.node())
                }
            });
            let init: String = digits.collect();
            let attributes = if init.chars().all(|digit| digit == 'x') {
                json!({})
            } else {
                json!({ "init": init })
            };
            covered.extend(word.bits.iter().map(|bit| bit.node()));
            let (offset, upto) = (word.left.min(word.right), word.left < word.right);
            let shape = json!({ "hide_name": 0, "bits": bits, "attributes": attributes,
                                "offset": offset, "upto": upto as u8,
                                "signed": word.signed as u8 });
            self.names.push((word.name.clone(), shape));
        }
        for (number, id) in design.latches().iter().enumerate() {
            if covered.contains(id) {
                continue;
            }
            let attributes = match self.first_value(*id) {
                'x' => json!({}),
                digit => json!({ "init": digit.to_string() }),
            };
            let name = match design.name(*id) {
                Some(name) if !is_port(name) => name.to_string(),
                _ => format!("$latch${number}"),
            };
            let hidden = (name.contains('$') || design.is_hidden(*id)) as u8;
            let bits = [self.nets[id].clone()];
            let shape = json!({ "hide_name": hidden, "bits": bits, "attributes": attributes });
            self.names.push((name, shape));
        }
    }

    /// What a register starts with.
    fn first_value(&self, id: NodeId) -> char {
        match self.design.latch(id).map(|latch| latch.reset) {
            Some(Reset::Zero) => '0',
            Some(Reset::One) => '1',
            _ => 'x',
        }
    }

    fn condition(&mut self, expr: &Expr) -> Value {
        let ExprKind::Name(path) = &expr.kind else {
            return json!("x");
        };
        let name = path[0].clone();
        let output = self
            .design
            .outputs()
            .iter()
            .find(|output| output.name.as_deref() == Some(&name))
            .map(|output| output.literal);
        match output {
            Some(literal) => self.literal(literal),
            None => json!("x"),
        }
    }

    fn properties(&mut self, properties: &[PropertyItem]) -> Result<(), Diagnostic> {
        for (number, item) in properties.iter().enumerate() {
            let (kind, holds, enabled) = match (&item.body, item.role) {
                (PropertyBody::Invariant(expr), role) => {
                    let kind = match role {
                        Role::Assert => "$assert",
                        Role::Assume => "$assume",
                        Role::Cover => "$cover",
                    };
                    (kind, self.condition(expr), json!("1"))
                }
                (PropertyBody::Concurrent { property, .. }, role) => {
                    let kind = match role {
                        Role::Assume => "$fair",
                        _ => "$live",
                    };
                    let (enabled, eventually) = match &property.kind {
                        SvaKind::Implication {
                            antecedent,
                            consequent,
                            ..
                        } => (Some(antecedent), &consequent.kind),
                        other => (None, other),
                    };
                    let SvaKind::Eventually(None, holds) = eventually else {
                        return Err(no_cell(item));
                    };
                    let SvaKind::Condition(holds) = &holds.kind else {
                        return Err(no_cell(item));
                    };
                    let holds = self.condition(holds);
                    let enabled = match enabled.map(|one| &one.kind) {
                        Some(SvaKind::Condition(expr)) => self.condition(expr),
                        _ => json!("1"),
                    };
                    (kind, holds, enabled)
                }
                _ => return Err(no_cell(item)),
            };
            let attributes = match item.span.and_then(self.locate) {
                Some(text) => json!({ "src": text }),
                None => json!({}),
            };
            let name = match &item.name {
                Some(name) => name.clone(),
                None => format!("{kind}${number}"),
            };
            let connections = json!({ "A": [holds], "EN": [enabled] });
            self.cell(name, kind, attributes, connections);
        }
        Ok(())
    }
}

fn no_cell(item: &PropertyItem) -> Diagnostic {
    let diagnostic = Diagnostic::error(
        codes::YOSYS_JSON,
        "this property has no cell of Yosys that says the same",
    );
    diagnostic.at_optional(item.span, "here")
}
