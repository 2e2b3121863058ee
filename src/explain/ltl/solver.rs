//! Who wins whatever specification is asked about, with each answer kept.
//!
//! Nothing here is certified: whoever shows something has `certify` look at the strategies.

use crate::bdd::{self, Limits};
use crate::certify::ltl::Strategy;
use crate::spec::ltl::{LtlSpec, Section};
use crate::synth::ltl::{Claim, Failure, Options, claim};
use std::collections::HashMap;
use std::fmt::Write;

pub struct Solver {
    pub limits: Limits,
    /// The part of the time that is left which one question may take.
    patience: f64,
    known: HashMap<String, Option<Strategy>>,
    /// Questions that were not asked before.
    pub asked: usize,
    /// How often nothing was known: what was then not found may be there.
    pub open: usize,
}

impl Solver {
    pub fn new(limits: Limits, patience: f64) -> Solver {
        Solver {
            limits,
            patience,
            known: HashMap::new(),
            asked: 0,
            open: 0,
        }
    }

    /// A strategy that is said to win; `None` if the question stays open.
    pub fn strategy(&mut self, spec: &LtlSpec) -> bdd::Result<Option<Strategy>> {
        let key = key(spec);
        if let Some(known) = self.known.get(&key) {
            self.open += usize::from(known.is_none());
            return Ok(known.clone());
        }
        self.limits.check()?;
        self.asked += 1;
        let options = Options {
            limits: self.limits.with_share_of_time(self.patience),
            ..Options::default()
        };
        let found = match claim(spec, &options, &mut |_| {}) {
            Ok(Claim {
                realizable,
                circuit,
                ..
            }) => Some(Strategy {
                is_controller: realizable,
                circuit,
            }),
            Err(Failure::Limit(error)) => {
                if error == bdd::Error::Interrupted {
                    return Err(error);
                }
                self.limits.check()?;
                None
            }
            Err(Failure::GaveUp(_) | Failure::Diagnostics(_)) => None,
        };
        self.open += usize::from(found.is_none());
        self.known.insert(key, found.clone());
        Ok(found)
    }

    /// Whether a system wins; `None` if that stays open.
    pub fn realizable(&mut self, spec: &LtlSpec) -> bdd::Result<Option<bool>> {
        let strategy = self.strategy(spec)?;
        Ok(strategy.map(|strategy| strategy.is_controller))
    }
}

/// The same for specifications that mean the same game, in any arena of formulas.
fn key(spec: &LtlSpec) -> String {
    let mut key = format!(
        "{:?} {} {:?} {:?}\n",
        spec.order, spec.is_strict, spec.inputs, spec.outputs
    );
    let mut parts: Vec<(Section, String)> = spec
        .parts
        .iter()
        .map(|part| (part.section, spec.formulas.text(part.formula)))
        .collect();
    parts.sort_by_key(|(section, text)| (*section as usize, text.clone()));
    for (section, text) in parts {
        let _ = writeln!(key, "{section:?} {text}");
    }
    key
}
