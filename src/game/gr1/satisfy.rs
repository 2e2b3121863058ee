//! Whether some play keeps constraints, if both players want it.
//!
//! The states from which there is an infinite play that keeps safety and visits each justice
//! constraint again and again, by the fixpoint of [EL86]:
//! `nu Z. and_j pre(mu Y. Z & (justice_j | pre Y))`.

use super::{Gr1Game, Selection};
use crate::bdd::{Bdd, Result};
use crate::game::relation::Relation;
use crate::spec::gr1::{Kind, Player};

impl Gr1Game {
    /// Whether one play keeps all selected constraints of both sides.
    pub fn is_satisfiable(&self, selection: &Selection) -> Result<bool> {
        let manager = self.encoding.manager();
        let mut first = manager.one();
        let mut steps = Vec::new();
        let mut justice = Vec::new();
        for id in self.spec.constraint_ids().filter(|id| selection.has(*id)) {
            let function = self.function(id);
            match self.spec.constraint(id).kind {
                Kind::Initial => first = first.and(function)?,
                Kind::Safety => steps.push(function.clone()),
                Kind::Justice => justice.push(function.clone()),
            }
        }
        for id in self.spec.variable_ids() {
            first = first.and(&self.encoding.domain(&self.spec, id, false)?)?;
            steps.push(self.encoding.domain(&self.spec, id, true)?);
        }
        if justice.is_empty() {
            justice.push(manager.one());
        }
        let bits = [Player::Environment, Player::System];
        let next: Vec<_> = bits
            .into_iter()
            .flat_map(|player| self.encoding.bits_of(player))
            .map(|bit| bit.next)
            .collect();
        let relation = Relation::new(manager, &steps, &next)?;
        let before = |states: &Bdd| relation.exists(&self.encoding.to_next(states)?);
        let mut fair = manager.one();
        loop {
            let mut kept = fair.clone();
            for wanted in &justice {
                let mut reached = kept.and(wanted)?;
                loop {
                    let more = reached.or(&kept.and(&before(&reached)?)?)?;
                    if more == reached {
                        break;
                    }
                    reached = more;
                }
                kept = kept.and(&before(&reached)?)?;
            }
            if first.is_disjoint_from(&kept)? {
                return Ok(false);
            }
            if kept == fair {
                return Ok(true);
            }
            fair = kept;
        }
    }
}
