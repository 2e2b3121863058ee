//! What `respin mutate` found: which mutants the properties notice, and which they do not.

use super::correction::Edit;
use super::words::words;
use crate::design::ValueNames;
use crate::run::Run;
use crate::source::record::PlaceRecord;
use serde::Serialize;
use std::fmt::Write;

/// Survivors that a text lists, and how many of them with their runs.
const MOST_LISTED: usize = 40;
const MOST_SHOWN: usize = 10;

words! {
    /// What became of a mutant.
    pub enum FateWord {
        /// A property fails.
        Killed = "killed",
        /// No property fails, and outputs differ from those of the original.
        Survived = "survived",
        /// It was proved that no output ever differs.
        Equivalent = "equivalent",
        /// It was not decided.
        Unknown = "unknown",
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MutateReport {
    pub mutation: Mutation,
    /// What values of signals are called, for pages.
    pub value_names: ValueNames,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Mutation {
    pub counts: MutantCounts,
    /// The score of each property, in the order of the specification.
    pub properties: Vec<PropertyScore>,
    pub mutants: Vec<MutantRecord>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MutantCounts {
    /// All that are designs.
    pub mutants: usize,
    pub killed: usize,
    pub survived: usize,
    pub equivalent: usize,
    pub unknown: usize,
    /// Edits after which the text is no design, or none that can stand in its place.
    pub unreadable: usize,
    /// Mutants that were not looked at, since a limit was reached.
    pub left: usize,
    /// Edits that other parts of the work look at.
    pub elsewhere: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PropertyScore {
    pub name: String,
    pub place: Option<PlaceRecord>,
    /// Mutants on which it fails.
    pub kills: usize,
    /// Those on which no other property fails.
    pub alone: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MutantRecord {
    /// The same in each part of a campaign.
    pub number: usize,
    pub edits: Vec<Edit>,
    /// What it changes, as a unified diff.
    pub diff: String,
    pub fate: FateWord,
    /// The properties that fail.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub killed_by: Vec<String>,
    /// Outputs that differ in the last step of the run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub differs: Vec<OutputDifference>,
    /// Whether assumptions cannot be kept any more; the run breaks them.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub blocks_assumptions: bool,
    /// Why it was not decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The run on which a survivor differs from the original, whose outputs begin with
    /// `reference.`; or a run on which the first property fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<Run>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OutputDifference {
    pub output: String,
    /// In binary.
    pub original: String,
    pub mutant: String,
}

impl MutantRecord {
    /// Where it is and what it changes, in lines.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (index, edit) in self.edits.iter().enumerate() {
            let number = match index {
                0 => format!("{:>4}. ", self.number),
                _ => "    + ".to_string(),
            };
            let place = match &edit.place {
                Some(place) => format!(" ({})", place.text()),
                None => String::new(),
            };
            let _ = writeln!(text, "{number}{}{place}", edit.kind.word());
            let _ = writeln!(text, "      original   {}", edit.before.join(" "));
            let _ = writeln!(text, "      mutant     {}", edit.after.join(" "));
        }
        text
    }

    /// How it differs from the original, in a sentence without a full stop.
    pub fn difference(&self) -> Option<String> {
        let run = self
            .trace
            .as_ref()
            .filter(|_| self.fate == FateWord::Survived)?;
        let differing = self.differs.iter().map(|one| {
            format!(
                "{} is {} in place of {}",
                one.output, one.mutant, one.original
            )
        });
        let differing: Vec<String> = differing.collect();
        let mut text = format!("{}: {}", run.shape(), differing.join(", "));
        if self.blocks_assumptions {
            text.push_str("; assumptions cannot be kept any more, and are broken there");
        }
        Some(text)
    }
}

impl Mutation {
    pub fn sentence(&self) -> String {
        let counts = &self.counts;
        let able = counts.mutants - counts.equivalent;
        let mut text = match able {
            0 => "no mutant differs from the original".to_string(),
            _ => format!(
                "{} of {able} mutants killed ({} %)",
                counts.killed,
                counts.killed * 100 / able
            ),
        };
        let others = [
            (counts.survived, "survived"),
            (counts.unknown, "undecided"),
            (counts.equivalent, "equivalent to the original"),
            (counts.left, "not looked at"),
        ];
        for (count, what) in others {
            if count > 0 {
                let _ = write!(text, ", {count} {what}");
            }
        }
        text
    }

    /// The names of properties without which the same mutants are killed, each for itself; none
    /// as long as there are mutants that were not looked at.
    pub fn unneeded(&self) -> Vec<&str> {
        if self.counts.left + self.counts.elsewhere > 0 {
            return Vec::new();
        }
        let unneeded = self.properties.iter().filter(|one| one.alone == 0);
        unneeded.map(|one| one.name.as_str()).collect()
    }

    pub fn with_fate(&self, fate: FateWord) -> impl Iterator<Item = &MutantRecord> {
        self.mutants.iter().filter(move |one| one.fate == fate)
    }

    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        let survivors: Vec<&MutantRecord> = self.with_fate(FateWord::Survived).collect();
        for (index, mutant) in survivors.iter().take(MOST_LISTED).enumerate() {
            if index == 0 {
                text.push_str("\nsurvived: no property notices\n");
            }
            text.push_str(&mutant.text());
            if let Some(difference) = mutant.difference() {
                let _ = writeln!(text, "      differs    {difference}");
            }
            if let (true, Some(run)) = (index < MOST_SHOWN, &mutant.trace) {
                text.push_str(&run.table());
            }
        }
        if survivors.len() > MOST_LISTED {
            let more = survivors.len() - MOST_LISTED;
            let _ = writeln!(text, "and {more} more; `--format json` lists all");
        }
        for (index, mutant) in self.with_fate(FateWord::Unknown).enumerate() {
            if index == 0 {
                text.push_str("\nundecided:\n");
            }
            text.push_str(&mutant.text());
            let reason = mutant.reason.as_deref().unwrap_or_default();
            let _ = writeln!(text, "      {reason}");
        }
        text.push_str(&self.scores());
        text
    }

    fn scores(&self) -> String {
        let width = self.properties.iter().map(|one| one.name.chars().count());
        let width = width.max().unwrap_or(0).max("property".len());
        let mut text = format!("\n{:<width$}  {:>6} {:>6}\n", "property", "kills", "alone");
        for one in &self.properties {
            let _ = writeln!(
                text,
                "{:<width$}  {:>6} {:>6}",
                one.name, one.kills, one.alone
            );
        }
        let unneeded = self.unneeded();
        if !unneeded.is_empty() {
            let verb = if unneeded.len() == 1 { "kills" } else { "kill" };
            let _ = writeln!(
                text,
                "{} {verb} nothing that others do not",
                unneeded.join(", ")
            );
        }
        text
    }
}
