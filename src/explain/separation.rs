//! Whether the system can make the environment break its assumptions, and how \[MR16\].
//!
//! The cases are those of [MR16, Algorithm 1]; a core is a minimal set of assumptions that
//! can be forced to be broken from a state that all assumptions let the play reach
//! [MR16, Def. 3]. Definitions of auxiliary variables stay [MR16, Sec. 6.1]; with the
//! guarantees, the system has to keep its own safety [MR16, Def. 4].
//!
//! An assumption about single states, as `G !(a & b)` over inputs, holds of each state that a play
//! reaches: an environment that enters one where it does not has broken it, and was not forced to.
//! [MR16, Algorithm 1] says that of constraints on next values only, which mean the same. It is
//! the step that decides, and not the state alone: where an assumption remembers, as
//! `G (q -> ONCE(p))` does, the values of auxiliary variables follow from the state before, the
//! inputs and the outputs. Where none of these outputs keeps the assumption, the inputs broke it.
//!
//! Ours visits reachable states only as far as it has to: breadth first, until a state from
//! which the system can force a violation is met. The layers give a shortest trace to it.

use super::forced::Forced;
use super::minimize::{Minimizer, minimize};
use crate::bdd::{Bdd, Result, Variable};
use crate::game::Relation;
use crate::game::gr1::{Gr1Game, Rules, Selection};
use crate::spec::gr1::{ConstraintId, DefinitionId, Gr1, Kind, Player, Side, Value, VariableId};
use std::collections::{BTreeSet, HashMap};

/// From where a violation can be forced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Position {
    /// Whatever the environment starts with.
    All,
    /// From some state that a play can reach.
    Reachable,
}

/// Which part of the assumptions is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    Initial,
    Safety,
    Justice,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Case {
    pub position: Position,
    pub part: Part,
}

/// What restrains the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Nothing: the environment is judged alone.
    Environment,
    /// Its initial and safety guarantees.
    Guarantees,
}

impl Case {
    /// As in the literature: `(P-all, E-safe)`.
    pub fn text(self) -> String {
        let position = match self.position {
            Position::All => "P-all",
            Position::Reachable => "P-reach",
        };
        let part = match self.part {
            Part::Initial => "E-ini",
            Part::Safety => "E-safe",
            Part::Justice => "E-just",
        };
        format!("({position}, {part})")
    }
}

/// The part of a specification that matters: other constraints are left without meaning, so
/// that they cost nothing. Constraints keep their numbers.
pub fn relevant_part(spec: &Gr1, scope: Scope) -> Gr1 {
    let mut part = spec.clone();
    let mut needed: BTreeSet<_> = BTreeSet::new();
    let is_kept = |side: Side, kind: Kind| match (side, scope) {
        (Side::Assumption, _) => true,
        (Side::Guarantee, Scope::Guarantees) => kind != Kind::Justice,
        (Side::Guarantee, Scope::Environment) => false,
    };
    for constraint in &spec.constraints {
        if constraint.definition.is_none() && is_kept(constraint.side, constraint.kind) {
            needed.extend(spec.definitions_of(constraint.term));
        }
    }
    let nothing = part.terms.boolean(true);
    for constraint in &mut part.constraints {
        let kept = match constraint.definition {
            Some(definition) => needed.contains(&definition),
            None => is_kept(constraint.side, constraint.kind),
        };
        if !kept {
            constraint.term = nothing;
        }
    }
    part
}

/// Where the inputs alone do not break the assumptions about single states: with some outputs all
/// of these hold, if auxiliary variables are as their definitions have them.
struct Kept {
    /// Over current values.
    first: Bdd,
    /// Over current values and next inputs.
    steps: Bdd,
}

impl Kept {
    fn new(game: &Gr1Game, rules: &Rules, selection: &Selection) -> Result<Kept> {
        let encoding = rules.encoding();
        let spec = game.spec();
        let bits = encoding.bits_of(Player::System);
        let next: Vec<Variable> = bits.iter().map(|bit| bit.next).collect();
        let mut states = rules.assumed_now().clone();
        let behind = definitions_behind(game, &states);
        for id in spec.variable_ids() {
            if spec.variable(id).owner == Player::System {
                states = states.and(&encoding.domain(spec, id, false)?)?;
            }
        }
        let mut starts = rules.manager().one();
        let mut steps = Vec::new();
        for id in spec.constraint_ids().filter(|id| selection.has(*id)) {
            let constraint = spec.constraint(id);
            if !constraint
                .definition
                .is_some_and(|own| behind.contains(&own))
            {
                continue;
            }
            let function = game.function(id);
            let looks_ahead = spec.terms.variables(constraint.term);
            let looks_ahead = looks_ahead.iter().any(|(_, primed)| *primed);
            match constraint.kind {
                Kind::Initial => starts = starts.and(function)?,
                Kind::Safety if looks_ahead => steps.push(function.clone()),
                Kind::Safety => states = states.and(function)?,
                Kind::Justice => {}
            }
        }
        let relation = Relation::new(rules.manager(), &steps, &next)?;
        Ok(Kept {
            first: starts.and(&states)?.exists(rules.now_of(Player::System))?,
            steps: relation.exists(&encoding.to_next(&states)?)?,
        })
    }
}

/// The definitions that say what the auxiliary variables of some states are.
fn definitions_behind(game: &Gr1Game, states: &Bdd) -> BTreeSet<DefinitionId> {
    let spec = game.spec();
    let support: BTreeSet<Variable> = states.support().into_iter().collect();
    let read = spec.variable_ids().filter(|id| {
        let mut bits = game.encoding().bits(*id).iter();
        bits.any(|bit| support.contains(&bit.now))
    });
    let own: BTreeSet<DefinitionId> = read.filter_map(|id| spec.variable(id).definition).collect();
    let parts = spec.constraints.iter();
    let parts = parts.filter(|part| part.definition.is_some_and(|one| own.contains(&one)));
    let others: Vec<DefinitionId> = parts
        .flat_map(|part| spec.definitions_of(part.term))
        .collect();
    own.into_iter().chain(others).collect()
}

pub struct Separation<'a> {
    game: &'a Gr1Game,
    rules: Rules<'a>,
    image: Relation,
    /// Steps in which the environment breaks no assumption by its inputs alone.
    kept_steps: Bdd,
    /// States by their distance from a first one.
    layers: Vec<Bdd>,
    /// All of them together.
    reached: Bdd,
    complete: bool,
    /// Core candidates that were looked at.
    pub checks: usize,
}

/// A play, as values of variables in each step.
pub type Path = Vec<Vec<Value>>;

impl<'a> Separation<'a> {
    /// The game must be that of [`relevant_part`].
    pub fn new(game: &'a Gr1Game) -> Result<Separation<'a>> {
        Separation::within(game, &Selection::everything(game.spec()))
    }

    /// The same on plays that keep the selected constraints; others may be asked about.
    pub fn within(game: &'a Gr1Game, selection: &Selection) -> Result<Separation<'a>> {
        let rules = game.rules(selection)?;
        let manager = rules.manager().clone();
        let now: Vec<Variable> = [Player::Environment, Player::System]
            .into_iter()
            .flat_map(|player| rules.encoding().bits_of(player))
            .map(|bit| bit.now)
            .collect();
        let kept = Kept::new(game, &rules, selection)?;
        let mut parts = rules.step_parts();
        parts.push(kept.steps.clone());
        let image = Relation::new(&manager, &parts, &now)?;
        let mut first = rules
            .initial_assumption()
            .and(rules.initial_guarantee())?
            .and(rules.invariant())?;
        // Unless the environment cannot begin without breaking an assumption.
        if !first.is_disjoint_from(&kept.first)? {
            first = first.and(&kept.first)?;
        }
        Ok(Separation {
            game,
            image,
            kept_steps: kept.steps,
            layers: vec![first.clone()],
            reached: first,
            complete: false,
            rules,
            checks: 0,
        })
    }

    pub fn rules(&self) -> &Rules<'a> {
        &self.rules
    }

    /// The strongest cases; none if the assumptions are well-separated.
    pub fn cases(&mut self) -> Result<Vec<Case>> {
        let case = |position, part| Case { position, part };
        if self.rules.initial_assumption().is_zero() {
            return Ok(vec![case(Position::All, Part::Initial)]);
        }
        let mut cases = Vec::new();
        let safety = Forced::new(&self.rules, false)?;
        if self.first_meeting(safety.states())?.is_some() {
            if self.rules.starts_in(safety.states())? {
                return Ok(vec![case(Position::All, Part::Safety)]);
            }
            cases.push(case(Position::Reachable, Part::Safety));
        }
        let justice = Forced::new(&self.rules, true)?;
        if self.first_meeting(justice.states())?.is_some() {
            if self.rules.starts_in(justice.states())? {
                cases.push(case(Position::All, Part::Justice));
            } else if cases.is_empty() {
                cases.push(case(Position::Reachable, Part::Justice));
            }
        }
        Ok(cases)
    }

    /// The distance at which some state of the set is reached first.
    pub fn first_meeting(&mut self, states: &Bdd) -> Result<Option<usize>> {
        if states.is_zero() {
            return Ok(None);
        }
        let mut distance = 0;
        loop {
            if distance == self.layers.len() {
                if self.complete {
                    return Ok(None);
                }
                let last = &self.layers[distance - 1];
                let next = self.image.exists(last)?;
                let next = self.rules.encoding().to_now(&next)?;
                let next = next.and(self.rules.invariant())?;
                let new = next.minus(&self.reached)?;
                if new.is_zero() {
                    self.complete = true;
                    return Ok(None);
                }
                self.reached = self.reached.or(&new)?;
                self.layers.push(new);
            }
            if !self.layers[distance].is_disjoint_from(states)? {
                return Ok(Some(distance));
            }
            distance += 1;
        }
    }

    fn assumptions(&self) -> Vec<ConstraintId> {
        let spec = self.game.spec();
        let ids = spec.constraint_ids();
        ids.filter(|id| {
            let constraint = spec.constraint(*id);
            constraint.side == Side::Assumption && constraint.definition.is_none()
        })
        .collect()
    }

    /// Where the system can force a violation of some of the assumptions.
    pub fn forced_by(&self, assumptions: &[ConstraintId], justice: bool) -> Result<Forced> {
        let selection = Selection::only(self.game.spec(), Side::Assumption, assumptions);
        Forced::new(&self.game.rules(&selection)?, justice)
    }

    /// A minimal set of assumptions that can be forced to be broken; with `justice`, recurring
    /// ones count. `None` if there is none.
    pub fn core(&mut self, justice: bool) -> Result<Option<Vec<ConstraintId>>> {
        if self.rules.initial_assumption().is_zero() {
            return self.contradicting_starts().map(Some);
        }
        let spec = self.game.spec();
        let all: Vec<ConstraintId> = self
            .assumptions()
            .into_iter()
            .filter(|id| spec.constraint(*id).kind != Kind::Initial)
            .filter(|id| justice || spec.constraint(*id).kind != Kind::Justice)
            .collect();
        let mut fails = |items: &[usize]| {
            let chosen: Vec<ConstraintId> = items.iter().map(|item| all[*item]).collect();
            self.checks += 1;
            let forced = self.forced_by(&chosen, justice)?;
            Ok(self.first_meeting(forced.states())?.is_some())
        };
        let items: Vec<usize> = (0..all.len()).collect();
        if !fails(&items)? {
            return Ok(None);
        }
        let found = minimize(Minimizer::DeltaDebugging, &items, &mut fails)?;
        Ok(Some(found.into_iter().map(|item| all[item]).collect()))
    }

    fn contradicting_starts(&mut self) -> Result<Vec<ConstraintId>> {
        let spec = self.game.spec();
        let all: Vec<ConstraintId> = spec.of(Side::Assumption, Kind::Initial).collect();
        let items: Vec<usize> = (0..all.len()).collect();
        let found = minimize(
            Minimizer::DeltaDebugging,
            &items,
            &mut |items: &[usize]| {
                let mut rest = self.rules.manager().one();
                for item in items {
                    rest = rest.and(self.game.function(all[*item]))?;
                }
                self.checks += 1;
                Ok(rest.is_zero())
            },
        )?;
        Ok(found.into_iter().map(|item| all[item]).collect())
    }

    /// A shortest play to a state of the set, over the given variables.
    pub fn trace_to(&mut self, states: &Bdd) -> Result<Option<(Path, Bdd)>> {
        let Some(distance) = self.first_meeting(states)? else {
            return Ok(None);
        };
        let spec = self.game.spec();
        let variables: Vec<VariableId> = spec.variable_ids().collect();
        let encoding = self.rules.encoding();
        let now: Vec<Variable> = variables
            .iter()
            .flat_map(|id| encoding.bits(*id))
            .map(|bit| bit.now)
            .collect();
        let mut target = self.layers[distance].and(states)?;
        let mut path = Vec::new();
        let mut last = None;
        for layer in (0..=distance).rev() {
            let Some(values) = target.pick_minterm(&now) else {
                break;
            };
            let state: HashMap<Variable, bool> = values.iter().copied().collect();
            path.push(
                variables
                    .iter()
                    .map(|id| encoding.value(spec, *id, false, &state))
                    .collect(),
            );
            let cube = self.rules.manager().cube(&values)?;
            last.get_or_insert(cube.clone());
            if layer > 0 {
                let steps = self.rules.steps_into(&cube)?.and(&self.kept_steps)?;
                let all: Vec<Variable> = variables
                    .iter()
                    .flat_map(|id| encoding.bits(*id))
                    .map(|bit| bit.next)
                    .collect();
                let before = steps.exists(&self.rules.manager().set(&all)?)?;
                target = before.and(&self.layers[layer - 1])?;
            }
        }
        path.reverse();
        Ok(last.map(|last| (path, last)))
    }
}
