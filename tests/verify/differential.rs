//! Random designs and formulas: verdicts against an oracle that looks at each state.

use super::graph::{Graph, random_circuit};
use super::oracle::{shortest_violation, some_run_satisfies};
use super::support::{Circuit, read};
use super::tree::{Operators, Tree};
use respin::certify::{self, Options, Semantics, Verdict};
use respin::random::Random;
use respin::source::Sources;
use respin::spec::Spec;

#[derive(Clone)]
struct Case {
    circuit: Circuit,
    assumptions: Vec<Tree>,
    assertion: Tree,
    semantics: Semantics,
}

impl Case {
    fn random(seed: u64, most_latches: usize, most_inputs: usize) -> Case {
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

    fn text(&self) -> String {
        format!(
            "{:?}\n{}{}",
            self.semantics,
            self.properties(),
            self.circuit.text()
        )
    }

    /// The lengths of shortest finite violations, one for each part that has one, and
    /// whether some infinite run violates the assertion; `None` where the oracle has no
    /// answer.
    fn expected(&self) -> Option<(Vec<usize>, bool)> {
        let graph = Graph::new(&self.circuit, &signals(&self.circuit));
        let assumed: Vec<Tree> = self
            .assumptions
            .iter()
            .flat_map(|tree| tree.normal(true).parts())
            .collect();
        let kept: Vec<Tree> = assumed
            .iter()
            .filter(|tree| tree.is_safe())
            .cloned()
            .collect();
        let mut lengths = Vec::new();
        let mut infinite = false;
        for part in self.assertion.normal(true).parts() {
            if part.is_safe() && self.semantics == Semantics::Strict {
                if part.is_mixed() || kept.iter().any(Tree::is_mixed) {
                    return None;
                }
                lengths.extend(shortest_violation(&graph, &kept, &part));
            } else {
                let mut formulas = assumed.clone();
                formulas.push(part.normal(false));
                infinite |= some_run_satisfies(&graph, &formulas);
            }
        }
        Some((lengths, infinite))
    }

    /// What is wrong, if anything; `Ok(false)` if nothing was compared.
    fn check(&self) -> Result<bool, String> {
        let Some((lengths, infinite)) = self.expected() else {
            return Ok(false);
        };
        let design = self.design();
        let mut sources = Sources::new();
        let text = self.properties();
        let file = sources.add("random.props", text.as_str());
        let mut spec = Spec::new();
        spec.add_property_file(file, &text)
            .map_err(|errors| format!("{errors:?}"))?;
        let options = Options {
            semantics: self.semantics,
            ..Options::default()
        };
        let verdicts =
            certify::check(&design, &spec, &options).map_err(|errors| format!("{errors:?}"))?;
        let [(_, verdict)] = verdicts.as_slice() else {
            // A conjunction of nothing: the assertion is true.
            return Ok(verdicts.is_empty() && lengths.is_empty() && !infinite);
        };
        match verdict {
            Verdict::Holds if lengths.is_empty() && !infinite => Ok(true),
            Verdict::Fails(trace) if !trace.is_infinite() => {
                if lengths.contains(&trace.len()) {
                    Ok(true)
                } else {
                    Err(format!(
                        "{} steps, expected one of {lengths:?}",
                        trace.len()
                    ))
                }
            }
            Verdict::Fails(_) if infinite => Ok(true),
            other => Err(format!(
                "{other:?}, expected {lengths:?} or infinite: {infinite}"
            )),
        }
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

    /// Cases with one thing less.
    fn smaller(&self) -> Vec<Case> {
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
fn signals(circuit: &Circuit) -> Vec<u32> {
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

fn shrink(mut case: Case, mut message: String) -> (Case, String) {
    // A simpler case may be simplified back and forth, hence the bound.
    for _ in 0..200 {
        let smaller = case.smaller().into_iter();
        let failing = smaller
            .filter_map(|case| Some((case.check().err()?, case)))
            .next();
        match failing {
            Some((found, smaller)) => (case, message) = (smaller, found),
            None => break,
        }
    }
    (case, message)
}

fn check_seeds(seeds: std::ops::Range<u64>, most_latches: usize, most_inputs: usize, least: usize) {
    let mut compared = 0;
    for seed in seeds {
        let case = Case::random(seed, most_latches, most_inputs);
        match case.check() {
            Ok(counts) => compared += usize::from(counts),
            Err(message) => {
                let (case, message) = shrink(case, message);
                panic!("seed {seed}: {message}\n{}", case.text());
            }
        }
    }
    assert!(compared >= least, "only {compared} cases were compared");
}

#[test]
fn small_designs_get_the_verdict_of_the_oracle() {
    check_seeds(0..4000, 3, 2, 3500);
}

#[test]
fn bigger_designs_get_the_verdict_of_the_oracle() {
    check_seeds(10_000..10_400, 5, 3, 350);
}
