//! Small sequential circuits: latches with an initial value, and Boolean functions of
//! latches and conditions that give their next values.
//!
//! `spec` makes one where a formula needs memory (past operators, monitors), and a design
//! or a game adds its latches to its own. Gates come after what they read, so one pass in
//! order evaluates all of them.

use super::Expr;
use std::collections::HashMap;
use std::fmt;

/// The output of a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Signal(u32);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Gate {
    Constant(bool),
    /// The truth of a condition: an index into [`Circuit::inputs`].
    Input(usize),
    /// The current value of a latch: an index into [`Circuit::latches`].
    Latch(usize),
    Not(Signal),
    And(Vec<Signal>),
    Or(Vec<Signal>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Latch {
    pub name: String,
    pub initial: bool,
    /// The value in the next step.
    pub next: Signal,
}

#[derive(Clone, Debug, Default)]
pub struct Circuit {
    inputs: Vec<Expr>,
    input_of_text: HashMap<String, usize>,
    gates: Vec<Gate>,
    signal_of_gate: HashMap<Gate, Signal>,
    latches: Vec<Latch>,
}

impl Signal {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Circuit {
    pub fn new() -> Circuit {
        Circuit::default()
    }

    /// The conditions that the circuit reads; a word is true when it is not zero.
    pub fn inputs(&self) -> &[Expr] {
        &self.inputs
    }

    pub fn latches(&self) -> &[Latch] {
        &self.latches
    }

    /// All gates, each after those it reads; a [`Signal`] is an index into them.
    pub fn gates(&self) -> &[Gate] {
        &self.gates
    }

    pub fn constant(&mut self, value: bool) -> Signal {
        self.add(Gate::Constant(value))
    }

    /// The truth of a condition; equal conditions share one input.
    pub fn input(&mut self, condition: &Expr) -> Signal {
        let text = condition.to_string();
        let next = self.inputs.len();
        let index = *self.input_of_text.entry(text).or_insert(next);
        if index == next {
            self.inputs.push(condition.clone());
        }
        self.add(Gate::Input(index))
    }

    /// A new latch that keeps its value until [`Circuit::set_next`] says otherwise.
    pub fn latch(&mut self, name: impl Into<String>, initial: bool) -> Signal {
        let index = self.latches.len();
        let signal = self.add(Gate::Latch(index));
        self.latches.push(Latch {
            name: name.into(),
            initial,
            next: signal,
        });
        signal
    }

    /// Sets the next value of a latch. A signal that is not a latch is left alone.
    pub fn set_next(&mut self, latch: Signal, next: Signal) {
        if let Gate::Latch(index) = self.gates[latch.index()] {
            self.latches[index].next = next;
        }
    }

    pub fn not(&mut self, operand: Signal) -> Signal {
        match self.gates[operand.index()] {
            Gate::Constant(value) => self.constant(!value),
            Gate::Not(inner) => inner,
            _ => self.add(Gate::Not(operand)),
        }
    }

    pub fn and(&mut self, operands: impl IntoIterator<Item = Signal>) -> Signal {
        self.join(operands, true)
    }

    pub fn or(&mut self, operands: impl IntoIterator<Item = Signal>) -> Signal {
        self.join(operands, false)
    }

    fn join(&mut self, operands: impl IntoIterator<Item = Signal>, neutral: bool) -> Signal {
        let mut kept = Vec::new();
        for operand in operands {
            match self.gates[operand.index()] {
                Gate::Constant(value) if value == neutral => {}
                Gate::Constant(_) => return operand,
                _ => kept.push(operand),
            }
        }
        kept.sort_unstable();
        kept.dedup();
        match kept.as_slice() {
            [] => self.constant(neutral),
            [only] => *only,
            _ if neutral => self.add(Gate::And(kept)),
            _ => self.add(Gate::Or(kept)),
        }
    }

    fn add(&mut self, gate: Gate) -> Signal {
        if let Some(signal) = self.signal_of_gate.get(&gate) {
            return *signal;
        }
        let signal = Signal(self.gates.len() as u32);
        self.gates.push(gate.clone());
        self.signal_of_gate.insert(gate, signal);
        signal
    }

    /// The values of the latches in the first step.
    pub fn initial_state(&self) -> Vec<bool> {
        self.latches.iter().map(|latch| latch.initial).collect()
    }

    /// The values of all signals; missing latches and inputs count as false.
    pub fn evaluate(&self, state: &[bool], inputs: &[bool]) -> Vec<bool> {
        let mut values: Vec<bool> = Vec::with_capacity(self.gates.len());
        for gate in &self.gates {
            let value = match gate {
                Gate::Constant(value) => *value,
                Gate::Input(index) => inputs.get(*index).copied().unwrap_or(false),
                Gate::Latch(index) => state.get(*index).copied().unwrap_or(false),
                Gate::Not(operand) => !values[operand.index()],
                Gate::And(operands) => operands.iter().all(|operand| values[operand.index()]),
                Gate::Or(operands) => operands.iter().any(|operand| values[operand.index()]),
            };
            values.push(value);
        }
        values
    }

    /// The values of the latches in the next step, given those of all signals in this one.
    pub fn next_state(&self, values: &[bool]) -> Vec<bool> {
        self.latches
            .iter()
            .map(|latch| values[latch.next.index()])
            .collect()
    }
}

/// One line per gate and per latch, for people.
impl fmt::Display for Circuit {
    fn fmt(&self, output: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |operands: &[Signal]| {
            let names: Vec<String> = operands
                .iter()
                .map(|operand| format!("%{}", operand.0))
                .collect();
            names.join(" ")
        };
        for (index, gate) in self.gates.iter().enumerate() {
            write!(output, "%{index} = ")?;
            match gate {
                Gate::Constant(value) => writeln!(output, "{value}")?,
                Gate::Input(input) => writeln!(output, "input {}", self.inputs[*input])?,
                Gate::Latch(latch) => writeln!(output, "latch {}", self.latches[*latch].name)?,
                Gate::Not(operand) => writeln!(output, "not %{}", operand.0)?,
                Gate::And(operands) => writeln!(output, "and {}", list(operands))?,
                Gate::Or(operands) => writeln!(output, "or {}", list(operands))?,
            }
        }
        for latch in &self.latches {
            writeln!(
                output,
                "latch {} initially {} next %{}",
                latch.name, latch.initial, latch.next.0
            )?;
        }
        Ok(())
    }
}
