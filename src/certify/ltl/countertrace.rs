//! Checks that a sequence of inputs makes every system fail, by a circuit that plays them
//! whatever the outputs are.

use super::counterstrategy;
use crate::bdd::Limits;
use crate::certify::{Certified, Check, Countertrace, Evidence, RealizabilityCheck};
use crate::design::{Design, InputKind, Literal, NodeId, Reset};
use crate::run::{Run, SignalKind};
use crate::source::Diagnostic;
use crate::spec::ltl::LtlSpec;

/// Whether no system keeps the specification with the inputs of a run that repeats its end.
/// What the run says of outputs does not count.
pub fn countertrace(
    spec: &LtlSpec,
    run: &Run,
    limits: &Limits,
) -> Result<Check<Countertrace>, Vec<Diagnostic>> {
    let mut inputs = run.clone();
    inputs
        .signals
        .retain(|signal| signal.kind == SignalKind::Input);
    if inputs.loop_start.is_none_or(|start| start >= inputs.steps) {
        return Ok(Check::NotShown("the run has an end".to_string()));
    }
    Ok(
        match counterstrategy(spec, &player(spec, &inputs), limits)? {
            RealizabilityCheck::Certified(_) => {
                let answer = Countertrace {
                    inputs,
                    held: Vec::new(),
                };
                Check::Certified(Certified::new(answer, Evidence::ModelChecked))
            }
            RealizabilityCheck::NotShown(part) => Check::NotShown(part),
            RealizabilityCheck::Unknown(error) => Check::Unknown(error),
        },
    )
}

/// A circuit that plays the inputs of a run. An input that the run does not have is 0.
pub(super) fn player(spec: &LtlSpec, run: &Run) -> Design {
    let mut design = Design::new();
    for name in &spec.outputs {
        let id = design.add_input(InputKind::Environment);
        design.set_name(id, name.clone());
    }
    // One latch for each step, of which exactly one is 1.
    let steps: Vec<NodeId> = (0..run.steps)
        .map(|step| design.add_latch(if step == 0 { Reset::One } else { Reset::Zero }))
        .collect();
    for step in 0..steps.len() {
        let mut before: Vec<Literal> = Vec::new();
        if step > 0 {
            before.push(steps[step - 1].literal());
        }
        if Some(step) == run.loop_start {
            before.extend(steps.last().map(|last| last.literal()));
        }
        let next = design.or_all(before);
        design.set_next(steps[step], next);
    }
    for name in &spec.inputs {
        let signal = run.signal(name);
        let is_one = |step: usize| signal.is_some_and(|signal| signal.is_one(step));
        let high = steps.iter().enumerate().filter(|(step, _)| is_one(*step));
        let high: Vec<Literal> = high.map(|(_, latch)| latch.literal()).collect();
        let value = design.or_all(high);
        design.add_output(Some(name.clone()), value, None);
    }
    design
}
