//! From the JSON of a module to a circuit.
//!
//! Every net gets its node first: an input, a latch, or a gate that is driven later by the
//! cell that drives the net. So cells can be read in any order.

use super::document::{Bit, Cell, Document, Module, NetName, digits, number};
use super::registers::{Control, Register};
use super::{CellComponent, Expression, Interface, PortShape, YosysNetlist, bit_name, cells};
use crate::design::component::{Component, ComponentKind};
use crate::design::cone::Reach;
use crate::design::literal::{Literal, NodeId};
use crate::design::netlist::{Design, InputKind, Node, Reset, Word};
use crate::design::suggest::did_you_mean;
use crate::design::words::{self, Bits};
use crate::expr::PropertyItem;
use crate::limits::Limits;
use crate::source::codes::verilog as codes;
use crate::source::{Diagnostic, FileId, Span};
use serde_json::Value;
use std::collections::HashMap;

/// Reads one module: `top`, or the one that the file marks, or the only one. `locate` finds
/// the location that a `src` attribute names.
pub fn read(
    text: &str,
    file: FileId,
    top: Option<&str>,
    locate: &mut dyn FnMut(&str) -> Option<Span>,
) -> Result<YosysNetlist, Diagnostic> {
    read_within(text, file, top, &Limits::default(), locate)
}

/// The same, unless a limit is reached.
pub(super) fn read_within<'l>(
    text: &str,
    file: FileId,
    top: Option<&str>,
    limits: &'l Limits,
    locate: &'l mut dyn FnMut(&str) -> Option<Span>,
) -> Result<YosysNetlist, Diagnostic> {
    let document: Document = serde_json::from_str(text).map_err(|error| {
        let start = text
            .split_inclusive('\n')
            .take(error.line().saturating_sub(1))
            .map(str::len)
            .sum::<usize>();
        let offset = (start + error.column().saturating_sub(1)).min(text.len());
        Diagnostic::error(
            codes::YOSYS_JSON,
            format!("this is not a netlist of Yosys: {error}"),
        )
        .at(Span::new(file, offset, offset), "here")
        .help("Yosys writes one with `prep -flatten; write_json FILE`")
    })?;
    limits.check()?;
    let (name, module) = choose(&document, top)?;
    if let Some((memory, _)) = module.memories.0.first() {
        return Err(Diagnostic::error(
            codes::YOSYS_JSON,
            format!("`{memory}` is a memory, and the netlist has to be one of registers"),
        )
        .help("run `memory_map` before `write_json`"));
    }
    let mut reader = Reader {
        design: Design::new(),
        nets: HashMap::new(),
        initial: initial_values(module),
        names: net_names(module),
        clock: None,
        components: Vec::new(),
        conditions: Vec::new(),
        properties: Vec::new(),
        first_step: None,
        warnings: Vec::new(),
        uninitialised: Vec::new(),
        locate,
        limits,
    };
    reader.module(module)?;
    reader.finish(name, module)
}

fn choose<'d>(
    document: &'d Document,
    top: Option<&str>,
) -> Result<(&'d str, &'d Module), Diagnostic> {
    let is_set = |module: &Module, name: &str| {
        let value = module.attributes.get(name).and_then(number);
        value.is_some_and(|value| value != 0)
    };
    let modules = &document.modules.0;
    let real: Vec<_> = modules
        .iter()
        .filter(|(_, module)| !is_set(module, "blackbox") && !is_set(module, "whitebox"))
        .collect();
    if let Some(wanted) = top {
        let found = real.iter().find(|(name, _)| name == wanted);
        return match found {
            Some((name, module)) => Ok((name, module)),
            None => {
                let message = format!("there is no module `{wanted}` in the netlist");
                let diagnostic = Diagnostic::error(codes::TOP, message);
                let known = real.iter().map(|(name, _)| name.as_str());
                Err(match did_you_mean(wanted, known) {
                    Some(help) => diagnostic.help(help),
                    None => diagnostic,
                })
            }
        };
    }
    let marked = real.iter().find(|(_, module)| is_set(module, "top"));
    match (marked, real.as_slice()) {
        (Some((name, module)), _) => Ok((name, module)),
        (None, [(name, module)]) => Ok((name, module)),
        (None, []) => Err(Diagnostic::error(codes::TOP, "the netlist has no module")
            .help("Yosys writes one with `prep -flatten; write_json FILE`")),
        (None, [(first, _), ..]) => Err(Diagnostic::error(
            codes::TOP,
            format!(
                "the netlist has {} modules, and none is the top",
                real.len()
            ),
        )
        .help(format!(
            "say `--top {first}`, or run `prep -flatten -top {first}`"
        ))),
    }
}

/// The digits that registers start with, by the number of the net.
fn initial_values(module: &Module) -> HashMap<u64, bool> {
    let mut values = HashMap::new();
    for (_, net) in &module.netnames.0 {
        let Some(init) = net.attributes.get("init") else {
            continue;
        };
        for (bit, digit) in net.bits.iter().zip(digits(init, net.bits.len())) {
            if let (Bit::Net(number), Some(digit)) = (bit, digit) {
                values.insert(*number, digit);
            }
        }
    }
    values
}

/// The name of each net, one that somebody wrote if there is one.
fn net_names(module: &Module) -> HashMap<u64, String> {
    let mut names: HashMap<u64, (bool, String)> = HashMap::new();
    for (name, net) in &module.netnames.0 {
        let is_made = is_made(name, net);
        for (index, bit) in net.bits.iter().enumerate() {
            let Bit::Net(number) = bit else {
                continue;
            };
            let text = bit_name(name, net.bits.len(), net.offset, net.upto != 0, index);
            let better = names
                .get(number)
                .is_none_or(|(known, _)| *known && !is_made);
            if better {
                names.insert(*number, (is_made, text));
            }
        }
    }
    names
        .into_iter()
        .map(|(net, (_, name))| (net, name))
        .collect()
}

fn is_made(name: &str, net: &NetName) -> bool {
    net.hide_name != 0 || name.starts_with('$')
}

/// The source locations that a cell comes from.
fn locations_of(cell: &Cell) -> Vec<&str> {
    match cell.attributes.get("src") {
        Some(Value::String(text)) => text.split('|').collect(),
        _ => Vec::new(),
    }
}

/// The instances that `flatten` took a cell out of.
fn scope_of(cell: &str) -> Vec<String> {
    let mut scope = Vec::new();
    let mut rest = cell.strip_prefix("$flatten").unwrap_or_default();
    while let Some((instance, inner)) = rest
        .strip_prefix('\\')
        .and_then(|rest| rest.split_once('.'))
    {
        scope.push(instance.to_string());
        rest = inner;
    }
    scope
}

pub(super) struct Reader<'l> {
    pub(super) design: Design,
    pub(super) nets: HashMap<u64, Literal>,
    initial: HashMap<u64, bool>,
    names: HashMap<u64, String>,
    /// The net that registers move with, at which edge, and a register that says so.
    pub(super) clock: Option<(u64, bool, Option<Span>)>,
    components: Vec<CellComponent>,
    pub(super) conditions: Vec<(String, Literal)>,
    pub(super) properties: Vec<PropertyItem>,
    /// True in the first step and never again, once it is needed.
    pub(super) first_step: Option<Literal>,
    warnings: Vec<Diagnostic>,
    uninitialised: Vec<(String, Option<Span>)>,
    locate: &'l mut dyn FnMut(&str) -> Option<Span>,
    limits: &'l Limits,
}

pub(super) type Read<T> = Result<T, Diagnostic>;

impl Reader<'_> {
    fn module(&mut self, module: &Module) -> Read<()> {
        for (name, port) in &module.ports.0 {
            match port.direction.as_str() {
                "input" => {}
                "output" => continue,
                _ => {
                    let message = format!("`{name}` is a port of both directions");
                    return Err(Diagnostic::error(codes::UNSUPPORTED, message)
                        .help("use an input and an output"));
                }
            }
            for (index, bit) in port.bits.iter().enumerate() {
                let Bit::Net(net) = bit else {
                    continue;
                };
                let node = self.design.add_input(InputKind::Environment);
                let text = bit_name(name, port.bits.len(), port.offset, port.upto != 0, index);
                self.design.set_name(node, text);
                self.nets.insert(*net, node.literal());
            }
        }
        let mut registers = Vec::new();
        let mut logic = Vec::new();
        for (name, cell) in &module.cells.0 {
            self.limits.check()?;
            let span = self.span_of(cell);
            let width = cell.connections.get("Q").map_or(0, Vec::len);
            if let Some(register) = Register::of(cell, width) {
                let states = self.states(name, cell, span)?;
                registers.push((name, cell, register, states, span));
                continue;
            }
            match cell.kind.as_str() {
                "$assert" | "$assume" | "$live" | "$fair" | "$cover" | "$check" => {}
                "$scopeinfo" | "$print" => {}
                "$anyseq" | "$allseq" | "$anyconst" | "$allconst" | "$initstate" => {
                    self.source(cell)?;
                }
                _ => {
                    let nodes = self.driven(name, cell, span)?;
                    logic.push((name, cell, nodes, span));
                }
            }
        }
        for (name, cell, nodes, span) in logic {
            self.limits.poll()?;
            self.logic(name, cell, &nodes, span)?;
        }
        for (name, cell, register, states, span) in registers {
            self.register(name, cell, &register, &states, span)?;
        }
        // Names of properties count them in the order of the source, which edits do not change.
        let mut cells: Vec<_> = module.cells.0.iter().collect();
        cells.sort_by_cached_key(|(_, cell)| self.span_of(cell));
        for (name, cell) in cells {
            let flavor = match cell.kind.as_str() {
                "$check" => match cell.parameters.get("FLAVOR") {
                    Some(Value::String(flavor)) => flavor.as_str(),
                    _ => "",
                },
                "$assert" | "$assume" | "$live" | "$fair" | "$cover" => &cell.kind[1..],
                _ => continue,
            };
            self.property(name, cell, flavor)?;
        }
        Ok(())
    }

    pub(super) fn span_of(&mut self, cell: &Cell) -> Option<Span> {
        // Instances around it come first.
        let location = locations_of(cell).last().copied()?;
        (self.locate)(location)
    }

    fn new_net(&mut self, net: u64, literal: Literal, name: &str) -> Read<()> {
        if self.nets.insert(net, literal).is_some() {
            let message = format!("two cells drive the net {net}, one of them is `{name}`");
            return Err(Diagnostic::error(codes::DRIVERS, message)
                .help("run `check` in Yosys to see which"));
        }
        Ok(())
    }

    pub(super) fn output_bits<'c>(&self, cell: &'c Cell, port: &str) -> &'c [Bit] {
        cell.connections.get(port).map_or(&[], Vec::as_slice)
    }

    /// Latches of a register.
    fn states(&mut self, name: &str, cell: &Cell, span: Option<Span>) -> Read<Vec<NodeId>> {
        let mut states = Vec::new();
        let mut unset = None;
        let asynchronous = cell.connections.get("ARST").is_some()
            || Register::of(cell, 1).is_some_and(|one| one.asynchronous.is_some());
        for bit in self.output_bits(cell, "Q") {
            let latch = self.design.add_latch(Reset::Free);
            self.design.set_span(latch, span);
            states.push(latch);
            let Bit::Net(net) = bit else {
                continue;
            };
            let reset = match self.initial.get(net) {
                Some(true) => Reset::One,
                Some(false) => Reset::Zero,
                None => {
                    unset.get_or_insert(*net);
                    Reset::Free
                }
            };
            self.design.set_reset(latch, reset);
            let known = self.names.get(net).cloned();
            let text = known.unwrap_or_else(|| format!("net${net}"));
            let literal = if asynchronous {
                // What others read is a multiplexer, which is driven later.
                self.design.set_name(latch, format!("{text}$stored"));
                self.design.set_hidden(latch, true);
                let gate = self.design.add_gate(Literal::TRUE, Literal::TRUE);
                self.design.set_name(gate, text);
                gate.literal()
            } else {
                self.design.set_name(latch, text);
                latch.literal()
            };
            self.new_net(*net, literal, name)?;
        }
        if let Some(net) = unset {
            let known = self.names.get(&net).cloned();
            let text = known.unwrap_or_else(|| name.to_string());
            let word = text.split('[').next().unwrap_or(&text).to_string();
            if !word.starts_with('$') {
                self.uninitialised.push((word, span));
            }
        }
        Ok(states)
    }

    /// Gates for the output of a cell, to be driven later.
    fn driven(&mut self, name: &str, cell: &Cell, span: Option<Span>) -> Read<Vec<NodeId>> {
        if cell.connections.get("Y").is_none() || !cell.kind.starts_with('$') {
            return Err(unsupported(name, cell, span));
        }
        let mut nodes = Vec::new();
        for bit in self.output_bits(cell, "Y") {
            let node = self.design.add_gate(Literal::TRUE, Literal::TRUE);
            self.design.set_span(node, span);
            nodes.push(node);
            if let Bit::Net(net) = bit {
                if let Some(text) = self.names.get(net) {
                    self.design.set_name(node, text.clone());
                }
                self.new_net(*net, node.literal(), name)?;
            }
        }
        Ok(nodes)
    }

    /// Cells without inputs.
    fn source(&mut self, cell: &Cell) -> Read<()> {
        for (index, bit) in self.output_bits(cell, "Y").iter().enumerate() {
            let Bit::Net(net) = bit else {
                continue;
            };
            let node = match cell.kind.as_str() {
                "$anyseq" => self.design.add_input(InputKind::Environment),
                "$anyconst" => {
                    let latch = self.design.add_latch(Reset::Free);
                    self.design.set_next(latch, latch.literal());
                    latch
                }
                "$initstate" => {
                    let latch = self.design.add_latch(Reset::One);
                    self.design.set_next(latch, Literal::FALSE);
                    latch
                }
                kind => {
                    let message = format!("the cell `{kind}` is not supported");
                    return Err(Diagnostic::error(codes::UNSUPPORTED, message)
                        .help("it quantifies over all values, which a property here does anyway"));
                }
            };
            self.design.set_hidden(node, true);
            let kind = &cell.kind[1..];
            self.design.set_name(node, format!("{kind}${net}${index}"));
            self.new_net(*net, node.literal(), kind)?;
        }
        Ok(())
    }

    pub(super) fn bits(&mut self, cell: &Cell, port: &str) -> Bits {
        let bits = cell.connections.get(port).cloned().unwrap_or_default();
        bits.iter().map(|bit| self.bit(bit)).collect()
    }

    fn bit(&mut self, bit: &Bit) -> Literal {
        match bit {
            Bit::Constant(text) if text == "1" => Literal::TRUE,
            Bit::Constant(text) if text == "0" => Literal::FALSE,
            // An unknown bit is an input, so that the environment may choose any value for it.
            Bit::Constant(_) => {
                let node = self.design.add_input(InputKind::Environment);
                self.design.set_hidden(node, true);
                let number = self.design.inputs().len();
                self.design.set_name(node, format!("unknown${number}"));
                node.literal()
            }
            Bit::Net(net) => match self.nets.get(net) {
                Some(literal) => *literal,
                None => {
                    let node = self.design.add_input(InputKind::Environment);
                    let known = self.names.get(net).cloned();
                    let name = known.unwrap_or_else(|| format!("net${net}"));
                    let message = format!("nothing drives `{name}`");
                    self.warnings.push(
                        Diagnostic::warning(codes::UNDRIVEN, message)
                            .help("the environment sets it as it likes"),
                    );
                    self.design.set_name(node, name);
                    self.design.set_undriven(node);
                    self.nets.insert(*net, node.literal());
                    node.literal()
                }
            },
        }
    }

    fn logic(&mut self, name: &str, cell: &Cell, nodes: &[NodeId], span: Option<Span>) -> Read<()> {
        let first = self.design.len();
        let mut inputs: HashMap<String, Bits> = HashMap::new();
        for (port, _) in &cell.connections.0 {
            if port != "Y" {
                inputs.insert(port.clone(), self.bits(cell, port));
            }
        }
        let input = |port: &str| inputs.get(port).cloned().unwrap_or_default();
        let value = cells::value(&mut self.design, cell, &input, nodes.len());
        let Some(value) = value.filter(|value| value.len() == nodes.len()) else {
            return Err(unsupported(name, cell, span));
        };
        for index in first..self.design.len() {
            self.design.set_span(NodeId::from_index(index), span);
        }
        for (node, literal) in nodes.iter().zip(value) {
            self.design.drive(*node, literal, usize::MAX);
        }
        let scope = scope_of(name);
        // Cells that were merged have several locations, and so has what statements choose.
        let is_expression = locations_of(cell).len() == scope.len() + 1;
        self.components.push(CellComponent {
            component: Component {
                kind: ComponentKind::Value,
                name: self.called(cell, "Y", name),
                span,
                scope,
                width: nodes.len(),
            },
            nodes: nodes.to_vec(),
            expression: is_expression.then_some(match cell.kind.as_str() {
                "$mux" | "$pmux" | "$bmux" => Expression::Choice,
                _ => Expression::Operator,
            }),
        });
        Ok(())
    }

    /// What a component is called: the net that it drives, if that has a name.
    fn called(&self, cell: &Cell, port: &str, name: &str) -> String {
        let bits = self.output_bits(cell, port);
        let known = bits.iter().find_map(|bit| match bit {
            Bit::Net(net) => self.names.get(net).filter(|name| !name.starts_with('$')),
            Bit::Constant(_) => None,
        });
        match known {
            Some(known) if bits.len() > 1 => known.split('[').next().unwrap_or(known).to_string(),
            Some(known) => known.clone(),
            None => name.to_string(),
        }
    }

    fn control(&mut self, cell: &Cell, control: Control) -> Literal {
        let literal = self.bits(cell, control.port).first().copied();
        literal
            .unwrap_or(Literal::FALSE)
            .complement_if(!control.active)
    }

    fn register(
        &mut self,
        name: &str,
        cell: &Cell,
        register: &Register,
        states: &[NodeId],
        span: Option<Span>,
    ) -> Read<()> {
        if let Some(clock) = register.clock {
            self.clocked(cell, clock, span)?;
        }
        let data = self.bits(cell, "D");
        let own = self.bits(cell, "Q");
        // The input of a register is a location of its own.
        let mut buffers = Vec::new();
        for literal in &data {
            let node = self.design.add_gate(Literal::TRUE, *literal);
            self.design.set_span(node, span);
            buffers.push(node);
        }
        let mut next: Bits = buffers.iter().map(|node| node.literal()).collect();
        let mut value = Bits::new();
        for digit in &register.value {
            value.push(match digit {
                Some(digit) => Literal::constant(*digit),
                None => self.bit(&Bit::Constant("x".to_string())),
            });
        }
        let enable = register.enable.map(|enable| self.control(cell, enable));
        let reset = register
            .reset
            .map(|(reset, gated)| (self.control(cell, reset), gated));
        if let Some((reset, true)) = reset {
            next = words::mux(&mut self.design, reset, &value, &next);
        }
        if let Some(enable) = enable {
            next = words::mux(&mut self.design, enable, &next, &own);
        }
        if let Some((reset, false)) = reset {
            next = words::mux(&mut self.design, reset, &value, &next);
        }
        if let Some(asynchronous) = register.asynchronous {
            let active = self.control(cell, asynchronous);
            let stored: Bits = states.iter().map(|node| node.literal()).collect();
            let visible = words::mux(&mut self.design, active, &value, &stored);
            for (own, literal) in own.iter().zip(visible) {
                self.design.drive(own.node(), literal, usize::MAX);
            }
            next = words::mux(&mut self.design, active, &value, &next);
        }
        for (state, literal) in states.iter().zip(next) {
            self.design.set_next(*state, literal);
        }
        let called = self.called(cell, "Q", name);
        self.components.push(CellComponent {
            component: Component {
                kind: ComponentKind::Value,
                name: format!("next value of {called}"),
                span,
                scope: scope_of(name),
                width: buffers.len(),
            },
            nodes: buffers,
            expression: None,
        });
        Ok(())
    }

    fn clocked(&mut self, cell: &Cell, clock: Control, span: Option<Span>) -> Read<()> {
        let [Bit::Net(net)] = self.output_bits(cell, clock.port) else {
            return Err(Diagnostic::error(
                codes::CLOCKING,
                "the clock of a register is constant",
            ));
        };
        match self.clock {
            None => {
                let is_input = self
                    .nets
                    .get(net)
                    .is_some_and(|literal| self.design.input_kind(literal.node()).is_some());
                if !is_input {
                    let message = "this clock is made by logic of the design";
                    return Err(at(Diagnostic::error(codes::CLOCKING, message), span)
                        .help("use the clock of the design with an enable"));
                }
                self.clock = Some((*net, clock.active, span));
                Ok(())
            }
            Some((known, rising, _)) if known == *net && rising == clock.active => Ok(()),
            Some((_, _, first)) => {
                let message = "the design has two clocks, or registers at both edges of one";
                let diagnostic = Diagnostic::error(codes::CLOCKING, message);
                Err(at(at(diagnostic, span), first)
                    .help("respin takes designs with one clock and one edge"))
            }
        }
    }

    fn finish(mut self, name: &str, module: &Module) -> Read<YosysNetlist> {
        let mut ports = Vec::new();
        for (name, port) in &module.ports.0 {
            let shape = PortShape {
                name: name.clone(),
                is_input: port.direction == "input",
                width: port.bits.len(),
                offset: port.offset,
                upto: port.upto != 0,
            };
            if !shape.is_input {
                for (index, bit) in port.bits.iter().enumerate() {
                    let literal = self.bit(bit);
                    self.design
                        .add_output(Some(shape.bit(index)), literal, None);
                }
            }
            ports.push(shape);
        }
        for (name, net) in &module.netnames.0 {
            let is_clock = |bit: &Bit| {
                let clock = self.clock.map(|(net, ..)| Bit::Net(net));
                clock.as_ref() == Some(bit)
            };
            if is_made(name, net) || net.bits.iter().any(is_clock) {
                continue;
            }
            let bits: Bits = net.bits.iter().map(|bit| self.bit(bit)).collect();
            let width = bits.len() as i64;
            let (left, right) = if net.upto != 0 {
                (net.offset, net.offset + width - 1)
            } else {
                (net.offset + width - 1, net.offset)
            };
            self.design.add_word(Word {
                name: name.clone(),
                signed: net.signed != 0,
                left,
                right,
                bits,
            });
        }
        let mut clock = None;
        if let Some((net, rising, span)) = self.clock {
            let node = self.nets[&net].node();
            let name = self.design.name(node).unwrap_or_default().to_string();
            self.refuse_clock_as_data(node, span)?;
            self.design
                .replace(node, Node::And(Literal::TRUE, Literal::FALSE));
            clock = Some((name, rising));
        }
        for (name, literal) in &self.conditions {
            self.design.add_output(Some(name.clone()), *literal, None);
        }
        self.design.check()?;
        let mut design = self.design;
        let real = design.real_cone(true);
        design.hide_observers([], &real);
        let mut components = self.components;
        components.retain(|one| one.nodes.iter().any(|node| real.contains(*node)));
        Ok(YosysNetlist {
            design,
            properties: self.properties,
            components,
            warnings: self.warnings,
            uninitialised: self.uninitialised,
            interface: Interface {
                module: name.to_string(),
                ports,
                clock,
            },
        })
    }

    fn refuse_clock_as_data(&self, clock: NodeId, span: Option<Span>) -> Read<()> {
        let latches = self.design.latches().iter();
        let next = latches.filter_map(|id| self.design.latch(*id).map(|latch| latch.next));
        let outputs = self.design.outputs().iter().map(|output| output.literal);
        let conditions = self.conditions.iter().map(|(_, literal)| *literal);
        let cone = self
            .design
            .cone(next.chain(outputs).chain(conditions), Reach::Run);
        if !cone.contains(clock) {
            return Ok(());
        }
        Err(at(
            Diagnostic::error(codes::CLOCKING, "the clock is used as data"),
            span,
        )
        .help("the clock may only drive registers"))
    }
}

pub(super) fn at(diagnostic: Diagnostic, span: Option<Span>) -> Diagnostic {
    diagnostic.at_optional(span, "here")
}

pub(super) fn unsupported(name: &str, cell: &Cell, span: Option<Span>) -> Diagnostic {
    let kind = &cell.kind;
    let message = format!("the cell `{name}` has the type `{kind}`, which is not supported");
    let help = match kind.as_str() {
        "$div" | "$mod" | "$divfloor" | "$modfloor" | "$pow" | "$alu" | "$macc" | "$lut"
        | "$fa" | "$lcu" | "$demux" | "$bweqx" | "$bwmux" => "run `techmap` before `write_json`",
        _ if kind.starts_with("$mem") => "run `memory_map` before `write_json`",
        _ if kind.contains("latch") || kind.contains("LATCH") => {
            "respin takes registers with one clock, and no latches"
        }
        _ if kind.contains("sr") || kind.contains("SR") || kind.contains("ald") => {
            "run `async2sync` and `dffunmap` before `write_json`"
        }
        _ if !kind.starts_with('$') => "run `flatten` before `write_json`",
        _ => "run `techmap` or `simplemap` before `write_json`",
    };
    at(Diagnostic::error(codes::YOSYS_CELL, message), span).help(help)
}
