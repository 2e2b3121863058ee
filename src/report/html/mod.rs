//! A report as one page for a browser: nothing is loaded from elsewhere, everything can be
//! read without scripts, in light and in dark, and on paper.
//!
//! Enters: the same [`Report`] that becomes text and JSON, and the texts that its places are
//! in. Leaves: HTML. What scripts add is drawing other parts of a run, copying, and a cursor.
//!
//! - `wave`: runs as lanes of changes; `drawing`: a part of them as SVG;
//! - `excerpt`: lines of sources, and diffs side by side;
//! - `design`, `specification`, `mutate`, `campaign`: the sections of each command;
//! - `markup`: whatever a user gave, as text of a page.

mod campaign;
mod design;
mod drawing;
mod excerpt;
mod markup;
mod mutate;
mod specification;
mod wave;

pub use markup::json;
pub use wave::{Lane, Wave};

use super::{Body, Ending, Report};
use crate::source::render::render;
use crate::source::{Severity, Sources};
use drawing::Room;
use markup::{Escaped, counted, sentence};
use std::fmt::Write;

/// The style of all pages.
pub const STYLE: &str = include_str!("style.css");
/// What draws waveforms from their data.
pub const WAVES: &str = include_str!("waves.js");
/// The rest of the page of a play, which asks its server for what it draws.
pub const PLAY: &str = concat!(
    include_str!("play.html"),
    "<script>",
    include_str!("waves.js"),
    include_str!("play.js"),
    "</script>\n</body></html>\n"
);
const COPIES: &str = include_str!("copies.js");

/// What all runs of a page may take, in bytes, drawn and as data. With the lists, a page stays
/// below ten million.
const MOST_DATA: usize = 8_000_000;
/// Diagnostics that are shown.
const MOST_DIAGNOSTICS: usize = 200;

/// What a page is about, besides the report.
pub struct Page<'a> {
    pub command: &'a str,
    /// The words that were typed, as a shell reads them; without those that write this page.
    pub typed: &'a [String],
    pub sources: &'a Sources,
}

impl Page<'_> {
    /// The command that takes another correction.
    fn command_with_pick(&self, number: usize) -> String {
        format!("{} --pick {number}", self.typed.join(" "))
    }

    /// The whole page.
    pub fn html(&self, report: &Report) -> String {
        let room = &mut Room::new(MOST_DATA);
        let (word, class) = match (report.ending, report.shown_verdict()) {
            (Ending::Error, _) | (_, None) => ("ERROR", "bad"),
            (_, Some(verdict)) => (verdict.word(), design::class(verdict)),
        };
        let reason = report.reason.clone().unwrap_or_default();
        let mut text = head(&format!("{word}: {}", self.typed.join(" ")));
        let _ = writeln!(
            text,
            "<header><p class=\"tool\">respin {}</p>\n<h1><span class=\"verdict {class}\">{word}</span> \
             <span class=\"reason\">{}</span></h1>\n<p class=\"typed\"><code>{}</code></p></header>\n<main>",
            Escaped(self.command),
            sentence(&reason),
            Escaped(self.typed.join(" "))
        );
        text.push_str(&notes(report));
        text.push_str(&match &report.body {
            Body::Verify(body) => design::verify(body, self, room),
            Body::Repair(body) => design::repair(body, self, room),
            Body::Check(body) => specification::check(body),
            Body::Explain(body) => specification::explanation(body, self, room),
            Body::Mutate(body) => mutate::mutants(body, room),
            Body::Campaign(body) => campaign::jobs(body),
            Body::Nothing | Body::Text(_) | Body::Synth(_) | Body::Play(_) | Body::Simulate(_) => {
                String::new()
            }
        });
        text.push_str(&self.diagnostics(report));
        let _ = writeln!(
            text,
            "</main>\n<footer>Made by respin {}.</footer>\n<script>{WAVES}{COPIES}{}</script>\n</body></html>",
            env!("CARGO_PKG_VERSION"),
            match report.body {
                Body::Campaign(_) | Body::Mutate(_) => campaign::SORTING,
                _ => "",
            }
        );
        text
    }

    fn diagnostics(&self, report: &Report) -> String {
        if report.diagnostics.is_empty() {
            return String::new();
        }
        // A core is told in a section of its own already.
        let shown = report.diagnostics.iter();
        let is_note = |severity: Severity| severity == Severity::Note;
        let told = matches!(report.body, Body::Explain(_));
        let shown = shown.filter(|one| !(told && is_note(one.severity)));
        let shown: Vec<_> = shown.collect();
        if shown.is_empty() {
            return String::new();
        }
        let mut text = format!("<section><h2>{}</h2>\n", counted(shown.len(), "diagnostic"));
        for one in shown.iter().take(MOST_DIAGNOSTICS) {
            let _ = writeln!(
                text,
                "<pre class=\"diagnostic\" tabindex=\"0\">{}</pre>",
                Escaped(render(one, self.sources, false))
            );
        }
        if shown.len() > MOST_DIAGNOSTICS {
            let more = counted(shown.len() - MOST_DIAGNOSTICS, "more diagnostic");
            let _ = writeln!(
                text,
                "<p class=\"note\">{more}: <code>--format json</code> lists all.</p>"
            );
        }
        text.push_str("</section>\n");
        text
    }
}

/// The head of a page. The policy forbids whatever would use the network.
pub fn head(title: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; \
         img-src data:\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n\
         <title>{}</title>\n<style>{STYLE}</style></head><body>\n",
        Escaped(title)
    )
}

fn notes(report: &Report) -> String {
    if report.notes.is_empty() {
        return String::new();
    }
    let notes = report.notes.iter();
    let notes = notes.map(|note| format!("<li>{}</li>", sentence(note)));
    format!("<ul class=\"notes\">{}</ul>\n", notes.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{PropertyResult, Verdict, VerifyReport};
    use crate::run::{Run, Signal, SignalKind};

    fn page(report: &Report) -> String {
        let typed = ["respin".to_string(), "verify".to_string()];
        let page = Page {
            command: "verify",
            typed: &typed,
            sources: &Sources::new(),
        };
        page.html(report)
    }

    fn failing(run: Run) -> Report {
        let property = PropertyResult {
            name: "</script><b>p".to_string(),
            is_cover: false,
            verdict: Verdict::Fail,
            reset: None,
            engine: None,
            vacuous: None,
            reason: None,
            place: None,
            time: None,
            trace: Some(run),
        };
        let body = VerifyReport {
            properties: vec![property],
            ..VerifyReport::default()
        };
        Report::verdict(Verdict::Fail).with(Body::Verify(body))
    }

    fn short() -> Run {
        Run {
            steps: 2,
            loop_start: None,
            signals: vec![Signal {
                name: "<a>".to_string(),
                kind: SignalKind::Input,
                width: 1,
                relevant: true,
                values: vec![Some(vec![false]), Some(vec![true])],
            }],
        }
    }

    #[test]
    fn names_are_text_wherever_they_stand() {
        let text = page(&failing(short()));
        assert!(!text.contains("<b>p"), "{text}");
        assert_eq!(text.matches("</script>").count(), 2, "{text}");
    }

    #[test]
    fn nothing_is_loaded_from_elsewhere() {
        let text = page(&failing(short()));
        for word in ["http:", "https:", "src=", "url(", "@import"] {
            let found = text
                .replace("http://www.w3.org/2000/svg", "")
                .contains(word);
            assert!(!found, "{word}");
        }
    }
}
