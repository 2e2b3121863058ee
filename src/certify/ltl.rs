//! Model-checks the circuit of an answer against the formulas as they were read.
//!
//! A controller has to keep each goal on all runs that keep the goal's assumptions. Against a
//! counterstrategy, with the outputs left to anybody, no run may keep all goals, and each run
//! that keeps the goals of the start keeps all assumptions.

use super::{Evidence, Options, Problem, Realizability, Semantics, Verdict};
use crate::bdd::{self, Limits};
use crate::design::{Design, Word};
use crate::expr::{Role, TemporalBinary, TemporalUnary};
use crate::source::Diagnostic;
use crate::spec::formula::FALSE;
use crate::spec::ltl::{Given, Observer, Requirement, Requirements};
use crate::spec::{Formula, FormulaId, Property, Spec};

/// A circuit that is said to win, and for what.
pub struct Winner<'a> {
    pub requirements: &'a Requirements,
    pub circuit: &'a Design,
    pub limits: &'a Limits,
}

/// What the model checker says of a circuit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    Certified(Realizability),
    /// A limit was reached before it was checked.
    Unchecked(bdd::Error),
    /// The circuit does not do what it should; says which part fails.
    Flawed(String),
}

/// Why a circuit does not win.
enum Doubt {
    Unchecked(bdd::Error),
    Flawed(String),
}

type Checked = Result<Result<(), Doubt>, Vec<Diagnostic>>;

impl Winner<'_> {
    /// Whether the circuit keeps the goals.
    pub fn controller(&self, goals: &[Requirement]) -> Result<Judgement, Vec<Diagnostic>> {
        for given in [Given::Start, Given::All] {
            let own = goals.iter().filter(|goal| goal.given == given);
            let own: Vec<FormulaId> = own.map(|goal| goal.goal).collect();
            let assumptions = self.requirements.given(given);
            if let Err(doubt) = self.check(&assumptions, &own)? {
                return Ok(doubt.judgement());
            }
        }
        Ok(certified(true))
    }

    /// Whether the circuit, which drives the inputs, makes every system fail. The goals are
    /// those of the component that the environment plays against.
    pub fn counterstrategy(&self, goals: &[Requirement]) -> Result<Judgement, Vec<Diagnostic>> {
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
            if let Err(doubt) = self.check(&assumed, &asserted)? {
                return Ok(doubt.judgement());
            }
        }
        Ok(certified(false))
    }

    fn check(&self, assumed: &[FormulaId], asserted: &[FormulaId]) -> Checked {
        if asserted.is_empty() {
            return Ok(Ok(()));
        }
        let spec = self.question(assumed, asserted);
        let mut circuit = self.circuit.clone();
        observe(&mut circuit, &self.requirements.observer)?;
        let problem = Problem::new(&circuit, &spec)?;
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
                verdict = problem
                    .check(index, &options)
                    .map_err(|error| vec![error])?;
                if verdict == Verdict::Holds {
                    break;
                }
            }
            match verdict {
                Verdict::Holds => {}
                Verdict::Fails(_) => {
                    let text = spec.formulas.text(spec.properties[index].formula);
                    return Ok(Err(Doubt::Flawed(text)));
                }
                Verdict::Unknown(error) => unchecked = Some(error),
            }
        }
        Ok(unchecked.map_or(Ok(()), |error| Err(Doubt::Unchecked(error))))
    }

    /// Formulas as properties of the circuit.
    fn question(&self, assumed: &[FormulaId], asserted: &[FormulaId]) -> Spec {
        let mut formulas = self.requirements.formulas.clone();
        let mut asserted_parts = Vec::new();
        let mut invariants = Vec::new();
        for id in asserted {
            match bounded_invariant(self.requirements, *id) {
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
        Spec {
            formulas,
            properties,
            antecedents: Vec::new(),
        }
    }
}

impl Doubt {
    fn judgement(self) -> Judgement {
        match self {
            Doubt::Unchecked(error) => Judgement::Unchecked(error),
            Doubt::Flawed(part) => Judgement::Flawed(part),
        }
    }
}

fn certified(realizable: bool) -> Judgement {
    Judgement::Certified(Realizability::new(realizable, "", Evidence::ModelChecked))
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

/// Adds what a specification observes to a circuit that has its signals.
fn observe(design: &mut Design, observer: &Observer) -> Result<(), Vec<Diagnostic>> {
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
