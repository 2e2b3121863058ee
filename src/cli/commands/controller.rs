//! `respin synth` for specifications: a controller as Verilog, AIGER or a list of states.
//!
//! A list of states is made from the circuit that was certified.

use super::synth::{beside_text, deliver, unknown_report, without_controller};
use crate::cli::context::{Context, Failure};
use crate::cli::options::ControllerFormat;
use crate::cli::output::circuit_form;
use crate::cli::request::SynthRequest;
use crate::cli::specification::read_spec;
use crate::expr::printer::needs_escape;
use crate::load::AnySpec;
use crate::report::Report;
use crate::source::{Diagnostic, codes::frame};
use crate::synth::explicit::Explicit;
use crate::synth::hoa;
use crate::synth::verilog::CLOCK;
use crate::synth::written::{self, Answer, Form, Synthesized};

pub fn synth(request: &SynthRequest, context: &mut Context) -> Result<Report, Failure> {
    refuse_reset_port(request)?;
    let spec = read_spec(&request.spec, context)?;
    refuse_taken_name(request, &spec)?;
    context.limits.check()?;
    let form = match request.format.unwrap_or_default() {
        ControllerFormat::Aiger => Form::Aiger(circuit_form(request.output.output.as_deref())),
        // States are listed of the circuit that other formats write.
        ControllerFormat::Verilog
        | ControllerFormat::Dot
        | ControllerFormat::Hoa
        | ControllerFormat::Json => Form::Verilog,
    };
    let options = written::Options {
        limits: context.limits.for_diagrams(),
        form,
        reset_port: request.reset_port.clone(),
    };
    let progress = &mut context.progress;
    let answer = written::synth(&spec, &options, &mut |event| progress.show(event));
    match answer? {
        Answer::Realizable(made) => publish(&made, request),
        Answer::Unrealizable(verdict) => {
            let reason =
                "no system can satisfy the specification; the counterstrategy was certified";
            let mut report = Report::unrealizable(&verdict).because(reason);
            report
                .notes
                .push("`respin explain` says why, `respin play` shows it".to_string());
            Ok(without_controller(report, request))
        }
        Answer::Unknown(unknown) => Ok(beside_text(unknown_report(unknown), request)),
    }
}

/// The port is a part of a module, and has a name that the module can have.
fn refuse_reset_port(request: &SynthRequest) -> Result<(), Diagnostic> {
    let Some(name) = &request.reset_port else {
        return Ok(());
    };
    let refuse =
        |message: String, help: &str| Err(Diagnostic::error(frame::BAD_USAGE, message).help(help));
    if request.format.unwrap_or_default() != ControllerFormat::Verilog {
        return refuse(
            "`--reset-port` is for controllers as Verilog".to_string(),
            "leave it out, or give `--to verilog`",
        );
    }
    if name == CLOCK {
        return refuse(
            format!("`{name}` is the clock of the module, not a reset port"),
            "give another name, as in `--reset-port rst`",
        );
    }
    if name.is_empty() || needs_escape(name, true) {
        return refuse(
            format!("`{name}` is no name for a port of a Verilog module"),
            "give a name of letters, digits and underscores that is no keyword, as in \
             `--reset-port rst`",
        );
    }
    Ok(())
}

/// A port that the specification has already would be two things at once.
fn refuse_taken_name(request: &SynthRequest, spec: &AnySpec) -> Result<(), Diagnostic> {
    let Some(name) = &request.reset_port else {
        return Ok(());
    };
    let array = format!("{name}[");
    let is_it = |own: &String| own == name || own.starts_with(&array);
    let is_taken = match spec {
        AnySpec::Gr1(loaded) => loaded.spec.variables.iter().any(|one| is_it(&one.name)),
        AnySpec::Ltl(loaded) => {
            let mut names = loaded.spec.inputs.iter().chain(&loaded.spec.outputs);
            names.any(is_it)
        }
    };
    if is_taken {
        let message = format!("`{name}` is a variable of the specification, not a reset port");
        return Err(Diagnostic::error(frame::BAD_USAGE, message)
            .help("choose a name that the specification does not have"));
    }
    Ok(())
}

/// An automaton that lacks states would be another controller.
fn complete(machine: Explicit) -> Result<Explicit, Diagnostic> {
    match &machine.limit {
        None => Ok(machine),
        Some(limit) => {
            let message = format!("the controller is too large for an automaton: {limit}");
            Err(Diagnostic::error(frame::BAD_USAGE, message)
                .help("write it as Verilog or AIGER; `--to dot` shows a part of it"))
        }
    }
}

fn publish(made: &Synthesized, request: &SynthRequest) -> Result<Report, Failure> {
    let count = |number: usize, one: &str, many: &str| match number {
        1 => format!("1 {one}"),
        number => format!("{number} {many}"),
    };
    let mut reason = format!(
        "a controller with {} and {} was made and certified",
        count(made.gates, "gate", "gates"),
        count(made.registers, "bit of state", "bits of state")
    );
    let format = request.format.unwrap_or_default();
    let mut notes = Vec::new();
    let bytes = match format {
        ControllerFormat::Verilog | ControllerFormat::Aiger => made.controller.text.bytes.clone(),
        ControllerFormat::Dot | ControllerFormat::Hoa | ControllerFormat::Json => {
            let machine = match format {
                ControllerFormat::Hoa => complete(made.states_of_bits()?)?,
                _ => made.states()?,
            };
            reason.push_str(&format!(
                "; it has {} and {}",
                count(machine.states.len(), "state", "states"),
                count(machine.transitions.len(), "transition", "transitions")
            ));
            let text = match format {
                ControllerFormat::Dot => machine.picture(&made.circuit.name).dot(),
                ControllerFormat::Hoa => hoa::write(&machine, &made.circuit.name),
                _ => machine.json().map_err(|error| {
                    Diagnostic::error(frame::INTERNAL_ERROR, format!("no JSON: {error}"))
                })?,
            };
            notes.extend(machine.limit);
            text.into_bytes()
        }
    };
    let verdict = made.controller.realizable(&made.circuit.name);
    let mut report = Report::realizable(&verdict).because(reason);
    notes.extend(made.notes.clone());
    report.notes = notes;
    deliver(request, &bytes, report)
}
