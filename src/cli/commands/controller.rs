//! `respin synth` for specifications: a controller as Verilog, AIGER or a list of states.
//!
//! Nothing is printed that was not checked: the text of a controller is read again, and what
//! it says is model-checked against the formulas as they were read. A list of states is made
//! from the circuit that was checked.

use super::against::{self, Moves, Table};
use super::{check, ltl};
use crate::certify::controller::Question;
use crate::cli::context::{Context, Failure};
use crate::cli::options::ControllerFormat;
use crate::cli::output::{circuit_bytes, write_file};
use crate::cli::request::SynthRequest;
use crate::cli::specification::read_spec;
use crate::design::Literal;
use crate::game::gr1::{Gr1Game, Selection};
use crate::load::{AnySpec, LoadedGr1, LoadedLtl};
use crate::report::{Body, Ending, Report, Verdict};
use crate::source::{Diagnostic, codes::frame};
use crate::spec::gr1::Gr1;
use crate::spec::ltl::Order;
use crate::synth::circuit::Circuit;
use crate::synth::controller::controller;
use crate::synth::explicit::{Bounds, Judged, explicit};
use crate::synth::ltl::{Certificate, check_controller, smaller_controller};
use crate::synth::written::{self, Written, as_aiger, as_verilog};
use crate::{bdd, synth};
use std::time::Duration;

/// How long the controller of a specification in LTL is made smaller.
const POLISH: Duration = Duration::from_secs(1);

pub fn synth(request: &SynthRequest, context: &mut Context) -> Result<Report, Failure> {
    match read_spec(&request.spec, context)? {
        AnySpec::Gr1(read) => of_gr1(&read, request, context),
        AnySpec::Ltl(read) => of_ltl(&read, request, context),
    }
}

fn of_gr1(
    read: &LoadedGr1,
    request: &SynthRequest,
    context: &mut Context,
) -> Result<Report, Failure> {
    context.limits.check()?;
    let limits = context.limits.for_diagrams();
    let spec = read.strict();
    context.progress.log(|| "solving the game".to_string());
    context.progress.status(|| "solving the game".to_string());
    let made = (|| -> bdd::Result<Result<Circuit, synth::gr1::Certification>> {
        let game = Gr1Game::new(&spec, limits.clone())?;
        let rules = game.rules(&Selection::everything(&spec))?;
        let solution = rules.solve()?;
        if !solution.realizable {
            return Ok(Err(synth::gr1::certified(&game, &rules, &solution)?));
        }
        let tells_goal = request.format != Some(ControllerFormat::Aiger);
        Ok(Ok(controller(&rules, &solution, &limits, tells_goal)?))
    })();
    let circuit = match made {
        Ok(Ok(circuit)) => circuit,
        Ok(Err(answer)) => return unrealizable(answer.err().map(|flaw| flaw.0), request),
        Err(error) => return Ok(check::unknown(error, None)),
    };
    context
        .progress
        .log(|| "certifying the controller".to_string());
    context.progress.status(|| "certifying".to_string());
    let written = write(&circuit, request)?;
    let question = match written.question(&spec) {
        Ok(question) => question,
        Err(failure) => return not_asked(failure),
    };
    match written::certify(&question, &limits) {
        Ok(Certificate::Checked) => {}
        Ok(Certificate::Unchecked(error)) => return Ok(uncertified(error)),
        Ok(Certificate::Flawed(part)) => return Err(flawed(&part).into()),
        Err(failure) => return not_asked(failure),
    }
    let judged = Judged {
        design: &question.design,
        assumed: question.assumed,
        recurrences: &question.recurrences,
    };
    publish(&written, &judged, request, Vec::new())
}

fn of_ltl(
    read: &LoadedLtl,
    request: &SynthRequest,
    context: &mut Context,
) -> Result<Report, Failure> {
    let answer = match ltl::decide(&read.spec, context)? {
        Ok(answer) => answer,
        Err(unknown) => return Ok(unknown),
    };
    if !answer.realizable {
        return unrealizable(None, request);
    }
    context
        .progress
        .status(|| "making the controller smaller".to_string());
    let limits = context.limits.for_diagrams();
    let smaller = smaller_controller(&read.spec, answer.circuit, POLISH, &limits);
    let circuit = Circuit::of_bits(&read.spec.title, smaller);
    let written = write(&circuit, request)?;
    context
        .progress
        .status(|| "certifying what was written".to_string());
    match check_controller(&read.spec, &written.circuit.design, &limits) {
        Ok(Certificate::Checked) => {}
        Ok(Certificate::Unchecked(error)) => return Ok(uncertified(error)),
        Ok(Certificate::Flawed(part)) => return Err(flawed(&part).into()),
        Err(synth::ltl::Failure::Diagnostics(diagnostics)) => return Err(diagnostics.into()),
        Err(synth::ltl::Failure::Limit(error)) => return Ok(uncertified(error)),
        Err(synth::ltl::Failure::GaveUp(reason)) => {
            return Ok(Report::verdict(Verdict::Unknown).because(reason));
        }
    }
    let mut notes = Vec::new();
    if read.target == Order::Moore && read.spec.order == Order::Mealy {
        let note = "the target is Moore, but outputs may depend on inputs of the same step, \
                    as the semantics allow";
        notes.push(note.to_string());
    }
    let judged = Judged {
        design: &written.circuit.design,
        assumed: Literal::TRUE,
        recurrences: &[],
    };
    publish(&written, &judged, request, notes)
}

/// The user plays the environment against a controller of a GR(1) specification.
pub fn play(read: &LoadedGr1, moves: Moves, context: &mut Context) -> Result<Report, Failure> {
    let spec = read.strict();
    let (written, question) = match certified(&spec, context)? {
        Ok(made) => made,
        Err(unknown) => return Ok(unknown),
    };
    let judged = Judged {
        design: &question.design,
        assumed: question.assumed,
        recurrences: &question.recurrences,
    };
    let table = Table {
        circuit: &written.circuit,
        judged: &judged,
        circuit_first: false,
        verdict: Verdict::Realizable,
        reason: "a certified controller keeps the specification, whatever the environment does",
        greeting: "You are the environment, and have to keep the assumptions.",
    };
    against::play(&table, moves)
}

/// A controller that was written, read again and certified; or why there is none.
pub fn certified(
    spec: &Gr1,
    context: &mut Context,
) -> Result<Result<(Written, Question), Report>, Failure> {
    let limits = context.limits.for_diagrams();
    let made = (|| -> bdd::Result<Option<Circuit>> {
        let game = Gr1Game::new(spec, limits.clone())?;
        let rules = game.rules(&Selection::everything(spec))?;
        let solution = rules.solve()?;
        match solution.realizable {
            true => Ok(Some(controller(&rules, &solution, &limits, true)?)),
            false => Ok(None),
        }
    })();
    let circuit = match made {
        Ok(Some(circuit)) => circuit,
        Ok(None) => {
            return Ok(Err(Report::verdict(Verdict::Unrealizable).because(
                "there is no controller; `respin explain` says why, `respin play` shows it",
            )));
        }
        Err(error) => return Ok(Err(check::unknown(error, None))),
    };
    let written = as_verilog(&circuit)?;
    let question = match written.question(spec) {
        Ok(question) => question,
        Err(failure) => return not_asked(failure).map(Err),
    };
    match written::certify(&question, &limits) {
        Ok(Certificate::Checked) => Ok(Ok((written, question))),
        Ok(Certificate::Unchecked(error)) => Ok(Err(uncertified(error))),
        Ok(Certificate::Flawed(part)) => Err(flawed(&part).into()),
        Err(failure) => not_asked(failure).map(Err),
    }
}

fn write(circuit: &Circuit, request: &SynthRequest) -> Result<Written, Diagnostic> {
    match request.format.unwrap_or_default() {
        ControllerFormat::Aiger => {
            let path = request.output.output.as_deref();
            as_aiger(circuit, |file| circuit_bytes(file, path))
        }
        // States are listed of the circuit that other formats write.
        ControllerFormat::Verilog | ControllerFormat::Dot | ControllerFormat::Json => {
            as_verilog(circuit)
        }
    }
}

fn unrealizable(flaw: Option<String>, request: &SynthRequest) -> Result<Report, Failure> {
    if let Some(flaw) = flaw {
        let message = format!("a verdict was not confirmed: {flaw}");
        return Err(Diagnostic::error(frame::INTERNAL_ERROR, message).into());
    }
    let mut report = Report::verdict(Verdict::Unrealizable)
        .because("no system can satisfy the specification; the counterstrategy was certified");
    report
        .notes
        .push("`respin explain` says why, `respin play` shows it".to_string());
    if let Some(path) = &request.output.output {
        let path = path.display();
        let note = format!("there is no controller, so {path} was not written");
        report.notes.push(note);
    }
    Ok(report)
}

fn uncertified(error: bdd::Error) -> Report {
    let reason =
        format!("the solver says REALIZABLE, but the controller was not certified: {error}");
    let mut report = Report::verdict(Verdict::Unknown).because(reason);
    if error == bdd::Error::Interrupted {
        report.ending = Ending::Interrupted;
    }
    report
}

fn not_asked(failure: written::Failure) -> Result<Report, Failure> {
    match failure {
        written::Failure::Diagnostics(diagnostics) => Err(diagnostics.into()),
        written::Failure::TooManyAnswers => Ok(Report::verdict(Verdict::Unknown).because(
            "the solver says REALIZABLE, but the controller was not certified: assumptions \
             speak of too many next values of the system",
        )),
    }
}

fn flawed(part: &str) -> Diagnostic {
    let message = format!("a controller that was made breaks a property: {part}");
    Diagnostic::error(frame::INTERNAL_ERROR, message)
}

fn publish(
    written: &Written,
    judged: &Judged<'_>,
    request: &SynthRequest,
    notes: Vec<String>,
) -> Result<Report, Failure> {
    let circuit = &written.circuit;
    let count = |number: usize, one: &str, many: &str| match number {
        1 => format!("1 {one}"),
        number => format!("{number} {many}"),
    };
    let mut reason = format!(
        "a controller with {} and {} was made and certified",
        count(written.gates, "gate", "gates"),
        count(written.registers, "bit of state", "bits of state")
    );
    let format = request.format.unwrap_or_default();
    let (bytes, limit) = match format {
        ControllerFormat::Verilog | ControllerFormat::Aiger => (written.bytes.clone(), None),
        ControllerFormat::Dot | ControllerFormat::Json => {
            let machine = explicit(circuit, judged, Bounds::default())?;
            reason.push_str(&format!(
                "; it has {} and {}",
                count(machine.states.len(), "state", "states"),
                count(machine.transitions.len(), "transition", "transitions")
            ));
            let text = match format {
                ControllerFormat::Dot => machine.dot(&circuit.name),
                _ => machine.json().map_err(|error| {
                    Diagnostic::error(frame::INTERNAL_ERROR, format!("no JSON: {error}"))
                })?,
            };
            (text.into_bytes(), machine.limit)
        }
    };
    let mut report = Report::verdict(Verdict::Realizable).because(reason);
    report.notes.extend(limit);
    report.notes.extend(notes);
    match &request.output.output {
        Some(path) => {
            write_file(path, &bytes, request.output.force)?;
            report.notes.push(format!("wrote {}", path.display()));
        }
        None => {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            report.body = Body::Synth(Some(text));
        }
    }
    Ok(report)
}
