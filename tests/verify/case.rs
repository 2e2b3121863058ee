//! A random design with random formulas over it.

use super::graph::random_circuit;
use super::support::{Circuit, read};
use super::tree::{Operators, Tree};
use respin::bdd::Limits;
use respin::certify::{self, AssumptionStatus, Engine, Options, Problem, Semantics, Verdict};
use respin::random::Random;
use respin::source::Sources;
use respin::spec::Spec;

#[derive(Clone)]
pub struct Case {
    pub circuit: Circuit,
    pub assumptions: Vec<Tree>,
    pub assertion: Tree,
    pub semantics: Semantics,
}

impl Case {
    pub fn random(seed: u64, most_latches: usize, most_inputs: usize) -> Case {
        let mut random = Random::new(seed);
        let inputs = random.below(most_inputs + 1);
        let latches = random.below(most_latches + 1).max(usize::from(inputs == 0));
        let gates = random.below(12);
        let circuit = random_circuit(&mut random, inputs, latches, gates);
        let signals = signals(&circuit).len();
        let mixed = random.below(8) == 0;
        let formula = |random: &mut Random, most: usize| {
            let size = 1 + random.below(most);
            Tree::random(random, size, signals, Operators::All, mixed)
        };
        let assertion = formula(&mut random, 8);
        let assumptions = (0..random.below(3))
            .map(|_| formula(&mut random, 5))
            .collect();
        let semantics = match random.below(4) {
            0 => Semantics::Implication,
            _ => Semantics::Strict,
        };
        Case {
            circuit,
            assumptions,
            assertion,
            semantics,
        }
    }

    fn names(&self) -> Vec<String> {
        (0..signals(&self.circuit).len())
            .map(|place| format!("s{place}"))
            .collect()
    }

    fn properties(&self) -> String {
        let names = self.names();
        let mut text = String::new();
        for assumption in &self.assumptions {
            text.push_str(&format!("assume {};\n", assumption.text(&names)));
        }
        text + &format!("assert {};\n", self.assertion.text(&names))
    }

    pub fn text(&self) -> String {
        format!(
            "{:?}\n{}{}",
            self.semantics,
            self.properties(),
            self.circuit.text()
        )
    }

    fn design(&self) -> respin::design::Design {
        let mut circuit = self.circuit.clone();
        circuit.outputs = signals(&circuit);
        let names = self.names();
        let symbols = names.iter().enumerate();
        circuit.symbols = symbols
            .map(|(place, name)| format!("o{place} {name}"))
            .collect();
        read(circuit.text()).design
    }

    fn spec(&self) -> Result<Spec, String> {
        let mut sources = Sources::new();
        let text = self.properties();
        let file = sources.add("random.props", text.as_str());
        let mut spec = Spec::new();
        spec.add_property_file(file, &text)
            .map_err(|errors| format!("{errors:?}"))?;
        Ok(spec)
    }

    /// What is said of the assertion; nothing if it is a conjunction of nothing.
    pub fn verdict(&self, options: Options) -> Result<Option<Verdict>, String> {
        let options = Options {
            semantics: self.semantics,
            ..options
        };
        let verdicts = certify::check(&self.design(), &self.spec()?, &options)
            .map_err(|errors| format!("{errors:?}"))?;
        Ok(verdicts.into_iter().map(|(_, verdict)| verdict).next())
    }

    /// What is said of the assumptions.
    #[allow(dead_code)]
    pub fn assumption_status(&self, engine: Engine) -> Result<AssumptionStatus, String> {
        let problem = Problem::new(&self.design(), &self.spec()?);
        let problem = problem.map_err(|errors| format!("{errors:?}"))?;
        let status = problem.assumptions(engine, &Limits::default());
        status.map_err(|error| format!("{error:?}"))
    }

    /// Cases with one thing less.
    pub fn smaller(&self) -> Vec<Case> {
        let mut found = Vec::new();
        for place in 0..self.assumptions.len() {
            let mut case = self.clone();
            case.assumptions.remove(place);
            found.push(case);
            for tree in self.assumptions[place].smaller() {
                let mut case = self.clone();
                case.assumptions[place] = tree;
                found.push(case);
            }
        }
        for assertion in self.assertion.smaller() {
            found.push(Case {
                assertion,
                ..self.clone()
            });
        }
        for place in 0..self.circuit.latches.len() {
            let (latch, next, reset) = self.circuit.latches[place];
            for simpler in [(latch, 0, 0), (latch, latch, reset), (latch, next, 0)] {
                if simpler != self.circuit.latches[place] {
                    let mut case = self.clone();
                    case.circuit.latches[place] = simpler;
                    found.push(case);
                }
            }
        }
        for place in 0..self.circuit.gates.len() {
            let (gate, left, right) = self.circuit.gates[place];
            for simpler in [(gate, 0, 0), (gate, left, 1), (gate, right, 1)] {
                if simpler != self.circuit.gates[place] {
                    let mut case = self.clone();
                    case.circuit.gates[place] = simpler;
                    found.push(case);
                }
            }
        }
        found
    }
}

/// Inputs, latches, and a few of the gates.
pub fn signals(circuit: &Circuit) -> Vec<u32> {
    let latches = circuit.latches.iter().map(|(latch, ..)| *latch);
    let gates = circuit.gates.iter().rev().take(2).map(|(gate, ..)| *gate);
    circuit
        .inputs
        .iter()
        .copied()
        .chain(latches)
        .chain(gates)
        .collect()
}

/// The case with as little as possible for which `check` still complains, and its complaint.
pub fn shrink<T>(
    mut case: Case,
    mut message: String,
    check: impl Fn(&Case) -> Result<T, String>,
) -> (Case, String) {
    // A simpler case may be simplified back and forth, hence the bound.
    for _ in 0..200 {
        let smaller = case.smaller().into_iter();
        let failing = smaller
            .filter_map(|case| Some((check(&case).err()?, case)))
            .next();
        match failing {
            Some((found, smaller)) => (case, message) = (smaller, found),
            None => break,
        }
    }
    (case, message)
}
