//! Model-checks the circuit of an answer against the formulas as they were read.
//!
//! A controller has to keep each goal on all runs that keep the goal's assumptions. Against a
//! counterstrategy, with the outputs left to anybody, no run may keep all goals, and each run
//! that keeps the goals of the start keeps all assumptions.

use super::circuit::observe;
use super::component::is_bounded_invariant;
use super::{Certificate, Failure};
use crate::bdd::Limits;
use crate::certify::{Options, Problem, Semantics, Verdict};
use crate::design::Design;
use crate::expr::{Role, TemporalBinary};
use crate::spec::formula::FALSE;
use crate::spec::ltl::{Given, Requirement, Requirements};
use crate::spec::{FormulaId, Property, Spec};

pub struct Checker<'a> {
    pub requirements: &'a Requirements,
    pub circuit: &'a Design,
    pub limits: &'a Limits,
}

impl Checker<'_> {
    pub fn controller(&self, goals: &[Requirement]) -> Result<Certificate, Failure> {
        for given in [Given::Start, Given::All] {
            let own = goals.iter().filter(|goal| goal.given == given);
            let own: Vec<FormulaId> = own.map(|goal| goal.goal).collect();
            let assumptions = self.requirements.given(given);
            let checked = self.check(&assumptions, &own)?;
            if checked != Certificate::Checked {
                return Ok(checked);
            }
        }
        Ok(Certificate::Checked)
    }

    /// The goals are those of the component that the environment plays against.
    pub fn counterstrategy(&self, goals: &[Requirement]) -> Result<Certificate, Failure> {
        let of = |given: Given| -> Vec<FormulaId> {
            let own = goals.iter().filter(|goal| goal.given == given);
            own.map(|goal| goal.goal).collect()
        };
        let at_start = of(Given::Start);
        let mut all = at_start.clone();
        all.extend(of(Given::All));
        let mut checks = vec![(Vec::new(), self.requirements.start.clone())];
        if all.len() > at_start.len() {
            checks.push((at_start, self.requirements.assumptions.clone()));
        }
        checks.push((all, vec![FALSE]));
        for (assumed, asserted) in checks {
            let checked = self.check(&assumed, &asserted)?;
            if checked != Certificate::Checked {
                return Ok(checked);
            }
        }
        Ok(Certificate::Checked)
    }

    fn check(&self, assumed: &[FormulaId], asserted: &[FormulaId]) -> Result<Certificate, Failure> {
        if asserted.is_empty() {
            return Ok(Certificate::Checked);
        }
        let mut formulas = self.requirements.formulas.clone();
        let mut asserted_parts = Vec::new();
        let mut invariants = Vec::new();
        for id in asserted {
            match is_bounded_invariant(self.requirements, *id) {
                Some(body) => invariants.push(body),
                None => asserted_parts.push(*id),
            }
        }
        if !invariants.is_empty() {
            // One search for all of them: `G` would be taken apart again.
            let all = formulas.and(invariants);
            asserted_parts.push(formulas.binary(TemporalBinary::WeakUntil, all, FALSE));
        }
        let property = |role: Role| {
            move |formula: &FormulaId| Property {
                role,
                name: String::new(),
                is_named: false,
                span: None,
                formula: *formula,
            }
        };
        let mut properties: Vec<Property> = Vec::new();
        properties.extend(assumed.iter().map(property(Role::Assume)));
        properties.extend(asserted_parts.iter().map(property(Role::Assert)));
        let spec = Spec {
            formulas,
            properties,
        };
        let mut circuit = self.circuit.clone();
        observe(&mut circuit, &self.requirements.observer)?;
        let problem = Problem::new(&circuit, &spec).map_err(Failure::Diagnostics)?;
        let mut unchecked = None;
        for index in problem.asserted() {
            // Strictly is quicker, and what holds strictly holds; but false has to be the end
            // of infinite runs only.
            let mut ways = vec![Semantics::Strict, Semantics::Implication];
            if spec.properties[index].formula == FALSE {
                ways.remove(0);
            }
            let mut verdict = Verdict::Holds;
            for semantics in ways {
                let options = Options {
                    limits: self.limits.clone(),
                    semantics,
                };
                verdict = problem.check(index, &options)?;
                if verdict == Verdict::Holds {
                    break;
                }
            }
            match verdict {
                Verdict::Holds => {}
                Verdict::Fails(_) => {
                    let text = spec.formulas.text(spec.properties[index].formula);
                    return Ok(Certificate::Flawed(text));
                }
                Verdict::Unknown(error) => unchecked = Some(error),
            }
        }
        Ok(unchecked.map_or(Certificate::Checked, Certificate::Unchecked))
    }
}
