//! `respin verify`: checks a design against its properties.

use crate::bdd;
use crate::certify::{self, AssumptionStatus, Problem};
use crate::cli::context::{Context, Failure};
use crate::cli::design::{LoadedDesign, load};
use crate::cli::options::Semantics;
use crate::cli::output::{check_output_path, write_file};
use crate::cli::request::VerifyRequest;
use crate::cli::trace::describe;
use crate::cli::workdir::Workdir;
use crate::design::suggest::did_you_mean;
use crate::expr::Role;
use crate::report::witness::{Witness, witnesses};
use crate::report::{Body, Ending, PropertyResult, Report, Verdict, VerifyReport, property, vcd};
use crate::source::codes::{certify as codes, frame};
use crate::source::record::PlaceRecord;
use crate::source::{Diagnostic, Sources};
use std::path::Path;

/// An infinite run whose state takes longer to repeat as a whole has no witness.
const LONGEST_WITNESS: usize = 10_000;

pub fn verify(request: &VerifyRequest, context: &mut Context) -> Result<Report, Failure> {
    let outputs = [&request.traces.vcd, &request.traces.witness];
    for path in outputs.into_iter().flatten() {
        check_output_path(path, request.traces.force, request.design.files())?;
    }
    if request.traces.vcd.is_some() && request.traces.vcd == request.traces.witness {
        let message = "`--vcd` and `--witness` name the same file";
        return Err(Diagnostic::error(frame::BAD_USAGE, message).into());
    }

    if let Some(path) = &request.workdir {
        context.workdir = Some(Workdir::create(path, request.traces.force)?);
    }
    let loaded = load(&request.design, "verify", context)?;
    let chosen = choose(&loaded, &request.properties)?;
    if request.traces.witness.is_some() {
        refuse_witness(&loaded, &chosen)?;
    }
    let problem = Problem::new(&loaded.design, &loaded.spec)?;
    let options = certify::Options {
        limits: context.limits.for_diagrams(),
        semantics: match request.semantics {
            Some(Semantics::Implication) => certify::Semantics::Implication,
            Some(Semantics::Strict) | None => certify::Semantics::Strict,
        },
    };
    let progress = &mut context.progress;
    let results = problem.check_all(&chosen, &options, |property| {
        let name = &loaded.spec.properties[property].name;
        progress.log(|| format!("checking {name}"));
        progress.status(|| format!("checking {name}"));
    })?;

    let mut properties = Vec::new();
    for (index, verdict) in &results {
        let result = property_result(&problem, &loaded, *index, verdict, &context.sources)?;
        properties.push(result);
    }
    let mut report = Report::verdict(property::overall(&properties)).because(summary(&properties));
    report.diagnostics = loaded.warnings.clone();
    report.notes = loaded.notes.clone();
    let interrupted = certify::Verdict::Unknown(bdd::Error::Interrupted);
    if results.iter().any(|(_, verdict)| *verdict == interrupted) {
        report.ending = Ending::Interrupted;
    }
    if report.ending == Ending::Verdict(Verdict::Pass) {
        context
            .progress
            .log(|| "checking the assumptions".to_string());
        let keeping = problem.assumptions(&options.limits)?;
        report = judge_assumptions(report, &keeping, &loaded);
    }
    if let Some(path) = &request.traces.vcd {
        let note = write_vcd(path, request.traces.force, &properties)?;
        report.notes.push(note);
    }
    if let Some(path) = &request.traces.witness {
        let text = witness_text(&loaded, &results)?;
        write_file(path, text.as_bytes(), request.traces.force)?;
        report.notes.push(format!("wrote {}", path.display()));
    }
    Ok(report.with(Body::Verify(VerifyReport { properties })))
}

/// The indices of the assertions to check, in the order of the specification.
fn choose(loaded: &LoadedDesign, names: &[String]) -> Result<Vec<usize>, Vec<Diagnostic>> {
    let properties = &loaded.spec.properties;
    let is_asserted = |index: &usize| properties[*index].role != Role::Assume;
    let asserted: Vec<usize> = (0..properties.len()).filter(is_asserted).collect();
    if asserted.is_empty() {
        let message = "neither the design nor a property file asserts anything";
        let diagnostic = Diagnostic::error(codes::NOTHING_TO_CHECK, message);
        return Err(vec![diagnostic.help("give a property file with `--spec`")]);
    }
    let known = || {
        asserted
            .iter()
            .map(|index| properties[*index].name.as_str())
    };
    let unknown = |name: &&String| known().all(|other| other != name.as_str());
    let errors: Vec<Diagnostic> = names
        .iter()
        .filter(unknown)
        .map(|name| {
            let is_assumed = properties.iter().any(|property| property.name == **name);
            let message = if is_assumed {
                format!("`{name}` is an assumption, and only assertions are checked")
            } else {
                format!("there is no assertion `{name}`")
            };
            let diagnostic = Diagnostic::error(codes::UNKNOWN_PROPERTY, message);
            match did_you_mean(name, known()) {
                Some(help) => diagnostic.help(help),
                None => {
                    diagnostic.help("without `--property` all are checked, and their names listed")
                }
            }
        })
        .collect();
    if !errors.is_empty() {
        return Err(errors);
    }
    let is_chosen = |index: &usize| names.is_empty() || names.contains(&properties[*index].name);
    Ok(asserted.iter().copied().filter(is_chosen).collect())
}

fn property_result(
    problem: &Problem,
    loaded: &LoadedDesign,
    index: usize,
    verdict: &certify::Verdict,
    sources: &Sources,
) -> Result<PropertyResult, Diagnostic> {
    let property = &loaded.spec.properties[index];
    let is_cover = property.role == Role::Cover;
    let (verdict, reason, trace) = match verdict {
        certify::Verdict::Holds if is_cover => {
            let reason = "no run covers it".to_string();
            (Verdict::Fail, Some(reason), None)
        }
        certify::Verdict::Holds => (Verdict::Pass, None, None),
        certify::Verdict::Unknown(error) => (Verdict::Unknown, Some(error.to_string()), None),
        certify::Verdict::Fails(trace) => {
            let trace = describe(problem, &loaded.spec, index, trace)?;
            let verdict = match is_cover {
                true => Verdict::Pass,
                false => Verdict::Fail,
            };
            (verdict, None, Some(trace))
        }
    };
    Ok(PropertyResult {
        name: property.name.clone(),
        is_cover,
        verdict,
        reason,
        place: property.span.map(|span| PlaceRecord::new(span, sources)),
        trace,
    })
}

fn summary(properties: &[PropertyResult]) -> String {
    let (covers, assertions): (Vec<&PropertyResult>, Vec<&PropertyResult>) =
        properties.iter().partition(|result| result.is_cover);
    let counts = |results: &[&PropertyResult]| {
        let count = |wanted| results.iter().filter(|one| one.verdict == wanted).count();
        (results.len(), count(Verdict::Fail), count(Verdict::Unknown))
    };
    let asserted = match counts(&assertions) {
        (0, ..) => None,
        (1, 0, 0) => Some("the assertion holds".to_string()),
        (1, 1, _) => Some("the assertion fails".to_string()),
        (1, ..) => Some("the assertion was not decided".to_string()),
        (all, 0, 0) => Some(format!("all {all} assertions hold")),
        (all, 0, unknown) => Some(format!("{unknown} of {all} assertions were not decided")),
        (all, 1, 0) => Some(format!("1 of {all} assertions fails")),
        (all, failing, 0) => Some(format!("{failing} of {all} assertions fail")),
        (all, failing, unknown) => Some(format!(
            "{failing} of {all} assertions fail, {unknown} were not decided"
        )),
    };
    let covered = match counts(&covers) {
        (0, ..) => None,
        (all, 0, 0) => Some(format!("{all} of {all} cover statements are covered")),
        (all, failing, 0) => Some(format!(
            "{} of {all} cover statements are covered",
            all - failing
        )),
        (all, failing, unknown) => Some(format!(
            "{} of {all} cover statements are covered, {unknown} were not decided",
            all - failing - unknown
        )),
    };
    let parts: Vec<String> = asserted.into_iter().chain(covered).collect();
    parts.join(", ")
}

/// A verdict that rests on runs that do not exist says so.
pub fn judge_assumptions(
    mut report: Report,
    keeping: &AssumptionStatus,
    loaded: &LoadedDesign,
) -> Report {
    let reason = report.reason.take().unwrap_or_default();
    let (addition, message) = match keeping {
        AssumptionStatus::NothingAssumed | AssumptionStatus::Possible => {
            return report.because(reason);
        }
        AssumptionStatus::Unknown(error) => {
            let note = format!("whether the assumptions can be kept was not decided: {error}");
            report.notes.push(note);
            return report.because(reason);
        }
        AssumptionStatus::Impossible => (
            "but only because no run keeps the assumptions",
            "no run of the design keeps all assumptions, so every assertion holds".to_string(),
        ),
        AssumptionStatus::DeadEnds(trace) => (
            "but some steps that keep the assumptions so far cannot be continued",
            match trace.len() {
                0 => "from some initial state no run keeps the assumptions".to_string(),
                1 => "after some first step no run keeps the assumptions any more".to_string(),
                steps => format!("after some {steps} steps no run keeps the assumptions any more"),
            },
        ),
    };
    let mut warning = Diagnostic::warning(codes::VACUOUS, message)
        .help("leave out assumptions one by one to see which ones are to blame");
    let assumptions = loaded.spec.properties.iter();
    for span in assumptions
        .filter(|one| one.role == Role::Assume)
        .filter_map(|one| one.span)
    {
        warning = warning.at(span, "assumed here");
    }
    report.diagnostics.push(warning);
    report.because(format!("{reason}, {addition}"))
}

fn write_vcd(
    path: &Path,
    force: bool,
    properties: &[PropertyResult],
) -> Result<String, Diagnostic> {
    let with_trace = properties
        .iter()
        .filter(|result| result.verdict == Verdict::Fail)
        .filter_map(|result| Some((result, result.trace.as_ref()?)));
    let Some((result, trace)) = with_trace.into_iter().next() else {
        let path = path.display();
        return Ok(format!(
            "there is no counterexample, so {path} was not written"
        ));
    };
    let title = format!("{} fails {}", result.name, trace.shape());
    write_file(path, vcd::vcd(trace, &title).as_bytes(), force)?;
    Ok(format!(
        "wrote {} with the run that violates {}",
        path.display(),
        result.name
    ))
}

/// Before any work is done for it.
fn refuse_witness(loaded: &LoadedDesign, chosen: &[usize]) -> Result<(), Diagnostic> {
    let is_own = |index: &usize| loaded.aiger_names.get(*index).is_some_and(Option::is_some);
    if chosen.iter().any(is_own) {
        return Ok(());
    }
    let message = "no property of an AIGER file is checked, so there is nothing to witness";
    Err(Diagnostic::error(codes::NO_WITNESS, message)
        .help("`--vcd` writes counterexamples of property files"))
}

fn witness_text(
    loaded: &LoadedDesign,
    results: &[(usize, certify::Verdict)],
) -> Result<String, Diagnostic> {
    let mut found = Vec::new();
    for (index, verdict) in results {
        let Some(Some(name)) = loaded.aiger_names.get(*index) else {
            continue;
        };
        let witness = match verdict {
            certify::Verdict::Holds => Witness::Holds,
            certify::Verdict::Unknown(_) => Witness::Unknown,
            certify::Verdict::Fails(trace) => {
                let whole = trace.with_whole_state(&loaded.design, LONGEST_WITNESS)?;
                let Some(trace) = whole else {
                    let message = format!(
                        "the run that violates `{name}` does not repeat the whole state of the \
                         design within {LONGEST_WITNESS} steps"
                    );
                    return Err(Diagnostic::error(codes::NO_WITNESS, message)
                        .help("leave out `--witness`; `--vcd` needs no repetition"));
                };
                Witness::Fails {
                    initial: trace.initial,
                    inputs: trace.inputs,
                }
            }
        };
        found.push((name.as_str(), witness));
    }
    Ok(witnesses(
        found.iter().map(|(name, witness)| (*name, witness)),
    ))
}
