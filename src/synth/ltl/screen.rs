//! Runs on which circuits have failed, to turn others down without asking the model checker.
//!
//! What the environment does in a counterexample is played again with another circuit until its
//! state repeats at the start of a round of the loop, and the formulas are evaluated on the run
//! that comes out. If one is false there, the circuit is wrong. Passing says nothing: what is
//! kept has been proved.

use super::aig::{Aig, Lit};
use super::circuit::open_design;
use super::truth::{MOST_STEPS, Shape, Truth};
use crate::design::{Literal, elaborate_atom};
use crate::expr::{TemporalBinary, TemporalUnary};
use crate::spec::ltl::{Given, LtlSpec, Requirement, Requirements};
use crate::spec::{Atom, AtomId, Formula, FormulaId, Formulas};
use std::collections::HashMap;

/// The runs that are kept; those that have turned something down lately come first.
const MOST_RUNS: usize = 300;

/// What the environment does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stimulus {
    /// A value for each input, by step.
    pub inputs: Vec<Vec<bool>>,
    /// The step that follows the last one.
    pub loop_start: usize,
}

pub struct Screen {
    /// The atoms of the formulas, from inputs and outputs.
    atoms: Aig,
    program: Vec<Operation>,
    /// The values that have to be true in the first step.
    required: Vec<usize>,
    runs: Vec<Stimulus>,
}

/// The value of a formula from those of others.
enum Operation {
    Constant(bool),
    /// By its number among the outputs of the graph of atoms.
    Atom(usize),
    Not(usize),
    And(Vec<usize>),
    Or(Vec<usize>),
    Next(usize),
    Until(usize, usize),
    WeakUntil(usize, usize),
    Release(usize, usize),
    StrongRelease(usize, usize),
}

impl Screen {
    /// `None` where formulas speak of the past, or of what a circuit has no value for.
    pub fn new(
        spec: &LtlSpec,
        requirements: &Requirements,
        goals: &[Requirement],
    ) -> Option<Screen> {
        let mut formulas = requirements.formulas.clone();
        let mut roots = Vec::new();
        for given in [Given::Start, Given::All] {
            let own = goals.iter().filter(|goal| goal.given == given);
            let own: Vec<FormulaId> = own.map(|goal| goal.goal).collect();
            if own.is_empty() {
                continue;
            }
            let assumed = formulas.and(requirements.given(given));
            let goal = formulas.and(own);
            roots.push(formulas.implies(assumed, goal));
        }
        let mut compiler = Compiler::default();
        let mut required = Vec::new();
        for root in roots {
            required.push(compiler.formula(&formulas, root)?);
        }
        let (mut design, _) = open_design(spec).ok()?;
        for atom in &compiler.atoms {
            let Atom::Condition(expr) = formulas.atom(*atom) else {
                return None;
            };
            let literal: Literal = elaborate_atom(&mut design, expr).ok()?;
            design.add_output(None, literal, None);
        }
        Some(Screen {
            atoms: Aig::of_design(&design)?,
            program: compiler.program,
            required,
            runs: Vec::new(),
        })
    }

    /// Remembers a run on which a circuit has failed.
    pub fn add(&mut self, run: Stimulus) {
        if run.inputs.len() > run.loop_start && !self.runs.contains(&run) {
            self.runs.insert(0, run);
            self.runs.truncate(MOST_RUNS);
        }
    }

    /// Whether a circuit fails on none of the runs.
    pub fn passes(&mut self, circuit: &Aig) -> bool {
        let failing = self.runs.iter().position(|run| self.fails(circuit, run));
        if let Some(index) = failing {
            let run = self.runs.remove(index);
            self.runs.insert(0, run);
        }
        failing.is_none()
    }

    /// Whether the run of a circuit breaks a formula.
    pub fn fails(&self, circuit: &Aig, run: &Stimulus) -> bool {
        match self.played(circuit, run) {
            Some((atoms, shape)) => {
                let values = self.evaluated(&atoms, shape);
                self.required.iter().any(|index| !values[*index].at(0))
            }
            None => false,
        }
    }

    /// The values of the atoms on the run of a circuit, and its shape; `None` if it is long.
    fn played(&self, circuit: &Aig, run: &Stimulus) -> Option<(Vec<Truth>, Shape)> {
        let round = run.inputs.len() - run.loop_start;
        let mut atoms: Vec<Truth> = vec![Truth::constant(false); self.atoms.outputs.len()];
        let (mut own, mut observer) = (Values::new(circuit), Values::new(&self.atoms));
        // States at the starts of rounds.
        let mut seen: Vec<(usize, Vec<bool>)> = Vec::new();
        for step in 0..=MOST_STEPS {
            let at = if step < run.inputs.len() {
                step
            } else {
                run.loop_start + (step - run.loop_start) % round
            };
            if step >= run.loop_start && at == run.loop_start {
                let mut state = own.state(circuit);
                state.extend(observer.state(&self.atoms));
                if let Some((start, _)) = seen.iter().find(|(_, known)| *known == state) {
                    let shape = Shape {
                        length: step,
                        start: *start,
                    };
                    return Some((atoms, shape));
                }
                seen.push((step, state));
            }
            if step == MOST_STEPS {
                break;
            }
            let inputs = &run.inputs[at];
            own.settle(circuit, inputs.iter().copied());
            let outputs = circuit.outputs.iter().map(|lit| own.value(*lit));
            observer.settle(&self.atoms, inputs.iter().copied().chain(outputs));
            for (atom, lit) in atoms.iter_mut().zip(&self.atoms.outputs) {
                atom.set(step, observer.value(*lit));
            }
            own.advance(circuit);
            observer.advance(&self.atoms);
        }
        None
    }

    fn evaluated(&self, atoms: &[Truth], shape: Shape) -> Vec<Truth> {
        let mut values: Vec<Truth> = Vec::with_capacity(self.program.len());
        for operation in &self.program {
            let value = match operation {
                Operation::Constant(value) => Truth::constant(*value),
                Operation::Atom(atom) => atoms[*atom],
                Operation::Not(one) => values[*one].not(),
                Operation::And(all) => {
                    let all = all.iter().map(|one| values[*one]);
                    all.fold(Truth::constant(true), Truth::and)
                }
                Operation::Or(any) => {
                    let any = any.iter().map(|one| values[*one]);
                    any.fold(Truth::constant(false), Truth::or)
                }
                Operation::Next(one) => shape.next(values[*one]),
                Operation::Until(left, right) => shape.until(values[*left], values[*right], false),
                Operation::WeakUntil(left, right) => {
                    shape.until(values[*left], values[*right], true)
                }
                // By duality.
                Operation::Release(left, right) => {
                    let (left, right) = (values[*left].not(), values[*right].not());
                    shape.until(left, right, false).not()
                }
                Operation::StrongRelease(left, right) => {
                    let (left, right) = (values[*left].not(), values[*right].not());
                    shape.until(left, right, true).not()
                }
            };
            values.push(value);
        }
        values
    }
}

/// The values of the nodes in a step.
struct Values(Vec<bool>);

impl Values {
    /// At the start.
    fn new(circuit: &Aig) -> Values {
        let mut values = vec![false; circuit.len()];
        let first = circuit.first_latch() as usize;
        for (value, (starts_high, _)) in values[first..].iter_mut().zip(&circuit.latches) {
            *value = *starts_high;
        }
        Values(values)
    }

    fn value(&self, lit: Lit) -> bool {
        self.0[(lit >> 1) as usize] ^ (lit & 1 == 1)
    }

    fn state(&self, circuit: &Aig) -> Vec<bool> {
        let first = circuit.first_latch() as usize;
        self.0[first..first + circuit.latches.len()].to_vec()
    }

    fn settle(&mut self, circuit: &Aig, inputs: impl Iterator<Item = bool>) {
        for (value, input) in self.0[1..=circuit.inputs].iter_mut().zip(inputs) {
            *value = input;
        }
        let first = circuit.first_gate() as usize;
        for (index, (left, right)) in circuit.gates.iter().enumerate() {
            self.0[first + index] = self.value(*left) & self.value(*right);
        }
    }

    fn advance(&mut self, circuit: &Aig) {
        let next = circuit.latches.iter().map(|latch| self.value(latch.1));
        let next: Vec<bool> = next.collect();
        let first = circuit.first_latch() as usize;
        self.0[first..first + next.len()].copy_from_slice(&next);
    }
}

#[derive(Default)]
struct Compiler {
    program: Vec<Operation>,
    atoms: Vec<AtomId>,
    known: HashMap<FormulaId, usize>,
}

impl Compiler {
    /// The number of the value of a formula; `None` if it speaks of the past.
    fn formula(&mut self, formulas: &Formulas, root: FormulaId) -> Option<usize> {
        for id in formulas.subformulas(root) {
            if self.known.contains_key(&id) {
                continue;
            }
            let operation = match formulas.get(id) {
                Formula::True => Operation::Constant(true),
                Formula::False => Operation::Constant(false),
                Formula::Atom(atom) => {
                    let index = self.atoms.iter().position(|known| known == atom);
                    Operation::Atom(index.unwrap_or_else(|| {
                        self.atoms.push(*atom);
                        self.atoms.len() - 1
                    }))
                }
                Formula::Not(one) => Operation::Not(self.known[one]),
                Formula::And(all) => Operation::And(all.iter().map(|id| self.known[id]).collect()),
                Formula::Or(any) => Operation::Or(any.iter().map(|id| self.known[id]).collect()),
                Formula::Unary(operator, one) => {
                    let one = self.known[one];
                    match operator {
                        TemporalUnary::Next => Operation::Next(one),
                        TemporalUnary::Finally => Operation::Until(self.constant(true), one),
                        TemporalUnary::Globally => Operation::Release(self.constant(false), one),
                        TemporalUnary::Yesterday
                        | TemporalUnary::WeakYesterday
                        | TemporalUnary::Once
                        | TemporalUnary::Historically => return None,
                    }
                }
                Formula::Binary(operator, left, right) => {
                    let (left, right) = (self.known[left], self.known[right]);
                    match operator {
                        TemporalBinary::Until => Operation::Until(left, right),
                        TemporalBinary::WeakUntil => Operation::WeakUntil(left, right),
                        TemporalBinary::Release => Operation::Release(left, right),
                        TemporalBinary::StrongRelease => Operation::StrongRelease(left, right),
                        TemporalBinary::Since | TemporalBinary::Trigger => return None,
                    }
                }
            };
            self.program.push(operation);
            self.known.insert(id, self.program.len() - 1);
        }
        self.known.get(&root).copied()
    }

    fn constant(&mut self, value: bool) -> usize {
        self.program.push(Operation::Constant(value));
        self.program.len() - 1
    }
}

#[cfg(test)]
mod tests {
    use super::super::aig::tests::random_aig;
    use super::*;
    use crate::expr::{Expr, ExprKind};
    use crate::random::Random;
    use crate::spec::Lasso;
    use crate::spec::ltl::{Part, Section};

    const NAMES: [&str; 3] = ["a", "b", "c"];

    fn random_formula(formulas: &mut Formulas, random: &mut Random, depth: usize) -> FormulaId {
        if depth == 0 {
            let name = random.pick(&NAMES).to_string();
            return formulas.condition_atom(&Expr {
                kind: ExprKind::Name(vec![name]),
                span: None,
            });
        }
        let left = random_formula(formulas, random, depth - 1);
        let right = random_formula(formulas, random, depth - 1);
        match random.below(10) {
            0 => formulas.not(left),
            1 => formulas.and([left, right]),
            2 => formulas.or([left, right]),
            3 => formulas.unary(TemporalUnary::Next, left),
            4 => formulas.unary(TemporalUnary::Finally, left),
            5 => formulas.unary(TemporalUnary::Globally, left),
            6 => formulas.binary(TemporalBinary::Until, left, right),
            7 => formulas.binary(TemporalBinary::WeakUntil, left, right),
            8 => formulas.binary(TemporalBinary::Release, left, right),
            _ => formulas.binary(TemporalBinary::StrongRelease, left, right),
        }
    }

    /// A specification with one formula, over inputs a and b and the output c.
    fn random_spec(random: &mut Random) -> LtlSpec {
        let names = |names: &[&str]| names.iter().map(|name| name.to_string()).collect();
        let mut spec = LtlSpec {
            inputs: names(&NAMES[..2]),
            outputs: names(&NAMES[2..]),
            ..LtlSpec::default()
        };
        let depth = 1 + random.below(4);
        let formula = random_formula(&mut spec.formulas, random, depth);
        spec.parts.push(Part {
            section: Section::Guarantee,
            name: "one".to_string(),
            span: None,
            formula,
        });
        spec
    }

    /// Whether the run of a circuit keeps the formula of a specification, by the definition: the
    /// loop is gone round until the state repeats.
    fn keeps(spec: &LtlSpec, circuit: &Aig, run: &Stimulus) -> bool {
        let mut states = vec![circuit.latches.iter().map(|one| one.0).collect::<Vec<_>>()];
        let mut steps: Vec<Vec<bool>> = Vec::new();
        let at = |step: usize| match step.checked_sub(run.loop_start) {
            Some(over) => run.loop_start + over % (run.inputs.len() - run.loop_start),
            None => step,
        };
        let start = loop {
            let step = steps.len();
            let inputs = &run.inputs[at(step)];
            let mut values = Values(vec![false; circuit.len()]);
            let first = circuit.first_latch() as usize;
            values.0[first..first + circuit.latches.len()].copy_from_slice(&states[step]);
            values.settle(circuit, inputs.iter().copied());
            let mut signals = inputs.clone();
            signals.push(values.value(circuit.outputs[0]));
            let atom = |id: AtomId| match spec.formulas.atom(id) {
                Atom::Condition(expr) => {
                    let text = expr.to_string();
                    let position = NAMES.iter().position(|name| *name == text);
                    signals[position.expect("a name")]
                }
                Atom::Past(_) => unreachable!("there is no past"),
            };
            steps.push(spec.formulas.atom_ids().map(atom).collect());
            let next = circuit.latches.iter().map(|one| values.value(one.1));
            states.push(next.collect());
            let now = step + 1;
            let repeated = |earlier: &usize| {
                *earlier >= run.loop_start
                    && at(*earlier) == at(now)
                    && states[*earlier] == states[now]
            };
            if let Some(earlier) = (0..now).find(repeated) {
                break earlier;
            }
        };
        let cycle = steps.split_off(start);
        let lasso = Lasso::new(steps, cycle).expect("a cycle");
        lasso.satisfies(&spec.formulas, spec.parts[0].formula)
    }

    #[test]
    fn circuits_fail_where_the_definition_says() {
        let mut failed = [0; 2];
        for seed in 0..4_000 {
            let mut random = Random::new(seed);
            let spec = random_spec(&mut random);
            let mut circuit = random_aig(&mut random);
            while circuit.inputs != 2 {
                circuit = random_aig(&mut random);
            }
            circuit.outputs.truncate(1);
            let requirements = spec.requirements();
            let screen = Screen::new(&spec, &requirements, &requirements.goals);
            let screen = screen.expect("no past");
            let length = 1 + random.below(if seed % 4 == 0 { 100 } else { 8 });
            let run = Stimulus {
                inputs: (0..length)
                    .map(|_| vec![random.flip(), random.flip()])
                    .collect(),
                loop_start: random.below(length),
            };
            let expected = !keeps(&spec, &circuit, &run);
            assert_eq!(screen.fails(&circuit, &run), expected, "seed {seed}");
            failed[usize::from(expected)] += 1;
        }
        assert!(failed.iter().all(|count| *count > 500), "{failed:?}");
    }

    /// A run that has turned a circuit down turns it down again, and a longer one than there is
    /// room for says nothing.
    #[test]
    fn what_failed_is_remembered() {
        let mut random = Random::new(1);
        let mut spec = random_spec(&mut random);
        let name = |name: &str| Expr {
            kind: ExprKind::Name(vec![name.to_string()]),
            span: None,
        };
        let output = spec.formulas.condition_atom(&name("c"));
        spec.parts[0].formula = spec.formulas.unary(TemporalUnary::Globally, output);
        let requirements = spec.requirements();
        let mut screen = Screen::new(&spec, &requirements, &requirements.goals).expect("no past");
        let constant = |value: Lit| Aig {
            inputs: 2,
            latches: Vec::new(),
            gates: Vec::new(),
            outputs: vec![value],
        };
        assert!(screen.passes(&constant(0)), "no run is known");
        let run = |length: usize| Stimulus {
            inputs: vec![vec![false; 2]; length],
            loop_start: 0,
        };
        screen.add(run(MOST_STEPS + 1));
        assert!(screen.passes(&constant(0)), "too long");
        screen.add(run(3));
        assert!(!screen.passes(&constant(0)));
        assert!(screen.passes(&constant(1)));
    }
}
