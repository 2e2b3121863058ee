//! `respin repair`: finds the fault of a design and fixes it.
//!
//! The design is checked first: what fails is shown, and its counterexamples rule out
//! suspects. No correction is offered before the patched file was written, read again from
//! its bytes and model-checked.

use super::counterplay::{Widest, with_all_replaced};
use super::repair_verilog::repair_verilog;
use super::verify::judge_assumptions;
use crate::bdd;
use crate::certify::{self, AssumptionStatus, Problem};
use crate::cli::components::select;
use crate::cli::context::{Context, Failure};
use crate::cli::design::{LoadedDesign, load};
use crate::cli::limits::Stop;
use crate::cli::options::{Automaton, Frontend, Semantics};
use crate::cli::output::{check_output, circuit_bytes, replace_file, write_file};
use crate::cli::request::RepairRequest;
use crate::cli::trace::describe;
use crate::cli::values::InputPath;
use crate::cli::workdir::Workdir;
use crate::design::suggest::did_you_mean;
use crate::design::{ComponentId, ComponentKind, InputKind, Netlist, NodeId};
use crate::expr::Role;
use crate::repair::replay::Stimulus;
use crate::repair::{self, Answer, Certificate, Options, Repair, RepairError};
use crate::report::{Correction, Edit, EditKind, Ending, PropertyResult, Report, Verdict, diff};
use crate::run::Run;
use crate::source::codes::{certify as certify_codes, frame, repair as codes};
use crate::source::record::PlaceRecord;
use crate::source::{Diagnostic, Sources};
use std::time::Instant;

/// Corrections of one location that are listed unless some are rejected.
const ALTERNATIVES: usize = 3;
/// Corrections that are listed for people.
const MOST_LISTED: usize = 20;
/// Components that are named one by one in a note.
const MOST_NAMED: usize = 8;

pub fn repair(request: &RepairRequest, context: &mut Context) -> Result<Report, Failure> {
    check_output(&request.output, request.design.files())?;
    if let Some(path) = &request.workdir {
        context.workdir = Some(Workdir::create(path, request.output.force)?);
    }
    let mut loaded = load(&request.design, "repair", context)?;
    add_kept(&request.correction.keep, &mut loaded, context)?;
    refuse(request, &loaded)?;
    if request.vcd.is_some() && loaded.verilog.is_none() {
        let message = "`--vcd` of `repair` is for Verilog designs";
        let help = "`respin verify --vcd` writes the failing run of any design";
        return Err(Diagnostic::error(frame::BAD_USAGE, message)
            .help(help)
            .into());
    }
    if let Some(verilog) = loaded.verilog.clone().filter(|_| !wants_netlist(request)) {
        let report = repair_verilog(request, &loaded, &verilog, context)?;
        let is_open = matches!(
            report.ending,
            Ending::Verdict(Verdict::Unknown | Verdict::NoRepair)
        );
        if loaded.yosys.is_none() || !is_open {
            return Ok(report);
        }
        let note = "no edit of the source was found; what follows is about the netlist of Yosys";
        loaded.notes.push(note.to_string());
    }
    let netlist = loaded.netlist();
    let suspects = select(&request.components, &netlist, &context.sources)?;
    let depends_on = readable(&request.correction.depends_on, &netlist)?;

    let problem = Problem::new(&loaded.design, &loaded.spec)?;
    let checked = check(&problem, context)?;
    let mut report = Report::verdict(Verdict::Unknown);
    report.diagnostics = loaded.warnings.clone();
    report.notes = loaded.notes.clone();
    let body = report.body.repair_mut();
    body.properties = properties(&checked, &loaded, &context.sources);
    body.traces = failing_traces(&problem, &checked, &loaded, context)?;
    if let Some(reason) = nothing_to_repair(&checked) {
        report.ending = Ending::Verdict(Verdict::Pass);
        if let Some(path) = &request.output.output {
            report
                .notes
                .push(format!("{} was not written", path.display()));
        }
        let keeping = problem.assumptions(&context.limits.for_diagrams())?;
        return Ok(judge_assumptions(report.because(reason), &keeping, &loaded));
    }
    let keeping = problem.assumptions(&context.limits.for_diagrams())?;

    let mut options = Options {
        suspects,
        faults: 1,
        alternatives: ALTERNATIVES + request.correction.reject.len(),
        depends_on,
        automaton: match request.automaton {
            Automaton::Exact => repair::Automaton::Deterministic,
            Automaton::Nondeterministic => repair::Automaton::Nondeterministic,
        },
        allow_state: request.correction.allow_state,
        failing_runs: failing_runs(&checked, &loaded),
        limits: context.limits.for_diagrams(),
    };
    let most = request.components.faults.unwrap_or(2) as usize;
    let mut answers = Vec::new();
    for faults in 1..=most.min(options.suspects.len()) {
        options.faults = faults;
        let answer = match search(&netlist, &loaded, &options, &keeping, context) {
            Ok(answer) => answer,
            Err(RepairError::NotSupported { property, reason }) => {
                return Ok(report.because(not_supported(&property, &reason, request)));
            }
            Err(error) => return Err(failure(error)),
        };
        let is_last = has_repair(&answer) || answer.stopped.is_some();
        answers.push((faults, answer));
        if is_last {
            break;
        }
    }
    let report = conclude(report, request, &netlist, &loaded, answers, context)?;
    if report.ending != Ending::Verdict(Verdict::NoRepair) {
        return Ok(report);
    }
    explain_loss(report, &netlist, &loaded, &options)
}

/// Whether a correction of Yosys' netlist was asked for, and not one of the source.
fn wants_netlist(request: &RepairRequest) -> bool {
    let output = request.output.output.as_ref();
    request.design.frontend == Frontend::Yosys
        && output.is_some_and(|path| path.extension().is_some_and(|one| one == "json"))
}

/// Whether the suspects were too few, or the properties ask too much.
fn explain_loss(
    mut report: Report,
    netlist: &Netlist,
    loaded: &LoadedDesign,
    options: &Options,
) -> Result<Report, Failure> {
    let count = options.suspects.len();
    let note = match with_all_replaced(netlist, &loaded.spec, options)? {
        Widest::SystemWins => format!(
            "with all {count} suspects replaced at once the properties could be kept; \
             `--faults` asks for more at a time"
        ),
        Widest::EnvironmentWins(play) => {
            report.body.repair_mut().counterplay = play;
            format!(
                "even with all {count} suspects replaced at once the environment wins: the \
                 properties ask too much of this circuit, or the fault is elsewhere"
            )
        }
        // The verdict stands without it.
        Widest::Unknown => return Ok(report),
    };
    report.notes.push(note);
    Ok(report)
}

/// Conditions of `--keep` are assertions like those of a property file.
fn add_kept(
    conditions: &[String],
    loaded: &mut LoadedDesign,
    context: &mut Context,
) -> Result<(), Vec<Diagnostic>> {
    for (index, condition) in conditions.iter().enumerate() {
        let text = format!("assert keep{}: G ({condition});\n", index + 1);
        let file = context.sources.add("--keep", text);
        loaded.add_properties(file, context)?;
    }
    Ok(())
}

/// Nothing that was asked for is left out in silence.
fn refuse(request: &RepairRequest, loaded: &LoadedDesign) -> Result<(), Diagnostic> {
    let properties = &loaded.spec.properties;
    if properties.iter().all(|one| one.role != Role::Assert) {
        let message = "neither the design nor a property file asserts anything";
        return Err(Diagnostic::error(certify_codes::NOTHING_TO_CHECK, message)
            .help("give a property file with `--spec`"));
    }
    let assumes = properties.iter().any(|one| one.role == Role::Assume);
    if request.semantics == Some(Semantics::Implication) && assumes {
        let message = "`--semantics implication` is not available yet for repair";
        return Err(Diagnostic::error(frame::COMMAND_NOT_AVAILABLE, message)
            .help("leave it out: who breaks an invariant first then loses"));
    }
    let design = &loaded.design;
    let is_open = |id: &&NodeId| design.input_kind(**id) == Some(InputKind::Choice);
    if let Some(open) = design.inputs().iter().find(is_open) {
        let name = design.name(*open).unwrap_or_default();
        let message = format!("`{name}` is an input that a controller is to be found for");
        return Err(Diagnostic::error(certify_codes::OPEN_CHOICE, message)
            .help("`respin synth` solves such files"));
    }
    let standard_input = matches!(request.design.designs[0].path, InputPath::Stdin);
    if request.write && standard_input {
        let message = "standard input cannot be edited in place";
        return Err(Diagnostic::error(frame::BAD_USAGE, message)
            .help("give `-o FILE` in place of `--write`"));
    }
    Ok(())
}

/// The signals that `--depends-on` names; a word stands for its bits.
fn readable(names: &[String], netlist: &Netlist) -> Result<Option<Vec<NodeId>>, Vec<Diagnostic>> {
    if names.is_empty() {
        return Ok(None);
    }
    let design = &netlist.file().design;
    let visible = |id: &NodeId| !design.is_hidden(*id) && *id != NodeId::CONSTANT;
    let mut known: Vec<(NodeId, String)> = design
        .node_ids()
        .filter(visible)
        .map(|id| (id, netlist.signal_name(id)))
        .collect();
    // An output may show the complement of a gate, which tells as much.
    for output in design.outputs() {
        if let (Some(name), true) = (&output.name, visible(&output.literal.node())) {
            known.push((output.literal.node(), name.clone()));
        }
    }
    let mut found = Vec::new();
    let mut errors = Vec::new();
    for wanted in names {
        let word = format!("{wanted}[");
        let before = found.len();
        let matching = known
            .iter()
            .filter(|(_, name)| name == wanted || name.starts_with(&word));
        found.extend(matching.map(|(id, _)| *id));
        if found.len() == before {
            let message = format!("`--depends-on {wanted}` is no signal that can be read");
            let diagnostic = Diagnostic::error(codes::UNKNOWN_SIGNAL, message);
            errors.push(
                match did_you_mean(wanted, known.iter().map(|(_, name)| &name[..])) {
                    Some(help) => diagnostic.help(help),
                    None => diagnostic.help("signals that only properties read do not count"),
                },
            );
        }
    }
    if errors.is_empty() {
        Ok(Some(found))
    } else {
        Err(errors)
    }
}

type Checked = Vec<(usize, certify::Verdict)>;

/// Which assertions fail. This is not what was asked for, so it gets half of the time.
pub(super) fn check(problem: &Problem, context: &mut Context) -> Result<Checked, Failure> {
    context
        .progress
        .log(|| "checking the design as it is".to_string());
    context
        .progress
        .status(|| "checking the design as it is".to_string());
    let mut limits = context.limits.for_diagrams();
    let now = Instant::now();
    limits.deadline = limits
        .deadline
        .map(|end| now + end.saturating_duration_since(now) / 2);
    let options = certify::Options {
        limits,
        semantics: certify::Semantics::Strict,
    };
    let asserted: Vec<usize> = problem.asserted().collect();
    let checked = problem.check_all(&asserted, &options, |_| {})?;
    let interrupted = certify::Verdict::Unknown(bdd::Error::Interrupted);
    if checked.iter().any(|(_, verdict)| *verdict == interrupted) {
        return Err(Stop::Interrupted.into());
    }
    Ok(checked)
}

pub(super) fn properties(
    checked: &Checked,
    loaded: &LoadedDesign,
    sources: &Sources,
) -> Vec<PropertyResult> {
    let result = |(index, verdict): &(usize, certify::Verdict)| {
        let property = &loaded.spec.properties[*index];
        let (verdict, reason) = match verdict {
            certify::Verdict::Holds => (Verdict::Pass, None),
            certify::Verdict::Fails(trace) => {
                let steps = trace.len();
                let steps = match trace.loop_start {
                    None => format!("in step {}", steps.saturating_sub(1)),
                    Some(_) => "on a run that goes on for ever".to_string(),
                };
                (Verdict::Fail, Some(steps))
            }
            certify::Verdict::Unknown(error) => (Verdict::Unknown, Some(error.to_string())),
        };
        PropertyResult {
            name: property.name.clone(),
            is_cover: false,
            verdict,
            reason,
            place: property.span.map(|span| PlaceRecord::new(span, sources)),
            trace: None,
        }
    };
    checked.iter().map(result).collect()
}

/// The runs that show what fails, for a work directory.
pub(super) fn failing_traces(
    problem: &Problem,
    checked: &Checked,
    loaded: &LoadedDesign,
    context: &Context,
) -> Result<Vec<(String, Run)>, Diagnostic> {
    let mut traces = Vec::new();
    if context.workdir.is_none() {
        return Ok(traces);
    }
    for (index, verdict) in checked {
        if let certify::Verdict::Fails(trace) = verdict {
            let name = loaded.spec.properties[*index].name.clone();
            traces.push((name, describe(problem, &loaded.spec, *index, trace)?));
        }
    }
    Ok(traces)
}

pub(super) fn nothing_to_repair(checked: &Checked) -> Option<String> {
    let holds = |(_, verdict): &(usize, certify::Verdict)| *verdict == certify::Verdict::Holds;
    checked
        .iter()
        .all(holds)
        .then(|| "the design has no fault: it keeps its properties as it is".to_string())
}

/// What the environment does in the counterexamples.
fn failing_runs(checked: &Checked, loaded: &LoadedDesign) -> Vec<Stimulus> {
    let design = &loaded.design;
    let ones = |nodes: &[NodeId], values: &[bool]| {
        let pairs = nodes.iter().zip(values);
        pairs
            .filter(|(_, value)| **value)
            .map(|(id, _)| *id)
            .collect()
    };
    let runs = checked.iter().filter_map(|(_, verdict)| match verdict {
        certify::Verdict::Fails(trace) if trace.loop_start.is_none() => Some(Stimulus {
            initial: ones(design.latches(), &trace.initial),
            inputs: trace
                .inputs
                .iter()
                .map(|step| ones(design.inputs(), step))
                .collect(),
        }),
        _ => None,
    });
    runs.collect()
}

fn search(
    netlist: &Netlist,
    loaded: &LoadedDesign,
    options: &Options,
    keeping: &AssumptionStatus,
    context: &mut Context,
) -> Result<Answer, RepairError> {
    let count = options.suspects.len();
    context
        .progress
        .log(|| format!("looking for {} of {count} components", options.faults));
    context
        .progress
        .status(|| format!("looking at {count} components"));
    let context = &*context;
    repair::repair(netlist, &loaded.spec, options, &mut |file| {
        let bytes = loaded.bytes_of(file, &context.sources)?;
        certificate(loaded, &bytes, keeping, context)
    })
}

/// Checks the patched file as if it had come from a user.
fn certificate(
    loaded: &LoadedDesign,
    bytes: &[u8],
    before: &AssumptionStatus,
    context: &Context,
) -> Result<Certificate, RepairError> {
    let first = |diagnostics: Vec<Diagnostic>| match diagnostics.into_iter().next() {
        Some(diagnostic) => RepairError::from(diagnostic),
        None => RepairError::Limit(bdd::Error::Interrupted),
    };
    let patched = loaded
        .reread(bytes, context)
        .map_err(|failure| match failure {
            Failure::Diagnostics(diagnostics) => first(diagnostics),
            Failure::Stopped(_) => RepairError::Limit(bdd::Error::Interrupted),
        })?;
    let problem = Problem::new(&patched.design, &patched.spec).map_err(first)?;
    let options = certify::Options {
        limits: context.limits.for_diagrams(),
        semantics: certify::Semantics::Strict,
    };
    let asserted: Vec<usize> = problem.asserted().collect();
    for (_, verdict) in problem.check_all(&asserted, &options, |_| {})? {
        match verdict {
            certify::Verdict::Holds => {}
            certify::Verdict::Fails(_) => return Ok(Certificate::Refuted),
            certify::Verdict::Unknown(error) => return Ok(Certificate::Unknown(error)),
        }
    }
    let after = problem.assumptions(&options.limits)?;
    Ok(match after {
        AssumptionStatus::Unknown(error) => Certificate::Unknown(error),
        after if takes_runs_away(before, &after) => Certificate::Vacuous,
        _ => Certificate::Proved,
    })
}

/// Whether the assumptions can be kept less well than before.
pub(super) fn takes_runs_away(before: &AssumptionStatus, after: &AssumptionStatus) -> bool {
    let worth = |keeping: &AssumptionStatus| match keeping {
        AssumptionStatus::NothingAssumed
        | AssumptionStatus::Possible
        | AssumptionStatus::Unknown(_) => 2,
        AssumptionStatus::DeadEnds(_) => 1,
        AssumptionStatus::Impossible => 0,
    };
    worth(after) < worth(before)
}

fn has_repair(answer: &Answer) -> bool {
    answer.repairs.iter().any(|repair| !repair.vacuous)
}

pub(super) fn failure(error: RepairError) -> Failure {
    match error {
        RepairError::Diagnostic(diagnostic) => (*diagnostic).into(),
        RepairError::Limit(bdd::Error::Interrupted) => Stop::Interrupted.into(),
        RepairError::Limit(bdd::Error::Deadline) => Stop::OutOfTime.into(),
        RepairError::Limit(_) => Stop::OutOfMemory.into(),
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

fn not_supported(property: &str, reason: &str, request: &RepairRequest) -> String {
    let reason = format!("`{property}` is beyond the games that can be solved exactly: {reason}");
    match request.automaton {
        Automaton::Exact => {
            format!("{reason}; `--automaton nondeterministic` may find a repair")
        }
        Automaton::Nondeterministic => reason,
    }
}

/// The report on all that was found.
fn conclude(
    mut report: Report,
    request: &RepairRequest,
    netlist: &Netlist,
    loaded: &LoadedDesign,
    answers: Vec<(usize, Answer)>,
    context: &mut Context,
) -> Result<Report, Failure> {
    let names = |locations: &[Vec<ComponentId>]| listed(netlist, locations);
    let stopped = answers.iter().find_map(|(_, answer)| answer.stopped);
    let repairs = numbered(&answers);
    let rejected = &request.correction.reject;
    let mut wrong = rejected
        .iter()
        .filter(|number| **number as usize > repairs.len());
    if let (Some(wrong), None) = (wrong.next(), stopped) {
        let message = format!("there is no correction {wrong} to reject");
        let help = format!("the corrections are numbered from 1 to {}", repairs.len());
        let diagnostic = Diagnostic::error(codes::NO_SUCH_CORRECTION, message);
        return Err(diagnostic.help(help).into());
    }
    let offered: Vec<(usize, &Repair)> = repairs
        .into_iter()
        .filter(|(number, _)| !rejected.contains(&(*number as u32)))
        .collect();
    for (faults, answer) in &answers {
        let what = match faults {
            1 => "component".to_string(),
            faults => format!("sets of {faults} components"),
        };
        let mut add = |text: &str, locations: &[Vec<ComponentId>]| {
            if !locations.is_empty() {
                let count = locations.len();
                report
                    .notes
                    .push(format!("{text} ({count}): {}", names(locations)));
            }
        };
        if *faults == 1 {
            add(
                "correctable with added registers only; see --allow-state",
                &answer.only_with_memory,
            );
            add(
                "correctable with added registers, perhaps without; see --allow-state",
                &answer.undecided,
            );
        }
        add("corrected, but not proved in time", &answer.unproved);
        if !answer.open.is_empty() {
            let (ruled_out, open) = (answer.ruled_out.len(), answer.open.len());
            report.notes.push(format!(
                "ruled out so far: {ruled_out}; still open: {open} ({what})"
            ));
        }
    }
    if stopped == Some(bdd::Error::Interrupted) {
        report.ending = Ending::Interrupted;
        return Ok(report.because("interrupted"));
    }
    let good: Vec<&(usize, &Repair)> = offered.iter().filter(|(_, one)| !one.vacuous).collect();
    report.body.repair_mut().corrections = offered
        .iter()
        .map(|(number, repair)| correction(*number, repair, netlist, &context.sources))
        .collect::<Result<_, _>>()?;
    if let Some((_, best)) = good.first() {
        report.ending = Ending::Verdict(Verdict::Repaired);
        report.reason = Some(format!("{}, proved", summary(&good, netlist)));
        if let Some(error) = stopped {
            report
                .notes
                .push(format!("the search ended early: {error}"));
        }
        deliver(&mut report, request, loaded, best, context)?;
    } else if let Some(error) = stopped {
        report.reason = Some(format!("no repair was found before the end: {error}"));
    } else {
        let (verdict, reason) = without_repair(&answers, &offered, rejected);
        report.ending = Ending::Verdict(verdict);
        report.reason = Some(reason);
    }
    let corrections = &mut report.body.repair_mut().corrections;
    if corrections.len() > MOST_LISTED {
        let more = corrections.len() - MOST_LISTED;
        if context.settings.format == crate::cli::options::OutputFormat::Text {
            corrections.truncate(MOST_LISTED);
            report.notes.push(format!(
                "{more} more corrections; `--format json` lists all"
            ));
        }
    }
    Ok(report)
}

/// All corrections with their numbers. Those that appear only because others were rejected
/// come after the others, so that numbers stay.
fn numbered(answers: &[(usize, Answer)]) -> Vec<(usize, &Repair)> {
    let mut all: Vec<&Repair> = answers
        .iter()
        .flat_map(|(_, answer)| &answer.repairs)
        .collect();
    all.sort_by_key(|repair| {
        let later = repair.rank.saturating_sub(ALTERNATIVES - 1);
        (later, repair.vacuous, repair.candidate.cost)
    });
    all.into_iter()
        .enumerate()
        .map(|(index, repair)| (index + 1, repair))
        .collect()
}

fn summary(good: &[&(usize, &Repair)], netlist: &Netlist) -> String {
    let mut locations: Vec<&Vec<ComponentId>> = Vec::new();
    for (_, repair) in good {
        if !locations.contains(&&repair.location) {
            locations.push(&repair.location);
        }
    }
    let corrections = match good.len() {
        1 => "1 correction".to_string(),
        count => format!("{count} corrections"),
    };
    let places: Vec<Vec<ComponentId>> = locations.into_iter().cloned().collect();
    match places.len() {
        1 => format!("{corrections} of {}", listed(netlist, &places)),
        count => format!(
            "{corrections} at {count} places: {}",
            listed(netlist, &places)
        ),
    }
}

fn without_repair(
    answers: &[(usize, Answer)],
    offered: &[(usize, &Repair)],
    rejected: &[u32],
) -> (Verdict, String) {
    let any = |wanted: fn(&Answer) -> &Vec<Vec<ComponentId>>| {
        answers.iter().any(|(_, answer)| !wanted(answer).is_empty())
    };
    let most = answers.iter().map(|(faults, _)| *faults).max().unwrap_or(1);
    let reason = if !offered.is_empty() {
        "all corrections found are vacuous: the assumptions can then be forced to fail"
    } else if !rejected.is_empty() {
        "all corrections found were rejected"
    } else if any(|answer| &answer.unproved) {
        "corrections were found, but not proved in time"
    } else if any(|answer| &answer.undecided) {
        "no correction without added registers was found"
    } else if any(|answer| &answer.only_with_memory) {
        "there is no correction without added registers"
    } else {
        let what = match most {
            1 => "any one component".to_string(),
            most => format!("up to {most} components"),
        };
        let reason = format!("the environment wins against every replacement of {what}");
        return (Verdict::NoRepair, reason);
    };
    (Verdict::Unknown, reason.to_string())
}

/// Names of locations, the first few.
fn listed(netlist: &Netlist, locations: &[Vec<ComponentId>]) -> String {
    let name = |location: &Vec<ComponentId>| named(netlist, location);
    let mut text: Vec<String> = locations.iter().take(MOST_NAMED).map(name).collect();
    if locations.len() > MOST_NAMED {
        text.push("...".to_string());
    }
    text.join(", ")
}

fn named(netlist: &Netlist, location: &[ComponentId]) -> String {
    let components = location.iter().map(|id| {
        let component = &netlist.components()[id.0 as usize];
        format!("{} {}", edit_kind(component.kind).word(), component.name)
    });
    components.collect::<Vec<_>>().join(" + ")
}

fn edit_kind(kind: ComponentKind) -> EditKind {
    match kind {
        ComponentKind::Gate => EditKind::Gate,
        ComponentKind::LatchNext => EditKind::LatchNext,
        ComponentKind::LatchReset => EditKind::LatchReset,
        ComponentKind::Value => EditKind::Value,
        ComponentKind::Condition => EditKind::Condition,
        ComponentKind::Label => EditKind::Label,
    }
}

fn correction(
    number: usize,
    repair: &Repair,
    netlist: &Netlist,
    sources: &Sources,
) -> Result<Correction, Diagnostic> {
    let name = |id: NodeId| repair.candidate.signal_name(netlist, id);
    let mut edits = Vec::new();
    for replacement in &repair.candidate.replacements {
        let component = &netlist.components()[replacement.component.0 as usize];
        let texts = |functions: &[crate::design::Function]| {
            functions
                .iter()
                .map(|function| function.text(&name))
                .collect()
        };
        edits.push(Edit {
            component: component.name.clone(),
            kind: edit_kind(component.kind),
            place: component.span.map(|span| PlaceRecord::new(span, sources)),
            before: texts(&netlist.present_functions(replacement.component)?),
            after: texts(&replacement.functions),
        });
    }
    Ok(Correction {
        number,
        edits,
        also: repair
            .also
            .iter()
            .map(|location| named(netlist, location))
            .collect(),
        effect: None,
        added_registers: repair.candidate.added_registers(),
        vacuous: repair.vacuous,
    })
}

/// The best correction as a diff, and written where it was asked for.
fn deliver(
    report: &mut Report,
    request: &RepairRequest,
    loaded: &LoadedDesign,
    best: &Repair,
    context: &mut Context,
) -> Result<(), Failure> {
    let input = &request.design.designs[0];
    let source = loaded.file.to_bytes()?;
    let bytes = loaded.bytes_of(&best.file, &context.sources)?;
    match (std::str::from_utf8(&source), std::str::from_utf8(&bytes)) {
        // Every cell of a netlist is written anew.
        _ if loaded.yosys.is_some() => {
            let is_edited = request.write && loaded.verilog.is_none();
            let is_written = request.output.output.is_some() || is_edited;
            let note = "`-o FILE.json` writes the corrected netlist";
            report.notes.extend((!is_written).then(|| note.to_string()));
        }
        (Ok(before), Ok(after)) if !loaded.file.layout.is_binary() => {
            let diff = diff::unified(&input.path.name(), before, after);
            report.body.repair_mut().diff = Some(diff);
        }
        _ if request.output.output.is_none() && !request.write => {
            let note = "the design is a binary file, which has no diff; `-o FILE` writes it";
            report.notes.push(note.to_string());
        }
        _ => {}
    }
    if let Some(path) = &request.output.output {
        let bytes = match loaded.yosys {
            Some(_) => bytes.clone(),
            None => circuit_bytes(&best.file, Some(path))?,
        };
        write_file(path, &bytes, request.output.force)?;
        report.notes.push(format!("wrote {}", path.display()));
    }
    if request.write && loaded.verilog.is_some() {
        let note = format!("{} was not edited", input.path.name());
        report.notes.push(note);
    } else if let (true, InputPath::File(path)) = (request.write, &input.path) {
        context.limits.check()?;
        replace_file(path, &bytes)?;
        report.notes.push(format!("edited {}", path.display()));
    }
    Ok(())
}
