//! What `verify` found, as a report.

use crate::certify::recorded::{Differs, Fits, Replay};
use crate::certify::{
    self, AssumptionStatus, Certified, Decision, Found, Overall, Vacuity, VacuityKind,
};
use crate::design::verilog::codes as verilog_codes;
use crate::expr::Role;
use crate::report::witness::{Witness, witnesses};
use crate::report::{
    Body, EngineWord, PropertyResult, RecordedResult, Report, ResetWord, VacuousWord, Verdict,
    VerifyReport,
};
use crate::source::Diagnostic;
use crate::source::codes::certify as codes;
use crate::source::record::PlaceRecord;
use crate::subject::{ResetUse, Subject};
use crate::verify::VerifyAnswer;

/// An infinite run whose state takes longer to repeat as a whole has no witness.
const LONGEST_WITNESS: usize = 10_000;

/// The report on all that was found; what the readers of recorded runs warn of is left out.
pub fn report(
    answer: &VerifyAnswer,
    subject: &Subject,
    replayed: &Replayed,
    is_strict: bool,
) -> Result<Report, Diagnostic> {
    let decisions = answer.checked.decisions().iter();
    let properties = decisions.map(|one| property_result(answer, subject, one, is_strict));
    let properties = properties.collect::<Result<Vec<PropertyResult>, Diagnostic>>()?;
    let reason = match replayed.summary() {
        Some(recorded) => format!("{}, {recorded}", summary(&properties)),
        None => summary(&properties),
    };
    let report = match &answer.overall {
        Overall::Fail(fails) => Report::fail(fails),
        _ if replayed.differs.is_some() => replayed.verdict(),
        Overall::Pass(holds) => Report::pass(holds),
        Overall::Unknown if answer.is_interrupted() => Report::interrupted(),
        Overall::Unknown => Report::unknown(""),
    };
    let mut report = report.because(reason);
    report.diagnostics = subject.warnings.clone();
    report.diagnostics.extend(answer.warnings.clone());
    let vacuities = answer.vacuities.iter();
    let vacuities = vacuities.map(|one| vacuity_warning(one, subject));
    report.diagnostics.extend(vacuities);
    report.notes = subject.notes.clone();
    if let Some(status) = &answer.assumptions {
        report = judge_assumptions(report, status, subject);
    }
    if let Overall::Pass(_) = answer.overall {
        report = judge_reset(report, subject);
    }
    Ok(report.with(replayed.body(properties, subject)))
}

/// What recorded runs showed.
#[derive(Default)]
pub struct Replayed {
    pub results: Vec<RecordedResult>,
    pub warnings: Vec<Diagnostic>,
    fits: Option<Certified<Fits>>,
    /// The first difference.
    differs: Option<Certified<Differs>>,
}

impl Replayed {
    pub fn new(replays: Vec<Replay>, warnings: Vec<Diagnostic>) -> Replayed {
        let mut replayed = Replayed {
            warnings,
            ..Replayed::default()
        };
        for replay in replays {
            match replay {
                Replay::Fits(fits) => {
                    replayed.results.extend(RecordedResult::of_fits(&fits));
                    replayed.fits = Some(fits);
                }
                Replay::Differs(differs) => {
                    let result = RecordedResult::of_difference(&differs);
                    replayed.results.push(result);
                    replayed.differs = replayed.differs.or(Some(*differs));
                }
            }
        }
        replayed
    }

    pub fn is_empty(&self) -> bool {
        self.results.is_empty()
    }

    fn summary(&self) -> Option<String> {
        let failing = self.results.iter().filter(|one| one.difference.is_some());
        Some(match (self.results.len(), failing.count()) {
            (0, _) => return None,
            (1, 0) => "the recorded run fits".to_string(),
            (1, _) => "the recorded run does not fit".to_string(),
            (all, 0) => format!("all {all} recorded runs fit"),
            (all, 1) => format!("1 of {all} recorded runs does not fit"),
            (all, failing) => format!("{failing} of {all} recorded runs do not fit"),
        })
    }

    /// The report on recorded runs where nothing else is asked about a design.
    pub fn report(&self, subject: &Subject) -> Report {
        let mut report = self.verdict();
        report.reason = self.summary();
        // What registers start with is the business of properties; a replay says what it meets.
        let warnings = subject.warnings.iter();
        let warnings = warnings.filter(|one| one.code != verilog_codes::NO_RESET);
        report.diagnostics = warnings.cloned().collect();
        report.with(self.body(Vec::new(), subject))
    }

    /// The results of properties, and those of the runs.
    fn body(&self, mut properties: Vec<PropertyResult>, subject: &Subject) -> Body {
        properties.extend(self.results.iter().map(RecordedResult::as_property));
        let recorded = self.results.clone();
        Body::Verify(VerifyReport {
            properties,
            recorded,
            value_names: subject.design.value_names().clone(),
        })
    }

    /// The verdict of the runs alone.
    fn verdict(&self) -> Report {
        match (&self.differs, &self.fits) {
            (Some(differs), _) => Report::differs(differs),
            (None, Some(fits)) => Report::fits(fits),
            (None, None) => Report::unknown("no recorded run was replayed"),
        }
    }
}

/// Who has decided a property, for people who want to know.
pub fn account(name: &str, decision: &Decision) -> String {
    let found = decision.found.iter().map(ToString::to_string);
    let mut found: Vec<String> = found.collect();
    found.dedup();
    let verdict = match decision.verdict {
        certify::Verdict::Holds => "no run against it",
        certify::Verdict::Fails(_) => "a run against it",
        certify::Verdict::Unknown(_) => "not decided",
    };
    let by = if found.is_empty() {
        String::new()
    } else {
        format!(" by {}", found.join("; "))
    };
    let seconds = decision.time.as_secs_f64();
    let kept = match decision.memories.as_slice() {
        [] => String::new(),
        names => format!(", with {} at a few addresses only", names.join(", ")),
    };
    format!("{name}: {verdict}{by}{kept}, after {seconds:.2} s")
}

/// Who has found what is said of a property, in the terms of a report.
fn engine_word(decision: &Decision) -> Option<EngineWord> {
    let is_solver = |found: &Found| matches!(found, Found::Solver(_));
    if decision.found.is_empty() {
        None
    } else if decision.found.iter().any(is_solver) {
        Some(EngineWord::Sat)
    } else {
        Some(EngineWord::Bdd)
    }
}

fn property_result(
    answer: &VerifyAnswer,
    subject: &Subject,
    decision: &Decision,
    is_strict: bool,
) -> Result<PropertyResult, Diagnostic> {
    let (index, verdict) = (decision.property, &decision.verdict);
    let property = &subject.spec.properties[index];
    let is_cover = property.role == Role::Cover;
    let mut vacuities = answer.vacuities.iter();
    let vacuous = vacuities.find(|one| one.property == index);
    let vacuous = vacuous.map(|one| vacuous_word(one.kind));
    let (verdict, reason, trace) = match verdict {
        certify::Verdict::Holds if is_cover => {
            let reason = "no run covers it".to_string();
            (Verdict::Fail, Some(reason), None)
        }
        certify::Verdict::Holds if is_strict && vacuous.is_some() => (Verdict::Fail, None, None),
        certify::Verdict::Holds => (Verdict::Pass, None, None),
        certify::Verdict::Unknown(error) => (Verdict::Unknown, Some(error.to_string()), None),
        certify::Verdict::Fails(trace) => {
            let run = answer.checked.run(index, trace)?.into_answer();
            let verdict = if is_cover {
                Verdict::Pass
            } else {
                Verdict::Fail
            };
            (verdict, None, Some(run))
        }
    };
    let span = property.span;
    Ok(PropertyResult {
        name: property.name.clone(),
        is_cover,
        verdict,
        reset: reset_word(subject, index),
        engine: engine_word(decision),
        vacuous,
        reason,
        place: span.map(|span| PlaceRecord::new(span, &subject.sources)),
        time: Some(decision.time),
        trace,
    })
}

/// Under which reset a property was judged, in the terms of a report.
pub fn reset_word(subject: &Subject, property: usize) -> Option<ResetWord> {
    subject.reset_of(property).map(|reset| match reset {
        ResetUse::Once => ResetWord::Once,
        ResetUse::Again => ResetWord::Again,
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

pub fn vacuous_word(kind: VacuityKind) -> VacuousWord {
    match kind {
        VacuityKind::AntecedentNeverHappens => VacuousWord::Antecedent,
        VacuityKind::Tautology => VacuousWord::Tautology,
    }
}

/// What is said of a property that holds and says nothing.
pub fn vacuity_warning(vacuity: &Certified<Vacuity>, subject: &Subject) -> Diagnostic {
    let name = &vacuity.name;
    let span = vacuity
        .span
        .or(subject.spec.properties[vacuity.property].span);
    let (warning, label) = match vacuity.kind {
        VacuityKind::AntecedentNeverHappens => {
            let message = format!("`{name}` is vacuous: its antecedent never happens");
            let mut warning = Diagnostic::warning(codes::NEVER_HAPPENS, message);
            if !vacuity.invariant.is_empty() {
                let invariant = vacuity.invariant.iter().map(|one| format!("`{one}`"));
                let invariant = invariant.collect::<Vec<_>>().join(" and ");
                warning = warning.note(format!("in every state that is reached, {invariant}"));
            }
            let help = "correct the property, or what keeps this from happening";
            (warning.help(help), "proved unreachable")
        }
        VacuityKind::Tautology => {
            let message = format!("`{name}` is vacuous: it holds whatever the design does");
            let warning = Diagnostic::warning(codes::TAUTOLOGY, message);
            (
                warning.help("say what is meant, or leave it out"),
                "always true",
            )
        }
    };
    warning.at_optional(span, label)
}

/// A verdict that rests on runs that do not exist says so.
pub fn judge_assumptions(
    mut report: Report,
    status: &AssumptionStatus,
    subject: &Subject,
) -> Report {
    let reason = report.reason.take().unwrap_or_default();
    let (addition, message) = match status {
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
    let assumptions = subject.spec.properties.iter();
    for span in assumptions
        .filter(|one| one.role == Role::Assume)
        .filter_map(|one| one.span)
    {
        warning = warning.at(span, "assumed here");
    }
    report.diagnostics.push(warning);
    report.because(format!("{reason}, {addition}"))
}

/// Whether a warning says that the design is held in reset.
pub fn is_held(warning: &Diagnostic) -> bool {
    warning.code == verilog_codes::HELD_IN_RESET
}

/// That all is well says little of a design that is held in reset.
pub fn judge_reset(report: Report, subject: &Subject) -> Report {
    match &report.reason {
        Some(reason) if subject.warnings.iter().any(is_held) => {
            let reason = format!("{reason}, but the design is held in reset for ever");
            report.because(reason)
        }
        _ => report,
    }
}

/// Witnesses of the properties of an AIGER file.
pub fn witness_text(
    subject: &Subject,
    results: &[(usize, certify::Verdict)],
) -> Result<String, Diagnostic> {
    let mut found = Vec::new();
    for (index, verdict) in results {
        let Some(Some(name)) = subject.property_names.get(*index) else {
            continue;
        };
        let witness = match verdict {
            certify::Verdict::Holds => Witness::Holds,
            certify::Verdict::Unknown(_) => Witness::Unknown,
            certify::Verdict::Fails(trace) => {
                let whole = trace.with_whole_state(&subject.design, LONGEST_WITNESS)?;
                let Some(trace) = whole else {
                    let message = format!(
                        "the run that violates `{name}` does not repeat the whole state of the \
                         design within {LONGEST_WITNESS} steps"
                    );
                    return Err(Diagnostic::error(codes::NO_WITNESS, message)
                        .help("leave out `--witness`; `--vcd` needs no repetition"));
                };
                Witness::Fails {
                    initial: trace.initial().to_vec(),
                    inputs: trace.inputs().to_vec(),
                }
            }
        };
        found.push((name.as_str(), witness));
    }
    Ok(witnesses(
        found.iter().map(|(name, witness)| (*name, witness)),
    ))
}
