//! Small circuits of `expr` as a part of a netlist.

use super::{Design, Literal, NodeId, Reset, elaborate_atom};
use crate::expr::{Circuit, Gate};
use crate::source::Diagnostic;

impl Design {
    /// Adds a circuit that reads signals of this design, with latches that are hidden. Gives
    /// the literal of each of its signals.
    pub fn add_circuit(&mut self, circuit: &Circuit) -> Result<Vec<Literal>, Diagnostic> {
        let mut latches: Vec<NodeId> = Vec::new();
        for latch in circuit.latches() {
            let reset = if latch.initial {
                Reset::One
            } else {
                Reset::Zero
            };
            let id = self.add_latch(reset);
            self.set_hidden(id, true);
            latches.push(id);
        }
        let mut signals: Vec<Literal> = Vec::new();
        for gate in circuit.gates() {
            let literal = match gate {
                Gate::Constant(value) => Literal::constant(*value),
                Gate::Input(index) => elaborate_atom(self, &circuit.inputs()[*index])?,
                Gate::Latch(index) => latches[*index].literal(),
                Gate::Not(operand) => !signals[operand.index()],
                Gate::And(operands) => {
                    self.and_all(operands.iter().map(|operand| signals[operand.index()]))
                }
                Gate::Or(operands) => {
                    self.or_all(operands.iter().map(|operand| signals[operand.index()]))
                }
            };
            signals.push(literal);
        }
        for (latch, id) in circuit.latches().iter().zip(latches) {
            self.set_next(id, signals[latch.next.index()]);
        }
        Ok(signals)
    }
}
