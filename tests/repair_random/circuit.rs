//! Random sequential circuits that have something to do.

use super::support::Circuit;
use respin::random::Random;

/// How big a circuit is.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    pub inputs: usize,
    pub latches: usize,
    pub gates: usize,
}

/// A circuit without properties. Variables are inputs, latches, gates, in this order, and a
/// gate reads smaller variables only. Most gates matter to some latch.
pub fn random_circuit(random: &mut Random, size: Size) -> Circuit {
    let leaves = (size.inputs + size.latches) as u32;
    let mut builder = Wiring {
        circuit: Circuit {
            maximum: leaves,
            inputs: (1..=size.inputs as u32)
                .map(|variable| 2 * variable)
                .collect(),
            ..Circuit::default()
        },
        unread: (1..=leaves).collect(),
    };
    while builder.circuit.gates.len() < size.gates {
        let left = size.gates - builder.circuit.gates.len();
        let (a, b) = (builder.operand(random), builder.operand(random));
        match random.below(10) {
            // Parity and selection keep the circuit from sinking into constants.
            0..=2 if left >= 3 => {
                let (one, other) = (builder.and(a, b ^ 1), builder.and(a ^ 1, b));
                builder.and(one ^ 1, other ^ 1);
            }
            3..=4 if left >= 3 => {
                let c = builder.operand(random);
                let (then, otherwise) = (builder.and(a, b), builder.and(a ^ 1, c));
                builder.and(then ^ 1, otherwise ^ 1);
            }
            _ => {
                builder.and(a, b);
            }
        }
    }
    for latch in 0..size.latches {
        let code = 2 * (size.inputs + latch + 1) as u32;
        // The gates that nothing reads yet come first.
        let next = match builder.unread.pop() {
            Some(variable) if variable > leaves => 2 * variable + random.below(2) as u32,
            _ => builder.operand(random),
        };
        let reset = random.below(2) as u32;
        builder.circuit.latches.push((code, next, reset));
    }
    builder.circuit
}

struct Wiring {
    circuit: Circuit,
    /// Variables that nothing reads yet, the newest last.
    unread: Vec<u32>,
}

impl Wiring {
    fn operand(&mut self, random: &mut Random) -> u32 {
        let variable = if !self.unread.is_empty() && random.below(2) == 0 {
            self.unread.remove(random.below(self.unread.len()))
        } else {
            1 + random.below(self.circuit.maximum as usize) as u32
        };
        2 * variable + random.below(2) as u32
    }

    fn and(&mut self, left: u32, right: u32) -> u32 {
        for operand in [left, right] {
            self.unread.retain(|variable| *variable != operand / 2);
        }
        self.circuit.maximum += 1;
        self.unread.push(self.circuit.maximum);
        add_gate(&mut self.circuit, left, right)
    }
}

/// One more gate, whose variable was counted already.
fn add_gate(circuit: &mut Circuit, left: u32, right: u32) -> u32 {
    let code = 2 * circuit.maximum;
    circuit.gates.push((code, left.max(right), left.min(right)));
    code
}

/// A gate behind all others.
pub fn and(circuit: &mut Circuit, left: u32, right: u32) -> u32 {
    circuit.maximum += 1;
    add_gate(circuit, left, right)
}

/// The variables of the gates that some latch depends on, within one step.
pub fn gates_of_latches(circuit: &Circuit) -> Vec<u32> {
    let mut wanted = vec![false; circuit.maximum as usize + 1];
    for (_, next, _) in &circuit.latches {
        wanted[*next as usize / 2] = true;
    }
    let mut found = Vec::new();
    for (gate, left, right) in circuit.gates.iter().rev() {
        if wanted[*gate as usize / 2] {
            wanted[*left as usize / 2] = true;
            wanted[*right as usize / 2] = true;
            found.push(gate / 2);
        }
    }
    found
}

/// A condition on latches and inputs: some cube of literals holds.
#[derive(Clone, Debug)]
pub struct Condition(pub Vec<Vec<u32>>);

impl Condition {
    /// In the terms of a property file, with the names of [`name_leaves`].
    pub fn text(&self) -> String {
        let literal = |code: &u32| format!("{}v{}", ["", "!"][*code as usize % 2], code / 2);
        let cube = |cube: &Vec<u32>| {
            let literals: Vec<String> = cube.iter().map(literal).collect();
            format!("({})", literals.join(" & "))
        };
        let cubes: Vec<String> = self.0.iter().map(cube).collect();
        format!("({})", cubes.join(" | "))
    }

    /// A random one over some variables.
    pub fn random(random: &mut Random, variables: &[u32], most: usize) -> Condition {
        let cubes = 1 + random.below(2);
        let cube = |random: &mut Random| {
            let mut variables = variables.to_vec();
            random.shuffle(&mut variables);
            variables.truncate(1 + random.below(most));
            let code = |variable: u32| 2 * variable + random.below(2) as u32;
            variables.into_iter().map(code).collect()
        };
        Condition((0..cubes).map(|_| cube(random)).collect())
    }
}

/// Calls each input and latch `v` and its variable.
pub fn name_leaves(circuit: &mut Circuit) {
    let inputs = circuit.inputs.iter().enumerate();
    let inputs = inputs.map(|(place, code)| format!("i{place} v{}", code / 2));
    let latches = circuit.latches.iter().enumerate();
    let latches = latches.map(|(place, (code, ..))| format!("l{place} v{}", code / 2));
    circuit.symbols = inputs.chain(latches).collect();
}
