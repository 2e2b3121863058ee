//! What `respin repair` found.

use super::correction::{self, Correction};
use super::property::{self, PropertyResult};
use super::recorded::{self, RecordedResult};
use crate::run::Run;
use serde::Serialize;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RepairReport {
    /// What was found about each property of the design as it is.
    pub properties: Vec<PropertyResult>,
    /// What was found about each recorded run and the design as it is.
    pub recorded: Vec<RecordedResult>,
    /// Ways to repair the design, the best first.
    pub corrections: Vec<Correction>,
    /// The edit of the best one, as a unified diff.
    pub diff: Option<String>,
    /// How the environment wins though all suspects are replaced at once.
    pub counterplay: Option<Counterplay>,
    /// Runs of the design as it is, by the name of the property that they violate. They are
    /// written to files only.
    pub traces: Vec<(String, Run)>,
}

/// One run of a strategy of the environment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Counterplay {
    /// The property that it breaks.
    pub property: String,
    pub trace: Run,
}

impl RepairReport {
    pub(super) fn text(&self) -> String {
        let mut text = property::text(&self.properties) + &recorded::text(&self.recorded);
        if !self.corrections.is_empty() {
            text.push('\n');
            text.push_str(&correction::text(&self.corrections));
        }
        if let Some(diff) = &self.diff {
            text.push('\n');
            text.push_str(diff);
        }
        text
    }

    /// The counterplay follows the note that announces it.
    pub(super) fn text_after_notes(&self) -> String {
        let Some(play) = &self.counterplay else {
            return String::new();
        };
        let (property, shape) = (&play.property, play.trace.shape());
        let table = play.trace.table();
        format!("\nso {property} fails {shape}, for one:\n{table}")
    }
}
