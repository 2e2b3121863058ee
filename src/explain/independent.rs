//! Parts of a specification that share no variable.
//!
//! A selection of constraints falls apart into parts without common variables, variables
//! that are released in a guarantee not counted there. If the environment can keep the
//! assumptions of each part whatever the system does, then it wins the whole game if and only
//! if it wins that of one part: it plays that one and keeps the assumptions of the others,
//! and a system that wins all parts wins them together. So parts without guarantees need not
//! be looked at, and of the others one at a time is enough. This is the decomposition by
//! support that model checkers call the cone of influence, for both players.
//!
//! Parts whose assumptions the system might be able to break stay together with all
//! guarantees: then what happens in one part may decide the others.
//!
//! Invariant: the selection is unrealizable if and only if one of the parts is.

use crate::bdd::Result;
use crate::game::gr1::{Gr1Game, Recurrence, Selection};
use crate::spec::gr1::{ConstraintId, Side, VariableId};
use std::collections::{BTreeMap, BTreeSet};

/// Some constraints.
type Constraints = BTreeSet<ConstraintId>;

/// What is known about parts.
#[derive(Default)]
pub(super) struct Independent {
    /// For each constraint.
    variables: Vec<Vec<VariableId>>,
    /// Assumptions, and definitions that they use, that the environment can always keep.
    kept: Vec<Constraints>,
    /// Those of which that is not so, or not known.
    doubtful: Vec<Constraints>,
}

/// Constraints without a variable in common with others.
#[derive(Default)]
struct Part {
    constraints: Constraints,
    has_guarantees: bool,
}

impl Independent {
    pub fn new(game: &Gr1Game) -> Independent {
        let spec = game.spec();
        let variables = spec.constraints.iter().map(|constraint| {
            let found = spec.terms.variables(constraint.term).into_iter();
            let mut found: Vec<VariableId> = found.map(|(variable, _)| variable).collect();
            found.dedup();
            found
        });
        Independent {
            variables: variables.collect(),
            kept: Vec::new(),
            doubtful: Vec::new(),
        }
    }

    /// Selections of the parts that have to be looked at, the smallest first. `keeps` solves
    /// the game of a selection in which the system has no goal but to make the environment
    /// fail; it says whether the environment wins, or does not know.
    pub fn parts(
        &mut self,
        game: &Gr1Game,
        selection: &Selection,
        keeps: &mut dyn FnMut(&Selection) -> Result<bool>,
    ) -> Result<Vec<Selection>> {
        let parts = self.split(game, selection);
        let with_guarantees = parts.iter().filter(|part| part.has_guarantees).count();
        if parts.len() < 2 || with_guarantees == 0 {
            return Ok(vec![selection.clone()]);
        }
        // Of a single part with guarantees nobody asks whether its assumptions can be kept.
        let mut open: Vec<Constraints> = Vec::new();
        let mut joined = Constraints::new();
        for part in parts {
            let must_be_kept = with_guarantees > 1 || !part.has_guarantees;
            if must_be_kept && !self.is_kept(game, selection, &part.constraints, keeps)? {
                joined.extend(part.constraints);
            } else if part.has_guarantees {
                open.push(part.constraints);
            }
        }
        if !joined.is_empty() {
            joined.extend(open.drain(..).flatten());
            open.push(joined);
        }
        open.sort_by_key(|part| part.len());
        Ok(open
            .iter()
            .map(|part| restricted(game, selection, |id| part.contains(&id)))
            .collect())
    }

    fn split(&self, game: &Gr1Game, selection: &Selection) -> Vec<Part> {
        let spec = game.spec();
        let mut class: Vec<usize> = (0..spec.variables.len()).collect();
        fn root(class: &mut [usize], mut one: usize) -> usize {
            while class[one] != one {
                class[one] = class[class[one]];
                one = class[one];
            }
            one
        }
        let spoken = |id: ConstraintId| {
            let releases = game.may_release(id);
            let all = self.variables[id.0 as usize].iter();
            all.filter(move |one| !(releases && selection.released.contains(one)))
        };
        let selected: Vec<ConstraintId> = spec
            .constraint_ids()
            .filter(|id| selection.has(*id))
            .collect();
        for id in &selected {
            let mut first = None;
            for variable in spoken(*id) {
                let own = root(&mut class, variable.0 as usize);
                match first {
                    None => first = Some(own),
                    Some(other) => class[own] = root(&mut class, other),
                }
            }
        }
        let mut parts: BTreeMap<Option<usize>, Part> = BTreeMap::new();
        for id in selected {
            let key = spoken(id).next().map(|one| one.0 as usize);
            let key = key.map(|one| root(&mut class, one));
            let part = parts.entry(key).or_default();
            part.constraints.insert(id);
            part.has_guarantees |= spec.constraint(id).side == Side::Guarantee;
        }
        parts.into_values().collect()
    }

    /// Whether the environment can keep the assumptions among some constraints.
    fn is_kept(
        &mut self,
        game: &Gr1Game,
        selection: &Selection,
        constraints: &Constraints,
        keeps: &mut dyn FnMut(&Selection) -> Result<bool>,
    ) -> Result<bool> {
        let spec = game.spec();
        let own = |id: &ConstraintId| {
            let constraint = spec.constraint(*id);
            constraint.side == Side::Assumption || constraint.definition.is_some()
        };
        let constraints: Constraints = constraints.iter().copied().filter(own).collect();
        let is_assumption = |id: &ConstraintId| spec.constraint(*id).side == Side::Assumption;
        if !constraints.iter().any(is_assumption) {
            return Ok(true);
        }
        // Fewer assumptions are easier to keep.
        if self.kept.iter().any(|other| constraints.is_subset(other)) {
            return Ok(true);
        }
        if self.doubtful.contains(&constraints) {
            return Ok(false);
        }
        let kept = keeps(&restricted(game, selection, |id| constraints.contains(&id)))?;
        let list = if kept {
            &mut self.kept
        } else {
            &mut self.doubtful
        };
        list.push(constraints);
        Ok(kept)
    }
}

/// Those of a selection that are wanted.
fn restricted(
    game: &Gr1Game,
    selection: &Selection,
    wanted: impl Fn(ConstraintId) -> bool,
) -> Selection {
    let mut result = selection.clone();
    for id in game.spec().constraint_ids() {
        if !wanted(id) {
            result.set(id, false);
        }
    }
    result
}

/// A goal that is never reached: the system wins only if an assumption fails.
pub(super) fn never(game: &Gr1Game) -> Vec<Recurrence> {
    vec![Recurrence {
        constraint: None,
        states: game.encoding().manager().zero(),
    }]
}
