//! Whether every state of a run can be continued, by satisfiability.
//!
//! If in each state some inputs keep the constraint, and for each fairness condition some
//! inputs keep the constraint and meet it, then the environment can go on from everywhere and
//! meet the conditions in turns. That is asked state by state: one solver looks for a state in
//! which none of the inputs known so far will do, another one for inputs that do in that state.
//! If there are none, a part of the state is enough for that, and a prover says whether runs
//! come to it; if not, its invariant is checked and such states are left out. The other way
//! round little is known: a condition that cannot be met at once may be met later, so what
//! this finds is an answer only if it is about the constraint itself.

use super::invariant::{self, Check};
use super::tableau::Product;
use super::{Failure, live};
use crate::bdd::Limits;
use crate::design::{Design, Literal, Node, NodeId, Reach, Reset, Simulator};
use crate::prove::{Finding, InputRun, Prover, Question};
use crate::sat::{self, Answer, DefaultSolver, Meter, Solver};
use crate::source::Diagnostic;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Inputs and states that are tried for one goal.
const MOST_INPUTS: usize = 200;
const MOST_STATES: usize = 20;

pub(super) enum Continuation {
    /// Each state of a run can be continued to a fair run.
    Always,
    /// The steps before a state in which no inputs keep the constraint.
    DeadEnd(InputRun),
    /// Some state may be a dead end because of fairness, or there are too many to try.
    Unclear,
}

pub(super) struct Continuations<'p> {
    product: &'p Product,
    meter: Rc<Meter>,
    limits: Limits,
    /// What is left to show in all states, the constraint last.
    goals: Vec<Goal>,
    /// The cubes of states without inputs that runs do not come to.
    unreachable: Vec<Vec<Literal>>,
    /// Whether runs come to a cube.
    reaching: Option<Reaching>,
}

/// That in each state some inputs make a literal hold.
struct Goal {
    literals: Vec<Literal>,
    is_constraint: bool,
    /// In which states none of the known inputs do.
    states: Copies,
    /// Which inputs do in a state.
    inputs: Copies,
    inputs_known: usize,
    /// The cubes that were left out.
    states_known: usize,
}

struct Reaching {
    cube: Vec<Literal>,
    question: Product,
    bad: Literal,
    prover: Prover,
}

impl<'p> Continuations<'p> {
    pub fn new(product: &'p Product, limits: &Limits) -> Continuations<'p> {
        let stop = limits.clone();
        let meter = Meter::new(move || stop.check().is_err());
        let constraint = product.constraint;
        let goal = |literals: Vec<Literal>| Goal::new(&product.design, literals, meter.clone());
        let conditions = product.fairness.iter();
        let mut goals: Vec<Goal> = conditions
            .map(|condition| goal(vec![constraint, *condition]))
            .collect();
        goals.push(Goal {
            is_constraint: true,
            ..goal(vec![constraint])
        });
        Continuations {
            product,
            goals,
            limits: limits.clone(),
            unreachable: Vec::new(),
            reaching: None,
            meter,
        }
    }

    /// Goes on; an answer if the work was enough for one.
    pub fn search(&mut self, work: u64) -> Result<Option<Continuation>, Failure> {
        self.meter.allow(self.meter.used().saturating_add(work));
        while let Some(goal) = self.goals.last_mut() {
            if let Some(reaching) = &mut self.reaching {
                if !reaching.prover.advance(work) {
                    return Ok(None);
                }
                if let Some(run) = reaching.decided(&self.limits)? {
                    return Ok(Some(Continuation::DeadEnd(run)));
                }
                self.unreachable.push(reaching.cube.clone());
                self.reaching = None;
            }
            for cube in self.unreachable.iter().skip(goal.states_known) {
                goal.states.exclude(cube);
            }
            goal.states_known = self.unreachable.len();
            match goal.search() {
                None => return Ok(None),
                Some(Found::Everywhere) => {
                    self.goals.pop();
                }
                Some(Found::Nowhere(cube)) => {
                    if !goal.is_constraint || self.unreachable.len() == MOST_STATES {
                        return Ok(Some(Continuation::Unclear));
                    }
                    self.reaching = Some(Reaching::new(self.product, cube, &self.limits));
                }
                Some(Found::TooMany) => return Ok(Some(Continuation::Unclear)),
            }
        }
        Ok(Some(Continuation::Always))
    }
}

enum Found {
    Everywhere,
    /// In all states of a cube no inputs make the literals hold.
    Nowhere(Vec<Literal>),
    TooMany,
}

impl Goal {
    fn new(design: &Design, literals: Vec<Literal>, meter: Rc<Meter>) -> Goal {
        let mut states = Copies::new(design, &literals, meter.clone());
        let mut inputs = Copies::new(design, &literals, meter);
        states.add_constant();
        inputs.add_constant();
        inputs.add(None, &literals);
        Goal {
            literals,
            is_constraint: false,
            states,
            inputs,
            inputs_known: 0,
            states_known: 0,
        }
    }

    /// `None` if the work was not enough.
    fn search(&mut self) -> Option<Found> {
        loop {
            match self.states.solver.solve(&[]) {
                Answer::Unsatisfiable => return Some(Found::Everywhere),
                Answer::Stopped => return None,
                Answer::Satisfiable => {}
            }
            let mut state = self.states.state();
            // Latches of cubes that were left out may be none of this goal's.
            state.retain(|(id, _)| self.inputs.latches.contains_key(id));
            let assumptions: Vec<sat::Literal> = state
                .iter()
                .map(|(id, value)| self.inputs.latches[id].negate_if(!value))
                .collect();
            match self.inputs.solver.solve(&assumptions) {
                Answer::Stopped => return None,
                Answer::Satisfiable => {
                    if self.inputs_known == MOST_INPUTS {
                        return Some(Found::TooMany);
                    }
                    self.inputs_known += 1;
                    let ones = self.inputs.ones();
                    self.states.add(Some(&ones), &self.literals);
                }
                Answer::Unsatisfiable => {
                    let assumed = assumptions.iter().zip(&state);
                    let core = assumed.filter(|(one, _)| self.inputs.solver.is_in_core(**one));
                    let cube = core.map(|(_, (id, value))| Literal::new(*id, !value));
                    return Some(Found::Nowhere(cube.collect()));
                }
            }
        }
    }
}

/// Copies of the gates that some literals depend on, all in the same state.
struct Copies {
    solver: DefaultSolver,
    latches: HashMap<NodeId, sat::Literal>,
    inputs: HashMap<NodeId, sat::Literal>,
    /// Gates with their operands, operands first.
    gates: Vec<(NodeId, Literal, Literal)>,
    constant: Option<sat::Literal>,
}

impl Copies {
    fn new(design: &Design, literals: &[Literal], meter: Rc<Meter>) -> Copies {
        let cone = design.cone(literals.iter().copied(), Reach::Cycle);
        let mut copies = Copies {
            solver: DefaultSolver::new(meter),
            latches: HashMap::new(),
            inputs: HashMap::new(),
            gates: Vec::new(),
            constant: None,
        };
        for id in cone.iter() {
            match design.node(id) {
                Node::Latch(_) => {
                    copies.latches.insert(id, copies.solver.new_variable());
                }
                Node::Input(_) => {
                    copies.inputs.insert(id, copies.solver.new_variable());
                }
                Node::And(..) | Node::Constant => {}
            }
        }
        // A design that was checked has an order.
        for id in design.topological_order().unwrap_or_default() {
            if let (true, Node::And(left, right)) = (cone.contains(id), design.node(id)) {
                copies.gates.push((id, left, right));
            }
        }
        copies
    }

    fn add_constant(&mut self) {
        let constant = self.solver.new_variable();
        self.solver.add_clause(&[!constant]);
        self.constant = Some(constant);
    }

    /// A copy: with certain inputs, in which the literals do not all hold; or with inputs that
    /// are to be found, in which they do.
    fn add(&mut self, ones: Option<&HashSet<NodeId>>, literals: &[Literal]) {
        let Some(constant) = self.constant else {
            return;
        };
        let mut values = self.latches.clone();
        for (id, variable) in &self.inputs {
            let value = match ones {
                Some(ones) => constant.negate_if(ones.contains(id)),
                None => *variable,
            };
            values.insert(*id, value);
        }
        values.insert(NodeId::CONSTANT, constant);
        let of = |values: &HashMap<NodeId, sat::Literal>, literal: Literal| {
            values[&literal.node()].negate_if(literal.is_complemented())
        };
        for (id, left, right) in &self.gates {
            let (left, right) = (of(&values, *left), of(&values, *right));
            let gate = self.solver.new_variable();
            self.solver.add_clause(&[!gate, left]);
            self.solver.add_clause(&[!gate, right]);
            self.solver.add_clause(&[gate, !left, !right]);
            values.insert(*id, gate);
        }
        let literals = literals.iter().map(|literal| of(&values, *literal));
        match ones {
            Some(_) => {
                let clause: Vec<sat::Literal> = literals.map(|literal| !literal).collect();
                self.solver.add_clause(&clause);
            }
            None => {
                for literal in literals {
                    self.solver.add_clause(&[literal]);
                }
            }
        }
    }

    /// Leaves out the states of a cube. Latches of which nothing else is known are added.
    fn exclude(&mut self, cube: &[Literal]) {
        let mut clause = Vec::new();
        for literal in cube {
            let solver = &mut self.solver;
            let latch = self.latches.entry(literal.node());
            let latch = *latch.or_insert_with(|| solver.new_variable());
            clause.push(latch.negate_if(!literal.is_complemented()));
        }
        self.solver.add_clause(&clause);
    }

    fn state(&self) -> Vec<(NodeId, bool)> {
        let latches = self.latches.iter();
        let mut state: Vec<(NodeId, bool)> = latches
            .map(|(id, variable)| (*id, self.solver.value(*variable)))
            .collect();
        state.sort_unstable_by_key(|(id, _)| *id);
        state
    }

    fn ones(&self) -> HashSet<NodeId> {
        let inputs = self.inputs.iter();
        inputs
            .filter(|(_, variable)| self.solver.value(**variable))
            .map(|(id, _)| *id)
            .collect()
    }
}

impl Reaching {
    /// A latch says whether all steps so far have kept the constraint, because the state that
    /// is asked about has no step that does.
    fn new(product: &Product, cube: Vec<Literal>, limits: &Limits) -> Reaching {
        let mut design = product.design.clone();
        let kept = design.add_latch(Reset::One);
        let next = design.and(kept.literal(), product.constraint);
        design.set_next(kept, next);
        let bad = design.and_all(cube.iter().copied().chain([kept.literal()]));
        let question = Product {
            design,
            constraint: Literal::TRUE,
            fairness: Vec::new(),
        };
        let stop = limits.clone();
        let prover = Prover::new(
            &Question {
                design: &question.design,
                constraint: question.constraint,
                bad: vec![bad],
            },
            move || stop.check().is_err(),
        );
        Reaching {
            cube,
            question,
            bad,
            prover,
        }
    }

    /// The steps to the cube, or none if no run comes to it.
    fn decided(&self, limits: &Limits) -> Result<Option<InputRun>, Failure> {
        match self.prover.findings().first() {
            Some(Some(Finding::Reached(run))) => {
                let mut run = run.clone();
                // In the last step it is there, and whatever the inputs are breaks something.
                run.steps.pop();
                Ok(Some(run))
            }
            Some(Some(Finding::Unreachable(claim))) => {
                let is_proof = invariant::is_inductive(&self.question, claim, limits)?
                    && invariant::excludes(&self.question, claim, self.bad, limits)?;
                if is_proof {
                    return Ok(None);
                }
                let message = "an invariant that was found does not hold";
                Err(Failure::from(live::wrong(message)))
            }
            _ => Err(Failure::from(live::wrong(
                "a search ended without an answer",
            ))),
        }
    }
}

/// Whether a run keeps the constraint in all steps, and leads to a state in which no inputs
/// do.
pub(super) fn is_dead_end(
    product: &Product,
    run: &InputRun,
    limits: &Limits,
) -> Result<bool, Failure> {
    let design = &product.design;
    let mut simulator = Simulator::new(design).map_err(|error: Diagnostic| Failure::from(error))?;
    let initial: HashSet<NodeId> = run.initial.iter().copied().collect();
    simulator.start(|id| u64::from(initial.contains(&id)));
    for ones in &run.steps {
        let ones: HashSet<NodeId> = ones.iter().copied().collect();
        simulator.settle(|id| u64::from(ones.contains(&id)));
        if simulator.value(product.constraint) & 1 == 0 {
            return Ok(false);
        }
        simulator.advance();
    }
    let mut check = Check::new(design, [product.constraint].into_iter(), limits);
    for id in design.latches() {
        let is_zero = simulator.value(id.literal()) & 1 == 0;
        check.require(&[id.literal().complement_if(is_zero)]);
    }
    Ok(!check.can_fail(&[!product.constraint])?)
}
