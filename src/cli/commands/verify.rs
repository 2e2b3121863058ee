//! `respin verify`: checks a design against its properties.

use crate::certify::CertificateForm;
use crate::cli::context::{Context, Failure};
use crate::cli::design::load;
use crate::cli::output::{check_output_path, write_file};
use crate::cli::page::Target;
use crate::cli::recorded::{self, RecordedInput};
use crate::cli::request::VerifyRequest;
use crate::cli::sby::Mode;
use crate::cli::workdir::Workdir;
use crate::expr::Role;
use crate::load::Purpose;
use crate::report::answers::verify::{Replayed, account, report, witness_text};
use crate::report::{Body, Report, Verdict, vcd};
use crate::source::codes::{certify as codes, frame};
use crate::source::{Diagnostic, Severity};
use crate::spec::Semantics;
use crate::subject::Subject;
use crate::verify::{self, chosen};
use std::path::Path;

pub fn verify(request: &VerifyRequest, context: &mut Context) -> Result<Report, Failure> {
    let traces = &request.traces;
    let certificate = check_outputs(request)?;
    let others = [&traces.vcd, &traces.witness, &traces.certificate];
    context.page = Target::asked(&request.page, traces.force, request.design.files(), &others)?;
    if let Some(path) = &request.workdir {
        context.workdir = Some(Workdir::create(path, traces.force)?);
    }
    let subject = load(&request.design, Purpose::Verify, context)?;
    let replayed = replay(&request.recorded, &subject, context)?;
    let mut properties = subject.spec.properties.iter();
    if properties.all(|one| one.role == Role::Assume) && !replayed.is_empty() {
        return recorded_report(replayed, &subject, request);
    }
    if traces.witness.is_some() {
        refuse_witness(&subject, &chosen(&subject, &request.properties)?)?;
    }
    let options = verify::Options {
        properties: asked(request, &subject)?,
        engine: request.engine.into(),
        semantics: request.semantics.unwrap_or(Semantics::Strict),
        limits: context.limits.for_diagrams(),
        strict: request.strict,
    };
    let progress = &mut context.progress;
    let answer = verify::verify(&subject, &options, &mut |doing| {
        progress.log(|| doing.to_string());
        progress.status(|| doing.to_string());
    })?;
    for decision in answer.checked.decisions() {
        let name = &subject.spec.properties[decision.property].name;
        context.progress.log(|| account(name, decision));
    }
    let mut report = report(&answer, &subject, &replayed, request.strict)?;
    if let Some(path) = &traces.vcd {
        write_vcd(path, traces.force, &mut report)?;
    }
    if let Some(path) = &traces.witness {
        let text = witness_text(&subject, answer.checked.verdicts())?;
        write_file(path, text.as_bytes(), traces.force)?;
        report.notes.push(format!("wrote {}", path.display()));
    }
    if let Some((path, form)) = certificate {
        let written = answer.certificate(&subject, &options);
        let written = written.and_then(|certificate| certificate.write(form));
        write_certificate(path, traces.force, written, &mut report)?;
    }
    report.diagnostics.extend(replayed.warnings);
    Ok(report)
}

/// The names of what is checked: what the command line says, else what the task of an sby file
/// asks; none for all.
fn asked(request: &VerifyRequest, subject: &Subject) -> Result<Vec<String>, Diagnostic> {
    let role = match request.design.mode {
        Some(Mode::Assertions) => Role::Assert,
        Some(Mode::Covers) => Role::Cover,
        None => return Ok(request.properties.clone()),
    };
    if !request.properties.is_empty() {
        return Ok(request.properties.clone());
    }
    let properties = subject.spec.properties.iter();
    let asked = properties.filter(|one| one.role == role);
    let names: Vec<String> = asked.map(|one| one.name.clone()).collect();
    if names.is_empty() {
        let message = match role {
            Role::Cover => "the task asks for cover statements, and there are none",
            _ => "the task asks for assertions, and there are none",
        };
        return Err(Diagnostic::error(codes::NOTHING_TO_CHECK, message)
            .help("say another task with `--task`"));
    }
    Ok(names)
}

/// Refuses files that must not be written, and says in which form a certificate is.
fn check_outputs(request: &VerifyRequest) -> Result<Option<(&Path, CertificateForm)>, Diagnostic> {
    let traces = &request.traces;
    let outputs = [&traces.vcd, &traces.witness, &traces.certificate];
    for path in outputs.into_iter().flatten() {
        check_output_path(path, traces.force, request.design.files())?;
    }
    let certificate = match &traces.certificate {
        Some(path) => Some((path.as_path(), certificate_form(path)?)),
        None => None,
    };
    if traces.vcd.is_some() && traces.vcd == traces.witness {
        let message = "`--vcd` and `--witness` name the same file";
        return Err(Diagnostic::error(frame::BAD_USAGE, message));
    }
    Ok(certificate)
}

fn replay(
    input: &RecordedInput,
    subject: &Subject,
    context: &mut Context,
) -> Result<Replayed, Failure> {
    if input.is_empty() {
        return Ok(Replayed::default());
    }
    let reading = subject.front_end().without_reset(None)?;
    let recordings = recorded::read(input, &reading, context)?;
    context
        .progress
        .status(|| "replaying recorded runs".to_string());
    let replays = verify::replayed(subject, &recordings, &context.limits)?;
    let warnings = recordings.into_iter().flat_map(|one| one.warnings);
    Ok(Replayed::new(replays, warnings.collect()))
}

/// The report on recorded runs where nothing else is asked about a design.
fn recorded_report(
    replayed: Replayed,
    subject: &Subject,
    request: &VerifyRequest,
) -> Result<Report, Failure> {
    if let Some(name) = request.properties.first() {
        let message = format!("there is no assertion `{name}`");
        return Err(Diagnostic::error(codes::UNKNOWN_PROPERTY, message).into());
    }
    if request.traces.witness.is_some() {
        refuse_witness(subject, &[])?;
    }
    let mut report = replayed.report(subject);
    if let Some(path) = &request.traces.vcd {
        write_vcd(path, request.traces.force, &mut report)?;
    }
    report.diagnostics.extend(replayed.warnings);
    Ok(report)
}

/// Writes a certificate; where there is none, the verdict stands without it.
fn write_certificate(
    path: &Path,
    force: bool,
    written: Result<Vec<u8>, Diagnostic>,
    report: &mut Report,
) -> Result<(), Diagnostic> {
    match written {
        Ok(written) => {
            write_file(path, &written, force)?;
            report.notes.push(format!("wrote {}", path.display()));
        }
        Err(reason) if reason.code == codes::NO_CERTIFICATE => {
            let reason = Diagnostic {
                severity: Severity::Warning,
                ..reason
            };
            let note = format!("{} was not written", path.display());
            report.diagnostics.push(reason.note(note));
        }
        Err(error) => return Err(error),
    }
    Ok(())
}

/// What is written to a file of this name.
fn certificate_form(path: &Path) -> Result<CertificateForm, Diagnostic> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    match extension {
        Some("aag") => Ok(CertificateForm::AsciiAiger),
        Some("aig") => Ok(CertificateForm::BinaryAiger),
        Some("smt2") => Ok(CertificateForm::SmtLib),
        Some("sv" | "sva") => Ok(CertificateForm::Assertions),
        _ => {
            let message = format!("`{}` does not say what to write", path.display());
            Err(Diagnostic::error(frame::BAD_USAGE, message)
                .help("end the name in .aag, .aig, .smt2, .sv or .sva"))
        }
    }
}

/// The first run that violates a property, or the end of one that does not fit.
fn write_vcd(path: &Path, force: bool, report: &mut Report) -> Result<(), Diagnostic> {
    let Body::Verify(body) = &report.body else {
        return Ok(());
    };
    let mut failing = body
        .properties
        .iter()
        .filter(|one| one.verdict == Verdict::Fail);
    let violating = failing.find_map(|one| Some((&one.name, one.trace.as_ref()?)));
    let mut recorded = body.recorded.iter();
    let differing = recorded.find_map(|one| Some((&one.file, one.run.as_ref()?)));
    let shown = path.display();
    let note = if let Some((name, trace)) = violating {
        let title = format!("{name} fails {}", trace.shape());
        write_file(path, vcd::vcd(trace, &title).as_bytes(), force)?;
        format!("wrote {shown} with the run that violates {name}")
    } else if let Some((file, run)) = differing {
        let title = format!("{file} does not fit");
        write_file(path, vcd::vcd(run, &title).as_bytes(), force)?;
        format!("wrote {shown} with the last cycles of {file} on this design")
    } else {
        format!("there is no counterexample, so {shown} was not written")
    };
    report.notes.push(note);
    Ok(())
}

/// Before any work is done for it.
fn refuse_witness(subject: &Subject, chosen: &[usize]) -> Result<(), Diagnostic> {
    let is_own = |index: &usize| {
        subject
            .property_names
            .get(*index)
            .is_some_and(Option::is_some)
    };
    if chosen.iter().any(is_own) {
        return Ok(());
    }
    let message = "no property of an AIGER file is checked, so there is nothing to witness";
    Err(Diagnostic::error(codes::NO_WITNESS, message)
        .help("`--vcd` writes counterexamples of property files"))
}
