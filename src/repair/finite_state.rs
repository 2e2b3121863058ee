//! Corrections with registers of their own: the strategy of the game as it is.
//!
//! The strategy looks at the monitors' latches, at latches that exist only for a property,
//! and at the goal that it works for. Copies of these latches become registers of the
//! design, together with a counter for the goals, and the functions of the choices read
//! them. How a nondeterministic automaton moves is part of the strategy, too.

use super::RepairError;
use super::extract::{Relation, Requirement, Signal, extract, function_for};
use crate::bdd::{Bdd, Variable};
use crate::design::{Design, Function, Literal, Node, NodeId, Reach, Registers, Reset};
use crate::game::{Arena, Game, Strategy};

/// A register is read only where signals of the source do not suffice.
const REGISTER: usize = 3;

pub struct FiniteState<'a> {
    pub arena: &'a Arena,
    pub game: &'a Game,
    pub strategy: &'a Strategy,
    /// The choices of the location that the objective depends on.
    pub choices: &'a [Literal],
    /// What a correction may read of the source.
    pub signals: &'a [Signal],
}

/// A latch of the counter with its variable.
struct CounterBit {
    latch: NodeId,
    variable: Variable,
}

impl FiniteState<'_> {
    /// A function for each choice, and the registers that they read; `None` if the strategy
    /// needs what no register can follow.
    #[allow(clippy::type_complexity)]
    pub fn correction(&self) -> Result<Option<(Vec<(Literal, Function)>, Registers)>, RepairError> {
        let manager = self.game.manager();
        let mut design = self.arena.design.clone();
        let goals = self.strategy.moves.len();
        let width = goals.next_power_of_two().trailing_zeros() as usize;
        let mut counter = Vec::new();
        for variable in manager.new_variables(width)? {
            let latch = design.add_latch(Reset::Zero);
            design.set_hidden(latch, true);
            counter.push(CounterBit { latch, variable });
        }
        let signals = self.all_signals(&counter)?;

        let mut allowed = manager.zero();
        let mut any_move = manager.zero();
        let mut known_goal = manager.zero();
        for (goal, moves) in self.strategy.moves.iter().enumerate() {
            let here = self.works_for(goal, &counter)?;
            allowed = allowed.or(&here.and(moves)?)?;
            any_move = any_move.or(moves)?;
            known_goal = known_goal.or(&here)?;
        }
        let steps = any_move.and(self.game.assumption())?;
        let reached = self
            .game
            .image()?
            .reachable(&self.game.initial()?, &steps)?;
        let care = reached.and(&known_goal)?;

        let automaton = self.arena.automaton_choices.iter().map(|id| id.literal());
        let driven: Vec<Literal> = self.choices.iter().copied().chain(automaton).collect();
        let pairs: Vec<(Literal, Variable)> = driven
            .iter()
            .filter_map(|choice| Some((*choice, self.game.variable(choice.node())?)))
            .collect();
        let relation = Relation {
            allowed,
            care: care.clone(),
            choices: pairs.iter().map(|(_, variable)| *variable).collect(),
        };
        let Some(extraction) = extract(&relation, &signals, &[])? else {
            return Ok(None);
        };
        let functions: Vec<(Literal, Function)> = pairs
            .iter()
            .map(|(choice, _)| *choice)
            .zip(extraction.functions)
            .collect();

        let values = pairs
            .iter()
            .map(|(_, variable)| *variable)
            .zip(extraction.values);
        let made = manager.substitution(&values.collect::<Vec<_>>());
        for (bit, latch) in counter.iter().map(|bit| bit.latch).enumerate() {
            let mut next = manager.zero();
            for (goal, hit) in self.strategy.hits.iter().enumerate() {
                let after = (goal + 1) % goals;
                let hit = hit.compose(&made)?;
                let is_set = |goal: usize| manager.constant(goal >> bit & 1 == 1);
                let value = hit.ite(&is_set(after), &is_set(goal))?;
                next = next.or(&self.works_for(goal, &counter)?.and(&value)?)?;
            }
            let requirement = Requirement {
                on: next.and(&care)?,
                off: care.minus(&next)?,
            };
            let Some((_, function, _)) = function_for(&requirement, &signals, &[])? else {
                return Ok(None);
            };
            let value = function.build(&mut design);
            design.set_next(latch, value);
        }
        for (choice, function) in &functions {
            let value = function.build(&mut design);
            design.drive(choice.node(), value, usize::MAX);
        }
        let registers = needed_registers(&design, self.choices, &functions);
        Ok(registers.map(|latches| (functions, Registers { design, latches })))
    }

    /// That the counter stands at a goal.
    fn works_for(&self, goal: usize, counter: &[CounterBit]) -> Result<Bdd, RepairError> {
        let literals: Vec<_> = counter
            .iter()
            .enumerate()
            .map(|(bit, counter)| (counter.variable, goal >> bit & 1 == 1))
            .collect();
        Ok(self.game.manager().cube(&literals)?)
    }

    /// What the source shows, then the registers that the strategy may have.
    fn all_signals(&self, counter: &[CounterBit]) -> Result<Vec<Signal>, RepairError> {
        let mut signals = self.signals.to_vec();
        let design = &self.arena.design;
        let followed = design.latches().iter().filter(|id| {
            let reset = design.latch(**id).map(|latch| latch.reset);
            design.is_hidden(**id) && matches!(reset, Some(Reset::Zero | Reset::One))
        });
        let followed = followed.filter_map(|id| Some((*id, self.game.variable(*id)?)));
        let counter = counter.iter().map(|bit| (bit.latch, bit.variable));
        for (latch, variable) in followed.chain(counter) {
            signals.push(Signal {
                literal: latch.literal(),
                function: self.game.manager().literal(variable)?,
                cost: REGISTER,
            });
        }
        Ok(signals)
    }
}

/// The hidden latches that the functions of the location read, and those that these depend
/// on; `None` if one depends on an input or a latch that must not be read.
fn needed_registers(
    design: &Design,
    choices: &[Literal],
    functions: &[(Literal, Function)],
) -> Option<Vec<NodeId>> {
    let mut pending: Vec<Literal> = Vec::new();
    for (_, function) in functions
        .iter()
        .filter(|(choice, _)| choices.contains(choice))
    {
        function.signals(&mut |literal| pending.push(literal));
    }
    let mut needed: Vec<NodeId> = Vec::new();
    while let Some(root) = pending.pop() {
        for id in design.cone([root], Reach::Cycle).iter() {
            match design.node(id) {
                Node::Latch(latch) if design.is_hidden(id) && !needed.contains(&id) => {
                    if !matches!(latch.reset, Reset::Zero | Reset::One) {
                        return None;
                    }
                    needed.push(id);
                    pending.push(latch.next);
                }
                Node::Input(_) if design.is_hidden(id) => return None,
                _ => {}
            }
        }
    }
    needed.sort_unstable();
    Some(needed)
}
