//! From a relation of allowed moves to functions, one for each signal of a player.
//!
//! Signals are decided one after the other: what a signal may be, whatever the later ones
//! do, gives an interval of functions, of which a small one is taken and put into the
//! relation. The order is that of the diagrams, top first, so that what remains shrinks.

use crate::bdd::{Bdd, Result, Variable};

/// A function for each variable, such that all of them together are in the relation
/// wherever `care` holds and the relation allows anything at all. None depends on any of
/// the variables.
pub fn functions(relation: &Bdd, care: &Bdd, variables: &[Variable]) -> Result<Vec<Bdd>> {
    let manager = relation.manager();
    let mut order: Vec<usize> = (0..variables.len()).collect();
    order.sort_by_key(|index| manager.level(variables[*index]));
    let mut result = vec![manager.zero(); variables.len()];
    let mut relation = relation.minimize(&non_zero(care))?;
    for (position, &index) in order.iter().enumerate() {
        let variable = variables[index];
        let later: Vec<Variable> = order[position + 1..]
            .iter()
            .map(|index| variables[*index])
            .collect();
        let later = manager.set(&later)?;
        let with = |value: bool| relation.cofactor(&[(variable, value)]);
        let (with_one, with_zero) = (with(true)?, with(false)?);
        let (may_be_one, may_be_zero) = (with_one.exists(&later)?, with_zero.exists(&later)?);
        let function = small_between(&may_be_one, &may_be_zero, care)?;
        // Both parts are there already, so this takes less than a substitution.
        relation = function.ite(&with_one, &with_zero)?;
        relation = relation.minimize(&non_zero(care))?;
        result[index] = function;
    }
    Ok(result)
}

/// A small function that is true only where it may be and false only where it may be.
fn small_between(may_be_true: &Bdd, may_be_false: &Bdd, care: &Bdd) -> Result<Bdd> {
    let manager = care.manager();
    let must_be_true = may_be_true.minus(may_be_false)?.and(care)?;
    if must_be_true.is_zero() {
        return Ok(manager.zero());
    }
    let must_be_false = may_be_false.minus(may_be_true)?.and(care)?;
    if must_be_false.is_zero() {
        return Ok(manager.one());
    }
    let decided = must_be_true.or(&must_be_false)?;
    let candidates = [
        must_be_true.minimize(&decided)?,
        may_be_true.minimize(&decided)?,
        may_be_false.not().minimize(&decided)?,
    ];
    let smallest = candidates.into_iter().min_by_key(Bdd::size);
    Ok(smallest.unwrap_or(must_be_true))
}

/// A care set without points asks for nothing.
fn non_zero(care: &Bdd) -> Bdd {
    if care.is_zero() {
        care.not()
    } else {
        care.clone()
    }
}
