//! How the environment makes every implementation fail.
//!
//! The counterstrategy of [KHB11, Sec. 5.1] from the rounds in which the solver has lost
//! states. Its memory is the number of the assumption that it works for; the goal that it
//! prevents and the iterate follow from the state, since each of our rounds has one goal.
//! Moves are computed for the states that are asked for, not as one relation: a play visits
//! few. All moves that win are offered, so that a countertrace can choose among them:
//!
//! - into an earlier round, wherever that is possible (rho1);
//! - otherwise, with the goal not holding: if the assumption holds, anywhere into the round,
//!   working for the next assumption (rho3), else into the layer below (rho4).
//!
//! Invariant: every offered move leads into states that the environment wins.

use crate::bdd::{Bdd, Result, Variable};
use crate::game::gr1::{Counterplay, Encoding, Rules};
use crate::spec::gr1::Player;

pub struct Counterstrategy<'a> {
    rules: Rules<'a>,
    counterplay: Counterplay,
}

/// What the environment may do in some states.
pub struct Choice {
    /// Over current values and the environment's next ones.
    pub moves: Bdd,
    /// The assumption that it works for afterwards.
    pub memory: usize,
}

/// Where a state is in the fixpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stage {
    /// The round, from 1; the play never gets into a later one.
    pub iterate: usize,
    /// The goal that the environment keeps away; `None` if it forces a safety violation.
    pub goal: Option<usize>,
}

impl<'a> Counterstrategy<'a> {
    /// `None` if the system wins.
    pub fn new(rules: Rules<'a>) -> Result<Option<Counterstrategy<'a>>> {
        let solution = rules.solve()?;
        if solution.realizable {
            return Ok(None);
        }
        let counterplay = rules.counterplay(&solution.rounds)?;
        Ok(Some(Counterstrategy { rules, counterplay }))
    }

    pub fn rules(&self) -> &Rules<'a> {
        &self.rules
    }

    pub fn counterplay(&self) -> &Counterplay {
        &self.counterplay
    }

    pub fn encoding(&self) -> &Encoding {
        self.rules.encoding()
    }

    /// How many assumptions the environment works for, one after the other.
    pub fn memories(&self) -> usize {
        self.rules.assumed.len()
    }

    /// The first inputs with which the environment wins, over current values.
    pub fn starts(&self) -> Result<Bdd> {
        let lost = self.counterplay.lost(&self.rules);
        self.rules.refuting_starts(&lost.not())
    }

    /// The stage of a state that the environment wins.
    pub fn stage(&self, state: &Bdd) -> Result<Option<Stage>> {
        for (index, round) in self.counterplay.rounds.iter().enumerate() {
            if state.is_subset_of(&round.lost_after)? {
                return Ok(Some(Stage {
                    iterate: index + 1,
                    goal: round.goal,
                }));
            }
        }
        Ok(None)
    }

    /// The moves from some states, which the environment must win. From one state, the moves
    /// of different choices differ.
    pub fn choices(&self, states: &Bdd, memory: usize) -> Result<Vec<Choice>> {
        let mut choices = Vec::new();
        let mut left = states.clone();
        for round in &self.counterplay.rounds {
            let here = left.and(&round.lost_after)?;
            left = left.minus(&round.lost_after)?;
            if here.is_zero() {
                continue;
            }
            let down = self
                .rules
                .environment_moves_from(&here, &round.lost_before)?;
            let mut push = |moves: Bdd, memory: usize| {
                if !moves.is_zero() {
                    choices.push(Choice { moves, memory });
                }
            };
            push(down.clone(), memory);
            let Some(goal) = round.goal else {
                continue;
            };
            let missed = here.minus(&self.rules.goals[goal].states)?;
            let assumed = &self.rules.assumed[memory].states;
            let reached = missed.and(assumed)?;
            if !reached.is_zero() {
                let moves = self
                    .rules
                    .environment_moves_from(&reached, &round.lost_after)?;
                push(moves.minus(&down)?, (memory + 1) % self.memories());
            }
            let mut waiting = missed.minus(assumed)?;
            let layers = &round.layers[memory];
            for pair in layers.windows(2) {
                let on_layer = waiting.and(&pair[1])?.minus(&pair[0])?;
                if on_layer.is_zero() {
                    continue;
                }
                waiting = waiting.minus(&pair[1])?;
                let moves = self.rules.environment_moves_from(&on_layer, &pair[0])?;
                push(moves.minus(&down)?, memory);
            }
            if left.is_zero() {
                break;
            }
        }
        Ok(choices)
    }

    /// The current (or next) variables of the environment.
    pub fn inputs(&self, next: bool) -> Vec<Variable> {
        let bits = self.encoding().bits_of(Player::Environment).into_iter();
        bits.map(|bit| if next { bit.next } else { bit.now })
            .collect()
    }
}

/// A member of `moves`, a function of `variables`, that is near the wanted values: variables
/// keep them in turn, as long as that is possible.
pub fn nearest(
    moves: &Bdd,
    variables: &[Variable],
    wanted: &dyn Fn(usize) -> bool,
) -> Result<Option<Vec<bool>>> {
    if moves.is_zero() {
        return Ok(None);
    }
    let mut rest = moves.clone();
    let mut values = Vec::new();
    for (index, variable) in variables.iter().enumerate() {
        let value = wanted(index);
        let kept = rest.cofactor(&[(*variable, value)])?;
        if kept.is_zero() {
            rest = rest.cofactor(&[(*variable, !value)])?;
            values.push(!value);
        } else {
            rest = kept;
            values.push(value);
        }
    }
    Ok(Some(values))
}

/// The conjunction of variables with the given values.
pub fn cube(rules: &Rules, variables: &[Variable], values: &[bool]) -> Result<Bdd> {
    let literals: Vec<(Variable, bool)> = variables
        .iter()
        .copied()
        .zip(values.iter().copied())
        .collect();
    rules.manager().cube(&literals)
}
