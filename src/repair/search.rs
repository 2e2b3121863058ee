//! Corrections of one location.
//!
//! The components are opened, the game is solved once more for them alone, and functions
//! are extracted from a memoryless strategy. If the heuristic finds none, an
//! [exhaustive search](super::exhaustive) over the values of the choice decides, as far as
//! its budget goes. Latches that the properties do not depend on are no part of the game,
//! and yet a correction can use one as its memory: they are taken in before it is said that
//! there is no function.

use super::arena::RepairArena;
use super::exhaustive::{self, Decision};
use super::extract::{Extraction, Relation, alternatives};
use super::finite_state::FiniteState;
use super::function;
use super::locate::Location;
use super::memoryless::memoryless;
use super::readable::{Readable, hidden_state, near_signals};
use super::template::{self, Found};
use super::{GameOptions, RepairError};
use crate::bdd::Variable;
use crate::design::{
    Candidate, Design, Elaboration, Function, Literal, Netlist, NodeId, Replacement, Reset, Timing,
};
use crate::game::{Arena, Game, Winner};
use crate::spec::Spec;

/// More latches and inputs than this are not taken into a game that is won without them.
const MOST_OUTSIDE: usize = 40;

/// What a location offers.
pub enum Offer {
    /// Candidates, the cheapest first; each still has to be certified.
    Candidates(Vec<Candidate>),
    /// The system wins only with memory: no function of the signals does.
    NeedsMemory,
    /// The system wins, but no function was found within the budget.
    NotFound,
    /// The environment wins.
    Lost,
}

/// What one location leaves for the next.
pub struct Effort {
    /// Steps of the exhaustive search.
    pub budget: usize,
    /// Latches and inputs of the source in an order that served the last game.
    pub order: Vec<NodeId>,
}

impl Effort {
    fn learn(&mut self, game: &Game, netlist: &Netlist) {
        let source = netlist.design().len();
        self.order = game.order();
        self.order.retain(|id| id.index() < source);
    }
}

/// Corrections of the location, up to the wanted number of alternatives.
pub fn corrections(
    netlist: &Netlist,
    spec: &Spec,
    location: &Location,
    options: &GameOptions,
    effort: &mut Effort,
) -> Result<Offer, RepairError> {
    let elaboration = netlist.elaborate(location)?;
    let rigid: Vec<NodeId> = elaboration
        .holes
        .iter()
        .filter(|hole| hole.timing == Timing::Rigid)
        .flat_map(|hole| hole.choices.iter().map(|choice| choice.node()))
        .collect();
    let mut candidates = Vec::new();
    let mut undecided = false;
    let mut won = false;
    // Reset values are few: each combination is a game of its own.
    for values in 0..1usize << rigid.len() {
        let mut design = elaboration.design.clone();
        for (bit, id) in rigid.iter().enumerate() {
            design.set_reset(
                *id,
                if values >> bit & 1 == 1 {
                    Reset::One
                } else {
                    Reset::Zero
                },
            );
        }
        let constants = |choice: Literal| {
            let bit = rigid.iter().position(|id| *id == choice.node())?;
            Some(Function::Constant(values >> bit & 1 == 1))
        };
        match dynamic_corrections(
            netlist,
            design,
            &elaboration,
            spec,
            options,
            effort,
            &constants,
        )? {
            Offer::Candidates(found) => candidates.extend(found),
            Offer::NotFound => undecided = true,
            Offer::NeedsMemory => won = true,
            Offer::Lost => {}
        }
    }
    candidates.sort_by_key(|candidate| candidate.cost);
    Ok(match (candidates.is_empty(), undecided, won) {
        (false, _, _) => Offer::Candidates(candidates),
        (true, true, _) => Offer::NotFound,
        (true, false, true) => Offer::NeedsMemory,
        (true, false, false) => Offer::Lost,
    })
}

fn dynamic_corrections(
    netlist: &Netlist,
    design: Design,
    elaboration: &Elaboration,
    spec: &Spec,
    options: &GameOptions,
    effort: &mut Effort,
    constants: &dyn Fn(Literal) -> Option<Function>,
) -> Result<Offer, RepairError> {
    let source = design.clone();
    let field = options.automaton.arena(design, spec)?;
    let arena = field.arena();
    let is_exact = arena.automaton_choices.is_empty();
    let mut game = Game::in_order(arena, options.limits.clone(), &effort.order)?;
    let (solution, is_lost) = match &field {
        RepairArena::Gr1(_) => {
            let solution = game.solve_from_either_end()?;
            let is_lost = solution.winner() == Winner::Environment;
            (Some(solution), is_lost)
        }
        RepairArena::EmersonLei(general) => (None, general.good_choices(&game)?.is_zero()),
    };
    effort.learn(&game, netlist);
    if is_lost {
        return Ok(if is_exact {
            Offer::Lost
        } else {
            Offer::NotFound
        });
    }
    let dynamic = elaboration
        .holes
        .iter()
        .filter(|hole| hole.timing == Timing::Dynamic);
    let choices: Vec<Literal> = dynamic
        .flat_map(|hole| hole.choices.iter().copied())
        .collect();
    let to_candidate = |functions: &[(Literal, Function)], cost: usize| Candidate {
        replacements: elaboration
            .holes
            .iter()
            .map(|hole| Replacement {
                component: hole.component,
                functions: hole
                    .choices
                    .iter()
                    .map(|choice| {
                        let known = functions.iter().find(|(known, _)| known == choice);
                        let function = known.map(|(_, function)| function.clone());
                        // A choice that the objective does not depend on may be anything.
                        function
                            .or_else(|| constants(*choice))
                            .unwrap_or(Function::Constant(false))
                    })
                    .collect(),
            })
            .collect(),
        registers: None,
        cost,
    };
    let mut open = open_choices(&choices, &game);
    if open.is_empty() {
        return Ok(Offer::Candidates(vec![to_candidate(&[], 0)]));
    }
    let mut readable = Readable::new(netlist, arena, &game, elaboration, options)?;
    let signals = &readable.signals;
    if let Some(solution) = &solution {
        let strategy = game.strategy(solution)?;
        let hidden = hidden_state(arena, &game, options);
        let automaton = arena.automaton_choices.iter();
        let automaton: Vec<Variable> = automaton.filter_map(|id| game.variable(*id)).collect();
        let relation = memoryless(&mut game, solution, &strategy, &hidden, &automaton)?;
        let mut candidates = Vec::new();
        if let Some(relation) = relation {
            let relation = Relation {
                choices: variables(&open, &game),
                ..relation
            };
            for extraction in alternatives(&relation, signals, options.alternatives)? {
                let cost = extraction.cost();
                candidates.push(to_candidate(&named(&open, extraction), cost));
            }
        }
        if !candidates.is_empty() {
            return Ok(Offer::Candidates(candidates));
        }
    }
    let near = near_signals(arena, elaboration, signals);
    let from_tables = table_corrections(&source, &open, &near, spec, options, &effort.order)?;
    if !from_tables.is_empty() {
        let candidates = from_tables.into_iter().map(|found| {
            let functions: Vec<_> = open.iter().copied().zip(found.functions).collect();
            to_candidate(&functions, found.cost)
        });
        return Ok(Offer::Candidates(candidates.collect()));
    }
    let Some(solution) = solution else {
        return Ok(Offer::NotFound);
    };
    if options.allow_state {
        let strategy = FiniteState {
            arena,
            game: &game,
            strategy: &game.strategy(&solution)?,
            choices: &open,
            signals,
        };
        if let Some((functions, registers)) = strategy.correction()? {
            let cost = functions
                .iter()
                .map(|(_, function)| function::cost(function))
                .sum();
            let candidate = Candidate {
                registers: Some(registers),
                ..to_candidate(&functions, cost)
            };
            return Ok(Offer::Candidates(vec![candidate]));
        }
    }
    if !is_exact {
        return Ok(Offer::NotFound);
    }
    let decision = loop {
        let decision = exhaustive::search(
            &game,
            &solution,
            &variables(&open, &game),
            &readable.signals,
            effort.budget,
            &options.limits,
        )?;
        if !matches!(decision, Decision::Impossible) || readable.outside.is_empty() {
            break decision;
        }
        if !take_in(&mut game, arena, &readable.outside)? {
            break Decision::OutOfBudget;
        }
        open = open_choices(&choices, &game);
        readable = Readable::new(netlist, arena, &game, elaboration, options)?;
    };
    match decision {
        Decision::Found(extraction) => {
            let cost = extraction.cost();
            Ok(Offer::Candidates(vec![to_candidate(
                &named(&open, extraction),
                cost,
            )]))
        }
        Decision::Impossible => Ok(Offer::NeedsMemory),
        Decision::OutOfBudget => Ok(Offer::NotFound),
    }
}

/// The choices that have an effect in the game.
fn open_choices(choices: &[Literal], game: &Game) -> Vec<Literal> {
    let is_open = |choice: &&Literal| game.variable(choice.node()).is_some();
    choices.iter().filter(is_open).copied().collect()
}

fn variables(choices: &[Literal], game: &Game) -> Vec<Variable> {
    let variable = |choice: &Literal| game.variable(choice.node());
    choices.iter().filter_map(variable).collect()
}

/// Lets the game show signals that it had no part for; `false` if they are too many or too
/// big.
fn take_in(game: &mut Game, arena: &Arena, signals: &[Literal]) -> Result<bool, RepairError> {
    let leaves = arena.design.leaves_from(signals.iter().copied());
    let added = leaves.iter().filter(|id| game.variable(**id).is_none());
    Ok(added.count() <= MOST_OUTSIDE && game.include(arena, signals)?)
}

/// Corrections that read only one of these lists of signals.
fn table_corrections(
    source: &Design,
    choices: &[Literal],
    near: &[Vec<Literal>],
    spec: &Spec,
    options: &GameOptions,
    order: &[NodeId],
) -> Result<Vec<Found>, RepairError> {
    let is_small = |signals: &&Vec<Literal>| template::is_small(choices.len(), signals.len());
    for signals in near.iter().filter(is_small) {
        let found = template::functions_over(source, choices, signals, spec, options, order)?;
        if !found.is_empty() {
            return Ok(found);
        }
    }
    Ok(Vec::new())
}

fn named(choices: &[Literal], extraction: Extraction) -> Vec<(Literal, Function)> {
    choices.iter().copied().zip(extraction.functions).collect()
}
