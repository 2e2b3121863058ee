//! A report as JSON. `docs/report.schema.json` describes it.

use super::mutate::Mutation;
use super::{
    ApartRecord, Body, CampaignReport, Correction, Counterplay, Ending, Explanation, PartOfRepair,
    PlaceOfFault, PropertyResult, RecordedResult, Report, SCHEMA, Specification, Verdict,
};
use crate::run::Run;
use crate::source::Sources;
use crate::source::record::DiagnosticRecord;
use serde::Serialize;

/// The JSON document. The fields of all bodies stand side by side; those that a body does not
/// have are left out.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(
    test,
    schemars(
        title = "What respin --format json prints",
        description = "Version 1. Fields may be added within a version; the version changes when a field changes its meaning or goes away.",
        extend("$id" = "urn:respin:report:1")
    )
)]
pub(super) struct Document<'a> {
    #[cfg_attr(test, schemars(extend("const" = SCHEMA)))]
    schema: u32,
    /// The command that was run; null if the command line could not be read.
    command: Option<&'a str>,
    /// Null for a command that answers no question.
    verdict: Option<Word>,
    /// Why, in one sentence without a full stop.
    reason: Option<&'a str>,
    /// A text that the command made.
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    specification: Option<&'a Specification>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<&'a Explanation>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    properties: &'a [PropertyResult],
    /// What was found about each recorded run.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    recorded: &'a [RecordedResult],
    /// Ways to repair the design, the best first.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    corrections: &'a [Correction],
    /// The best correction as a unified diff.
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<&'a str>,
    /// Where other values mend failing runs, the likeliest places first, if no correction is
    /// known.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    places: &'a [PlaceOfFault],
    /// What a part of a repair was about.
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<&'a PartOfRepair>,
    /// Inputs that tell corrections apart which fit the same recorded runs.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    apart: &'a [ApartRecord],
    /// How the environment wins though all suspects are replaced at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    counterplay: Option<&'a Counterplay>,
    /// The steps of a play or a simulation.
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<&'a Run>,
    /// What became of the mutants of a design.
    #[serde(skip_serializing_if = "Option::is_none")]
    mutation: Option<&'a Mutation>,
    /// What the jobs of a campaign have found.
    #[serde(skip_serializing_if = "Option::is_none")]
    campaign: Option<&'a CampaignReport>,
    /// What else there is to know, one line each.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    notes: &'a [String],
    diagnostics: Vec<DiagnosticRecord>,
}

/// The verdict's word, or the one for an error.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
enum Word {
    Verdict(Verdict),
    Error(ErrorWord),
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
enum ErrorWord {
    #[serde(rename = "ERROR")]
    Error,
}

impl<'a> Document<'a> {
    pub(super) fn new(
        report: &'a Report,
        command: Option<&'a str>,
        sources: &Sources,
    ) -> Document<'a> {
        let verdict = match report.ending {
            Ending::Error => Some(Word::Error(ErrorWord::Error)),
            _ => report.shown_verdict().map(Word::Verdict),
        };
        let diagnostics = report.diagnostics.iter();
        let mut document = Document {
            schema: SCHEMA,
            command,
            verdict,
            reason: report.reason.as_deref(),
            output: report.body.output(),
            specification: None,
            explanation: None,
            properties: report.body.properties(),
            recorded: report.body.recorded(),
            corrections: report.body.corrections(),
            diff: None,
            places: &[],
            part: None,
            apart: &[],
            counterplay: None,
            run: None,
            mutation: None,
            campaign: None,
            notes: &report.notes,
            diagnostics: diagnostics
                .map(|diagnostic| DiagnosticRecord::new(diagnostic, sources))
                .collect(),
        };
        match &report.body {
            Body::Check(specification) => document.specification = Some(specification),
            Body::Explain(explanation) => document.explanation = Some(explanation),
            Body::Repair(repair) => {
                document.diff = repair.diff.as_deref();
                document.places = &repair.places;
                document.part = repair.part.as_ref();
                document.apart = &repair.apart;
                document.counterplay = repair.counterplay.as_ref();
            }
            Body::Play(transcript) | Body::Simulate(transcript) => {
                document.run = Some(&transcript.run);
            }
            Body::Mutate(mutate) => document.mutation = Some(&mutate.mutation),
            Body::Campaign(campaign) => document.campaign = Some(campaign),
            Body::Nothing | Body::Text(_) | Body::Verify(_) | Body::Synth(_) => {}
        }
        document
    }
}
