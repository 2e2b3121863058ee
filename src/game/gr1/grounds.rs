//! The guarantees that the environment's win rests on.
//!
//! A counterplay is a proof that each round is lost, and each step of the proof speaks of
//! one move: from these states, the environment has a move after which every answer leads to
//! those. Most guarantees are not needed for any step. Ours starts with none of them and
//! looks at the steps one after the other. Where a step does not hold yet, there is a state, a
//! move that wins in the whole game, and an answer that the guarantees so far allow and that
//! leads elsewhere; guarantees that forbid it, as few as do for this state and move, are
//! added. So each step costs about as much as a step back, which is far less than a game for
//! each guarantee would.
//!
//! A proof says nothing of states in which some guarantee about single states is broken, so most
//! of these guarantees are kept.
//!
//! Invariant: of a proof that is right, the steps that were looked at hold with the guarantees
//! so far. More guarantees only help the environment, so they go on to hold.

use super::counterplay::Counterplay;
use super::rules::Rules;
use super::{Gr1Game, Selection};
use crate::bdd::{Bdd, Result, Variable};
use crate::game::relation::Relation;
use crate::spec::gr1::{ConstraintId, Kind, Player, Side};
use std::collections::BTreeSet;

/// One step of the proof: from `states` the environment can get into `target`.
struct Claim {
    states: Bdd,
    target: Bdd,
}

/// A safety guarantee, or one about first states.
struct Ground {
    /// `None` if it is always there.
    id: Option<ConstraintId>,
    /// Over current and next values; `None` if it speaks of first states only.
    step: Option<Bdd>,
    /// Over current values; `None` if it says nothing of first states.
    first: Option<Bdd>,
}

/// Guarantees with which the environment wins as it does in a counterplay of the game of a
/// selection. The preferred ones are taken first.
pub(super) fn grounds(
    game: &Gr1Game,
    selection: &Selection,
    rules: &Rules<'_>,
    counterplay: &Counterplay,
    preferred: &dyn Fn(ConstraintId) -> bool,
) -> Result<BTreeSet<ConstraintId>> {
    let mut search = Search::new(game, selection, rules, preferred)?;
    for claim in claims(rules, counterplay)? {
        search.add_for(&claim)?;
    }
    search.add_for_start(&counterplay.lost(rules))?;
    let goals = counterplay.rounds.iter().filter_map(|round| round.goal);
    let goals = goals.filter_map(|goal| rules.goals[goal].constraint);
    let safety = search.chosen.iter();
    let safety = safety.filter_map(|one| search.grounds[*one].id);
    Ok(goals.chain(safety).collect())
}

/// The steps of a counterplay.
fn claims(rules: &Rules<'_>, counterplay: &Counterplay) -> Result<Vec<Claim>> {
    let mut claims = Vec::new();
    for round in &counterplay.rounds {
        let lost = round.lost_after.minus(&round.lost_before)?;
        let Some(goal) = round.goal else {
            claims.push(Claim {
                states: lost,
                target: round.lost_before.clone(),
            });
            continue;
        };
        let goal = &rules.goals[goal].states;
        claims.push(Claim {
            states: lost.and(goal)?,
            target: round.lost_before.clone(),
        });
        let missed = lost.minus(goal)?;
        for (layers, assumed) in round.layers.iter().zip(&rules.assumed) {
            claims.push(Claim {
                states: missed.and(&assumed.states)?,
                target: round.lost_after.clone(),
            });
            let waiting = missed.minus(&assumed.states)?;
            for pair in layers.windows(2) {
                claims.push(Claim {
                    states: waiting.and(&pair[1])?.minus(&pair[0])?,
                    target: pair[0].clone(),
                });
            }
        }
    }
    Ok(claims)
}

struct Search<'a> {
    rules: &'a Rules<'a>,
    grounds: Vec<Ground>,
    /// Positions in `grounds`.
    chosen: BTreeSet<usize>,
    /// States in which the system has not lost for breaking a guarantee; a proof says nothing
    /// of others.
    counted: Bdd,
    /// The steps that the chosen ones allow.
    relation: Relation,
    now: Vec<Variable>,
    inputs: Vec<(Variable, Variable)>,
    outputs: Vec<Variable>,
}

impl<'a> Search<'a> {
    fn new(
        game: &Gr1Game,
        selection: &Selection,
        rules: &'a Rules<'a>,
        preferred: &dyn Fn(ConstraintId) -> bool,
    ) -> Result<Search<'a>> {
        let (encoding, spec) = (game.encoding(), game.spec());
        let input_bits = encoding.bits_of(Player::Environment);
        let output_bits = encoding.bits_of(Player::System);
        let bits = || input_bits.iter().chain(&output_bits);
        let next: BTreeSet<Variable> = bits().map(|bit| bit.next).collect();
        let mut grounds = Vec::new();
        for variable in spec.variable_ids() {
            if spec.variable(variable).owner == Player::System {
                grounds.push(Ground {
                    id: None,
                    step: Some(encoding.domain(spec, variable, true)?),
                    first: Some(encoding.domain(spec, variable, false)?),
                });
            }
        }
        let stuck = rules.environment_alive().not();
        let released = game.released(selection)?;
        for id in spec.constraint_ids() {
            let constraint = spec.constraint(id);
            if constraint.side != Side::Guarantee || !selection.has(id) {
                continue;
            }
            let function = game.selected_function(id, selection, &released)?;
            let is_step = |function: &Bdd| function.support().iter().any(|one| next.contains(one));
            let (step, first) = match constraint.kind {
                Kind::Justice => continue,
                Kind::Initial => (None, Some(function)),
                Kind::Safety if is_step(&function) => (Some(function), None),
                // Where the environment cannot move, a guarantee may be broken.
                Kind::Safety => {
                    let states = function.or(&stuck)?;
                    (Some(encoding.to_next(&states)?), Some(states))
                }
            };
            let id = constraint.is_candidate.then_some(id);
            grounds.push(Ground { id, step, first });
        }
        grounds.sort_by_key(|one| one.id.map(|id| (!preferred(id), id)));
        let chosen = (0..grounds.len())
            .filter(|one| grounds[*one].id.is_none())
            .collect();
        let mut search = Search {
            relation: Relation::new(rules.manager(), &[], &[])?,
            now: bits().map(|bit| bit.now).collect(),
            inputs: input_bits.iter().map(|bit| (bit.now, bit.next)).collect(),
            outputs: output_bits.iter().map(|bit| bit.next).collect(),
            counted: rules.care().and(&rules.invariant().or(&stuck)?)?,
            rules,
            grounds,
            chosen,
        };
        search.relate()?;
        Ok(search)
    }

    fn relate(&mut self) -> Result<()> {
        let chosen = self
            .chosen
            .iter()
            .filter_map(|one| self.grounds[*one].step.clone());
        let parts: Vec<Bdd> = chosen.collect();
        self.relation = Relation::new(self.rules.manager(), &parts, &self.outputs)?;
        Ok(())
    }

    /// Adds guarantees until a claim holds.
    fn add_for(&mut self, claim: &Claim) -> Result<()> {
        let states = claim.states.and(&self.counted)?;
        if states.is_zero() {
            return Ok(());
        }
        let moves = self.rules.environment_moves_from(&states, &claim.target)?;
        let elsewhere = self
            .rules
            .encoding()
            .to_next(&claim.target.and(&self.counted)?)?
            .not();
        let next: Vec<Variable> = self.inputs.iter().map(|(_, next)| *next).collect();
        let next = self.rules.manager().set(&next)?;
        let mut open = states;
        loop {
            let escaped = self.relation.exists(&elsewhere.and(&open)?)?;
            let held = moves.minus(&escaped)?.exists(&next)?;
            open = open.minus(&held)?;
            let Some(state) = open.pick_minterm(&self.now) else {
                return Ok(());
            };
            let Some(step) = self.with_move(&moves, state)? else {
                return Ok(());
            };
            let elsewhere = elsewhere.cofactor(&step)?;
            // A claim that all guarantees together do not support is given up.
            if !self.forbid(elsewhere, &step, |one| one.step.as_ref())? {
                return Ok(());
            }
            self.relate()?;
        }
    }

    /// A state with a move of the environment that changes few inputs.
    fn with_move(
        &self,
        moves: &Bdd,
        state: Vec<(Variable, bool)>,
    ) -> Result<Option<Vec<(Variable, bool)>>> {
        let mut moves = moves.cofactor(&state)?;
        if moves.is_zero() {
            return Ok(None);
        }
        let mut step = state.clone();
        for (now, next) in &self.inputs {
            let kept = state
                .iter()
                .any(|(variable, value)| variable == now && *value);
            let same = moves.cofactor(&[(*next, kept)])?;
            let value = kept != same.is_zero();
            moves = if same.is_zero() {
                moves.cofactor(&[(*next, value)])?
            } else {
                same
            };
            step.push((*next, value));
        }
        Ok(Some(step))
    }

    fn add_for_start(&mut self, lost: &Bdd) -> Result<()> {
        let inputs: Vec<Variable> = self.inputs.iter().map(|(now, _)| *now).collect();
        let lost = lost.and(&self.counted)?;
        let starts = self.rules.refuting_starts(&self.counted.minus(&lost)?)?;
        let Some(start) = starts.pick_minterm(&inputs) else {
            return Ok(());
        };
        let elsewhere = lost.not().cofactor(&start)?;
        self.forbid(elsewhere, &start, |one| one.first.as_ref())?;
        Ok(())
    }

    /// Adds guarantees that forbid all of the answers to what is given, as few as do; whether
    /// some were added.
    fn forbid(
        &mut self,
        answers: Bdd,
        given: &[(Variable, bool)],
        says: impl Fn(&Ground) -> Option<&Bdd>,
    ) -> Result<bool> {
        let mut allowed = answers;
        let mut others = Vec::new();
        for (index, ground) in self.grounds.iter().enumerate() {
            let Some(function) = says(ground) else {
                continue;
            };
            let function = function.cofactor(given)?;
            if self.chosen.contains(&index) {
                allowed = allowed.and(&function)?;
            } else if !function.is_one() {
                others.push((index, function));
            }
        }
        let before = self.chosen.len();
        // The first of the others that leaves nothing is needed, and those after it are not.
        while !allowed.is_zero() {
            let mut left = allowed.clone();
            let mut last = None;
            for (position, (_, function)) in others.iter().enumerate() {
                left = left.and(function)?;
                if left.is_zero() {
                    last = Some(position);
                    break;
                }
            }
            let Some(last) = last else {
                break;
            };
            let (index, function) = others.swap_remove(last);
            others.truncate(last);
            self.chosen.insert(index);
            allowed = allowed.and(&function)?;
        }
        Ok(self.chosen.len() > before)
    }
}
