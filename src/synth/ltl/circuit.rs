//! A player's strategy as a circuit over the names of the specification.
//!
//! The moves that a strategy allows become functions, one for each signal of the player, that
//! have to be right only where plays by the strategy get to. The latches of the game that
//! these functions read, directly or through other latches, become latches of the circuit.

use super::forget::Allowed;
use super::form::{Form, Gates};
use crate::bdd::{Bdd, Limits, Result, Variable};
use crate::design::{Design, InputKind, Literal, NodeId, Reset, Word};
use crate::game::emerson_lei::solve::{Plan, Player, Solver};
use crate::game::emerson_lei::strategy::Moves;
use crate::game::{Arena, Budget, Game, Image, Objective};
use crate::source::Diagnostic;
use crate::spec::ltl::{LtlSpec, Observer};
use crate::synth::functions::functions;
use std::collections::HashMap;
use std::time::Duration;

/// How many look-ups of the computed table it is worth to know where plays get to.
const EFFORT: u64 = 3_000_000;
/// The same in nodes and in time, since a single step can be dearer than all these look-ups.
const BUDGET: Budget = Budget {
    nodes: 300_000,
    time: Some(Duration::from_secs(3)),
    work: None,
};

/// A strategy as functions of state and of the other player's moves.
#[derive(Clone)]
pub struct Controller {
    /// For each signal of the player, by its index in the specification.
    pub signals: Vec<(usize, Bdd)>,
    /// The state, with its start and its next value.
    pub state: Vec<(Variable, bool, Bdd)>,
    /// The variable of each signal of the other player.
    pub read: Vec<(usize, Variable)>,
    /// How the functions become gates.
    pub form: Form,
}

/// Which signal of the specification is which node of the arena.
pub struct Ports {
    pub inputs: Vec<NodeId>,
    pub outputs: Vec<NodeId>,
}

/// A design with an input for each signal: the environment's, and the system's as choices.
pub fn open_design(spec: &LtlSpec) -> std::result::Result<(Design, Ports), Diagnostic> {
    let mut design = Design::new();
    let mut add = |names: &[String], kind: InputKind| -> Vec<NodeId> {
        let mut nodes = Vec::new();
        for name in names {
            let id = design.add_input(kind);
            design.set_name(id, name.clone());
            nodes.push(id);
        }
        nodes
    };
    let inputs = add(&spec.inputs, InputKind::Environment);
    let outputs = add(&spec.outputs, InputKind::Choice);
    observe(&mut design, &spec.observer)?;
    Ok((design, Ports { inputs, outputs }))
}

/// Adds what a specification observes to a design that has its signals.
pub fn observe(design: &mut Design, observer: &Observer) -> std::result::Result<(), Diagnostic> {
    if observer.is_empty() {
        return Ok(());
    }
    let signals = design.add_circuit(&observer.circuit)?;
    for (name, signal) in &observer.named {
        design.add_word(Word {
            name: name.clone(),
            signed: false,
            left: 0,
            right: 0,
            bits: vec![signals[signal.index()]],
        });
    }
    Ok(())
}

impl Controller {
    pub fn new(
        solver: &Solver<'_>,
        plan: &Plan,
        ports: &Ports,
        limits: &Limits,
    ) -> Result<Controller> {
        let game = solver.game;
        let manager = game.manager();
        let Moves { relation, memory } = solver.strategy(plan)?;
        let (own, read) = match solver.player {
            Player::System => (&ports.outputs, &ports.inputs),
            Player::Environment => (&ports.inputs, &ports.outputs),
        };
        let variables = |nodes: &[NodeId]| -> Vec<(usize, Variable)> {
            let nodes = nodes.iter().enumerate();
            let found = nodes.filter_map(|(index, id)| Some((index, game.variable(*id)?)));
            found.collect()
        };
        let (own, read) = (variables(own), variables(read));
        let own_variables: Vec<Variable> = own.iter().map(|(_, variable)| *variable).collect();
        let moving: Vec<Variable> = own.iter().chain(&read).map(|(_, id)| *id).collect();

        let initial = game.initial()?;
        let mut next: Vec<(Variable, Bdd)> = game.next_functions().to_vec();
        next.extend(memory.iter().cloned());
        let mut start = initial.clone();
        for (variable, _) in &memory {
            start = start.minus(&manager.literal(*variable)?)?;
        }
        // A play that is decided goes nowhere.
        let undecided = game.assumption().and(game.guarantee())?;
        let image = Image::new(manager, &next, &moving)?;
        let steps = relation.and(&undecided)?;
        let own_set = manager.set(&own_variables)?;
        let possible = relation.exists(&own_set)?;
        let allowed = match reached(&image, &start, &steps, limits)? {
            Some(reached) => possible.and(&reached)?,
            None => possible,
        };
        let needed = Allowed {
            relation,
            care: allowed.clone(),
        };
        let variables: Vec<Variable> = next.iter().map(|(variable, _)| *variable).collect();
        let needed = needed.forgetting(&variables, &own_set, limits)?;
        let chosen = functions(&needed.relation, &needed.care, &own_variables)?;
        let pairs: Vec<(Variable, Bdd)> = own_variables.iter().copied().zip(chosen).collect();
        let played = manager.substitution(&pairs);
        let undecided = undecided.compose(&played)?;
        let mut state = Vec::new();
        for (variable, function) in &next {
            let starts_high = !start.cofactor(&[(*variable, true)])?.is_zero();
            state.push((*variable, starts_high, function.compose(&played)?));
        }
        let next: Vec<(Variable, Bdd)> = state
            .iter()
            .map(|(variable, _, function)| (*variable, function.clone()))
            .collect();
        let image = Image::new(manager, &next, &moving)?;
        let visited = match reached(&image, &start, &undecided, limits)? {
            Some(visited) => visited,
            None => {
                let read: Vec<Variable> = read.iter().map(|(_, variable)| *variable).collect();
                allowed.exists(&manager.set(&read)?)?
            }
        };
        let mut signals = Vec::new();
        for ((index, _), (_, function)) in own.iter().zip(pairs) {
            signals.push((*index, function.minimize(&visited)?));
        }
        let going_on = visited.and(&undecided)?;
        for (_, _, function) in &mut state {
            if !going_on.is_zero() {
                *function = function.minimize(&going_on)?;
            }
        }
        Ok(Controller {
            signals,
            state,
            read,
            form: Form::default(),
        })
    }

    /// A circuit as functions of its latches and inputs; signals and what is read have the
    /// indices that they have in the circuit.
    pub fn of_circuit(circuit: &Design, limits: &Limits) -> Result<Controller> {
        let outputs = circuit.outputs().iter().map(|output| output.literal);
        let arena = Arena {
            design: circuit.clone(),
            objective: Objective {
                goals: outputs.collect(),
                ..Objective::invariant(Literal::TRUE)
            },
            automaton_choices: Vec::new(),
        };
        let game = Game::new(&arena, limits.clone())?;
        let start = game.initial()?;
        let mut state = Vec::new();
        for (variable, next) in game.next_functions() {
            let starts_high = !start.cofactor(&[(*variable, true)])?.is_zero();
            state.push((*variable, starts_high, next.clone()));
        }
        let inputs = circuit.inputs().iter().enumerate();
        Ok(Controller {
            signals: game.goals().iter().cloned().enumerate().collect(),
            state,
            read: inputs
                .filter_map(|(index, id)| Some((index, game.variable(*id)?)))
                .collect(),
            form: Form::default(),
        })
    }

    /// Adds the controller to a design that has an input for each signal that is read, and
    /// gives the literal of each signal.
    pub fn build(&self, design: &mut Design, read: &[NodeId]) -> Vec<(usize, Literal)> {
        let mut known: HashMap<Variable, Literal> = HashMap::new();
        for (index, variable) in &self.read {
            known.insert(*variable, read[*index].literal());
        }
        let by_variable: HashMap<Variable, &(Variable, bool, Bdd)> =
            self.state.iter().map(|one| (one.0, one)).collect();
        // Latches that are needed, in the order in which they are met.
        let mut needed: Vec<(NodeId, &Bdd)> = Vec::new();
        let mut functions: Vec<&Bdd> = self.signals.iter().map(|(_, one)| one).collect();
        while let Some(function) = functions.pop() {
            for variable in function.support() {
                if known.contains_key(&variable) {
                    continue;
                }
                let literal = match by_variable.get(&variable) {
                    Some((_, starts_high, next)) => {
                        let reset = if *starts_high {
                            Reset::One
                        } else {
                            Reset::Zero
                        };
                        let latch = design.add_latch(reset);
                        needed.push((latch, next));
                        functions.push(next);
                        latch.literal()
                    }
                    None => Literal::FALSE,
                };
                known.insert(variable, literal);
            }
        }
        let mut gates = Gates::new(&known, self.form);
        for (latch, next) in &needed {
            let literal = gates.build(design, next);
            design.set_next(*latch, literal);
        }
        self.signals
            .iter()
            .map(|(index, function)| (*index, gates.build(design, function)))
            .collect()
    }
}

/// All states on plays from `start` by these steps; `None` if finding them takes too much.
fn reached(image: &Image, start: &Bdd, steps: &Bdd, limits: &Limits) -> Result<Option<Bdd>> {
    BUDGET.search(start.manager(), limits, || {
        image.reachable_within(start, steps, EFFORT)
    })
}
