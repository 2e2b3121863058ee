//! From what became of mutants to a report.

use super::verify::{is_held, judge_reset};
use crate::certify::{Certified, Fails};
use crate::mutate::{Fate, Mutant, MutateAnswer};
use crate::report::correction::Edit;
use crate::report::diff::unified;
use crate::report::mutate::{
    FateWord, MutantCounts, MutantRecord, MutateReport, Mutation, OutputDifference, PropertyScore,
};
use crate::report::{Body, Report};
use crate::run::{Run, SignalKind};
use crate::source::record::PlaceRecord;
use crate::subject::Subject;

/// What the names of the original's outputs begin with.
const ORIGINAL: &str = "reference.";

/// All mutants killed is PASS, a survivor FAIL. Each of these rests on answers that were
/// certified: runs that were replayed, and proofs that outputs are equal.
pub fn report(answer: &MutateAnswer, subject: &Subject) -> Report {
    let mutation = mutation(answer, subject);
    let counts = mutation.counts;
    let reason = match &answer.stopped {
        Some(error) => format!("{}; {error}", mutation.sentence()),
        None => mutation.sentence(),
    };
    let survivor = answer.mutants.iter().find_map(|one| match &one.fate {
        Fate::Survived { difference, .. } => Some(difference),
        _ => None,
    });
    let report = match survivor {
        Some(difference) => Report::fail(difference),
        None if counts.unknown + counts.left > 0 => Report::unknown(""),
        None => {
            let killed = answer.mutants.iter().filter_map(|one| match &one.fate {
                Fate::Killed { first, .. } => Some(first),
                _ => None,
            });
            let equal = answer.mutants.iter().filter_map(|one| match &one.fate {
                Fate::Equivalent(holds) => Some(holds),
                _ => None,
            });
            Report::all_killed(killed.collect(), equal.collect())
        }
    };
    let mut report = report.because(reason).with(Body::Mutate(MutateReport {
        mutation,
        value_names: subject.design.value_names().clone(),
    }));
    let warnings = subject
        .warnings
        .iter()
        .map(|warning| match is_held(warning) {
            true => warning.clone().note(
                "mutants were compared with the design in this reset only, so most of them make no \
             difference, and the scores say nothing of the properties",
            ),
            false => warning.clone(),
        });
    report.diagnostics.extend(warnings);
    judge_reset(report, subject)
}

fn mutation(answer: &MutateAnswer, subject: &Subject) -> Mutation {
    let mut counts = MutantCounts {
        left: answer.left,
        elsewhere: answer.elsewhere,
        ..MutantCounts::default()
    };
    let mut properties: Vec<PropertyScore> = Vec::new();
    for index in &answer.properties {
        let property = &subject.spec.properties[*index];
        properties.push(PropertyScore {
            name: property.name.clone(),
            place: property
                .span
                .map(|span| PlaceRecord::new(span, &subject.sources)),
            kills: 0,
            alone: 0,
        });
    }
    let mut mutants = Vec::new();
    for mutant in &answer.mutants {
        counts.mutants += 1;
        match &mutant.fate {
            Fate::Killed { by, .. } => {
                counts.killed += 1;
                for (position, index) in answer.properties.iter().enumerate() {
                    if by.contains(index) {
                        properties[position].kills += 1;
                        properties[position].alone += usize::from(by.len() == 1);
                    }
                }
            }
            Fate::Survived { .. } => counts.survived += 1,
            Fate::Equivalent(_) => counts.equivalent += 1,
            Fate::Unknown(_) => counts.unknown += 1,
            Fate::Unreadable => {
                counts.mutants -= 1;
                counts.unreadable += 1;
                continue;
            }
        }
        mutants.push(record(mutant, subject));
    }
    Mutation {
        counts,
        properties,
        mutants,
    }
}

fn record(mutant: &Mutant, subject: &Subject) -> MutantRecord {
    let changes = mutant.changes.iter();
    let mut record = MutantRecord {
        number: mutant.number,
        edits: changes
            .map(|change| Edit::new(change, &subject.sources))
            .collect(),
        diff: diff(mutant, subject),
        fate: FateWord::Unknown,
        killed_by: Vec::new(),
        differs: Vec::new(),
        blocks_assumptions: false,
        reason: None,
        trace: None,
    };
    let run = |fails: &Certified<Fails>| fails.run.clone();
    match &mutant.fate {
        Fate::Killed { by, first } => {
            record.fate = FateWord::Killed;
            let names = by.iter().map(|index| &subject.spec.properties[*index].name);
            record.killed_by = names.cloned().collect();
            record.trace = run(first);
        }
        Fate::Survived { difference, blocks } => {
            record.fate = FateWord::Survived;
            record.blocks_assumptions = *blocks;
            record.trace = run(difference);
            record.differs = record.trace.as_ref().map_or(Vec::new(), differing);
        }
        Fate::Equivalent(_) => record.fate = FateWord::Equivalent,
        Fate::Unknown(reason) => record.reason = Some(reason.clone()),
        Fate::Unreadable => {}
    }
    record
}

fn diff(mutant: &Mutant, subject: &Subject) -> String {
    let files = mutant.patch.files.keys().filter_map(|file| {
        let before = subject.sources.file(*file);
        Some(unified(
            &before.name,
            &before.text,
            mutant.patch.text(*file)?,
        ))
    });
    files.collect()
}

/// Outputs that differ from those of the original in the last step.
fn differing(run: &Run) -> Vec<OutputDifference> {
    let last = run.steps.saturating_sub(1);
    let originals = run.signals.iter().filter_map(|signal| {
        let output = signal.name.strip_prefix(ORIGINAL)?;
        let own = run.signals.iter().find(|one| {
            let is_output = one.kind != SignalKind::Condition;
            is_output && base(&one.name) == base(output)
        })?;
        let (original, mutant) = (signal.digits(last), own.digits(last));
        (original != mutant).then(|| OutputDifference {
            output: base(output).to_string(),
            original,
            mutant,
        })
    });
    originals.collect()
}

/// A name without its range.
fn base(name: &str) -> &str {
    name.split('[').next().unwrap_or(name)
}
