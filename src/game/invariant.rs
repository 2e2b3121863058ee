//! Who wins a game without goals, for netlists whose diagrams are large.
//!
//! Z shrinks to the states in which the system can stay, as in the first part of
//! [`super::fixpoint`], with two differences:
//! - The steps into Z are kept from round to round. Only the states that were just lost are
//!   composed with next-state functions; the steps into them are taken away.
//! - Variables are reordered between rounds, when what a round leaves has grown, and not inside
//!   operations. A composition has some hundred times as many nodes as its result, and moving all
//!   of them takes longer than composing in an order that is not the best. Only where an
//!   operation does not get by with a generous number of nodes it is done again with
//!   reorderings inside.
//!
//! Invariant: the steps are right where they begin in Z, and Z contains the winning states.

use super::budget::Budget;
use super::encode::Game;
use super::fixpoint::Round;
use super::solve::{Solution, StoredRounds};
use crate::bdd::{Bdd, Manager, Reordering, Result};

/// What a round leaves has grown if it is this much larger than after the last reordering.
const GROWTH: f64 = 1.5;
/// As long as reorderings have taken less than this part of all work, one more is worth it.
const SHARE: u64 = 10;
/// Fewer nodes are not worth a reordering.
const FEW_NODES: usize = 10_000;
/// How many nodes a round may add before operations are reordered inside.
const ROOM: usize = 6_000_000;

/// What is known after a round.
struct State {
    /// The states that are not lost, Z.
    left: Bdd,
    /// The steps into what was left before, right where they begin there.
    into: Bdd,
    /// The steps up to the system's choice from which it can stay, kept for the order that a
    /// reordering finds: the next ones will look alike.
    _answers: Bdd,
}

impl Game {
    /// Solves a game without goals; `watch` is told how many steps have been looked ahead.
    pub(super) fn solve_invariant(&self, watch: &mut dyn FnMut(usize)) -> Result<Solution> {
        let manager = self.manager();
        let automatic = manager.reordering();
        manager.set_reordering(Reordering {
            automatic: false,
            ..automatic
        });
        let solution = self.shrink(automatic, watch);
        manager.set_reordering(automatic);
        solution
    }

    fn shrink(&self, automatic: Reordering, watch: &mut dyn FnMut(usize)) -> Result<Solution> {
        let mut rounds = StoredRounds::default();
        let mut order = Order::default();
        order.improve(self.manager())?;
        let mut before = self.care().clone();
        let mut state = self.first_round(&before)?;
        let mut steps = 0;
        loop {
            let good_choices = self.contains_initial(&state.left)?;
            let is_settled = state.left == before;
            if !is_settled {
                rounds.add(&Round {
                    goal: None,
                    before: before.clone(),
                    after: state.left.clone(),
                });
            }
            if is_settled || good_choices.is_zero() {
                return Ok(Solution {
                    good_choices,
                    winning: state.left,
                    progress: Vec::new(),
                    rounds: Some(rounds),
                    staying: is_settled.then_some(state.into),
                });
            }
            steps += 1;
            watch(steps);
            order.improve(self.manager())?;
            let next = self.next_round(&before, &state, automatic)?;
            before = std::mem::replace(&mut state, next).left;
        }
    }

    fn first_round(&self, states: &Bdd) -> Result<State> {
        let into = self.steps_from(states)?.leading_into(states)?;
        self.round(states, into)
    }

    /// One more round, with reorderings inside if it needs too many nodes without.
    fn next_round(&self, before: &Bdd, state: &State, automatic: Reordering) -> Result<State> {
        let manager = self.manager();
        let one_more = || {
            let lost = before.minus(&state.left)?.minimize(before)?;
            let gone = self.steps_from(&state.left)?.leading_into(&lost)?;
            let into = state.into.minus(&gone)?.minimize(&state.left)?;
            self.round(&state.left, into)
        };
        let quick =
            Budget::of_nodes(ROOM).search(manager, self.limits(), || one_more().map(Some))?;
        if let Some(found) = quick {
            return Ok(found);
        }
        manager.collect_garbage();
        manager.set_reordering(automatic);
        let found = one_more();
        manager.set_reordering(Reordering {
            automatic: false,
            ..automatic
        });
        found
    }

    /// The states of a set from which the system can stay in it.
    fn round(&self, states: &Bdd, into: Bdd) -> Result<State> {
        let answers = self.system_answers(&into)?;
        Ok(State {
            left: states.and(&self.whatever_inputs(&answers)?)?,
            into,
            _answers: answers,
        })
    }
}

/// When to reorder between rounds.
#[derive(Default)]
struct Order {
    /// How many nodes there were after the last reordering.
    settled_nodes: usize,
    /// The work of all reorderings.
    work: u64,
}

impl Order {
    /// Reorders if there is much more than after the last reordering, or if reorderings have
    /// taken little so far.
    fn improve(&mut self, manager: &Manager) -> Result<()> {
        manager.collect_garbage();
        let before = manager.statistics();
        let has_grown = before.nodes as f64 > GROWTH * self.settled_nodes as f64;
        let is_cheap = self.work < before.work / SHARE;
        if before.nodes > FEW_NODES && (has_grown || is_cheap) {
            manager.reorder()?;
            let after = manager.statistics();
            self.settled_nodes = after.nodes;
            self.work += after.work - before.work;
        }
        Ok(())
    }
}
