//! What was found about each property of a design.

use crate::report::Verdict;
use crate::run::Run;
use crate::source::record::PlaceRecord;
use serde::Serialize;
use std::fmt::Write;
use std::time::Duration;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PropertyResult {
    pub name: String,
    /// Whether some run should show it; otherwise all runs have to keep it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_cover: bool,
    /// PASS, FAIL or UNKNOWN.
    #[cfg_attr(test, schemars(schema_with = "verdict_schema"))]
    pub verdict: Verdict,
    /// Whether the reset that was played first stays off (`once`) or may come again at any
    /// time (`again`); nothing if none was played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reset: Option<ResetWord>,
    /// Who has found the verdict: decision diagrams or the solver for satisfiability; nothing
    /// if it is not known, or for what is judged on infinite runs only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<EngineWord>,
    /// Why it says nothing although it holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vacuous: Option<VacuousWord>,
    /// Why it is not known.
    pub reason: Option<String>,
    pub place: Option<PlaceRecord>,
    /// How long it took to decide it; on pages only, since it is another one in each run.
    #[serde(skip)]
    pub time: Option<Duration>,
    /// A run that violates it, or one that covers it.
    pub trace: Option<Run>,
}

/// Under which reset a property was judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ResetWord {
    Once,
    Again,
}

/// Who has found a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum EngineWord {
    Bdd,
    Sat,
}

/// Why a property that holds says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum VacuousWord {
    /// The left side of the implication is never true.
    Antecedent,
    /// Every design keeps it.
    Tautology,
}

impl ResetWord {
    fn text(self) -> &'static str {
        match self {
            ResetWord::Once => "reset once",
            ResetWord::Again => "reset again",
        }
    }
}

#[cfg(test)]
fn verdict_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    let verdicts = [Verdict::Pass, Verdict::Fail, Verdict::Unknown];
    schemars::json_schema!({ "enum": verdicts })
}

impl PropertyResult {
    /// What its trace shows.
    pub fn outcome(&self) -> &'static str {
        if self.is_cover { "is covered" } else { "fails" }
    }
}

/// The verdict on all of them together.
pub fn overall(properties: &[PropertyResult]) -> Verdict {
    let any = |wanted: Verdict| properties.iter().any(|property| property.verdict == wanted);
    if any(Verdict::Fail) {
        Verdict::Fail
    } else if any(Verdict::Unknown) {
        Verdict::Unknown
    } else {
        Verdict::Pass
    }
}

/// A line for each property, then the counterexamples.
pub fn text(properties: &[PropertyResult]) -> String {
    let verdicts = properties
        .iter()
        .map(|property| property.verdict.word().len());
    let verdict_width = verdicts.max().unwrap_or(0);
    let names = properties
        .iter()
        .map(|property| property.name.chars().count());
    let name_width = names.max().unwrap_or(0);
    let mut text = String::new();
    for property in properties {
        let verdict = property.verdict.word();
        let mut line = format!("{verdict:verdict_width$}  {:<name_width$}", property.name);
        if let Some(place) = &property.place {
            let _ = write!(line, "  {}", place.text());
        }
        if let Some(trace) = &property.trace {
            let _ = write!(line, "  {}", trace.shape());
        }
        if let (Some(reset), Verdict::Pass) = (property.reset, property.verdict) {
            let _ = write!(line, "  {}", reset.text());
        }
        if property.vacuous.is_some() {
            line.push_str("  vacuous");
        }
        if let Some(reason) = &property.reason {
            let _ = write!(line, "  {reason}");
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    for property in properties {
        if let Some(trace) = &property.trace {
            let _ = write!(
                text,
                "\n{} {} {}:\n{}",
                property.name,
                property.outcome(),
                trace.shape(),
                trace.table()
            );
        }
    }
    text
}
