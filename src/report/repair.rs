//! What `respin repair` found.

use super::correction::{self, Correction};
use super::property::{self, PropertyResult};
use super::recorded::{self, RecordedResult};
use crate::certify::Certified;
use crate::certify::apart::Apart;
use crate::design::ValueNames;
use crate::run::Run;
use crate::source::record::PlaceRecord;
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
    /// Where a change can mend failing runs, if no correction is known.
    pub places: Vec<PlaceOfFault>,
    /// What this is about, if only some places were looked at.
    pub part: Option<PartOfRepair>,
    /// Inputs on which alternatives differ.
    pub apart: Vec<ApartRecord>,
    /// Runs of the design as it is, by the name of the property that they violate. They are
    /// written to files only.
    pub traces: Vec<(String, Run)>,
    /// The number of the correction that was asked for.
    pub pick: Option<usize>,
    /// What values of signals are called, for pages.
    pub value_names: ValueNames,
}

/// What failing runs say of a place in a source. It is no correction, and not about all runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PlaceOfFault {
    #[serde(flatten)]
    pub place: PlaceRecord,
    /// `rhs`, `condition` or `label`.
    pub kind: &'static str,
    /// What stands there.
    pub text: String,
    /// The failing runs that were looked at, and how many of them other values there mend.
    pub runs: usize,
    pub mended: usize,
    /// In how many steps of a run, at most, the value has to change, and how many bits.
    pub steps: usize,
    pub bits: usize,
}

/// What a part of a repair was about. Places are numbered from 1 in the order of the design.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PartOfRepair {
    /// Which parts, from 1, of how many.
    pub parts: Vec<usize>,
    pub of: usize,
    /// How many places were looked at, and how many the design has.
    pub looked_at: usize,
    pub places: usize,
    /// The places where corrections are, vacuous ones included.
    pub found: Vec<usize>,
    /// Whether no circuit with these ports keeps the properties, whichever place is changed.
    pub hopeless: bool,
    /// Whether places are those of the netlist that Yosys made of a source.
    pub of_netlist: bool,
}

impl PartOfRepair {
    /// What was looked at, in words.
    pub fn note(&self) -> String {
        let name = match self.parts.as_slice() {
            [part] if self.of < self.places => format!("part {part} of {}: ", self.of),
            _ => String::new(),
        };
        let (looked_at, places) = (self.looked_at, self.places);
        format!("{name}{looked_at} of {places} places were looked at, one at a time")
    }
}

/// Places that are shown to people.
const MOST_PLACES: usize = 12;

/// The places as a table.
fn table(places: &[PlaceOfFault]) -> String {
    let mut rows = vec![["place", "mends", "steps", "bits", "", ""].map(String::from)];
    for one in places.iter().take(MOST_PLACES) {
        rows.push([
            one.place.line_text(),
            format!("{} of {}", one.mended, one.runs),
            one.steps.to_string(),
            one.bits.to_string(),
            one.kind.to_string(),
            format!("`{}`", one.text),
        ]);
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..6).map(|column| width(column).unwrap_or(0)).collect();
    let mut text =
        String::from("\nplaces where other values mend failing runs, the likeliest first\n");
    for row in &rows {
        let cells = row.iter().zip(&widths).enumerate();
        let cells = cells.map(|(column, (cell, width))| match column {
            2 | 3 => format!("{cell:>width$}"),
            _ => format!("{cell:<width$}"),
        });
        let line = cells.collect::<Vec<_>>().join("  ");
        let _ = writeln!(text, "  {}", line.trim_end());
    }
    if places.len() > MOST_PLACES {
        let more = places.len() - MOST_PLACES;
        let _ = writeln!(text, "  and {more} more; `--format json` lists all");
    }
    text
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
    /// The number of the correction that is shown first.
    pub(super) fn picked(&self) -> Option<usize> {
        let mut corrections = self.corrections.iter();
        let best = corrections.find(|one| !one.vacuous);
        let best = best.or(self.corrections.first()).map(|one| one.number);
        let is_listed = |number: &usize| self.corrections.iter().any(|one| one.number == *number);
        self.pick.filter(is_listed).or(best)
    }

    pub(super) fn text(&self) -> String {
        let mut text = property::text(&self.properties) + &recorded::text(&self.recorded);
        if !self.corrections.is_empty() {
            text.push('\n');
            text.push_str(&correction::text(&self.corrections));
        }
        if !self.places.is_empty() {
            text.push_str(&table(&self.places));
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
