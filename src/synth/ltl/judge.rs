//! Whether a circuit keeps a specification, asked again and again while it is made smaller.

use super::aig::Aig;
use super::screen::{Screen, Stimulus};
use crate::bdd::Limits;
use crate::certify::Trace;
use crate::certify::ltl::Winner;
use crate::design::Design;
use crate::spec::ltl::{LtlSpec, Requirement, Requirements};
use std::time::Duration;

/// The model checker, behind the runs on which circuits have failed before.
pub struct Judge<'a> {
    spec: &'a LtlSpec,
    requirements: &'a Requirements,
    goals: &'a [Requirement],
    limits: Limits,
    /// Of one question, in processor time.
    time: Duration,
    /// A circuit with the names of inputs and outputs.
    names: Design,
    screen: Option<Screen>,
}

impl<'a> Judge<'a> {
    /// For circuits that have the inputs and outputs of this one.
    pub fn new(
        spec: &'a LtlSpec,
        requirements: &'a Requirements,
        goals: &'a [Requirement],
        names: &Design,
        limits: &Limits,
        time: Duration,
    ) -> Judge<'a> {
        Judge {
            spec,
            requirements,
            goals,
            limits: limits.clone(),
            time,
            names: names.clone(),
            screen: Screen::new(spec, requirements, goals),
        }
    }

    /// Whether a circuit fails on no run on which another has failed.
    pub fn may_accept(&mut self, circuit: &Aig) -> bool {
        let screen = self.screen.as_mut();
        screen.is_none_or(|screen| screen.passes(circuit))
    }

    /// Whether the model checker confirms that a circuit keeps the goals.
    pub fn accepts(&mut self, circuit: &Aig) -> bool {
        if !self.may_accept(circuit) {
            return false;
        }
        let design = circuit.design(&self.names);
        let limits = self.limits.within_processor_time(self.time);
        let winner = Winner {
            requirements: self.requirements,
            order: self.spec.order,
            circuit: &design,
            limits: &limits,
        };
        let Ok((check, trace)) = winner.tried(self.goals) else {
            return false;
        };
        if let (Some(screen), Some(trace)) = (&mut self.screen, trace) {
            screen.add(stimulus(&trace));
        }
        check.certified().is_some()
    }

    /// The circuit as a design.
    pub fn design(&self, circuit: &Aig) -> Design {
        circuit.design(&self.names)
    }
}

/// What the environment does in a trace; a finite one goes on with its last step.
fn stimulus(trace: &Trace) -> Stimulus {
    let last = trace.len().saturating_sub(1);
    Stimulus {
        inputs: trace.inputs().to_vec(),
        loop_start: trace.loop_start().unwrap_or(last),
    }
}
