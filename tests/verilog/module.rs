//! Random modules: registers, combinational blocks, functions, memories, generate loops and
//! one level of instances. Every signal that is computed is an output, every register has an
//! initial value, and nothing is ever `x`.

use super::choices::Choices;
use super::expression::{Function, Memory, Readable, Signal, Style, any, expression, sized};
use super::statement::{Block, statements};
use std::fmt::Write;

#[derive(Clone, Copy, PartialEq)]
enum ResetKind {
    None,
    Synchronous,
    Asynchronous,
}

/// One module while it is written.
struct Writer<'c> {
    choices: &'c mut Choices,
    prefix: String,
    readable: Readable,
    items: String,
    inputs: Vec<Signal>,
    outputs: Vec<Signal>,
    count: usize,
    reset: ResetKind,
    active_low: bool,
    system_verilog: bool,
}

/// The text of a design whose top module has the name.
pub fn design(choices: &mut Choices, name: &str) -> String {
    design_with(choices, name, |_, _| (String::new(), Vec::new()))
}

/// A design whose top module also has items that are made of its signals, and outputs for
/// signals that these declare.
pub fn design_with(
    choices: &mut Choices,
    name: &str,
    items: impl FnOnce(&mut Choices, &Readable) -> (String, Vec<Signal>),
) -> String {
    let mut text = String::new();
    let child = choices
        .rarely(3)
        .then(|| child_module(choices, &format!("{name}_part"), &mut text));
    let mut writer = top_module(choices, child.as_ref());
    let (items, outputs) = items(writer.choices, &writer.readable);
    writer.items.push_str(&items);
    writer.outputs.extend(outputs);
    writer.module(name, "", None, &mut text);
    text
}

/// A module that others may instantiate.
struct Child {
    name: String,
    inputs: Vec<Signal>,
    outputs: Vec<Signal>,
    width: usize,
    value: usize,
}

fn child_module(choices: &mut Choices, name: &str, text: &mut String) -> Child {
    let mut writer = Writer::new(choices, "p");
    let width = writer.choices.between(2, 6);
    let value = writer.choices.below(8);
    let mut inputs = writer.inputs(2);
    inputs[0].width = width;
    inputs[0].right = 0;
    inputs[0].descending = true;
    writer.readable.signals[0] = inputs[0].clone();
    writer.readable.constants.push(("VALUE".to_string(), 3));
    writer.combinational_items();
    writer.clocked_block();
    let default = width + 1;
    let header = format!("#(parameter WIDTH = {default}, parameter [2:0] VALUE = {value})");
    writer.inputs = inputs.clone();
    writer.module(name, &header, Some("[WIDTH-1:0] "), text);
    Child {
        name: name.to_string(),
        inputs,
        outputs: writer.outputs,
        width,
        value: (value + 3) % 8,
    }
}

fn top_module<'c>(choices: &'c mut Choices, child: Option<&Child>) -> Writer<'c> {
    let mut writer = Writer::new(choices, "s");
    let inputs_wanted = writer.choices.between(2, 5);
    writer.inputs = writer.inputs(inputs_wanted);
    if writer.choices.rarely(3) {
        writer.function();
    }
    if writer.choices.rarely(3) {
        writer.constant();
    }
    // Registers are known before the logic that computes them.
    writer.combinational_items();
    if writer.choices.rarely(3) {
        writer.memory();
    }
    for _ in 0..writer.choices.between(1, 2) {
        writer.clocked_block();
    }
    if let Some(child) = child {
        for number in 0..writer.choices.between(1, 2) {
            writer.instance(child, number);
        }
    }
    if writer.choices.rarely(3) {
        writer.generate_loop();
    }
    writer.combinational_items();
    writer
}

impl<'c> Writer<'c> {
    fn new(choices: &'c mut Choices, prefix: &str) -> Writer<'c> {
        let reset = *choices.pick(&[
            ResetKind::None,
            ResetKind::Synchronous,
            ResetKind::Asynchronous,
        ]);
        let active_low = choices.flip();
        let system_verilog = choices.flip();
        Writer {
            choices,
            prefix: prefix.to_string(),
            readable: Readable::default(),
            items: String::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            count: 0,
            reset,
            active_low,
            system_verilog,
        }
    }

    fn reset_name(&self) -> &'static str {
        if self.active_low { "rst_n" } else { "rst" }
    }

    fn signal(&mut self, kind: &str) -> Signal {
        self.count += 1;
        let descending = !self.choices.rarely(6);
        let right = if self.choices.rarely(8) {
            self.choices.between(1, 4)
        } else {
            0
        };
        Signal {
            name: format!("{}{kind}{}", self.prefix, self.count),
            width: self.choices.between(1, 9),
            signed: self.choices.rarely(3),
            right,
            descending,
        }
    }

    fn inputs(&mut self, count: usize) -> Vec<Signal> {
        let inputs: Vec<Signal> = (0..count).map(|_| self.signal("i")).collect();
        self.readable.signals.extend(inputs.clone());
        inputs
    }

    fn initial_value(&mut self, signal: &Signal) -> String {
        sized(self.choices, signal.width)
    }

    fn combinational_items(&mut self) {
        for _ in 0..self.choices.between(1, 2) {
            match self.choices.below(3) {
                0 => self.assignment(),
                _ => self.combinational_block(),
            }
        }
    }

    /// A value that depends on a signal: Icarus 11 loses wires with constants that are used as
    /// indices.
    fn varying(&self, value: String) -> String {
        let mut signals = self.readable.signals.iter();
        match signals.any(|signal| value.contains(&signal.name)) {
            true => value,
            false => format!("({value}) ^ rst"),
        }
    }

    fn assignment(&mut self) {
        let signal = self.signal("w");
        let value = expression(self.choices, &self.readable, 3);
        let value = self.varying(value);
        let (range, sign, name) = (signal.range(), signal.sign(), &signal.name);
        let line = match self.choices.flip() {
            true => format!("  wire {sign}{range}{name} = {value};\n"),
            false => format!("  wire {sign}{range}{name};\n  assign {name} = {value};\n"),
        };
        self.items.push_str(&line);
        self.outputs.push(signal.clone());
        self.readable.signals.push(signal);
    }

    fn declare(&mut self, signal: &Signal, initial: Option<&str>) {
        let (range, sign, name) = (signal.range(), signal.sign(), &signal.name);
        let line = match (initial, self.choices.flip()) {
            (None, _) => format!("  reg {sign}{range}{name};\n"),
            (Some(value), true) => format!("  reg {sign}{range}{name} = {value};\n"),
            (Some(value), false) => {
                format!("  reg {sign}{range}{name};\n  initial {name} = {value};\n")
            }
        };
        self.items.push_str(&line);
    }

    /// A loop variable for one block: blocks that share one would wake each other.
    fn counter(&mut self) -> String {
        self.count += 1;
        let name = format!("k{}", self.count);
        writeln!(self.items, "  integer {name};").expect("a string");
        name
    }

    fn combinational_block(&mut self) {
        let targets: Vec<Signal> = (0..self.choices.between(1, 2))
            .map(|_| self.signal("c"))
            .collect();
        for target in &targets {
            self.declare(target, None);
        }
        let counter = self.counter();
        let computed = self.choices.flip();
        let head = match self.system_verilog {
            true => "always_comb",
            false => *self.choices.pick(&["always @*", "always @(*)"]),
        };
        // Icarus runs a block for the first time when something that it reads changes.
        writeln!(self.items, "  {head} begin\n    {counter} = rst;").expect("a string");
        let mut inner = self.readable.clone();
        for target in &targets {
            let value = expression(self.choices, &inner, 2);
            writeln!(self.items, "    {} = {value};", target.name).expect("a string");
            inner.signals.push(target.clone());
        }
        let block = Block {
            targets: &targets,
            operator: "=",
            counter: &counter,
            // Icarus 11 fails on some `for (int i ...)` here.
            system_verilog: false,
            computed,
        };
        statements(self.choices, &inner, &block, 2, 2, &mut self.items);
        self.items.push_str("  end\n");
        self.outputs.extend(targets.clone());
        self.readable.signals.extend(targets);
    }

    /// A block of registers, maybe with a variable that is computed on the way.
    fn clocked_block(&mut self) {
        let registers: Vec<Signal> = (0..self.choices.between(1, 2))
            .map(|_| self.signal("r"))
            .collect();
        let mut resets = Vec::new();
        for register in &registers {
            let initial = self.initial_value(register);
            self.declare(register, Some(&initial));
            resets.push(self.initial_value(register));
        }
        self.readable.signals.extend(registers.clone());
        let variable = self.choices.rarely(2).then(|| self.signal("v"));
        if let Some(variable) = &variable {
            let initial = self.initial_value(variable);
            self.declare(variable, Some(&initial));
        }
        let counter = self.counter();
        let computed = self.choices.flip();
        let keyword = if self.system_verilog {
            "always_ff"
        } else {
            "always"
        };
        let name = self.reset_name();
        let edge = if self.active_low {
            "negedge"
        } else {
            "posedge"
        };
        let events = match self.reset {
            ResetKind::Asynchronous => format!("posedge clk or {edge} {name}"),
            _ => "posedge clk".to_string(),
        };
        writeln!(self.items, "  {keyword} @({events}) begin").expect("a string");
        if self.reset != ResetKind::None {
            let test = match self.active_low {
                true => format!("!{name}"),
                false => name.to_string(),
            };
            writeln!(self.items, "    if ({test}) begin").expect("a string");
            for (register, value) in registers.iter().zip(&resets) {
                writeln!(self.items, "      {} <= {value};", register.name).expect("a string");
            }
            self.items.push_str("    end else begin\n");
        } else {
            self.items.push_str("    begin\n");
        }
        let mut inner = self.readable.clone();
        if let Some(variable) = &variable {
            let value = expression(self.choices, &inner, 2);
            writeln!(self.items, "      {} = {value};", variable.name).expect("a string");
            inner.signals.push(variable.clone());
            let block = Block {
                targets: std::slice::from_ref(variable),
                operator: "=",
                counter: &counter,
                system_verilog: self.system_verilog,
                computed,
            };
            statements(self.choices, &inner, &block, 1, 3, &mut self.items);
        }
        let block = Block {
            targets: &registers,
            operator: "<=",
            counter: &counter,
            system_verilog: self.system_verilog,
            computed,
        };
        statements(self.choices, &inner, &block, 2, 3, &mut self.items);
        self.items.push_str("    end\n  end\n");
        self.outputs.extend(registers);
    }

    fn function(&mut self) {
        let result = self.signal("f");
        let arguments = [self.signal("x"), self.signal("x")];
        let inner = Readable {
            signals: arguments.to_vec(),
            ..Readable::default()
        };
        let (sign, range, name) = (result.sign(), result.range(), &result.name);
        let (first, second) = (&arguments[0], &arguments[1]);
        let declared =
            |signal: &Signal| format!("input {}{}{}", signal.sign(), signal.range(), signal.name);
        let head = match self.choices.flip() {
            true => format!(
                "  function {sign}{range}{name}({}, {});\n",
                declared(first),
                declared(second)
            ),
            false => format!(
                "  function {sign}{range}{name};\n    {};\n    {};\n",
                declared(first),
                declared(second)
            ),
        };
        self.items.push_str(&head);
        // Icarus 11 fails where the result itself is the amount of a shift.
        let local = Signal {
            name: format!("{name}_value"),
            ..result.clone()
        };
        writeln!(self.items, "    reg {sign}{range}{};", local.name).expect("a string");
        self.items.push_str("    integer k;\n    begin\n");
        let value = expression(self.choices, &inner, 2);
        writeln!(self.items, "      {} = {value};", local.name).expect("a string");
        let mut readable = inner;
        readable.signals.push(local.clone());
        let block = Block {
            targets: std::slice::from_ref(&local),
            operator: "=",
            counter: "k",
            system_verilog: false,
            computed: true,
        };
        statements(self.choices, &readable, &block, 2, 3, &mut self.items);
        writeln!(self.items, "      {name} = {};", local.name).expect("a string");
        self.items.push_str("    end\n  endfunction\n");
        self.readable.functions.push(Function {
            name: result.name.clone(),
            arguments: 2,
            width: result.width,
        });
    }

    fn constant(&mut self) {
        let width = self.choices.between(2, 5);
        let sign = if self.choices.flip() { "signed " } else { "" };
        let value = sized(self.choices, width);
        let high = width - 1;
        writeln!(self.items, "  localparam {sign}[{high}:0] LIMIT = {value};").expect("a string");
        self.readable.constants.push(("LIMIT".to_string(), width));
    }

    fn memory(&mut self) {
        let bits = self.choices.between(1, 2);
        let width = self.choices.between(1, 5);
        let high = width - 1;
        let last = (1 << bits) - 1;
        let address = Signal {
            name: format!("{}address", self.prefix),
            width: bits,
            signed: false,
            right: 0,
            descending: true,
        };
        let value = expression(self.choices, &self.readable, 2);
        let value = self.varying(value);
        let enable = expression(self.choices, &self.readable, 2);
        let data = expression(self.choices, &self.readable, 2);
        let step = self.choices.below(4);
        let range = address.range();
        let counter = self.counter();
        writeln!(
            self.items,
            "  reg [{high}:0] storage [0:{last}];
  wire {range}{name} = {value};
  initial for ({counter} = 0; {counter} <= {last}; {counter} = {counter} + 1)
    storage[{counter}] = {counter} * {step};
  always @(posedge clk) if ({enable}) storage[{name}] <= {data};",
            name = address.name,
        )
        .expect("a string");
        self.readable.signals.push(address.clone());
        self.readable.memories.push(Memory {
            name: "storage".to_string(),
            width,
            addresses: vec![address.name],
        });
    }

    fn instance(&mut self, child: &Child, number: usize) {
        let mut connections = Vec::new();
        let by_name = self.choices.flip();
        let connect = |port: &str, value: &str| match by_name {
            true => format!(".{port}({value})"),
            false => value.to_string(),
        };
        connections.push(connect("clk", "clk"));
        for reset in ["rst", "rst_n"] {
            connections.push(connect(reset, reset));
        }
        for input in &child.inputs {
            // Yosys 0.23 fails on signals whose sign is changed here: `$signed(a)`, `{a}`. Yosys
            // and Icarus give a connection its own width, where the standard and Verilator
            // (and we) give it that of the port: only what is the same for both is written.
            let value = match self.choices.flip() {
                false => self.choices.pick(&self.readable.signals).name.clone(),
                true => {
                    let inner = any(self.choices, &self.readable, 2, Style::Plain).text;
                    format!("{{{inner}}} ^ 1'b0")
                }
            };
            connections.push(connect(&input.name, &value));
        }
        let mut wires = Vec::new();
        for output in &child.outputs {
            let wire = self.signal("n");
            let (range, sign) = (wire.range(), wire.sign());
            writeln!(self.items, "  wire {sign}{range}{};", wire.name).expect("a string");
            connections.push(connect(&format!("out_{}", output.name), &wire.name));
            wires.push((wire, output.width));
        }
        let parameters = match by_name {
            true => format!("#(.WIDTH({}), .VALUE({}))", child.width, child.value),
            false => format!("#({})", child.width),
        };
        writeln!(
            self.items,
            "  {} {parameters} part{number} ({});",
            child.name,
            connections.join(", ")
        )
        .expect("a string");
        // A wire that is wider than the port has bits that nothing drives.
        for (wire, width) in wires {
            if wire.width <= width {
                self.outputs.push(wire.clone());
                self.readable.signals.push(wire);
            }
        }
    }

    fn generate_loop(&mut self) {
        let mut signal = self.signal("g");
        (signal.right, signal.descending) = (0, true);
        let count = signal.width;
        let split = self.choices.below(count);
        let (range, sign, name) = (signal.range(), signal.sign(), &signal.name);
        let inner = Readable {
            counter: Some(("lane_index".to_string(), count)),
            ..self.readable.clone()
        };
        let first = expression(self.choices, &inner, 2);
        let second = expression(self.choices, &inner, 2);
        let index = if signal.has_range() {
            "[lane_index]"
        } else {
            ""
        };
        writeln!(
            self.items,
            "  wire {sign}{range}{name};
  genvar lane_index;
  generate for (lane_index = 0; lane_index < {count}; lane_index = lane_index + 1) begin : lane
    if (lane_index < {split}) begin : low
      assign {name}{index} = {first};
    end else begin : high
      assign {name}{index} = {second};
    end
  end endgenerate"
        )
        .expect("a string");
        self.outputs.push(signal.clone());
        self.readable.signals.push(signal);
    }

    fn module(&self, name: &str, parameters: &str, first_range: Option<&str>, text: &mut String) {
        writeln!(text, "module {name} {parameters} (").expect("a string");
        text.push_str("  input clk,\n  input rst,\n  input rst_n");
        for (index, input) in self.inputs.iter().enumerate() {
            let range = match (index, first_range) {
                (0, Some(range)) => range.to_string(),
                _ => input.range(),
            };
            write!(text, ",\n  input {}{range}{}", input.sign(), input.name).expect("a string");
        }
        for output in &self.outputs {
            write!(
                text,
                ",\n  output {}{}out_{}",
                output.sign(),
                output.range(),
                output.name
            )
            .expect("a string");
        }
        text.push_str("\n);\n");
        text.push_str(&self.items);
        for output in &self.outputs {
            writeln!(text, "  assign out_{0} = {0};", output.name).expect("a string");
        }
        text.push_str("endmodule\n");
    }
}
