//! The game of a core for systems that leave other outputs alone.
//!
//! Outputs outside of a core may have any value, and assumptions speak of them. The
//! environment then has to react to what does not matter, and there is no countertrace. So
//! the user's game leaves these outputs out [KHB11, Sec. 4.3.2]: here they keep one value
//! for ever, and the system starts as all its guarantees say. What is found is true of such
//! systems only, and has to be told as that.

use super::narrate::{Reason, Story};
use super::oracle::Oracle;
use super::subset::Subset;
use crate::bdd::{Result, Variable};
use crate::game::gr1::{Gr1Game, Selection};
use crate::spec::gr1::{ConstraintId, Kind, Side, Value, VariableId};
use std::collections::HashSet;

pub struct Held {
    pub game: Gr1Game,
    pub selection: Selection,
    /// The outputs that do not change.
    pub values: Vec<(VariableId, Value)>,
    carrier: ConstraintId,
}

impl Held {
    /// A play without what is only there because outputs are held.
    pub fn without_held(&self, mut story: Story) -> Story {
        let is_held = |id: &VariableId| self.values.iter().any(|(other, _)| other == id);
        for step in &mut story.steps {
            step.outputs.retain(|(id, _)| !is_held(id));
            step.reasons.retain(
                |reason| !matches!(reason, Reason::Forced { output, .. } if is_held(output)),
            );
            for reason in &mut step.reasons {
                let (Reason::Forced { because, .. } | Reason::Stuck { because }) = reason;
                because.retain(|id| *id != self.carrier);
            }
        }
        story
    }
}

/// `None` if nothing can be held.
pub fn hold(oracle: &Oracle, core: &Subset) -> Result<Option<Held>> {
    let (game, spec) = (oracle.game(), oracle.spec());
    let mut selection = oracle.selection(core);
    let rules = game.rules(&selection)?;
    let support: HashSet<Variable> = rules.support().into_iter().collect();
    let mut held = rules.manager().one();
    let mut values = Vec::new();
    for id in &selection.released {
        let bits = game.encoding().bits(*id).iter();
        let matters = bits
            .into_iter()
            .any(|bit| support.contains(&bit.now) || support.contains(&bit.next));
        if matters {
            held = held.and(&game.encoding().has_code(*id, false, 0)?)?;
            values.extend(
                spec.variable(*id)
                    .domain
                    .values()
                    .first()
                    .map(|one| (*id, *one)),
            );
        }
    }
    let released = game.released(&selection)?;
    let mut functions = Vec::new();
    // A guarantee that takes no part lends its number.
    let carrier = spec
        .of(Side::Guarantee, Kind::Safety)
        .find(|id| !selection.has(*id));
    let Some(carrier) = carrier else {
        return Ok(None);
    };
    for id in spec.constraint_ids() {
        let constraint = spec.constraint(id);
        if constraint.side != Side::Guarantee {
            continue;
        }
        if constraint.kind == Kind::Initial {
            selection.set(id, true);
            continue;
        }
        if !selection.has(id) {
            continue;
        }
        let mut function = game.function(id).clone();
        if game.may_release(id) {
            function = released.free_in(&function)?;
        }
        functions.push((id, function));
    }
    functions.push((carrier, held));
    selection.set(carrier, true);
    selection.released.clear();
    Ok(Some(Held {
        game: game.with_functions(&functions),
        selection,
        values,
        carrier,
    }))
}
