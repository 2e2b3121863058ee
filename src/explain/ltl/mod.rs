//! Why a specification in LTL is realizable or not.
//!
//! Enters: an [`LtlSpec`]. Leaves: minimal sets of its parts, a counterstrategy as a circuit,
//! and a sequence of inputs that does what the counterstrategy does, where there is one.
//! Every question is answered by `synth::ltl`, whose answers are certified; a question that
//! stays open counts as "realizable", so that a set which is called a conflict is one.

mod job;
mod trace;

pub(super) use job::explain_ltl;
pub use trace::{Lookahead, Run, countertrace, lookahead, run};

use super::{Minimizer, minimize};
use crate::bdd;
use crate::spec::ltl::{LtlSpec, Part, Section};
use crate::spec::split_conjunction;
use crate::synth::ltl::{self, Answer, Certificate, Failure};
use std::collections::HashMap;

/// A specification whose parts are asked about one by one.
pub struct Oracle {
    /// Guarantees are taken apart as far as conjunctions go.
    pub spec: LtlSpec,
    limits: bdd::Limits,
    /// What is known: `None` if that could not be decided.
    known: HashMap<Vec<usize>, Option<bool>>,
    /// Whether some question stayed open.
    pub is_unsure: bool,
    pub checks: usize,
}

/// Whether the system or the environment has to keep a section.
pub fn is_assumed(section: Section) -> bool {
    matches!(
        section,
        Section::Initially | Section::Require | Section::Assume
    )
}

/// The same specification with a part for each conjunct of a guarantee.
pub fn taken_apart(spec: &LtlSpec) -> LtlSpec {
    let mut result = LtlSpec {
        parts: Vec::new(),
        ..spec.clone()
    };
    for part in &spec.parts {
        if is_assumed(part.section) {
            result.parts.push(part.clone());
            continue;
        }
        let formulas = split_conjunction(&mut result.formulas, part.formula);
        let count = formulas.len();
        for (index, formula) in formulas.into_iter().enumerate() {
            let name = match count {
                1 => part.name.clone(),
                _ => format!("{}/{}", part.name, index + 1),
            };
            result.parts.push(Part {
                name,
                formula,
                ..part.clone()
            });
        }
    }
    result
}

impl Oracle {
    pub fn new(spec: &LtlSpec, limits: bdd::Limits) -> Oracle {
        Oracle {
            spec: taken_apart(spec),
            limits,
            known: HashMap::new(),
            is_unsure: false,
            checks: 0,
        }
    }

    /// The places of guarantees, or of assumptions.
    pub fn places(&self, assumed: bool) -> Vec<usize> {
        let parts = self.spec.parts.iter().enumerate();
        parts
            .filter(|(_, part)| is_assumed(part.section) == assumed)
            .map(|(place, _)| place)
            .collect()
    }

    /// The specification of some parts.
    pub fn only(&self, places: &[usize]) -> LtlSpec {
        let mut spec = self.spec.clone();
        spec.parts = places
            .iter()
            .map(|place| self.spec.parts[*place].clone())
            .collect();
        spec
    }

    pub fn solve(&mut self, places: &[usize]) -> Result<Answer, Failure> {
        self.checks += 1;
        let options = ltl::Options {
            limits: self.limits.clone(),
            ..ltl::Options::default()
        };
        ltl::solve(&self.only(places), &options, &mut |_| {})
    }

    /// Whether the system wins with these parts; `None` if that is not known.
    fn realizable(&mut self, places: &[usize]) -> Result<Option<bool>, bdd::Error> {
        let mut key = places.to_vec();
        key.sort_unstable();
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let found = match self.solve(&key) {
            Ok(answer) => (answer.certificate == Certificate::Checked).then_some(answer.realizable),
            Err(Failure::Limit(error)) => return Err(error),
            Err(Failure::GaveUp(_) | Failure::Diagnostics(_)) => None,
        };
        self.is_unsure |= found.is_none();
        self.known.insert(key, found);
        Ok(found)
    }

    /// A minimal set of guarantees that no system can keep, with all assumptions. All of them
    /// together must be unrealizable.
    pub fn core(&mut self, minimizer: Minimizer) -> Result<Vec<usize>, bdd::Error> {
        let assumed = self.places(true);
        let guarantees = self.places(false);
        minimize(minimizer, &guarantees, &mut |chosen| {
            let mut places = assumed.clone();
            places.extend(chosen);
            Ok(self.realizable(&places)? == Some(false))
        })
    }

    /// A minimal set of guarantees without which the specification is realizable.
    pub fn fix(&mut self) -> Result<Vec<usize>, bdd::Error> {
        let mut kept = self.places(true);
        let mut removed = Vec::new();
        for place in self.places(false) {
            kept.push(place);
            if self.realizable(&kept)? != Some(true) {
                kept.pop();
                removed.push(place);
            }
        }
        Ok(removed)
    }

    /// A minimal set of assumptions with which the specification is realizable. With all of
    /// them it must be.
    pub fn sufficient(&mut self, minimizer: Minimizer) -> Result<Vec<usize>, bdd::Error> {
        let guarantees = self.places(false);
        let assumed = self.places(true);
        minimize(minimizer, &assumed, &mut |chosen| {
            let mut places = chosen.to_vec();
            places.extend(&guarantees);
            Ok(self.realizable(&places)? == Some(true))
        })
    }

    /// Without which assumptions, each alone, the verdict is the same.
    pub fn unhelpful(&mut self) -> Result<Vec<usize>, bdd::Error> {
        let assumed = self.places(true);
        let mut found = Vec::new();
        if assumed.is_empty() {
            return Ok(found);
        }
        let everything: Vec<usize> = (0..self.spec.parts.len()).collect();
        let Some(verdict) = self.realizable(&everything)? else {
            return Ok(found);
        };
        for left_out in &assumed {
            let mut places = assumed.clone();
            places.retain(|place| place != left_out);
            places.extend(self.places(false));
            if self.realizable(&places)? == Some(verdict) {
                found.push(*left_out);
            }
        }
        Ok(found)
    }
}
