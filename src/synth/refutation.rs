//! The environment's winning strategy, put into the design of a game.

use super::SynthError;
use super::player::{Turn, drive, inputs_of, state_sets};
use crate::certify::StateSets;
use crate::design::{Design, InputKind, Literal, Node, Reset};
use crate::game::{Arena, Counterstrategy, Game, Solution};
use crate::source::Diagnostic;
use crate::source::codes::frame;

/// The design of a game that the environment wins, with its strategy in place of its inputs
/// and with the system's choices left to anybody.
pub fn refutation(arena: &Arena, game: &Game) -> Result<Design, SynthError> {
    Ok(with_ranking(arena, game, game.counterstrategy()?)?.0)
}

/// The same for a game that was solved, with the states from which it takes one step, two steps, ... if a bounded number
/// of steps is enough.
pub fn ranked_refutation(
    arena: &Arena,
    game: &Game,
    solution: &Solution,
) -> Result<(Design, Option<StateSets>), SynthError> {
    with_ranking(arena, game, game.counterstrategy_of(solution)?)
}

fn with_ranking(
    arena: &Arena,
    game: &Game,
    counterstrategy: Option<Counterstrategy>,
) -> Result<(Design, Option<StateSets>), SynthError> {
    let Some(counterstrategy) = counterstrategy else {
        let message = "the two fixpoints of a game disagree";
        return Err(Diagnostic::error(frame::INTERNAL_ERROR, message).into());
    };
    let assumed = &arena.objective.assumed_recurrences;
    let care = counterstrategy.winning.and(game.care())?;
    let turns: Vec<Turn> = counterstrategy
        .moves
        .iter()
        .enumerate()
        .map(|(index, moves)| Turn {
            moves,
            care: care.clone(),
            done: assumed.get(index).copied().unwrap_or(Literal::TRUE),
        })
        .collect();
    let mut design = arena.design.clone();
    choose_start(&mut design, game, &counterstrategy)?;
    let inputs = inputs_of(&design, InputKind::Environment);
    drive(&mut design, game, &inputs, &turns)?;
    for id in inputs_of(&design, InputKind::Choice) {
        design.replace(id, Node::Input(InputKind::Environment));
    }
    let rings = &counterstrategy.rings;
    let ranking =
        (!rings.is_empty()).then(|| state_sets(&arena.design, game, rings, InputKind::Choice));
    Ok((design, ranking))
}

/// Lets the latches that start as the environment likes start where it wins.
fn choose_start(
    design: &mut Design,
    game: &Game,
    counterstrategy: &Counterstrategy,
) -> Result<(), SynthError> {
    let start = game.initial()?.and(&counterstrategy.winning)?;
    let values = start.pick_cube().unwrap_or_default();
    for id in design.latches().to_vec() {
        let is_free = design.latch(id).map(|latch| latch.reset) == Some(Reset::Free);
        if is_free {
            let own = values
                .iter()
                .find(|(variable, _)| game.variable(id) == Some(*variable));
            let reset = match own {
                Some((_, true)) => Reset::One,
                _ => Reset::Zero,
            };
            design.set_reset(id, reset);
        }
    }
    Ok(())
}
