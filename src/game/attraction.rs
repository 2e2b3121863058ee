//! How the environment wins the states that the system has lost, for circuits and for
//! specifications.
//!
//! The complement of the system's fixpoint is the environment's [KHB11, Sec. 5.1]:
//!
//! ```text
//! mu Z. or_j nu Y. and_i mu X. can( (!goal_j | into Z) & into Y & (assumed_i | into X) )
//! ```
//!
//! Ours does not compute the outer fixpoints again. Each [`Round`] of the system's fixpoint is
//! one growth of Z, with its goal `j` and its Y; what is left to compute are the layers of X,
//! which are the attractor of each assumed recurrence within the round.
//!
//! Invariant: from a state of a layer the environment gets into the layer below, or makes the
//! assumed recurrence happen within the round; meanwhile the goal does not happen, except on
//! the way to states that were lost before.

use super::fixpoint::{FixpointGame, Round};
use crate::bdd::{Bdd, Result};

/// States that were lost in one round.
#[derive(Clone, Debug)]
pub(super) struct Lost {
    /// The goal that is prevented; `None` if `before` is one step away.
    pub goal: Option<usize>,
    /// What was lost in earlier rounds, and what is lost after this one.
    pub before: Bdd,
    pub after: Bdd,
}

impl Lost {
    pub fn in_round<G: FixpointGame>(game: &G, round: &Round) -> Result<Lost> {
        Ok(Lost {
            goal: round.goal,
            before: game.care().minus(&round.before)?,
            after: game.care().minus(&round.after)?,
        })
    }
}

/// What the attractor has to know of a game.
pub(super) trait AttractionGame: FixpointGame {
    /// What the moves that prevent one goal have in common.
    type Prevention;

    /// Prepares the layers of a round in which `goal` is prevented.
    fn prevention(&self, goal: usize, lost: &Lost) -> Result<Self::Prevention>;

    /// The moves of the environment that prevent the goal, and make the assumed recurrence
    /// happen or lead into the states that were reached before.
    fn moves_closer(
        &self,
        prevention: &Self::Prevention,
        assumed: usize,
        reached: &Bdd,
    ) -> Result<Bdd>;

    /// The states in which there is one of these moves.
    fn states_of(&self, moves: &Bdd) -> Result<Bdd>;
}

/// Adds states to those that were lost before until the round is covered. `layer` is told the
/// moves that reach each layer, and the layer.
pub(super) fn attract<G: AttractionGame>(
    game: &G,
    prevention: &G::Prevention,
    assumed: usize,
    lost: &Lost,
    mut layer: impl FnMut(&Bdd, &Bdd) -> Result<()>,
) -> Result<()> {
    let mut reached = lost.before.clone();
    while !lost.after.is_subset_of(&reached)? {
        let moves = game.moves_closer(prevention, assumed, &reached)?;
        let next = reached.or(&game.states_of(&moves)?)?;
        if next == reached {
            // The certificate check refuses layers that do not cover the round.
            break;
        }
        layer(&moves, &next)?;
        reached = next;
    }
    Ok(())
}
