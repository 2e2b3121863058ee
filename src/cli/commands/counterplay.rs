//! Who wins if all suspects are replaced at once, and if it is the environment, how.

use super::repair::failure;
use crate::bdd;
use crate::certify::{self, Problem};
use crate::cli::context::Failure;
use crate::cli::trace::describe;
use crate::design::{CHOICE, Design, InputKind, Netlist};
use crate::game::Winner;
use crate::repair::{self, Options, RepairError};
use crate::report::Counterplay;
use crate::run::SignalKind;
use crate::spec::Spec;
use crate::synth::{self, SynthError};
use std::collections::HashMap;

/// What replacing all suspects would bring.
pub enum Widest {
    SystemWins,
    /// With a run, if one was found within the limits.
    EnvironmentWins(Option<Counterplay>),
    /// Out of time or memory, or a property that games do not reach.
    Unknown,
}

pub fn with_all_replaced(
    netlist: &Netlist,
    spec: &Spec,
    options: &Options,
) -> Result<Widest, Failure> {
    let widest = match repair::with_all_replaced(netlist, spec, options) {
        Ok(widest) => widest,
        Err(RepairError::Limit(_) | RepairError::NotSupported { .. }) => {
            return Ok(Widest::Unknown);
        }
        Err(error) => return Err(failure(error)),
    };
    if widest.winner == Winner::System {
        return Ok(Widest::SystemWins);
    }
    let Some(arena) = &widest.arena else {
        return Ok(Widest::EnvironmentWins(None));
    };
    let design = match synth::refutation(arena, &widest.game) {
        Ok(design) => design,
        Err(SynthError::Diagnostic(diagnostic)) => return Err((*diagnostic).into()),
        Err(_) => return Ok(Widest::EnvironmentWins(None)),
    };
    let play = one_run(&design, spec, &options.limits)?;
    let play = play.map(|play| with_players(play, &arena.design));
    Ok(Widest::EnvironmentWins(play))
}

/// A run of a design in which the environment's inputs are driven. Nothing is said of a
/// design whose initial values are still the system's to choose.
fn one_run(
    design: &Design,
    spec: &Spec,
    limits: &bdd::Limits,
) -> Result<Option<Counterplay>, Failure> {
    if design
        .latches()
        .iter()
        .any(|id| design.is_rigid_choice(*id))
    {
        return Ok(None);
    }
    let problem = Problem::new(design, spec)?;
    let options = certify::Options {
        limits: limits.clone(),
        semantics: certify::Semantics::Strict,
    };
    for property in problem.asserted() {
        if let certify::Verdict::Fails(trace) = problem.check(property, &options)? {
            return Ok(Some(Counterplay {
                property: spec.properties[property].name.clone(),
                trace: describe(&problem, spec, property, &trace)?,
            }));
        }
    }
    Ok(None)
}

/// Says whose the signals are, as it was before the environment's inputs were driven.
fn with_players(mut play: Counterplay, open: &Design) -> Counterplay {
    let base = |name: &str| name.split('[').next().unwrap_or(name).to_string();
    let kind_of: HashMap<String, InputKind> = open
        .inputs()
        .iter()
        .filter_map(|id| Some((base(open.name(*id)?), open.input_kind(*id)?)))
        .collect();
    for signal in &mut play.trace.signals {
        match kind_of.get(&base(&signal.name)) {
            Some(InputKind::Environment) => signal.kind = SignalKind::Input,
            Some(InputKind::Choice) => {
                signal.kind = SignalKind::Suspect;
                if let Some(place) = signal.name.strip_prefix(CHOICE) {
                    signal.name = place.to_string();
                }
            }
            None => {}
        }
        // What the one sets matters for what the other does.
        signal.relevant |= matches!(signal.kind, SignalKind::Input | SignalKind::Suspect);
    }
    // Latches of monitors and of the strategy have no name.
    let is_known = |name: &str| open.names().any(|(_, known)| base(known) == base(name));
    let signals = &mut play.trace.signals;
    signals.retain(|signal| signal.kind != SignalKind::Latch || is_known(&signal.name));
    signals.sort_by_key(|signal| signal.kind);
    play
}
