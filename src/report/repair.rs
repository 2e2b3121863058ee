//! What `respin repair` found.

use super::correction::{self, Correction};
use super::property::{self, PropertyResult};
use super::recorded::{self, RecordedResult};
use crate::certify::Certified;
use crate::certify::apart::Apart;
use crate::run::Run;
use serde::Serialize;
use std::fmt::Write;

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
    /// Inputs on which alternatives differ.
    pub apart: Vec<ApartRecord>,
    /// Runs of the design as it is, by the name of the property that they violate. They are
    /// written to files only.
    pub traces: Vec<(String, Run)>,
}

/// Inputs that tell two corrections apart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ApartRecord {
    /// The numbers of the corrections.
    pub corrections: (usize, usize),
    /// What the two show in the last cycle.
    pub outputs: Vec<(String, String, String)>,
    /// The inputs of each cycle as a table.
    pub csv: String,
    /// The same as statements of a Verilog test bench.
    pub verilog: String,
}

impl ApartRecord {
    pub fn new(first: usize, second: usize, apart: &Certified<Apart>) -> ApartRecord {
        ApartRecord {
            corrections: (first, second),
            outputs: apart.outputs.clone(),
            csv: apart.csv(),
            verilog: apart.verilog(),
        }
    }

    fn text(&self) -> String {
        let (first, second) = self.corrections;
        let mut text = format!("\ncorrections {first} and {second} differ after these inputs:\n");
        for line in self.csv.lines() {
            let _ = writeln!(text, "  {line}");
        }
        for (name, one, two) in &self.outputs {
            let _ = writeln!(
                text,
                "  then {name} is {one} with {first}, and {two} with {second}"
            );
        }
        text.push_str("as statements of a test bench:\n");
        for line in self.verilog.lines() {
            let _ = writeln!(text, "  {line}");
        }
        text
    }
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
            return self.apart.iter().map(ApartRecord::text).collect();
        };
        let (property, shape) = (&play.property, play.trace.shape());
        let table = play.trace.table();
        format!("\nso {property} fails {shape}, for one:\n{table}")
    }
}
