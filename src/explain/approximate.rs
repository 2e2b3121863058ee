//! Quick answers that are right when they are given [KHB11, Sec. 5.3].
//!
//! Three sets of states are simpler than the winning ones:
//!
//! ```text
//! violated   mu X. or_i (nu Y. !assumed_i & can Y) | can X     won by the system
//! kept       mu X. (nu Y. all goals & can Y) | violated | can X   won by the system
//! avoided    mu X. or_j (nu Y. !goal_j & all assumed & can Y) | can X   won by the other
//! ```
//!
//! Ours stop as soon as the initial states decide.

use crate::bdd::{Bdd, Result};
use crate::game::gr1::Rules;
use crate::spec::gr1::ConstraintId;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Approximation {
    Realizable,
    /// With the goals that the environment prevents.
    Unrealizable(Vec<ConstraintId>),
    Unknown,
}

pub fn approximate(rules: &Rules) -> Result<Approximation> {
    if let Some(goals) = environment_avoids(rules)? {
        return Ok(Approximation::Unrealizable(goals));
    }
    let violated = match system_violates(rules)? {
        Attracted::Start => return Ok(Approximation::Realizable),
        Attracted::States(states) => states,
    };
    let mut all = rules.manager().one();
    for goal in &rules.goals {
        all = all.and(&goal.states)?;
    }
    let stay = greatest(rules, &all)?;
    if stay.is_subset_of(&violated)? {
        return Ok(Approximation::Unknown);
    }
    match attract(rules, stay.or(&violated)?)? {
        Attracted::Start => Ok(Approximation::Realizable),
        Attracted::States(_) => Ok(Approximation::Unknown),
    }
}

/// Whether the environment can keep some goal away for ever, with all assumptions holding
/// all the time; if so, the goals that it uses.
pub fn environment_avoids(rules: &Rules) -> Result<Option<Vec<ConstraintId>>> {
    let mut assumed = rules.manager().one();
    for recurrence in &rules.assumed {
        assumed = assumed.and(&recurrence.states)?;
    }
    let mut lost = rules.manager().zero();
    let mut used = Vec::new();
    for goal in &rules.goals {
        let mut stay = assumed.minus(&goal.states)?;
        loop {
            let next = stay.and(&rules.environment_can(&stay)?)?;
            if next == stay {
                break;
            }
            stay = next;
        }
        if stay.is_zero() {
            continue;
        }
        used.extend(goal.constraint);
        lost = lost.or(&stay)?;
        if !rules.starts_in(&lost.not())? {
            return Ok(Some(used));
        }
    }
    loop {
        let next = lost.or(&rules.environment_can(&lost)?)?;
        if next == lost {
            return Ok(None);
        }
        lost = next;
        if !rules.starts_in(&lost.not())? {
            return Ok(Some(used));
        }
    }
}

enum Attracted {
    /// The system can start there.
    Start,
    States(Bdd),
}

/// Where the system can keep some assumption from holding ever again.
fn system_violates(rules: &Rules) -> Result<Attracted> {
    let mut violated = rules.manager().zero();
    for recurrence in &rules.assumed {
        violated = violated.or(&greatest(rules, &recurrence.states.not())?)?;
    }
    attract(rules, violated)
}

/// Where the system can stay within the states, or win at once.
fn greatest(rules: &Rules, states: &Bdd) -> Result<Bdd> {
    let mut stay = states.clone();
    loop {
        let next = stay.and(&rules.system_can(&stay)?)?;
        if next == stay {
            return Ok(stay);
        }
        stay = next;
    }
}

fn attract(rules: &Rules, states: Bdd) -> Result<Attracted> {
    let mut reached = states;
    loop {
        if rules.starts_in(&reached)? {
            return Ok(Attracted::Start);
        }
        let next = reached.or(&rules.system_can(&reached)?)?;
        if next == reached {
            return Ok(Attracted::States(reached));
        }
        reached = next;
    }
}
