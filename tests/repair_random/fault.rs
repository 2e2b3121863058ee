//! Breaking one gate.

use super::circuit::and;
use super::support::{Circuit, Random};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// An inverter too many, or one that is missing.
    InvertedOperand,
    InvertedOutput,
    /// OR in place of AND.
    Dual,
    /// An operand comes from elsewhere.
    Misconnected,
    /// The output, or an operand, does not move.
    Stuck,
}

const FAULTS: [Fault; 5] = [
    Fault::InvertedOperand,
    Fault::InvertedOutput,
    Fault::Dual,
    Fault::Misconnected,
    Fault::Stuck,
];

/// The circuit with one gate broken; the gate keeps its variable, so all that reads it reads
/// the broken one. A gate reads smaller variables only, so no loop comes up.
pub fn broken(random: &mut Random, circuit: &Circuit, variable: u32) -> (Circuit, Fault) {
    let mut circuit = circuit.clone();
    let place = circuit
        .gates
        .iter()
        .position(|(gate, ..)| *gate == 2 * variable)
        .expect("a gate of the circuit");
    let (gate, mut left, mut right) = circuit.gates[place];
    if random.below(2) == 0 {
        (left, right) = (right, left);
    }
    let fault = FAULTS[random.below(FAULTS.len())];
    match fault {
        Fault::InvertedOperand => left ^= 1,
        Fault::Misconnected => left = random.below(2 * variable as usize) as u32,
        Fault::Stuck => {
            let constant = random.below(2) as u32;
            (left, right) = match random.below(3) {
                0 => (constant, right),
                _ => (constant, constant),
            };
        }
        // An AND gate has no inverter behind it, so another gate computes the inverse.
        Fault::InvertedOutput => (left, right) = (and(&mut circuit, left, right) ^ 1, 1),
        Fault::Dual => (left, right) = (and(&mut circuit, left ^ 1, right ^ 1) ^ 1, 1),
    }
    circuit.gates[place] = (gate, left.max(right), left.min(right));
    if matches!(fault, Fault::InvertedOutput | Fault::Dual) {
        // Evaluation goes through the gates in order.
        let inner = circuit.gates.pop().expect("the gate just added");
        circuit.gates.insert(place, inner);
    }
    (circuit, fault)
}
