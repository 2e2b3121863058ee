//! All minimal conflicts at once, with a variable for each constraint that switches it on.
//!
//! An activation variable belongs to neither player and never changes [CRST08, Sec. 4.2]. In
//! our games it is simply a variable that no step quantifies, so one fixpoint gives the
//! verdict as a function of all of them. It is often far more expensive than asking for
//! single sets, but what it finds is complete, and smallest conflicts come first.

use super::oracle::{Element, Oracle};
use super::subset::Subset;
use crate::bdd::{Bdd, Result, Variable};
use crate::spec::gr1::Player;

/// All minimal conflicts over guarantees, or, of a realizable specification, all minimal
/// sets of assumptions that suffice; at most `limit`, the smallest first.
pub fn all_explanations(oracle: &Oracle, realizable: bool, limit: usize) -> Result<Vec<Subset>> {
    let game = oracle.game();
    let manager = game.encoding().manager().clone();
    let members: Vec<(usize, Variable)> = (0..oracle.size())
        .filter(|number| match oracle.element(*number) {
            Element::Guarantee(_) => !realizable,
            Element::Lack(_) => realizable,
            Element::Output(_) => false,
        })
        .map(|number| Ok((number, manager.new_variable()?)))
        .collect::<Result<_>>()?;
    let mut switched = Vec::new();
    for (number, variable) in &members {
        if let Element::Guarantee(id) | Element::Lack(id) = oracle.element(*number) {
            let off = manager.literal(*variable)?.not();
            switched.push((id, off.or(game.function(id))?));
        }
    }
    let game = game.with_functions(&switched);
    let mut rules = game.rules(&oracle.selection(&oracle.whole()))?;
    let winning = rules.winning_states()?;
    let good = rules.initial_guarantee().and(&winning)?;
    let good = good.exists(rules.now_of(Player::System))?;
    let refuted = rules.initial_assumption().minus(&good)?;
    let conflicts = refuted.exists(rules.now_of(Player::Environment))?;
    let wanted = if realizable {
        conflicts.not()
    } else {
        conflicts
    };
    let sets = minimal_members(&wanted, &members, limit)?;
    let mut sets: Vec<Subset> = sets
        .into_iter()
        .map(|set| Subset::of(oracle.size(), set))
        .collect();
    sets.sort_by_key(Subset::len);
    Ok(sets)
}

/// The minimal sets of a function that only grows with its variables.
fn minimal_members(
    function: &Bdd,
    members: &[(usize, Variable)],
    limit: usize,
) -> Result<Vec<Vec<usize>>> {
    let manager = function.manager();
    let mut left = function.clone();
    let mut found = Vec::new();
    while !left.is_zero() && found.len() < limit {
        // The smallest of those that are left are minimal, also among all.
        let mut set = Vec::new();
        let mut rest = left.clone();
        for (number, variable) in members {
            let without = rest.cofactor(&[(*variable, false)])?;
            if without.is_zero() {
                set.push((*number, *variable));
                rest = rest.cofactor(&[(*variable, true)])?;
            } else {
                rest = without;
            }
        }
        let literals: Vec<(Variable, bool)> =
            set.iter().map(|(_, variable)| (*variable, true)).collect();
        left = left.minus(&manager.cube(&literals)?)?;
        found.push(set.into_iter().map(|(number, _)| number).collect());
    }
    Ok(found)
}
