//! Checks that a sequence of inputs makes every system fail.
//!
//! Enters: a specification, inputs, and a prover. Leaves: a certified countertrace. The inputs
//! become a specification in which the environment has no choice but to play them; that this one
//! is unrealizable is then a claim as any other. Invariant: everything that the environment has
//! to keep in the given specification it has to keep in the other one, too.

use super::{Claim, Flaw, Part, Prover, check};
use crate::bdd::Result;
use crate::certify::{Certified, Countertrace, Evidence};
use crate::run::{Bits, Run, Signal, SignalKind};
use crate::spec::gr1::{Comparison, Domain, Gr1, Kind, Player, Side, TermId, Value, VariableId};

/// The values of all variables of the environment in each step; at least one step.
pub struct Inputs {
    pub steps: Vec<Vec<(VariableId, Value)>>,
    /// The step that follows the last one; `None` if the system has failed by then.
    pub loop_start: Option<usize>,
}

/// Whether no system keeps a specification under strict semantics with these inputs. If outputs
/// are held, only systems are meant in which they always have these values.
pub fn countertrace(
    spec: &Gr1,
    inputs: &Inputs,
    held: &[(VariableId, Value)],
    prove: &mut Prover<'_>,
) -> Result<std::result::Result<Certified<Countertrace>, Flaw>> {
    let is_loop = |start: usize| start < inputs.steps.len();
    if inputs.steps.is_empty() || !inputs.loop_start.is_none_or(is_loop) {
        return Ok(Err(Flaw("the countertrace has no step".to_string())));
    }
    let followed = follow(spec, inputs, held);
    let (layout, claim) = prove(&followed, &Part::default())?;
    if matches!(claim, Claim::System { .. }) {
        return Ok(Err(Flaw("the countertrace can be answered".to_string())));
    }
    if let Err(flaw) = check(&followed, &layout, &claim)? {
        return Ok(Err(flaw));
    }
    let held = held.iter().map(|(id, value)| {
        let variable = spec.variable(*id);
        let value = spec.value_text(&variable.domain, *value);
        (variable.name.clone(), value)
    });
    let answer = Countertrace {
        inputs: run(spec, inputs),
        held: held.collect(),
    };
    Ok(Ok(Certified::new(answer, Evidence::ClaimChecked)))
}

/// The specification with an environment that follows the inputs. After the end of a finite
/// trace it may do what it likes.
fn follow(spec: &Gr1, inputs: &Inputs, held: &[(VariableId, Value)]) -> Gr1 {
    let mut spec = spec.clone();
    if !held.is_empty() {
        let term = spec.assigned(held, false);
        spec.add_constraint(None, Side::Guarantee, Kind::Safety, term, None);
    }
    let count = inputs.steps.len() as i64;
    let mut name = "position".to_string();
    while spec.find_variable(&name).is_some() {
        name.push('_');
    }
    let domain = Domain::Range {
        first: 0,
        last: count,
    };
    let position = spec.add_variable(name, Player::Environment, domain, None);
    let first = at(&mut spec, position, false, 0);
    let values = spec.assigned(&inputs.steps[0], false);
    for term in [first, values] {
        spec.add_constraint(None, Side::Assumption, Kind::Initial, term, None);
    }
    for step in 0..count {
        let next = if step + 1 < count {
            step + 1
        } else {
            inputs.loop_start.map_or(count, |start| start as i64)
        };
        let here = at(&mut spec, position, false, step);
        let mut then = vec![at(&mut spec, position, true, next)];
        if next < count {
            then.push(spec.assigned(&inputs.steps[next as usize], true));
        }
        let then = spec.terms.and(then);
        let term = spec.terms.implies(here, then);
        spec.add_constraint(None, Side::Assumption, Kind::Safety, term, None);
    }
    let end = at(&mut spec, position, false, count);
    let stays = at(&mut spec, position, true, count);
    let term = spec.terms.implies(end, stays);
    spec.add_constraint(None, Side::Assumption, Kind::Safety, term, None);
    spec
}

/// The term that the play is at a step of the inputs.
fn at(spec: &mut Gr1, position: VariableId, primed: bool, step: i64) -> TermId {
    let variable = if primed {
        spec.terms.next(position)
    } else {
        spec.terms.now(position)
    };
    let step = spec.terms.integer(step);
    spec.terms.compare(Comparison::Equal, variable, step)
}

fn run(spec: &Gr1, inputs: &Inputs) -> Run {
    let ids = inputs.steps[0].iter().map(|(id, _)| *id);
    let signals = ids.map(|id| {
        let variable = spec.variable(id);
        let values = inputs.steps.iter().map(|step| {
            let (_, value) = step.iter().find(|(other, _)| *other == id)?;
            variable.domain.word(*value)
        });
        let values: Vec<Option<Bits>> = values.collect();
        Signal {
            name: variable.name.clone(),
            kind: SignalKind::Input,
            width: values.iter().flatten().map(Vec::len).max().unwrap_or(1),
            relevant: true,
            values,
        }
    });
    Run {
        steps: inputs.steps.len(),
        loop_start: inputs.loop_start,
        signals: signals.collect(),
    }
}
