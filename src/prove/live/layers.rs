//! That some step happens only finitely often, by layers of states [XCGL24].
//!
//! A layer is a set of states that is closed, unless a step leads into an earlier layer, and
//! in which no round is completed except by such a step. So in each layer a run completes no
//! round before it leaves, and it can leave only so often. If the initial states are in a
//! layer, no run is fair.
//!
//! Layers are found depth first. From the initial states IC3 looks for a step that completes a
//! round and leads outside of all layers. If there is one, the same is asked of the state after
//! it, and so on; a state that comes again on this way shows a fair run. If there is none, the
//! invariant by which there is none is the next layer, and the question before it goes on with
//! one layer more. Frames stay true then, because fewer runs count.
//!
//! Unlike the original, ours starts from single states, simulated from what IC3 gives, rather
//! than from cubes; and it keeps of an invariant only the clauses that the absence of rounds
//! rests on, whether or not the state that was asked about needs the others, so that layers
//! are large.

use super::super::circuit::Circuit;
use super::super::encode::{Decisions, Encoding};
use super::super::ic3::{Found, Ic3};
use super::super::{InputRun, Stopped};
use super::states::{State, Stepper};
use crate::design::{Literal, NodeId};
use crate::sat::{self, Answer, DefaultSolver, Meter, Solver};
use std::collections::HashMap;
use std::rc::Rc;

/// So many questions keep their frames; those further up begin anew when they are reached.
const MOST_WITH_FRAMES: usize = 32;

pub type Clause = Vec<Literal>;

pub struct Layers {
    meter: Rc<Meter>,
    /// The only bad literal is that of rounds. The constraint excludes steps into layers.
    circuit: Rc<Circuit>,
    layers: Vec<Vec<Clause>>,
    /// What is asked, each question about the state that the one before has led to.
    questions: Vec<Question>,
    path: Path,
    stepper: Stepper,
}

struct Question {
    /// None for the initial states.
    start: Option<State>,
    /// How long the path is where it starts.
    at: usize,
    search: Option<Search>,
}

struct Search {
    ic3: Ic3,
    first_step_is_done: bool,
    /// How many layers its constraint excludes.
    layers: usize,
}

/// A run from an initial state.
#[derive(Default)]
struct Path {
    initial: Vec<NodeId>,
    steps: Vec<Vec<NodeId>>,
    /// One more than steps.
    states: Vec<State>,
    /// Where states come first.
    positions: HashMap<State, usize>,
    /// The steps that complete a round.
    rounds: Vec<usize>,
}

/// What was found.
pub enum Outcome {
    /// A fair run, and where its loop starts.
    Lasso(InputRun, usize),
    /// Layers; the last one has all initial states.
    Proof(Vec<Vec<Clause>>),
}

impl Layers {
    /// The only bad literal of the circuit holds in the steps that complete a round.
    pub fn new(circuit: Rc<Circuit>, meter: Rc<Meter>) -> Layers {
        let first = Question {
            start: None,
            at: 0,
            search: None,
        };
        Layers {
            meter,
            circuit,
            layers: Vec::new(),
            questions: vec![first],
            path: Path::default(),
            stepper: Stepper::new(),
        }
    }

    /// What the search has come to, for logs.
    pub fn statistics(&self) -> String {
        let clauses: usize = self.layers.iter().map(Vec::len).sum();
        format!(
            "{} layers with {clauses} clauses, {} rounds deep",
            self.layers.len(),
            self.questions.len() - 1
        )
    }

    pub fn search(&mut self) -> Result<Outcome, Stopped> {
        loop {
            // A question can be answered at once, and to ask it takes a solver of its own.
            self.meter.spend(self.circuit.size() as u64);
            if self.meter.is_over_by_the_clock() {
                return Err(Stopped);
            }
            let Some(question) = self.questions.last() else {
                return Ok(Outcome::Proof(self.layers.clone()));
            };
            if let Some(start) = &question.start
                && self
                    .layers
                    .last()
                    .is_some_and(|layer| holds(&self.circuit, layer, start))
            {
                self.leave();
                continue;
            }
            match self.ask()? {
                Found::Violation(_, run) => {
                    if let Some(lasso) = self.follow(run) {
                        return Ok(lasso);
                    }
                }
                Found::Invariant(cubes) => {
                    let clause = |cube: Vec<Literal>| cube.into_iter().map(|one| !one).collect();
                    let clauses: Vec<Clause> = cubes.into_iter().map(clause).collect();
                    let clauses =
                        Core::new(&self.circuit, &clauses, self.meter.clone()).needed()?;
                    self.leave();
                    self.add_layer(clauses);
                }
            }
        }
    }

    /// Whether a round can be completed, and lead out of all layers, from where the last
    /// question starts.
    fn ask(&mut self) -> Result<Found, Stopped> {
        let Some(question) = self.questions.last_mut() else {
            return Ok(Found::Invariant(Vec::new()));
        };
        let circuit = || match &question.start {
            Some(state) => Rc::new(self.circuit.starting_in(state)),
            None => self.circuit.clone(),
        };
        let search = question.search.get_or_insert_with(|| Search {
            ic3: Ic3::new(circuit(), self.meter.clone()),
            first_step_is_done: false,
            layers: self.layers.len(),
        });
        if search.layers < self.layers.len() {
            search.ic3.restrict(circuit());
            search.layers = self.layers.len();
        }
        if !search.first_step_is_done {
            if let Some(run) = search.ic3.first_step(0)? {
                return Ok(Found::Violation(0, run));
            }
            search.first_step_is_done = true;
        }
        search.ic3.search(&[0])
    }

    /// Goes the way that the last question has found; a loop on it is a fair run.
    fn follow(&mut self, run: InputRun) -> Option<Outcome> {
        let circuit = &self.circuit;
        let path = &mut self.path;
        if path.states.is_empty() || self.questions.len() == 1 {
            path.cut(0);
            path.states.clear();
            let state = self.stepper.initial(circuit, &run);
            path.positions = HashMap::from([(state.clone(), 0)]);
            path.states.push(state);
            path.initial = run.initial;
        }
        for ones in run.steps {
            let last = path.states.last()?;
            let state = self.stepper.next(circuit, last, &ones);
            if self.stepper.value(circuit.bad[0]) {
                path.rounds.push(path.steps.len());
            }
            path.steps.push(ones);
            let end = path.steps.len();
            if let Some(start) = path.positions.get(&state).copied()
                && path.rounds.last().is_some_and(|round| *round >= start)
            {
                let run = InputRun {
                    initial: path.initial.clone(),
                    steps: path.steps.clone(),
                };
                return Some(Outcome::Lasso(run, start));
            }
            path.positions.entry(state.clone()).or_insert(end);
            path.states.push(state);
        }
        self.meter
            .spend((path.steps.len() * circuit.size()) as u64 / 16);
        self.questions.push(Question {
            start: path.states.last().cloned(),
            at: path.steps.len(),
            search: None,
        });
        let count = self.questions.len();
        if let Some(index) = count.checked_sub(MOST_WITH_FRAMES + 1) {
            self.questions[index].search = None;
        }
        None
    }

    /// The last question is answered.
    fn leave(&mut self) {
        self.questions.pop();
        let at = self.questions.last().map_or(0, |question| question.at);
        self.path.cut(at);
    }

    fn add_layer(&mut self, clauses: Vec<Clause>) {
        let mut circuit = Circuit::clone(&self.circuit);
        // Outside of the layer after the step: some clause does not hold.
        let mut inside = Literal::TRUE;
        for clause in &clauses {
            let mut broken = Literal::TRUE;
            for literal in clause {
                broken = circuit.add_and(broken, !circuit.next(*literal));
            }
            inside = circuit.add_and(inside, !broken);
        }
        circuit.constraint = circuit.add_and(circuit.constraint, !inside);
        self.circuit = Rc::new(circuit);
        self.layers.push(clauses);
    }
}

impl Path {
    /// Forgets all steps but the first ones.
    fn cut(&mut self, steps: usize) {
        for (position, state) in self.states.iter().enumerate().skip(steps + 1) {
            if self.positions.get(state) == Some(&position) {
                self.positions.remove(state);
            }
        }
        self.states.truncate(steps + 1);
        self.steps.truncate(steps);
        self.rounds.retain(|round| *round < steps);
    }
}

/// Whether all clauses hold in a state.
fn holds(circuit: &Circuit, clauses: &[Clause], state: &[bool]) -> bool {
    let value = |literal: &Literal| {
        let index = circuit.latch_index(literal.node());
        index.is_some_and(|index| state[index] != literal.is_complemented())
    };
    clauses.iter().all(|clause| clause.iter().any(value))
}

/// Which clauses of an invariant the absence of rounds rests on.
struct Core<'c> {
    circuit: &'c Circuit,
    clauses: &'c [Clause],
    encoding: Encoding,
    solver: DefaultSolver,
    /// Makes each clause count.
    active: Vec<sat::Literal>,
}

impl<'c> Core<'c> {
    fn new(circuit: &'c Circuit, clauses: &'c [Clause], meter: Rc<Meter>) -> Core<'c> {
        let mut core = Core {
            circuit,
            clauses,
            encoding: Encoding::new(Decisions::Leaves),
            solver: DefaultSolver::new(meter),
            active: Vec::new(),
        };
        let constraint = core.literal(circuit.constraint);
        core.solver.add_clause(&[constraint]);
        for clause in clauses {
            let active = core.solver.new_variable();
            let mut literals: Vec<sat::Literal> = clause
                .iter()
                .map(|literal| core.literal(*literal))
                .collect();
            literals.push(!active);
            core.solver.add_clause(&literals);
            core.active.push(active);
        }
        core
    }

    fn literal(&mut self, literal: Literal) -> sat::Literal {
        self.encoding
            .literal(self.circuit, literal, &mut self.solver)
    }

    /// A part of the clauses that is closed and excludes rounds as well.
    fn needed(mut self) -> Result<Vec<Clause>, Stopped> {
        let mut is_needed = vec![false; self.clauses.len()];
        let mut pending = Vec::new();
        let round = self.circuit.bad[0];
        self.require(&[round], &mut is_needed, &mut pending)?;
        while let Some(index) = pending.pop() {
            let clause = self.clauses[index].iter();
            let broken: Vec<Literal> = clause.map(|one| !self.circuit.next(*one)).collect();
            self.require(&broken, &mut is_needed, &mut pending)?;
        }
        let kept = self.clauses.iter().zip(is_needed).filter(|(_, kept)| *kept);
        Ok(kept.map(|(clause, _)| clause.clone()).collect())
    }

    /// Marks clauses by which some literals do not hold together; first those that are marked
    /// already are tried.
    fn require(
        &mut self,
        literals: &[Literal],
        is_needed: &mut [bool],
        pending: &mut Vec<usize>,
    ) -> Result<(), Stopped> {
        let literals: Vec<sat::Literal> = literals.iter().map(|one| self.literal(*one)).collect();
        for only_marked in [true, false] {
            let mut assumptions = literals.clone();
            let indices = 0..self.active.len();
            let counted = indices.filter(|index| !only_marked || is_needed[*index]);
            assumptions.extend(counted.map(|index| self.active[index]));
            match self.solver.solve(&assumptions) {
                Answer::Unsatisfiable => {
                    for (index, active) in self.active.iter().enumerate() {
                        if self.solver.is_in_core(*active) && !is_needed[index] {
                            is_needed[index] = true;
                            pending.push(index);
                        }
                    }
                    return Ok(());
                }
                // With all of them it cannot be: they are an invariant.
                Answer::Satisfiable => {}
                Answer::Stopped => return Err(Stopped),
            }
        }
        Ok(())
    }
}
