//! `respin synth`: writes a controller that satisfies a specification.
//!
//! Here the specification is an AIGER file whose `controllable_...` inputs are the system's;
//! `controller` has the others.

use super::controller;
use crate::certify::{Certified, Controller};
use crate::cli::context::{Context, Failure};
use crate::cli::input::{Format, read};
use crate::cli::options::{ControllerFormat, Semantics};
use crate::cli::output::{check_output, circuit_form, write_file};
use crate::cli::request::SynthRequest;
use crate::design::aiger;
use crate::report::{Body, Report};
use crate::source::{Diagnostic, codes::frame};
use crate::synth::Unknown;
use crate::synth::game::{self, Answer};

pub fn synth(request: &SynthRequest, context: &mut Context) -> Result<Report, Failure> {
    check_output(&request.output, [&request.spec.file])?;
    if request.spec.file.format != Format::Aiger {
        return controller::synth(request, context);
    }
    let id = read(&request.spec.file, context)?;
    refuse_options(request)?;
    let file = aiger::read_source(&context.sources, id)?;
    let assumes = !file.constraints.is_empty() || !file.fairness.is_empty();
    if request.spec.semantics == Some(Semantics::Implication) && assumes {
        let message = "`--semantics implication` is not available yet for AIGER games";
        let diagnostic = Diagnostic::error(frame::COMMAND_NOT_AVAILABLE, message);
        let help = "the game is strict: who breaks an invariant first loses";
        return Err(diagnostic.help(help).into());
    }
    let options = game::Options {
        limits: context.limits.for_diagrams(),
        form: circuit_form(request.output.output.as_deref()),
    };
    let progress = &mut context.progress;
    let answer = game::solve(&file, &options, &mut |event| progress.show(event));
    match answer? {
        Answer::Realizable { controller, gates } => publish(request, &controller, gates),
        Answer::Unrealizable(refutation) => {
            let reason = "whatever the system does, the environment can break a property";
            let report = Report::unrealizable(&refutation.unrealizable("")).because(reason);
            Ok(without_controller(report, request))
        }
        Answer::Unknown(unknown) => Ok(unknown_report(unknown)),
    }
}

/// Nothing that was asked for is left out in silence.
fn refuse_options(request: &SynthRequest) -> Result<(), Diagnostic> {
    let refuse =
        |message: &str, help: &str| Err(Diagnostic::error(frame::BAD_USAGE, message).help(help));
    if !request.spec.inputs.is_empty() || !request.spec.outputs.is_empty() {
        return refuse(
            "`--ins` and `--outs` are for property files, and the specification is AIGER",
            "inputs that are called `controllable_...` are the system's",
        );
    }
    if request.reset_port.is_some() {
        return refuse(
            "`--reset-port` is for controllers as Verilog, and that of an AIGER game is AIGER",
            "leave it out: latches of AIGER have their first values at the start",
        );
    }
    match request.format {
        None | Some(ControllerFormat::Aiger) => Ok(()),
        Some(
            ControllerFormat::Verilog
            | ControllerFormat::Dot
            | ControllerFormat::Hoa
            | ControllerFormat::Json,
        ) => refuse(
            "a controller of an AIGER game is written as AIGER only, so far",
            "leave out `--to`, or give `--to aiger`",
        ),
    }
}

/// Says that the file that was asked for is not there.
pub(super) fn without_controller(mut report: Report, request: &SynthRequest) -> Report {
    if let Some(path) = &request.output.output {
        let path = path.display();
        let note = format!("there is no controller, so {path} was not written");
        report.notes.push(note);
    }
    beside_text(report, request)
}

/// What is known when there is no certified answer.
pub(super) fn unknown_report(unknown: Unknown) -> Report {
    let is_interrupted = unknown.is_interrupted();
    let mut report = Report::unknown(unknown.reason);
    report.notes = unknown.notes;
    if is_interrupted {
        report = report.and_interrupted();
    }
    report
}

fn publish(
    request: &SynthRequest,
    controller: &Certified<Controller>,
    gates: usize,
) -> Result<Report, Failure> {
    let gates = match gates {
        1 => "1 gate".to_string(),
        gates => format!("{gates} gates"),
    };
    let reason = format!("a controller of {gates} was made and certified");
    let report = Report::realizable(&controller.realizable("")).because(reason);
    deliver(request, &controller.text.bytes, report)
}

/// Writes the controller to the file that was asked for, or else puts it into the report.
pub(super) fn deliver(
    request: &SynthRequest,
    bytes: &[u8],
    mut report: Report,
) -> Result<Report, Failure> {
    match &request.output.output {
        Some(path) => {
            write_file(path, bytes, request.output.force)?;
            report.notes.push(format!("wrote {}", path.display()));
        }
        None => {
            let text = String::from_utf8_lossy(bytes).into_owned();
            report.body = Body::Synth(Some(text));
            report = beside_text(report, request);
        }
    }
    Ok(report)
}

/// A report whose verdict stays out of the way if standard output is for a text that other
/// programs read, whether there is one or not.
pub(super) fn beside_text(mut report: Report, request: &SynthRequest) -> Report {
    report.is_for_programs = request.output.output.is_none()
        && matches!(
            request.format,
            Some(ControllerFormat::Dot | ControllerFormat::Hoa)
        );
    report
}
