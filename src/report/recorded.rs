//! What was found about each recorded run.

use crate::certify::Certified;
use crate::certify::recorded::{CauseKind, Differs, Fits};
use crate::report::{PropertyResult, Verdict};
use crate::run::Run;
use serde::Serialize;
use std::fmt::Write;

/// A recorded run, and whether the design shows its values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RecordedResult {
    pub file: String,
    /// How many cycles fit, and how many values were compared in them; of a run that does not
    /// fit, nothing is counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycles: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<usize>,
    /// How many of 64 drawn choices of unknown values show all values; all do if it is not said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draws: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<DifferenceRecord>,
    /// The last cycles up to the difference, as the design shows them.
    #[serde(skip)]
    pub run: Option<Run>,
}

/// The first value that the design does not show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DifferenceRecord {
    pub cycle: usize,
    pub signal: String,
    /// What was recorded, as a number of Verilog.
    pub expected: String,
    /// What the design shows; `x` where that depends on unknown values.
    pub actual: String,
    /// The nearest signals that brought it about.
    pub causes: Vec<CauseRecord>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CauseRecord {
    pub cycle: usize,
    pub signal: String,
    pub value: String,
    pub kind: CauseWord,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CauseWord {
    Input,
    Register,
    /// A register without an initial value, not written yet.
    NeverWritten,
    Wire,
}

impl CauseWord {
    pub(super) fn text(self) -> &'static str {
        match self {
            CauseWord::Input => "input",
            CauseWord::Register => "register",
            CauseWord::NeverWritten => "register, never written",
            CauseWord::Wire => "signal",
        }
    }
}

impl RecordedResult {
    /// Runs that fit, one result for each.
    pub fn of_fits(fits: &Certified<Fits>) -> Vec<RecordedResult> {
        let results = fits.recordings.iter().map(|one| RecordedResult {
            file: one.name.clone(),
            cycles: Some(one.cycles),
            values: Some(one.values),
            draws: one.draws,
            difference: None,
            run: None,
        });
        results.collect()
    }

    /// A run that does not fit.
    pub fn of_difference(differs: &Certified<Differs>) -> RecordedResult {
        let causes = differs.causes.iter().map(|cause| CauseRecord {
            cycle: cause.cycle,
            signal: cause.signal.clone(),
            value: cause.value.clone(),
            kind: match cause.kind {
                CauseKind::Input => CauseWord::Input,
                CauseKind::Register => CauseWord::Register,
                CauseKind::NeverWritten => CauseWord::NeverWritten,
                CauseKind::Wire => CauseWord::Wire,
            },
        });
        RecordedResult {
            file: differs.recording.clone(),
            cycles: None,
            values: None,
            draws: None,
            difference: Some(DifferenceRecord {
                cycle: differs.cycle,
                signal: differs.signal.clone(),
                expected: differs.expected.clone(),
                actual: differs.actual.clone(),
                causes: causes.collect(),
            }),
            run: Some(differs.run.clone()),
        }
    }

    /// The line among those of properties.
    pub fn as_property(&self) -> PropertyResult {
        let (verdict, reason) = match &self.difference {
            Some(difference) => (Verdict::Fail, difference.text()),
            None => {
                let (cycles, values) = (self.cycles.unwrap_or(0), self.values.unwrap_or(0));
                let draws = self.draws.map_or(String::new(), |draws| {
                    format!(", for {draws} of 64 choices of unknown values")
                });
                (
                    Verdict::Pass,
                    format!("{values} values in {cycles} cycles{draws}"),
                )
            }
        };
        PropertyResult {
            engine: None,
            name: self.file.clone(),
            is_cover: false,
            verdict,
            reset: None,
            vacuous: None,
            reason: Some(reason),
            place: None,
            time: None,
            trace: None,
        }
    }
}

impl DifferenceRecord {
    fn text(&self) -> String {
        let (cycle, signal) = (self.cycle, &self.signal);
        let (actual, expected) = (&self.actual, &self.expected);
        format!("in cycle {cycle}, {signal} is {actual}, and {expected} was recorded")
    }
}

/// What brought differences about.
pub fn text(results: &[RecordedResult]) -> String {
    let mut text = String::new();
    for result in results {
        let Some(difference) = &result.difference else {
            continue;
        };
        let _ = writeln!(text, "\n{} differs {}", result.file, difference.text());
        let causes = &difference.causes;
        let widest = causes.iter().map(|one| one.cycle.to_string().len()).max();
        let width = widest.unwrap_or(0);
        for cause in causes {
            let (cycle, kind) = (cause.cycle, cause.kind.text());
            let (signal, value) = (&cause.signal, &cause.value);
            let _ = writeln!(
                text,
                "  cycle {cycle:>width$}: {signal} is {value} ({kind})"
            );
        }
    }
    text
}
