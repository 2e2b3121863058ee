//! What the environment does against a minimal conflict: the strategy that `explain` shows and
//! that `play` plays.

use super::Oracle;
use crate::bdd;
use crate::certify::Realizability;
use crate::design::Design;
use crate::explain::Minimizer;
use crate::spec::ltl::LtlSpec;

pub struct Against {
    /// The guarantees that conflict, by their indices in the oracle; or why they are not known.
    pub core: bdd::Result<Vec<usize>>,
    /// All assumptions, and the guarantees that the environment plays against.
    pub spec: LtlSpec,
    /// The environment's strategy.
    pub circuit: Design,
    pub certified: Option<Realizability>,
}

impl Against {
    /// For an unrealizable specification, with a strategy against the whole of it: that one is
    /// as good, if larger, where the limits leave no other.
    pub fn core(
        oracle: &mut Oracle,
        minimizer: Minimizer,
        whole: Design,
        verdict: Option<Realizability>,
    ) -> Against {
        let core = oracle.core(minimizer);
        let mut parts = oracle.indices(true);
        parts.extend(match &core {
            Ok(core) => core.clone(),
            Err(_) => oracle.indices(false),
        });
        let (circuit, certified) = match oracle.solve(&parts) {
            Ok(answer) if !answer.realizable && answer.certified().is_some() => {
                let certified = answer.certified().cloned();
                (answer.circuit, certified)
            }
            _ => (whole, verdict),
        };
        Against {
            spec: oracle.spec.with_parts(&parts),
            core,
            circuit,
            certified,
        }
    }
}
