//! Where the system can make the environment break its assumptions.
//!
//! It is the system's game with a goal that never holds [MR16, Sec. 4.1]:
//!
//! ```text
//! mu Y. or_i nu X. can Y | !assumed_i & can X
//! ```
//!
//! Without recurring assumptions only deadlocks of the environment are left. Each layer Y
//! keeps its fixpoints X, from which a strategy follows: get into the layer below, or stay
//! in one X, where its assumption does not hold. Where the system has broken a guarantee
//! about the state already, nothing counts as forced any more: it was first.

use crate::bdd::{Bdd, Result};
use crate::game::gr1::Rules;

pub struct Forced {
    /// Growing sets; the last one is the largest. Never empty.
    pub layers: Vec<ForcedLayer>,
}

pub struct ForcedLayer {
    pub states: Bdd,
    /// For each assumed recurrence, where the system can keep it from holding or get into
    /// the layer below; empty if only deadlocks count.
    pub waiting: Vec<Bdd>,
}

impl Forced {
    /// With `justice`, recurring assumptions count, too; otherwise only safety.
    pub fn new(rules: &Rules, justice: bool) -> Result<Forced> {
        let mut layers: Vec<ForcedLayer> = Vec::new();
        let mut reached = rules.manager().zero();
        loop {
            let closer = rules.system_can(&reached)?.and(rules.invariant())?;
            let closer = closer.or(&reached)?;
            let mut states = closer.clone();
            let mut waiting = Vec::new();
            if justice {
                for assumed in &rules.assumed {
                    let stay = wait(rules, &closer, &assumed.states)?;
                    states = states.or(&stay)?;
                    waiting.push(stay);
                }
            }
            if states == reached && !layers.is_empty() {
                return Ok(Forced { layers });
            }
            reached = states.clone();
            layers.push(ForcedLayer { states, waiting });
        }
    }

    pub fn states(&self) -> &Bdd {
        &self.layers[self.layers.len() - 1].states
    }
}

/// Where the system gets into `closer` or keeps `assumed` from ever holding.
fn wait(rules: &Rules, closer: &Bdd, assumed: &Bdd) -> Result<Bdd> {
    let mut stay = closer.or(&rules.invariant().minus(assumed)?)?;
    loop {
        let idle = stay.minus(assumed)?;
        let next = closer.or(&idle.and(&rules.system_can(&stay)?)?)?;
        if next == stay {
            return Ok(stay);
        }
        stay = next;
    }
}
