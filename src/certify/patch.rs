//! Whether a patched design keeps its properties.
//!
//! A patch is text. It is read again as if a user had given it, and the design that comes out
//! is model-checked; nothing that the search for the patch knew is used.

use super::{AssumptionStatus, Certified, Evidence, Options, Problem, Semantics, Verdict};
use crate::bdd::{self, Limits};
use crate::design::{Design, Literal, NodeId, Patch, Reset, reserved::RUNNING};
use crate::expr::{Expr, ExprKind, Role};
use crate::run::Run;
use crate::source::Diagnostic;
use crate::spec::{Property, atoms};
use crate::subject::Subject;
use std::collections::HashMap;

/// What is said of a patch.
pub enum Judgement {
    Proved(Certified<Patch>),
    /// The properties hold, but because the design can keep the environment from meeting
    /// assumptions that it could meet before.
    Vacuous(Certified<Patch>),
    /// With the inputs that break a property.
    Refuted(Box<Run>),
    /// It is no design any more, or one with other properties.
    Unreadable(Vec<Diagnostic>),
    Unknown(bdd::Error),
}

/// Reads a patched subject again and checks every assertion. `before` is what was known of the
/// assumptions of the unpatched design.
pub fn patch(
    subject: &Subject,
    patch: Patch,
    before: &AssumptionStatus,
    limits: &Limits,
) -> Result<Judgement, Diagnostic> {
    let patched = match subject.reread(&patch) {
        Ok(patched) => patched,
        Err(errors) => return Ok(Judgement::Unreadable(errors)),
    };
    let problem = match Problem::new(&patched.design, &patched.spec) {
        Ok(problem) => problem,
        Err(errors) => return Ok(Judgement::Unreadable(errors)),
    };
    let options = Options {
        limits: limits.clone(),
        semantics: Semantics::Strict,
    };
    for property in problem.asserted() {
        match problem.check(property, &options)? {
            Verdict::Holds => {}
            Verdict::Fails(trace) => {
                let run = trace.stimulus(&patched.design);
                return Ok(Judgement::Refuted(Box::new(run)));
            }
            Verdict::Unknown(error) => return Ok(Judgement::Unknown(error)),
        }
    }
    let after = problem.assumptions(&options.limits)?;
    if let AssumptionStatus::Unknown(error) = after {
        return Ok(Judgement::Unknown(error));
    }
    let certified = Certified::new(patch, Evidence::ModelChecked);
    Ok(if before.is_better_than(&after) {
        Judgement::Vacuous(certified)
    } else {
        Judgement::Proved(certified)
    })
}

/// Certifies a patch that makes the same circuit as one that is certified, up to gates that
/// are written twice, constants and buffers. `None` if it does not.
pub fn same_circuit(
    subject: &Subject,
    patch: Patch,
    like: &Certified<Patch>,
) -> Option<Certified<Patch>> {
    let first = subject.reread(like).ok()?;
    let second = subject.reread(&patch).ok()?;
    let is_same = first.design.is_same_circuit(&second.design);
    // Conditions of properties may be words, which are no part of the comparison.
    let same_words = first.design.words().len() == second.design.words().len();
    (is_same && same_words && first.latches.is_empty() && second.latches.is_empty())
        .then(|| Certified::new(patch, like.evidence().clone()))
}

/// Whether two certified patches are proved to show the same outputs on every run that keeps
/// the assumptions, once a reset has been played.
pub fn same_outputs(
    subject: &Subject,
    first: &Certified<Patch>,
    second: &Certified<Patch>,
    limits: &Limits,
) -> Result<bool, Diagnostic> {
    let (Ok(first), Ok(second)) = (subject.reread(first), subject.reread(second)) else {
        return Ok(false);
    };
    let Some((design, is_equal)) = compared(&first.design, &second.design) else {
        return Ok(false);
    };
    let mut spec = first.spec.clone();
    spec.properties.retain(|one| one.role == Role::Assume);
    let net = Expr {
        kind: ExprKind::Net(is_equal.code()),
        span: None,
    };
    let condition = atoms::condition(&mut spec.formulas, &net);
    spec.properties.push(Property {
        role: Role::Assert,
        name: "equal".to_string(),
        is_named: true,
        span: None,
        formula: spec.formulas.globally(condition),
    });
    let Ok(problem) = Problem::new(&design, &spec) else {
        return Ok(false);
    };
    let options = Options {
        limits: limits.clone(),
        semantics: Semantics::Strict,
    };
    let equal = spec.properties.len() - 1;
    Ok(problem.check(equal, &options)? == Verdict::Holds)
}

/// Both designs side by side on the same inputs, and that their outputs are equal once the
/// reset is over. `None` if inputs, outputs or free initial values do not correspond.
fn compared(first: &Design, second: &Design) -> Option<(Design, Literal)> {
    let mut both = first.clone();
    let by_name = |nodes: &[NodeId]| -> HashMap<String, NodeId> {
        let named = |id: &NodeId| Some((first.name(*id)?.to_string(), *id));
        nodes.iter().filter_map(named).collect()
    };
    let inputs = by_name(first.inputs());
    let latches = by_name(first.latches());
    let mut copies: HashMap<NodeId, Literal> = HashMap::new();
    copies.insert(NodeId::CONSTANT, Literal::FALSE);
    for id in second.inputs() {
        copies.insert(*id, inputs.get(second.name(*id)?)?.literal());
    }
    for id in second.latches() {
        let reset = match second.latch(*id)?.reset {
            reset @ (Reset::Zero | Reset::One) => reset,
            Reset::Free => {
                let twin = *latches.get(second.name(*id)?)?;
                let is_free = first.latch(twin)?.reset == Reset::Free;
                Reset::Computed(is_free.then(|| twin.literal())?)
            }
            Reset::Choice | Reset::Computed(_) => return None,
        };
        copies.insert(*id, both.add_latch(reset).literal());
    }
    let copy = |copies: &HashMap<NodeId, Literal>, literal: Literal| {
        copies[&literal.node()].complement_if(literal.is_complemented())
    };
    for id in second.topological_order().ok()? {
        if let Some((left, right)) = second.gate(id) {
            let gate = both.and(copy(&copies, left), copy(&copies, right));
            copies.insert(id, gate);
        }
    }
    for id in second.latches() {
        let next = copy(&copies, second.latch(*id)?.next);
        both.set_next(copies[id].node(), next);
    }
    let outputs = second.outputs();
    if first.outputs().len() != outputs.len() {
        return None;
    }
    let mut is_equal = Literal::TRUE;
    for (own, other) in first.outputs().iter().zip(outputs) {
        if own.name != other.name {
            return None;
        }
        let differs = both.xor(own.literal, copy(&copies, other.literal));
        is_equal = both.and(is_equal, !differs);
    }
    if let Ok(running) = first.signal(RUNNING) {
        is_equal = both.or(is_equal, !running.bits[0]);
    }
    Some((both, is_equal))
}
