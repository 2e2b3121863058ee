//! Model-checks the circuit of an answer against the formulas as they were read.
//!
//! A controller has to keep each goal on all runs that keep the goal's assumptions. Against a
//! counterstrategy, with the outputs left to anybody, no run may keep all goals, and each run
//! that keeps the goals of the start keeps all assumptions. Who moves first in a step must not
//! read what the other does in it.

mod change;
mod core;
mod countertrace;
mod separation;
mod verdicts;

pub use change::{
    added_assumptions, implies, no_common_play, replaced, together, weakened_guarantee, whole,
};
pub use core::{Strategies, minimal_conflict, minimal_fix};
pub use countertrace::countertrace;
pub use separation::{forced_assumptions, forced_core, forcing, kept_assumptions};
pub use verdicts::{Prover, Strategy};

use super::check::Judgement;
use super::{Options, Problem, RealizabilityCheck, Semantics, Trace, Verdict};
use crate::bdd::Limits;
use crate::design::{Design, Reach, Word};
use crate::expr::{Role, TemporalBinary, TemporalUnary};
use crate::source::Diagnostic;
use crate::spec::formula::FALSE;
use crate::spec::ltl::{Given, LtlSpec, Observer, Order, Requirement, Requirements};
use crate::spec::{Formula, FormulaId, Property, Spec};
use std::collections::HashMap;

/// What the model checker says, with the run by which something fails.
type Judged = (Judgement, Option<Trace>);

/// A circuit that is said to win, and for what.
pub struct Winner<'a> {
    pub requirements: &'a Requirements,
    pub order: Order,
    pub circuit: &'a Design,
    pub limits: &'a Limits,
}

/// Whether a circuit with the names of a specification keeps it.
pub fn controller(
    spec: &LtlSpec,
    circuit: &Design,
    limits: &Limits,
) -> Result<RealizabilityCheck, Vec<Diagnostic>> {
    let requirements = spec.requirements();
    Winner::of(spec, &requirements, circuit, limits).controller(&requirements.goals)
}

/// Whether a circuit that drives the inputs of a specification makes every system fail.
pub fn counterstrategy(
    spec: &LtlSpec,
    circuit: &Design,
    limits: &Limits,
) -> Result<RealizabilityCheck, Vec<Diagnostic>> {
    let requirements = spec.requirements();
    Winner::of(spec, &requirements, circuit, limits).counterstrategy(&requirements.goals)
}

impl<'a> Winner<'a> {
    /// A circuit for the whole of a specification, whose requirements these are.
    fn of(
        spec: &LtlSpec,
        requirements: &'a Requirements,
        circuit: &'a Design,
        limits: &'a Limits,
    ) -> Winner<'a> {
        Winner {
            requirements,
            order: spec.order,
            circuit,
            limits,
        }
    }
}

impl Winner<'_> {
    /// Whether the circuit keeps the goals.
    pub fn controller(&self, goals: &[Requirement]) -> Result<RealizabilityCheck, Vec<Diagnostic>> {
        let judgement = self.keeps(goals)?;
        Ok(RealizabilityCheck::new(true, judgement))
    }

    /// Whether the circuit, which drives the inputs, makes every system fail. The goals are
    /// those of the component that the environment plays against.
    pub fn counterstrategy(
        &self,
        goals: &[Requirement],
    ) -> Result<RealizabilityCheck, Vec<Diagnostic>> {
        let judgement = self.prevents(goals)?;
        Ok(RealizabilityCheck::new(false, judgement))
    }

    /// The same, with a run that breaks a goal, if one was found: for those who try circuits
    /// that may be wrong.
    pub fn tried(
        &self,
        goals: &[Requirement],
    ) -> Result<(RealizabilityCheck, Option<Trace>), Vec<Diagnostic>> {
        let (judgement, trace) = self.keeps_or_breaks(goals)?;
        Ok((RealizabilityCheck::new(true, judgement), trace))
    }

    pub(super) fn keeps(&self, goals: &[Requirement]) -> Result<Judgement, Vec<Diagnostic>> {
        Ok(self.keeps_or_breaks(goals)?.0)
    }

    fn keeps_or_breaks(&self, goals: &[Requirement]) -> Result<Judged, Vec<Diagnostic>> {
        if self.order == Order::Moore && self.reads_ahead() {
            return Ok((reads_too_much(), None));
        }
        for given in [Given::Start, Given::All] {
            let own = goals.iter().filter(|goal| goal.given == given);
            let own: Vec<FormulaId> = own.map(|goal| goal.goal).collect();
            let assumptions = self.requirements.given(given);
            match self.check(&assumptions, &own)? {
                (Judgement::Confirmed, _) => {}
                doubt => return Ok(doubt),
            }
        }
        Ok((Judgement::Confirmed, None))
    }

    fn prevents(&self, goals: &[Requirement]) -> Result<Judgement, Vec<Diagnostic>> {
        if self.order == Order::Mealy && self.reads_ahead() {
            return Ok(reads_too_much());
        }
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
            match self.check(&assumed, &asserted)? {
                (Judgement::Confirmed, _) => {}
                (doubt, _) => return Ok(doubt),
            }
        }
        Ok(Judgement::Confirmed)
    }

    /// Whether the circuit answers to values of the same step; who moves first must not.
    fn reads_ahead(&self) -> bool {
        let outputs = self.circuit.outputs().iter();
        let outputs: Vec<_> = outputs.map(|output| output.literal).collect();
        let cone = self.circuit.cone(outputs, Reach::Cycle);
        let mut inputs = self.circuit.inputs().iter();
        inputs.any(|input| cone.contains(*input))
    }

    fn check(
        &self,
        assumed: &[FormulaId],
        asserted: &[FormulaId],
    ) -> Result<Judged, Vec<Diagnostic>> {
        if asserted.is_empty() {
            return Ok((Judgement::Confirmed, None));
        }
        let spec = self.question(assumed, asserted);
        let mut circuit = self.circuit.clone();
        observe(&mut circuit, &self.requirements.observer)?;
        let problem = Problem::new(&circuit, &spec)?;
        // Strictly is quicker, and what holds strictly holds; but false has to be the end of
        // infinite runs only.
        let is_false = |index: &usize| spec.properties[*index].formula == FALSE;
        let (mut open, strictly): (Vec<usize>, Vec<usize>) = problem.asserted().partition(is_false);
        let options = |semantics: Semantics| Options {
            limits: self.limits.clone(),
            semantics,
            ..Options::default()
        };
        let decided = problem.check_all(&strictly, &options(Semantics::Strict), |_| {});
        let decided = decided.map_err(|error| vec![error])?.into_iter();
        let doubtful = decided.filter(|one| one.verdict != Verdict::Holds);
        open.extend(doubtful.map(|one| one.property));
        let mut unchecked = None;
        for index in open {
            let verdict = problem.check(index, &options(Semantics::Implication));
            match verdict.map_err(|error| vec![error])? {
                Verdict::Holds => {}
                Verdict::Fails(trace) => {
                    let text = spec.formulas.text(spec.properties[index].formula);
                    return Ok((Judgement::Fails(text), Some(trace)));
                }
                Verdict::Unknown(error) => unchecked = Some(error),
            }
        }
        let judgement = unchecked.map_or(Judgement::Confirmed, Judgement::Unknown);
        Ok((judgement, None))
    }

    /// Formulas as properties of the circuit.
    fn question(&self, assumed: &[FormulaId], asserted: &[FormulaId]) -> Spec {
        let mut formulas = self.requirements.formulas.clone();
        let mut asserted_parts = Vec::new();
        let mut invariants = Vec::new();
        for id in asserted {
            match bounded_invariant(self.requirements, *id) {
                // What looks further ahead is followed without guesses, but only alone.
                Some(body) if steps_ahead(self.requirements, body) <= 1 => invariants.push(body),
                _ => asserted_parts.push(*id),
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
        Spec {
            formulas,
            properties,
            antecedents: Vec::new(),
        }
    }
}

fn reads_too_much() -> Judgement {
    Judgement::Fails("the strategy reads what is decided later in the same step".to_string())
}

/// The body of a formula `G p` with `p` free of operators but `X`.
fn bounded_invariant(requirements: &Requirements, id: FormulaId) -> Option<FormulaId> {
    let Formula::Unary(TemporalUnary::Globally, body) = *requirements.formulas.get(id) else {
        return None;
    };
    let below = requirements.formulas.subformulas(body);
    let bounded = below.into_iter().all(|id| {
        !matches!(
            requirements.formulas.get(id),
            Formula::Binary(..)
                | Formula::Unary(TemporalUnary::Globally | TemporalUnary::Finally, _)
        )
    });
    bounded.then_some(body)
}

/// How many steps a formula whose only operator of the future is `X` looks ahead.
fn steps_ahead(requirements: &Requirements, id: FormulaId) -> usize {
    let formulas = &requirements.formulas;
    let mut ahead: HashMap<FormulaId, usize> = HashMap::new();
    for below in formulas.subformulas(id) {
        let formula = formulas.get(below);
        let mut own = 0;
        formula
            .for_each_operand(|operand| own = own.max(ahead.get(&operand).copied().unwrap_or(0)));
        if matches!(formula, Formula::Unary(TemporalUnary::Next, _)) {
            own += 1;
        }
        ahead.insert(below, own);
    }
    ahead.get(&id).copied().unwrap_or(0)
}

/// Adds what a specification observes to a circuit that has its signals.
pub fn observe(design: &mut Design, observer: &Observer) -> Result<(), Vec<Diagnostic>> {
    if observer.is_empty() {
        return Ok(());
    }
    let signals = design
        .add_circuit(&observer.circuit)
        .map_err(|error| vec![error])?;
    for (name, signal) in &observer.named {
        design.add_word(Word {
            name: name.clone(),
            signed: false,
            left: 0,
            right: 0,
            bits: vec![signals[signal.index()]],
        });
    }
    Ok(())
}
