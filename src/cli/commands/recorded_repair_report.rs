//! What a repair by recorded runs found, for people and programs.

use super::repair_report::{Delivery, deliver, latches};
use crate::certify::recorded::{Offered, Replay};
use crate::cli::context::{Context, Failure};
use crate::design::verilog::codes as verilog_codes;
use crate::repair::recorded::PlausibleCorrection;
use crate::repair::{Options, RecordedAnswer, RecordedOutcome};
use crate::report::{ApartRecord, Body, Correction, RecordedResult, RepairReport, Report};
use crate::source::Diagnostic;
use crate::source::codes::repair as codes;
use crate::source::record::PlaceRecord;
use crate::subject::Subject;
use crate::trace::Recording;
use crate::verify;

/// The report; the best correction is written where it was asked for.
pub fn report(
    answer: &RecordedAnswer,
    options: &Options,
    delivery: &Delivery,
    context: &mut Context,
) -> Result<Report, Failure> {
    let (subject, request) = (delivery.subject, delivery.request);
    let mut body = RepairReport::default();
    add_replays(&mut body, &answer.before);
    let sources = &subject.sources;
    let list = |one: &PlausibleCorrection| {
        let disabled = one
            .disabled
            .iter()
            .map(|what| format!("{what} on random runs"));
        Correction::plausible(one.number, &one.patch, disabled.collect(), sources)
    };
    body.corrections = answer.corrections.iter().map(list).collect();
    let apart = answer.apart.iter();
    let apart = apart.map(|(first, second, inputs)| ApartRecord::new(*first, *second, inputs));
    body.apart = apart.collect();
    let mut notes = subject.notes.clone();
    let mut report = match &answer.outcome {
        RecordedOutcome::NothingToRepair(fits) => {
            Report::fits(fits).because("the design shows every recorded value as it is")
        }
        RecordedOutcome::Plausible => plausible(answer, delivery),
        RecordedOutcome::Unknown => Report::unknown(match answer.stopped {
            Some(error) => format!("no edit that fits was found before the end: {error}"),
            None => format!("none of {} edits fits the recorded runs", answer.tried),
        }),
    };
    if let Some(best) = picked(answer, request.correction.pick)? {
        notes.push(fits_values(best));
        if let Some(error) = answer.stopped {
            notes.push(format!("the search ended early: {error}"));
        }
        let offered = Offered::Fitting(&best.patch);
        deliver(&mut body, &mut notes, offered, delivery, context)?;
    }
    let warnings = subject.warnings.iter();
    let warnings = warnings.filter(|one| one.code != verilog_codes::NO_RESET);
    report.diagnostics = warnings.cloned().collect();
    report.diagnostics.extend(latches(subject, false));
    let recordings = options.recordings.iter();
    let warnings = recordings.flat_map(|one| one.warnings.iter().cloned());
    report.diagnostics.extend(warnings);
    report.notes = notes;
    Ok(report.with(Body::Repair(body)))
}

/// Adds what runs showed of the design as it is.
fn add_replays(body: &mut RepairReport, replays: &[Replay]) {
    for replay in replays {
        match replay {
            Replay::Fits(fits) => body.recorded.extend(RecordedResult::of_fits(fits)),
            Replay::Differs(differs) => {
                body.recorded.push(RecordedResult::of_difference(differs));
            }
        }
    }
    let recorded = body.recorded.iter();
    body.properties
        .extend(recorded.map(RecordedResult::as_property));
}

/// The report on a repair by properties, with the recorded runs that corrections fit as well.
pub fn with_runs(
    mut report: Report,
    subject: &Subject,
    recordings: &[Recording],
    context: &Context,
) -> Result<Report, Failure> {
    if recordings.is_empty() {
        return Ok(report);
    }
    let replays = verify::replayed(subject, recordings, &context.limits)?;
    if let Body::Repair(body) = &mut report.body {
        add_replays(body, &replays);
        if !body.corrections.is_empty() {
            let note = "each correction listed fits every recorded value as well";
            report.notes.push(note.to_string());
        }
    }
    let warnings = recordings.iter().flat_map(|one| one.warnings.iter());
    report.diagnostics.extend(warnings.cloned());
    Ok(report)
}

fn plausible(answer: &RecordedAnswer, delivery: &Delivery) -> Report {
    let Some(best) = answer.corrections.first() else {
        return Report::unknown("all corrections found were rejected");
    };
    let count = match answer.corrections.len() {
        1 => "1 correction fits".to_string(),
        count => format!("{count} corrections fit"),
    };
    let mut lines: Vec<String> = Vec::new();
    for one in &answer.corrections {
        for span in one.patch.patch.changes.iter().filter_map(|one| one.span) {
            let line = PlaceRecord::new(span, &delivery.subject.sources).line_text();
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    let reason = format!("{count}, at {}", lines.join(", "));
    Report::plausible(&best.patch).because(reason)
}

/// What a correction that fits is worth.
fn fits_values(best: &PlausibleCorrection) -> String {
    let recordings = &best.patch.fits.recordings;
    let values: usize = recordings.iter().map(|one| one.values).sum();
    let cycles: usize = recordings.iter().map(|one| one.cycles).sum();
    format!("fits every recorded value ({values} values in {cycles} cycles); not proved beyond")
}

/// The correction that is shown as a diff and written.
fn picked(
    answer: &RecordedAnswer,
    pick: Option<u32>,
) -> Result<Option<&PlausibleCorrection>, Diagnostic> {
    let Some(wanted) = pick else {
        return Ok(answer.corrections.first());
    };
    let mut corrections = answer.corrections.iter();
    let picked = corrections.find(|one| one.number == wanted as usize);
    if picked.is_none() && !answer.corrections.is_empty() {
        let message = format!("there is no correction {wanted} to pick");
        let count = answer.corrections.len();
        return Err(Diagnostic::error(codes::NO_SUCH_CORRECTION, message)
            .help(format!("there are {count}, numbered from 1")));
    }
    Ok(picked)
}
