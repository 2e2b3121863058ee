//! `respin simulate`: runs a controller of a realizable specification, and turns what it
//! should have done into a guarantee.
//!
//! The trace is printed one line for each step, in the form in which it can be edited.

use super::synth::unknown_report;
use crate::cli::context::{Context, Failure};
use crate::cli::input::read_text;
use crate::cli::output::{check_output_path, write_file};
use crate::cli::request::SimulateRequest;
use crate::cli::specification::read_spec;
use crate::explain::simulate::{self, Edited, Inputs, Simulated, SimulationAnswer, SimulationEnd};
use crate::load::AnySpec;
use crate::report::{Body, Report, Transcript, vcd};
use crate::source::{Diagnostic, codes::frame};
use std::path::Path;

pub fn simulate(request: &SimulateRequest, context: &mut Context) -> Result<Report, Failure> {
    if let Some(path) = &request.vcd {
        check_output_path(path, request.force, [&request.spec.file])?;
    }
    let spec = read_spec(&request.spec, context)?;
    if let Some(path) = &request.edited
        && !request.guided
    {
        return edited(&spec, path, context);
    }
    let (seed, steps) = (request.seed, request.steps);
    let inputs = match &request.script {
        _ if request.guided => Inputs::Guided { seed, steps },
        Some(path) => Inputs::Script(read_text(path, &context.limits)?),
        None => Inputs::Random { seed, steps },
    };
    let limits = context.limits.for_diagrams();
    let progress = &mut context.progress;
    let answer = simulate::simulate(&spec, &inputs, &limits, &mut |event| progress.show(event));
    let is_gr1 = matches!(spec, AnySpec::Gr1(_));
    match answer? {
        SimulationAnswer::Ran(simulated) => {
            let reason = if is_gr1 && !request.guided {
                "a run of a controller; edit it and give it to `--edited`"
            } else {
                "a run of a certified controller"
            };
            let mut report = Report::realizable(&simulated.verdict).because(reason);
            report.body = Body::Simulate(transcript(&simulated));
            report.notes = simulated.notes.clone();
            if let Some(path) = &request.vcd {
                let run = &simulated.recording.run;
                let text = vcd::vcd(run, &format!("a run of {}", spec.name()));
                write_file(path, text.as_bytes(), request.force)?;
                report.notes.push(format!("wrote {}", path.display()));
            }
            Ok(report)
        }
        SimulationAnswer::Unrealizable(verdict) => {
            let what = if is_gr1 && request.guided {
                "there is no controller"
            } else {
                "there is no controller to run"
            };
            let reason = format!("{what}; `respin explain` says why, `respin play` shows it");
            let report = Report::unrealizable(&verdict).because(reason);
            Ok(without_run(report, request))
        }
        SimulationAnswer::Unknown(unknown) => Ok(without_run(unknown_report(unknown), request)),
    }
}

/// Says that the file that was asked for is not there.
fn without_run(mut report: Report, request: &SimulateRequest) -> Report {
    let path = request.vcd.as_ref();
    report.notes.extend(path.map(|path| {
        let path = path.display();
        format!("there is no run, so {path} was not written")
    }));
    report
}

/// The steps, one line each, in the form in which they can be edited.
fn transcript(simulated: &Simulated) -> Transcript {
    let run = &simulated.recording.run;
    let lines = (0..run.steps).map(|step| simulated.recording.line(step));
    let end = simulated.end.map(|end| match end {
        SimulationEnd::NoInput => "# the environment has no move that keeps its assumptions",
        SimulationEnd::NoInputFound => "# no input that was tried keeps the assumptions",
    });
    let lines = lines.chain(end.map(str::to_string));
    Transcript {
        text: lines.map(|line| format!("{line}\n")).collect(),
        run: run.clone(),
    }
}

/// What the specification says of an edited trace.
fn edited(spec: &AnySpec, path: &Path, context: &Context) -> Result<Report, Failure> {
    let AnySpec::Gr1(loaded) = spec else {
        let message = "`--edited` is for GR(1) specifications, and this is not one";
        return Err(Diagnostic::error(frame::BAD_USAGE, message)
            .help("add the formula that the trace should keep as a guarantee")
            .into());
    };
    let text = read_text(path, &context.limits)?;
    match simulate::judge_edited(loaded, &text, &context.limits.for_diagrams())? {
        Edited::Allowed(verdict, None) => Ok(Report::realizable(&verdict).because(
            "the specification allows the edited trace, but does not ask for it: it is incomplete",
        )),
        Edited::Allowed(verdict, Some(breach)) => {
            let names = breach.assumptions.iter();
            let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
            Ok(Report::realizable(&verdict).because(format!(
                "the edited trace breaks {} in step {}, so that the specification says nothing \
                 of it from there on",
                names.join(", "),
                breach.step
            )))
        }
        Edited::Conflicts(verdict, names) => {
            let mut report = Report::unrealizable(&verdict).because(
                "the specification does not allow the edited trace: it is unsound if the trace \
                 is right",
            );
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            let note = format!("what conflicts: {}", names.join(", "));
            report.notes.push(note);
            Ok(report)
        }
        Edited::Unknown(unknown) => Ok(unknown_report(unknown)),
    }
}
