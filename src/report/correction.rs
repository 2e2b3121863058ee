//! Corrections of a design, as they are offered.

use crate::certify::Certified;
use crate::certify::recorded::Plausible;
use crate::design::{Change, Kind, Patch};
use crate::run::Run;
use crate::source::Sources;
use crate::source::record::PlaceRecord;
use serde::Serialize;
use std::fmt::Write;

/// One way to repair a design.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Correction {
    /// Stays the same when others are rejected.
    pub number: usize,
    pub edits: Vec<Edit>,
    /// Other places where the same can be had.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// What lived before and does not any more, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub disables: Vec<String>,
    /// What it changes, in a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effect: Option<String>,
    /// Registers that it adds.
    #[serde(skip_serializing_if = "is_zero")]
    pub added_registers: usize,
    /// It keeps the environment from meeting its assumptions, so it is no repair.
    #[serde(skip_serializing_if = "is_false")]
    pub vacuous: bool,
    /// The edit as a unified diff. This and the runs are there if a page is made of them.
    #[serde(skip)]
    pub diff: Option<String>,
    /// The names of the files that it changes, and their new texts; for editors.
    #[serde(skip)]
    pub texts: Vec<(String, String)>,
    /// With the inputs of failing runs, by the name of the property: what the corrected design
    /// does.
    #[serde(skip)]
    pub runs: Vec<(String, Run)>,
}

/// A component and what replaces it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Edit {
    pub component: String,
    pub kind: Kind,
    pub place: Option<PlaceRecord>,
    /// One expression for each bit, least significant first.
    pub before: Vec<String>,
    pub after: Vec<String>,
}

impl Correction {
    /// A correction that was certified, with others that have the same effect.
    pub fn new(
        number: usize,
        patch: &Certified<Patch>,
        also: &[Certified<Patch>],
        vacuous: bool,
        effect: (Vec<String>, Option<String>),
        sources: &Sources,
    ) -> Correction {
        let (disables, effect) = effect;
        let edits = patch
            .changes
            .iter()
            .map(|change| Edit::new(change, sources));
        Correction {
            number,
            edits: edits.collect(),
            also: also.iter().map(|one| summary(one, sources)).collect(),
            disables,
            effect,
            added_registers: patch.added_registers,
            vacuous,
            diff: None,
            texts: Vec::new(),
            runs: Vec::new(),
        }
    }
}

impl Correction {
    /// A correction that fits recorded runs.
    pub fn plausible(
        number: usize,
        patch: &Certified<Plausible>,
        disables: Vec<String>,
        sources: &Sources,
    ) -> Correction {
        let changes = patch.patch.changes.iter();
        Correction {
            number,
            edits: changes.map(|change| Edit::new(change, sources)).collect(),
            also: Vec::new(),
            disables,
            effect: None,
            added_registers: 0,
            vacuous: false,
            diff: None,
            texts: Vec::new(),
            runs: Vec::new(),
        }
    }
}

impl Edit {
    pub(super) fn new(change: &Change, sources: &Sources) -> Edit {
        Edit {
            component: change.component.clone(),
            kind: change.kind,
            place: change.span.map(|span| PlaceRecord::new(span, sources)),
            before: change.before.clone(),
            after: change.after.clone(),
        }
    }
}

/// A patch in a few words: where it is, and what stands there.
fn summary(patch: &Patch, sources: &Sources) -> String {
    let changes: Vec<String> = patch
        .changes
        .iter()
        .map(|change| match change.span {
            Some(span) if change.is_text => {
                let after = change.after.join(" ");
                format!("{} `{after}`", PlaceRecord::new(span, sources).line_text())
            }
            _ => format!("{} {}", change.kind.word(), change.component),
        })
        .collect();
    if patch.changes.iter().all(|change| change.is_text) {
        changes.join(" and ")
    } else {
        changes.join(" + ")
    }
}

fn is_false(value: &bool) -> bool {
    !value
}

fn is_zero(value: &usize) -> bool {
    *value == 0
}

/// A numbered list.
pub fn text(corrections: &[Correction]) -> String {
    let mut text = String::new();
    for correction in corrections {
        for (index, edit) in correction.edits.iter().enumerate() {
            let number = match index {
                0 => format!("{:>3}. ", correction.number),
                _ => "   + ".to_string(),
            };
            let place = match &edit.place {
                Some(place) => format!(" ({})", place.text()),
                None => String::new(),
            };
            let component = if edit.component.is_empty() {
                String::new()
            } else {
                format!(" {}", edit.component)
            };
            let kind = edit.kind.word();
            let _ = writeln!(text, "{number}{kind}{component}{place}");
            let width = edit.before.len();
            for (bit, (before, after)) in edit.before.iter().zip(&edit.after).enumerate() {
                let bit = match width {
                    1 => String::new(),
                    _ => format!("bit {bit} "),
                };
                let _ = writeln!(text, "     {bit}is now      {before}");
                let _ = writeln!(text, "     {bit}should be   {after}");
            }
        }
        if !correction.disables.is_empty() {
            let disables = correction.disables.join(", ");
            let _ = writeln!(text, "     disables the design: {disables}");
        }
        if let Some(effect) = &correction.effect {
            let _ = writeln!(text, "     {effect}");
        }
        if !correction.also.is_empty() {
            let _ = writeln!(text, "     same effect: {}", correction.also.join(", "));
        }
        if correction.added_registers > 0 {
            let _ = writeln!(
                text,
                "     with {} added register{}",
                correction.added_registers,
                if correction.added_registers == 1 {
                    ""
                } else {
                    "s"
                }
            );
        }
        if correction.vacuous {
            text.push_str("     vacuous: the assumptions can then be forced to fail\n");
        }
    }
    text
}
