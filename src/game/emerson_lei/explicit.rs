//! The deterministic automaton that an objective on a netlist stands for, state by state.
//!
//! For each reachable value of the latches the netlist is evaluated with inputs as variables
//! of small diagrams, whose leaves are what comes next. A run that is lost has no edge to go
//! on; one that is won goes to a state of its own, and a set of its own says so.

use super::condition::{Colours, Objective};
use crate::design::{Design, Literal, Node, NodeId, Reach, Reset};
use crate::expr::{Expr, ExprKind};
use crate::spec::automaton::decision::{DecisionId, Decisions, Laws};
use crate::spec::automaton::omega::{Automaton, Edge, LongRun, Proposition};
use crate::spec::automaton::{Limits, TooBig};
use crate::spec::formula::{AtomId, Formula, Formulas, TRUE};
use std::collections::{HashMap, HashSet};

/// What a letter leads to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Outcome {
    Lost,
    Won,
    /// Next values of latches so far, then the colours of the step.
    On(Vec<bool>),
}

/// The automaton of an objective over the named inputs of a design, in their order.
pub fn automaton(
    design: &Design,
    objective: &Objective,
    limits: &Limits,
) -> Result<Automaton, TooBig> {
    let colours = objective.colours.literals();
    let mut roots = vec![objective.won, objective.invariant];
    roots.extend(&colours);
    let cone = design.cone(roots.iter().copied(), Reach::Run);
    let used: HashSet<NodeId> = cone.iter().collect();
    let inputs = Inputs::of(design);
    let latches: Vec<NodeId> = design
        .latches()
        .iter()
        .copied()
        .filter(|id| used.contains(id))
        .collect();
    let mut next = Vec::new();
    let mut start = Vec::new();
    for id in &latches {
        if let Some(latch) = design.latch(*id) {
            next.push(latch.next);
            start.push(latch.reset == Reset::One);
        }
    }
    roots.extend(&next);
    let mut order: Vec<NodeId> = design
        .cone(roots.iter().copied(), Reach::Cycle)
        .iter()
        .collect();
    let positions: HashMap<NodeId, usize> = match design.topological_order() {
        Ok(order) => order.into_iter().zip(0..).collect(),
        Err(_) => return Err(TooBig),
    };
    order.sort_by_key(|id| positions.get(id).copied());
    let mut unfolding = Unfolding {
        design,
        objective,
        colours,
        next,
        latches: latches.into_iter().zip(0..).collect(),
        atoms: inputs.atoms,
        order,
        decisions: Decisions::new(limits.nodes),
        outcomes: Vec::new(),
        numbers: HashMap::new(),
    };
    let can_win = objective.won != Literal::FALSE;
    let sets = unfolding.colours.len() + usize::from(can_win);
    let mut acceptance = long_run(&objective.colours, &mut 0);
    if can_win {
        acceptance = LongRun::Or(vec![LongRun::Inf(sets - 1), acceptance]);
    }
    let mut result = Automaton {
        name: String::new(),
        formulas: inputs.formulas,
        propositions: inputs.propositions,
        controllable: None,
        start: vec![0],
        states: Vec::new(),
        sets,
        acceptance,
    };
    let mut states = States::new(start, limits.states);
    while let Some(state) = states.list.get(result.states.len()).cloned() {
        let edges = match state {
            Some(values) => unfolding.edges(&values, &mut states, &mut result.formulas)?,
            None => vec![Edge {
                guard: TRUE,
                successor: result.states.len(),
                marks: vec![sets - 1],
            }],
        };
        result.states.push(edges);
    }
    result.merged(limits)
}

/// The named inputs of a design as propositions.
#[derive(Default)]
struct Inputs {
    formulas: Formulas,
    propositions: Vec<Proposition>,
    atoms: HashMap<NodeId, AtomId>,
}

impl Inputs {
    fn of(design: &Design) -> Inputs {
        let mut inputs = Inputs::default();
        for id in design.inputs() {
            let name = design.name(*id).unwrap_or_default().to_string();
            let formula = inputs.formulas.condition_atom(&Expr {
                kind: ExprKind::Name(vec![name.clone()]),
                span: None,
            });
            if let Formula::Atom(atom) = *inputs.formulas.get(formula) {
                inputs.atoms.insert(*id, atom);
                inputs.propositions.push(Proposition { name, atom });
            }
        }
        inputs
    }
}

/// The states that were found, as values of latches; `None` is the state in which all is won.
struct States {
    list: Vec<Option<Vec<bool>>>,
    numbers: HashMap<Option<Vec<bool>>, usize>,
    most: usize,
}

impl States {
    fn new(start: Vec<bool>, most: usize) -> States {
        States {
            numbers: HashMap::from([(Some(start.clone()), 0)]),
            list: vec![Some(start)],
            most,
        }
    }

    fn number(&mut self, state: Option<Vec<bool>>) -> Result<usize, TooBig> {
        let new = self.list.len();
        let number = *self.numbers.entry(state.clone()).or_insert(new);
        if number == new {
            if new >= self.most {
                return Err(TooBig);
            }
            self.list.push(state);
        }
        Ok(number)
    }
}

struct Unfolding<'a> {
    design: &'a Design,
    objective: &'a Objective,
    colours: Vec<Literal>,
    next: Vec<Literal>,
    /// The index of each latch in a state.
    latches: HashMap<NodeId, usize>,
    atoms: HashMap<NodeId, AtomId>,
    /// Nodes that matter, each after those that it reads.
    order: Vec<NodeId>,
    decisions: Decisions,
    /// By leaf.
    outcomes: Vec<Outcome>,
    numbers: HashMap<Outcome, u32>,
}

impl Unfolding<'_> {
    /// The edges of a state, with states that they lead to.
    fn edges(
        &mut self,
        values: &[bool],
        states: &mut States,
        formulas: &mut Formulas,
    ) -> Result<Vec<Edge>, TooBig> {
        let step = self.step(values)?;
        let mut edges = Vec::new();
        for leaf in self.decisions.leaves(step) {
            let (target, marks) = match &self.outcomes[leaf as usize] {
                Outcome::Lost => continue,
                Outcome::Won => (None, Vec::new()),
                Outcome::On(values) => {
                    let (next, seen) = values.split_at(self.next.len());
                    let seen = seen.iter().enumerate().filter(|(_, seen)| **seen);
                    (Some(next.to_vec()), seen.map(|(set, _)| set).collect())
                }
            };
            edges.push(Edge {
                successor: states.number(target)?,
                guard: self.decisions.guard(formulas, step, leaf),
                marks,
            });
        }
        Ok(edges)
    }

    /// From letters to outcomes.
    fn step(&mut self, state: &[bool]) -> Result<DecisionId, TooBig> {
        let mut values: HashMap<NodeId, DecisionId> = HashMap::new();
        let constants = [self.decisions.leaf(0)?, self.decisions.leaf(1)?];
        for id in &self.order {
            let value = match self.design.node(*id) {
                Node::Constant => constants[0],
                Node::Latch(_) => constants[usize::from(state[self.latches[id]])],
                Node::Input(_) => {
                    self.decisions
                        .branch(self.atoms[id], constants[1], constants[0])?
                }
                Node::And(left, right) => {
                    let left = signed(&mut self.decisions, &values, left)?;
                    let right = signed(&mut self.decisions, &values, right)?;
                    let laws = Laws {
                        neutral: Some(1),
                        absorbing: Some(0),
                    };
                    let mut and = |left: u32, right: u32| Ok(left & right);
                    self.decisions.combine(left, right, laws, &mut and)?
                }
            };
            values.insert(*id, value);
        }
        let (outcomes, numbers) = (&mut self.outcomes, &mut self.numbers);
        let mut number = |outcome: Outcome| -> u32 {
            let new = outcomes.len() as u32;
            let number = *numbers.entry(outcome.clone()).or_insert(new);
            if number == new {
                outcomes.push(outcome);
            }
            number
        };
        let (lost, won) = (number(Outcome::Lost), number(Outcome::Won));
        let empty = number(Outcome::On(Vec::new()));
        let invariant = signed(&mut self.decisions, &values, self.objective.invariant)?;
        let mut step = self
            .decisions
            .map(invariant, |kept| if kept == 1 { empty } else { lost })?;
        let win = signed(&mut self.decisions, &values, self.objective.won)?;
        let mut decide = |step: u32, wins: u32| Ok(if wins == 1 { won } else { step });
        step = self
            .decisions
            .combine(step, win, Laws::default(), &mut decide)?;
        for literal in self.next.iter().chain(&self.colours) {
            let value = signed(&mut self.decisions, &values, *literal)?;
            let (outcomes, numbers) = (&mut self.outcomes, &mut self.numbers);
            let mut extend = |step: u32, value: u32| {
                let Outcome::On(values) = &outcomes[step as usize] else {
                    return Ok(step);
                };
                let mut values = values.clone();
                values.push(value == 1);
                let outcome = Outcome::On(values);
                let new = outcomes.len() as u32;
                let number = *numbers.entry(outcome.clone()).or_insert(new);
                if number == new {
                    outcomes.push(outcome);
                }
                Ok(number)
            };
            step = self
                .decisions
                .combine(step, value, Laws::default(), &mut extend)?;
        }
        Ok(step)
    }
}

fn signed(
    decisions: &mut Decisions,
    values: &HashMap<NodeId, DecisionId>,
    literal: Literal,
) -> Result<DecisionId, TooBig> {
    let value = values[&literal.node()];
    if literal.is_complemented() {
        decisions.map(value, |leaf| 1 - leaf)
    } else {
        Ok(value)
    }
}

/// Colours are sets, by their numbers.
pub fn long_run(colours: &Colours, next: &mut usize) -> LongRun {
    let mut set = || {
        *next += 1;
        *next - 1
    };
    match colours {
        Colours::Constant(value) => LongRun::Constant(*value),
        Colours::Seen(_) => LongRun::Inf(set()),
        Colours::Unseen(_) => LongRun::Fin(set()),
        Colours::And(parts) => LongRun::And(parts.iter().map(|one| long_run(one, next)).collect()),
        Colours::Or(parts) => LongRun::Or(parts.iter().map(|one| long_run(one, next)).collect()),
    }
}
