//! From the plan of a player to moves and memory.
//!
//! At a bad node the state alone says what to do: it is in a first layer, and there in the
//! set of a first child, and no step by the plan makes either of them larger. At a good node
//! with several children they are worked for in turn, and a step with a colour that the
//! present child does not have ends its turn. So the memory is one number for each depth at
//! which good nodes have several children; it may have any value on entering a node.
//!
//! Why that wins: take the highest node at which infinitely many steps of a play are
//! anchored. It cannot be bad, since each such step makes its layer smaller, and at a good
//! node all turns end again and again, so the colours seen are within no child.

use super::solve::{Plan, Solver};
use super::tree::Tree;
use crate::bdd::{Bdd, Result, Variable};

/// What a player does.
pub struct Moves {
    /// By state, memory, and what the player knows of the step: what it may do.
    pub relation: Bdd,
    /// The variables of the memory, which starts at zero, with their next values by state,
    /// memory, inputs and choices.
    pub memory: Vec<(Variable, Bdd)>,
}

/// The memory of one depth.
struct Counter {
    bits: Vec<Variable>,
    /// Steps after which it has another value.
    moves_on: Bdd,
    /// For each bit, those of them after which it is set.
    set: Vec<Bdd>,
}

struct Collector<'s, 'a> {
    solver: &'s Solver<'a>,
    counters: Vec<Counter>,
    relation: Bdd,
}

impl Solver<'_> {
    pub fn strategy(&self, plan: &Plan) -> Result<Moves> {
        let manager = self.game.manager();
        let mut sizes = Vec::new();
        counter_sizes(self.tree, 0, &mut sizes);
        let mut counters = Vec::new();
        for size in sizes {
            let width = usize::BITS - (size - 1).leading_zeros();
            counters.push(Counter {
                bits: manager.new_variables(width as usize)?,
                moves_on: manager.zero(),
                set: vec![manager.zero(); width as usize],
            });
        }
        let mut collector = Collector {
            solver: self,
            counters,
            relation: manager.zero(),
        };
        collector.collect(self.tree, plan, &manager.one(), 0)?;
        let mut memory = Vec::new();
        for counter in &collector.counters {
            for (bit, set) in counter.bits.iter().zip(&counter.set) {
                let kept = manager.literal(*bit)?.minus(&counter.moves_on)?;
                memory.push((*bit, kept.or(set)?));
            }
        }
        Ok(Moves {
            relation: collector.relation,
            memory,
        })
    }
}

/// How many values the memory of each depth needs.
fn counter_sizes(tree: &Tree, depth: usize, sizes: &mut Vec<usize>) {
    let takes_turns = tree.is_good && tree.children.len() > 1;
    if takes_turns {
        if sizes.len() == depth {
            sizes.push(0);
        }
        sizes[depth] = sizes[depth].max(tree.children.len());
    }
    for child in &tree.children {
        counter_sizes(child, depth + usize::from(takes_turns), sizes);
    }
}

impl Collector<'_, '_> {
    /// Adds the moves of a plan where `region` holds, which is about state and memory.
    fn collect(&mut self, tree: &Tree, plan: &Plan, region: &Bdd, depth: usize) -> Result<()> {
        if region.is_zero() {
            return Ok(());
        }
        match plan {
            Plan::Leaf { states, steps } => {
                let here = region.and(states)?;
                let moves = self.solver.choices(steps)?;
                self.relation = self.relation.or(&here.and(&moves)?)?;
                Ok(())
            }
            Plan::Good { states, children } => {
                let region = region.and(states)?;
                let takes_turns = children.len() > 1;
                for (index, (child, plan)) in tree.children.iter().zip(children).enumerate() {
                    let mut here = region.clone();
                    if takes_turns {
                        here = here.and(&self.turn(depth, index, children.len())?)?;
                        self.end_turn(depth, index, children.len(), &here, tree, child)?;
                    }
                    self.collect(child, plan, &here, depth + usize::from(takes_turns))?;
                }
                Ok(())
            }
            Plan::Bad { layers } => {
                let mut region = region.clone();
                for (_, plans) in layers {
                    for (index, plan) in plans.iter().enumerate() {
                        let Some(states) = plan.states() else {
                            continue;
                        };
                        let here = region.and(states)?;
                        let child = tree.children.get(index).unwrap_or(tree);
                        self.collect(child, plan, &here, depth)?;
                        region = region.minus(states)?;
                    }
                }
                Ok(())
            }
        }
    }

    /// Whether the memory says that it is this child's turn; the last child also has the
    /// turns that nobody has.
    fn turn(&self, depth: usize, index: usize, count: usize) -> Result<Bdd> {
        let is_at = |number: usize| {
            let bits = self.counters[depth].bits.iter().enumerate();
            let values: Vec<_> = bits
                .map(|(bit, id)| (*id, number >> bit & 1 == 1))
                .collect();
            self.solver.game.manager().cube(&values)
        };
        if index + 1 < count {
            return is_at(index);
        }
        let mut others = self.solver.game.manager().zero();
        for other in 0..index {
            others = others.or(&is_at(other)?)?;
        }
        Ok(others.not())
    }

    /// After a step with a colour of the node that the child does not have, it is the next
    /// child's turn.
    fn end_turn(
        &mut self,
        depth: usize,
        index: usize,
        count: usize,
        here: &Bdd,
        tree: &Tree,
        child: &Tree,
    ) -> Result<()> {
        let inside = self.solver.inside(tree.colours)?;
        let stays = self.solver.inside(child.colours)?;
        let ends = here.and(&inside.minus(&stays)?)?;
        let next = (index + 1) % count;
        let counter = &mut self.counters[depth];
        counter.moves_on = counter.moves_on.or(&ends)?;
        for (bit, set) in counter.set.iter_mut().enumerate() {
            if next >> bit & 1 == 1 {
                *set = set.or(&ends)?;
            }
        }
        Ok(())
    }
}
