//! `respin repair`: finds the fault of a design and fixes it.

use super::delivery::Delivery;
use crate::certify::no_repair;
use crate::certify::recorded::Offered;
use crate::cli::campaign::split::{Shared, shared};
use crate::cli::context::{Context, Failure};
use crate::cli::design::load;
use crate::cli::input::Format;
use crate::cli::options::{Automaton, Frontend, OutputFormat};
use crate::cli::output::{check_output, check_output_path};
use crate::cli::page::Target;
use crate::cli::recorded;
use crate::cli::request::RepairRequest;
use crate::cli::values::InputPath;
use crate::cli::workdir::Workdir;
use crate::expr::Role;
use crate::load::Purpose;
use crate::repair::{self, Options, Outcome, RepairAnswer, RepairError};
use crate::report::answers::{recorded as recorded_answer, repair as repair_answer};
use crate::report::{Body, Report, Verdict};
use crate::source::Diagnostic;
use crate::source::codes::{frame, repair as codes};
use crate::spec::Semantics;
use crate::subject::Subject;
use crate::synth::Event;
use crate::verify;
use std::path::{Path, PathBuf};

pub fn repair(request: &RepairRequest, context: &mut Context) -> Result<Report, Failure> {
    check_output(&request.output, request.design.files())?;
    check_vcd(request)?;
    let others = [&request.vcd, &request.output.output];
    let files = request.design.files();
    context.page = Target::asked(&request.page, request.output.force, files, &others)?;
    if let Some(path) = &request.workdir {
        context.workdir = Some(Workdir::create(path, request.output.force)?);
    }
    let subject = load(&request.design, Purpose::Repair, context)?;
    let subject = with_kept(&request.correction.keep, subject, context)?;
    refuse(request, &subject)?;
    let mut options = options(request, context);
    let shared = match request.split {
        Some(parts) => Some(shared(parts as usize, request.workdir.as_deref(), context)?),
        None => None,
    };
    if let Some(shared) = &shared {
        options.share = Some(shared.share.clone());
    }
    let report = answered(request, subject, options, context)?;
    Ok(match &shared {
        Some(shared) => of_parts(report, shared),
        None => report,
    })
}

/// The answer of this process.
fn answered(
    request: &RepairRequest,
    subject: Subject,
    mut options: Options,
    context: &mut Context,
) -> Result<Report, Failure> {
    if !request.recorded.is_empty() {
        let reading = subject.front_end().without_reset(None)?;
        options.recordings = recorded::read(&request.recorded, &reading, context)?;
    }
    let mut properties = subject.spec.properties.iter();
    if !options.recordings.is_empty() && properties.all(|one| one.role != Role::Assert) {
        return by_recordings(request, &subject, &options, context);
    }
    let netlist = subject.as_netlist().transpose()?;
    let mut delivery = Delivery {
        request,
        subject: &subject,
        is_behind_source: false,
    };
    let netlist = match netlist {
        None => None,
        Some(_) if wants_netlist(request) && request.split.is_some() => {
            let message =
                "`--split` looks for corrections of the source, and `-o` asks for a netlist";
            return Err(Diagnostic::error(frame::BAD_USAGE, message)
                .help("leave out one of the two")
                .into());
        }
        Some(netlist) if wants_netlist(request) => Some(netlist),
        Some(mut netlist) => {
            let answer = find(&subject, &options, context)?;
            if !answer.is_open() {
                return report(&answer, &options, &delivery, context);
            }
            let note =
                "no edit of the source was found; what follows is about the netlist of Yosys";
            netlist.notes.push(note.to_string());
            Some(netlist)
        }
    };
    if let Some(netlist) = &netlist {
        delivery.subject = netlist;
        delivery.is_behind_source = true;
    }
    let answer = find(delivery.subject, &options, context)?;
    let mut report = report(&answer, &options, &delivery, context)?;
    let runs = &options.recordings;
    if !runs.is_empty() {
        let replays = verify::replayed(delivery.subject, runs, &context.limits)?;
        recorded_answer::add_runs(&mut report, &replays, runs);
    }
    Ok(report)
}

/// The report on a repair by properties; the best correction is written where it was asked for.
fn report(
    answer: &RepairAnswer,
    options: &Options,
    delivery: &Delivery,
    context: &mut Context,
) -> Result<Report, Failure> {
    let (subject, request) = (delivery.subject, delivery.request);
    let failing = answer.failing_runs(subject)?;
    let repair = repair_answer::Repair {
        subject,
        answer,
        automaton: options.automaton,
        failing: &failing,
        is_behind_source: delivery.is_behind_source,
        lists_all: context.settings.format != OutputFormat::Text,
    };
    let mut report = repair.report();
    if let Outcome::NothingToRepair(_) = answer.outcome {
        let unwritten = [&request.output.output, &request.vcd].into_iter().flatten();
        let notes = unwritten.map(|path| format!("{} was not written", path.display()));
        report.notes.extend(notes);
        return Ok(report);
    }
    let best = answer.pick(request.correction.pick)?;
    match best {
        Some(best) => delivery.deliver(Offered::Proved(&best.patch), &mut report, context)?,
        None => delivery.note_unwritten(&mut report),
    }
    if context.has_page() {
        delivery.add_details(answer, &mut report)?;
    }
    if context.keeps_texts {
        delivery.add_texts(answer, &mut report);
    }
    delivery.write_runs(&failing, answer, best, &mut report)?;
    Ok(report)
}

/// What parts in other processes, and this one where they found something, come to.
fn of_parts(mut report: Report, shared: &Shared) -> Report {
    let Body::Repair(body) = &mut report.body else {
        return report;
    };
    let Some(part) = body.part.take() else {
        return report;
    };
    let own = part.note();
    report.notes.retain(|note| *note != own);
    let (parts, places) = (shared.parts, part.places);
    report.notes.push(format!(
        "{places} places were looked at in {parts} parts, one place at a time"
    ));
    match &shared.without {
        // That no circuit keeps the properties was found here, too.
        Some(_) if part.hopeless => report,
        Some((Verdict::NoRepair, reason)) => {
            let proof = no_repair::by_parts(parts, places);
            with_verdict(report, Report::no_repair(&proof).because(reason))
        }
        Some((Verdict::Pass, _)) | None => report,
        Some((_, reason)) => with_verdict(report, Report::unknown(reason)),
    }
}

/// The same report with another verdict and its reason.
fn with_verdict(report: Report, verdict: Report) -> Report {
    let mut changed = verdict.with(report.body);
    changed.notes = report.notes;
    changed.diagnostics = report.diagnostics;
    changed
}

/// A repair by recorded runs alone.
fn by_recordings(
    request: &RepairRequest,
    subject: &Subject,
    options: &Options,
    context: &mut Context,
) -> Result<Report, Failure> {
    let limits = context.limits.clone();
    let progress = &mut context.progress;
    let mut watch = |event: Event<'_>| progress.show_with_time(event);
    let answer = repair::repair_recorded(subject, options, &limits, &mut watch);
    let answer = answer.map_err(failure)?;
    let delivery = Delivery {
        request,
        subject,
        is_behind_source: false,
    };
    let best = answer.pick(request.correction.pick)?;
    let mut report = recorded_answer::report(&answer, best, &options.recordings, subject);
    match best {
        Some(best) => delivery.deliver(Offered::Fitting(&best.patch), &mut report, context)?,
        None => delivery.note_unwritten(&mut report),
    }
    if let Some(path) = &request.vcd {
        let path = path.display();
        let note = format!("only a property has a failing run, so {path} was not written");
        report.notes.push(note);
    }
    if context.has_page() {
        delivery.add_diffs(&answer, &mut report);
    }
    Ok(report)
}

fn options(request: &RepairRequest, context: &Context) -> Options {
    Options {
        recordings: Vec::new(),
        suspects: request.components.filter(),
        faults: request.components.faults.map(|faults| faults as usize),
        share: request.share.clone(),
        depends_on: request.correction.depends_on.clone(),
        rejected: request.correction.reject.clone(),
        every_location: request.correction.every_place,
        allow_state: request.correction.allow_state,
        cover_antecedents: request.correction.cover_antecedents,
        automaton: match request.automaton {
            Automaton::Exact => repair::Automaton::Deterministic,
            Automaton::Nondeterministic => repair::Automaton::Nondeterministic,
        },
        limits: context.limits.for_diagrams(),
    }
}

fn find(
    subject: &Subject,
    options: &Options,
    context: &mut Context,
) -> Result<RepairAnswer, Failure> {
    let progress = &mut context.progress;
    let mut watch = |event: Event<'_>| progress.show_with_time(event);
    repair::repair(subject, options, &mut watch).map_err(failure)
}

fn failure(error: RepairError) -> Failure {
    match error {
        RepairError::Diagnostics(diagnostics) => diagnostics.into(),
        RepairError::Limit(error) => error.into(),
        RepairError::NotSupported { property, reason } => {
            let message = format!("`{property}`: {reason}");
            Diagnostic::error(frame::INTERNAL_ERROR, message).into()
        }
        RepairError::NotCertified { candidate } => {
            let message = "a correction was found that does not keep the properties";
            Diagnostic::error(codes::NOT_CERTIFIED, message)
                .note(format!("the correction was {:?}", candidate.replacements))
                .help("this is a defect of respin: please report it with the design")
                .into()
        }
    }
}

/// Whether a correction of Yosys' netlist was asked for, and not one of the source.
fn wants_netlist(request: &RepairRequest) -> bool {
    let output = request.output.output.as_ref();
    request.design.frontend != Frontend::Own
        && output.is_some_and(|path| path.extension().is_some_and(|one| one == "json"))
}

/// Conditions of `--keep` are assertions like those of a property file.
fn with_kept(
    conditions: &[String],
    mut subject: Subject,
    context: &mut Context,
) -> Result<Subject, Vec<Diagnostic>> {
    for (index, condition) in conditions.iter().enumerate() {
        let text = format!("assert keep{}: G ({condition});\n", index + 1);
        let file = context.sources.add("--keep", text);
        subject = subject.with_properties(file, context.sources.clone())?;
        subject = subject.without_covers();
    }
    Ok(subject)
}

/// Where the run of the repaired design goes.
pub fn repaired_path(path: &Path) -> PathBuf {
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    let extension = path.extension().and_then(|extension| extension.to_str());
    let name = match extension {
        Some(extension) => format!("{}-repaired.{extension}", stem.unwrap_or("run")),
        None => format!("{}-repaired", stem.unwrap_or("run")),
    };
    path.with_file_name(name)
}

fn check_vcd(request: &RepairRequest) -> Result<(), Failure> {
    let Some(path) = &request.vcd else {
        return Ok(());
    };
    let formats = request.design.designs.iter().map(|file| file.format);
    if formats.into_iter().any(|format| format != Format::Verilog) {
        let message = "`--vcd` of `repair` is for Verilog designs";
        let help = "`respin verify --vcd` writes the failing run of any design";
        let diagnostic = Diagnostic::error(frame::BAD_USAGE, message);
        return Err(diagnostic.help(help).into());
    }
    for path in [path, &repaired_path(path)] {
        check_output_path(path, request.output.force, request.design.files())?;
    }
    Ok(())
}

/// Nothing that was asked for is left out in silence.
fn refuse(request: &RepairRequest, subject: &Subject) -> Result<(), Diagnostic> {
    let properties = &subject.spec.properties;
    let assumes = properties.iter().any(|one| one.role == Role::Assume);
    if request.semantics == Some(Semantics::Implication) && assumes {
        let message = "`--semantics implication` is not available yet for repair";
        return Err(Diagnostic::error(frame::COMMAND_NOT_AVAILABLE, message)
            .help("leave it out: who breaks an invariant first then loses"));
    }
    let is_shared = request.share.is_some() || request.split.is_some();
    if is_shared && request.components.faults.is_some_and(|faults| faults > 1) {
        let message =
            "`--part` and `--split` look at one place at a time, and `--faults` asks for more";
        return Err(Diagnostic::error(frame::BAD_USAGE, message)
            .help("leave out one of the two, or say `--faults 1`"));
    }
    let standard_input = matches!(request.design.designs[0].path, InputPath::Stdin);
    if request.write && standard_input {
        let message = "standard input cannot be edited in place";
        return Err(Diagnostic::error(frame::BAD_USAGE, message)
            .help("give `-o FILE` in place of `--write`"));
    }
    Ok(())
}
