//! `respin synth` for specifications: a controller as Verilog, AIGER or a list of states.
//!
//! A list of states is made from the circuit that was certified.

use super::synth::{deliver, unknown_report, without_controller};
use crate::cli::context::{Context, Failure};
use crate::cli::options::ControllerFormat;
use crate::cli::output::circuit_form;
use crate::cli::request::SynthRequest;
use crate::cli::specification::read_spec;
use crate::report::Report;
use crate::source::{Diagnostic, codes::frame};
use crate::synth::written::{self, Answer, Form, Synthesized};

pub fn synth(request: &SynthRequest, context: &mut Context) -> Result<Report, Failure> {
    let spec = read_spec(&request.spec, context)?;
    context.limits.check()?;
    let form = match request.format.unwrap_or_default() {
        ControllerFormat::Aiger => Form::Aiger(circuit_form(request.output.output.as_deref())),
        // States are listed of the circuit that other formats write.
        ControllerFormat::Verilog | ControllerFormat::Dot | ControllerFormat::Json => Form::Verilog,
    };
    let options = written::Options {
        limits: context.limits.for_diagrams(),
        form,
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
        Answer::Unknown(unknown) => Ok(unknown_report(unknown)),
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
        ControllerFormat::Dot | ControllerFormat::Json => {
            let machine = made.states()?;
            reason.push_str(&format!(
                "; it has {} and {}",
                count(machine.states.len(), "state", "states"),
                count(machine.transitions.len(), "transition", "transitions")
            ));
            let text = match format {
                ControllerFormat::Dot => machine.picture(&made.circuit.name).dot(),
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
