//! Whether a patched design keeps its properties.
//!
//! A patch is text. It is read again as if a user had given it, and the design that comes out
//! is model-checked. Of what the search for the patch knew only [`Experience`] is used, which
//! makes checks shorter and changes no answer.

use super::{
    AssumptionStatus, Certified, Evidence, Experience, LatchStatus, Options, Problem, Semantics,
    Verdict,
};
use crate::bdd::{self, Limits};
use crate::design::reserved::{CONDITION_PREFIX, RUNNING};
use crate::design::{Design, InputKind, Literal, Node, NodeId, Patch, Reset, elaborate_atom};
use crate::expr::{Expr, ExprKind, Role};
use crate::run::Run;
use crate::source::Diagnostic;
use crate::spec::{Atom, Property, Spec, atoms};
use crate::subject::Subject;
use std::collections::HashMap;

/// Look-ups of the computed table that a proof of equal outputs may take.
const EQUALITY_EFFORT: u64 = 200_000;
/// Those that a proof of the properties may take before, for a patch that may be the same as
/// a known one.
const LIKENESS_EFFORT: u64 = 400_000;

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
    experience: &Experience,
    limits: &Limits,
) -> Result<Judgement, Diagnostic> {
    let patched = match subject.reread(&patch) {
        Ok(patched) => patched,
        Err(errors) => return Ok(Judgement::Unreadable(errors)),
    };
    check(&patched, patch, before, Some(experience), limits)
}

/// Checks every assertion of a patched design that was read again.
fn check(
    patched: &Subject,
    patch: Patch,
    before: &AssumptionStatus,
    experience: Option<&Experience>,
    limits: &Limits,
) -> Result<Judgement, Diagnostic> {
    match super::latches(patched, limits)? {
        LatchStatus::Closed(_) => {}
        LatchStatus::Open(errors) => return Ok(Judgement::Unreadable(errors)),
        LatchStatus::Unknown(error) => return Ok(Judgement::Unknown(error)),
    }
    let problem = match Problem::new(&patched.design, &patched.spec) {
        Ok(problem) => problem,
        Err(errors) => return Ok(Judgement::Unreadable(errors)),
    };
    let options = Options {
        limits: limits.clone(),
        semantics: Semantics::Strict,
        experience: experience.cloned(),
        ..Options::default()
    };
    let asserted: Vec<usize> = problem.asserted().collect();
    match problem.check_together(&asserted, &options)? {
        Verdict::Holds => {}
        Verdict::Fails(trace) => {
            let run = trace.stimulus(&patched.design);
            return Ok(Judgement::Refuted(Box::new(run)));
        }
        Verdict::Unknown(error) => return Ok(Judgement::Unknown(error)),
    }
    let after = problem.assumptions(options.engine, &options.limits)?;
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

/// A certified patch that others are compared with.
pub struct Known {
    /// The patched design, read again.
    patched: Subject,
    vacuous: bool,
}

/// What a patch is beside a known one.
pub enum Likeness {
    /// It was proved to be the same circuit, or to keep the properties and to show the same
    /// outputs on every run that keeps the assumptions.
    Same(Certified<Patch>),
    Other(Judgement),
}

impl Known {
    /// `None` if the patch cannot be read, which is a defect of ours.
    pub fn new(subject: &Subject, patch: &Certified<Patch>, vacuous: bool) -> Option<Known> {
        let patched = subject.reread(patch).ok()?;
        Some(Known { patched, vacuous })
    }

    /// Whether a patched design is the same circuit with the same conditions of properties, up
    /// to gates that are written twice, constants and buffers.
    fn is_same_circuit(&self, other: &Subject) -> bool {
        match (observed(&self.patched), observed(other)) {
            (Some(first), Some(second)) => {
                self.patched.latches == other.latches && first.is_same_circuit(&second)
            }
            _ => false,
        }
    }

    /// Reads a patch of the same subject again, and compares it, with little effort: what the
    /// patch does is known from the other one.
    pub fn compare(
        &self,
        subject: &Subject,
        patch: Patch,
        before: &AssumptionStatus,
        limits: &Limits,
    ) -> Result<Likeness, Diagnostic> {
        let patched = match subject.reread(&patch) {
            Ok(patched) => patched,
            Err(errors) => return Ok(Likeness::Other(Judgement::Unreadable(errors))),
        };
        if self.is_same_circuit(&patched) {
            return Ok(Likeness::Same(Certified::new(
                patch,
                Evidence::ModelChecked,
            )));
        }
        let effort = Limits {
            lookups: Some(EQUALITY_EFFORT),
            ..limits.clone()
        };
        // What does the same step in every state, or in every one that the known design comes
        // to, conditions of properties included, needs no other proof.
        for states in [States::All, States::Visited] {
            if is_equal_in(states, &self.patched, &patched, &effort)? {
                return Ok(Likeness::Same(Certified::new(
                    patch,
                    Evidence::ModelChecked,
                )));
            }
        }
        let little = Limits {
            lookups: Some(LIKENESS_EFFORT),
            ..limits.clone()
        };
        let judgement = check(&patched, patch, before, None, &little)?;
        let certified = match &judgement {
            Judgement::Proved(patch) if !self.vacuous => patch,
            Judgement::Vacuous(patch) if self.vacuous => patch,
            _ => return Ok(Likeness::Other(judgement)),
        };
        let is_equal = is_equal_in(States::Reachable, &self.patched, &patched, &effort)?;
        Ok(if is_equal {
            Likeness::Same(certified.clone())
        } else {
            Likeness::Other(judgement)
        })
    }
}

/// Certifies a patch that makes the same circuit as one that is certified. `None` if it does
/// not.
pub fn same_circuit(
    subject: &Subject,
    patch: Patch,
    like: &Certified<Patch>,
) -> Option<Certified<Patch>> {
    let known = Known::new(subject, like, false)?;
    let patched = subject.reread(&patch).ok()?;
    let is_same = known.is_same_circuit(&patched);
    is_same.then(|| Certified::new(patch, like.evidence().clone()))
}

/// Whether two designs are proved to show the same outputs on every run that keeps the
/// assumptions of the first.
pub fn shows_the_same(
    first: &Subject,
    second: &Subject,
    limits: &Limits,
) -> Result<bool, Diagnostic> {
    let designs = (&first.design, &second.design);
    is_proved_equal(designs, States::Reachable, first, limits)
}

/// Whether two designs are proved to show the same outputs and to have the same conditions of
/// properties, on every run that keeps the assumptions.
fn is_equal_in(
    states: States,
    first: &Subject,
    second: &Subject,
    limits: &Limits,
) -> Result<bool, Diagnostic> {
    let designs = (observed(first), observed(second));
    match designs {
        (Some(own), Some(other)) => is_proved_equal((&own, &other), states, first, limits),
        _ => Ok(false),
    }
}

fn is_proved_equal(
    (own, other): (&Design, &Design),
    states: States,
    subject: &Subject,
    limits: &Limits,
) -> Result<bool, Diagnostic> {
    let Some((design, is_equal)) = compared(own, other, states) else {
        return Ok(false);
    };
    let mut spec = asserting_equal(subject, is_equal);
    if states == States::Visited {
        spec.properties.retain(|one| one.role == Role::Assert);
    }
    let Ok(problem) = Problem::new(&design, &spec) else {
        return Ok(false);
    };
    let options = Options {
        limits: limits.clone(),
        semantics: Semantics::Strict,
        // Without state there is nothing that diagrams could follow step by step.
        engine: match states {
            States::All => super::Engine::Sat,
            States::Visited | States::Reachable => super::Engine::Auto,
        },
        ..Options::default()
    };
    let equal = spec.properties.len() - 1;
    Ok(problem.check(equal, &options)? == Verdict::Holds)
}

/// The assumptions of a subject, and the assertion that a literal is always true.
fn asserting_equal(subject: &Subject, is_equal: Literal) -> Spec {
    let mut spec = subject.spec.clone();
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
    spec
}

/// Two designs on the same inputs, and the assertion that they show the same outputs, which is
/// the last property. `None` if they cannot be compared.
pub(super) fn side_by_side(first: &Subject, second: &Subject) -> Option<(Design, Spec)> {
    let (design, is_equal) = compared(&first.design, &second.design, States::Reachable)?;
    Some((design, asserting_equal(first, is_equal)))
}

/// A design with the conditions of its properties as outputs.
fn observed(subject: &Subject) -> Option<Design> {
    let mut design = subject.design.clone();
    let formulas = &subject.spec.formulas;
    for (index, id) in formulas.atom_ids().enumerate() {
        if let Atom::Condition(expr) = formulas.atom(id) {
            let literal = elaborate_atom(&mut design, expr).ok()?;
            design.add_output(
                Some(format!("{CONDITION_PREFIX}atom{index}")),
                literal,
                None,
            );
        }
    }
    Some(design)
}

/// The states in which two designs are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum States {
    /// All: latches of the same name have any value, and the same one.
    All,
    /// Those that the first design comes to, whether assumptions are kept or not; latches of
    /// the same name have the same value. If every step from there is the same one, then the
    /// second design comes to the same states: a question about one design, not about two.
    Visited,
    /// Those that both come to on the same inputs, each in its own latches.
    Reachable,
}

impl States {
    /// Whether both designs share their latches.
    fn are_shared(self) -> bool {
        self != States::Reachable
    }
}

/// Both designs side by side on the same inputs, and that their outputs are equal once the
/// reset is over; with shared latches also that next values are. `None` if inputs, outputs, latches
/// or free initial values do not correspond.
fn compared(first: &Design, second: &Design, states: States) -> Option<(Design, Literal)> {
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
        if states.are_shared() {
            let twin = *latches.get(second.name(*id)?)?;
            let reset = second.latch(*id)?.reset;
            // What computes an initial value has another number in each design.
            if first.latch(twin)?.reset != reset || matches!(reset, Reset::Computed(_)) {
                return None;
            }
            copies.insert(*id, twin.literal());
            continue;
        }
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
    let mut is_same_step = Literal::TRUE;
    for id in second.latches() {
        let next = copy(&copies, second.latch(*id)?.next);
        let own = copies[id].node();
        if states.are_shared() {
            let differs = both.xor(both.latch(own)?.next, next);
            is_same_step = both.and(is_same_step, !differs);
        } else {
            both.set_next(own, next);
        }
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
    if states.are_shared() && first.latches().len() != second.latches().len() {
        return None;
    }
    if states == States::All {
        for id in first.latches() {
            both.replace(*id, Node::Input(InputKind::Environment));
        }
    } else if let Ok(running) = first.signal(RUNNING) {
        is_equal = both.or(is_equal, !running.bits[0]);
    }
    let is_equal = both.and(is_equal, is_same_step);
    Some((both, is_equal))
}
