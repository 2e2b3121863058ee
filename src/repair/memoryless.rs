//! Strategies that need no memory but the design's own state [JSGB11, Sec. 5.3].
//!
//! A winning strategy of the game may look at the monitors' latches and at the goal that it
//! works for; a replacement of a component cannot. The candidate keeps the moves that are
//! right whatever the monitors' state is, among those in which the design's state is
//! reached, and for every goal. Where this leaves no move, the states that lead there are
//! avoided in the same way. If a play can still be stuck, there may be a memoryless
//! strategy all the same: this is a heuristic, complete only for invariants without
//! monitors. The run of a nondeterministic automaton is chosen for each of its states.
//!
//! Each round either grows the reached set, for the same valid states, or takes valid
//! states away, so it ends.

use super::extract::Relation;
use crate::bdd::{Bdd, Result, Variable, VariableSet};
use crate::game::{Game, Solution, Strategy};

/// The moves of a memoryless strategy, if the heuristic finds one.
pub fn memoryless(
    game: &mut Game,
    solution: &Solution,
    strategy: &Strategy,
    hidden: &[Variable],
    automaton: &[Variable],
) -> Result<Option<Relation>> {
    let mut for_every_goal = game.manager().one();
    let mut for_some_goal = game.manager().zero();
    for moves in &strategy.moves {
        for_every_goal = for_every_goal.and(moves)?;
        for_some_goal = for_some_goal.or(moves)?;
    }
    if strategy.moves.len() == 1 && hidden.is_empty() && automaton.is_empty() {
        // Nothing to agree about: the strategy has no memory as it stands.
        let reached = game.reached_by(&for_some_goal)?;
        return Ok(Some(Relation {
            care: reached.unwrap_or_else(|| solution.winning.clone()),
            allowed: for_some_goal,
            choices: game.choices().to_vec(),
        }));
    }
    let manager = game.manager();
    let initial = game.initial()?;
    let hidden = manager.set(hidden)?;
    let automaton = manager.set(automaton)?;
    let image = game.image()?;
    let mut reached = image.reachable(&initial, &kept(game, &for_some_goal)?)?;
    let mut valid = solution.winning.clone();
    loop {
        let into_valid = game.good_steps(&game.steps_into(&valid)?)?;
        let right = for_every_goal.and(&into_valid)?;
        let moves = common_moves(&reached, &right.exists(&automaton)?, &hidden)?;
        // How the automaton moves need not be the same for all.
        let steps = moves.and(&right)?;
        let now_reached = image.reachable(&initial, &kept(game, &steps)?)?;
        if !now_reached.is_subset_of(&reached)? {
            // Moves were common to fewer states than they lead to.
            reached = reached.or(&now_reached)?;
            continue;
        }
        let stuck = now_reached.minus(&game.can_always_move(&steps)?)?;
        if stuck.is_zero() {
            let care = now_reached.exists(&hidden)?;
            return Ok(Some(Relation {
                allowed: moves,
                care,
                choices: game.choices().to_vec(),
            }));
        }
        valid = valid.minus(&stuck)?;
        if !initial.is_subset_of(&valid)? {
            return Ok(None);
        }
        reached = now_reached;
    }
}

/// Plays end where the assumption breaks.
fn kept(game: &Game, moves: &Bdd) -> Result<Bdd> {
    moves.and(game.assumption())
}

/// The moves that are right for every value of the hidden latches with which the rest of
/// the state is reached.
fn common_moves(reached: &Bdd, right: &Bdd, hidden: &VariableSet) -> Result<Bdd> {
    reached.not().or_forall(right, hidden)
}
