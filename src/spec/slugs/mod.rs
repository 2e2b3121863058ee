//! The two formats of slugs: `.slugsin` with Boolean formulas in prefix notation, and
//! structured slugs with words and the usual notation.
//!
//! Enters: the text of a file. Leaves: a [`Gr1`]. Each line is one constraint. A liveness line
//! may speak of a step; then an auxiliary variable remembers whether the last step kept it.

mod prefix;
mod structured;
mod write;

pub use write::{write_prefix, write_structured};

use crate::expr::suggest::closest;
use crate::source::codes::specification as codes;
use crate::source::{Diagnostic, FileId, Sources, Span};
use crate::spec::gr1::{Domain, Gr1, Kind, Player, Side, TermId};
use crate::spec::scanner::mark_length;

const SECTIONS: [&str; 8] = [
    "INPUT",
    "OUTPUT",
    "ENV_INIT",
    "SYS_INIT",
    "ENV_TRANS",
    "SYS_TRANS",
    "ENV_LIVENESS",
    "SYS_LIVENESS",
];

/// A line that says something, with its section.
struct Line<'t> {
    section: &'static str,
    text: &'t str,
    span: Span,
}

/// A `.slugsin` file.
pub fn parse_prefix(sources: &Sources, file: FileId) -> Result<Gr1, Vec<Diagnostic>> {
    read(
        sources,
        file,
        &mut |spec, line| {
            spec.add_variable(
                line.text,
                owner(line.section),
                Domain::Boolean,
                Some(line.span),
            );
            Ok(())
        },
        &mut prefix::formula,
    )
}

/// A structured slugs file.
pub fn parse_structured(sources: &Sources, file: FileId) -> Result<Gr1, Vec<Diagnostic>> {
    read(
        sources,
        file,
        &mut structured::declare,
        &mut structured::formula,
    )
}

fn owner(section: &str) -> Player {
    if section == "INPUT" {
        Player::Environment
    } else {
        Player::System
    }
}

type Declare<'a> = &'a mut dyn FnMut(&mut Gr1, &Line<'_>) -> Result<(), Diagnostic>;
type Formula<'a> = &'a mut dyn FnMut(&mut Gr1, &str, Span) -> Result<TermId, Diagnostic>;

fn read(
    sources: &Sources,
    file: FileId,
    declare: Declare<'_>,
    formula: Formula<'_>,
) -> Result<Gr1, Vec<Diagnostic>> {
    let limits = sources.limits();
    let mut errors = Vec::new();
    let lines = lines(file, &sources.file(file).text, &mut errors);
    limits.check()?;
    let mut spec = Gr1::default();
    let is_declaration = |line: &&Line<'_>| matches!(line.section, "INPUT" | "OUTPUT");
    for line in lines.iter().filter(is_declaration) {
        limits.poll()?;
        let name = line.text.split(':').next().unwrap_or_default().trim();
        if name.is_empty() {
            let error = Diagnostic::error(codes::UNEXPECTED_TEXT, "a variable has no name");
            let error = error.at(line.span, "declared here");
            errors.push(error.help("write its name before the range, as in `position:0...7`"));
            continue;
        }
        if let Some(earlier) = spec.find_variable(name) {
            let error = Diagnostic::error(
                codes::REPEATED_DECLARATION,
                format!("`{name}` is declared twice"),
            )
            .at(line.span, "declared again here");
            errors.push(match spec.variable(earlier).span {
                Some(span) => error.at(span, "first declared here"),
                None => error,
            });
            continue;
        }
        errors.extend(declare(&mut spec, line).err());
    }
    for line in lines.iter().filter(|line| !is_declaration(line)) {
        limits.check()?;
        match formula(&mut spec, line.text, line.span) {
            Ok(term) => errors.extend(require(&mut spec, line, term).err()),
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() {
        Ok(spec)
    } else {
        Err(errors)
    }
}

fn lines<'t>(file: FileId, text: &'t str, errors: &mut Vec<Diagnostic>) -> Vec<Line<'t>> {
    let mut found = Vec::new();
    let mut section = None;
    let mut offset = mark_length(text);
    for whole in text[offset..].split_inclusive('\n') {
        let start = offset + (whole.len() - whole.trim_start().len());
        offset += whole.len();
        let content = whole.trim();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let span = Span::new(file, start, start + content.len());
        let header = content.strip_prefix('[');
        if let Some(name) = header.and_then(|rest| rest.strip_suffix(']')) {
            section = SECTIONS.into_iter().find(|known| *known == name);
            if section.is_none() {
                let error =
                    Diagnostic::error(codes::UNKNOWN_NAME, format!("there is no section `{name}`"))
                        .at(span, "unknown section");
                errors.push(match closest(name, SECTIONS) {
                    Some(near) => error.help(format!("did you mean `[{near}]`?")),
                    None => error.help(format!("sections are {}", SECTIONS.join(", "))),
                });
                // What follows would only be wrong because of this.
                return found;
            }
            continue;
        }
        match section {
            Some(section) => found.push(Line {
                section,
                text: content,
                span,
            }),
            None => {
                errors.push(
                    Diagnostic::error(
                        codes::UNEXPECTED_TEXT,
                        "a specification starts with a section",
                    )
                    .at(span, "this is in no section")
                    .help("write `[INPUT]` before the variables of the environment"),
                );
                return found;
            }
        }
    }
    found
}

fn require(spec: &mut Gr1, line: &Line<'_>, term: TermId) -> Result<(), Diagnostic> {
    let side = if line.section.starts_with("ENV") {
        Side::Assumption
    } else {
        Side::Guarantee
    };
    let kind = match line.section {
        "ENV_INIT" | "SYS_INIT" => Kind::Initial,
        "ENV_TRANS" | "SYS_TRANS" => Kind::Safety,
        _ => Kind::Justice,
    };
    let primed = spec.terms.has_primed(term);
    let term = match kind {
        Kind::Initial if primed => {
            return Err(Diagnostic::error(
                codes::MISPLACED_NEXT,
                "an initial requirement cannot speak of next values",
            )
            .at(line.span, "there is a next value in this")
            .help("move the line to the section of steps"));
        }
        Kind::Justice if primed => spec.record(term, Some(line.span)),
        _ => term,
    };
    spec.add_constraint(None, side, kind, term, Some(line.span));
    Ok(())
}

/// The message about a name that is not declared.
fn unknown(spec: &Gr1, name: &str, span: Span) -> Diagnostic {
    let error = Diagnostic::error(codes::UNKNOWN_NAME, format!("unknown variable `{name}`"))
        .at(span, "not declared");
    let names = spec.variables.iter().map(|variable| variable.name.as_str());
    match closest(name, names) {
        Some(near) => error.help(format!("did you mean `{near}`?")),
        None => error.help("list it under `[INPUT]` or `[OUTPUT]`"),
    }
}
