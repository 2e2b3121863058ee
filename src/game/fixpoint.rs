//! The states from which the system wins a GR(1) objective, by the three-fold fixpoint of
//! [BJPPS12]:
//!
//! ```text
//! nu Z. and_j mu Y. or_i nu X. can( goal_j & into Z | into Y | !assumed_i & into X )
//! ```
//!
//! [`solve`] is used for circuits, whose conditions are sets of steps, and for specifications,
//! whose conditions are sets of states. What a step is, and in which terms a goal and a
//! waiting state are written, is up to the [`FixpointGame`].
//!
//! Ours differs from the paper as follows:
//! - Z first shrinks to the states where the system can keep its invariants.
//! - Goals are looked at one after the other, each with the Z that the one before has left,
//!   until none of them takes a state away.
//! - The fixpoints X start from those of the round before, which only shrink with Z.
//! - It stops as soon as the system cannot win from the start.
//!
//! Invariant: Z contains the winning states, and all states outside of Z are lost by the
//! rounds in which they were taken out.

use crate::bdd::{Bdd, Result};

/// How the system approaches one goal within the winning states.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Growing sets, the last one is all winning states. From a layer, the system either makes
    /// the goal happen and stays among the winning states, or gets into the layer below, or
    /// stays in `waiting[i]` while the assumed recurrence `i` does not happen.
    pub layers: Vec<Layer>,
}

#[derive(Clone, Debug)]
pub struct Layer {
    pub states: Bdd,
    /// For each assumed recurrence; if there are any, `states` is their union.
    pub waiting: Vec<Bdd>,
}

/// Some states that the environment wins.
#[derive(Clone, Debug)]
pub struct Round {
    /// The goal that the environment prevents; `None` if it gets out of `before` in one step.
    pub goal: Option<usize>,
    /// The states in question before and after; those in between are lost.
    pub before: Bdd,
    pub after: Bdd,
}

/// What the fixpoint has to know of a game.
pub(super) trait FixpointGame {
    /// What the steps towards one goal have in common, while Z does not change.
    type Approach;

    /// Whether a goal that takes states away is looked at again at once; otherwise the other
    /// goals come first.
    const LOOKS_AGAIN_AT_ONCE: bool;

    /// The states that count.
    fn care(&self) -> &Bdd;

    /// The states of a set from which the system can stay in it for one step, or wins at once.
    fn staying(&self, states: &Bdd) -> Result<Bdd>;

    /// Whether the system can win from the start if it wins from exactly these states.
    fn may_win(&self, states: &Bdd) -> Result<bool>;

    /// All goals, in the order in which they are looked at.
    fn goals_in_order(&self) -> Vec<usize>;

    fn assumed_count(&self) -> usize;

    /// Prepares the approach to a goal within `winning`.
    fn approach(&self, goal: usize, winning: &Bdd) -> Result<Self::Approach>;

    /// What makes the goal happen, or leads to the states that were reached before: steps or
    /// states. The other methods take it as `closer`.
    fn closer(&self, approach: &Self::Approach, reached: &Bdd) -> Result<Bdd>;

    /// The winning states from which the system gets closer in one step.
    fn at_once(&self, approach: &Self::Approach, closer: &Bdd) -> Result<Bdd>;

    /// States that contain all in which the system can wait for an assumed recurrence.
    fn first_waiting(&self, approach: &Self::Approach, assumed: usize, closer: &Bdd)
    -> Result<Bdd>;

    /// Those of the waiting states from which the system gets closer, or stays among them
    /// without the assumed recurrence.
    fn still_waiting(
        &self,
        approach: &Self::Approach,
        assumed: usize,
        closer: &Bdd,
        waiting: &Bdd,
    ) -> Result<Bdd>;
}

/// Is told how the computation goes on.
pub(super) trait Observer {
    /// Whether the approach to a goal is kept even if it takes no state away. It is needed for
    /// a strategy; who only wants the verdict saves the nodes, which makes reorderings cheaper.
    const KEEPS_STRATEGY: bool;

    fn lost(&mut self, _round: Round) {}

    /// So many steps have been looked ahead in which the environment cannot win by safety.
    fn looked_ahead(&mut self, _steps: usize) {}
}

/// Collects the rounds in which states were lost.
#[derive(Default)]
pub(super) struct Rounds<const KEEPS_STRATEGY: bool>(pub Vec<Round>);

impl<const KEEPS_STRATEGY: bool> Observer for Rounds<KEEPS_STRATEGY> {
    const KEEPS_STRATEGY: bool = KEEPS_STRATEGY;

    fn lost(&mut self, round: Round) {
        self.0.push(round);
    }
}

pub(super) struct Outcome {
    /// Whether the system may win from the start; `winning` is exact then, otherwise only a
    /// superset.
    pub is_won: bool,
    pub winning: Bdd,
    /// For each goal, if the observer keeps strategies and the game is won.
    pub progress: Vec<Progress>,
}

/// Who wins.
pub(super) fn solve<G: FixpointGame, O: Observer>(game: &G, observer: &mut O) -> Result<Outcome> {
    let (safe, may_win) = keep_invariants(game, observer)?;
    if may_win {
        reach_goals(game, safe, observer)
    } else {
        Ok(Outcome::lost(safe))
    }
}

impl Outcome {
    fn lost(winning: Bdd) -> Outcome {
        Outcome {
            is_won: false,
            winning,
            progress: Vec::new(),
        }
    }
}

/// The states from which the system can keep its invariants as long as the environment does,
/// and whether it may win with them.
fn keep_invariants<G: FixpointGame, O: Observer>(
    game: &G,
    observer: &mut O,
) -> Result<(Bdd, bool)> {
    let mut safe = game.care().clone();
    let mut steps = 0;
    loop {
        let next = game.staying(&safe)?;
        let is_settled = next == safe;
        if !is_settled {
            observer.lost(Round {
                goal: None,
                before: safe,
                after: next.clone(),
            });
        }
        safe = next;
        let may_win = game.may_win(&safe)?;
        if is_settled || !may_win {
            return Ok((safe, may_win));
        }
        steps += 1;
        observer.looked_ahead(steps);
    }
}

/// Lets `winning` shrink until each goal can be reached within it.
fn reach_goals<G: FixpointGame, O: Observer>(
    game: &G,
    mut winning: Bdd,
    observer: &mut O,
) -> Result<Outcome> {
    let order = game.goals_in_order();
    let mut progress: Vec<Option<Progress>> = vec![None; order.len()];
    let mut turn = 0;
    // How many goals in a row have taken nothing away.
    let mut settled = 0;
    while settled < order.len() {
        let goal = order[turn % order.len()];
        let found = approach(game, goal, &winning, progress[goal].as_ref())?;
        let reached = match found.layers.last() {
            Some(layer) => layer.states.clone(),
            None => winning.manager().zero(),
        };
        let is_settled = reached == winning;
        progress[goal] = (O::KEEPS_STRATEGY || !is_settled).then_some(found);
        if is_settled || !G::LOOKS_AGAIN_AT_ONCE {
            turn += 1;
        }
        if is_settled {
            settled += 1;
            continue;
        }
        settled = 0;
        observer.lost(Round {
            goal: Some(goal),
            before: winning,
            after: reached.clone(),
        });
        winning = reached;
        if !game.may_win(&winning)? {
            return Ok(Outcome::lost(winning));
        }
    }
    Ok(Outcome {
        is_won: true,
        winning,
        progress: progress.into_iter().flatten().collect(),
    })
}

/// The least fixpoint Y of one goal within `winning`.
fn approach<G: FixpointGame>(
    game: &G,
    goal: usize,
    winning: &Bdd,
    earlier: Option<&Progress>,
) -> Result<Progress> {
    let approach = game.approach(goal, winning)?;
    let mut layers: Vec<Layer> = Vec::new();
    let mut reached = winning.manager().zero();
    while reached != *winning {
        let closer = game.closer(&approach, &reached)?;
        let start = earlier.and_then(|progress| progress.layers.get(layers.len()));
        let next = layer(game, &approach, &closer, start)?;
        if next.states == reached {
            break;
        }
        reached = next.states.clone();
        layers.push(next);
    }
    Ok(Progress { layers })
}

/// One more layer: states from which the system gets closer, or waits while some assumed
/// recurrence does not happen.
fn layer<G: FixpointGame>(
    game: &G,
    approach: &G::Approach,
    closer: &Bdd,
    start: Option<&Layer>,
) -> Result<Layer> {
    if game.assumed_count() == 0 {
        return Ok(Layer {
            states: game.at_once(approach, closer)?,
            waiting: Vec::new(),
        });
    }
    let mut states = closer.manager().zero();
    let mut waiting = Vec::new();
    for assumed in 0..game.assumed_count() {
        let mut stay = game.first_waiting(approach, assumed, closer)?;
        if let Some(layer) = start {
            stay = stay.and(&layer.waiting[assumed])?;
        }
        loop {
            let next = game.still_waiting(approach, assumed, closer, &stay)?;
            if next == stay {
                break;
            }
            stay = next;
        }
        states = states.or(&stay)?;
        waiting.push(stay);
    }
    Ok(Layer { states, waiting })
}
