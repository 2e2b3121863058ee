//! What a command has to tell beside its verdict: one variant for each kind of command.

use super::{
    CampaignReport, Correction, Explanation, MutateReport, PropertyResult, RecordedResult,
    RepairReport, Specification, VerifyReport,
};
use crate::run::Run;

/// The results of a command that only it has.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Body {
    /// Nothing: an error, or a limit that was reached before there was a result.
    #[default]
    Nothing,
    /// A page, a script, or a file in another format.
    Text(String),
    Verify(VerifyReport),
    Repair(RepairReport),
    Check(Specification),
    Explain(Box<Explanation>),
    /// The text of a circuit; nothing if it was written to a file.
    Synth(Option<String>),
    Play(Transcript),
    Simulate(Transcript),
    Mutate(MutateReport),
    Campaign(CampaignReport),
}

/// A play or a simulation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transcript {
    /// What was said, or the steps in the form in which they can be edited.
    pub text: String,
    pub run: Run,
}

impl Body {
    /// The text that the command made, if that is its result.
    pub fn output(&self) -> Option<&str> {
        match self {
            Body::Text(text) => Some(text),
            Body::Play(transcript) | Body::Simulate(transcript) => Some(&transcript.text),
            Body::Synth(text) => text.as_deref(),
            Body::Nothing
            | Body::Verify(_)
            | Body::Repair(_)
            | Body::Check(_)
            | Body::Explain(_)
            | Body::Mutate(_)
            | Body::Campaign(_) => None,
        }
    }

    /// What was found about each property of a design.
    pub fn properties(&self) -> &[PropertyResult] {
        match self {
            Body::Verify(verify) => &verify.properties,
            Body::Repair(repair) => &repair.properties,
            _ => &[],
        }
    }

    /// What was found about each recorded run.
    pub fn recorded(&self) -> &[RecordedResult] {
        match self {
            Body::Verify(verify) => &verify.recorded,
            Body::Repair(repair) => &repair.recorded,
            _ => &[],
        }
    }

    /// Ways to repair a design, the best first.
    pub fn corrections(&self) -> &[Correction] {
        match self {
            Body::Repair(repair) => &repair.corrections,
            _ => &[],
        }
    }

    /// Runs by the name of the property that they violate or cover, or of what was done, for
    /// files.
    pub fn traces(&self) -> Vec<(&str, &Run)> {
        match self {
            Body::Verify(verify) => verify.traces().collect(),
            Body::Repair(repair) => {
                let traces = repair.traces.iter();
                traces.map(|(name, run)| (name.as_str(), run)).collect()
            }
            Body::Play(transcript) => vec![("play", &transcript.run)],
            Body::Simulate(transcript) => vec![("simulation", &transcript.run)],
            _ => Vec::new(),
        }
    }

    /// The part of the text that other programs read, byte by byte.
    pub fn exact_text(&self) -> Option<&str> {
        match self {
            Body::Text(text) => Some(text),
            Body::Synth(text) => text.as_deref(),
            Body::Repair(repair) => repair.diff.as_deref(),
            _ => None,
        }
    }

    /// What people see before the notes.
    pub(super) fn text(&self) -> String {
        match self {
            Body::Nothing => String::new(),
            Body::Text(text) => text.clone(),
            Body::Play(transcript) | Body::Simulate(transcript) => transcript.text.clone(),
            Body::Synth(text) => text.clone().unwrap_or_default(),
            Body::Verify(verify) => verify.text(),
            Body::Repair(repair) => repair.text(),
            Body::Check(specification) => specification.text(),
            Body::Explain(explanation) => explanation.text(),
            Body::Mutate(mutate) => mutate.mutation.text(),
            Body::Campaign(campaign) => campaign.text(),
        }
    }

    /// What people see after them.
    pub(super) fn text_after_notes(&self) -> String {
        match self {
            Body::Repair(repair) => repair.text_after_notes(),
            _ => String::new(),
        }
    }
}
