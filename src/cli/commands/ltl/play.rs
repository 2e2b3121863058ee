//! Playing against the circuits of specifications in LTL, and running them.

use super::decide;
use crate::cli::commands::against::{self, Moves, Table};
use crate::cli::commands::guide;
use crate::cli::context::{Context, Failure};
use crate::cli::input::read_text;
use crate::cli::request::{PlayRequest, SimulateRequest};
use crate::design::{Design, Literal};
use crate::load::LoadedLtl;
use crate::report::{Report, Verdict};
use crate::source::Diagnostic;
use crate::source::codes::frame;
use crate::spec::ltl::Order;
use crate::synth::circuit::Circuit;
use crate::synth::explicit::Judged;

fn unjudged(design: &Design) -> Judged<'_> {
    Judged {
        design,
        assumed: Literal::TRUE,
        recurrences: &[],
    }
}

pub fn play(
    read: &LoadedLtl,
    request: &PlayRequest,
    context: &mut Context,
) -> Result<Report, Failure> {
    let moves = match &request.moves {
        Some(path) => Some(read_text(path)?),
        None => None,
    };
    let answer = match decide(&read.spec, context)? {
        Ok(answer) => answer,
        Err(unknown) => return Ok(unknown),
    };
    let circuit = Circuit::of_bits(&read.spec.title, answer.circuit);
    let judged = unjudged(&circuit.design);
    let environment_first = read.spec.order == Order::Mealy;
    let table = match answer.realizable {
        true => Table {
            circuit: &circuit,
            judged: &judged,
            circuit_first: !environment_first,
            verdict: Verdict::Realizable,
            reason: "a certified controller keeps the specification, whatever the environment does",
            greeting: "You are the environment, and have to keep the assumptions.",
        },
        false => Table {
            circuit: &circuit,
            judged: &judged,
            circuit_first: environment_first,
            verdict: Verdict::Unrealizable,
            reason: "the environment wins, whatever the system does",
            greeting: "You are the system, and have to keep the guarantees.",
        },
    };
    let asked = match answer.realizable {
        true => "inputs",
        false => "outputs",
    };
    against::play(&table, Moves::new(moves, asked))
}

pub fn simulate(
    read: &LoadedLtl,
    request: &SimulateRequest,
    context: &mut Context,
) -> Result<Report, Failure> {
    if request.edited.is_some() {
        let message = "`--edited` is for GR(1) specifications, and this is not one";
        return Err(Diagnostic::error(frame::BAD_USAGE, message)
            .help("add the formula that the trace should keep as a guarantee")
            .into());
    }
    let script = match &request.script {
        Some(path) => Some(read_text(path)?),
        None => None,
    };
    let answer = match decide(&read.spec, context)? {
        Ok(answer) if answer.realizable => answer,
        Ok(_) => {
            return Ok(Report::verdict(Verdict::Unrealizable).because(
                "there is no controller to run; `respin explain` says why, `respin play` shows it",
            ));
        }
        Err(unknown) => return Ok(unknown),
    };
    let circuit = Circuit::of_bits(&read.spec.title, answer.circuit);
    let judged = unjudged(&circuit.design);
    match script {
        Some(script) => guide::scripted(&circuit, &judged, &script),
        None => guide::guided(&circuit, &judged, request.steps, request.seed),
    }
}
