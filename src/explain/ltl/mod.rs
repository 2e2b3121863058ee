//! Why a specification in LTL is realizable or not.
//!
//! Enters: an [`LtlSpec`]. Leaves: minimal sets of its parts, a counterstrategy as a circuit,
//! and a sequence of inputs that does what the counterstrategy does, where there is one.
//! Every question is answered by `synth::ltl`, whose answers are certified; a question that
//! stays open counts as "realizable", so that a set which is called a conflict is one.

mod additions;
mod against;
mod diagnoses;
mod ground;
mod job;
mod separation;
mod solver;
mod trace;
mod weaken;

pub use against::Against;
pub(super) use job::explain_ltl;
pub use trace::{Lookahead, broken, countertrace, lookahead, run};

pub(super) use separation::well_separation;

use super::{Minimizer, minimize};
use crate::bdd;
use crate::certify::ltl::Strategy;
use crate::design::Design;
use crate::spec::ltl::{LtlSpec, Part};
use crate::spec::{Atom, FormulaId, Formulas, split_as_written};
use crate::synth::ltl::{self, Answer, Failure};
use std::collections::HashMap;

/// A specification whose parts are asked about one by one.
pub struct Oracle {
    /// Guarantees are taken apart as far as conjunctions go.
    pub spec: LtlSpec,
    limits: bdd::Limits,
    /// Which part of the time that is left one question may take; when that is over, it stays open
    /// and others are asked. All of it unless said.
    pub patience: Option<f64>,
    /// What is known, with the winner's strategy: `None` if that could not be decided.
    known: HashMap<Vec<usize>, Option<(bool, Design)>>,
    /// Whether some question stayed open.
    pub is_unsure: bool,
    pub checks: usize,
}

/// Assumptions without any one of which the verdict is the same.
#[derive(Debug, Default)]
pub struct Unhelpful {
    pub parts: Vec<usize>,
    /// Of these it is not known.
    pub open: Vec<usize>,
}

/// The names in a formula.
fn signals_of(formulas: &Formulas, formula: FormulaId) -> Vec<String> {
    let atoms = formulas.atoms_of(formula).into_iter();
    let names = atoms.filter_map(|atom| match formulas.atom(atom) {
        Atom::Condition(expr) => Some(plain_name(&expr.to_string())),
        Atom::Past(_) => None,
    });
    names.collect()
}

/// A name without what Verilog puts around one that it does not allow.
fn plain_name(text: &str) -> String {
    let text = text.strip_prefix('\\').unwrap_or(text);
    text.trim_end().to_string()
}

/// The same specification with a part for each conjunct of a guarantee.
pub fn taken_apart(spec: &LtlSpec) -> LtlSpec {
    let mut result = LtlSpec {
        parts: Vec::new(),
        ..spec.clone()
    };
    for part in &spec.parts {
        if part.section.is_assumption() {
            result.parts.push(part.clone());
            continue;
        }
        let formulas = split_as_written(&mut result.formulas, part.formula);
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
            patience: None,
            known: HashMap::new(),
            is_unsure: false,
            checks: 0,
        }
    }

    /// Answers questions from now on within these limits, and each of them within a part of the
    /// time that they leave.
    pub fn limit(&mut self, limits: bdd::Limits, patience: f64) {
        self.limits = limits;
        self.patience = Some(patience);
    }

    /// The indices of guarantees, or of assumptions, among the parts.
    pub fn indices(&self, assumed: bool) -> Vec<usize> {
        let parts = self.spec.parts.iter().enumerate();
        parts
            .filter(|(_, part)| part.section.is_assumption() == assumed)
            .map(|(index, _)| index)
            .collect()
    }

    pub fn solve(&mut self, parts: &[usize]) -> Result<Answer, Failure> {
        self.checks += 1;
        let limits = match self.patience {
            Some(share) => self.limits.with_share_of_time(share),
            None => self.limits.clone(),
        };
        let options = ltl::Options {
            limits,
            ..ltl::Options::default()
        };
        ltl::solve(&self.spec.with_parts(parts), &options, &mut |_| {})
    }

    /// Whether the system wins with these parts; `None` if that is not known.
    fn realizable(&mut self, parts: &[usize]) -> Result<Option<bool>, bdd::Error> {
        let mut key = parts.to_vec();
        key.sort_unstable();
        if let Some(known) = self.known.get(&key) {
            return Ok(known.as_ref().map(|(realizable, _)| *realizable));
        }
        if let Some((realizable, _)) = self.serving(&key) {
            return Ok(Some(*realizable));
        }
        let found = match self.solve(&key) {
            Ok(answer) if answer.certified().is_some() => Some((answer.realizable, answer.circuit)),
            // It was this question that took too long, and there is time for others.
            Err(Failure::Limit(_)) if self.patience.is_some() && self.limits.check().is_ok() => {
                None
            }
            Err(Failure::Limit(error)) => return Err(error),
            Ok(_) | Err(Failure::GaveUp(_) | Failure::Diagnostics(_)) => None,
        };
        let realizable = found.as_ref().map(|(realizable, _)| *realizable);
        self.is_unsure |= found.is_none();
        self.known.insert(key, found);
        Ok(realizable)
    }

    /// What is known that decides some parts, by their indices in ascending order: the strategy of
    /// the environment against fewer guarantees wins, too, and so does that of the system for
    /// more of them.
    fn serving(&self, parts: &[usize]) -> Option<&(bool, Design)> {
        let assumed = self.indices(true);
        let is_within = |few: &[usize], many: &[usize]| few.iter().all(|one| many.contains(one));
        let serves = |key: &[usize], realizable: bool| {
            let same_assumptions = assumed
                .iter()
                .all(|index| key.contains(index) == parts.contains(index));
            same_assumptions
                && if realizable {
                    is_within(parts, key)
                } else {
                    is_within(key, parts)
                }
        };
        let known = self.known.iter();
        let known = known
            .filter_map(|(key, found)| Some((key, found.as_ref()?)))
            .filter(|(key, (realizable, _))| serves(key, *realizable));
        let nearest = known.min_by_key(|(key, _)| (key.len().abs_diff(parts.len()), *key));
        nearest.map(|(_, found)| found)
    }

    /// A strategy that wins some parts, by their indices in ascending order, as far as answers
    /// show one.
    pub fn strategy(&self, parts: &[usize]) -> Option<Strategy> {
        let (is_controller, circuit) = self.serving(parts)?;
        Some(Strategy {
            is_controller: *is_controller,
            circuit: circuit.clone(),
        })
    }

    /// A minimal set of guarantees that no system can keep, with all assumptions. All of them
    /// together must be unrealizable.
    pub fn core(&mut self, minimizer: Minimizer) -> Result<Vec<usize>, bdd::Error> {
        let assumed = self.indices(true);
        let guarantees = self.indices(false);
        minimize(minimizer, &guarantees, &mut |chosen| {
            let mut parts = assumed.clone();
            parts.extend(chosen);
            Ok(self.realizable(&parts)? == Some(false))
        })
    }

    /// A minimal set of guarantees without which the specification is realizable.
    pub fn fix(&mut self) -> Result<Vec<usize>, bdd::Error> {
        let mut kept = self.indices(true);
        let mut removed = Vec::new();
        for index in self.indices(false) {
            kept.push(index);
            if self.realizable(&kept)? != Some(true) {
                kept.pop();
                removed.push(index);
            }
        }
        Ok(removed)
    }

    /// A minimal set of assumptions with which the specification is realizable. With all of
    /// them it must be.
    pub fn sufficient(&mut self, minimizer: Minimizer) -> Result<Vec<usize>, bdd::Error> {
        let guarantees = self.indices(false);
        let assumed = self.indices(true);
        minimize(minimizer, &assumed, &mut |chosen| {
            let mut parts = chosen.to_vec();
            parts.extend(&guarantees);
            Ok(self.realizable(&parts)? == Some(true))
        })
    }

    /// Without which assumptions, each alone, the verdict is the same.
    pub fn unhelpful(&mut self) -> Result<Unhelpful, bdd::Error> {
        let assumed = self.indices(true);
        let mut found = Unhelpful::default();
        if assumed.is_empty() {
            return Ok(found);
        }
        let everything: Vec<usize> = (0..self.spec.parts.len()).collect();
        let Some(verdict) = self.realizable(&everything)? else {
            found.open = assumed;
            return Ok(found);
        };
        for left_out in &assumed {
            let mut parts = assumed.clone();
            parts.retain(|index| index != left_out);
            parts.extend(self.indices(false));
            match self.realizable(&parts)? {
                Some(other) if other == verdict => found.parts.push(*left_out),
                Some(_) => {}
                None => found.open.push(*left_out),
            }
        }
        Ok(found)
    }
}
