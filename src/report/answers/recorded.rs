//! What a repair by recorded runs found, as a report.

use super::repair::{latches, part_of};
use crate::certify::recorded::Replay;
use crate::design::verilog::codes as verilog_codes;
use crate::repair::recorded::PlausibleCorrection;
use crate::repair::{RecordedAnswer, RecordedOutcome};
use crate::report::{
    ApartRecord, Body, Correction, PartOfRepair, RecordedResult, RepairReport, Report,
};
use crate::source::record::PlaceRecord;
use crate::subject::Subject;
use crate::trace::Recording;

/// The report on all that was found, with `best` as the correction that is offered.
pub fn report(
    answer: &RecordedAnswer,
    best: Option<&PlausibleCorrection>,
    recordings: &[Recording],
    subject: &Subject,
) -> Report {
    let mut body = RepairReport {
        value_names: subject.design.value_names().clone(),
        ..RepairReport::default()
    };
    add_replays(&mut body, &answer.before);
    let list = |one: &PlausibleCorrection| {
        let disabled = one.disabled.iter();
        let disabled = disabled.map(|what| format!("{what} on random runs"));
        Correction::plausible(one.number, &one.patch, disabled.collect(), &subject.sources)
    };
    body.corrections = answer.corrections.iter().map(list).collect();
    let apart = answer.apart.iter();
    let apart = apart.map(|(first, second, inputs)| ApartRecord::new(*first, *second, inputs));
    body.apart = apart.collect();
    body.part = answer.part.as_ref().map(|part| part_of(part, false));
    let mut report = match &answer.outcome {
        RecordedOutcome::NothingToRepair(fits) => {
            Report::fits(fits).because("the design shows every recorded value as it is")
        }
        RecordedOutcome::Plausible => plausible(answer, subject),
        RecordedOutcome::Unknown => Report::unknown(match answer.stopped {
            Some(error) => format!("no edit that fits was found before the end: {error}"),
            None => format!("none of {} edits fits the recorded runs", answer.tried),
        }),
    };
    report.notes = subject.notes.clone();
    report
        .notes
        .extend(body.part.as_ref().map(PartOfRepair::note));
    if let Some(best) = best {
        report.notes.push(fits_values(best));
        if let Some(error) = answer.stopped {
            report
                .notes
                .push(format!("the search ended early: {error}"));
        }
    }
    let warnings = subject.warnings.iter();
    let warnings = warnings.filter(|one| one.code != verilog_codes::NO_RESET);
    report.diagnostics = warnings.cloned().collect();
    report.diagnostics.extend(latches(subject, false));
    add_warnings(&mut report, recordings);
    report.with(Body::Repair(body))
}

fn add_warnings(report: &mut Report, recordings: &[Recording]) {
    let warnings = recordings.iter().flat_map(|one| one.warnings.iter());
    report.diagnostics.extend(warnings.cloned());
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

/// Adds the recorded runs that the corrections of a repair by properties fit as well.
pub fn add_runs(report: &mut Report, replays: &[Replay], recordings: &[Recording]) {
    if let Body::Repair(body) = &mut report.body {
        add_replays(body, replays);
        if !body.corrections.is_empty() {
            let note = "each correction listed fits every recorded value as well";
            report.notes.push(note.to_string());
        }
    }
    add_warnings(report, recordings);
}

fn plausible(answer: &RecordedAnswer, subject: &Subject) -> Report {
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
            let line = PlaceRecord::new(span, &subject.sources).line_text();
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
