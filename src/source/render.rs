//! A diagnostic as a person reads it: the message, the lines it talks about, and the way out.
//!
//! The drawing is done by `annotate-snippets`, which is named nowhere else. It panics on
//! offsets outside the text or inside a character, and walks the whole text for each label, so
//! it gets spans that were checked here, and only the lines from the first to the last label.
//! It lets control characters through except in titles and sources, so the rest is cleaned here.

use super::{Diagnostic, Label, Severity, SourceFile, Sources};
use annotate_snippets::{
    Annotation, AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet,
    normalize_untrusted_str,
};
use std::borrow::Cow;

/// Shows a diagnostic with its places. Ends with a newline.
pub fn render(diagnostic: &Diagnostic, sources: &Sources, color: bool) -> String {
    let title = level(diagnostic.severity)
        .primary_title(diagnostic.message.as_str())
        .id(diagnostic.code.to_string());
    let mut group = Group::with_title(title);

    for file_labels in by_file(&diagnostic.labels) {
        let file = sources.file(file_labels[0].1.span.file);
        let elements = if file.is_binary() {
            offsets(file, &file_labels)
        } else {
            vec![snippet(file, &file_labels).into()]
        };
        group = group.elements(elements);
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(normalize_untrusted_str(note)));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(normalize_untrusted_str(help)));
    }

    let renderer = if color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    renderer.render(&[group]) + "\n"
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    }
}

/// Labels with their place in the diagnostic, one group for each file, in order of appearance.
fn by_file(labels: &[Label]) -> Vec<Vec<(usize, &Label)>> {
    let mut groups: Vec<Vec<(usize, &Label)>> = Vec::new();
    for (index, label) in labels.iter().enumerate() {
        let same_file = groups
            .iter_mut()
            .find(|group| group[0].1.span.file == label.span.file);
        match same_file {
            Some(group) => group.push((index, label)),
            None => groups.push(vec![(index, label)]),
        }
    }
    groups
}

/// The places of a binary file, which has no lines to show.
fn offsets<'a>(file: &SourceFile, labels: &[(usize, &'a Label)]) -> Vec<Element<'a>> {
    let mut elements: Vec<Element<'a>> = Vec::new();
    for (_, label) in labels {
        let place = format!("{}, byte {}", file.name, label.span.start);
        elements.push(Origin::path(normalize_untrusted_str(&place)).into());
        if !label.text.is_empty() {
            let text = normalize_untrusted_str(&label.text);
            elements.push(Level::NOTE.message(text).into());
        }
    }
    elements
}

fn snippet<'a>(file: &'a SourceFile, labels: &[(usize, &'a Label)]) -> Snippet<'a, Annotation<'a>> {
    let ranges: Vec<(usize, usize)> = labels
        .iter()
        .map(|(_, label)| visible(file, file.clamp(label.span)))
        .collect();
    let first = ranges.iter().map(|range| range.0).min().unwrap_or(0);
    let last = ranges.iter().map(|range| range.1).max().unwrap_or(0);
    let first_line = file.line_at(first);
    let window_start = file.line_range(first_line).0;
    let window_end = file.line_range(file.line_at(last)).1;

    let window = &file.text[window_start..window_end];
    // The drawing does not know the empty line after a last newline, and would show what is
    // there on the line before.
    let window = if last == file.text.len() && window.ends_with('\n') {
        Cow::Owned(format!("{window}\n"))
    } else {
        Cow::Borrowed(window)
    };

    let annotations = labels
        .iter()
        .zip(&ranges)
        .map(|((index, label), &(start, end))| {
            let kind = if *index == 0 {
                AnnotationKind::Primary
            } else {
                AnnotationKind::Context
            };
            let annotation = kind.span(start - window_start..end - window_start);
            if label.text.is_empty() {
                annotation
            } else {
                annotation.label(normalize_untrusted_str(&label.text))
            }
        });
    Snippet::source(window)
        .path(normalize_untrusted_str(&file.name))
        .line_start(first_line + 1)
        .annotations(annotations)
}

/// A span that ends with a newline would be drawn as reaching into the next line.
fn visible(file: &SourceFile, (start, end): (usize, usize)) -> (usize, usize) {
    let kept = file.text[start..end].trim_end_matches(['\n', '\r']).len();
    (start, start + kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::source::{Code, Span};

    /// Renders an error with one label for each span, and compares the lines.
    fn check(text: &str, spans: &[(usize, usize)], expected: &[&str]) {
        let mut sources = Sources::new();
        let file = sources.add("a.v", text);
        let mut diagnostic = Diagnostic::error(Code(7), "it is wrong");
        for &(start, end) in spans {
            diagnostic = diagnostic.at(Span::new(file, start, end), "here");
        }
        let rendered = render(&diagnostic, &sources, false);
        assert_eq!(rendered.lines().collect::<Vec<_>>(), expected, "{rendered}");
    }

    #[test]
    fn the_line_of_the_problem_is_shown() {
        check(
            "module m;\n  assign a = b;\nendmodule\n",
            &[(19, 20)],
            &[
                "error[R0007]: it is wrong",
                " --> a.v:2:10",
                "  |",
                "2 |   assign a = b;",
                "  |          ^ here",
            ],
        );
    }

    #[test]
    fn the_first_label_is_the_primary_one() {
        check(
            "aaa\nbbb\n",
            &[(4, 7), (0, 3)],
            &[
                "error[R0007]: it is wrong",
                " --> a.v:2:1",
                "  |",
                "1 | aaa",
                "  | --- here",
                "2 | bbb",
                "  | ^^^ here",
            ],
        );
    }

    #[test]
    fn tabs_and_wide_characters_keep_the_mark_below_its_text() {
        check(
            "\té = x;",
            &[(6, 7)],
            &[
                "error[R0007]: it is wrong",
                " --> a.v:1:6",
                "  |",
                "1 |     é = x;",
                "  |         ^ here",
            ],
        );
    }

    #[test]
    fn the_end_of_a_text_is_shown_on_its_own_line() {
        check(
            "a\n",
            &[(2, 2)],
            &[
                "error[R0007]: it is wrong",
                " --> a.v:2:1",
                "  |",
                "2 |",
                "  | ^ here",
            ],
        );
    }

    #[test]
    fn an_empty_file_is_shown() {
        check(
            "",
            &[(0, 0)],
            &[
                "error[R0007]: it is wrong",
                " --> a.v:1:1",
                "  |",
                "1 |",
                "  | ^ here",
            ],
        );
    }

    #[test]
    fn a_span_with_its_newline_stays_on_its_line() {
        check(
            "ab\r\ncd\n",
            &[(0, 4)],
            &[
                "error[R0007]: it is wrong",
                " --> a.v:1:1",
                "  |",
                "1 | ab",
                "  | ^^ here",
            ],
        );
    }

    #[test]
    fn notes_and_help_stand_below() {
        let diagnostic = Diagnostic::error(Code(7), "it is wrong")
            .note("why")
            .help("do this");
        assert_eq!(
            render(&diagnostic, &Sources::new(), false),
            "error[R0007]: it is wrong\n |\n = note: why\n = help: do this\n"
        );
    }

    #[test]
    fn a_binary_file_is_shown_as_an_offset() {
        let mut sources = Sources::new();
        let file = sources.add_binary("a.aig", [0u8; 40]);
        let diagnostic = Diagnostic::error(Code(7), "it is wrong")
            .at(Span::new(file, 17, 18), "a gate has no inputs");
        assert_eq!(
            render(&diagnostic, &sources, false),
            "error[R0007]: it is wrong\n--> a.aig, byte 17\n = note: a gate has no inputs\n"
        );
    }

    #[test]
    fn color_is_escapes_around_the_same_text() {
        let mut sources = Sources::new();
        let file = sources.add("a.v", "abc");
        let diagnostic = Diagnostic::error(Code(7), "wrong").at(Span::new(file, 0, 1), "here");
        assert!(render(&diagnostic, &sources, true).contains('\u{1b}'));
        assert!(!render(&diagnostic, &sources, false).contains('\u{1b}'));
    }

    #[test]
    fn names_and_notes_cannot_send_escapes_to_the_terminal() {
        let mut sources = Sources::new();
        let text = sources.add("\u{1b}[31m.v", "\u{1b}[31m");
        let binary = sources.add_binary("\u{1b}[31m.aig", []);
        let diagnostic = Diagnostic::error(Code(7), "\u{1b}[31m")
            .at(Span::new(text, 0, 1), "\u{1b}[31m")
            .at(Span::new(binary, 0, 1), "\u{1b}[31m")
            .note("\u{1b}[31m")
            .help("\u{1b}[31m");
        assert!(!render(&diagnostic, &sources, false).contains('\u{1b}'));
    }

    #[test]
    fn no_text_and_no_span_makes_it_panic() {
        const PIECES: [&str; 14] = [
            "a",
            " ",
            "\t",
            "\n",
            "\n\n",
            "\r\n",
            "\r",
            "é",
            "漢",
            "🦀",
            "\u{200b}",
            "e\u{301}",
            "\u{feff}",
            "begin // x",
        ];
        let mut random = Random::new(1);
        for _ in 0..20_000 {
            let mut sources = Sources::new();
            let files: Vec<_> = (0..1 + random.below(2))
                .map(|_| {
                    let text: String = (0..random.below(12))
                        .map(|_| *random.pick(&PIECES))
                        .collect();
                    let length = text.len();
                    (sources.add("a.v", text), length)
                })
                .collect();
            let mut diagnostic = Diagnostic::error(Code(7), "wrong");
            for _ in 0..random.below(5) {
                let (file, length) = *random.pick(&files);
                let start = random.below(length + 3);
                let end = random.below(length + 3);
                let text = *random.pick(&["", "here", "two\nlines"]);
                diagnostic = diagnostic.at(Span::new(file, start, end), text);
            }
            let color = random.flip();
            let shown = std::panic::catch_unwind(|| render(&diagnostic, &sources, color));
            assert!(shown.is_ok(), "panics on {sources:?} {diagnostic:?}");
        }
    }
}
