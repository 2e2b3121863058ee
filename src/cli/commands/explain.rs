//! `respin explain`: says why nothing satisfies a specification, or what its verdict rests on.

use crate::cli::context::{Context, Failure};
use crate::cli::options::{ExplainOptions, ExplainPart, MinimizerName};
use crate::cli::output::{check_output_path, write_file};
use crate::cli::page::Target;
use crate::cli::request::ExplainRequest;
use crate::cli::specification::read_spec;
use crate::explain::answer::{Explanation, Options, Part, Verdict};
use crate::explain::{self, Minimizer};
use crate::report::answers::explain::{diagnostics, explanation, verdict};
use crate::report::{Body, Report, vcd};
use crate::source::Diagnostic;
use crate::source::codes::frame;

pub fn explain(request: &ExplainRequest, context: &mut Context) -> Result<Report, Failure> {
    let options = &request.options;
    check_outputs(request)?;
    let others = [&options.vcd, &options.dot, &options.svg];
    context.page = Target::asked(&request.page, options.force, [&request.spec.file], &others)?;
    let spec = read_spec(&request.spec, context)?;
    context.limits.check()?;
    let asked = asked(options, context);
    let found = explain::explain(&spec, &asked, &mut context.progress.watch())?;
    let mut report = verdict(
        &found.verdict,
        "a system can satisfy the specification",
        "no system can satisfy the specification",
    );
    let is_empty = found.checks == 0 && found.separation.is_none();
    write_files(&found, spec.name(), options, &mut report)?;
    if is_empty && !matches!(found.verdict, Verdict::Certified(_)) {
        return Ok(report);
    }
    report.diagnostics.extend(diagnostics(&found));
    let body = explanation(&found, &context.sources);
    Ok(report.with(Body::Explain(Box::new(body))))
}

/// Refuses files that must not be written.
fn check_outputs(request: &ExplainRequest) -> Result<(), Diagnostic> {
    let options = &request.options;
    let outputs = [
        ("--vcd", &options.vcd),
        ("--dot", &options.dot),
        ("--svg", &options.svg),
    ];
    for (index, (name, path)) in outputs.iter().enumerate() {
        let Some(path) = path else {
            continue;
        };
        check_output_path(path, options.force, [&request.spec.file])?;
        let mut others = outputs[index + 1..].iter();
        if let Some((other, _)) = others.find(|(_, other)| other.as_ref() == Some(path)) {
            let message = format!("`{name}` and `{other}` name the same file");
            return Err(Diagnostic::error(frame::BAD_USAGE, message));
        }
    }
    Ok(())
}

fn asked(options: &ExplainOptions, context: &Context) -> Options {
    let only = options.only.iter().map(|part| match part {
        ExplainPart::Core => Part::Core,
        ExplainPart::Diagnoses => Part::Diagnoses,
        ExplainPart::Fix => Part::Fix,
        ExplainPart::Countertrace => Part::Countertrace,
        ExplainPart::Counterstrategy => Part::Counterstrategy,
        ExplainPart::Assumptions => Part::Assumptions,
        ExplainPart::Separation => Part::Separation,
        ExplainPart::Additions => Part::Additions,
        ExplainPart::Weakenings => Part::Weakenings,
    });
    Options {
        only: only.collect(),
        all_diagnoses: options.all,
        all_explanations: options.all_explanations,
        minimizer: match options.minimizer {
            MinimizerName::Ddmin => Minimizer::DeltaDebugging,
            MinimizerName::Linmin => Minimizer::Linear,
            MinimizerName::Quickxplain => Minimizer::QuickXplain,
        },
        limits: context.limits.for_diagrams(),
    }
}

/// Writes the play and its pictures where they were asked for, or says why there is nothing to
/// write.
fn write_files(
    found: &Explanation,
    name: &str,
    options: &ExplainOptions,
    report: &mut Report,
) -> Result<(), Failure> {
    let play = found.shown.as_ref().map(|run| {
        let title = format!("{name} fails {}", run.shape());
        vcd::vcd(run, &title)
    });
    let graph = found.graph.as_ref();
    let files = [
        (&options.vcd, "play to write", play),
        (&options.dot, "graph of plays", graph.map(|one| one.dot())),
        (&options.svg, "graph of plays", graph.map(|one| one.svg())),
    ];
    for (path, what, text) in files {
        let Some(path) = path else {
            continue;
        };
        let shown = path.display();
        let note = match text {
            Some(text) => {
                write_file(path, text.as_bytes(), options.force)?;
                format!("wrote {shown}")
            }
            None => format!("{}, so {shown} was not written", reason(found, what)),
        };
        report.notes.push(note);
    }
    Ok(())
}

/// Why nothing of this kind was found.
fn reason(found: &Explanation, what: &str) -> String {
    match &found.verdict {
        Verdict::Certified(verdict) if verdict.is_realizable() => {
            format!("a system can satisfy the specification and there is no {what}")
        }
        Verdict::Certified(_) => format!("no {what} was found or asked for"),
        Verdict::Limit(..) | Verdict::GaveUp(_) => format!("there is no certified {what}"),
    }
}
