//! Random circuits that know nothing of the code under test, and small helpers.

use std::collections::HashMap;
use std::fmt::Write;

use respin::design::aiger::{self, AigerFile};
use respin::design::{Design, InputKind, Literal, NodeId, Reset};
use respin::random::Random;

/// Runs a check on growing random cases. A failure is retried on smaller sizes, and the
/// smallest that fails is reported with what it takes to repeat it.
pub fn check_random(
    cases: u64,
    largest: usize,
    check: impl Fn(&mut Random, usize) -> Result<(), String>,
) {
    for seed in 0..cases {
        let size = 1 + seed as usize * largest / cases as usize;
        let Err(mut message) = check(&mut Random::new(seed), size) else {
            continue;
        };
        let (mut failing_seed, mut failing_size) = (seed, size);
        'smaller: for size in 1..size {
            for seed in 0..200 {
                if let Err(found) = check(&mut Random::new(seed), size) {
                    (failing_seed, failing_size, message) = (seed, size, found);
                    break 'smaller;
                }
            }
        }
        panic!("seed {failing_seed}, size {failing_size}: {message}");
    }
}

/// A circuit in the terms of an AIGER file: variables and literals are numbers.
#[derive(Clone, Debug, Default)]
pub struct Circuit {
    pub maximum: u32,
    pub inputs: Vec<u32>,
    /// Literal, next, reset: 0, 1, or the literal itself.
    pub latches: Vec<(u32, u32, u32)>,
    pub outputs: Vec<u32>,
    pub bad: Vec<u32>,
    pub constraints: Vec<u32>,
    pub justice: Vec<Vec<u32>>,
    pub fairness: Vec<u32>,
    pub gates: Vec<(u32, u32, u32)>,
    pub symbols: Vec<String>,
    pub comment: Option<String>,
}

impl Circuit {
    /// Variables without order and with gaps, gates in any order, every section in use.
    pub fn random(random: &mut Random, size: usize) -> Circuit {
        let inputs = random.below(size + 1);
        let latches = random.below(size + 1);
        let gates = random.below(3 * size + 1);
        let gaps = random.below(4);
        let maximum = inputs + latches + gates + gaps;
        let mut variables: Vec<u32> = (1..=maximum as u32).collect();
        random.shuffle(&mut variables);
        let mut circuit = Circuit::wired(random, &variables, inputs, latches, gates);
        circuit.maximum = maximum as u32;
        random.shuffle(&mut circuit.gates);
        circuit.add_symbols(random);
        circuit
    }

    /// Variables and gates in the order that binary files need.
    pub fn random_ordered(random: &mut Random, size: usize) -> Circuit {
        let inputs = random.below(size + 1);
        let latches = random.below(size + 1);
        let gates = random.below(3 * size + 1);
        let maximum = inputs + latches + gates;
        let variables: Vec<u32> = (1..=maximum as u32).collect();
        let mut circuit = Circuit::wired(random, &variables, inputs, latches, gates);
        circuit.maximum = maximum as u32;
        for (_, left, right) in &mut circuit.gates {
            (*left, *right) = (*left.max(right), *left.min(right));
        }
        circuit.add_symbols(random);
        circuit
    }

    fn wired(
        random: &mut Random,
        variables: &[u32],
        inputs: usize,
        latches: usize,
        gates: usize,
    ) -> Circuit {
        let mut circuit = Circuit::default();
        let mut known = vec![0];
        let literal = |random: &mut Random, known: &[u32]| {
            2 * known[random.below(known.len())] + random.below(2) as u32
        };
        for variable in &variables[..inputs] {
            circuit.inputs.push(2 * variable);
            known.push(*variable);
        }
        let latch_variables = &variables[inputs..inputs + latches];
        known.extend(latch_variables);
        for variable in &variables[inputs + latches..inputs + latches + gates] {
            let (left, right) = (literal(random, &known), literal(random, &known));
            circuit.gates.push((2 * variable, left, right));
            known.push(*variable);
        }
        for variable in latch_variables {
            let next = literal(random, &known);
            let reset = [0, 1, 2 * variable][random.below(3)];
            circuit.latches.push((2 * variable, next, reset));
        }
        let mut literals = |most: usize| -> Vec<u32> {
            let count = random.below(most + 1);
            (0..count).map(|_| literal(random, &known)).collect()
        };
        circuit.outputs = literals(3);
        circuit.bad = literals(2);
        circuit.constraints = literals(2);
        circuit.justice = vec![literals(3), literals(3)];
        circuit.justice.truncate(literals(2).len());
        circuit.fairness = literals(2);
        circuit
    }

    fn add_symbols(&mut self, random: &mut Random) {
        let counts = [
            ('i', self.inputs.len()),
            ('l', self.latches.len()),
            ('o', self.outputs.len()),
            ('b', self.bad.len()),
            ('c', self.constraints.len()),
            ('j', self.justice.len()),
            ('f', self.fairness.len()),
        ];
        for (letter, count) in counts {
            for position in 0..count {
                if random.below(2) == 0 {
                    self.symbols
                        .push(format!("{letter}{position} a {letter} {position}"));
                }
            }
        }
        random.shuffle(&mut self.symbols);
        if random.below(2) == 0 {
            self.comment = Some("a comment\n\nof three lines\n".to_string());
        }
    }

    pub fn text(&self) -> String {
        let counts = [
            self.maximum as usize,
            self.inputs.len(),
            self.latches.len(),
            self.outputs.len(),
            self.gates.len(),
            self.bad.len(),
            self.constraints.len(),
            self.justice.len(),
            self.fairness.len(),
        ];
        let mut text = String::from("aag");
        let used = counts.iter().rposition(|count| *count > 0).unwrap_or(0);
        for count in &counts[..(used + 1).max(5)] {
            write!(text, " {count}").unwrap();
        }
        text.push('\n');
        let mut line = |content: String| {
            text.push_str(&content);
            text.push('\n');
        };
        self.inputs.iter().for_each(|i| line(i.to_string()));
        for (latch, next, reset) in &self.latches {
            match reset {
                0 => line(format!("{latch} {next}")),
                _ => line(format!("{latch} {next} {reset}")),
            }
        }
        self.outputs.iter().for_each(|o| line(o.to_string()));
        self.bad.iter().for_each(|b| line(b.to_string()));
        self.constraints.iter().for_each(|c| line(c.to_string()));
        self.justice.iter().for_each(|j| line(j.len().to_string()));
        self.justice
            .iter()
            .flatten()
            .for_each(|j| line(j.to_string()));
        self.fairness.iter().for_each(|f| line(f.to_string()));
        for (gate, left, right) in &self.gates {
            line(format!("{gate} {left} {right}"));
        }
        self.symbols.iter().for_each(|symbol| line(symbol.clone()));
        if let Some(comment) = &self.comment {
            line("c".to_string());
            text.push_str(comment);
        }
        text
    }

    /// The same circuit through the builder, for tests that are not about reading.
    pub fn design(&self) -> (Design, HashMap<u32, NodeId>) {
        let mut design = Design::new();
        let mut nodes = HashMap::from([(0, NodeId::CONSTANT)]);
        for input in &self.inputs {
            nodes.insert(input / 2, design.add_input(InputKind::Environment));
        }
        for (latch, _, reset) in &self.latches {
            let reset = match reset {
                0 => Reset::Zero,
                1 => Reset::One,
                _ => Reset::Free,
            };
            nodes.insert(latch / 2, design.add_latch(reset));
        }
        for (gate, _, _) in &self.gates {
            nodes.insert(gate / 2, design.add_gate(Literal::FALSE, Literal::FALSE));
        }
        let literal = |code: &u32| Literal::new(nodes[&(code / 2)], code % 2 == 1);
        for (gate, left, right) in &self.gates {
            let node = respin::design::Node::And(literal(left), literal(right));
            design.replace(nodes[&(gate / 2)], node);
        }
        for (latch, next, _) in &self.latches {
            design.set_next(nodes[&(latch / 2)], literal(next));
        }
        for output in &self.outputs {
            design.add_output(None, literal(output), None);
        }
        (design, nodes)
    }

    /// The value of a literal, by recursion on the definition.
    pub fn evaluate(&self, literal: u32, values: &mut HashMap<u32, bool>) -> bool {
        let variable = literal / 2;
        let value = match values.get(&variable) {
            Some(value) => *value,
            None if variable == 0 => false,
            None => {
                let gate = self.gates.iter().find(|gate| gate.0 == 2 * variable);
                let (_, left, right) = *gate.expect("a generated literal is defined");
                let value = self.evaluate(left, values) && self.evaluate(right, values);
                values.insert(variable, value);
                value
            }
        };
        value != (literal % 2 == 1)
    }
}

pub fn read(bytes: impl AsRef<[u8]>) -> AigerFile {
    match aiger::read(bytes.as_ref(), None) {
        Ok(file) => file,
        Err(diagnostic) => panic!("{}", diagnostic.message),
    }
}

/// The values of some literals over random runs, as one number.
pub fn signature(design: &Design, literals: &[Literal], seed: u64) -> Vec<u64> {
    let mut simulator = respin::design::Simulator::new(design).expect("a sound design");
    let mut random = Random::new(seed);
    let mut values = Vec::new();
    simulator.start(|_| random.word());
    for _ in 0..8 {
        simulator.settle(|_| random.word());
        values.extend(literals.iter().map(|literal| simulator.value(*literal)));
        simulator.advance();
    }
    values
}
