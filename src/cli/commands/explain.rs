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
    if is_empty && !matches!(found.verdict, Verdict::Certified(_)) {
        return Ok(report);
    }
    write_files(&found, spec.name(), options, &mut report)?;
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

fn write_files(
    found: &Explanation,
    name: &str,
    options: &ExplainOptions,
    report: &mut Report,
) -> Result<(), Failure> {
    if let (Some(path), Some(run)) = (&options.vcd, &found.shown) {
        let title = format!("{name} fails {}", run.shape());
        write_file(path, vcd::vcd(run, &title).as_bytes(), options.force)?;
        report.notes.push(format!("wrote {}", path.display()));
    }
    if let Some(graph) = &found.graph {
        let pictures = [(&options.dot, graph.dot()), (&options.svg, graph.svg())];
        for (path, text) in pictures {
            if let Some(path) = path {
                write_file(path, text.as_bytes(), options.force)?;
                report.notes.push(format!("wrote {}", path.display()));
            }
        }
    }
    Ok(())
}
