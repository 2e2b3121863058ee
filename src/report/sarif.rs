//! A report as SARIF 2.1.0, for tools that show results beside the source.
//!
//! A property is a result of the rule `property`: kind `pass`, `fail`, or `open` if it was not
//! decided. A correction is a note of the rule `correction` at the place of the fault. A
//! diagnostic is a result of the rule that has its code.

use super::{Body, Correction, Ending, PropertyResult, Report, Verdict};
use crate::source::codes::RANGES;
use crate::source::record::{DiagnosticRecord, PlaceRecord};
use crate::source::{Severity, Sources};
use serde_json::{Value, json};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

pub fn sarif(
    report: &Report,
    command: Option<&str>,
    exit_code: u8,
    sources: &Sources,
) -> serde_json::Result<String> {
    let document = sarif_value(report, command, exit_code, sources);
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

/// The same for programs that go on with it.
pub fn sarif_value(
    report: &Report,
    command: Option<&str>,
    exit_code: u8,
    sources: &Sources,
) -> Value {
    let diagnostics: Vec<DiagnosticRecord> = report
        .diagnostics
        .iter()
        .map(|diagnostic| DiagnosticRecord::new(diagnostic, sources))
        .collect();
    let mut results: Vec<Value> = report.body.properties().iter().map(property).collect();
    results.extend(report.body.corrections().iter().map(correction));
    results.extend(diagnostics.iter().map(diagnostic));
    let mut rules = rules(report, &diagnostics);
    if let Body::Campaign(campaign) = &report.body {
        results.extend(campaign.sarif_results.iter().cloned());
        rules.extend(campaign.sarif_rules.iter().cloned());
    }
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "respin",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "invocations": [{
                "executionSuccessful": report.ending != Ending::Error,
                "exitCode": exit_code,
            }],
            "columnKind": "unicodeCodePoints",
            "properties": {
                "command": command,
                "verdict": report.word(),
                "reason": report.reason,
            },
            "results": results,
        }],
    })
}

/// The rules that the results name.
fn rules(report: &Report, diagnostics: &[DiagnosticRecord]) -> Vec<Value> {
    let mut rules = Vec::new();
    if !report.body.properties().is_empty() {
        let text = "What the design must keep on all runs, or what some run should show";
        rules.push(json!({ "id": "property", "shortDescription": { "text": text } }));
    }
    if !report.body.corrections().is_empty() {
        let text = "An edit after which the design keeps its properties; it has been proved";
        rules.push(json!({ "id": "correction", "shortDescription": { "text": text } }));
    }
    for entry in RANGES.iter().flat_map(|range| range.entries) {
        let code = entry.code.to_string();
        if diagnostics.iter().any(|one| one.code == code) {
            rules.push(json!({
                "id": code,
                "name": entry.name,
                "shortDescription": { "text": entry.title },
                "help": { "text": entry.explanation },
            }));
        }
    }
    rules
}

fn property(property: &PropertyResult) -> Value {
    let (kind, level) = match property.verdict {
        Verdict::Pass => ("pass", "none"),
        Verdict::Fail => ("fail", "error"),
        _ => ("open", "none"),
    };
    let mut text = match (property.verdict, property.is_cover) {
        (Verdict::Pass, false) => format!("{} holds", property.name),
        (Verdict::Pass, true) => format!("{} is covered", property.name),
        (Verdict::Fail, false) => format!("{} fails", property.name),
        (Verdict::Fail, true) => format!("{} is not covered", property.name),
        _ => format!("{} was not decided", property.name),
    };
    if let Some(trace) = &property.trace {
        text = format!("{text} {}", trace.shape());
    }
    if property.vacuous.is_some() {
        text.push_str(" (vacuous)");
    }
    if let Some(reason) = &property.reason {
        text = format!("{text}: {reason}");
    }
    json!({
        "ruleId": "property",
        "kind": kind,
        "level": level,
        "message": { "text": text },
        "locations": property.place.iter().map(location).collect::<Vec<Value>>(),
        "properties": {
            "name": property.name,
            "verdict": property.verdict.word(),
            "reset": property.reset,
            "vacuous": property.vacuous,
        },
    })
}

fn correction(correction: &Correction) -> Value {
    let parts = correction.edits.iter().map(|edit| {
        let (before, after) = (edit.before.join(" "), edit.after.join(" "));
        format!("`{before}` should be `{after}`")
    });
    let mut text = parts.collect::<Vec<String>>().join(", and ");
    if correction.vacuous {
        text.push_str(" (vacuous)");
    }
    let places = correction
        .edits
        .iter()
        .filter_map(|edit| edit.place.as_ref());
    json!({
        "ruleId": "correction",
        "kind": "fail",
        "level": "note",
        "message": { "text": text },
        "locations": places.map(location).collect::<Vec<Value>>(),
        "properties": { "number": correction.number, "vacuous": correction.vacuous },
    })
}

fn diagnostic(diagnostic: &DiagnosticRecord) -> Value {
    let level = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let mut text = diagnostic.message.clone();
    if let Some(help) = &diagnostic.help {
        text = format!("{text}; {help}");
    }
    let places = diagnostic.labels.iter().take(1).map(|label| &label.place);
    let mut value = json!({
        "ruleId": diagnostic.code,
        "kind": "fail",
        "level": level,
        "message": { "text": text },
        "locations": places.map(location).collect::<Vec<Value>>(),
    });
    if !diagnostic.edits.is_empty() {
        value["fixes"] = json!([fix(diagnostic)]);
    }
    value
}

/// The edits of a diagnostic, which belong together.
fn fix(diagnostic: &DiagnosticRecord) -> Value {
    let changes = diagnostic.edits.iter().map(|edit| {
        let place = location(&edit.place);
        json!({
            "artifactLocation": place["physicalLocation"]["artifactLocation"],
            "replacements": [{
                "deletedRegion": place["physicalLocation"]["region"],
                "insertedContent": { "text": edit.text },
            }],
        })
    });
    let text = diagnostic.help.as_deref().unwrap_or(&diagnostic.message);
    json!({
        "description": { "text": text },
        "artifactChanges": changes.collect::<Vec<Value>>(),
    })
}

fn location(place: &PlaceRecord) -> Value {
    let region = match (place.line, place.column, place.end_line, place.end_column) {
        (Some(line), Some(column), Some(end_line), Some(end_column)) => json!({
            "startLine": line,
            "startColumn": column,
            "endLine": end_line,
            "endColumn": end_column,
        }),
        _ => json!({
            "byteOffset": place.start_byte,
            "byteLength": place.end_byte.saturating_sub(place.start_byte),
        }),
    };
    json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(&place.file) },
            "region": region,
        },
    })
}

/// A path as a reference: what has a meaning of its own there is escaped.
pub fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                uri.push(byte as char);
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_with_blanks_is_escaped() {
        assert_eq!(uri("a b/c:d.v"), "a%20b/c%3Ad.v");
    }

    #[test]
    fn an_undecided_property_is_open() {
        let value = property(&PropertyResult {
            name: "p".to_string(),
            is_cover: false,
            verdict: Verdict::Unknown,
            reset: None,
            engine: None,
            vacuous: None,
            reason: Some("out of time".to_string()),
            place: None,
            time: None,
            trace: None,
        });
        assert_eq!(value["kind"], "open");
        assert_eq!(value["message"]["text"], "p was not decided: out of time");
    }
}
