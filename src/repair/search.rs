//! Corrections of one location.
//!
//! The components are opened, the game is solved once more for them alone, and functions
//! are extracted from a memoryless strategy. If the heuristic finds none, an
//! [exhaustive search](super::exhaustive) over the values of the choice decides, as far as
//! its budget goes.

use super::exhaustive::{self, Decision};
use super::extract::{Extraction, Relation, Signal, alternatives};
use super::finite_state::FiniteState;
use super::function;
use super::locate::Location;
use super::memoryless::memoryless;
use super::template::{self, Found};
use super::{Field, Options, RepairError};
use crate::bdd::Variable;
use crate::design::{
    Design, Elaboration, Function, Literal, Netlist, Node, NodeId, Reach, Registers, Replacement,
    Reset, Timing,
};
use crate::game::{Arena, Game, Winner};
use crate::spec::Spec;

/// In a design with so few latches all pairs of so many signals are tried.
const SMALL_DESIGN: usize = 8;

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

#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    pub replacements: Vec<Replacement>,
    /// What it reads besides signals of the source.
    pub registers: Option<Registers>,
    pub cost: usize,
}

impl Candidate {
    pub fn added_registers(&self) -> usize {
        self.registers
            .as_ref()
            .map_or(0, |added| added.latches.len())
    }

    /// What the user calls a signal that the correction reads.
    pub fn signal_name(&self, netlist: &Netlist, id: NodeId) -> String {
        let added = self.registers.iter().flat_map(|added| &added.latches);
        match added.into_iter().position(|latch| *latch == id) {
            Some(position) => format!("repair_state[{position}]"),
            None => netlist.signal_name(id),
        }
    }
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
        let source = netlist.file().design.len();
        self.order = game.order();
        self.order.retain(|id| id.index() < source);
    }
}

/// Corrections of the location, up to the wanted number of alternatives.
pub fn corrections(
    netlist: &Netlist,
    spec: &Spec,
    location: &Location,
    options: &Options,
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
    options: &Options,
    effort: &mut Effort,
    constants: &dyn Fn(Literal) -> Option<Function>,
) -> Result<Offer, RepairError> {
    let source = design.clone();
    let field = options.automaton.field(design, spec)?;
    let arena = field.arena();
    let is_exact = arena.automaton_choices.is_empty();
    let mut game = Game::in_order(arena, options.limits.clone(), &effort.order)?;
    let (solution, is_lost) = match &field {
        Field::Recurrences(_) => {
            let solution = game.solve_from_either_end()?;
            let is_lost = solution.winner() == Winner::Environment;
            (Some(solution), is_lost)
        }
        Field::Any(general) => (None, general.good_choices(&game)?.is_zero()),
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
    let open: Vec<Literal> = choices
        .iter()
        .copied()
        .filter(|choice| game.variable(choice.node()).is_some())
        .collect();
    if open.is_empty() {
        return Ok(Offer::Candidates(vec![to_candidate(&[], 0)]));
    }
    let signals = readable_signals(netlist, arena, &game, elaboration, options)?;
    let variables: Vec<Variable> = open
        .iter()
        .filter_map(|choice| game.variable(choice.node()))
        .collect();
    if let Some(solution) = &solution {
        let strategy = game.strategy(solution)?;
        let hidden = hidden_state(arena, &game, options);
        let automaton = arena.automaton_choices.iter();
        let automaton: Vec<Variable> = automaton.filter_map(|id| game.variable(*id)).collect();
        let relation = memoryless(&mut game, solution, &strategy, &hidden, &automaton)?;
        let mut candidates = Vec::new();
        if let Some(relation) = relation {
            let relation = Relation {
                choices: variables.clone(),
                ..relation
            };
            for extraction in alternatives(&relation, &signals, options.alternatives)? {
                let cost = extraction.cost();
                candidates.push(to_candidate(&named(&open, extraction), cost));
            }
        }
        if !candidates.is_empty() {
            return Ok(Offer::Candidates(candidates));
        }
    }
    let near = near_signals(arena, elaboration, &signals);
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
            signals: &signals,
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
    match exhaustive::search(
        &game,
        &solution,
        &variables,
        &signals,
        effort.budget,
        &options.limits,
    )? {
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

/// The readable operands of the replaced logic, and those that its cone reads.
fn near_signals(arena: &Arena, elaboration: &Elaboration, signals: &[Signal]) -> Vec<Vec<Literal>> {
    let originals = || elaboration.holes.iter().flat_map(|hole| &hole.originals);
    let operands = originals().flat_map(|original| match arena.design.gate(original.node()) {
        Some((left, right)) => vec![left.node(), right.node()],
        None => vec![original.node()],
    });
    let mut near: Vec<Vec<Literal>> = Vec::new();
    for nodes in [operands.collect(), boundary(arena, originals().copied())] {
        let is_near = |signal: &&Signal| nodes.contains(&signal.literal.node());
        near.push(signals.iter().filter(is_near).map(|s| s.literal).collect());
    }
    // In a small design any two signals are near.
    if arena.design.latches().len() <= SMALL_DESIGN {
        for (index, first) in signals.iter().enumerate().take(SMALL_DESIGN) {
            for second in signals[..index].iter() {
                near.push(vec![second.literal, first.literal]);
            }
        }
    }
    let mut seen: Vec<Vec<Literal>> = Vec::new();
    near.retain(|signals| {
        let is_new = !seen.contains(signals);
        seen.push(signals.clone());
        is_new
    });
    near
}

/// Corrections that read only one of these lists of signals.
fn table_corrections(
    source: &Design,
    choices: &[Literal],
    near: &[Vec<Literal>],
    spec: &Spec,
    options: &Options,
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

/// The latches that no correction may read.
fn hidden_state(arena: &Arena, game: &Game, options: &Options) -> Vec<Variable> {
    let latches = arena.design.latches().iter();
    let hidden = latches.filter(|id| !is_readable(&arena.design, **id, options));
    hidden.filter_map(|id| game.variable(*id)).collect()
}

fn is_readable(design: &Design, id: NodeId, options: &Options) -> bool {
    let allowed = options.depends_on.as_ref();
    !design.is_hidden(id) && allowed.is_none_or(|allowed| allowed.contains(&id))
}

/// The signals that the replaced logic read: its gates are those that serve nothing else
/// and have no name.
fn boundary(arena: &Arena, originals: impl Iterator<Item = Literal>) -> Vec<NodeId> {
    let design = &arena.design;
    let mut readers = vec![0usize; design.len()];
    let mut read = |literal: Literal| readers[literal.node().index()] += 1;
    for id in design.node_ids() {
        match design.node(id) {
            Node::And(left, right) => {
                read(left);
                read(right);
            }
            Node::Latch(latch) => read(latch.next),
            Node::Constant | Node::Input(_) => {}
        }
    }
    design
        .outputs()
        .iter()
        .for_each(|output| read(output.literal));
    arena.objective.literals().for_each(&mut read);
    let mut boundary = Vec::new();
    let mut inside: Vec<NodeId> = originals.map(|literal| literal.node()).collect();
    while let Some(id) = inside.pop() {
        let Some((left, right)) = design.gate(id) else {
            boundary.push(id);
            continue;
        };
        for operand in [left.node(), right.node()] {
            readers[operand.index()] -= 1;
            boundary.retain(|known| *known != operand);
            if readers[operand.index()] == 0 && design.name(operand).is_none() {
                inside.push(operand);
            } else {
                boundary.push(operand);
            }
        }
    }
    boundary.sort_unstable();
    boundary.dedup();
    boundary
}

/// What a correction of the location may read: what the replaced logic read, and the
/// latches and inputs of the design.
fn readable_signals(
    netlist: &Netlist,
    arena: &Arena,
    game: &Game,
    elaboration: &Elaboration,
    options: &Options,
) -> Result<Vec<Signal>, RepairError> {
    const NEAR: usize = 1;
    const LEAF: usize = 2;
    let source = netlist.file().design.len();
    let originals = elaboration.holes.iter().flat_map(|hole| &hole.originals);
    let boundary = boundary(arena, originals.copied());
    let mut wanted: Vec<(Literal, usize)> = boundary
        .into_iter()
        .map(|id| (id.literal(), NEAR))
        .collect();
    let named = options.depends_on.iter().flatten();
    wanted.extend(named.map(|id| (id.literal(), NEAR)));
    let leaves = arena.design.latches().iter().chain(arena.design.inputs());
    wanted.extend(leaves.map(|id| (id.literal(), LEAF)));
    let mut signals: Vec<Signal> = Vec::new();
    for (literal, cost) in wanted {
        let id = literal.node();
        let known = signals.iter().any(|signal| signal.literal.node() == id);
        // Nodes beyond the source's own belong to the game.
        if known || id.index() >= source || id == NodeId::CONSTANT {
            continue;
        }
        let is_choice = |id: NodeId| {
            matches!(
                arena.design.node(id),
                Node::Input(crate::design::InputKind::Choice)
            )
        };
        let depends_on_choice = arena
            .design
            .cone([literal], Reach::Cycle)
            .iter()
            .any(is_choice);
        if depends_on_choice || !is_readable(&arena.design, id, options) {
            continue;
        }
        if let Some(function) = game.function(arena, literal)? {
            signals.push(Signal {
                literal,
                function,
                cost,
            });
        }
    }
    Ok(signals)
}
