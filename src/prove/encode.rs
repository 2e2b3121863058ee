//! Gates as clauses, as far as questions need them [Tse68].
//!
//! A variable for each gate would be many: a choice between two values is three gates, and a
//! conjunction of eight literals is seven. Ours recognises both, and exclusive ors among the
//! choices, and gives one variable to each; the gates within get none unless another question
//! asks for them. Values of the variables below determine all values above by propagation
//! alone, as with a variable for each gate.

use super::circuit::Circuit;
use crate::design::{Literal, NodeId};
use crate::sat::{self, Solver};

/// What has gates: a circuit, or one that was unrolled.
pub trait Gates {
    fn gate(&self, id: NodeId) -> Option<(Literal, Literal)>;

    /// Whether more than one gate reads a gate.
    fn is_shared(&self, id: NodeId) -> bool;
}

impl Gates for Circuit {
    fn gate(&self, id: NodeId) -> Option<(Literal, Literal)> {
        Circuit::gate(self, id)
    }

    fn is_shared(&self, id: NodeId) -> bool {
        Circuit::is_shared(self, id)
    }
}

/// What a gate says together with those that only it reads.
enum Shape {
    Conjunction(Vec<Literal>),
    /// If the first holds, the second, or else the third.
    Choice(Literal, Literal, Literal),
}

impl Shape {
    fn operands(&self) -> impl Iterator<Item = Literal> + '_ {
        let (many, three) = match self {
            Shape::Conjunction(operands) => (operands.as_slice(), [None; 3]),
            Shape::Choice(select, then, otherwise) => {
                (&[][..], [Some(*select), Some(*then), Some(*otherwise)])
            }
        };
        many.iter().copied().chain(three.into_iter().flatten())
    }
}

/// A conjunction has at most so many literals: longer clauses propagate late.
const MOST_OPERANDS: usize = 8;

const NONE: u32 = u32::MAX;

/// What a solver may begin with when it looks for values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decisions {
    /// Inputs and latches, from which all else follows: good for many small questions.
    Leaves,
    /// Gates as well: good for large questions.
    All,
}

/// Which variable of a solver stands for which node.
#[derive(Clone, Debug)]
pub struct Encoding {
    decisions: Decisions,
    variables: Vec<u32>,
    pending: Vec<NodeId>,
}

impl Encoding {
    pub fn new(decisions: Decisions) -> Encoding {
        Encoding {
            decisions,
            variables: Vec::new(),
            pending: Vec::new(),
        }
    }

    /// A literal of the solver that equals one of the gates in every solution. The gates that
    /// it depends on become clauses if they are none yet.
    pub fn literal<S: Solver>(
        &mut self,
        gates: &impl Gates,
        literal: Literal,
        solver: &mut S,
    ) -> sat::Literal {
        if self.known(literal).is_none() {
            self.encode(gates, literal.node(), solver);
        }
        let variable = self.variables[literal.node().index()];
        sat::Literal::new(variable, literal.is_complemented())
    }

    /// The same if the gates are clauses already.
    pub fn known(&self, literal: Literal) -> Option<sat::Literal> {
        let variable = *self.variables.get(literal.node().index())?;
        (variable != NONE).then(|| sat::Literal::new(variable, literal.is_complemented()))
    }

    fn encode<S: Solver>(&mut self, gates: &impl Gates, root: NodeId, solver: &mut S) {
        self.pending.push(root);
        while let Some(id) = self.pending.last().copied() {
            if self.known(id.literal()).is_some() {
                self.pending.pop();
                continue;
            }
            let Some(operands) = gates.gate(id) else {
                self.pending.pop();
                let leaf = solver.new_variable();
                self.set(id, leaf);
                if id == NodeId::CONSTANT {
                    solver.add_clause(&[!leaf]);
                }
                continue;
            };
            let shape = self.shape(gates, operands);
            let before = self.pending.len();
            let missing = shape.operands().filter(|one| self.known(*one).is_none());
            let missing: Vec<NodeId> = missing.map(Literal::node).collect();
            self.pending.extend(missing);
            if self.pending.len() == before {
                self.pending.pop();
                let gate = match self.decisions {
                    Decisions::Leaves => solver.new_dependent(),
                    Decisions::All => solver.new_variable(),
                };
                self.set(id, gate);
                self.add_clauses(gate, &shape, solver);
            }
        }
    }

    /// What a gate with these operands says.
    fn shape(&self, gates: &impl Gates, operands: (Literal, Literal)) -> Shape {
        if let Some((select, then, otherwise)) = choice(gates, operands) {
            let inner = [operands.0, operands.1];
            if inner.iter().any(|one| self.known(*one).is_none()) {
                return Shape::Choice(select, then, otherwise);
            }
        }
        let mut conjunction = Vec::new();
        let mut pending = vec![operands.1, operands.0];
        while let Some(literal) = pending.pop() {
            let inner = gates.gate(literal.node()).filter(|inner| {
                !literal.is_complemented()
                    && conjunction.len() + pending.len() + 2 <= MOST_OPERANDS
                    && !gates.is_shared(literal.node())
                    && self.known(literal).is_none()
                    && choice(gates, *inner).is_none()
            });
            match inner {
                Some((left, right)) => pending.extend([right, left]),
                None => conjunction.push(literal),
            }
        }
        Shape::Conjunction(conjunction)
    }

    /// Makes a variable equal to what a gate says, whose operands are known.
    fn add_clauses<S: Solver>(&self, gate: sat::Literal, shape: &Shape, solver: &mut S) {
        let of = |literal: Literal| self.known(literal).unwrap_or(gate);
        match shape {
            Shape::Conjunction(operands) => {
                let mut whole = vec![gate];
                for operand in operands {
                    solver.add_clause(&[!gate, of(*operand)]);
                    whole.push(!of(*operand));
                }
                solver.add_clause(&whole);
            }
            Shape::Choice(select, then, otherwise) => {
                let (select, first, second) = (of(*select), of(*then), of(*otherwise));
                solver.add_clause(&[!select, !first, gate]);
                solver.add_clause(&[!select, first, !gate]);
                solver.add_clause(&[select, !second, gate]);
                solver.add_clause(&[select, second, !gate]);
                // What both values have in common follows before it is known which one counts.
                if then.node() != otherwise.node() {
                    solver.add_clause(&[!first, !second, gate]);
                    solver.add_clause(&[first, second, !gate]);
                }
            }
        }
    }

    /// The value that the solver has found for a literal, which the last question depended on.
    pub fn value<S: Solver>(&self, gates: &impl Gates, literal: Literal, solver: &S) -> bool {
        if let Some(known) = self.known(literal) {
            return solver.value(known);
        }
        let inner = gates.gate(literal.node()).is_some_and(|(left, right)| {
            self.value(gates, left, solver) && self.value(gates, right, solver)
        });
        inner != literal.is_complemented()
    }

    fn set(&mut self, id: NodeId, literal: sat::Literal) {
        if self.variables.len() <= id.index() {
            self.variables.resize(id.index() + 1, NONE);
        }
        self.variables[id.index()] = literal.variable();
    }
}

/// A gate of two gates that exclude each other, as a choice: `!(s & t) & !(!s & e)` is `!t` if
/// `s` holds, and else `!e`.
fn choice(gates: &impl Gates, operands: (Literal, Literal)) -> Option<(Literal, Literal, Literal)> {
    let inner = |literal: Literal| {
        let inner = gates.gate(literal.node());
        inner.filter(|_| literal.is_complemented())
    };
    let (left, right) = (inner(operands.0)?, inner(operands.1)?);
    let pairs = [(left.0, left.1), (left.1, left.0)];
    pairs.into_iter().find_map(|(select, then)| match right {
        (other, otherwise) if other == !select => Some((select, !then, !otherwise)),
        (otherwise, other) if other == !select => Some((select, !then, !otherwise)),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::{Design, InputKind, Simulator};
    use crate::prove::Question;
    use crate::random::Random;
    use crate::sat::{Answer, DefaultSolver, Meter};

    const INPUTS: usize = 6;

    /// Choices, exclusive ors, conjunctions of several literals, and parts of all of them that
    /// others read, too.
    fn random_design(random: &mut Random) -> (Design, Vec<Literal>) {
        let mut design = Design::new();
        let mut literals: Vec<Literal> = (0..INPUTS)
            .map(|_| design.add_input(InputKind::Environment).literal())
            .collect();
        for _ in 0..14 {
            let mut operand = || random.pick(&literals).complement_if(random.flip());
            let (first, second, third) = (operand(), operand(), operand());
            let made = match random.below(4) {
                0 => vec![design.xor(first, second)],
                1 => {
                    let (then, otherwise) = (design.and(first, second), design.and(!first, third));
                    vec![design.and(!then, !otherwise), then]
                }
                2 => vec![design.and_all([first, second, third])],
                _ => vec![design.and(first, second)],
            };
            literals.extend(made);
        }
        (design, literals)
    }

    /// With all inputs assumed, each gate has its value, whichever gates were asked for and in
    /// whichever order, and with no decision among the gates.
    #[test]
    fn inputs_determine_gates_as_in_simulation() {
        for seed in 0..200 {
            let mut random = Random::new(seed);
            let (design, literals) = random_design(&mut random);
            let question = Question {
                design: &design,
                constraint: Literal::TRUE,
                bad: literals,
            };
            let circuit = Circuit::new(&question);
            let meter = Meter::new(|| false);
            let mut solver = DefaultSolver::new(meter);
            let mut encoding = Encoding::new(Decisions::Leaves);
            let mut simulator = Simulator::new(&design).unwrap();
            for _ in 0..20 {
                let asked = random.below(circuit.bad.len());
                let gate = encoding.literal(&circuit, circuit.bad[asked], &mut solver);
                let bits: Vec<bool> = circuit.inputs().iter().map(|_| random.flip()).collect();
                let inputs = (0..bits.len()).map(|index| circuit.input_literal(index));
                let assumptions: Vec<sat::Literal> = inputs
                    .zip(&bits)
                    .map(|(input, bit)| {
                        let input = encoding.literal(&circuit, input, &mut solver);
                        input.negate_if(!bit)
                    })
                    .collect();
                assert_eq!(
                    solver.solve(&assumptions),
                    Answer::Satisfiable,
                    "seed {seed}"
                );
                simulator.start(|_| 0);
                simulator.settle(|id| {
                    let index = circuit.inputs().iter().position(|input| *input == id);
                    u64::from(index.is_some_and(|index| bits[index]))
                });
                let expected = simulator.value(question.bad[asked]) & 1 == 1;
                assert_eq!(solver.value(gate), expected, "seed {seed}, gate {asked}");
                for (other, literal) in circuit.bad.iter().enumerate() {
                    let expected = simulator.value(question.bad[other]) & 1 == 1;
                    let value = encoding.value(&circuit, *literal, &solver);
                    assert_eq!(value, expected, "seed {seed}, gate {other}");
                }
            }
        }
    }

    /// A choice of three gates, and a conjunction of eight literals: one variable each beside
    /// those of the inputs.
    #[test]
    fn choices_and_long_conjunctions_have_one_variable() {
        let mut design = Design::new();
        let inputs: Vec<Literal> = (0..8)
            .map(|_| design.add_input(InputKind::Environment).literal())
            .collect();
        let exclusive = design.xor(inputs[0], inputs[1]);
        let all = inputs[1..]
            .iter()
            .fold(inputs[0], |all, input| design.and(all, *input));
        let question = Question {
            design: &design,
            constraint: Literal::TRUE,
            bad: vec![exclusive, all],
        };
        let circuit = Circuit::new(&question);
        let mut solver = DefaultSolver::new(Meter::new(|| false));
        let mut encoding = Encoding::new(Decisions::All);
        for bad in &circuit.bad {
            encoding.literal(&circuit, *bad, &mut solver);
        }
        let known = encoding.variables.iter().filter(|code| **code != NONE);
        assert_eq!(known.count(), inputs.len() + 2);
    }
}
