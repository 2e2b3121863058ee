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
use super::template;
use super::{GameOptions, RepairError};
use crate::bdd::Variable;
use crate::design::{
    Candidate, Design, Elaboration, Function, Literal, Netlist, NodeId, Replacement, Reset, Timing,
};
use crate::game::{Arena, Game, Solution, Winner};
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
        let opened = Opened {
            netlist,
            spec,
            options,
            elaboration: &elaboration,
            constants: &constants,
        };
        match opened.offer(design, effort)? {
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

/// An opened location with fixed reset values.
struct Opened<'a> {
    netlist: &'a Netlist,
    spec: &'a Spec,
    options: &'a GameOptions,
    elaboration: &'a Elaboration,
    /// The functions of choices that are reset values.
    constants: &'a dyn Fn(Literal) -> Option<Function>,
}

impl Opened<'_> {
    /// What the location offers with these reset values: the methods one after the other, the
    /// cheapest first.
    fn offer(&self, design: Design, effort: &mut Effort) -> Result<Offer, RepairError> {
        let (source, options) = (design.clone(), self.options);
        let field = options.automaton.arena(design, self.spec)?;
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
        effort.learn(&game, self.netlist);
        if is_lost {
            return Ok(if is_exact {
                Offer::Lost
            } else {
                Offer::NotFound
            });
        }
        let open = open_choices(&self.choices(), &game);
        if open.is_empty() {
            return Ok(Offer::Candidates(vec![self.candidate(&[], 0)]));
        }
        let mut won = WonGame {
            opened: self,
            arena,
            readable: self.readable(arena, &game)?,
            game,
            open,
        };
        if let Some(solution) = &solution {
            let candidates = won.memoryless(solution)?;
            if !candidates.is_empty() {
                return Ok(Offer::Candidates(candidates));
            }
        }
        let candidates = won.from_tables(&source, &effort.order)?;
        if !candidates.is_empty() {
            return Ok(Offer::Candidates(candidates));
        }
        let Some(solution) = solution else {
            return Ok(Offer::NotFound);
        };
        if options.allow_state
            && let Some(candidate) = won.with_registers(&solution)?
        {
            return Ok(Offer::Candidates(vec![candidate]));
        }
        if !is_exact {
            return Ok(Offer::NotFound);
        }
        won.exhaustive(&solution, effort.budget)
    }

    /// The choices that may be another value in each step.
    fn choices(&self) -> Vec<Literal> {
        let holes = self.elaboration.holes.iter();
        let dynamic = holes.filter(|hole| hole.timing == Timing::Dynamic);
        let choices = dynamic.flat_map(|hole| hole.choices.iter().copied());
        choices.collect()
    }

    fn readable(&self, arena: &Arena, game: &Game) -> Result<Readable, RepairError> {
        Readable::new(self.netlist, arena, game, self.elaboration, self.options)
    }

    /// A correction with these functions for the choices.
    fn candidate(&self, functions: &[(Literal, Function)], cost: usize) -> Candidate {
        let function = |choice: &Literal| {
            let known = functions.iter().find(|(known, _)| known == choice);
            let function = known.map(|(_, function)| function.clone());
            // A choice that the objective does not depend on may be anything.
            function
                .or_else(|| (self.constants)(*choice))
                .unwrap_or(Function::Constant(false))
        };
        let holes = self.elaboration.holes.iter();
        let replacements = holes.map(|hole| Replacement {
            component: hole.component,
            functions: hole.choices.iter().map(function).collect(),
        });
        Candidate {
            replacements: replacements.collect(),
            registers: None,
            cost,
        }
    }

    fn extracted(&self, open: &[Literal], extraction: Extraction) -> Candidate {
        let cost = extraction.cost();
        let functions: Vec<_> = open.iter().copied().zip(extraction.functions).collect();
        self.candidate(&functions, cost)
    }
}

/// A game of an opened location that the system wins.
struct WonGame<'a> {
    opened: &'a Opened<'a>,
    arena: &'a Arena,
    game: Game,
    /// The choices that have an effect in the game.
    open: Vec<Literal>,
    readable: Readable,
}

impl WonGame<'_> {
    /// Functions extracted from a strategy without memory.
    fn memoryless(&mut self, solution: &Solution) -> Result<Vec<Candidate>, RepairError> {
        let (opened, arena, game) = (self.opened, self.arena, &mut self.game);
        let strategy = game.strategy(solution)?;
        let hidden = hidden_state(arena, game, opened.options);
        let automaton = arena.automaton_choices.iter();
        let automaton: Vec<Variable> = automaton.filter_map(|id| game.variable(*id)).collect();
        let relation = memoryless(game, solution, &strategy, &hidden, &automaton)?;
        let Some(relation) = relation else {
            return Ok(Vec::new());
        };
        let relation = Relation {
            choices: variables(&self.open, game),
            ..relation
        };
        let most = opened.options.alternatives;
        let extractions = alternatives(&relation, &self.readable.signals, most)?.into_iter();
        let candidates = extractions.map(|one| opened.extracted(&self.open, one));
        Ok(candidates.collect())
    }

    /// Functions that read only a few signals near the location.
    fn from_tables(
        &self,
        source: &Design,
        order: &[NodeId],
    ) -> Result<Vec<Candidate>, RepairError> {
        let (opened, choices) = (self.opened, &self.open);
        let near = near_signals(self.arena, opened.elaboration, &self.readable.signals);
        let is_small = |signals: &&Vec<Literal>| template::is_small(choices.len(), signals.len());
        for signals in near.iter().filter(is_small) {
            let (spec, options) = (opened.spec, opened.options);
            let found = template::functions_over(source, choices, signals, spec, options, order)?;
            if !found.is_empty() {
                let candidates = found.into_iter().map(|found| {
                    let functions: Vec<_> = choices.iter().copied().zip(found.functions).collect();
                    opened.candidate(&functions, found.cost)
                });
                return Ok(candidates.collect());
            }
        }
        Ok(Vec::new())
    }

    /// Functions that read registers which the correction adds.
    fn with_registers(&self, solution: &Solution) -> Result<Option<Candidate>, RepairError> {
        let strategy = FiniteState {
            arena: self.arena,
            game: &self.game,
            strategy: &self.game.strategy(solution)?,
            choices: &self.open,
            signals: &self.readable.signals,
        };
        let Some((functions, registers)) = strategy.correction()? else {
            return Ok(None);
        };
        let costs = functions
            .iter()
            .map(|(_, function)| function::cost(function));
        Ok(Some(Candidate {
            registers: Some(registers),
            ..self.opened.candidate(&functions, costs.sum())
        }))
    }

    /// Whether there is any function of what may be read, as far as the budget goes.
    fn exhaustive(&mut self, solution: &Solution, budget: usize) -> Result<Offer, RepairError> {
        let opened = self.opened;
        let decision = loop {
            let decision = exhaustive::search(
                &self.game,
                solution,
                &variables(&self.open, &self.game),
                &self.readable.signals,
                budget,
                &opened.options.limits,
            )?;
            if !matches!(decision, Decision::Impossible) || self.readable.outside.is_empty() {
                break decision;
            }
            if !take_in(&mut self.game, self.arena, &self.readable.outside)? {
                break Decision::OutOfBudget;
            }
            self.open = open_choices(&opened.choices(), &self.game);
            self.readable = opened.readable(self.arena, &self.game)?;
        };
        Ok(match decision {
            Decision::Found(extraction) => {
                Offer::Candidates(vec![opened.extracted(&self.open, extraction)])
            }
            Decision::Impossible => Offer::NeedsMemory,
            Decision::OutOfBudget => Offer::NotFound,
        })
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
