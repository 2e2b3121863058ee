//! One run of a strategy of the environment, replayed.

use super::{Certified, Evidence, Options, Problem, Semantics, Verdict};
use crate::bdd::Limits;
use crate::design::{CHOICE, Design, InputKind};
use crate::run::{Run, SignalKind};
use crate::source::Diagnostic;
use crate::spec::Spec;
use std::collections::HashMap;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterplay {
    /// The property that it breaks.
    pub property: String,
    pub run: Run,
}

/// A run of a design in which the environment's inputs are driven, in the terms of `open`, in
/// which they are not. `None` if initial values are still the system's to choose, or if none
/// was found within the limits.
pub fn counterplay(
    strategy: &Design,
    open: &Design,
    spec: &Spec,
    limits: &Limits,
) -> Result<Option<Certified<Counterplay>>, Vec<Diagnostic>> {
    let mut latches = strategy.latches().iter();
    if latches.any(|id| strategy.is_rigid_choice(*id)) {
        return Ok(None);
    }
    let problem = Problem::new(strategy, spec)?;
    let options = Options {
        limits: limits.clone(),
        semantics: Semantics::Strict,
        ..Options::default()
    };
    let one = |error: Diagnostic| vec![error];
    for property in problem.asserted() {
        if let Verdict::Fails(trace) = problem.check(property, &options).map_err(one)? {
            let run = problem.shown(spec, property, &trace).map_err(one)?;
            let play = Counterplay {
                property: spec.properties[property].name.clone(),
                run: with_players(run.into_answer(), open),
            };
            return Ok(Some(Certified::new(play, Evidence::Replayed)));
        }
    }
    Ok(None)
}

/// Says whose the signals are, as it was before the environment's inputs were driven.
fn with_players(mut run: Run, open: &Design) -> Run {
    let base = |name: &str| name.split('[').next().unwrap_or(name).to_string();
    let kind_of: HashMap<String, InputKind> = open
        .inputs()
        .iter()
        .filter_map(|id| Some((base(open.name(*id)?), open.input_kind(*id)?)))
        .collect();
    for signal in &mut run.signals {
        match kind_of.get(&base(&signal.name)) {
            Some(InputKind::Environment) => signal.kind = SignalKind::Input,
            Some(InputKind::Choice) => {
                signal.kind = SignalKind::Suspect;
                if let Some(component) = signal.name.strip_prefix(CHOICE) {
                    signal.name = component.to_string();
                }
            }
            None => {}
        }
        // What the one sets matters for what the other does.
        signal.relevant |= matches!(signal.kind, SignalKind::Input | SignalKind::Suspect);
    }
    // Latches of monitors and of the strategy have no name.
    let is_known = |name: &str| open.names().any(|(_, known)| base(known) == base(name));
    run.signals
        .retain(|signal| signal.kind != SignalKind::Latch || is_known(&signal.name));
    run.signals.sort_by_key(|signal| signal.kind);
    run
}
