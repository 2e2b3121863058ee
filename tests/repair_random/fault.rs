//! Breaking one gate.

use super::circuit::{and, gates_of_latches};
use super::support::Circuit;
use respin::random::Random;

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

/// How much a repair has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difficulty {
    Any,
    /// The broken gate cannot be replaced by a constant.
    Function,
    /// No gate at all can.
    FunctionEverywhere,
}

impl Difficulty {
    pub fn of_seed(seed: u64) -> Difficulty {
        match seed % 10 {
            0..=2 => Difficulty::Any,
            3..=5 => Difficulty::Function,
            _ => Difficulty::FunctionEverywhere,
        }
    }

    /// Whether a broken circuit is as difficult, given what makes one right.
    pub fn admits(self, broken: &Circuit, gate: u32, is_right: impl Fn(&Circuit) -> bool) -> bool {
        let gates = match self {
            Difficulty::Any => Vec::new(),
            Difficulty::Function => vec![gate],
            Difficulty::FunctionEverywhere => gates_of_latches(broken),
        };
        let is_repaired = |gate: u32, constant: u32| {
            let mut circuit = broken.clone();
            let mut places = circuit.gates.iter_mut();
            let place = places.find(|(code, ..)| *code == 2 * gate);
            *place.expect("a gate of the circuit") = (2 * gate, constant, constant);
            is_right(&circuit)
        };
        !gates
            .iter()
            .any(|gate| is_repaired(*gate, 0) || is_repaired(*gate, 1))
    }
}
